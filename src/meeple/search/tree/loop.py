"""Monte Carlo tree search, the loop: deal a world, descend by UCB, expand, simulate, back up.

Open loop: a node stands for a sequence of moves, not for a position. Each iteration walks down from the root through a
state of its own, in which chance and hidden cards may fall differently each time, so at a node the moves on offer may
differ between visits. A node keeps only the edges that were visited; a single pass merges them with the ascending list
of legal actions, finds the best by UCB and counts those never tried.

    UCB = mean + c * sqrt(ln(available) / visits) + bias / visits

`mean` is the mean worth to the seat that moves there; `available` counts the visits of the node in which the move was
on offer. All values are in [0, 1] for the mover on the edge, win shares by default: no sign is ever turned. A visit
counts on the way down, so that threads which share a tree see each other's (a virtual loss).

Steps that a setting may change are called by the names under which they are imported here, each in its plainest way;
`variants.compile_for` binds others in their places:

    deal                 redeal what the seat cannot know, lead        dealing.py
    list_moves, new_move, action_on   moves of a node, with filters    offers.py
    edge_on_line         replay the line of a leaf that is extended    lines.py
    bias, start, start_more           what a new edge begins with      priors.py, implicit.py
    probe, proof_of_end  wins and losses found by a look ahead         proofs.py
    observe, tree_of, count_end       several trees, one a seat        observers.py
    simulate             from a leaf to a value for each seat          playouts.py, leaves.py
    value_end, worth_on, mean_of      results as rewards, and means    rewards.py, implicit.py
    remember, credit     what a move was worth anywhere (MAST)         habits.py
    lock, unlock, find_path           threads that share a tree        crew.py
"""

from __future__ import annotations

import math

import numpy as np

from meeple.core.chance import draw
from meeple.core.contract import NOBODY, apply, is_legal, settle, to_move
from meeple.core.heuristics import no_bias as bias
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.search.control import STOP
from meeple.search.tree.arrays import (
    AT_EDGE,
    BY_SEAT,
    DEEPEST,
    IN_NODE,
    IS_SOLVED,
    NO_NODE,
    WITH_CODE,
    child_of,
    insert,
)
from meeple.search.tree.crew import no_lock as lock
from meeple.search.tree.crew import no_lock as unlock
from meeple.search.tree.crew import same_path as find_path
from meeple.search.tree.dealing import same_world as deal
from meeple.search.tree.habits import no_credit as credit
from meeple.search.tree.habits import no_memory as remember
from meeple.search.tree.implicit import no_back_up as back_up_more
from meeple.search.tree.implicit import plain_mean as mean_of
from meeple.search.tree.knobs import FIRST_PLAY, LOG_ROLLOUTS, WIDENING, WORLD, C
from meeple.search.tree.lines import no_line as edge_on_line
from meeple.search.tree.observers import count_at_end as count_end
from meeple.search.tree.observers import no_others as observe
from meeple.search.tree.observers import only_tree as tree_of
from meeple.search.tree.offers import by_lot as new_move
from meeple.search.tree.offers import list_open as list_moves
from meeple.search.tree.offers import open_action as action_on
from meeple.search.tree.playouts import simulate_once as simulate
from meeple.search.tree.priors import no_prior as start
from meeple.search.tree.priors import no_prior as start_more
from meeple.search.tree.proofs import LOST, WON, give_all, prove
from meeple.search.tree.proofs import no_end as proof_of_end
from meeple.search.tree.proofs import no_probe as probe
from meeple.search.tree.rewards import plain_worth as worth_on
from meeple.search.tree.rewards import win_at_end as value_end

EXPANSIONS = 1  # edges added an iteration; 2: a new node is left at once by a random move
FIXED = False  # a node's moves are the same in every iteration
SPARSE = False  # lists are long: moves are counted, tested and picked one by one, and no list is made


