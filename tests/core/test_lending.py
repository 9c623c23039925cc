"""A tuple of arrays goes from kernel to kernel as one pointer."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from meeple.core.kernel import borrowing_kernel
from meeple.core.lending import lend, lent


class Desk(NamedTuple):
    """Arrays, a number, and a tuple in the tuple."""

    found: NDArray[np.int64]
    table: NDArray[np.float64]
    most: int
    given: tuple[NDArray[np.float64], ...]


@borrowing_kernel
def climb(desk, depth):
    """Write to both arrays at every depth, and return what the last one read."""
    here = lent(desk)
    here.found[depth] = here.most - depth
    here.table[depth, 0] += here.given[0][depth]
    return climb(desk, depth + 1) if depth + 1 < here.most else here.table[depth, 0]


@borrowing_kernel
def begin(desk, depth):
    """Lend the tuple."""
    return climb(lend(desk), depth)


@pytest.mark.parametrize("n", [1, 2, 4])
def test_borrowers_read_and_write_the_lenders_arrays(n: int) -> None:
    weights = np.arange(5) + 0.5
    desk = Desk(np.zeros(n, dtype=np.int64), np.ones((n, 2)), n, (weights,))
    assert begin(desk, 0) == n + 0.5
    assert desk.found.tolist() == list(range(n, 0, -1))
    assert desk.table.tolist() == [[1 + weight, 1] for weight in weights[:n].tolist()]


def test_interpreted_it_is_the_tuple_itself() -> None:
    desk = (np.zeros(1),)
    assert lent(lend(desk)) is desk
