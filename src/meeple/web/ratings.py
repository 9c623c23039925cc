"""A person's rating over time, by Glicko-2: how strong somebody plays, and how sure that is.

The opponents are levels with a measured Elo and its deviation (`agents.levels.deviations_of`), which do not change;
only the person's rating does. Every match is counted when it ends, and between matches the rating grows less sure with
time.

Source: Mark Glickman, "Example of the Glicko-2 system" (2013), whose worked example is a test. Departures:
1. A match is a rating period of its own, of the length that has passed since the last one (`periods`, in weeks).
2. A match against several opponents is one result against each, which count together as much as one match.
3. The rating begins at the Elo of the first opponent: people choose one that fits them, and a guess far off would let
   the first surprise throw the rating about.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

SCALE = 173.7178  # Elo points of one unit on the scale that Glicko-2 computes on
DEVIATION, VOLATILITY = 350.0, 0.06  # of a newcomer, as Glickman proposes
TAU = 0.5  # how fast volatility may change: Glickman names 0.3 to 1.2
LEVEL_DEVIATION = 40.0  # of a level's Elo in a match from before each level had its own
MINUS = "−"  # as people write it
WEEK = 7 * 24 * 3600.0  # seconds: a rating period
_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Rating:
    """Strength in Elo points, its standard deviation, and how erratic the results are."""

    elo: float
    deviation: float = DEVIATION
    volatility: float = VOLATILITY

    @property
    def interval(self) -> tuple[float, float]:
        """Where the strength lies, at 95%."""
        return self.elo - 1.96 * self.deviation, self.elo + 1.96 * self.deviation

    def __str__(self) -> str:
        return f"{self.elo:.0f} ± {1.96 * self.deviation:.0f}".replace("-", MINUS)


@dataclass(frozen=True)
class Result:
    """One result against an opponent: 1 won, 0.5 shared, 0 lost."""

    opponent: Rating
    score: float
    weight: float = 1.0  # less than 1 where a match is several results


def change_between(before: Rating, after: Rating) -> str:
    """A change with its sign: the difference of the two whole numbers that people read."""
    change = round(after.elo) - round(before.elo)
    return f"{change:+d}".replace("-", MINUS) if change else "±0"


def newcomer(results: Sequence[Result]) -> Rating:
    """The rating of somebody before the first match, whose results these are."""
    return Rating(sum(result.opponent.elo for result in results) / len(results))


def updated(rating: Rating, results: Sequence[Result], *, periods: float = 1.0) -> Rating:
    """The rating after these results, the last ones having come so many rating periods before.

    Without results only the deviation grows.
    """
    phi = rating.deviation / SCALE
    if not results:
        return Rating(rating.elo, SCALE * math.hypot(phi, rating.volatility * math.sqrt(periods)), rating.volatility)
    precision = improvement = 0.0
    for result in results:
        g = _g(result.opponent.deviation / SCALE)
        expected = 1 / (1 + math.exp(-g * (rating.elo - result.opponent.elo) / SCALE))
        precision += result.weight * g * g * expected * (1 - expected)
        improvement += result.weight * g * (result.score - expected)
    variance = 1 / precision
    volatility = _volatility(rating.volatility, phi, variance, variance * improvement)
    before = math.hypot(phi, volatility * math.sqrt(periods))
    after = 1 / math.sqrt(1 / before**2 + precision)
    return Rating(rating.elo + SCALE * after**2 * improvement, SCALE * after, volatility)


def _g(phi: float) -> float:
    """How much a result says against an opponent whose rating is this unsure."""
    return 1 / math.sqrt(1 + 3 * phi * phi / math.pi**2)


def _volatility(old: float, phi: float, variance: float, change: float) -> float:
    """Step 5 of the paper: the root of f by the Illinois algorithm."""
    a = math.log(old * old)

    def f(x: float) -> float:
        e = math.exp(x)
        top = e * (change**2 - phi**2 - variance - e)
        return top / (2 * (phi**2 + variance + e) ** 2) - (x - a) / TAU**2

    low = a
    if change**2 > phi**2 + variance:
        high = math.log(change**2 - phi**2 - variance)
    else:
        steps = 1
        while f(a - steps * TAU) < 0:
            steps += 1
        high = a - steps * TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > _TOLERANCE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)
