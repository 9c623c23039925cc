"""The duel's cover: two ways from one start, and three goals of which one is gold."""

from __future__ import annotations

from meeple.core.picture import GLOW, PAPER, RIM, cover_of, glow, seat_mark, text
from meeple.core.svg import Markup, tag
from meeple.games.tunnels import CENTRE, CROSS
from meeple.games.tunnels_art import LIT, blank_back, icon, tile, with_symbols

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
SIDE = 112.0
CARDS = (  # column, row and shape
    (0, 1, CROSS), (0, 0, SOUTH | EAST | CENTRE), (1, 0, EAST | WEST | CENTRE), (2, 0, EAST | SOUTH | WEST | CENTRE),
    (0, 2, NORTH | EAST | CENTRE), (1, 2, EAST | WEST | CENTRE), (2, 2, NORTH | WEST | EAST | CENTRE),
    (3, 2, NORTH | WEST | CENTRE), (2, 1, NORTH | EAST | CENTRE), (1, 1, WEST | CENTRE),
)  # fmt: skip


def cover() -> Markup:
    """The tunnels left, the goals right, the middle one seen."""
    cards = [tile(shape, 34 + SIDE * column, 32 + SIDE * row, SIDE, LIT) for column, row, shape in CARDS]
    ladder = tag("path", d="M76 160V252M104 160V252M76 174H104M76 194H104M76 214H104M76 234H104", stroke="#6b3d16",
                 stroke_width=8, stroke_linecap="round", fill="none")  # fmt: skip
    goals = [_goal(496, 32 + SIDE * row + 4, is_seen=row == 1) for row in range(3)]
    x, y = 34 + 3 * SIDE + 5, 32 + SIDE + 5  # where the next card decides
    frame = {"x": x, "y": y, "width": SIDE - 10, "height": SIDE - 10, "rx": 14, "fill": "none"}
    free = [
        tag("rect", **frame, stroke=RIM, stroke_width=9, stroke_dasharray="16 11"),
        tag("rect", **frame, stroke=GLOW, stroke_width=5, stroke_dasharray="16 11"),
    ]
    marks = [seat_mark(0, 34 + 1.5 * SIDE, 32 + 0.5 * SIDE, 20), seat_mark(1, 34 + 1.5 * SIDE, 32 + 2.5 * SIDE, 20)]
    return cover_of(glow("duel-ground", "#efe0bd", "#a98a58"), with_symbols(*cards, ladder, *goals), *free, *marks)


def _goal(x: float, y: float, *, is_seen: bool) -> Markup:
    """A goal face down; of one that was looked at, the gold shows."""
    size = SIDE - 8
    middle = (x + size / 2, y + size / 2)
    if is_seen:
        disc = tag("circle", cx=middle[0], cy=middle[1], r=40, fill=PAPER)
        sign = [disc, icon("gold", middle[0] - 31, middle[1] - 31, 62)]
    else:
        sign = [text(middle[0], middle[1] + 21, "?", size=60, text_anchor="middle", font_weight=700, fill=PAPER)]
    return tag("g", blank_back(x, y, size, size), *sign)
