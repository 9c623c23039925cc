"""Threads that work on one tree: what they share, and the lock that they take turns by."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.atomic import acquire, write_word
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.search.tree.arrays import AT_EDGE, IN_NODE, WITH_CODE, find_edge

LOCK, TICKET, SERVED = (
    0,
    1,
    2,
)  # places in `post`: lock, leaf on offer, and from SERVED on what each helper has done


class Crew(NamedTuple):
    """What the threads of one tree share besides the tree."""

    post: NDArray[np.int64]
    leaves: NDArray[Any]  # the leaf on offer
    shares: NDArray[np.float64]  # [helper, (win shares, worth), seat]: what each found of it


@kernel
def no_lock(crew):
    """The tree is one thread's own."""


@kernel
def take_lock(crew):
    """Wait until the tree is ours."""
    acquire(crew.post, LOCK)


@kernel
def free_lock(crew):
    """Leave the tree to others."""
    write_word(crew.post, LOCK, 0)


@kernel
def same_path(tree, path, depth):
    """Nobody has moved an edge since the descent."""


@kernel
def moved_path(tree, path, depth):
    """Find the edges of the path again: an edge that another thread has inserted since may have moved them."""
    for d in range(depth):
        path[d, AT_EDGE] = find_edge(tree.nodes, tree.edges, path[d, IN_NODE], path[d, WITH_CODE])
