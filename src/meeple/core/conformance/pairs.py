"""Compiled for exchange.py, which explains it: play matches up to a decision, and redeal the true world there."""

from __future__ import annotations

import numpy as np

from meeple.core.chance import draw, fresh_fate
from meeple.core.contract import (
    CHANCE,
    HIDDEN,
    MAX_ACTIONS,
    NOBODY,
    OUTCOMES,
    apply,
    choose,
    is_legal,
    legal_actions,
    new_game,
    outcome,
    redeal,
    seen,
    to_move,
)
from meeple.core.kernel import kernel


@kernel
def play_pairs(states, truths, worlds, kept, seats, options, viewers, depths, rng):
    """Play a match for each viewer; write the true world and a redealt one of those that reach their depth.

    Return how many pairs were written to `truths`, `worlds` and `kept`, which holds their viewers.
    """
    out = np.empty(MAX_ACTIONS, np.int64)
    weights = np.empty(max(1, OUTCOMES), np.int64)
    n = 0
    for i in range(len(viewers)):
        new_game(states[0], seats, options, fresh_fate(rng))
        if reaches(states, viewers[i], depths[i], rng, out, weights):
            truths[n] = states[0]
            worlds[n] = states[0]
            redeal(worlds[n], viewers[i], rng)
            kept[n] = viewers[i]
            n += 1
    return n


@kernel
def reaches(states, viewer, depth, rng, out, weights):
    """Play states[0] up to its decision number `depth`; return False if it ends before that or is rejected."""
    ply = 0
    while True:
        mover = to_move(states[0])
        if mover == NOBODY:
            return False
        if mover == CHANCE:
            apply(states[0], outcome(states[0], weights))
            continue
        if ply == depth:
            return True
        action = next_move(states, mover, viewer, rng, out)
        if action < 0:
            return False
        apply(states[0], action)
        ply += 1


@kernel
def next_move(states, mover, viewer, rng, out):
    """Return a move that tells the viewer nothing but that it is legal; -1 to reject the match.

    Rejection sampling: a move is proposed without looking at the true world, and accepted if it is legal there.
    """
    if mover == viewer:  # its list is the same in all worlds that it cannot tell apart
        return choose(states[0], rng, out)
    # Proposed in a world redealt for the viewer, the move depends on nothing that the viewer does not know.
    states[1] = states[0]
    redeal(states[1], viewer, rng)
    action = choose(states[1], rng, out)
    if seen(states[1], action, viewer) != HIDDEN:
        fits = is_legal(states[0], action) and seen(states[0], action, viewer) != HIDDEN
        return action if fits else -1
    # The viewer does not see which move is made, so any unseen move that is legal in the true world will do.
    n = legal_actions(states[0], out)
    unseen = 0
    for i in range(n):
        if seen(states[0], out[i], viewer) == HIDDEN:
            out[unseen] = out[i]
            unseen += 1
    return out[draw(rng, unseen)] if unseen > 0 else -1
