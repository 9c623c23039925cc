"""Candidates play: every seed with the candidate in each seat in turn, against each opponent.

All candidates play the same seeds, so that two of them are compared by pairs of equal deals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from meeple.arena.conditions import Conditions
from meeple.arena.schedule import GameKey, Lineup
from meeple.arena.statistics import Interval, bootstrap_interval, measure, score_interval
from meeple.arena.store import StoredGame
from meeple.arena.workers import AnyCrew, Job, MakesCrew, Setup, local_crew
from meeple.core.forfeit import HEAD
from meeple.core.game import Game
from meeple.errors import AgentError, ConfigError

OBJECTIVES = {"share": "score", "points": "points", "margin": "margin"}  # by their names here: the metric


@dataclass(frozen=True, kw_only=True)
class Contest:
    """What a candidate is measured by: the game, who sits at the other seats, and what counts."""

    game: Game
    against: tuple[str, ...]  # each takes all other seats in games of its own; none where the game is for one
    objective: str = "share"
    conditions: Conditions = field(default_factory=Conditions)

    def __post_init__(self) -> None:
        if self.game.seats == 1 and (self.against or self.objective != "points"):
            raise ConfigError(f"{self.game.spec} has one seat: it takes --objective points, and nobody --against")

    @property
    def games_a_set(self) -> int:
        """Games of one seed."""
        return self.game.seats * max(1, len(self.against))

    def sets_for(self, games: int) -> int:
        """How many seeds give at least so many games."""
        return max(1, math.ceil(games / self.games_a_set))

    def interval(self, values: Sequence[float]) -> Interval:
        """The mean of sets with its interval."""
        return score_interval(values) if self.objective == "share" else bootstrap_interval(values)


class SetsOfGames:
    """A source of jobs for a crew: the games of one candidate, agent 0, on some seeds; opponents are 1, 2, ..."""

    def __init__(self, contest: Contest, seeds: Sequence[int]) -> None:
        self.contest, self.seeds = contest, list(seeds)
        self._measured: dict[GameKey, float] = {}
        self._waiting = [job for number in range(len(self.seeds)) for job in self._set(number)][::-1]
        self._wanted = len(self._waiting)

    def _set(self, number: int) -> list[Job]:
        seats = self.contest.game.seats
        jobs = []
        for rival in range(1, 1 + max(1, len(self.contest.against))):
            for place in range(seats):
                key = GameKey(Lineup(0, (0, rival)), number, place)
                seated = tuple(0 if seat == place else rival for seat in range(seats))
                jobs.append(Job(key, self.seeds[number], seated))
        return jobs

    @property
    def is_done(self) -> bool:
        """Whether all games are over."""
        return len(self._measured) == self._wanted

    def take(self, most: int) -> list[Job]:
        """Return the next jobs."""
        return [self._waiting.pop() for _ in range(min(most, len(self._waiting)))]

    def give_back(self, jobs: list[Job]) -> None:
        """Take back jobs that were handed out and not played."""
        self._waiting += jobs[::-1]

    def add(self, game: StoredGame) -> None:
        """Enter a game: what it was worth to the candidate, whose seat is the seating's number."""
        seat = game.key.seating
        self._measured[game.key] = measure(OBJECTIVES[self.contest.objective], game.shares, game.scores, seat)

    def means(self) -> list[float]:
        """The mean of each set, added up in the order of its jobs, whichever ended first."""
        return [
            math.fsum(self._measured[job.key] for job in self._set(number)) / self.contest.games_a_set
            for number in range(len(self.seeds))
        ]


class Stage:
    """Where candidates play, one after the other: workers that stay, or with 0 of them this process.

    `crew_for` makes another crew than that of this machine (ray_crew.py); `is_current` tells whether the code is still
    what played before.
    """

    def __init__(
        self,
        contest: Contest,
        workers: int = 0,
        *,
        crew_for: MakesCrew | None = None,
        is_current: Callable[[], bool] = lambda: True,
    ) -> None:
        self.contest, self.is_current = contest, is_current
        self._makes = crew_for or local_crew(workers)
        self._held = ExitStack()
        self._crew: AnyCrew | None = None
        self._setup: Setup | None = None

    def __enter__(self) -> Stage:
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def play(
        self,
        candidate: str,
        seeds: Sequence[int],
        *,
        contest: Contest | None = None,
        on_games: Callable[[int], None] = lambda games: None,
    ) -> list[float]:
        """Return what each seed was worth to the candidate: the mean of its games, by the contest's objective.

        `contest`: another one of the same game. `on_games` hears of how many games have ended since it was called last.

        Raises:
            AgentError: an agent failed; nothing is known of its candidate then.
        """
        contest = contest or self.contest
        self._prepare((candidate, *contest.against))
        assert self._crew is not None
        source = SetsOfGames(contest, seeds)
        for games in self._crew.play(source):
            for game in games:
                if game.at_fault is not None:
                    raise AgentError(f"'{candidate}' cannot be measured: {game.reason.removeprefix(HEAD)}")
                source.add(game)
            on_games(len(games))
        return source.means()

    def _prepare(self, agents: tuple[str, ...]) -> None:
        """Have a crew for these agents: the one that is there, or the first."""
        contest = self.contest
        setup = Setup(game=contest.game.origin, agents=agents, conditions=contest.conditions, keeps="results")
        if setup == self._setup:
            return
        if self._crew is None:
            self._crew = self._held.enter_context(self._makes(setup, self.is_current))
        else:
            self._crew.change(setup)
        self._setup = setup
