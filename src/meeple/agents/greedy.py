"""`greedy` as an agent."""

from __future__ import annotations

from dataclasses import dataclass

from meeple.agents.base import Agent, Turn, setting
from meeple.core.game import Game
from meeple.core.heuristics import find_heuristic
from meeple.search import greedy


@dataclass(kw_only=True)
class Greedy(Agent):
    """Takes the move after which the game's evaluation is best."""

    evaluation: str = setting("default", "the game's evaluation")
    ties: str = setting("random", "which of equal moves", choices=("random", "first"))

    def fit(self, game: Game) -> None:
        """The evaluation must exist."""
        find_heuristic(game, "EVALUATIONS", self.evaluation)

    @property
    def draws_lots(self) -> bool:  # type: ignore[override]
        """Among equals."""
        return self.ties == "random"

    def choose(self, turn: Turn) -> int:
        """The best after one ply."""
        result = greedy.search(turn.state, evaluation=self.evaluation, ties=self.ties, rng=turn.rng)
        turn.report(result)
        return result.action
