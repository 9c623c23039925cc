"""`expectimax` as an agent."""

from __future__ import annotations

from dataclasses import dataclass

from meeple.agents.base import Agent, Turn
from meeple.core.game import Game
from meeple.core.settings import taken_from
from meeple.errors import UnsupportedGameError
from meeple.search import expectimax
from meeple.search.control import need_cpu_clock
from meeple.search.expectimax import ExpectimaxConfig, ExpectimaxSettings


@dataclass(kw_only=True)
class Expectimax(ExpectimaxSettings, Agent):
    """Looks some decisions ahead and takes the mean over dice and draws."""

    @property
    def draws_lots(self) -> bool:  # type: ignore[override]
        """Only worlds are dealt."""
        return self.worlds > 0

    def fit(self, game: Game) -> None:
        """Secrets need worlds, or a game that offers beliefs."""
        super().fit(game)
        need_cpu_clock(self.cpu)
        if game.facts.hidden and self.worlds == 0 and not hasattr(game.definition.rules, "suppose"):
            mend = "give worlds=N, such as expectimax:worlds=10, or try ismcts"
            raise UnsupportedGameError(f"expectimax cannot play {game.name}, which has hidden information: {mend}")

    def choose(self, turn: Turn) -> int:
        """The move with the best mean."""
        config = taken_from(
            ExpectimaxConfig,
            self,
            time=turn.within(self.time),
            deterministic=turn.deterministic,
            all_moves=turn.wants_values,
        )
        result = expectimax.search(
            turn.state, config=config, rng=turn.rng, should_stop=turn.should_stop, on_progress=turn.progress
        )
        turn.report(result)
        return result.action
