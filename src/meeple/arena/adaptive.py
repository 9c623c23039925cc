"""The Sagrada thesis's format: so many games, then more and more until the interval leaves the even share.

Looking again and again finds differences where there are none: with six looks at 98% it does so in 6.9% of
matches between equals, not in 2%. So a look gives two intervals: its own, and one corrected for the number of
looks there may be (Bonferroni: the error is shared out among them), which errs in 1.3%.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from meeple.arena.statistics import CONFIDENCE, Interval, score_interval
from meeple.errors import ConfigError


@dataclass(frozen=True)
class AdaptiveLook:
    """What a look at the sets so far says."""

    number: int  # of looks so far, this one included
    interval: Interval  # as if it had been the only look
    corrected: Interval  # for all looks together
    is_over: bool
    more_sets: int  # to be played before the next look


@dataclass(frozen=True)
class Adaptive:
    """`first` games, then `step` more at a time, until an interval leaves the even share or `most` are played.

    The numbers are the thesis's; it looked at its own interval over games (`games_a_set=1`), ours is over sets.
    """

    first: int = 488
    step: int = 488
    most: int = 2928
    games_a_set: int = 2
    even: float = 0.5
    confidence: float = CONFIDENCE
    stop_by: Literal["own", "corrected"] = "own"

    def __post_init__(self) -> None:
        if min(self.first, self.step) < self.games_a_set:
            raise ConfigError(
                f"{self.first} games and {self.step} more must hold a set of {self.games_a_set} games each"
            )
        if self.most < self.first:
            raise ConfigError(f"at most {self.most} games are fewer than the first {self.first}")
        if self.stop_by not in ("own", "corrected"):
            raise ConfigError(f"a match is stopped by its own interval or the corrected one, not by '{self.stop_by}'")

    @property
    def looks(self) -> int:
        """How many looks there may be."""
        return 1 + math.ceil((self.most - self.first) / self.step)

    def sets_at(self, number: int) -> int:
        """Sets played when look `number`, from 1, is due."""
        return math.ceil(min(self.first + self.step * (number - 1), self.most) / self.games_a_set)

    def look(self, scores: Sequence[float]) -> AdaptiveLook:
        """Whether to go on after sets with these scores of the first agent. Before the first look it always is."""
        number = sum(self.sets_at(look) <= len(scores) for look in range(1, self.looks + 1))
        own = score_interval(scores, self.confidence)
        corrected = score_interval(scores, 1 - (1 - self.confidence) / self.looks)
        judge = own if self.stop_by == "own" else corrected
        is_decided = number > 0 and not judge.low <= self.even <= judge.high
        is_over = is_decided or number == self.looks
        more = 0 if is_over else self.sets_at(number + 1) - len(scores)
        return AdaptiveLook(number, own, corrected, is_over, more)
