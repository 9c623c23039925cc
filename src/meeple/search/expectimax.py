"""Expectimax: minimax with the mean at chance, to a fixed number of decisions.

    value(s) = max where the searching seat moves, min where another does, the weighted mean at chance

Depth counts decisions; chance between them is expanded in full. Every value is the searching seat's expected returns,
in [-1, 1]. `pruning` leaves out what cannot change the value (Ballard 1983):

    none     nothing
    star1    windows of alpha-beta go through chance nodes: the outcomes to come are worth between -1 and 1 each
    star2    the same after a probe: one move after each outcome bounds what the outcome is worth from one side

An evaluation may bring a `bound` on what so many more decisions can give. Star1 and Star2 leave a position whose bound
does not exceed alpha, and put it in the place of 1 in the mean. An `ordering` lets them prune earlier.

Hidden hands. Where a game offers `suppose`, a *belief node* stands before each decision of a rival, and the mean is
taken over what the rival may hold; draws that only fill hands are then left out (`leave_out`), since beliefs stand for
them. Elsewhere `worlds=N` takes the mean over N dealt hands; dice to come stay unknown.

A rival plays what is worst for the searching seat, or with `rivals=own` the move after which its own evaluation is
best. An evaluation may know that move without a search (`best`); it is taken for the searching seat's last decision
too. It may also know the values of a whole belief node (`replies`), which Star1 and Star2 take.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import Stream
from meeple.core.contract import suppose_weights
from meeple.core.game import Game, State
from meeple.core.heuristics import (
    NONE,
    find_heuristic,
    heuristics_of,
    no_best,
    no_bound,
    no_filter,
    no_ordering,
    no_replies,
)
from meeple.core.settings import setting
from meeple.search.control import ABORTED, CONTROL_SIZE, LIMIT, NODES, Clock, Stopper
from meeple.search.expectimax_kernels import MAX_PLY, Scratch
from meeple.search.offer import kept_actions
from meeple.search.result import SearchResult, errors_over_worlds

PRUNINGS = ("none", "star1", "star2")
BY_VALUE = "evaluation"  # the ordering that is none of the game's


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
    ordering: str = setting(
        "none",
        "the game's order of moves; evaluation: by the value right after each",
        of="ORDERINGS",
        besides=(BY_VALUE,),
    )
    filter: str = setting("none", "the game's filter of moves worth a look", of="FILTERS")  # at the root too
    rivals: str = setting("against", "a rival's move: the worst for us, or its own best", choices=("against", "own"))
    belief: str = setting("default", "the game's weights of what a rival may hold", of="BELIEFS", besides=("default",))
    pruning: str = setting("star1", "what is left out of the tree; the value is the same", choices=PRUNINGS)
    worlds: int = setting(0, "dealt hands to average over, for games with secrets", least=0, most_on_page=50)


@dataclass(kw_only=True)
class ExpectimaxConfig(ExpectimaxSettings):
    """The settings, and what only a caller in Python says. A depth of 0 is none where there is another limit."""

    all_moves: bool = False  # in one world too every root move gets its own value, where it would get a bound
    deterministic: bool = False  # the deterministic version: nothing is dealt or supposed, and chance follows its fate


def search(
    state: State,
    *,
    config: ExpectimaxConfig,
    rng: Stream,
    should_stop: Callable[[], bool] = lambda: False,
    on_progress: Callable[[SearchResult], None] | None = None,
) -> SearchResult:
    """The best move on average; deepened one decision at a time where a limit may stop it, else searched at once."""
    clock = Clock(config.time, config.cpu)
    run = Run(state, config, rng)
    deepens = bool(config.nodes or config.time or config.cpu)
    with Stopper(run.control, clock, should_stop) as stopper:
        for depth in range(1, (config.depth or MAX_PLY) + 1) if deepens else [config.depth]:
            if run.deepen(depth, stopper) and on_progress:
                on_progress(run.result(clock.spent()))
            if run.control[ABORTED]:
                break
    return run.result(clock.spent())


class Run:
    """One search under way: its scratch, its worlds, and what was found of the root's moves."""

    def __init__(self, state: State, config: ExpectimaxConfig, rng: Stream) -> None:
        game = state.game
        self.compiled = compile_for(game, config)
        is_dealt = game.facts.hidden and not config.deterministic
        dealt = [state.redealt(state.to_move, rng) for _ in range(max(1, config.worlds))] if is_dealt else [state]
        self.worlds = dealt
        self.actions = kept_actions(state, config.filter)
        self.scratch = _scratch(state, config)
        self.control = self.scratch.control
        # Over several worlds every move needs its own value: bounds do not add up.
        self.is_exact = len(self.worlds) > 1 or config.all_moves
        self.found = np.zeros((0, len(self.actions)))  # a row a world
        self.bounds = np.zeros(len(self.actions), dtype=np.bool_)
        self.depth = 0  # of what was found
        self.best = 0  # place of the best move in `actions`

    def deepen(self, depth: int, stopper: Stopper) -> bool:
        """Search the worlds to `depth`; False where that was stopped and an earlier depth counts."""
        finished: list[NDArray[np.float64]] = []
        marks = np.zeros(len(self.actions), dtype=np.bool_)
        best = 0
        for world in self.worlds:
            self.scratch.states[0] = world.array[0]
            values = np.zeros(len(self.actions))
            order, told = self._weigh(depth)
            rest = (self.actions, order, told, values, marks, self.is_exact)
            best = int(stopper.run(self.compiled.search_root, (self.scratch, depth), rest))
            if self.control[ABORTED]:
                break
            finished.append(values)
        if not finished or (len(finished) < len(self.worlds) and self.depth > 0):
            return False
        self.found, self.bounds, self.depth = np.array(finished), marks, depth
        # In one world the others' values may be bounds that only equal the best.
        self.best = best if len(self.worlds) == 1 else int(np.argmax(self.found.mean(axis=0)))
        return True

    def _weigh(self, depth: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The order of the root's moves, and what each is worth at most as far as that is seen without a search.

        The best by what the evaluation says right after them come first, so that bounds bite early.
        """
        ranks, told = np.zeros(len(self.actions)), np.full(len(self.actions), np.inf)
        if self.scratch.pruning == 0:
            return np.arange(len(self.actions)), told
        self.compiled.weigh_root(self.scratch, depth, self.actions, ranks, told)
        return np.argsort(-ranks, kind="stable"), told

    def result(self, seconds: float) -> SearchResult:
        """What the search answers."""
        return SearchResult.of(
            self.best,
            self.actions,
            self.found.mean(axis=0) if len(self.found) else np.zeros(len(self.actions)),
            np.full(len(self.actions), len(self.found), dtype=np.int64),
            work=int(self.control[NODES]),
            seconds=seconds,
            bounds=self.bounds,
            errors=errors_over_worlds(self.found),
            depth=self.depth,
        )


def compile_for(game: Game, config: ExpectimaxConfig) -> ModuleType:
    """The kernels compiled for a game with the chosen heuristics."""
    rules = game.definition.rules
    has_belief = hasattr(rules, "suppose") and hasattr(rules, "suppose_weights") and not config.deterministic
    kept = find_heuristic(game, "FILTERS", config.filter)
    by_value = config.ordering == BY_VALUE
    ordering = NONE["ORDERINGS"] if by_value else find_heuristic(game, "ORDERINGS", config.ordering)
    is_pruned = config.pruning != "none"  # without pruning no order saves anything
    evaluation = find_heuristic(game, "EVALUATIONS", config.evaluation)
    best = _for_filter(game, evaluation.best, config.filter)
    replies = _for_filter(game, evaluation.replies, config.filter)
    return game.specialise(
        "meeple.search.expectimax_kernels",
        evaluate=evaluation.function,
        keep=kept.function,
        bound=evaluation.bound or no_bound,
        find_best=best or no_best,
        find_replies=replies or no_replies,
        priority=ordering.function,
        believe=_belief(game, config.belief) if has_belief else suppose_weights,
        HAS_BOUND=evaluation.bound is not None,
        HAS_BEST=best is not None,
        HAS_REPLIES=replies is not None and config.rivals == "own" and has_belief,
        USES_ORDER=is_pruned and ordering.function is not no_ordering,
        ORDERS_BY_VALUE=is_pruned and by_value,
        USES_FILTER=kept.function is not no_filter,
        LEAVES_OUT=hasattr(rules, "leave_out") and not config.deterministic,
        DETERMINISTIC=config.deterministic,
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


def _scratch(root: State, config: ExpectimaxConfig) -> Scratch:
    """The memory of a search from `root`."""
    game, rules = root.game, root.game.definition.rules
    codes = max(1, int(rules.OUTCOMES), int(getattr(rules, "BELIEFS", 1)))
    n_moves = int(rules.MAX_ACTIONS)
    moves, by_code = (MAX_PLY + 2, n_moves), (MAX_PLY + 2, codes)
    scored = (
        MAX_PLY + 2,
        1 if config.ordering == "none" else n_moves,
    )  # large; read only with an order
    control = np.zeros(CONTROL_SIZE, dtype=np.int64)
    control[LIMIT] = config.nodes or 2**62
    return Scratch(
        states=game.buffer(MAX_PLY + 2),
        lists=np.empty(moves, dtype=np.int64),
        scores=np.empty(scored),
        weights=np.empty(by_code, dtype=np.int64),
        lows=np.empty(by_code),
        highs=np.empty(by_code),
        probed=np.empty(by_code, dtype=np.int64),
        probes=np.zeros(by_code),
        shares=np.empty(game.seats),
        control=control,
        me=root.to_move,
        pruning=PRUNINGS.index(config.pruning),
        given=find_heuristic(game, "EVALUATIONS", config.evaluation).given(),
    )
