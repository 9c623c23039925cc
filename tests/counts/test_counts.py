"""Known counts. A failure prints the count under each first move, which points at the rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import HOARD, TICTACTOE
from meeple.core.count import count_leaves, count_positions, position_named, read_counts, split_leaves
from meeple.core.registry import load_game

LONG = 10**8  # above so many leaves a count belongs to the long run
SPECS = {
    "santorini": "santorini",
    "azul": "azul:players=2",
    "azul-grey": "azul:players=2,wall=grey",
    "ingenious": "ingenious",
    "sagrada": "sagrada",
    "saboteur": "saboteur:players=3",
    "saboteur-duel": "saboteur-duel",
    "tictactoe": TICTACTOE,
    "hoard": f"{HOARD}:players=2",
}
KNOWN = [
    pytest.param(SPECS[name], *entry, marks=[pytest.mark.long] if entry[2] > LONG else [])
    for name in SPECS
    for entry in read_counts(Path(__file__).parent / f"{name}.txt")
]


@pytest.mark.parametrize(("spec", "position", "depth", "count"), KNOWN)
def test_known_count(spec: str, position: str, depth: int, count: int) -> None:
    state = position_named(load_game(spec), position)
    found = count_leaves(state, depth)
    assert found == count, "\n".join(f"{move} {n}" for move, n in split_leaves(state, depth).items())


def test_the_harness_counts_the_positions_of_tictactoe() -> None:
    assert count_positions(load_game(TICTACTOE).new(), 9) == 5478


def test_a_finished_position_is_one_leaf() -> None:
    game = load_game(TICTACTOE)
    assert count_leaves(game.read("XXX/OO./..."), 3) == 1
    assert count_leaves(game.new(), 0) == 1
