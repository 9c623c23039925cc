"""The loop of training: step after step, a checkpoint each minute, and the model with its card in the end.

Killed at any moment, the run goes on from its last checkpoint when it is started again; Ctrl-C and a limit of time
write one first.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import meeple
from meeple.core.numbers import shortened
from meeple.errors import ConfigError, FailureError, SaveError
from meeple.learn.checkpoint import Curve, checkpoint_of, read_checkpoint, write_checkpoint
from meeple.learn.strength import Yardstick
from meeple.learn.training import Training
from meeple.models.file import save

CHECKPOINT_SECONDS = 30.0  # between two checkpoints
SMOOTH = 0.1  # the part of a run whose mean loss is shown
MOST_SHOWN = 1000  # steps of it at the most


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    done: int
    total: int
    loss: float  # mean of the last steps
    speed: float  # steps a second
    left: float  # seconds, at that speed


@dataclass(frozen=True)
class Outcome:
    """What a run came to."""

    curve: Curve
    done: int
    total: int
    resumed_from: int

    @property
    def is_finished(self) -> bool:
        """Whether all steps are done; else it goes on when it is started again."""
        return self.done >= self.total


def train(
    training: Training,
    out: Path,
    *,
    on_step: Callable[[Progress], None] = lambda progress: None,
    limit: float = 0.0,
    yardstick: Yardstick | None = None,
    clock: Callable[[], float] = time.monotonic,
    every: float = CHECKPOINT_SECONDS,
    leaves: bool = True,
) -> Outcome:
    """Train to the end, or for `limit` seconds (0: no limit), and write the model to `out`.

    `yardstick` plays a match now and then; what it finds goes into the curve and the card, never into the weights.
    With `leaves` the method may leave more beside the model, such as each generation's network.

    Raises:
        ConfigError: the checkpoint that lies there is of another run.
        FailureError: a loss or a weight is no number any more; the last checkpoint is kept.
        SaveError: a file could not be written; the last checkpoint is kept.
    """
    run = TrainingRun(training, out, clock)
    begun_at = training.done
    written, started = clock(), clock()
    try:
        run.look(yardstick)
        while training.done < training.total:
            run.step()
            run.look(yardstick)
            on_step(run.progress(begun_at, clock() - started))
            if limit and clock() - started >= limit and training.done < training.total:
                run.write()
                break
            if clock() - written >= every and training.done < training.total:
                run.write()
                written = clock()
    except KeyboardInterrupt:
        run.write()
        raise
    if training.done >= training.total:
        run.finish(yardstick, leaves=leaves)
    return Outcome(run.curve, training.done, training.total, begun_at)


class TrainingRun:
    """A run under way, with its file."""

    def __init__(self, training: Training, out: Path, clock: Callable[[], float]) -> None:
        self.training, self.out, self.clock = training, out, clock
        self.file = checkpoint_of(out)
        self.curve = Curve()
        if not out.parent.is_dir():
            raise SaveError(f"'{shortened(str(out))}' cannot be written: there is no folder '{out.parent}'")
        if self.file.exists():
            training.done, kept, self.curve = read_checkpoint(self.file, training.identity)
            training.restore(kept)
        self.since = clock() - (self.curve.seconds[-1] if self.curve.seconds else 0.0)

    def step(self) -> None:
        """One step, counted; an unsound one ends the run before anything is written of it."""
        loss = self.training.step()
        if not math.isfinite(loss) or not self.training.is_sound():
            last = f"; the last checkpoint is '{shortened(str(self.file))}'" if self.file.exists() else ""
            raise FailureError(
                f"{self.training.name} came to numbers that are none in step {self.training.done + 1} "
                f"of {self.training.total}: try a smaller rate{last}"
            )
        self.training.done += 1
        self.curve.losses.append(loss)
        self.curve.seconds.append(self.clock() - self.since)

    def look(self, yardstick: Yardstick | None) -> None:
        """Measure the strength where the yardstick wants it."""
        done, total = self.training.done, self.training.total
        seen = {int(each[0]) for each in self.curve.strengths}
        if yardstick is None or done in seen or not yardstick.wants(done, total):
            return
        part = self.out.with_name(f"{self.out.stem}-at-work.npz")
        try:
            save(self.training.model({"method": self.training.name, "done": done}), part)
            found = yardstick.measure(self.training.game, self.training.player(f"model@{part}"))
        finally:
            part.unlink(missing_ok=True)
        self.curve.strengths.append([done, found.mean, found.low, found.high])

    def progress(self, begun_at: int, seconds: float) -> Progress:
        """For whoever watches."""
        done, total = self.training.done, self.training.total
        speed = (done - begun_at) / seconds if seconds > 0 else 0.0
        return Progress(done, total, self.recent_loss(), speed, (total - done) / speed if speed else 0.0)

    def recent_loss(self) -> float:
        """The mean loss of the last tenth of the steps so far, of 1000 at the most."""
        last = self.curve.losses[-max(1, min(MOST_SHOWN, int(len(self.curve.losses) * SMOOTH))) :]
        return sum(last) / len(last) if last else math.nan

    def write(self) -> None:
        """A checkpoint."""
        training = self.training
        write_checkpoint(self.file, training.identity, training.done, training.kept(), self.curve)

    def finish(self, yardstick: Yardstick | None, *, leaves: bool = True) -> None:
        """The model with its card, the last of all that is written; a checkpoint is of no more use then."""
        try:
            if leaves:
                self.training.leave(self.out)
            save(self.training.model(self.card(yardstick)), self.out)
        except (ConfigError, SaveError):
            self.write()  # all steps are done: only the last one, to save the model, is to be made again
            raise
        self.file.unlink(missing_ok=True)

    def card(self, yardstick: Yardstick | None) -> dict[str, Any]:
        """What made the model."""
        training, losses = self.training, self.curve.losses
        first = losses[: max(1, int(len(losses) * SMOOTH))]
        identity = training.identity
        figures: dict[str, Any] = {
            "first loss": _rounded(sum(first) / len(first)),
            "last loss": _rounded(self.recent_loss()),
            "seconds": round(self.curve.seconds[-1], 1),
            **training.figures(),
        }
        if yardstick is not None and self.curve.strengths:
            figures[f"score against {yardstick.against}"] = [
                {"after": int(done), "score": round(score, 3), "low": round(low, 3), "high": round(high, 3)}
                for done, score, low, high in self.curve.strengths
            ]
        return {
            "method": training.name,
            "data": f"{training.total:,} {training.unit}",
            "seeds": identity["settings"]["seed"],
            "figures": figures,
            "settings": identity["settings"],
            "game": identity["game"],
            "rules": identity["rules"],
            "meeple": meeple.__version__,
            "plays": training.player("model@FILE"),
            "licence": "MIT",
        }


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")
