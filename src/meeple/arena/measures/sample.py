"""Many games as columns: a row a decision, a row a game. Sets of games, which share their luck, are the trials."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.agents.registry import load_agent
from meeple.arena.measures.lens import Lens, make_lens
from meeple.arena.measures.trace import Ints, Trace, Walk
from meeple.arena.statistics import distinct
from meeple.arena.store import Store, StoredGame
from meeple.arena.tournament import Ledger, Tournament, play_tournament, stored_ledger
from meeple.arena.workers import MakesCrew
from meeple.core.game import Game
from meeple.core.match import Match
from meeple.core.record import parse_record
from meeple.errors import AgentError, ConfigError, MeepleError


@dataclass(frozen=True)
class Columns:
    """All decisions of a sample, game after game."""

    set: Ints  # number of the set
    game: Ints  # number of the game
    ply: Ints  # decisions made before it in its game
    round: Ints  # from 0
    seat: Ints
    agent: Ints  # a place in `Sample.names`
    offered: Ints
    kept: Ints  # what the lens's filter leaves of them
    gained: Ints  # points that the seat has more at the next decision, whoever's, or at the end
    seconds: NDArray[np.float64]  # NaN where nothing was timed
    is_setup: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Sample:
    """Games to be measured, in their order. Games that a forfeit ended are not among them."""

    plan: Tournament
    traces: tuple[Trace, ...]
    lens: Lens = field(default_factory=Lens)
    n_forfeits: int = 0  # games left out since a forfeit ended them
    n_repeats: int = 0  # sets left out since the same was played before, move for move, and no lots are drawn
    was_stopped: bool = False

    @property
    def game(self) -> Game:
        """What was played."""
        return self.plan.game

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The agents; one that was named twice is one agent here."""
        return tuple(dict.fromkeys(self.plan.agents))

    @cached_property
    def set_of(self) -> Ints:
        """The number of each game's set."""
        numbers: dict[object, int] = {}
        return np.array([numbers.setdefault(trace.set_key, len(numbers)) for trace in self.traces], dtype=np.int64)

    @property
    def n_sets(self) -> int:
        """How many sets there are."""
        return int(self.set_of.max()) + 1 if len(self.traces) else 0

    @cached_property
    def decisions(self) -> Columns:
        """All decisions."""
        places = np.array([self.names.index(spec) for spec in self.plan.agents], dtype=np.int64)
        walks = [trace.walk for trace in self.traces]
        lengths = [len(found.seat) for found in walks]
        return Columns(
            set=np.repeat(self.set_of, lengths),
            game=np.repeat(np.arange(len(walks)), lengths),
            ply=_joined([np.arange(n) for n in lengths]),
            round=_joined([found.round for found in walks]),
            seat=_joined([found.seat for found in walks]),
            agent=_joined([places[np.array(t.agents)[t.walk.seat]] for t in self.traces]),
            offered=_joined([found.offered for found in walks]),
            kept=_joined([found.kept for found in walks]),
            gained=_joined([_gained(found) for found in walks]),
            seconds=np.concatenate([np.empty(0), *(_seconds(trace) for trace in self.traces)]),
            is_setup=_joined([found.is_setup for found in walks]).astype(np.bool_),
        )

    @property
    def has_rounds(self) -> bool:
        """Whether the game counts rounds: some decision is not in the first."""
        return bool(self.decisions.round.any())


def _joined(parts: Sequence[NDArray[Any]]) -> Ints:
    return np.concatenate([np.empty(0, dtype=np.int64), *parts])


def _gained(found: Walk) -> Ints:
    return (found.points[1:] - found.points[:-1])[np.arange(len(found.seat)), found.seat]


def _seconds(trace: Trace) -> NDArray[np.float64]:
    n = len(trace.walk.seat)
    return trace.seconds if len(trace.seconds) == n else np.full(n, np.nan)


