"""PUCT, the loop: deal a world, descend, open a leaf by what an evaluation says of it, back up. No playouts.

    choose the move with the most   value + c * sqrt(visits of the node) * prior / (1 + visits of the move)

`value` is the mean over the iterations below the move, with its first value counted once, as returns of the seat that
moves there. The first value is the evaluation after the move; priors are exp(sharpness * first value), made to add up
to 1 (`prior=values`), or a policy's (`prior=policy`; a move's first value is then that of the node), or all alike. A
leaf is worth what its best move is, or what the policy's network says of it.

The tree is that of loop.py, with all moves of a node as edges from its first visit on: `bias` holds the prior and
`minimax` the first value, as a win share. Where chance or hidden cards make other moves legal in another iteration,
those on offer share the priors, and new ones are added when they first come up. With more than two seats each seat's
own value of the leaf is asked for. What a finished game proves is backed up (proofs.py).

The functions imported `as` something are the plainest ways; `variants.compile_for` binds others in their places.
"""

from __future__ import annotations

import math

import numpy as np

from meeple.core.contract import NOBODY, apply, settle, to_move, win_shares
from meeple.core.heuristics import no_after as value_after
from meeple.core.heuristics import no_evaluation as evaluate
from meeple.core.heuristics import no_standing as in_common
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.search.control import STOP
from meeple.search.tree.arrays import (
    AT_EDGE,
    BY_SEAT,
    DEEPEST,
    EDGES_USED,
    IN_NODE,
    IS_SOLVED,
    NO_NODE,
    ROOT,
    WITH_CODE,
    child_of,
    find_edge,
    insert,
)
from meeple.search.tree.crew import no_lock as lock
from meeple.search.tree.crew import no_lock as unlock
from meeple.search.tree.crew import same_path as find_path
from meeple.search.tree.dealing import same_world as deal
from meeple.search.tree.knobs import SHARPNESS, TRIED, WORLD, C
from meeple.search.tree.loop import count_all, count_sample
from meeple.search.tree.offers import list_open as list_moves
from meeple.search.tree.offers import open_action as action_on
from meeple.search.tree.proofs import WON, plies_left, prove, settled
from meeple.search.tree.proofs import no_end as proof_of_end
from meeple.search.tree.rewards import take_shares
from meeple.search.tree.rewards import win_at_end as value_end

FIXED = False  # a node's moves are the same in every iteration
USES_AFTER = False  # the evaluation tells its value after most moves without playing them
USES_AFTER_ALL = False  # it tells them for a list of moves at once
USES_POLICY = False
IS_EVEN = False  # all moves have the same prior
SOLVES = False  # a finished game proves something
WEIGHT, PROOF = 0, 1  # rows of `scratch.firsts`
MOST_LOGIT = 30.0


def look(state: object, seat: int, *given: object) -> float:
    """The policy's value of a position; bound."""
    raise NotImplementedError


def values_after(state: object, seat: int, actions: object, n: int, values: object, *given: object) -> None:
    """Write the values after a list of moves; bound."""
    raise NotImplementedError


def liking(state: object, action: int, *given: object) -> float:
    """The policy's logit of a move; bound."""
    raise NotImplementedError


@kernel
def advance(tree, scratch, seat, iterations, control, knobs, crew):
    """Run so many iterations from states[0]; return how many were run. A full tree goes on without growing."""
    for iteration in range(iterations):
        if control[STOP] != 0 or tree.used[IS_SOLVED] != 0:
            return iteration
        scratch.states[WORLD] = scratch.states[0]
        deal(scratch.states[WORLD], seat, scratch.rng, scratch.dealt, scratch.lead)
        lock(crew)
        depth, node = descend(tree, scratch, seat, knobs)
        unlock(crew)
        proof = 0
        n = 0
        if to_move(scratch.states[WORLD]) == NOBODY:
            value_end(scratch)
            proof = proof_of_end(scratch, depth)
        else:
            n = open_leaf(tree, scratch, node, seat, knobs)
        count_all(scratch, 1)
        if depth > 0:
            count_sample(scratch, scratch.shares[seat])
        lock(crew)
        find_path(tree, scratch.path, depth)
        if n > 0 and node != NO_NODE:
            attach(tree, scratch, node, n)
            if SOLVES and proof == 0:
                proof = proof_of_node(tree, scratch, node, depth)
        back_up(tree, scratch, depth, proof)
        unlock(crew)
    return iterations


# --- down the tree -----------------------------------------------------------------------------------


