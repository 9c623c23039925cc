"""Setting Sagrada up: what the options say, cards dealt, windows chosen, and the order of a round."""

from __future__ import annotations

import numpy as np

from meeple.core.kernel import kernel
from meeple.games.sagrada import layout
from meeple.games.sagrada.board import BLANK_VIA_LUX, DIFFICULTY, INDUSTRIA, N_COLOURS, VIA_LUX
from meeple.games.sagrada.cards import WINDOWS, WORTHS

# Places in `options`; from WORTH on the points of each thing.
RULES, FAULTS, RETURNED, CARDS, AIMS, TOOL_DECK, GOAL_DECK, WINDOW_DECK, WORTH = range(9)
N_WINDOWS, N_WORTHS = len(WINDOWS), len(WORTHS)
TOOL_COUNTS = np.array([3, 0, 1, 2, 4, 5], dtype=np.int64)  # by the words of the option `tools`
USUAL_GOALS = 0  # of the option `goals`: 3, in the solo game 2


@kernel
def fix_options(state, seats, options):
    """Write down what the options say of this match."""
    state.seats = seats
    state.is_thesis = options[RULES]
    state.has_faults = options[FAULTS]
    state.keeps_roll = 1 if options[RULES] != 0 else options[RETURNED]
    state.n_tools = TOOL_COUNTS[options[CARDS]]
    state.n_goals = options[AIMS] - 1
    if options[AIMS] == USUAL_GOALS:
        state.n_goals = 2 if seats == 1 else 3
    state.tool_deck = options[TOOL_DECK]
    state.goal_deck = options[GOAL_DECK]
    state.window_deck = options[WINDOW_DECK]
    for place in range(N_WORTHS):
        state.worth[place] = options[WORTH + place]
    if seats == 1:
        state.worth[layout.EMPTY] = 3 * options[WORTH + layout.EMPTY]


@kernel
def first_phase(state):
    """What is dealt first."""
    if state.n_tools > 0:
        return layout.DEAL_TOOLS
    return layout.DEAL_GOALS if state.n_goals > 0 else layout.DEAL_COLOURS


@kernel
def cards_left(state):
    """The cards from which the next is dealt, as bits of their codes."""
    phase = state.phase
    turn = state.turn
    if phase == layout.DEAL_TOOLS:
        left = state.tool_deck
        for slot in range(turn):
            left &= ~(1 << (state.tools[slot] - 1))
        return left
    if phase == layout.DEAL_GOALS:
        left = state.goal_deck
        for place in range(turn):
            left &= ~(1 << state.goals[place])
        return left
    if phase == layout.DEAL_COLOURS:
        left = (1 << N_COLOURS) - 1
        for place in range(turn):
            left &= ~(1 << state.private[place])
        return left
    # Windows: cards of two sides, or by the thesis's rules single sides.
    sides = 1 if state.is_thesis != 0 else 2
    left = 0
    for card in range(N_WINDOWS // sides):
        left |= ((state.window_deck >> (sides * card)) & 1) << card
    for seat in range(state.seats):
        for place in range(4):
            if state.offer[seat, place] != layout.NONE:
                left &= ~(1 << (state.offer[seat, place] // sides))
    return left


@kernel
def set_up(state, action):
    """Deal one card, or choose a window."""
    phase = state.phase
    turn = state.turn
    seats = state.seats
    state.turn = turn + 1
    if phase == layout.DEAL_TOOLS:
        state.tools[turn] = action + 1
        next_phase(state, state.n_tools, layout.DEAL_GOALS if state.n_goals > 0 else layout.DEAL_COLOURS)
    elif phase == layout.DEAL_GOALS:
        state.goals[turn] = action
        next_phase(state, state.n_goals, layout.DEAL_COLOURS)
    elif phase == layout.DEAL_COLOURS:
        state.private[turn] = action
        next_phase(state, colours_dealt(state), layout.DEAL_WINDOWS)
    elif phase == layout.DEAL_WINDOWS:
        if state.is_thesis != 0:
            state.offer[turn // 4, turn % 4] = action
            next_phase(state, 4 * seats, layout.CHOOSE)
        else:
            state.offer[turn // 2, turn % 2 * 2] = 2 * action
            state.offer[turn // 2, turn % 2 * 2 + 1] = 2 * action + 1
            next_phase(state, 2 * seats, layout.CHOOSE)
    else:
        state.window[turn] = pattern_of(state, state.offer[turn, (action >> 15) & 31])
        if turn + 1 == seats:
            show_windows(state)


@kernel
def next_phase(state, count, phase):
    """Go on to `phase` when `count` cards are dealt."""
    if state.turn == count:
        state.turn = 0
        state.phase = phase


@kernel
def pattern_of(state, dealt):
    """The pattern that a dealt side means: with the thesis program's faults Via Lux lacks its purple cell."""
    return BLANK_VIA_LUX if state.has_faults != 0 and dealt == VIA_LUX else dealt


@kernel
def difficulty_of(state, window):
    """Favor tokens of a pattern; with the thesis program's faults Industria has 6."""
    return 6 if state.has_faults != 0 and window == INDUSTRIA else DIFFICULTY[window]


@kernel
def show_windows(state):
    """All have chosen: tokens are given out, what was not chosen leaves the game, and the first round begins."""
    for seat in range(state.seats):
        for place in range(4):
            state.offer[seat, place] = layout.NONE
    if state.seats > 1:
        for seat in range(state.seats):
            state.tokens[seat] = difficulty_of(state, state.window[seat])
    begin_round(state)


@kernel
def dice_a_round(state):
    """Dice rolled at the start of a round."""
    return 4 if state.seats == 1 else 2 * state.seats + 1


@kernel
def colours_dealt(state):
    """Private colours in a match: one a seat, in the solo game two."""
    return max(2, state.seats)


@kernel
def begin_round(state):
    """The snake from the start player and back; dice are rolled next."""
    seats = state.seats
    for place in range(seats):
        seat = (state.start + place) % seats
        state.order[place] = seat
        state.order[2 * seats - 1 - place] = seat
    state.turn = 0
    state.skips = 0
    state.phase = layout.ROLL
