"""Lines of an item measured: the games of its agents, read decision by decision as `meeple stats` reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from meeple.arena.measures.contest import judged_gains, metric_gains
from meeple.arena.measures.knowledge import shrinking
from meeple.arena.measures.lens import OWN, SCORE, make_lens
from meeple.arena.measures.sample import Columns, Sample, stored_sample
from meeple.arena.statistics import measure
from meeple.arena.store import Store, StoredGame
from meeple.arena.tournament import Tournament
from meeple.core.game import Game
from meeple.core.heuristics import heuristics_of
from meeple.core.match import Match
from meeple.core.record import parse_record
from meeple.lab.paper import METRICS, FigureLine, PaperEntry

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Measured:
    """Of one point of a line: for every set the sum of what was measured, and over how many decisions or games."""

    totals: tuple[float, ...]
    counts: tuple[float, ...]


def measure_entries(
    plan: Tournament, store: Store, entries: Sequence[PaperEntry]
) -> Iterator[tuple[PaperEntry, Measured]]:
    """Measure all entries of one pair of agents on the games of their store; each set has its place in every one."""
    samples: dict[tuple[str, str], Sample] = {}
    for entry in entries:
        line = entry.line
        assert line is not None
        key = OWN if line.measure == "considered" else line.filter, line.points
        if key not in samples:
            judge = SCORE if line.points in heuristics_of(plan.game, "METRICS") else line.points
            lens = make_lens(plan.game, plan.agents, judge=judge, filter=key[0])
            samples[key] = stored_sample(plan, store, lens=lens, most=plan.games_a_lineup)
        yield entry, measured(samples[key], line, entry.place)


def measured(sample: Sample, line: FigureLine, place: int | None) -> Measured:
    """The sums and counts of a line over all sets, at one place (a ply or round, from 1) or at all."""
    values, sets, places = _columns(sample, line)
    chosen = np.isfinite(values)
    if place is not None:
        chosen &= places == place
    totals = np.bincount(sets[chosen], weights=line.scale * values[chosen], minlength=sample.n_sets)
    counts = np.bincount(sets[chosen], minlength=sample.n_sets)
    return Measured(tuple(totals.tolist()), tuple(counts.astype(float).tolist()))


def worth_by(game: Game, metric: str) -> Callable[[StoredGame, int], float]:
    """What a stored game was worth to a seat: by its result, or by what the seat has of a metric of the game's own.

    The latter is counted in the game's last position, so the store must hold records.
    """
    own = heuristics_of(game, "METRICS").get(metric)
    if metric in METRICS or own is None:
        return lambda stored, seat: measure(metric, stored.shares, stored.scores, seat)

    def counted(stored: StoredGame, seat: int) -> float:
        assert stored.record is not None, "its store keeps records"
        last = Match.from_record(parse_record(stored.record, stored.key.text())).state
        return float(own(last.record, np.int64(seat)))

    return counted


def _columns(sample: Sample, line: FigureLine) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
    """The values of a line with the set and the place of each; NaN where there is nothing to measure."""
    if line.measure in _OF_GAMES:
        measure = _OF_GAMES[line.measure]
        values = np.array([measure(sample, number, line.of) for number in range(len(sample.traces))])
        return values, sample.set_of, np.ones(len(values), dtype=np.int64)
    columns = sample.decisions
    values = np.asarray(_OF_DECISIONS[line.measure](sample, line), dtype=np.float64)
    counted = ~columns.is_setup
    if line.of != "all":
        counted &= columns.agent == _agent(sample, line.of)
    places = columns.round if line.by == "round" else columns.ply
    if line.round:
        counted &= columns.round == line.round - 1
        places = _plies_of_round(columns)
    return np.where(counted, values, np.nan), columns.set, places + 1


def _plies_of_round(columns: Columns) -> NDArray[np.int64]:
    """Of each decision how many were made before it in its game's round."""
    starts = (np.diff(columns.game, prepend=-1) != 0) | (np.diff(columns.round, prepend=-1) != 0)
    first = np.flatnonzero(starts)[np.cumsum(starts) - 1]
    plies: NDArray[np.int64] = np.arange(len(starts)) - first
    return plies


def _agent(sample: Sample, of: str) -> int:
    """The place of the first or second agent (`a`, `b`) among the sample's names."""
    return sample.names.index(sample.plan.agents["ab".index(of)])


def _own_moves(sample: Sample, number: int, of: str) -> float:
    """Decisions of play a seat in one game: of the agent's seats, or of all."""
    trace = sample.traces[number]
    seats = [seat for seat, agent in enumerate(trace.agents) if of == "all" or "ab".index(of) == agent]
    return float(np.isin(trace.walk.seat[~trace.walk.is_setup], seats).sum() / len(seats))


def _gained(sample: Sample, line: FigureLine) -> Floats:
    """Points gained by each decision; by an evaluation the last of a game is left out, since it is worth its result."""
    if line.points in sample.lens.metrics:
        return metric_gains(sample, line.points).astype(np.float64)
    if line.points == SCORE:
        return sample.decisions.gained.astype(np.float64)
    return judged_gains(sample)


def _disambiguation(sample: Sample, _line: FigureLine) -> Floats:
    return np.concatenate([np.empty(0), *(shrinking(trace.walk)[0] for trace in sample.traces)])


def _leaf(sample: Sample, number: int, _of: str) -> float:
    leaf = sample.traces[number].leaf
    return float(leaf.is_same) if leaf.is_case else np.nan


def _bias(sample: Sample, number: int, _of: str) -> float:
    leaf = sample.traces[number].leaf
    return leaf.first_share if leaf.is_case and leaf.is_same else np.nan


_OF_DECISIONS: dict[str, Callable[[Sample, FigureLine], Floats | NDArray[np.int64]]] = {
    "branching": lambda sample, line: sample.decisions.offered,
    "filtered": lambda sample, line: sample.decisions.kept,
    "considered": lambda sample, line: sample.decisions.kept,
    "milliseconds": lambda sample, line: 1000 * sample.decisions.seconds,
    "gain": _gained,
    "disambiguation": _disambiguation,
}
_OF_GAMES: dict[str, Callable[[Sample, int, str], float]] = {
    "length": lambda sample, number, of: float(len(sample.traces[number].walk.seat)),
    "own moves": _own_moves,
    "draws": lambda sample, number, of: float(max(sample.traces[number].shares) < 1),
    "leaf correlation": _leaf,
    "bias": _bias,
}
