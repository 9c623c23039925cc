"""What a run of one entry came to, before it is judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from meeple.arena.statistics import Tally
from meeple.lab.paper import PaperEntry

Heard = Callable[[str, int, int], None]  # of an entry or a training: its name, games or steps done, and wanted


@dataclass(frozen=True)
class RawResult:
    """What was found for an entry: the first agent's mean in each set, and how its games ended.

    `counts` and `groups` are those of `judge.Sample`. `n` is how many games, runs or trials stand behind it.
    """

    entry: PaperEntry
    specs: tuple[str, str]
    values: tuple[float, ...]
    n: int
    signature: str
    tally: Tally | None = None  # None where no games were won or lost
    counts: tuple[float, ...] = ()
    groups: tuple[int, ...] = ()
    repeats: int = 0  # sets that were played before, move for move, and do not count
    was_stopped: bool = False
