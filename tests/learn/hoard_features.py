"""Hoard as numbers, for tests of learning with dice, hidden cards and two to four seats; `leaky` looks into hands."""

from __future__ import annotations

import numpy as np

from meeple.core.features import FeatureSet
from meeple.core.kernel import kernel

N_TERMS = 5
DIE, HAND, HOARD, POINTS, DROPPED = 0, 4, 12, 30, 94  # where the groups of `table` begin
N_TABLE = 94 + 4 * 6


@kernel
def write_terms(state, seat, out):
    """Points, cards in hand and hoarded of the seat, then points and number of hoarded cards of its best rivals."""
    for i in range(N_TERMS):
        out[i] = 0.0
    out[0] = state.points[seat] / 10.0
    for value in range(1, 4):
        out[2] += value * state.hoard[seat, value - 1] / 10.0
        for place in range(2):
            if state.hand[seat, place] == value:
                out[1] += value / 6.0
    for other in range(state.seats):
        if other != seat:
            out[3] = max(out[3], state.points[other] / 10.0)
            out[4] = max(out[4], state.n_hoard[other] / 4.0)
    return N_TERMS


@kernel
def write_table(state, seat, out):
    """The die, the seat's own cards, and of each seat from it on the points and the number of hoarded cards."""
    out[0] = DIE + state.die
    for place in range(2):
        out[1 + place] = HAND + 4 * place + state.hand[seat, place]
    for value in range(3):
        out[3 + value] = HOARD + 6 * value + state.hoard[seat, value]
    n = 6
    for turn in range(state.seats):
        other = (seat + turn) % state.seats
        out[n] = POINTS + 16 * turn + state.points[other]
        out[n + 1] = DROPPED + 6 * turn + min(np.int64(state.n_hoard[other]), 5)
        n += 2
    return n


@kernel
def write_leaky(state, seat, out):
    """The same, and the first card of the next seat, which it may not know."""
    n = write_table(state, seat, out)
    out[n] = N_TABLE + state.hand[(seat + 1) % state.seats, 0]
    return n + 1


@kernel
def write_card(state, action, out):
    """Played or dropped, and the card's value."""
    out[0] = 3 * (action // 2) + state.hand[state.mover, action % 2] - 1
    return 1


FEATURES = {
    "terms": FeatureSet("dense", write_terms, N_TERMS, "points and cards"),
    "table": FeatureSet("sparse", write_table, N_TABLE, "what a seat sees", most=14),
    "leaky": FeatureSet("sparse", write_leaky, N_TABLE + 4, "a rival's card too", most=15),
}
ACTION_FEATURES = {"cards": FeatureSet("sparse", write_card, 6, "play or drop a card", most=1)}
