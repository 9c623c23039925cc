"""Networks of every kind over Santorini's features, with random weights; run as a program it prints what they say.

`python nets.py` prints, as JSON, the values of each at some positions: the same compiled, interpreted and with bounds
checked (tests/models/test_network.py).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from meeple.core.game import Game, State
from meeple.core.registry import load_game
from meeple.models.evaluation import as_evaluation
from meeple.models.model import Model, linear, network
from models.plain import random_layers
from search.test_alphabeta import random_states


def _rng(name: str) -> np.random.Generator:
    return np.random.default_rng(sum(map(ord, name)))


def one_hidden(game: Game, width: int = 16) -> Model:
    """The usual: sparse, squared, one output."""
    return network(game, "cells", random_layers(_rng("cells"), 1241, width, 1))


def with_policy(game: Game) -> Model:
    """Clipped, with a policy over moves."""
    rng = _rng("policy")
    layers = random_layers(rng, 1241, 12, 1)
    policy = ("steps", rng.normal(0, 0.5, (162, 12)), rng.normal(0, 0.5, 162))
    return network(game, "cells", layers, activation="clipped", policy=policy)


def deep(game: Game) -> Model:
    """The report's network, narrower: one-hot, ReLU, tanh."""
    return network(game, "report325", random_layers(_rng("deep"), 325, 16, 6, 1), activation="relu", squash="tanh")


def dense(game: Game) -> Model:
    """Dense numbers into hidden layers."""
    return network(game, "report22", random_layers(_rng("dense"), 22, 8, 1), activation="relu", squash="tanh")


def convolved(game: Game) -> Model:
    """Two convolutions, the second without padding and of an even size, then a dense layer."""
    rng = _rng("conv")
    convolutions = [
        (rng.normal(0, 0.4, (4, 2, 3, 3)), rng.normal(0, 0.1, 4), 1),
        (rng.normal(0, 0.3, (3, 4, 2, 2)), rng.normal(0, 0.1, 3), 0),
    ]
    layers = random_layers(rng, 3 * 4 * 4, 5, 1)
    return network(game, "report-planes", layers, convolutions=convolutions, activation="relu", squash="tanh")


def each_seat(game: Game) -> Model:
    """One output a seat, the viewing one first."""
    return network(game, "report22", random_layers(_rng("each"), 22, 8, 2), activation="relu", squash="tanh")


def own_view(game: Game) -> Model:
    """Each seat asked by its own view."""
    layers = random_layers(_rng("own"), 22, 8, 1)
    return network(game, "report22", layers, activation="relu", squash="tanh", view="seat")


def weighed(game: Game) -> Model:
    """The report's eight features with its hand weights."""
    return linear(game, "report8", [0, 2, 4, -1, 0, -2, -4, 1], scale=0.2)


EVERY: dict[str, Callable[[Game], Model]] = {
    each.__name__: each for each in (one_hidden, with_policy, deep, dense, convolved, each_seat, own_view, weighed)
}


def values(game: Game, states: list[State]) -> dict[str, list[float]]:
    """What each says of some states, for both seats."""
    found = {name: as_evaluation(game, make(game)) for name, make in EVERY.items()}
    return {
        name: [float(each(state.copy().record, np.int64(seat))) for state in states for seat in range(2)]
        for name, each in found.items()
    }


if __name__ == "__main__":
    board = load_game("santorini")
    print(json.dumps(values(board, random_states("santorini", 6, seed=5))))
