"""Sagrada: the lists of the thesis's program, where they are not ours: its First, its Random, its order of moves.

Its pool is in the order in which the dice were rolled, which our states do not keep: here it is drawn by lot. Equal
dice stand apart in its lists. Both bear on First and Random, and the order on MCTS, which tries moves one by one.
"""

from __future__ import annotations

import numpy as np

from meeple.core.chance import draw
from meeple.core.kernel import kernel
from meeple.games.sagrada import board, layout
from meeple.games.sagrada.rules import legal_actions
from meeple.games.sagrada.tools import (
    BRUSH,
    GRINDING,
    GROZING,
    LENS,
    REMOVER,
    STRAIGHTEDGE,
    is_relocation,
    placed_die,
)


@kernel
def program_order(state, action):
    """What places a die first, tools included: of the private colour, on a printed cell, of a high value.

    Then passing and tools that roll, then moves of dice as they are listed.
    """
    die, cell = placed_die(state, action)
    if die < 0:
        return -np.int64((action & 0xFFFFF) + 1) if is_relocation(state, action) else np.int64(0)
    seat = layout.mover_of(state)
    is_private = die // board.N_VALUES == state.private[seat]
    is_printed = (board.PRINTED[state.window[seat]] >> cell) & 1
    return np.int64(1_000 + np.int64(is_private) * 20 + is_printed * 10 + die % board.N_VALUES)


@kernel
def program_bias(state, action):
    """Among moves that promise the same the one that comes first in the program's order; far below any difference."""
    return (program_order(state, action) + (1 << layout.KIND_BITS)) * 1e-12


@kernel
def program_first_policy(state, rng, out):
    """The first of the program's list: the first tool that can be used, else placements; both die by die."""
    n = legal_actions(state, out)
    kind = out[0] >> layout.KIND_BITS
    if state.phase != layout.TURN or kind > layout.PLACE:
        return out[0]
    kinds = 0  # the dice with which the list can begin
    for i in range(n):
        die = drafted_die(state, out[i])
        if die >= 0 and out[i] >> layout.KIND_BITS == kind:
            kinds |= 1 << die
    die = die_by_lot(state, rng, kinds)
    for i in range(n):
        if drafted_die(state, out[i]) == die:
            return out[i]
    return out[0]


@kernel
def die_by_lot(state, rng, kinds):
    """A die of the pool that is one of these kinds, each die as likely as another; -1 where there is none."""
    count = 0
    for place in range(state.n_pool):
        count += (kinds >> state.pool[place]) & 1
    if count == 0:
        return -1
    k = draw(rng, count)
    for place in range(state.n_pool):
        k -= (kinds >> state.pool[place]) & 1
        if k < 0:
            return np.int64(state.pool[place])
    return -1


@kernel
def drafted_die(state, action):
    """The die of the pool that a move takes; -1 where it takes none."""
    kind = action >> layout.KIND_BITS
    a, b = (action >> 15) & 31, (action >> 10) & 31
    if kind == layout.PLACE:
        return b
    if kind > layout.PLACE:
        return -1
    tool = state.tools[kind]
    if tool in (GROZING, LENS, BRUSH, REMOVER):
        return a
    return b if tool in (GRINDING, STRAIGHTEDGE) else -1


@kernel
def program_random_policy(state, rng, out):
    """The program's Random: any of its list, in which equal dice of the pool and of the track stand apart."""
    n = legal_actions(state, out)
    if state.phase != layout.TURN:
        return out[draw(rng, n)]
    total = 0
    for i in range(n):
        total += copies_of(state, out[i])
    k = draw(rng, total)
    for i in range(n):
        k -= copies_of(state, out[i])
        if k < 0:
            return out[i]
    return out[n - 1]


@kernel
def copies_of(state, action):
    """How often the program's list holds a move: once for each of the equal dice that it may take."""
    die = drafted_die(state, action)
    if die < 0:
        return 1
    copies = 0
    for place in range(state.n_pool):
        copies += np.int64(state.pool[place] == die)
    kind = action >> layout.KIND_BITS
    if kind < layout.PLACE and state.tools[kind] == LENS:
        copies *= state.track[(action >> 10) & 31]
    return copies
