"""Ingenious: what its evaluations are made of, in plain words (core/terms.py).

The hair that a swap is worth by itself is left out. `sorted` has no terms for a game alone, where its sum is squashed
in another way.
"""

from __future__ import annotations

import math

import numpy as np

from meeple.core.kernel import kernel
from meeple.core.terms import OTHERS, OWN, Terms
from meeple.games.ingenious.heuristics import Sorted, open_share, sorted_sum
from meeple.games.ingenious.layout import TRACK
from meeple.games.ingenious.rules import to_move
from meeple.games.ingenious.scoring import side_of, sorted_points
from meeple.games.ingenious.tiles import N_COLOURS
from meeple.games.ingenious.worths import ONE, POINTS_SCALE, POINTS_WORTH, SOFT_SCALE, Worth, sum_of_worths

COLOUR_NAMES = ("red", "green", "blue", "orange", "yellow", "purple")  # in the order of their codes
RANK_NAMES = (
    *("the lowest colour", "the second lowest colour", "the third lowest colour"),
    *("the third highest colour", "the second highest colour", "the highest colour"),
    "the move",
)
TURN = N_COLOURS


@kernel
def worth_terms(state, seat, out, worth):
    """The terms of `lead`: the worth of each score of a side, and those of the best other side."""
    own = side_of(state, seat)
    add_worths(state, own, out, OWN, 1, worth)
    n_sides = 2 if state.teams == 1 else np.int64(state.seats)
    best, rival = np.int64(-(1 << 60)), np.int64(-1)
    for side in range(n_sides):
        if side != own:
            value = sum_of_worths(state, np.int64(side), worth)
            if value > best:
                best, rival = value, np.int64(side)
    if rival >= 0:
        add_worths(state, rival, out, OTHERS, -1, worth)


@kernel
def add_worths(state, side, out, row, sign, worth):
    """Add the terms of `sum_of_worths`, with a sign."""
    for colour in range(N_COLOURS):
        out[row, colour] += sign * worth[state.points[side, colour]]


@kernel
def soft_terms(state, seat, out, weights):
    """The terms of `soft_value`."""
    worth_terms(state, seat, out, weights.worth)


@kernel
def points_terms(state, seat, out):
    """The terms of `points_value`."""
    worth_terms(state, seat, out, POINTS_WORTH)


@kernel
def gain_terms(state, seat, out):
    """The terms of `gain_value`."""
    add_worths(state, side_of(state, seat), out, OWN, 1, POINTS_WORTH)


def soft_squash(total: float, weights: Worth) -> float:
    """The lead in worths as expected returns."""
    return total * SOFT_SCALE


def points_squash(total: float) -> float:
    """A lead in points as expected returns."""
    return total * POINTS_SCALE


def a_point() -> tuple[float, float]:
    """What a point counts."""
    return float(ONE), float(ONE)


@kernel
def sorted_terms(state, seat, out, weights):
    """The terms of `sorted_value`."""
    own = side_of(state, seat)
    n_sides = 2 if state.teams == 1 else np.int64(state.seats)
    at = open_share(state)
    if n_sides == 1:
        out[OWN, 0] = np.nan
        return
    best, rival = -np.inf, np.int64(-1)
    for side in range(n_sides):
        if side != own:
            value = sorted_sum(state, np.int64(side), at, weights)
            if value > best:
                best, rival = value, np.int64(side)
    add_sorted(state, own, at, out, OWN, 1.0, weights)
    add_sorted(state, rival, at, out, OTHERS, -1.0, weights)
    place = np.int64(at)
    turn = weights.turn[place] + (at - place) * (weights.turn[place + 1] - weights.turn[place])
    is_next = (to_move(state) >= 0) == (side_of(state, np.int64(state.seat)) == own)
    out[OWN, TURN] += turn if is_next else -turn


@kernel
def add_sorted(state, side, at, out, row, sign, weights):
    """Add the terms of `sorted_sum`, with a sign."""
    place = np.int64(at)
    within = at - place
    digits = sorted_points(state, side)
    for rank in range(N_COLOURS):
        points = (digits >> (6 * (N_COLOURS - 1 - rank))) & 63
        low, high = weights.ranks[place, rank], weights.ranks[place + 1, rank]
        out[row, rank] += sign * points * (low + within * (high - low)) / TRACK


def sorted_squash(total: float, weights: Sorted) -> float:
    """The sum of a logistic model as expected returns."""
    return min(0.95, max(-0.95, math.tanh(0.5 * total)))


TERMS = {
    "soft": Terms(tuple(f"points of {name}" for name in COLOUR_NAMES), soft_terms, soft_squash),
    "points": Terms(COLOUR_NAMES, points_terms, points_squash, a_point),
    "gain": Terms(COLOUR_NAMES, gain_terms, points_squash, a_point),
    "sorted": Terms(RANK_NAMES, sorted_terms, sorted_squash),
}
