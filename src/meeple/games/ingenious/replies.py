"""Ingenious: what a rival's placement and the answer to it come to, for expectimax.

Two questions of the search are answered here for all that it would look at one by one: a bound on what lies below a
position (`lead_bound`), and the values below a chance node over the rival's tile (`fill_replies`). For the latter the
gains of all cells are reckoned once. A rival's tile closes eleven positions at most and lengthens twelve lines at most:
the answer is the best of the positions that were best before and are still open, and of those beside a longer line.
"""

from __future__ import annotations

import numpy as np

from meeple.core import multisets
from meeple.core.bits import lowest_bit
from meeple.core.kernel import kernel
from meeple.games.ingenious import geometry
from meeple.games.ingenious.layout import EMPTY, PLACE
from meeple.games.ingenious.report import best_tiles
from meeple.games.ingenious.rules import to_move
from meeple.games.ingenious.scoring import side_of
from meeple.games.ingenious.tiles import (
    COLOUR_1,
    COLOUR_2,
    FIELDS,
    N_COLOURS,
    N_KINDS,
    ONE_EACH,
    SHOWING,
    first_oriented,
)
from meeple.games.ingenious.worths import (
    HAIR,
    POINTS_SCALE,
    POINTS_WORTH,
    SOFT_SCALE,
    best_oriented,
    count_open,
    fill_gains,
    fill_worths,
    hand_kinds,
    lead,
    list_positions,
    might_end,
    n_short,
    sum_of_worths,
    track_end,
    worth_of,
)

N_TOP = 12  # positions kept: a tile closes eleven at most, so one of them stays open
N_LINES = 12  # lines that a tile may lengthen: six from each half


# --- no line is better than this


@kernel
def lead_bound(state, seat, plies, worth):
    """Whether a bound on `lead` after so many more decisions is known, and the bound.

    Others can only lower it; of the seat's own placements there may be one at most, after another's.
    """
    if to_move(state) < 0 or might_end(state, plies):  # before a draw it is not told whose placement is next
        return False, np.int64(0)
    is_next = side_of(state, np.int64(state.seat)) == side_of(state, np.int64(seat))
    placements = plies if is_next else plies - 1
    if placements <= 0:
        return True, lead(state, seat, worth)
    if is_next or placements > 1 or state.seats != 2:
        return False, np.int64(0)
    return True, lead(state, seat, worth) + best_reply(state, seat, worth)


@kernel
def best_reply(state, seat, worth):
    """No placement of the seat's is worth more, after one tile of the rival's.

    That is at most what the best is worth now, and what the rival's halves may add: each lengthens the lines of its
    colour by itself and by a run that it joins on to. Worths grow ever more slowly, so what is added is worth
    at most what it would be alone.
    """
    side = side_of(state, np.int64(seat))
    kinds = hand_kinds(state, seat)
    codes = np.empty((3, geometry.SPAN), np.uint32)
    n = list_positions(state, codes, False)
    gains = np.zeros((N_COLOURS, geometry.NEXT.shape[0]), np.int32)
    worths = np.empty((N_COLOURS, geometry.NEXT.shape[0]), np.int32)
    _, now = best_oriented(state, side, worth, kinds, codes, n, gains, worths)
    first = np.int64(0)
    second = np.int64(0)
    double = np.int64(0)
    for colour in range(N_COLOURS):
        if kinds & SHOWING[colour]:
            halves = 2 if multisets.held(kinds, colour, FIELDS) else 1
            reach = halves * (1 + longest_run(state, np.int64(colour)))
            added = worth_of(state, side, worth, np.int64(colour), reach)
            second = max(second, min(first, added))
            first = max(first, added)
            double = max(double, worth_of(state, side, worth, np.int64(colour), 2 * reach))
    return np.int64(now) + max(first + second, double)


@kernel
def longest_run(state, colour):
    """The most cells of a colour in one straight line."""
    longest = np.int64(0)
    for cell in range(geometry.AREA[state.seats]):
        if state.cell[cell] != colour:
            continue
        for direction in range(3):
            length = np.int64(0)
            along = np.int64(cell)
            while state.cell[along] == colour:
                length += 1
                along = geometry.NEXT[along, direction]
            longest = max(longest, length)
    return longest


