"""The curve of a run in a file: drawn by matplotlib, or as CSV."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np

from meeple.core.numbers import shortened
from meeple.errors import ConfigError, SaveError
from meeple.learn.checkpoint import Curve

DRAWN = (".png", ".svg", ".pdf")
TABLE = ".csv"


def check_plot(file: Path) -> None:
    """Raise ConfigError, before a run begins, where its curve could not be written to this file in the end."""
    if file.suffix not in (*DRAWN, TABLE):
        raise ConfigError(
            f"--plot takes a file that ends in {', '.join((*DRAWN, TABLE))}, not '{shortened(str(file))}'"
        )
    if file.suffix != TABLE:
        _pyplot()
    if not file.parent.is_dir():
        raise ConfigError(f"'{shortened(str(file))}' cannot be written: there is no folder '{file.parent}'")


def write_curve(curve: Curve, file: Path, *, title: str, unit: str, even: float) -> None:
    """Write losses and strengths; `even` is the share of an agent that is as strong as its rivals."""
    try:
        if file.suffix == TABLE:
            _write_table(curve, file)
        else:
            _draw(curve, file, title=title, unit=unit, even=even)
    except OSError as fault:
        raise SaveError(f"the curve cannot be written as '{shortened(str(file))}': {fault.strerror}") from fault


def _write_table(curve: Curve, file: Path) -> None:
    strengths = {int(step): score for step, score, _, _ in curve.strengths}
    with file.open("w", newline="", encoding="utf-8") as out:
        rows = csv.writer(out)
        rows.writerow(["step", "seconds", "loss", "strength"])
        for step, (seconds, loss) in enumerate(zip(curve.seconds, curve.losses, strict=True), 1):
            rows.writerow([step, f"{seconds:.2f}", f"{loss:.6g}", strengths.get(step, "")])


def _draw(curve: Curve, file: Path, *, title: str, unit: str, even: float) -> None:
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(1, 2 if curve.strengths else 1, figsize=(10 if curve.strengths else 6, 3.6))
    loss = axes[0] if curve.strengths else axes
    steps = range(1, len(curve.losses) + 1)
    loss.plot(steps, curve.losses, color="#88a9cc", linewidth=1)
    loss.plot(steps, _means(curve.losses), color="#3b6ea5", linewidth=2)
    loss.set_title("loss, and its mean of the last tenth", fontsize=10)
    loss.set_xlabel(unit)
    if curve.strengths:
        done, score, low, high = zip(*curve.strengths, strict=True)
        axes[1].fill_between(done, low, high, color="#b0885c", alpha=0.3)
        axes[1].plot(done, score, "o-", color="#b0885c")
        axes[1].axhline(even, color="#888888", linestyle=":")
        axes[1].set_ylim(0, 1)
        axes[1].set_title("score, 98% (dotted: an even share)", fontsize=10)
        axes[1].set_xlabel(unit)
    figure.suptitle(title, fontsize=10)
    figure.tight_layout()
    figure.savefig(file, dpi=120)
    pyplot.close(figure)


def _means(losses: list[float]) -> list[float]:
    """At each step the mean of the last tenth of the steps so far."""
    sums = np.concatenate([[0.0], np.cumsum(losses)])
    ends = np.arange(1, len(losses) + 1)
    begins = ends - 1 - (ends - 1) // 10
    return [float(mean) for mean in (sums[ends] - sums[begins]) / (ends - begins)]


def _pyplot() -> Any:
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        raise ConfigError("drawings need matplotlib: pip install 'meeple[report]'; or give a .csv file") from None
    return pyplot
