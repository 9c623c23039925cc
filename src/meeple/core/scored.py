"""Moves by their scores: the best one for a policy, the promising ones for a filter."""

from __future__ import annotations

import numpy as np

from meeple.core.chance import draw
from meeple.core.kernel import kernel


@kernel
def outdoes(score, most, equal, rng):
    """Whether a move of this `score` replaces the best so far, and how many are equal to the best then.

    For who goes through moves once and wants each of the best with the same probability (reservoir sampling): begin
    with a `most` below every score and an `equal` of 0.
    """
    if score > most:
        return True, np.int64(1)
    if score < most:
        return False, equal
    # The k-th of k equals replaces the one kept with probability 1/k, so that all are equally likely in the end.
    equal += 1
    return draw(rng, equal) == 0, equal


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
