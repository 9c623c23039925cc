"""What a law is, and the table that the modules of laws fill."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from meeple.core.contract import NOBODY

When = Literal["static", "state", "close", "event", "end", "match", "process", "heuristic"]
NOT_HERE = "\0"  # a law's answer where it has nothing to look at


@dataclass(frozen=True)
class Law:
    """A law: its name, what it says, when it is put to the test, and the test.

    The test returns what is wrong, an empty string where nothing is, or `NOT_HERE`.
    """

    name: str
    meaning: str
    when: When
    test: Callable[[Any], str]
    slow_interpreted: bool = False

    def is_put(self, when: When, *, interpreted: bool) -> bool:
        """Whether the law is put to the test `when`: a slow one, interpreted, to the sampled states alone."""
        return (self.when if not (interpreted and self.slow_interpreted) else "close") == when


ENTERED: list[Law] = []  # by `law`, as the modules of laws are imported


def law(
    name: str, when: When, meaning: str, *, slow_interpreted: bool = False
) -> Callable[[Callable[[Any], str]], Callable[[Any], str]]:
    """Enter the decorated function as a law.

    A `static` law looks at the folder's definition, a `state` law at every state of a match (it takes well
    under a millisecond), a `close` law at a few sampled states of each match (texts, boards, pictures), an
    `event` law at every event (`probe.code` leads to `probe.after`), an `end` law at the finished match;
    `match` and `process` laws are called by the walk itself; a `heuristic` law looks at positions of the game's
    own players (asked.py). A `state` law that is `slow_interpreted` is a
    `close` one where the rules run as plain Python.
    """

    def enter(test: Callable[[Any], str]) -> Callable[[Any], str]:
        ENTERED.append(Law(name, meaning, when, test, slow_interpreted))
        return test

    return enter


def who(seat: int) -> str:
    """A seat as a message names it."""
    return "a spectator" if seat == NOBODY else f"seat {seat}"
