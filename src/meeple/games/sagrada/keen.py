"""Sagrada: a rule-based player beyond the thesis's, `rules-keen`.

It chooses among the placements that the thesis's rules (players.py) look at by the same worth of objectives, with two
other weights: a die of the private colour counts what it scores, and a die on its own print some two points more, since
the blank cells that are left take any other die.
"""

from __future__ import annotations

from meeple.core.kernel import kernel
from meeple.games.sagrada.board import PRINTED, unfillable
from meeple.games.sagrada.evaluation import UNIT
from meeple.games.sagrada.layout import CHOOSE, mover_of
from meeple.games.sagrada.players import (
    EARNED,
    POINT_UNITS,
    WORTH,
    dice_at_hand,
    list_placements,
    objective_changes,
    play_or_pass,
    private_pips,
    window_move,
)

PRINTED_CELL = 800 * UNIT  # a die on its own print; some two points


@kernel
def keen_policy(state, rng, out):
    """The best placement by the weights of this module; no tools."""
    if state.phase == CHOOSE:
        return window_move(state)
    seat = mover_of(state)
    return play_or_pass(state, rng, out, keen_placement(state, seat, dice_at_hand(state), out))


@kernel
def keen_placement(state, seat, dice, out):
    """The best placement of these dice; -1 where none fits. `out` is scratch."""
    dead = unfillable(state, seat)
    n, first = list_placements(state, seat, dice, dead, out)
    if n <= 0:
        return first
    window = state.window[seat]
    for i in range(n):
        cell, die = (out[i] >> 15) & 31, (out[i] >> 10) & 31
        is_printed = (PRINTED[window] >> cell) & 1
        out[WORTH + i] = POINT_UNITS * private_pips(state, seat, die) + PRINTED_CELL * is_printed
        out[EARNED + i] = 0
    objective_changes(state, seat, dead, out, n)
    best = 0
    for i in range(1, n):
        if out[WORTH + i] > out[WORTH + best]:
            best = i
    return out[best]
