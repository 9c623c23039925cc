"""An evaluation asked again and again inside compiled code, to measure it."""

from __future__ import annotations

from meeple.core.contract import to_move
from meeple.core.heuristics import no_evaluation as evaluate
from meeple.core.kernel import kernel


@kernel
def ask_many(states, times, given):
    """The sum of the values of the states for the seats to move, over so many askings in all."""
    total = 0.0
    for k in range(times):
        state = states[k % len(states)]
        total += evaluate(state, to_move(state), *given)
    return total
