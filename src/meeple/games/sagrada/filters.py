"""Sagrada: which moves are worth a look, and which come first [sections 4.2 and 4.3 of the thesis].

`thesis` leaves out moves that put a die beside an empty cell of its own print. `brief` also merges moves that reach the
same window, and of the thousands of ways in which tools may move dice keeps a few. `placements` leaves out all tools.
"""

from __future__ import annotations

import numpy as np

from meeple.core.bits import lowest_bit
from meeple.core.chance import roll
from meeple.core.kernel import kernel
from meeple.core.scored import keep_most
from meeple.games.sagrada import board
from meeple.games.sagrada.evaluation import THESIS, side_value
from meeple.games.sagrada.layout import CHOOSE, KIND_BITS, PASS, PLACE, TURN, mover_of
from meeple.games.sagrada.tools import COPPER, EGLOMISE, LATHEKIN, LENS, TAP_WHEEL, placed_die


@kernel
def spoils(state, seat, die, cell, empty):
    """Whether a die on `cell` would stand beside an empty cell of its own print."""
    window = state.window[seat]
    own_print = board.PRINTED_COLOUR[window, die // board.N_VALUES] | board.PRINTED_VALUE[window, die % board.N_VALUES]
    return board.beside(1 << cell) & empty & own_print != 0


@kernel
def moving_slots(state):
    """The slots, as bits, whose tools move dice in the window (in the solo game a payment comes first)."""
    slots = 0
    if state.seats == 1 and state.phase == TURN:
        return slots
    for slot in range(state.n_tools):
        tool = state.tools[slot]
        slots |= np.int64(tool in (EGLOMISE, COPPER, LATHEKIN, TAP_WHEEL)) << slot
    return slots


@kernel
def thesis_filter(state, actions, n):
    """Moves that spoil no empty cell; all, where every move does. Of windows the first on offer."""
    if state.phase == CHOOSE:
        return 1
    seat = mover_of(state)
    slots = moving_slots(state)
    first = actions[0]
    if slots != 0 and first >> KIND_BITS < PLACE:
        kept = keep_harmless(state, seat, actions, n, slots, spoilt_targets(state, seat))
    else:
        kept = keep_harmless_drafts(state, seat, actions, n)
    if kept > 0:
        return kept
    # Each move was written to place `kept` before it was judged: where none was kept, over the first move alone.
    actions[0] = first
    return n


@kernel
def placements_filter(state, actions, n):
    """Placements without tools, and the pass; all moves where there are neither, as among windows."""
    kept = 0
    for i in range(n):
        if actions[i] >> KIND_BITS in (PLACE, PASS):
            actions[kept] = actions[i]
            kept += 1
    return kept if kept > 0 else n


@kernel
def spoilt_targets(state, seat):
    """For each cell the cells to which its die must not move: those beside an empty cell of the die's print."""
    window = state.window[seat]
    empty = board.BOARD & ~state.occ[seat]
    targets = np.zeros(board.N_CELLS, np.int64)
    left = state.occ[seat]
    while left:
        cell = lowest_bit(left)
        left &= left - 1
        die = board.die_at(state, seat, cell)
        own_print = (
            board.PRINTED_COLOUR[window, die // board.N_VALUES] | board.PRINTED_VALUE[window, die % board.N_VALUES]
        )
        targets[cell] = board.beside(own_print & empty)
    return targets


@kernel
def keep_harmless(state, seat, actions, n, slots, targets):
    """Keep the moves that put no die beside an empty cell of its print; 0 where there is none."""
    empty = board.BOARD & ~state.occ[seat]
    kept = 0
    for i in range(n):
        action = actions[i]
        kind = action >> KIND_BITS
        a, b, c, d = (action >> 15) & 31, (action >> 10) & 31, (action >> 5) & 31, action & 31
        if kind < PLACE and (slots >> kind) & 1:
            # One die alone has c = d = 0: the die on a1, if there is one, does not move to a1.
            is_harmful = (targets[a] >> b) & 1 or ((c != 0 or d != 0) and (targets[c] >> d) & 1)
        else:
            die, cell = placed_die(state, action)
            is_harmful = die >= 0 and spoils(state, seat, die, cell, empty)
        actions[kept] = action
        kept += np.int64(not is_harmful)
    return kept


@kernel
def keep_harmless_drafts(state, seat, actions, n):
    """The same where no move moves dice in the window."""
    empty = board.BOARD & ~state.occ[seat]
    kept = 0
    for i in range(n):
        die, cell = placed_die(state, actions[i])
        is_harmful = die >= 0 and spoils(state, seat, die, cell, empty)
        actions[kept] = actions[i]
        kept += np.int64(not is_harmful)
    return kept


MOST_MOVED = 16  # ways to move dice that are looked at


@kernel
def brief_filter(state, actions, n):
    """As `thesis_filter`, but one move for each window that can be reached, and of moves of dice the most promising.

    What a pair of moves promises is what each would bring alone.
    """
    n = merge_exchanges(state, actions, thesis_filter(state, actions, n))
    slots = moving_slots(state)
    if slots == 0 or state.phase == CHOOSE or actions[0] >> KIND_BITS >= PLACE:
        return n
    n = merge_pairs(actions, n, slots)
    moved = 0
    for i in range(n):
        moved += np.int64(is_in(slots, actions[i]))
    return n if moved <= MOST_MOVED else keep_promising(state, actions, n, slots)


@kernel
def strong_filter(state, actions, n):
    """As `brief_filter`, and every window on offer."""
    return n if state.phase == CHOOSE else brief_filter(state, actions, n)


@kernel
def merge_exchanges(state, actions, n):
    """Of the Lens Cutter's moves those that give one die of the pool for the one that is placed: the first that may."""
    if state.phase == CHOOSE or (state.seats == 1 and state.phase == TURN):
        return n
    given, kept = -1, 0
    for i in range(n):
        action = actions[i]
        kind = action >> KIND_BITS
        is_twin = False
        if kind < PLACE and state.tools[kind] == LENS:
            if given < 0:
                given = (action >> 15) & 31
            is_twin = given != (action >> 15) & 31
        actions[kept] = action
        kept += np.int64(not is_twin)
    return kept


@kernel
def is_in(slots, action):
    """Whether a move uses a tool in one of these slots."""
    kind = action >> KIND_BITS
    return kind < PLACE and (slots >> kind) & 1 != 0


@kernel
def merge_pairs(actions, n, slots):
    """Leave out a pair of moves where the same pair in the other order stands before it."""
    kept = 0
    for i in range(n):
        action = actions[i]
        first, second = (action >> 10) & 1023, action & 1023
        is_twin = False
        if is_in(slots, action) and 0 < second < first:
            twin = (action >> KIND_BITS << KIND_BITS) | (second << 10) | first
            is_twin = is_listed(actions, kept, twin)
        actions[kept] = action
        kept += np.int64(not is_twin)
    return kept


@kernel
def is_listed(actions, n, wanted):
    """Whether an ascending list holds an action."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if actions[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low < n and actions[low] == wanted


@kernel
def keep_promising(state, actions, n, slots):
    """Keep MOST_MOVED of the moves of dice, those that promise most (of equals the first), and all other moves."""
    seat = mover_of(state)
    alone = np.zeros((board.N_CELLS, board.N_CELLS))  # what each die's move would bring by itself; 0: not known yet
    now = side_value(state, seat, THESIS[0])
    promises = np.full(n, np.inf)
    for i in range(n):
        if is_in(slots, actions[i]):
            promises[i] = promise_of(state, seat, actions[i], alone, now)
    return keep_most(actions, promises, MOST_MOVED)


@kernel
def promise_of(state, seat, action, alone, now):
    """What the moves of dice in an action would bring, each alone; `now` is the seat's value as it is."""
    a, b, c, d = (action >> 15) & 31, (action >> 10) & 31, (action >> 5) & 31, action & 31
    promise = gain_alone(state, seat, a, b, alone, now)
    if (c != 0 or d != 0) and d != a:  # a cell that the first die leaves is not free for the second alone
        promise += gain_alone(state, seat, c, d, alone, now)
    return promise


@kernel
def gain_alone(state, seat, origin, target, alone, now):
    """What a die's move would bring to the seat's value; kept in `alone`."""
    if alone[origin, target] == 0.0:
        board.shift(state, seat, origin, target)
        alone[origin, target] = side_value(state, seat, THESIS[0]) - now + 1e-9
        board.shift(state, seat, target, origin)
    return alone[origin, target]


@kernel
def thesis_order(state, action):
    """Placements first: of the private colour, on a printed cell, of a high value; all else by the world's lots."""
    if action >> KIND_BITS != PLACE:
        return roll(state.fate, action, 100)
    seat = mover_of(state)
    cell, die = (action >> 15) & 31, (action >> 10) & 31
    is_private = die // board.N_VALUES == state.private[seat]
    is_printed = (board.PRINTED[state.window[seat]] >> cell) & 1
    return 1_000 + np.int64(is_private) * 20 + is_printed * 10 + die % board.N_VALUES
