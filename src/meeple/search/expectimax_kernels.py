"""Expectimax, compiled: what expectimax.py calls. There stands what the search does and does not do.

Every value is the expected returns of the searching seat. `explore` is the only function that calls itself; the steps
around it are functions of their own: the mean over outcomes or beliefs with the windows of Star1 and the probes of
Star2, then a decision with its single answers and the order of its moves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.contract import (
    CHANCE,
    NOBODY,
    OUTCOMES,
    apply,
    chance_weights,
    leave_out,
    legal_actions,
    settle,
    suppose,
    suppose_weights,
    to_move,
    win_shares,
)
from meeple.core.heuristics import no_best, no_bound, no_evaluation, no_filter, no_ordering, no_replies
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.search.control import ABORTED, NODES
from meeple.search.minimax_kernels import NO_MOVE, count_node, narrowed, select_next

LOW, HIGH = -1.0, 1.0  # no value is outside
BELOW, ABOVE = LOW - 1.0, HIGH + 1.0  # the whole window
MAX_PLY = 80  # events of a line; deeper, the evaluation speaks
STAR2 = 2  # of `pruning`: 0 is none, 1 is Star1

# Bound by `expectimax.compile_for`.
evaluate, keep, bound, find_best, believe = no_evaluation, no_filter, no_bound, no_best, suppose_weights
find_replies, priority = no_replies, no_ordering
HAS_BELIEF, HAS_BOUND, HAS_BEST, HAS_REPLIES, USES_FILTER, LEAVES_OUT = False, False, False, False, False, False
USES_ORDER = False  # moves are tried in the order of `priority`
ORDERS_BY_VALUE = False  # moves are tried in the order of what the evaluation says after them
DETERMINISTIC = False  # chance follows its fate
PLAYS_OWN = False  # a rival follows its own evaluation
BELIEFS = 1  # codes of `suppose_weights`


class Scratch(NamedTuple):
    """What a search works with: memory that it writes, and what stays the same throughout.

    A code is an outcome of chance, or what a rival may hold.
    """

    states: NDArray[Any]  # [ply]: the line at hand, states[0] the root
    lists: NDArray[np.int64]  # [ply, move]: the moves of a decision
    scores: NDArray[np.float64]  # [ply, move]: how early to try each
    weights: NDArray[np.int64]  # [ply, code]: how likely each is
    lows: NDArray[np.float64]  # [ply, code]: the value after it is at least that
    highs: NDArray[np.float64]  # [ply, code]: and at most that
    probed: NDArray[np.int64]  # [ply, code]: the move that Star2 has tried after it, or NO_MOVE
    probes: NDArray[np.float64]  # [ply, code]: and its value; or the value of the code itself, where `replies` told it
    shares: NDArray[np.float64]  # [seat]: of a finished game
    control: NDArray[np.int64]  # counts nodes, tells to stop (control.py)
    me: int  # the searching seat
    pruning: int  # the place in PRUNINGS
    given: tuple[Any, ...]  # the evaluation's parameters, if it takes any


@kernel
def search_root(scratch, depth, actions, order, told, values, bounds, is_exact):
    """Write the value of each root move, taken in this order; returns the place of the best.

    Unless `is_exact`, the value of a move that is not better than those before it may be a bound from above, and is
    marked. `told` is what `weigh_root` found: a move that cannot be better by it is not played again.
    """
    alpha = BELOW
    best = 0
    for i in order:
        floor = alpha if scratch.pruning > 0 and not is_exact else BELOW
        if told[i] <= floor:
            value = told[i]
            count_node(scratch.control)  # `explore` would have looked at it, and found the same
        else:
            make(scratch.states, 0, actions[i])
            value = explore(scratch, 1, depth - 1, floor, ABOVE, 0, NO_MOVE, 0.0)
        values[i] = value
        if scratch.control[ABORTED] != 0:
            return best
        bounds[i] = value <= floor
        if value > alpha:
            alpha = value
            best = i
    return best


@kernel
def weigh_root(scratch, depth, actions, ranks, told):
    """Write what the evaluation says right after each root move, 0 where the game is over then, and what is `told`.

    That is the most that the move can be worth: its value where it needs no search, else the evaluation's bound, else
    more than anything.
    """
    for i in range(len(actions)):
        make(scratch.states, 0, actions[i])
        is_over = to_move(scratch.states[1]) == NOBODY
        ranks[i] = 0.0 if is_over else evaluate(scratch.states[1], scratch.me, *scratch.given)
        known, _, ceiling = enter(scratch, 1, depth - 1, BELOW, 0)  # last: it may skip draws in the state
        told[i] = known if not np.isnan(known) else (ceiling if ceiling < HIGH else ABOVE)


# --- a node ------------------------------------------------------------------------------------------


@kernel
def explore(scratch, ply, depth, alpha, beta, is_supposed, probed, probe_value):
    """The value of states[ply] for the searching seat, exact within (alpha, beta), else a bound on that side.

    `is_supposed` is 1 where the mover's hand has just been supposed. `probed` is a move whose value, `probe_value`, is
    known already, or NO_MOVE. Where the search was stopped, what comes back means nothing, and callers look at the
    control before they use it.
    """
    if count_node(scratch.control):
        return 0.0
    known, mover, ceiling = enter(scratch, ply, depth, alpha, is_supposed)
    if not np.isnan(known):
        return known
    is_belief = HAS_BELIEF and mover >= 0 and mover != scratch.me and is_supposed == 0
    if mover == CHANCE or is_belief:
        # The mean over outcomes, or over what the rival may hold. What is left of it lies in rest_low .. rest_high.
        n_codes, total = weigh_codes(scratch, ply, mover, is_belief, ceiling)
        rest_low, rest_high = LOW, ceiling
        for code in range(n_codes if scratch.pruning == STAR2 else 0):
            if make_probe(scratch, ply, depth, mover, code, is_belief):
                value = explore(scratch, ply + 2, depth - 1, BELOW, ABOVE, 0, NO_MOVE, 0.0)
                rest_low, rest_high = note_probe(scratch, ply, code, value, total, ceiling, rest_low, rest_high)
                if scratch.control[ABORTED] != 0 or rest_low >= beta:
                    return rest_low
                if rest_high <= alpha:
                    return rest_high
        is_told = tell_values(scratch, ply, depth, is_belief)
        mean = 0.0
        for code in range(n_codes):
            if scratch.weights[ply, code] == 0:
                continue
            share, rest_low, rest_high = take_out(scratch, ply, code, total, rest_low, rest_high)
            low, high = star1_window(scratch.pruning, alpha - mean - rest_high, beta - mean - rest_low, share)
            value = scratch.probes[ply, code]
            if is_told:
                scratch.control[NODES] += 1
            else:
                follow(scratch.states, ply, mover, code, is_belief)
                tried = scratch.probed[ply, code]
                value = explore(scratch, ply + 1, depth, low, high, np.int64(is_belief), tried, value)
            mean += share * value
            if scratch.control[ABORTED] != 0 or (scratch.pruning > 0 and value <= low):
                return mean + rest_high
            if scratch.pruning > 0 and value >= high:
                return mean + rest_low
        return mean
    is_maximising = mover == scratch.me
    best = BELOW if is_maximising else ABOVE
    only = single_answer(scratch, ply, depth, mover)
    if only == NO_MOVE and probed != NO_MOVE:
        best = probe_value
        alpha, beta = narrowed(alpha, beta, best, is_maximising)
        if alpha >= beta:
            return best
    n = 1 if only != NO_MOVE else rank_moves(scratch, ply, depth, is_maximising)
    for i in range(n):
        action = only if only != NO_MOVE else next_move(scratch, ply, depth, i, n)
        if action != probed or only != NO_MOVE:
            make(scratch.states, ply, action)
            value = explore(scratch, ply + 1, depth - 1, alpha, beta, 0, NO_MOVE, 0.0)
            best = max(best, value) if is_maximising else min(best, value)
            if scratch.pruning > 0:
                alpha, beta = narrowed(alpha, beta, best, is_maximising)
            if scratch.control[ABORTED] != 0 or alpha >= beta:
                break
    return best


@kernel
def enter(scratch, ply, depth, alpha, is_supposed):
    """The value of states[ply] where it needs no search, else NaN; who moves; and the most that it can be worth.

    It needs none at the end of the game, at the horizon, and where the evaluation's bound does not exceed alpha.
    """
    state = scratch.states[ply]
    if DETERMINISTIC:
        settle(state)
    mover = np.int64(to_move(state))
    if mover == NOBODY:
        return finished_value(state, scratch.me, scratch.shares), mover, HIGH
    if depth <= 0 or ply >= MAX_PLY:
        return np.float64(evaluate(state, scratch.me, *scratch.given)), mover, HIGH
    if LEAVES_OUT and leave_out(state):
        mover = np.int64(to_move(state))
    if HAS_BOUND and scratch.pruning > 0 and is_supposed == 0:
        ceiling = min(HIGH, bound(state, scratch.me, depth, *scratch.given))
        return ceiling if ceiling <= alpha else np.nan, mover, ceiling
    return np.nan, mover, HIGH


@kernel
def make(states, ply, action):
    """Play a move of states[ply] in states[ply + 1]: copying is cheaper than taking back."""
    states[ply + 1] = states[ply]
    apply(states[ply + 1], action)


@kernel
def finished_value(state, seat, shares):
    """Returns of a finished game for a seat."""
    win_shares(state, len(shares), shares)
    return 2.0 * shares[seat] - 1.0


# --- chance and beliefs ------------------------------------------------------------------------------


@kernel
def weigh_codes(scratch, ply, mover, is_belief, ceiling):
    """Write the weights of all codes and what is known of their values so far; returns how many, and their sum."""
    n_codes = BELIEFS if is_belief else OUTCOMES
    if not is_belief:
        chance_weights(scratch.states[ply], scratch.weights[ply])
    elif HAS_BELIEF:  # the rules may have no such function
        believe(scratch.states[ply], mover, scratch.weights[ply])
    total = 0
    for code in range(n_codes):
        total += scratch.weights[ply, code]
        scratch.lows[ply, code] = LOW
        scratch.highs[ply, code] = ceiling
        scratch.probed[ply, code] = NO_MOVE
    return n_codes, total


@kernel
def tell_values(scratch, ply, depth, is_belief):
    """Have the evaluation write the values after all codes at once, where it can (`replies`); True if it did."""
    if not (HAS_REPLIES and is_belief and scratch.pruning > 0):
        return False
    weights, probes = scratch.weights[ply], scratch.probes[ply]
    return find_replies(scratch.states[ply], scratch.me, depth, weights, probes, *scratch.given)


@kernel
def take_out(scratch, ply, code, total, rest_low, rest_high):
    """A code's share of the mean, and the bounds of what the codes after it add."""
    share = scratch.weights[ply, code] / total
    return share, rest_low - share * scratch.lows[ply, code], rest_high - share * scratch.highs[ply, code]


