"""What results say: counts and means with intervals, and the Elo scale.

The unit is a *set*: one seed played with all exchanges of seats. Matches of a set share their luck, so
they are not independent; sets are. An interval is Wilson's, with the number of trials that the spread
between the sets stands for.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import rng_for

FloatArray = NDArray[np.float64] | NDArray[np.int64]
CONFIDENCE = 0.98  # of every interval in the arena, unless one asks otherwise


@dataclass(frozen=True)
class Interval:
    """A mean and the interval around it; for a win share all three are in 0..1."""

    mean: float
    low: float
    high: float
    confidence: float = CONFIDENCE


def score_interval(scores: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """The interval of the mean of independent scores in [0, 1].

    With scores of only 0 and 1 it is Wilson's interval. Scores in between vary less than coin tosses of
    the same mean, which counts as more trials: n_eff = n p (1 - p) / variance. The variance is taken with
    two further scores, a 0 and a 1, so that a few equal scores do not pass for certainty.
    """
    n = len(scores)
    if n == 0:
        return Interval(0.5, 0.0, 1.0, confidence)
    mean = math.fsum(scores) / n
    middle, variance = _padded_moments(scores)
    trials = n * max(1.0, middle * (1 - middle) / variance)
    low, high = wilson(mean, trials, confidence)
    return Interval(mean, low, high, confidence)


def _padded_moments(scores: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of the scores with a 0 and a 1 added."""
    padded = [*scores, 0.0, 1.0]
    mean = math.fsum(padded) / len(padded)
    return mean, math.fsum((score - mean) ** 2 for score in padded) / len(padded)


