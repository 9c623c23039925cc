"""By what games are looked at beyond the rules: who leads, which moves are worth a look, what else a game counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from meeple.agents.base import Agent
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
    """The judge of who leads, a filter of moves, and the game's metrics.

    They look at the true world, after the game: they are measures of it, and reach no agent.
    """

    judge: str = SCORE  # or an evaluation's name, or '' where the game has neither
    evaluation: Heuristic | None = None
    filter: str = ""  # of the game's, or `own`: what each agent considers; empty: all moves count
    agents: tuple[Agent | None, ...] = ()  # with `own`, by number; None: one that is not there any more
    metrics: dict[str, Heuristic] = field(default_factory=dict)  # what the game counts besides its score
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

    def kept(self, state: State, agent: int, offered: int, ply: int) -> int:
        """How many moves the filter leaves of those on offer, or the agent considers."""
        if self.filter != OWN:
            return offered if self.filter in ("", "none") else len(kept_actions(state, self.filter))
        asked = self.agents[agent]
        if asked is None:
            return offered
        is_secret = state.game.facts.hidden  # an agent is shown no more than its seat may know, not even now
        return len(asked.considered(state.redealt(state.to_move, Stream(ply)) if is_secret else state))

    def counted(self, state: State) -> list[list[int]]:
        """What each seat has by each of the game's metrics."""
        seats = range(state.game.seats)
        return [[int(each(state.record, np.int64(seat))) for seat in seats] for each in self.metrics.values()]


def make_lens(game: Game, agents: Sequence[str], *, judge: str = "", filter: str = "", samples: int = 0) -> Lens:
    """Find a judge and the filters by name.

    `judge`: `score`, or an evaluation of the game's; by default the running score where the game has one, else its
    first evaluation. `filter`: a filter of the game's for everyone, or `own`: of each agent's moves those it considers.

    Raises:
        ConfigError: the game has no such evaluation or filter.
    """
    asked = tuple(_loaded(spec, game) for spec in agents) if filter == OWN else ()
    if filter not in ("", OWN):
        find_heuristic(game, "FILTERS", filter)
    if not judge:
        names = [name for name in heuristics_of(game, "EVALUATIONS") if name != "none"]
        judge = SCORE if has_running_score(game) else next(iter(names), "")
    evaluation = None if judge in (SCORE, "") else find_heuristic(game, "EVALUATIONS", judge)
    return Lens(judge, evaluation, filter, asked, heuristics_of(game, "METRICS"), samples)


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


def _loaded(spec: str, game: Game) -> Agent | None:
    """An agent; None where it is not there any more."""
    try:
        return load_agent(spec, game)
    except MeepleError:
        return None
