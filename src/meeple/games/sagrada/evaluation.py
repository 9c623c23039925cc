"""Sagrada: the thesis's evaluation of a window [its sections 4.1 and 5.2], with the weights of its table 8.3.

A seat is worth the points it has, the patterns of public objectives that can still be completed, those that cannot, and
the cells that no die fits any more. How each detail was read stands on the game's page.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.bits import popcount
from meeple.core.kernel import kernel
from meeple.core.parameters import Parameters
from meeple.games.sagrada import board, layout
from meeple.games.sagrada.scoring import private_points
from meeple.games.sagrada.tools import is_relocation, placed_die

UNIT = 1 << 16  # patterns are counted in such parts of one, as whole numbers: a sum is the same in every order
SCALE = 1e-6  # brings values to (-1, 1); a won or lost game counts 1 and -1


class ThesisWeights(NamedTuple):
    """Table 8.3 of the thesis, by its own names; a file may set others (`minimax:config=FILE`)."""

    OpponentInfluencingFactor: float = 9.84  # one's own value counts so many times the best rival's
    PuocCompletablePower: float = 3.11  # a pattern of k dice counts (k + 1) to this power
    MinusPointsPerUncompletableField: float = 373.0
    CompletedPointsWeight: float = 416.0
    MinusPointsPerUncompletablePuocPoints: float = 7.0


class Weights(NamedTuple):
    """The table as kernels take it, the worth of patterns in units."""

    factor: float  # of one's own value
    point: float
    unfillable: float  # what such a cell costs
    powers: NDArray[np.int64]  # by dice of a pattern and one more
    point_units: int
    lost_units: int  # for each point of a lost pattern


def in_units(table: ThesisWeights) -> Weights:
    """Work out what is the same in every position."""
    return Weights(
        table.OpponentInfluencingFactor,
        table.CompletedPointsWeight,
        table.MinusPointsPerUncompletableField,
        np.array([round(float(k) ** table.PuocCompletablePower * UNIT) for k in range(8)], dtype=np.int64),
        round(table.CompletedPointsWeight * UNIT),
        round(table.MinusPointsPerUncompletablePuocPoints * UNIT),
    )


PARAMETERS = Parameters(ThesisWeights(), within=(0, 10_000), limits={"PuocCompletablePower": (0, 10)}, make=in_units)
THESIS = PARAMETERS.constant  # for filters and players, which go by the table whatever a file says


@kernel
def thesis_value(state, seat, weights):
    """The seat's value, many times over, less the best rival's."""
    return weighed(side_value(state, seat, weights), best_side(state, seat, seat, weights), weights)


@kernel
def weighed(mine, best, weights):
    """One's own value against the best rival's, brought to the evaluation's range; -inf: there is no rival."""
    lead = weights.factor * mine - (best if best > -np.inf else 0.0)
    return min(0.95, max(-0.95, lead * SCALE))


@kernel
def best_side(state, seat, but, weights):
    """The greatest value of the seats but these two; -inf where there is none."""
    best = -np.inf
    for other in range(state.seats):
        if other not in (seat, but):
            best = max(best, side_value(state, other, weights))
    return best


@kernel
def thesis_standing(state, seat, weights):
    """What no move from here changes: the seat's value, if another is to move, and the best of all who are not."""
    if state.phase == layout.CHOOSE or state.seats == 1:
        return 0.0, 0.0
    mover = layout.mover_of(state)
    mine = 0.0 if mover == seat else side_value(state, seat, weights)
    return mine, best_side(state, seat, mover, weights)


@kernel
def thesis_after(state, seat, action, mine, best, weights):
    """The evaluation after a move, from what `thesis_standing` gave; NaN where the game may end, and in set-up or solo.

    Only the mover's window and tokens count, and chance changes neither.
    """
    if state.phase == layout.CHOOSE or state.seats == 1 or is_last_turn(state):
        return np.nan
    mover = layout.mover_of(state)
    value = side_after(state, mover, action, weights)
    if mover == seat:
        return weighed(value, best, weights)
    return weighed(mine, max(best, value), weights)


@kernel
def is_last_turn(state):
    """Whether the game may end with this turn."""
    return state.lap == layout.N_ROUNDS - 1 and (state.skips != 0 or state.turn == 2 * state.seats - 1)


