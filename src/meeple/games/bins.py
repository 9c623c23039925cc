"""Numbers as bins, for sparse features: a network learns what each range is worth, however uneven."""

from __future__ import annotations

import numpy as np

from meeple.core.kernel import kernel

VALUE_BINS = 64  # of a value in [-1, 1]


@kernel
def binned(number, least, width, bins):
    """The bin of a whole number, each `width` wide from `least` on; what lies beyond is in the first or the last."""
    return min(max((number - least) // width, 0), bins - 1)


@kernel
def value_bin(value):
    """The bin of a value in [-1, 1], of VALUE_BINS."""
    return min(max(np.int64((value + 1.0) * 0.5 * VALUE_BINS), 0), VALUE_BINS - 1)
