"""Agents compiled with checks of array bounds: every search, preset and level of every game stays in its arrays."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = str(Path(__file__).parent / "bounded.py")
GAMES = ("santorini", "azul", "ingenious", "sagrada", "saboteur", "saboteur-duel")


def decisions(game: str, share: str) -> int:
    """Let the game's agents decide in a process with bounds checks; how many decisions they made."""
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1"}  # compiled code with checks has a cache of its own
    ran = subprocess.run([sys.executable, SCRIPT, game, share], env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-3_000:]
    return int(ran.stdout.split()[-1])


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_agents_stay_in_bounds_over_whole_matches(game: str) -> None:
    assert decisions(game, "whole") >= 500


@pytest.mark.long
def test_the_match_in_which_a_filter_broke_its_list() -> None:
    """Seed 1004 ended in an access out of bounds, or in none, by what lay in memory."""
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1"}
    words = ["match", "sagrada:rules=thesis", "paper-mcts", "rules-all", "-n", "10", "-s", "1001"]
    ran = subprocess.run([sys.executable, "-m", "meeple", *words], env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-3_000:]
    assert "score" in ran.stdout


def test_the_checks_are_on() -> None:
    """A policy that answers by what lies beyond an array is refused; without checks it would answer something."""
    script = (
        "import numpy as np\n"
        "from meeple.games.santorini.heuristics import by_promise\n"
        "from meeple import load_game\n"
        "by_promise(load_game('santorini').new().record, np.int64(1 << 40))\n"
    )
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1"}
    ran = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert "IndexError" in ran.stderr
