"""Santorini: what its evaluations are made of, in plain words (core/terms.py)."""

from __future__ import annotations

import math

from meeple.core.bits import lowest_bit, popcount
from meeple.core.kernel import kernel
from meeple.core.terms import OTHERS, OWN, Terms
from meeple.games.santorini import rules
from meeple.games.santorini.features import CENTRE_DISTANCE, PAIR
from meeple.games.santorini.heuristics import CENTRALITY, Climb, Report, Report22

# --- ours

HEIGHT, STEPS_UP, CENTRE, FREEDOM, TURN = range(5)
CLIMB_NAMES = ("height", "steps up", "the centre", "freedom to move", "the move")


@kernel
def climb_terms(state, seat, out, weights):
    """The terms of `climb_value`."""
    add_climb(state, seat, out, OWN, 1.0, weights)
    add_climb(state, 1 - seat, out, OTHERS, -1.0, weights)
    out[OWN, TURN] += weights.turn if state.seat == seat else -weights.turn


@kernel
def add_climb(state, seat, out, row, sign, weights):
    """Add the terms of `climb_side`, with a sign."""
    occupied = state.workers[0] | state.workers[1]
    left = state.workers[seat]
    while left:
        cell = lowest_bit(left)
        left &= left - 1
        level = rules.level_of(state, cell)
        steps = rules.steps_from(state, cell, occupied)
        out[row, HEIGHT] += sign * weights.level[level]
        out[row, CENTRE] += sign * weights.centre * CENTRALITY[cell]
        out[row, FREEDOM] += sign * weights.mobility * popcount(steps)
        if level < 3:
            out[row, STEPS_UP] += sign * weights.step[level + 1] * popcount(steps & state.at_least[level + 1])


def climb_squash(total: float, weights: Climb) -> float:
    """The sum, brought to the evaluation's range."""
    return min(0.9, max(-0.9, total * weights.scale))


# --- the report

REPORT_NAMES = ("height", "the centre")


@kernel
def report_terms(state, seat, out, weights):
    """The terms of `report_value`."""
    add_report(state, seat, out, OWN, 1.0, weights)
    add_report(state, 1 - seat, out, OTHERS, -1.0, weights)


@kernel
def add_report(state, seat, out, row, sign, weights):
    """Add the terms of `report_side`, with a sign."""
    left = state.workers[seat]
    while left:
        cell = lowest_bit(left)
        left &= left - 1
        out[row, 0] += sign * 0.5 * weights.level[rules.level_of(state, cell)]
        out[row, 1] += sign * 0.5 * weights.centre * CENTRE_DISTANCE[cell]


def report_squash(total: float, weights: Report) -> float:
    """The sum, brought to the evaluation's range."""
    return min(0.6, max(-0.6, total * weights.scale))


@kernel
def report22_terms(state, seat, out, weights):
    """The terms of `report22_value`, under the names of `climb`."""
    add_report22(state, seat, out, OWN, 1.0, weights)
    add_report22(state, 1 - seat, out, OTHERS, -1.0, weights)
    out[OWN, TURN] += weights.turn if state.seat == seat else -weights.turn


@kernel
def add_report22(state, seat, out, row, sign, weights):
    """Add the terms of `report22_side`, with a sign."""
    occupied = state.workers[0] | state.workers[1]
    levels = 0
    left = state.workers[seat]
    if left == 0:
        return
    while left:
        cell = lowest_bit(left)
        left &= left - 1
        level = rules.level_of(state, cell)
        steps = rules.steps_from(state, cell, occupied)
        levels = levels * 3 + min(level, 2)
        out[row, CENTRE] += sign * 0.5 * weights.features[6] * CENTRE_DISTANCE[cell]
        out[row, FREEDOM] += sign * weights.features[7] * popcount(steps) / 8.0
        if level < 3:
            out[row, STEPS_UP] += sign * weights.features[8] * popcount(steps & state.at_least[level + 1]) / 8.0
    out[row, HEIGHT] += sign * weights.features[PAIR[levels // 3, levels % 3]]


def report22_squash(total: float, weights: Report22) -> float:
    """The sum of a logistic model as expected returns."""
    return min(0.95, max(-0.95, math.tanh(0.5 * total)))


TERMS = {
    "climb": Terms(CLIMB_NAMES, climb_terms, climb_squash),
    "report": Terms(REPORT_NAMES, report_terms, report_squash),
    "report22": Terms(CLIMB_NAMES, report22_terms, report22_squash),
}
