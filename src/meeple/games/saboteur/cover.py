"""Saboteur's cover: a tunnel in the dark, and the two roles one may have in it."""

from __future__ import annotations

from meeple.core.picture import EDGE, INK, cover_of, glow
from meeple.core.svg import Markup, joined, tag
from meeple.games.tunnels import CENTRE, CROSS
from meeple.games.tunnels_art import CARD, CARD_EDGE, DIM, LIT, icon, tile, with_symbols

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
SIDE = 128.0
WAY = EAST | WEST | CENTRE
CARDS = (  # column, row, shape and floor of the cards that lie in the mine
    (0, 1, WAY, LIT), (1, 1, SOUTH | WEST | CENTRE, LIT), (1, 2, NORTH | EAST | CENTRE, LIT), (2, 2, WAY, LIT),
    (3, 2, NORTH | WEST | CENTRE, LIT), (3, 1, SOUTH | EAST | CENTRE, LIT), (4, 1, CROSS, LIT),
    (3, 0, EAST | SOUTH, DIM), (1, 0, EAST | WEST, DIM), (4, 2, NORTH | CENTRE, LIT),
)  # fmt: skip


def cover() -> Markup:
    """Cards of the mine behind, a miner's card and a saboteur's before them."""
    cards = [tile(shape, SIDE * column, SIDE * row + 8, SIDE, floor) for column, row, shape, floor in CARDS]
    gold = icon("gold", 4 * SIDE + 30, SIDE + 34, 72)
    roles = [_role("helmet", LIT, INK, 196, 26, -9), _role("dynamite", INK, "#fff", 322, 48, 8)]
    return cover_of(glow("saboteur-dark", "#5a4631", "#1a1512"), with_symbols(*cards, gold, *roles))


def _role(name: str, fill: str, ink: str, x: float, y: float, turn: float) -> Markup:
    """A card with a role on it, lying askew."""
    width, height = 150.0, 214.0
    parts = [
        tag("rect", x=x + 3, y=y + 7, width=width, height=height, rx=18, fill="#000", fill_opacity=".35"),
        tag("rect", x=x, y=y, width=width, height=height, rx=18, fill=CARD, stroke=CARD_EDGE, stroke_width=2),
        tag("circle", cx=x + width / 2, cy=y + height / 2, r=58, fill=fill, stroke=EDGE),
        icon(name, x + width / 2 - 40, y + height / 2 - 42, 80, ink),
    ]
    return tag("g", joined(parts), transform=f"rotate({turn:g} {x + width / 2:g} {y + height / 2:g})")
