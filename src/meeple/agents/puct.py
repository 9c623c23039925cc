"""`puct` as an agent."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from meeple.agents.base import Agent, Turn, believed_by
from meeple.agents.mcts import DEFAULT_ITERATIONS, Kept, regrown
from meeple.core.game import Game
from meeple.core.heuristics import find_heuristic
from meeple.core.settings import taken_from
from meeple.errors import ConfigError, UnsupportedGameError
from meeple.search import mcts
from meeple.search.control import need_cpu_clock
from meeple.search.tree.settings import MctsConfig, PuctSettings, without_chance

LEAST_ITERATIONS = 2  # the first opens the root, the second tries a move


@dataclass(kw_only=True)
class Puct(PuctSettings, Agent):
    """Tree search by what an evaluation, such as a trained model, says of leaves and moves; no playouts."""

    kept: dict[int, Kept] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def wants_history(self) -> bool:  # type: ignore[override]
        """A kept tree is walked by the moves made since; a belief follows from what was seen."""
        return self.reuse or self.belief != "none"

    def fit(self, game: Game) -> None:
        """What it names must exist; a tree is kept where all moves are open and there is one tree."""
        super().fit(game)
        need_cpu_clock(self.cpu)
        if self.belief != "none" and not self.strata:
            raise ConfigError(f"agent '{self.spec}' has a belief about classes of worlds: leave strata=no out")
        if self.prior == "policy" and find_heuristic(game, "EVALUATIONS", self.evaluation).policy is None:
            raise ConfigError(f"agent '{self.spec}' takes its priors from a policy: give a model that has one")
        if self.reuse and (game.facts.hidden or (self.threads > 1 and self.parallel == "root")):
            raise UnsupportedGameError(
                f"'{self.spec}' cannot play {game.name} so: reuse keeps one tree of a game without secrets"
            )

    def choose(self, turn: Turn) -> int:
        """The move that the tree recommends."""
        config = self.config_for(turn)
        grown = None
        if self.reuse:
            grown = regrown(self.kept.pop(turn.seat, None), turn) or mcts.plant(turn.state, config, turn.rng)[0]
        result = mcts.search(
            turn.state,
            config=config,
            rng=turn.rng,
            should_stop=turn.should_stop,
            on_progress=turn.progress,
            grown=grown,
            weights=believed_by(self.belief, turn),
        )
        if grown is not None:
            self.kept[turn.seat] = Kept(turn.seen or (), grown)
        turn.report(result)
        return result.action

    def config_for(self, turn: Turn) -> MctsConfig:
        """The settings for this turn, within the match's limit; in the deterministic version for the true world."""
        config = self.config(turn.state.game)
        if turn.seconds is not None:  # a limit, so that there is no need of a usual one
            config = replace(config, time=turn.within(self.time), iterations=self._iterations)
        return without_chance(config) if turn.deterministic else config

    def config(self, game: Game) -> MctsConfig:
        """The settings as the search takes them; without any limit, the usual number of iterations."""
        has_limit = self.iterations or self.time or self.cpu
        return taken_from(
            MctsConfig,
            self,
            is_puct=True,
            priors=self.prior,
            prior="none",  # that of `mcts` is another
            iterations=self._iterations if has_limit else DEFAULT_ITERATIONS,
            fresh_worlds=game.facts.hidden,
        )

    @property
    def _iterations(self) -> int:
        return max(self.iterations, LEAST_ITERATIONS) if self.iterations else 0
