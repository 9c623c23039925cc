"""Table talk: a set of phrases that people at different screens may send each other, and answers to requests.

There is no free text, so there is nothing to moderate. What was said is not saved.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from meeple.errors import MeepleError

PHRASES = (
    "Hello!", "Good luck!", "Well done!", "Oh no!", "That was lucky.", "One moment, please.", "Here again.",
    "Thank you for the game!", "Another one?",
)  # fmt: skip
SHOWN = 4  # the last ones
EVERY = 1.5  # seconds between two phrases of one seat


class SilentError(MeepleError):
    """Something that cannot be said now, with the reason."""


@dataclass(frozen=True)
class Said:
    """Something that a seat has said."""

    seat: int
    words: str


class Talk:
    """What was said at a table, the last lines of it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.lines: tuple[Said, ...] = ()
        self._clock = clock
        self._spoke: dict[int, float] = {}

    def say(self, seat: int, phrase: int) -> None:
        """One of the phrases, by its number.

        Raises:
            SilentError: there is no such phrase, or this seat has only just said something.
        """
        if not 0 <= phrase < len(PHRASES):
            raise SilentError("there is no such phrase")
        now = self._clock()
        if now - self._spoke.get(seat, now - EVERY) < EVERY:
            raise SilentError("one thing after the other")
        self._spoke[seat] = now
        self.answer(seat, PHRASES[phrase])

    def answer(self, seat: int, words: str) -> None:
        """What a seat says by pressing a button that means it."""
        self.lines = (*self.lines, Said(seat, words))[-SHOWN:]