@kernel
def side_after(state, seat, action, weights):
    """The mover's value after its move; the state is changed and changed back."""
    kind = action >> layout.KIND_BITS
    a, b, c, d = (action >> 15) & 31, (action >> 10) & 31, (action >> 5) & 31, action & 31
    tokens = state.tokens[seat]
    if kind < layout.PLACE:
        state.tokens[seat] = tokens - 1 - state.paid[kind]
    die, cell = placed_die(state, action)
    if die >= 0:
        board.put_or_lift(state, seat, die, cell)
        value = side_value(state, seat, weights)
        board.put_or_lift(state, seat, die, cell)
    elif is_relocation(state, action):
        is_pair = c != 0 or d != 0
        board.shift(state, seat, a, b)
        if is_pair:
            board.shift(state, seat, c, d)
        value = side_value(state, seat, weights)
        if is_pair:
            board.shift(state, seat, d, c)
        board.shift(state, seat, b, a)
    else:
        value = side_value(state, seat, weights)
    state.tokens[seat] = tokens
    return value


@kernel
def side_value(state, seat, weights):
    """A seat's value: points it would have if the game ended now, patterns, cells that nothing fits any more."""
    if state.window[seat] == layout.NONE:
        return 0.0
    dead = board.unfillable(state, seat)
    value, _ = patterns_value(state, seat, dead, weights)
    empty = board.N_CELLS - popcount(state.occ[seat])
    rest = private_points(state, seat) - state.worth[layout.EMPTY] * empty
    rest += state.worth[layout.TOKEN] * state.tokens[seat]
    return value / UNIT + weights.point * rest - weights.unfillable * popcount(dead)


@kernel
def patterns_value(state, seat, dead, weights):
    """The value of the public objectives in units, and their points."""
    total = 0
    earned = 0
    for place in range(state.n_goals):
        goal = state.goals[place]
        if goal == layout.NONE or (state.has_faults != 0 and (goal in (board.SHADES, board.COLOUR_SETS))):
            continue  # with its program's faults the sets pay the same whatever is done
        if goal < board.LIGHT:
            done, near, lost = line_patterns(state, seat, goal, dead, weights)
        elif goal <= board.DEEP:
            done, near, lost = pair_patterns(state, seat, 2 * (goal - board.LIGHT), weights)
        elif goal in (board.SHADES, board.COLOUR_SETS):
            done, near, lost = set_patterns(state, seat, goal == board.SHADES, weights)
        else:
            done, near, lost = diagonal_patterns(state, seat, weights)
        points = state.worth[goal]
        earned += done * points
        total += points * (weights.point_units * done + near - weights.lost_units * lost)
    return total, earned


@kernel
def line_patterns(state, seat, goal, dead, weights):
    """Rows, or columns, done, the worth of those that can be, and how many cannot.

    Each line by itself: the trap of figure 4.1.
    """
    return lines_worth(state.occ[seat], goal, lost_lines(state, seat, goal, dead), weights)


@kernel
def lines_worth(occupied, goal, gone, weights):
    """Lines done, the worth of those that can be, how many cannot; `gone` are those that cannot, as their heads."""
    lines, _ = board.lines_of(goal)
    done, lost, near = 0, 0, 0
    for i in range(lines.n):
        n = popcount((occupied >> i * lines.apart) & lines.first)
        if (gone >> i * lines.apart) & 1:
            lost += 1
        elif n == lines.length:
            done += 1
        else:
            near += weights.powers[n + 1]
    return done, near, lost


@kernel
def lost_lines(state, seat, goal, dead):
    """Lines, as their heads, with a colour (or value) twice or printed on an empty cell of theirs, or a dead cell."""
    lines, by_colour = board.lines_of(goal)
    window = state.window[seat]
    empty = board.BOARD & ~state.occ[seat]
    lost = board.killed_lines(state, lines, dead)
    for kind in range(board.N_COLOURS if by_colour else board.N_VALUES):
        cells = board.cells_of(state, seat, kind, by_colour)
        if cells != 0:  # with few dice on the window most kinds spoil nothing
            prints = board.PRINTED_COLOUR[window, kind] if by_colour else board.PRINTED_VALUE[window, kind]
            once, twice = board.lines_with_one_and_two(cells, lines)
            lost |= twice | (once & board.lines_with(prints & empty, lines))
    return lost


@kernel
def pair_patterns(state, seat, low, weights):
    """Pairs of two values: a die alone waits for its partner, as long as a cell could take that."""
    n_low, n_high = popcount(state.val[seat, low]), popcount(state.val[seat, low + 1])
    room_low, room_high = room_for(state, seat, low), room_for(state, seat, low + 1)
    return pairs_of(n_low, n_high, popcount(room_low), popcount(room_high), weights)


@kernel
def pairs_of(n_low, n_high, room_low, room_high, weights):
    """Pairs done, the worth of those that can be, and dice that wait for nothing, by dice and cells for more."""
    done = min(n_low, n_high)
    waiting = min(n_low - done, room_high) + min(n_high - done, room_low)
    near = weights.powers[2] * waiting + weights.powers[1] * min(room_low, room_high)
    return done, near, n_low + n_high - 2 * done - waiting


