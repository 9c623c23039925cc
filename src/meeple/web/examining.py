"""How one browser looks at a match that is analysed: as its mover knew it or as it was, with moves drawn over it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from meeple.analysis.analyse import knower_of
from meeple.core.contract import CHANCE
from meeple.core.game import State
from meeple.core.picture import TINTS, Look, Path
from meeple.errors import MeepleError
from meeple.web.viewing import Viewing

MOST_GHOSTS = 3  # moves of the best line behind its first that are drawn: more of them hide each other
BEST = "★"  # at the best move; the one made has its mark, or this:
MADE = "▸"


@dataclass(frozen=True)
class Advice:
    """What is drawn over a position: the best move and how it goes on, and the move that was made."""

    best: int = -1
    line: tuple[str, ...] = ()  # moves as text, the best one first
    made: int = -1
    mark: str = ""  # ??, ? or ?! at the move that was made


class Examining(Viewing):
    """What one browser sees of an analysis."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.sees_all = False  # what was, rather than what the mover knew
        self.advice = Advice()
        self.branched_at: int | None = None  # events of the match before another way that is shown; None: the match

    def _twin(self) -> Viewing:
        return Examining(self.access)

    @property
    def knower(self) -> int | None:
        """The seat by whose eyes alone the match is known; None where all of it is."""
        return knower_of(self.access.table.match)

    @property
    def viewer(self) -> int | None:
        """Who decides sees the board, so that it shows what could be known; None for everything."""
        if self.knower is not None:  # what others held was never seen
            return self.knower
        if self.sees_all or not self.table.game.facts.hidden:
            return None
        mover = self.state.to_move
        return mover if mover >= 0 else None

    @property
    def is_curtained(self) -> bool:
        """Nothing is secret any more."""
        return False

    @property
    def may_click(self) -> bool:
        """A click anywhere goes another way from there."""
        return self.state.to_move >= 0

    @property
    def turn(self) -> str | None:
        """It is nobody's."""
        return None

    def status_text(self) -> str:
        """Where in the match this is, or how far off it."""
        steps = self.table.match.steps
        if self.branched_at is not None:
            moves = self._moves(self.at) - self._moves(self.branched_at)
            return f"Another way, {moves} move{'s' * (moves != 1)} after move {self._moves(self.branched_at)}"
        if self.at < len(steps):
            return f"Before move {self._moves(self.at) + 1} of {self._moves(None)}"
        return "The end of the match" if self.table.is_over else "Where it stands"

    def ways(self) -> list[dict[str, Any]]:
        """The moves that are drawn over the picture, the most important last."""
        state, advice = self.state, self.advice
        if self.chosen or state.to_move < 0:
            return []
        found = []
        if advice.best >= 0:
            found += _ghosts(state, advice)
        if advice.made >= 0 and advice.made != advice.best:
            found.append(_way("made", advice.mark or MADE, state, advice.made))
        if advice.best >= 0:
            found.append(_way("best", BEST, state, advice.best))
        return [way for way in found if way["path"]]


def _way(kind: str, mark: str, state: State, action: int) -> dict[str, Any]:
    path = next(iter(state.paths(action)), ())
    return {"kind": kind, "mark": mark, "path": list(path)}


def _ghosts(state: State, advice: Advice) -> list[dict[str, Any]]:
    """How the game would go on from the best move, up to where chance or what lies hidden has its say."""
    found: list[dict[str, Any]] = []
    try:
        after = state.after(advice.best)
        for number, text in enumerate(advice.line[1 : 1 + MOST_GHOSTS], 2):
            if after.to_move == CHANCE or after.is_over:
                break
            action = after.read_move(text)
            way = _way("ghost", str(number), after, action)
            if after.to_move != state.to_move and not _lies_alike(state, tuple(way["path"]), after.to_move):
                break
            found.insert(0, way)
            after = after.after(action)
    except MeepleError:  # the search dealt other cards than lie there
        pass
    return found


@lru_cache(maxsize=256)
def _lies_alike(state: State, path: Path, seat: int) -> bool:
    """Whether a seat's targets are where those of the seat to move lie: its own board is another place."""
    drawn = set()
    for mover in (state.to_move, seat):
        text = state.picture(None, Look(last=frozenset(path), mover=mover))
        for tint in TINTS:
            text = text.replace(tint, "")
        drawn.add(text)
    return len(drawn) == 1
