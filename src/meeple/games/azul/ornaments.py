"""The tiles of Azul as SVG symbols: a colour and an ornament each, so that they can be told apart in grey."""

from __future__ import annotations

from functools import cache

from meeple.core.picture import BLUE, EDGE, INK, RED, YELLOW, Look, small, text
from meeple.core.svg import Markup, joined, points, regular, star, tag


@cache  # the same in every picture
def ornaments() -> Markup:
    """The five tiles and what else is drawn often, to be used by name."""
    tiles = [
        tag("symbol", _base(fill), shape, id=f"azul-{name}", viewBox="0 0 40 40")
        for name, (fill, shape) in _tiles().items()
    ]
    marker = tag(
        "symbol", _base("#fffdf6"), tag("circle", cx=20, cy=20, r=14, fill="none", stroke=RED, stroke_width=2),
        text(20, 27, "1", size=21, font_weight=700, fill=INK, text_anchor="middle"),
        id="azul-marker", viewBox="0 0 40 40",
    )  # fmt: skip
    shard = tag(
        "symbol", _base("#a89a88"), tag("path", d="M22 1 17 14 24 21 16 27 21 39", fill="none", stroke="#fff",
                                        stroke_opacity=".8", stroke_width=2.2),
        tag("path", d="M24 21 38 17", fill="none", stroke="#fff", stroke_opacity=".6", stroke_width=1.6),
        id="azul-shard", viewBox="0 0 40 40",
    )  # fmt: skip
    return tag("defs", *tiles, marker, shard)


def _tiles() -> dict[str, tuple[str, Markup]]:
    """Glaze and ornament of each tile."""
    return {
        "blue": (BLUE, _knot()),
        "yellow": (YELLOW, _sun()),
        "red": (RED, _flower()),
        "black": ("#343944", _lattice()),
        "white": ("#eef6f5", _blade()),
    }


def small_tile(name: str) -> Markup:
    """A tile amid words."""
    fill, shape = _tiles()[name]
    return small(40, _base(fill), shape)


def _base(fill: str) -> Markup:
    """A tile without its ornament: a soft shadow, the glaze, one light."""
    return joined([
        tag("rect", x=1, y=2, width=38, height=38, rx=6, fill="#000", fill_opacity=".22"),
        tag("rect", x=1, y=1, width=38, height=37.5, rx=6, fill=fill, stroke=EDGE),
        tag("rect", x=3.5, y=3, width=33, height=9, rx=4.5, fill="#fff", fill_opacity=".2"),
    ])  # fmt: skip


def _knot() -> Markup:
    """Blue: a square on its corner with an eye."""
    return joined([
        tag("polygon", points=points(regular(4, 20, 20, 14)), fill="none", stroke="#e8f3fb", stroke_width=3),
        tag("circle", cx=20, cy=20, r=4.5, fill="#e8f3fb"),
    ])  # fmt: skip


def _sun() -> Markup:
    """Yellow: a star with eight rays."""
    return tag("polygon", points=points(star(8, 20, 20, 15, 6.5)), fill="#fff7d8", stroke="#a8730c", stroke_width=1.2)


def _flower() -> Markup:
    """Red: four petals."""
    petals = [
        tag("ellipse", cx=20 + 7 * x, cy=20 + 7 * y, rx=6.2, ry=6.2) for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1))
    ]
    return joined([tag("g", *petals, fill="#ffe6e1"), tag("circle", cx=20, cy=20, r=4.6, fill="#8f231d")])


def _lattice() -> Markup:
    """Black: two bars across two."""
    bars = "M14.5 7v26M25.5 7v26M7 14.5h26M7 25.5h26"
    return tag("path", d=bars, stroke="#aeb8c6", stroke_width=3, stroke_linecap="round", fill="none")


def _blade() -> Markup:
    """White: four long points."""
    return tag("polygon", points=points(star(4, 20, 20, 16, 5)), fill="#2b8f8a")


def tile(name: str, x: float, y: float, size: float, **attributes: object) -> Markup:
    return tag("use", href=f"#azul-{name}", x=x, y=y, width=size, height=size, **attributes)


def faint(look: Look) -> str:
    return "#b9ae9d" if look.dark else "#675f4f"
