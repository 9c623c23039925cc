"""Alpha-beta, compiled: what alphabeta.py and worlds.py call. There stands what the search does and does not do.

Every value is the searching seat's: that seat maximises, all others minimise, and no sign is ever turned. `explore` is
the only function that calls itself; the textbook's steps around it are functions of their own, in the order in which it
takes them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.contract import NOBODY, apply, legal_actions, round_index, settle, to_move, win_shares
from meeple.core.hashing import hash_words
from meeple.core.heuristics import (
    no_after,
    no_after_until,
    no_evaluation,
    no_filter,
    no_fingerprint,
    no_noise,
    no_ordering,
    no_standing,
)
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.core.lending import lend, lent
from meeple.search.control import ABORTED, NODES
from meeple.search.minimax_kernels import NO_MOVE, count_node, narrowed, select_next

WIN = 10.0  # a won game, less STEP for each ply to it
STEP = 0.001
PROOF = 5.0  # values beyond it are proven: evaluations stay within [-1, 1]
INFINITE = 1e9
NULL_WINDOW = 1e-9  # the width of a window that only asks "more, or not?"
MAX_PLY = 120  # deepest line, quiescence included
QUIET_PLIES = 4  # noisy plies looked at below the horizon
MOST_SCOUT = 1e-6  # a window no wider is a null window
LESS_ABOVE = 0.6  # of the margin is enough where a position is better than the window
HISTORY_SLOTS = 4096
FIRST_KILLER = 1 << 50  # in a move's score; half of it for the second
EXACT, AT_LEAST, AT_MOST = 1, 2, 3  # what a table entry knows of its value
BOUND_BITS = 2  # of an entry's `bound` for that; above them the number of the search that wrote it (tables.py)

ENTRY = np.dtype(
    (
        np.record,
        [("key", np.int64), ("value", np.float64), ("action", np.int32), ("depth", np.int16), ("bound", np.int16)],
    )
)

# Bound by `alphabeta.compile_for`.
evaluate, priority, noisy_actions = no_evaluation, no_ordering, no_noise
keep, fingerprint, in_common, value_after = no_filter, no_fingerprint, no_standing, no_after
values_until = no_after_until
USES_TABLE, USES_ORDER, USES_NOISE, USES_FILTER, USES_FINGERPRINT = True, True, False, False, False
USES_AFTER = False  # the evaluation tells its value after most moves without playing them
USES_UNTIL = False  # it tells them for a list of moves at once
REDUCES, HAS_MARGIN, HAS_TEMPO = False, False, False  # what makes the search selective, off unless asked for


class Scratch(NamedTuple):
    """What a search works with: memory that it writes, and what stays the same throughout."""

    states: NDArray[Any]  # [ply]: the line at hand, states[0] the root
    words: NDArray[Any]  # the same memory as 64-bit words, to be hashed
    lists: NDArray[np.int64]  # [ply, move]: the moves of a node
    scores: NDArray[np.int64]  # [ply, move]: how early to try each
    table: NDArray[Any]  # ENTRY, a power of two of them: the transposition table
    killers: NDArray[np.int64]  # [ply, 2]: the moves that last cut off a node of that ply, the latest first
    history: NDArray[np.int64]  # [move modulo HISTORY_SLOTS]: how much it has cut off anywhere
    lasts: NDArray[np.float64]  # [move]: the values after the moves of a node at the last ply, none of them played
    shares: NDArray[np.float64]  # [seat]: of a finished game
    control: NDArray[np.int64]  # counts nodes, tells to stop (control.py)
    search: int  # its number, by which it knows its own entries in the table
    me: int  # the searching seat
    last_round: int  # of the booklet's: later ones lie beyond the horizon
    given: tuple[Any, ...]  # the evaluation's parameters, if it takes any
    less: NDArray[np.int64]  # [depth, number]: plies that a later move of a node is looked at less deep
    margin: float  # how far outside the window an evaluation must lie for the last ply to be left out
    tempo: float  # what it is worth to be the seat to move at the horizon, where a value is 0


# --- the root ----------------------------------------------------------------------------------------


@kernel
def search_root(scratch, depth, actions, order, values, bounds, is_exact):
    """Search the root's moves in their order and write their values; returns how many are finished.

    The first has the whole window, so its value is exact; the value of a later one that is not better is a
    bound from above, and marked. With `is_exact` all have the whole window.
    """
    alpha = -INFINITE
    desk = lend(scratch)  # one pointer for `explore`, which calls itself, in the place of a hundred words a call
    for number in range(len(actions)):
        i = order[number]
        is_whole = number == 0 or is_exact
        value = np.float64(0.0)
        if not is_whole:
            make(scratch.states, 0, actions[i])
            value = explore(desk, 1, depth - 1, alpha, alpha + NULL_WINDOW)
        if is_whole or (value > alpha and scratch.control[ABORTED] == 0):
            make(scratch.states, 0, actions[i])
            value = explore(desk, 1, depth - 1, -INFINITE if is_whole else alpha, INFINITE)
        if scratch.control[ABORTED] != 0:
            return number
        values[i] = value
        bounds[i] = not is_whole and value <= alpha
        alpha = max(alpha, value)
    return len(actions)


@kernel
def search_worlds(scratch, worlds, depth, actions, order, values, bounds, is_exact):
    """Search the root's moves in each world and write their values, a row a world; returns how many are finished."""
    for number in range(len(worlds)):
        scratch.states[0] = worlds[number]
        if search_root(scratch, depth, actions, order, values[number], bounds[number], is_exact) < len(actions):
            return number
    return len(worlds)


