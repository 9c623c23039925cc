"""A series: one lineup, every seed with all exchanges of seats, in memory; `meeple match` plays it.

It is a small tournament without a store. Unlike a tournament it ends where an agent fails, since whoever is writing one
wants to see that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from meeple.agents.registry import shown_names
from meeple.arena.adaptive import Adaptive
from meeple.arena.conditions import Conditions
from meeple.arena.sentence import elo_words, more_words
from meeple.arena.sprt import Sprt
from meeple.arena.statistics import CONFIDENCE, Interval, elo, score_interval
from meeple.arena.store import StoredGame
from meeple.arena.tournament import Ledger, Standing, Tournament, play_tournament, prepare_tournament
from meeple.arena.workers import MakesCrew
from meeple.core.forfeit import HEAD
from meeple.core.game import Game
from meeple.core.record import free_path, parse_record, save_record
from meeple.errors import ConfigError, SaveError


def prepare(
    game: Game,
    agents: Sequence[str],
    *,
    games: int,
    seed: int,
    openings: str = "random",
    conditions: Conditions | None = None,
    sprt: Sprt | None = None,
    adaptive: Adaptive | None = None,
    untrusted: bool = False,
) -> Tournament:
    """Check everything, as `prepare_tournament` does, for one lineup; `games` are rounded up to whole sets."""
    if len(agents) != game.seats:
        raise ConfigError(f"{game.spec} wants {game.seats} agents, one a seat, not {len(agents)}")
    return prepare_tournament(
        game,
        agents,
        games=games,
        seed=seed,
        both=True,
        schedule="table",
        conditions=conditions,
        openings=openings,
        sprt=sprt,
        adaptive=adaptive,
        keeps="courses",
        untrusted=untrusted,
    )


def heading(series: Tournament) -> str:
    """What is about to be played, in a line."""
    names = ", ".join(series.agents)
    plan = (
        f"{series.games_a_lineup} games, {series.sets} seeds from {series.seed} with {series.games_a_set} seatings each"
    )
    return f"{series.game.spec}: {names}; {plan}"


@dataclass
class SeriesResult:
    """The score so far."""

    series: Tournament
    ledger: Ledger
    outcomes: list[Counter[str]] = field(default_factory=list)  # for each agent: win, draw, loss
    courses: Counter[bytes] = field(default_factory=Counter)
    games_played: int = 0
    was_stopped: bool = False
    fault: str = ""  # of an agent that failed and ended the series

    def __post_init__(self) -> None:
        self.outcomes = [Counter() for _ in self.series.agents]

    def add(self, game: StoredGame) -> None:
        """Count one game that is over."""
        self.games_played += 1
        self.courses[game.course] += 1
        for agent, share in zip(self.series.schedule.seated(game.key), game.shares, strict=True):
            self.outcomes[agent]["win" if share == 1 else "loss" if share == 0 else "draw"] += 1

    @property
    def standing(self) -> Standing:
        """The sets of the one table."""
        return next(iter(self.ledger.standings.values()))

    @property
    def set_scores(self) -> list[list[float]]:
        """For each whole set, each agent's mean win share."""
        return [list(scores) for scores in zip(*(self.standing.scores(i) for i in self._numbers), strict=True)]

    @property
    def _numbers(self) -> range:
        return range(len(self.series.agents))

    def interval(self, agent: int) -> Interval:
        """The win share of an agent over the whole sets."""
        return score_interval(self.standing.scores(agent))

    def rows(self) -> list[list[object]]:
        """A row an agent: score, interval, Elo against the table, wins, draws, losses."""
        rows: list[list[object]] = []
        is_known = self.standing.counted > 0
        for number, agent in enumerate(shown_names(self.series.agents, self.series.game)):
            found, counts = self.interval(number), self.outcomes[number]
            rating = _elo_text(found) if self.series.game.seats == 2 and is_known else "-"
            score = f"{found.mean:.3f}" if is_known else "-"
            span = f"{found.low:.3f} .. {found.high:.3f}" if is_known else "-"
            rows.append([agent, score, span, rating, counts["win"], counts["draw"], counts["loss"]])
        return rows

    def remarks(self) -> list[str]:
        """What a reader must know to trust the table."""
        lines = []
        if self.was_stopped or self.fault:
            played = f"{self.games_played} of {self.ledger.games_wanted} games"
            lines.append(f"stopped after {played}; the score counts whole sets only")
        if not self.standing.counted:
            return [*lines, "no set of games was finished: nothing can be said"]
        if self.series.game.seats == 2:
            pairs = Counter(self.standing.scores())
            results = {0.0: "LL", 0.25: "LD", 0.5: "even", 0.75: "WD", 1.0: "WW"}
            lines.append("pairs  " + "  ".join(f"{name} {pairs.get(score, 0)}" for score, name in results.items()))
        if self.series.sprt or self.series.adaptive:
            from meeple.arena.report import rule_lines

            lines += rule_lines(self.series, self.standing, self.series.agents)
        even = 1 / self.series.game.seats
        best = max(self._numbers, key=lambda i: self.interval(i).mean)
        found = self.interval(best)
        names = shown_names(self.series.agents, self.series.game)
        better = f"{names[best]} is better" if found.low > even else "nobody is shown to be better"
        more = "" if found.low > even else more_words(found, even, self.standing.counted, self.series.games_a_set)
        lines.append(f"verdict  {better} (an even share is {even:.3f}){more}")
        lines.append(f"distinct games  {len(self.courses)} of {self.games_played}")
        return lines

    def as_json(self) -> dict[str, Any]:
        """All of it for machines."""
        agents = []
        for number, agent in enumerate(self.series.agents):
            found, counts = self.interval(number), self.outcomes[number]
            agents.append(
                {"agent": agent, "score": found.mean, "low": found.low, "high": found.high}
                | {name: counts[name] for name in ("win", "draw", "loss")}
            )
        return {
            "game": self.series.game.spec,
            "games": self.games_played,
            "sets": self.standing.counted,
            "seed": self.series.seed,
            "confidence": CONFIDENCE,
            "agents": agents,
            "distinct_games": len(self.courses),
            "stopped": self.was_stopped,
            "fault": self.fault,
        }


