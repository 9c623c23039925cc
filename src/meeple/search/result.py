"""What a search answers, in one unit whatever the search: expected returns of the mover, in [-1, 1].

`returns` is 2w - 1 for a win share w: 1 a win, -1 a loss. What a number is worth stands beside it: whether the move is
proven won or lost, whether the value is only a bound, and the standard error where it is the mean of samples.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
FEWEST = 2  # samples that a standard error is told of


@dataclass(frozen=True)
class SearchResult:
    """The move chosen, and what the search thinks of each move that it looked at.

    All arrays are as long as `actions`. A proof holds against every play of the rivals: won or lost after so many plies
    at the latest. A search stopped in the middle of a depth keeps what the last depth said of the moves not reached.
    """

    action: int
    actions: NDArray[np.int64]  # ascending: all on offer, or those that a filter of the search left
    values: Floats  # expected returns of the mover after each; NaN: never tried, or not weighed by its returns
    visits: NDArray[np.int64]  # how often each was tried: iterations, playouts, worlds or once; 0: never
    work: int  # playouts, iterations or nodes in all
    value: float  # that of `action`, or the mean of the others where it has none; NaN where nothing is known
    proofs: NDArray[np.int64]  # n: won after n plies at the latest; -n: lost; 0: not proven
    bounds: NDArray[np.bool_]  # the move is worth at most its value, perhaps less
    errors: Floats  # standard error of each value; 0 where it is proven; NaN where it is no mean of samples
    depth: int = 0  # plies searched, where that means something
    find_line: Callable[[], list[str]] = field(default=list, repr=False, compare=False)  # makes `line`
    seconds: float = 0.0  # by the wall, without the time in which code was compiled or loaded
    preferences: Floats | None = None  # a bias's liking of each move, in its own unit, where the search follows one

    @classmethod
    def of(
        cls,
        best: int,
        actions: NDArray[np.int64],
        values: Floats,
        visits: NDArray[np.int64],
        *,
        work: int,
        seconds: float,
        proofs: NDArray[np.int64] | None = None,
        bounds: NDArray[np.bool_] | None = None,
        errors: Floats | None = None,
        depth: int = 0,
        find_line: Callable[[], list[str]] = list,
        preferences: Floats | None = None,
    ) -> SearchResult:
        """The result that chooses `actions[best]`; what is proven is worth 1 or -1, what was never tried NaN."""
        n = len(actions)
        proofs = np.zeros(n, dtype=np.int64) if proofs is None else proofs
        bounds = np.zeros(n, dtype=np.bool_) if bounds is None else bounds & (proofs == 0)
        errors = np.full(n, np.nan) if errors is None else errors
        values = np.where(proofs != 0, np.sign(proofs), np.where(visits > 0, np.clip(values, -1.0, 1.0), np.nan))
        return cls(
            int(actions[best]),
            actions,
            values,
            visits,
            work,
            _value(values, visits, best),
            proofs,
            bounds,
            np.where(proofs != 0, 0.0, np.where(np.isnan(values) | bounds, np.nan, errors)),
            depth,
            find_line,
            seconds,
            preferences,
        )

    @property
    def place(self) -> int:
        """Where the move chosen stands in the arrays."""
        return int(np.searchsorted(self.actions, self.action))

    @property
    def proof(self) -> int:
        """What is proven of the move chosen: won after so many plies, lost after so many (negative), or 0."""
        return int(self.proofs[self.place])

    @cached_property
    def line(self) -> list[str]:
        """The best line, made when it is first asked for: few do."""
        return self.find_line()


def _value(values: Floats, visits: NDArray[np.int64], best: int) -> float:
    """The value of the position: the chosen move's, or the mean over all visits of moves that have one."""
    if not np.isnan(values[best]):
        return float(values[best])
    known = ~np.isnan(values) & (visits > 0)
    return float(np.average(values[known], weights=visits[known])) if known.any() else float("nan")


def errors_of(counts: NDArray[np.generic], sums: Floats, squares: Floats) -> Floats:
    """The standard error of each mean of so many samples in [-1, 1]; NaN below two samples.

    Two imaginary samples, a win and a loss, are counted in: a handful of equal samples says little, not all.
    """
    n = np.asarray(counts, dtype=np.float64)
    mean, square = sums / (n + 2), (squares + 2.0) / (n + 2)
    return np.where(n >= FEWEST, np.sqrt(np.maximum(0.0, square - mean * mean) / (n + 2)), np.nan)


def in_returns(counts: NDArray[np.generic], sums: Floats, squares: Floats) -> tuple[Floats, Floats]:
    """Sums over samples and over their squares, given of win shares w, for returns 2w - 1."""
    n = np.asarray(counts, dtype=np.float64)
    return 2 * sums - n, 4 * squares - 4 * sums + n


def errors_over_worlds(values: Floats) -> Floats:
    """The standard error of each move's mean over worlds, `values` holding a row a world."""
    return errors_of(np.full(values.shape[1], len(values)), values.sum(axis=0), (values * values).sum(axis=0))


def errors_by_world(counts: Floats, sums: Floats) -> Floats:
    """The standard error of each mean over samples of several worlds, a row a world; NaN below two worlds.

    Samples of one world resemble each other, so the worlds are what varies: the error of a ratio of sums.
    """
    total, worlds = counts.sum(axis=0), (counts > 0).sum(axis=0)
    mean = sums.sum(axis=0) / np.maximum(total, 1)
    spread = ((sums - counts * mean) ** 2).sum(axis=0)
    found = np.sqrt(spread * worlds / np.maximum(worlds - 1, 1)) / np.maximum(total, 1)
    return np.where(worlds >= FEWEST, found, np.nan)
