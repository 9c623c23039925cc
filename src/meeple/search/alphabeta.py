"""Alpha-beta: the value of a position by looking so many plies ahead, with what cannot matter left out.

    value(s) = max over moves where the searching seat moves, min where any other does

The sign follows `to_move`, never the ply, so a seat may move twice; beyond two seats this is *paranoid*:
all others play against the searching seat. Iterative deepening; principal-variation search (the first move
with the whole window, the others with an empty one, searched again where they surprise); a transposition
table; moves ordered by the table, two killers a ply, the game's ordering and the history of cut-offs;
quiescence over the moves that a game calls noisy.

Inside, every number is the searching seat's expected returns: an evaluation within [-1, 1], a finished game its
returns, a won one WIN less a step for each ply (so a nearer win is better) and a lost one the opposite.
A value beyond PROOF is therefore proven, with its distance; the result tells value and proof apart. A table entry is
used only for the depth it was searched to, or where it is a proof: at a given depth the value is that of plain minimax,
to the last bit. Moves that are no better than the best so far get a bound, unless `all_moves` asks for their values.

Fits games without chance and secrets; with a fixed fate, chance follows it (one world of `worlds=N`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.contract import (
    NOBODY,
    apply,
    legal_actions,
    round_index,
    settle,
    to_move,
    win_shares,
)
from meeple.core.game import Game, State
from meeple.core.hashing import hash_words, words_of
from meeple.core.heuristics import (
    Heuristic,
    find_heuristic,
    no_after,
    no_evaluation,
    no_filter,
    no_fingerprint,
    no_noise,
    no_ordering,
    no_standing,
)
from meeple.core.kernel import kernel
from meeple.core.settings import setting
from meeple.search.control import ABORTED, CONTROL_SIZE, LIMIT, NODES, STOP, Clock, Stopper
from meeple.search.offer import kept_actions
from meeple.search.result import SearchResult

WIN = 10.0
STEP = 0.001  # a win one ply later is worth so much less
PROOF = 5.0  # values beyond it are proven
INFINITE = 1e9
EMPTY = 1e-9  # the width of an empty window
MAX_PLY = 120  # deepest line, quiescence included
QUIET_PLIES = 4  # noisy plies looked at below the horizon
DEFAULT_NODES = 200_000  # of the agent, where no limit is given
HISTORY = 4096  # slots of the history table
EXACT, AT_LEAST, AT_MOST = 1, 2, 3  # what a table entry knows of its value

ENTRY = np.dtype(
    (
        np.record,
        [("key", np.int64), ("value", np.float64), ("action", np.int32), ("depth", np.int16), ("bound", np.int16)],
    )
)

# Bound by `compile_for`.
evaluate, priority, noisy_actions = no_evaluation, no_ordering, no_noise
keep, fingerprint, in_common, value_after = no_filter, no_fingerprint, no_standing, no_after
USES_TABLE, USES_ORDER, USES_NOISE, USES_FILTER, USES_FINGERPRINT = True, True, False, False, False
USES_AFTER = False  # the evaluation tells its value after most moves without playing them


@dataclass(kw_only=True)
class AlphaBetaSettings:
    """What a user can tell the search: the settings of the agent `alphabeta`. A limit of 0 is none.

    From Python a heuristic is also given as an object, `Heuristic`, in the place of its name.
    """

    depth: int = setting(0, "plies looked ahead; 0: as the other limits allow", least=0, most_on_page=12)
    nodes: int = setting(
        0, f"positions looked at; 0: no limit ({DEFAULT_NODES:,} if none is given)", least=0, most_on_page=20_000_000
    )
    time: float = setting(0.0, "thinking time a move; 0s: no limit", is_time=True)
    cpu: float = setting(0.0, "CPU time of the thinking thread a move; 0s: no limit", is_time=True)
    worlds: int = setting(0, "worlds to average over, for games with chance or secrets", least=0, most_on_page=50)
    evaluation: str = setting("default", "the game's evaluation of unfinished positions", of="EVALUATIONS")
    config: str = setting("", "a JSON file of weights for the evaluation", names="file")
    ordering: str = setting("default", "the game's order of moves", of="ORDERINGS")
    filter: str = setting("none", "the game's filter of moves worth a look", of="FILTERS")  # at the root too
    horizon: str = setting("depth", "also stop where the booklet's round ends", choices=("depth", "round"))
    others: str = setting(
        "paranoid", "beyond two seats: all against one, or each for itself", choices=("paranoid", "maxn")
    )
    table: bool = setting(True, "keep a transposition table")
    exact: bool = setting(True, "over worlds: exact values of all root moves, not bounds for all but the best")


@dataclass(kw_only=True)
class AlphaBetaConfig(AlphaBetaSettings):
    """The settings, and what only a caller in Python says. `worlds` and `others` are for worlds.py and maxn.py."""

    plain: bool = False  # no table, no ordering: the textbook's, for measuring
    all_moves: bool = False  # in one world: every root move gets its own value, where it would get a bound

    def __post_init__(self) -> None:
        # `config=FILE` is short for `evaluation=NAME@FILE`, the only form that the searches read.
        if self.config:
            self.evaluation, self.config = f"{self.evaluation}@{self.config}", ""


def search(
    state: State,
    *,
    config: AlphaBetaConfig,
    should_stop: Callable[[], bool] = lambda: False,
    on_progress: Callable[[SearchResult], None] | None = None,
) -> SearchResult:
    """The best move by iterative deepening; stopped early, the best of what is finished."""
    clock = Clock(config.time, config.cpu)
    run = Run(state, config)
    deepest = config.depth or MAX_PLY - QUIET_PLIES - 1
    with Stopper(run.control, clock, should_stop) as stopper:
        for depth in range(1, deepest + 1):
            finished = run.deepen(depth, stopper)
            if finished and on_progress:
                on_progress(run.result(clock.spent()))
            if not finished or run.is_settled() or len(run.actions) == 1:
                break
    return run.result(clock.spent())


class Run:
    """One search under way: the tree's arrays, and the root's moves in their order."""

    def __init__(self, state: State, config: AlphaBetaConfig) -> None:
        game = state.game
        self.game, self.config, self.root = game, config, state
        self.compiled = compile_for(game, config)
        self.given = find_heuristic(game, "EVALUATIONS", config.evaluation).given()
        self.states = game.buffer(MAX_PLY + 2)
        self.states[0] = state.array[0]
        self.actions = kept_actions(state, config.filter)
        self.order = np.arange(len(self.actions))
        self.values = np.zeros(len(self.actions))
        self.bounds = np.zeros(len(self.actions), dtype=np.bool_)
        self.visits = np.zeros(len(self.actions), dtype=np.int64)
        self.control = np.zeros(CONTROL_SIZE, dtype=np.int64)
        self.control[LIMIT] = config.nodes or 2**62
        bits = 12 if config.plain or not config.table else min(20, 10 + 2 * (config.depth or 10))
        self.table = np.zeros(1 << bits, dtype=ENTRY)
        self.lists = np.empty((MAX_PLY + 2, int(game.definition.rules.MAX_ACTIONS)), dtype=np.int64)
        self.scores = np.empty_like(self.lists)
        self.killers = np.full((MAX_PLY + 2, 2), -1, dtype=np.int64)
        self.history = np.zeros(HISTORY, dtype=np.int64)
        self.depth = 0
        self.best = 0

    def deepen(self, depth: int, stopper: Stopper) -> bool:
        """Search every root move to `depth`; False where it was stopped in between."""
        seat = self.root.to_move
        last = self.root.round_index if self.config.horizon == "round" else 2**62
        arrays = (self.table, self.lists, self.scores, self.killers, self.history)
        before = self.values.copy()
        done = stopper.run(
            self.compiled.search_root,
            (self.states, words_of(self.states), depth, seat, last, self.control, *arrays),
            (self.actions, self.order, self.values, self.bounds, self.game.seats, self.config.all_moves, self.given),
        )
        if done < len(self.actions) and self.config.all_moves and self.depth > 0:
            self.values = before  # to be compared, all must be of one depth
            return False
        if done > 0:
            # The best of the last depth is searched first, so what is finished is worth having.
            finished = self.order[:done]
            self.visits[finished] = 1
            self.best = int(finished[np.argmax(self.values[finished])])
        if done < len(self.actions):
            return False
        self.depth = depth
        # Stable, best first: the other values are bounds, but good ones for the next order.
        rest = [i for i in self.order if i != self.best]
        self.order = np.array([self.best, *sorted(rest, key=lambda i: -self.values[i])])
        return True

    def is_settled(self) -> bool:
        """Whether the best value is proven: looking deeper changes nothing."""
        return bool(abs(self.values[self.best]) > PROOF)

    def line(self) -> list[str]:
        """The best line as far as the table knows it."""
        texts: list[str] = []
        state = self.root
        action = int(self.actions[self.best])
        scratch = self.game.buffer(1)
        while len(texts) < max(1, self.depth):
            texts.append(state.move_text(action))
            state = state.after(action).settled()
            if state.is_over:
                break
            scratch[0] = state.array[0]
            key = self.compiled.key_of(scratch, words_of(scratch), 0)
            entry = self.table[key & (len(self.table) - 1)]
            if entry["key"] != key or entry["action"] < 0 or int(entry["action"]) not in state.legal_actions():
                break
            action = int(entry["action"])
        return texts

    def result(self, seconds: float) -> SearchResult:
        """What the search answers."""
        line = self.line()
        return SearchResult.of(
            self.best,
            self.actions,
            self.values,
            self.visits.copy(),
            work=int(self.control[NODES]),
            seconds=seconds,
            proofs=self.proofs(),
            bounds=self.bounds.copy(),
            depth=self.depth,
            find_line=lambda: line,
        )

    def proofs(self) -> NDArray[np.int64]:
        """What is proven of each root move, with the plies that it takes.

        Nothing where a filter has left moves out; and beyond two seats no loss, since the others need not join forces.
        """
        if self.config.filter != "none":
            return np.zeros(len(self.actions), dtype=np.int64)
        plies = np.rint((WIN - np.abs(self.values)) / STEP).astype(np.int64)
        is_won = (self.values > PROOF) & ~self.bounds
        is_lost = (self.values < -PROOF) & (self.game.seats <= 2)  # a bound from above proves a loss too
        return np.where(is_won, plies, np.where(is_lost, -plies, 0))


def compile_for(game: Game, config: AlphaBetaConfig) -> ModuleType:
    """This module compiled for a game with the chosen heuristics."""
    evaluation: Heuristic = find_heuristic(game, "EVALUATIONS", config.evaluation)
    ordering: Heuristic = find_heuristic(game, "ORDERINGS", "none" if config.plain else config.ordering)
    noise: Heuristic = find_heuristic(game, "NOISY", "default")
    kept: Heuristic = find_heuristic(game, "FILTERS", config.filter)
    print_: Heuristic = find_heuristic(game, "FINGERPRINTS", "default")
    has_after = evaluation.after is not None and noise.function is no_noise
    in_common_, value_after_ = evaluation.after or (no_standing, no_after)
    bound: dict[str, Any] = {
        "evaluate": evaluation.function,
        "in_common": in_common_,
        "value_after": value_after_,
        "USES_AFTER": has_after,
        "priority": ordering.function,
        "noisy_actions": noise.function,
        "keep": kept.function,
        "fingerprint": print_.function,
        "USES_FILTER": kept.function is not no_filter,
        "USES_FINGERPRINT": print_.function is not no_fingerprint,
        "USES_TABLE": config.table and not config.plain,
        "USES_ORDER": not config.plain,
        "USES_NOISE": noise.function is not no_noise,
    }
    return game.specialise("meeple.search.alphabeta", **bound)


# --- compiled ----------------------------------------------------------------------------------------


@kernel
def search_root(
    states, words, depth, me, last_round, control, table, lists, scores, killers, history,
    actions, order, values, bounds, seats, is_exact, given,
):  # fmt: skip
    """Search the root's moves in their order and write their values; returns how many are finished.

    The first has the whole window, so its value is exact; the value of a later one that is not better is a
    bound from above, and marked. With `is_exact` all have the whole window. `given` holds the evaluation's parameters,
    if it takes any.
    """
    shares = np.empty(seats)
    alpha = -INFINITE
    for number in range(len(actions)):
        i = order[number]
        states[1] = states[0]
        apply(states[1], actions[i])
        value = np.float64(0.0)
        is_whole = number == 0 or is_exact
        if not is_whole:
            value = explore(
                states, words, np.int64(1), depth - 1, alpha, alpha + EMPTY, me, last_round, control,
                table, lists, scores, killers, history, shares, given,
            )  # fmt: skip
        if is_whole or (value > alpha and control[ABORTED] == 0):
            states[1] = states[0]
            apply(states[1], actions[i])
            floor = -INFINITE if is_whole else alpha
            value = explore(
                states, words, np.int64(1), depth - 1, floor, INFINITE, me, last_round, control,
                table, lists, scores, killers, history, shares, given,
            )  # fmt: skip
        if control[ABORTED] != 0:
            return number
        values[i] = value
        bounds[i] = not is_whole and value <= alpha
        alpha = max(alpha, value)
    return len(actions)


@kernel
def search_worlds(
    worlds, states, words, depth, me, last_round, control, table, lists, scores, killers, history,
    actions, order, values, bounds, seats, exact, given,
):  # fmt: skip
    """Search the root's moves in each world and write their values, a row a world; returns how many are finished.

    Where it is not `exact`, `bounds` tells of each value whether it is only a bound from above.
    """
    for number in range(len(worlds)):
        states[0] = worlds[number]
        if exact:
            done = search_exactly(
                states, words, depth, me, last_round, control, table, lists, scores, killers, history,
                actions, values[number], seats, given,
            )  # fmt: skip
        else:
            done = search_root(
                states, words, depth, me, last_round, control, table, lists, scores, killers, history,
                actions, order, values[number], bounds[number], seats, False, given,
            )  # fmt: skip
        if done < len(actions):
            return number
    return len(worlds)


@kernel
def rank_moves(states, actions, ranked):
    """Write the game's priority of each root move."""
    for i in range(len(actions)):
        ranked[i] = priority(states[0], actions[i])


