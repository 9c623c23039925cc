"""Shipped models say on every machine what they said when they were shipped; golden.py writes that anew."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from meeple import load_game
from models import golden

KEPT = json.loads(golden.FILE.read_text())


def test_every_shipped_model_has_its_golden_values() -> None:
    shipped = {name: {each.name for each in golden.shipped(load_game(name))} for name in golden.games()}
    assert {name: set(found["models"]) for name, found in KEPT.items()} == shipped, "run python tests/models/golden.py"
    for found in KEPT.values():
        for each in found["models"].values():
            assert len(each["outputs"]) == len(each["moves"]) == len(found["positions"]) == golden.POSITIONS
            assert len({str(outputs) for outputs in each["outputs"]}) > 1  # positions are told apart


def test_compiled_they_say_it() -> None:
    assert golden.said(KEPT) == KEPT


@pytest.mark.parametrize("switch", ["NUMBA_DISABLE_JIT", pytest.param("NUMBA_BOUNDSCHECK", marks=pytest.mark.long)])
def test_interpreted_and_with_bounds_checked_they_say_it(switch: str) -> None:
    command = [sys.executable, str(Path(golden.__file__)), "--print"]
    ran = subprocess.run(command, env=os.environ | {switch: "1"}, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    wanted = {name: {model: each["outputs"] for model, each in found["models"].items()} for name, found in KEPT.items()}
    assert json.loads(ran.stdout) == wanted
