"""The tree of Monte Carlo tree search as arrays, and one compiled loop that serves all its kinds.

Open loop: a node stands for a sequence of moves, not for a position. Each iteration walks down from the
root through a state of its own, in which chance and hidden cards may fall differently each time (`FRESH`),
so at a node the moves on offer may differ between visits. A node keeps only the edges that were visited, in
one block sorted by action; a single pass merges them with the ascending list of legal actions, finds the best
by UCB and counts those never tried.

    UCB = mean + c * sqrt(ln(available) / visits) + bias / visits

`mean` is the mean win share of the seat that moves there; `available` counts the visits of the node in which
the move was on offer. All values are win shares in [0, 1] of the mover on the edge: no sign is ever turned.

With `LOOKS`, moves of others that the searching seat does not see share one edge (HIDDEN), and one of them is
drawn when it is followed. With `SOLVES` (two seats, nothing by lot, nothing hidden) won and lost games are backed
up as proofs, and a move that is proven lost is not tried again.
"""

from __future__ import annotations

import math

import numpy as np

from meeple.core.chance import draw
from meeple.core.contract import (
    CHANCE,
    HIDDEN,
    NOBODY,
    apply,
    choose,
    legal_actions,
    outcome,
    redeal,
    score,
    seen,
    settle,
    to_move,
    win_shares,
)
from meeple.core.heuristics import no_bias, no_evaluation, no_filter
from meeple.core.kernel import kernel
from meeple.search.control import STOP

ROOT = 0
NO_NODE = -1
MAX_DEPTH = 1_000  # longest path; deeper, a playout takes over
NODES_USED, EDGES_USED, IS_SOLVED, DEEPEST = range(4)  # places in `used`
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
            ("action", np.int64),
            ("visits", np.int32),
            ("missed", np.int32),  # visits of the node in which the move was not on offer
            ("node", np.int32),
            ("proof", np.int32),
        ],
    )
)

# Bound for a game and a configuration.
evaluate, bias, policy, keep = no_evaluation, no_bias, choose, no_filter
FRESH, FIXED, SOLVES, LOOKS, EXPANDS_ALL, HAS_POLICY = True, False, False, False, False, False
USES_FILTER = False  # in the tree; playouts see every move
USES_MARGIN = False  # a victory counts more by its lead
GUIDE_PLIES = 0  # minimax in playouts: 1 takes a win in one, 2 also leaves none to the next seat


