"""The six symbols of Ingenious as SVG, a shape and a colour each, and tiles made of two of them."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin

from meeple.core.picture import small
from meeple.core.svg import Markup, joined, points, regular, star, tag
from meeple.games.ingenious.notation import NAMES

BRIGHT = ("#ea5a50", "#4fbb6a", "#4fa3e6", "#f28f38", "#f4c93f", "#b07fdb")  # on dark stone
STONE, STONE_EDGE = "#2a303c", "#0f1217"


def _shapes() -> tuple[Markup, ...]:
    """By colour: a burst, a disc, a star, a hexagon, a sun and a ring."""
    return (
        tag("polygon", points=points(star(12, 0, 0, 10, 6.2))),
        tag("circle", r=8.6),
        tag("polygon", points=points(star(6, 0, 0, 10.4, 5.2))),
        joined([tag("polygon", points=points(regular(6, 0, 0, 10))), _edges()]),
        joined(
            [tag("circle", r=5.2), tag("path", d=_rays(), stroke=BRIGHT[4], stroke_width=2, stroke_linecap="round")]
        ),
        tag("circle", r=6.6, fill="none", stroke=BRIGHT[5], stroke_width=4.6),
    )


def small_symbol(colour: int) -> Markup:
    """A symbol amid words, on a stone."""
    stone = tag("circle", cx=14, cy=14, r=14, fill=STONE)
    return small(28, stone, tag("g", _shapes()[colour], fill=BRIGHT[colour], transform="translate(14 14)"))


@cache  # the same in every picture
def symbols() -> Markup:
    """The shapes, to be used by name."""
    return tag(
        "defs",
        *(
            tag("symbol", tag("g", shape, fill=colour), id=f"ingenious-{name}", viewBox="-11 -11 22 22")
            for name, colour, shape in zip(NAMES, BRIGHT, _shapes(), strict=True)
        ),
    )


def _edges() -> Markup:
    """Dark lines that make a cube of the hexagon: small and in grey it would pass for the disc."""
    lines = "".join(f"M0 0L{x:.1f} {y:.1f}" for x, y in regular(6, 0, 0, 9)[::2])
    return tag("path", d=lines, stroke="#7a3d08", stroke_width=1.6, stroke_linecap="round")


def _rays() -> str:
    ways = [(cos(2 * pi * i / 8), sin(2 * pi * i / 8)) for i in range(8)]
    return "".join(f"M{7.2 * x:.1f} {7.2 * y:.1f}L{10 * x:.1f} {10 * y:.1f}" for x, y in ways)


def symbol(colour: int, x: float, y: float, size: float, **attributes: object) -> Markup:
    """A symbol round a point, so large from side to side."""
    half = size / 2
    return tag("use", href=f"#ingenious-{NAMES[colour]}", x=x - half, y=y - half, width=size, height=size, **attributes)


def capsule(x: float, y: float, unit: float) -> Markup:
    """A tile without its symbols, two units wide, with one light along its upper edge."""
    return joined(
        [
            tag("rect", x=x, y=y + 2, width=2 * unit, height=unit, rx=unit / 2, fill="#000", fill_opacity=".35"),
            tag("rect", x=x, y=y, width=2 * unit, height=unit, rx=unit / 2, fill=STONE, stroke="#4a5261"),
            tag("path", d=f"M{x + unit / 2:.1f} {y + 2.5:.1f}h{unit:.1f}", stroke="#fff", stroke_opacity=".16",
                stroke_width=2, stroke_linecap="round"),
        ]
    )  # fmt: skip


def small_tile(kind: tuple[int, int], x: float, y: float, unit: float) -> Markup:
    """A whole tile that cannot be clicked."""
    halves = [symbol(colour, x + (i + 0.5) * unit, y + unit / 2, unit * 0.74) for i, colour in enumerate(kind)]
    return joined([capsule(x, y, unit), *halves])
