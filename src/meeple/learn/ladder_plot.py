"""The ladder of a run's generations as a picture, or as CSV."""

from __future__ import annotations

import csv
import math
from pathlib import Path

from meeple.arena.export import plotter
from meeple.arena.sentence import MOST_ELO
from meeple.core.numbers import shortened
from meeple.errors import SaveError
from meeple.learn.curves import TABLE
from meeple.learn.duels import REFERENCE
from meeple.learn.generations import Ladder

BLUE, PALE, BROWN, GREY = "#3b6ea5", "#88a9cc", "#b0885c", "#888888"


def write_ladder(ladder: Ladder, file: Path) -> None:
    """Write the ratings with their intervals, generation by generation; the file's suffix says in which form.

    The same ladder gives the same SVG, byte for byte.
    """
    try:
        if file.suffix == TABLE:
            _write_table(ladder, file)
        else:
            _draw(ladder, file)
    except OSError as fault:
        raise SaveError(f"the ladder cannot be written as '{shortened(str(file))}': {fault.strerror}") from fault


def _write_table(ladder: Ladder, file: Path) -> None:
    with file.open("w", newline="", encoding="utf-8") as out:
        rows = csv.DictWriter(out, ["player", "generation", "champion", "elo", "low", "high", "games"])
        rows.writeheader()
        rows.writerows(rung.as_json() for rung in sorted(ladder.rungs, key=lambda rung: rung.player))


def _draw(ladder: Ladder, file: Path) -> None:
    pyplot = plotter()
    figure, axis = pyplot.subplots(figsize=(6, 3.6), layout="constrained")
    shown = [rung for rung in ladder.rungs if rung.rating.is_comparable]
    for rung in sorted(shown, key=lambda rung: rung.player):
        rating = rung.rating
        if rung.player <= REFERENCE:
            axis.axhline(rating.elo, color=BROWN, linestyle=":", label=shortened(rung.name, 48))
            continue
        ends = [min(abs(rating.elo - end), MOST_ELO) for end in (rating.low, rating.high) if not math.isnan(end)]
        color = BLUE if rung.is_champion else GREY
        axis.errorbar(rung.player, rating.elo, yerr=[[end] for end in ends], fmt="o", color=color, capsize=3)
    line = sorted((rung.player, rung.rating.elo) for rung in shown if rung.player > REFERENCE)
    axis.plot([number for number, _ in line], [elo for _, elo in line], color=PALE, zorder=0)
    axis.set_xticks([number for number, _ in line])
    axis.set_xlabel("generation (grey: did not become champion)")
    axis.set_ylabel("Elo, 98%")
    axis.set_title(f"{ladder.run.game.spec}: generations, {ladder.games} games", fontsize=10)
    axis.legend(fontsize=7)
    with pyplot.rc_context({"svg.hashsalt": "ladder"}):
        figure.savefig(file, dpi=120, metadata={"Date": None} if file.suffix == ".svg" else None)
    pyplot.close(figure)
