"""A tuning as a picture: its history, what hangs on each dimension, and a slice along each."""

from __future__ import annotations

import math
from itertools import accumulate
from pathlib import Path
from typing import Any

from meeple.arena.export import plotter
from meeple.core.numbers import shortened
from meeple.errors import ConfigError, SaveError
from meeple.tune.space import Dimension
from meeple.tune.tuning import Study, Tried

DRAWN = (".png", ".svg", ".pdf")
MOST_SLICES = 12  # those of the most important dimensions
COLUMNS = 4
BLUE, PALE, BROWN, GREY = "#3b6ea5", "#88a9cc", "#b0885c", "#888888"


def require_plot(file: Path) -> None:
    """Raise ConfigError, before a run begins, where its plots could not be written to this file in the end."""
    if file.suffix not in DRAWN:
        raise ConfigError(f"--plot takes a file that ends in {', '.join(DRAWN)}, not '{shortened(str(file))}'")
    if not file.parent.is_dir():
        raise ConfigError(f"'{shortened(str(file))}' cannot be written: there is no folder '{file.parent}'")
    plotter()


def write_plots(study: Study, file: Path) -> None:
    """Draw all panels into one file."""
    pyplot = plotter()
    parts = study.importances()
    dimensions = sorted(study.tuning.space.dimensions, key=lambda each: -parts.get(each.key, 0.0))[:MOST_SLICES]
    n_rows = 1 + math.ceil(len(dimensions) / COLUMNS)
    figure = pyplot.figure(figsize=(3.6 * COLUMNS, 2.8 * n_rows), layout="constrained")
    grid = figure.add_gridspec(n_rows, COLUMNS)
    _history(study, figure.add_subplot(grid[0, :2] if parts else grid[0, :]))
    if parts:
        _importance(parts, figure.add_subplot(grid[0, 2:]))
    for place, dimension in enumerate(dimensions):
        axis = figure.add_subplot(grid[1 + place // COLUMNS, place % COLUMNS])
        _slice(study, dimension, axis)
    figure.suptitle(shortened(study.tuning.heading(), 160), fontsize=9)
    try:
        figure.savefig(file, dpi=120)
    except OSError as fault:
        raise SaveError(f"the plots cannot be written as '{shortened(str(file))}': {fault.strerror}") from fault
    finally:
        pyplot.close(figure)


def _history(study: Study, axis: Any) -> None:
    whole = [tried for tried in study.trials if tried.is_whole]
    given_up = [tried for tried in study.trials if not tried.is_whole]
    _dots(axis, [tried.number + 1 for tried in given_up], given_up, GREY, "given up")
    _dots(axis, [tried.number + 1 for tried in whole], whole, PALE, "trials")
    best = list(accumulate((tried.mean for tried in whole), max))
    axis.plot([tried.number + 1 for tried in whole], best, color=BLUE, linewidth=2, drawstyle="steps-post")
    start = study.start
    if start is not None:
        axis.axhline(start.mean, color=BROWN, linestyle=":")
    axis.set_title(f"{study.tuning.contest.objective} by trial; line: best so far; dotted: start", fontsize=9)


def _importance(parts: dict[str, float], axis: Any) -> None:
    shown = sorted(parts.items(), key=lambda item: item[1])[-MOST_SLICES:]
    axis.barh(range(len(shown)), [part for _key, part in shown], color=PALE)
    axis.set_yticks(range(len(shown)), [key.rpartition(".")[2] for key, _part in shown], fontsize=7)
    axis.set_title("what the best tenth hangs on (PED-ANOVA)", fontsize=9)


def _slice(study: Study, dimension: Dimension, axis: Any) -> None:
    whole = [tried for tried in study.trials if tried.is_whole]
    values = [tried.values[dimension.key] for tried in whole]
    if dimension.choices:  # in their order, not as numbers
        names = [str(choice) for choice in dimension.choices]
        _dots(axis, [names.index(str(value)) for value in values], whole, PALE, "")
        axis.set_xticks(range(len(names)), names, fontsize=7)
    else:
        _dots(axis, values, whole, PALE, "")
        axis.set_xscale("log" if dimension.is_log else "linear")
        if not isinstance(dimension.start, str) and dimension.holds(dimension.start):
            axis.axvline(dimension.start, color=BROWN, linestyle=":")
        axis.plot([study.whole[0].values[dimension.key]], [study.whole[0].mean], "o", color=BLUE, markersize=5)
    axis.set_title(dimension.key.rpartition(".")[2], fontsize=8)


def _dots(axis: Any, places: list[Any], trials: list[Tried], colour: str, label: str) -> None:
    axis.plot(places, [tried.mean for tried in trials], "o", color=colour, markersize=3, label=label)
