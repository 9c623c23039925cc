"""`alphabeta` (and `minimax`, the papers' word for it) as an agent."""

from __future__ import annotations

from dataclasses import dataclass

from meeple.agents.base import Agent, Turn
from meeple.core.game import Game
from meeple.core.settings import check_heuristics, taken_from
from meeple.errors import ConfigError, UnsupportedGameError
from meeple.search import alphabeta, maxn, worlds
from meeple.search.alphabeta import DEFAULT_NODES, AlphaBetaConfig, AlphaBetaSettings
from meeple.search.control import need_cpu_clock
from meeple.search.result import SearchResult

TWO = 2  # seats, for what knows only the own side and the other


@dataclass(kw_only=True)
class AlphaBeta(AlphaBetaSettings, Agent):
    """Looks some plies ahead with alpha-beta and an evaluation of the game's."""

    @property
    def draws_lots(self) -> bool:  # type: ignore[override]
        """Only worlds are dealt."""
        return self.worlds > 0

    def fit(self, game: Game) -> None:
        """Chance and secrets need worlds; the heuristics must exist, and so must a file of weights."""
        super().fit(game)
        need_cpu_clock(self.cpu)
        check_heuristics(taken_from(AlphaBetaConfig, self), game)  # the evaluation by the weights of `config`
        if self.tempo > 0 and game.seats != TWO:
            raise ConfigError(f"'{self.spec}': tempo is for two seats in turn, and {game.spec} has {game.seats}")
        if (game.facts.chance or game.facts.hidden) and self.worlds == 0:
            what = "hidden information" if game.facts.hidden else "chance"
            name = self.spec.partition(":")[0] or "alphabeta"
            mend = f"give worlds=N, such as {name}:depth=2,worlds=20, or try ismcts"
            raise UnsupportedGameError(f"{name} cannot play {game.name}, which has {what}: {mend}")

    def choose(self, turn: Turn) -> int:
        """The best move found within the limits."""
        seconds = turn.within(self.time)
        has_limit = bool(self.depth or self.nodes or seconds or self.cpu)
        config = taken_from(
            AlphaBetaConfig,
            self,
            nodes=self.nodes if has_limit else DEFAULT_NODES,
            time=seconds,
            worlds=0 if turn.deterministic else self.worlds,
            exact=self.exact or turn.wants_values,
            all_moves=turn.wants_values,
        )
        result = _search(turn, config)
        turn.report(result)
        return result.action


def _search(turn: Turn, config: AlphaBetaConfig) -> SearchResult:
    """By the search that the settings ask for: max-n, over worlds, or plain."""
    state, stop = turn.state, turn.should_stop
    if config.others == "maxn" and state.game.seats > 2:
        return maxn.search(state, config=config, rng=turn.rng, should_stop=stop)
    if config.worlds:
        return worlds.search(state, config=config, rng=turn.rng, should_stop=stop, on_progress=turn.progress)
    return alphabeta.search(state, config=config, should_stop=stop, on_progress=turn.progress)