@kernel
def advance(tree, scratch, seat, iterations, control, knobs, crew):
    """Run so many iterations from states[0]; return how many were run. A full tree goes on without growing."""
    for iteration in range(iterations):
        if control[STOP] != 0 or tree.used[IS_SOLVED] != 0:
            return iteration
        scratch.states[WORLD] = scratch.states[0]
        deal(scratch.states[WORLD], seat, scratch.rng, scratch.dealt, scratch.lead)
        lock(crew)
        depth, proof = descend(tree, scratch, seat, knobs)
        unlock(crew)
        samples, proof = value_leaf(tree, scratch, depth, proof, knobs, crew)
        count_all(scratch, samples)
        if depth > 0:
            count_sample(scratch, scratch.shares[seat] / samples)
        lock(crew)
        find_path(tree, scratch.path, depth)
        back_up(tree, scratch, depth, proof, samples)
        unlock(crew)
    return iterations


@kernel
def descend(tree, scratch, seat, knobs):
    """Walk down to a leaf and add what is new; return the depth, and what a probe proved for the last mover, or 0."""
    nodes, edges = tree.nodes, tree.edges
    state, at = scratch.states[WORLD], scratch.at
    for observer in range(len(at)):
        at[observer] = observer  # the roots stand first
    depth = 0
    proof = 0
    added = 0
    while True:
        settle(state)
        mover = to_move(state)
        if mover == NOBODY:
            count_end(nodes, at)
            break
        node = at[tree_of(mover)]
        if node != NO_NODE:
            nodes[node].visits += 1
        if node == NO_NODE or added == EXPANSIONS or depth == len(scratch.path):
            break
        proof = probe(nodes[node].visits, scratch, mover, depth, knobs)
        if proof != 0:
            break
        n, n_seen = 0, 0
        is_new = False
        edge = edge_on_line(tree, scratch, node, depth)
        if edge < 0:
            n, n_seen = list_moves(tree, scratch, node, seat, mover)
            edge = select(nodes, edges, node, state, scratch, n_seen, knobs)
            is_new = edge < 0
        if is_new:
            edge = expand(tree, scratch, node, n_seen, -1 - edge)
            if edge < 0:
                break  # the tree is full
            added += 1
        action = action_on(edges[edge].action, state, scratch, n, seat)
        if is_new:
            edges[edge].bias = bias(state, action, *scratch.of_bias)
            start(edges[edge], scratch, mover, action, knobs)
            start_more(edges[edge], scratch, mover, action, knobs)
        follow(tree, scratch, depth, node, edge, mover, action)
        depth += 1
    tree.used[DEEPEST] = max(tree.used[DEEPEST], depth)
    return depth, proof


@kernel
def select(nodes, edges, node, state, scratch, n, knobs):
    """The edge to follow; or -1 - k, where the k-th of the moves never tried is to be tried (SPARSE: -1, any)."""
    here, looks, rng = nodes[node], scratch.looks, scratch.rng
    here.offered = n  # once all of them were tried, no list is made any more (offers.py), and a loss can be proven
    first = here.first
    count = here.count
    c, first_play, widening = knobs[C], knobs[FIRST_PLAY], knobs[WIDENING]
    allowed = n if widening <= 0.0 else max(1, np.int64(widening * math.sqrt(here.visits)))
    # With moves never tried first, and one of those on offer for certain, there is nothing to compare.
    is_settled = count < min(n, allowed) and math.isinf(first_play)
    if FIXED and is_settled:
        return -1 if SPARSE else -1 - draw(rng, n - count)
    best = -1
    best_value = -np.inf
    tried = 0
    log_visits = math.log(here.visits)
    i = 0
    for j in range(count):
        edge = edges[first + j]
        if FIXED:
            is_offered = True
        elif SPARSE:
            is_offered = is_legal(state, edge.action)
        else:
            while i < n and looks[i] < edge.action:
                i += 1
            is_offered = i < n and looks[i] == edge.action
        if not is_offered:
            edge.missed += 1
            continue
        tried += 1
        if is_settled:
            continue
        value = -1e9 + edge.value  # of a move proven lost: the last resort
        if edge.proof != LOST:
            # A visit of the node stands for as many playouts as a leaf has: ln(rollouts * available).
            available = log_visits if edge.missed == 0 else log_of(here.visits - edge.missed, scratch.logs)
            logarithm = max(0.0, available) + knobs[LOG_ROLLOUTS]
            share = 1.0 / edge.visits
            value = mean_of(edge, share, knobs) + c * math.sqrt(logarithm * share) + edge.bias * share
            if edge.proof == WON:
                value += 1e6
        if value > best_value:
            best_value = value
            best = first + j
    if tried < min(n, allowed) and best_value < first_play:
        return -1 if SPARSE else -1 - draw(rng, n - tried)
    return best


