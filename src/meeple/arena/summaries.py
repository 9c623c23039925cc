"""How long moves took, how many choices there were: many numbers in a few, in memory that does not grow.

A `Summary` is made from a sequence, exactly; from counts of equal values, exactly (branching factors are such
counts); or from a `LogHistogram`, which takes any number of times, can be added to another one's, and knows
the median and the 95th percentile to within half a percent.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

BINS_A_DOUBLING = 64  # two neighbouring bins are 1.1% apart, so their middle is within 0.55% of what they hold
_RATIO = 2.0 ** (1 / BINS_A_DOUBLING)


@dataclass(frozen=True)
class Summary:
    """Least, average, median, 95th percentile and greatest of `n` numbers; all 0 where there are none.

    The median of an even number is the middle between two; the 95th percentile is the least number that at
    least 95% of them do not exceed.
    """

    n: int = 0
    least: float = 0.0
    mean: float = 0.0
    median: float = 0.0
    percentile_95: float = 0.0
    greatest: float = 0.0


def summarize(values: Sequence[float]) -> Summary:
    """The summary of a sequence."""
    return summarize_counts(Counter(values))


def summarize_counts(counts: Mapping[float, int]) -> Summary:
    """The summary of values that came up so many times each: `{branching factor: decisions}`."""
    ranked = _Ranked(counts)
    if ranked.n == 0:
        return Summary()
    mean = math.fsum(value * count for value, count in counts.items()) / ranked.n
    return Summary(ranked.n, ranked.at(0), mean, ranked.median(), ranked.percentile_95(), ranked.at(ranked.n - 1))


class _Ranked:
    """Counted values in their order."""

    def __init__(self, counts: Mapping[float, int]) -> None:
        self.pairs = sorted((value, count) for value, count in counts.items() if count > 0)
        self.n = sum(count for _, count in self.pairs)

    def at(self, rank: int) -> float:
        """The value of this rank, from 0."""
        for value, count in self.pairs:
            rank -= count
            if rank < 0:
                return value
        raise IndexError(rank)

    def median(self) -> float:
        return (self.at((self.n - 1) // 2) + self.at(self.n // 2)) / 2

    def percentile_95(self) -> float:
        return self.at(-(-95 * self.n // 100) - 1)


@dataclass
class LogHistogram:
    """Times, or any numbers from 0 up, counted in bins that grow by 1.1%: at most 2,700 bins from 1 ns to an hour.

    Count, total, least and greatest are kept exactly; ranks in between to within 0.55%.
    """

    bins: Counter[int] = field(default_factory=Counter)  # bin b holds ratio**b up to ratio**(b+1)
    zeros: int = 0
    total: float = 0.0
    least: float = math.inf
    greatest: float = 0.0

    @property
    def n(self) -> int:
        """Numbers so far."""
        return self.zeros + self.bins.total()

    def add(self, value: float) -> None:
        """Count one number, 0 or more."""
        if value <= 0:
            self.zeros += 1
        else:
            self.bins[math.floor(math.log2(value) * BINS_A_DOUBLING)] += 1
        self.total += value
        self.least, self.greatest = min(self.least, value), max(self.greatest, value)

    def extend(self, values: Iterable[float]) -> None:
        """Count many."""
        for value in values:
            self.add(value)

    def merge(self, other: LogHistogram) -> None:
        """Take in the numbers of another one, as of another worker."""
        self.bins.update(other.bins)
        self.zeros += other.zeros
        self.total += other.total
        self.least, self.greatest = min(self.least, other.least), max(self.greatest, other.greatest)

    def summary(self) -> Summary:
        """The summary so far."""
        if self.n == 0:
            return Summary()
        middles: dict[float, int] = {self._middle(number): count for number, count in self.bins.items()}
        ranked = _Ranked({**middles, 0.0: self.zeros})
        median, late = (
            min(max(value, self.least), self.greatest) for value in (ranked.median(), ranked.percentile_95())
        )
        return Summary(self.n, self.least, self.total / self.n, median, late, self.greatest)

    def _middle(self, number: int) -> float:
        return float(_RATIO ** (number + 0.5))

    def as_json(self) -> dict[str, Any]:
        """All of it for a file; `from_json` takes it back."""
        if self.n == 0:
            return {}
        return {
            "bins": {str(number): self.bins[number] for number in sorted(self.bins)},
            "zeros": self.zeros,
            "total": self.total,
            "least": self.least,
            "greatest": self.greatest,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> LogHistogram:
        """What `as_json` wrote."""
        if not data:
            return cls()
        bins = Counter({int(number): int(count) for number, count in data["bins"].items()})
        return cls(bins, int(data["zeros"]), float(data["total"]), float(data["least"]), float(data["greatest"]))
