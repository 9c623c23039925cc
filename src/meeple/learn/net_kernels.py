"""Training of a small network over sparse features, compiled: gradients of a minibatch, and a step of Adam.

    a    = b1 + sum of the rows w1[f] of the features that are there
    x    = b2 + sum over i of clip(a[i], 0, 1)^2 * w2[i]
    p    = 1 / (1 + exp(-x))                     the expected win share of the viewing seat
    loss = -(t log p + (1 - t) log(1 - p))       t the label

All in doubles; the model that is made of it counts in whole numbers (models/network.py).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.kernel import kernel

DECAY_1, DECAY_2, TINY = 0.9, 0.999, 1e-8  # of Adam (Kingma and Ba 2015), their defaults


class Weights(NamedTuple):
    """The weights of a network, or their gradients."""

    w1: NDArray[np.float64]  # [feature, hidden]
    b1: NDArray[np.float64]  # [hidden]
    w2: NDArray[np.float64]  # [hidden]
    b2: NDArray[np.float64]  # [1]


@kernel
def logit(active, row, turned, weights, sums):
    """x of one position; `turned` says where its features go, `sums` gets a."""
    for i in range(len(sums)):
        sums[i] = weights.b1[i]
    for k in range(active.shape[1]):
        if active[row, k] < 0:
            break
        place = turned[active[row, k]]
        for i in range(len(sums)):
            sums[i] += weights.w1[place, i]
    x = weights.b2[0]
    for i in range(len(sums)):
        a = min(max(sums[i], 0.0), 1.0)
        x += a * a * weights.w2[i]
    return x


@kernel
def loss_of(active, labels, rows, weights):
    """The mean loss of some positions."""
    sums = np.empty(len(weights.b1))
    unturned = np.arange(len(weights.w1))
    total = 0.0
    for row in rows:
        x = logit(active, row, unturned, weights, sums)
        total += np.log(1.0 + np.exp(-abs(x))) + max(x, 0.0) - labels[row] * x
    return total / max(1, len(rows))


@kernel
def add_gradients(active, labels, rows, turns, symmetries, weights, gradients):
    """Add the gradients of the mean loss of some positions, each turned in one of the symmetries; returns that loss."""
    sums = np.empty(len(weights.b1))
    slopes = np.empty(len(weights.b1))
    total = 0.0
    for number in range(len(rows)):
        row = rows[number]
        turned = symmetries[turns[number]]
        x = logit(active, row, turned, weights, sums)
        total += np.log(1.0 + np.exp(-abs(x))) + max(x, 0.0) - labels[row] * x
        slope = (1.0 / (1.0 + np.exp(-x)) - labels[row]) / len(rows)
        gradients.b2[0] += slope
        for i in range(len(sums)):
            a = min(max(sums[i], 0.0), 1.0)
            gradients.w2[i] += slope * a * a
            slopes[i] = slope * weights.w2[i] * 2.0 * a if 0.0 < sums[i] < 1.0 else 0.0
            gradients.b1[i] += slopes[i]
        for k in range(active.shape[1]):
            if active[row, k] < 0:
                break
            place = turned[active[row, k]]
            for i in range(len(slopes)):
                gradients.w1[place, i] += slopes[i]
    return total / max(1, len(rows))


@kernel
def adam(weights, gradients, first, second, rate, step):
    """Move flat weights by their gradients, which become 0; `step` counts from 1."""
    whole_1, whole_2 = 1.0 - DECAY_1**step, 1.0 - DECAY_2**step
    for i in range(len(weights)):
        first[i] = DECAY_1 * first[i] + (1.0 - DECAY_1) * gradients[i]
        second[i] = DECAY_2 * second[i] + (1.0 - DECAY_2) * gradients[i] * gradients[i]
        weights[i] -= rate * (first[i] / whole_1) / (np.sqrt(second[i] / whole_2) + TINY)
        gradients[i] = 0.0
