"""Alpha-beta: minimax to a fixed depth, without the branches that cannot change its value.

    value(s) = max over moves where the searching seat moves, min where any other does

This is minimax, not negamax: every value is the searching seat's, and who is to move decides between max and min. So a
seat may move twice in a row, and beyond two seats the search is *paranoid*: all others play against the searching seat.

What is done to search less (alphabeta_kernels.py): iterative deepening; principal variation search; a transposition
table; moves in the order of the table's move, two killer moves a ply, the game's ordering and the history heuristic.
Beyond the horizon there is quiescence search over the moves that a game calls noisy.

A value is an evaluation within [-1, 1], or the returns of a finished game; a won game is worth WIN less STEP for each
ply to it, so that a nearer win is better, and a lost one the opposite. A value beyond PROOF is therefore proven, and
tells its distance; the result has value and proof apart. A table entry is used only for the depth that it was searched
to, or where it is a proof: at a given depth the value is that of plain minimax, to the last bit. Root moves that are no
better than the best so far get an upper bound, unless `all_moves` asks for their values.

Fits games without chance and secrets. Where a game has them, chance follows the fate of the state at hand: that is one
world of `worlds=N` (worlds.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Game, State
from meeple.core.hashing import words_of
from meeple.core.heuristics import (
    find_heuristic,
    no_after,
    no_after_until,
    no_filter,
    no_fingerprint,
    no_noise,
    no_standing,
)
from meeple.core.settings import setting
from meeple.search.alphabeta_kernels import (
    BOUND_BITS,
    ENTRY,
    HISTORY_SLOTS,
    MAX_PLY,
    PROOF,
    QUIET_PLIES,
    STEP,
    WIN,
    Scratch,
)
from meeple.search.control import CONTROL_SIZE, LIMIT, NODES, Clock, Stopper
from meeple.search.minimax_kernels import NO_MOVE
from meeple.search.offer import kept_actions
from meeple.search.result import SearchResult
from meeple.search.tables import TranspositionTable, borrow, give_back

DEFAULT_NODES = 200_000  # of the agent, where no limit is given
DEEPEST = MAX_PLY - QUIET_PLIES - 1  # where no depth is given
MOST_NUMBERED, SHALLOWEST = 64, 3  # later moves are looked at as the last numbered one; nodes less deep in full
NO_ROUND = 2**62  # the last round within the horizon, where rounds do not matter


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
    reduce: int = setting(0, "later moves than so many of a node are first looked at less deep; 0: none", least=0)
    margin: float = setting(
        0.0, "leave the last ply out where the evaluation before it is so far outside the window; 0: never", least=0
    )
    tempo: float = setting(0.0, "what it is worth to be to move where a line ends, 0 to 1 (two seats)", least=0)
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
    with Stopper(run.control, clock, should_stop) as stopper:
        for depth in range(1, (config.depth or DEEPEST) + 1):
            finished = run.deepen(depth, stopper)
            if finished and on_progress:
                on_progress(run.result(clock.spent()))
            if not finished or run.is_settled() or len(run.actions) == 1:
                break
    found = run.result(clock.spent())
    run.close()
    return found


class Run:
    """One search under way: its scratch, and the root's moves in their order."""

    def __init__(self, state: State, config: AlphaBetaConfig) -> None:
        game = state.game
        self.game, self.config, self.root = game, config, state
        self.compiled = compile_for(game, config)
        self.table = borrow(table_size(config), ENTRY)
        self.scratch = new_scratch(state, config, self.table)
        self.control = self.scratch.control
        self.actions = kept_actions(state, config.filter)
        # Of each root move, in the order of `actions`:
        self.values = np.zeros(len(self.actions))  # the latest, proofs as `explore` has them
        self.bounds = np.zeros(len(self.actions), dtype=np.bool_)  # its value is only an upper bound
        self.visits = np.zeros(len(self.actions), dtype=np.int64)  # 1 once it was searched
        self.order = np.arange(len(self.actions))  # places in `actions`, the first to be searched first
        self.best = 0  # the place of the best
        self.depth = 0  # the last that was finished

    def deepen(self, depth: int, stopper: Stopper) -> bool:
        """Search every root move to `depth` and set the order for the next; False where it was stopped in between."""
        before = self.values.copy()
        done = stopper.run(
            self.compiled.search_root,
            (self.scratch, depth, self.actions, self.order, self.values, self.bounds, self.config.all_moves),
        )
        if done < len(self.actions) and self.config.all_moves and self.depth > 0:
            self.values = before  # whoever wants all values compares them, so they must be of one depth
            return False
        if done > 0:
            # The best of the last depth was searched first, so the best of those finished is at least as good.
            finished = self.order[:done]
            self.visits[finished] = 1
            self.best = int(finished[np.argmax(self.values[finished])])
        if done < len(self.actions):
            return False
        self.depth = depth
        # The best first; the values of the rest are bounds, but good enough to order them. The sort is stable.
        rest = [i for i in self.order if i != self.best]
        self.order = np.array([self.best, *sorted(rest, key=lambda i: -self.values[i])])
        return True

    def close(self) -> None:
        """Give the table back; nothing is searched any more."""
        give_back(self.table)

    def is_settled(self) -> bool:
        """Whether the best value is proven: looking deeper changes nothing."""
        return bool(abs(self.values[self.best]) > PROOF)

    def line(self) -> list[str]:
        """The principal variation, as far as the table still knows it."""
        texts: list[str] = []
        state = self.root
        action = int(self.actions[self.best])
        place, table = self.game.buffer(1), self.scratch.table
        while len(texts) < max(1, self.depth):
            texts.append(state.move_text(action))
            state = state.after(action).settled()
            if state.is_over:
                break
            place[0] = state.array[0]
            key = self.compiled.key_of(place, words_of(place), 0)
            entry = table[key & (len(table) - 1)]
            is_known = entry["key"] == key and entry["bound"] >> BOUND_BITS == self.table.search
            if not is_known or entry["action"] == NO_MOVE or int(entry["action"]) not in state.legal_actions():
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
        """What is proven of each root move: won after so many plies, lost after so many (negative), or 0.

        Nothing is where a filter has left moves out, and beyond two seats no loss is: the others need not join forces.
        """
        if self.config.filter != "none":
            return np.zeros(len(self.actions), dtype=np.int64)
        plies = np.rint((WIN - np.abs(self.values)) / STEP).astype(np.int64)
        is_won = (self.values > PROOF) & ~self.bounds
        is_lost = (self.values < -PROOF) & (self.game.seats <= 2)  # a bound from above proves a loss too
        return np.where(is_won, plies, np.where(is_lost, -plies, 0))