@kernel
def follow(states, ply, mover, code, is_belief):
    """Let chance bring `code` in states[ply + 1], or let the rival hold it."""
    states[ply + 1] = states[ply]
    if HAS_BELIEF and is_belief:
        suppose(states[ply + 1], mover, code)
    else:
        apply(states[ply + 1], code)


@kernel
def star1_window(pruning, missing, allowed, share):
    """The window of one code's value (Ballard's Star1): outside it the mean is outside the window of the node.

    `missing` is what the code must add to the mean at least, with the most that the rest may bring; `allowed` what it
    may add at most, with the least.
    """
    if pruning == 0:
        return BELOW, ABOVE
    return max(BELOW, missing / share), min(ABOVE, allowed / share)


@kernel
def make_probe(scratch, ply, depth, mover, code, is_belief):
    """Try one move after a code in states[ply + 2] (Ballard's Star2); False where no seat has a choice there.

    One move of the seat to move bounds its choice from one side. It is the first where moves have an order, else one
    from the middle of the list.
    """
    if scratch.weights[ply, code] == 0:
        return False
    follow(scratch.states, ply, mover, code, is_belief)
    below = to_move(scratch.states[ply + 1])
    if below < 0 or (PLAYS_OWN and below != scratch.me):
        return False
    n = rank_moves(scratch, ply + 1, depth, below == scratch.me)
    is_ranked = USES_ORDER or (ORDERS_BY_VALUE and depth > 1)
    action = next_move(scratch, ply + 1, depth, 0, n) if is_ranked else scratch.lists[ply + 1, n // 2]
    scratch.probed[ply, code] = action
    make(scratch.states, ply + 1, action)
    return True


@kernel
def note_probe(scratch, ply, code, value, total, ceiling, rest_low, rest_high):
    """Keep a probe's value as a bound of its code; returns the bounds of the mean with it."""
    share = scratch.weights[ply, code] / total
    scratch.probes[ply, code] = value
    if to_move(scratch.states[ply + 1]) == scratch.me:
        scratch.lows[ply, code] = value
        rest_low += share * (value - LOW)
    else:
        scratch.highs[ply, code] = min(ceiling, value)
        rest_high += share * (scratch.highs[ply, code] - ceiling)
    return rest_low, rest_high


# --- decisions ---------------------------------------------------------------------------------------


@kernel
def single_answer(scratch, ply, depth, mover):
    """The only move to look at, else NO_MOVE: a rival's own best, or the best that the evaluation knows at the end."""
    is_own = PLAYS_OWN and mover != scratch.me
    is_last = mover == scratch.me and depth == 1
    if not is_own and not (HAS_BEST and is_last):
        return NO_MOVE
    found = find_best(scratch.states[ply], mover, *scratch.given) if HAS_BEST else NO_MOVE
    return own_best(scratch, ply, mover) if found == NO_MOVE and is_own else found


@kernel
def own_best(scratch, ply, mover):
    """The first of the moves at states[ply] after which the mover's own evaluation is best."""
    n = list_moves(scratch.states[ply], scratch.lists[ply])
    best = scratch.lists[ply, 0]
    best_value = BELOW
    for i in range(n):
        make(scratch.states, ply, scratch.lists[ply, i])
        value = value_at(scratch, ply + 1, mover)
        if value > best_value:
            best_value = value
            best = scratch.lists[ply, i]
    return best


@kernel
def value_at(scratch, ply, seat):
    """What the evaluation says of states[ply] for a seat, or the returns of a finished game."""
    if to_move(scratch.states[ply]) == NOBODY:
        return finished_value(scratch.states[ply], seat, scratch.shares)
    return evaluate(scratch.states[ply], seat, *scratch.given)


@kernel
def list_moves(state, out):
    """Write the moves that the filter keeps; returns how many."""
    n = legal_actions(state, out)
    return keep(state, out, n) if USES_FILTER else n


@kernel
def rank_moves(scratch, ply, depth, is_maximising):
    """Write the moves at states[ply], and their scores for `next_move`; returns how many.

    By its value a move is ranked for the seat that chooses, and not at the last ply, where that would be the search.
    """
    n = list_moves(scratch.states[ply], scratch.lists[ply])
    for i in range(n):
        if USES_ORDER:
            scratch.scores[ply, i] = priority(scratch.states[ply], scratch.lists[ply, i])
        elif ORDERS_BY_VALUE and depth > 1:
            make(scratch.states, ply, scratch.lists[ply, i])
            value = value_at(scratch, ply + 1, scratch.me)
            scratch.scores[ply, i] = value if is_maximising else -value
    return n


@kernel
def next_move(scratch, ply, depth, i, n):
    """The move to try as number `i` of a node's: in the order of their codes, or of their scores."""
    if USES_ORDER or (ORDERS_BY_VALUE and depth > 1):
        select_next(scratch.lists[ply], scratch.scores[ply], i, n)
    return scratch.lists[ply, i]