@kernel
def rank_root(states, actions, ranked):
    """Write the game's priority of each root move."""
    for i in range(len(actions)):
        ranked[i] = priority(states[0], actions[i])


# --- a node ------------------------------------------------------------------------------------------


@kernel
def explore(desk, ply, depth, alpha, beta):
    """The value of states[ply] for the searching seat, exact within (alpha, beta), else a bound; 0 where stopped."""
    scratch = lent(desk)
    if count_node(scratch.control):
        return 0.0
    settle(scratch.states[ply])
    state = scratch.states[ply]
    mover = to_move(state)
    if mover == NOBODY:
        return finished_value(state, scratch.me, ply, scratch.shares)
    is_maximising = mover == scratch.me
    best = -INFINITE if is_maximising else INFINITE
    n = 0
    if depth <= 0 or round_index(state) > scratch.last_round or ply >= MAX_PLY:
        # Quiescence: below the horizon noisy moves alone are looked at, and a seat may leave things as they are.
        depth = min(depth, 0)
        best, n = stand_pat(scratch, ply, depth)
        alpha, beta = narrowed(alpha, beta, best, is_maximising)
        if n == 0 or alpha >= beta:
            return best
    key = 0
    hint = NO_MOVE
    if USES_TABLE and depth > 0:
        key = key_of(scratch.states, scratch.words, ply)
        known, hint = look_up(scratch.table, scratch.search, key, ply, depth, alpha, beta)
        if not np.isnan(known):
            return known
    if HAS_MARGIN and depth == 1 and beta - alpha <= MOST_SCOUT and abs(alpha) < PROOF:
        standing, is_far = far_outside(scratch, ply, alpha, beta, is_maximising)
        if is_far:
            return standing
    if depth > 0:
        n = list_moves(state, scratch.lists[ply])
    rank_moves(scratch, ply, depth, n, hint)
    # What the values after all moves of this node have in common is computed once, if the evaluation can part it off.
    common = in_common(state, scratch.me, *scratch.given) if USES_AFTER and depth == 1 else (0.0, 0.0)
    low, high = alpha, beta  # the window as it was asked for: it tells a bound from an exact value
    best_action = NO_MOVE
    valued = 0  # so many of the list's moves have their values in `lasts`
    for i in range(n):
        action = next_move(scratch, ply, depth, i, n)
        if USES_UNTIL and depth == 1 and i >= valued:
            valued = value_many(scratch, ply, i, n, alpha, beta, is_maximising)
        value = value_unplayed(scratch, ply, depth, i, common)
        if np.isnan(value):
            # Principal variation search: the first move has the whole window, the others a null window that asks
            # whether they are better, and the whole one only where they are.
            is_scout = i > 0 and depth > 1
            floor = alpha if is_maximising else beta - NULL_WINDOW
            less = fewer_plies(scratch, ply, depth, i) if REDUCES and is_scout else 0
            make(scratch.states, ply, action)
            value = explore(
                desk, ply + 1, depth - 1 - less, floor if is_scout else alpha, floor + NULL_WINDOW if is_scout else beta
            )
            if REDUCES and less > 0 and (value > alpha if is_maximising else value < beta):
                # It seems better, looked at less deep: look as deep as at the others.
                make(scratch.states, ply, action)
                value = explore(desk, ply + 1, depth - 1, floor, floor + NULL_WINDOW)
            if is_scout and alpha < value < beta:
                make(scratch.states, ply, action)
                value = explore(desk, ply + 1, depth - 1, alpha, beta)
        if scratch.control[ABORTED] != 0:
            return 0.0
        if value > best if is_maximising else value < best:
            best, best_action = value, action
            alpha, beta = narrowed(alpha, beta, best, is_maximising)
        if alpha >= beta:
            remember_cutoff(scratch, ply, depth, action)
            break
    if USES_TABLE and depth > 0:
        remember_value(scratch.table, scratch.search, key, ply, depth, best, best_action, low, high)
    return best