def table_size(config: AlphaBetaConfig) -> int:
    """The entries of a search's table: they grow with the depth, up to a million, of 24 bytes each."""
    return 1 << (12 if config.plain or not config.table else min(20, 10 + 2 * (config.depth or 10)))


def new_scratch(root: State, config: AlphaBetaConfig, table: TranspositionTable) -> Scratch:
    """The memory of a search from `root`."""
    game = root.game
    most = int(game.definition.rules.MAX_ACTIONS)
    states = game.buffer(MAX_PLY + 2)
    states[0] = root.array[0]
    control = np.zeros(CONTROL_SIZE, dtype=np.int64)
    control[LIMIT] = config.nodes or 2**62
    return Scratch(
        states=states,
        words=words_of(states),
        lists=np.empty((MAX_PLY + 2, most), dtype=np.int64),
        scores=np.empty((MAX_PLY + 2, most), dtype=np.int64),
        table=table.entries,
        killers=np.full((MAX_PLY + 2, 2), NO_MOVE, dtype=np.int64),
        history=np.zeros(HISTORY_SLOTS, dtype=np.int64),
        lasts=np.empty(most),
        shares=np.empty(game.seats),
        control=control,
        search=table.search,
        me=root.to_move,
        last_round=root.round_index if config.horizon == "round" else NO_ROUND,
        given=find_heuristic(game, "EVALUATIONS", config.evaluation).given(),
        less=plies_less(config.reduce),
        margin=float(config.margin),
        tempo=float(config.tempo),
    )


def plies_less(first: int) -> NDArray[np.int64]:
    """[depth, number]: how many plies less deep to look at move `number` of a node: the logarithms' product, halved.

    None of the first moves, none close to the horizon, and never so many that a move would only be evaluated.
    """
    depth, number = np.arange(MAX_PLY)[:, None], np.arange(MOST_NUMBERED)[None]
    less = (0.5 + np.log(np.maximum(depth, 1)) * np.log(np.maximum(number, 1)) / 2.25).astype(np.int64)
    return np.where((depth >= SHALLOWEST) & (number >= max(first, 1)), np.minimum(less, depth - 2), 0)


def compile_for(game: Game, config: AlphaBetaConfig) -> ModuleType:
    """The kernels compiled for a game with the chosen heuristics."""
    evaluation = find_heuristic(game, "EVALUATIONS", config.evaluation)
    ordering = find_heuristic(game, "ORDERINGS", "none" if config.plain else config.ordering)
    noise = find_heuristic(game, "NOISY", "default")
    kept = find_heuristic(game, "FILTERS", config.filter)
    fingerprint = find_heuristic(game, "FINGERPRINTS", "default")
    in_common, value_after = evaluation.after or (no_standing, no_after)
    uses_after = evaluation.after is not None and noise.function is no_noise
    return game.specialise(
        "meeple.search.alphabeta_kernels",
        evaluate=evaluation.function,
        in_common=in_common,
        value_after=value_after,
        values_until=evaluation.after_until or no_after_until,
        priority=ordering.function,
        noisy_actions=noise.function,
        keep=kept.function,
        fingerprint=fingerprint.function,
        USES_AFTER=uses_after,
        USES_UNTIL=uses_after and evaluation.after_until is not None,
        REDUCES=config.reduce > 0 and not config.plain,  # it asks the order
        HAS_MARGIN=config.margin > 0,
        HAS_TEMPO=config.tempo > 0,
        USES_FILTER=kept.function is not no_filter,
        USES_FINGERPRINT=fingerprint.function is not no_fingerprint,
        USES_TABLE=config.table and not config.plain,
        USES_ORDER=not config.plain,
        USES_NOISE=noise.function is not no_noise,
    )
