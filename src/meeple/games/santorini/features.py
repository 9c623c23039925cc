"""Santorini as numbers for models, as a seat sees the board.

`report8` and `report22` are the NUS report's (section 3.1). For each seat, the asking one first, the first has the
share of its workers on levels 0, 1 and 2 and their mean distance from the centre; the second the pair of their levels
(00, 01, 02, 11, 12, 22; one of them is 1), that distance, and four counts over both workers: neighbour squares that may
be stepped to, and those of them one up, from level 0 to 1, 1 to 2 and 2 to 3, each divided by 16. `fitted22` is what
the evaluation `report22` weighs, another reading of the same list: steps and climbs of each worker. `report325` is the
one-hot board of the report's network (section 3.2), `report-planes` the input of its convolutions (section 3.3).

`cells` is ours: of each cell its level and who stands there, and of each worker its level and how many neighbours of
each kind are around it. The second part was worth more than a wider network.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meeple.core.bits import lowest_bit, popcount
from meeple.core.features import Changes, FeatureSet
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.games.santorini.rules import (
    FIRST_PLACEMENT,
    N_CELLS,
    NEIGHBOURS,
    NO_BUILD,
    OFFSET,
    PAIR_BITS,
    SIDE,
    level_of,
    steps_from,
)

# Straight-line distance from the centre, divided by that of a corner.
CENTRE_DISTANCE = np.array([np.hypot(cell // 5 - 2, cell % 5 - 2) / np.hypot(2, 2) for cell in range(N_CELLS)])
PAIR = np.array([[0, 1, 2], [1, 3, 4], [2, 4, 5]], dtype=np.int64)  # PAIR[level, level]: which of the six
PAIR_NAMES = ("00", "01", "02", "11", "12", "22")


def _named(*whats: str) -> tuple[str, ...]:
    return tuple(f"{whose} {what}" for whose in ("own", "rival") for what in whats)


# --- dense: the report's lists -------------------------------------------------------------------------

N_FEATURES = 22
A_SEAT = 11
NAMES = _named(*PAIR_NAMES, "distance", "steps 1", "climbs 1", "steps 2", "climbs 2")


@kernel
def write_report8(state, seat, out):
    """The eight features with which the report began."""
    for i in range(8):
        out[i] = 0.0
    for side in range(2):
        left = state.workers[seat if side == 0 else 1 - seat]
        while left:
            cell = lowest_bit(left)
            left &= left - 1
            level = level_of(state, cell)
            if level <= 2:
                out[4 * side + level] += 0.5
            out[4 * side + 3] += 0.5 * CENTRE_DISTANCE[cell]
    return 8


@kernel
def write_report22(state, seat, out):
    """The report's 22."""
    for i in range(N_FEATURES):
        out[i] = 0.0
    occupied = state.workers[0] | state.workers[1]
    for side in range(2):
        first = side * A_SEAT
        left = state.workers[seat if side == 0 else 1 - seat]
        levels = 0  # two digits to base 3
        number = 0
        while left:
            cell = lowest_bit(left)
            left &= left - 1
            level = level_of(state, cell)
            steps = steps_from(state, cell, occupied)
            levels = levels * 3 + min(level, 2)
            number += 1
            out[first + 6] += 0.5 * CENTRE_DISTANCE[cell]
            out[first + 7] += popcount(steps) / 16.0
            if level < 3:
                out[first + 8 + level] += popcount(steps & state.at_least[level + 1]) / 16.0
        if number == 2:
            out[first + PAIR[levels // 3, levels % 3]] = 1.0
    return N_FEATURES


@kernel
def write_features(state, seat, out):
    """The 22 that the evaluation `report22` weighs."""
    for i in range(N_FEATURES):
        out[i] = 0.0
    occupied = state.workers[0] | state.workers[1]
    for side in range(2):
        owner = seat if side == 0 else 1 - seat
        first = side * A_SEAT
        left = state.workers[owner]
        levels = 0  # two digits to base 3
        number = 0
        while left:
            cell = lowest_bit(left)
            left &= left - 1
            level = level_of(state, cell)
            steps = steps_from(state, cell, occupied)
            levels = levels * 3 + min(level, 2)
            out[first + 6] += 0.5 * CENTRE_DISTANCE[cell]
            out[first + 7 + 2 * number] = popcount(steps) / 8.0
            higher = steps & state.at_least[level + 1] if level < 3 else 0
            out[first + 8 + 2 * number] = popcount(higher) / 8.0
            number += 1
        if number == 2:
            out[first + PAIR[levels // 3, levels % 3]] = 1.0
    return N_FEATURES


# --- sparse: the board ---------------------------------------------------------------------------------

ONE_HOT = 13  # free at level 0 to 4, or a worker of either seat at level 0 to 3
CODES = 15  # level x (free, own worker, the rival's)
CELLS = N_CELLS * CODES
KINDS = 6  # of a neighbour: free at level 0, 1, 2, 3, a dome, taken
AROUND = 2 * 4 * KINDS * 9  # of a worker: whose, its level, the kind, how many neighbours of it (1 to 8)
NO_COUNTS = (1 << 24) - 1  # six counts that no worker has
MY_TURN = CELLS + 2 * AROUND  # once for a worker, once more for a second one alike
RIVALS_TURN = MY_TURN + 1
N_BOARD = RIVALS_TURN + 1
MOST_BOARD = N_CELLS + 4 * KINDS + 1


@kernel
def write_one_hot(state, seat, out):
    """The report's one-hot board: one feature a cell."""
    mine, theirs = state.workers[seat], state.workers[1 - seat]
    for cell in range(N_CELLS):
        level = level_of(state, cell)
        code = level
        if (mine >> cell) & 1:
            code = 5 + level
        elif (theirs >> cell) & 1:
            code = 9 + level
        out[cell] = cell * ONE_HOT + code
    return N_CELLS


@kernel
def write_board(state, seat, out):
    """The cells, then what is around the workers, then whose turn it is."""
    mine, theirs = state.workers[seat], state.workers[1 - seat]
    one, two, three, four = state.at_least[1], state.at_least[2], state.at_least[3], state.at_least[4]
    for cell in range(N_CELLS):
        level = ((one >> cell) & 1) + ((two >> cell) & 1) + ((three >> cell) & 1) + ((four >> cell) & 1)
        out[cell] = cell * CODES + level * 3 + ((mine >> cell) & 1) + 2 * ((theirs >> cell) & 1)
    n = write_around(mine, theirs, one, two, three, four, out, N_CELLS)
    out[n] = MY_TURN if state.seat == seat else RIVALS_TURN
    return n + 1


@kernel
def write_around(mine, theirs, one, two, three, four, out, n):
    """What is around all workers, from out[n] on."""
    taken = mine | theirs
    n = around(mine, 0, taken, one, two, three, four, out, n)
    return around(theirs, 1, taken, one, two, three, four, out, n)


@kernel
def around(workers, side, taken, one, two, three, four, out, n):
    """What is around a seat's workers: a feature for each kind of neighbour that is there.

    Where the second worker stands as high as the first and has as many of a kind around it, that is a feature of its
    own.
    """
    left = workers
    level_before, counts_before = -1, 0  # of the first worker
    while left:
        cell = lowest_bit(left)
        left &= left - 1
        level = ((one >> cell) & 1) + ((two >> cell) & 1) + ((three >> cell) & 1)
        near = NEIGHBOURS[cell]
        free = near & ~taken
        # Six counts, four bits each, in the order of KINDS.
        counts = popcount(free & ~one) | popcount(free & one & ~two) << 4 | popcount(free & two & ~three) << 8
        counts |= popcount(free & three & ~four) << 12 | popcount(free & four) << 16 | popcount(near & taken) << 20
        before = counts_before if level == level_before else NO_COUNTS
        first = CELLS + (side * 4 + level) * KINDS * 9
        for kind in range(KINDS):
            # No branch: what is not there is written too, and written over by what follows.
            count = (counts >> 4 * kind) & 15
            again = AROUND if count == (before >> 4 * kind) & 15 else 0
            out[n] = first + 9 * kind + count + again
            n += min(count, 1)
        level_before, counts_before = level, counts
    return n


@kernel
def move_stem(action):
    """Moves of one stem take the same worker the same way, and differ by what they build."""
    return action >> 4


@kernel
def step_changes(state, action, seat, out):
    """The cells that a step changes, as `seat`, which does not move, sees them; and what is around the workers then."""
    origin = action >> 7
    to = origin + OFFSET[(action >> 4) & 7]
    one, two, three, four = state.at_least[1], state.at_least[2], state.at_least[3], state.at_least[4]
    left = origin * CODES + 3 * (((one >> origin) & 1) + ((two >> origin) & 1) + ((three >> origin) & 1))
    entered = to * CODES + 3 * (((one >> to) & 1) + ((two >> to) & 1) + ((three >> to) & 1))
    out[0] = -1 - (left + 2)
    out[1] = left
    out[2] = -1 - entered
    out[3] = entered + 2
    mine = state.workers[1 - seat] ^ ((1 << origin) | (1 << to))
    n = write_around(state.workers[seat], mine, one, two, three, four, out, 4)
    out[n] = MY_TURN
    return n + 1


@kernel
def build_changes(state, action, seat, out):
    """What the build after a step changes: the cell, and what is around the workers beside it."""
    build = action & 15
    if action >= FIRST_PLACEMENT or build == NO_BUILD:
        return -1
    origin = action >> 7
    to = origin + OFFSET[(action >> 4) & 7]
    cell = to + OFFSET[build]
    # The rival certainly has a turn if a free neighbour of level 0 or 1 is left to it; else play the move and see.
    theirs = state.workers[seat]
    mine = state.workers[1 - seat] ^ ((1 << origin) | (1 << to))
    if theirs == 0 or state.finite == 1:
        return -1
    near = NEIGHBOURS[lowest_bit(theirs)] | NEIGHBOURS[lowest_bit(theirs & (theirs - 1))]
    if near & ~(mine | theirs | state.at_least[2] | (1 << cell)) == 0:
        return -1
    one, two, three, four = state.at_least[1], state.at_least[2], state.at_least[3], state.at_least[4]
    level = ((one >> cell) & 1) + ((two >> cell) & 1) + ((three >> cell) & 1)
    built = cell * CODES + 3 * level  # a worker that builds where it came from has left a free cell there
    out[0] = built + 3
    out[1] = -1 - built
    # The free cells that are as high as this one before the build, and those that are as high as it after.
    low = ~one if level == 0 else one & ~two if level == 1 else two & ~three if level == 2 else three & ~four
    high = one & ~two if level == 0 else two & ~three if level == 1 else three & ~four if level == 2 else four
    free = ~(mine | theirs)
    n = raised_beside(theirs, 0, cell, level, free & low, free & high, one, two, three, out, 2)
    return raised_beside(mine, 1, cell, level, free & low, free & high, one, two, three, out, n)


@kernel
def raised_beside(workers, side, cell, level, low, high, one, two, three, out, n):
    """What changes around a seat's workers when a free cell of this level is raised.

    `low` are the free cells as high as this one is before, `high` those as high as it is after: a worker beside it has
    one `low` neighbour less and one `high` neighbour more.
    """
    a = lowest_bit(workers)
    b = lowest_bit(workers & (workers - 1))
    near_a, near_b = NEIGHBOURS[a], NEIGHBOURS[b]
    if ((near_a | near_b) >> cell) & 1 == 0:
        return n
    level_a = ((one >> a) & 1) + ((two >> a) & 1) + ((three >> a) & 1)
    level_b = ((one >> b) & 1) + ((two >> b) & 1) + ((three >> b) & 1)
    low_a, low_b = popcount(near_a & low), popcount(near_b & low)
    high_a, high_b = popcount(near_a & high), popcount(near_b & high)
    # A count is compared with that of the other worker only where both stand equally high; less than 0 equals none.
    apart = 0 if level_a == level_b else 16
    if (near_a >> cell) & 1:
        first = CELLS + ((side * 4 + level_a) * KINDS + level) * 9
        n = recounted(first, low_a, low_a - 1, low_b - apart, out, n)
        n = recounted(first + 9, high_a, high_a + 1, high_b - apart, out, n)
        low_a -= 1
        high_a += 1
    if (near_b >> cell) & 1:
        first = CELLS + ((side * 4 + level_b) * KINDS + level) * 9
        n = recounted(first, low_b, low_b - 1, low_a - apart, out, n)
        n = recounted(first + 9, high_b, high_b + 1, high_a - apart, out, n)
    return n


@kernel
def recounted(first, before, now, other, out, n):
    """A worker has another count of neighbours of one kind: a feature goes, another comes; a count of 0 has none."""
    out[n] = -1 - (first + before + (AROUND if before == other else 0))
    n += min(before, 1)
    out[n] = first + now + (AROUND if now == other else 0)
    return n + min(now, 1)


# --- planes --------------------------------------------------------------------------------------------

N_PLANES = 8  # a cell is of level 0, 1, 2, 3, 4; holds the seat's worker, the rival's; and it is the seat's turn


@kernel
def write_report_planes(state, seat, out):
    """The report's two planes: the level, divided by 4; and 1 for the seat's workers, -1 for the rival's."""
    mine, theirs = state.workers[seat], state.workers[1 - seat]
    for cell in range(N_CELLS):
        out[cell] = level_of(state, cell) / 4.0
        out[N_CELLS + cell] = 1.0 * ((mine >> cell) & 1) - 1.0 * ((theirs >> cell) & 1)
    return 2 * N_CELLS


@kernel
def write_planes(state, seat, out):
    """A plane for each level and seat, and one for the turn."""
    for i in range(N_PLANES * N_CELLS):
        out[i] = 0.0
    mine, theirs = state.workers[seat], state.workers[1 - seat]
    for cell in range(N_CELLS):
        out[level_of(state, cell) * N_CELLS + cell] = 1.0
        out[5 * N_CELLS + cell] = 1.0 * ((mine >> cell) & 1)
        out[6 * N_CELLS + cell] = 1.0 * ((theirs >> cell) & 1)
        out[7 * N_CELLS + cell] = 1.0 if state.seat == seat else 0.0
    return N_PLANES * N_CELLS


# --- moves ---------------------------------------------------------------------------------------------

FROM, TO, BUILT, PLACED = 0, N_CELLS, 2 * N_CELLS, 3 * N_CELLS  # a cell each
WINS = 4 * N_CELLS
STEP = WINS + 1  # level before x level after
RAISED = STEP + 16  # the built cell's new level x the worker's own level
GUARDED = RAISED + 5 * 4  # the built cell's new level x how high the highest rival beside it stands, 0: none
N_MOVE = GUARDED + 5 * 5


@kernel
def write_move(state, action, out):
    """Where a move comes from, goes and builds, how high that is, and which rival stands beside the new level."""
    if action >= FIRST_PLACEMENT:
        pair = PAIR_BITS[action - FIRST_PLACEMENT]
        out[0] = PLACED + lowest_bit(pair)
        out[1] = PLACED + lowest_bit(pair & (pair - 1))
        return 2
    origin = action >> 7
    to = origin + OFFSET[(action >> 4) & 7]
    level = level_of(state, to)
    out[0] = FROM + origin
    out[1] = TO + to
    out[2] = STEP + 4 * level_of(state, origin) + level
    if action & 15 == NO_BUILD:
        out[3] = WINS
        return 4
    cell = to + OFFSET[action & 15]
    raised = level_of(state, cell) + 1
    rivals = NEIGHBOURS[cell] & state.workers[1 - state.seat]
    highest = 0
    while rivals:
        highest = max(highest, 1 + level_of(state, lowest_bit(rivals)))
        rivals &= rivals - 1
    out[3] = BUILT + cell
    out[4] = RAISED + 4 * raised + level
    out[5] = GUARDED + 5 * raised + highest
    return 6


# --- symmetries ----------------------------------------------------------------------------------------


def _turned() -> NDArray[np.int64]:
    """[8, cell]: where each cell goes in the eight symmetries of the square."""
    board = np.arange(N_CELLS).reshape(SIDE, SIDE)
    ways = [np.rot90(board if k < 4 else board.T, k % 4) for k in range(8)]
    return np.array([way.ravel() for way in ways], dtype=np.int64)


TURNED = _turned()


def symmetries(size: int, codes: int, *, by_plane: bool = False) -> NDArray[np.int64]:
    """[8, size]: where features go. The first N_CELLS * codes are of a cell, its codes together or plane by plane."""
    rows = np.tile(np.arange(size, dtype=np.int64), (8, 1))
    for row, cells in zip(rows, TURNED, strict=True):
        for cell in range(N_CELLS):
            for code in range(codes):
                if by_plane:
                    row[code * N_CELLS + cell] = code * N_CELLS + cells[cell]
                else:
                    row[cell * codes + code] = cells[cell] * codes + code
    return rows


FEATURES = {
    "cells": FeatureSet(
        "sparse",
        write_board,
        N_BOARD,
        "each cell's level and worker, and what is around each worker",
        most=MOST_BOARD,
        symmetries=symmetries(N_BOARD, CODES),
        changes=Changes(followed=N_CELLS, stem=move_stem, shared=step_changes, own=build_changes),
    ),
    "report8": FeatureSet(
        "dense",
        write_report8,
        8,
        "the report's: workers on levels 0, 1, 2 and their distance from the centre",
        names=_named("level 0", "level 1", "level 2", "distance"),
    ),
    "report22": FeatureSet(
        "dense",
        write_report22,
        N_FEATURES,
        "the report's: pairs of heights, distance, steps, and climbs by level",
        names=_named(*PAIR_NAMES, "distance", "steps", "climbs 0-1", "climbs 1-2", "climbs 2-3"),
    ),
    "fitted22": FeatureSet("dense", write_features, N_FEATURES, "what the evaluation `report22` weighs", names=NAMES),
    "report325": FeatureSet(
        "sparse",
        write_one_hot,
        N_CELLS * ONE_HOT,
        "the report's one-hot board",
        most=N_CELLS,
        symmetries=symmetries(N_CELLS * ONE_HOT, ONE_HOT),
    ),
    "report-planes": FeatureSet(
        "planes",
        write_report_planes,
        2 * N_CELLS,
        "the report's planes: levels and workers",
        shape=(2, SIDE, SIDE),
        symmetries=symmetries(2 * N_CELLS, 2, by_plane=True),
    ),
    "planes": FeatureSet(
        "planes",
        write_planes,
        N_PLANES * N_CELLS,
        "a plane for each level, each seat's workers, and the turn",
        shape=(N_PLANES, SIDE, SIDE),
        symmetries=symmetries(N_PLANES * N_CELLS, N_PLANES, by_plane=True),
    ),
}
ACTION_FEATURES = {
    "steps": FeatureSet("sparse", write_move, N_MOVE, "where a move goes and builds, and how high", most=6),
}