@kernel
def points_bound(state, seat, plies):
    is_known, total = lead_bound(state, seat, plies, POINTS_WORTH)
    return total * POINTS_SCALE + HAIR if is_known else 1.0


@kernel
def soft_bound(state, seat, plies, given):
    is_known, total = lead_bound(state, seat, plies, given.worth)
    return total * SOFT_SCALE + HAIR if is_known else 1.0


# --- all replies to a position at once


@kernel
def fill_replies(state, seat, plies, weights, kinds, worth, scale, counts_rival, out):
    """Write, for each kind of tile that the rival may hold, the value for `seat` after the rival's best placement.

    With two plies, after the seat's own best placement of one of `kinds` as well. `worth`, `scale` and whether the
    rival's scores count (1 or 0) are the evaluation's. False where it cannot tell: with more seats than two, or where
    the game might end.
    """
    rival = 1 - np.int64(seat)
    if state.seats != 2 or state.phase != PLACE or state.seat != rival or plies > 2:
        return False
    if plies == 2 and state.turn + 1 < state.bound_turns:
        return False
    if count_open(state) <= 11 * plies or n_short(state, rival) <= 2:
        return False
    if plies == 2 and (kinds == 0 or n_short(state, np.int64(seat)) <= 2):
        return False
    gains = np.zeros((N_COLOURS, geometry.N_CELLS + 1), np.int32)
    fill_gains(state, gains)
    choice = np.empty((3, N_KINDS), np.int64)
    choose_placements(state, rival, weights, worth, gains, choice)
    mine, theirs = sum_of_worths(state, np.int64(seat), worth), sum_of_worths(state, rival, worth)
    answers = np.zeros(N_KINDS, np.int64)
    if plies == 2:
        fill_answers(state, np.int64(seat), weights, kinds, worth, gains, choice, answers)
    for kind in range(N_KINDS):
        if weights[kind] > 0:
            total = mine + answers[kind] - counts_rival * (theirs + choice[ADDS, kind])
            out[kind] = total * scale
    return True


WAY, AT, ADDS = range(3)  # of a choice: the oriented tile, the code of its position, what it is worth


@kernel
def choose_placements(state, rival, weights, worth, gains, choice):
    """Write for each kind that the rival may hold its own best placement, the first of equals."""
    codes = np.empty((3, geometry.SPAN), np.uint32)
    n = list_positions(state, codes, state.turn < state.bound_turns)
    worths = np.empty((N_COLOURS, geometry.N_CELLS + 1), np.int32)
    fill_worths(state, rival, worth, np.int64(ONE_EACH), gains, worths)
    # By position, and not by cell: then the loops below are compiled to vectors.
    on = np.empty((2, N_COLOURS, geometry.SPAN), np.int32)
    for colour in range(N_COLOURS):
        for i in range(n):
            on[0, colour, i] = worths[colour, codes[1, i]]
            on[1, colour, i] = worths[colour, codes[2, i]]
    sums = np.empty(geometry.SPAN, np.int32)
    for kind in range(N_KINDS):
        if weights[kind] == 0:
            continue
        points = np.int64(state.points[rival, kind]) if kind < N_COLOURS else np.int64(0)
        room = np.int32(track_end(state, points) - points)
        most, at, way = np.int32(-1), np.int64(0), first_oriented(np.int64(kind))
        for oriented in range(way, way + (1 if kind < N_COLOURS else 2)):
            first, second = COLOUR_1[oriented], COLOUR_2[oriented]
            if kind < N_COLOURS:
                for i in range(n):
                    sums[i] = min(room, np.int32(gains[kind, codes[1, i]] + gains[kind, codes[2, i]]))
            else:
                for i in range(n):
                    sums[i] = on[0, first, i] + on[1, second, i]
            top = highest(sums, n)
            if top > most:
                most, at, way = top, first_at(sums, n, top), np.int64(oriented)
        adds = worth_of(state, rival, worth, np.int64(kind), np.int64(most)) if kind < N_COLOURS else np.int64(most)
        choice[WAY, kind] = way
        choice[AT, kind] = codes[0, at]
        choice[ADDS, kind] = adds


