"""Santorini in words: cells by the letters and numbers on the rim, levels as they will be."""

from __future__ import annotations

from typing import Any

from meeple.core.speech import Sentence
from meeple.games.santorini.notation import CELLS
from meeple.games.santorini.picture import paths
from meeple.games.santorini.rules import DOME, FIRST_PLACEMENT, level_of


def spoken(state: Any, action: int) -> str:
    """`move from B3 up to B4 and build level 2 on C4`."""
    cells = paths(state, action)[0]
    if action >= FIRST_PLACEMENT:
        return f"*place* the workers on {cells[0]} and {cells[1]}"
    origin, to = (int(level_of(state, CELLS.index(cell))) for cell in cells[:2])
    way = "up to" if to > origin else "down to" if to < origin else "to"
    step = f"*move* from {cells[0]} {way} {cells[1]}"
    if len(cells) == 2:
        return f"{step} and *win*"
    level = int(level_of(state, CELLS.index(cells[2]))) + 1
    if level == DOME:
        return f"{step} and *put* a dome [dome] on {cells[2]}"
    return f"{step} and *build* level {level} on {cells[2]}"


def ending(state: Any) -> list[Sentence]:
    """Who climbed to the top, or who cannot move."""
    winner = int(state.winner)
    if int(state.workers[winner]) & int(state.at_least[3]):
        return [Sentence("*stand* on the third level", winner)]
    return [Sentence("*have* no move left", 1 - winner)]
