"""Santorini drawn: an island seen from a corner, or flat from above with the levels as numbers.

A click path is the row of cells of the move's text: both workers' cells, or from, to and build.
"""

from __future__ import annotations

from typing import Any

from meeple.core.options import Option
from meeple.core.paint import MARKS
from meeple.core.picture import EDGE, INK, SEATS, Look, Path, piece, ring_box, ring_round, small, text
from meeple.core.svg import Markup, joined, points, tag
from meeple.games.santorini.notation import CELLS, move_text
from meeple.games.santorini.rules import DOME, FIRST_PLACEMENT, level_of

SETTINGS = (
    Option("seen", ("aslant", "above"), "from a corner, or flat from above with level numbers"),
    Option("turn", ("0", "1", "2", "3"), "quarter turns of the island"),
)

WIDE, TALL = 66.0, 33.0  # half a cell, seen aslant
RISES = (0.0, 26.0, 24.0, 22.0)  # of the ground and the three levels
INSETS = (1.0, 0.86, 0.7, 0.54)  # how much of the cell a level covers
CENTRE = (460.0, 150.0)  # the far corner of the island


def draw(state: Any, seat: int | None, look: Look) -> Markup:
    """The island; the same for every seat."""
    if look.setting("seen", "aslant") == "above":
        return _above(state, look)
    turn = int(look.setting("turn", "0"))
    cells = sorted(range(25), key=lambda cell: sum(_turned(cell, turn)))
    parts = [_sea(look), _island(turn, look), *(_cell(state, cell, turn, look) for cell in cells)]
    if look.narrow:  # less of the sea
        return look.svg(800, 600, tag("g", *parts, transform="translate(-60 0)"), title="Santorini")
    return look.svg(920, 600, *parts, title="Santorini")


def paths(state: Any, action: int) -> list[Path]:
    """The cells of a move in order; a placement's two in either order."""
    words = move_text(state, action).rstrip("#").replace(">", ",").replace("^", ",").split(",")
    if action >= FIRST_PLACEMENT:
        return [(words[0], words[1]), (words[1], words[0])]
    return [tuple(words)]


def preview(state: Any, action: int, seat: int) -> str:
    """What a step and a build do."""
    if action >= FIRST_PLACEMENT:
        return "both workers stand"
    (path,) = paths(state, action)
    level = int(level_of(state, CELLS.index(path[1])))
    if len(path) == 2:
        return f"up to level {level}: wins"
    built = int(level_of(state, CELLS.index(path[2]))) + 1
    return f"to level {level}, builds {'a dome' if built == DOME else f'level {built}'}"


def icon(key: str) -> Markup:
    """A dome, or a block with its level."""
    if key == "dome":
        return small(24, tag("path", d="M3 18a9 9.5 0 0 1 18 0a9 3.5 0 0 1 -18 0z", fill="#2b6cb0", stroke=EDGE))
    block = tag("rect", x=2, y=2, width=20, height=20, rx=4, fill="#f6f4ef", stroke="#8d97a5")
    level = key.removeprefix("level-")
    return small(24, block, text(12, 17.5, level, size=15, text_anchor="middle", font_weight=700, fill="#4b5563"))


# --- aslant ------------------------------------------------------------------------------------------


def _turned(cell: int, turn: int) -> tuple[int, int]:
    """Column and row of a cell after quarter turns, counted from the far corner."""
    row, column = divmod(cell, 5)
    for _ in range(turn):
        row, column = column, 4 - row
    return column, row


def _spot(column: float, row: float, height: float = 0.0) -> tuple[float, float]:
    x0, y0 = CENTRE
    return x0 + (column - row) * WIDE, y0 + (column + row) * TALL - height


def _diamond(column: float, row: float, reach: float, height: float) -> list[tuple[float, float]]:
    """The top of a block: its far, right, near and left corner."""
    ways = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
    return [_spot(column + 0.5 + a * reach, row + 0.5 + b * reach, height) for a, b in ways]