@kernel
def search_exactly(
    states, words, depth, me, last_round, control, table, lists, scores, killers, history,
    actions, values, seats, given,
):  # fmt: skip
    """As `search_root`, but every move has the whole window, so that values can be added up over worlds."""
    shares = np.empty(seats)
    for i in range(len(actions)):
        states[1] = states[0]
        apply(states[1], actions[i])
        values[i] = explore(
            states, words, np.int64(1), depth - 1, -INFINITE, INFINITE, me, last_round, control,
            table, lists, scores, killers, history, shares, given,
        )  # fmt: skip
        if control[ABORTED] != 0:
            return i
    return len(actions)


@kernel
def explore(
    states, words, ply, depth, alpha, beta, me, last_round, control,
    table, lists, scores, killers, history, shares, given,
):  # fmt: skip
    """The value of states[ply] for seat `me`, exact within (alpha, beta), else a bound; 0 where it was stopped."""
    control[NODES] += 1
    if control[NODES] > control[LIMIT] or control[STOP] != 0:
        control[ABORTED] = 1
        return 0.0
    settle(states[ply])
    state = states[ply]
    mover = to_move(state)
    if mover == NOBODY:
        return finished_value(state, me, ply, shares)
    n = np.int64(0)
    is_maximising = mover == me
    best = -INFINITE if is_maximising else INFINITE
    if depth <= 0 or round_index(state) > last_round or ply >= MAX_PLY:
        standing = evaluate(state, me, *given)
        if not USES_NOISE or depth <= -QUIET_PLIES or ply >= MAX_PLY:
            return standing
        n = noisy_actions(state, lists[ply])
        if n == 0:
            return standing
        # Below the horizon a seat may also leave things as they are.
        best = standing
        if is_maximising:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            return best
    key = np.int64(0)
    slot = np.int64(0)
    wanted = np.int64(-1)
    if USES_TABLE and depth > 0:
        key = key_of(states, words, ply)
        slot = key & (len(table) - 1)
        entry = table[slot]
        if entry.key == key and entry.bound != 0:
            wanted = np.int64(entry.action)
            value = from_node(entry.value, ply)
            if entry.depth == depth or abs(value) > PROOF:
                if entry.bound == EXACT:
                    return value
                if entry.bound == AT_LEAST and value >= beta:
                    return value
                if entry.bound == AT_MOST and value <= alpha:
                    return value
    if depth > 0:
        n = legal_actions(state, lists[ply])
        if USES_FILTER:
            n = keep(state, lists[ply], n)
    is_sorted = USES_ORDER and depth > 1
    if is_sorted:
        for i in range(n):
            scores[ply, i] = promise(state, lists[ply, i], wanted, killers, ply, history)
    elif wanted >= 0:
        bring_forward(lists[ply], n, wanted)
    low, high = alpha, beta
    best_action = np.int64(-1)
    common = (0.0, 0.0)
    if USES_AFTER and depth == 1:
        common = in_common(state, me, *given)
    for i in range(n):
        if is_sorted:
            select_next(lists[ply], scores[ply], i, n)
        action = lists[ply, i]
        value = np.float64(np.nan)
        if USES_AFTER and depth == 1:
            value = value_after(state, me, action, common[0], common[1], *given)
            control[NODES] += np.int64(not np.isnan(value))
        is_known = not np.isnan(value)
        if not is_known:
            states[ply + 1] = states[ply]
            apply(states[ply + 1], action)
        is_first = i == 0
        if is_known:
            is_first = False
        elif not is_first and depth > 1:
            # The empty window: only whether the move is better than the best so far.
            floor = alpha if is_maximising else beta - EMPTY
            value = explore(
                states, words, ply + 1, depth - 1, floor, floor + EMPTY, me, last_round, control,
                table, lists, scores, killers, history, shares, given,
            )  # fmt: skip
            is_first = value > alpha and value < beta
            if is_first:
                states[ply + 1] = states[ply]
                apply(states[ply + 1], action)
        else:
            is_first = True
        if is_first:
            value = explore(
                states, words, ply + 1, depth - 1, alpha, beta, me, last_round, control,
                table, lists, scores, killers, history, shares, given,
            )  # fmt: skip
        if control[ABORTED] != 0:
            return 0.0
        if is_maximising:
            if value > best:
                best = value
                best_action = action
                alpha = max(alpha, value)
        elif value < best:
            best = value
            best_action = action
            beta = min(beta, value)
        if alpha >= beta:
            if USES_ORDER and depth > 1:
                reward(killers, history, ply, action, depth)
            break
    if USES_TABLE and depth > 0:
        entry = table[slot]
        entry.key = key
        entry.value = to_node(best, ply)
        entry.action = best_action
        entry.depth = depth
        entry.bound = AT_MOST if best <= low else AT_LEAST if best >= high else EXACT
    return best


