"""What holds in every position of Sagrada."""

from __future__ import annotations

import numpy as np

from meeple.core.bits import popcount
from meeple.core.kernel import kernel
from meeple.games.sagrada import board, layout
from meeple.games.sagrada.dealing import colours_dealt, dice_a_round
from meeple.games.sagrada.pool import dice_in_bag
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
    "cards, private colours and windows must be dealt as far as the phase says, and no further",
    "turn, round and start player must be some of this table and fit the phase",
    "before the first roll all dice must be in the bag, and later as many as are still to be rolled",
    "the pool has room for nine dice, for fewer while dice are rolled or one is in hand, and for none at the end",
    "a die, a place or a tool must be in hand while one is in use, and only then",
)


@kernel
def check(state):
    for colour in range(board.N_COLOURS):
        if dice_of(state, colour) != board.COPIES:
            return 1
    for seat in range(state.seats):
        broken = check_window(state, seat)
        if broken != 0:
            return broken
    for place in range(layout.MOST_POOL):
        die = state.pool[place]
        if place >= state.n_pool and die != 0:
            return 5
        if 0 < place < state.n_pool and state.phase != layout.HAMMER and state.pool[place - 1] > die:
            return 5
    if not cards_differ(state):
        return 6
    if state.phase >= layout.ROLL:
        for seat in range(state.seats):
            turns = 0
            for place in range(2 * state.seats):
                turns += np.int64(state.order[place] == seat)
            if turns != 2:
                return 7
    for die in range(board.N_DICE):
        if (state.track_kinds >> die) & 1 != np.int64(state.track[die] > 0):
            return 8
    return check_phase(state)


@kernel
def check_phase(state):
    """Whether what is dealt, whose turn it is, the bag, the pool and what is in hand fit the phase; 0 where they do."""
    phase = state.phase
    if not is_dealt_so_far(state):
        return 9
    if not is_turn_sound(state):
        return 10
    to_roll, most = 0, layout.MOST_POOL
    if phase != layout.OVER:
        to_roll = dice_a_round(state) * (layout.N_ROUNDS - state.lap - np.int64(phase > layout.ROLL))
    if phase == layout.ROLL:
        to_roll -= state.n_pool
    in_bag = dice_in_bag(state)
    if in_bag < to_roll or (phase < layout.ROLL and in_bag != board.N_COLOURS * board.COPIES):
        return 11
    if phase == layout.ROLL:
        most = dice_a_round(state) - 1
    elif phase < layout.ROLL or phase == layout.OVER:
        most = 0
    elif phase in (layout.FLUX_ROLL, layout.FLUX_PLACE, layout.REMOVER_DRAW, layout.REMOVER_PLACE):
        most -= 1
    if state.n_pool > most:
        return 12
    return 0 if is_hand_sound(state) else 13


@kernel
def is_dealt_so_far(state):
    """Whether the cards, colours and windows that are on the table are those that the phase has seen dealt."""
    phase, turn, seats = state.phase, state.turn, state.seats
    for slot in range(5):
        if (state.tools[slot] != 0) != (slot < dealt(phase, layout.DEAL_TOOLS, turn, state.n_tools)):
            return False
    for place in range(3):
        if (state.goals[place] != layout.NONE) != (place < dealt(phase, layout.DEAL_GOALS, turn, state.n_goals)):
            return False
    n_colours = dealt(phase, layout.DEAL_COLOURS, turn, colours_dealt(state))
    sides = 1 if state.is_thesis != 0 else 2  # of a card: each is a pattern
    n_offered = 0 if phase >= layout.ROLL else dealt(phase, layout.DEAL_WINDOWS, sides * turn, 4 * seats)
    n_windows = dealt(phase, layout.CHOOSE, turn, seats)
    for seat in range(4):
        if (state.private[seat] != layout.NONE) != (seat < n_colours) or (state.window[seat] != layout.NONE) != (
            seat < n_windows
        ):
            return False
        for place in range(4):
            if (state.offer[seat, place] != layout.NONE) != (4 * seat + place < n_offered):
                return False
    return True


@kernel
def dealt(phase, own_phase, so_far, whole):
    """How many of `whole` are dealt: none before their own phase, in it `so_far`, later all."""
    if phase < own_phase:
        return 0
    return so_far if phase == own_phase else whole


