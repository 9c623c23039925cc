"""The compiled half of batched.py: descents that end at leaves, and what is done when their values are known."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.contract import NOBODY, apply, legal_actions, redeal, settle, to_move, win_shares
from meeple.core.kernel import kernel
from meeple.search.tree.arrays import EDGES_USED, NO_NODE, ROOT, child_of, find_edge, insert

DEALS = False  # each descent goes through a world of its own, since there is chance, or something is hidden
OVER = -2  # in place of a leaf's node: the game ended there
IN_NODE, BY_ACTION, BY_SEAT = range(3)  # columns of a path; by its action an edge is found where it was moved, too


class Descents(NamedTuple):
    """The descents of a batch, a row each, and what they work with."""

    worlds: NDArray[Any]  # the world that a descent goes through; at its end the leaf
    paths: NDArray[np.int64]  # [descent, depth, column]
    depths: NDArray[np.int64]
    leaves: NDArray[np.int64]  # the leaf's node; NO_NODE where the tree has none for it, OVER where the game ended
    shares: NDArray[np.float64]  # [descent, seat]: what the leaf is worth
    moves: NDArray[np.int64]  # room for those on offer at a node

    def first(self, n: int) -> Descents:
        """The first `n` of them; the memory is the same."""
        return self._replace(
            worlds=self.worlds[:n],
            paths=self.paths[:n],
            depths=self.depths[:n],
            leaves=self.leaves[:n],
            shares=self.shares[:n],
        )


@kernel
def descend(tree, descents, root, seat, c, rng):
    """Walk down once for each of the descents, to a leaf or to the end of the game.

    A descent counts as a visit that lost until its value is known (a virtual loss), so that those of one batch part.
    """
    nodes, edges, used = tree
    paths, shares, moves = descents.paths, descents.shares, descents.moves
    seats = np.int64(shares.shape[1])
    for i in range(len(descents.worlds)):
        state = descents.worlds[i]
        descents.worlds[i] = root[0]
        if DEALS:
            redeal(state, seat, rng)
        node = ROOT
        depth = 0
        while True:
            settle(state)
            mover = to_move(state)
            if mover == NOBODY:
                win_shares(state, seats, shares[i])
                node = OVER
                break
            if node == NO_NODE or depth == paths.shape[1]:
                node = NO_NODE
                break
            nodes[node].visits += 1
            if nodes[node].count == 0:
                break
            n = legal_actions(state, moves)
            edge = select(tree, node, moves, n, c)
            if edge < 0:
                node = NO_NODE  # the tree is full, and has none of the moves on offer
                break
            action = edges[edge].action
            edges[edge].visits += 1
            paths[i, depth, IN_NODE] = node
            paths[i, depth, BY_ACTION] = action
            paths[i, depth, BY_SEAT] = mover
            depth += 1
            apply(state, action)
            node = child_of(nodes, edges, used, edge)
        descents.leaves[i] = node
        descents.depths[i] = depth


@kernel
def select(tree, node, moves, n, c):
    """The edge with the most value + c * prior * sqrt(visits of the node) / (1 + its own); -1 where there is none."""
    nodes, edges, used = tree
    total = 0.0
    for k in range(n):
        edge = find_edge(nodes, edges, node, moves[k])
        if edge < 0:  # in another world it was not on offer: it begins as a move of average prior, and the node's value
            count = nodes[node].count
            first = edges[nodes[node].first].minimax
            edge = insert(nodes, edges, used, node, moves[k], 0)
            if edge < 0:
                continue
            edges[edge].bias = 1.0 / (count + 1)
            edges[edge].minimax = first
        total += edges[edge].bias
    reach = c * math.sqrt(nodes[node].visits) / max(total, 1e-300)
    best = -1
    best_value = -np.inf
    for k in range(n):
        edge = find_edge(nodes, edges, node, moves[k])
        if edge < 0:
            continue
        visits = edges[edge].visits
        mean = edges[edge].value / visits if visits > 0 else edges[edge].minimax
        value = 2.0 * mean + reach * edges[edge].bias / (1.0 + visits)
        if value > best_value:
            best_value = value
            best = edge
    return best


@kernel
def attach(tree, descents, places, movers, codes, offsets, priors):
    """Give each new leaf its moves as edges, with their priors; place k of the lists belongs to descent places[k]."""
    nodes, edges, used = tree
    for k in range(len(places)):
        i = places[k]
        node = descents.leaves[i]
        n = offsets[k + 1] - offsets[k]
        if node < 0 or nodes[node].count > 0 or used[EDGES_USED] + n > len(edges):
            continue  # reached twice in this batch, or no room: it stays a leaf
        total = 0.0
        for at in range(offsets[k], offsets[k + 1]):
            total += priors[at]
        nodes[node].first = used[EDGES_USED]
        nodes[node].capacity = n
        used[EDGES_USED] += n
        for at in range(offsets[k], offsets[k + 1]):
            edge = insert(nodes, edges, used, node, codes[at], 0)
            edges[edge].bias = priors[at] / total if total > 0.0 else 1.0 / n
            edges[edge].minimax = descents.shares[i, movers[k]]


@kernel
def back_up(tree, descents):
    """Add what each leaf is worth to the edges that lead to it, for the seat that moved there."""
    nodes, edges, _ = tree
    paths, shares = descents.paths, descents.shares
    for i in range(len(paths)):
        for d in range(descents.depths[i]):
            edge = find_edge(nodes, edges, paths[i, d, IN_NODE], paths[i, d, BY_ACTION])
            edges[edge].value += shares[i, paths[i, d, BY_SEAT]]
