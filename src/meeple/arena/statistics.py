"""What results say: scores with intervals, and the Elo scale.

The unit is a *set*: one seed played with all exchanges of seats. Matches of a set share their luck, so
they are not independent; sets are. An interval is Wilson's, with the number of trials that the spread
between the sets stands for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

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


def wilson(share: float, trials: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's score interval of a share observed over `trials` trials."""
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return max(0.0, centre - half), min(1.0, centre + half)


def elo(share: float) -> float:
    """The difference in Elo at which a win share is expected; infinite at 0 and 1."""
    if share <= 0.0:
        return -math.inf
    if share >= 1.0:
        return math.inf
    return -400 * math.log10(1 / share - 1)
