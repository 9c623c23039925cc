"""Ingenious: what is worth knowing beyond the rules.

Evaluations are sums of a worth of each score, the seat's less the best of the others' (worths.py): `points` counts
them all alike, `soft` gives low scores more weight, a soft minimum; `gain` leaves the others out; `sorted` is ours and
weighs the scores by their places from the lowest up. The report of 2018 names no value for the leaves of its
expectimax, so that `gain`, `points` and `soft` bracket it.

The report's rules for choosing a tile (2.1.2) are the filter `lowest`; its point maximisation, its greedy player and
its `random` are policies (report.py).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core import multisets
from meeple.core.heuristics import Heuristic
from meeple.core.kernel import kernel
from meeple.core.parameters import Parameters
from meeple.core.scored import keep_most
from meeple.games.ingenious.geometry import CELL_1, CELL_2, N_POSITIONS, NEXT, SPAN
from meeple.games.ingenious.layout import ASK, KEEP, SWAP, TRACK
from meeple.games.ingenious.replies import (
    gain_replies,
    gain_replies_lowest,
    points_bound,
    points_replies,
    points_replies_lowest,
    soft_bound,
    soft_replies,
    soft_replies_lowest,
)
from meeple.games.ingenious.report import (
    greedy_policy,
    keep_lowest,
    maximise_points,
    most_points,
    points_best_lowest,
    report_random,
    soft_best_lowest,
)
from meeple.games.ingenious.rules import suppose_weights, to_move
from meeple.games.ingenious.scoring import line_points, side_of, sorted_points
from meeple.games.ingenious.tiles import COLOUR_1, COLOUR_2, FIELDS, N_COLOURS, N_KINDS, size_of
from meeple.games.ingenious.worths import (
    ONE,
    SOFT,
    USUAL,
    best_placement,
    count_open,
    fill_gains,
    fill_worths,
    gain_value,
    hand_kinds,
    points_best,
    points_value,
    soft_best,
    soft_value,
    swap_hair,
    worth_of,
)

N_OPEN = np.array(N_POSITIONS, dtype=np.int64)
SORTED_SHARES = np.array([0.0, 0.15, 0.35, 0.6, 1.0])  # of the board's positions that are still open


class Sorted(NamedTuple):
    """Weights of the scores from the lowest up, a row for each of SORTED_SHARES.

    Logistic regression of the winner on 233,834 positions of 6,000 games, the best placement by `soft` with every
    seventh move at random.
    """

    ranks: NDArray[np.float64] = np.array(
        [
            [20.0, 7.0, 1.8, 0.4, 0.3, 0.3],
            [9.1, 5.4, 3.7, 2.9, 1.2, 0.3],
            [4.1, 4.0, 3.6, 2.5, 2.6, 1.0],
            [2.3, 2.1, 2.6, 2.2, 2.2, 1.5],
            [0.3, 0.4, 1.0, 1.3, 1.4, 1.2],
        ]
    )
    turn: NDArray[np.float64] = np.array([0.35, 0.46, 0.33, 0.19, 0.06])  # being to move


@kernel
def sorted_value(state, seat, weights):
    """The scores in the order of their height: the fuller the board, the more the lowest of them decide."""
    own = side_of(state, seat)
    n_sides = 2 if state.teams == 1 else state.seats
    at = open_share(state)
    mine = sorted_sum(state, own, at, weights)
    if n_sides == 1:
        return min(0.95, max(-0.95, mine / 30.0 - 0.9))
    best = -np.inf  # below any value, whatever the weights
    for side in range(n_sides):
        if side != own:
            best = max(best, sorted_sum(state, side, at, weights))
    place = np.int64(at)
    turn = weights.turn[place] + (at - place) * (weights.turn[place + 1] - weights.turn[place])
    is_next = (to_move(state) >= 0) == (side_of(state, state.seat) == own)
    total = mine - best + (turn if is_next else -turn)
    return min(0.95, max(-0.95, math.tanh(0.5 * total))) + swap_hair(state, seat)


@kernel
def all_colours(state, seat):
    """The points of the seat's side in all colours."""
    digits, total = sorted_points(state, side_of(state, seat)), np.int64(0)
    for rank in range(N_COLOURS):
        total += (digits >> (6 * rank)) & 63
    return total


@kernel
def open_share(state):
    """The share of open positions, as a place between SORTED_SHARES: 1.5 is half way from the second to the third."""
    free = count_open(state)
    share = free / N_OPEN[state.seats]
    place = 0
    while place < 3 and share >= SORTED_SHARES[place + 1]:
        place += 1
    within = (share - SORTED_SHARES[place]) / (SORTED_SHARES[place + 1] - SORTED_SHARES[place])
    return min(3.999, place + within)


@kernel
def sorted_sum(state, side, at, weights):
    """A side's scores from the lowest up, each times its weight at this place between the knots."""
    place = np.int64(at)
    within = at - place
    digits = sorted_points(state, side)
    total = 0.0
    for rank in range(N_COLOURS):
        points = (digits >> (6 * (N_COLOURS - 1 - rank))) & 63
        low, high = weights.ranks[place, rank], weights.ranks[place + 1, rank]
        total += points * (low + within * (high - low))
    return total / TRACK


N_PROMISING = 16


