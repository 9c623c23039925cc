"""bench/against.py: the rows of two checkouts side by side."""

from __future__ import annotations

import re
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
