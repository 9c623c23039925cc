"""What a search answers."""

from __future__ import annotations

from dataclasses import dataclass

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
