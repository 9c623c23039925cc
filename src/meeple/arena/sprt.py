"""A sequential test: play until it is clear whether an agent is stronger by elo1, or only by elo0.

The generalised sequential probability ratio test of Van den Bergh, as fishtest and fastchess run it on pairs of
games. The scores of the first agent in sets fall on a few values a with observed shares; the likelihood ratio is
that of the two distributions on these values which fit best under

    logistic     mean = share(elo0), mean = share(elo1)
    normalized   (mean - even) / deviation = t(elo0), = t(elo1)

The best fit under a given mean is p / (1 + x (a - mean)), with x the root of sum p (a - mean) / (1 + x (a - mean));
under a given t it is the same with other numbers for a, found by repetition. Values that a score could take and has
not taken count as 0.001 sets. The test ends where the log of the ratio leaves log(beta / (1 - alpha)) ..
log((1 - beta) / alpha).

With more than two seats the score is the agent's win share against the whole table, and

    share(elo) = 10 ** (elo / 400) / (10 ** (elo / 400) + seats - 1)

is what Plackett and Luce's model gives it among equal others: even at 0, and the logistic curve for two seats.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

from meeple.arena.statistics import CONFIDENCE, Interval
from meeple.errors import ConfigError

Array = npt.NDArray[np.float64]
Scores = Mapping[float, float]  # a set's score -> how many sets had it
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # LL, LD, even, WD, WW
_UNSEEN = 1e-3  # sets that a score counts as which never came up


def count_scores(scores: Iterable[float]) -> Counter[float]:
    """Count equal scores; rounding to a billionth joins those that differ by floating-point error only."""
    return Counter(round(score, 9) for score in scores)


def pentanomial(scores: Iterable[float]) -> list[int]:
    """The pairs LL, LD, even, WD, WW among the scores of pairs."""
    counted = count_scores(scores)
    return [counted[score] for score in PAIR_SCORES]


def games_a_set(seats: int) -> int:
    """All permutations of the seats, above four all rotations."""
    return math.factorial(seats) if seats <= 4 else seats


@dataclass(frozen=True)
class SprtLook:
    """Where a test stands: the log-likelihood ratio between its bounds, and what follows."""

    llr: float
    lower: float
    upper: float
    verdict: Literal["go on", "H0", "H1"]


@dataclass(frozen=True)
class Sprt:
    """A test of elo1 against elo0 for the first agent of a set, decided with errors alpha (H0 true) and beta (H1)."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Literal["logistic", "normalized"] = "logistic"
    seats: int = 2

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ConfigError(f"a test needs elo0 below elo1, not {self.elo0:g} and {self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ConfigError(f"alpha and beta lie between 0 and 0.5, not {self.alpha:g} and {self.beta:g}")
        if self.model not in ("logistic", "normalized"):
            raise ConfigError(f"the model is logistic or normalized, not '{self.model}'")

    @property
    def lower(self) -> float:
        """Below it H0 is taken: not stronger by elo1."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """Above it H1 is taken: stronger than elo0."""
        return math.log((1 - self.beta) / self.alpha)

    def look(self, scores: Scores | Sequence[int]) -> SprtLook:
        """What the sets so far say; for pairs their five counts will do."""
        llr = self.llr(scores)
        verdict: Literal["go on", "H0", "H1"] = "H1" if llr >= self.upper else "H0" if llr <= self.lower else "go on"
        return SprtLook(llr, self.lower, self.upper, verdict)

    def llr(self, scores: Scores | Sequence[int]) -> float:
        """The log-likelihood ratio of H1 to H0; 0 before the first set."""
        counted = as_counts(scores, self.seats)
        if not sum(counted.values()):
            return 0.0
        values = sorted(counted)
        return float(self.llrs(values, np.array([[counted[value]] for value in values], dtype=np.float64))[0])

    def llrs(self, values: Sequence[float], counts: Array) -> Array:
        """The ratios of many tests at once: counts[i, test] sets had values[i]; 0 and 1 are among the values."""
        counts = np.where(counts == 0, _UNSEEN, counts)
        totals = counts.sum(axis=0)
        shares, points = counts / totals, np.array(values, dtype=np.float64)[:, np.newaxis]
        if self.model == "logistic":
            fits = [_fit_mean(points, shares, expected_share(elo, self.seats)) for elo in (self.elo0, self.elo1)]
            return _ratio(totals, shares, fits)
        even, (t0, t1) = 1 / self.seats, (self._t(elo) for elo in (self.elo0, self.elo1))
        exact = _ratio(totals, shares, [_fit_t(points, shares, even, t) for t in (t0, t1)])
        mean = (shares * points).sum(axis=0)
        t = (mean - even) / np.sqrt((shares * (points - mean) ** 2).sum(axis=0))
        near: Array = totals / 2 * np.log((1 + (t - t0) ** 2) / (1 + (t - t1) ** 2))
        return np.where(np.isfinite(exact), exact, near)

    def _t(self, elo: float) -> float:
        """Convert a normalized Elo to t, the distance of the mean from even in standard deviations of a set."""
        return elo / _normal_elo(self.seats) * math.sqrt(games_a_set(self.seats))


def expected_share(elo: float, seats: int = 2) -> float:
    """The win share of an agent that is `elo` above each of the others, who are equal."""
    worth = 10 ** (elo / 400)
    return float(worth / (worth + seats - 1))


def elo_for(share: float, seats: int = 2) -> float:
    """The Elo above equal others at which a win share, between 0 and 1, is expected."""
    return 400 * math.log10(share * (seats - 1) / (1 - share))


def normalized_elo(scores: Scores | Sequence[int], seats: int = 2, confidence: float = CONFIDENCE) -> Interval:
    """Normalized Elo with its interval: the distance from even in deviations of a game, on a scale where it is Elo
    for independent games without draws. It measures how many games it takes to see the difference."""
    counted = {value: count or _UNSEEN for value, count in as_counts(scores, seats).items()}
    n = math.fsum(counted.values())
    moments = [math.fsum(count * value for value, count in counted.items()) / n]
    moments += [math.fsum(c * (v - moments[0]) ** power for v, c in counted.items()) / n for power in (2, 3, 4)]
    mean, variance, third, fourth = moments
    t = (mean - 1 / seats) / math.sqrt(variance)
    spread = 1 - t * third / variance**1.5 + t * t * (fourth / variance**2 - 1) / 4  # of an estimated t, times n
    half = NormalDist().inv_cdf(0.5 + confidence / 2) * math.sqrt(max(spread, 0.0) / n)
    scale = _normal_elo(seats) / math.sqrt(games_a_set(seats))
    return Interval(scale * t, scale * (t - half), scale * (t + half), confidence)


def as_counts(scores: Scores | Sequence[int], seats: int) -> dict[float, float]:
    """Counts with the values that a regular test needs: all five of a pair, else the observed ones, 0 and 1."""
    if isinstance(scores, Mapping):
        base = PAIR_SCORES if seats == 2 else (0.0, 1.0)
        return {**dict.fromkeys(base, 0.0), **{float(value): float(count) for value, count in scores.items()}}
    if seats != 2 or len(scores) != 5:
        raise ConfigError(f"pairs have five counts, LL, LD, even, WD, WW, not {len(scores)}")
    return dict(zip(PAIR_SCORES, map(float, scores), strict=True))


def _normal_elo(seats: int) -> float:
    """Normalized Elo of one deviation of a game: 800 / ln 10 for two seats.

    A game of n seats among equals has deviation sqrt(n - 1) / n, and an Elo adds ln(10) / 400 (n - 1) / n**2 to
    the share.
    """
    return 400 / math.log(10) * seats / math.sqrt(seats - 1)


def _ratio(totals: Array, shares: Array, fits: list[Array]) -> Array:
    ratio: Array = totals * (shares * (np.log(fits[1]) - np.log(fits[0]))).sum(axis=0)
    return ratio


def _fit_mean(points: Array, shares: Array, mean: float) -> Array:
    """The likeliest distribution on the points with this mean."""
    distances = np.broadcast_to(points - mean, shares.shape)
    return shares / (1 + _root(distances, shares) * distances)


def _fit_t(points: Array, shares: Array, even: float, t: float) -> Array:
    """The likeliest distribution on the points with (mean - even) / deviation = t; NaN where it was not found.

    Van den Bergh, "Comments on normalized Elo", 4.1: linearise the condition at the last distribution, fit, repeat.
    """
    fit = np.full_like(shares, 1 / len(points))
    for _ in range(50):
        mean = (fit * points).sum(axis=0)
        deviation = np.sqrt((fit * (points - mean) ** 2).sum(axis=0))
        distances = points - even - t * deviation * (1 + ((mean - points) / deviation) ** 2) / 2
        last, fit = fit, shares / (1 + _root(distances, shares) * distances)
        if not np.nanmax(np.abs(fit - last), initial=0.0) > 1e-9:
            break
    reached = np.abs(fit - last).max(axis=0) < 1e-6
    return np.where(reached, fit, np.nan)


def _root(distances: Array, shares: Array) -> Array:
    """The x at which sum p d / (1 + x d) = 0, for each column; NaN where all d have one sign."""
    from scipy.optimize.elementwise import find_root

    least, greatest = distances.min(axis=0), distances.max(axis=0)
    found = np.full(shares.shape[1], np.nan)
    (columns,) = np.nonzero((least < 0) & (greatest > 0))
    if len(columns):

        def slope(x: Array, column: Array) -> Array:
            d, p = distances[:, column.astype(np.int64)], shares[:, column.astype(np.int64)]
            total: Array = (p * d / (1 + x * d)).sum(axis=0)
            return total

        inside = 1 - 1e-12
        ends = (-inside / greatest[columns], -inside / least[columns])
        found[columns] = find_root(slope, ends, args=(columns.astype(np.float64),)).x
    return found
