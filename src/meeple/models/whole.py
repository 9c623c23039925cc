"""Float weights into whole numbers, and the bounds within which whole numbers add up.

A layer's weights are multiplied by a power of two, the largest with which they fit 16 bits and their sums the numbers
that kernels count in. What is lost is less than the noise of training: 1/256 of a row's unit, 2^-15 of the largest
weight elsewhere.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meeple.errors import ConfigError
from meeple.models.arrays import ONE, ONE_BITS

Floats = NDArray[np.float64]
ROW_SHIFTS = (8, 7, 6)  # of a sparse first layer, the finest first
MOST_SHIFT = 14
INT16 = 32_767
INT32 = 2**31 - 1
MOST_BIAS = 2**50
SPARE = 8  # rows that may be added before others are taken away


def row_reach(rows: NDArray[np.integer] | Floats, bias: NDArray[np.integer] | Floats, most: int) -> float:
    """The largest sum that so many rows and the bias can have in any place."""
    sizes = np.sort(np.abs(rows.astype(np.float64)), axis=0)[-(most + SPARE) :]
    return float((sizes.sum(axis=0) + np.abs(bias)).max(initial=0.0))


def whole_rows(rows: Floats, bias: Floats, most: int) -> tuple[NDArray[np.int16], NDArray[np.int16], int]:
    """A sparse first layer in whole numbers, and its shift."""
    for shift in ROW_SHIFTS:
        whole, whole_bias = np.rint(rows * (1 << shift)), np.rint(bias * (1 << shift))
        if row_reach(whole, whole_bias, most) <= INT16:
            return whole.astype(np.int16), whole_bias.astype(np.int16), shift
    reach = row_reach(rows, bias, most)
    raise ConfigError(
        f"the first layer's weights are too large for whole numbers: {most} features may add up to {reach:g}, "
        f"at most {INT16 >> ROW_SHIFTS[-1]} fit; train with a limit on weights"
    )


def whole_layer(
    weights: Floats, bias: Floats, *, narrow: bool = False
) -> tuple[NDArray[np.int16], NDArray[np.int64], int]:
    """A dense or convolutional layer in whole numbers, outputs first, and its shift; `narrow`: sums within 32 bits."""
    flat = np.abs(weights.reshape(len(weights), -1))
    for shift in range(MOST_SHIFT, -1, -1):
        whole = np.rint(flat * (1 << shift))
        is_narrow = float(whole.sum(axis=1).max(initial=0.0)) * ONE <= INT32
        if whole.max(initial=0.0) <= INT16 and (is_narrow or not narrow):
            whole_bias = np.rint(bias * float(1 << (ONE_BITS + shift)))
            if np.abs(whole_bias).max(initial=0.0) <= MOST_BIAS:
                return np.rint(weights * (1 << shift)).astype(np.int16), whole_bias.astype(np.int64), shift
    raise ConfigError(f"a layer's weights are too large for whole numbers: up to {flat.max():g}")


def folded(
    weights: Floats, bias: Floats, *, mean: Floats, variance: Floats, gain: Floats, offset: Floats, epsilon: float
) -> tuple[Floats, Floats]:
    """A convolution [out, in, y, x] with the batch norm after it folded in: the same function, one layer less."""
    factor = gain / np.sqrt(variance + epsilon)
    return weights * factor[:, None, None, None], (bias - mean) * factor + offset
