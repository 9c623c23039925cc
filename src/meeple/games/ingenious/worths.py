"""Ingenious: what points are worth, what a placement adds, and the best placement without playing every one.

A side's value is a sum of a worth of each of its scores. `POINTS_WORTH` counts all points alike; `soft` gives
low scores more weight, a soft minimum. Worths grow ever more slowly, and are whole numbers, so that sums are exact. How
soft the minimum is, a file may say.

`gains[colour, cell]` are the points that a half of a colour makes on an empty cell, `worths[colour, cell]` what those
points are worth to a side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core import multisets
from meeple.core.bits import lowest_bit, popcount
from meeple.core.kernel import kernel
from meeple.core.parameters import Parameters
from meeple.games.ingenious.geometry import AREA, CELL_1, CELL_2, NEXT, SPAN
from meeple.games.ingenious.layout import ASK, DRAW, EMPTY, SWAP, TRACK
from meeple.games.ingenious.rules import allowed
from meeple.games.ingenious.scoring import side_of
from meeple.games.ingenious.tiles import COLOUR_1, COLOUR_2, LOWS, N_COLOURS, SHOWING, first_oriented

MOST_POINTS = 2 * TRACK
ONE = 1 << 20  # worths are whole numbers below 2**30, so that sums are exact
POINTS_WORTH = np.arange(MOST_POINTS + 1, dtype=np.int64) * ONE
POINTS_SCALE = 0.9 / (N_COLOURS * MOST_POINTS * ONE)
SOFT_SCALE = 0.9 / (N_COLOURS * ONE)
HAIR = 1e-9  # what a swap is worth by itself: the report always swaps where it may


class Softness(NamedTuple):
    """What a file may set of the soft minimum."""

    softness: float = 0.75  # each point is worth so much of the one before it


class Worth(NamedTuple):
    """The soft minimum as kernels take it."""

    worth: NDArray[np.int64]  # of a score, by its points


def soft_worth(given: Softness) -> Worth:
    """Work out the worth of every score."""
    return Worth(np.array([-round(given.softness**n * ONE) for n in range(MOST_POINTS + 1)], dtype=np.int64))


SOFT = Parameters(Softness(), within=(0.0, 1.0), make=soft_worth)
USUAL = SOFT.constant  # for what goes by the usual softness, whatever a file says


# --- sums of worths


@kernel
def sum_of_worths(state, side, worth):
    total = np.int64(0)
    for colour in range(N_COLOURS):
        total += worth[state.points[side, colour]]
    return total


@kernel
def lead(state, seat, worth):
    """A side's sum of worths less the best of the other sides'; alone, the sum itself."""
    own = side_of(state, np.int64(seat))
    n_sides = 2 if state.teams == 1 else np.int64(state.seats)
    best = np.int64(-(1 << 60))
    for side in range(n_sides):
        if side != own:
            best = max(best, sum_of_worths(state, np.int64(side), worth))
    mine = sum_of_worths(state, own, worth)
    return mine if n_sides == 1 else mine - best


@kernel
def swap_hair(state, seat):
    """A hair for being about to draw a whole new hand."""
    return HAIR if state.phase == DRAW and state.swaps > 0 and state.seat == seat else 0.0


@kernel
def points_value(state, seat):
    """The lead in points, all colours alike."""
    return lead(state, seat, POINTS_WORTH) * POINTS_SCALE + swap_hair(state, seat)


@kernel
def gain_value(state, seat):
    """The seat's own points, whatever the others have."""
    return sum_of_worths(state, side_of(state, np.int64(seat)), POINTS_WORTH) * POINTS_SCALE + swap_hair(state, seat)


@kernel
def soft_value(state, seat, weights):
    """The lead in a soft minimum: a point in a low colour is worth more, by a quarter for each step."""
    return lead(state, seat, weights.worth) * SOFT_SCALE + swap_hair(state, seat)


# --- the best move by a sum of worths, without playing every move


@kernel
def best_placement(state, seat, worth, kinds):
    """The first of the placements of these kinds after which `seat`, the one to move, has the highest sum of worths.

    -1 where one of them might end the game: sums do not tell who wins.
    """
    if state.phase == ASK:
        return np.int64(SWAP)
    side = side_of(state, np.int64(seat))
    if might_end(state, np.int64(1)):
        return np.int64(-1)
    codes = np.empty((3, SPAN), np.uint32)
    n = list_positions(state, codes, state.turn < state.bound_turns)
    gains = np.zeros((N_COLOURS, NEXT.shape[0]), np.int32)
    worths = np.empty((N_COLOURS, NEXT.shape[0]), np.int32)
    best_way, best_worth = best_oriented(state, side, worth, kinds, codes, n, gains, worths)
    return best_way * SPAN + first_with(state, side, worth, best_way, best_worth, codes, n, gains, worths)


