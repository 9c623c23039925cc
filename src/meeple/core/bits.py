"""Bits of an int64: one machine instruction each when compiled, plain Python when interpreted.

Use at most 63 bits of a word: an interpreted count of a negative number is not the compiled one.
"""

from __future__ import annotations

from typing import Any

import llvmlite.ir as ir
from numba.extending import intrinsic, overload

from meeple.core.kernel import kernel


def popcount(word: int) -> int:
    """How many bits of `word` are set."""
    return int(word).bit_count()


def lowest_bit(word: int) -> int:
    """The index of the lowest set bit; `word` is not zero."""
    word = int(word)
    return (word & -word).bit_length() - 1


@intrinsic  # type: ignore[untyped-decorator]
def _ctpop(_context: Any, word: Any) -> Any:
    return word(word), lambda _ctx, builder, _sig, args: builder.ctpop(args[0])


@intrinsic  # type: ignore[untyped-decorator]
def _cttz(_context: Any, word: Any) -> Any:
    is_zero_undefined = ir.Constant(ir.IntType(1), 1)
    return word(word), lambda _ctx, builder, _sig, args: builder.cttz(args[0], is_zero_undefined)


@overload(popcount, inline="always")
def _compiled_popcount(word):  # type: ignore[no-untyped-def]
    return lambda word: _ctpop(word)


@overload(lowest_bit, inline="always")
def _compiled_lowest_bit(word):  # type: ignore[no-untyped-def]
    return lambda word: _cttz(word)


@kernel
def nth_bit(word, n):
    """The place of the set bit number n, counted from 0."""
    for _ in range(n):
        word &= word - 1
    return lowest_bit(word)
