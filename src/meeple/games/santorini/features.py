"""Santorini as numbers for a linear model: the NUS report's 22 features (section 3.1).

For each seat, the asking one first: six for the pair of worker levels (00, 01, 02, 11, 12, 22; one of them is 1),
one for the workers' mean distance from the centre, and for each worker the steps it may take and those of them
that lead up, each divided by 8. The report gives the kinds, not the list; this is our reading of it.
"""

from __future__ import annotations

import numpy as np

from meeple.core.bits import lowest_bit, popcount
from meeple.core.kernel import kernel
from meeple.games.santorini.rules import N_CELLS, level_of, steps_from

N_FEATURES = 22
A_SEAT = 11
# Straight-line distance from the centre, divided by that of a corner.
CENTRE_DISTANCE = np.array([np.hypot(cell // 5 - 2, cell % 5 - 2) / np.hypot(2, 2) for cell in range(N_CELLS)])
PAIR = np.array([[0, 1, 2], [1, 3, 4], [2, 4, 5]], dtype=np.int64)  # PAIR[level, level]: which of the six
NAMES = tuple(
    f"{whose} {what}"
    for whose in ("own", "rival")
    for what in ("00", "01", "02", "11", "12", "22", "distance", "steps 1", "climbs 1", "steps 2", "climbs 2")
)


@kernel
def write_features(state, seat, out):
    """Write the 22 features as `seat` sees them."""
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
