"""Whole numbers in text from outside, read so that nothing a person types can raise or take long."""

from __future__ import annotations

import re

INT64 = (-(2**63), 2**63 - 1)
LONGEST = 20  # letters: enough for every int64
_WHOLE = re.compile(r"-?[0-9]+")
_DECIMAL = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]{1,2})?", re.IGNORECASE)


def whole_number(text: str, least: int, most: int) -> int | None:
    """The number that `text` writes in plain digits, with a minus sign perhaps; None where it is not in least..most.

    Other alphabets' digits, plus signs, spaces and underscores, which `int` would let pass, make no number.
    """
    if len(text) > LONGEST or not _WHOLE.fullmatch(text):
        return None
    number = int(text)
    return number if least <= number <= most else None


def decimal_number(text: str) -> float | None:
    """The number that `text` writes in plain digits, such as 1.41, -2 or 1e-3; None where it writes none."""
    return float(text) if len(text) <= 2 * LONGEST and _DECIMAL.fullmatch(text) else None


def shortened(text: str, most: int = 80) -> str:
    """A text from outside as an error quotes it: whole, or its beginning and its end."""
    return text if len(text) <= most else f"{text[: most - most // 3]} ... {text[-(most // 3) :]}"
