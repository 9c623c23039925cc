"""Sagrada: what its evaluations are made of, in plain words (core/terms.py)."""

from __future__ import annotations

import numpy as np

from meeple.core.bits import popcount
from meeple.core.kernel import kernel
from meeple.core.terms import OTHERS, OWN, Terms
from meeple.games.sagrada import board, layout
from meeple.games.sagrada.evaluation import (
    SCALE,
    UNIT,
    Weights,
    lost_lines,
    patterns_value,
    side_value,
    trapped_lines,
    wary_side,
)
from meeple.games.sagrada.scoring import private_points

PATTERNS, HOPES, PRIVATE, CELLS, TOKENS, DEAD, TRAPPED = range(7)
NAMES = (
    "completed public objectives",
    "public objectives still possible",
    "the private colour",
    "filled cells",
    "favor tokens",
    "cells that a die still fits",
    "lines that can really be completed",
)


@kernel
def thesis_terms(state, seat, out, weights):
    """The terms of `thesis_value`."""
    best, rival = -np.inf, -1
    for other in range(state.seats):
        if other != seat:
            value = side_value(state, other, weights)
            if value > best:
                best, rival = value, other
    add_side(state, seat, out, OWN, weights.factor, weights)
    if rival >= 0:
        add_side(state, rival, out, OTHERS, -1.0, weights)


@kernel
def add_side(state, seat, out, row, sign, weights):
    """Add the terms of `side_value`, times `sign`."""
    if state.window[seat] == layout.NONE:
        return
    dead = board.unfillable(state, seat)
    value, earned = patterns_value(state, seat, dead, weights)
    done = earned * weights.point_units
    empty = board.N_CELLS - popcount(state.occ[seat])
    out[row, PATTERNS] += sign * done / UNIT
    out[row, HOPES] += sign * (value - done) / UNIT
    out[row, PRIVATE] += sign * weights.point * private_points(state, seat)
    out[row, CELLS] -= sign * weights.point * state.worth[layout.EMPTY] * empty
    out[row, TOKENS] += sign * weights.point * state.worth[layout.TOKEN] * state.tokens[seat]
    out[row, DEAD] -= sign * weights.unfillable * popcount(dead)


@kernel
def wary_terms(state, seat, out, weights):
    """The terms of `wary_value`."""
    best, rival = -np.inf, -1
    for other in range(state.seats):
        if other != seat:
            value = wary_side(state, other, weights)
            if value > best:
                best, rival = value, other
    add_side(state, seat, out, OWN, weights.factor, weights)
    add_trapped(state, seat, out, OWN, weights.factor, weights)
    if rival >= 0:
        add_side(state, rival, out, OTHERS, -1.0, weights)
        add_trapped(state, rival, out, OTHERS, -1.0, weights)


@kernel
def add_trapped(state, seat, out, row, sign, weights):
    """Add what `wary_side` takes away, times `sign`."""
    if state.window[seat] == layout.NONE:
        return
    dead = board.unfillable(state, seat)
    for place in range(state.n_goals):
        goal = state.goals[place]
        if layout.NONE < goal < board.LIGHT:
            lines, _ = board.lines_of(goal)
            n = trapped_lines(state, seat, goal, lost_lines(state, seat, goal, dead))
            worth = weights.powers[lines.length] + weights.lost_units
            out[row, TRAPPED] -= sign * state.worth[goal] * n * worth / UNIT


def squash(total: float, weights: Weights) -> float:
    """The lead, brought to the evaluation's range."""
    return min(0.95, max(-0.95, total * SCALE))


def in_points(weights: Weights) -> tuple[float, float]:
    """What a point counts: one's own many times over."""
    return float(weights.factor * weights.point), float(weights.point)


TERMS = {
    "thesis": Terms(NAMES[:TRAPPED], thesis_terms, squash, in_points),
    "wary": Terms(NAMES, wary_terms, squash, in_points),
}
