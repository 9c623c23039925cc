"""Sagrada: the rules, compiled.

One to four seats fill windows of 4 x 5 cells with dice of five colours. Ten rounds: 2n + 1 dice are rolled into a
pool; in a snake each seat has two turns, in which it may draft one die into its window and use one tool card for
favor tokens; what is left goes to the track. Three public objectives, a secret colour, unspent tokens and empty
cells make the score.

State   STATE in layout.py; windows as bits, board.py
Action  kind << 20 | a << 15 | b << 10 | c << 5 | d, so that ascending is the thesis's order: tools as the cards lie,
        placements, pass.      kind 0..4: the tool in that slot (tools.py)
            Grozing Pliers                  a die, b 0 down 1 up, c cell
            Eglomise Brush, Copper Foil     a from, b to
            Lathekin, Tap Wheel             a from, b to, c from, d to (c = d = 0: one die alone)
            Lens Cutter                     a die, b die of the track, c cell
            Flux Brush, Flux Remover        a die
            Straightedge, Grinding Stone    a cell, b die
            in the solo game                a die that pays; the moves above come after it
        5 place: a cell, b die     6 return: a die     7 pass     8 window: a place in the offer
Chance  a die is 0..29, colour * 6 + value - 1: drawn and rolled at once. Cards: tool, objective, colour, window.
Hidden  private colours; windows chosen until all have; `fate`
Source  docs/games/sagrada.md, where every RULING is argued
"""

from __future__ import annotations

import numpy as np

from meeple.core.bits import lowest_bit, popcount
from meeple.core.chance import draw, fresh_fate, roll
from meeple.core.contract import CHANCE, HIDDEN, NOBODY
from meeple.core.kernel import kernel
from meeple.games.sagrada.board import (
    BLANK_VIA_LUX,
    BOARD,
    COLOUR_SETS,
    COPIES,
    DIFFICULTY,
    INDUSTRIA,
    MOST_COLOUR_SETS,
    MOST_SHADE_SETS,
    N_CELLS,
    N_COLOURS,
    N_DICE,
    N_VALUES,
    POINTS,
    SHADES,
    TAKES_COLOUR,
    TAKES_VALUE,
    VIA_LUX,
    beside,
    colour_points,
    die_at,
    fits,
    open_cells,
    put,
    shift,
    times_scored,
)
from meeple.games.sagrada.cards import COLOURS, OBJECTIVES, TOOLS, WINDOWS
from meeple.games.sagrada.layout import (
    ACTIONS,
    CHOOSE,
    DEAL_COLOURS,
    DEAL_GOALS,
    DEAL_TOOLS,
    DEAL_WINDOWS,
    EXTRA,
    FLUX_PLACE,
    FLUX_ROLL,
    HAMMER,
    KIND_BITS,
    MOST_POOL,
    N_ROUNDS,
    NONE,
    OVER,
    PASS,
    PLACE,
    REMOVER_DRAW,
    REMOVER_PLACE,
    RETURN,
    ROLL,
    SOLO_TOOL,
    STATE,
    TURN,
    WINDOW,
    coded,
    later_turn,
    mover_of,
    pool_kinds,
)
from meeple.games.sagrada.tools import (
    BRUSH,
    COPPER,
    EGLOMISE,
    GRINDING,
    GROZING,
    HAMMER_CARD,
    LATHEKIN,
    LENS,
    MAX_ACTIONS,
    REMOVER,
    RUNNING,
    STRAIGHTEDGE,
    TAP_WHEEL,
    list_drafts,
    list_tool,
)

__all__ = ["ACTIONS", "MAX_ACTIONS", "STATE"]

