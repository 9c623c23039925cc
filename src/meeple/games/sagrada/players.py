"""Sagrada: players by rules [chapter 6 of the thesis], which are also the policies of playouts."""

from __future__ import annotations

import numpy as np

from meeple.core.bits import lowest_bit, popcount
from meeple.core.chance import draw
from meeple.core.kernel import kernel
from meeple.games.sagrada import board, layout
from meeple.games.sagrada.evaluation import (
    THESIS,
    UNIT,
    diagonal_patterns,
    least_counts,
    lines_worth,
    lost_lines,
    next_set,
    pairs_of,
    patterns_value,
    room_for,
    thesis_value,
)
from meeple.games.sagrada.filters import thesis_filter
from meeple.games.sagrada.rules import apply, legal_actions, list_up_to, settle
from meeple.games.sagrada.tools import BRUSH, HAMMER_CARD, REMOVER, is_relocation, placed_die

POWERS, POINT_UNITS, LOST_UNITS = THESIS[0].powers, int(THESIS[0].point_units), int(THESIS[0].lost_units)
DIE_WEIGHT = 5 * UNIT  # of the value of a die of the private colour
SLIGHTLY_WORSE = 10 * UNIT  # a value may be so much lower
MORE_POINTS = 3  # where the points are higher by more than this


@kernel
def first_policy(state, rng, out):
    """The first legal move."""
    list_up_to(state, out, 1)
    return out[0]


@kernel
def favourite_window(state):
    """The window on offer with most cells of the private colour; of equals the first."""
    seat = state.turn
    colour = state.private[seat]
    best, most = 0, -1
    for place in range(4):
        cells = popcount(board.PRINTED_COLOUR[state.offer[seat, place], colour])
        if cells > most:
            best, most = place, cells
    return best


@kernel
def better(state, seat, die, cell, dead, best_value):
    """The value of a placement if the rules prefer it to the best so far, else -1.

    `dead` are the cells that it leaves unfillable. Leaves the state as it was.
    """
    board.put_or_lift(state, seat, die, cell)
    value, earned = patterns_value(state, seat, dead, THESIS[0])
    board.put_or_lift(state, seat, die, cell)
    pips = private_pips(state, seat, die)
    value += DIE_WEIGHT * pips
    if value > best_value:
        return value
    if value + SLIGHTLY_WORSE > best_value:
        points = earned - state.worth[layout.EMPTY] * popcount(dead) + pips
        was_dead = board.unfillable(state, seat)
        if points > points_now(state, seat, was_dead) + MORE_POINTS:
            return value
    return -1


