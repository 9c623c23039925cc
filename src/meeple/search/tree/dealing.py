"""The world of an iteration: how chance and hidden cards fall in it."""

from __future__ import annotations

import numpy as np

from meeple.core.contract import redeal, redeal_stratum
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array

STRATUM, WEIGHT, TIMES = 0, 1, 2  # columns of `dealt`


@kernel
def same_world(state, seat, rng, dealt):
    """Every iteration has the world of the root, with the fate that it holds."""


@kernel
def any_world(state, seat, rng, dealt):
    """A fresh world that fits what `seat` knows, with a fresh fate."""
    redeal(state, seat, rng)


@kernel
def stratified_world(state, seat, rng, dealt):
    """As `any_world`, of the class of worlds that is furthest behind its share of those dealt so far."""
    total = 0
    done = 0
    for i in range(len(dealt)):
        total += dealt[i, WEIGHT]
        done += dealt[i, TIMES]
    chosen = 0
    most = -np.inf
    for i in range(len(dealt)):
        lag = dealt[i, WEIGHT] * (done + 1.0) / total - dealt[i, TIMES]
        if lag > most:
            most = lag
            chosen = i
    dealt[chosen, TIMES] += 1
    redeal_stratum(state, seat, dealt[chosen, STRATUM], rng)
