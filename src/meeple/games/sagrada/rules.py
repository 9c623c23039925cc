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

from meeple.core.bits import lowest_bit, nth_bit, popcount
from meeple.core.chance import fresh_fate, roll
from meeple.core.contract import CHANCE, HIDDEN, NOBODY
from meeple.core.kernel import kernel
from meeple.games.sagrada import board, layout, tools
from meeple.games.sagrada.cards import COLOURS, TOOLS
from meeple.games.sagrada.dealing import FAULTS, begin_round, cards_left, dice_a_round, first_phase, fix_options, set_up
from meeple.games.sagrada.invariants import CHECKS, check
from meeple.games.sagrada.layout import ACTIONS, RANGES, STATE
from meeple.games.sagrada.pool import add_to_pool, change_track, dice_in_bag, sort_pool, take_from_pool
from meeple.games.sagrada.scoring import is_ahead, score, target
from meeple.games.sagrada.secrets import deal_choices, deal_colours, hidden_colours
from meeple.games.sagrada.tools import MAX_ACTIONS

__all__ = ["ACTIONS", "CHECKS", "MAX_ACTIONS", "RANGES", "STATE", "check", "score"]

SEATS = (1, 4)
OUTCOMES = board.N_DICE
STRATA = board.N_COLOURS  # worlds are told apart by the colour of the next seat
SOLO_COLOUR = np.array([0, *(COLOURS.index(tool.solo) for tool in TOOLS)], dtype=np.int64)


@kernel
def new_game(state, seats, options, fate):
    state.fate = fate
    for seat in range(4):
        state.occ[seat] = 0
        state.window[seat] = layout.NONE
        state.private[seat] = layout.NONE
        state.tokens[seat] = 0
        for colour in range(board.N_COLOURS):
            state.col[seat, colour] = 0
        for value in range(board.N_VALUES):
            state.val[seat, value] = 0
        for place in range(4):
            state.offer[seat, place] = layout.NONE
    state.track_kinds = 0
    for die in range(board.N_DICE):
        state.track[die] = 0
    for colour in range(board.N_COLOURS):
        state.bag[colour] = board.COPIES
        state.spent[colour] = 0
    for place in range(layout.MOST_POOL):
        state.pool[place] = 0
    for place in range(8):
        state.order[place] = 0
    state.n_pool = 0
    state.turn = 0
    state.lap = 0
    state.hand = layout.NONE
    state.tool_used = 0
    state.drafted = 0
    state.skips = 0
    state.start = 1 if options[FAULTS] != 0 and seats > 1 else 0
    fix_options(state, seats, options)
    for slot in range(5):
        state.tools[slot] = 0
        state.paid[slot] = 0
    for place in range(3):
        state.goals[place] = layout.NONE
    for place in range(layout.SPARE):
        state.spare[place] = 0
    state.phase = first_phase(state)


@kernel
def to_move(state):
    phase = state.phase
    if phase == layout.OVER:
        return NOBODY
    if phase == layout.CHOOSE:
        return state.turn
    if phase in (layout.TURN, layout.FLUX_PLACE, layout.REMOVER_PLACE, layout.SOLO_TOOL, layout.EXTRA):
        return layout.mover_of(state)
    return CHANCE


# --- what may be played


@kernel
def legal_actions(state, out):
    return list_up_to(state, out, MAX_ACTIONS)