def _sea(look: Look) -> Markup:
    deep, light = ("#14283a", "#24506e") if look.dark else ("#7cb5d2", "#b4dbe8")
    glow = tag(
        "radialGradient",
        tag("stop", offset="0", stop_color=light),
        tag("stop", offset="1", stop_color=deep),
        id="sea",
        r="62%",
    )
    waves = [
        tag("path", d=f"M{x} {y}q14 -8 28 0t28 0", fill="none", stroke="#fff", stroke_opacity=".28", stroke_width=2)
        for x, y in ((70, 90), (150, 530), (760, 80), (800, 520), (40, 330), (830, 300), (330, 575))
    ]
    return joined([tag("defs", glow), tag("rect", width=920, height=600, fill="url(#sea)"), *waves])


def _island(turn: int, look: Look) -> Markup:
    """The cliff under the board, its rim, and the coordinates on the rim."""
    sand, left, right = ("#a8987a", "#7d6f56", "#665a46") if look.dark else ("#ead9b5", "#c4a97c", "#a98d62")
    rim = 0.42
    top = [_spot(-rim, -rim), _spot(5 + rim, -rim), _spot(5 + rim, 5 + rim), _spot(-rim, 5 + rim)]
    depth = 40.0
    sides = [
        tag("polygon", points=points([top[3], top[2], _down(top[2], depth), _down(top[3], depth)]), fill=left),
        tag("polygon", points=points([top[2], top[1], _down(top[1], depth), _down(top[2], depth)]), fill=right),
    ]
    foam = tag(
        "polygon",
        points=points([_down(corner, depth + 6) for corner in (top[0], top[1], top[2], top[3])]),
        fill="#fff",
        fill_opacity=".3",
        stroke="#fff",
        stroke_opacity=".35",
        stroke_width=16,
        stroke_linejoin="round",
    )
    surface = tag("polygon", points=points(top), fill=sand, stroke=EDGE)
    return joined([foam, *sides, surface, *_coordinates(turn, look)])


def _coordinates(turn: int, look: Look) -> list[Markup]:
    """Letters and numbers on the cliff's near faces, where no tower can hide them."""
    labels = []
    for cell in range(25):
        column, row = _turned(cell, turn)
        name = CELLS[cell]
        along_left, along_right = row == 4, column == 4
        swapped = turn % 2 == 1
        if along_left:
            x, y = _spot(column + 0.5, 5.42)
            labels.append(_label(x, y + 26, name[1] if swapped else name[0], 0.5, look))
        if along_right:
            x, y = _spot(5.42, row + 0.5)
            labels.append(_label(x, y + 26, name[0] if swapped else name[1], -0.5, look))
    return labels


def _label(x: float, y: float, word: str, slope: float, look: Look) -> Markup:
    lean = f"matrix(1 {slope:g} 0 1 {x:.1f} {y + (3 if look.narrow else 0):.1f})"
    words = {"font_size": _type(20, look), "font_weight": 600, "text_anchor": "middle"}
    return tag("text", word, transform=lean, fill="#fff", fill_opacity=".92", **words)


def _cell(state: Any, cell: int, turn: int, look: Look) -> Markup:
    """Ground, tower, dome and worker of one cell, drawn from the ground up."""
    column, row = _turned(cell, turn)
    level = int(level_of(state, cell))
    storeys = min(level, 3)
    parts = [_ground(column, row, look)]
    height = 0.0
    for storey in range(1, storeys + 1):
        parts.append(_block(column, row, INSETS[storey], height, RISES[storey], storey, look))
        height += RISES[storey]
    x, y = _spot(column + 0.5, row + 0.5, height)
    if level == DOME:
        parts.append(_dome(x, y))
    elif level:
        near_x, near_y = _spot(column + 0.5 + 0.5 * INSETS[storeys], row + 0.5 + 0.5 * INSETS[storeys], height)
        size = _type(14, look)
        parts.append(text(near_x, near_y - 6, level, size=size, text_anchor="middle", font_weight=700, fill="#5d6877"))
    reach = INSETS[storeys]
    ring = ring_round(x, y, WIDE * reach * 0.66, TALL * reach * 0.66)
    owner = _owner(state, cell)
    label = f"{CELLS[cell]}: {'dome' if level == DOME else f'level {level}'}"
    if owner is None:
        return look.target(CELLS[cell], label, *parts, ring=ring)
    number = bin(int(state.workers[owner]) & ((1 << cell) - 1)).count("1")
    marked = look.target(CELLS[cell], f"{label}, worker of {look.name(owner)}", *parts, ring=ring)
    return joined([marked, _worker(x, y, owner, f"worker-{owner}-{number}", look)])


