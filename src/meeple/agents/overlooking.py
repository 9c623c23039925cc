"""`overlooking`: judges moves as another agent does, but sees only some of them, as a beginner does.

A beginner is no player who now and then makes a random move: of the few moves that come to mind the best is made. So
this agent lets the one behind it judge all moves, overlooks each of them by lot, and plays the best of those it sees.
Where few moves are on offer it sees them all, and a move that wins at once is seldom overlooked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from meeple.agents.base import Agent, Turn
from meeple.agents.registry import load_bracketed
from meeple.core.game import Game
from meeple.core.settings import setting
from meeple.errors import ConfigError
from meeple.search.offer import kept_actions
from meeple.search.result import SearchResult

LOTS = 1 << 31  # a lot is a whole number below this
AT_ONCE = 0.1  # a move that wins at once is overlooked so much less often than others


@dataclass(kw_only=True)
class Overlooking(Agent):
    """Judges moves as another agent does, and plays the best of the few that it sees: sensible, and short of sight."""

    agent: str = setting("[greedy]", "the agent that judges, its spec in brackets; one that ranks moves", names="agent")
    sees: float = setting(4.0, "moves that it sees on average; where no more are on offer, all of them", least=1.0)
    filter: str = setting("none", "the game's filter: what it leaves out never comes to mind", of="FILTERS")

    inner: Agent | None = field(default=None, init=False, repr=False)

    def fit(self, game: Game) -> None:
        """The agent behind it must be able to play the game, and the filter must exist."""
        super().fit(game)
        self.inner = load_bracketed("overlooking", "agent", self.agent, game)
        self.wants_history, self.wants_events = self.inner.wants_history, self.inner.wants_events

    @property
    def behind(self) -> Sequence[Agent]:
        """The agent that judges."""
        return () if self.inner is None else (self.inner,)

    def choose(self, turn: Turn) -> int:
        """The best of the moves that it sees, by the judgement of the agent behind it; equals by lot."""
        judged = self._judged(turn)
        seen = self._seen(turn, judged)
        result = _part_of(judged, seen, _order(judged, turn)[seen])
        turn.report(result)
        return result.action

    def _judged(self, turn: Turn) -> SearchResult:
        if self.inner is None:
            self.fit(turn.state.game)
        assert self.inner is not None
        found: list[SearchResult] = []
        self.inner.choose(replace(turn, progress=None, report=found.append, wants_values=True))
        if not found:
            raise ConfigError(f"'{self.inner.spec}' behind '{self.spec}' does not search: it ranks no moves")
        return found[-1]

    def _seen(self, turn: Turn, judged: SearchResult) -> NDArray[np.int64]:
        """The places of the moves that are seen, ascending; never none."""
        worth = np.flatnonzero(np.isin(judged.actions, kept_actions(turn.state, self.filter)))
        if len(worth) == 0:  # the agent behind it has a filter of its own, and the two share no move
            worth = np.arange(len(judged.actions))
        overlooks = np.full(len(worth), max(0.0, 1.0 - self.sees / len(worth)))
        overlooks[_wins_at_once(turn, judged)[worth]] *= AT_ONCE
        seen = worth[turn.rng.many(LOTS, len(worth)) >= overlooks * LOTS]
        return seen if len(seen) else worth[[turn.rng.below(len(worth))]]


def _wins_at_once(turn: Turn, judged: SearchResult) -> NDArray[np.bool_]:
    """Which moves end the game with `turn.seat` as its only winner; asked of those that are judged as won."""
    found = np.zeros(len(judged.actions), dtype=np.bool_)
    for place in np.flatnonzero((judged.values >= 1.0) | (judged.proofs == 1)):
        after = turn.state.after(int(judged.actions[place]))
        found[place] = after.is_over and after.win_shares()[turn.seat] == 1.0
    return found


def _order(judged: SearchResult, turn: Turn) -> NDArray[np.int64]:
    """The place of each move in the order of the agent that judged, the worst at 0, equals in an order by lot.

    Its own choice is the best. Of the others what is proven comes first, then how often a move was tried (a tree search
    tries most what it likes best, others try all alike), then its value.
    """
    liked = judged.values if judged.preferences is None else judged.preferences
    by_value = np.where(np.isnan(liked), -np.inf, liked)
    is_chosen = judged.actions == judged.action
    lots = turn.rng.many(LOTS, len(by_value))
    ranked = np.lexsort((lots, by_value, judged.visits, np.sign(judged.proofs), is_chosen))
    order = np.empty(len(ranked), dtype=np.int64)
    order[ranked] = np.arange(len(ranked))
    return order


def _part_of(judged: SearchResult, seen: NDArray[np.int64], order: NDArray[np.int64]) -> SearchResult:
    """The result of a search that looked at the moves `seen` alone, and chose the one that is last in the order."""
    return SearchResult.of(
        int(np.argmax(order)),
        judged.actions[seen],
        judged.values[seen],
        judged.visits[seen],
        work=judged.work,
        seconds=judged.seconds,
        proofs=judged.proofs[seen],
        bounds=judged.bounds[seen],
        errors=judged.errors[seen],
        depth=judged.depth,
        preferences=None if judged.preferences is None else judged.preferences[seen],
    )