@kernel
def descend(tree, scratch, seat, knobs):
    """Walk down to a leaf; return its depth and its node, NO_NODE where the tree is full or the game is over."""
    nodes, edges, state, path = tree.nodes, tree.edges, scratch.states[WORLD], scratch.path
    node = ROOT
    depth = 0
    while True:
        settle(state)
        mover = to_move(state)
        if mover == NOBODY:
            node = NO_NODE
            break
        if node == NO_NODE:
            break
        nodes[node].visits += 1
        if nodes[node].count == 0 or depth == len(path):
            break
        n, n_seen = 0, 0
        if not FIXED:
            n, n_seen = list_moves(tree, scratch, node, seat, mover)
            add_new(tree, scratch, node, n, n_seen, seat, mover, knobs)
        edge = select(nodes, edges, node, scratch.looks, n_seen, knobs[C])
        if edge < 0:
            node = NO_NODE  # the tree is full, and has none of the moves on offer
            break
        action = action_on(edges[edge].action, state, scratch, n, seat)
        if depth == 0:
            scratch.first[0] = action
        path[depth, AT_EDGE] = edge
        path[depth, BY_SEAT] = mover
        path[depth, IN_NODE] = node
        path[depth, WITH_CODE] = edges[edge].action
        edges[edge].visits += 1
        node = child_of(nodes, edges, tree.used, edge)
        apply(state, action)
        depth += 1
    tree.used[DEEPEST] = max(tree.used[DEEPEST], depth)
    return depth, node


@kernel
def select(nodes, edges, node, looks, n, c):
    """The edge to follow, of those on offer; -1 where none is. A move proven lost is the last resort."""
    here = nodes[node]
    reach = c * math.sqrt(here.visits)
    if not FIXED:
        total = 0.0
        i = 0
        for j in range(here.count):
            edge = edges[here.first + j]
            while i < n and looks[i] < edge.action:
                i += 1
            if i < n and looks[i] == edge.action:
                total += edge.bias
        reach /= max(total, 1e-300)
    best = -1
    best_value = -np.inf
    i = 0
    for j in range(here.count):
        edge = edges[here.first + j]
        if not FIXED:
            while i < n and looks[i] < edge.action:
                i += 1
            if i == n or looks[i] != edge.action:
                continue
        share = 1.0 / (1.0 + edge.visits)
        value = (2.0 * (edge.minimax + edge.value) + reach * edge.bias) * share
        if edge.proof != 0:
            value += 1e6 if edge.proof == WON else -1e6
        if value > best_value:
            best_value = value
            best = here.first + j
    return best


@kernel
def add_new(tree, scratch, node, n, n_seen, seat, mover, knobs):
    """Give the node edges for the moves on offer that it has not met before, as far as there is room."""
    looks = scratch.looks
    common = (0.0, 0.0)
    is_ready = False
    for k in range(n_seen):
        if find_edge(tree.nodes, tree.edges, node, looks[k]) >= 0:
            continue
        if not is_ready:
            is_ready = True
            if USES_POLICY:
                scratch.values[0] = look(scratch.states[WORLD], mover, *scratch.of_evaluation)
            elif USES_AFTER:
                common = in_common(scratch.states[WORLD], mover, *scratch.of_evaluation)
        node_value = scratch.values[0] if USES_POLICY else 0.0
        action = action_on(looks[k], scratch.states[WORLD], scratch, n, seat)
        value, weight, _ = first_of(scratch, mover, action, common, node_value, knobs)
        edge = insert(tree.nodes, tree.edges, tree.used, node, looks[k], 0)
        if edge < 0:
            return
        tree.edges[edge].minimax = 0.5 + 0.5 * value
        tree.edges[edge].bias = weight


# --- a leaf ------------------------------------------------------------------------------------------


