"""Games at random, or of a policy against chance moves, many in one call, for measuring; the loop allocates nothing."""

from __future__ import annotations

from meeple.core.chance import draw
from meeple.core.contract import (
    CHANCE,
    NOBODY,
    apply,
    choose,
    legal_actions,
    outcome,
    play_out,
    redeal,
    settle,
    to_move,
)
from meeple.core.kernel import kernel

policy = choose  # of every second seat in `duel_many`; bound where that is measured


@kernel
def play_many(states, games, rng, out, weights):
    """Play from states[0] `games` times, each with a fresh fate, in states[1]; returns moves made in all."""
    moves = 0
    for _ in range(games):
        states[1] = states[0]
        redeal(states[1], NOBODY, rng)
        moves += play_out(states[1], rng, out, weights)
    return moves


@kernel
def contract_many(states, games, rng, out, weights):
    """As `play_many`, by nothing but the contract: list, choose, apply."""
    moves = 0
    for _ in range(games):
        states[1] = states[0]
        redeal(states[1], NOBODY, rng)
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


@kernel
def duel_many(states, games, rng, out, weights, given):
    """As `play_many`; the first seat and every second after it plays at random, the others by the policy bound.

    `given` holds the policy's parameters, if it takes any.
    """
    moves = 0
    for _ in range(games):
        states[1] = states[0]
        redeal(states[1], NOBODY, rng)
        state = states[1]
        while True:
            settle(state)
            mover = to_move(state)
            if mover == NOBODY:
                break
            apply(state, choose(state, rng, out) if mover % 2 == 0 else policy(state, rng, out, *given))
            moves += 1
    return moves