@kernel
def key_of(states, words, ply):
    """What names the position in the table."""
    if USES_FINGERPRINT:
        return fingerprint(states[ply])
    return hash_words(words, ply)


@kernel
def finished_value(state, me, ply, shares):
    """Returns of a finished game; a win or loss with its distance."""
    win_shares(state, np.int64(len(shares)), shares)
    if shares[me] == 1.0:
        return WIN - STEP * ply
    if shares[me] == 0.0:
        return STEP * ply - WIN
    return 2.0 * shares[me] - 1.0


@kernel
def to_node(value, ply):
    """A proof's distance counted from the node instead of the root."""
    return value + STEP * ply if value > PROOF else value - STEP * ply if value < -PROOF else value


@kernel
def from_node(value, ply):
    """And back, for a node met at this ply."""
    return value - STEP * ply if value > PROOF else value + STEP * ply if value < -PROOF else value


@kernel
def promise(state, action, wanted, killers, ply, history):
    """How early to try a move: the table's, killers, the game's ordering, the history of cut-offs."""
    if action == wanted:
        return np.int64(1) << 60
    score = (np.int64(priority(state, action)) << 24) + min(history[action % HISTORY], np.int64(1) << 23)
    if action == killers[ply, 0]:
        score += np.int64(1) << 50
    elif action == killers[ply, 1]:
        score += np.int64(1) << 49
    return score


@kernel
def select_next(actions, scores, first, n):
    """Bring the most promising of the moves from `first` on to that place; among equals the least code."""
    best = first
    for i in range(first + 1, n):
        if scores[i] > scores[best] or (scores[i] == scores[best] and actions[i] < actions[best]):
            best = i
    actions[first], actions[best] = actions[best], actions[first]
    scores[first], scores[best] = scores[best], scores[first]


@kernel
def bring_forward(actions, n, wanted):
    """Put `wanted`, if it is there, before all others."""
    for i in range(n):
        if actions[i] == wanted:
            actions[i] = actions[0]
            actions[0] = wanted
            return


@kernel
def reward(killers, history, ply, action, depth):
    """Remember a move that cut its siblings off."""
    if killers[ply, 0] != action:
        killers[ply, 1] = killers[ply, 0]
        killers[ply, 0] = action
    history[action % HISTORY] += depth * depth
