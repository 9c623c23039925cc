"""Saboteur: what is worth knowing beyond the rules.

`plain` plays its role openly, `loyal` plays as a miner whatever its role: both by the likings of likings.py, and both
read only what the seat to move may know. The bias `roles` takes the roles of the world as known, so it is for worlds
dealt by a belief; the inference `moves` (inference.py) is such a belief.
"""

from __future__ import annotations

import numpy as np

from meeple.core.heuristics import Heuristic
from meeple.core.kernel import kernel
from meeple.core.scored import keep_from, outdoes
from meeple.games.saboteur.inference import infer_roles
from meeple.games.saboteur.layout import BREAK, CHOOSE, PASS, TAKE
from meeple.games.saboteur.likings import LIKINGS, USUAL, informed_liking, role_liking, tunnel_gap, wanted_goals
from meeple.games.saboteur.rounds import is_saboteur
from meeple.games.saboteur.rules import legal_actions


@kernel
def score_for(state, actions, scores, as_saboteur, weights):
    """Write how much a role likes each of these moves."""
    wanted = wanted_goals(state, state.seat)
    gap = tunnel_gap(state, wanted)
    for i in range(len(scores)):
        scores[i] = role_liking(state, actions[i], gap, wanted, as_saboteur, weights)


@kernel
def best_for(state, rng, out, as_saboteur, weights):
    """The move that a role likes best, any of equals."""
    n = legal_actions(state, out)
    if state.phase == CHOOSE:
        return out[n - 1]  # the most gold
    wanted = wanted_goals(state, state.seat)
    gap = tunnel_gap(state, wanted)
    best, most, equal = out[0], -(1 << 40), 0
    for i in range(n):
        score = role_liking(state, out[i], gap, wanted, as_saboteur, weights)
        is_better, equal = outdoes(score, most, equal, rng)
        if is_better:
            best, most = out[i], score
    return best


@kernel
def plain_policy(state, rng, out, weights):
    """By its own role."""
    return best_for(state, rng, out, is_saboteur(state, state.seat), weights)


@kernel
def loyal_policy(state, rng, out, weights):
    """As a miner, whatever its role."""
    return best_for(state, rng, out, False, weights)


@kernel
def roles_bias(state, action, weights):
    """The informed liking, between 0 and 1; of gold cards the largest."""
    if state.phase == CHOOSE:
        return (action - TAKE) / 2.0
    wanted = wanted_goals(state, state.seat)
    liking = informed_liking(state, action, tunnel_gap(state, wanted), wanted, weights)
    return min(1.0, max(0.0, (liking + 50.0) / 200.0))


PROMISE = 30  # how far below the best move, in points, a move is still worth a look


@kernel
def keep_promising(state, actions, n):
    """Keep the moves that the mover's role likes nearly as much as its best, and all that break or mend tools."""
    if state.phase == CHOOSE:
        actions[0] = actions[n - 1]
        return 1
    scores = np.empty(n, np.int64)
    score_for(state, actions, scores, is_saboteur(state, state.seat), USUAL[0])
    most = scores.max()
    for i in range(n):
        if BREAK <= actions[i] < PASS:
            scores[i] = most
    return keep_from(actions, scores, most - PROMISE)


PLAYOUTS = {
    "plain": Heuristic(plain_policy, "plays its role openly: miners build, saboteurs hinder", parameters=LIKINGS),
    "loyal": Heuristic(loyal_policy, "plays as a miner, whatever its role", parameters=LIKINGS),
}
BIASES = {
    "roles": Heuristic(
        roles_bias,
        "how much the mover likes a move by its role and by the others' in the world",
        0.0,
        1.0,
        reads_hidden=True,
        parameters=LIKINGS,
    )
}
FILTERS = {"plain": Heuristic(keep_promising, "moves that the mover's role likes nearly as its best; all on tools")}
INFERENCES = {"moves": Heuristic(infer_roles, "role deals by how likely miners, saboteurs and others make each move")}
