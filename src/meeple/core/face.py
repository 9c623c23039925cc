"""The face that a game's compiled functions show to Python: an array of states and an index.

Passing a record from Python costs seven times as much as an array and an index, and one form of call
means that each function is compiled once.
"""

from __future__ import annotations

from meeple.core.chance import word_of
from meeple.core.contract import (
    CHANCE,
    apply,
    chance_key,
    chance_weights,
    check,
    choose,
    count_actions,
    is_legal,
    legal_actions,
    new_game,
    outcome,
    parts,
    pick,
    ranks,
    redeal,
    redeal_stratum,
    round_index,
    score,
    seen,
    settle,
    strata_weights,
    to_move,
    win_shares,
)
from meeple.core.kernel import kernel


@kernel
def new_game_at(states, i, seats, options, fate):
    new_game(states[i], seats, options, fate)


@kernel
def to_move_at(states, i):
    return to_move(states[i])


@kernel
def legal_actions_at(states, i, out):
    return legal_actions(states[i], out)


@kernel
def chance_weights_at(states, i, out):
    chance_weights(states[i], out)


@kernel
def chance_key_at(states, i):
    return chance_key(states[i])


@kernel
def outcome_at(states, i, weights):
    return outcome(states[i], weights)


@kernel
def apply_at(states, i, action):
    apply(states[i], action)


@kernel
def redeal_at(states, i, seat, rng):
    redeal(states[i], seat, rng)


@kernel
def redeal_stratum_at(states, i, seat, stratum, rng):
    redeal_stratum(states[i], seat, stratum, rng)


@kernel
def strata_weights_at(states, i, seat, out):
    strata_weights(states[i], seat, out)


@kernel
def seen_at(states, i, action, seat):
    return seen(states[i], action, seat)


@kernel
def ranks_at(states, i, out):
    ranks(states[i], out)


@kernel
def parts_at(states, i, seat, out):
    parts(states[i], seat, out)


@kernel
def win_shares_at(states, i, seats, out):
    win_shares(states[i], seats, out)


@kernel
def score_at(states, i, seat):
    return score(states[i], seat)


@kernel
def round_index_at(states, i):
    return round_index(states[i])


@kernel
def check_at(states, i):
    return check(states[i])


@kernel
def count_actions_at(states, i):
    return count_actions(states[i])


@kernel
def is_legal_at(states, i, action):
    return is_legal(states[i], action)


@kernel
def pick_at(states, i, rng):
    return pick(states[i], rng)


@kernel
def choose_at(states, i, rng, out):
    return choose(states[i], rng, out)


@kernel
def settle_at(states, i):
    settle(states[i])


@kernel
def allows_at(states, i, action):
    return to_move(states[i]) >= 0 and is_legal(states[i], action)


@kernel
def hand_over(truth, world, seat, words, ply, rng):
    """Write a world for `seat` and start the agent's stream, by the words of its families: its own, its worlds'."""
    world[0] = truth[0]
    rng[0] = word_of(words[1], ply)
    redeal(world[0], seat, rng)
    rng[0] = word_of(words[0], ply)


@kernel
def settle_recorded_at(states, i, weights, out):
    """Apply what fate brings until a seat is to move or the game is over; writes the outcomes, returns how many."""
    n = 0
    while to_move(states[i]) == CHANCE:
        code = outcome(states[i], weights)
        apply(states[i], code)
        out[n] = code
        n += 1
    return n
