"""Ingenious's cover: symbols that run on in lines."""

from __future__ import annotations

from math import sqrt

from meeple.core.picture import cover_of, glow
from meeple.core.svg import Markup, joined, points, regular, tag
from meeple.games.ingenious.notation import NAMES
from meeple.games.ingenious.symbols import STONE, STONE_EDGE, symbol, symbols

SIDE = 58.0
# The cells of five rows, every second one half a cell further right: a colour's first letter, or a dot where free.
ROWS = ("o.rg..b.", ".yro.bg.", "yyorb.p.", ".pyrbbg.", "gppoy.rb")
LETTERS = "".join(name[0] for name in NAMES)


def cover() -> Markup:
    """Hexagons with halves of tiles."""
    cells = [_cell(column, row) for row in range(len(ROWS)) for column in range(len(ROWS[row]))]
    return cover_of(glow("ingenious-night", "#3b4358", "#171a20"), symbols(), *cells)


def _spot(column: int, row: int) -> tuple[float, float]:
    return -20 + SIDE * sqrt(3) * (column + row % 2 / 2), 24 + SIDE * 1.5 * row


def _cell(column: int, row: int) -> Markup:
    x, y = _spot(column, row)
    letter = ROWS[row][column]
    ground = tag("polygon", points=points(regular(6, x, y, SIDE * 0.97, 0.25)), fill="#ece8df", stroke="#7b8190")
    if letter == ".":
        return ground
    edge = {"fill": STONE, "stroke": STONE_EDGE, "stroke_linejoin": "round", "stroke_width": 3}
    stone = tag("polygon", points=points(regular(6, x, y, SIDE * 0.86, 0.25)), **edge)
    return joined([ground, stone, symbol(LETTERS.index(letter), x, y, SIDE * 1.2)])