@kernel
def best_oriented(state, side, worth, kinds, codes, n, gains, worths):
    """The first oriented tile with the best placement, and what that is worth; `gains` and `worths` are filled."""
    fill_gains(state, gains)
    fill_worths(state, side, worth, kinds, gains, worths)
    cells_1, cells_2 = codes[1], codes[2]
    best_way = np.int64(-1)
    best_worth = np.int32(-1)
    while kinds:
        kind = lowest_bit(kinds) // 3
        kinds &= kinds - 1
        way = first_oriented(kind)
        for oriented in range(way, way + (1 if kind < 6 else 2)):
            # Two plain loops over one width of number, so that they are compiled to vectors.
            if kind < 6:
                most = np.int32(0)
                on = gains[kind]
                for i in range(n):
                    most = max(most, np.int32(on[cells_1[i]] + on[cells_2[i]]))
                found = np.int32(worth_of(state, side, worth, kind, np.int64(most)))
            else:
                found = np.int32(0)
                on_1, on_2 = worths[COLOUR_1[oriented]], worths[COLOUR_2[oriented]]
                for i in range(n):
                    found = max(found, np.int32(on_1[cells_1[i]] + on_2[cells_2[i]]))
            if found > best_worth:
                best_worth = found
                best_way = np.int64(oriented)
    return best_way, best_worth


@kernel
def list_positions(state, codes, is_first_round):
    """Write the code of every free position, in the first round of those on offer, and its two cells; how many."""
    n = np.int64(0)
    for word in range(state.words):
        left = allowed(state, word) if is_first_round else np.int64(state.open[word])
        while left:
            code = 64 * word + lowest_bit(left)
            left &= left - 1
            codes[0, n] = code
            codes[1, n] = CELL_1[code]
            codes[2, n] = CELL_2[code]
            n += 1
    return n


@kernel
def fill_gains(state, gains):
    """Add to gains[colour, cell] the points that a half of this colour makes on each empty cell."""
    for cell in range(AREA[state.seats]):
        if state.cell[cell] != EMPTY:
            continue
        for direction in range(6):
            along = NEXT[cell, direction]
            colour = np.int64(state.cell[along])
            if colour < EMPTY:
                length = np.int64(1)
                along = NEXT[along, direction]
                while state.cell[along] == colour:
                    length += 1
                    along = NEXT[along, direction]
                gains[colour, cell] += length


@kernel
def fill_worths(state, side, worth, kinds, gains, worths):
    """Write what those points are worth to a side, for the colours that these kinds show."""
    for colour in range(N_COLOURS):
        if kinds & SHOWING[colour]:
            points = np.int64(state.points[side, colour])
            end = track_end(state, points)
            for cell in range(AREA[state.seats]):
                worths[colour, cell] = worth[min(end, points + gains[colour, cell])] - worth[points]


@kernel
def worth_of(state, side, worth, colour, gain):
    """What so many points in a colour are worth to a side."""
    points = np.int64(state.points[side, colour])
    return worth[min(track_end(state, points), points + gain)] - worth[points]


@kernel
def first_with(state, side, worth, oriented, wanted, codes, n, gains, worths):
    """The first position where this oriented tile is worth so much."""
    first, second = COLOUR_1[oriented], COLOUR_2[oriented]
    for i in range(n):
        cell_1, cell_2 = codes[1, i], codes[2, i]
        if first == second:
            gain = np.int64(gains[first, cell_1]) + np.int64(gains[first, cell_2])
            if worth_of(state, side, worth, first, gain) == wanted:
                return np.int64(codes[0, i])
        elif worths[first, cell_1] + worths[second, cell_2] == wanted:
            return np.int64(codes[0, i])
    return np.int64(0)


@kernel
def track_end(state, points):
    """Where a score of so many points stops next."""
    return np.int64(TRACK) if points < TRACK else np.int64(state.goal)


@kernel
def might_end(state, placements):
    """Whether so many more placements, by whomever, might end the game."""
    if count_open(state) <= 11 * placements:  # a tile closes at most eleven positions
        return True
    n_sides = 2 if state.teams == 1 else np.int64(state.seats)
    for side in range(n_sides):
        if n_short(state, np.int64(side)) <= 2 * placements:
            return True
    return False


@kernel
def count_open(state):
    """How many positions are open."""
    free = np.int64(0)
    for word in range(state.words):
        free += popcount(np.int64(state.open[word]))
    return free


@kernel
def n_short(state, side):
    """How many tracks a side has not filled; a tile may fill two."""
    short = np.int64(0)
    for colour in range(N_COLOURS):
        short += np.int64(state.points[side, colour] < state.goal)
    return short


@kernel
def hand_kinds(state, seat):
    return multisets.kinds_in(np.int64(state.hand[seat]), LOWS)


@kernel
def points_best(state, seat):
    return best_placement(state, seat, POINTS_WORTH, hand_kinds(state, seat))


@kernel
def soft_best(state, seat, weights):
    return best_placement(state, seat, weights.worth, hand_kinds(state, seat))
