"""Labels of positions: what a search found and how the game ended, mixed.

A search's value is not a probability: each teacher has a scale of its own. It is fitted by logistic regression of the
results on the values that the same teacher gave, so that generations can be learnt from together:

    x     = 2 artanh(value)                      the logit of a value that is 2p - 1
    p     = 1 / (1 + exp(-scale * x))            scale by the least loss over the teacher's games
    label = trust * p + (1 - trust) * share      a proof counts as 0 or 1; without a value the share alone
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meeple.search.alphabeta_kernels import PROOF

Floats = NDArray[np.float64]
NEAREST = 0.999  # values are kept so far from certainty
STEPS = 30  # of Newton's method; some five are enough
SCALES = (0.01, 100.0)
MOST_FITTED = 500_000  # positions that a scale is fitted to


def logits(values: NDArray[np.floating]) -> Floats:
    """x of values in -1..1, and of proofs."""
    found: Floats = 2.0 * np.arctanh(np.clip(values.astype(np.float64), -NEAREST, NEAREST))
    return found


def fitted_scale(values: NDArray[np.floating], shares: NDArray[np.floating]) -> float:
    """The scale with which values, proofs and NaN left out, say most of the win shares that their games ended with."""
    is_undecided = np.abs(values) <= PROOF
    x, y = logits(values[is_undecided][:MOST_FITTED]), shares[is_undecided][:MOST_FITTED].astype(np.float64)
    if not len(x) or not x.any():
        return 1.0
    scale = 1.0
    for _ in range(STEPS):
        p = sigmoid(scale * x)
        slope, bend = float(np.mean((p - y) * x)), float(np.mean(p * (1.0 - p) * x * x))
        step = slope / max(bend, 1e-12)
        # At most by half and twice: far from its least place the loss is no parabola.
        scale = float(np.clip(scale - step, max(SCALES[0], scale / 2.0), min(SCALES[1], scale * 2.0)))
        if abs(step) < 1e-6 * scale:
            break
    return scale


def mixed_labels(
    values: NDArray[np.floating], shares: NDArray[np.floating], *, scale: float, trust: float
) -> NDArray[np.float64]:
    """The labels of one teacher's positions."""
    searched = np.where(np.abs(values) > PROOF, (values > 0.0) * 1.0, sigmoid(scale * logits(values)))
    results = shares.astype(np.float64)
    return np.where(np.isnan(values), results, trust * searched + (1.0 - trust) * results)


def sigmoid(x: Floats) -> Floats:
    """The logistic function."""
    found: Floats = 1.0 / (1.0 + np.exp(-np.clip(x, -60.0, 60.0)))
    return found
