"""A deeper look at a position: by one search after the other, each of them within what the mover knows."""

from __future__ import annotations

import pytest

import meeple
from conftest import HOARD, TICTACTOE
from meeple.analysis.deepening import Deepening
from meeple.analysis.judge import Question
from meeple.core.game import State


def looked_at(state: State, searches: int, seed: int = 0) -> Deepening:
    found = Deepening(Question(state, 0, (), seed))
    for _ in range(searches):
        found.search()
    return found


def test_shares_add_up_errors_come_with_the_second_search_and_a_seed_gives_the_same() -> None:
    state = meeple.Match(HOARD, seed=1).state
    one, three = looked_at(state, 1), looked_at(state, 3)
    for found in (one, three):
        assert sum(each.share for each in found.moves) == pytest.approx(1.0)
        assert {each.action for each in found.moves} <= set(state.legal_actions().tolist())
        assert all(0.0 <= each.chance <= 1.0 for each in found.moves)
    assert all(each.error == 0.0 for each in one.moves)
    assert all(each.error > 0.0 for each in three.moves)
    assert looked_at(state, 3).moves == three.moves
    assert looked_at(state, 3, seed=1).moves != three.moves


def test_a_win_at_sight_comes_first() -> None:
    match = meeple.Match(TICTACTOE)
    for move in ("a3", "a2", "b3", "b2"):
        match.play(move)
    found = looked_at(match.state, 2)
    assert match.state.move_text(found.moves[0].action) == "c3"
    assert found.moves[0].chance > 0.99


def test_it_does_not_know_what_the_mover_cannot() -> None:
    state = meeple.Match(HOARD, seed=3).state
    other = state.redealt(state.to_move, meeple.Stream(9))
    assert other != state
    assert looked_at(state, 2).moves == looked_at(other, 2).moves
