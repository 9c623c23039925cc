"""Transposition tables that are lent to one search after another.

A new table is memory that the system has to hand out page by page as it is touched, which takes longer than a search of
some milliseconds. So tables are kept. Each search has a number, which stands in the entries that it writes; to the next
one they are empty. It finds what it would find with a new table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LAST = (1 << 13) - 1  # searches by one table before it is emptied: the number shares 16 bits with two others
MOST_SPARE = 2  # tables of a size that are kept; more searches at once have new ones


@dataclass
class TranspositionTable:
    """Entries, and the number of the search that they are lent to."""

    entries: NDArray[Any]
    search: int = 0


_spare: dict[int, list[TranspositionTable]] = {}  # by the number of entries


def borrow(entries: int, layout: Any) -> TranspositionTable:
    """A table of so many entries, all of them empty to its borrower, who gives it back in the end."""
    try:
        table = _spare.setdefault(entries, []).pop()
    except IndexError:
        table = TranspositionTable(np.zeros(entries, dtype=layout))
    if table.search == LAST:
        table.entries[:] = np.zeros((), dtype=layout)
        table.search = 0
    table.search += 1
    return table


def give_back(table: TranspositionTable) -> None:
    """Let other searches have it; no kernel writes to it any more."""
    spare = _spare.setdefault(len(table.entries), [])
    if len(spare) < MOST_SPARE:
        spare.append(table)
