"""Which of two compilers makes a kernel: ours, over private parts of Numba, or Numba's own dispatch.

    parts   core.compiler: fast to compile; for the versions of Numba that it was tested with
    plain   core.plain: slow to compile; for every other version, and wherever a private part is not as expected

Both give the same answers. MEEPLE_COMPILER=plain or =parts chooses one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

import numba

from meeple.core.plain import plain_kernel
from meeple.errors import ConfigError

TESTED = (
    (0, 65),
    (0, 69),
)  # the oldest version of Numba, and the first that was not tested; pyproject.toml says the same


def choose() -> tuple[str, Callable[..., Any], str]:
    """Return the compiler's name, the function that makes a kernel by it, and why it is not the usual one, if so."""
    asked = os.environ.get("MEEPLE_COMPILER", "")
    if asked not in ("", "parts", "plain"):
        raise ConfigError(f"there is no compiler '{asked}' (MEEPLE_COMPILER); say parts or plain")
    reason = ""
    if asked != "plain":
        reason = _unknown_version() if not asked else ""
        if not reason:
            try:
                from meeple.core.compiler import EntryDispatcher, lacking

                reason = ", ".join(lacking())
                if not reason:
                    return "parts", EntryDispatcher, ""
            except (ImportError, AttributeError, TypeError) as fault:
                reason = str(fault)
    return "plain", plain_kernel, reason


def _unknown_version() -> str:
    version = tuple(int(number) for number in re.findall(r"\d+", numba.__version__)[:2])
    least, beyond = TESTED
    if least <= version < beyond:
        return ""
    newest = f"{beyond[0]}.{beyond[1] - 1}"
    return f"{numba.__version__} was not tested, {least[0]}.{least[1]} to {newest} were"
