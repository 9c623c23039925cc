"""Another tree from a leaf of the tree so far (Santorini report, 3.4): iterations that all begin with one line.

The line is that of most visits, down to a leaf at which the game goes on. The iterations walk it and search on from
the leaf; what they find is backed up along the whole line.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.search.tree.arrays import NO_NODE, ROOT, find_edge


class Line(NamedTuple):
    """The moves from the root to the leaf that is being extended."""

    actions: NDArray[np.int64]
    n: NDArray[np.int64]  # one number: how many; 0: none is


@kernel
def no_line(tree, scratch, node, depth):
    """Every iteration chooses at the root already."""
    return -1


@kernel
def next_on_line(tree, scratch, node, depth):
    """The edge that leads on along the line; -1 from its end on."""
    if depth >= scratch.line.n[0]:
        return -1
    return find_edge(tree.nodes, tree.edges, node, scratch.line.actions[depth])


@kernel
def find_line(tree, out):
    """Write the moves of most visits from the root to a node without edges; return how many, 0 where there is no room.

    The game may be over there: nodes do not tell, so the caller plays the moves to see.
    """
    node = ROOT
    n = 0
    while node != NO_NODE and tree.nodes[node].count > 0:
        if n == len(out):
            return 0
        here = tree.nodes[node]
        best = here.first
        for j in range(here.count):
            if tree.edges[here.first + j].visits > tree.edges[best].visits:
                best = here.first + j
        out[n] = tree.edges[best].action
        n += 1
        node = tree.edges[best].node
    return n
