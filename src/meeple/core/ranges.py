"""The range of every field of a state: declared by a game beside its layout, held here.

    RANGES = {"seat": (0, 3), "bag": (0, ALL_TILES), "seats": KEPT}

A pair is the least and the most that any entry of the field holds in any state that play reaches. `KEPT` marks a
field that holds all match long what `new_game` wrote for these seats and options. Core compares every state that
comes from outside (a text, bytes) with them before a kernel sees it: kernels index by fields and check nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

KEPT: Literal["kept"] = "kept"
FATE = (0, 2**63 - 1)  # of the field `fate`, which is core's: a game need not declare it
Range = tuple[int, int] | Literal["kept"]


def all_ranges(layout: np.dtype[Any], declared: Mapping[str, Range]) -> dict[str, Range]:
    """The range of every field of a layout; those that the game leaves to core (fate, padding) are put in."""
    ranges: dict[str, Range] = {name: declared.get(name, (0, 0)) for name in layout.names or ()}
    if "fate" in ranges:
        ranges["fate"] = FATE
    return ranges


def range_faults(layout: Any, declared: Any) -> list[str]:
    """What is wrong with a game's RANGES, in words; empty where nothing is."""
    names = layout.names if isinstance(layout, np.dtype) and layout.names else ()
    if not isinstance(declared, Mapping):
        return ["RANGES must be a dict: field -> (least, most)"]
    faults = [f"RANGES has no range of field '{name}'" for name in names if name not in declared and name != "fate"]
    faults += [f"RANGES names '{name}', which is no field" for name in declared if name not in names]
    for name, found in declared.items():
        if name in names and found != KEPT and not _is_range(found, layout[name].base):
            kind = layout[name].base
            faults.append(f"RANGES['{name}'] is {found!r}; it must be KEPT or (least, most), both of them {kind}")
    return faults


def outside(states: NDArray[Any], ranges: Mapping[str, Range], first: NDArray[Any]) -> str:
    """Where one of `states` leaves its ranges: field, value and range in words; '' where none does.

    `first` is one state as `new_game` writes it, for the fields that are KEPT.
    """
    for name, bounds in ranges.items():
        values = states[name]
        if bounds == KEPT:
            wrong = values[values != first[name]]
            expected = f"in this game {_listed(first[name][0])}" if wrong.size else ""
        elif values.min() < bounds[0] or values.max() > bounds[1]:
            wrong = values[(values < bounds[0]) | (values > bounds[1])]
            expected = f"from {bounds[0]} to {bounds[1]}"
        else:
            continue
        if wrong.size:
            return f"{name} is {int(wrong.flat[0])}, and it is {expected}"
    return ""


def _is_range(found: object, kind: np.dtype[Any]) -> bool:
    if not (isinstance(found, tuple) and len(found) == 2 and all(isinstance(end, (int, np.integer)) for end in found)):
        return False
    return kind.kind == "i" and np.iinfo(kind).min <= found[0] <= found[1] <= np.iinfo(kind).max


def _listed(values: Any) -> str:
    return ", ".join(str(int(value)) for value in np.atleast_1d(values).flat)