@kernel
def log_of(n, logs):
    """The logarithm of n visits, from the table where it reaches so far."""
    return logs[n] if n < len(logs) else math.log(n)


@kernel
def expand(tree, scratch, node, n, k):
    """Give the node an edge for a move never tried, the k-th of them where the lot decides; -1: the tree is full."""
    action = new_move(tree, scratch, node, n, k)
    # Where the offer is always the same the move was there from the start; else it counts from now on.
    missed = 0 if FIXED else tree.nodes[node].visits - 1
    return insert(tree.nodes, tree.edges, tree.used, node, action, missed)


@kernel
def follow(tree, scratch, depth, node, edge, mover, action):
    """Make the move: note it on the path, count the visit, go on to the node below, and play it."""
    path, at, state = scratch.path, scratch.at, scratch.states[WORLD]
    if depth == 0:
        scratch.first[0] = action
    path[depth, AT_EDGE] = edge
    path[depth, BY_SEAT] = mover
    path[depth, IN_NODE] = node
    path[depth, WITH_CODE] = tree.edges[edge].action
    remember(scratch.habits, depth, mover, action)
    tree.edges[edge].visits += 1
    observe(tree, at, state, mover, action)
    at[tree_of(mover)] = child_of(tree.nodes, tree.edges, tree.used, edge)
    apply(state, action)


@kernel
def value_leaf(tree, scratch, depth, proof, knobs, crew):
    """Write what the leaf is worth to each seat, summed over samples; return how many samples, and a proof or 0."""
    if proof == 0 and to_move(scratch.states[WORLD]) != NOBODY:
        return simulate(scratch, depth, knobs, crew), proof
    if proof != 0:
        give_all(scratch, depth, proof)
    else:
        value_end(scratch)
        proof = proof_of_end(scratch, depth)
    lock(crew)
    credit(scratch.habits, depth, scratch.worth)
    unlock(crew)
    return np.int64(1), proof


@kernel
def back_up(tree, scratch, depth, proof, samples):
    """Add the leaf's worth to each edge of the path, for the seat that moved there; it counts as so many visits."""
    path, worth = scratch.path, scratch.worth
    for d in range(depth):
        edge = tree.edges[path[d, AT_EDGE]]
        edge.visits += samples - 1  # one was counted on the way down
        edge.value += worth_on(edge, worth[path[d, BY_SEAT]])
    if proof != 0:
        prove(tree, path, depth, proof)
    back_up_more(tree, path, depth)


@kernel
def count_all(scratch, samples):
    """Add the iteration's win shares of all seats to the sums over iterations."""
    for seat in range(len(scratch.shares)):
        scratch.totals[seat] += scratch.shares[seat] / samples


@kernel
def count_sample(scratch, share):
    """Note what the iteration's first move was worth to the searching seat, as a win share and in no other measure."""
    actions, action = scratch.root, scratch.first[0]
    low, high = 0, len(actions)
    while low < high:
        middle = (low + high) // 2
        if actions[middle] < action:
            low = middle + 1
        else:
            high = middle
    if low < len(actions):
        scratch.tally[low, 0] += 1.0
        scratch.tally[low, 1] += share
        scratch.tally[low, 2] += share * share
