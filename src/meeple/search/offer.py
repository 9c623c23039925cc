"""The moves at the root that a game's filter leaves worth a look."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meeple.core.contract import legal_actions
from meeple.core.game import State
from meeple.core.heuristics import find_heuristic, no_filter
from meeple.core.kernel import kernel
from meeple.errors import ContractError

keep = no_filter  # bound by `kept_actions`


def kept_actions(state: State, name: str) -> NDArray[np.int64]:
    """All moves on offer that the filter called `name` keeps, ascending."""
    if name == "none":
        return state.legal_actions()
    game = state.game
    compiled = game.specialise("meeple.search.offer", keep=find_heuristic(game, "FILTERS", name).function)
    out = np.empty(int(game.definition.rules.MAX_ACTIONS), dtype=np.int64)
    n = int(compiled.list_kept(state.array, out))
    if n == 0:
        raise ContractError(f"the filter '{name}' of {game.name} left no move; it must keep at least one")
    return out[:n].copy()


@kernel
def list_kept(states, out):
    """Write the kept moves of states[0]; returns how many."""
    return keep(states[0], out, legal_actions(states[0], out))