@kernel
def make(states, ply, action):
    """Play a move of states[ply] in states[ply + 1]: copying is cheaper than taking back."""
    states[ply + 1] = states[ply]
    apply(states[ply + 1], action)


@kernel
def far_outside(scratch, ply, alpha, beta, is_maximising):
    """The evaluation before the last ply, and whether it lies so far outside a null window that no move matters.

    A last move seldom loses what a position is worth, but gains more or less: below the window the margin is wider.
    """
    standing = evaluate(scratch.states[ply], scratch.me, *scratch.given)
    if HAS_TEMPO:
        standing = with_tempo(standing, scratch.tempo, is_maximising)
    gain = standing if is_maximising else -standing
    goal = beta if is_maximising else -alpha
    return standing, gain >= goal + LESS_ABOVE * scratch.margin or gain <= goal - scratch.margin


# --- the end of a line -------------------------------------------------------------------------------


@kernel
def finished_value(state, me, ply, shares):
    """Returns of a finished game; a win or loss with its distance, so that the nearest win is the best."""
    win_shares(state, len(shares), shares)
    if shares[me] == 1.0:
        return WIN - STEP * ply
    if shares[me] == 0.0:
        return STEP * ply - WIN
    return 2.0 * shares[me] - 1.0


@kernel
def stand_pat(scratch, ply, depth):
    """The evaluation at the horizon, and how many noisy moves (written to the list) are still to be looked at."""
    standing = evaluate(scratch.states[ply], scratch.me, *scratch.given)
    if HAS_TEMPO:
        standing = with_tempo(standing, scratch.tempo, to_move(scratch.states[ply]) == scratch.me)
    n = 0
    if USES_NOISE and depth > -QUIET_PLIES and ply < MAX_PLY:
        n = np.int64(noisy_actions(scratch.states[ply], scratch.lists[ply]))
    return standing, n


@kernel
def value_many(scratch, ply, first, n, alpha, beta, is_maximising):
    """Write the values after the last moves from `first` on, up to one that cuts the others off, or must be played.

    Returns how many moves of the list have values then.
    """
    low = -INFINITE if is_maximising else alpha
    high = beta if is_maximising else INFINITE
    if HAS_TEMPO:
        # What is cut off is decided by values with the tempo, by at most so much more or less.
        low, high = low - scratch.tempo, high + scratch.tempo
    state, actions = scratch.states[ply], scratch.lists[ply]
    return np.int64(values_until(state, scratch.me, actions, first, n, scratch.lasts, low, high, *scratch.given))


@kernel
def value_unplayed(scratch, ply, depth, i, common):
    """The value after a last move where the evaluation tells it without playing the move; NaN where it does not."""
    value = np.float64(np.nan)
    if USES_AFTER and depth == 1:
        if USES_UNTIL:
            value = scratch.lasts[i]
        else:
            action = scratch.lists[ply, i]
            value = value_after(scratch.states[ply], scratch.me, action, common[0], common[1], *scratch.given)
        scratch.control[NODES] += np.int64(not np.isnan(value))
        if HAS_TEMPO:
            value = with_tempo(value, scratch.tempo, to_move(scratch.states[ply]) != scratch.me)
    return value


@kernel
def with_tempo(value, tempo, is_mine):
    """A value at the horizon with what it is worth to be to move there; the surer a game is, the less.

    The best of many moves by a rough evaluation looks better than it is. So values found with the searching seat to
    move at the end of the line cannot be compared with those where the other is, unless each is brought half way.
    """
    return value + (1.0 - value * value) * (tempo if is_mine else -tempo)


# --- the transposition table -------------------------------------------------------------------------


