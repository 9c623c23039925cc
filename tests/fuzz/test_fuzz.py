"""Texts, records and bytes from outside never break the process: refused in words, or played on from to the end.

Every game is tried in processes of its own, compiled with bounds checks, under a clock: a crash, an access out of
bounds and a loop without end all fail here, and the message tells what was being read.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz.known import KNOWN
from meeple.core.registry import game_names

HERE = Path(__file__).parent
SECONDS = 600  # a run takes far less; a loop without end never ends
# The others take a quarter to half a minute each to compile with bounds checks: they are in the long run alone.
DAILY = ("santorini", "azul")
PARTS = 10  # of the long run: each a process of its own, with a seed of its own


def script(name: str, *words: object, note: Path | None = None, bounds: bool = True) -> str:
    """The output of a script beside this file."""
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1" if bounds else "0", "FUZZ_NOTE": str(note or os.devnull)}
    command = [sys.executable, str(HERE / name), *map(str, words)]
    tried = (lambda: note.read_text()[:2_000]) if note else (lambda: "")
    try:
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        pytest.fail(f"no end after {SECONDS} s: {tried()}")
    assert ran.returncode == 0, f"{ran.stderr[-2_000:]}\n{ran.returncode}: {tried()}"
    return ran.stdout


def fuzz(game: str, texts: int, records: int, data: int, seed: int, note: Path) -> None:
    counts = json.loads(script("fuzzing.py", game, texts, records, data, seed, note=note))
    assert counts.pop("known") == sum(case[0].partition(":")[0] == game for case in KNOWN)
    assert [sum(found.values()) for found in counts.values()] == [texts, records, data]
    assert counts["texts"]["played"] > 0, "no text was let pass: the mutations are too coarse to test anything"
    assert counts["texts"]["refused"] > 0


@pytest.mark.parametrize("game", DAILY)
def test_what_comes_from_outside_is_refused_or_plays(game: str, tmp_path: Path) -> None:
    fuzz(game, 150, 30, 30, 1, tmp_path / "note")


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("game", game_names())
def test_much_that_comes_from_outside(game: str, part: int, tmp_path: Path) -> None:
    fuzz(game, 5_000 // PARTS, 1_000 // PARTS, 1_000 // PARTS, 100 + part, tmp_path / "note")


def test_what_once_broke_it_is_refused_without_bounds_checks_too() -> None:
    names = sorted({case[0].partition(":")[0] for case in KNOWN})
    assert names == sorted(game_names())
    assert len(json.loads(script("known.py", *names, bounds=False))) == len(KNOWN)
