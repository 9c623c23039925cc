"""What seats see of many states as rows of numbers, compiled; see observe.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.contract import NOBODY, redeal, to_move
from meeple.core.game import VIEWS
from meeple.core.kernel import kernel

OFFSET, WIDTH, LEAST, BITS, PLACE = range(5)  # columns of a table of fields; see `observe.fields_of`
IS_SPARSE = False


def write(state: Any, seat: Any, out: Any) -> int:
    """Bound to the kernel of a game's features (features.py)."""
    raise NotImplementedError


@kernel
def write_features(states, seats, first, last, numbers, active, out):
    """Write the game's features of states[first:last] to rows of `out`: numbers, or a 1 at each that is there.

    Where a game is over they are zeros.
    """
    for i in range(first, last):
        if to_move(states[i]) == NOBODY:  # features are made for positions that go on
            for place in range(out.shape[1]):
                out[i, place] = 0.0
        elif IS_SPARSE:
            n = write(states[i], seats[i], active)
            for place in range(out.shape[1]):
                out[i, place] = 0.0
            for place in range(n):
                out[i, active[place]] = 1.0
        else:
            write(states[i], seats[i], numbers)
            for place in range(out.shape[1]):
                out[i, place] = numbers[place]


@kernel
def write_fields(states, seats, n_seats, first, last, samples, table, scales, worlds, raw, out):
    """Write the fields of states[first:last] to rows of `out`: means over `samples` worlds, dealt by fixed streams.

    `worlds` is scratch for one state, and `raw` the bytes of the same memory.
    """
    rng = np.empty(1, np.uint64)
    n_fields = out.shape[1] - 2 * n_seats
    for i in range(first, last):
        for place in range(out.shape[1]):
            out[i, place] = 0.0
        for sample in range(samples):
            worlds[0] = states[i]
            rng[0] = np.uint64(VIEWS + sample)
            redeal(worlds[0], seats[i], rng)
            add_fields(raw, table, scales, out[i])
        for place in range(n_fields):
            out[i, place] /= samples
        out[i, n_fields + seats[i]] = 1.0
        mover = to_move(states[i])
        if mover >= 0:
            out[i, n_fields + n_seats + mover] = 1.0


@kernel
def add_fields(raw, table, scales, row):
    """Add every entry of every field to its place in `row`: scaled to 0..1, or bit by bit."""
    for entry in range(len(table)):
        value = number_at(raw, table[entry, OFFSET], table[entry, WIDTH])
        place = table[entry, PLACE]
        if table[entry, BITS] == 0:
            row[place] += (value - table[entry, LEAST]) * scales[entry]
        else:
            for bit in range(table[entry, BITS]):
                row[place + bit] += (value >> bit) & 1


@kernel
def number_at(raw, offset, width):
    """The signed number that `width` bytes from `offset` on hold, the lowest first."""
    value = np.int64(0)
    for byte in range(width):
        value |= np.int64(raw[offset + byte]) << (8 * byte)
    if width < 8 and raw[offset + width - 1] >= 128:
        value -= np.int64(1) << (8 * width)
    return value


@kernel
def write_views(states, seats, first, last, out):
    """Write each state as its seat sees it: the rest is dealt by a fixed stream, so what looks alike is equal."""
    rng = np.empty(1, np.uint64)
    for i in range(first, last):
        out[i] = states[i]
        rng[0] = np.uint64(VIEWS)
        redeal(out[i], seats[i], rng)
