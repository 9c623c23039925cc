"""What a search answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class SearchResult:
    """The move chosen, and what the search thinks of each move on offer."""

    action: int
    actions: NDArray[np.int64]  # all on offer, ascending
    values: NDArray[np.float64]  # win share of the mover expected after each
    visits: NDArray[np.int64]  # how often each was tried
    work: int  # playouts, iterations or nodes in all
    value: float = 0.0  # of the position, as expected returns of the mover; beyond 1 it is proven
    depth: int = 0  # plies searched, where that means something
    find_line: Callable[[], list[str]] = field(default=list, repr=False, compare=False)  # makes `line`
    seconds: float = 0.0

    @cached_property
    def line(self) -> list[str]:
        """The best line, made when it is first asked for: few do."""
        return self.find_line()