@kernel
def open_leaf(tree, scratch, node, seat, knobs):
    """Write the first value, the prior and the proof of each move, and what the leaf is worth; return how many moves.

    Nothing of the tree is changed: threads that share it do this side by side.
    """
    state, looks, values, firsts = scratch.states[WORLD], scratch.looks, scratch.values, scratch.firsts
    mover = to_move(state)
    n, n_seen = list_moves(tree, scratch, node, seat, mover)
    common = (0.0, 0.0)
    worth = -1.0
    if USES_POLICY:
        worth = look(state, mover, *scratch.of_evaluation)
    elif USES_AFTER_ALL:
        values_after(state, mover, looks, n_seen, values, *scratch.of_evaluation)
    elif USES_AFTER:
        common = in_common(state, mover, *scratch.of_evaluation)
    total = 0.0
    for i in range(n_seen):
        if USES_AFTER_ALL and not USES_POLICY and not np.isnan(values[i]):
            firsts[WEIGHT, i] = weight_of(values[i], knobs[SHARPNESS])
            firsts[PROOF, i] = 0.0
        else:
            action = action_on(looks[i], state, scratch, n, seat)
            value, weight, proof = first_of(scratch, mover, action, common, worth, knobs)
            values[i] = value
            firsts[WEIGHT, i] = weight
            firsts[PROOF, i] = proof
        total += firsts[WEIGHT, i]
        if not USES_POLICY:
            worth = max(worth, values[i])
    if FIXED:
        for i in range(n_seen):
            firsts[WEIGHT, i] /= total
    value_seats(scratch, mover, worth)
    return n_seen


@kernel
def first_of(scratch, mover, action, common, node_value, knobs):
    """A move's first value for its mover, its prior before it is shared out, and what it proves, or 0."""
    state = scratch.states[WORLD]
    if USES_POLICY:
        logit = liking(state, action, *scratch.of_evaluation)
        return node_value, math.exp(min(MOST_LOGIT, max(-MOST_LOGIT, logit))), 0.0
    value = np.float64(np.nan)
    proof = 0.0
    if USES_AFTER:
        value = value_after(state, mover, action, common[0], common[1], *scratch.of_evaluation)
    if np.isnan(value):
        states = scratch.states
        states[TRIED] = states[WORLD]
        apply(states[TRIED], action)
        if to_move(states[TRIED]) == NOBODY:
            win_shares(states[TRIED], len(scratch.shares), scratch.shares)
            value = 2.0 * scratch.shares[mover] - 1.0
            proof = value if SOLVES and abs(value) == 1.0 else 0.0
        else:
            value = 1.0 * evaluate(states[TRIED], mover, *scratch.of_evaluation)
    return value, weight_of(value, knobs[SHARPNESS]), proof


@kernel
def weight_of(value, sharpness):
    """The prior of a move by its first value, before it is shared out."""
    return 1.0 if IS_EVEN else math.exp(min(MOST_LOGIT, sharpness * value))


@kernel
def value_seats(scratch, mover, worth):
    """Write each seat's win share at the leaf: of two the other's is the rest, of more each is asked for."""
    shares = scratch.shares
    for seat in range(len(shares)):
        if seat == mover:
            shares[seat] = 0.5 + 0.5 * worth
        elif len(shares) == 2:
            shares[seat] = 0.5 - 0.5 * worth
        else:
            shares[seat] = 0.5 + 0.5 * evaluate(scratch.states[WORLD], seat, *scratch.of_evaluation)
    take_shares(scratch)


@kernel
def attach(tree, scratch, node, n):
    """Give a leaf its moves as edges: all at once, or none where there is no room or another thread has done it."""
    here = tree.nodes[node]
    if here.count > 0 or tree.used[EDGES_USED] + n > len(tree.edges):
        return
    here.first = tree.used[EDGES_USED]
    here.capacity = n
    here.offered = n
    tree.used[EDGES_USED] += n
    for i in range(n):
        edge = tree.edges[insert(tree.nodes, tree.edges, tree.used, node, scratch.looks[i], 0)]
        edge.minimax = 0.5 + 0.5 * scratch.values[i]
        edge.bias = scratch.firsts[WEIGHT, i]
        edge.proof = np.int64(scratch.firsts[PROOF, i])
        edge.plies = 1 if edge.proof != 0 else 0


# --- back up -----------------------------------------------------------------------------------------


@kernel
def proof_of_node(tree, scratch, node, depth):
    """What the moves of a leaf prove for the last mover on the path; of the root that the search is over."""
    side = settled(tree.nodes, tree.edges, node)
    if side == 0:
        return 0
    if depth == 0:
        tree.used[IS_SOLVED] = 1
        return 0
    plies = 1 + plies_left(tree.nodes, tree.edges, node, side)
    mover = to_move(scratch.states[WORLD])
    return side * plies if scratch.path[depth - 1, BY_SEAT] == mover else -side * plies


@kernel
def back_up(tree, scratch, depth, proof):
    """Add the leaf's worth to each edge of the path, for the seat that moved there."""
    for d in range(depth):
        tree.edges[scratch.path[d, AT_EDGE]].value += scratch.worth[scratch.path[d, BY_SEAT]]
    if proof != 0:
        prove(tree, scratch.path, depth, proof)
