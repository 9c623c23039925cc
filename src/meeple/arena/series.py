"""A series: agents play set after set, each set one seed with all exchanges of seats, and the score is kept.

Set i has seed s+i, which alone fixes its world and its opening, whatever agents sit.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Any

from meeple.agents.base import Agent
from meeple.agents.registry import load_agent
from meeple.agents.simple import Human
from meeple.arena.match import play_match, random_opening
from meeple.arena.statistics import CONFIDENCE, Interval, elo, score_interval
from meeple.core.chance import new_salt
from meeple.core.game import Game, State
from meeple.core.match import Match
from meeple.core.numbers import INT64, shortened
from meeple.core.record import free_path, save_record
from meeple.errors import AgentError, ConfigError, NotationError, SaveError


def seat_orders(seats: int) -> list[tuple[int, ...]]:
    """Who sits where in the games of a set: all permutations up to four seats, all rotations above.

    In order[seat] stands the number of the agent.
    """
    if seats <= 4:
        return list(permutations(range(seats)))
    return [tuple((seat + shift) % seats for seat in range(seats)) for shift in range(seats)]


@dataclass(frozen=True)
class Series:
    """What is to be played, checked before the first game."""

    game: Game
    agents: tuple[Agent, ...]
    sets: int
    seed: int
    openings: tuple[str, ...] | None  # position texts; None: drawn by each seed
    orders: tuple[tuple[int, ...], ...]
    salt: bytes = b""  # of a series with agents that are not trusted

    @property
    def games(self) -> int:
        """Games in all."""
        return self.sets * len(self.orders)

    def start(self, seed: int) -> State | str | None:
        """Where the games of a set begin."""
        if self.openings is None:
            return random_opening(self.game, seed, self.salt)
        return self.openings[(seed - self.seed) % len(self.openings)] if self.openings else None

    def heading(self) -> str:
        """What is about to be played, in a line."""
        names = ", ".join(agent.spec for agent in self.agents)
        plan = f"{self.games} games, {self.sets} seeds from {self.seed} with {len(self.orders)} seatings each"
        return f"{self.game.spec}: {names}; {plan}"


def prepare(
    game: Game, agents: Sequence[str], *, games: int, seed: int, openings: str = "random", untrusted: bool = False
) -> Series:
    """Check everything and round the number of games up to whole sets.

    `untrusted`: the matches are salted, so that no agent can work out from its seed or stream what it may not know.
    """
    if len(agents) != game.seats:
        raise ConfigError(f"{game.spec} wants {game.seats} agents, one a seat, not {len(agents)}")
    seated = tuple(load_agent(spec, game) for spec in agents)
    if any(isinstance(agent, Human) for agent in seated):
        raise ConfigError("people play in `meeple play`, which shows them the board; a series is for agents")
    orders = tuple(seat_orders(game.seats))
    require_seeds(seed, math.ceil(games / len(orders)))
    texts, salt = read_openings(game, openings), new_salt() if untrusted else b""
    return Series(game, seated, math.ceil(games / len(orders)), seed, texts, orders, salt)


def require_seeds(seed: int, sets: int) -> None:
    """Refuse seeds that are no numbers of 64 bits, which is how stores and compiled code keep them."""
    least, most = INT64
    if not least <= seed <= most - sets:
        raise ConfigError(f"the seeds of {sets} sets lie between {least} and {most}; -s {seed} is outside")


def read_openings(game: Game, word: str) -> tuple[str, ...] | None:
    """The position texts that a word names: a file of them, none, or None where each seed draws its own."""
    if word == "random":
        return None
    if word == "none":
        return ()
    try:
        texts = [
            line.strip()
            for line in Path(word).read_text(encoding="utf-8").splitlines()
            if line.strip() and not line.startswith("#")
        ]
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else "it is not text"
        raise ConfigError(
            f"--openings takes random, none or a file of positions; '{shortened(word)}' cannot be read: {reason}"
        ) from None
    for number, text in enumerate(texts, 1):
        try:
            game.read(text)
        except NotationError as fault:
            raise NotationError(f"position {number} of '{word}': {fault}") from fault
    return tuple(texts)


@dataclass
class SeriesResult:
    """The score so far."""

    series: Series
    set_scores: list[list[float]] = field(default_factory=list)  # for each whole set, each agent's mean win share
    outcomes: list[Counter[str]] = field(default_factory=list)  # for each agent: win, draw, loss
    moves: Counter[tuple[str, ...]] = field(default_factory=Counter)
    games_played: int = 0
    was_stopped: bool = False
    fault: str = ""  # of an agent that failed and ended the series

    def __post_init__(self) -> None:
        self.outcomes = [Counter() for _ in self.series.agents]

    def add(self, order: tuple[int, ...], match: Match, shares: dict[int, float]) -> None:
        """Count one finished game; `shares` gathers its set."""
        self.games_played += 1
        self.moves[tuple(step.text for step in match.steps)] += 1
        for seat, share in enumerate(match.state.win_shares()):
            shares[order[seat]] = shares.get(order[seat], 0.0) + share / len(self.series.orders)
            self.outcomes[order[seat]]["win" if share == 1 else "loss" if share == 0 else "draw"] += 1

    def interval(self, agent: int) -> Interval:
        """The win share of an agent over the whole sets."""
        return score_interval([scores[agent] for scores in self.set_scores])

    def standing(self) -> str:
        """The score in a few words, for the bar of progress."""
        if not self.set_scores:
            return ""
        first = self.interval(0)
        return f"{self.series.agents[0].spec} {first.mean:.3f} ({first.low:.3f} .. {first.high:.3f})"

    def rows(self) -> list[list[object]]:
        """A row an agent: score, interval, Elo against the table, wins, draws, losses."""
        rows: list[list[object]] = []
        for number, agent in enumerate(self.series.agents):
            found, counts = self.interval(number), self.outcomes[number]
            rating = _elo_text(found) if self.series.game.seats == 2 and self.set_scores else "-"
            score = f"{found.mean:.3f}" if self.set_scores else "-"
            span = f"{found.low:.3f} .. {found.high:.3f}" if self.set_scores else "-"
            rows.append([agent.spec, score, span, rating, counts["win"], counts["draw"], counts["loss"]])
        return rows

    def remarks(self) -> list[str]:
        """What a reader must know to trust the table."""
        lines = []
        if self.was_stopped or self.fault:
            lines.append(
                f"stopped after {self.games_played} of {self.series.games} games; the score counts whole sets only"
            )
        if self.series.game.seats == 2 and self.set_scores:
            pairs = Counter(scores[0] for scores in self.set_scores)
            names = {0.0: "LL", 0.25: "LD", 0.5: "even", 0.75: "WD", 1.0: "WW"}
            lines.append("pairs  " + "  ".join(f"{name} {pairs.get(score, 0)}" for score, name in names.items()))
        if not self.set_scores:
            return [*lines, "no set of games was finished: nothing can be said"]
        even = 1 / self.series.game.seats
        best = max(range(len(self.series.agents)), key=lambda i: self.interval(i).mean)
        found = self.interval(best)
        better = f"{self.series.agents[best].spec} is better" if found.low > even else "nobody is shown to be better"
        lines.append(f"verdict  {better} (an even share is {even:.3f})")
        lines.append(f"distinct games  {len(self.moves)} of {self.games_played}")
        return lines

    def as_json(self) -> dict[str, Any]:
        """All of it for machines."""
        agents = []
        for number, agent in enumerate(self.series.agents):
            found, counts = self.interval(number), self.outcomes[number]
            agents.append(
                {"agent": agent.spec, "score": found.mean, "low": found.low, "high": found.high}
                | {name: counts[name] for name in ("win", "draw", "loss")}
            )
        return {
            "game": self.series.game.spec,
            "games": self.games_played,
            "sets": len(self.set_scores),
            "seed": self.series.seed,
            "confidence": CONFIDENCE,
            "agents": agents,
            "distinct_games": len(self.moves),
            "stopped": self.was_stopped,
            "fault": self.fault,
        }


def play_series(
    series: Series, *, records: Path | None = None, on_game: Callable[[SeriesResult], None] = lambda result: None
) -> SeriesResult:
    """Play all sets; Ctrl-C ends it with the score so far."""
    result = SeriesResult(series)
    if records is not None:
        try:
            records.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise SaveError(f"'{records}' cannot be made a folder for records: {fault.strerror}") from fault
    try:
        for number in range(series.sets):
            seed, shares = series.seed + number, dict[int, float]()
            start = series.start(seed)
            for order in series.orders:
                match = _play(series, order, seed, start, records)
                result.add(order, match, shares)
                if order is series.orders[-1]:
                    result.set_scores.append([shares[agent] for agent in range(len(series.agents))])
                on_game(result)
    except KeyboardInterrupt:
        result.was_stopped = True
    except AgentError as fault:
        result.fault = str(fault)
    return result


def _play(series: Series, order: tuple[int, ...], seed: int, start: State | str | None, records: Path | None) -> Match:
    """One game of a set; its record is kept also where an agent failed in it."""
    agents = [series.agents[agent] for agent in order]

    def keep(match: Match) -> None:
        if records is not None:
            seating = "".join(str(agent + 1) for agent in order)
            path = free_path(records, f"{series.game.name}-{seed}-{seating}")
            save_record(match.record([agent.spec for agent in agents]), path)

    try:
        match = play_match(series.game, agents, seed=seed, start=start, salt=series.salt)
    except AgentError as fault:
        keep(fault.match)
        raise AgentError(f"{fault} (seed {seed}, seats {', '.join(agent.spec for agent in agents)})") from fault
    keep(match)
    return match


def _elo_text(found: Interval) -> str:
    low, mean, high = (elo(share) for share in (found.low, found.mean, found.high))
    return f"{_signed(mean)} ({_signed(low)} .. {_signed(high)})"


def _signed(value: float) -> str:
    return f"{round(value) + 0:+d}" if math.isfinite(value) else ("+inf" if value > 0 else "-inf")
