"""The dice of Sagrada outside the windows: bag, pool and round track."""

from __future__ import annotations

import numpy as np

from meeple.core.kernel import kernel
from meeple.games.sagrada.board import N_COLOURS


@kernel
def dice_in_bag(state):
    """How many dice the bag holds."""
    total = 0
    for colour in range(N_COLOURS):
        total += state.bag[colour]
    return total


@kernel
def add_to_pool(state, die):
    """Put a die into the pool, in its order."""
    place = state.n_pool
    while place > 0 and state.pool[place - 1] > die:
        state.pool[place] = state.pool[place - 1]
        place -= 1
    state.pool[place] = die
    state.n_pool += 1


@kernel
def take_from_pool(state, die):
    """Take a die out of the pool."""
    place = 0
    while state.pool[place] != die:
        place += 1
    last = state.n_pool - 1
    while place < last:
        state.pool[place] = state.pool[place + 1]
        place += 1
    state.pool[last] = 0
    state.n_pool = last


@kernel
def sort_pool(state):
    """Bring the pool into its order."""
    for i in range(1, state.n_pool):
        die = state.pool[i]
        place = i
        while place > 0 and state.pool[place - 1] > die:
            state.pool[place] = state.pool[place - 1]
            place -= 1
        state.pool[place] = die


@kernel
def change_track(state, die, change):
    """Put a die on the track, or take one away."""
    state.track[die] += change
    kinds = state.track_kinds & ~(1 << die)
    state.track_kinds = kinds | (np.int64(state.track[die] > 0) << die)