SEATS = (1, 4)
OUTCOMES = N_DICE
STRATA = N_COLOURS  # worlds are told apart by the colour of the next seat
RULES, FAULTS, RETURNED, CARDS = range(4)  # places in `options`
N_TOOL_CARDS, N_GOAL_CARDS, N_WINDOWS = len(TOOLS), len(OBJECTIVES), len(WINDOWS)
SOLO_COLOUR = np.array([0, *(COLOURS.index(tool.solo) for tool in TOOLS)], dtype=np.int64)
TOOL_COUNTS = np.array([3, 0, 1, 2, 4, 5], dtype=np.int64)  # by the words of the option `tools`
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
def new_game(state, seats, options, fate):
    state.fate = fate
    for seat in range(4):
        state.occ[seat] = 0
        state.window[seat] = NONE
        state.private[seat] = NONE
        state.tokens[seat] = 0
        for colour in range(N_COLOURS):
            state.col[seat, colour] = 0
        for value in range(N_VALUES):
            state.val[seat, value] = 0
        for place in range(4):
            state.offer[seat, place] = NONE
    state.track_kinds = 0
    for die in range(N_DICE):
        state.track[die] = 0
    for colour in range(N_COLOURS):
        state.bag[colour] = COPIES
        state.spent[colour] = 0
    for place in range(MOST_POOL):
        state.pool[place] = 0
    for place in range(8):
        state.order[place] = 0
    state.n_pool = 0
    state.turn = 0
    state.lap = 0
    state.hand = NONE
    state.tool_used = 0
    state.drafted = 0
    state.skips = 0
    state.start = 1 if options[FAULTS] != 0 and seats > 1 else 0
    state.seats = seats
    state.is_thesis = options[RULES]
    state.has_faults = options[FAULTS]
    state.keeps_roll = 1 if options[RULES] != 0 else options[RETURNED]
    state.n_tools = TOOL_COUNTS[options[CARDS]]
    state.n_goals = 2 if seats == 1 else 3
    for slot in range(5):
        state.tools[slot] = 0
        state.paid[slot] = 0
    for place in range(3):
        state.goals[place] = NONE
        state.spare[place] = 0
    state.phase = DEAL_TOOLS if state.n_tools > 0 else DEAL_GOALS


@kernel
def to_move(state):
    phase = np.int64(state.phase)
    if phase == OVER:
        return np.int64(NOBODY)
    if phase == CHOOSE:
        return np.int64(state.turn)
    if phase in (TURN, FLUX_PLACE, REMOVER_PLACE, SOLO_TOOL, EXTRA):
        return mover_of(state)
    return np.int64(CHANCE)


# --- what may be played


@kernel
def legal_actions(state, out):
    return list_up_to(state, out, np.int64(MAX_ACTIONS))


