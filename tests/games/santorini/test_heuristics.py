"""Santorini's evaluations: by hand on small positions, against each other's mirror, and within their ranges."""

from __future__ import annotations

import numpy as np
import pytest

from meeple import load_game
from meeple.core.features import find_features
from meeple.core.heuristics import find_heuristic, heuristics_of
from meeple.games.santorini import features
from meeple.games.santorini.heuristics import Report22, by_heights
from search.test_alphabeta import random_states

GAME = load_game("santorini")


def value(text: str, seat: int, name: str) -> float:
    return float(find_heuristic(GAME, "EVALUATIONS", name)(GAME.read(text).record, seat))


def test_the_reports_value_by_hand() -> None:
    # Seat 1: C3 on level 2 in the centre, A1 on level 0 in a corner: half of 4, half of distance 1 at weight -1.
    # Seat 2: both on level 0, E1 and E5 in corners: distance 1. (2 - 0.5) - (0 - 1) = 2.5, scaled by 0.1.
    text = "0000000300002000000000000/1/mortal:C3,A1/mortal:E1,E5"
    assert value(text, 0, "report") == pytest.approx(0.25)
    assert value(text, 1, "report") == pytest.approx(-0.25)


@pytest.mark.parametrize("name", ["climb", "report", "report22"])
def test_evaluations_are_antisymmetric_and_within_their_range(name: str) -> None:
    found = heuristics_of(GAME, "EVALUATIONS")[name]
    for state in random_states("santorini", 60, seed=21):
        mine, theirs = (float(found(state.record, seat)) for seat in range(2))
        assert mine == pytest.approx(-theirs)
        assert found.low <= mine <= found.high


def test_the_22_features_and_their_weights() -> None:
    for state in random_states("santorini", 40, seed=22):
        out = np.empty(features.N_FEATURES)
        features.write_features(state.record, 0, out)
        assert out[:6].sum() == out[11:17].sum() == 1
        assert ((out >= 0) & (out <= 1)).all()
        weights = Report22()
        total = float(weights.features @ (out[:11] - out[11:])) + (
            weights.turn if state.to_move == 0 else -weights.turn
        )
        found = find_heuristic(GAME, "EVALUATIONS", "report22")(state.record, 0)
        assert found == pytest.approx(np.clip(np.tanh(total / 2), -0.95, 0.95))
    assert len(features.NAMES) == features.N_FEATURES


def test_the_reports_features_by_hand() -> None:
    # Seat 1: C3 on level 2 in the centre, A1 in a corner; C4 is of level 3. Seat 2: E1 and E5 in corners.
    state = GAME.read("0000000300002000000000000/1/mortal:C3,A1/mortal:E1,E5")
    first = [0.5, 0, 0.5, 0.5]  # on levels 0, 1, 2; mean distance from the centre
    second = [1, 0, 0, 1]
    assert find_features(GAME, "report8").of(state, 0).tolist() == [*first, *second]
    assert find_features(GAME, "report8").of(state, 1).tolist() == [*second, *first]
    # The pair 02, the distance, 8 + 3 steps, one of them from level 2 to 3; the pair 00, 3 + 3 steps.
    first = [0, 0, 1, 0, 0, 0, 0.5, 11 / 16, 0, 0, 1 / 16]
    second = [1, 0, 0, 0, 0, 0, 1, 6 / 16, 0, 0, 0]
    assert find_features(GAME, "report22").of(state, 0) == pytest.approx([*first, *second])
    assert find_features(GAME, "report22").of(state, 1) == pytest.approx([*second, *first])


def test_the_reports_order_is_by_squared_heights() -> None:
    # C3 stands on level 1; C4 is on level 2, B3 on level 1, all else on the ground.
    state = GAME.read("0000000200011000000000000/1/mortal:C3,A1/mortal:E1,E5")
    gains = {state.move_text(a)[:5]: int(by_heights(state.record, a)) for a in state.offer()}
    assert gains["C3>C4"] == 4 - 1
    assert gains["C3>B3"] == 0
    assert gains["C3>D3"] == -1
    assert gains["A1>A2"] == 0
