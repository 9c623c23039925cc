"""What a finished game is worth to each seat: the win share, or what a game's own reward makes of it.

Rewards steer the tree. What the result tells of a move is win shares, whatever the reward.
"""

from __future__ import annotations

from meeple.core.contract import win_shares
from meeple.core.heuristics import no_reward as reward
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.search.tree.knobs import WORLD


@kernel
def win_at_end(scratch):
    """The win shares."""
    shares = scratch.shares
    win_shares(scratch.states[WORLD], len(shares), shares)
    take_shares(scratch)


@kernel
def reward_at_end(scratch):
    """The game's reward, such as more for a higher lead."""
    state, shares = scratch.states[WORLD], scratch.shares
    win_shares(state, len(shares), shares)
    for seat in range(len(shares)):
        scratch.worth[seat] = reward(state, seat, shares[seat])


@kernel
def take_shares(scratch):
    """The win shares are the worth."""
    for seat in range(len(scratch.shares)):
        scratch.worth[seat] = scratch.shares[seat]


@kernel
def plain_worth(edge, worth):
    """What a playout is worth to an edge: what it was worth to the mover."""
    return worth


@kernel
def worth_by_bias(edge, worth):
    """The same in proportion to the move's bias (the Saboteur report's)."""
    return worth * edge.bias
