"""A run of training on disk: what its method keeps, the curve so far, and what the run is."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.numbers import shortened
from meeple.errors import ConfigError, FailureError, SaveError

SUFFIX = ".checkpoint"
HEADER, CURVE = "header", "curve"
FORMAT = 1


@dataclass
class Curve:
    """How a run went: by step its loss and the seconds since it began; now and then a strength."""

    losses: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    strengths: list[list[float]] = field(default_factory=list)  # step, score, low, high


def checkpoint_of(out: Path) -> Path:
    """Where the checkpoints of a run lie that ends in the model `out`."""
    return out.with_name(out.name + SUFFIX)


def write_checkpoint(
    file: Path, identity: Mapping[str, Any], done: int, arrays: Mapping[str, NDArray[Any]], curve: Curve
) -> None:
    """Write a checkpoint whole, or leave the last one as it was.

    Raises:
        SaveError: it cannot be written: no room, no folder, no right to.
    """
    header = {"format": FORMAT, "done": done, "identity": identity, "strengths": curve.strengths}
    content: dict[str, NDArray[Any]] = {f"kept_{name}": array for name, array in arrays.items()}
    content[HEADER] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    content[CURVE] = np.array([curve.losses, curve.seconds])
    spare = file.with_name(file.name + ".part")
    is_there = file.exists()
    try:
        with spare.open("wb") as out:
            np.savez(out, **content)  # type: ignore[arg-type]
        spare.replace(file)
    except OSError as fault:
        spare.unlink(missing_ok=True)
        last = "; the last one is still there" if is_there else ""
        reason = fault.strerror or str(fault)
        raise SaveError(f"a checkpoint cannot be written as '{shortened(str(file))}': {reason}{last}") from fault


def read_checkpoint(file: Path, identity: Mapping[str, Any]) -> tuple[int, dict[str, NDArray[Any]], Curve]:
    """How many steps were done, what the method kept, and the curve.

    Raises:
        ConfigError: it is of another run: another game, method, setting or version.
        FailureError: it is damaged.
    """
    try:
        with np.load(file, allow_pickle=False) as found:
            arrays = {name: found[name] for name in found.files}
        header = json.loads(arrays.pop(HEADER).tobytes().decode())
        losses, seconds = arrays.pop(CURVE)
        done, strengths, other = int(header["done"]), header["strengths"], header["identity"]
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as fault:
        raise FailureError(
            f"the checkpoint '{shortened(str(file))}' cannot be read ({shortened(str(fault))}); remove it to begin anew"
        ) from fault
    difference = _difference(other, json.loads(json.dumps(identity)))
    if difference:
        raise ConfigError(
            f"'{shortened(str(file))}' holds a run with {difference}; "
            "go on with its settings, give another --out, or remove it to begin anew"
        )
    kept = {name.removeprefix("kept_"): array for name, array in arrays.items()}
    return done, kept, Curve(losses.tolist(), seconds.tolist(), strengths)


def _difference(kept: Any, wanted: Mapping[str, Any]) -> str:
    """The first thing in which two runs differ, in words; empty where they are one."""
    if not isinstance(kept, dict):
        return "no settings in it"
    before, now = _flat(kept), _flat(wanted)
    for name in [*now, *before]:
        if before.get(name) != now.get(name):
            return f"{name}={before.get(name)} in the place of {now.get(name)}"
    return ""


def _flat(identity: Mapping[str, Any]) -> dict[str, Any]:
    settings = identity.get("settings")
    rest = {name: value for name, value in identity.items() if name != "settings"}
    return rest | (settings if isinstance(settings, dict) else {})
