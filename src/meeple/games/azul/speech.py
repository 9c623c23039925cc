"""Azul in words."""

from __future__ import annotations

from typing import Any

from meeple.core.speech import Sentence, who
from meeple.games.azul import layout
from meeple.games.azul.effects import takes_marker
from meeple.games.azul.notation import NAMES, counts_of


def spoken(state: Any, action: int) -> str:
    """`take 2 blue from display 2 and lay them on line 4`."""
    if action >= layout.FIRST_TILING:
        return _tiling(state, *divmod(action - layout.FIRST_TILING, 6))
    source, rest = divmod(action, layout.A_SOURCE)
    colour, line = divmod(rest, 6)
    count, name = counts_of(state.source[source])[colour], NAMES[colour]
    place = "the centre" if source == layout.CENTRE else f"display {source}"
    marker = " with the first-player marker" if takes_marker(state, source) else ""
    them = "it" if count == 1 else "them"
    then = f"*drop* {them} to the floor" if line == layout.FLOOR else f"*lay* {them} on line {line + 1}"
    return f"*take* {count} {name} [{name}] from {place}{marker} and {then}"


def _tiling(state: Any, row: int, column: int) -> str:
    """The full line of a grey wall: its tile to a column, or all of it to the floor."""
    name = NAMES[state.colour[state.mover, row]]
    if column == layout.FLOOR:
        return f"*find* no place for the {name} [{name}] of line {row + 1} and *drop* it to the floor"
    return f"*move* the {name} [{name}] of line {row + 1} to column {column + 1} of the wall"


def spoken_outcome(state: Any, outcome: int) -> str:
    """`a blue tile comes to display 2`."""
    slot = int(layout.tiles_a_round(state)) - int(state.draws)
    name = NAMES[outcome]
    return f"a {name} [{name}] tile comes to display {1 + slot // layout.A_DISPLAY}"


def heading(state: Any) -> str:
    """The displays are filled."""
    return "New tiles"


def ending(state: Any) -> list[Sentence]:
    """Who finished a row and so ended the match, and the rows that decide between equal points."""
    rows = [sum(int(wall) >> 5 * row & 31 == 31 for row in range(5)) for wall in state.wall[: state.seats]]
    told = [Sentence("*finish* a row of the wall, which ends the match", seat) for seat, n in enumerate(rows) if n]
    points = [int(n) for n in state.points[: state.seats]]
    first = [seat for seat, n in enumerate(points) if n == max(points)]
    if len(first) > 1:
        told.append(
            Sentence("Points are equal, and full rows decide: " + ", ".join(f"{who(s)} {rows[s]}" for s in first))
        )
    return told or [Sentence("No tiles are left for another round")]
