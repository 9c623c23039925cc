"""Items that play no match of their own: efforts that fit a time (calibrate), ratings of a table (elo)."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from meeple.arena import ratings
from meeple.arena.calibrate import calibrate
from meeple.arena.provenance import signature_for
from meeple.arena.ratings import sequential_elo
from meeple.core.chance import Stream
from meeple.core.registry import load_game
from meeple.core.signature import signature
from meeple.core.spec import parse_time
from meeple.errors import ConfigError
from meeple.lab.paper import Item, Paper, PaperEntry
from meeple.lab.played import Heard, RawResult

if TYPE_CHECKING:
    from meeple.lab.results import ItemResult

FINE = 10**9  # a share is drawn to so many parts


def fitted(item: Item, entries: Sequence[PaperEntry], size: str, on_games: Heard) -> Iterator[RawResult]:
    """How much of the item's setting fits its time, by CPU time of this machine; tried as often as its size says.

    What is fitted to a smaller time in a quick run is brought to the whole time in proportion.
    """
    game = load_game(item.game)
    whole, limit = parse_time(item.time), parse_time(item.quick_time if size == "quick" else item.time)
    for entry in entries:
        spec, times = entry.specs()[0], item.games(size)
        values = []
        for number in range(times):
            found = calibrate(game, spec, limit, setting=item.vary, clock=time.process_time)
            values.append(found.value * whole / limit)
            on_games(entry.name, number + 1, times)
        ones = (1.0,) * times
        yield RawResult(entry, (spec, spec), tuple(values), times, signature_for(game, [spec]), counts=ones)


def rated(paper: Paper, item: Item, entries: Sequence[PaperEntry], size: str, on_games: Heard) -> Iterator[RawResult]:
    """Ratings of every agent after games drawn from a table of shares, once a run: a run's end is one trial."""
    table, signed = shares_of(paper, item), rating_signature(paper, item)
    ends: list[dict[str, float]] = []
    for number in range(item.games(size)):
        ends.append(drawn_ratings(table, item.k, item.draws, paper.seed + number))
        on_games(item.title, number + 1, item.games(size))
    for entry in entries:
        if entry.a.name not in ends[0]:
            raise ConfigError(f"{paper.name} {item.id}: nobody played '{entry.a.name}' in the table {item.table}")
        values = tuple(end[entry.a.name] for end in ends)
        ones = (1.0,) * len(values)
        yield RawResult(entry, entry.specs(), values, len(values), signed, counts=ones)


def shares_of(paper: Paper, item: Item) -> dict[tuple[str, str], float]:
    """The table that a rating is made of: for two agents, the share of the first, as printed or as played here."""
    table = paper.item(item.table)
    if item.shares == "published":
        return {(e.a.name, e.b.name): e.published.value for e in table.entries if e.published is not None}
    found = _played_here(paper, item)
    return {(entry.a.name, entry.b.name): found[entry.name] for entry in table.entries if entry.name in found}


def missing_games(paper: Paper, item: Item) -> str:
    """What a rating of our own games waits for; empty where the whole table was played."""
    found = _played_here(paper, item) if item.shares == "ours" else None
    if found is None or all(entry.name in found for entry in paper.item(item.table).entries):
        return ""
    return f"all games of {item.table}: `meeple reproduce {paper.name} {item.table} --full`"


def _played_here(paper: Paper, item: Item) -> dict[str, float]:
    result = table_result(paper, item)
    return {entry.name: entry.mean for entry in result.entries} if result else {}


def table_result(paper: Paper, item: Item) -> ItemResult | None:
    """What was played here of the table that a rating is made of."""
    from meeple.lab.results import stored  # which stands above this module

    return stored(paper, paper.item(item.table))


def drawn_ratings(
    table: dict[tuple[str, str], float], k: float, draws: int, seed: int, *, base: float = 1000.0
) -> dict[str, float]:
    """Sequential Elo after so many games, each of a pair drawn from the table and won with its share."""
    rng, pairs = Stream(seed), list(table)
    drawn = (pairs[rng.below(len(pairs))] for _ in range(draws))
    results = [(pair, (1, 2) if rng.below(FINE) < table[pair] * FINE else (2, 1)) for pair in drawn]
    return sequential_elo(results, base=base, k=k)


def rating_signature(paper: Paper, item: Item) -> str:
    """The signature of the code that rates, and of the table: its shares and, where it was played here, its code."""
    shares = sorted((*pair, share) for pair, share in shares_of(paper, item).items())
    result = table_result(paper, item) if item.shares == "ours" else None
    players = [entry.signature for entry in result.entries] if result else []
    return signature([Path(str(ratings.__file__)), Path(__file__)], *players, repr(shares))