@kernel
def room_for(state, seat, value):
    """Empty cells that take a value by print and side neighbours."""
    window = state.window[seat]
    empty = board.BOARD & ~state.occ[seat]
    return empty & board.TAKES_VALUE[window, value] & ~board.beside(state.val[seat, value])


@kernel
def set_patterns(state, seat, by_value, weights):
    """Sets of all values or colours: those done, and the next, if there is room for what it lacks."""
    done, missing, _ = least_counts(state, seat, by_value)
    near, lost = next_set(done, missing, board.N_CELLS - popcount(state.occ[seat]), by_value, weights)
    return done, near, lost


@kernel
def least_counts(state, seat, by_value):
    """The least count of a kind, how many kinds have no more, and how many just one more."""
    least, n_least, n_next = board.N_CELLS, 0, 0
    for kind in range(board.N_VALUES if by_value else board.N_COLOURS):
        count = popcount(board.cells_of(state, seat, kind, not by_value))
        if count < least:
            n_next = n_least if count == least - 1 else 0
            least, n_least = count, 1
        elif count == least:
            n_least += 1
        elif count == least + 1:
            n_next += 1
    return least, n_least, n_next


@kernel
def next_set(done, missing, empty, by_value, weights):
    """What the next set is worth, if there is room for what it lacks, and whether it is lost."""
    kinds = board.N_VALUES if by_value else board.N_COLOURS
    if done >= (board.MOST_SHADE_SETS if by_value else board.MOST_COLOUR_SETS):
        return np.int64(0), np.int64(0)
    if missing > empty:
        return np.int64(0), np.int64(1)
    return weights.powers[kinds - missing + 1], np.int64(0)


@kernel
def diagonal_patterns(state, seat, weights):
    """Dice with a diagonal twin, and those that could still get one."""
    window = state.window[seat]
    empty = board.BOARD & ~state.occ[seat]
    done, waiting, alone = 0, 0, 0
    for colour in range(board.N_COLOURS):
        cells = state.col[seat, colour]
        twins = cells & board.diagonal(cells)
        room = empty & board.TAKES_COLOUR[window, colour] & ~board.beside(cells)
        hopeful = cells & ~twins & board.diagonal(room)
        done += popcount(twins)
        waiting += popcount(hopeful)
        alone += popcount(cells & ~twins & ~hopeful)
    return done, weights.powers[2] * waiting, alone


# --- an evaluation that sees the trap of figure 4.1


@kernel
def wary_value(state, seat, weights):
    """As `thesis_value`, but lines that lack one die count only if such a die can come, and not two for one die."""
    best = -np.inf
    for other in range(state.seats):
        if other != seat:
            best = max(best, wary_side(state, other, weights))
    return weighed(wary_side(state, seat, weights), best, weights)


@kernel
def wary_side(state, seat, weights):
    """A seat's value without the rows and columns that seem completable and are not."""
    value = side_value(state, seat, weights)
    if state.window[seat] == layout.NONE:
        return value
    dead = board.unfillable(state, seat)
    for place in range(state.n_goals):
        goal = state.goals[place]
        if layout.NONE < goal < board.LIGHT:
            lines, _ = board.lines_of(goal)
            n = trapped_lines(state, seat, goal, lost_lines(state, seat, goal, dead))
            worth = weights.powers[lines.length] + weights.lost_units
            value -= state.worth[goal] * n * worth / UNIT
    return value


@kernel
def trapped_lines(state, seat, goal, lost):
    """Lines that lack one die which nothing can be, or which must be the same as that of the line before, beside it."""
    lines, by_colour = board.lines_of(goal)
    empty = board.BOARD & ~state.occ[seat]
    n, before, needed = 0, 0, 0  # the last line's cell that waits for one kind, the kind
    for i in range(lines.n):
        line = lines.first << i * lines.apart
        gap = empty & line
        kinds = 0
        if (lost >> i * lines.apart) & 1 == 0 and popcount(gap) == 1:
            kinds = kinds_for(state, seat, gap, line, by_colour)
            if kinds == 0 or (kinds == needed and gap == before << lines.apart):
                n += 1
                kinds = 0
        before, needed = (gap, kinds) if popcount(kinds) == 1 else (np.int64(0), np.int64(0))
    return n


@kernel
def kinds_for(state, seat, cell, line, by_colour):
    """The colours, or values, as bits, with which a die on this empty cell could complete its line."""
    window = state.window[seat]
    barred = line | board.beside(cell)
    kinds = 0
    for kind in range(board.N_COLOURS if by_colour else board.N_VALUES):
        takes = board.TAKES_COLOUR[window, kind] if by_colour else board.TAKES_VALUE[window, kind]
        alike = board.cells_of(state, seat, kind, by_colour)
        kinds |= np.int64(takes & cell != 0 and alike & barred == 0) << kind
    return kinds
