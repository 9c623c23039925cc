"""Steps that alpha-beta, expectimax and max-n share, compiled; none of them knows a game."""

from __future__ import annotations

from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.search.control import ABORTED, LIMIT, NODES, STOP

NO_MOVE = -1


@kernel
def count_node(control):
    """Count a node; True where a limit is reached or somebody wants the search to stop, and the node is given up."""
    control[NODES] += 1
    if control[NODES] > control[LIMIT] or control[STOP] != 0:
        control[ABORTED] = 1
        return True
    return False


@kernel
def narrowed(alpha, beta, best, is_maximising):
    """The window once the seat to move has `best`."""
    if is_maximising:
        return max(alpha, best), beta
    return alpha, min(beta, best)


@kernel
def select_next(actions, scores, first, n):
    """Bring the most promising of the moves from `first` on to that place; among equals the least code.

    One step of a selection sort: a cut-off mostly comes early, and spares sorting the rest.
    """
    best = first
    for i in range(first + 1, n):
        if scores[i] > scores[best] or (scores[i] == scores[best] and actions[i] < actions[best]):
            best = i
    actions[first], actions[best] = actions[best], actions[first]
    scores[first], scores[best] = scores[best], scores[first]
