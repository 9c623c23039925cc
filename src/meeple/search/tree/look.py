"""A shallow search inside the tree search: minimax, or expectimax, over a few plies."""

from __future__ import annotations

from meeple.core.contract import (
    CHANCE,
    NOBODY,
    OUTCOMES,
    apply,
    chance_weights,
    leave_out,
    legal_actions,
    settle,
    to_move,
    win_shares,
)
from meeple.core.heuristics import no_evaluation as evaluate
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array

PROVEN = 2.0  # the value of a game won: beyond every evaluation
EXPECTS = False  # take the mean over chance, instead of following the fate at hand
CAN_LEAVE_OUT = False  # the game names draws that such a search may leave out


@kernel
def look(scratch, ply, depth, alpha, beta, me):
    """The value of states[ply] for seat `me` by alpha-beta over so many plies; a game won is PROVEN, one lost -PROVEN.

    All others are against `me`. Chance follows the fate at hand, or gives its mean (`EXPECTS`), but for draws that the
    game leaves out of such searches. The states from `ply` on are overwritten.
    """
    states = scratch.states
    if not EXPECTS:
        settle(states[ply])
    elif CAN_LEAVE_OUT:
        leave_out(states[ply])
    mover = to_move(states[ply])
    if mover == NOBODY:
        return finished(scratch, ply, me)
    if depth == 0 or ply + 1 >= len(states):
        return 1.0 * evaluate(states[ply], me, *scratch.of_evaluation)
    if EXPECTS and mover == CHANCE:
        chance_weights(states[ply], scratch.lists[ply])
        total = 0.0
        mean = 0.0
        for code in range(OUTCOMES):
            weight = scratch.lists[ply, code]
            if weight > 0:
                states[ply + 1] = states[ply]
                apply(states[ply + 1], code)
                value = look(scratch, ply + 1, depth, -PROVEN, PROVEN, me)
                mean += weight * min(1.0, max(-1.0, value))
                total += weight
        return mean / total
    n = legal_actions(states[ply], scratch.lists[ply])
    best = -PROVEN if mover == me else PROVEN
    for i in range(n):
        states[ply + 1] = states[ply]
        apply(states[ply + 1], scratch.lists[ply, i])
        value = look(scratch, ply + 1, depth - 1, alpha, beta, me)
        if mover == me:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


@kernel
def finished(scratch, ply, me):
    """PROVEN for a won game, its opposite for a lost one, else the returns."""
    win_shares(scratch.states[ply], len(scratch.shares), scratch.shares)
    share = scratch.shares[me]
    return PROVEN if share == 1.0 else -PROVEN if share == 0.0 else 2.0 * share - 1.0
