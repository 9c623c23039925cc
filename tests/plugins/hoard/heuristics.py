"""Hoard: what is worth knowing beyond the rules."""

from __future__ import annotations

import numpy as np

from meeple.core.heuristics import Heuristic
from meeple.core.kernel import kernel

from .rules import N_VALUES, score


@kernel
def points_value(state, seat):
    """The lead in points, the seat's own hoard counted (it knows that)."""
    best = np.int64(0)
    for other in range(state.seats):
        if other != seat:
            best = max(best, np.int64(state.points[other]))
    mine = np.int64(state.points[seat])
    for value in range(N_VALUES):
        mine += np.int64(state.hoard[seat, value]) * (value + 1) * (np.int64(state.double) + 1)
    return min(0.9, max(-0.9, (mine - best) / 12.0))


@kernel
def greedy_policy(state, rng, out):
    """Play the higher card."""
    return np.int64(1 if state.hand[state.mover, 1] > state.hand[state.mover, 0] else 0)


@kernel
def high_bias(state, action):
    """Higher cards first."""
    return float(state.hand[state.mover, action % 2]) / 3.0


@kernel
def margin_reward(state, seat, share):
    """A victory counts a fifth, and a fifth more for each 5 points of lead, up to 20."""
    lead = np.int64(2**31)
    for other in range(state.seats):
        if other != seat:
            lead = min(lead, score(state, seat) - score(state, np.int64(other)))
    steps = min(np.int64(4), max(np.int64(0), lead // 5))
    return share * ((1.0 + steps) / 5.0)


EVALUATIONS = {"points": Heuristic(points_value, "the lead in points", -0.9, 0.9)}
PLAYOUTS = {"greedy": Heuristic(greedy_policy, "play the higher card")}
BIASES = {"high": Heuristic(high_bias, "higher cards", 0.0, 1.0)}
REWARDS = {"margin": Heuristic(margin_reward, "more for a lead of 5, 10, 15 and 20 points", 0.0, 1.0)}
