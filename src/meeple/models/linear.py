"""Linear models: the sum of features times weights, in doubles, always in the same order.

    value = squash(scale * (bias + weights . features))       tanh, clip to [-1, 1], or x / (1 + |x|)

Over sparse features, conjunctions of two features or earlier conjunctions may have weights too (learn/grown.py).

Each seat is asked by its own view, or, with SEES_MOVER, the seat to move, and the other has the opposite.
"""

from __future__ import annotations

from typing import Any

from meeple.core.contract import to_move
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.models.network import tanh_of

RATIO, AS_TANH, CLIP = 0, 1, 2

# Bound by `evaluation.compile_for`.
IS_SPARSE, SEES_MOVER, SQUASH = False, True, AS_TANH


def write(state: Any, seat: Any, out: Any) -> int:
    """The game's features; bound."""
    raise NotImplementedError


@kernel
def evaluate(state, seat, net):
    """The value of a position for `seat`, in [-1, 1]."""
    mover = to_move(state)
    viewer = mover if SEES_MOVER and mover >= 0 else seat
    total = net.scale[0]
    if IS_SPARSE:
        n = write(state, viewer, net.active)
        for k in range(n):
            total += net.weights[net.active[k]]
        if len(net.joins) > 0:
            total += conjoined(net.weights, net.joins, net.active, net.present, n)
    else:
        n = write(state, viewer, net.numbers)
        for i in range(n):
            total += net.weights[i] * net.numbers[i]
    x = total * net.scale[1]
    if SQUASH == RATIO:
        value = x / (abs(x) + 1.0)
    elif SQUASH == CLIP:
        value = min(1.0, max(-1.0, x))
    else:
        value = tanh_of(x)
    return value if viewer == seat else -value


@kernel
def conjoined(weights, joins, active, present, n):
    """The sum of the weights of the conjunctions that are there; `present` is empty before and after."""
    size = len(present) - len(joins)
    for k in range(n):
        present[active[k]] = 1
    total = 0.0
    for j in range(len(joins)):
        if present[joins[j, 0]] & present[joins[j, 1]]:
            present[size + j] = 1
            total += weights[size + j]
    for k in range(n):
        present[active[k]] = 0
    for j in range(len(joins)):
        present[size + j] = 0
    return total
