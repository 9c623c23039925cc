"""What a tournament's games say: tables of cells, remarks, and the last sentence.

Everything here follows from the games that count, in their order; what the clock said stands in a table of its own.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, permutations
from statistics import fmean
from typing import Any

from meeple.agents.registry import load_agent, shown_names
from meeple.arena.provenance import is_mixed
from meeple.arena.ratings import Rating, rate, sequential_elo
from meeple.arena.schedule import GameKey, Lineup
from meeple.arena.sentence import elo_words, sentence
from meeple.arena.sprt import Sprt, count_scores, normalized_elo, pentanomial
from meeple.arena.statistics import (
    CONFIDENCE,
    Interval,
    bootstrap_interval,
    distinct,
    margin,
    rate_interval,
    score_interval,
    superiority,
    t_interval,
)
from meeple.arena.store import RoleResults, Store, StoredGame
from meeple.arena.summaries import LogHistogram, Summary
from meeple.arena.tournament import Ledger, Standing, Tournament
from meeple.errors import MeepleError

Rows = list[list[object]]


@dataclass(frozen=True)
class Cells:
    """A table to be shown: its title, the heads, the rows, and which columns hold numbers."""

    title: str
    columns: list[str]
    rows: Rows
    right: list[str]


@dataclass
class RoleTotals:
    """An agent in one role of a game that names roles, set by set."""

    word: str
    times: array[float] = field(default_factory=lambda: array("d"))
    wins: array[float] = field(default_factory=lambda: array("d"))
    points: float = 0.0

    def interval(self) -> Interval:
        """The rate of times won."""
        return rate_interval(self.wins, self.times)

    def mean_points(self) -> float:
        """Points for each time."""
        return self.points / sum(self.times) if sum(self.times) else 0.0

    def as_json(self) -> dict[str, float]:
        """Times, wins, the rate with its interval, and mean points."""
        rate = self.interval()
        counts = {"times": int(sum(self.times)), "wins": int(sum(self.wins))}
        return counts | {"rate": rate.mean, "low": rate.low, "high": rate.high, "points": self.mean_points()}


@dataclass
class AgentTotals:
    """One agent over all games that count."""

    name: str
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    sets: array[float] = field(default_factory=lambda: array("d"))  # its score in each set
    points: array[float] = field(default_factory=lambda: array("d"))  # its mean points in each set
    leads: array[float] = field(default_factory=lambda: array("d"))  # its mean lead in each set
    moves: LogHistogram = field(default_factory=LogHistogram)  # seconds a move
    roles: list[RoleTotals] = field(default_factory=list)  # where the game names any

    def interval(self) -> Interval:
        """Its score over all its sets."""
        return score_interval(self.sets)


@dataclass
class Meetings:
    """One agent's games against another, where two play."""

    games: int = 0
    sets: array[float] = field(default_factory=lambda: array("d"))  # its score in each set

    @property
    def mean(self) -> float:
        """The score; NaN where they did not meet."""
        return fmean(self.sets) if self.sets else math.nan

    def words(self) -> str:
        """Score, interval and games, for a cell of a table; empty where they did not meet."""
        if not self.games:
            return ""
        score = score_interval(self.sets)
        return f"{score.mean:.3f} ({_span(score)}), {self.games} games"