def new_tree(nodes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    """Arrays for so many nodes, with the root in place."""
    used = np.zeros(4, dtype=np.int64)
    used[NODES_USED] = 1
    return np.zeros(nodes, dtype=NODE), np.zeros(3 * nodes + 64, dtype=EDGE), used


@kernel
def advance(
    nodes, edges, used, states, seat, iterations, control, rng, offer, looks, weights, path, movers, shares,
    c, first_play, widening, cutoff,
):  # fmt: skip
    """Run so many iterations from states[0]; returns how many were run. A full tree goes on without growing.

    `offer`, `looks`, `weights`, `path`, `movers` and `shares` are scratch. `first_play` is the value of a move
    never tried (infinite: those come first), `widening` w lets a node of n visits try at most w * sqrt(n) moves
    (0: all), `cutoff` ends a playout after so many moves by the evaluation (0: never).
    """
    for iteration in range(iterations):
        if control[STOP] != 0 or used[IS_SOLVED] != 0:
            return iteration
        states[1] = states[0]
        if FRESH:
            redeal(states[1], seat, rng)
        state = states[1]
        node = np.int64(ROOT)
        depth = np.int64(0)
        new_edges = 0
        is_over = False
        while True:
            settle(state)
            mover = to_move(state)
            if node != NO_NODE:
                nodes[node].visits += 1
            if mover == NOBODY:
                is_over = True
                break
            is_leaf = node == NO_NODE or new_edges > int(EXPANDS_ALL) or depth >= len(path)
            if is_leaf or (new_edges == 1 and not EXPANDS_ALL):
                break
            n = legal_actions(state, offer)
            if USES_FILTER:
                n = keep(state, offer, n)
            n_looks = see_offer(state, offer, n, looks, seat, mover)
            edge = select(nodes, edges, node, looks, n_looks, rng, c, first_play, widening)
            if edge < 0:
                # The move numbered -1 - edge among those never tried is to be tried now.
                edge = insert(nodes, edges, used, node, looks, n_looks, -1 - edge)
                if edge < 0:
                    break
                new_edges += 1
            action = edges[edge].action
            if LOOKS and action == HIDDEN:
                action = draw_hidden(state, offer, n, seat, rng)
            if new_edges > 0 and edges[edge].visits == 0:
                edges[edge].prior = bias(state, action)
            path[depth] = edge
            movers[depth] = mover
            depth += 1
            apply(state, action)
            node = np.int64(edges[edge].node)
            if node == NO_NODE and used[NODES_USED] < len(nodes):
                node = np.int64(used[NODES_USED])
                used[NODES_USED] += 1
                edges[edge].node = node
                clear_node(nodes, node)
        used[DEEPEST] = max(used[DEEPEST], depth)
        if is_over:
            win_shares(state, np.int64(len(shares)), shares)
        else:
            finish(states, rng, offer, looks, weights, shares, cutoff)
        if USES_MARGIN and to_move(state) == NOBODY:
            weigh_by_margin(state, shares)
        for d in range(depth):
            edges[path[d]].visits += 1
            edges[path[d]].value += shares[movers[d]]
        if SOLVES and is_over:
            prove(nodes, edges, used, path, movers, depth, shares)
    return iterations


@kernel
def see_offer(state, offer, n, looks, seat, mover):
    """Write the offer as the searching seat would see it played: ascending, all that is hidden as one; how many."""
    if not LOOKS or mover == seat:
        for i in range(n):
            looks[i] = offer[i]
        return n
    n_looks = np.int64(0)
    for i in range(n):
        if seen(state, offer[i], seat) == HIDDEN:
            looks[0] = HIDDEN  # the least of all codes
            n_looks = np.int64(1)
            break
    for i in range(n):
        if seen(state, offer[i], seat) != HIDDEN:
            looks[n_looks] = offer[i]
            n_looks += 1
    return n_looks


@kernel
def draw_hidden(state, offer, n, seat, rng):
    """One of the moves on offer that the searching seat would not see, each as likely as another."""
    hidden = np.int64(0)
    for i in range(n):
        hidden += np.int64(seen(state, offer[i], seat) == HIDDEN)
    k = draw(rng, hidden)
    for i in range(n):
        if seen(state, offer[i], seat) == HIDDEN:
            if k == 0:
                return offer[i]
            k -= 1
    return offer[0]


@kernel
def select(nodes, edges, node, looks, n, rng, c, first_play, widening):
    """The edge to follow; or -1 - k, where the k-th of the moves never tried is to be tried."""
    here = nodes[node]
    here.offered = n
    first = here.first
    count = np.int64(here.count)
    allowed = n if widening <= 0.0 else max(np.int64(1), np.int64(widening * math.sqrt(here.visits)))
    if FIXED and count < min(n, allowed) and math.isinf(first_play):
        return -1 - draw(rng, n - count)
    best = np.int64(-1)
    best_value = -np.inf
    tried = np.int64(0)
    log_visits = math.log(here.visits)
    i = np.int64(0)
    for j in range(count):
        edge = edges[first + j]
        while i < n and looks[i] < edge.action:
            i += 1
        if i == n or looks[i] != edge.action:
            edge.missed += 1
            continue
        tried += 1
        value = -1e9 + edge.value
        if edge.proof != LOST:
            logarithm = log_visits if edge.missed == 0 else math.log(here.visits - edge.missed)
            share = 1.0 / edge.visits
            value = edge.value * share + c * math.sqrt(max(0.0, logarithm) * share) + edge.prior * share
            if edge.proof == WON:
                value += 1e6
        if value > best_value:
            best_value = value
            best = first + j
    if tried < min(n, allowed) and best_value < first_play:
        return -1 - draw(rng, n - tried)
    return best


@kernel
def insert(nodes, edges, used, node, looks, n, k):
    """Give the node an edge for the k-th move on offer that it has none for; -1 where the tree is full."""
    here = nodes[node]
    if here.count == here.capacity and not grow(nodes, edges, used, node):
        return np.int64(-1)
    first = here.first
    count = np.int64(here.count)
    at = np.int64(0)
    action = np.int64(0)
    for i in range(n):
        while at < count and edges[first + at].action < looks[i]:
            at += 1
        if at < count and edges[first + at].action == looks[i]:
            continue
        if k == 0:
            action = looks[i]
            break
        k -= 1
    for j in range(count, at, -1):
        edges[first + j] = edges[first + j - 1]
    edge = edges[first + at]
    edge.value = 0.0
    edge.prior = 0.0
    edge.action = action
    edge.visits = 0
    # Where the offer is always the same it was there from the start; else it counts from now on.
    edge.missed = 0 if FIXED else here.visits - 1
    edge.node = NO_NODE
    edge.proof = 0
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
def clear_node(nodes, node):
    """An empty node."""
    here = nodes[node]
    here.first = 0
    here.count = 0
    here.capacity = 0
    here.visits = 0
    here.offered = 0


@kernel
def finish(states, rng, offer, replies, weights, shares, cutoff):
    """Play states[1] on by the policy to the end, or to the cut-off, and write the win shares."""
    state = states[1]
    moves = 0
    while True:
        mover = to_move(state)
        if mover == NOBODY:
            win_shares(state, np.int64(len(shares)), shares)
            return
        if mover == CHANCE:
            apply(state, outcome(state, weights))
            continue
        if cutoff > 0 and moves >= cutoff:
            for seat in range(len(shares)):
                shares[seat] = 0.5 + 0.5 * evaluate(state, np.int64(seat))
            return
        if GUIDE_PLIES > 0:
            apply(state, guided(states, mover, rng, offer, replies, shares))
        elif HAS_POLICY:
            apply(state, policy(state, rng, offer))
        else:
            apply(state, choose(state, rng, offer))
        moves += 1


@kernel
def weigh_by_margin(state, shares):
    """A victory counts a fifth, and a fifth more for each 5 points of lead over the best other seat, up to 20.

    The Sagrada thesis's reward (section 7.4), brought to 0..1.
    """
    for seat in range(len(shares)):
        if shares[seat] > 0.0:
            lead = np.int64(2**31)
            for other in range(len(shares)):
                if other != seat:
                    lead = min(lead, score(state, np.int64(seat)) - score(state, np.int64(other)))
            steps = min(np.int64(4), max(np.int64(0), lead // 5))
            shares[seat] *= (1.0 + steps) / 5.0


@kernel
def guided(states, mover, rng, offer, replies, shares):
    """A move of states[1] by a minimax of one or two plies (Baier and Winands); states[2] and [3] are scratch.

    A win in one where there is one; else any move, with two plies one after which the next seat cannot win at
    once, if there is one.
    """
    n = legal_actions(states[1], offer)
    for i in range(n):
        states[2] = states[1]
        apply(states[2], offer[i])
        if wins(states[2], mover, shares):
            return offer[i]
    for left in range(n, 0, -1):
        k = draw(rng, left)
        action = offer[k]
        if GUIDE_PLIES < 2 or left == 1:
            return action
        states[2] = states[1]
        apply(states[2], action)
        if not can_win(states, mover, replies, shares):
            return action
        offer[k] = offer[left - 1]
    return offer[0]


@kernel
def can_win(states, mover, replies, shares):
    """Whether the seat to move in states[2], if it is not `mover`, wins by one move."""
    settle(states[2])
    rival = to_move(states[2])
    if rival in (NOBODY, mover):
        return False
    n = legal_actions(states[2], replies)
    for i in range(n):
        states[3] = states[2]
        apply(states[3], replies[i])
        if wins(states[3], rival, shares):
            return True
    return False


@kernel
def wins(state, seat, shares):
    """Whether the game is over and `seat` alone has won it."""
    if to_move(state) != NOBODY:
        return False
    win_shares(state, np.int64(len(shares)), shares)
    return shares[seat] == 1.0


@kernel
def prove(nodes, edges, used, path, movers, depth, shares):
    """Back the end of the game up as far as it proves something: two seats, the same offer always."""
    for d in range(depth - 1, -1, -1):
        edge = edges[path[d]]
        if d == depth - 1:
            edge.proof = WON if shares[movers[d]] == 1.0 else LOST if shares[movers[d]] == 0.0 else 0
        else:
            # The node below is settled for the seat that moves there.
            below = settled(nodes, edges, np.int64(edge.node))
            edge.proof = below if movers[d] == movers[d + 1] else -below
        if edge.proof == 0:
            return
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
