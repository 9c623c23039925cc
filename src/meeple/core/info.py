"""What a player says of its own move, kept in the record beside it: `{"value": 0.25, "depth": 3, "nodes": 1000}`.

It comes from outside (an engine, a file), so each key that is known is held to its type and range, and no more is kept
than those keys and so many letters. Keys that nobody knows are left out: later versions may have more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

MOST = 2**53  # of a whole number: what JavaScript still counts exactly
LONGEST_LINE = 64  # moves
LONGEST_MOVE, LONGEST_TEXT = 200, 500  # letters

Info = dict[str, Any]


def checked_info(given: Mapping[str, Any]) -> Info:
    """The known keys of `given`.

    Raises:
        ValueError: one of them has a wrong type or is out of its range.
    """
    found: Info = {}
    for name, (reads, wanted) in _KNOWN.items():
        if name in given:
            value = reads(given[name])
            if value is None:
                raise ValueError(f"'{name}' is {wanted}, not {shown(given[name])}")
            found[name] = value
    return found


def shown(value: Any) -> str:
    """A value from outside as an error may show it: one short line."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def _value(given: Any) -> float | None:
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not -1 <= given <= 1:
        return None
    return round(float(given), 6)


def _count(given: Any) -> int | None:
    if isinstance(given, float) and math.isfinite(given) and given == int(given):
        given = int(given)  # some languages write every number so
    return given if isinstance(given, int) and not isinstance(given, bool) and 0 <= given <= MOST else None


def _text(given: Any) -> str | None:
    return given if isinstance(given, str) and len(given) <= LONGEST_TEXT else None


def _line(given: Any) -> list[str] | None:
    if not isinstance(given, list) or len(given) > LONGEST_LINE:
        return None
    return list(given) if all(isinstance(move, str) and len(move) <= LONGEST_MOVE for move in given) else None


_KNOWN: dict[str, tuple[Callable[[Any], Any], str]] = {
    "value": (_value, "the expected returns of the mover, a number from -1 to 1"),
    "depth": (_count, f"a whole number from 0 to {MOST}"),
    "nodes": (_count, f"a whole number from 0 to {MOST}"),
    "line": (_line, f"a list of at most {LONGEST_LINE} moves as texts"),
    "text": (_text, f"a text of at most {LONGEST_TEXT} letters"),
}
