"""`greedy` as an agent."""

from __future__ import annotations

from dataclasses import dataclass

from meeple.agents.base import Agent, Turn, believed_by
from meeple.core.game import Game
from meeple.core.settings import taken_from
from meeple.errors import ConfigError
from meeple.search import greedy
from meeple.search.greedy import GreedySettings


@dataclass(kw_only=True)
class Greedy(GreedySettings, Agent):
    """Takes the move after which the game's evaluation is best, or the one that a bias of the game's favours."""

    def fit(self, game: Game) -> None:
        """What it names must exist; a belief is about several worlds."""
        super().fit(game)
        if self.belief != "none" and not self.worlds:
            raise ConfigError(f"agent '{self.spec}' has a belief and looks at one world; give worlds=N, such as 20")

    @property
    def wants_history(self) -> bool:  # type: ignore[override]
        """A belief follows from what was seen."""
        return self.belief != "none"

    @property
    def draws_lots(self) -> bool:  # type: ignore[override]
        """Among equals, and for worlds."""
        return self.ties == "random" or self.worlds > 0

    def choose(self, turn: Turn) -> int:
        """The best after one ply."""
        result = greedy.search(
            turn.state,
            config=taken_from(GreedySettings, self, worlds=0 if turn.deterministic else self.worlds),
            rng=turn.rng,
            weights=None if turn.deterministic else believed_by(self.belief, turn),
            should_stop=turn.should_stop,
        )
        turn.report(result)
        return result.action
