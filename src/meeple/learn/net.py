"""A small network in training: sparse features, one hidden layer, the win share of the viewing seat."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.features import FeatureSet
from meeple.core.game import Game
from meeple.learn.net_kernels import Weights, adam, add_gradients, loss_of
from meeple.learn.samples import Samples
from meeple.learn.training import Arrays
from meeple.models.model import Model, network

LAST_RATE = 0.01  # of the first one, at the end of a cosine
START = 0.08  # standard deviation of the first layer's first weights, unless a method says otherwise


class Net:
    """Weights with what Adam remembers of their gradients."""

    def __init__(self, features: FeatureSet, hidden: int, rng: np.random.Generator, *, start: float = START) -> None:
        self.features = features
        self.flat = np.concatenate(
            [
                rng.normal(0.0, start, features.size * hidden),
                np.full(hidden, 0.25),
                rng.normal(0.0, 1.0 / math.sqrt(hidden), hidden),
                np.zeros(1),
            ]
        )
        self.first, self.second, self._slope = (np.zeros(len(self.flat)) for _ in range(3))
        self.weights = shaped(self.flat, features.size, hidden)
        self.gradients = shaped(self._slope, features.size, hidden)
        unturned = np.arange(features.size, dtype=np.int64)[None]
        self.symmetries = unturned if features.symmetries is None else np.ascontiguousarray(features.symmetries)

    def train(
        self, samples: Samples, rows: NDArray[np.int64], turns: NDArray[np.int64], rate: float, step: int
    ) -> float:
        """One minibatch; returns its loss before."""
        loss = add_gradients(samples.active, samples.labels, rows, turns, self.symmetries, self.weights, self.gradients)
        adam(self.flat, self._slope, self.first, self.second, rate, step)
        return float(loss)

    def loss(self, samples: Samples, rows: NDArray[np.int64]) -> float:
        """The mean loss of some samples as they are."""
        return float(loss_of(samples.active, samples.labels, rows, self.weights))

    def kept(self) -> Arrays:
        """All of it."""
        return {"flat": self.flat, "first": self.first, "second": self.second}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take up what `kept` gave."""
        for name, array in self.kept().items():
            array[:] = arrays[name]

    def model(self, game: Game, features: str, card: Mapping[str, Any]) -> Model:
        """The network in whole numbers; 2p - 1 = tanh(x / 2) is the value."""
        found = self.weights
        layers = [(found.w1, found.b1), (found.w2[:, None] / 2.0, found.b2 / 2.0)]
        return network(game, features, layers, activation="squared", squash="tanh", card=card)


def shaped(flat: NDArray[np.float64], size: int, hidden: int) -> Weights:
    """Views of flat weights in their shapes."""
    ends = np.cumsum([size * hidden, hidden, hidden])
    w1, b1, w2, b2 = np.split(flat, ends)
    return Weights(w1.reshape(size, hidden), b1, w2, b2)


def cosine_rate(rate: float, step: int, total: int) -> float:
    """The learning rate of a step: from `rate` down to a hundredth along half a cosine."""
    return rate * (LAST_RATE + (1.0 - LAST_RATE) * 0.5 * (1.0 + math.cos(math.pi * step / max(1, total))))
