"""Why a move is better, in words: from terms that add up to the evaluation, and from nothing that is hidden."""

from __future__ import annotations

import pytest

import meeple
from conftest import HOARD
from meeple.analysis.why import why
from meeple.core.chance import Stream
from meeple.core.game import State
from meeple.core.registry import load_game


def codes(state: State, *moves: str) -> list[int]:
    known = {state.move_text(int(action)): int(action) for action in state.legal_actions()}
    return [known[move] for move in moves]


@pytest.fixture(scope="module")
def island() -> State:
    return load_game("santorini").read("0100000000000000000000000/1/mortal:A5,E1/mortal:C3,E3")


def test_a_step_up_is_told_as_height(island: State) -> None:
    best, made = codes(island, "A5>B5^A5", "A5>A4^A5")
    found = why(island, best, made)
    assert found is not None
    assert found.sentence.startswith("It gains height")
    assert found.reasons[0].name == "height"
    assert found.themes[0] == "height"


def test_an_evaluation_that_likes_the_other_move_says_so(island: State) -> None:
    best, made = codes(island, "A5>A4^A5", "A5>B5^A5")
    found = why(island, best, made)
    assert found is not None
    assert found.sentence.startswith("At first sight the move made looks better: the best one gives up height")
    assert found.themes == ()


def test_a_win_at_once_needs_no_terms() -> None:
    state = load_game("santorini").read("2300000000000000000000000/1/mortal:A5,E1/mortal:C3,E3")
    best, made = codes(state, "A5>B5#", "A5>A4^A5")
    found = why(state, best, made)
    assert found is not None
    assert found.sentence == "It wins at once."


def test_what_is_hidden_does_not_change_the_reason() -> None:
    # Sagrada's evaluation reads the rivals' colours: it is asked in worlds dealt for the mover alone.
    state = load_game("sagrada:players=2").new(seed=4).settled()
    for _ in range(9):
        state = state.after(int(state.legal_actions()[0])).settled()
    best, made = (int(action) for action in state.legal_actions()[:2])
    other = state.redealt(state.to_move, Stream(3))
    assert other != state
    assert why(state, best, made) == why(other, best, made) is not None


def test_a_game_without_terms_is_not_explained() -> None:
    state = meeple.Match(HOARD, seed=1).state
    best, made = (int(action) for action in state.legal_actions()[:2])
    assert why(state, best, made) is None
