"""`alphabeta` (and `minimax`, the papers' word for it) as an agent."""

from __future__ import annotations

from dataclasses import dataclass

from meeple.agents.base import Agent, Turn
from meeple.core.game import Game
from meeple.core.heuristics import find_heuristic
from meeple.core.settings import setting
from meeple.errors import UnsupportedGameError
from meeple.search import alphabeta, maxn, worlds
from meeple.search.control import need_cpu_clock

DEFAULT_NODES = 200_000  # where no limit is given


@dataclass(kw_only=True)
class AlphaBeta(Agent):
    """Looks some plies ahead with alpha-beta and an evaluation of the game's."""

    depth: int = setting(0, "plies looked ahead; 0: as the other limits allow", least=0, most_on_page=12)
    nodes: int = setting(
        0, f"positions looked at; 0: no limit ({DEFAULT_NODES:,} if none is given)", least=0, most_on_page=20_000_000
    )
    time: float = setting(0.0, "thinking time a move; 0s: no limit", is_time=True)
    cpu: float = setting(0.0, "CPU time of the thinking thread a move; 0s: no limit", is_time=True)
    worlds: int = setting(0, "worlds to average over, for games with chance or secrets", least=0, most_on_page=50)
    evaluation: str = setting("default", "the game's evaluation of unfinished positions", names="heuristic")
    config: str = setting("", "a JSON file of weights for the evaluation", names="file")
    ordering: str = setting("default", "the game's order of moves", names="heuristic")
    filter: str = setting("none", "the game's filter of moves worth a look", names="heuristic")
    horizon: str = setting("depth", "also stop where the booklet's round ends", choices=("depth", "round"))
    others: str = setting(
        "paranoid", "beyond two seats: all against one, or each for itself", choices=("paranoid", "maxn")
    )
    table: bool = setting(True, "keep a transposition table")
    exact: bool = setting(True, "over worlds: exact values of all root moves, not bounds for all but the best")

    @property
    def draws_lots(self) -> bool:  # type: ignore[override]
        """Only worlds are dealt."""
        return self.worlds > 0

    def fit(self, game: Game) -> None:
        """Chance and secrets need worlds; the heuristics must exist."""
        need_cpu_clock(self.cpu)
        find_heuristic(game, "EVALUATIONS", self.weighted)
        find_heuristic(game, "ORDERINGS", self.ordering)
        find_heuristic(game, "FILTERS", self.filter)
        if (game.facts.chance or game.facts.hidden) and self.worlds == 0:
            what = "hidden information" if game.facts.hidden else "chance"
            name = self.spec.partition(":")[0] or "alphabeta"
            mend = f"give worlds=N, such as {name}:depth=2,worlds=20, or try ismcts"
            raise UnsupportedGameError(f"{name} cannot play {game.name}, which has {what}: {mend}")

    @property
    def weighted(self) -> str:
        """The evaluation, with its file of weights if there is one."""
        return f"{self.evaluation}@{self.config}" if self.config else self.evaluation

    def choose(self, turn: Turn) -> int:
        """The best move found within the limits."""
        seconds = turn.within(self.time)
        has_limit = bool(self.depth or self.nodes or seconds or self.cpu)
        config = alphabeta.AlphaBetaConfig(
            depth=self.depth,
            nodes=self.nodes if has_limit else DEFAULT_NODES,
            seconds=seconds,
            cpu=self.cpu,
            evaluation=self.weighted,
            ordering=self.ordering,
            filter=self.filter,
            horizon=self.horizon,
            table=self.table,
            exact=self.exact or turn.wants_values,
            all_moves=turn.wants_values,
        )
        state, stop = turn.state, turn.should_stop
        n_worlds = 0 if turn.is_open else self.worlds
        if self.others == "maxn" and state.game.seats > 2:
            result = maxn.search(state, worlds=n_worlds, config=config, rng=turn.rng, should_stop=stop)
        elif n_worlds:
            result = worlds.search(
                state, worlds=n_worlds, config=config, rng=turn.rng, should_stop=stop, on_progress=turn.progress
            )
        else:
            result = alphabeta.search(state, config=config, should_stop=stop, on_progress=turn.progress)
        turn.report(result)
        return result.action
