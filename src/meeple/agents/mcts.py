"""`mcts` and `ismcts` as agents."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace

from meeple.agents.base import Agent, Turn, setting
from meeple.core.game import Game
from meeple.core.heuristics import find_heuristic
from meeple.errors import UnsupportedGameError
from meeple.search import mcts

DEFAULT_ITERATIONS = 1_000  # where no limit is given


@dataclass(kw_only=True)
class TreeSearch(Agent):
    """What `mcts` and `ismcts` share."""

    iterations: int = setting(1_000, "playouts a decision, and a world; 0: as the time allows", least=0)
    time: float = setting(0.0, "thinking time a move; 0s: no limit", is_time=True)
    c: float = setting(1.41, "exploration constant, for win shares in 0..1", least=0)
    first_play: float = setting(math.inf, "value of a move never tried; inf: those first")
    expand: str = setting("one", "nodes added an iteration; all: a new node is left at once", choices=("one", "all"))
    playout: str = setting("random", "the game's policy for playouts, or [minimax:depth=1] or 2")
    cutoff: int = setting(0, "moves after which the evaluation ends a playout; 0: never", least=0)
    evaluation: str = setting("default", "the game's evaluation, for cutoff")
    bias: str = setting("none", "the game's bias towards moves, b/n")
    filter: str = setting("none", "the game's filter of moves worth a look, in the tree")
    reward: str = setting("win", "what a playout is worth: win share, or by the lead too", choices=("win", "margin"))
    final: str = setting("robust", "the move to play", choices=("robust", "max", "robust-max", "secure"))
    secure: float = setting(4.0, "A of the secure child", least=0)
    widening: float = setting(0.0, "w: a node of n visits tries w*sqrt(n) moves; 0: all", least=0)
    threads: int = setting(1, "trees that grow side by side and are added up", least=1)

    def fit(self, game: Game) -> None:
        """The heuristics must exist."""
        find_heuristic(game, "EVALUATIONS", self.evaluation)
        find_heuristic(game, "BIASES", self.bias)
        find_heuristic(game, "FILTERS", self.filter)
        if self.playout != "random" and self.playout not in mcts.GUIDES:
            find_heuristic(game, "PLAYOUTS", self.playout)

    def choose(self, turn: Turn) -> int:
        """The move that the tree recommends."""
        result = mcts.search(turn.state, config=self.config(), rng=turn.rng, should_stop=turn.should_stop)
        turn.report(result)
        return result.action

    def config(self) -> mcts.MctsConfig:
        """The settings as the search takes them: of the same names, but for the limits."""
        names = {f.name for f in fields(mcts.MctsConfig)} & {f.name for f in fields(self)} - {"iterations"}
        iterations = self.iterations if self.iterations or self.time else DEFAULT_ITERATIONS
        return mcts.MctsConfig(
            iterations=iterations, seconds=self.time, **{name: getattr(self, name) for name in sorted(names)}
        )


@dataclass(kw_only=True)
class Mcts(TreeSearch):
    """Monte Carlo tree search: UCT on win shares; over worlds where cards are hidden."""

    worlds: int = setting(0, "worlds dealt, each with its own tree (PIMC); 0: fresh dice each iteration", least=0)
    solve: bool = setting(True, "back up proven wins and losses")

    def fit(self, game: Game) -> None:
        """Secrets need worlds, or information sets."""
        super().fit(game)
        if game.facts.hidden and self.worlds == 0:
            mend = "give worlds=N, such as mcts:worlds=20, or try ismcts"
            raise UnsupportedGameError(f"mcts cannot play {game.name}, which has hidden information: {mend}")


@dataclass(kw_only=True)
class Ismcts(TreeSearch):
    """Information-set MCTS: one tree, hidden cards and dice dealt anew at each iteration."""

    def config(self) -> mcts.MctsConfig:
        """As for `mcts`, with the worlds dealt anew."""
        return replace(super().config(), fresh_worlds=True)
