"""Figures: means with intervals, of all decisions or of those of each ply, round, agent, seat."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.arena.measures.sample import Columns, Sample
from meeple.arena.statistics import CONFIDENCE, Interval, ratio_interval

LEAST_SETS = 5  # fewer tell too little of their spread: no interval is given
BY = ("ply", "round", "agent", "seat")


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A measure of a sample: for people and files, so rounds and seats count from 1; plies, as in a replay, from 0.

    None (an agent: '') where the figure is of all plies, rounds, seats or agents.
    """

    measure: str
    ply: int | None = None
    round: int | None = None
    seat: int | None = None
    agent: str = ""
    n: int  # decisions or games, whatever the mean is taken over
    mean: float
    low: float  # of the interval; -inf and inf where too few sets tell nothing of the spread
    high: float
    confidence: float = CONFIDENCE
    least: float = math.nan
    most: float = math.nan

    def as_row(self) -> dict[str, Any]:
        """Every field, numbers that are none as None."""
        return {
            name: None if value == "" or (isinstance(value, float) and not math.isfinite(value)) else value
            for name, value in asdict(self).items()
        }

    def as_json(self) -> dict[str, Any]:
        """As `as_row`, without the fields by which it is not told apart from others."""
        told = ("ply", "round", "seat", "agent")
        return {name: value for name, value in self.as_row().items() if value is not None or name not in told}


def figure(measure: str, found: Interval, n: int, **rest: Any) -> Figure:
    """A figure of an interval."""
    return Figure(
        measure=measure, n=n, mean=found.mean, low=found.low, high=found.high, confidence=found.confidence, **rest
    )


def averages(
    sample: Sample,
    measure: str,
    values: NDArray[Any],
    *,
    by: Sequence[str] = (),
    where: NDArray[np.bool_] | None = None,
) -> list[Figure]:
    """The mean of a value that each decision has, for every group that `by` makes of the decisions `where`.

    `by` holds some of `BY`; groups that nobody met are left out. The interval is that of a ratio of two sums over
    sets (`ratio_interval`), since decisions of one game, and games of one set, are not independent.
    """
    rows = np.arange(len(values)) if where is None else np.flatnonzero(where)
    columns = sample.decisions
    keys = [_key(columns, name)[rows] for name in by]
    found = []
    for key, members in _groups(keys, rows):
        own, sets = values[members], columns.set[members]
        names = {name: _shown(sample, name, number) for name, number in zip(by, key, strict=True)}
        interval = interval_over_sets(own, sets)
        found.append(figure(measure, interval, len(own), least=float(own.min()), most=float(own.max()), **names))
    return found


def interval_over_sets(values: NDArray[Any], sets: NDArray[np.int64]) -> Interval:
    """The mean of values, each of the set with this number, with its interval over sets (`ratio_interval`)."""
    _, places = np.unique(sets, return_inverse=True)
    totals, counts = np.bincount(places, weights=values), np.bincount(places)
    found = ratio_interval(totals, counts)
    return found if len(counts) >= LEAST_SETS else Interval(found.mean, -math.inf, math.inf)


def _key(columns: Columns, name: str) -> NDArray[np.int64]:
    column: NDArray[np.int64] = getattr(columns, name)
    return column


def _shown(sample: Sample, name: str, number: int) -> Any:
    if name == "agent":
        return sample.names[number]
    return int(number) + (name in ("round", "seat"))


def _groups(
    keys: Sequence[NDArray[np.int64]], rows: NDArray[np.int64]
) -> list[tuple[tuple[int, ...], NDArray[np.int64]]]:
    """The rows of each combination of keys, in ascending order of the keys."""
    if len(rows) == 0:
        return []
    if not keys:
        return [((), rows)]
    table = np.stack(keys)
    order = np.lexsort(table[::-1])
    table, rows = table[:, order], rows[order]
    cuts = np.flatnonzero((np.diff(table, axis=1) != 0).any(axis=0)) + 1
    starts = [0, *cuts.tolist()]
    return [(tuple(table[:, start].tolist()), part) for start, part in zip(starts, np.split(rows, cuts), strict=True)]
