"""The tree of Monte Carlo tree search as arrays: nodes, and each node's visited edges in one block.

A block is sorted by action and moves to the end of the array, with twice the room, when it is full. What is
here knows no rule: the loop that plays is in loop.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.contract import HIDDEN
from meeple.core.kernel import kernel

ROOT = 0
NO_NODE = -1
MAX_DEPTH = 1_000  # longest path; deeper, a playout takes over
SLOTS = 4_096  # places in tables by action; actions beyond share them
NODES_USED, EDGES_USED, IS_SOLVED, DEEPEST = range(4)  # places in `used`
AT_EDGE, BY_SEAT, IN_NODE = range(3)  # columns of a path
WON, LOST = 1, -1  # proofs, for the mover on the edge

NODE = np.dtype(
    (
        np.record,
        [
            ("first", np.int64),  # of its block of edges
            ("count", np.int32),  # edges in the block
            ("capacity", np.int32),
            ("visits", np.int32),
            ("offered", np.int32),  # moves on offer, where that is always the same
        ],
    )
)
EDGE = np.dtype(
    (
        np.record,
        [
            ("value", np.float64),  # sum of the mover's win shares
            ("prior", np.float64),  # the game's bias
            ("minimax", np.float64),  # implicit minimax: the mover's win share by the evaluations below
            ("elsewhere", np.float64),  # RAVE: sum of the mover's win shares where it made the move later
            ("action", np.int64),
            ("elsewhere_visits", np.int32),
            ("visits", np.int32),
            ("missed", np.int32),  # visits of the node in which the move was not on offer
            ("node", np.int32),
            ("proof", np.int32),
            ("plies", np.int32),  # of a proof: the game is over after so many. 64 bytes in all: a line of the cache
        ],
    )
)


class Store(NamedTuple):
    """One tree: what grows."""

    nodes: NDArray[Any]
    edges: NDArray[Any]
    used: NDArray[np.int64]
    habits: NDArray[np.float64]  # MAST: [seat, slot of the action, (sum of win shares, count)]


def new_store(nodes: int, *, roots: int, habits: int) -> Store:
    """Arrays for so many nodes, with the roots in place; `habits`: seats to keep tables of moves for."""
    used = np.zeros(4, dtype=np.int64)
    used[NODES_USED] = roots
    edges = np.zeros(3 * nodes + 64, dtype=EDGE)
    return Store(np.zeros(nodes, dtype=NODE), edges, used, np.zeros((habits, SLOTS, 2)))


@kernel
def find_edge(nodes, edges, node, action):
    """The node's edge for `action`, or -1."""
    first = nodes[node].first
    low = np.int64(0)
    high = np.int64(nodes[node].count)
    while low < high:
        middle = (low + high) // 2
        if edges[first + middle].action < action:
            low = middle + 1
        else:
            high = middle
    if low < nodes[node].count and edges[first + low].action == action:
        return first + low
    return np.int64(-1)


@kernel
def untried(nodes, edges, node, looks, n, k):
    """The k-th of the n ascending moves in `looks` that the node has no edge for."""
    first = nodes[node].first
    count = np.int64(nodes[node].count)
    at = np.int64(0)
    for i in range(n):
        while at < count and edges[first + at].action < looks[i]:
            at += 1
        if at < count and edges[first + at].action == looks[i]:
            continue
        if k == 0:
            return looks[i]
        k -= 1
    return looks[0]


@kernel
def insert(nodes, edges, used, node, action, missed):
    """Give the node an edge for `action`, which has none; -1 where the tree is full."""
    here = nodes[node]
    if here.count == here.capacity and not grow(nodes, edges, used, node):
        return np.int64(-1)
    first = here.first
    at = np.int64(here.count)
    while at > 0 and edges[first + at - 1].action > action:
        edges[first + at] = edges[first + at - 1]
        at -= 1
    edge = edges[first + at]
    edge.value = 0.0
    edge.prior = 0.0
    edge.minimax = 0.0
    edge.elsewhere = 0.0
    edge.action = action
    edge.elsewhere_visits = 0
    edge.visits = 0
    edge.missed = missed
    edge.node = NO_NODE
    edge.proof = 0
    edge.plies = 0
    here.count += 1
    return first + at


