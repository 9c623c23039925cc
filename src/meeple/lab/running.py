"""An item run: matches and measures as tournaments with stores of their own, trainings, ratings, calibrations.

Each entry of matches is a tournament of one table. Its store is named by its configuration and by the signature of
the code that plays it: a run that was stopped goes on where it was, a larger size adds to a smaller one, and other
code begins a store of its own. Measures read the moves, so their stores keep records and are apart.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from meeple.agents.registry import load_agent
from meeple.arena.adaptive import Adaptive
from meeple.arena.conditions import Conditions
from meeple.arena.provenance import signature_for
from meeple.arena.schedule import seat_orders
from meeple.arena.statistics import Tally, distinct, tally
from meeple.arena.store import Store, StoredGame, hash_of
from meeple.arena.tournament import Ledger, Tournament, play_tournament, prepare_tournament
from meeple.core.folders import data_folder
from meeple.core.forfeit import HEAD
from meeple.core.game import Game
from meeple.core.registry import load_game
from meeple.errors import AgentError, ConfigError
from meeple.lab.figures import fitted, missing_games, rated, rating_signature
from meeple.lab.judge import Sample
from meeple.lab.measuring import measure_entries, worth_by
from meeple.lab.paper import METRICS, Item, Paper, PaperEntry
from meeple.lab.people import WANTED, Met, met
from meeple.lab.played import Heard, RawResult
from meeple.lab.searching import optuna_missing, search_signature, searched
from meeple.lab.training import (
    losses_of,
    missing_for,
    recipe_of,
    tenths,
    trained_signature,
    trained_specs,
    training_milliseconds,
    training_signature,
)


def waits_for(paper: Paper, item: Item, size: str) -> str:
    """What an item waits for: as its file says, what is not installed, a table's games; empty: it can be run."""
    found = item.blocked or missing_for(item, size) or optuna_missing(item)
    if item.does == "people":
        return found or WANTED
    return found or (missing_games(paper, item) if item.does == "elo" else "")


def plan_entry(
    paper: Paper, item: Item, entry: PaperEntry, size: str, *, clock: bool = False, specs: tuple[str, str] | None = None
) -> Tournament:
    """The tournament of an entry, checked; `specs` are its agents where they had to be trained."""
    if item.blocked:
        raise ConfigError(f"{paper.name} {item.id} cannot be run; it waits for {item.blocked}")
    game = load_game(item.game)
    games = item.games(size)
    adaptive = None
    if item.kind == "adaptive" and games > item.first:
        games_a_set = len(seat_orders(game.seats)) if item.both else 1
        adaptive = Adaptive(item.first, item.step, games, games_a_set=games_a_set, even=1 / game.seats)
    return prepare_tournament(
        game,
        specs or entry.specs(clock=clock),
        games=games,
        seed=paper.seed,
        both=item.both,
        schedule="table",
        conditions=Conditions(deterministic=item.deterministic if entry.deterministic is None else entry.deterministic),
        adaptive=adaptive,
        keeps="records" if item.keeps_records else "courses",
    )


def store_path(plan: Tournament) -> Path:
    """Where the games of a tournament lie that this code plays; those with records apart."""
    signed = signature_for(plan.game, plan.agents)
    records = "-records" if plan.keeps == "records" else ""
    return data_folder("lab") / f"{plan.game.name}-{hash_of(plan.configuration())}-{signed}{records}.sqlite"


def play_item(
    paper: Paper,
    item: Item,
    size: str,
    *,
    workers: int = 0,
    clock: bool = False,
    people: Met | None = None,
    on_games: Heard = lambda name, done, wanted: None,
    seconds: float = 0.0,
    now: Callable[[], float] = time.monotonic,
) -> Iterator[RawResult]:
    """Run the entries of an item one after the other; with 0 workers in this process.

    `people`: what people did on the page, for items that ask for it. With `seconds` the item stops by itself after so
    long, by `now`; entries get equal parts of the time, and what one leaves goes to those after it.
    """
    entries = item.chosen(size)
    workers = min(workers, item.workers) if item.workers else workers
    if seconds and not can_be_cut(item):
        raise ConfigError(f"{paper.name} {item.id} is not made of games alone, so no time can end it: give a size")
    watch = Watch(seconds, now)
    if item.does == "people":
        yield from met(item, entries, people or {})
    elif item.does == "measures":
        yield from _measure(paper, item, entries, size, workers=workers, clock=clock, on_games=on_games, watch=watch)
    elif item.does == "losses":
        yield from _train(item, entries, size, on_games)
    elif item.does == "trainings":
        yield from _time_trainings(item, entries, size, on_games)
    elif item.does == "calibrate":
        yield from fitted(item, entries, size, on_games)
    elif item.does == "elo":
        yield from rated(paper, item, entries, size, on_games)
    elif item.does == "tune":
        yield searched(paper, item, size, workers=workers, on_games=on_games)
    else:
        for number, entry in enumerate(entries):
            is_late = watch.part(len(entries) - number)
            played = _play(paper, item, entry, size, workers=workers, clock=clock, on_games=on_games, is_late=is_late)
            if played.n:
                yield played
            if played.was_stopped:
                return