@kernel
def list_up_to(state, out, limit):
    """The first so many legal actions, ascending; returns how many were written."""
    phase = np.int64(state.phase)
    n = np.int64(0)
    if phase == TURN:
        return list_turn(state, out, limit)
    if phase == CHOOSE:
        for place in range(4):
            out[place] = coded(np.int64(WINDOW), np.int64(place), np.int64(0), np.int64(0), np.int64(0))
        return np.int64(4)
    seat = mover_of(state)
    if phase == SOLO_TOOL:
        slot = np.int64(state.hand)
        return list_tool(state, seat, np.int64(state.tools[slot]), slot, pool_kinds(state), out, n, limit)
    cells = open_cells(np.int64(state.occ[seat]))
    if phase == EXTRA:
        return list_drafts(state, seat, np.int64(PLACE), pool_kinds(state), cells, np.int64(0), out, n, limit)
    die = np.int64(state.hand)
    if phase == FLUX_PLACE:
        return list_drafts(state, seat, np.int64(PLACE), np.int64(1) << die, cells, np.int64(0), out, n, limit)
    faces = np.int64(63) << (die // N_VALUES * N_VALUES)  # REMOVER_PLACE: the colour with any value
    n = list_drafts(state, seat, np.int64(PLACE), faces, cells, np.int64(0), out, n, limit)
    if state.is_thesis != 0:
        return n
    if state.keeps_roll != 0:
        faces = np.int64(1) << die
    while faces and n < limit:
        out[n] = coded(np.int64(RETURN), lowest_bit(faces), np.int64(0), np.int64(0), np.int64(0))
        n += 1
        faces &= faces - 1
    return n


@kernel
def list_turn(state, out, limit):
    """Tools as the cards lie, placements, pass."""
    seat = mover_of(state)
    pool = pool_kinds(state)
    n = np.int64(0)
    if state.tool_used == 0:
        n = list_tools(state, seat, pool, out, n, limit)
    if state.drafted == 0 and n < limit:
        cells = open_cells(np.int64(state.occ[seat]))
        n = list_drafts(state, seat, np.int64(PLACE), pool, cells, np.int64(0), out, n, limit)
    if n < limit:
        out[n] = np.int64(PASS) << KIND_BITS
        n += 1
    return n


@kernel
def list_tools(state, seat, pool, out, n, limit):
    """The moves of all tools that the seat can pay for."""
    for slot in range(np.int64(state.n_tools)):
        if n >= limit:
            return n
        tool = np.int64(state.tools[slot])
        if state.seats == 1:
            n = list_payments(state, seat, tool, np.int64(slot), pool, out, n, limit)
        elif np.int64(state.tokens[seat]) > np.int64(state.paid[slot]):
            n = list_tool(state, seat, tool, np.int64(slot), pool, out, n, limit)
    return n


@kernel
def list_payments(state, seat, tool, slot, pool, out, n, limit):
    """The solo game: the dice that can pay for a tool, which must be of use without them."""
    if state.paid[slot] != 0:
        return n
    for value in range(N_VALUES):
        die = SOLO_COLOUR[tool] * N_VALUES + value
        count = np.int64(0)
        for place in range(np.int64(state.n_pool)):
            count += np.int64(state.pool[place] == die)
        if count == 0 or n >= limit:
            continue
        rest = pool if count > 1 else pool & ~(np.int64(1) << die)
        if list_tool(state, seat, tool, slot, rest, out, n, n + 1) > n:
            out[n] = coded(slot, die, np.int64(0), np.int64(0), np.int64(0))
            n += 1
    return n


# --- chance


@kernel
def chance_weights(state, out):
    phase = np.int64(state.phase)
    for code in range(OUTCOMES):
        out[code] = 0
    if phase in (ROLL, REMOVER_DRAW):
        step = N_VALUES if phase == REMOVER_DRAW and state.keeps_roll == 0 else 1
        for die in range(0, N_DICE, step):
            out[die] = np.int64(state.bag[die // N_VALUES])
    elif phase in (FLUX_ROLL, HAMMER):
        colour = rolled_colour(state)
        for value in range(N_VALUES):
            out[colour * N_VALUES + value] = 1
    else:
        left = cards_left(state)
        while left:
            out[lowest_bit(left)] = 1
            left &= left - 1


@kernel
def rolled_colour(state):
    """The colour of the die that is rolled again."""
    die = np.int64(state.hand) if state.phase == FLUX_ROLL else np.int64(state.pool[state.hand])
    return die // N_VALUES


@kernel
def cards_left(state):
    """The cards from which the next is dealt, as bits of their codes."""
    phase = np.int64(state.phase)
    turn = np.int64(state.turn)
    if phase == DEAL_TOOLS:
        left = (np.int64(1) << N_TOOL_CARDS) - 1
        for slot in range(turn):
            left &= ~(np.int64(1) << (np.int64(state.tools[slot]) - 1))
        return left
    if phase == DEAL_GOALS:
        left = (np.int64(1) << N_GOAL_CARDS) - 1
        for place in range(turn):
            left &= ~(np.int64(1) << np.int64(state.goals[place]))
        return left
    if phase == DEAL_COLOURS:
        left = (np.int64(1) << N_COLOURS) - 1
        for place in range(turn):
            left &= ~(np.int64(1) << np.int64(state.private[place]))
        return left
    # Windows: cards of two sides, or by the thesis's rules single sides.
    sides = np.int64(1) if state.is_thesis != 0 else np.int64(2)
    left = (np.int64(1) << (N_WINDOWS // sides)) - 1
    for seat in range(np.int64(state.seats)):
        for place in range(4):
            if state.offer[seat, place] != NONE:
                left &= ~(np.int64(1) << (np.int64(state.offer[seat, place]) // sides))
    return left


@kernel
def chance_key(state):
    """Phase, round, turn and die: the name of this event in a match."""
    phase = np.int64(state.phase)
    detail = np.int64(0)
    if phase == ROLL:
        detail = np.int64(state.n_pool)
    elif phase in (FLUX_ROLL, REMOVER_DRAW, HAMMER):
        detail = np.int64(state.hand)
    return ((phase * 16 + np.int64(state.lap)) * 16 + np.int64(state.turn)) * 32 + detail


@kernel
def settle(state):
    """As single events would, without a list of weights."""
    while to_move(state) == CHANCE:
        phase = np.int64(state.phase)
        key = chance_key(state)
        if phase == ROLL or (phase == REMOVER_DRAW and state.keeps_roll != 0):
            at = roll(state.fate, key, N_VALUES * dice_in_bag(state))
            colour = np.int64(0)
            while at >= N_VALUES * np.int64(state.bag[colour]):
                at -= N_VALUES * np.int64(state.bag[colour])
                colour += 1
            apply(state, colour * N_VALUES + at // np.int64(state.bag[colour]))
        elif phase == REMOVER_DRAW:
            at = roll(state.fate, key, dice_in_bag(state))
            colour = np.int64(0)
            while at >= np.int64(state.bag[colour]):
                at -= np.int64(state.bag[colour])
                colour += 1
            apply(state, colour * N_VALUES)
        elif phase in (FLUX_ROLL, HAMMER):
            apply(state, rolled_colour(state) * N_VALUES + roll(state.fate, key, np.int64(N_VALUES)))
        else:
            left = cards_left(state)
            apply(state, nth_bit(left, roll(state.fate, key, popcount(left))))


@kernel
def dice_in_bag(state):
    """How many dice the bag holds."""
    total = np.int64(0)
    for colour in range(N_COLOURS):
        total += np.int64(state.bag[colour])
    return total


@kernel
def nth_bit(bits, n):
    """The place of the set bit number n, counted from 0."""
    for _ in range(n):
        bits &= bits - 1
    return lowest_bit(bits)


# --- playing


@kernel
def apply(state, action):
    phase = np.int64(state.phase)
    if phase == ROLL:
        state.bag[action // N_VALUES] -= 1
        add_to_pool(state, action)
        if state.n_pool == dice_a_round(state):
            state.phase = TURN
    elif phase == TURN:
        take_turn(state, action)
    elif phase == SOLO_TOOL:
        slot = np.int64(state.hand)
        state.hand = NONE
        state.phase = TURN
        use_tool(state, np.int64(state.tools[slot]), action)
    elif phase < ROLL:
        set_up(state, action)
    elif phase in (FLUX_ROLL, REMOVER_DRAW):
        show_flux_die(state, action)
    elif phase == HAMMER:
        state.pool[state.hand] = action
        state.hand += 1
        if state.hand == state.n_pool:
            sort_pool(state)
            state.hand = NONE
            state.phase = TURN
    else:  # FLUX_PLACE, REMOVER_PLACE, EXTRA: a die is placed, or returned, and the turn is over
        if action >> KIND_BITS == RETURN:
            add_to_pool(state, (action >> 15) & 31)
        else:
            die = (action >> 10) & 31
            if phase == EXTRA:
                take_from_pool(state, die)
            put(state, mover_of(state), die, (action >> 15) & 31)
        end_turn(state)


@kernel
def dice_a_round(state):
    """Dice rolled at the start of a round."""
    return np.int64(4) if state.seats == 1 else 2 * np.int64(state.seats) + 1


@kernel
def set_up(state, action):
    """Deal one card, or choose a window."""
    phase = np.int64(state.phase)
    turn = np.int64(state.turn)
    seats = np.int64(state.seats)
    state.turn = turn + 1
    if phase == DEAL_TOOLS:
        state.tools[turn] = action + 1
        next_phase(state, np.int64(state.n_tools), np.int64(DEAL_GOALS))
    elif phase == DEAL_GOALS:
        state.goals[turn] = action
        next_phase(state, np.int64(state.n_goals), np.int64(DEAL_COLOURS))
    elif phase == DEAL_COLOURS:
        state.private[turn] = action
        next_phase(state, max(np.int64(2), seats), np.int64(DEAL_WINDOWS))
    elif phase == DEAL_WINDOWS:
        if state.is_thesis != 0:
            state.offer[turn // 4, turn % 4] = action
            next_phase(state, 4 * seats, np.int64(CHOOSE))
        else:
            state.offer[turn // 2, turn % 2 * 2] = 2 * action
            state.offer[turn // 2, turn % 2 * 2 + 1] = 2 * action + 1
            next_phase(state, 2 * seats, np.int64(CHOOSE))
    else:
        state.window[turn] = pattern_of(state, np.int64(state.offer[turn, (action >> 15) & 31]))
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
    return np.int64(BLANK_VIA_LUX) if state.has_faults != 0 and dealt == VIA_LUX else dealt


@kernel
def difficulty_of(state, window):
    """Favor tokens of a pattern; with the thesis program's faults Industria has 6."""
    return np.int64(6) if state.has_faults != 0 and window == INDUSTRIA else DIFFICULTY[window]


@kernel
def show_windows(state):
    """All have chosen: tokens are given out, what was not chosen leaves the game, and the first round begins."""
    for seat in range(np.int64(state.seats)):
        for place in range(4):
            state.offer[seat, place] = NONE
    if state.seats > 1:
        for seat in range(np.int64(state.seats)):
            state.tokens[seat] = difficulty_of(state, np.int64(state.window[seat]))
    begin_round(state)


@kernel
def begin_round(state):
    """The snake from the start player and back; dice are rolled next."""
    seats = np.int64(state.seats)
    for place in range(seats):
        seat = (np.int64(state.start) + place) % seats
        state.order[place] = seat
        state.order[2 * seats - 1 - place] = seat
    state.turn = 0
    state.skips = 0
    state.phase = ROLL


@kernel
def add_to_pool(state, die):
    """Put a die into the pool, in its order."""
    place = np.int64(state.n_pool)
    while place > 0 and state.pool[place - 1] > die:
        state.pool[place] = state.pool[place - 1]
        place -= 1
    state.pool[place] = die
    state.n_pool += 1


@kernel
def take_from_pool(state, die):
    """Take a die out of the pool."""
    place = np.int64(0)
    while state.pool[place] != die:
        place += 1
    last = np.int64(state.n_pool) - 1
    while place < last:
        state.pool[place] = state.pool[place + 1]
        place += 1
    state.pool[last] = 0
    state.n_pool = last


@kernel
def sort_pool(state):
    """Bring the pool into its order."""
    for i in range(1, np.int64(state.n_pool)):
        die = np.int64(state.pool[i])
        place = np.int64(i)
        while place > 0 and state.pool[place - 1] > die:
            state.pool[place] = state.pool[place - 1]
            place -= 1
        state.pool[place] = die


@kernel
def take_turn(state, action):
    """Pass, draft, or use a tool."""
    kind = action >> KIND_BITS
    seat = mover_of(state)
    if kind == PASS:
        end_turn(state)
    elif kind == PLACE:
        die = (action >> 10) & 31
        take_from_pool(state, die)
        put(state, seat, die, (action >> 15) & 31)
        end_draft(state, seat)
    else:
        tool = np.int64(state.tools[kind])
        if state.seats == 1:
            # The payment leaves the game; what the tool does is chosen next.
            die = (action >> 15) & 31
            take_from_pool(state, die)
            state.spent[die // N_VALUES] += 1
            state.paid[kind] = 1
            state.hand = kind
            state.phase = SOLO_TOOL
        else:
            state.tokens[seat] -= 1 + state.paid[kind]
            state.paid[kind] = 1
            use_tool(state, tool, action)


@kernel
def end_draft(state, seat):
    """After a placement: by the thesis's rules the turn is over, else as long as no tool can be used (RULING 5)."""
    state.drafted = 1
    if state.is_thesis != 0 or state.tool_used != 0:
        end_turn(state)
        return
    scratch = np.empty(1, np.int64)
    if list_tools(state, seat, pool_kinds(state), scratch, np.int64(0), np.int64(1)) == 0:
        end_turn(state)


@kernel
def use_tool(state, tool, action):
    """What a tool does; it is paid for."""
    seat = mover_of(state)
    a, b, c, d = (action >> 15) & 31, (action >> 10) & 31, (action >> 5) & 31, action & 31
    state.tool_used = 1
    if tool == GROZING:
        take_from_pool(state, a)
        put(state, seat, a + 2 * b - 1, c)
        end_turn(state)
    elif tool == LENS:
        take_from_pool(state, a)
        change_track(state, b, np.int64(-1))
        change_track(state, a, np.int64(1))
        put(state, seat, b, c)
        end_turn(state)
    elif tool in (STRAIGHTEDGE, GRINDING):
        take_from_pool(state, b)
        die = b if tool == STRAIGHTEDGE else b // N_VALUES * N_VALUES + N_VALUES - 1 - b % N_VALUES
        put(state, seat, die, a)
        end_turn(state)
    elif tool in (BRUSH, REMOVER):
        take_from_pool(state, a)
        state.hand = a
        state.phase = FLUX_ROLL
        if tool == REMOVER:
            state.bag[a // N_VALUES] += 1
            state.phase = REMOVER_DRAW
    elif tool == HAMMER_CARD:
        state.hand = 0
        state.phase = HAMMER
    elif tool == RUNNING:
        run_ahead(state, seat)
    else:  # a die is moved, or two
        shift(state, seat, a, b)
        if tool in (LATHEKIN, TAP_WHEEL) and (c != 0 or d != 0):
            shift(state, seat, c, d)
        if state.drafted != 0:
            end_turn(state)


@kernel
def run_ahead(state, seat):
    """Running Pliers: the second turn comes now (thesis), or one more draft instead of it (standard)."""
    if state.is_thesis == 0:
        state.skips = np.int64(state.skips) | (np.int64(1) << seat)
        state.phase = EXTRA
        return
    place = later_turn(state)
    while place > np.int64(state.turn) + 1:
        state.order[place] = state.order[place - 1]
        place -= 1
    state.order[place] = seat


@kernel
def change_track(state, die, change):
    """Put a die on the track, or take one away."""
    state.track[die] += change
    kinds = np.int64(state.track_kinds) & ~(np.int64(1) << die)
    state.track_kinds = kinds | (np.int64(state.track[die] > 0) << die)


@kernel
def show_flux_die(state, die):
    """The die of Flux Brush or Flux Remover is known: it is to be placed, or it goes to the pool and the turn ends."""
    is_remover = state.phase == REMOVER_DRAW
    if is_remover:
        state.bag[die // N_VALUES] -= 1
    state.hand = die
    state.phase = REMOVER_PLACE if is_remover else FLUX_PLACE
    if is_remover and state.is_thesis == 0:
        return
    seat = mover_of(state)
    cells = open_cells(np.int64(state.occ[seat]))
    targets = np.int64(0)
    for value in range(N_VALUES):
        if is_remover or value == die % N_VALUES:
            targets |= fits(state, seat, cells, die // N_VALUES, np.int64(value))
    if targets == 0:
        add_to_pool(state, die)
        end_turn(state)


@kernel
def end_turn(state):
    """The next seat in the order that does not skip its turn; after the last the round is over."""
    state.hand = NONE
    state.tool_used = 0
    state.drafted = 0
    state.phase = TURN
    last = 2 * np.int64(state.seats)
    turn = np.int64(state.turn) + 1
    while turn < last and (np.int64(state.skips) >> np.int64(state.order[turn])) & 1:
        turn += 1
    state.turn = turn
    if turn == last:
        end_round(state)


@kernel
def end_round(state):
    """What is left goes to the track, the start player's role goes on."""
    for place in range(np.int64(state.n_pool)):
        change_track(state, np.int64(state.pool[place]), np.int64(1))
        state.pool[place] = 0
    state.n_pool = 0
    state.lap += 1
    if state.lap == N_ROUNDS:
        state.turn = 0
        state.skips = 0
        state.phase = OVER
        return
    state.start = (np.int64(state.start) + 1) % np.int64(state.seats)
    begin_round(state)


# --- what a seat may know


@kernel
def redeal(state, seat, rng):
    state.fate = fresh_fate(rng)
    deal_colours(state, seat, np.int64(NONE), rng)
    if state.phase == CHOOSE:
        for owner in range(np.int64(state.turn)):
            if owner != seat:
                state.window[owner] = pattern_of(state, np.int64(state.offer[owner, draw(rng, np.int64(4))]))


@kernel
def deal_colours(state, seat, wanted, rng):
    """Deal the private colours of others anew; the next seat's is `wanted`, unless that is NONE."""
    dealt = hidden_colours(state)
    if dealt == 0:
        return
    left = (np.int64(1) << N_COLOURS) - 1
    next_seat = np.int64(-1)
    if 0 <= seat < dealt:
        left &= ~(np.int64(1) << np.int64(state.private[seat]))
    if wanted >= 0:
        next_seat = neighbour(state, seat)
        left &= ~(np.int64(1) << wanted)
        state.private[next_seat] = wanted
    for owner in range(dealt):
        if owner != seat and owner != next_seat:
            colour = nth_bit(left, draw(rng, popcount(left)))
            left &= ~(np.int64(1) << colour)
            state.private[owner] = colour


@kernel
def hidden_colours(state):
    """How many private colours are dealt and hidden: none before the deal, in the solo game, and at the end."""
    if state.seats == 1 or state.phase == OVER or state.phase < DEAL_COLOURS:
        return np.int64(0)
    return np.int64(state.turn) if state.phase == DEAL_COLOURS else np.int64(state.seats)


@kernel
def neighbour(state, seat):
    """The seat whose colour tells worlds apart: the next one; for a spectator the first."""
    return (seat + 1) % np.int64(state.seats) if seat >= 0 else np.int64(0)


@kernel
def strata_weights(state, seat, out):
    """Worlds by the colour of the next seat, each as likely as another; one class where nothing is hidden of it."""
    is_dealt = hidden_colours(state) == np.int64(state.seats)
    for colour in range(STRATA):
        is_possible = seat < 0 or state.private[seat] != colour
        out[colour] = np.int64(is_possible if is_dealt else colour == 0)


@kernel
def redeal_stratum(state, seat, stratum, rng):
    state.fate = fresh_fate(rng)
    is_dealt = hidden_colours(state) == np.int64(state.seats)
    deal_colours(state, seat, np.int64(stratum) if is_dealt else np.int64(NONE), rng)
    if state.phase == CHOOSE:
        for owner in range(np.int64(state.turn)):
            if owner != seat:
                state.window[owner] = pattern_of(state, np.int64(state.offer[owner, draw(rng, np.int64(4))]))


@kernel
def seen(state, action, seat):
    is_secret = state.phase == DEAL_COLOURS or state.phase == CHOOSE
    if is_secret and state.seats > 1 and seat != state.turn:
        return np.int64(HIDDEN)
    return np.int64(action)


# --- results


@kernel
def ranks(state, out):
    """Score, private points, then tokens and the seat that was later in the last round; thesis: the lower seat."""
    seats = np.int64(state.seats)
    for seat in range(seats):
        out[seat] = 1
        for other in range(seats):
            if other != seat and is_ahead(state, np.int64(other), np.int64(seat)):
                out[seat] += 1


@kernel
def is_ahead(state, one, other):
    """Whether seat `one` is placed before seat `other`."""
    lead = score(state, one) - score(state, other)
    if lead == 0 and state.phase == OVER:
        lead = private_points(state, one) - private_points(state, other)
    if state.is_thesis != 0:
        return lead > 0 or (lead == 0 and one < other)
    if lead == 0:
        lead = np.int64(state.tokens[one]) - np.int64(state.tokens[other])
    if lead == 0:
        seats, start = np.int64(state.seats), np.int64(state.start)
        lead = (one - start) % seats - (other - start) % seats
    return lead > 0


@kernel
def score(state, seat):
    """Points as far as they lie open: those of the private objective only at the end."""
    empty = N_CELLS - popcount(np.int64(state.occ[seat]))
    points = public_points(state, seat)
    if state.seats == 1:
        return points + private_points(state, seat) - 3 * empty
    points += np.int64(state.tokens[seat]) - empty
    return points + private_points(state, seat) if state.phase == OVER else points


@kernel
def public_points(state, seat):
    """The points of all public objectives."""
    points = np.int64(0)
    for place in range(np.int64(state.n_goals)):
        goal = np.int64(state.goals[place])
        if goal != NONE:
            points += POINTS[goal] * times_paid(state, seat, goal)
    return points


@kernel
def times_paid(state, seat, goal):
    """How often an objective pays: with the thesis program's faults the sets always pay their most."""
    if state.has_faults != 0 and goal == SHADES:
        return np.int64(MOST_SHADE_SETS)
    if state.has_faults != 0 and goal == COLOUR_SETS:
        return np.int64(MOST_COLOUR_SETS)
    return times_scored(state, seat, goal)


@kernel
def private_points(state, seat):
    """The points of the private objective; in the solo game of the better of two."""
    points = np.int64(0)
    if state.private[seat] != NONE:
        points = colour_points(state, seat, np.int64(state.private[seat]))
    if state.seats == 1 and state.private[1] != NONE:
        points = max(points, colour_points(state, seat, np.int64(state.private[1])))
    return points


@kernel
def target(state):
    """What a solo game has to beat: the values of all dice on the track."""
    total = np.int64(0)
    for die in range(N_DICE):
        total += np.int64(state.track[die]) * (die % N_VALUES + 1)
    return total


@kernel
def solo_share(state):
    return 1.0 if score(state, np.int64(0)) > target(state) else 0.0


@kernel
def round_index(state):
    return np.int64(state.lap)


# --- invariants


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
