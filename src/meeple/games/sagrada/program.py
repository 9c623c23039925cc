"""Sagrada: the rule-based players as the thesis's program plays them, where that is not what its text says.

1. A turn passed by counts as an unfillable cell: the larger of the two numbers is compared.
2. An unfillable cell spoils no column. Pairs and diagonals are never lost; cells that could still take one are
   counted by the product of row and column, and diagonals looked at from the empty cells.
3. Points before and after a placement are compared with the empty cells taken off twice.
4. All moves: tools that roll or draw are never used. Where no placement is worth anything comes the first move that
   moves no dice, which may be a tool.

Each placement is played, valued and taken back, as there; players.py does so for what changes alone.
"""

from __future__ import annotations

import numpy as np

from meeple.core.bits import lowest_bit, popcount
from meeple.core.kernel import kernel
from meeple.games.sagrada import board, layout
from meeple.games.sagrada.evaluation import THESIS, lines_worth, lost_lines
from meeple.games.sagrada.players import (
    DIE_WEIGHT,
    LOST_UNITS,
    MORE_POINTS,
    POINT_UNITS,
    SLIGHTLY_WORSE,
    dead_after,
    dice_at_hand,
    first_policy,
    is_lottery,
    play_or_pass,
    private_pips,
    window_move,
)
from meeple.games.sagrada.rules import legal_actions
from meeple.games.sagrada.tools import is_relocation, placed_die

