"""The rules in short: a game's `lessons` module has LESSONS, in the order in which a newcomer should read them.

Together they are the game's rules page; in a guided first game each is told when it first applies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """One rule in a few plain sentences, with a picture where one helps."""

    key: str  # names it in what a player has been told already
    title: str  # three or four words
    text: str  # one to three sentences
    applies: Callable[[Any, int], bool]  # whether it matters to this seat in this state, which is redealt for it
    position: str = ""  # a position that shows it, as the game's notation writes one
    move: str = ""  # and a move there, to be marked on the picture
    seat: int = 0  # from whose place the picture is drawn
    # The picture is cropped to what the move touches; room beyond that, in shares of the whole picture's width: to the
    # left, above, to the right, below.
    room: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
