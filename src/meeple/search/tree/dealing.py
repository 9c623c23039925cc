"""The world of an iteration: how chance and hidden cards fall in it, and the move that it begins with, if one is given.

`lead` is how analysis asks what a move is worth: [the action that every iteration plays first, or NO_LEAD; 1 where
hands stay as they are in the root's world and only the fate is drawn anew].
"""

from __future__ import annotations

import numpy as np

from meeple.core.chance import fresh_fate
from meeple.core.contract import apply, redeal, redeal_stratum
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array

STRATUM, WEIGHT, TIMES = 0, 1, 2  # columns of `dealt`
FIRST_MOVE, SEES_ALL = 0, 1  # places in `lead`
NO_LEAD = -1
HAS_FATE = False  # bound: chance follows a word in the state


@kernel
def same_world(state, seat, rng, dealt, lead):
    """Every iteration has the world of the root, with the fate that it holds."""
    play_first(state, lead)


@kernel
def any_world(state, seat, rng, dealt, lead):
    """A fresh world that fits what `seat` knows, with a fresh fate."""
    if lead[SEES_ALL] != 0:
        draw_fate(state, rng)
    else:
        redeal(state, seat, rng)
    play_first(state, lead)


@kernel
def stratified_world(state, seat, rng, dealt, lead):
    """As `any_world`, of the class of worlds that is furthest behind its share of those dealt so far."""
    if lead[SEES_ALL] != 0:
        draw_fate(state, rng)
        play_first(state, lead)
        return
    total = 0
    done = 0
    for i in range(len(dealt)):
        total += dealt[i, WEIGHT]
        done += dealt[i, TIMES]
    chosen = 0
    most = -np.inf
    for i in range(len(dealt)):
        lag = dealt[i, WEIGHT] * (done + 1.0) / total - dealt[i, TIMES]
        if lag > most:
            most = lag
            chosen = i
    dealt[chosen, TIMES] += 1
    redeal_stratum(state, seat, dealt[chosen, STRATUM], rng)
    play_first(state, lead)


@kernel
def play_first(state, lead):
    """Play the move that every iteration begins with, if there is one."""
    if lead[FIRST_MOVE] != NO_LEAD:
        apply(state, lead[FIRST_MOVE])


@kernel
def draw_fate(state, rng):
    """Let chance fall anew, and nothing else: hidden cards stay where they are."""
    if HAS_FATE:
        state.fate = fresh_fate(rng)
