"""Hand a tuple of arrays from kernel to kernel as one pointer.

A kernel gets a NamedTuple of arrays as seven to nine words an array, a hundred and more with a network among them. A
function that calls itself copies them all at each call, and how fast the processor does so depends on where they happen
to lie: one array more made alpha-beta take three times as long. With `lend` the words stay in the frame of the kernel
that lends them, and `lent` reads those that are used.

The lender must not return before its borrowers do. No references are counted on the way, so both must be borrowing
kernels. Interpreted, and where Numba compiles by itself and counts references everywhere (COMPILER is "plain"), both
functions hand over the tuple itself.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed
from numba.extending import lower_builtin, type_callable

from meeple.core.kernel import COMPILER

COUNTS = COMPILER == "plain"  # references, in all kernels


def lend(value: Any) -> Any:
    """A pointer to a tuple, for kernels that are called from here."""
    return value


def lent(pointer: Any) -> Any:
    """The tuple that a pointer was made from."""
    return pointer


@type_callable(lend)  # type: ignore[untyped-decorator]
def _type_of_lend(_context: Any) -> Any:
    return lambda value: value if COUNTS else types.CPointer(value)


@type_callable(lent)  # type: ignore[untyped-decorator]
def _type_of_lent(_context: Any) -> Any:
    return lambda pointer: pointer.dtype if isinstance(pointer, types.CPointer) else pointer if COUNTS else None


@lower_builtin(lend, types.Any)  # type: ignore[untyped-decorator]
def _lend(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    if COUNTS:
        return impl_ret_borrowed(context, builder, signature.return_type, args[0])
    slot = cgutils.alloca_once_value(builder, args[0])
    return builder.bitcast(slot, context.get_value_type(signature.return_type))


@lower_builtin(lent, types.Any)  # type: ignore[untyped-decorator]
def _lent(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    if COUNTS:
        return impl_ret_borrowed(context, builder, signature.return_type, args[0])
    words = context.get_value_type(signature.return_type).as_pointer()
    return builder.load(builder.bitcast(args[0], words))
