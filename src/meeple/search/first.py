"""The first move on offer, compiled."""

from __future__ import annotations

from meeple.core.contract import legal_actions
from meeple.core.kernel import kernel


@kernel
def first_action(state, rng, out):
    """The least code on offer; `rng` is there because every policy takes one."""
    legal_actions(state, out)
    return out[0]