def played_sample(
    plan: Tournament,
    *,
    lens: Lens | None = None,
    workers: int = 0,
    on_games: Callable[[int, int], None] = lambda done, wanted: None,
    crew_for: MakesCrew | None = None,
) -> Sample:
    """Play a tournament in memory and trace its games; the sample is the same with any number of `workers`.

    `lens`: the judge and the filters; by default the game's own judge and no filter. `on_games(done, wanted)`
    tells of progress. An agent that fails ends it. `workers` and `crew_for` as for `play_tournament`.

    Raises:
        AgentError: an agent raised, or answered what is not on offer.
    """
    openings, lens = plan.setup().openings, lens or make_lens(plan.game, plan.agents)
    traces: list[Trace] = []
    forfeits = 0

    def heard(ledger: Ledger, games: list[StoredGame]) -> None:
        nonlocal forfeits
        for game in games:
            if game.at_fault is not None:
                forfeits += 1
                continue
            start = openings.start(plan.game, game.seed) or plan.game.new(seed=game.seed)
            codes = np.frombuffer(game.events, dtype=np.int64).tolist()
            traces.append(Trace.of(game, plan.schedule.seated(game.key), start, codes, lens))
        on_games(len(traces) + forfeits, ledger.games_wanted)

    found = play_tournament(
        replace(plan, keeps="events"),
        None,
        workers=workers,
        on_games=heard,
        ends_at=lambda game: game.has_failed,
        crew_for=crew_for,
    )
    if found.ended_at is not None:
        raise AgentError(found.ended_at.reason)
    return _tidied(plan, traces, lens, forfeits, was_stopped=found.was_stopped)


def stored_sample(
    plan: Tournament,
    store: Store,
    *,
    lens: Lens | None = None,
    most: int = 0,
    trust: bool = False,
    on_games: Callable[[int, int], None] = lambda done, wanted: None,
) -> Sample:
    """Trace the games of a store that count, the first `most` of them (0: all), in whole sets.

    Raises:
        ConfigError: the store holds results alone, so that nobody knows the moves.
    """
    lens = lens or make_lens(plan.game, plan.agents)
    times = {key: tuple(zip(seats, seconds, strict=True)) for key, seats, seconds in store.times()}
    traces: list[Trace] = []
    forfeits = 0
    wanted = min(most or store.count(), store.count())
    for game in _counted(plan, store, most):
        if game.at_fault is not None:
            forfeits += 1
            continue
        if game.record is None:
            raise ConfigError(f"'{store.path}' was played with --no-records: its moves are not known")
        match = Match.from_record(parse_record(game.record, game.key.text()), trust=trust)
        game = replace(game, times=times.get(game.key, ()))
        start = match.steps[0].before if match.steps else match.state
        seated = plan.schedule.seated(game.key)
        traces.append(Trace.of(game, seated, start, [step.code for step in match.steps], lens))
        on_games(len(traces) + forfeits, wanted)
    return _tidied(plan, traces, lens, forfeits)


def _counted(plan: Tournament, store: Store, most: int) -> Iterator[StoredGame]:
    """The games of whole sets, in their order; of each lineup the same number where only some are wanted."""
    ledger = stored_ledger(plan, store)
    lineups = max(1, len(ledger.standings))
    sets = plan.schedule.sets_for(-(-most // lineups)) if most else None
    for game in store.games(records=True):
        standing = ledger.standings.get(game.key.lineup)
        last = standing.counted if standing is not None else 0
        if game.key.number < (last if sets is None else min(last, sets)):
            yield game


def _tidied(plan: Tournament, traces: list[Trace], lens: Lens, forfeits: int, *, was_stopped: bool = False) -> Sample:
    """The sample of these games in the order of their keys, without sets that repeat others and prove nothing."""
    traces = sorted(traces, key=lambda trace: trace.key)
    repeats = 0
    if not plan.game.facts.chance and not any(_draws_lots(spec, plan.game) for spec in plan.agents):
        sets: dict[tuple[object, int], list[Trace]] = {}
        for trace in traces:
            sets.setdefault(trace.set_key, []).append(trace)
        groups = list(sets.values())
        first = distinct((group[0].key.lineup, tuple(trace.course for trace in group)) for group in groups)
        repeats = len(groups) - len(first)
        traces = [trace for number in first for trace in groups[number]]
    return Sample(plan, tuple(traces), lens, forfeits, repeats, was_stopped)


def _draws_lots(spec: str, game: Game) -> bool:
    try:
        return load_agent(spec, game).draws_lots
    except MeepleError:  # the agent of a store that is not there any more
        return True
