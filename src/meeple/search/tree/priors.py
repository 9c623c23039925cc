"""What a new move is worth before its first visit, counted as so many visits on trust."""

from __future__ import annotations

import numpy as np

from meeple.core.contract import apply
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.search.tree.knobs import PRIOR_VISITS, TRIED, WORLD
from meeple.search.tree.look import PROVEN, look

PLIES = 0  # that `prior_by_look` looks ahead after the move; 0: the evaluation


@kernel
def no_prior(edge, scratch, mover, action, knobs):
    """Nothing is known of it."""


@kernel
def prior_by_bias(edge, scratch, mover, action, knobs):
    """Its bias, in place of the bias's part in UCB (the Saboteur report's inflated starts)."""
    trust(edge, edge.bias, knobs)
    edge.bias = 0.0


@kernel
def prior_by_look(edge, scratch, mover, action, knobs):
    """The evaluation after it, or a shallow search's value."""
    states = scratch.states
    states[TRIED] = states[WORLD]
    apply(states[TRIED], action)
    value = look(scratch, TRIED, PLIES, -PROVEN, PROVEN, mover)
    trust(edge, 0.5 + 0.5 * min(1.0, max(-1.0, value)), knobs)


@kernel
def trust(edge, share, knobs):
    """Let the edge start with visits of this win share."""
    edge.visits = np.int64(knobs[PRIOR_VISITS])
    edge.value = knobs[PRIOR_VISITS] * min(1.0, max(0.0, share))
