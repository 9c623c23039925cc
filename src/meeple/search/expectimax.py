"""Expectimax: looks some decisions ahead and takes the mean over what chance may do.

    value(s) = max where the searching seat moves, min where another does, the weighted mean at chance

Depth counts decisions; chance between them is expanded in full. Every number is the searching seat's expected
returns, in [-1, 1]. Three ways to leave out what cannot matter, all with the same value:

    none     the textbook's
    star1    alpha-beta windows through chance nodes: what is left of the sum is bounded by -1 and 1
    star2    as star1, after a probe of one move of each outcome has given a bound of its own

Hidden hands of others: where a game offers `suppose`, a *belief node* stands before a rival's decision and takes
the mean over what it may hold; else `worlds=N` averages over dealt hands, with the dice still unknown. Such a game may
also `leave_out` events that fill hands, since beliefs stand for what a rival draws. A rival plays what is worst for
the searching seat, or (`rivals=own`) what its own evaluation likes best after one ply; an evaluation may bring a fast
way to that move (`best`), which is taken for the last ply too, and a fast way to all the values of a belief node
(`replies`), which the prunings take.
Where a game says that so many plies cannot raise a value above some bound, the prunings use that too: a position
whose bound does not reach what is already had is left at once, and so is what is left of a mean.
Ballard (1983) for Star1 and Star2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import Stream
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
from meeple.core.game import Game, State
from meeple.core.heuristics import (
    find_heuristic,
    heuristics_of,
    no_best,
    no_bound,
    no_evaluation,
    no_filter,
    no_replies,
)
from meeple.core.kernel import kernel
from meeple.core.settings import setting
from meeple.search.control import ABORTED, CONTROL_SIZE, LIMIT, NODES, STOP, Clock, Stopper
from meeple.search.offer import kept_actions
from meeple.search.result import SearchResult, errors_over_worlds

LOW, HIGH = -1.0, 1.0  # no value is outside
MAX_PLY = 80  # events of a line; deeper, the evaluation speaks
PRUNINGS = ("none", "star1", "star2")

# Bound by `compile_for`.
evaluate, keep, bound, find_best, believe = no_evaluation, no_filter, no_bound, no_best, suppose_weights
find_replies = no_replies
HAS_BELIEF, HAS_BOUND, HAS_BEST, HAS_REPLIES, USES_FILTER, LEAVES_OUT = False, False, False, False, False, False
IS_OPEN = False  # chance follows its fate
PLAYS_OWN = False  # a rival follows its own evaluation
BELIEFS = 1  # codes of `suppose_weights`


@dataclass(kw_only=True)
class ExpectimaxSettings:
    """What a user can tell the search: the settings of the agent `expectimax`. A limit of 0 is none.

    From Python a heuristic is also given as an object, `Heuristic`, in the place of its name.
    """

    depth: int = setting(2, "decisions looked ahead", least=1, most_on_page=6)
    nodes: int = setting(0, "positions looked at; 0: no limit", least=0, most_on_page=20_000_000)
    time: float = setting(0.0, "thinking time a move; 0s: no limit", is_time=True)
    cpu: float = setting(0.0, "CPU time of the thinking thread a move; 0s: no limit", is_time=True)
    evaluation: str = setting("default", "the game's evaluation of unfinished positions", of="EVALUATIONS")
    filter: str = setting("none", "the game's filter of moves worth a look", of="FILTERS")  # at the root too
    rivals: str = setting("against", "a rival's move: the worst for us, or its own best", choices=("against", "own"))
    belief: str = setting("default", "the game's weights of what a rival may hold", of="BELIEFS", besides=("default",))
    pruning: str = setting("star1", "what is left out of the tree; the value is the same", choices=PRUNINGS)
    worlds: int = setting(0, "dealt hands to average over, for games with secrets", least=0, most_on_page=50)


@dataclass(kw_only=True)
class ExpectimaxConfig(ExpectimaxSettings):
    """The settings, and what only a caller in Python says. A depth of 0 is none where there is another limit."""

    all_moves: bool = False  # in one world too every root move gets its own value, where it would get a bound
    is_open: bool = False  # the deterministic version: nothing is dealt or supposed, and chance follows its fate


def search(
    state: State,
    *,
    config: ExpectimaxConfig,
    rng: Stream,
    should_stop: Callable[[], bool] = lambda: False,
    on_progress: Callable[[SearchResult], None] | None = None,
) -> SearchResult:
    """The best move on average; deepened one decision at a time, so that it can be stopped."""
    clock = Clock(config.time, config.cpu)
    game, seat = state.game, state.to_move
    compiled = compile_for(game, config)
    is_dealt = game.facts.hidden and not config.is_open
    worlds = [state.redealt(seat, rng) for _ in range(max(1, config.worlds))] if is_dealt else [state]
    actions = kept_actions(state, config.filter)
    control = np.zeros(CONTROL_SIZE, dtype=np.int64)
    control[LIMIT] = config.nodes or 2**62
    arrays = _arrays(game)
    given = find_heuristic(game, "EVALUATIONS", config.evaluation).given()
    found, reached, best = np.zeros((0, len(actions))), 0, 0  # a row a world
    bounds = np.zeros(len(actions), dtype=np.bool_)
    # Over several worlds every move needs its own value: bounds do not add up.
    is_exact = len(worlds) > 1 or config.all_moves

    def result() -> SearchResult:
        return SearchResult.of(
            best,
            actions,
            found.mean(axis=0) if len(found) else np.zeros(len(actions)),
            np.full(len(actions), len(found), dtype=np.int64),
            work=int(control[NODES]),
            seconds=clock.spent(),
            bounds=bounds,
            errors=errors_over_worlds(found),
            depth=reached,
        )

    deepens = bool(config.nodes or config.time or config.cpu)
    with Stopper(control, clock, should_stop) as stopper:
        for depth in range(1, (config.depth or MAX_PLY) + 1) if deepens else [config.depth]:
            finished = []
            chosen = 0
            marks = np.zeros(len(actions), dtype=np.bool_)
            for world in worlds:
                arrays[0][0] = world.array[0]
                values = np.zeros(len(actions))
                pruning = PRUNINGS.index(config.pruning)
                rest = (depth, seat, pruning, is_exact, control, actions, values, marks, given)
                chosen = int(stopper.run(compiled.search_root, arrays, rest))
                if control[ABORTED]:
                    break
                finished.append(values)
            if finished and (len(finished) == len(worlds) or reached == 0):
                found, bounds, reached = np.array(finished), marks, depth
                # In one world the others' values may be bounds that only equal the best.
                best = chosen if len(worlds) == 1 else int(np.argmax(found.mean(axis=0)))
                if on_progress:
                    on_progress(result())
            if control[ABORTED]:
                break
    return result()


def compile_for(game: Game, config: ExpectimaxConfig) -> ModuleType:
    """This module compiled for a game with the chosen evaluation."""
    rules = game.definition.rules
    has_belief = hasattr(rules, "suppose") and hasattr(rules, "suppose_weights") and not config.is_open
    kept = find_heuristic(game, "FILTERS", config.filter)
    evaluation = find_heuristic(game, "EVALUATIONS", config.evaluation)
    best = _for_filter(game, evaluation.best, config.filter)
    replies = _for_filter(game, evaluation.replies, config.filter)
    return game.specialise(
        "meeple.search.expectimax",
        evaluate=evaluation.function,
        keep=kept.function,
        bound=evaluation.bound or no_bound,
        find_best=best or no_best,
        find_replies=replies or no_replies,
        believe=_belief(game, config.belief) if has_belief else suppose_weights,
        HAS_BOUND=evaluation.bound is not None,
        HAS_BEST=best is not None,
        HAS_REPLIES=replies is not None and config.rivals == "own" and has_belief,
        USES_FILTER=kept.function is not no_filter,
        LEAVES_OUT=hasattr(rules, "leave_out") and not config.is_open,
        IS_OPEN=config.is_open,
        PLAYS_OWN=config.rivals == "own",
        HAS_BELIEF=has_belief,
        BELIEFS=int(getattr(rules, "BELIEFS", 1)),
    )


def _for_filter(game: Game, fast_ways: dict[str, Any] | None, filter_name: str) -> Any:
    """The evaluation's fast way to an answer, where it has one for this filter."""
    name = next(iter(heuristics_of(game, "FILTERS"))) if filter_name == "default" else filter_name
    return (fast_ways or {}).get(name)


