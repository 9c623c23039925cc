"""A tree as arrays: nodes, and each node's visited edges in one block.

A node keeps an edge only for moves that were tried. Its block is sorted by action and, when it is full, moves to the
end of the array with twice the room. Nothing here knows a rule of any game.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array

ROOT = 0
NO_NODE = -1
MAX_DEPTH = 1_000  # longest path; deeper, a playout takes over
NODES_USED, EDGES_USED, IS_SOLVED, DEEPEST = range(4)  # places in `used`
AT_EDGE, BY_SEAT, IN_NODE, WITH_CODE = range(4)  # columns of a path: edge, mover, node, the action on the edge

NODE = np.dtype(
    (
        np.record,
        [
            ("first", np.int64),  # of its block of edges
            ("count", np.int32),  # edges in the block
            ("capacity", np.int32),
            ("visits", np.int32),  # iterations that came by, however many playouts each made
            ("offered", np.int32),  # moves on offer, where that is always the same
        ],
    )
)
EDGE = np.dtype(
    (
        np.record,
        [
            ("value", np.float64),  # sum of what the playouts were worth to the mover
            ("bias", np.float64),  # the game's bias towards the move
            ("minimax", np.float64),  # implicit minimax: the mover's win share by the evaluations below
            ("action", np.int64),
            ("visits", np.int32),  # playouts, and visits on trust (priors)
            ("missed", np.int32),  # visits of the node in which the move was not on offer
            ("node", np.int32),
            ("proof", np.int16),  # WON or LOST for the mover, or 0
            ("plies", np.int16),  # of a proof: the game is over after so many at the latest
        ],
    )
)


class TreeArrays(NamedTuple):
    """One tree: what grows."""

    nodes: NDArray[Any]
    edges: NDArray[Any]
    used: NDArray[np.int64]


def new_arrays(nodes: int, *, roots: int, edges: int = 0) -> TreeArrays:
    """Arrays for so many nodes and edges, three a node by default, with the roots in place."""
    used = np.zeros(4, dtype=np.int64)
    used[NODES_USED] = roots
    return TreeArrays(np.zeros(nodes, dtype=NODE), np.zeros(edges or 3 * nodes + 64, dtype=EDGE), used)


@kernel
def find_edge(nodes, edges, node, action):
    """The node's edge for `action`, or -1."""
    first = nodes[node].first
    low = 0
    high = nodes[node].count
    while low < high:
        middle = (low + high) // 2
        if edges[first + middle].action < action:
            low = middle + 1
        else:
            high = middle
    if low < nodes[node].count and edges[first + low].action == action:
        return first + low
    return -1


@kernel
def insert(nodes, edges, used, node, action, missed):
    """Give the node an edge for `action`, which has none yet; return the edge, or -1 where the tree is full."""
    here = nodes[node]
    if here.count == here.capacity and not grow_block(nodes, edges, used, node):
        return -1
    first = here.first
    at = here.count
    while at > 0 and edges[first + at - 1].action > action:
        edges[first + at] = edges[first + at - 1]
        at -= 1
    edge = edges[first + at]
    edge.value = 0.0
    edge.bias = 0.0
    edge.minimax = 0.0
    edge.action = action
    edge.visits = 0
    edge.missed = missed
    edge.node = NO_NODE
    edge.proof = 0
    edge.plies = 0
    here.count += 1
    return first + at


@kernel
def grow_block(nodes, edges, used, node):
    """Move a node's block to the end with twice the room; return False where there is no room left."""
    here = nodes[node]
    capacity = max(2, 2 * here.capacity)
    at = used[EDGES_USED]
    if at + capacity > len(edges):
        return False
    for j in range(here.count):
        edges[at + j] = edges[here.first + j]
    here.first = at
    here.capacity = capacity
    used[EDGES_USED] = at + capacity
    return True


@kernel
def child_of(nodes, edges, used, edge):
    """The node below an edge, made where there is room for it; else NO_NODE."""
    node = edges[edge].node
    if node == NO_NODE and used[NODES_USED] < len(nodes):
        node = used[NODES_USED]
        used[NODES_USED] += 1
        edges[edge].node = node
        nodes[node].first = 0
        nodes[node].count = 0
        nodes[node].capacity = 0
        nodes[node].visits = 0
        nodes[node].offered = 0
    return node


@kernel
def graft(nodes, edges, start, new_nodes, new_edges, new_used, stack):
    """Copy the tree below `start` into fresh arrays, where it becomes the root; `stack` is scratch [nodes, 2]."""
    new_used[NODES_USED] = 1
    new_used[EDGES_USED] = 0
    stack[0, 0] = start
    stack[0, 1] = ROOT
    height = 1
    while height > 0:
        height -= 1
        old = nodes[stack[height, 0]]
        new = new_nodes[stack[height, 1]]
        new.first = new_used[EDGES_USED]
        new.count = old.count
        new.capacity = old.count
        new.visits = old.visits
        new.offered = old.offered
        new_used[EDGES_USED] += old.count
        for j in range(old.count):
            new_edges[new.first + j] = edges[old.first + j]
            below = edges[old.first + j].node
            if below != NO_NODE:
                new_edges[new.first + j].node = new_used[NODES_USED]
                stack[height, 0] = below
                stack[height, 1] = new_used[NODES_USED]
                new_used[NODES_USED] += 1
                height += 1
