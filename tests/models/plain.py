"""Networks once more, in plain Python integers and one loop a layer: what the kernels are held to."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from meeple.core.features import find_features
from meeple.core.game import Game, State
from meeple.models.model import Model

ONE = 4096


def activate(model: Model, total: int, one: int) -> int:
    """An activation in which 1.0 is ONE, of a sum in which it is `one`."""
    if model.header.activation == "relu":
        return min(max(total, 0) * (ONE // one), 1 << 22)
    part = min(max(total, 0), one)
    return part * part * ONE // (one * one) if model.header.activation == "squared" else part * (ONE // one)


def hidden_of(game: Game, model: Model, state: State, seat: int) -> list[int]:
    """The last hidden layer of a network, as `seat` sees a state."""
    header, arrays = model.header, model.arrays
    found = find_features(game, header.features).of(state, seat)
    if header.hidden:
        sums = arrays["row_bias"].astype(int) + arrays["rows"][found].astype(int).sum(axis=0)
        here = [activate(model, int(total), 1 << header.row_shift) for total in sums]
    else:
        here = [round(float(number) * ONE) for number in found]
    for number, layer in enumerate(header.layers[:-1]):
        weights, biases = arrays[f"weights{number}"].astype(int), arrays[f"biases{number}"]
        if layer.kind == "dense":
            totals = [
                int(biases[j]) + sum(int(w) * a for w, a in zip(weights[j], here, strict=True))
                for j in range(layer.n_out)
            ]
        else:
            planes = np.array(here).reshape(layer.n_in, layer.height, layer.width)
            padded = np.pad(planes, ((0, 0), (layer.pad, layer.pad), (layer.pad, layer.pad)))
            high, wide = layer.out_shape
            totals = [
                int(biases[c]) + int((weights[c] * padded[:, y : y + layer.size, x : x + layer.size]).sum())
                for c in range(layer.n_out)
                for y in range(high)
                for x in range(wide)
            ]
        here = [activate(model, total >> layer.shift, ONE) for total in totals]
    return here


def outputs_of(game: Game, model: Model, state: State, seat: int) -> list[float]:
    """The values of a network's outputs."""
    here = hidden_of(game, model, state, seat)
    last = len(model.header.layers) - 1
    weights, biases = model.arrays[f"weights{last}"].astype(int), model.arrays[f"biases{last}"]
    scale = 2.0 ** -(12 + model.header.layers[last].shift)
    totals = [int(biases[j]) + sum(int(w) * a for w, a in zip(row, here, strict=True)) for j, row in enumerate(weights)]
    xs = [total * scale for total in totals]
    return [math.tanh(x) if model.header.squash == "tanh" else x / (abs(x) + 1.0) for x in xs]


def random_layers(rng: np.random.Generator, *widths: int) -> list[tuple[Any, Any]]:
    """Weights and biases of layers of these widths, the first the number of inputs."""
    return [
        (rng.normal(0, 1.5 / np.sqrt(min(before, 40)), (before, after)), rng.normal(0, 0.1, after))
        for before, after in pairwise(widths)
    ]