def _ground(column: int, row: int, look: Look) -> Markup:
    even, odd = ("#4f7a48", "#456d40") if look.dark else ("#9fce7c", "#90c26c")
    shade = even if (column + row) % 2 == 0 else odd
    return tag("polygon", points=points(_diamond(column, row, 0.97, 0)), fill=shade, stroke=EDGE, stroke_width=0.6)


def _block(column: int, row: int, reach: float, low: float, rise: float, storey: int, look: Look) -> Markup:
    tops = ("", "#e3e6ea", "#eef0f2", "#fbfbfa") if look.dark else ("", "#f6f4ef", "#fbfaf7", "#ffffff")
    far, right, near, left = _diamond(column, row, reach, low + rise)
    faces = [
        tag("polygon", points=points([left, near, _down(near, rise), _down(left, rise)]), fill="#d5dae3"),
        tag("polygon", points=points([near, right, _down(right, rise), _down(near, rise)]), fill="#b4bfd0"),
        tag("polygon", points=points([far, right, near, left]), fill=tops[storey], stroke="rgba(0,0,0,.14)"),
    ]
    return joined([*faces, *_windows(left, near, right, rise)])


def _windows(
    left: tuple[float, float], near: tuple[float, float], right: tuple[float, float], rise: float
) -> list[Markup]:
    """A small arch on each face, so that a block reads as a house."""
    arches = []
    for (ax, ay), (bx, by), slope in ((left, near, TALL / WIDE), (near, right, -TALL / WIDE)):
        for part in (0.3, 0.7):
            x, y = ax + (bx - ax) * part, ay + (by - ay) * part
            lean = f"matrix(1 {slope:.3f} 0 1 {x:.1f} {y + rise * 0.3:.1f})"
            arches.append(
                tag("path", d="M-4 10V3a4 4 0 0 1 8 0V10z", transform=lean, fill="#3f5b7d", fill_opacity=".5")
            )
    return arches


def _dome(x: float, y: float) -> Markup:
    r = 27.0
    return joined(
        [
            tag("path", d=f"M{x - r:.1f} {y:.1f}a{r} {r * 1.06:.1f} 0 0 1 {2 * r} 0a{r} 11 0 0 1 {-2 * r} 0z",
                fill="#2b6cb0", stroke=EDGE),
            tag("path", d=f"M{x - r * 0.62:.1f} {y - 7:.1f}q2 -13 14 -17", fill="none", stroke="#fff",
                stroke_opacity=".75", stroke_width=3.5, stroke_linecap="round"),
        ]
    )  # fmt: skip


def _worker(x: float, y: float, owner: int, key: str, look: Look) -> Markup:
    """A figure in its seat's colour, with the seat's mark; the second seat's wears a hat."""
    colour = SEATS[owner]
    body = f"M{x - 17:.1f} {y:.1f}q2 -24 10 -34h14q8 10 10 34q-17 9 -34 0z"
    parts = [
        tag("ellipse", cx=x, cy=y + 2, rx=23, ry=9, fill="#000", fill_opacity=".22"),
        tag("path", d=body, fill=colour, stroke=EDGE),
        tag("circle", cx=x, cy=y - 43, r=12.5, fill=colour, stroke=EDGE),
        tag("circle", cx=x - 4, cy=y - 47, r=3.5, fill="#fff", fill_opacity=".55"),
        text(x, y - 8, MARKS[owner], size=_type(17, look), font_weight=700, fill="#fff", text_anchor="middle"),
    ]
    if owner == 1:
        parts.append(tag("path", d=f"M{x - 16:.1f} {y - 48:.1f}h32l-9 -5v-8h-14v8z", fill=colour, stroke="#fff",
                         stroke_opacity=".6"))  # fmt: skip
    return tag("g", piece(key, *parts), style="pointer-events: none")