def _belief(game: Game, name: str) -> Any:
    """The weights of what a rival may hold, by name; the rules' own where the game names none."""
    if name == "default" and not heuristics_of(game, "BELIEFS"):
        return game.definition.rules.suppose_weights
    return find_heuristic(game, "BELIEFS", name).function


def _arrays(game: Game) -> tuple[NDArray[np.generic], ...]:
    rules = game.definition.rules
    codes = max(1, int(rules.OUTCOMES), int(getattr(rules, "BELIEFS", 1)))
    return (
        game.buffer(MAX_PLY + 2),
        np.empty((MAX_PLY + 2, int(rules.MAX_ACTIONS)), dtype=np.int64),
        np.empty((MAX_PLY + 2, codes), dtype=np.int64),
        np.empty((MAX_PLY + 2, codes)),
        np.empty((MAX_PLY + 2, codes)),
        np.zeros((MAX_PLY + 2, codes)),
        np.empty(game.seats),
    )


# --- compiled ----------------------------------------------------------------------------------------


@kernel
def search_root(
    states, lists, weights, lows, highs, probes, shares, depth, me, pruning, is_exact, control,
    actions, values, bounds, given,
):  # fmt: skip
    """The value of each root move and the place of the best; unless `is_exact`, other values may be bounds, as marked.

    The moves are taken in the order of what the evaluation says right after them, so that the best comes early.
    `given` holds the evaluation's parameters, if it takes any.
    """
    alpha = LOW - 1.0
    best = np.int64(0)
    for i in range(len(actions)):
        states[1] = states[0]
        apply(states[1], actions[i])
        values[i] = 0.0 if to_move(states[1]) == NOBODY else -evaluate(states[1], me, *given)
    order = np.argsort(values, kind="mergesort") if pruning > 0 else np.arange(len(actions))
    for i in order:
        states[1] = states[0]
        apply(states[1], actions[i])
        floor = alpha if pruning > 0 and not is_exact else LOW - 1.0
        values[i] = explore(
            states, lists, weights, lows, highs, probes, shares, np.int64(1), depth - 1, floor, HIGH + 1.0,
            me, pruning, np.int64(0), np.int64(-1), 0.0, control, given,
        )  # fmt: skip
        if control[ABORTED] != 0:
            return best
        bounds[i] = values[i] <= floor
        if values[i] > alpha:
            alpha = values[i]
            best = i
    return best


