"""bench/against.py: the rows of two checkouts side by side."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def against(*words: str, cache: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "bench" / "against.py"), *words, "--cache", str(cache)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


def test_a_checkout_is_compared_with_itself(tmp_path):
    words = ("src", "tests/plugins/tictactoe", "--works", "contract-moves", "--slices", "2")
    ran = against(*words, cache=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert re.fullmatch(r"\S+ +contract-moves +best \d\.\d{3}  median \d\.\d{3}\n", ran.stdout), ran.stdout


def test_a_folder_without_meeple_is_refused(tmp_path):
    ran = against(str(tmp_path), cache=tmp_path)
    assert ran.returncode == 2
    assert "name the folder src of a checkout" in ran.stderr


def test_a_row_that_the_other_checkout_does_not_have_is_said(tmp_path):
    other = tmp_path / "other"
    shutil.copytree(ROOT / "src", other, ignore=shutil.ignore_patterns("__pycache__", "*.npz", "static"))
    speeds = other / "meeple" / "core" / "benchmark.py"
    speeds.write_text(speeds.read_text().replace('"contract-moves"', '"older-moves"'))
    words = (str(other), "tests/plugins/tictactoe", "--works", "contract-moves", "--slices", "1")
    ran = against(*words, cache=tmp_path / "cache")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split(maxsplit=2)[2] == f"there is no such row in {other}\n"