@kernel
def grow(nodes, edges, used, node):
    """Move a node's block to the end with twice the room; False where there is no room left."""
    here = nodes[node]
    capacity = max(np.int64(2), 2 * np.int64(here.capacity))
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
    node = np.int64(edges[edge].node)
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
def prove(nodes, edges, used, path, depth, proof, plies):
    """Back up what is proven of the last move on the path, for its mover: two seats, the same offer always.

    `plies`: the game is over so many after the position in which the last move is made, at the latest.
    """
    for d in range(depth - 1, -1, -1):
        edge = edges[path[d, AT_EDGE]]
        if d < depth - 1:
            # The node below is settled for the seat that moves there.
            below = settled(nodes, edges, np.int64(edge.node))
            proof = below if path[d, BY_SEAT] == path[d + 1, BY_SEAT] else -below
            plies = 1 + plies_left(nodes, edges, np.int64(edge.node), below)
        edge.proof = proof
        if proof == 0:
            return
        edge.plies = plies
    if settled(nodes, edges, np.int64(ROOT)) != 0:
        used[IS_SOLVED] = 1


@kernel
def settled(nodes, edges, node):
    """WON where a move of this node is proven won, LOST where all that are on offer are proven lost, else 0."""
    here = nodes[node]
    lost = 0
    for j in range(here.count):
        proof = edges[here.first + j].proof
        if proof == WON:
            return WON
        lost += int(proof == LOST)
    return LOST if lost == here.offered and lost > 0 else 0


@kernel
def plies_left(nodes, edges, node, proof):
    """Plies until a settled node's game is over: by its shortest proven win, or by the longest of its losses."""
    here = nodes[node]
    found = np.int64(0)
    for j in range(here.count):
        edge = edges[here.first + j]
        if edge.proof == proof:
            plies = np.int64(edge.plies)
            is_better = plies < found if proof == WON else plies > found
            if found == 0 or is_better:
                found = plies
    return found


@kernel
def back_up_minimax(nodes, edges, path, depth):
    """Implicit minimax, two seats: an edge whose node has all its moves takes the best of them for their mover."""
    for d in range(depth - 2, -1, -1):
        edge = edges[path[d, AT_EDGE]]
        here = nodes[edge.node]
        if here.count < here.offered:
            return
        best = 0.0
        for j in range(here.count):
            best = max(best, edges[here.first + j].minimax)
        edge.minimax = best if path[d, BY_SEAT] == path[d + 1, BY_SEAT] else 1.0 - best


@kernel
def credit_elsewhere(nodes, edges, path, depth, moves, n_moves, stamps, stamp, shares):
    """RAVE: credit each edge on offer along the path whose move its mover made there or later in this iteration.

    `stamps` [seat, slot, (stamp, action)] holds the moves seen from the end back to the node at hand.
    """
    later = n_moves
    for d in range(depth - 1, -1, -1):
        while later > d:
            later -= 1
            slot = moves[later, 1] % SLOTS
            stamps[moves[later, 0], slot, 0] = stamp
            stamps[moves[later, 0], slot, 1] = moves[later, 1]
        here = nodes[path[d, IN_NODE]]
        mover = path[d, BY_SEAT]
        for j in range(here.count):
            edge = edges[here.first + j]
            if edge.action != HIDDEN:
                mark = stamps[mover, edge.action % SLOTS]
                if mark[0] == stamp and mark[1] == edge.action:
                    edge.elsewhere += shares[mover]
                    edge.elsewhere_visits += 1


@kernel
def credit_habits(habits, moves, n_moves, shares):
    """MAST: what each move has been worth to its seat, wherever it was made."""
    for i in range(n_moves):
        habit = habits[moves[i, 0], moves[i, 1] % SLOTS]
        habit[0] += shares[moves[i, 0]]
        habit[1] += 1.0


@kernel
def graft(nodes, edges, start, new_nodes, new_edges, new_used, stack):
    """Copy the tree below `start` into fresh arrays, where it becomes the root; `stack` is scratch [nodes, 2]."""
    new_used[NODES_USED] = 1
    new_used[EDGES_USED] = 0
    stack[0, 0] = start
    stack[0, 1] = ROOT
    height = np.int64(1)
    while height > 0:
        height -= 1
        old = nodes[stack[height, 0]]
        new = new_nodes[stack[height, 1]]
        new.first = new_used[EDGES_USED]
        new.count = old.count
        new.capacity = old.count
        new.visits = old.visits
        new.offered = old.offered
        new_used[EDGES_USED] += np.int64(old.count)
        for j in range(old.count):
            new_edges[new.first + j] = edges[old.first + j]
            below = np.int64(edges[old.first + j].node)
            if below != NO_NODE:
                new_edges[new.first + j].node = new_used[NODES_USED]
                stack[height, 0] = below
                stack[height, 1] = new_used[NODES_USED]
                new_used[NODES_USED] += 1
                height += 1
