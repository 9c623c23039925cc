"""`flat`: flat Monte Carlo as an agent."""

from __future__ import annotations

from dataclasses import dataclass

from meeple.agents.base import Agent, Turn
from meeple.core.game import Game
from meeple.core.settings import setting
from meeple.search import flat
from meeple.search.control import need_cpu_clock

DEFAULT_PLAYOUTS = 200  # where no limit is given


@dataclass(kw_only=True)
class Flat(Agent):
    """Plays every move out at random so many times, each time in a freshly redealt world, and takes the best."""

    playouts: int = setting(
        DEFAULT_PLAYOUTS, "random games for each legal move; 0: as the time allows", least=0, most_on_page=5_000
    )
    time: float = setting(0.0, "thinking time a move; 0s: no limit", is_time=True)
    cpu: float = setting(0.0, "CPU time of the thinking thread a move; 0s: no limit", is_time=True)

    def fit(self, game: Game) -> None:
        """It plays every game."""
        need_cpu_clock(self.cpu)

    def choose(self, turn: Turn) -> int:
        """The move whose random games went best."""
        playouts = self.playouts if self.playouts or self.time or self.cpu else DEFAULT_PLAYOUTS
        config = flat.FlatConfig(playouts=playouts, seconds=turn.within(self.time), cpu=self.cpu, is_open=turn.is_open)
        result = flat.search(turn.state, config=config, rng=turn.rng, should_stop=turn.should_stop)
        turn.report(result)
        return result.action