def can_be_cut(item: Item) -> bool:
    """Whether an item can be ended by time: it plays games, and trains nobody for them."""
    return item.does in ("matches", "measures") and not any(entry.is_trained for entry in item.entries)


class Watch:
    """A time that is shared out among what is left to do; 0 seconds: no limit."""

    def __init__(self, seconds: float, now: Callable[[], float]) -> None:
        self.now, self.ends = now, now() + seconds if seconds else math.inf

    def part(self, left: int) -> Callable[[], bool]:
        """Whether the time of the first of so many things that are left is over, to be asked again and again."""
        if self.ends == math.inf:
            return lambda: False
        ends = self.now() + self.seconds(left)
        return lambda: self.now() >= ends

    def seconds(self, left: int) -> float:
        """The time of the first of so many things that are left; where it is over, next to none."""
        return max(0.001, self.ends - self.now()) / left


def _play(
    paper: Paper,
    item: Item,
    entry: PaperEntry,
    size: str,
    *,
    workers: int,
    clock: bool,
    on_games: Heard,
    is_late: Callable[[], bool],
) -> RawResult:
    """Play an entry: once, or with the models of every training run where an agent is trained."""
    if not entry.is_trained:
        plan = plan_entry(paper, item, entry, size, clock=clock)
        return play_entry(item, entry, plan, workers=workers, on_games=on_games, is_late=is_late)
    runs = []
    for seed in range(1, item.n_seeds(size) + 1):
        specs = trained_specs(item, entry, size, seed, on_step=on_games)
        plan = plan_entry(paper, item, entry, size, specs=specs)
        runs.append(play_entry(item, entry, plan, workers=workers, on_games=on_games))
        if runs[-1].was_stopped:
            break
    return _joined(load_game(item.game), runs)


def _joined(game: Game, runs: Sequence[RawResult]) -> RawResult:
    """Games with the models of several training runs as one."""
    tallies = [run.tally for run in runs if run.tally is not None]
    return replace(
        runs[-1],
        specs=runs[0].specs,
        values=tuple(value for run in runs for value in run.values),
        groups=tuple(number for number, run in enumerate(runs) for _ in run.values),
        n=sum(run.n for run in runs),
        tally=Tally(*(sum(counts) for counts in zip(*((t.wins, t.draws, t.losses) for t in tallies), strict=True))),
        repeats=sum(run.repeats for run in runs),
        signature=trained_signature(game, runs[0].entry, runs[0].specs),
    )


def play_entry(
    item: Item,
    entry: PaperEntry,
    plan: Tournament,
    *,
    workers: int = 0,
    on_games: Heard,
    is_late: Callable[[], bool] = lambda: False,
) -> RawResult:
    """Play what an entry's store lacks, or as much of it as is done before `is_late`, and read it.

    Raises:
        AgentError: an agent failed; its game is not stored, since a forfeit says nothing about a paper.
    """
    with Store.open(store_path(plan), plan.configuration()) as store:
        ledger, was_stopped = _filled(item, entry, plan, store, workers, on_games, is_late)
        values, courses, shares = _counted(item.metric, "ab".index(entry.of), plan, ledger, store)
    kept = distinct(courses) if _repeats_itself(plan) else range(len(values))
    return RawResult(
        entry,
        (plan.agents[0], plan.agents[1]),
        tuple(values[number] for number in kept),
        len(shares),
        signature_for(plan.game, plan.agents),
        tally(shares),
        repeats=len(values) - len(kept),
        was_stopped=was_stopped,
    )


def _filled(
    item: Item,
    entry: PaperEntry,
    plan: Tournament,
    store: Store,
    workers: int,
    on_games: Heard,
    is_late: Callable[[], bool],
) -> tuple[Ledger, bool]:
    """Play what a store lacks, until it is late; the ledger of its games, and whether somebody stopped it."""

    def heard(ledger: Ledger, _games: list[StoredGame]) -> None:
        on_games(entry.name, ledger.games_counted, ledger.games_wanted)

    def ends(game: StoredGame) -> bool:
        return game.has_failed or is_late()

    outcome = play_tournament(plan, store, workers=workers, on_games=heard, ends_at=ends)
    if outcome.ended_at is not None and outcome.ended_at.has_failed:
        failed = outcome.ended_at
        raise AgentError(f"{item.id}, {entry.name}, seed {failed.seed}: {failed.reason.removeprefix(HEAD)}")
    return outcome.ledger, outcome.was_stopped


