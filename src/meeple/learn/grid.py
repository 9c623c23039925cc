"""A grid over settings: a run for each combination of values; the best model is kept, with all results in its card.

Runs are compared by their last match where there is a yardstick, else by their last loss (which tells less: a rate or
an architecture can learn its labels better and play worse). Each run has its own file beside the model, with a
checkpoint of its own, so a grid that was stopped goes on where it was.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from meeple.core.game import Game
from meeple.core.numbers import shortened
from meeple.errors import ConfigError
from meeple.learn.run import Progress, train
from meeple.learn.strength import Yardstick
from meeple.learn.training import Training
from meeple.models.file import load, save

MOST_RUNS = 100
Values = Mapping[str, str]  # settings of the grid, with the values of one run
Begin = Callable[[Values], Training]


@dataclass(frozen=True)
class Cell:
    """A run of the grid that is done."""

    values: dict[str, str]
    loss: float
    score: float | None  # in the last match, where one was played

    @property
    def rank(self) -> tuple[float, float]:
        """Larger is better: the score of a match before the loss."""
        return (0.0 if self.score is None else self.score), -self.loss

    def as_card(self) -> dict[str, Any]:
        """For the card of the model."""
        return {**self.values, "last loss": self.loss} | ({} if self.score is None else {"score": self.score})


def read_grid(words: Sequence[str], given: Mapping[str, str]) -> list[dict[str, str]]:
    """All combinations of the values in words such as `kernel=2,3`; the last one changes fastest.

    Raises:
        ConfigError: a word is not of that form, a setting comes twice, or there are too many runs.
    """
    found: dict[str, list[str]] = {}
    for word in words:
        key, _, text = word.partition("=")
        values = text.split(",")
        if not key or not all(values) or len(values) < 2 or len(set(values)) < len(values):
            raise ConfigError(f"--grid takes a setting and different values of it, key=a,b, not '{shortened(word)}'")
        if key in found or key in given:
            raise ConfigError(f"'{key}' is given twice")
        found[key] = values
    cells = [dict(zip(found, values, strict=True)) for values in itertools.product(*found.values())]
    if len(cells) > MOST_RUNS:
        raise ConfigError(f"this grid is of {len(cells):,} runs; {MOST_RUNS} are the most")
    return cells


def part_of(out: Path, number: int) -> Path:
    """Where the model of a run lies until all are done; runs are counted from 1."""
    return out.with_name(f"{out.stem}-run{number}{out.suffix}")


def train_grid(
    game: Game,
    begin: Begin,
    cells: Sequence[dict[str, str]],
    out: Path,
    *,
    yardstick: Yardstick | None = None,
    limit: float = 0.0,
    on_step: Callable[[int, Progress], None] = lambda number, progress: None,
    clock: Callable[[], float] = time.monotonic,
) -> list[Cell]:
    """Train all that is not done yet, within `limit` seconds (0: no limit), and write the best model to `out`.

    Returns the runs that are done, in their order: fewer than there are cells where time ran out.

    Raises:
        ConfigError: a run's file is of other settings, or a combination of values is refused.
    """
    for values in cells:
        begin(values)  # what it refuses is said before the first run
    started, done = clock(), list[Cell]()
    for number, values in enumerate(cells, 1):
        part, training = part_of(out, number), begin(values)
        if not part.exists():
            left = max(0.001, limit - (clock() - started)) if limit else 0.0

            def tell(progress: Progress, number: int = number) -> None:
                on_step(number, progress)

            if not train(
                training, part, on_step=tell, yardstick=yardstick, limit=left, clock=clock, leaves=False
            ).is_finished:
                return done
        done.append(_cell_of(game, part, training, values, yardstick))
    _keep_best(game, out, done)
    return done


def best_of(cells: Sequence[Cell]) -> Cell:
    """The one with the highest rank, the first of equals."""
    return max(cells, key=lambda cell: cell.rank)


def _cell_of(game: Game, part: Path, training: Training, values: Values, yardstick: Yardstick | None) -> Cell:
    card = load(part, game).header.card
    if card.get("settings") != training.identity["settings"] or card.get("method") != training.name:
        raise ConfigError(f"'{shortened(str(part))}' is of another run: remove it, or give another --out")
    figures = card["figures"]
    score = None
    if yardstick is not None:
        matches = figures.get(f"score against {yardstick.against}")
        if not matches:
            raise ConfigError(
                f"'{shortened(str(part))}' has played no match against {yardstick.against}: remove it, "
                "or give another --out"
            )
        score = matches[-1]["score"]
    return Cell(dict(values), figures["last loss"], score)


def _keep_best(game: Game, out: Path, cells: Sequence[Cell]) -> None:
    """The best model becomes the model, with all runs in its card; the files of the runs are removed."""
    winner = best_of(cells)
    model = load(part_of(out, 1 + cells.index(winner)), game)
    told = {"won": winner.values, "by": "last loss" if winner.score is None else "score"}
    card = {**model.header.card, "grid": {**told, "runs": [cell.as_card() for cell in cells]}}
    save(replace(model, header=replace(model.header, card=card)), out)
    for number in range(1, len(cells) + 1):
        part_of(out, number).unlink(missing_ok=True)
