"""Santorini: what is worth knowing beyond the rules.

`report` is the evaluation of the NUS report (section 3.1): workers on levels 0, 1, 2 and their mean
distance from the centre, each between 0 and 1, with the hand weights 0, 2, 4, -1 and the same against the
rival. `report22` has the report's longer list of features (features.py); the report trained weights for it and
does not print them, so these are fitted by us. `climb` is ours: what a worker's height is worth depends on where it
can step next. The default is none of these, but a network that learnt from games of its own (models/summit.npz).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.bits import lowest_bit, popcount
from meeple.core.heuristics import Heuristic
from meeple.core.kernel import kernel
from meeple.core.parameters import Parameters
from meeple.games.santorini import rules
from meeple.games.santorini.features import CENTRE_DISTANCE, PAIR

CENTRALITY = np.array([2 - max(abs(cell // 5 - 2), abs(cell % 5 - 2)) for cell in range(rules.N_CELLS)], dtype=np.int64)


class Report(NamedTuple):
    """The report's hand weights."""

    level: NDArray[np.float64] = np.array([0.0, 2.0, 4.0, 4.0, 0.0])  # for the share of a seat's two workers on it
    centre: float = -1.0  # for their mean distance from it
    scale: float = 0.1  # brings the sum, at most 5, into (-1, 1)


@kernel
def report_value(state, seat, weights):
    """The report's eight features with its hand weights, scaled."""
    value = (report_side(state, seat, weights) - report_side(state, 1 - seat, weights)) * weights.scale
    return min(0.6, max(-0.6, value))


@kernel
def report_side(state, seat, weights):
    """One seat's half of the sum."""
    total = 0.0
    left = state.workers[seat]
    while left:
        cell = lowest_bit(left)
        left &= left - 1
        total += 0.5 * (weights.level[rules.level_of(state, cell)] + weights.centre * CENTRE_DISTANCE[cell])
    return total


class Report22(NamedTuple):
    """Logistic regression of the winner on 52,195 positions of 2,500 games, greedy by `climb` with every fifth move at
    random; the same weights for both workers, and with the other sign for the rival.
    """

    features: NDArray[np.float64] = np.array([-0.72, -0.41, 0.21, -0.26, 0.44, 0.74, -0.21, -0.05, 1.15, -0.05, 1.15])
    turn: float = 0.14  # being to move


@kernel
def report22_value(state, seat, weights):
    """The report's 22 features: the expected returns of a logistic model."""
    total = report22_side(state, seat, weights) - report22_side(state, 1 - seat, weights)
    total += weights.turn if state.seat == seat else -weights.turn
    return min(0.95, max(-0.95, math.tanh(0.5 * total)))


@kernel
def report22_side(state, seat, weights):
    """One seat's half of the sum: what `write_features` would write for it, times the weights, without the array."""
    occupied = state.workers[0] | state.workers[1]
    total = 0.0
    levels = 0
    left = state.workers[seat]
    if left == 0:
        return total
    while left:
        cell = lowest_bit(left)
        left &= left - 1
        level = rules.level_of(state, cell)
        steps = rules.steps_from(state, cell, occupied)
        levels = levels * 3 + min(level, 2)
        total += 0.5 * weights.features[6] * CENTRE_DISTANCE[cell] + weights.features[7] * popcount(steps) / 8.0
        if level < 3:
            total += weights.features[8] * popcount(steps & state.at_least[level + 1]) / 8.0
    return total + weights.features[PAIR[levels // 3, levels % 3]]


class Climb(NamedTuple):
    """What a worker's place is worth."""

    level: NDArray[np.int64] = np.array([0, 30, 90, 90, 0])  # standing on a level
    step: NDArray[np.int64] = np.array([0, 4, 22, 60, 0])  # each neighbour of that level it may step up to
    centre: int = 6
    mobility: int = 2
    turn: int = 12  # being to move
    scale: float = 1.0 / 2_000


@kernel
def climb_value(state, seat, weights):
    """Height, what can be climbed from there, freedom and centrality, against the rival's."""
    total = climb_side(state, seat, weights) - climb_side(state, 1 - seat, weights)
    total += weights.turn if state.seat == seat else -weights.turn
    return min(0.9, max(-0.9, total * weights.scale))


@kernel
def climb_side(state, seat, weights):
    """One seat's half of the sum."""
    occupied = state.workers[0] | state.workers[1]
    total = 0
    left = state.workers[seat]
    while left:
        cell = lowest_bit(left)
        left &= left - 1
        level = rules.level_of(state, cell)
        steps = rules.steps_from(state, cell, occupied)
        total += weights.level[level] + weights.centre * CENTRALITY[cell] + weights.mobility * popcount(steps)
        if level < 3:
            higher = steps & state.at_least[level + 1]
            total += weights.step[level + 1] * popcount(higher)
    return total


@kernel
def by_heights(state, action):
    """The report's order: the sum of the squares of the mover's worker heights after the move."""
    if action >= rules.FIRST_PLACEMENT:
        return 0
    origin = action >> 7
    to = origin + rules.OFFSET[(action >> 4) & 7]
    before, after = rules.level_of(state, origin), rules.level_of(state, to)
    return after * after - before * before


@kernel
def by_promise(state, action):
    """Wins, then closing a cell that the rival could win on, then height, then building what can be climbed."""
    if action >= rules.FIRST_PLACEMENT:
        pair = rules.PAIR_BITS[action - rules.FIRST_PLACEMENT]
        return CENTRALITY[lowest_bit(pair)] + CENTRALITY[lowest_bit(pair & (pair - 1))]
    build = action & 15
    if build == rules.NO_BUILD:
        return 1_000
    origin = action >> 7
    to = origin + rules.OFFSET[(action >> 4) & 7]
    cell = to + rules.OFFSET[build]
    level, built = rules.level_of(state, to), rules.level_of(state, cell)
    value = 12 * (level - rules.level_of(state, origin)) + 2 * CENTRALITY[to]
    rivals = state.workers[1 - state.seat]
    near = rules.NEIGHBOURS[cell] & rivals
    if built == rules.DOME - 1:
        # A dome on level 3: a defence where a rival on level 2 stands beside it, else a waste.
        value += 60 if near & state.at_least[2] else -10
    elif built == rules.DOME - 2:
        # A third level that a rival on level 2 can step to loses at once.
        value += -60 if near & state.at_least[2] else 4 * int(level == 2)
    elif built + 1 <= level + 1:
        value += 4
    return value


WITHIN = (-1_000_000, 1_000_000)  # of every weight that a file sets
EVALUATIONS = {
    "climb": Heuristic(
        climb_value,
        "height, what can be climbed next, freedom, centre",
        -0.9,
        0.9,
        parameters=Parameters(Climb(), within=WITHIN),
    ),
    "report": Heuristic(
        report_value,
        "the NUS report's eight features with its hand weights",
        -0.6,
        0.6,
        parameters=Parameters(Report(), within=WITHIN),
    ),
    "report22": Heuristic(
        report22_value,
        "its 22 features, with weights fitted by us",
        -0.95,
        0.95,
        parameters=Parameters(Report22(), within=WITHIN),
    ),
}
DEFAULT_EVALUATION = "model@summit"  # docs/strength.md
ORDERINGS = {
    "promise": Heuristic(by_promise, "wins, defences, height, what can be climbed"),
    "heights": Heuristic(by_heights, "the report's: the sum of squared heights"),
}