ALONE, PAIRED = int(THESIS[0].powers[1]), int(THESIS[0].powers[2])  # the worth of patterns that lack all dice, or one
PRODUCTS = np.array(  # cells with the same row * column, rows and columns from 0, as the program keeps them
    [sum(1 << c for c in range(20) if c // 5 * (c % 5) == i // 5 * (i % 5)) for i in range(20)], dtype=np.int64
)


@kernel
def program_dtfm_policy(state, rng, out):
    """The program's rules over placements alone."""
    if state.phase == layout.CHOOSE:
        return window_move(state)
    seat = layout.mover_of(state)
    n = list_plain(state, seat, dice_at_hand(state), out)
    return play_or_pass(state, rng, out, best_of(state, seat, out, n) if n > 0 else -1)


@kernel
def program_all_policy(state, rng, out):
    """The program's rules over all moves."""
    if state.phase == layout.CHOOSE:
        return window_move(state)
    seat = layout.mover_of(state)
    n = legal_actions(state, out)
    best = most_freeing(state, seat, out, n)
    if best >= 0:
        return best
    kept = 0
    for i in range(n):
        if not is_relocation(state, out[i]) and not is_lottery(state, out[i]):
            out[kept] = out[i]
            kept += 1
    if kept == 0:
        return first_policy(state, rng, out)
    return best_of(state, seat, out, kept)


@kernel
def list_plain(state, seat, dice, out):
    """Write the placements of these dice, die by die; returns how many."""
    n = 0
    cells = board.open_cells(state.occ[seat])
    while dice:
        die = lowest_bit(dice)
        dice &= dice - 1
        targets = board.fits(state, seat, cells, die // board.N_VALUES, die % board.N_VALUES)
        while targets:
            out[n] = layout.coded(layout.PLACE, lowest_bit(targets), die, 0, 0)
            targets &= targets - 1
            n += 1
    return n


@kernel
def passed(state, seat):
    """Empty cells that are too many for the seat's turns to come, this one included."""
    turns = 2 * (layout.N_ROUNDS - 1 - state.lap)
    for place in range(state.turn, 2 * state.seats):
        turns += np.int64(state.order[place] == seat)
    return board.N_CELLS - popcount(state.occ[seat]) - turns


@kernel
def most_freeing(state, seat, out, n):
    """The move of dice that leaves fewest cells lost, if they are fewer than now; else -1."""
    least = max(passed(state, seat), popcount(board.unfillable(state, seat)))
    best = -1
    for i in range(n):
        action = out[i]
        if not is_relocation(state, action):
            continue
        a, b, c, d = (action >> 15) & 31, (action >> 10) & 31, (action >> 5) & 31, action & 31
        is_pair = c != 0 or d != 0
        board.shift(state, seat, a, b)
        if is_pair:
            board.shift(state, seat, c, d)
        left = max(passed(state, seat), popcount(board.unfillable(state, seat)))
        if is_pair:
            board.shift(state, seat, d, c)
        board.shift(state, seat, b, a)
        if left < least:
            least, best = left, action
    return best


@kernel
def best_of(state, seat, moves, n):
    """The placement that the rules choose among these moves; where none is worth anything the first move."""
    dead = board.unfillable(state, seat)
    n_passed = passed(state, seat)
    before = max(n_passed, popcount(dead))
    _, earned_before = program_patterns(state, seat, dead)
    best, best_value, most = moves[0], 0, -board.N_CELLS
    for i in range(n):
        die, cell = placed_die(state, moves[i])
        if die < 0:
            continue
        after = dead_after(state, seat, die, cell, dead)
        freed = before - max(n_passed, popcount(after))
        if freed < most:
            continue
        most = freed
        pips = private_pips(state, seat, die)
        board.put_or_lift(state, seat, die, cell)
        value, earned = program_patterns(state, seat, after)
        board.put_or_lift(state, seat, die, cell)
        value += DIE_WEIGHT * pips
        gain = earned - earned_before + pips + freed + 2 * state.worth[layout.EMPTY] - cost_of(state, moves[i])
        if value > best_value or (value + SLIGHTLY_WORSE > best_value and gain > MORE_POINTS):
            best, best_value = moves[i], value
    return best


@kernel
def cost_of(state, action):
    """The points of the tokens that a move costs."""
    kind = action >> layout.KIND_BITS
    return state.worth[layout.TOKEN] * (1 + state.paid[kind]) if kind < layout.PLACE else 0


@kernel
def program_patterns(state, seat, dead):
    """The value of the public objectives in units, and their points."""
    total, earned = 0, 0
    for place in range(state.n_goals):
        goal = state.goals[place]
        if goal == layout.NONE or goal in (board.SHADES, board.COLOUR_SETS):
            continue
        if goal < board.LIGHT:
            spoiling = dead if goal in (board.ROW_COLOURS, board.ROW_SHADES) else 0
            lost_now = lost_lines(state, seat, goal, spoiling)
            done, near, lost = lines_worth(state.occ[seat], goal, lost_now, THESIS[0])
        elif goal <= board.DEEP:
            done, near, lost = program_pairs(state, seat, 2 * (goal - board.LIGHT))
        else:
            done, near, lost = program_diagonals(state, seat)
        points = state.worth[goal]
        earned += done * points
        total += points * (POINT_UNITS * done + near - LOST_UNITS * lost)
    return total, earned


@kernel
def program_pairs(state, seat, low):
    """Pairs done, the worth of those that can be; none is ever lost."""
    n_low, n_high = popcount(state.val[seat, low]), popcount(state.val[seat, low + 1])
    done = min(n_low, n_high)
    room_low = cells_left(state.val[seat, low]) - n_low
    room_high = cells_left(state.val[seat, low + 1]) - n_high
    waiting = max(0, min(n_low - done, room_high) + min(n_high - done, room_low))
    return done, PAIRED * waiting + ALONE * max(0, min(room_low, room_high)), 0


@kernel
def cells_left(cells):
    """The program's count of cells for a value that lies on `cells`: products of row and column are not told apart."""
    taken = 0
    beside = board.beside(cells)
    while beside:
        alike = PRODUCTS[lowest_bit(beside)]
        beside &= ~alike
        taken += 1
    return board.N_CELLS - taken


@kernel
def program_diagonals(state, seat):
    """Dice with a diagonal twin, and empty cells that could still take a twin of a die; none is ever lost."""
    window = state.window[seat]
    empty = board.BOARD & ~state.occ[seat]
    done, hopeful = 0, 0
    for colour in range(board.N_COLOURS):
        cells = state.col[seat, colour]
        done += popcount(cells & board.diagonal(cells))
        hopeful |= empty & board.diagonal(cells) & board.TAKES_COLOUR[window, colour] & ~board.beside(cells)
    return done, ALONE * popcount(hopeful), 0
