"""Every law over all variants of every game at length: compiled, interpreted, and with checks of array bounds.

Each is in two halves, for two cores. What a run of it takes stands in docs/long-tests.md.
"""

from __future__ import annotations

import pytest

from conftest import HOARD, TICTACTOE, Run
from meeple.core.registry import game_names

GAMES = [*(pytest.param(name, id=name) for name in game_names())]
GAMES += [pytest.param(HOARD, id="hoard"), pytest.param(TICTACTOE, id="tictactoe")]


def hold(meeple: Run, game: str, half: int, matches: int, *words: str) -> None:
    """Half of `matches`, with seeds of its own."""
    ran = meeple("check", game, "--matches", str(matches // 2), "--seed", str(1 + 10_000 * half), *words)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.long
@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize("game", GAMES)
def test_laws_at_length(game: str, half: int, meeple: Run) -> None:
    hold(meeple, game, half, 400)


@pytest.mark.long
@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize("game", GAMES)
def test_laws_interpreted(game: str, half: int, meeple: Run) -> None:
    hold(meeple, game, half, 60, "--interpreted")


@pytest.mark.long
@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize("game", GAMES)
def test_laws_with_bounds(game: str, half: int, meeple: Run) -> None:
    hold(meeple, game, half, 100, "--bounds")