@kernel
def list_up_to(state, out, limit):
    """The first so many legal actions, ascending; returns how many were written."""
    phase = state.phase
    n = 0
    if phase == layout.TURN:
        return list_turn(state, out, limit)
    if phase == layout.CHOOSE:
        for place in range(4):
            out[place] = layout.coded(layout.WINDOW, place, 0, 0, 0)
        return 4
    seat = layout.mover_of(state)
    if phase == layout.SOLO_TOOL:
        slot = state.hand
        return tools.list_tool(state, seat, state.tools[slot], slot, layout.pool_kinds(state), out, n, limit)
    cells = board.open_cells(state.occ[seat])
    if phase == layout.EXTRA:
        return tools.list_drafts(state, seat, layout.PLACE, layout.pool_kinds(state), cells, 0, out, n, limit)
    die = state.hand
    if phase == layout.FLUX_PLACE:
        return tools.list_drafts(state, seat, layout.PLACE, 1 << die, cells, 0, out, n, limit)
    faces = 63 << (die // board.N_VALUES * board.N_VALUES)  # REMOVER_PLACE: the colour with any value
    n = tools.list_drafts(state, seat, layout.PLACE, faces, cells, 0, out, n, limit)
    if state.is_thesis != 0:
        return n
    if state.keeps_roll != 0:
        faces = 1 << die
    while faces and n < limit:
        out[n] = layout.coded(layout.RETURN, lowest_bit(faces), 0, 0, 0)
        n += 1
        faces &= faces - 1
    return n


@kernel
def list_turn(state, out, limit):
    """Tools as the cards lie, placements, pass."""
    seat = layout.mover_of(state)
    pool = layout.pool_kinds(state)
    n = 0
    if state.tool_used == 0:
        n = list_tools(state, seat, pool, out, n, limit)
    if state.drafted == 0 and n < limit:
        cells = board.open_cells(state.occ[seat])
        n = tools.list_drafts(state, seat, layout.PLACE, pool, cells, 0, out, n, limit)
    if n < limit:
        out[n] = layout.PASS << layout.KIND_BITS
        n += 1
    return n


@kernel
def list_tools(state, seat, pool, out, n, limit):
    """The moves of all tools that the seat can pay for."""
    for slot in range(state.n_tools):
        if n >= limit:
            return n
        tool = state.tools[slot]
        if state.seats == 1:
            n = list_payments(state, seat, tool, slot, pool, out, n, limit)
        elif state.tokens[seat] > state.paid[slot]:
            n = tools.list_tool(state, seat, tool, slot, pool, out, n, limit)
    return n


@kernel
def list_payments(state, seat, tool, slot, pool, out, n, limit):
    """The solo game: the dice that can pay for a tool, which must be of use without them."""
    if state.paid[slot] != 0:
        return n
    for value in range(board.N_VALUES):
        die = SOLO_COLOUR[tool] * board.N_VALUES + value
        count = 0
        for place in range(state.n_pool):
            count += np.int64(state.pool[place] == die)
        if count == 0 or n >= limit:
            continue
        rest = pool if count > 1 else pool & ~(1 << die)
        if tools.list_tool(state, seat, tool, slot, rest, out, n, n + 1) > n:
            out[n] = layout.coded(slot, die, 0, 0, 0)
            n += 1
    return n


# --- chance


@kernel
def chance_weights(state, out):
    phase = state.phase
    for code in range(OUTCOMES):
        out[code] = 0
    if phase in (layout.ROLL, layout.REMOVER_DRAW):
        step = board.N_VALUES if phase == layout.REMOVER_DRAW and state.keeps_roll == 0 else 1
        for die in range(0, board.N_DICE, step):
            out[die] = state.bag[die // board.N_VALUES]
    elif phase in (layout.FLUX_ROLL, layout.HAMMER):
        colour = rolled_colour(state)
        for value in range(board.N_VALUES):
            out[colour * board.N_VALUES + value] = 1
    else:
        left = cards_left(state)
        while left:
            out[lowest_bit(left)] = 1
            left &= left - 1


@kernel
def rolled_colour(state):
    """The colour of the die that is rolled again."""
    die = state.hand if state.phase == layout.FLUX_ROLL else state.pool[state.hand]
    return die // board.N_VALUES


@kernel
def chance_key(state):
    """Phase, round, turn and die: the name of this event in a match."""
    phase = state.phase
    detail = 0
    if phase == layout.ROLL:
        detail = state.n_pool
    elif phase in (layout.FLUX_ROLL, layout.REMOVER_DRAW, layout.HAMMER):
        detail = state.hand
    return ((phase * 16 + state.lap) * 16 + state.turn) * 32 + detail


@kernel
def settle(state):
    """As single events would, without a list of weights."""
    while to_move(state) == CHANCE:
        phase = state.phase
        key = chance_key(state)
        if phase == layout.ROLL or (phase == layout.REMOVER_DRAW and state.keeps_roll != 0):
            at = roll(state.fate, key, board.N_VALUES * dice_in_bag(state))
            colour = 0
            while at >= board.N_VALUES * state.bag[colour]:
                at -= board.N_VALUES * state.bag[colour]
                colour += 1
            apply(state, colour * board.N_VALUES + at // state.bag[colour])
        elif phase == layout.REMOVER_DRAW:
            at = roll(state.fate, key, dice_in_bag(state))
            colour = 0
            while at >= state.bag[colour]:
                at -= state.bag[colour]
                colour += 1
            apply(state, colour * board.N_VALUES)
        elif phase in (layout.FLUX_ROLL, layout.HAMMER):
            apply(state, rolled_colour(state) * board.N_VALUES + roll(state.fate, key, board.N_VALUES))
        else:
            left = cards_left(state)
            apply(state, nth_bit(left, roll(state.fate, key, popcount(left))))


# --- playing


@kernel
def apply(state, action):
    phase = state.phase
    if phase == layout.ROLL:
        state.bag[action // board.N_VALUES] -= 1
        add_to_pool(state, action)
        if state.n_pool == dice_a_round(state):
            state.phase = layout.TURN
    elif phase == layout.TURN:
        take_turn(state, action)
    elif phase == layout.SOLO_TOOL:
        slot = state.hand
        state.hand = layout.NONE
        state.phase = layout.TURN
        use_tool(state, state.tools[slot], action)
    elif phase < layout.ROLL:
        set_up(state, action)
    elif phase in (layout.FLUX_ROLL, layout.REMOVER_DRAW):
        show_flux_die(state, action)
    elif phase == layout.HAMMER:
        state.pool[state.hand] = action
        state.hand += 1
        if state.hand == state.n_pool:
            sort_pool(state)
            state.hand = layout.NONE
            state.phase = layout.TURN
    else:  # FLUX_PLACE, REMOVER_PLACE, EXTRA: a die is placed, or returned, and the turn is over
        if action >> layout.KIND_BITS == layout.RETURN:
            add_to_pool(state, (action >> 15) & 31)
        else:
            die = (action >> 10) & 31
            if phase == layout.EXTRA:
                take_from_pool(state, die)
            board.put(state, layout.mover_of(state), die, (action >> 15) & 31)
        end_turn(state)


@kernel
def take_turn(state, action):
    """Pass, draft, or use a tool."""
    kind = action >> layout.KIND_BITS
    seat = layout.mover_of(state)
    if kind == layout.PASS:
        end_turn(state)
    elif kind == layout.PLACE:
        die = (action >> 10) & 31
        take_from_pool(state, die)
        board.put(state, seat, die, (action >> 15) & 31)
        end_draft(state, seat)
    else:
        tool = state.tools[kind]
        if state.seats == 1:
            # The payment leaves the game; what the tool does is chosen next.
            die = (action >> 15) & 31
            take_from_pool(state, die)
            state.spent[die // board.N_VALUES] += 1
            state.paid[kind] = 1
            state.hand = kind
            state.phase = layout.SOLO_TOOL
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
    if list_tools(state, seat, layout.pool_kinds(state), scratch, 0, 1) == 0:
        end_turn(state)


@kernel
def use_tool(state, tool, action):
    """What a tool does; it is paid for."""
    seat = layout.mover_of(state)
    a, b, c, d = (action >> 15) & 31, (action >> 10) & 31, (action >> 5) & 31, action & 31
    state.tool_used = 1
    if tool == tools.GROZING:
        take_from_pool(state, a)
        board.put(state, seat, a + 2 * b - 1, c)
        end_turn(state)
    elif tool == tools.LENS:
        take_from_pool(state, a)
        change_track(state, b, -1)
        change_track(state, a, 1)
        board.put(state, seat, b, c)
        end_turn(state)
    elif tool in (tools.STRAIGHTEDGE, tools.GRINDING):
        take_from_pool(state, b)
        board.put(state, seat, b if tool == tools.STRAIGHTEDGE else board.opposite(b), a)
        end_turn(state)
    elif tool in (tools.BRUSH, tools.REMOVER):
        take_from_pool(state, a)
        state.hand = a
        state.phase = layout.FLUX_ROLL
        if tool == tools.REMOVER:
            state.bag[a // board.N_VALUES] += 1
            state.phase = layout.REMOVER_DRAW
    elif tool == tools.HAMMER_CARD:
        state.hand = 0
        state.phase = layout.HAMMER
    elif tool == tools.RUNNING:
        run_ahead(state, seat)
    else:  # a die is moved, or two
        board.shift(state, seat, a, b)
        if tool in (tools.LATHEKIN, tools.TAP_WHEEL) and (c != 0 or d != 0):
            board.shift(state, seat, c, d)
        if state.drafted != 0:
            end_turn(state)


@kernel
def run_ahead(state, seat):
    """Running Pliers: the second turn comes now (thesis), or one more draft instead of it (standard)."""
    if state.is_thesis == 0:
        state.skips = state.skips | (1 << seat)
        state.phase = layout.EXTRA
        return
    place = layout.later_turn(state)
    while place > state.turn + 1:
        state.order[place] = state.order[place - 1]
        place -= 1
    state.order[place] = seat


@kernel
def show_flux_die(state, die):
    """The die of Flux Brush or Flux Remover is known: it is to be placed, or it goes to the pool and the turn ends."""
    is_remover = state.phase == layout.REMOVER_DRAW
    if is_remover:
        state.bag[die // board.N_VALUES] -= 1
    state.hand = die
    state.phase = layout.REMOVER_PLACE if is_remover else layout.FLUX_PLACE
    if is_remover and state.is_thesis == 0:
        return
    seat = layout.mover_of(state)
    cells = board.open_cells(state.occ[seat])
    targets = 0
    for value in range(board.N_VALUES):
        if is_remover or value == die % board.N_VALUES:
            targets |= board.fits(state, seat, cells, die // board.N_VALUES, value)
    if targets == 0:
        add_to_pool(state, die)
        end_turn(state)


@kernel
def end_turn(state):
    """The next seat in the order that does not skip its turn; after the last the round is over."""
    state.hand = layout.NONE
    state.tool_used = 0
    state.drafted = 0
    state.phase = layout.TURN
    last = 2 * state.seats
    turn = state.turn + 1
    while turn < last and (state.skips >> state.order[turn]) & 1:
        turn += 1
    state.turn = turn
    if turn == last:
        end_round(state)


@kernel
def end_round(state):
    """What is left goes to the track, the start player's role goes on."""
    for place in range(state.n_pool):
        change_track(state, state.pool[place], 1)
        state.pool[place] = 0
    state.n_pool = 0
    state.lap += 1
    if state.lap == layout.N_ROUNDS:
        state.turn = 0
        state.skips = 0
        state.phase = layout.OVER
        return
    state.start = (state.start + 1) % state.seats
    begin_round(state)


# --- what a seat may know


@kernel
def redeal(state, seat, rng):
    state.fate = fresh_fate(rng)
    deal_colours(state, seat, layout.NONE, rng)
    deal_choices(state, seat, rng)


@kernel
def strata_weights(state, seat, out):
    """Worlds by the colour of the next seat, each as likely as another; one class where nothing is hidden of it."""
    is_dealt = hidden_colours(state) == state.seats
    for colour in range(STRATA):
        is_possible = seat < 0 or state.private[seat] != colour
        out[colour] = np.int64(is_possible if is_dealt else colour == 0)


@kernel
def redeal_stratum(state, seat, stratum, rng):
    state.fate = fresh_fate(rng)
    is_dealt = hidden_colours(state) == state.seats
    deal_colours(state, seat, stratum if is_dealt else layout.NONE, rng)
    deal_choices(state, seat, rng)


@kernel
def seen(state, action, seat):
    is_secret = state.phase == layout.DEAL_COLOURS or state.phase == layout.CHOOSE
    if is_secret and state.seats > 1 and seat != state.turn:
        return HIDDEN
    return action


# --- results


@kernel
def ranks(state, out):
    """Score, private points, then tokens and the seat that was later in the last round; thesis: the lower seat."""
    seats = state.seats
    for seat in range(seats):
        out[seat] = 1
        for other in range(seats):
            if other != seat and is_ahead(state, other, seat):
                out[seat] += 1


@kernel
def solo_share(state):
    return 1.0 if score(state, 0) > target(state) else 0.0


@kernel
def round_index(state):
    return state.lap


@kernel
def is_setup(state):
    """The choice of a window."""
    return state.phase == layout.CHOOSE


@kernel
def count_worlds(state, seat):
    """Private colours of others, no two alike; while windows are chosen, one of four for each that has chosen."""
    dealt = hidden_colours(state)
    left = board.N_COLOURS - np.int64(0 <= seat < dealt)
    worlds = 1.0
    for owner in range(dealt):
        if owner != seat:
            worlds *= left
            left -= 1
    if state.phase == layout.CHOOSE:
        for owner in range(state.turn):
            if owner != seat:
                worlds *= 4
    return worlds
