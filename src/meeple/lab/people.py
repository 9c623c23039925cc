"""What people did against a paper's agents on the page: whether each beat an agent within so many games.

The lab stands below the page, so the games come from whoever calls: `meeple reproduce` reads them from the tables that
the page keeps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from meeple.agents.registry import load_agent
from meeple.core.registry import load_game
from meeple.lab.paper import Item, PaperEntry
from meeple.lab.played import RawResult

TRIES = 3  # games in which an agent is to be beaten
WANTED = f"people's games on the page, {TRIES} against each agent (`meeple web`)"
Met = Mapping[tuple[str, str], Sequence[bool]]  # by person and agent's spec: each finished game, won or not, by time


def met(item: Item, entries: Sequence[PaperEntry], games: Met) -> Iterator[RawResult]:
    """One trial a person who won against the agent within the tries, or has had them all; others are not over yet."""
    for entry in entries:
        spec = load_agent(entry.specs()[0], load_game(item.game)).spec
        tried = [won[:TRIES] for (_person, agent), won in sorted(games.items()) if agent == spec]
        over = [won for won in tried if any(won) or len(won) == TRIES]
        if over:
            values = tuple(float(any(won)) for won in over)
            yield RawResult(entry, entry.specs(), values, sum(map(len, over)), "people")
