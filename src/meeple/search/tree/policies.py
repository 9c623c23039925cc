"""Who chooses the moves of a playout: the lot, a policy of the game's, or a shallow search."""

from __future__ import annotations

import numpy as np

from meeple.core.chance import draw
from meeple.core.contract import NOBODY, apply, choose, legal_actions, settle, to_move, win_shares
from meeple.core.contract import choose as policy
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.core.scored import outdoes
from meeple.search.tree.knobs import REPLY, TRIED, WORLD
from meeple.search.tree.look import PROVEN, look

PLIES = 1  # of the shallow search


@kernel
def uniform(scratch, mover, knobs):
    """Any move, each as likely as another."""
    return choose(scratch.states[WORLD], scratch.rng, scratch.offer)


@kernel
def by_policy(scratch, mover, knobs):
    """The move of the game's policy."""
    return policy(scratch.states[WORLD], scratch.rng, scratch.offer, *scratch.of_policy)


@kernel
def by_expectimax(scratch, mover, knobs):
    """The best move for the mover by an expectimax of so many plies; of equals one by lot (Ingenious report, 5)."""
    states, offer = scratch.states, scratch.offer
    n = legal_actions(states[WORLD], offer)
    best, most, equal = offer[0], -np.inf, 0
    for i in range(n):
        states[TRIED] = states[WORLD]
        apply(states[TRIED], offer[i])
        value = look(scratch, TRIED, PLIES - 1, -PROVEN, PROVEN, mover)
        is_better, equal = outdoes(value, most, equal, scratch.rng)
        if is_better:
            best, most = offer[i], value
    return best


@kernel
def by_minimax(scratch, mover, knobs):
    """A move by a minimax of one or two plies that knows only wins and losses (Baier and Winands).

    A win in one where there is one; else any move, with two plies one after which the next seat cannot win at
    once, if there is one.
    """
    states, rng, offer, shares = scratch.states, scratch.rng, scratch.offer, scratch.shares
    n = legal_actions(states[WORLD], offer)
    for i in range(n):
        states[TRIED] = states[WORLD]
        apply(states[TRIED], offer[i])
        if wins(states[TRIED], mover, shares):
            return offer[i]
    for left in range(n, 0, -1):
        k = draw(rng, left)
        action = offer[k]
        if PLIES < 2 or left == 1:
            return action
        states[TRIED] = states[WORLD]
        apply(states[TRIED], action)
        if not can_win(states, mover, scratch.looks, shares):
            return action
        offer[k] = offer[left - 1]
    return offer[0]


@kernel
def can_win(states, mover, replies, shares):
    """Whether the seat to move after the move tried, if it is not `mover`, wins by one move."""
    settle(states[TRIED])
    rival = to_move(states[TRIED])
    if rival in (NOBODY, mover):
        return False
    n = legal_actions(states[TRIED], replies)
    for i in range(n):
        states[REPLY] = states[TRIED]
        apply(states[REPLY], replies[i])
        if wins(states[REPLY], rival, shares):
            return True
    return False


@kernel
def wins(state, seat, shares):
    """Whether the game is over and `seat` alone has won it."""
    if to_move(state) != NOBODY:
        return False
    win_shares(state, len(shares), shares)
    return shares[seat] == 1.0
