"""Moves by their scores: the best one for a policy, the promising ones for a filter."""

from __future__ import annotations

import numpy as np

from meeple.core.chance import draw
from meeple.core.kernel import kernel


@kernel
def best_by_lot(scores, rng):
    """The place of the highest score, one of equals by lot; there is at least one score."""
    best = np.int64(0)
    equal = np.int64(1)
    for i in range(1, len(scores)):
        if scores[i] > scores[best]:
            best, equal = np.int64(i), np.int64(1)
        elif scores[i] == scores[best]:
            # Reservoir sampling: the k-th of k equals replaces the one kept with probability 1/k, so all are as likely.
            equal += 1
            if draw(rng, equal) == 0:
                best = np.int64(i)
    return best


@kernel
def keep_from(actions, scores, least):
    """Move the actions whose score is not below `least` to the front, in their order; return how many they are."""
    kept = np.int64(0)
    for i in range(len(scores)):
        if scores[i] >= least:
            actions[kept] = actions[i]
            kept += 1
    return kept


@kernel
def keep_most(actions, scores, most):
    """Move the `most` actions of highest scores to the front, of equals the first, in their order; return how many.

    Actions whose score is infinite are kept besides these.
    """
    top = np.full(most, -np.inf)  # the highest scores, falling
    for i in range(len(scores)):
        if top[most - 1] < scores[i] < np.inf:
            place = most - 1
            while place > 0 and top[place - 1] < scores[i]:
                top[place] = top[place - 1]
                place -= 1
            top[place] = scores[i]
    least = top[most - 1]
    equal = np.int64(0)  # of those that are just good enough, as many as there is room for
    for place in range(most):
        equal += np.int64(top[place] == least)
    kept = np.int64(0)
    for i in range(len(scores)):
        if scores[i] > least or (scores[i] == least and equal > 0):
            equal -= np.int64(scores[i] == least)
            actions[kept] = actions[i]
            kept += 1
    return kept
