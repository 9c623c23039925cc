"""Small pictures of what Sagrada's tools and objectives do, 60 units wide and 44 high."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import hypot

from meeple.core.svg import Markup, joined, points, tag
from meeple.games.sagrada import board, tools
from meeple.games.sagrada.drawing.glass import GLASS, KEPT, PALE, Tones, centred, ink_on, use

WIDTH, HEIGHT = 60.0, 44.0
RED, GREEN, BLUE, YELLOW, PURPLE = range(5)
ANY = -1  # a die whose colour does not matter
Emblem = Callable[[Tones], list[Markup]]


@lru_cache(maxsize=KEPT)
def draw_tool(tool: int, x: float, y: float, tones: Tones) -> Markup:
    """What a tool card does."""
    return _placed(TOOL_EMBLEMS[tool](tones), x, y)


@lru_cache(maxsize=KEPT)
def draw_goal(goal: int, x: float, y: float, tones: Tones) -> Markup:
    """What a public objective counts."""
    return _placed(GOAL_EMBLEMS[goal](tones), x, y)


def _placed(parts: list[Markup], x: float, y: float) -> Markup:
    return tag("g", *parts, transform=f"translate({x:.1f} {y:.1f})")


# --- strokes


def _die(colour: int, value: int, x: float, y: float, size: float = 17) -> Markup:
    fill = PALE if colour == ANY else GLASS[colour]
    ink = "#22262e" if colour == ANY else ink_on(colour)
    face = use(f"pips-{value}", x, y, size, ink) if value else None
    return joined(part for part in (use("die", x, y, size, fill), face) if part is not None)


def _cell(x: float, y: float, tones: Tones, size: float = 17) -> Markup:
    """An empty place."""
    return tag("rect", x=x, y=y, width=size, height=size, rx=2.5, fill="none", stroke=tones.faint, stroke_width=1.4,
               stroke_dasharray="3 2")  # fmt: skip


def _arrow(x1: float, y1: float, x2: float, y2: float, tones: Tones) -> Markup:
    length = hypot(x2 - x1, y2 - y1)
    a, b = (x2 - x1) / length, (y2 - y1) / length
    head = [(x2, y2), (x2 - 5 * a - 3.2 * b, y2 - 5 * b + 3.2 * a), (x2 - 5 * a + 3.2 * b, y2 - 5 * b - 3.2 * a)]
    shaft = tag("line", x1=x1, y1=y1, x2=x2 - 4 * a, y2=y2 - 4 * b, stroke=tones.ink, stroke_width=1.8)
    return joined([shaft, tag("polygon", points=points(head), fill=tones.ink)])


def _turning(x: float, y: float, radius: float, tones: Tones) -> Markup:
    """Most of a circle with an arrow head: roll again."""
    arc = f"M{x + radius:.1f} {y:.1f}A{radius} {radius} 0 1 1 {x:.1f} {y - radius:.1f}"
    tip = [(x + 6, y - radius), (x - 1, y - radius - 4), (x - 1, y - radius + 4)]
    return joined(
        [
            tag("path", d=arc, fill="none", stroke=tones.ink, stroke_width=1.8),
            tag("polygon", points=points(tip), fill=tones.ink),
        ]
    )


def _struck(x: float, y: float, size: float) -> Markup:
    return tag("line", x1=x - 2, y1=y + size + 2, x2=x + size + 2, y2=y - 2, stroke="#e5484d", stroke_width=2.6,
               stroke_linecap="round")  # fmt: skip


# --- tools


def _grozing(tones: Tones) -> list[Markup]:
    return [
        _die(ANY, 4, 2, 13),
        _arrow(22, 19, 36, 11, tones),
        _arrow(22, 25, 36, 33, tones),
        _die(ANY, 5, 40, 2),
        _die(ANY, 3, 40, 25),
    ]


def _eglomise(tones: Tones) -> list[Markup]:
    pane = tag("rect", x=38, y=13, width=18, height=18, rx=2.5, fill=GLASS[BLUE], fill_opacity=".75")
    word = centred(47, 26.5, "B", 13, "#fff")
    return [_die(RED, 3, 2, 13), _arrow(22, 22, 35, 22, tones), pane, word, _struck(38, 13, 18)]


def _copper(tones: Tones) -> list[Markup]:
    pane = tag("rect", x=38, y=13, width=18, height=18, rx=2.5, fill=tones.shade)
    pips = use("pips-6", 39, 14, 16, "#fff")
    return [_die(ANY, 3, 2, 13), _arrow(22, 22, 35, 22, tones), pane, pips, _struck(38, 13, 18)]


def _lathekin(tones: Tones) -> list[Markup]:
    rows = []
    for y, value in ((2, 2), (25, 5)):
        rows += [_die(ANY, value, 2, y), _arrow(22, y + 8.5, 37, y + 8.5, tones), _cell(40, y, tones)]
    return rows


def _lens(tones: Tones) -> list[Markup]:
    track = tag("path", d="M34 38h24", stroke=tones.faint, stroke_width=3, stroke_linecap="round")
    return [
        _die(GREEN, 2, 1, 14),
        _die(RED, 6, 37, 14, 18),
        track,
        _arrow(20, 18, 34, 18, tones),
        _arrow(34, 27, 20, 27, tones),
    ]


def _brush(tones: Tones) -> list[Markup]:
    return [_die(ANY, 5, 21, 13, 18), _turning(30, 22, 18.5, tones)]


def _hammer(tones: Tones) -> list[Markup]:
    dice = [_die(ANY, value, x, y, 11.5) for value, x, y in ((2, 24.5, 8.5), (6, 17.5, 22.5), (3, 31.5, 22.5))]
    return [*dice, _turning(30, 23, 19, tones)]


def _running(tones: Tones) -> list[Markup]:
    return [_die(ANY, 3, 2, 13), centred(30, 27, "+", 16, tones.ink), _die(ANY, 4, 40, 13),
            _arrow(6, 38, 56, 38, tones)]  # fmt: skip


def _straightedge(tones: Tones) -> list[Markup]:
    lonely = [(column, row) for row in range(3) for column in range(3) if column != row or column == 1]
    cells = [_cell(8 + 15 * column, 15 * row - 0.5, tones, 13) for column, row in lonely]
    return [*cells, _die(ANY, 1, 8, -0.5, 13), _die(ANY, 4, 38, 29.5, 13)]


def _grinding(tones: Tones) -> list[Markup]:
    over = tag("path", d="M14 11q16 -14 30 -2", fill="none", stroke=tones.ink, stroke_width=1.8)
    tip = tag("polygon", points="47,12 39.5,10.5 45,5", fill=tones.ink)
    return [_die(ANY, 2, 5, 16, 19), _die(ANY, 5, 36, 16, 19), over, tip]


def _remover(tones: Tones) -> list[Markup]:
    bag = tag("path", d="M25 18h10l-2 4q10 8 4 18h-14q-6 -10 4 -18z", fill=tones.faint, stroke=tones.ink)
    return [
        _die(ANY, 3, 0, 6, 16),
        _arrow(16, 24, 22, 31, tones),
        bag,
        _arrow(38, 31, 44, 24, tones),
        _die(PURPLE, 0, 44, 6, 16),
        centred(52, 18.5, "?", 13, "#fff"),
    ]


def _tap_wheel(tones: Tones) -> list[Markup]:
    track = tag("path", d="M14 14h32", stroke=tones.faint, stroke_width=2.5, stroke_linecap="round")
    rows = [_die(YELLOW, 6, 24, -1, 12.5), track]
    for y, value in ((18, 2), (32, 5)):
        rows += [_die(YELLOW, value, 2, y, 12.5), _arrow(18, y + 6, 42, y + 6, tones), _cell(45, y, tones, 12.5)]
    return rows


TOOL_EMBLEMS: dict[int, Emblem] = {
    tools.GROZING: _grozing,
    tools.EGLOMISE: _eglomise,
    tools.COPPER: _copper,
    tools.LATHEKIN: _lathekin,
    tools.LENS: _lens,
    tools.BRUSH: _brush,
    tools.HAMMER_CARD: _hammer,
    tools.RUNNING: _running,
    tools.STRAIGHTEDGE: _straightedge,
    tools.GRINDING: _grinding,
    tools.REMOVER: _remover,
    tools.TAP_WHEEL: _tap_wheel,
}


# --- objectives


def _line(colours: tuple[int, ...], values: tuple[int, ...], is_column: bool) -> Emblem:
    """A row or a column of dice."""

    def emblem(tones: Tones) -> list[Markup]:
        size, step = (10.4, 11.2) if is_column else (11.0, 12.0)
        spots = [(25.0, step * i) if is_column else (step * i + 0.5, 16.0) for i in range(len(colours))]
        return [_die(c, v, x, y, size) for c, v, (x, y) in zip(colours, values, spots, strict=True)]

    return emblem


def _pair(low: int) -> Emblem:
    def emblem(tones: Tones) -> list[Markup]:
        return [_die(ANY, low, 7, 11, 21), _die(ANY, low + 1, 33, 11, 21)]

    return emblem


def _six(tones: Tones) -> list[Markup]:
    return [_die(ANY, i + 1, 3 + 19 * (i % 3), 4 + 20 * (i // 3), 16) for i in range(6)]


def _five(tones: Tones) -> list[Markup]:
    spots = ((3, 4), (22, 4), (41, 4), (12.5, 24), (31.5, 24))
    return [joined([_die(i, 0, x, y, 16), _letter(i, x, y)]) for i, (x, y) in enumerate(spots)]


def _letter(colour: int, x: float, y: float) -> Markup:
    return centred(x + 8, y + 12.5, "RGBYP"[colour], 13, ink_on(colour))


def _diagonal(tones: Tones) -> list[Markup]:
    dice = [(BLUE, 0, 0), (BLUE, 1, 1), (BLUE, 2, 2)]
    cells = [_cell(8 + 15 * x, 15 * y - 0.5, tones, 13) for x in range(3) for y in range(3) if x != y]
    return [*cells, *(_die(c, 0, 8 + 15 * x, 15 * y - 0.5, 13) for c, x, y in dice)]


ALL = (RED, GREEN, BLUE, YELLOW, PURPLE)
GOAL_EMBLEMS: dict[int, Emblem] = {
    board.ROW_COLOURS: _line(ALL, (0, 0, 0, 0, 0), False),
    board.COLUMN_COLOURS: _line(ALL[:4], (0, 0, 0, 0), True),
    board.ROW_SHADES: _line((ANY,) * 5, (1, 2, 3, 4, 5), False),
    board.COLUMN_SHADES: _line((ANY,) * 4, (1, 2, 3, 4), True),
    board.LIGHT: _pair(1),
    board.MEDIUM: _pair(3),
    board.DEEP: _pair(5),
    board.SHADES: _six,
    board.COLOUR_SETS: _five,
    board.DIAGONALS: _diagonal,
}
