"""The code by which a person takes their games from one browser to another: the browser's secret, written to be copied.

A code is 32 letters and digits in groups of four: the 16 bytes of the secret and 4 that tell a slip of the pen.
"""

from __future__ import annotations

import base64
import hashlib
import uuid

from meeple.errors import MeepleError

LENGTH = 32
_ALPHABET = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
_MISREAD = str.maketrans("018", "OIB")  # digits that no code has


class CodeError(MeepleError):
    """What was typed is no code, with the reason."""


def code_of(owner: str) -> str:
    """The code of a browser's secret."""
    data = uuid.UUID(owner).bytes
    letters = base64.b32encode(data + _check(data)).decode("ascii")
    return "-".join(letters[at : at + 4] for at in range(0, LENGTH, 4))


def owner_of(code: str) -> str:
    """The secret that a code tells; spaces, dashes and small letters do not matter.

    Raises:
        CodeError: it is not whole, or something in it is wrong.
    """
    letters = "".join(code.split()).replace("-", "").upper().translate(_MISREAD)
    wrong = sorted(set(letters) - _ALPHABET)
    if not letters:
        raise CodeError("No code was given: paste the one that “Show the code” gives you in the other browser.")
    if wrong:
        raise CodeError(f"A code has only letters and digits; “{wrong[0]}” is neither.")
    if len(letters) != LENGTH:
        raise CodeError(f"This code is not whole: it has {len(letters)} letters and digits of {LENGTH}.")
    data = base64.b32decode(letters)
    if _check(data[:16]) != data[16:]:
        raise CodeError("Something is mistyped in this code: its parts do not fit together.")
    return str(uuid.UUID(bytes=data[:16]))


def _check(data: bytes) -> bytes:
    return hashlib.sha256(b"meeple " + data).digest()[:4]
