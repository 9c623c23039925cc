"""What core derives from a game's rules: optional functions that a game leaves out, draws from fate, win shares.

These are loaded once more for each game, with the game's functions in place of those imported from the contract.
"""

from __future__ import annotations

import numpy as np

from meeple.core.chance import draw, roll
from meeple.core.contract import (
    CHANCE,
    HAS_PICK,
    HAS_SETTLE,
    MAX_ACTIONS,
    NOBODY,
    OUTCOMES,
    apply,
    chance_key,
    chance_weights,
    is_legal,
    legal_actions,
    pick,
    ranks,
    redeal,
    settle,
    solo_share,
    team,
    to_move,
)
from meeple.core.kernel import kernel

MOST_REDEALS = 10_000  # to find a world in which a seen event is possible


@kernel
def open_seen(state, action, seat):
    """`seen` of a game in which everything lies open."""
    return action


@kernel
def no_chance_weights(state, out):
    """`chance_weights` of a game without chance."""


@kernel
def no_chance_key(state):
    """`chance_key` of a game without chance."""
    return 0


@kernel
def never_setup(state):
    """`is_setup` of a game that begins at once."""
    return False


@kernel
def own_team(state, seat):
    """`team` of a game in which everyone plays alone."""
    return seat


@kernel
def one_stratum(state, seat, out):
    """`strata_weights` of a game that names no classes of worlds."""
    out[0] = 1


@kernel
def any_stratum(state, seat, stratum, rng):
    """`redeal_stratum` of a game that names no classes of worlds."""
    redeal(state, seat, rng)


@kernel
def tried_reveal(state, seat, action, rng):
    """`reveal` by redealing until the event comes about: a move where it is legal, an outcome by its weight."""
    weights = np.empty(max(1, OUTCOMES), np.int64)
    for _ in range(MOST_REDEALS):
        redeal(state, seat, rng)
        if to_move(state) == CHANCE:
            chance_weights(state, weights)
            if draw(rng, weights.sum()) < weights[action]:
                return
        elif is_legal(state, action):
            return


@kernel
def one_world(state, seat):
    """`count_worlds` of a game without secrets."""
    return 1.0


@kernel
def uncounted_worlds(state, seat):
    """`count_worlds` of a game with secrets that cannot tell: no number of worlds."""
    return -1.0


@kernel
def no_role_results(state, seat, out):
    """`role_results` of a game that names no roles."""


@kernel
def listed_count(state):
    """`count_actions` by making the list."""
    return legal_actions(state, np.empty(MAX_ACTIONS, np.int64))


@kernel
def listed_is_legal(state, action):
    """`is_legal` by making the list."""
    out = np.empty(MAX_ACTIONS, np.int64)
    n = legal_actions(state, out)
    for i in range(n):
        if out[i] == action:
            return True
    return False


@kernel
def listed_pick(state, rng):
    """`pick` by making the list."""
    out = np.empty(MAX_ACTIONS, np.int64)
    n = legal_actions(state, out)
    return out[draw(rng, n)]


@kernel
def drawn_settle(state):
    """`settle` one event at a time."""
    # Allocated here, not handed in: the contract's `settle` has no argument for it, and loops call `outcome` instead.
    weights = np.empty(OUTCOMES, np.int64)
    while to_move(state) == CHANCE:
        apply(state, outcome(state, weights))


@kernel
def outcome(state, weights):
    """What the state's fate brings at this chance event; `weights` is scratch."""
    chance_weights(state, weights)
    total = 0
    for code in range(OUTCOMES):
        total += weights[code]
    at = roll(state.fate, chance_key(state), total)
    # Inverse transform sampling without a branch, which the processor could not predict: the outcome is the number of
    # codes whose running total does not pass `at`.
    code = 0
    running = 0
    for i in range(OUTCOMES):
        running += weights[i]
        code += np.int64(running <= at)
    return code


@kernel
def no_outcome(state, weights):
    """`outcome` of a game without chance."""
    return 0


@kernel
def no_settle(state):
    """`settle` of a game without chance."""


@kernel
def choose(state, rng, out):
    """A uniform legal action: by the game's `pick`, or by a list in the scratch `out`."""
    if HAS_PICK:
        return pick(state, rng)
    n = legal_actions(state, out)
    return out[draw(rng, n)]


@kernel
def play_out(state, rng, out, weights):
    """Play `state` to its end at random, in place; returns the number of moves, outcomes not counted."""
    moves = 0
    while True:
        mover = to_move(state)
        if mover == NOBODY:
            return moves
        if mover != CHANCE:
            apply(state, choose(state, rng, out))
            moves += 1
        elif HAS_SETTLE:  # a constant where this is compiled: the other branch is left out
            settle(state)
        else:
            apply(state, outcome(state, weights))


@kernel
def win_shares(state, seats, out):
    """The share of the victory of each seat: k winning sides have 1/k each, partners their side's whole share."""
    places = np.empty(seats, np.int64)
    ranks(state, places)
    winners = 0  # sides, not seats: a team is counted at the first of its members
    for seat in range(seats):
        if places[seat] == 1:
            is_first_of_side = True
            for other in range(seat):
                if places[other] == 1 and team(state, other) == team(state, seat):
                    is_first_of_side = False
            winners += int(is_first_of_side)
    for seat in range(seats):
        out[seat] = 1.0 / winners if places[seat] == 1 else 0.0


@kernel
def solo_win_shares(state, seats, out):
    """`win_shares` of a game that maps a single seat's score by a scale of its own."""
    if seats == 1:
        out[0] = solo_share(state)
    else:
        win_shares(state, seats, out)
