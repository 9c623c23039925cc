"""The moves on offer at a node: how they are listed, and which of those never tried is tried next."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import draw
from meeple.core.contract import HIDDEN, count_actions, legal_actions, pick, seen
from meeple.core.heuristics import no_filter as keep
from meeple.core.heuristics import no_ordering as priority
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.search.tree.arrays import ROOT, find_edge
from meeple.search.tree.knobs import WORLD

MOST_PICKS = 16  # tries to pick a new move before a list is made
FIXED = False  # a node's moves are the same in every iteration


class Ranked(NamedTuple):
    """The root's moves, where they are always tried in one order (`list_ranked`, `by_rank`)."""

    moves: NDArray[np.int64]  # [(action, priority), move]
    n: NDArray[np.int64]  # how many, 0 until the first iteration has written them; how many are sorted


# --- lists: write the moves to `looks`, as the searching seat would see them played; return how many there are, and
# --- how many the seat can tell apart


@kernel
def list_open(tree, scratch, node, seat, mover):
    """All moves lie open."""
    here = tree.nodes[node]
    if FIXED and here.count > 0 and here.count == here.offered:
        n = here.offered  # all tried, and always on offer: no list is needed
        return n, n
    state = scratch.states[WORLD]
    n = keep(state, scratch.looks, legal_actions(state, scratch.looks))
    return n, n


@kernel
def list_seen(tree, scratch, node, seat, mover):
    """Moves of others that the searching seat does not see are one, HIDDEN, which is the least of all codes."""
    state, offer, looks = scratch.states[WORLD], scratch.offer, scratch.looks
    n = keep(state, offer, legal_actions(state, offer))
    if mover == seat:
        for i in range(n):
            looks[i] = offer[i]
        return n, n
    n_seen = 0
    for i in range(n):
        if seen(state, offer[i], seat) == HIDDEN:
            looks[0] = HIDDEN
            n_seen = 1
            break
    for i in range(n):
        if seen(state, offer[i], seat) != HIDDEN:
            looks[n_seen] = offer[i]
            n_seen += 1
    return n, n_seen


@kernel
def count_only(tree, scratch, node, seat, mover):
    """Lists are very long: the moves are counted, and none is listed."""
    here = tree.nodes[node]
    if FIXED and here.count > 0 and here.count == here.offered:
        n = here.offered
        return n, n
    n = np.int64(count_actions(scratch.states[WORLD]))
    return n, n


@kernel
def list_ranked(tree, scratch, node, seat, mover):
    """As `list_open`; the root's moves are listed with their priorities the first time, and never again."""
    here = tree.nodes[node]
    if node != ROOT or (here.count > 0 and here.count == here.offered):
        return list_open(tree, scratch, node, seat, mover)
    moves, n_ranked = scratch.ranked.moves, scratch.ranked.n
    if n_ranked[0] == 0:
        state = scratch.states[WORLD]
        n = keep(state, scratch.offer, legal_actions(state, scratch.offer))
        for i in range(n):
            moves[0, i] = scratch.offer[i]
            moves[1, i] = priority(state, scratch.offer[i])
        n_ranked[0] = n
    return n_ranked[0], n_ranked[0]


# --- a move never tried: the action of one of the `n` on offer that the node has no edge for


@kernel
def by_lot(tree, scratch, node, n, k):
    """The k-th of them."""
    nodes, edges, looks = tree.nodes, tree.edges, scratch.looks
    first = nodes[node].first
    count = nodes[node].count
    at = 0
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
def by_priority(tree, scratch, node, n, k):
    """The one of the highest priority; of equals the least code."""
    nodes, edges, looks = tree.nodes, tree.edges, scratch.looks
    first, count = nodes[node].first, nodes[node].count
    best, most = -1, 0
    j = 0
    for i in range(n):
        while j < count and edges[first + j].action < looks[i]:
            j += 1
        if j < count and edges[first + j].action == looks[i]:
            continue
        value = 0 if looks[i] == HIDDEN else np.int64(priority(scratch.states[WORLD], looks[i]))
        if best < 0 or value > most:
            best, most = i, value
    return looks[best]


@kernel
def by_rank(tree, scratch, node, n, k):
    """As `by_priority`; at the root by the order of `list_ranked`, which is sorted only as far as moves were tried."""
    if node != ROOT:
        return by_priority(tree, scratch, node, n, k)
    moves, n_ranked = scratch.ranked.moves, scratch.ranked.n
    place = tree.nodes[node].count
    while n_ranked[1] <= place:
        first = n_ranked[1]
        best = first
        for i in range(first + 1, n_ranked[0]):
            if moves[1, i] > moves[1, best] or (moves[1, i] == moves[1, best] and moves[0, i] < moves[0, best]):
                best = i
        for row in range(2):
            moves[row, first], moves[row, best] = moves[row, best], moves[row, first]
        n_ranked[1] += 1
    return moves[0, place]


@kernel
def by_pick(tree, scratch, node, n, k):
    """Any of them, without a list: picked until one is new, and after some picks from the list after all."""
    state, offer, rng = scratch.states[WORLD], scratch.offer, scratch.rng
    for _ in range(MOST_PICKS):
        action = pick(state, rng)
        if find_edge(tree.nodes, tree.edges, node, action) < 0:
            return action
    n_listed = legal_actions(state, offer)
    fresh = 0
    for i in range(n_listed):
        if find_edge(tree.nodes, tree.edges, node, offer[i]) < 0:
            offer[fresh] = offer[i]
            fresh += 1
    return offer[draw(rng, fresh)]


# --- the action that an edge stands for


@kernel
def open_action(code, state, scratch, n, seat):
    """The edge's own."""
    return code


@kernel
def hidden_action(code, state, scratch, n, seat):
    """The edge's own; for HIDDEN any of the `n` moves on offer that the seat would not see."""
    if code != HIDDEN:
        return code
    offer = scratch.offer
    n_hidden = 0
    for i in range(n):
        n_hidden += np.int64(seen(state, offer[i], seat) == HIDDEN)
    k = draw(scratch.rng, n_hidden)
    for i in range(n):
        if seen(state, offer[i], seat) == HIDDEN:
            if k == 0:
                return offer[i]
            k -= 1
    return offer[0]
