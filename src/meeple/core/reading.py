"""What readers of positions share: numbers and lists in text, with errors that say what came and what was expected."""

from __future__ import annotations

from collections.abc import Iterable

from meeple.core.numbers import shortened, whole_number
from meeple.errors import NotationError

NOTHING = "-"  # how a list without entries is written


def number_in(name: str, text: str, least: int, most: int) -> int:
    """The number that `name=text` writes.

    Raises:
        NotationError: it is none from `least` to `most`.
    """
    number = whole_number(text, least, most)
    if number is None:
        raise NotationError(f"{name}={shortened(text)} is not a number from {least} to {most}")
    return number


def listed(texts: Iterable[str], mark: str) -> str:
    """A list as text, with `mark` between its entries."""
    return mark.join(texts) or NOTHING


def parts_of(text: str, mark: str) -> list[str]:
    """The entries of a list that `listed` wrote."""
    return [] if text == NOTHING else text.split(mark)
