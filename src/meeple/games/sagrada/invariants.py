"""What holds in every position of Sagrada."""

from __future__ import annotations

import numpy as np

from meeple.core.bits import popcount
from meeple.core.kernel import kernel
from meeple.games.sagrada.board import (
    BOARD,
    COPIES,
    N_CELLS,
    N_COLOURS,
    N_DICE,
    N_VALUES,
    TAKES_COLOUR,
    TAKES_VALUE,
    beside,
    die_at,
)
from meeple.games.sagrada.layout import FLUX_PLACE, FLUX_ROLL, HAMMER, MOST_POOL, NONE, REMOVER_PLACE, ROLL
from meeple.games.sagrada.tools import COPPER, EGLOMISE

CHECKS = (
    "there must be 18 dice of each colour",
    "a window's colours and values must cover the same cells, one die each",
    "side neighbours must differ in colour and value",
    "a die must stand where its cell's print allows it, unless a tool in play ignores that print",
    "the pool must be ascending, with nothing after its last die",
    "cards and private colours must differ",
    "each seat must have two turns in the order",
    "the kinds of the track must fit its counts",
    "favor tokens must not be negative",
)


@kernel
def check(state):
    for colour in range(N_COLOURS):
        if dice_of(state, np.int64(colour)) != COPIES:
            return 1
    for seat in range(np.int64(state.seats)):
        broken = check_window(state, np.int64(seat))
        if broken != 0:
            return broken
        if state.tokens[seat] < 0:
            return 9
    for place in range(MOST_POOL):
        die = np.int64(state.pool[place])
        if place >= np.int64(state.n_pool) and die != 0:
            return 5
        if 0 < place < np.int64(state.n_pool) and state.phase != HAMMER and state.pool[place - 1] > die:
            return 5
    if not cards_differ(state):
        return 6
    if state.phase >= ROLL:
        for seat in range(np.int64(state.seats)):
            turns = np.int64(0)
            for place in range(2 * np.int64(state.seats)):
                turns += np.int64(state.order[place] == seat)
            if turns != 2:
                return 7
    for die in range(N_DICE):
        if (np.int64(state.track_kinds) >> die) & 1 != np.int64(state.track[die] > 0):
            return 8
    return 0


@kernel
def check_window(state, seat):
    """Whether a window could have come about; 0 where it could."""
    by_colour, by_value, n = np.int64(0), np.int64(0), np.int64(0)
    for colour in range(N_COLOURS):
        cells = np.int64(state.col[seat, colour])
        by_colour |= cells
        n += popcount(cells)
        if cells & beside(cells):
            return 3
    for value in range(N_VALUES):
        cells = np.int64(state.val[seat, value])
        by_value |= cells
        n += popcount(cells)
        if cells & beside(cells):
            return 3
    occupied = np.int64(state.occ[seat])
    if by_colour != occupied or by_value != occupied or n != 2 * popcount(occupied) or occupied & ~BOARD:
        return 2
    for cell in range(N_CELLS):
        if (occupied >> cell) & 1 and not print_allows(state, seat, np.int64(cell)):
            return 4
    return 0


@kernel
def print_allows(state, seat, cell):
    """Whether a die fits the print of its cell, or a tool in play could have brought it there."""
    die, window = die_at(state, seat, cell), np.int64(state.window[seat])
    if not (TAKES_COLOUR[window, die // N_VALUES] >> cell) & 1 and not has_tool(state, np.int64(EGLOMISE)):
        return False
    return (TAKES_VALUE[window, die % N_VALUES] >> cell) & 1 or has_tool(state, np.int64(COPPER))


@kernel
def dice_of(state, colour):
    """All dice of a colour, wherever they are."""
    total = np.int64(state.bag[colour]) + np.int64(state.spent[colour])
    for seat in range(np.int64(state.seats)):
        total += popcount(np.int64(state.col[seat, colour]))
    for place in range(np.int64(state.n_pool)):
        total += np.int64(state.pool[place] // N_VALUES == colour)
    for value in range(N_VALUES):
        total += np.int64(state.track[colour * N_VALUES + value])
    if state.phase in (FLUX_ROLL, FLUX_PLACE, REMOVER_PLACE):
        total += np.int64(state.hand // N_VALUES == colour)
    return total


@kernel
def has_tool(state, tool):
    """Whether a tool card lies on the table."""
    for slot in range(np.int64(state.n_tools)):
        if state.tools[slot] == tool:
            return True
    return False


@kernel
def cards_differ(state):
    """Whether no tool, objective, window or private colour is there twice."""
    tools, goals, colours = np.int64(0), np.int64(0), np.int64(0)
    n = np.int64(0)
    for slot in range(5):
        if state.tools[slot] > 0:
            tools |= np.int64(1) << np.int64(state.tools[slot])
            n += 1
    for place in range(3):
        if state.goals[place] != NONE:
            goals |= np.int64(1) << np.int64(state.goals[place])
            n += 1
    for seat in range(4):
        if state.private[seat] != NONE:
            colours |= np.int64(1) << np.int64(state.private[seat])
            n += 1
    return popcount(tools) + popcount(goals) + popcount(colours) == n
