"""Ingenious: whether the coloured cells of a board can be parted into the tiles that have been played.

A state keeps colours, not which two cells are one tile, so a position that is typed in may show a board that no
tiles can make. The search goes through the cells row by row: the first cell that is not covered yet is half of a tile
with its neighbour to the right, below left or below right.
"""

from __future__ import annotations

import numpy as np

from meeple.core.kernel import kernel
from meeple.games.ingenious.geometry import AREA, CELLS, N_CELLS, NEXT, SYMBOL_CELL
from meeple.games.ingenious.tiles import KINDS, N_COLOURS

LATER = (0, 4, 5)  # directions to neighbours that come later, row by row
BY_ROWS = np.array(sorted(range(N_CELLS), key=lambda cell: (CELLS[cell][1], CELLS[cell][0])), dtype=np.int64)
KIND_WITH = np.zeros((N_COLOURS, N_COLOURS), dtype=np.int64)  # the kind of tile that shows two colours
for _kind, (_a, _b) in enumerate(KINDS):
    KIND_WITH[_a, _b] = KIND_WITH[_b, _a] = _kind
FOUND, IMPOSSIBLE, UNDECIDED = 1, 0, -1


@kernel
def find_tiling(state, placed, most_steps):
    """FOUND where the tiles counted by kind in `placed` can cover the coloured cells, IMPOSSIBLE where they cannot.

    UNDECIDED after so many steps. `placed` is used up and given back.
    """
    is_bare = np.zeros(N_CELLS + 1, np.int64)  # coloured, and not covered yet
    for cell in range(AREA[state.seats]):
        is_bare[cell] = np.int64(state.cell[cell] < N_COLOURS)
    for symbol in SYMBOL_CELL:
        is_bare[symbol] = 0
    places = np.zeros(N_CELLS, np.int64)  # of the tiles laid so far, where in BY_ROWS
    ways = np.zeros(N_CELLS, np.int64)  # and in which direction
    laid = 0
    at = 0
    way = 0
    for _ in range(most_steps):
        while at < N_CELLS and is_bare[BY_ROWS[at]] == 0:
            at += 1
        if at == N_CELLS:
            return FOUND
        cell = BY_ROWS[at]
        while way < 3:
            other = NEXT[cell, LATER[way]]
            if is_bare[other] == 1 and placed[KIND_WITH[state.cell[cell], state.cell[other]]] > 0:
                break
            way += 1
        if way < 3:
            is_bare[cell] = 0
            is_bare[other] = 0
            placed[KIND_WITH[state.cell[cell], state.cell[other]]] -= 1
            places[laid] = at
            ways[laid] = way
            laid += 1
            way = 0
            continue
        if laid == 0:
            return IMPOSSIBLE
        # Take the last tile up again, and try its next way.
        laid -= 1
        at = places[laid]
        cell = BY_ROWS[at]
        other = NEXT[cell, LATER[ways[laid]]]
        is_bare[cell] = 1
        is_bare[other] = 1
        placed[KIND_WITH[state.cell[cell], state.cell[other]]] += 1
        way = ways[laid] + 1
    return UNDECIDED
