"""Ingenious in words: cells by the letters and numbers around the board."""

from __future__ import annotations

from functools import cache
from typing import Any

from meeple.core.speech import Sentence, who
from meeple.games.ingenious import geometry, layout
from meeple.games.ingenious.notation import CELL_NAMES, NAMES
from meeple.games.ingenious.scoring import side_of
from meeple.games.ingenious.tiles import COLOUR_1, COLOUR_2, KINDS


def spoken(state: Any, action: int) -> str:
    """`lay red on D4 and orange on D5`."""
    if action >= layout.KEEP:
        return "*keep* the hand" if action == layout.KEEP else "*swap* the hand for six new tiles"
    return _placement(*divmod(int(action), geometry.SPAN), int(state.seats))


@cache
def _placement(oriented: int, position: int, seats: int) -> str:
    names = CELL_NAMES[seats]
    first, second = names[geometry.CELL_1[position]], names[geometry.CELL_2[position]]
    one, other = (NAMES[int(colours[oriented])] for colours in (COLOUR_1, COLOUR_2))
    if one == other:
        return f"*lay* double {one} [{one}] on {first} and {second}"
    return f"*lay* {one} [{one}] on {first} and {other} [{other}] on {second}"


def spoken_outcome(state: Any, outcome: int) -> Sentence:
    """`Ada draws red and orange`: a tile, which only its owner sees."""
    one, other = (NAMES[colour] for colour in KINDS[outcome])
    tile = f"double {one} [{one}]" if one == other else f"{one} [{one}] and {other} [{other}]"
    return Sentence(f"*draw* {tile}", int(state.seat))


def heading(state: Any) -> str:
    """Hands are dealt, or filled up."""
    return "Hands are dealt" if state.phase == layout.DEAL else "New tiles"


def ending(state: Any) -> list[Sentence]:
    """The lowest colour of each seat, which decides, and who brought all to the end of their tracks."""
    seats = range(int(state.seats))
    points = [[int(n) for n in state.points[side_of(state, seat)]] for seat in seats]
    told = [Sentence("*bring* all six colours to the end", seat) for seat in seats if min(points[seat]) >= state.goal]
    lowest = [f"{who(seat)} {min(points[seat])} ({NAMES[points[seat].index(min(points[seat]))]})" for seat in seats]
    told.append(Sentence("The lowest colour counts: " + ", ".join(lowest)))
    first = [sorted(row) for row in points if min(row) == max(map(min, points))]
    if len({row[0] for row in first}) < len({tuple(row) for row in first}):
        told.append(Sentence("The lowest colours are equal: the next one that differs decides"))
    return told


SIGHTS = {
    "ask": "a swap is offered",
    "draw": "no swap is offered",
    "place": "the turn is over",
    "over": "the game is over",
}


def sight(word: str) -> str:
    """What a word of the position says of what was seen."""
    return SIGHTS.get(word, word)