@kernel
def highest(values, n):
    """The highest of the first `n` values, none of which is negative."""
    most = np.int32(0)
    for i in range(n):
        most = max(most, values[i])
    return most


@kernel
def first_at(values, n, wanted):
    """The first place with this value."""
    for i in range(n):
        if values[i] == wanted:
            return np.int64(i)
    return np.int64(0)


@kernel
def fill_answers(state, side, weights, kinds, worth, gains, choice, answers):
    """Write what the side's best placement of these kinds is worth after each of the rival's placements."""
    worths = np.empty((N_COLOURS, geometry.N_CELLS + 1), np.int32)
    fill_worths(state, side, worth, kinds, gains, worths)
    top = np.empty((2, N_TOP), np.int64)
    n_top = list_best(state, side, worth, kinds, gains, worths, top)
    partners = np.zeros(N_COLOURS, np.int64)
    fill_partners(kinds, partners)
    board = np.empty(geometry.N_CELLS + 1, np.int8)
    for cell in range(geometry.N_CELLS + 1):
        board[cell] = state.cell[cell]
    lines = np.empty((4, N_LINES), np.int64)
    for kind in range(N_KINDS):
        if weights[kind] == 0:
            continue
        way, code = choice[WAY, kind], choice[AT, kind]
        first, second = COLOUR_1[way], COLOUR_2[way]
        cell_1, cell_2 = geometry.CELL_1[code], geometry.CELL_2[code]
        i = 0
        while i < n_top - 1 and (geometry.STAYS_OPEN[code, top[0, i] >> 6] >> (top[0, i] & 63)) & 1 == 0:
            i += 1
        best = top[1, i]
        # One half after the other, or the line through a double would be lengthened twice.
        board[cell_1] = first
        n_lines = lengthen(board, cell_1, first, gains, lines, np.int64(0))
        board[cell_2] = second
        n_lines = lengthen(board, cell_2, second, gains, lines, n_lines)
        for line in range(n_lines):
            colour, cell = lines[COLOUR, line], lines[END, line]
            if partners[colour]:
                lines[BEFORE, line] = worths[colour, cell]
                worths[colour, cell] = worth_of(state, side, worth, colour, np.int64(gains[colour, cell]))
        for line in range(n_lines):
            colour, cell = lines[COLOUR, line], lines[END, line]
            if partners[colour] and board[cell] == EMPTY:
                best = max(best, best_beside(state, side, worth, board, colour, cell, partners, gains, worths))
        for line in range(n_lines - 1, -1, -1):
            colour, cell = lines[COLOUR, line], lines[END, line]
            gains[colour, cell] -= lines[ADDED, line]
            if partners[colour]:
                worths[colour, cell] = lines[BEFORE, line]
        board[cell_1] = EMPTY
        board[cell_2] = EMPTY
        answers[kind] = best


COLOUR, END, ADDED, BEFORE = range(4)  # of a line: its colour, the empty cell at its end, points added, worth before


@kernel
def list_best(state, side, worth, kinds, gains, worths, top):
    """Write the positions with the best placements of these kinds and what those are worth, best first; how many."""
    codes = np.empty((3, geometry.SPAN), np.uint32)
    n = list_positions(state, codes, False)
    best = np.zeros(geometry.SPAN, np.int32)
    while kinds:
        kind = lowest_bit(kinds) // 3
        kinds &= kinds - 1
        way = first_oriented(kind)
        if kind < N_COLOURS:
            for i in range(n):
                gain = np.int64(gains[kind, codes[1, i]] + gains[kind, codes[2, i]])
                best[i] = max(best[i], np.int32(worth_of(state, side, worth, kind, gain)))
        else:
            on_1, on_2 = worths[COLOUR_1[way]], worths[COLOUR_2[way]]
            for i in range(n):
                one, other = codes[1, i], codes[2, i]
                both = max(np.int32(on_1[one] + on_2[other]), np.int32(on_2[one] + on_1[other]))
                best[i] = max(best[i], both)
    n_top = np.int64(0)
    for i in range(n):
        if n_top < N_TOP or best[i] > top[1, N_TOP - 1]:
            at = n_top if n_top < N_TOP else np.int64(N_TOP - 1)
            while at > 0 and top[1, at - 1] < best[i]:
                top[0, at] = top[0, at - 1]
                top[1, at] = top[1, at - 1]
                at -= 1
            top[0, at] = codes[0, i]
            top[1, at] = best[i]
            n_top = min(np.int64(N_TOP), n_top + 1)
    return n_top


