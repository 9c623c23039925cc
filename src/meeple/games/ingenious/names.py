"""Ingenious: what its colours, tiles and cells are called in text."""

from __future__ import annotations

from functools import cache

from meeple.games.ingenious import geometry
from meeple.games.ingenious.tiles import KINDS

COLOURS = "RGBOYP"
NAMES = ("red", "green", "blue", "orange", "yellow", "purple")
TILE_NAMES = tuple(COLOURS[a] + COLOURS[b] for a, b in KINDS)


@cache
def rows_of(seats: int) -> tuple[tuple[int, ...], ...]:
    """The cells of the board, row by row from the top."""
    radius = geometry.RADIUS[seats]
    rows = range(-radius, radius + 1)
    return tuple(tuple(geometry.CELL_AT[q, r] for q in rows if geometry.ring_of(q, r) <= radius) for r in rows)


def cell_name(cell: int, seats: int) -> str:
    """`D4`: the row and the slanting line."""
    q, r = geometry.CELLS[cell]
    radius = geometry.RADIUS[seats]
    return f"{chr(ord('A') + r + radius)}{q + radius + 1}"


# By players: the name of each cell on that board.
CELL_NAMES = tuple(tuple(cell_name(cell, seats) for cell in range(int(geometry.AREA[seats]))) for seats in range(5))
