"""Implicit minimax (Lanctot): the minimax of the evaluations below an edge is mixed into its mean; for two seats."""

from __future__ import annotations

from meeple.core.contract import apply
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.search.tree.arrays import AT_EDGE, BY_SEAT
from meeple.search.tree.knobs import IMPLICIT_WEIGHT, TRIED, WORLD
from meeple.search.tree.look import PROVEN, look


@kernel
def plain_mean(edge, share, knobs):
    """The mean worth of an edge's visits; `share` is one over their number."""
    return edge.value * share


@kernel
def mixed_mean(edge, share, knobs):
    """The mean with the minimax mixed in."""
    return (1.0 - knobs[IMPLICIT_WEIGHT]) * (edge.value * share) + knobs[IMPLICIT_WEIGHT] * edge.minimax


@kernel
def start_minimax(edge, scratch, mover, action, knobs):
    """A new move's minimax is the evaluation after it."""
    states = scratch.states
    states[TRIED] = states[WORLD]
    apply(states[TRIED], action)
    value = look(scratch, TRIED, 0, -PROVEN, PROVEN, mover)
    edge.minimax = 0.5 + 0.5 * min(1.0, max(-1.0, value))


@kernel
def no_back_up(tree, path, depth):
    """There is nothing besides the worth of playouts."""


@kernel
def back_up_minimax(tree, path, depth):
    """An edge whose node has all its moves takes the best of them for their mover."""
    for d in range(depth - 2, -1, -1):
        edge = tree.edges[path[d, AT_EDGE]]
        here = tree.nodes[edge.node]
        if here.count < here.offered:
            return
        best = 0.0
        for j in range(here.count):
            best = max(best, tree.edges[here.first + j].minimax)
        edge.minimax = best if path[d, BY_SEAT] == path[d + 1, BY_SEAT] else 1.0 - best
