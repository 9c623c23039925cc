"""The way from a beginner to the strongest agent: a roster's rungs, one after the other, as one stretch of numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from meeple.core.roster import Rung
from meeple.errors import ConfigError

SINGLE = 0.02  # the length of a rung that is a single agent; one with a number is 1 long
GRAIN = 60  # places that are looked at between two


@dataclass(frozen=True)
class Place:
    """A point of the way, and the agent that stands there."""

    t: float
    spec: str


class Way:
    """Rungs one after the other: places from 0, the first agent of the first rung, to `end`, the last of the last."""

    def __init__(self, rungs: Sequence[Rung]) -> None:
        if not rungs:
            raise ConfigError("the roster has no rungs: there is no way on which levels could be sought")
        self.rungs = tuple(rungs)
        self._lengths = [1.0 if "{}" in rung.spec else SINGLE for rung in rungs]
        self.end = sum(self._lengths)

    def place(self, t: float) -> Place:
        """The place at t; beyond an end, the end."""
        left = t = min(self.end, max(0.0, t))
        for rung, length in zip(self.rungs, self._lengths, strict=True):
            if left < length:
                return Place(t, rung.at(left / length))
            left -= length
        return Place(t, self.rungs[-1].at(1.0))

    def find(self, spec: str) -> Place:
        """The place where an agent stands.

        Raises:
            ConfigError: no rung has this agent.
        """
        start = 0.0
        for rung, length in zip(self.rungs, self._lengths, strict=True):
            if spec == rung.spec:
                return Place(start, spec)
            pattern = re.escape(rung.spec).replace(re.escape("{}"), r"(\d+(?:\.\d+)?(?:e\+\d+)?)")
            found = re.fullmatch(pattern, spec)
            if found and found.groups() and rung.low <= float(found[1]) <= rung.high:
                share = math.log(float(found[1]) / rung.low) / math.log(rung.high / rung.low)
                return Place(start + length * share, spec)
            start += length
        raise ConfigError(f"the level '{spec}' stands on no rung of today's roster: give --fit")

    def between(self, a: float, b: float, wanted: float) -> Place | None:
        """The place nearest to `wanted` whose agent is neither that of a nor that of b; None where there is none."""
        taken = {self.place(a).spec, self.place(b).spec}
        tried = [self.place(t) for t in (wanted, *(a + (b - a) * n / GRAIN for n in range(1, GRAIN)))]
        free = [place for place in tried if place.spec not in taken]
        return min(free, key=lambda place: abs(place.t - wanted), default=None)