def _measure(
    paper: Paper,
    item: Item,
    entries: Sequence[PaperEntry],
    size: str,
    *,
    workers: int,
    clock: bool,
    on_games: Heard,
    watch: Watch,
) -> Iterator[RawResult]:
    """Measure lines; those of the same two agents on the same games."""
    pairs: dict[tuple[str, str], list[PaperEntry]] = {}
    for entry in entries:
        pairs.setdefault(entry.specs(clock=clock), []).append(entry)
    for number, group in enumerate(pairs.values()):
        is_late = watch.part(len(pairs) - number)
        plan = plan_entry(paper, item, group[0], size, clock=clock)
        with Store.open(store_path(plan), plan.configuration()) as store:
            ledger, was_stopped = _filled(item, group[0], plan, store, workers, on_games, is_late)
            blank = RawResult(
                *(group[0], (plan.agents[0], plan.agents[1]), (), ledger.games_counted),
                signature_for(plan.game, plan.agents),
                was_stopped=was_stopped,
            )
            for entry, found in measure_entries(plan, store, group) if ledger.games_counted else ():
                yield replace(blank, entry=entry, values=found.totals, counts=found.counts)
        if was_stopped:
            return


def _train(item: Item, entries: Sequence[PaperEntry], size: str, on_step: Heard) -> Iterator[RawResult]:
    """Losses by tenth of the run; the trials are the training runs."""
    game, curves = load_game(item.game), dict[str, list[list[float]]]()
    for entry in entries:
        recipe = recipe_of(item, entry.a, size)
        if entry.a.name not in curves:
            seeds = range(1, item.games(size) + 1)
            curves[entry.a.name] = [tenths(losses_of(game, entry.a, recipe, s, on_step=on_step)) for s in seeds]
        assert entry.place is not None
        values = tuple(curve[entry.place - 1] for curve in curves[entry.a.name])
        ones = (1.0,) * len(values)
        yield RawResult(entry, entry.specs(), values, len(values), training_signature(game, entry.a), counts=ones)


def _time_trainings(item: Item, entries: Sequence[PaperEntry], size: str, on_step: Heard) -> Iterator[RawResult]:
    """CPU time a step of trainings that are thrown away again; the trials are the training runs."""
    game, runs = load_game(item.game), item.games(size)
    for entry in entries:
        recipe = recipe_of(item, entry.a, size)
        values = []
        for seed in range(1, runs + 1):
            values.append(training_milliseconds(game, entry.a, recipe, seed))
            on_step(entry.name, seed, runs)
        yield RawResult(
            *(entry, entry.specs(), tuple(values), runs, training_signature(game, entry.a)), counts=(1.0,) * runs
        )


def _counted(
    metric: str, agent: int, plan: Tournament, ledger: Ledger, store: Store
) -> tuple[list[float], list[tuple[bytes, ...]], list[float]]:
    """Of each set that counts an agent's mean and its course; of each of its games the agent's win share."""
    counted = next(iter(ledger.standings.values())).counted
    values, courses, shares = [], [], []
    worth = worth_by(plan.game, metric)
    for number, group in groupby(store.games(records=metric not in METRICS), key=lambda game: game.key.number):
        games = list(group)
        if number >= counted:
            break
        seats = [plan.schedule.seated(game.key).index(agent) for game in games]
        means = [worth(game, seat) for game, seat in zip(games, seats, strict=True)]
        values.append(sum(means) / len(means))
        courses.append(tuple(game.course for game in games))
        shares += [game.shares[seat] for game, seat in zip(games, seats, strict=True)]
    return values, courses, shares


def _repeats_itself(plan: Tournament) -> bool:
    """Whether no lots are drawn, so that equal sets are one trial and not several."""
    return not plan.game.facts.chance and not any(load_agent(spec, plan.game).draws_lots for spec in plan.agents)


def sample_of(item: Item, played: RawResult) -> Sample:
    """What is judged of an entry."""
    entry = played.entry
    return Sample(
        entry.name,
        played.values,
        entry.published,
        item.is_share,
        entry.fitted,
        played.counts,
        played.groups,
        entry.line.name if entry.line else "",
        entry.place,
    )


def signature_of(
    paper: Paper, item: Item, entry: PaperEntry, size: str, specs: tuple[str, str], *, clock: bool = False
) -> str:
    """The signature of the code that an entry would be run by now; `specs` are its agents as they were played.

    Of trained agents the training counts, and not whatever model lies there.
    """
    game = load_game(item.game)
    if item.does == "elo":
        return rating_signature(paper, item)
    if item.does == "people":
        return "people"
    if item.does == "tune":
        return search_signature(paper, item, size)
    if item.does in ("losses", "trainings"):
        return training_signature(game, entry.a)
    if entry.is_trained:
        return trained_signature(game, entry, specs)
    if item.does == "calibrate":
        return signature_for(game, entry.specs()[:1])
    plan = plan_entry(paper, item, entry, size, clock=clock)
    return signature_for(plan.game, plan.agents)
