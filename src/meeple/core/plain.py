"""Kernels by Numba's own dispatch: each is compiled for itself and linked into its callers. Only the files are ours.

Slower to compile than `core.compiler`, and with the same answers. It needs little of Numba that is private: the place
where a dispatcher holds its cache, and how compiled code is turned into bytes and back. Where even these are not as
expected, kernels are compiled at every start.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

from meeple.core.cache import DAMAGED, KernelCache
from meeple.core.readiness import making_ready
from meeple.core.widths import fold_wide


def plain_kernel(function: Callable[..., Any], folder: Path) -> Any:
    """The kernel of `function`, its code kept in `folder`."""
    dispatcher = numba.njit(nogil=True, error_model="numpy")(function)
    dispatcher._cache = PlainCache(function, folder)
    fold_wide(dispatcher)
    compile_or_load = dispatcher.compile

    def compile_timed(sig: Any) -> Any:
        with making_ready():
            return compile_or_load(sig)

    dispatcher.compile = compile_timed
    return dispatcher


class PlainCache(KernelCache):
    """What Numba compiled, on disk."""

    def save_overload(self, sig: Any, result: Any) -> None:
        """Keep what was compiled, if this Numba lets us."""
        try:
            super().save_overload(sig, result)
        except DAMAGED as fault:
            reason = f"{type(fault).__name__}: {fault}"
            warnings.warn(f"compiled code cannot be kept with Numba {numba.__version__} ({reason})", stacklevel=2)
