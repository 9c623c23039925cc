"""Linear weights over facts and grown conjunctions of them, compiled: gradients, losses, and what conjunctions promise.

    x    = bias + sum of the weights of the facts and conjunctions that are there
    p    = 1 / (1 + exp(-x))                     the expected win share of the viewing seat
    loss = -(t log p + (1 - t) log(1 - p))       t the label

Conjunction j is there if both features of joins[j] are: facts, 0 .. size - 1, or earlier conjunctions, from size on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.kernel import kernel


class Grown(NamedTuple):
    """What is learnt, and scratch for one position."""

    weights: NDArray[np.float64]  # bias, facts, conjunctions
    gradients: NDArray[np.float64]
    joins: NDArray[np.int64]  # [conjunction, 2]
    present: NDArray[np.bool_]  # of facts and conjunctions: whether they are there
    there: NDArray[np.int64]  # those that are


@kernel
def read(active, row, turned, grown, n_joins):
    """Write to `there` what a position has, turned in one of the symmetries; returns (how many, x)."""
    size = len(grown.present) - len(grown.joins)
    n = 0
    x = grown.weights[0]
    for k in range(active.shape[1]):
        if active[row, k] < 0:
            break
        grown.there[n] = turned[active[row, k]]
        grown.present[grown.there[n]] = True
        n += 1
    for j in range(n_joins):
        if grown.present[grown.joins[j, 0]] and grown.present[grown.joins[j, 1]]:
            grown.present[size + j] = True
            grown.there[n] = size + j
            n += 1
    for k in range(n):
        x += grown.weights[1 + grown.there[k]]
    return n, x


@kernel
def forget(grown, n):
    """Make `present` empty again."""
    for k in range(n):
        grown.present[grown.there[k]] = False


@kernel
def loss_of(active, labels, rows, symmetries, grown, n_joins):
    """The mean loss of some positions as they are."""
    total = 0.0
    for row in rows:
        n, x = read(active, row, symmetries[0], grown, n_joins)
        forget(grown, n)
        total += np.log(1.0 + np.exp(-abs(x))) + max(x, 0.0) - labels[row] * x
    return total / max(1, len(rows))


@kernel
def add_gradients(active, labels, rows, turns, symmetries, grown, n_joins):
    """Add the gradients of the mean loss of some positions, each turned in its way; returns that loss."""
    total = 0.0
    for number in range(len(rows)):
        row = rows[number]
        n, x = read(active, row, symmetries[turns[number]], grown, n_joins)
        total += np.log(1.0 + np.exp(-abs(x))) + max(x, 0.0) - labels[row] * x
        slope = (1.0 / (1.0 + np.exp(-x)) - labels[row]) / len(rows)
        grown.gradients[0] += slope
        for k in range(n):
            grown.gradients[1 + grown.there[k]] += slope
        forget(grown, n)
    return total / max(1, len(rows))


@kernel
def count_use(active, rows, turns, symmetries, grown, n_joins, counts):
    """Count in how many of some positions each fact and conjunction is."""
    for number in range(len(rows)):
        n, _ = read(active, rows[number], symmetries[turns[number]], grown, n_joins)
        for k in range(n):
            counts[grown.there[k]] += 1
        forget(grown, n)


@kernel
def weigh_pairs(active, labels, rows, turns, symmetries, grown, n_joins, places, slopes, bends, counts):
    """Sum up, for each pair of pooled features, the slope and the bend of the loss by a weight that it would have.

    `places` has the place of a feature in the pool, or -1; the tables are [place, place], the lower place first.
    """
    for number in range(len(rows)):
        row = rows[number]
        n, x = read(active, row, symmetries[turns[number]], grown, n_joins)
        p = 1.0 / (1.0 + np.exp(-x))
        for k in range(n):
            one = places[grown.there[k]]
            for m in range(k) if one >= 0 else range(0):
                other = places[grown.there[m]]
                if other >= 0:
                    low, high = min(one, other), max(one, other)
                    slopes[low, high] += p - labels[row]
                    bends[low, high] += p * (1.0 - p)
                    counts[low, high] += 1
        forget(grown, n)