@kernel
def key_of(states, words, ply):
    """What names the position in the table."""
    if USES_FINGERPRINT:
        return fingerprint(states[ply])
    return hash_words(words, ply)


@kernel
def look_up(table, search, key, ply, depth, alpha, beta):
    """The value of a position where the table settles it within the window, else NaN; and the move to try first.

    An entry serves the very depth that it was searched to, so that the value is that of plain minimax; a proof serves
    every depth.
    """
    entry = table[key & (len(table) - 1)]
    if entry.key != key or entry.bound >> BOUND_BITS != search:
        return np.nan, np.int64(NO_MOVE)
    value = from_node(entry.value, ply)
    bound = entry.bound & ((1 << BOUND_BITS) - 1)
    is_enough = bound == EXACT
    is_enough |= bound == AT_LEAST and value >= beta
    is_enough |= bound == AT_MOST and value <= alpha
    if is_enough and (entry.depth == depth or abs(value) > PROOF):
        return value, np.int64(entry.action)
    return np.nan, np.int64(entry.action)


@kernel
def remember_value(table, search, key, ply, depth, best, best_action, low, high):
    """Write what a node with the window (low, high) was found to be worth; the newest entry of a slot stays."""
    entry = table[key & (len(table) - 1)]
    entry.key = key
    entry.value = to_node(best, ply)
    entry.action = best_action
    entry.depth = depth
    bound = AT_MOST if best <= low else AT_LEAST if best >= high else EXACT
    entry.bound = (search << BOUND_BITS) | bound


@kernel
def to_node(value, ply):
    """A proof's distance counted from the node instead of the root."""
    return value + STEP * ply if value > PROOF else value - STEP * ply if value < -PROOF else value


@kernel
def from_node(value, ply):
    """A proof's distance counted from the root, for a node met at this ply."""
    return value - STEP * ply if value > PROOF else value + STEP * ply if value < -PROOF else value


# --- the order of moves ------------------------------------------------------------------------------


@kernel
def list_moves(state, out):
    """Write the moves that the filter keeps; returns how many."""
    n = legal_actions(state, out)
    return keep(state, out, n) if USES_FILTER else n


@kernel
def rank_moves(scratch, ply, depth, n, hint):
    """Score the moves of a node for `next_move`; at the last ply, where that does not pay, put only the hint first."""
    if USES_ORDER and depth > 1:
        for i in range(n):
            scratch.scores[ply, i] = promise(scratch, ply, scratch.lists[ply, i], hint)
    elif hint != NO_MOVE:
        bring_forward(scratch.lists[ply], n, hint)


@kernel
def next_move(scratch, ply, depth, i, n):
    """The move to try as number `i` of a node's."""
    if USES_ORDER and depth > 1:
        select_next(scratch.lists[ply], scratch.scores[ply], i, n)
    return scratch.lists[ply, i]


@kernel
def promise(scratch, ply, action, hint):
    """How early to try a move: the table's, then killers, then by the game's ordering, then by the history heuristic.

    Bits of their own keep the four apart: a priority has less than 24 (ORDER_LIMIT), the history is cut to 23.
    """
    if action == hint:
        return 1 << 60
    score = np.int64(priority(scratch.states[ply], action)) << 24
    score += min(scratch.history[action % HISTORY_SLOTS], 1 << 23)
    if action == scratch.killers[ply, 0]:
        score += FIRST_KILLER
    elif action == scratch.killers[ply, 1]:
        score += FIRST_KILLER >> 1
    return score


@kernel
def fewer_plies(scratch, ply, depth, number):
    """How many plies less deep to look at first at a later move of a node; killers are looked at in full."""
    if scratch.scores[ply, number] >= FIRST_KILLER >> 1:
        return 0
    return scratch.less[min(depth, len(scratch.less) - 1), min(number, scratch.less.shape[1] - 1)]


@kernel
def bring_forward(actions, n, hint):
    """Put `hint`, if it is there, before all others."""
    for i in range(n):
        if actions[i] == hint:
            actions[i] = actions[0]
            actions[0] = hint
            return


@kernel
def remember_cutoff(scratch, ply, depth, action):
    """Make a move that cut its siblings off a killer of its ply, and add to its history."""
    if not USES_ORDER or depth <= 1:
        return
    if scratch.killers[ply, 0] != action:
        scratch.killers[ply, 1] = scratch.killers[ply, 0]
        scratch.killers[ply, 0] = action
    scratch.history[action % HISTORY_SLOTS] += depth * depth
