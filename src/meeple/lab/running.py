"""An item played: each entry is a tournament of one table with a store of its own.

A store is named by its configuration and by the signature of the code that plays it: a run that was stopped goes on
where it was, a larger size adds to a smaller one, and other code begins a store of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from meeple.agents.registry import load_agent
from meeple.arena.adaptive import Adaptive
from meeple.arena.conditions import Conditions
from meeple.arena.provenance import signature_for
from meeple.arena.schedule import seat_orders
from meeple.arena.statistics import Tally, distinct, measure, tally
from meeple.arena.store import Store, StoredGame, hash_of
from meeple.arena.tournament import Ledger, Tournament, play_tournament, prepare_tournament
from meeple.core.folders import data_folder
from meeple.core.forfeit import HEAD
from meeple.core.registry import load_game
from meeple.errors import AgentError, ConfigError
from meeple.lab.judge import Sample
from meeple.lab.paper import SHARES, Entry, Item, Paper

Heard = Callable[[str, int, int], None]  # of an entry: its name, games that count, games wanted


@dataclass(frozen=True)
class Played:
    """An entry's games: the first agent's mean in each set, and how its games ended."""

    entry: Entry
    specs: tuple[str, str]
    values: tuple[float, ...]
    tally: Tally
    signature: str
    repeats: int = 0  # sets that were played before, move for move, and do not count
    was_stopped: bool = False


def plan_entry(paper: Paper, item: Item, entry: Entry, size: str, *, clock: bool = False) -> Tournament:
    """The tournament of an entry, checked."""
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
        entry.specs(clock=clock),
        games=games,
        seed=paper.seed,
        both=item.both,
        schedule="table",
        conditions=Conditions(deterministic=item.deterministic),
        adaptive=adaptive,
        keeps="courses",
    )


def store_path(plan: Tournament) -> Path:
    """Where the games of a tournament lie that this code plays."""
    signed = signature_for(plan.game, plan.agents)
    return data_folder("lab") / f"{plan.game.name}-{hash_of(plan.configuration())}-{signed}.sqlite"


def play_item(
    paper: Paper,
    item: Item,
    size: str,
    *,
    workers: int = 0,
    clock: bool = False,
    on_games: Heard = lambda name, done, wanted: None,
) -> Iterator[Played]:
    """Play the entries of an item one after the other; with 0 workers in this process."""
    plans = [(entry, plan_entry(paper, item, entry, size, clock=clock)) for entry in item.chosen(size)]
    for entry, plan in plans:
        played = play_entry(item, entry, plan, workers=workers, on_games=on_games)
        yield played
        if played.was_stopped:
            return


def play_entry(item: Item, entry: Entry, plan: Tournament, *, workers: int = 0, on_games: Heard) -> Played:
    """Play what an entry's store lacks, and read it.

    Raises:
        AgentError: an agent failed; its game is not stored, since a forfeit says nothing about a paper.
    """

    def heard(ledger: Ledger, _games: list[StoredGame]) -> None:
        on_games(entry.name, ledger.games_counted, ledger.games_wanted)

    with Store.open(store_path(plan), plan.configuration()) as store:
        outcome = play_tournament(plan, store, workers=workers, on_games=heard, ends_at=lambda game: game.has_failed)
        if outcome.ended_at is not None:
            failed = outcome.ended_at
            raise AgentError(f"{item.id}, {entry.name}, seed {failed.seed}: {failed.reason.removeprefix(HEAD)}")
        values, courses, shares = _counted(item.metric, plan, outcome.ledger, store)
    kept = distinct(courses) if _repeats_itself(plan) else range(len(values))
    return Played(
        entry,
        (plan.agents[0], plan.agents[1]),
        tuple(values[number] for number in kept),
        tally(shares),
        signature_for(plan.game, plan.agents),
        len(values) - len(kept),
        outcome.was_stopped,
    )


def _counted(
    metric: str, plan: Tournament, ledger: Ledger, store: Store
) -> tuple[list[float], list[tuple[bytes, ...]], list[float]]:
    """Of each set that counts the first agent's mean and its course; of each of its games the agent's win share."""
    counted = next(iter(ledger.standings.values())).counted
    values, courses, shares = [], [], []
    for number, group in groupby(store.games(), key=lambda game: game.key.number):
        games = list(group)
        if number >= counted:
            break
        seats = [plan.schedule.seated(game.key).index(0) for game in games]
        means = [measure(metric, game.shares, game.scores, seat) for game, seat in zip(games, seats, strict=True)]
        values.append(sum(means) / len(means))
        courses.append(tuple(game.course for game in games))
        shares += [game.shares[seat] for game, seat in zip(games, seats, strict=True)]
    return values, courses, shares


def _repeats_itself(plan: Tournament) -> bool:
    """Whether no lots are drawn, so that equal sets are one trial and not several."""
    return not plan.game.facts.chance and not any(load_agent(spec, plan.game).draws_lots for spec in plan.agents)


def sample_of(item: Item, played: Played) -> Sample:
    """What is judged of an entry."""
    entry = played.entry
    return Sample(entry.name, played.values, entry.published, item.metric in SHARES, entry.fitted)
