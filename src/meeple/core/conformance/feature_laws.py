"""The laws of features, one function each: it returns what is wrong, or an empty string.

A network reads a row of weights for each index that a game writes, unchecked; what a seat's features know, every model
of that seat knows. Each law has a broken twin in the tests that it must catch. That compiled code writes the same as
interpreted code is part of the law `compiled` (trace.py).
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from meeple.core.conformance.asked import Asked, Guarded
from meeple.core.conformance.law import NOT_HERE, law
from meeple.core.contract import NOBODY
from meeple.core.features import FeatureSet, feature_sets
from meeple.core.game import State

ASKED: Final = "heuristic"  # when these laws are put
GUARD = 8  # places beside a buffer
UNTOUCHED = -7_777


@law(
    "features",
    ASKED,
    "features are finite numbers, or indices within their size, each once, and nothing is written past them",
)
def features_fit(asked: Asked) -> str:
    if asked.mover == NOBODY or not feature_sets(asked.game):
        return NOT_HERE
    for name, found in feature_sets(asked.game).items():
        for seat in range(asked.game.seats):
            guarded = Guarded(asked.state)
            out, n = _written(found, guarded.record, np.int64(seat))
            fault = _fault(found, out, n) or (f"changes {guarded.changes()}" if guarded.changes() else "")
            if not fault and not np.array_equal(out, _written(found, guarded.record, np.int64(seat))[0]):
                fault = "are others when asked again"
            if fault:
                return f"the features '{name}' of seat {seat} {fault}"
    return ""


@law("features-hidden", ASKED, "a seat's features are the same in every world that it cannot tell from this one")
def features_know_no_secrets(asked: Asked) -> str:
    has_secrets = asked.game.facts.hidden or asked.game.facts.chance
    if asked.mover == NOBODY or not feature_sets(asked.game) or not has_secrets:
        return NOT_HERE
    for name, found in feature_sets(asked.game).items():
        for seat, world in asked.worlds.items():
            if not np.array_equal(found.of(asked.state, seat), found.of(world, seat)):
                return f"the features '{name}' of seat {seat} are others in a world that it cannot tell from this one"
    return ""


@law(
    "features-moves",
    ASKED,
    "features of a move are indices within their size, each once, and only what the mover may know",
)
def features_of_moves_fit(asked: Asked) -> str:
    if asked.mover < 0 or not feature_sets(asked.game, "ACTION_FEATURES"):
        return NOT_HERE
    for name, found in feature_sets(asked.game, "ACTION_FEATURES").items():
        if found.kind != "sparse":
            return f"the features '{name}' of moves are {found.kind}: those of moves are sparse"
        for action in asked.some_actions:
            guarded = Guarded(asked.state)
            out, n = _written(found, guarded.record, action)
            fault = _fault(found, out, n) or (f"changes {guarded.changes()}" if guarded.changes() else "")
            world = asked.worlds[asked.mover].copy().record
            if not fault and not np.array_equal(out, _written(found, world, action)[0]):
                fault = "are others in a world that the mover cannot tell from this one"
            if fault:
                return f"the features '{name}' of action {action} {fault}"
    return ""


@law("features-changes", ASKED, "features followed by their `changes` are those of the position after the move")
def changes_lead_to_features(asked: Asked) -> str:
    followed = {name: found for name, found in feature_sets(asked.game).items() if found.changes is not None}
    if asked.mover < 0 or asked.game.seats != 2 or not followed:
        return NOT_HERE
    answer = NOT_HERE
    for name, found in followed.items():
        for action in asked.some_actions:
            wanted = _followed(found, asked.state, int(action), 1 - asked.mover)
            if wanted is None:
                continue
            answer = ""
            end = asked.state.after(int(action)).settled()
            if end.is_over:
                return f"`changes` of '{name}' tell of action {action}, which ends the game"
            if +wanted != Counter(found.of(end, 1 - asked.mover).tolist()) or -wanted:
                return f"`changes` of '{name}' lead to other features after action {action} than the position has"
    return answer


def _followed(found: FeatureSet, state: State, action: int, looker: int) -> Counter[int] | None:
    """How often each feature is there after a move by what `changes` say; None where they do not."""
    changes = found.changes
    assert changes is not None
    record, seat, code, out = state.copy().record, np.int64(looker), np.int64(action), found.buffer()
    found.function(record, seat, out)
    counts: Counter[int] = Counter(out[: changes.followed].tolist())
    n = int(changes.own(record, code, seat, out))
    if n < 0:
        return None
    told = out[:n].tolist()
    n = int(changes.shared(record, code, seat, out))
    for change in [*told, *out[:n].tolist()]:
        counts[change if change >= 0 else -1 - change] += 1 if change >= 0 else -1
    return counts


def _written(found: FeatureSet, record: Any, argument: np.int64) -> tuple[NDArray[Any], int]:
    """What a set writes about a record for a seat, or about a move, in a guarded buffer; and what it returns."""
    out = np.full(found.room + GUARD, UNTOUCHED, dtype=np.int64 if found.kind == "sparse" else np.float64)
    return out, int(found.function(record, argument, out))


def _fault(found: FeatureSet, out: NDArray[Any], n: int) -> str:
    """What is wrong with features in a guarded buffer, in words that follow their name."""
    most = found.most if found.kind == "sparse" else found.size
    if not (0 <= n <= most if found.kind == "sparse" else n == most):
        return f"are {n}, where {most} are declared"
    if (out[n:] != UNTOUCHED).any():
        return "are written past their end"
    if found.kind != "sparse":
        return "" if np.isfinite(out[:n]).all() and (out[:n] != UNTOUCHED).all() else "are not all finite numbers"
    if ((out[:n] < 0) | (out[:n] >= found.size)).any():
        return f"have an index outside 0..{found.size - 1}: {out[:n][(out[:n] < 0) | (out[:n] >= found.size)][0]}"
    if len(set(out[:n].tolist())) < n:
        twice = next(index for index, times in Counter(out[:n].tolist()).items() if times > 1)
        return f"have the index {twice} twice"
    return ""
