"""Sagrada's pieces drawn: dice, beads, and the arched window whose cells hold them.

Large dice have pips and a letter; in small windows a die is its letter and digit, a print its letter or digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import hypot
from typing import NamedTuple

from meeple.core import picture
from meeple.core.svg import Markup, Point, joined, points, tag
from meeple.games.sagrada.board import N_VALUES
from meeple.games.sagrada.cards import COLOURS

GLASS = (picture.RED, picture.GREEN, picture.BLUE, picture.YELLOW, picture.PURPLE)
PALE = "#cbc6d4"  # a die whose colour does not matter
SMALLEST_PIPS = 40  # cells and dice from this side on show pips
KEPT = 4096  # drawings: the same come again in picture after picture
SPOTS = {
    1: ((50, 50),),
    2: ((73, 27), (27, 73)),
    3: ((73, 27), (50, 50), (27, 73)),
    4: ((25, 27), (75, 27), (25, 73), (75, 73)),
    5: ((25, 27), (75, 27), (50, 50), (25, 73), (75, 73)),
    6: ((25, 25), (75, 25), (25, 50), (75, 50), (25, 75), (75, 75)),
}


class Tones(NamedTuple):
    """The colours of everything that is not glass."""

    ground: str
    card: str
    line: str
    ink: str
    faint: str  # words that matter less
    lead: str  # between the panes
    stone: str  # round the window
    blank: str  # a cell that takes any die
    shade: str  # a cell with a printed value


NIGHT = Tones("#1b1924", "#2b2836", "#4b465c", "#f4f1fa", "#bab4c8", "#0c0b11", "#625a73", "#bbb7c6", "#65636f")
DAY = Tones("#ebe4d8", "#fcf9f3", "#cdc2b0", picture.INK, "#655e53", "#2b2833", "#7d7160", "#f2efe9", "#6d6b76")


class Frame(NamedTuple):
    """Where the cells of a window lie."""

    x: float
    y: float
    side: float
    gap: float

    @property
    def width(self) -> float:
        """Of the five columns."""
        return 5 * self.side + 4 * self.gap

    @property
    def height(self) -> float:
        """Of the four rows."""
        return 4 * self.side + 3 * self.gap

    def corner(self, cell: int) -> Point:
        """The top left of a cell."""
        row, column = divmod(cell, 5)
        return self.x + column * (self.side + self.gap), self.y + row * (self.side + self.gap)


@lru_cache(maxsize=KEPT)
def definitions() -> Markup:
    """The body of a die and its faces, 100 units wide; their colour comes from where they are used."""
    body = tag(
        "g",
        tag("rect", x=0, y=4, width=100, height=100, rx=15, fill="#000", fill_opacity=".3"),
        tag("rect", width=100, height=100, rx=15, stroke=picture.EDGE, stroke_width=2),
        tag("rect", x=9, y=3.5, width=82, height=6, rx=3, fill="#fff", fill_opacity=".4"),
        id="sagrada-die",
    )
    faces = [
        tag("g", *(tag("circle", cx=x, cy=y, r=8.8) for x, y in spots), id=f"sagrada-pips-{value}")
        for value, spots in SPOTS.items()
    ]
    sheen = tag("path", d="M9 9h42l-42 42z", fill="#fff", fill_opacity=".1", id="sagrada-sheen")
    return tag("defs", body, sheen, *faces)


def ink_on(colour: int) -> str:
    """What is written on glass of this colour."""
    return picture.INK if COLOURS[colour] == "Y" else "#fff"


def use(name: str, x: float, y: float, size: float, fill: str, **attributes: object) -> Markup:
    """One of the definitions, in its place."""
    place = f"translate({x:.1f} {y:.1f}) scale({size / 100:.3f})"
    return tag("use", href=f"#sagrada-{name}", transform=place, fill=fill, **attributes)


@lru_cache(maxsize=KEPT)
def draw_die(kind: int, x: float, y: float, size: float) -> Markup:
    """A die: pips and its letter, or letter and digit where it is small."""
    colour, value = kind // N_VALUES, kind % N_VALUES + 1
    ink = ink_on(colour)
    parts = [use("die", x, y, size, GLASS[colour])]
    if size < SMALLEST_PIPS:
        letter = max(14.0, size * 0.46)
        word = f"{COLOURS[colour]}{value}"
        parts.append(centred(x + size / 2, y + size / 2 + letter * 0.36, word, letter, ink))
    else:
        parts.append(use(f"pips-{value}", x, y, size, ink))
        letter = max(14.0, size * 0.24)
        parts.append(centred(x + size / 2, y + size * 0.11 + letter * 0.74, COLOURS[colour], letter, ink))
    return joined(parts)


def small_die(kind: int) -> Markup:
    """A die amid words."""
    colour, value = kind // N_VALUES, kind % N_VALUES + 1
    body = tag("rect", x=2, y=2, width=96, height=96, rx=18, fill=GLASS[colour], stroke=picture.EDGE, stroke_width=3)
    pips = [tag("circle", cx=x, cy=y, r=10.5, fill=ink_on(colour)) for x, y in SPOTS[value]]
    return picture.small(100, body, *pips)


def centred(x: float, y: float, word: object, size: float, fill: str, **attributes: object) -> Markup:
    """Bold words round the middle."""
    return picture.text(x, y, word, size=size, fill=fill, text_anchor="middle", font_weight=700, **attributes)


def draw_bead(x: float, y: float, radius: float) -> Markup:
    """A favor token."""
    return joined(
        [
            tag("circle", cx=x, cy=y, r=radius, fill="#9fd3d6", stroke="rgba(0,0,0,.45)"),
            tag("circle", cx=x - radius * 0.3, cy=y - radius * 0.35, r=radius * 0.32, fill="#fff", fill_opacity=".9"),
        ]
    )


def draw_beads(count: int, right: float, y: float, radius: float) -> Markup:
    """Favor tokens in a row that ends at `right`."""
    step = 2 * radius + 4
    return joined(draw_bead(right - radius - step * place, y, radius) for place in range(count))


def draw_medal(letters: str, x: float, y: float, radius: float) -> Markup:
    """A private colour with its letter; a secret one is a grey question mark, two share the round."""
    fills = [GLASS[COLOURS.index(letter)] if letter in COLOURS else "#6f6b7c" for letter in letters]
    parts = [tag("circle", cx=x, cy=y, r=radius, fill=fills[0], stroke="#fff", stroke_opacity=".85", stroke_width=2)]
    if len(letters) == 2:
        half = f"M{x:.1f} {y - radius + 1:.1f}a{radius - 1:.1f} {radius - 1:.1f} 0 0 1 0 {2 * radius - 2:.1f}z"
        parts.append(tag("path", d=half, fill=fills[1]))
    size = max(14.0, radius * (1.1 if len(letters) == 1 else 0.8))
    spread = radius * 0.48 if len(letters) == 2 else 0.0
    for place, letter in enumerate(letters):
        ink = picture.INK if letter == "Y" else "#fff"
        parts.append(centred(x + (2 * place - 1) * spread, y + size * 0.36, letter, size, ink))
    return joined(parts)


# --- the window


def draw_pane(mark: str, x: float, y: float, side: float, tones: Tones) -> Markup:
    """The glass of a cell, in the colour of its print."""
    fill = tones.blank if mark == "." else GLASS[COLOURS.index(mark)] if mark in COLOURS else tones.shade
    opacity = (".9" if mark == "Y" else ".72") if mark in COLOURS else None
    return tag("rect", x=x, y=y, width=side, height=side, rx=side / 9, fill=fill, fill_opacity=opacity)


@lru_cache(maxsize=KEPT)
def draw_print(mark: str, x: float, y: float, side: float, tones: Tones) -> Markup:
    """An empty cell: a pane of glass with what is printed on it."""
    parts = [draw_pane(mark, x, y, side, tones)]
    if side >= SMALLEST_PIPS:
        parts.append(use("sheen", x, y, side, "#fff"))
    if mark.isdecimal() and side >= SMALLEST_PIPS:
        parts.append(use(f"pips-{mark}", x + side * 0.13, y + side * 0.13, side * 0.74, "#fff", fill_opacity=".82"))
    elif mark != ".":
        letter = max(14.0, side * 0.36)
        ink = ink_on(COLOURS.index(mark)) if mark in COLOURS else "#fff"
        parts.append(centred(x + side / 2, y + side / 2 + letter * 0.36, mark, letter, ink))
    return joined(parts)


@lru_cache(maxsize=KEPT)
def draw_tab(mark: str, x: float, y: float, side: float, tones: Tones) -> Markup | None:
    """The print of a cell that a die covers, at the corner of the rim; small windows have only the rim."""
    if mark == "." or side < SMALLEST_PIPS:
        return None
    size = max(14.0, side * 0.17)
    reach = size * 1.3
    is_colour = mark in COLOURS
    fill = GLASS[COLOURS.index(mark)] if is_colour else tones.shade
    ink = ink_on(COLOURS.index(mark)) if is_colour else "#fff"
    rx = side / 9
    shape = f"M{x:.1f} {y + reach:.1f}v{rx - reach:.1f}q0 {-rx:.1f} {rx:.1f} {-rx:.1f}h{reach - rx:.1f}"
    shape += f"q0 {reach:.1f} {-reach:.1f} {reach:.1f}z"
    tab = tag("path", d=shape, fill=fill, stroke="#fff", stroke_opacity=".8", stroke_width=1)
    return joined([tab, centred(x + reach * 0.42, y + reach * 0.73, mark, size, ink)])


@lru_cache(maxsize=KEPT)
def draw_arch(frame: Frame, arch: float, pad: float, foot: float, tones: Tones) -> Markup:
    """The stone round a window, the lead between its panes, and a fan of glass in the arch."""
    x, y, width = frame.x - pad, frame.y - arch, frame.width + 2 * pad
    curve = _arch_curve(x, y, width, arch)
    bottom = frame.y + frame.height + foot
    corners = [(x, bottom), *curve, (x + width, bottom)]
    shape = tag(
        "polygon",
        points=points(corners),
        fill=tones.lead,
        stroke=tones.stone,
        stroke_width=max(4.0, pad * 0.45),
        stroke_linejoin="round",
    )
    return joined([shape, *_fan(frame, arch, pad, tones)])


def _arch_curve(x: float, y: float, width: float, height: float, steps: int = 30) -> list[Point]:
    """A flat pointed arch from its left end over the tip to its right end."""
    left: list[Point] = []
    ends = ((0.0, height), (0.0, height * 0.22), (width * 0.2, height * 0.12), (width / 2, 0.0))
    half = steps // 2
    for step in range(half + 1):
        t = step / half
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        across = sum(w * end[0] for w, end in zip(weights, ends, strict=True))
        down = sum(w * end[1] for w, end in zip(weights, ends, strict=True))
        left.append((x + across, y + down))
    right = [(2 * x + width - across, down) for across, down in reversed(left[:-1])]
    return left + right


def _fan(frame: Frame, arch: float, pad: float, tones: Tones) -> list[Markup]:
    """Panes from the tip of the arch round a free middle, where a medal may hang."""
    inset = pad * 0.55
    curve = _arch_curve(
        frame.x - pad + inset, frame.y - arch + inset, frame.width + 2 * (pad - inset), arch - inset - 3
    )
    cx, cy = arch_middle(frame, arch)
    inner = arch * 0.36 if frame.side > 60 else 1.0  # room for a medal in the large window
    panes = []
    for pane in range(10):
        outer = curve[3 * pane : 3 * pane + 4]
        rim = [_towards(cx, cy, corner, inner) for corner in (outer[-1], outer[0])]
        colour = GLASS[(pane if pane < 5 else 9 - pane) * 2 % 5]
        panes.append(
            tag(
                "polygon",
                points=points([*outer, *rim]),
                fill=colour,
                fill_opacity=".8",
                stroke=tones.lead,
                stroke_width=2,
            )
        )
    return panes


def arch_middle(frame: Frame, arch: float) -> Point:
    """Where a medal hangs."""
    return frame.x + frame.width / 2, frame.y - arch * 0.42


def _towards(x: float, y: float, corner: Point, reach: float) -> Point:
    far = hypot(corner[0] - x, corner[1] - y)
    return x + (corner[0] - x) * reach / far, y + (corner[1] - y) * reach / far


def draw_panes(marks: Sequence[str], frame: Frame, tones: Tones) -> Markup:
    """All cells of a pattern without dice."""
    return joined(draw_print(mark, *frame.corner(cell), frame.side, tones) for cell, mark in enumerate(marks))
