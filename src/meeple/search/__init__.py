"""One search a module, each generic over games.

The package can be called, since Python has one name for the folder and for the function of the public face:
`meeple.search(state, "mcts:iterations=500")` ranks the moves of a position (agents/ranking.py).
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from meeple.agents.base import Agent
    from meeple.agents.ranking import Ranking
    from meeple.core.game import State
    from meeple.core.match import Match


class _Callable(ModuleType):
    def __call__(
        self, position: State | Match, agent: Agent | str, *, seed: int | None = None, deterministic: bool = False
    ) -> Ranking:
        """Rank the moves of the seat to move by what `agent` finds; see `meeple.agents.ranking.search`."""
        from meeple.agents.ranking import search  # of a higher part: nothing here needs it

        return search(position, agent, seed=seed, deterministic=deterministic)


sys.modules[__name__].__class__ = _Callable
