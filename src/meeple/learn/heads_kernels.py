"""A small network with two heads, compiled: what a position is worth, and a number for each legal move.

    a    = b1 + sum of the rows w1[f] of the position's features
    h    = clip(a, 0, 1)^2
    x    = b2 + w2 . h                                       the value head: a win share of 1 / (1 + exp(-x))
    m(f) = policy_bias[f] + policy[f] . h                    for each feature of moves
    y(k) = sum of m(f) over the features f of the k-th move  the policy head: a logit, or a worth

All in doubles; the model made of it counts in whole numbers (models/network.py). Nothing here knows a game.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array

Floats = NDArray[np.float64]


class Heads(NamedTuple):
    """The weights of a network with two heads, or their gradients."""

    w1: Floats  # [feature, hidden]
    b1: Floats  # [hidden]
    w2: Floats  # [hidden]
    b2: Floats  # [1]
    policy: Floats  # [feature of a move, hidden]
    policy_bias: Floats  # [feature of a move]


class Sight(NamedTuple):
    """What a network sees of one position, and thinks of it: scratch that is written anew for each."""

    active: NDArray[np.int64]  # the position's features
    legal: NDArray[np.int64]  # its moves
    listed: NDArray[np.int64]  # the features of one move, as the game writes them
    moves: NDArray[np.int32]  # [move, k]: the features of every move
    n_moves: NDArray[np.int64]  # [move]: how many of these
    sums: Floats  # a
    hidden: Floats  # h
    slopes: Floats  # of the loss by h, then by a
    likings: Floats  # m
    leanings: Floats  # of the loss by m
    logits: Floats  # [move]: y
    chances: Floats  # [move]: the policy, where logits are such


@kernel
def think(weights, sight, n_active, n_legal):
    """Fill in what the network thinks of the features and moves that were read; returns x."""
    sums, hidden, likings = sight.sums, sight.hidden, sight.likings
    for i in range(len(sums)):
        sums[i] = weights.b1[i]
    for k in range(n_active):
        row = sight.active[k]
        for i in range(len(sums)):
            sums[i] += weights.w1[row, i]
    x = weights.b2[0]
    for i in range(len(sums)):
        a = min(max(sums[i], 0.0), 1.0)
        hidden[i] = a * a
        x += hidden[i] * weights.w2[i]
    for f in range(len(likings)):
        total = weights.policy_bias[f]
        for i in range(len(hidden)):
            total += weights.policy[f, i] * hidden[i]
        likings[f] = total
    for k in range(n_legal):
        total = 0.0
        for j in range(sight.n_moves[k]):
            total += likings[sight.moves[k, j]]
        sight.logits[k] = total
    return x


@kernel
def lean(sight, move, slope):
    """Note the slope of the loss by the logit of a move."""
    for j in range(sight.n_moves[move]):
        sight.leanings[sight.moves[move, j]] += slope


@kernel
def add_heads(weights, gradients, sight, n_active, slope):
    """Add the gradients at the position in sight: `slope` is that of the loss by x, those by logits were noted."""
    hidden, slopes, leanings = sight.hidden, sight.slopes, sight.leanings
    gradients.b2[0] += slope
    for i in range(len(hidden)):
        gradients.w2[i] += slope * hidden[i]
        slopes[i] = slope * weights.w2[i]
    for f in range(len(leanings)):
        leaning = leanings[f]
        if leaning != 0.0:
            gradients.policy_bias[f] += leaning
            for i in range(len(hidden)):
                gradients.policy[f, i] += leaning * hidden[i]
                slopes[i] += leaning * weights.policy[f, i]
            leanings[f] = 0.0
    for i in range(len(hidden)):
        a = sight.sums[i]
        slopes[i] = slopes[i] * 2.0 * a if 0.0 < a < 1.0 else 0.0
        gradients.b1[i] += slopes[i]
    for k in range(n_active):
        row = sight.active[k]
        for i in range(len(hidden)):
            gradients.w1[row, i] += slopes[i]


@kernel
def share_of(x):
    """The win share that a value head means by x."""
    return 1.0 / (1.0 + np.exp(-x))


@kernel
def share_loss(x, share):
    """The cross-entropy of that win share, where `share` came out."""
    return np.log(1.0 + np.exp(-abs(x))) + max(x, 0.0) - share * x


@kernel
def soften(logits, chances, n):
    """Make chances of logits, adding up to 1; returns their entropy."""
    top = logits[0]
    for k in range(1, n):
        top = max(top, logits[k])
    total = 0.0
    for k in range(n):
        chances[k] = np.exp(logits[k] - top)
        total += chances[k]
    entropy = 0.0
    for k in range(n):
        chances[k] /= total
        if chances[k] > 0.0:
            entropy -= chances[k] * np.log(chances[k])
    return entropy
