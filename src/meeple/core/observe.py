"""Observations: what a seat sees of a state as a row of numbers, for models of one's own.

They are a game's features (features.py) by name, a sparse set as a row of 0 and 1. Every game also has the observation
`fields`, which is there without anything being written for it: all fields of the state that change in a match, each
entry scaled to 0..1 by its range, packed ones bit by bit; then the seat that looks and the seat to move, as a 1 among
zeros each. What the seat does not know is the mean over a few worlds that fit what it knows. These are dealt by fixed
streams, so the numbers are the same in all worlds that the seat cannot tell apart. `default` is the first set of
features that the game declares, or `fields`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from meeple.core.features import feature_sets
from meeple.core.game import Game
from meeple.core.ranges import KEPT
from meeple.errors import ConfigError, did_you_mean

FIELDS = "fields"
MOST_SCALED = 1_000  # a field whose entries span more values is packed, and is told bit by bit
LEAST_BITS = 6  # so is one whose entries are all the numbers of so many bits or more: a set of cells
SAMPLES = 8  # worlds over which `fields` are averaged in a game with secrets
Float32s = NDArray[np.float32]
_known: WeakKeyDictionary[Game, dict[str, Observer]] = WeakKeyDictionary()


class Observer:
    """Writes observations of one kind; made by `find_observer`. Threads may share it: its calls make their scratch."""

    def __init__(self, game: Game, name: str, shape: tuple[int, ...]) -> None:
        self.game, self.name, self.shape = game, name, shape
        self.size = int(np.prod(shape))

    def write(self, states: NDArray[Any], seats: NDArray[np.int64], first: int, last: int, out: Float32s) -> None:
        """Write states[first:last], each as its seat sees it, to the rows of `out`, [n, size]; nothing is checked."""
        raise NotImplementedError


class FeatureObserver(Observer):
    """By a game's features."""

    def __init__(self, game: Game, name: str) -> None:
        self.features = feature_sets(game)[name]
        super().__init__(game, name, self.features.shape if self.features.kind == "planes" else (self.features.size,))
        is_sparse = self.features.kind == "sparse"
        self.compiled = game.specialise(
            "meeple.core.observe_kernels", write=self.features.function, IS_SPARSE=is_sparse
        )

    def write(self, states: NDArray[Any], seats: NDArray[np.int64], first: int, last: int, out: Float32s) -> None:
        """As for all."""
        room = self.features.room
        numbers, active = np.empty(room), np.empty(room, dtype=np.int64)
        self.compiled.write_features(states, seats, first, last, numbers, active, out)


class FieldObserver(Observer):
    """By the fields of the state."""

    def __init__(self, game: Game) -> None:
        self.table, self.scales = fields_of(game)
        n_fields = int((self.table[:, 4] + np.maximum(1, self.table[:, 3])).max(initial=0))
        super().__init__(game, FIELDS, (n_fields + 2 * game.seats,))
        self.samples = SAMPLES if game.facts.hidden else 1
        self.compiled = game.specialise("meeple.core.observe_kernels")

    def write(self, states: NDArray[Any], seats: NDArray[np.int64], first: int, last: int, out: Float32s) -> None:
        """As for all."""
        worlds = self.game.buffer(1)
        raw = worlds.view(np.uint8).reshape(-1)
        self.compiled.write_fields(
            states, seats, self.game.seats, first, last, self.samples, self.table, self.scales, worlds, raw, out
        )


def fields_of(game: Game) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The entries of all fields that change in a match: a row each, and what its number is multiplied by.

    Columns: byte in the record, bytes, least value, bits (0: the entry is scaled), place in the observation.
    """
    rows = list(_entries(game))
    places = np.cumsum([0, *(max(1, bits) for _, _, _, _, bits in rows)])
    table = np.array([[at, width, least, bits, 0] for at, width, least, _, bits in rows], dtype=np.int64).reshape(-1, 5)
    table[:, 4] = places[:-1]
    return table, np.array([scale for _, _, _, scale, _ in rows])


def _entries(game: Game) -> Iterator[tuple[int, int, int, float, int]]:
    """Byte, width, least value, scale and bits of each entry, in the order of the record."""
    for name, bounds in game.ranges.items():
        assert game.layout.fields is not None
        kind, start = game.layout.fields[name][:2]
        if name == "fate" or bounds == KEPT or bounds[0] == bounds[1]:
            continue
        least, most = bounds
        is_set = most & (most + 1) == 0 and most.bit_length() >= LEAST_BITS
        is_packed = least == 0 and (is_set or most > MOST_SCALED)
        for entry in range(int(np.prod(kind.shape, dtype=np.int64))):
            at = start + entry * kind.base.itemsize
            yield at, kind.base.itemsize, least, 1.0 / (most - least), most.bit_length() if is_packed else 0


def observer_names(game: Game) -> list[str]:
    """The kinds of observations of a game, the default first."""
    return [*feature_sets(game), FIELDS]


def find_observer(game: Game, name: str = "default") -> Observer:
    """What writes the observations of this name.

    Raises:
        ConfigError: the game has none of that name.
    """
    names = observer_names(game)
    name = names[0] if name == "default" else name
    if name not in names:
        raise ConfigError(f"{game.name} has no observation '{name}'; {did_you_mean(name, names)}")
    known = _known.setdefault(game, {})
    if name not in known:
        known[name] = FieldObserver(game) if name == FIELDS else FeatureObserver(game, name)
    return known[name]


def observe(game: Game, state: NDArray[Any], seat: int, name: str) -> Float32s:
    """The observation of one state, in the shape that it has."""
    observer = find_observer(game, name)
    out = np.empty((1, observer.size), dtype=np.float32)
    observer.write(state, np.array([seat], dtype=np.int64), 0, 1, out)
    return out.reshape(observer.shape)
