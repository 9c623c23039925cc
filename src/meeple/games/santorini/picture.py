"""Santorini drawn: an island seen from a corner (island.py), or flat from above with the levels as numbers (flat.py).

A click path is the row of cells of the move's text: both workers' cells, or from, to and build.
"""

from __future__ import annotations

from typing import Any

from meeple.core.options import Option
from meeple.core.picture import EDGE, Look, Path, small
from meeple.core.svg import Markup, tag
from meeple.games.santorini.cover import cover as cover
from meeple.games.santorini.flat import draw_flat
from meeple.games.santorini.island import draw_island
from meeple.games.santorini.notation import CELLS, move_text
from meeple.games.santorini.rules import DOME, FIRST_PLACEMENT, level_of

SETTINGS = (
    Option("seen", ("aslant", "above"), "from a corner, or flat from above with level numbers"),
    Option("turn", ("0", "1", "2", "3"), "quarter turns of the island"),
)


def draw(state: Any, seat: int | None, look: Look) -> Markup:
    """The island; the same for every seat."""
    return (draw_flat if look.setting("seen", "aslant") == "above" else draw_island)(state, look)


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
    """A dome: the only piece that needs no number."""
    assert key == "dome"
    return small(24, tag("path", d="M3 18a9 9.5 0 0 1 18 0a9 3.5 0 0 1 -18 0z", fill="#2b6cb0", stroke=EDGE))
