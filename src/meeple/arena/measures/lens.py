"""By what games are looked at beyond the rules: who leads by which word, and which moves a filter leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from meeple.agents.registry import load_agent
from meeple.core.chance import Stream
from meeple.core.game import Game, State
from meeple.core.heuristics import Heuristic, find_heuristic, heuristics_of
from meeple.core.world_count import count_worlds
from meeple.errors import MeepleError
from meeple.search.offer import kept_actions

SCORE = "score"  # the judge that goes by the running score
OWN = "own"  # for each agent the filter that its settings name
PROBES = 4  # random games by which is found out whether a game has a running score


@dataclass(frozen=True)
class Lens:
    """The judge of who leads, and a filter for each agent.

    Both look at the true world, after the game: they are measures of it, and reach no agent.
    """

    judge: str = SCORE  # or an evaluation's name, or '' where the game has neither
    evaluation: Heuristic | None = None
    filters: tuple[str, ...] = ()  # by the agent's number; empty: all moves count
    samples: int = 0  # redeals by which worlds are counted where the game cannot tell their number; 0: not at all

    def judged(self, state: State, points: Sequence[int]) -> list[float]:
        """How each seat stands: its points, or what the evaluation says; a finished game's returns."""
        if self.evaluation is None:
            return [float(value) for value in points]
        if state.is_over:
            return state.returns()
        return [float(self.evaluation(state.record, np.int64(seat))) for seat in range(state.game.seats)]

    def worlds(self, state: State, seat: int, ply: int) -> float:
        """How many worlds fit what the seat knows; infinite where that is not known, by a stream of the ply's own."""
        return count_worlds(state, seat, Stream(ply), self.samples).value

    def kept(self, state: State, agent: int, offered: int) -> int:
        """How many moves the agent's filter leaves of those on offer."""
        name = self.filters[agent] if self.filters else "none"
        return offered if name == "none" else len(kept_actions(state, name))


def make_lens(game: Game, agents: Sequence[str], *, judge: str = "", filter: str = "", samples: int = 0) -> Lens:
    """Find a judge and the filters by name.

    `judge`: `score`, or an evaluation of the game's; by default the running score where the game has one, else its
    first evaluation. `filter`: a filter of the game's for everyone, or `own`: for each agent the one it plays with.

    Raises:
        ConfigError: the game has no such evaluation or filter.
    """
    filters: tuple[str, ...] = ()
    if filter == OWN:
        filters = tuple(_filter_of(spec, game) for spec in agents)
    elif filter:
        find_heuristic(game, "FILTERS", filter)
        filters = (filter,) * len(agents)
    if not judge:
        names = [name for name in heuristics_of(game, "EVALUATIONS") if name != "none"]
        judge = SCORE if has_running_score(game) else next(iter(names), "")
    evaluation = None if judge in (SCORE, "") else find_heuristic(game, "EVALUATIONS", judge)
    return Lens(judge, evaluation, filters, samples)


def has_running_score(game: Game) -> bool:
    """Whether some seat has points before the end of one of a few random games of fixed seeds."""
    from meeple.core.chance import rng_for

    for seed in range(PROBES):
        state, rng = game.new(seed=seed).settled(), rng_for("running-score", seed=seed)
        while not state.is_over:
            if any(state.score(seat) for seat in range(game.seats)):
                return True
            state = state.after(int(rng.choice(state.legal_actions()))).settled()
    return False


def _filter_of(spec: str, game: Game) -> str:
    """The filter that an agent plays with; `none` where it has none, or is not there any more."""
    try:
        agent = load_agent(spec, game)
    except MeepleError:
        return "none"
    return str(getattr(agent, "filter", "none"))
