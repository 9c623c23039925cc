"""What an actor and a critic learn from a game, compiled; the formulas stand in actor_critic.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.learn.heads_kernels import add_heads, lean, share_loss, share_of, soften
from meeple.learn.heads_play import END

LOSS, ENTROPY = range(2)  # places in `tally`


def see(state: Any, weights: Any, sight: Any) -> Any:
    """The network's view of a position; bound."""
    raise NotImplementedError


@kernel
def learn_game(line, n, trace, curiosity, part, weights, gradients, sight, tally):
    """Add `part` times the gradients of a game's mean loss; the weights are those that played it."""
    come_of(line, n, trace)
    for t in range(n):
        learn(line, t, curiosity, part / n, weights, gradients, sight, tally)


@kernel
def come_of(line, n, trace):
    """Replace `returns` of each decision by what came of it, from the last one on."""
    for t in range(n - 1, -1, -1):
        later = line.follow[t]
        if later != END:
            found = trace * line.returns[later] + (1.0 - trace) * line.values[later]
            line.returns[t] = found if line.movers[later] == line.movers[t] else -found


@kernel
def learn(line, t, curiosity, part, weights, gradients, sight, tally):
    """Add `part` times the gradients of the loss of one decision; tally the critic's loss, and the entropy."""
    x, n_active, n_legal = see(line.states[t], weights, sight)
    share = (1.0 + line.returns[t]) / 2.0
    entropy = soften(sight.logits, sight.chances, n_legal)
    advantage = line.returns[t] - line.values[t]
    for k in range(n_legal):
        chance = sight.chances[k]
        slope = advantage * chance
        if sight.legal[k] == line.actions[t]:
            slope -= advantage
        if chance > 0.0:
            slope += curiosity * chance * (np.log(chance) + entropy)
        lean(sight, k, part * slope)
    add_heads(weights, gradients, sight, n_active, part * (share_of(x) - share))
    tally[LOSS] += share_loss(x, share)
    tally[ENTROPY] += entropy
