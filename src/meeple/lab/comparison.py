"""Two measurements compared: intervals of differences, trends, ratios, and what could have been seen.

All are pure functions of intervals and samples; judge.py makes verdicts of them. Their error rates are held by
simulation in tests/lab/test_comparison.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from meeple.arena.statistics import Interval, bootstrap_interval, bootstrap_ratio, score_interval, t_interval

CONFIDENCE = 0.99  # of every verdict, shared out among the entries of an item (Bonferroni)
POWER = 0.8  # the chance with which a difference "could have been seen"
BAND_DRAWS = 20_000


@dataclass(frozen=True)
class Difference:
    """One mean less another, its interval, and the smallest difference that this size finds four times in five."""

    value: float
    low: float
    high: float
    visible: float

    @property
    def is_shown(self) -> bool:
        """Whether the interval leaves 0."""
        return self.low > 0 or self.high < 0


def shared_out(confidence: float, n: int) -> float:
    """The confidence of each of `n` statements for which all of them together have `confidence` (Bonferroni)."""
    return 1 - (1 - confidence) / max(1, n)


def sample_interval(values: Sequence[float], confidence: float, *, is_share: bool) -> Interval:
    """The interval of the mean of one agent's sets: Wilson's with pairs counted as pairs, or the bootstrap's."""
    return score_interval(values, confidence) if is_share else bootstrap_interval(values, confidence)


def difference(a: Interval, b: Interval) -> Difference:
    """Newcombe's interval of a - b, from an interval of each at the same confidence (his method 10).

    With Wilson's intervals of two independent shares it keeps its confidence even near 0 and 1. The square of each
    arm is the sum of the squares of the arms that it is made of.
    """
    value = a.mean - b.mean
    low = value - math.hypot(a.mean - a.low, b.high - b.mean)
    high = value + math.hypot(a.high - a.mean, b.mean - b.low)
    return Difference(value, low, high, visible((high - low) / 2, a.confidence))


def visible(arm: float, confidence: float) -> float:
    """The difference that an interval with this arm leaves with a chance of POWER.

    The arm is z standard errors; a difference of z + 0.84 of them is found four times in five.
    """
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    return arm * (1 + NormalDist().inv_cdf(POWER) / z)


def trend(found: Sequence[Interval]) -> Difference:
    """The change from the first to the last of several means along a straight line, with its interval.

    The slope is that of least squares over equally spaced places: a sum of the means with fixed factors. Its
    standard error comes from the intervals' arms; means are independent.
    """
    n = len(found)
    middle = (n - 1) / 2
    squares = sum((place - middle) ** 2 for place in range(n))
    factors = [(n - 1) * (place - middle) / squares for place in range(n)]
    value = math.fsum(factor * each.mean for factor, each in zip(factors, found, strict=True))
    arm = math.sqrt(
        math.fsum((factor * (each.high - each.low) / 2) ** 2 for factor, each in zip(factors, found, strict=True))
    )
    return Difference(value, value - arm, value + arm, visible(arm, found[0].confidence))


def ratio(a: Interval, b: Interval) -> tuple[float, float, float]:
    """a / b with its interval, from intervals of two positive means: Newcombe's way, on the logarithms."""
    if min(a.mean, b.mean) <= 0:
        return math.nan, 0.0, math.inf
    value = math.log(a.mean / b.mean)
    low = math.hypot(_log(a.mean, a.low), _log(b.high, b.mean))
    high = math.hypot(_log(a.high, a.mean), _log(b.mean, b.low))
    return math.exp(value), math.exp(value - low), _exp(value + high)


def _log(high: float, low: float) -> float:
    return math.log(high / low) if low > 0 else math.inf


def _exp(value: float) -> float:
    return math.exp(value) if value < 700 else math.inf


def band(curves: Sequence[Sequence[float]], counts: Sequence[Sequence[float]], confidence: float) -> list[Interval]:
    """The bootstrap's band around a curve, at each place so wide that the whole curve stays inside with `confidence`.

    `curves[i]` holds our independent values at place i, or sums over `counts[i]` decisions each where these are given.
    A published mean of few games has its own error, which is not known here: where the number of games is told,
    compare differences instead.
    """
    level = shared_out(confidence, len(curves))
    # Finer tails than the default: with many places the cut lies far out.
    return [
        bootstrap_ratio(values, sizes, level, resamples=BAND_DRAWS)
        if sizes
        else bootstrap_interval(values, level, resamples=BAND_DRAWS)
        for values, sizes in zip(curves, counts, strict=True)
    ]


def visible_factor(low: float, high: float, confidence: float) -> float:
    """The factor between two ratios that an interval of one, on the logarithms, leaves with a chance of POWER."""
    if low <= 0 or not math.isfinite(high):
        return math.inf
    return _exp(visible(math.log(high / low) / 2, confidence))


def visible_shift(trials: Sequence[Sequence[float]], needed: int) -> float:
    """By what part of its own width our values' range must be missed for `needed` places to fall outside of it.

    One value of each place, all moved the same way by this part of the width of its place, come to lie below the
    least or above the greatest in so many places with a chance of POWER. Parts are tried in steps of a hundredth.
    """
    ordered = [np.sort(np.asarray(values, dtype=np.float64)) for values in trials]
    for part in range(1, 102):
        shifts = [(part / 100) * float(values[-1] - values[0]) for values in ordered]
        pairs = list(zip(ordered, shifts, strict=True))
        up = [float(np.mean(values > values[-1] - shift)) for values, shift in pairs]
        down = [float(np.mean(values < values[0] + shift)) for values, shift in pairs]
        if min(at_least(up, needed), at_least(down, needed)) >= POWER:
            return part / 100
    return math.inf


def at_least(chances: Sequence[float], needed: int) -> float:
    """The probability that at least so many of independent events of these chances come to pass."""
    known = [1.0]  # of exactly 0, 1, 2 ... so far
    for chance in chances:
        known = [
            (known[k] * (1 - chance) if k < len(known) else 0.0) + (known[k - 1] * chance if k else 0.0)
            for k in range(len(known) + 1)
        ]
    return math.fsum(known[needed:])


def set_means(values: Sequence[float], games: int) -> list[float]:
    """The sums of whole groups of `games` values each, in order: wins of each of ten sets of a hundred games."""
    whole = len(values) // games
    return [math.fsum(values[place * games : (place + 1) * games]) for place in range(whole)]


def sets_interval(values: Sequence[float], games: int, confidence: float = 0.95) -> Interval | None:
    """Student's interval of the wins of a set of so many games; None with fewer than two whole sets."""
    sums = set_means(values, games)
    return t_interval(sums, confidence) if len(sums) > 1 else None


def over_groups(values: Sequence[float], groups: Sequence[int], found: Interval) -> Interval:
    """Widen the interval of a share to Student's over the means of groups of its values, such as training runs.

    Runs of one recipe may differ by more than the luck of their games; with few runs the luck of the games may be all
    that is seen. So the wider end is taken on either side.
    """
    means = []
    for group in sorted(set(groups)):
        own = [value for value, number in zip(values, groups, strict=True) if number == group]
        means.append(math.fsum(own) / len(own))
    student = t_interval(means, found.confidence)
    low, high = max(0.0, min(found.low, student.low)), min(1.0, max(found.high, student.high))
    return Interval(found.mean, low, high, found.confidence)
