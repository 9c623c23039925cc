"""Features: a state as numbers for a model, as one seat sees it. A game declares them by name in its `features.py`.

    FEATURES = {"cells": FeatureSet("sparse", write_cells, CELLS, "...", most=50), ...}      a position's
    ACTION_FEATURES = {"steps": FeatureSet("sparse", write_step, STEPS, "...", most=8), ...}  those of a move

Three kinds, each written by a kernel `write(state, seat, out) -> n` into a buffer of the caller's:

    dense   `size` numbers, float64; returns `size`
    sparse  the indices of the features that are there, int64, each at most once, 0 .. size - 1; returns how many,
            `most` at the most. All others are absent: a network's first layer adds up the rows of those that are there
    planes  `shape` (channels, height, width) of numbers, float64, one after the other; returns `size`, their product

A seat's features hold only what that seat may know: they are the same in every world that it cannot tell from this one.
The seat need not be the one to move; where it matters who is, a feature says so. Features of a move are always sparse,
written by `write(state, action, out) -> n` for the seat to move.

The version of a set rises when a number in it changes its meaning: a model of another version is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from meeple.errors import ConfigError, ContractError, did_you_mean

if TYPE_CHECKING:
    from meeple.core.game import Game

Kind = Literal["dense", "sparse", "planes"]
MOST_SIZE = 1 << 20  # numbers in a set
ROOM = 64  # places of a buffer beyond `most`, for the changes that a move makes


@dataclass(frozen=True, eq=False)
class Changes:
    """How a move changes a sparse set, told without playing it: what alpha-beta's last ply saves most by.

    The first `followed` indices that the set writes before the move, then what `shared` and `own` add to them and take
    away, are the features after it: each writes f where feature f comes and -1 - f where it goes, and returns how
    many it wrote. `seat` is the one that looks after the move, and the state is the one before it.
    """

    followed: int
    stem: Any  # stem(action) -> int: moves of one stem have the same `shared` changes
    shared: Any  # shared(state, action, seat, out) -> n; asked only of a move that `own` tells about
    own: Any  # own(state, action, seat, out) -> n; -1: the move must be played to know


@dataclass(frozen=True, eq=False)
class FeatureSet:
    """Numbers for a model, with their meaning."""

    kind: Kind
    function: Any
    size: int
    help: str
    version: int = 1
    most: int = 0  # sparse: no position has more
    shape: tuple[int, int, int] = (0, 0, 0)  # planes: channels, height, width
    # [n, size]: row k says where each feature goes when the position is turned or mirrored in the k-th way; such
    # positions have the same value. Row 0 leaves everything where it is.
    symmetries: NDArray[np.int64] | None = None
    changes: Changes | None = None
    names: tuple[str, ...] = field(default=())  # of each feature, where there are few

    def __post_init__(self) -> None:
        fault = self._fault()
        if fault:
            raise ContractError(f"a set of features ({self.help}) {fault}")

    def _fault(self) -> str:
        if self.kind not in get_args(Kind):
            return f"is dense, sparse or planes, not '{self.kind}'"
        if not 1 <= self.size <= MOST_SIZE:
            return f"has 1 to {MOST_SIZE:,} features, not {self.size:,}"
        if (self.kind == "sparse") != (1 <= self.most <= self.size):
            return "says by `most` how many are there at once, if it is sparse and only then"
        if (self.kind == "planes") != (int(np.prod(self.shape)) == self.size):
            return f"has a `shape` whose product is its size, if it is planes and only then: {self.shape}"
        if self.names and len(self.names) != self.size:
            return f"has {self.size} features and {len(self.names)} names"
        if self.symmetries is not None:
            wanted = np.arange(self.size)
            rows = np.asarray(self.symmetries)
            if rows.ndim != 2 or rows.shape[1] != self.size or (np.sort(rows, axis=1) != wanted).any():
                return "has symmetries that are not rearrangements of its features"
            if (rows[0] != wanted).any():
                return "has symmetries whose first row moves something"
        if self.changes is not None and self.kind != "sparse":
            return "tells the changes of a move, which only a sparse one does"
        return ""

    @property
    def room(self) -> int:
        """The length of a buffer for it."""
        return self.most + ROOM if self.kind == "sparse" else self.size

    def buffer(self) -> NDArray[Any]:
        """An empty buffer for it."""
        return np.zeros(self.room, dtype=np.int64 if self.kind == "sparse" else np.float64)

    def of(self, state: Any, seat: int) -> NDArray[Any]:
        """The features of a state (a `State`) as `seat` sees them: numbers, or of a sparse set the indices."""
        out = self.buffer()
        n = int(self.function(state.copy().record, np.int64(seat), out))
        return out[:n]


def feature_sets(game: Game, table: str = "FEATURES") -> Mapping[str, FeatureSet]:
    """The sets that a game declares, by name: of positions, or of moves (ACTION_FEATURES)."""
    found: Mapping[str, FeatureSet] = getattr(game.definition.features, table, {})
    return found


def find_features(game: Game, name: str, table: str = "FEATURES") -> FeatureSet:
    """The set of this name.

    Raises:
        ConfigError: the game has none of that name.
    """
    known = feature_sets(game, table)
    if name not in known:
        raise ConfigError(f"{game.name} has no features '{name}'; {did_you_mean(name, known)}")
    return known[name]
