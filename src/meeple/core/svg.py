"""SVG as text: elements from functions, every name and text escaped, numbers short.

    tag("rect", x=1, y=2, width=30, height=20, rx=4, fill="#fff")
    tag("g", tag("circle", r=3), tag("text", name), class_="seat")

What `tag` returns is `Markup`, safe to nest; any other text among the children is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from html import escape
from math import cos, pi, sin

HTML = frozenset(("a", "b", "div", "li", "ol", "p", "span", "table", "td", "th", "tr"))  # never closed by a slash
Point = tuple[float, float]


class Markup(str):
    """Text that is SVG already."""

    __slots__ = ()


def tag(name: str, *children: object, **attributes: object) -> Markup:
    """One element. An attribute's underscores are hyphens (`stroke_width`), a last one is dropped (`class_`).

    Attributes that are None are left out, and so are children that are None.
    """
    opening = name + "".join([_attribute(key, value) for key, value in attributes.items() if value is not None])
    inside = "".join(_child(child) for child in children if child is not None)
    return Markup(f"<{opening}>{inside}</{name}>" if inside or name in HTML else f"<{opening}/>")


@lru_cache(maxsize=1 << 14, typed=True)  # a board draws the same few hundred attributes again and again
def _attribute(key: str, value: object) -> str:
    return f' {key.rstrip("_").replace("_", "-")}="{escape(number(value))}"'


def joined(parts: Iterable[str]) -> Markup:
    """Elements one after another."""
    return Markup("".join(parts))


def number(value: object) -> str:
    """A number with at most two decimals; anything else as it is written."""
    if isinstance(value, float):
        text = f"{value:.2f}".rstrip("0").rstrip(".")
        return "0" if text in ("", "-0") else text
    return str(value)


def points(corners: Iterable[Point]) -> str:
    """Corners as the attribute of a polygon."""
    return " ".join(f"{number(float(x))},{number(float(y))}" for x, y in corners)


def regular(n: int, x: float, y: float, radius: float, turn: float = 0.0) -> list[Point]:
    """The corners of a regular polygon; `turn` in turns from the right, clockwise."""
    return [(x + radius * cos(2 * pi * (i / n + turn)), y + radius * sin(2 * pi * (i / n + turn))) for i in range(n)]


def star(n: int, x: float, y: float, outer: float, inner: float, turn: float = -0.25) -> list[Point]:
    """The corners of a star with `n` rays."""
    return [
        corner
        for pair in zip(regular(n, x, y, outer, turn), regular(n, x, y, inner, turn + 0.5 / n), strict=True)
        for corner in pair
    ]


def _child(child: object) -> str:
    return child if isinstance(child, Markup) else escape(number(child), quote=False)
