"""What the kernels of a network are handed: weights as arrays, and scratch that is a thread's own."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ONE = 4096  # an activation of 1.0
ONE_BITS = 12
(
    LAYER_KIND,  # DENSE_LAYER or CONVOLUTION
    N_IN,
    N_OUT,
    AT_WEIGHTS,  # where its weights begin, [out, in] or [out, in, y, x]
    AT_BIAS,
    SHIFT,  # a weight of 1.0 is 1 << shift
    CHANNELS_IN,
    CHANNELS_OUT,
    KERNEL,
    PAD,
    HEIGHT,  # of its input
    WIDTH,
) = range(12)
COLUMNS = 12
DENSE_LAYER, CONVOLUTION = 0, 1
ROW_SHIFT = 0  # place in `shifts`
STEMS = 64  # places for the sums of stems, a power of two
LAST_HIDDEN, SERIAL = 0, 1  # places in `memo`: where the last hidden layer lies; which `standing` was the last
FIRST_STEM, FIRST_SERIAL = 2, 2 + STEMS  # for each place its stem, and the `standing` that it is of
MEMO_SIZE = 2 + 2 * STEMS
TANH_LIMIT, TANH_STEPS = 12.0, 256  # the table reaches so far, with so many steps to 1
TANH = np.rint(np.tanh(np.arange(int(TANH_LIMIT) * TANH_STEPS + 1) / TANH_STEPS) * (1 << 30)).astype(np.int64)
TANH.flags.writeable = False


class Net(NamedTuple):
    """Weights, then scratch: what stands after `scale` is written by a thread while it evaluates."""

    rows: NDArray[np.int16]  # [feature, hidden], of a sparse first layer; `with_opposites` where moves are not played
    row_bias: NDArray[np.int16]  # [hidden]
    weights: NDArray[np.int16]  # of all layers, one after the other
    biases: NDArray[np.int64]
    layers: NDArray[np.int64]  # [layer, COLUMNS], the last one writes the outputs
    policy: NDArray[np.int16]  # [feature of a move, last hidden]
    policy_bias: NDArray[np.int64]
    shifts: NDArray[np.int64]
    scale: NDArray[np.float64]  # what brings outputs, and likings, back to 1.0
    sums: NDArray[np.int16]  # [2 + STEMS, hidden]
    active: NDArray[np.int64]  # features that are there
    numbers: NDArray[np.float64]  # dense features
    acts: NDArray[np.int64]  # [2, widest layer]: activations before and after a layer
    outs: NDArray[np.int64]
    likings: NDArray[np.int64]  # of each feature of a move
    memo: NDArray[np.int64]


def with_opposites(rows: NDArray[np.int16]) -> NDArray[np.int16]:
    """The rows, a row of zeros, and the opposites of the rows, the last first: row -1 - f is the opposite of row f."""
    return np.concatenate([rows, np.zeros((1, rows.shape[1]), dtype=np.int16), -rows[::-1]])


def with_scratch(net: Net) -> Net:
    """The same weights with scratch of their own for one more thread; sizes are those of the scratch in `net`."""
    return net._replace(
        sums=np.zeros(net.sums.shape, dtype=np.int16),
        active=np.zeros(net.active.shape, dtype=np.int64),
        numbers=np.zeros(net.numbers.shape),
        acts=np.zeros(net.acts.shape, dtype=np.int64),
        outs=np.zeros(net.outs.shape, dtype=np.int64),
        likings=np.zeros(net.likings.shape, dtype=np.int64),
        memo=np.zeros(net.memo.shape, dtype=np.int64),
    )


class LinearNet(NamedTuple):
    """A linear model's weights, then scratch."""

    weights: NDArray[np.float64]  # of the features, then of the conjunctions
    scale: NDArray[np.float64]  # bias, and what the sum is multiplied by
    joins: NDArray[np.int64]  # [conjunction, 2]: there where both are; features first, then earlier conjunctions
    numbers: NDArray[np.float64]
    active: NDArray[np.int64]
    present: NDArray[np.int64]  # of features and conjunctions: 1 where it is there; all 0 between two evaluations


def with_linear_scratch(net: LinearNet) -> LinearNet:
    """The same weights with scratch of their own for one more thread."""
    return net._replace(
        numbers=np.zeros(net.numbers.shape),
        active=np.zeros(net.active.shape, dtype=np.int64),
        present=np.zeros(net.present.shape, dtype=np.int64),
    )