@kernel
def dead_after(state, seat, die, cell, dead):
    """The unfillable cells after a placement: only those beside it can die, by their own print."""
    window = state.window[seat]
    bit = 1 << cell
    own_print = board.PRINTED_COLOUR[window, die // board.N_VALUES] | board.PRINTED_VALUE[window, die % board.N_VALUES]
    return (dead | (board.beside(bit) & own_print)) & ~(state.occ[seat] | bit)


@kernel
def dtfm_policy(state, rng, out):
    """The thesis's rules over placements alone: no new unfillable cells, then objectives, then the colour."""
    if state.phase == layout.CHOOSE:
        return window_move(state)
    return play_or_pass(state, rng, out, best_placement(state, layout.mover_of(state), dice_at_hand(state), out))


@kernel
def window_move(state):
    """The choice of the favourite window."""
    return layout.coded(layout.WINDOW, favourite_window(state), 0, 0, 0)


@kernel
def dice_at_hand(state):
    """The dice that may be placed without a tool, as bits; none where a tool that is paid for is to be used."""
    phase = state.phase
    if phase == layout.FLUX_PLACE:
        return 1 << state.hand
    if phase == layout.REMOVER_PLACE:
        return 63 << (state.hand // board.N_VALUES * board.N_VALUES)
    if phase == layout.SOLO_TOOL or state.drafted != 0:
        return 0
    return layout.pool_kinds(state)


@kernel
def play_or_pass(state, rng, out, placement):
    """The placement, or where it is -1 a pass, or the first move where none may pass."""
    if placement >= 0:
        return placement
    if state.phase == layout.TURN:
        return layout.PASS << layout.KIND_BITS
    return first_policy(state, rng, out)


def line_changes(length: int) -> np.ndarray:  # type: ignore[type-arg]
    """What a die changes of a row or column, at place lost * 16 + spoilt by the die * 8 + dice so far."""
    grown = [*POWERS[1 : length + 1], POINT_UNITS]
    changes = np.zeros(32, dtype=np.int64)
    for dice in range(length):
        changes[dice] = grown[dice + 1] - grown[dice]
        changes[8 + dice] = -LOST_UNITS - grown[dice]
    return changes


LINE_CHANGES = np.array([line_changes(length) for length in range(board.N_COLUMNS + 1)])

# Placements that are compared, in columns of a scratch list.
AFTER = 256  # where the unfillable cells after each begin
WORTH = 512  # where its value begins
EARNED = 768  # where the points of objectives that it earns begin


@kernel
def best_placement(state, seat, dice, out):
    """The placement that the rules choose among these dice; -1 where none fits. `out` is scratch.

    As `better` would find one by one; but the objectives are taken in turn, and only what a die changes is counted.
    """
    dead = board.unfillable(state, seat)
    n, first = list_placements(state, seat, dice, dead, out)
    if n <= 0:
        return first
    colour = state.private[seat]
    pip = DIE_WEIGHT * state.worth[layout.PIP]
    for i in range(n):
        die = (out[i] >> 10) & 31
        out[WORTH + i] = pip * (die % board.N_VALUES + 1) * np.int64(die // board.N_VALUES == colour)
        out[EARNED + i] = 0
    worth = objective_changes(state, seat, dead, out, n)
    best, best_value = first, 0
    for i in range(n):
        value = worth + out[WORTH + i]
        is_near = value >= 0 and value + SLIGHTLY_WORSE > best_value
        if value > best_value or (is_near and gain_of(state, seat, dead, out, i) > MORE_POINTS):
            best, best_value = out[i], value
    return best


@kernel
def list_placements(state, seat, dice, dead, out):
    """List placements that leave no more unfillable cells than the fewest so far; how many, and the first of all."""
    cells = board.open_cells(state.occ[seat])
    least = board.N_CELLS
    n, first = 0, -1
    while dice:
        die = lowest_bit(dice)
        dice &= dice - 1
        targets = board.fits(state, seat, cells, die // board.N_VALUES, die % board.N_VALUES)
        while targets:
            cell = lowest_bit(targets)
            targets &= targets - 1
            action = layout.coded(layout.PLACE, cell, die, 0, 0)
            if first < 0:
                first = action
            after = dead_after(state, seat, die, cell, dead)
            n_dead = popcount(after)
            # Written in any case and kept if it counts: a jump that cannot be foreseen would cost more.
            out[n] = action
            out[AFTER + n] = after
            n += np.int64(n_dead <= least)
            least = min(least, n_dead)
    return n, first


@kernel
def gain_of(state, seat, dead, out, i):
    """Points that placement i earns at once, less the cells that it makes unfillable."""
    died = popcount(out[AFTER + i]) - popcount(dead)
    gain = out[EARNED + i] - state.worth[layout.EMPTY] * died
    return gain + private_pips(state, seat, (out[i] >> 10) & 31)


@kernel
def private_pips(state, seat, die):
    """The points of a die for the private objective."""
    is_private = die // board.N_VALUES == state.private[seat]
    return state.worth[layout.PIP] * (die % board.N_VALUES + 1) * np.int64(is_private)


@kernel
def objective_changes(state, seat, dead, out, n):
    """Add to each placement's value and points what it changes of all objectives; returns what they are worth now."""
    worth = 0
    for place in range(state.n_goals):
        goal = state.goals[place]
        if goal != layout.NONE and not (state.has_faults != 0 and (goal in (board.SHADES, board.COLOUR_SETS))):
            worth += add_changes(state, seat, goal, dead, out, n)
    return worth


@kernel
def add_changes(state, seat, goal, dead, out, n):
    """Add to each placement's value and points what it changes of one objective; returns what that is worth now."""
    if goal < board.LIGHT:
        return add_line_changes(state, seat, goal, dead, out, n)
    if goal <= board.DEEP:
        return add_pair_changes(state, seat, goal, out, n)
    if goal in (board.SHADES, board.COLOUR_SETS):
        return add_set_changes(state, seat, goal, out, n)
    return add_diagonal_changes(state, seat, goal, out, n)


@kernel
def cells_alike(state, seat, die, by_colour):
    """The cells with a die of the same colour, or value, and the empty cells on which that is printed."""
    window = state.window[seat]
    empty = board.BOARD & ~state.occ[seat]
    if by_colour:
        colour = die // board.N_VALUES
        return np.int64(state.col[seat, colour]), board.PRINTED_COLOUR[window, colour] & empty
    value = die % board.N_VALUES
    return np.int64(state.val[seat, value]), board.PRINTED_VALUE[window, value] & empty


@kernel
def add_line_changes(state, seat, goal, dead, out, n):
    """Rows or columns: that of the die grows or is lost, and others may be lost by a cell that dies."""
    lines, by_colour = board.lines_of(goal)
    occupied = state.occ[seat]
    lost = lost_lines(state, seat, goal, dead)
    points = state.worth[goal]
    for i in range(n):
        cell, die = (out[i] >> 15) & 31, (out[i] >> 10) & 31
        alike, prints = cells_alike(state, seat, die, by_colour)
        head = board.head_of(cell, lines)
        spoilt = board.lines_with(alike | (prints & ~(1 << cell)), lines) | board.killed_lines(
            state, lines, out[AFTER + i]
        )
        count = popcount((occupied >> head) & lines.first)
        place = ((lost >> head) & 1) * 16 + ((spoilt >> head) & 1) * 8 + count
        change = LINE_CHANGES[lines.length, place]
        earned = np.int64(place == lines.length - 1)
        others = board.killed_lines(state, lines, out[AFTER + i] & ~dead) & ~lost & ~(1 << head)
        while others:
            at = lowest_bit(others)
            others &= others - 1
            count = popcount((occupied >> at) & lines.first)
            # A full row is lost by a cell above it, where the thesis program's faults are played.
            earned -= np.int64(count == lines.length)
            change -= LOST_UNITS + (POINT_UNITS if count == lines.length else POWERS[count + 1])
        out[WORTH + i] += points * change
        out[EARNED + i] += points * earned
    done, near, n_lost = lines_worth(occupied, goal, lost, THESIS[0])
    return points * (POINT_UNITS * done + near - LOST_UNITS * n_lost)


@kernel
def add_pair_changes(state, seat, goal, out, n):
    """Pairs: a die more of one of the two values, and a cell less for both."""
    low = 2 * (goal - board.LIGHT)
    n_low, n_high = popcount(state.val[seat, low]), popcount(state.val[seat, low + 1])
    room_low, room_high = room_for(state, seat, low), room_for(state, seat, low + 1)
    done, near, lost = pairs_of(n_low, n_high, popcount(room_low), popcount(room_high), THESIS[0])
    before = POINT_UNITS * done + near - LOST_UNITS * lost
    points = state.worth[goal]
    for i in range(n):
        bit = 1 << ((out[i] >> 15) & 31)
        value = ((out[i] >> 10) & 31) % board.N_VALUES
        is_low, is_high = np.int64(value == low), np.int64(value == low + 1)
        touched = board.beside(bit)
        left_low = room_low & ~(bit | touched * is_low)
        left_high = room_high & ~(bit | touched * is_high)
        rooms = popcount(left_low), popcount(left_high)
        now, near, lost = pairs_of(n_low + is_low, n_high + is_high, rooms[0], rooms[1], THESIS[0])
        out[WORTH + i] += points * (POINT_UNITS * now + near - LOST_UNITS * lost - before)
        out[EARNED + i] += points * (now - done)
    return points * before


@kernel
def add_set_changes(state, seat, goal, out, n):
    """Sets: a kind counts one more; it may be one that the next set lacks."""
    by_value = goal == board.SHADES
    done, missing, more = least_counts(state, seat, by_value)
    empty = board.N_CELLS - popcount(state.occ[seat])
    near, lost = next_set(done, missing, empty, by_value, THESIS[0])
    before = POINT_UNITS * done + near - LOST_UNITS * lost
    points = state.worth[goal]
    for i in range(n):
        die = (out[i] >> 10) & 31
        kind = die % board.N_VALUES if by_value else die // board.N_VALUES
        lacking = missing - np.int64(popcount(board.cells_of(state, seat, kind, not by_value)) == done)
        is_whole = np.int64(lacking == 0)
        now = done + is_whole
        lacking += is_whole * (more + 1)
        near, lost = next_set(now, lacking, empty - 1, by_value, THESIS[0])
        out[WORTH + i] += points * (POINT_UNITS * now + near - LOST_UNITS * lost - before)
        out[EARNED + i] += points * (now - done)
    return points * before


@kernel
def add_diagonal_changes(state, seat, goal, out, n):
    """Diagonals: counted anew with each die."""
    done, near, lost = diagonal_patterns(state, seat, THESIS[0])
    before = POINT_UNITS * done + near - LOST_UNITS * lost
    points = state.worth[goal]
    for i in range(n):
        cell, die = (out[i] >> 15) & 31, (out[i] >> 10) & 31
        board.put_or_lift(state, seat, die, cell)
        now, near, lost = diagonal_patterns(state, seat, THESIS[0])
        board.put_or_lift(state, seat, die, cell)
        out[WORTH + i] += points * (POINT_UNITS * now + near - LOST_UNITS * lost - before)
        out[EARNED + i] += points * (now - done)
    return points * before


@kernel
def points_now(state, seat, dead):
    """Public points less the cells that are lost."""
    _, earned = patterns_value(state, seat, dead, THESIS[0])
    return earned - state.worth[layout.EMPTY] * popcount(dead)


@kernel
def all_moves_policy(state, rng, out):
    """The thesis's rules over all moves: a relocation that frees cells, a placement, a tool by lot, the first move."""
    if state.phase == layout.CHOOSE:
        return window_move(state)
    seat = layout.mover_of(state)
    n = legal_actions(state, out)
    best = best_relocation(state, seat, out, n)
    if best < 0:
        best = best_listed_placement(state, seat, out, n)
    if best < 0:
        best = random_tool(state, rng, out, n)
    if best >= 0:
        return best
    # After a draft, or where tools cost dice, nothing is better than the first tool.
    return out[n - 1] if state.drafted != 0 or state.seats == 1 else out[0]


@kernel
def minimax_policy(state, rng, out):
    """The thesis's minimax of depth 1: of the moves that the filter keeps the one that the evaluation likes best."""
    seat = state.turn if state.phase == layout.CHOOSE else layout.mover_of(state)
    n = thesis_filter(state, out, legal_actions(state, out))
    if n == 1:
        return out[0]
    tried = np.empty(1, layout.STATE)
    best, most = 0, -2.0
    for i in range(n):
        tried[0] = state
        apply(tried[0], out[i])
        settle(tried[0])
        value = thesis_value(tried[0], seat, THESIS[0])
        if value > most:
            best, most = i, value
    return out[best]


@kernel
def best_relocation(state, seat, out, n):
    """The move of dice that leaves fewest unfillable cells, if they are fewer than now; else -1."""
    least = popcount(board.unfillable(state, seat))
    best = -1
    if least == 0:
        return best
    for i in range(n):
        action = out[i]
        if not is_relocation(state, action):
            continue
        a, b, c, d = (action >> 15) & 31, (action >> 10) & 31, (action >> 5) & 31, action & 31
        is_pair = c != 0 or d != 0
        board.shift(state, seat, a, b)
        if is_pair:
            board.shift(state, seat, c, d)
        left = popcount(board.unfillable(state, seat))
        if is_pair:
            board.shift(state, seat, d, c)
        board.shift(state, seat, b, a)
        if left < least:
            least, best = left, action
    return best


@kernel
def best_listed_placement(state, seat, out, n):
    """As `best_placement`, among all moves that place a die, tools included; -1 where none is worth anything."""
    dead = board.unfillable(state, seat)
    least = board.N_CELLS
    best, best_value = -1, 0
    for i in range(n):
        die, cell = placed_die(state, out[i])
        if die < 0:
            continue
        after = dead_after(state, seat, die, cell, dead)
        if popcount(after) > least:
            continue
        least = popcount(after)
        value = better(state, seat, die, cell, after, best_value)
        if value > 0:
            best, best_value = out[i], value
    return best


@kernel
def random_tool(state, rng, out, n):
    """Any move of a tool that rolls or draws; -1 where there is none."""
    count = 0
    for i in range(n):
        count += np.int64(is_lottery(state, out[i]))
    if count == 0:
        return -1
    k = draw(rng, count)
    for i in range(n):
        if is_lottery(state, out[i]):
            if k == 0:
                return out[i]
            k -= 1
    return -1


@kernel
def is_lottery(state, action):
    """Whether a move uses Flux Brush, Glazing Hammer or Flux Remover."""
    kind = action >> layout.KIND_BITS
    if kind >= layout.PLACE or state.seats == 1:
        return False
    tool = state.tools[kind]
    return tool in (BRUSH, HAMMER_CARD, REMOVER)