@kernel
def keep_promising(state, actions, n):
    """The placements that add most by `soft`, so many at least as there are."""
    if n <= N_PROMISING or actions[0] >= KEEP:
        return n
    side = side_of(state, state.seat)
    gains = np.zeros((N_COLOURS, NEXT.shape[0]), np.int32)
    worths = np.empty((N_COLOURS, NEXT.shape[0]), np.int32)
    fill_gains(state, gains)
    fill_worths(state, side, USUAL[0].worth, hand_kinds(state, state.seat), gains, worths)
    added = np.empty(n, np.float64)
    for i in range(n):
        added[i] = placement_worth(state, side, actions[i], gains, worths)
    return keep_most(actions, added, N_PROMISING)


@kernel
def placement_worth(state, side, action, gains, worths):
    """What a placement adds by `soft`; `gains` and `worths` are those of the board and the side."""
    oriented = action // SPAN
    code = action - oriented * SPAN
    first, second = COLOUR_1[oriented], COLOUR_2[oriented]
    if first == second:
        gain = np.int64(gains[first, CELL_1[code]]) + np.int64(gains[first, CELL_2[code]])
        return worth_of(state, side, USUAL[0].worth, first, gain)
    return np.int64(worths[first, CELL_1[code]]) + np.int64(worths[second, CELL_2[code]])


@kernel
def soft_bias(state, action, weights):
    """What a placement adds by `soft`, 0 to 2; nothing for an answer to the offer of a swap but that a swap is good."""
    if action >= KEEP:
        return 1.0 if action == SWAP else 0.0
    side = side_of(state, state.seat)
    oriented = action // SPAN
    code = action - oriented * SPAN
    first, second = COLOUR_1[oriented], COLOUR_2[oriented]
    gain_1, gain_2 = line_points(state, CELL_1[code], first), line_points(state, CELL_2[code], second)
    if first == second:
        return worth_of(state, side, weights.worth, first, gain_1 + gain_2) / ONE
    added = worth_of(state, side, weights.worth, first, gain_1) + worth_of(state, side, weights.worth, second, gain_2)
    return added / ONE


@kernel
def soft_policy(state, rng, out, weights):
    """The best placement by `soft`; a hand that may be swapped is swapped."""
    if state.phase == ASK:
        return SWAP
    best = best_placement(state, state.seat, weights.worth, hand_kinds(state, state.seat))
    return best if best >= 0 else most_points(state, hand_kinds(state, state.seat), rng)


# --- beliefs

WHOLE = 1 << 24  # a chance of one


@kernel
def holds_weights(state, seat, out):
    """The chance that a hand of as many tiles as the seat holds has at least one of each kind, exactly."""
    unseen = state.bag + state.hand[seat] - state.shown
    total = size_of(unseen)
    held = max(1, state.held[seat])
    for kind in range(N_KINDS):
        count = multisets.held(unseen, kind, FIELDS)
        none = 1.0
        for drawn in range(held):
            none *= max(0.0, (total - count - drawn) / (total - drawn))
        out[kind] = np.int64((1.0 - none) * WHOLE + 0.5) if count > 0 else 0


EVALUATIONS = {
    "soft": Heuristic(
        soft_value,
        "the lead in a soft minimum over the colours",
        -1.0,
        1.0,
        soft_bound,
        {"none": soft_best, "lowest": soft_best_lowest},
        {"none": soft_replies, "lowest": soft_replies_lowest},
        parameters=SOFT,
    ),
    "points": Heuristic(
        points_value,
        "the lead in points, all colours alike",
        -1.0,
        1.0,
        points_bound,
        {"none": points_best, "lowest": points_best_lowest},
        {"none": points_replies, "lowest": points_replies_lowest},
    ),
    "gain": Heuristic(
        gain_value,
        "the seat's own points alone",
        0.0,
        1.0,
        None,
        {"none": points_best, "lowest": points_best_lowest},
        {"none": gain_replies, "lowest": gain_replies_lowest},
    ),
    "sorted": Heuristic(
        sorted_value,
        "ours: the scores by their order, weighed by the room that is left",
        -0.96,
        0.96,
        parameters=Parameters(Sorted(), within=(-1_000, 1_000)),
    ),
}
BIASES = {"soft": Heuristic(soft_bias, "what a placement adds by the soft minimum", 0.0, 2.0, parameters=SOFT)}
FILTERS = {
    "lowest": Heuristic(keep_lowest, "the report's tiles (2.1.2): doubles of a lowest colour, else any that show one"),
    "promising": Heuristic(keep_promising, "the 16 placements that add most by the soft minimum"),
}
BELIEFS = {
    "draw": Heuristic(suppose_weights, "the report's: the chance that one unseen tile is of the kind"),
    "holds": Heuristic(holds_weights, "the chance that the whole hand has one of the kind"),
}
PLAYOUTS = {
    "greedy": Heuristic(greedy_policy, "the report's greedy (2.3): lowest colours first, then most points"),
    "soft": Heuristic(soft_policy, "the best placement by the soft minimum", parameters=SOFT),
    "points": Heuristic(maximise_points, "the report's point maximisation (2.1.1)"),
    "report-random": Heuristic(report_random, "the report's random (2.2): any tile, at the first place where it fits"),
}
METRICS = {"colours": Heuristic(all_colours, "points of all colours")}