@kernel
def fill_partners(kinds, partners):
    """Write for each colour those that these kinds show beside it, as bits: its own bit stands for the double."""
    while kinds:
        kind = lowest_bit(kinds) // 3
        kinds &= kinds - 1
        way = first_oriented(kind)
        partners[COLOUR_1[way]] |= np.int64(1) << COLOUR_2[way]
        partners[COLOUR_2[way]] |= np.int64(1) << COLOUR_1[way]


@kernel
def lengthen(board, cell, colour, gains, lines, n_lines):
    """A half of this colour now lies on the cell: add to the gains at the empty ends of its lines, and note them.

    Returns how many lines are noted.
    """
    for direction in range(6):
        end = geometry.NEXT[cell, direction]
        while board[end] == colour:
            end = geometry.NEXT[end, direction]
        if board[end] != EMPTY:
            continue
        back = (direction + 3) % 6
        added = np.int64(1)
        along = geometry.NEXT[cell, back]
        while board[along] == colour:
            added += 1
            along = geometry.NEXT[along, back]
        gains[colour, end] += added
        lines[COLOUR, n_lines] = colour
        lines[END, n_lines] = end
        lines[ADDED, n_lines] = added
        n_lines += 1
    return n_lines


@kernel
def best_beside(state, side, worth, board, colour, cell, partners, gains, worths):
    """What the best placement is worth with a half of this colour on this cell."""
    best = np.int64(0)
    for direction in range(6):
        other = geometry.NEXT[cell, direction]
        if board[other] != EMPTY:
            continue
        left = partners[colour]
        while left:
            second = lowest_bit(left)
            left &= left - 1
            if second == colour:
                gain = np.int64(gains[colour, cell]) + np.int64(gains[colour, other])
                best = max(best, worth_of(state, side, worth, colour, gain))
            else:
                best = max(best, np.int64(worths[colour, cell]) + np.int64(worths[second, other]))
    return best


@kernel
def soft_replies(state, seat, plies, weights, out, given):
    kinds = hand_kinds(state, seat)
    return fill_replies(state, seat, plies, weights, kinds, given.worth, SOFT_SCALE, np.int64(1), out)


@kernel
def soft_replies_lowest(state, seat, plies, weights, out, given):
    kinds = best_tiles(state, seat)
    return fill_replies(state, seat, plies, weights, kinds, given.worth, SOFT_SCALE, np.int64(1), out)


@kernel
def points_replies(state, seat, plies, weights, out):
    kinds = hand_kinds(state, seat)
    return fill_replies(state, seat, plies, weights, kinds, POINTS_WORTH, POINTS_SCALE, np.int64(1), out)


@kernel
def points_replies_lowest(state, seat, plies, weights, out):
    kinds = best_tiles(state, seat)
    return fill_replies(state, seat, plies, weights, kinds, POINTS_WORTH, POINTS_SCALE, np.int64(1), out)


@kernel
def gain_replies(state, seat, plies, weights, out):
    kinds = hand_kinds(state, seat)
    return fill_replies(state, seat, plies, weights, kinds, POINTS_WORTH, POINTS_SCALE, np.int64(0), out)


@kernel
def gain_replies_lowest(state, seat, plies, weights, out):
    kinds = best_tiles(state, seat)
    return fill_replies(state, seat, plies, weights, kinds, POINTS_WORTH, POINTS_SCALE, np.int64(0), out)
