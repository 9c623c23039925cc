"""What a move brings in points: the mean lead at the end over games played out by a policy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import State
from meeple.core.heuristics import Heuristic

MOST_FLAG = 1  # scores that never pass it only say who won: they are no points
Floats = NDArray[np.float64]


def leads_after(
    state: State, seat: int, actions: list[int], *, policy: Heuristic | None, games: int, first: int
) -> Floats | None:
    """The lead of `seat` at the end of each game, [action, game]; None where the game has no points.

    The lead is the seat's score less the best of the others', in a solo game its score. Each game begins with one of
    the actions in a world dealt for `seat`; game n has the same world and fate for every action. `first` names the
    family of streams.
    """
    game = state.game
    chooser = policy.function if policy else game.functions["choose"]
    compiled = game.specialise("meeple.analysis.points_kernels", policy=chooser)
    given = policy.given() if policy else ()
    states, out = game.buffer(2), np.empty(int(game.definition.rules.MAX_ACTIONS), dtype=np.int64)
    states[0] = state.array[0]
    found = np.zeros((len(actions), games, game.seats), dtype=np.int64)
    rng = np.zeros(1, dtype=np.uint64)
    for place, action in enumerate(actions):
        compiled.play_points(states, seat, action, np.uint64(first), games, rng, out, given, found[place])
    if found.max() <= MOST_FLAG:
        return None
    if game.seats == 1:
        return found[:, :, 0].astype(np.float64)
    others = np.delete(found, seat, axis=2).max(axis=2)
    return np.asarray(found[:, :, seat] - others, dtype=np.float64)
