"""Words that several threads share: read, written and exchanged in one piece, in one order for all.

Interpreted, the GIL does the same. The words are those of an int64 array.
"""

from __future__ import annotations

from typing import Any

import llvmlite.ir as ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from meeple.core.kernel import compiled_for

ORDER = "seq_cst"


def read_word(words: Any, i: int) -> int:
    """The word now in place `i`, never one remembered from an earlier look."""
    return int(words[i])


def write_word(words: Any, i: int, value: int) -> None:
    """Write the word in place `i` for all to see."""
    words[i] = value


def swap(words: Any, i: int, value: int) -> int:
    """Write the word in place `i` and return what was there."""
    before = int(words[i])
    words[i] = value
    return before


def acquire(words: Any, i: int) -> None:
    """Wait until the lock in place `i` (0: free) is ours."""
    words[i] = 1  # interpreted, slices of one tree never run side by side


@intrinsic  # type: ignore[untyped-decorator]
def _load(_context: Any, words: Any, i: Any) -> Any:
    def body(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(_place(context, builder, signature, args), ORDER, 8)

    return types.int64(words, i), body


@intrinsic  # type: ignore[untyped-decorator]
def _store(_context: Any, words: Any, i: Any, value: Any) -> Any:
    def body(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store_atomic(args[2], _place(context, builder, signature, args), ORDER, 8)
        return context.get_dummy_value()

    return types.void(words, i, types.int64), body


@intrinsic  # type: ignore[untyped-decorator]
def _swap(_context: Any, words: Any, i: Any, value: Any) -> Any:
    def body(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.atomic_rmw("xchg", _place(context, builder, signature, args), args[2], ORDER)

    return types.int64(words, i, types.int64), body


def _place(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, args[0])
    index = context.cast(builder, args[1], signature.args[1], types.intp)
    place = cgutils.get_item_pointer(context, builder, signature.args[0], array, [index])
    return builder.bitcast(place, ir.IntType(64).as_pointer())


@compiled_for(read_word)
def _compiled_load(words, i):  # type: ignore[no-untyped-def]
    return _load(words, i)


@compiled_for(write_word)
def _compiled_store(words, i, value):  # type: ignore[no-untyped-def]
    _store(words, i, value)


@compiled_for(swap)
def _compiled_swap(words, i, value):  # type: ignore[no-untyped-def]
    return _swap(words, i, value)


@compiled_for(acquire)
def _compiled_acquire(words, i):  # type: ignore[no-untyped-def]
    while _swap(words, i, 1) != 0:
        while _load(words, i) != 0:
            pass
