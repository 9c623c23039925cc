"""Uniform random games, many in one call, for measuring; nothing is allocated in the loop."""

from __future__ import annotations

import numpy as np

from meeple.core.chance import draw
from meeple.core.contract import CHANCE, NOBODY, apply, legal_actions, outcome, play_out, redeal, to_move
from meeple.core.kernel import kernel


@kernel
def play_many(states, games, rng, out, weights):
    """Play from states[0] `games` times, each with a fresh fate, in states[1]; returns moves made in all."""
    moves = 0
    for _ in range(games):
        states[1] = states[0]
        redeal(states[1], np.int64(NOBODY), rng)
        moves += play_out(states[1], rng, out, weights)
    return moves


@kernel
def contract_many(states, games, rng, out, weights):
    """As `play_many`, by nothing but the contract: list, choose, apply."""
    moves = 0
    for _ in range(games):
        states[1] = states[0]
        redeal(states[1], np.int64(NOBODY), rng)
        state = states[1]
        while True:
            mover = to_move(state)
            if mover == NOBODY:
                break
            if mover == CHANCE:
                apply(state, outcome(state, weights))
            else:
                n = legal_actions(state, out)
                apply(state, out[draw(rng, n)])
                moves += 1
    return moves
