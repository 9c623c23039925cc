"""Cards in text, for both games of Saboteur: `0,8,8,map`, a `?` for each card that is not seen, `-` for none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from meeple.core.numbers import shortened
from meeple.core.reading import NOTHING, parts_of
from meeple.errors import NotationError

PLACES = ("left", "middle", "right")  # of the three goals


def hidden_text(n: int) -> str:
    """A `?` for each card that is not seen."""
    return "?" * n or NOTHING


def read_kinds(text: str, names: Sequence[str], known: str) -> list[int | None]:
    """Kinds of cards, None for one that is not seen; `known` says in an error which cards there are."""
    if text != NOTHING and set(text) == {"?"}:
        return [None] * len(text)
    words = parts_of(text, ",")
    unknown = next((word for word in words if word not in names), None)
    if unknown is not None:
        raise NotationError(f"'{shortened(unknown)}' is no card; cards are {known}")
    return [names.index(word) for word in words]


def fill_hidden(
    lists: Sequence[Sequence[int | None]], seen: Iterable[int], counts: Sequence[int], names: Sequence[str], whole: str
) -> tuple[list[list[int]], list[int]]:
    """Put cards that are left in the place of those not seen; also return the cards that are left then.

    `counts` are the cards of each kind in `whole`, the deck or the game; `seen` are all that lie anywhere.
    """
    left = list(counts)
    for kind in seen:
        left[kind] -= 1
        if left[kind] < 0:
            raise NotationError(f"there are more cards '{names[kind]}' than {whole} has")
    spare = [kind for kind, count in enumerate(left) for _ in range(count)]
    if sum(kind is None for kinds in lists for kind in kinds) > len(spare):
        raise NotationError(f"there are more hidden cards than {whole} has left")
    return [[spare.pop() if kind is None else kind for kind in kinds] for kinds in lists], spare
