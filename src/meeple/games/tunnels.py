"""The forty tunnel cards that both games of Saboteur share: sides, centres, numbers and pictures.

A shape is its open sides as bits (N 1, E 2, S 4, W 8) and CENTRE where a tunnel passes through the middle. A
card lies upright or turned by 180 degrees, never sideways; one that looks the same turned has one position.
"""

from __future__ import annotations

from collections.abc import Sequence

from meeple.core.numbers import whole_number
from meeple.core.paint import Paint

N, E, S, W = range(4)  # side d is bit d of a shape; the side across is (d + 2) % 4
CENTRE = 16
CROSS = 15 | CENTRE
N_TUNNELS = 16

# Card: open sides, `-` where the centre is blocked; and how many there are.
SIDES = ("NS", "NS-", "NES-", "NE-", "E", "ES", "NSW", "NE", "NESW", "ESW", "EW", "ESW-", "N", "NESW-", "NW-", "EW-")
COPIES = (4, 1, 1, 1, 1, 4, 5, 5, 5, 5, 3, 1, 1, 1, 1, 1)


def _shape(text: str) -> int:
    return sum(1 << "NESW".index(side) for side in text.strip("-")) | (0 if text.endswith("-") else CENTRE)


def turned(shape: int) -> int:
    """The shape after a turn by 180 degrees."""
    sides = shape & 15
    return (shape & CENTRE) | (sides << 2 | sides >> 2) & 15


WALL, OPEN = 1, 2  # what a neighbour asks of a shared side; 0 where there is none


def demands(code: int) -> list[int]:
    """What the four neighbours of an empty cell ask of it, from its code in base 3."""
    return [code // 3**side % 3 for side in range(4)]


def fitting_slots(code: int, shapes: Sequence[int]) -> int:
    """The shapes that may lie in a cell with these demands, as bits; none where no open side faces it."""
    asks = demands(code)
    if OPEN not in asks:
        return 0
    fitting = 0
    for slot, shape in enumerate(shapes):
        if shape >= 0 and all(ask == 0 or (shape >> side & 1) == ask - WALL for side, ask in enumerate(asks)):
            fitting |= 1 << slot
    return fitting


UPRIGHT = tuple(_shape(text) for text in SIDES)
# (card, is_turned) of every shape that a card can have; no two cards share one.
CARD_OF = {shape: (card, False) for card, shape in enumerate(UPRIGHT)}
CARD_OF |= {turned(shape): (card, True) for card, shape in enumerate(UPRIGHT) if turned(shape) != shape}

# The middle of a picture by N, E, S, W bits, where the centre is open.
_OPEN = " ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
# Where it is blocked only the stumps towards N and S are drawn in the middle.
_BLOCKED = {0: " ", 1: "╹", 4: "╻", 5: "╏"}


def picture(shape: int) -> str:
    """A card as three characters: `━╋━` a crossing, ` ┗━` a bend, `╸ ╺` two ends that do not meet."""
    is_open = bool(shape & CENTRE)
    left = ("━" if is_open else "╸") if shape >> W & 1 else " "
    right = ("━" if is_open else "╺") if shape >> E & 1 else " "
    return left + (_OPEN[shape & 15] if is_open else _BLOCKED[shape & 5]) + right


def card_text(shape: int) -> str:
    """The card and its turn: `7`, `7f`."""
    card, is_turned = CARD_OF[shape]
    return f"{card}{'f' if is_turned else ''}"


def shape_named(text: str) -> int | None:
    """The shape of `7` or `7f`; None where there is no such card or turn."""
    card = whole_number(text.removesuffix("f"), 0, N_TUNNELS - 1)
    if card is None:
        return None
    shape = UPRIGHT[card]
    if not text.endswith("f"):
        return shape
    return turned(shape) if turned(shape) != shape else None


def paint_tunnel(shape: int, is_joined: bool, paint: Paint) -> str:
    """The picture in colour: what is joined to the start stands out."""
    return paint(picture(shape), "bold yellow" if is_joined else "grey")
