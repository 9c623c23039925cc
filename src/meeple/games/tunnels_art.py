"""The drawings that both games of Saboteur share: tunnels, goals, tools and cards, each once as a symbol.

A tunnel fills a square of 100 units and runs to its edges, so that cards side by side show one carved way; the floor
has the colour of the `use` that shows it. An icon fills a square of 24 and is drawn in that colour too. A symbol means
the same in every picture, light or dark: cards are things, only the ground below them changes.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations

from meeple.core.picture import EDGE, GREEN, INK, RED, SMALL, fitted, small, text
from meeple.core.svg import Markup, joined, tag
from meeple.games.tunnels import CENTRE

EARTH, WALL, BOULDER = "#7d6044", "#3c2a1b", "#97928b"
LIT, DIM = "#f3dda8", "#a99a80"  # the floor of what is joined to the start, and of what is not
CARD, CARD_EDGE, BACK, GOLD = "#fbf5e6", "#c9b58f", "#4d5a68", "#e2ae27"

_ENDS = ((50.0, 0.0), (100.0, 50.0), (50.0, 100.0), (0.0, 50.0))  # where a way leaves, by side
_INNER = ((50.0, 20.0), (80.0, 50.0), (50.0, 80.0), (20.0, 50.0))  # where its bend begins
_STOPS = ((50.0, 24.0), (76.0, 50.0), (50.0, 76.0), (24.0, 50.0))  # where a blocked one ends
_PEBBLES = "M13 15h7M84 12l5 4M11 84l6 3M80 87h8M24 8h3M92 25v4M8 74v4M72 93h4"

ICONS = {
    "pick": "M5 20.5 15.5 9M7.5 4.5C14.5 4 20 8.5 20.5 16",
    "lantern": "M9 7.5a3 3.6 0 0 1 6 0M7 8h10v10H7zM6 20.5h12M12 16.3c-2.6-2 0-3 0-5.3 0 2.3 2.6 3.3 0 5.3z",
    "cart": "M2.5 7.5h19l-3.2 8.5H5.7zM9.8 19.5a2 2 0 1 1-4 0 2 2 0 0 1 4 0zM18.2 19.5a2 2 0 1 1-4 0 2 2 0 0 1 4 0z",
    "eye": "M1.5 12q10.5-10 21 0-10.5 10-21 0zM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0z",
    "map": "M3 6l6-2.5 6 2.5 6-2.5V18l-6 2.5L9 18l-6 2.5zM9 3.5V18M15 6v14.5",
    "rocks": "M3 20.5l2-6 5-1.5 3.5 3.5-.5 4zM14 20.5l.5-3.5 4-1.5 3 5zM8 9.5l2.5-5 4.5.5 2 4-3.5 2.5zM5 4v5M19.5 5v6",
    "helmet": "M2.5 17h19M5 17v-2a7 7 0 0 1 14 0v2M14.5 12a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM12 5.5V8",
    "dynamite": "M8 9h8v12.5H8zM8 13h8M8 17.5h8M12 9V7q0-3.5 4.5-3.5M19 1.5l.5 1.5 1.5.5",
    "turn": "M19.5 13.5A8 8 0 1 1 17 6.5M17.8 2.5v4.5h-4.5",
}  # fmt: skip


def with_symbols(*parts: Markup) -> Markup:
    """A drawing, and before it the definitions of the tunnels and icons that it uses."""
    drawing = joined(parts)
    used = sorted(set(re.findall(r'href="#mine-([a-z]+(?:-\d+)?)"', drawing)))
    return joined([tag("defs", *(_symbol(name) for name in used)), drawing])


@lru_cache(maxsize=256)  # the same few dozen in picture after picture
def _symbol(name: str) -> Markup:
    if name in ICONS:
        return tag("path", id=f"mine-{name}", d=ICONS[name], fill="none", stroke="currentColor", stroke_width=2.2,
                   stroke_linecap="round", stroke_linejoin="round")  # fmt: skip
    if name in ("gold", "stone"):
        return tag("g", *(_nugget() if name == "gold" else _stone()), id=f"mine-{name}")
    return tag("g", *_tile_parts(int(name.removeprefix("tile-"))), id=f"mine-{name}")


def tile(shape: int, x: float, y: float, side: float, floor: str = LIT) -> Markup:
    """A tunnel card as it lies."""
    place = f"translate({x:.1f} {y:.1f}) scale({side / 100:.4f})"
    return tag("use", href=f"#mine-tile-{shape}", transform=place, color=floor)


def icon(name: str, x: float, y: float, side: float, colour: str = INK) -> Markup:
    """An icon in a square with this corner; `gold` and `stone` have colours of their own."""
    place = f"translate({x:.1f} {y:.1f}) scale({side / 24:.3f})"
    return tag("use", href=f"#mine-{name}", transform=place, color=colour)


def small_card(*parts: Markup) -> Markup:
    """A card amid words: a drawing of 100 units, with what it uses drawn in place."""
    drawn = re.sub(r'<use href="#mine-([a-z]+(?:-\d+)?)"([^>]*)/>', _in_place, joined(parts))
    return small(100, Markup(drawn))


def _in_place(found: re.Match[str]) -> str:
    drawn = re.sub(r' id="[^"]*"', "", _symbol(found[1]))
    return f"<g{found[2]}>{drawn}</g>"


def _tile_parts(shape: int) -> list[Markup]:
    sides = [side for side in range(4) if shape >> side & 1]
    earth = tag("rect", x=1, y=1, width=98, height=98, rx=9, fill=EARTH, stroke=EDGE)
    pebbles = tag("path", d=_PEBBLES, stroke="#5f4830", stroke_width=4, stroke_linecap="round")
    ways = _ways(sides) if shape & CENTRE else "".join(_line(_ENDS[side], _STOPS[side]) for side in sides)
    ends = [_STOPS[side] for side in sides] if not shape & CENTRE else [(50.0, 50.0)] if len(sides) == 1 else []
    # The floor runs a little over the edge, so that no wall shows between two cards.
    over = "".join(_line(_STOPS[side], _beyond(side)) for side in sides)
    carved = []
    for width, colour in ((46, WALL), (34, "currentColor")):
        carved.append(tag("path", d=ways, fill="none", stroke=colour, stroke_width=width))
        carved += [tag("circle", cx=x, cy=y, r=width / 2, fill=colour) for x, y in ends]
    carved.append(tag("path", d=over, fill="none", stroke="currentColor", stroke_width=34))
    light = tag("path", d=ways, fill="none", stroke="#fff", stroke_opacity=".2", stroke_width=12)
    rubble = _rubble() if not shape & CENTRE else _heap(*_dead_end(sides[0])) if len(sides) == 1 else []
    return [earth, pebbles, *carved, light, *rubble]


def _beyond(side: int) -> tuple[float, float]:
    """Just outside the card."""
    x, y = _ENDS[side]
    return 50 + (x - 50) * 1.025, 50 + (y - 50) * 1.025


def _line(start: tuple[float, float], end: tuple[float, float]) -> str:
    return f"M{start[0]:g} {start[1]:g}L{end[0]:g} {end[1]:g}"


def _ways(sides: list[int]) -> str:
    """The ways through the middle: bends between neighbouring sides, which also round off every corner."""
    parts = []
    for one, other in combinations(sides, 2):
        (ax, ay), (bx, by) = _INNER[one], _INNER[other]
        bend = f"Q50 50 {bx:g} {by:g}" if (one + other) % 2 else ""
        (start_x, start_y), (end_x, end_y) = _ENDS[one], _ENDS[other]
        parts.append(f"M{start_x:g} {start_y:g}L{ax:g} {ay:g}{bend}L{end_x:g} {end_y:g}")
    return "".join(parts) or _line(_ENDS[sides[0]], (50.0, 50.0))


def _dead_end(side: int) -> tuple[float, float]:
    """Where the rubble lies at the end of a single way: beyond the middle."""
    x, y = _INNER[(side + 2) % 4]
    return 50 + (x - 50) * 0.35, 50 + (y - 50) * 0.35


def _rubble() -> list[Markup]:
    """A fallen block in the middle of a card, over the ends that it closes."""
    block = "M34 45 44 33 60 35 69 47 65 63 50 69 36 62z"
    return [
        tag("path", d=block, fill=BOULDER, stroke=WALL, stroke_width=4, stroke_linejoin="round"),
        tag("path", d="M42 44 47 39 57 41", fill="none", stroke="#fff", stroke_opacity=".55", stroke_width=4,
            stroke_linecap="round"),
        tag("path", d="M52 48 48 55 54 58 51 65", fill="none", stroke=WALL, stroke_width=3),
    ]  # fmt: skip


def _heap(x: float, y: float) -> list[Markup]:
    stones = ((-8, 5, 9), (8, 6, 8), (1, -6, 9))
    return [tag("circle", cx=x + dx, cy=y + dy, r=r, fill=BOULDER, stroke=WALL, stroke_width=3) for dx, dy, r in stones]


def _nugget() -> list[Markup]:
    return [
        tag("path", d="M3 14 6 6.5 13 3 19.5 7 21.5 14.5 15.5 20.5 7 20z", fill=GOLD, stroke="#8a6410",
            stroke_width=1.4, stroke_linejoin="round"),
        tag("path", d="M6 6.5 11 11l8.5-4M11 11l-1.5 9.2M11 11l10.5 3.5", fill="none", stroke="#8a6410",
            stroke_width=1),
        tag("path", d="M7.5 7.5 12.5 5", stroke="#fff", stroke_width=1.8, stroke_linecap="round"),
    ]  # fmt: skip


def _stone() -> list[Markup]:
    return [
        tag("path", d="M2.5 15 5.5 8 12 5.5 19 8.5 21.5 15.5 17 20 6.5 19.5z", fill="#6f6962", stroke=INK,
            stroke_width=1.4, stroke_linejoin="round"),
        tag("path", d="M12 9.5 10 13l3 1.5-1.5 3M16 11l1.5 2", fill="none", stroke=INK, stroke_width=1.2),
    ]  # fmt: skip


# --- cards -------------------------------------------------------------------------------------------

CARD_WIDTH, CARD_HEIGHT, ART = 100.0, 128.0, 82.0  # of a card in the hand, and of the drawing on it


def card(x: float, y: float, art: Markup, caption: str = "") -> Markup:
    """A card of the hand, face up: its drawing in the square of side ART that `art_corner` tells, and a caption."""
    return joined([
        tag("rect", x=x + 1, y=y + 3, width=CARD_WIDTH, height=CARD_HEIGHT, rx=12, fill="#000", fill_opacity=".16"),
        tag("rect", x=x, y=y, width=CARD_WIDTH, height=CARD_HEIGHT, rx=12, fill=CARD, stroke=CARD_EDGE),
        art,
        text(x + CARD_WIDTH / 2, y + 115, fitted(caption, ART + 8), size=SMALL, text_anchor="middle", fill=INK),
    ])  # fmt: skip


def art_corner(x: float, y: float) -> tuple[float, float]:
    """Where the drawing on a card begins."""
    return x + (CARD_WIDTH - ART) / 2, y + 9


def blank_back(x: float, y: float, width: float, height: float) -> Markup:
    """A card face down, with nothing on it."""
    return tag("rect", x=x, y=y, width=width, height=height, rx=width / 7, fill=BACK, stroke="#e8e2d4",
               stroke_width=min(2.5, width / 12))  # fmt: skip


def back(x: float, y: float, width: float, height: float) -> Markup:
    """A card face down, with a lozenge on it."""
    cx, cy, reach = x + width / 2, y + height / 2, min(width, height) * 0.28
    lozenge = f"M{cx:.1f} {cy - reach:.1f}l{reach:.1f} {reach:.1f} {-reach:.1f} {reach:.1f} {-reach:.1f} {-reach:.1f}z"
    return joined([
        blank_back(x, y, width, height),
        tag("path", d=lozenge, fill="none", stroke="#e8e2d4", stroke_opacity=".8", stroke_width=max(1, width / 24)),
    ])  # fmt: skip


GROUNDS = {"break": "#ecc3b8", "repair": "#c6dfbd", "map": "#ecdcae", "rocks": "#cfc6b8"}


def action_art(kind: str, icons: tuple[str, ...], letters: str, x: float, y: float, side: float = ART) -> Markup:
    """The drawing on an action card: one icon or two, crossed where it breaks, ticked where it repairs."""
    unit = side / 82
    parts = [tag("rect", x=x, y=y, width=side, height=side, rx=8 * unit, fill=GROUNDS[kind], stroke=EDGE)]
    if len(icons) == 1:
        parts.append(icon(icons[0], x + 13 * unit, y + 17 * unit, 52 * unit))
    else:
        parts.append(icon(icons[0], x + 6 * unit, y + 8 * unit, 38 * unit))
        parts.append(icon(icons[1], x + 38 * unit, y + 36 * unit, 38 * unit))
    if kind == "break":
        d = f"M{x + 56 * unit:.1f} {y + 9 * unit:.1f}l{17 * unit:.1f} {17 * unit:.1f}m0 {-17 * unit:.1f}"
        parts.append(_stroke(f"{d}l{-17 * unit:.1f} {17 * unit:.1f}", RED, 6 * unit))
    if kind == "repair":
        d = f"M{x + 52 * unit:.1f} {y + 18 * unit:.1f}l{8 * unit:.1f} {9 * unit:.1f} {15 * unit:.1f} {-19 * unit:.1f}"
        parts.append(_stroke(d, GREEN, 6 * unit))
    if letters and side > 40:
        parts.append(text(x + 5, y + side - 6, letters, size=SMALL, font_weight=700, fill=INK))
    return joined(parts)


def _stroke(d: str, colour: str, width: float) -> Markup:
    return tag("path", d=d, fill="none", stroke=colour, stroke_width=width, stroke_linecap="round",
               stroke_linejoin="round")  # fmt: skip
