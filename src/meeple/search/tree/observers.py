"""One tree for all, or one for each seat by what that seat sees (multiple-observer ISMCTS).

With several, each seat chooses by its own tree, in which the moves of others stand as it saw them.
"""

from __future__ import annotations

import numpy as np

from meeple.core.contract import seen
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.search.tree.arrays import NO_NODE, child_of, find_edge, insert


@kernel
def only_tree(mover):
    """The number of the tree in which a seat chooses: there is one."""
    return 0


@kernel
def own_tree(mover):
    """The number of the tree in which a seat chooses: its own."""
    return mover


@kernel
def count_at_end(nodes, at):
    """A visit of a node at which the game is over counts too."""
    if at[0] != NO_NODE:
        nodes[at[0]].visits += 1


@kernel
def count_none(nodes, at):
    """Not so with several trees: in another world a seat may have to move there."""


@kernel
def no_others(tree, at, state, mover, action):
    """Nobody else has a tree."""


@kernel
def walk_others(tree, at, state, mover, action):
    """Walk on in the trees of all but the mover, by the move as each of them sees it."""
    for other in range(len(at)):
        if other == mover or at[other] == NO_NODE:
            continue
        code = np.int64(seen(state, action, other))
        edge = find_edge(tree.nodes, tree.edges, at[other], code)
        if edge < 0:
            edge = insert(tree.nodes, tree.edges, tree.used, at[other], code, 0)
        if edge < 0:
            at[other] = NO_NODE
            continue
        tree.edges[edge].visits += 1
        at[other] = child_of(tree.nodes, tree.edges, tree.used, edge)
