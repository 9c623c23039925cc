"""`mcts` and `ismcts` as agents."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields, replace

from meeple.agents.base import Agent, Turn, believed_by
from meeple.core.chance import Stream, fresh_fate
from meeple.core.contract import CHANCE
from meeple.core.game import Game
from meeple.core.heuristics import find_heuristic
from meeple.core.settings import setting
from meeple.errors import ConfigError, UnsupportedGameError
from meeple.search import mcts
from meeple.search.control import need_cpu_clock
from meeple.search.result import SearchResult

DEFAULT_ITERATIONS = 1_000  # where no limit is given
PARALLEL = ("root", "tree", "leaf")
REWARDS = ("win", "margin", "bias")


@dataclass(kw_only=True)
class TreeSearch(Agent):
    """What `mcts` and `ismcts` share."""

    iterations: int = setting(
        1_000, "playouts a decision, and a world; 0: as the time allows", least=0, most_on_page=50_000
    )
    time: float = setting(0.0, "thinking time a move; 0s: no limit", is_time=True)
    cpu: float = setting(0.0, "CPU time of each thinking thread a move; 0s: no limit", is_time=True)
    c: float = setting(1.41, "exploration constant, for win shares in 0..1", least=0)
    first_play: float = setting(math.inf, "value of a move never tried; inf: those first")
    expand: str = setting("one", "nodes added an iteration; all: a new node is left at once", choices=("one", "all"))
    playout: str = setting(
        "random", "the game's policy for playouts, mast, or [minimax:depth=1] or 2", names="heuristic"
    )
    epsilon: float = setting(0.4, "share of random moves in playouts by habit (mast)", least=0)
    cutoff: int = setting(0, "moves after which the evaluation ends a playout; 0: never", least=0)
    evaluation: str = setting("default", "the game's evaluation, for cutoff", names="heuristic")
    bias: str = setting("none", "the game's bias towards moves, b/n", names="heuristic")
    prior: str = setting(
        "none",
        "a new move's first value: bias, evaluation, [minimax:depth=N], [expectimax:depth=N]",
        names="agent",
        most_on_page=2,
    )
    prior_visits: int = setting(10, "visits that the first value counts for", least=1)
    rave: float = setting(0.0, "k: later moves weigh sqrt(k/(3n+k)) at n visits; 0: not at all", least=0)
    implicit: float = setting(0.0, "weight of the minimax of evaluations in the mean, two seats", least=0)
    ordering: str = setting("none", "the game's order in which moves never tried come; none: by lot", names="heuristic")
    filter: str = setting("none", "the game's filter of moves worth a look, in the tree", names="heuristic")
    reward: str = setting("win", "what a playout is worth: win share, by the lead too, times the bias", choices=REWARDS)
    plies: int = setting(0, "the deepest that the tree may grow; 0: no limit", least=0, most_on_page=1_000)
    final: str = setting("robust", "the move to play", choices=("robust", "max", "wins", "robust-max", "secure"))
    secure: float = setting(4.0, "A of the secure child", least=0)
    widening: float = setting(0.0, "w: a node of n visits tries w*sqrt(n) moves; 0: all", least=0)
    strata: bool = setting(True, "deal in proportion to the classes of worlds that a game names")
    belief: str = setting(
        "none", "the game's inference from the match so far, which weighs those classes", names="heuristic"
    )
    threads: int = setting(1, "threads that search side by side", least=1, most_on_page=2)
    parallel: str = setting("root", "threads have trees of their own, share one, or one leaf", choices=PARALLEL)

    @property
    def wants_history(self) -> bool:  # type: ignore[override]
        """A belief follows from what was seen."""
        return self.belief != "none"

    def fit(self, game: Game) -> None:
        """The heuristics must exist."""
        need_cpu_clock(self.cpu)
        if self.belief != "none":
            find_heuristic(game, "INFERENCES", self.belief)
            if not self.strata:
                raise ConfigError(f"agent '{self.spec}' has a belief about classes of worlds: leave strata=no out")
        if self.prior.startswith("["):
            mcts.shallow(self.prior)
        elif self.prior not in ("none", "bias", "evaluation"):
            takes = "none, bias, evaluation, [minimax:depth=N] or [expectimax:depth=N]"
            raise ConfigError(f"'prior' of agent '{self.spec}' takes {takes}, not '{self.prior}'")
        if self.prior == "bias" and self.bias == "none":
            raise ConfigError(f"agent '{self.spec}' takes its prior from a bias and names none; give bias=NAME")
        if self.reward == "bias" and (self.bias == "none" or self.prior == "bias"):
            raise ConfigError(
                f"agent '{self.spec}' weighs rewards by a bias: give bias=NAME, and no prior=bias beside it"
            )
        find_heuristic(game, "EVALUATIONS", self.evaluation)
        find_heuristic(game, "BIASES", self.bias)
        find_heuristic(game, "ORDERINGS", self.ordering)
        find_heuristic(game, "FILTERS", self.filter)
        if self.playout not in ("random", "mast") and not mcts.guide_plies(self.playout):
            find_heuristic(game, "PLAYOUTS", self.playout)

    def choose(self, turn: Turn) -> int:
        """The move that the tree recommends."""
        result = self.search(turn)
        turn.report(result)
        return result.action

    def search(self, turn: Turn, grown: mcts.Tree | None = None) -> SearchResult:
        """Search the turn, from a tree that was kept if there is one."""
        return mcts.search(
            turn.state,
            config=self.config_for(turn),
            rng=turn.rng,
            should_stop=turn.should_stop,
            on_progress=turn.progress,
            grown=grown,
            weights=believed_by(self.belief, turn),
        )

    def config_for(self, turn: Turn) -> mcts.MctsConfig:
        """The settings for this turn, within the match's limit; in the deterministic version for the true world."""
        config = self.config()
        if turn.seconds is not None:  # a limit, so that there is no need of a usual one
            config = replace(config, seconds=turn.within(self.time), iterations=self.iterations)
        return mcts.in_the_open(config) if turn.is_open else config

    def config(self) -> mcts.MctsConfig:
        """The settings as the search takes them: of the same names, but for the limits."""
        names = {f.name for f in fields(mcts.MctsConfig)} & {f.name for f in fields(self)} - {"iterations"}
        iterations = self.iterations if self.iterations or self.time or self.cpu else DEFAULT_ITERATIONS
        return mcts.MctsConfig(
            iterations=iterations, seconds=self.time, **{name: getattr(self, name) for name in sorted(names)}
        )