def play_series(
    series: Tournament,
    *,
    records: Path | None = None,
    workers: int = 0,
    crew_for: MakesCrew | None = None,
    on_games: Callable[[SeriesResult, list[StoredGame]], None] = lambda result, games: None,
) -> SeriesResult:
    """Play all sets; Ctrl-C, or an agent that fails, ends it with the score so far.

    `records`: the folder for every game's record, that of a failure too. `workers` and `crew_for` as for
    `play_tournament`.
    """
    series = replace(series, keeps="records" if records is not None else "courses")
    if records is not None:
        try:
            records.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise SaveError(f"'{records}' cannot be made a folder for records: {fault.strerror}") from fault
    result = SeriesResult(series, Ledger(series, [], workers))

    def heard(ledger: Ledger, games: list[StoredGame]) -> None:
        result.ledger = ledger
        for game in games:
            result.add(game)
            _keep(series, game, records)
        on_games(result, games)

    outcome = play_tournament(
        series, None, workers=workers, crew_for=crew_for, on_games=heard, ends_at=lambda game: game.has_failed
    )
    result.was_stopped = outcome.was_stopped
    if outcome.ended_at is not None:
        game = outcome.ended_at
        _keep(series, game, records)
        names = ", ".join(series.agents[number] for number in series.schedule.seated(game.key))
        result.fault = f"{game.reason.removeprefix(HEAD)} (seed {game.seed}, seats {names})"
    return result


def _keep(series: Tournament, game: StoredGame, folder: Path | None) -> None:
    """Write a game's record into a file whose name tells seed and seating."""
    if folder is not None and game.record is not None:
        seating = "".join(str(agent + 1) for agent in series.schedule.seated(game.key))
        path = free_path(folder, f"{series.game.name}-{game.seed}-{seating}")
        save_record(parse_record(game.record), path)


def _elo_text(found: Interval) -> str:
    low, mean, high = (elo(share) for share in (found.low, found.mean, found.high))
    return elo_words(mean, low, high)
