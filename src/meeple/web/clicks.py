"""From clicks to actions: the tree of click paths of a state's legal actions."""

from __future__ import annotations

from functools import lru_cache

from meeple.core.game import State
from meeple.core.picture import Path


class Offer:
    """What may be clicked in a state, by the mover."""

    def __init__(self, paths: dict[Path, int]) -> None:
        self._actions = paths
        self._next: dict[Path, set[str]] = {}
        for path in paths:
            for n in range(len(path)):
                self._next.setdefault(path[:n], set()).add(path[n])

    def after(self, chosen: Path) -> frozenset[str]:
        """The targets that may follow those chosen."""
        return frozenset(self._next.get(chosen, ()))

    def action(self, path: Path) -> int | None:
        """The action that a whole path means."""
        return self._actions.get(path)


@lru_cache(maxsize=256)
def offer_of(state: State) -> Offer:
    """The offer of a state; nothing where no seat is to move."""
    return Offer({path: int(action) for action in state.legal_actions() for path in state.paths(int(action))})
