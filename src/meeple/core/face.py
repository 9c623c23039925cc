"""A game's functions as Python calls them: each takes an array of states and the index of one.

A state is a NumPy record. To pass a record from Python to a kernel costs seven times as much as an array and an index,
and since all of Python calls the contract through this module, each function is compiled for one type only.
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
    count_worlds,
    is_legal,
    is_setup,
    legal_actions,
    new_game,
    outcome,
    pick,
    ranks,
    redeal,
    redeal_stratum,
    reveal,
    role_results,
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
def reveal_at(states, i, seat, action, rng):
    reveal(states[i], seat, action, rng)


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
def is_setup_at(states, i):
    return is_setup(states[i])


@kernel
def ranks_at(states, i, out):
    ranks(states[i], out)


@kernel
def role_results_at(states, i, seat, out):
    role_results(states[i], seat, out)


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
def count_worlds_at(states, i, seat):
    return float(count_worlds(states[i], seat))


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
    # Only where a seat is to move: `is_legal` may not be asked about other states.
    return to_move(states[i]) >= 0 and is_legal(states[i], action)


@kernel
def hand_over(truth, world, seat, words, ply, rng):
    """Redeal for `seat` and derive its agent's stream, both from (seed, seat, spec, ply).

    `words` are the first words of two families of streams that depend on seed, seat and spec: [0] for the agent's own
    draws, [1] for redeals. The world goes to `world[0]`, the agent's stream to `rng`.
    """
    world[0] = truth[0]
    # Two streams, so that how many numbers the redeal drew does not change what the agent draws.
    rng[0] = word_of(words[1], ply)
    redeal(world[0], seat, rng)
    rng[0] = word_of(words[0], ply)


@kernel
def settle_recorded_at(states, i, weights, out):
    """As `settle`, one outcome after the other: write each to `out` and return how many there were."""
    n = 0
    while to_move(states[i]) == CHANCE:
        code = outcome(states[i], weights)
        apply(states[i], code)
        out[n] = code
        n += 1
    return n
