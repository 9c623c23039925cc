"""`expectimax` as an agent."""

from __future__ import annotations

from dataclasses import dataclass

from meeple.agents.base import Agent, Turn
from meeple.core.game import Game
from meeple.core.heuristics import find_heuristic
from meeple.core.settings import setting
from meeple.errors import UnsupportedGameError
from meeple.search import expectimax
from meeple.search.control import need_cpu_clock


@dataclass(kw_only=True)
class Expectimax(Agent):
    """Looks some decisions ahead and takes the mean over dice and draws."""

    depth: int = setting(2, "decisions looked ahead", least=1, most_on_page=6)
    nodes: int = setting(0, "positions looked at; 0: no limit", least=0, most_on_page=20_000_000)
    time: float = setting(0.0, "thinking time a move; 0s: no limit", is_time=True)
    cpu: float = setting(0.0, "CPU time of the thinking thread a move; 0s: no limit", is_time=True)
    evaluation: str = setting("default", "the game's evaluation of unfinished positions", names="heuristic")
    filter: str = setting("none", "the game's filter of moves worth a look", names="heuristic")
    rivals: str = setting("against", "a rival's move: the worst for us, or its own best", choices=("against", "own"))
    belief: str = setting("default", "the game's weights of what a rival may hold", names="heuristic")
    pruning: str = setting("star1", "what is left out of the tree; the value is the same", choices=expectimax.PRUNINGS)
    worlds: int = setting(0, "dealt hands to average over, for games with secrets", least=0, most_on_page=50)

    @property
    def draws_lots(self) -> bool:  # type: ignore[override]
        """Only worlds are dealt."""
        return self.worlds > 0

    def fit(self, game: Game) -> None:
        """Secrets need worlds, or a game that offers beliefs."""
        need_cpu_clock(self.cpu)
        find_heuristic(game, "EVALUATIONS", self.evaluation)
        find_heuristic(game, "FILTERS", self.filter)
        if self.belief != "default":
            find_heuristic(game, "BELIEFS", self.belief)
        if game.facts.hidden and self.worlds == 0 and not hasattr(game.definition.rules, "suppose"):
            mend = "give worlds=N, such as expectimax:worlds=10, or try ismcts"
            raise UnsupportedGameError(f"expectimax cannot play {game.name}, which has hidden information: {mend}")

    def choose(self, turn: Turn) -> int:
        """The move with the best mean."""
        config = expectimax.ExpectimaxConfig(
            depth=self.depth,
            nodes=self.nodes,
            seconds=turn.within(self.time),
            cpu=self.cpu,
            evaluation=self.evaluation,
            filter=self.filter,
            rivals=self.rivals,
            belief=self.belief,
            pruning=self.pruning,
            worlds=max(1, self.worlds),
            is_open=turn.is_open,
            all_moves=turn.wants_values,
        )
        result = expectimax.search(
            turn.state, config=config, rng=turn.rng, should_stop=turn.should_stop, on_progress=turn.progress
        )
        turn.report(result)
        return result.action