@kernel
def is_turn_sound(state):
    """Whether turn, round and start player fit the phase."""
    phase, turn, seats = state.phase, state.turn, state.seats
    if state.start >= seats or state.skips >> seats != 0:
        return False
    if (state.lap == layout.N_ROUNDS) != (phase == layout.OVER) or (phase < layout.ROLL and state.lap != 0):
        return False
    if phase in (layout.ROLL, layout.OVER):
        return turn == 0 and state.skips == 0
    if phase == layout.DEAL_TOOLS:
        return turn < state.n_tools
    if phase == layout.DEAL_GOALS:
        return turn < state.n_goals
    if phase == layout.DEAL_COLOURS:
        return turn < colours_dealt(state)
    if phase == layout.DEAL_WINDOWS:
        return turn < (4 if state.is_thesis != 0 else 2) * seats
    return turn < (seats if phase == layout.CHOOSE else 2 * seats)


@kernel
def is_hand_sound(state):
    """Whether `hand` holds what the phase needs: a die, the hammer's place, a tool that is paid for, or nothing."""
    phase, hand = state.phase, state.hand
    if phase in (layout.FLUX_ROLL, layout.FLUX_PLACE, layout.REMOVER_DRAW, layout.REMOVER_PLACE):
        return hand != layout.NONE
    if phase == layout.HAMMER:
        return 0 <= hand < state.n_pool
    if phase == layout.SOLO_TOOL:
        return state.seats == 1 and 0 <= hand < state.n_tools
    return hand == layout.NONE


@kernel
def check_window(state, seat):
    """Whether a window could have come about; 0 where it could."""
    by_colour, by_value, n = 0, 0, 0
    for colour in range(board.N_COLOURS):
        cells = state.col[seat, colour]
        by_colour |= cells
        n += popcount(cells)
        if cells & board.beside(cells):
            return 3
    for value in range(board.N_VALUES):
        cells = state.val[seat, value]
        by_value |= cells
        n += popcount(cells)
        if cells & board.beside(cells):
            return 3
    occupied = state.occ[seat]
    if by_colour != occupied or by_value != occupied or n != 2 * popcount(occupied) or occupied & ~board.BOARD:
        return 2
    for cell in range(board.N_CELLS):
        if (occupied >> cell) & 1 and not print_allows(state, seat, cell):
            return 4
    return 0


@kernel
def print_allows(state, seat, cell):
    """Whether a die fits the print of its cell, or a tool in play could have brought it there."""
    die, window = board.die_at(state, seat, cell), state.window[seat]
    if not (board.TAKES_COLOUR[window, die // board.N_VALUES] >> cell) & 1 and not has_tool(state, EGLOMISE):
        return False
    return (board.TAKES_VALUE[window, die % board.N_VALUES] >> cell) & 1 or has_tool(state, COPPER)


@kernel
def dice_of(state, colour):
    """All dice of a colour, wherever they are."""
    total = state.bag[colour] + state.spent[colour]
    for seat in range(state.seats):
        total += popcount(state.col[seat, colour])
    for place in range(state.n_pool):
        total += np.int64(state.pool[place] // board.N_VALUES == colour)
    for value in range(board.N_VALUES):
        total += state.track[colour * board.N_VALUES + value]
    if state.phase in (layout.FLUX_ROLL, layout.FLUX_PLACE, layout.REMOVER_PLACE):
        total += np.int64(state.hand // board.N_VALUES == colour)
    return total


@kernel
def has_tool(state, tool):
    """Whether a tool card lies on the table."""
    for slot in range(state.n_tools):
        if state.tools[slot] == tool:
            return True
    return False


@kernel
def cards_differ(state):
    """Whether no tool, objective, window or private colour is there twice."""
    tools, goals, colours = 0, 0, 0
    n = 0
    for slot in range(5):
        if state.tools[slot] > 0:
            tools |= 1 << state.tools[slot]
            n += 1
    for place in range(3):
        if state.goals[place] != layout.NONE:
            goals |= 1 << state.goals[place]
            n += 1
    for seat in range(4):
        if state.private[seat] != layout.NONE:
            colours |= 1 << state.private[seat]
            n += 1
    return popcount(tools) + popcount(goals) + popcount(colours) == n
