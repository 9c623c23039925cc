"""Random games of Azul in compiled loops that look at every state."""

from __future__ import annotations

import numpy as np

from meeple.core.chance import fresh_fate
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.kernel import kernel
from meeple.games.azul.invariants import count_colour
from meeple.games.azul.layout import COLOURS, COPIES
from meeple.games.azul.rules import apply, count_actions, new_game, pick, settle, to_move


@kernel
def conserve(states, seats, options, games, rng):
    """Play so many games; returns how many were played before a tile was lost or made, and the moves."""
    state = states[0]
    moves = 0
    for game in range(games):
        new_game(state, seats, options, fresh_fate(rng))
        while to_move(state) != NOBODY:
            if to_move(state) == CHANCE:
                settle(state)
            else:
                apply(state, pick(state, rng))
                moves += 1
            for colour in range(COLOURS):
                if count_colour(state, np.int64(colour)) != COPIES:
                    return game, moves
    return games, moves


@kernel
def measure(states, seats, options, games, rng):
    """Play so many games; returns the moves made and the sum of the moves that were on offer."""
    state = states[0]
    moves = 0
    offers = 0
    for _ in range(games):
        new_game(state, seats, options, fresh_fate(rng))
        while to_move(state) != NOBODY:
            if to_move(state) == CHANCE:
                settle(state)
            else:
                offers += count_actions(state)
                apply(state, pick(state, rng))
                moves += 1
    return moves, offers
