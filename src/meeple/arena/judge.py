"""Where does my agent lose? Its lost games, and in them the moves that a stronger agent thinks cost most.

At each of the agent's decisions the judge is asked what the agent was asked: a world redealt for that seat, so it
knows no more. A move's cost is the value of the judge's move less the value of the move made, both expected returns of
the mover in [-1, 1]; a judge that would only bound the worse moves is told to search them all for their own values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from meeple.agents.base import Agent, ask
from meeple.agents.levels import judge_spec
from meeple.agents.registry import load_agent
from meeple.arena.report import Report
from meeple.arena.schedule import GameKey
from meeple.arena.store import Store
from meeple.core.match import Match
from meeple.core.record import parse_record
from meeple.errors import ConfigError
from meeple.search.result import SearchResult


@dataclass(frozen=True)
class Loss:
    """A move that cost something, by the judge's word."""

    game: GameKey
    ply: int
    seat: int
    move: str
    better: str
    cost: float  # expected returns thought lost, 0 to 2
    value: float  # expected returns that the judge gave its own move
    error: float = float("nan")  # standard error of the cost, where the judge's values are means of samples
    is_least: bool = False  # the judge has only a bound of the move's value: it cost so much or more


def lost_games(report: Report, store: Store, agent: int) -> Iterator[tuple[GameKey, int]]:
    """The games that the agent lost, and its seat in each; the worst places first."""
    found = []
    for game in store.games():
        for seat, number in enumerate(report.seated(game.key)):
            if number == agent and game.shares[seat] == 0:
                found.append((-game.ranks[seat], game.key, seat))
    for _, key, seat in sorted(found):
        yield key, seat


def judge_moves(
    report: Report,
    store: Store,
    agent: int,
    *,
    judge: str = "",
    games: int = 5,
    trust: bool = False,
    on_move: Callable[[int, int], None] = lambda done, total: None,
) -> list[Loss]:
    """The agent's moves in its first so many lost games, largest loss first; `trust` as in `Match.from_record`."""
    game = report.tournament.game
    judging = load_agent(judge or judge_spec(game.definition, seats=game.seats), game)
    chosen = [pair for _, pair in zip(range(games), lost_games(report, store, agent), strict=False)]
    losses: list[Loss] = []
    for number, (key, seat) in enumerate(chosen):
        on_move(number, len(chosen))
        record = store.game(key).record
        if record is None:
            raise ConfigError("this tournament was played with --no-records: its moves are not known")
        match = Match.from_record(parse_record(record, key.text()), trust=trust)
        for ply in range(match.ply):
            before = match.branch(ply)
            if before.to_move == seat:
                played = [step for step in match.steps if step.seat is not None][ply].code
                losses += _loss(judging, before, key, seat, played)
    return sorted(losses, key=lambda loss: (-loss.cost, loss.game, loss.ply))


def _loss(judging: Agent, before: Match, key: GameKey, seat: int, played: int) -> list[Loss]:
    reports: list[SearchResult] = []
    best = ask(judging, before, report=reports.append, wants_values=True)
    if not reports:
        raise ConfigError(f"'{judging.spec}' does not say what it thinks of moves; give a judge that searches")
    result = reports[-1]
    if np.isnan(result.value):
        raise ConfigError(f"'{judging.spec}' does not weigh moves by what they bring; give a judge that searches")
    places = {int(action): place for place, action in enumerate(result.actions)}
    if played == best or played not in places or best not in places:
        return []
    at, other = places[best], places[played]
    cost = float(result.values[at] - result.values[other])  # NaN where the judge never tried one of them
    if not cost > 0:
        return []
    return [
        Loss(
            key,
            before.ply,
            seat,
            before.state.move_text(played),
            before.state.move_text(best),
            cost,
            float(result.values[at]),
            float(np.hypot(result.errors[at], result.errors[other])),
            bool(result.bounds[other]),
        )
    ]
