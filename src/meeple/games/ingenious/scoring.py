"""The sides of Ingenious and their tracks: points of a line, and the lowest colours."""

from __future__ import annotations

import numpy as np

from meeple.core.kernel import kernel
from meeple.games.ingenious.geometry import NEXT
from meeple.games.ingenious.layout import TRACK
from meeple.games.ingenious.tiles import N_COLOURS, SHOWING


@kernel
def side_of(state, seat):
    """Whose scores are a seat's: its own, or its team's."""
    return seat & 1 if state.teams == 1 else seat


@kernel
def line_points(state, cell, colour):
    """The points of a half: the cells of its colour in straight lines from its cell."""
    points = 0
    for direction in range(6):
        along = NEXT[cell, direction]
        while state.cell[along] == colour:
            points += 1
            along = NEXT[along, direction]
    return points


@kernel
def add_points(state, side, colour, gain):
    """Move a score up, never past the end of its track; 1 where it gets there, which is worth a bonus, else 0."""
    before = state.points[side, colour]
    end = TRACK if before < TRACK else state.goal
    after = min(end, before + gain)
    state.points[side, colour] = after
    return np.int64(before < end and after == end)


@kernel
def has_all(state, side):
    """Whether a side has filled every track."""
    for colour in range(N_COLOURS):
        if state.points[side, colour] < state.goal:
            return False
    return True


@kernel
def lowest_kinds(state, side):
    """All the bits of the kinds that show one of a side's lowest colours. RULING 2: of equally low ones, all."""
    lowest = 99
    kinds = 0
    for colour in range(N_COLOURS):
        points = state.points[side, colour]
        if points < lowest:
            lowest = points
            kinds = 0
        if points == lowest:
            kinds |= SHOWING[colour]
    return kinds


@kernel
def sorted_points(state, side):
    """A side's scores from low to high as the digits of one number, so that the better side has the larger."""
    # The six scores as counts of each score, added from the top: no sorting, no scratch.
    key = 0
    used = 0
    for _ in range(N_COLOURS):
        lowest = 99
        place = 0
        for colour in range(N_COLOURS):
            points = state.points[side, colour]
            if (used >> colour) & 1 == 0 and points < lowest:
                lowest = points
                place = colour
        used |= 1 << place
        key = key * 64 + lowest
    return key