@kernel
def explore(
    states, lists, weights, lows, highs, probes, shares, ply, depth, alpha, beta,
    me, pruning, is_supposed, known, known_value, control, given,
):  # fmt: skip
    """The value of states[ply] for seat `me`, exact within (alpha, beta), else a bound on that side.

    `is_supposed` is 1 where the mover's hand has just been supposed. `known` is the place of a move whose value,
    `known_value`, a probe has found; -1: none.
    """
    control[NODES] += 1
    if control[NODES] > control[LIMIT] or control[STOP] != 0:
        control[ABORTED] = 1
        return 0.0
    if IS_OPEN:
        settle(states[ply])
    mover = to_move(states[ply])
    if mover == NOBODY:
        win_shares(states[ply], np.int64(len(shares)), shares)
        return 2.0 * shares[me] - 1.0
    if depth <= 0 or ply >= MAX_PLY:
        return evaluate(states[ply], me, *given)
    if LEAVES_OUT and leave_out(states[ply]):
        mover = to_move(states[ply])
    ceiling = HIGH
    if HAS_BOUND and pruning > 0 and is_supposed == 0:
        ceiling = min(HIGH, bound(states[ply], me, depth, *given))
        if ceiling <= alpha:
            return ceiling
    is_belief = HAS_BELIEF and mover >= 0 and mover != me and is_supposed == 0
    if mover == CHANCE or is_belief:
        # --- a mean over outcomes, or over what the rival may hold
        codes = BELIEFS if is_belief else OUTCOMES
        total = np.int64(0)
        if is_belief:
            suppose_weights_or_none(states[ply], mover, weights[ply])
        else:
            chance_weights(states[ply], weights[ply])
        for code in range(codes):
            total += weights[ply, code]
            lows[ply, code] = LOW
            highs[ply, code] = ceiling
        rest_low = LOW
        rest_high = ceiling
        if pruning == 2:
            for code in range(codes):
                if weights[ply, code] == 0:
                    continue
                share = weights[ply, code] / total
                states[ply + 1] = states[ply]
                follow(states[ply + 1], mover, np.int64(code), is_belief)
                below = to_move(states[ply + 1])
                if below < 0 or (PLAYS_OWN and below != me):
                    continue
                # One move of the seat to move bounds its choice from one side.
                n = list_moves(states[ply + 1], lists[ply + 1])
                states[ply + 2] = states[ply + 1]
                apply(states[ply + 2], lists[ply + 1, n // 2])
                probe = explore(
                    states, lists, weights, lows, highs, probes, shares, ply + 2, depth - 1, LOW - 1.0, HIGH + 1.0,
                    me, pruning, np.int64(0), np.int64(-1), 0.0, control, given,
                )  # fmt: skip
                if control[ABORTED] != 0:
                    return 0.0
                probes[ply, code] = probe
                if below == me:
                    lows[ply, code] = probe
                    rest_low += share * (probe - LOW)
                else:
                    highs[ply, code] = min(ceiling, probe)
                    rest_high += share * (highs[ply, code] - ceiling)
                if rest_low >= beta:
                    return rest_low
                if rest_high <= alpha:
                    return rest_high
        is_told = False
        if HAS_REPLIES and is_belief and pruning > 0:
            is_told = find_replies(states[ply], me, depth, weights[ply], probes[ply], *given)
        mean = 0.0
        for code in range(codes):
            if weights[ply, code] == 0:
                continue
            share = weights[ply, code] / total
            rest_low -= share * lows[ply, code]
            rest_high -= share * highs[ply, code]
            low = LOW - 1.0
            high = HIGH + 1.0
            if pruning > 0:
                low = max(low, (alpha - mean - rest_high) / share)
                high = min(high, (beta - mean - rest_low) / share)
            if is_told:
                control[NODES] += 1
                value = probes[ply, code]
            else:
                states[ply + 1] = states[ply]
                follow(states[ply + 1], mover, np.int64(code), is_belief)
                known = np.int64(-1)
                below = to_move(states[ply + 1])
                if pruning == 2 and below >= 0 and (not PLAYS_OWN or below == me):
                    known = list_moves(states[ply + 1], lists[ply + 1]) // 2
                value = explore(
                    states, lists, weights, lows, highs, probes, shares, ply + 1, depth, low, high,
                    me, pruning, np.int64(is_belief), known, probes[ply, code], control, given,
                )  # fmt: skip
            if control[ABORTED] != 0:
                return 0.0
            mean += share * value
            if pruning > 0:
                if value <= low:
                    return mean + rest_high
                if value >= high:
                    return mean + rest_low
        return mean
    # --- a decision
    is_maximising = mover == me
    if (PLAYS_OWN and not is_maximising) or (HAS_BEST and is_maximising and depth == 1):
        chosen = find_best(states[ply], mover, *given) if HAS_BEST else np.int64(-1)
        if chosen < 0 and not is_maximising:
            chosen = own_best(states, lists, shares, ply, mover, given)
        if chosen >= 0:
            states[ply + 1] = states[ply]
            apply(states[ply + 1], chosen)
            return explore(
                states, lists, weights, lows, highs, probes, shares, ply + 1, depth - 1, alpha, beta,
                me, pruning, np.int64(0), np.int64(-1), 0.0, control, given,
            )  # fmt: skip
    n = list_moves(states[ply], lists[ply])
    best = LOW - 1.0 if is_maximising else HIGH + 1.0
    if known >= 0:
        # The probe has searched this move already.
        best = known_value
        if is_maximising:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            return best
    for i in range(n):
        if i == known:
            continue
        states[ply + 1] = states[ply]
        apply(states[ply + 1], lists[ply, i])
        value = explore(
            states, lists, weights, lows, highs, probes, shares, ply + 1, depth - 1, alpha, beta,
            me, pruning, np.int64(0), np.int64(-1), 0.0, control, given,
        )  # fmt: skip
        if control[ABORTED] != 0:
            return 0.0
        if is_maximising:
            best = max(best, value)
            if pruning > 0:
                alpha = max(alpha, best)
        else:
            best = min(best, value)
            if pruning > 0:
                beta = min(beta, best)
        if pruning > 0 and alpha >= beta:
            break
    return best


@kernel
def own_best(states, lists, shares, ply, mover, given):
    """The first of the moves at states[ply] after which the mover's own evaluation is best.

    states[ply + 1] is scratch.
    """
    n = list_moves(states[ply], lists[ply])
    best = lists[ply, 0]
    best_value = LOW - 1.0
    for i in range(n):
        states[ply + 1] = states[ply]
        apply(states[ply + 1], lists[ply, i])
        if to_move(states[ply + 1]) == NOBODY:
            win_shares(states[ply + 1], np.int64(len(shares)), shares)
            value = 2.0 * shares[mover] - 1.0
        else:
            value = evaluate(states[ply + 1], mover, *given)
        if value > best_value:
            best_value = value
            best = lists[ply, i]
    return best


@kernel
def list_moves(state, out):
    """The moves worth a look; returns how many."""
    n = legal_actions(state, out)
    return keep(state, out, n) if USES_FILTER else n


@kernel
def follow(state, mover, code, is_belief):
    """Let chance bring `code`, or let the rival hold it."""
    if HAS_BELIEF and is_belief:
        suppose(state, mover, code)
    else:
        apply(state, code)


@kernel
def suppose_weights_or_none(state, mover, out):
    """`suppose_weights` where the game has it."""
    if HAS_BELIEF:
        believe(state, mover, out)