class Report:
    """All that is known of a tournament; `tables` and `remarks` are for people, `as_json` for machines."""

    def __init__(
        self,
        tournament: Tournament,
        ledger: Ledger,
        store: Store,
        *,
        was_stopped: bool = False,
        names: Sequence[str] = (),
    ) -> None:
        """`names` stand for the agents' specs; where none are given, presets of the game have their own names."""
        self.tournament, self.ledger, self.was_stopped = tournament, ledger, was_stopped
        self.names = told_apart(names or shown_names(tournament.agents, tournament.game))
        self.code = store.code
        self.agents = [AgentTotals(name) for name in self.names]
        self.games = self.plies = self.offered = 0
        self.repeats = 0
        self.courses: set[bytes] = set()
        self.meetings: dict[tuple[int, int], Meetings] = {}  # where two play: an agent's number, and its rival's
        self._repeated = self._find_repeats(store)
        for games, is_new in self._sets(store):
            self._add(games, is_new=is_new)
        self._time(store)
        self._add_roles(store)
        n_sets = max(len(agent.sets) for agent in self.agents)
        self.ratings: list[Rating] = rate(self._results(store)) if n_sets > 1 else []
        self.sequence = self._sequence(store) if tournament.game.seats == 2 else {}

    def _groups(self, store: Store) -> Iterator[tuple[Lineup, int, list[StoredGame]]]:
        """The sets that count, one at a time, with their lineup and number."""
        group: list[StoredGame] = []
        for game in store.games():
            standing = self.ledger.standings.get(game.key.lineup)
            if standing is None or game.key.number >= standing.counted:
                continue
            group.append(game)
            if len(group) == self.tournament.games_a_set:
                yield game.key.lineup, game.key.number, group
                group = []

    def _find_repeats(self, store: Store) -> set[tuple[Lineup, int]]:
        """Sets that were played before, move for move; where no lots are drawn at all, those are no evidence."""
        if self.tournament.game.facts.chance:
            return set()
        drawless = {number for number, spec in enumerate(self.tournament.agents) if not self._draws_lots(spec)}
        sets: list[tuple[Lineup, int]] = []
        courses: list[tuple[Lineup, tuple[bytes, ...]]] = []
        for lineup, number, games in self._groups(store):
            course = tuple(game.course for game in games)
            if drawless.issuperset(lineup.agents) and all(course):  # without records nobody knows
                sets.append((lineup, number))
                courses.append((lineup, course))
        return set(sets) - {sets[i] for i in distinct(courses)}

    def _draws_lots(self, spec: str) -> bool:
        try:
            return load_agent(spec, self.tournament.game).draws_lots
        except MeepleError:  # the agent is not there any more
            return True

    def _sets(self, store: Store) -> Iterator[tuple[list[StoredGame], bool]]:
        for lineup, number, games in self._groups(store):
            yield games, (lineup, number) not in self._repeated

    def _results(self, store: Store) -> Iterator[list[tuple[tuple[str, ...], tuple[int, ...]]]]:
        for games, is_new in self._sets(store):
            if is_new:
                yield [(tuple(self.names[number] for number in self.seated(game.key)), game.ranks) for game in games]

    def _sequence(self, store: Store) -> dict[str, float]:
        return sequential_elo(result for games in self._results(store) for result in games)

    def _add(self, games: Sequence[StoredGame], *, is_new: bool) -> None:
        self.repeats += not is_new
        size = len(games)
        sums: dict[int, list[float]] = {}
        for game in games:
            self.games += 1
            self.plies += game.plies
            self.offered += game.offered
            if game.course:
                self.courses.add(game.course)
            for seat, number in enumerate(self.seated(game.key)):
                agent, share = self.agents[number], game.shares[seat]
                agent.games += 1
                agent.wins += share == 1
                agent.losses += share == 0
                agent.draws += 0 < share < 1
                agent.forfeits += game.at_fault == seat
                lead = margin(game.scores, seat) if len(game.scores) > 1 else 0.0
                total = sums.setdefault(number, [0.0, 0.0, 0.0])
                for i, value in enumerate((share, game.scores[seat], lead)):
                    total[i] += value / size
        for number, rival in permutations(sums, 2) if self.tournament.game.seats == 2 else ():
            met = self.meetings.setdefault((number, rival), Meetings())
            met.games += size
            if is_new:
                met.sets.append(sums[number][0])
        if is_new:
            for number, (share, points, lead) in sums.items():
                self.agents[number].sets.append(share)
                self.agents[number].points.append(points)
                self.agents[number].leads.append(lead)

    def _time(self, store: Store) -> None:
        for key, seats, seconds in store.times():
            standing = self.ledger.standings.get(key.lineup)
            if standing is not None and key.number < standing.counted:
                seated = self.seated(key)
                for seat, spent in zip(seats, seconds, strict=True):
                    self.agents[seated[seat]].moves.add(spent)

    def _add_roles(self, store: Store) -> None:
        """What each agent came to in each role; times of one set are added up, since they share their luck."""
        words = self.tournament.game.role_names
        if not words:
            return
        for agent in self.agents:
            agent.roles = [RoleTotals(word) for word in words]
        for (lineup, number), games in groupby(store.role_results(), key=lambda game: (game[0].lineup, game[0].number)):
            standing = self.ledger.standings.get(lineup)
            if standing is not None and number < standing.counted and (lineup, number) not in self._repeated:
                self._add_roles_of_set(list(games))

    def _add_roles_of_set(self, games: Sequence[tuple[GameKey, RoleResults]]) -> None:
        sums: dict[tuple[int, int], list[int]] = {}
        for key, roles in games:
            for number, of_seat in zip(self.seated(key), roles, strict=True):
                for place, row in enumerate(of_seat):
                    total = sums.setdefault((number, place), [0, 0, 0])
                    total[:] = [old + new for old, new in zip(total, row, strict=True)]
        for (number, place), (times, wins, points) in sums.items():
            role = self.agents[number].roles[place]
            role.times.append(times)
            role.wins.append(wins)
            role.points += points

    def seated(self, key: GameKey) -> tuple[int, ...]:
        """The agent in each seat of a game."""
        return self.tournament.schedule.seated(key)

    # --- for people

    def tables(self) -> list[Cells]:
        """The result; points where the game has them; who met whom where there are several lineups."""
        found = [self._result()]
        if any(any(agent.points) for agent in self.agents):
            found.append(self._points())
        if any(sum(role.times) for agent in self.agents for role in agent.roles):
            found.append(self._by_part())
        if len(self.agents) > 2 and self.tournament.game.seats == 2:
            found.append(self._cross())
        return found

    def _result(self) -> Cells:
        ratings = {rating.agent: rating for rating in self.ratings}
        order = sorted(self.agents, key=lambda agent: (-agent.interval().mean, agent.name))
        rows: Rows = []
        for agent in order:
            score = agent.interval()
            counts = [agent.games, agent.wins, agent.draws, agent.losses, agent.forfeits]
            if agent.sets:
                shown = [f"{score.mean:.3f}", _span(score), _rating(ratings.get(agent.name))]
            else:
                shown = ["-", "-", "-"]
            rows.append([agent.name, *shown, *counts])
        heads = ["agent", "score", f"{CONFIDENCE:.0%}", "Elo", "games", "wins", "draws", "losses", "forfeits"]
        return Cells("result", heads, rows, ["score", "games", "wins", "draws", "losses", "forfeits"])

    def _points(self) -> Cells:
        rows: Rows = []
        for agent in sorted(self.agents, key=lambda agent: (-_mean(agent.points), agent.name)):
            if len(agent.points) < 2:
                rows.append([agent.name, f"{_mean(agent.points):.2f}", "-", "-", f"{_mean(agent.leads):+.2f}", "-"])
                continue
            points, lead = bootstrap_interval(agent.points), bootstrap_interval(agent.leads)
            t = t_interval(agent.points)
            cells = [f"{points.mean:.2f}", _span(points, 2), _span(t, 2), f"{lead.mean:+.2f}", _span(lead, 2)]
            rows.append([agent.name, *cells])
        heads = ["agent", "points", f"{CONFIDENCE:.0%} bootstrap", f"{CONFIDENCE:.0%} t", "lead", f"{CONFIDENCE:.0%}"]
        return Cells("points a game", heads, rows, ["points", "lead"])

    def _by_part(self) -> Cells:
        rows: Rows = []
        for agent in sorted(self.agents, key=lambda agent: (-agent.interval().mean, agent.name)):
            for role in agent.roles:
                rate = role.interval()
                counts = [int(sum(role.times)), int(sum(role.wins))]
                rows.append(
                    [agent.name, role.word, *counts, f"{rate.mean:.3f}", _span(rate), f"{role.mean_points():.2f}"]
                )
        heads = ["agent", "role", "times", "won", "rate", f"{CONFIDENCE:.0%}", "points each"]
        return Cells("by role", heads, rows, ["times", "won", "rate", "points each"])

    def _cross(self) -> Cells:
        """Row against column: the score, its interval, and from how many games."""
        n = len(self.agents)
        rows: Rows = []
        for number in range(n):
            cells = [self.meetings.get((number, other), Meetings()).words() for other in range(n)]
            rows.append([f"{number + 1}  {self.names[number]}", *cells])
        heads = [str(number + 1) for number in range(n)]
        return Cells("score against each", ["agent", *heads], rows, heads)

    def clock(self) -> Cells | None:
        """What the clock said of each agent's moves; None where nothing was timed."""
        if not any(agent.moves.n for agent in self.agents):
            return None
        rows: Rows = []
        for agent in self.agents:
            if agent.moves.n:
                rows.append([agent.name, agent.moves.n, *_milliseconds(agent.moves.summary())])
        heads = ["agent", "moves", "least", "mean", "median", "95%", "longest"]
        return Cells("milliseconds a move (the clock's word: no part of the result)", heads, rows, heads[1:])

    def remarks(self) -> list[str]:
        """What a reader must know to trust the tables; the last line says what they mean."""
        lines = []
        counted, wanted = self.ledger.games_counted, self.ledger.games_wanted
        if self.was_stopped or counted < wanted:
            lines.append(f"stopped: {counted} of {wanted} games count so far (whole sets only)")
        lines += self._of_rules()
        branching = f", branching factor {self.offered / self.plies:.1f}" if self.offered else ""
        if self.games:
            lines.append(f"games  {self.games} counted, {self.plies / self.games:.1f} moves each{branching}")
        if self.courses:
            lines.append(f"distinct games  {len(self.courses)} of {self.games}")
        if self.repeats:
            lines.append(f"repeats  {self.repeats} sets were played before, move for move: they are no evidence")
        forfeits = sum(agent.forfeits for agent in self.agents)
        if forfeits:
            lines.append(f"forfeits  {forfeits}: `meeple results FILE --forfeits` shows why")
        if is_mixed(self.code):
            lines.append(f"mixed  games of different code are counted together: {_signatures(self.code)}")
        lines.append(self.verdict())
        return lines

    def _of_rules(self) -> list[str]:
        """Pairs, superiority, and what the rule that may end a lineup early says."""
        lines: list[str] = []
        for standing in self.ledger.standings.values():
            scores = list(standing.scores())
            if not scores or (len(self.ledger.standings) > 1 and not self.tournament.adaptive):
                continue
            if self.tournament.game.seats == 2 and self.tournament.schedule.both:
                counts = zip(("LL", "LD", "even", "WD", "WW"), pentanomial(scores), strict=True)
                lines.append(f"pairs of {self.names[standing.lineup.agents[0]]}  " + _counts(counts))
                lines.append(f"likelihood of superiority  {superiority(scores):.4f}")
            lines += rule_lines(self.tournament, standing, self.names)
        return lines

    def verdict(self) -> str:
        """The sentence that says what the result means."""
        standings = list(self.ledger.standings.values())
        if len(standings) == 1:
            names = [self.names[number] for number in standings[0].lineup.agents]
            columns = [self.agents[number].sets for number in standings[0].lineup.agents]
            scores = list(zip(*columns, strict=True))
            return sentence(names, scores, repeats=self.repeats, games_a_set=self.tournament.games_a_set)
        rated = [rating for rating in self.ratings if rating.is_comparable]
        if len(rated) < 2:
            return "nothing can be said: no set of games was finished"
        first, second = rated[0], rated[1]
        lead = f"{first.agent} leads with Elo {elo_words(first.elo, first.low, first.high)}"
        behind = f"{second.agent} follows with {elo_words(second.elo, second.low, second.high)}"
        if first.low > second.high:
            return f"{first.agent} is the strongest here: {lead}, {behind}"
        return f"nobody is shown to be the strongest: {lead}, {behind}"

    # --- for machines

    def as_json(self) -> dict[str, Any]:
        """All of it but what the clock said, which stands under `clock`."""
        ratings = {rating.agent: rating for rating in self.ratings}
        agents = []
        for agent in self.agents:
            score, rating = agent.interval(), ratings.get(agent.name)
            found: dict[str, Any] = {"agent": agent.name, "score": score.mean, "low": score.low, "high": score.high}
            if rating is not None:
                found |= {"elo": rating.elo, "elo_low": rating.low, "elo_high": rating.high}
            found |= {"sequential_elo": self.sequence.get(agent.name), "games": agent.games, "sets": len(agent.sets)}
            found |= {"wins": agent.wins, "draws": agent.draws, "losses": agent.losses, "forfeits": agent.forfeits}
            found |= {"points": _mean(agent.points), "lead": _mean(agent.leads)}
            if agent.roles:
                found["roles"] = {role.word: role.as_json() for role in agent.roles}
            agents.append(found)
        timed = {agent.name: agent.moves.summary().__dict__ for agent in self.agents if agent.moves.n}
        return {
            "configuration": self.tournament.configuration(),
            "games": self.games,
            "distinct_games": len(self.courses) or None,
            "confidence": CONFIDENCE,
            "agents": agents,
            "verdict": self.verdict(),
            "stopped": self.was_stopped,
            "code": self.code,
            "mixed": is_mixed(self.code),
            "clock": timed,
        }


