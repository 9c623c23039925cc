"""The strength of a model while it learns: a match against an agent that stays the same."""

from __future__ import annotations

from dataclasses import dataclass

from meeple.arena.series import play_series, prepare
from meeple.arena.statistics import Interval
from meeple.arena.workers import MakesCrew
from meeple.core.game import Game
from meeple.errors import AgentError


@dataclass(frozen=True)
class Yardstick:
    """An agent to be measured by, and how often."""

    against: str  # a spec; beyond two seats it takes all other seats
    games: int = 40
    looks: int = 5  # besides the one before the first step
    seed: int = 1
    crew_for: MakesCrew | None = None  # makes another crew than this process, as for `play_tournament`

    def wants(self, done: int, total: int) -> bool:
        """Whether the strength after `done` of `total` steps is to be measured."""
        return done in {total * look // self.looks for look in range(self.looks + 1)}

    def check(self, game: Game) -> None:
        """Raise ConfigError where the agent cannot play this game."""
        prepare(game, [self.against] * game.seats, games=self.games, seed=self.seed)

    def measure(self, game: Game, player: str) -> Interval:
        """The share of `player` against the others, with every seed in all seatings."""
        agents = [player, *[self.against] * (game.seats - 1)]
        plan = prepare(game, agents, games=self.games, seed=self.seed)
        result = play_series(plan, workers=0, crew_for=self.crew_for)
        if result.was_stopped:
            raise KeyboardInterrupt
        if result.fault:
            raise AgentError(result.fault)
        return result.interval(0)
