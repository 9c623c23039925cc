"""Agents for the experiments of docs/papers/differences.md: readings of papers that the games do not offer by name.

meeple match sagrada:rules=thesis,faults=yes bench/differences.py:SameWorlds:iterations=80,worlds=10 rules-all
meeple match azul bench/differences.py:Strategy:full=last paper-greedy
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from meeple import Agent, Turn, setting
from meeple.agents.mcts import Mcts
from meeple.core import multisets
from meeple.core.chance import Stream
from meeple.games.azul import layout

FIXED_STREAM = 73


@dataclass(kw_only=True)
class SameWorlds(Mcts):
    """MCTS that deals its worlds by the same stream at every decision of every game, as the Sagrada thesis's program.

    Within a round the dice to come are then the same each time it is asked.
    """

    def search(self, turn: Turn, grown: Any = None) -> Any:
        """As for all, by the fixed stream."""
        return super().search(replace(turn, rng=Stream(FIXED_STREAM)), grown)


@dataclass(kw_only=True)
class Strategy(Agent):
    """The Azul thesis's StrategyAI (4.3) by other readings: which group comes first, and which of its moves.

    A group is a colour and a line; its value is the number of tiles on offer over the size of the line.
    """

    full: str = setting(
        "none",
        "no cap on the value; or groups that fill their line are equal, and the first, last or longest line is taken",
        choices=("none", "first", "last", "longest"),
    )
    pick: str = setting(
        "fill", "the fullest line and then the least excess; or the most tiles", choices=("fill", "most")
    )

    def choose(self, turn: Turn) -> int:
        """The best move of the best group; with no line open, the fewest tiles to the floor."""
        record = turn.state.record
        moves = list(_moves(turn))
        open_moves = [move for move in moves if move[2] != layout.FLOOR]
        if not open_moves:
            return min(moves, key=lambda move: (move[3], move[0]))[0]
        offered: dict[int, int] = {}
        for _code, colour, _line, taken, source in {(0, m[1], 0, m[3], m[4]) for m in open_moves}:
            offered[colour] = offered.get(colour, 0) + (taken if source >= 0 else 0)
        groups = sorted({(colour, line) for _code, colour, line, _taken, _source in open_moves})
        best = max(groups, key=lambda group: self._rank(group, offered[group[0]]))
        held = int(record.held[turn.seat, best[1]])
        own = [move for move in open_moves if (move[1], move[2]) == best]
        return max(own, key=lambda move: (*self._worth(held, best[1], move[3]), -move[0]))[0]

    def _rank(self, group: tuple[int, int], offered: int) -> tuple[float, int, int]:
        colour, line = group
        value = offered / (line + 1)
        if self.full == "none":
            return value, -colour, -line
        value = min(1.0, value)
        if self.full == "longest":
            return value, line, -colour
        return (value, -colour, -line) if self.full == "first" else (value, colour, line)

    def _worth(self, held: int, line: int, taken: int) -> tuple[int, int]:
        if self.pick == "most":
            return taken, 0
        filled = min(line + 1, held + taken)
        return filled, filled - held - taken


def _moves(turn: Turn) -> Iterator[tuple[int, int, int, int, int]]:
    """Each legal move: its code, colour, line, how many tiles, and the source."""
    record = turn.state.record
    for code in turn.state.legal_actions().tolist():
        source, rest = divmod(code, layout.A_SOURCE)
        colour, line = divmod(rest, 6)
        yield code, colour, line, int(multisets.held(record.source[source], colour, layout.FIELDS)), source
