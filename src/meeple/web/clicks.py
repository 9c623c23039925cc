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

    def followed(self, chosen: Path) -> Path:
        """The path as far as it goes on in one way only; a whole one where all that is left means one action."""
        while (following := self.after(chosen)) and len(following) == 1:
            chosen = (*chosen, *following)
        if self.after(chosen):
            whole = {action: path for path, action in self._actions.items() if path[: len(chosen)] == chosen}
            chosen = next(iter(whole.values())) if len(whole) == 1 else chosen
        return chosen

    def switches(self, chosen: Path) -> frozenset[str]:
        """The targets that take the place of one that is chosen."""
        earlier = frozenset().union(*(self.after(chosen[:n]) for n in range(len(chosen))))
        return earlier - self.after(chosen) - set(chosen)

    def with_target(self, chosen: Path, target: str) -> Path | None:
        """What is chosen after a click: one target more, fewer, or another one; None where it is not on offer."""
        if target in self.after(chosen):
            return (*chosen, target)
        if target in chosen:
            return chosen[: chosen.index(target)]
        for n in range(len(chosen) - 1, -1, -1):
            if target in self.after(chosen[:n]):
                return (*chosen[:n], target)
        return None

    def action(self, path: Path) -> int | None:
        """The action that a whole path means."""
        return self._actions.get(path)


@lru_cache(maxsize=256)
def offer_of(state: State) -> Offer:
    """The offer of a state; nothing where no seat is to move."""
    return Offer({path: int(action) for action in state.legal_actions() for path in state.paths(int(action))})
