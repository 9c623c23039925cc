"""Santorini from above: flat, with the levels as numbers."""

from __future__ import annotations

from typing import Any

from meeple.core.paint import MARKS
from meeple.core.picture import EDGE, INK, SEATS, Look, piece, ring_box, text
from meeple.core.svg import Markup, joined, tag
from meeple.games.santorini.notation import CELLS
from meeple.games.santorini.rules import DOME, level_of
from meeple.games.santorini.standing import Worker, label_of, names_of, turned, workers_by_cell

SIDE, MARGIN = 108.0, 44.0
ROOFS = ("#9fce7c", "#f7f1e0", "#e6dcc4", "#cdbf9f", "#cdbf9f")
DARK_ROOFS = ("#456d40", "#a79e8b", "#bab09b", "#cdc3ac", "#cdc3ac")


def draw_flat(state: Any, look: Look) -> Markup:
    """The board; the same for every seat."""
    turn = int(look.setting("turn", "0"))
    whole = 2 * MARGIN + 5 * SIDE
    standing = workers_by_cell(state, look)
    parts = [tag("rect", width=whole, height=whole, fill="#17314a" if look.dark else "#b4dbe8")]
    parts += [_cell(state, cell, turn, standing.get(cell), look) for cell in range(25)]
    labels = []
    for cell in range(25):
        column, row = turned(cell, turn)
        along, across = names_of(cell, turn)
        if row == 4:
            labels.append(text(MARGIN + (column + 0.5) * SIDE, whole - 14, along, size=24))
        if column == 0:
            labels.append(text(MARGIN / 2, MARGIN + (row + 0.5) * SIDE + 8, across, size=24))
    words = tag("g", *labels, text_anchor="middle", fill="#fff" if look.dark else INK)
    return look.svg(whole, whole, *parts, words, title="Santorini")


def _cell(state: Any, cell: int, turn: int, worker: Worker | None, look: Look) -> Markup:
    column, row = turned(cell, turn)
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
    middle = (x + SIDE / 2, y + SIDE / 2)
    if level == DOME:
        parts.append(tag("circle", cx=middle[0], cy=middle[1], r=29, fill="#2b6cb0", stroke=EDGE))
        parts.append(tag("circle", cx=middle[0] - 9, cy=middle[1] - 10, r=6, fill="#fff", fill_opacity=".7"))
    elif level:
        parts.append(
            text(x + SIDE - 33, y + SIDE - 25, level, size=24, font_weight=700, fill=INK, text_anchor="middle")
        )
    ring = ring_box(x + 6, y + 6, SIDE - 12, SIDE - 12)
    place = look.target(CELLS[cell], label_of(state, cell, worker, look), *parts, ring=ring)
    return place if worker is None else joined([place, _worker(worker, middle[0] - 5, middle[1] - 6)])


def _worker(worker: Worker, x: float, y: float) -> Markup:
    """A disc with the seat's mark, which leaves the corner with the level free."""
    figure = [
        tag("circle", cx=x, cy=y, r=25, fill=SEATS[worker.owner], stroke="#fff", stroke_width=3),
        text(x, y + 8, MARKS[worker.owner], size=24, font_weight=700, fill="#fff", text_anchor="middle"),
    ]
    return tag("g", piece(worker.key, *figure), style="pointer-events: none")
