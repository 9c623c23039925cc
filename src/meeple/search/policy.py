"""One move by a game's policy: the compiled rule that playouts follow, asked once."""

from __future__ import annotations

import numpy as np

from meeple.core.chance import Stream
from meeple.core.contract import choose
from meeple.core.game import State
from meeple.core.heuristics import Heuristic, find_heuristic
from meeple.core.kernel import kernel

policy = choose  # bound by `decide`


def decide(state: State, *, name: str | Heuristic, rng: Stream) -> int:
    """The move that the policy called `name` makes."""
    game = state.game
    chosen = find_heuristic(game, "PLAYOUTS", name)
    compiled = game.specialise("meeple.search.policy", policy=chosen.function)
    scratch = np.empty(int(game.definition.rules.MAX_ACTIONS), dtype=np.int64)
    return int(compiled.ask(state.array, rng.array, scratch, chosen.given()))


@kernel
def ask(states, rng, scratch, given):
    """The policy's move at states[0]; `given` are its parameters, if it takes any."""
    return policy(states[0], rng, scratch, *given)
