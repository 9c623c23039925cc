"""Matches up to a decision, and there the true world beside a redealt one: compiled for `exchange`, which says why."""

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
    """Fill truths and worlds with a pair of each match that reaches its depth; returns how many."""
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
    """Play states[0] up to its decision number `depth`; False where it ends before, or must be thrown away."""
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
    """A move that tells the viewer only that it is legal; -1 where the match must be thrown away."""
    if mover == viewer:  # its list is the same in all its worlds
        return choose(states[0], rng, out)
    states[1] = states[0]
    redeal(states[1], viewer, rng)
    action = choose(states[1], rng, out)
    if seen(states[1], action, viewer) != HIDDEN:
        fits = is_legal(states[0], action) and seen(states[0], action, viewer) != HIDDEN
        return action if fits else -1
    n = legal_actions(states[0], out)
    unseen = 0
    for i in range(n):
        if seen(states[0], out[i], viewer) == HIDDEN:
            out[unseen] = out[i]
            unseen += 1
    return out[draw(rng, unseen)] if unseen > 0 else -1
