"""Azul's cover: a wall of tiles, and a display with the next four."""

from __future__ import annotations

from meeple.core.picture import cover_of, glow
from meeple.core.svg import Markup, tag
from meeple.games.azul.notation import NAMES
from meeple.games.azul.ornaments import ornaments, tile

SIDE = 92.0
LAID = "#.###..#/##.#.##./.####.#./#.##.###/###..#.#"  # the wall: where a tile lies, row by row


def cover() -> Markup:
    """The wall askew, its free places pale; the plate in front."""
    cells = []
    for row, line in enumerate(LAID.split("/")):
        for column, sign in enumerate(line):
            name = NAMES[(column - row) % 5]
            place = (column * (SIDE + 6), row * (SIDE + 6), SIDE)
            cells.append(tile(name, *place, opacity=None if sign == "#" else ".2"))
    wall = tag("g", *cells, transform="translate(-36 -58) rotate(-6 320 200)")
    x, y, radius = 500.0, 258.0, 132.0
    plate = [
        tag("circle", cx=x + 3, cy=y + 7, r=radius, fill="#000", fill_opacity=".3"),
        tag("circle", cx=x, cy=y, r=radius, fill="#fbf8f1", stroke="#b79a68", stroke_width=8),
        tag("circle", cx=x, cy=y, r=radius - 13, fill="none", stroke="#dcc79c", stroke_width=2),
    ]
    names = ("red", "red", "blue", "yellow")
    tiles = [tile(name, x - 77 + 79 * (i % 2), y - 77 + 79 * (i // 2), 75) for i, name in enumerate(names)]
    return cover_of(glow("azul-ground", "#f7efe0", "#d9c7a6"), ornaments(), wall, *plate, *tiles)
