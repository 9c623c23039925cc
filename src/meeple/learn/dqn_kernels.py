"""A memory of moves, and what a network learns from it, compiled; the formulas stand in dqn.py."""

from __future__ import annotations

from typing import Any

from meeple.core.chance import draw
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.learn.heads_kernels import add_heads, lean, share_of
from meeple.learn.heads_play import END


def see(state: Any, weights: Any, sight: Any) -> Any:
    """The network's view of a position; bound."""
    raise NotImplementedError


@kernel
def remember(memory, line, n):
    """Put the n decisions of a game into the memory, over the oldest."""
    room = len(memory.actions)
    for t in range(n):
        row = memory.n_seen[0] % room
        memory.states[row] = line.states[t]
        memory.actions[row] = line.actions[t]
        memory.returns[row] = line.returns[t]
        later = line.follow[t]
        memory.signs[row] = 0.0
        if later != END:
            memory.nexts[row] = line.states[later]
            memory.signs[row] = 1.0 if line.movers[later] == line.movers[t] else -1.0
        memory.n_seen[0] += 1


@kernel
def learn_batch(memory, batch, weights, older, gradients, sight, rng):
    """Add the gradients of a minibatch drawn from the memory; returns its mean loss of Q."""
    n = min(memory.n_seen[0], len(memory.actions))
    total = 0.0
    for _ in range(batch):
        total += learn(memory, draw(rng, n), 1.0 / batch, weights, older, gradients, sight)
    return total / batch


@kernel
def learn(memory, row, part, weights, older, gradients, sight):
    """Add `part` times the gradients of one remembered move; returns its loss of Q."""
    target = target_of(memory, row, older, sight)
    x, n_active, n_legal = see(memory.states[row], weights, sight)
    played, best = 0, sight.logits[0]
    for k in range(n_legal):
        best = max(best, sight.logits[k])
        if sight.legal[k] == memory.actions[row]:
            played = k
    error = sight.logits[played] - target
    lean(sight, played, part * min(max(error, -1.0), 1.0))
    share = (1.0 + min(max(best, -1.0), 1.0)) / 2.0
    add_heads(weights, gradients, sight, n_active, part * (share_of(x) - share))
    return 0.5 * error * error if abs(error) <= 1.0 else abs(error) - 0.5


@kernel
def target_of(memory, row, older, sight):
    """What a remembered move is worth by the older network, to whoever made it."""
    if memory.signs[row] == 0.0:
        return memory.returns[row]
    _, _, n_legal = see(memory.nexts[row], older, sight)
    best = sight.logits[0]
    for k in range(1, n_legal):
        best = max(best, sight.logits[k])
    return memory.signs[row] * min(max(best, -1.0), 1.0)
