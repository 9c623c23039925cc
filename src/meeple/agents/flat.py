"""`flat`: flat Monte Carlo as an agent."""

from __future__ import annotations

from dataclasses import dataclass

from meeple.agents.base import Agent, Turn, setting
from meeple.search import flat


@dataclass(kw_only=True)
class Flat(Agent):
    """Plays every move out at random so many times, each time in a freshly redealt world, and takes the best."""

    playouts: int = setting(200, "random games for each legal move", least=1, most_on_page=5_000)

    def choose(self, turn: Turn) -> int:
        """The move whose random games went best."""
        config = flat.FlatConfig(playouts=self.playouts, is_open=turn.is_open)
        result = flat.search(turn.state, config=config, rng=turn.rng, should_stop=turn.should_stop)
        turn.report(result)
        return result.action