def _owner(state: Any, cell: int) -> int | None:
    return next((owner for owner in range(2) if (int(state.workers[owner]) >> cell) & 1), None)


def _type(size: float, look: Look) -> float:
    """The size of words, which a phone shows at less than half."""
    return max(size, 27.0) if look.narrow else size


def _down(corner: tuple[float, float], by: float) -> tuple[float, float]:
    return corner[0], corner[1] + by


# --- from above --------------------------------------------------------------------------------------

SIDE, MARGIN = 108.0, 50.0
ROOFS = ("#9fce7c", "#f7f1e0", "#e6dcc4", "#cdbf9f", "#cdbf9f")
DARK_ROOFS = ("#456d40", "#8f8674", "#aca28d", "#cdc3ac", "#cdc3ac")


def _above(state: Any, look: Look) -> Markup:
    turn = int(look.setting("turn", "0"))
    ground = "#17314a" if look.dark else "#b4dbe8"
    whole = 2 * MARGIN + 5 * SIDE
    parts = [tag("rect", width=whole, height=whole, fill=ground)]
    parts += [_flat_cell(state, cell, turn, look) for cell in range(25)]
    ink = "#fff" if look.dark else INK
    for cell in range(25):
        column, row = _turned(cell, turn)
        across, along = (CELLS[cell][1], CELLS[cell][0]) if turn % 2 else (CELLS[cell][0], CELLS[cell][1])
        if row == 4:
            x = MARGIN + (column + 0.5) * SIDE
            parts.append(text(x, whole - 16, across, size=22, text_anchor="middle", fill=ink))
        if column == 0:
            y = MARGIN + (row + 0.5) * SIDE + 8
            parts.append(text(MARGIN / 2, y, along, size=22, text_anchor="middle", fill=ink))
    return look.svg(whole, whole, *parts, title="Santorini")


def _flat_cell(state: Any, cell: int, turn: int, look: Look) -> Markup:
    column, row = _turned(cell, turn)
    x, y = MARGIN + column * SIDE, MARGIN + row * SIDE
    level = int(level_of(state, cell))
    roofs = DARK_ROOFS if look.dark else ROOFS
    parts = [tag("rect", x=x + 2, y=y + 2, width=SIDE - 4, height=SIDE - 4, rx=8, fill=roofs[0], stroke=EDGE)]
    for storey in range(1, min(level, 3) + 1):
        inset = 2 + storey * 6
        size = SIDE - 2 * inset
        parts.append(
            tag("rect", x=x + inset, y=y + inset, width=size, height=size, rx=7, fill=roofs[storey], stroke=EDGE)
        )
    centre = (x + SIDE / 2, y + SIDE / 2)
    if level == DOME:
        parts.append(tag("circle", cx=centre[0], cy=centre[1], r=29, fill="#2b6cb0", stroke=EDGE))
        parts.append(tag("circle", cx=centre[0] - 9, cy=centre[1] - 10, r=6, fill="#fff", fill_opacity=".7"))
    elif level:
        parts.append(
            text(x + SIDE - 32, y + SIDE - 27, level, size=20, font_weight=700, fill=INK, text_anchor="middle")
        )
    ring = ring_box(x + 6, y + 6, SIDE - 12, SIDE - 12)
    owner = _owner(state, cell)
    label = f"{CELLS[cell]}: {'dome' if level == DOME else f'level {level}'}"
    if owner is None:
        return look.target(CELLS[cell], label, *parts, ring=ring)
    number = bin(int(state.workers[owner]) & ((1 << cell) - 1)).count("1")
    marked = look.target(CELLS[cell], f"{label}, worker of {look.name(owner)}", *parts, ring=ring)
    figure = [
        tag("circle", cx=centre[0], cy=centre[1] - 2, r=25, fill=SEATS[owner], stroke="#fff", stroke_width=3),
        text(centre[0], centre[1] + 7, MARKS[owner], size=24, font_weight=700, fill="#fff", text_anchor="middle"),
    ]
    return joined([marked, tag("g", piece(f"worker-{owner}-{number}", *figure), style="pointer-events: none")])
