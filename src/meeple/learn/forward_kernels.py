"""A network in training asked for values, compiled: single precision, one position after the other.

Games of training ask for some millions of values between two of which nothing but a move lies, which is too little work
for a call of jax. A dense layer and a convolution add up rows of weights, outputs last, so that each inner loop runs
along memory, and inputs that are 0 (most of a board, half of the sums after ReLU) cost nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.models.arrays import (
    AT_BIAS,
    AT_WEIGHTS,
    CHANNELS_IN,
    CHANNELS_OUT,
    CONVOLUTION,
    HEIGHT,
    KERNEL,
    LAYER_KIND,
    N_IN,
    N_OUT,
    PAD,
    WIDTH,
)

# Bound by the methods.
IS_SPARSE = True


def write(state: Any, seat: Any, out: Any) -> int:
    """The game's features; bound."""
    raise NotImplementedError


class Forward(NamedTuple):
    """Weights of a network, batch norm folded in, then scratch."""

    rows: NDArray[np.float32]  # [feature, hidden], of a sparse first layer
    row_bias: NDArray[np.float32]
    weights: NDArray[np.float32]  # of all other layers: [in, out], or [y, x, in, out] of a convolution
    biases: NDArray[np.float32]
    layers: NDArray[np.int64]  # [layer, COLUMNS], as in models/arrays.py
    active: NDArray[np.int64]  # features that are there, of a sparse set
    numbers: NDArray[np.float64]  # those of any other
    acts: NDArray[np.float32]  # [2, widest layer]; after a convolution [y, x, channel]


@kernel
def value_of(state, seat, net):
    """The network's value of a position as `seat` sees it, in [-1, 1]; its features stay in the scratch."""
    if IS_SPARSE:
        n = write(state, seat, net.active)
        add_rows(net.rows, net.row_bias, net.active, n, net.acts)
    else:
        n = write(state, seat, net.numbers)
        channels = net.layers[0, CHANNELS_IN]
        area = n // max(channels, 1)
        for i in range(n):
            place = i if channels == 0 else (i % area) * channels + i // area
            net.acts[0, place] = net.numbers[i]
    return np.tanh(np.float64(run_layers(net.layers, net.weights, net.biases, net.acts)))


@kernel
def add_rows(rows, bias, active, n, acts):
    """The sparse first layer, with ReLU."""
    width = len(bias)
    for i in range(width):
        acts[0, i] = bias[i]
    for k in range(n):
        row = active[k]
        for i in range(width):
            acts[0, i] += rows[row, i]
    for i in range(width):
        acts[0, i] = max(acts[0, i], np.float32(0.0))


@kernel
def run_layers(layers, weights, biases, acts):
    """All layers over acts[0], with ReLU between; returns the only output of the last one."""
    here = 0
    for number in range(len(layers)):
        if layers[number, LAYER_KIND] == CONVOLUTION:
            convolve(layers[number], weights, biases, acts, here)
        else:
            densely(layers[number], weights, biases, acts, here, number == len(layers) - 1)
        here = 1 - here
    return acts[here, 0]


@kernel
def densely(layer, weights, biases, acts, here, is_last):
    """A dense layer."""
    n_out, at, at_bias = layer[N_OUT], layer[AT_WEIGHTS], layer[AT_BIAS]
    for j in range(n_out):
        acts[1 - here, j] = biases[at_bias + j]
    for i in range(layer[N_IN]):
        a = acts[here, i]
        if a != 0.0:
            row = at + i * n_out
            for j in range(n_out):
                acts[1 - here, j] += a * weights[row + j]
    if not is_last:
        for j in range(n_out):
            acts[1 - here, j] = max(acts[1 - here, j], np.float32(0.0))


@kernel
def convolve(layer, weights, biases, acts, here):
    """A convolution with stride 1, its edges padded with zeros, with ReLU."""
    height, width, size, pad = layer[HEIGHT], layer[WIDTH], layer[KERNEL], layer[PAD]
    n_in, n_out = layer[CHANNELS_IN], layer[CHANNELS_OUT]
    high, wide = height + 2 * pad - size + 1, width + 2 * pad - size + 1
    for y in range(high):
        for x in range(wide):
            out = (y * wide + x) * n_out
            for j in range(n_out):
                acts[1 - here, out + j] = biases[layer[AT_BIAS] + j]
            for dy in range(max(0, pad - y), min(size, height + pad - y)):
                for dx in range(max(0, pad - x), min(size, width + pad - x)):
                    place = ((y + dy - pad) * width + x + dx - pad) * n_in
                    at = layer[AT_WEIGHTS] + (dy * size + dx) * n_in * n_out
                    for i in range(n_in):
                        a = acts[here, place + i]
                        if a != 0.0:
                            row = at + i * n_out
                            for j in range(n_out):
                                acts[1 - here, out + j] += a * weights[row + j]
            for j in range(n_out):
                acts[1 - here, out + j] = max(acts[1 - here, out + j], np.float32(0.0))
