"""`greedy` as an agent."""

from __future__ import annotations

from dataclasses import dataclass

from meeple.agents.base import Agent, Turn, believed_by
from meeple.core.game import Game
from meeple.core.heuristics import find_heuristic
from meeple.core.settings import setting
from meeple.errors import ConfigError
from meeple.search import greedy


@dataclass(kw_only=True)
class Greedy(Agent):
    """Takes the move after which the game's evaluation is best, or the one that a bias of the game's favours."""

    evaluation: str = setting("default", "the game's evaluation", names="heuristic")
    bias: str = setting("none", "the game's bias towards moves, in place of the evaluation", names="heuristic")
    worlds: int = setting(0, "worlds over which the mean is taken; 0: the one it is handed", least=0, most_on_page=200)
    belief: str = setting(
        "none", "the game's inference from the match so far, which weighs classes of worlds", names="heuristic"
    )
    ties: str = setting("random", "which of equal moves", choices=("random", "first"))

    def fit(self, game: Game) -> None:
        """What it names must exist; a belief is about several worlds."""
        find_heuristic(game, "EVALUATIONS", self.evaluation)
        find_heuristic(game, "BIASES", self.bias)
        if self.belief != "none":
            find_heuristic(game, "INFERENCES", self.belief)
            if not self.worlds:
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
            evaluation=self.evaluation,
            ties=self.ties,
            rng=turn.rng,
            bias=self.bias,
            worlds=0 if turn.is_open else self.worlds,
            weights=None if turn.is_open else believed_by(self.belief, turn),
            should_stop=turn.should_stop,
        )
        turn.report(result)
        return result.action
