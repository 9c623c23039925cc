"""How one browser looks at a puzzle: the position as its mover sees it, then the answer and the best move over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from meeple.analysis.puzzles import Puzzle, Verdict
from meeple.core.game import State
from meeple.core.match import Match
from meeple.core.speech import plain, told
from meeple.errors import MeepleError
from meeple.web.seats import Access, Seat
from meeple.web.table import Table
from meeple.web.viewing import Viewing
from meeple.web.voice import Voice

FOLLOWED = 2  # moves of the judge's line behind the best one that are told
BEST, MADE = "★", "▸"  # at the best move, and at the one answered where that is another


def puzzle_table(puzzle: Puzzle) -> Table:
    """A table at the position, which is in no room and is kept nowhere.

    Raises:
        MeepleError: the position does not fit the rules.
    """
    state = puzzle.state()
    rivals = state.game.seats - 1
    names = [f"Rival {seat + 1}" if rivals > 1 else "Rival" for seat in range(state.game.seats)]
    names[puzzle.seat] = "Solver"
    seats = [Seat("here", name) for name in names]
    return Table(state.game, seats, owner="", match=Match(state.game, start=state, manual_chance=True))


class Solving(Viewing):
    """What one browser sees of a puzzle."""

    def __init__(self, access: Access) -> None:
        super().__init__(access)
        self.made = self.best = -1  # the answer, and the solution once it is told
        self.is_answered = False  # no click counts any more

    @classmethod
    def access_to(cls, table: Table) -> Access:
        """What the solver may do at a puzzle's table: move for the seat that is to move, and see no more than it."""
        return Access(table, frozenset({table.match.to_move}))

    def _twin(self) -> Viewing:
        return Solving(self.access)

    @property
    def may_click(self) -> bool:
        """Until there is an answer."""
        return not self.is_answered and super().may_click

    @property
    def turn(self) -> str | None:
        """A puzzle waits for nobody: the tab says nothing."""
        return None

    def answer(self, action: int) -> None:
        """This is the answer; -1: there is none, only the solution is wanted."""
        self.made, self.is_answered, self.chosen = action, True, ()

    def ask_again(self) -> None:
        """Back to the question."""
        self.made, self.best, self.is_answered = -1, -1, False
        self.table.changed()

    def tell(self, verdict: Verdict) -> None:
        """Draw the solution over the board from now on."""
        best = verdict.puzzle.best
        try:
            self.best = self.state.read_move(best.move) if best is not None else -1
        except MeepleError:  # of an older version of the rules
            self.best = -1

    def ways(self) -> list[dict[str, Any]]:
        """The answer, and the best move over it."""
        found = []
        if self.made not in (-1, self.best):
            found.append(_way("made", MADE, self.state, self.made))
        if self.best >= 0:
            found.append(_way("best", BEST, self.state, self.best))
        return [way for way in found if way["path"]]


def line_words(state: State, line: Sequence[str], voice: Voice) -> str:
    """How the game may go on by the judge's line, the best move first; up to where chance or what is hidden decides."""
    found: list[str] = []
    try:
        for number, text in enumerate(line[: 1 + FOLLOWED]):
            action = state.read_move(text)
            if number:
                found.append(plain(told(state.spoken(action), voice.hearer)))
            state = state.after(action)
            if state.to_move < 0:
                break
    except MeepleError:  # the search dealt other cards than lie there
        pass
    return "; ".join(found)


def _way(kind: str, mark: str, state: State, action: int) -> dict[str, Any]:
    return {"kind": kind, "mark": mark, "path": list(next(iter(state.paths(action)), ()))}
