"""Bits of an int64: one machine instruction each when compiled, plain Python when interpreted.

Use at most 63 bits of a word: an interpreted count of a negative number is not the compiled one.
"""

from __future__ import annotations

from typing import Any

import llvmlite.ir as ir
from numba import types
from numba.extending import lower_builtin, type_callable

from meeple.core.kernel import kernel


def popcount(word: int) -> int:
    """How many bits of `word` are set."""
    return int(word).bit_count()


def lowest_bit(word: int) -> int:
    """The index of the lowest set bit; `word` is not zero."""
    word = int(word)
    return (word & -word).bit_length() - 1


@type_callable(popcount)  # type: ignore[untyped-decorator]
@type_callable(lowest_bit)  # type: ignore[untyped-decorator]
def _type_of_count(_context: Any) -> Any:
    return lambda word: types.unliteral(word) if isinstance(word, types.Integer) else None


@lower_builtin(popcount, types.Integer)  # type: ignore[untyped-decorator]
def _count_bits(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    return builder.ctpop(args[0])


@lower_builtin(lowest_bit, types.Integer)  # type: ignore[untyped-decorator]
def _count_zeros(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    is_zero_undefined = ir.Constant(ir.IntType(1), 1)
    return builder.cttz(args[0], is_zero_undefined)


@kernel
def nth_bit(word, n):
    """The place of the set bit number n, counted from 0."""
    for _ in range(n):
        word &= word - 1
    return lowest_bit(word)