@dataclass(frozen=True)
class Kept:
    """A tree kept from a seat's last turn, and the match as it stood then."""

    seen: tuple[int, ...]
    tree: mcts.Tree


@dataclass(kw_only=True)
class Mcts(TreeSearch):
    """Monte Carlo tree search: UCT on win shares; over worlds where cards are hidden."""

    worlds: int = setting(
        0, "worlds dealt, each with its own tree (PIMC); 0: fresh dice each iteration", least=0, most_on_page=50
    )
    solve: bool = setting(True, "back up proven wins and losses")
    probe: int = setting(0, "plies of a minimax that looks for proofs in the tree; 0: none", least=0, most_on_page=2)
    probe_visits: int = setting(2, "visits at which a node is probed", least=1)

    reuse: bool = setting(False, "keep the tree between moves; an answer then depends on what was searched before")
    kept: dict[int, Kept] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def wants_history(self) -> bool:  # type: ignore[override]
        """A kept tree is walked by the moves made since."""
        return self.reuse or super().wants_history

    def search(self, turn: Turn, grown: mcts.Tree | None = None) -> SearchResult:
        """As for all, with the tree kept for the seat's next turn where that is wanted."""
        if not self.reuse:
            return super().search(turn)
        kept = _regrown(self.kept.pop(turn.seat, None), turn)
        tree = kept or mcts.plant(turn.state, self.config_for(turn), turn.rng)[0]
        result = super().search(turn, tree)
        self.kept[turn.seat] = Kept(turn.seen or (), tree)
        return result

    def fit(self, game: Game) -> None:
        """Secrets need worlds, or information sets; a tree is kept where all moves are open and there is one tree."""
        super().fit(game)
        if self.reuse and (game.facts.hidden or self.worlds or (self.threads > 1 and self.parallel == "root")):
            raise UnsupportedGameError(
                f"'{self.spec}' cannot play {game.name} so: reuse keeps one tree of a game without secrets, no worlds"
            )
        if game.facts.hidden and self.worlds == 0:
            mend = "give worlds=N, such as mcts:worlds=20, or try ismcts"
            raise UnsupportedGameError(f"mcts cannot play {game.name}, which has hidden information: {mend}")


@dataclass(kw_only=True)
class Ismcts(TreeSearch):
    """Information-set MCTS: one tree, hidden cards and dice dealt anew at each iteration."""

    observers: str = setting("one", "one tree, or one for each seat by what it sees", choices=("one", "each"))

    def config(self) -> mcts.MctsConfig:
        """As for `mcts`, with the worlds dealt anew."""
        return replace(super().config(), fresh_worlds=True)


def _regrown(kept: Kept | None, turn: Turn) -> mcts.Tree | None:
    """The part of a kept tree below the moves made since; None where the match is another or the tree too small."""
    seen = turn.seen or ()
    if kept is None or seen[: len(kept.seen)] != kept.seen:
        return None
    state, path = kept.tree.root, []
    for code in seen[len(kept.seen) :]:
        if code not in state.offer() and code not in state.outcomes():
            return None
        if state.to_move != CHANCE:
            path.append(code)
        state = state.after(code)
    # By the redeal law these are equal where the seat knows the same of both.
    if state.redealt(turn.seat, Stream(1)) != turn.state.redealt(turn.seat, Stream(1)):
        return None
    return kept.tree.below(path, turn.state, Stream(fresh_fate(turn.rng.array)))