def rate_interval(wins: Sequence[float], times: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """The interval of a rate, all wins by all times, where each set has its own number of times.

    The spread is that of a ratio: of wins - rate * times from set to set, with two further sets of the mean size, one
    all lost and one all won. Wilson's interval with the number of trials which that spread stands for, at most `times`.
    """
    total = math.fsum(times)
    if total == 0:
        return Interval(0.5, 0.0, 1.0, confidence)
    rate, size = math.fsum(wins) / total, total / len(times)
    wins, times = [*wins, 0.0, size], [*times, size, size]
    middle = math.fsum(wins) / math.fsum(times)
    spread = math.fsum((won - middle * n) ** 2 for won, n in zip(wins, times, strict=True)) / len(times)
    trials = min(total, (len(times) - 2) * middle * (1 - middle) * size**2 / spread)
    low, high = wilson(rate, trials, confidence)
    return Interval(rate, low, high, confidence)


def wilson(share: float, trials: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's score interval of a share observed over `trials` trials."""
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return max(0.0, centre - half), min(1.0, centre + half)


def superiority(scores: Sequence[float], even: float = 0.5) -> float:
    """The likelihood of superiority: how sure the sets make it that the mean score is above `even`.

    The normal distribution's share below (mean - even) / (s / sqrt(n)), with s of the scores and of two further
    ones, a 0 and a 1, as in `score_interval`: one pair won says 0.86, not certainty. It is a one-sided p-value
    turned round, good for one look at the end; it is not the probability that the agent is stronger.
    """
    if not scores:
        return 0.5
    _, variance = _padded_moments(scores)
    mean = math.fsum(scores) / len(scores)
    return NormalDist().cdf((mean - even) / math.sqrt(variance / len(scores)))


@dataclass(frozen=True)
class Tally:
    """How games ended for one agent; a draw is any share of a win that is neither none nor all of it."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """Games in all."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Wins and half the draws, a game; with more than two seats a draw's share may be another."""
        return (self.wins + self.draws / 2) / self.games if self.games else math.nan


def tally(shares: Iterable[float]) -> Tally:
    """Count wins, draws and losses from an agent's win share in each game."""
    counts = Counter("wins" if share == 1 else "losses" if share == 0 else "draws" for share in shares)
    return Tally(counts["wins"], counts["draws"], counts["losses"])


def margin(points: Sequence[float], seat: int) -> float:
    """The points of `seat` less those of the best other seat: negative where it is behind."""
    return points[seat] - max(other for number, other in enumerate(points) if number != seat)


def measure(metric: str, shares: Sequence[float], points: Sequence[float], seat: int) -> float:
    """What a game was worth to a seat: its `score` (share of the win), `wins` alone, `points`, or `margin`."""
    if metric == "score":
        return shares[seat]
    if metric == "wins":
        return float(shares[seat] == 1)
    return float(points[seat]) if metric == "points" else margin(points, seat)


def bootstrap_interval(
    values: Sequence[float], confidence: float = CONFIDENCE, *, resamples: int = 4_000, seed: int = 1
) -> Interval:
    """The interval of the mean of independent values of any scale: an agent's mean points or margin in each set.

    The expanded percentile bootstrap: means of samples drawn from the values with replacement, cut at quantiles
    that are further out for few values, as Student's are. The same values in the same order give the same
    interval to the last bit everywhere: draws are integers, and means are added up in a fixed order. With fewer
    than two values nothing is known.
    """
    n = len(values)
    if n < 2:
        return Interval(values[0] if n else math.nan, -math.inf, math.inf, confidence)
    stream, array = rng_for("bootstrap", seed=seed), np.asarray(values, dtype=np.float64)
    totals = np.zeros(resamples)
    for _ in range(n):
        totals += array[stream.many(n, resamples)]
    totals.sort()
    cut = math.floor(resamples * _expanded_tail(n, confidence))
    return Interval(math.fsum(values) / n, float(totals[cut]) / n, float(totals[-1 - cut]) / n, confidence)


def t_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Student's interval of the mean of independent, roughly normal values: the wins in each of ten sets of games.

    mean +- t s / sqrt(n), with t of n - 1 degrees of freedom. With fewer than two values nothing is known.
    """
    from scipy.special import stdtrit

    n = len(values)
    if n < 2:
        return Interval(values[0] if n else math.nan, -math.inf, math.inf, confidence)
    mean = math.fsum(values) / n
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (n - 1))
    half = float(stdtrit(n - 1, 0.5 + confidence / 2)) * deviation / math.sqrt(n)
    return Interval(mean, mean - half, mean + half, confidence)


def ratio_interval(
    totals: Sequence[float] | FloatArray, counts: Sequence[float] | FloatArray, confidence: float = CONFIDENCE
) -> Interval:
    """The interval of a ratio of sums, all totals by all counts, where each set has its own count of either.

    Such is a mean over decisions: sets have many, not equally many, and only sets are independent. Student's interval
    of the linearised ratio: the spread of total - ratio * count from set to set, with one degree of freedom fewer than
    sets. With fewer than two sets nothing is known.
    """
    from scipy.special import stdtrit

    sums, sizes = np.asarray(totals, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    n, size = len(sums), math.fsum(sizes)
    ratio = math.fsum(sums) / size if size else math.nan
    if n < 2 or not size:
        return Interval(ratio, -math.inf, math.inf, confidence)
    deviation = math.sqrt(math.fsum((sums - ratio * sizes) ** 2) / (n - 1))
    half = float(stdtrit(n - 1, 0.5 + confidence / 2)) * deviation * math.sqrt(n) / size
    return Interval(ratio, ratio - half, ratio + half, confidence)


def bootstrap_ratio(
    totals: Sequence[float] | FloatArray,
    counts: Sequence[float] | FloatArray,
    confidence: float = CONFIDENCE,
    *,
    resamples: int = 20_000,
    seed: int = 1,
) -> Interval:
    """The interval of a ratio of sums by the expanded percentile bootstrap over sets: `ratio_interval`, drawn.

    Where a few sets hold most of the total, it leans to their side as Student's cannot. With fewer than two sets
    nothing is known.
    """
    sums, sizes = np.asarray(totals, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    n, size = len(sums), math.fsum(sizes)
    ratio = math.fsum(sums) / size if size else math.nan
    if n < 2 or not size:
        return Interval(ratio, -math.inf, math.inf, confidence)
    stream = rng_for("bootstrap", seed=seed)
    above, below = np.zeros(resamples), np.zeros(resamples)
    for _ in range(n):
        drawn = stream.many(n, resamples)
        above += sums[drawn]
        below += sizes[drawn]
    found = np.sort(above[below > 0] / below[below > 0])
    cut = math.floor(len(found) * _expanded_tail(n, confidence))
    return Interval(ratio, float(found[cut]), float(found[-1 - cut]), confidence)


def _expanded_tail(n: int, confidence: float) -> float:
    """The share of resamples to cut off at either end (Hesterberg 2015): that of a normal deviate as far out,
    in standard deviations of n equal weights, as Student's quantile is with n - 1 degrees of freedom."""
    from scipy.special import ndtr, stdtrit

    return float(ndtr(-math.sqrt(n / (n - 1)) * stdtrit(n - 1, 0.5 + confidence / 2)))


def distinct(courses: Iterable[Hashable]) -> list[int]:
    """The indices of the sets that do not repeat an earlier one; `courses` names what was played in each.

    Two agents without chance in a game without chance replay the same set as often as it is asked for: that is one
    trial, not many. Where chance has a part, in the game or in an agent, equal sets are trials of their own, and
    leaving them out would count the usual for too little: then use all sets.
    """
    first: dict[Hashable, int] = {}
    for number, course in enumerate(courses):
        first.setdefault(course, number)
    return [*first.values()]


def elo(share: float) -> float:
    """The difference in Elo at which a win share is expected; infinite at 0 and 1."""
    if share <= 0.0:
        return -math.inf
    if share >= 1.0:
        return math.inf
    return -400 * math.log10(1 / share - 1)
