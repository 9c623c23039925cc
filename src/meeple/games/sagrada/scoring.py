"""What a seat of Sagrada scores, and who is ahead."""

from __future__ import annotations

import numpy as np

from meeple.core.bits import popcount
from meeple.core.kernel import kernel
from meeple.games.sagrada import board
from meeple.games.sagrada.layout import EMPTY, NONE, OVER, PIP, TOKEN


@kernel
def score(state, seat):
    """Points as far as they lie open: those of the private objective only at the end."""
    empty = board.N_CELLS - popcount(state.occ[seat])
    points = public_points(state, seat) - state.worth[EMPTY] * empty
    if state.seats == 1:
        return points + private_points(state, seat)
    points += state.worth[TOKEN] * state.tokens[seat]
    return points + private_points(state, seat) if state.phase == OVER else points


@kernel
def public_points(state, seat):
    """The points of all public objectives."""
    points = 0
    for place in range(state.n_goals):
        goal = state.goals[place]
        if goal != NONE:
            points += state.worth[goal] * times_paid(state, seat, goal)
    return points


@kernel
def times_paid(state, seat, goal):
    """How often an objective pays.

    With the thesis program's faults the sets always pay their most, and rows no more from the first on that has an
    unfillable cell.
    """
    if state.has_faults != 0 and goal == board.SHADES:
        return board.MOST_SHADE_SETS
    if state.has_faults != 0 and goal == board.COLOUR_SETS:
        return board.MOST_COLOUR_SETS
    if state.has_faults != 0 and goal in (board.ROW_COLOURS, board.ROW_SHADES):
        killed = board.killed_lines(state, board.ROWS, board.unfillable(state, seat))
        return popcount(board.varied_lines(state, seat, goal) & ~killed)
    return board.times_scored(state, seat, goal)


@kernel
def private_points(state, seat):
    """The points of the private objective; in the solo game of the better of two."""
    points = 0
    if state.private[seat] != NONE:
        points = board.colour_points(state, seat, state.private[seat])
    if state.seats == 1 and state.private[1] != NONE:
        points = max(points, board.colour_points(state, seat, state.private[1]))
    return state.worth[PIP] * points


@kernel
def is_ahead(state, one, other):
    """Whether seat `one` is placed before seat `other`."""
    lead = score(state, one) - score(state, other)
    if lead == 0 and state.phase == OVER:
        lead = private_points(state, one) - private_points(state, other)
    if state.is_thesis != 0:
        return lead > 0 or (lead == 0 and one < other)
    if lead == 0:
        lead = state.tokens[one] - state.tokens[other]
    if lead == 0:
        seats, start = state.seats, state.start
        lead = (one - start) % seats - (other - start) % seats
    return lead > 0


@kernel
def target(state):
    """What a solo game has to beat: the values of all dice on the track."""
    total = 0
    for die in range(board.N_DICE):
        total += state.track[die] * (die % board.N_VALUES + 1)
    return total


@kernel
def margin_reward(state, seat, share):
    """A victory counts a fifth, and a fifth more for each 5 points of lead over the best other seat, up to 20.

    The thesis's reward (section 7.4), brought to 0..1.
    """
    lead = 2**31
    for other in range(state.seats):
        if other != seat:
            lead = min(lead, score(state, seat) - score(state, other))
    steps = min(4, max(0, lead // 5))
    return share * ((1.0 + steps) / 5.0)


@kernel
def placed_dice(state, seat):
    """Dice in the seat's window."""
    return popcount(np.int64(state.occ[seat]))


@kernel
def favor_tokens(state, seat):
    """Favor tokens that the seat has left."""
    return np.int64(state.tokens[seat])
