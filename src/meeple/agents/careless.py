"""`careless`: another agent that now and then plays as a worse one, for opponents of every strength."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from meeple.agents.base import Agent, Turn
from meeple.agents.registry import load_bracketed
from meeple.core.game import Game
from meeple.core.settings import setting
from meeple.errors import ConfigError


@dataclass(kw_only=True)
class Careless(Agent):
    """Plays as one agent does, but in a share of its decisions as a second one: any move, unless that is named."""

    agent: str = setting("[greedy]", "the agent behind it, its spec in brackets", names="agent")
    share: float = setting(0.2, "of the decisions, those in which the second agent plays", least=0.0)
    slip: str = setting("[random]", "the second agent, its spec in brackets", names="agent")

    inner: tuple[Agent, Agent] | None = field(default=None, init=False, repr=False)

    def fit(self, game: Game) -> None:
        """Both agents must be able to play the game."""
        if self.share > 1:
            raise ConfigError(f"'share' of careless is at most 1, not {self.share:g}")
        first, second = (load_bracketed("careless", key, getattr(self, key), game) for key in ("agent", "slip"))
        self.inner = first, second
        self.wants_history = any(agent.wants_history for agent in self.inner)
        self.wants_events = any(agent.wants_events for agent in self.inner)

    @property
    def behind(self) -> Sequence[Agent]:
        """Both agents."""
        return self.inner or ()

    def choose(self, turn: Turn) -> int | str:
        """The second agent's move in its share, else the first's."""
        if self.inner is None:
            self.fit(turn.state.game)
        assert self.inner is not None
        return self.inner[turn.rng.random() < self.share].choose(turn)
