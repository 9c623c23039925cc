"""What the best of many is worth: the mean that chose it flatters it.

Of candidates that are all alike, the best on some seeds looks better than it is, by luck. The sure cure is to play it
again on fresh seeds. Where all candidates have played the same seeds there is one that costs no games: draw seeds with
replacement, choose the best by those that were drawn, and look what it did on those that were not, many times over
(Tsamardinos, Greasidou and Borboudakis 2018, "Bootstrapping the out-of-sample predictions for efficient and accurate
cross-validation").
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from meeple.arena.statistics import CONFIDENCE, Interval
from meeple.core.chance import rng_for

RESAMPLES = 1_000


def corrected_best(sets: Sequence[Sequence[float]], confidence: float = CONFIDENCE) -> Interval | None:
    """The mean to expect of whichever candidate looks best, with its interval; `sets[i]` are the means of candidate i.

    All have played the same seeds in the same order. None where there are fewer than two candidates or three seeds.
    The same sets give the same interval everywhere.
    """
    table = np.asarray(sets, dtype=np.float64)
    if table.ndim != 2 or len(table) < 2 or table.shape[1] < 3:
        return None
    n_seeds = table.shape[1]
    stream = rng_for("choosing", seed=1)
    found = []
    for _ in range(RESAMPLES):
        drawn = stream.many(n_seeds, n_seeds)
        times = np.bincount(drawn, minlength=n_seeds)
        left = times == 0
        if left.any():
            best = int(np.argmax(table @ times))
            found.append(float(table[best, left].mean()))
    low, mean, high = np.quantile(found, (1 - confidence) / 2), np.mean(found), np.quantile(found, (1 + confidence) / 2)
    return Interval(float(mean), float(low), float(high), confidence)
