"""`careless`: another agent that now and then plays any move, for opponents of every strength."""

from __future__ import annotations

from dataclasses import dataclass, field

from meeple.agents.base import Agent, Turn, setting
from meeple.core.game import Game
from meeple.errors import ConfigError


@dataclass(kw_only=True)
class Careless(Agent):
    """Plays as another agent does, but in a share of its decisions any legal move."""

    agent: str = setting("[greedy]", "the agent behind it, its spec in brackets")
    share: float = setting(0.2, "of the decisions, those in which any move is played", least=0.0)

    inner: Agent | None = field(default=None, init=False, repr=False)

    def fit(self, game: Game) -> None:
        """The agent behind it must be able to play the game."""
        from meeple.agents.registry import load_agent

        if not self.agent.startswith("[") or not self.agent.endswith("]"):
            raise ConfigError(f"'agent' of careless takes a spec in brackets, such as [greedy], not '{self.agent}'")
        if self.share > 1:
            raise ConfigError(f"'share' of careless is at most 1, not {self.share:g}")
        self.inner = load_agent(self.agent[1:-1], game)
        self.wants_history = self.inner.wants_history

    def choose(self, turn: Turn) -> int | str:
        """Any move, or the other agent's."""
        if self.inner is None:
            self.fit(turn.state.game)
        assert self.inner is not None
        if turn.rng.random() < self.share:
            return int(turn.rng.choice(turn.state.legal_actions()))
        return self.inner.choose(turn)
