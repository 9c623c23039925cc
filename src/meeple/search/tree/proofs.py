"""Proven wins and losses, in games of two without chance and secrets, and probes that look for them (Baier, Winands).

A proof is a number: n, the game is won after n plies at the latest, -n, it is lost, or 0. On an edge it is kept as WON
or LOST for the mover, and its plies. A move proven lost is not tried again, and a root that is proven ends the search.
"""

from __future__ import annotations

import numpy as np

from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.search.tree.arrays import AT_EDGE, BY_SEAT, IS_SOLVED, ROOT
from meeple.search.tree.knobs import PROBE_VISITS, TRIED, WORLD
from meeple.search.tree.look import PROVEN, look
from meeple.search.tree.rewards import take_shares

WON, LOST = 1, -1
PROBE_PLIES = 0  # of the minimax that looks for proofs


@kernel
def no_probe(visits, scratch, mover, depth, knobs):
    """None is looked for."""
    return 0


@kernel
def probe_node(visits, scratch, mover, depth, knobs):
    """At a node's visit of a certain number: the proof for the last mover on the path that a minimax finds, or 0."""
    if depth == 0 or visits != knobs[PROBE_VISITS]:
        return 0
    states = scratch.states
    states[TRIED] = states[WORLD]
    value = look(scratch, TRIED, PROBE_PLIES, -PROVEN, PROVEN, mover)
    proof = WON if value == PROVEN else LOST if value == -PROVEN else 0
    if mover != scratch.path[depth - 1, BY_SEAT]:
        proof = -proof
    return proof * (1 + PROBE_PLIES)


@kernel
def give_all(scratch, depth, proof):
    """Write the win shares of two seats where a probe has proven the last move."""
    last = scratch.path[depth - 1, BY_SEAT]
    scratch.shares[last] = 1.0 if proof > 0 else 0.0
    scratch.shares[1 - last] = 1.0 - scratch.shares[last]
    take_shares(scratch)


@kernel
def no_end(scratch, depth):
    """A finished game proves nothing: chance or hidden cards may end it otherwise."""
    return 0


@kernel
def proof_by_end(scratch, depth):
    """What a finished game proves for the last mover on the path."""
    if depth == 0:
        return 0
    share = scratch.shares[scratch.path[depth - 1, BY_SEAT]]
    return WON if share == 1.0 else LOST if share == 0.0 else 0


@kernel
def prove(tree, path, depth, proof):
    """Back up what is proven of the last move on the path, for its mover, as far as it proves the moves before."""
    nodes, edges = tree.nodes, tree.edges
    side, plies = WON if proof > 0 else LOST, abs(proof)
    for d in range(depth - 1, -1, -1):
        edge = edges[path[d, AT_EDGE]]
        if d < depth - 1:
            # The node below is settled for the seat that moves there.
            below = settled(nodes, edges, np.int64(edge.node))
            side = below if path[d, BY_SEAT] == path[d + 1, BY_SEAT] else -below
            plies = 1 + plies_left(nodes, edges, np.int64(edge.node), below)
        edge.proof = side
        if side == 0:
            return
        edge.plies = plies
    if settled(nodes, edges, ROOT) != 0:
        tree.used[IS_SOLVED] = 1


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
    found = 0
    for j in range(here.count):
        edge = edges[here.first + j]
        if edge.proof == proof:
            plies = np.int64(edge.plies)
            is_better = plies < found if proof == WON else plies > found
            if found == 0 or is_better:
                found = plies
    return found
