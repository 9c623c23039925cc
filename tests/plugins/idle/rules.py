"""Idle: two seats name one of three colours in turn, four times each; then a coin falls, and its winner wins.

State   STATE below
Action  0..2: a colour, which is all one
Chance  0, 1: the winner
"""

from __future__ import annotations

import numpy as np

from meeple.core.chance import fresh_fate
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.kernel import kernel

SEATS = (2, 2)
ACTIONS = MAX_ACTIONS = 3
OUTCOMES = 2
TURNS = 8
STATE = np.dtype((np.record, [("fate", np.int64), ("turn", np.int8), ("winner", np.int8)]))
RANGES = {"turn": (0, TURNS), "winner": (-1, 1)}
CHECKS = ("nobody wins before the last turn",)


@kernel
def new_game(state, seats, options, fate):
    state.fate = fate
    state.turn = 0
    state.winner = -1


@kernel
def to_move(state):
    if state.winner >= 0:
        return np.int64(NOBODY)
    return np.int64(CHANCE) if state.turn == TURNS else np.int64(state.turn) % 2


@kernel
def legal_actions(state, out):
    for colour in range(ACTIONS):
        out[colour] = colour
    return ACTIONS


@kernel
def chance_weights(state, out):
    out[0] = 1
    out[1] = 1


@kernel
def chance_key(state):
    return np.int64(0)


@kernel
def apply(state, action):
    if state.turn == TURNS:
        state.winner = action
    else:
        state.turn += 1


@kernel
def redeal(state, seat, rng):
    state.fate = fresh_fate(rng)


@kernel
def ranks(state, out):
    out[0] = 1 + np.int64(state.winner)
    out[1] = 2 - np.int64(state.winner)


@kernel
def score(state, seat):
    return np.int64(0)


@kernel
def round_index(state):
    return np.int64(state.turn) // 2


@kernel
def check(state):
    return 1 if state.winner >= 0 and state.turn < TURNS else 0
