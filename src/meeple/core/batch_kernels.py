"""Many games stepped side by side, compiled; see batch.py. Each function does the places first..last-1 of a batch."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import FATES, word_of
from meeple.core.contract import (
    CHANCE,
    HAS_SETTLE,
    MAX_ACTIONS,
    NOBODY,
    OUTCOMES,
    apply,
    choose,
    is_legal,
    legal_actions,
    new_game,
    outcome,
    settle,
    to_move,
    win_shares,
)
from meeple.core.kernel import kernel

NONE = -1  # in place of a place


class Places(NamedTuple):
    """The places of a batch, a row each."""

    states: NDArray[Any]
    seeds: NDArray[np.int64]  # of the game that is played there
    movers: NDArray[np.int64]
    plies: NDArray[np.int64]  # moves made in that game
    done: NDArray[np.bool_]  # whether the last step ended a game
    shares: NDArray[np.float64]  # [place, seat]: of the game that ended there last
    rngs: NDArray[np.uint64]  # the stream of the place's random moves


@kernel
def begin(places, first, last, options):
    """Begin the game of each place's seed, up to its first decision."""
    states, seats = places.states, np.int64(places.shares.shape[1])
    weights = np.empty(max(1, OUTCOMES), np.int64)
    for i in range(first, last):
        start(states[i], seats, options, places.seeds[i], weights)
        places.movers[i] = to_move(states[i])


@kernel
def start(state, seats, options, seed, weights):
    """Write the first decision of the match with this seed, the same as `Game.new` and its chance give."""
    new_game(state, seats, options, np.int64(word_of(FATES, seed) >> np.uint64(1)))
    bring(state, weights)


@kernel
def bring(state, weights):
    """Let fate act until a seat is to move or the game is over."""
    if HAS_SETTLE:  # a constant where this is compiled: the other branch is left out
        settle(state)
    else:
        while to_move(state) == CHANCE:
            apply(state, outcome(state, weights))


@kernel
def find_illegal(states, first, last, actions):
    """The first place whose action is not legal; NONE where all are."""
    for i in range(first, last):
        if not is_legal(states[i], actions[i]):
            return i
    return NONE


@kernel
def find_unlisted(first, last, actions, codes, offsets):
    """As `find_illegal`, by lists that were made of these very states: a binary search in each."""
    for i in range(first, last):
        low, high = offsets[i], offsets[i + 1]
        end = high
        while low < high:
            middle = (low + high) // 2
            if codes[middle] < actions[i]:
                low = middle + 1
            else:
                high = middle
        if low == end or codes[low] != actions[i]:
            return i
    return NONE


@kernel
def step(places, first, last, actions, options):
    """Play an action in each place; a game that ends leaves its shares, and the place begins its next game.

    That has the seed of the last one and the number of places, so that no two places play the same game.
    """
    states, shares, seats = places.states, places.shares, np.int64(places.shares.shape[1])
    weights = np.empty(max(1, OUTCOMES), np.int64)
    ended = 0
    for i in range(first, last):
        apply(states[i], actions[i])
        bring(states[i], weights)
        places.plies[i] += 1
        mover = to_move(states[i])
        places.done[i] = mover == NOBODY
        if mover == NOBODY:
            win_shares(states[i], seats, shares[i])
            places.seeds[i] += len(states)
            start(states[i], seats, options, places.seeds[i], weights)
            places.plies[i] = 0
            mover = to_move(states[i])
            ended += 1
        places.movers[i] = mover
    return ended


@kernel
def step_randomly(places, first, last, steps, options):
    """As `step`, `steps` times with moves drawn from each place's own stream; returns how many games ended."""
    states, shares, seats = places.states, places.shares, np.int64(places.shares.shape[1])
    weights = np.empty(max(1, OUTCOMES), np.int64)
    out = np.empty(MAX_ACTIONS, np.int64)
    rng = np.empty(1, np.uint64)
    ended = 0
    for i in range(first, last):  # all steps of a place in a row, while its state is in the processor's nearest cache
        rng[0] = places.rngs[i]
        places.done[i] = False
        ply = places.plies[i]
        for _ in range(steps):
            apply(states[i], choose(states[i], rng, out))
            bring(states[i], weights)
            ply += 1
            if to_move(states[i]) == NOBODY:
                win_shares(states[i], seats, shares[i])
                places.seeds[i] += len(states)
                start(states[i], seats, options, places.seeds[i], weights)
                places.done[i] = True
                ply = 0
                ended += 1
        places.plies[i] = ply
        places.movers[i] = to_move(states[i])
        places.rngs[i] = rng[0]
    return ended


@kernel
def list_actions(states, first, last, codes, used, counts):
    """Append the legal actions of each place to codes[used:] and write their counts.

    Returns the place at which there might be too little room, or `last`, and how much of `codes` is used.
    """
    for i in range(first, last):
        if used + MAX_ACTIONS > len(codes):
            return i, used
        counts[i] = legal_actions(states[i], codes[used:])
        used += counts[i]
    return last, used


@kernel
def fill_masks(first, last, codes, offsets, masks):
    """Write a row of True and False for each place from its list."""
    for i in range(first, last):
        for action in range(masks.shape[1]):
            masks[i, action] = False
        for place in range(offsets[i], offsets[i + 1]):
            masks[i, codes[place]] = True