def rule_lines(tournament: Tournament, standing: Standing, names: Sequence[str]) -> list[str]:
    """What the rule that may end a lineup early says of its sets, if there is one; `names` are the agents'."""
    scores = list(standing.scores())
    lines = _sprt_lines(tournament.sprt, scores) if tournament.sprt else []
    if tournament.adaptive:
        look = tournament.adaptive.look(scores)
        who = " against ".join(names[number] for number in standing.lineup.agents)
        own, wide = look.interval, look.corrected
        looks = f"{look.number} look{'s' * (look.number != 1)}"
        lines.append(
            f"adaptive  {who}: {len(scores) * tournament.games_a_set} games, {looks}; "
            f"{own.mean:.3f}, as one look {_span(own)}, for all looks {_span(wide)}"
        )
    return lines


def _sprt_lines(sprt: Sprt, scores: list[float]) -> list[str]:
    counted = count_scores(scores)
    look = sprt.look(counted)
    meaning = {"H1": f"at least {sprt.elo1:g} Elo", "H0": f"at most {sprt.elo0:g} Elo", "go on": "not decided"}
    bounds = f"({look.lower:.2f} .. {look.upper:.2f})"
    line = f"SPRT [{sprt.elo0:g}, {sprt.elo1:g}] {sprt.model}  LLR {look.llr:.3f} {bounds}"
    lines = [f"{line}: {look.verdict} ({meaning[look.verdict]})"]
    if sprt.model == "normalized" and len(scores) > 1:
        found = normalized_elo(counted, sprt.seats)
        lines.append(f"normalized Elo  {found.mean:+.2f} ({found.low:+.2f} .. {found.high:+.2f})")
    return lines


def _signatures(code: Sequence[dict[str, Any]]) -> str:
    """The signatures of a store's code, each with what it stands for."""
    return ", ".join(f"{entry['signature'] or 'unknown'} ({entry['how']})" for entry in code)


def told_apart(agents: Sequence[str]) -> list[str]:
    """Names; a spec that is named twice carries its place."""
    return [f"{agent} ({i})" if agents.count(agent) > 1 else agent for i, agent in enumerate(agents, 1)]


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if len(values) else 0.0


def _span(found: Interval, decimals: int = 3) -> str:
    return f"{found.low:.{decimals}f} .. {found.high:.{decimals}f}"


def _rating(rating: Rating | None) -> str:
    if rating is None or not rating.is_comparable:
        return "-"
    return elo_words(rating.elo, rating.low, rating.high)


def _counts(pairs: Any) -> str:
    return "  ".join(f"{name} {count}" for name, count in pairs)


def _milliseconds(found: Summary) -> list[str]:
    values = (found.least, found.mean, found.median, found.percentile_95, found.greatest)
    return [f"{1000 * value:.3g}" if value < 0.1 else f"{1000 * value:.0f}" for value in values]
