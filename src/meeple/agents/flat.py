"""`flat`: flat Monte Carlo as an agent."""

from __future__ import annotations

from dataclasses import dataclass

from meeple.agents.base import Agent, Turn
from meeple.core.game import Game
from meeple.core.settings import taken_from
from meeple.search import flat
from meeple.search.control import need_cpu_clock
from meeple.search.flat import DEFAULT_PLAYOUTS, FlatConfig, FlatSettings


@dataclass(kw_only=True)
class Flat(FlatSettings, Agent):
    """Plays every move out at random so many times, each time in a freshly redealt world, and takes the best."""

    def fit(self, game: Game) -> None:
        """It plays every game."""
        super().fit(game)
        need_cpu_clock(self.cpu)

    def choose(self, turn: Turn) -> int:
        """The move whose random games went best."""
        playouts = self.playouts if self.playouts or self.time or self.cpu else DEFAULT_PLAYOUTS
        time, deterministic = turn.within(self.time), turn.deterministic
        config = taken_from(FlatConfig, self, playouts=playouts, time=time, deterministic=deterministic)
        result = flat.search(turn.state, config=config, rng=turn.rng, should_stop=turn.should_stop)
        turn.report(result)
        return result.action
