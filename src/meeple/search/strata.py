"""Classes of worlds: how much each weighs, by chance alone or by what was seen, and worlds dealt in proportion.

A game that names classes (`STRATA` of the rules) may offer inferences: weights for them that follow from the match as a
seat saw it, since what others chose tells about what they hold. Where it offers none, the weights are chance's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from meeple.core.chance import Stream
from meeple.core.game import State
from meeple.core.heuristics import find_heuristic, no_inference
from meeple.core.kernel import kernel
from meeple.errors import ContractError

Weights = Mapping[int, int]  # of the classes that are possible, by code


infer = no_inference  # bound by `believed`


def believed(state: State, seen: Sequence[int], *, name: str, rng: Stream) -> Weights:
    """The weights that the game's inference called `name` gives the classes of worlds, after the match as `seen`.

    `state` is a world redealt for the seat to move, and `seen` what that seat saw.
    """
    game, seat = state.game, state.to_move
    compiled = game.specialise("meeple.search.strata", infer=find_heuristic(game, "INFERENCES", name).function)
    states = game.buffer(3)
    states[0] = state.array[0]
    weights = np.zeros(int(game.functions["STRATA"]), dtype=np.int64)
    compiled.ask(states, np.array(seen, dtype=np.int64), seat, rng.array, weights)
    allowed = state.strata(seat)
    found = {code: int(weight) for code, weight in enumerate(weights.tolist()) if weight > 0}
    if not found or not found.keys() <= allowed.keys():
        raise ContractError(f"the inference '{name}' of {game.name} gave no weight, or one to an impossible class")
    return found


def deal_one(state: State, weights: Weights, number: int, n: int, rng: Stream) -> State:
    """World number `number` of `n` for the seat to move: classes in proportion to their weights, evenly spread."""
    if len(weights) == 1 and int(state.game.functions["STRATA"]) == 1:
        return state.redealt(state.to_move, rng)
    bounds = np.cumsum(list(weights.values()))
    place = int(np.searchsorted(bounds, (number + 0.5) / n * bounds[-1], side="right"))
    return state.redealt(state.to_move, rng, stratum=list(weights)[place])


@kernel
def ask(states, seen, seat, rng, weights):
    """The inference at states[0]; the other states are scratch."""
    infer(states, seen, seat, rng, weights)
