"""Looking deeper and deeper at one position: what independent searches found of its moves so far.

A search more costs little and tells twice: it refines each move's chance, and how the searches differ is the error.
One long search would tell of no error, and would name its own best move with the same conviction each time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from meeple.analysis.calibration import Calibration, calibration_of
from meeple.analysis.judge import Judge, Question, find_judge
from meeple.analysis.measure import in_chances

SEARCH = 2  # units of the calibration's work: what the first search takes
GROWTH = 0.5  # of that by which each search takes more than the one before: a judge without lots varies too
MOST = 16.0  # times the first, at most


@dataclass(frozen=True)
class Weighed:
    """A move as the searches see it."""

    action: int
    chance: float  # of its mover to win after it
    error: float  # standard error of it; 0 after a single search
    share: float  # of all that was searched


class Deepening:
    """A position with a seat to move, and what was found of it."""

    def __init__(self, question: Question, judge: Judge | None = None, calibration: Calibration | None = None) -> None:
        game = question.state.game
        self.question = question
        self.judge = judge or find_judge(game)
        self.calibration = calibration or calibration_of(game.definition, self.judge.spec)
        self.searches = 0
        self.line: tuple[str, ...] = ()  # how the last search that chose the best move would go on
        self._won = -1  # a move that is proven won
        self._found: dict[int, list[tuple[float, float]]] = {}  # by action: visits and chance of each search

    @property
    def is_calibrated(self) -> bool:
        """Whether the calibration was found for this judge; else its values are taken as they are."""
        return self.calibration.judge == self.judge.spec

    def search(self) -> None:
        """One search more; what it finds is added when it is done."""
        number = self.searches
        work = round(min(MOST, 1.0 + GROWTH * number) * SEARCH * self.calibration.work)
        result = self.judge.search(self.question, number + 1, work)
        values = zip(result.actions.tolist(), result.values.tolist(), result.visits.tolist(), strict=True)
        for action, value, visits in values:
            if not math.isnan(value):  # a move that is proven at sight has a value and no visits
                chance = in_chances(self.calibration, 0.5 + 0.5 * value, self.question)
                self._found.setdefault(int(action), []).append((max(1.0, float(visits)), chance))
        if result.proof > 0:
            self._won = int(result.action)
        self.searches += 1
        if self.moves and result.line and self.moves[0].action == result.action:
            self.line = tuple(result.line)

    @property
    def moves(self) -> list[Weighed]:
        """All moves that were searched: one proven won, then the most searched, since little tried is little known."""
        total = math.fsum(visits for rows in self._found.values() for visits, _ in rows)
        found = [_weighed(action, rows, total) for action, rows in self._found.items()]
        return sorted(found, key=lambda each: (each.action != self._won, -each.share, -each.chance, each.action))


def _weighed(action: int, rows: list[tuple[float, float]], total: float) -> Weighed:
    """The mean over searches, each as heavy as it tried the move."""
    visits = math.fsum(weight for weight, _ in rows)
    mean = math.fsum(weight * chance for weight, chance in rows) / visits
    spread = math.fsum((weight / visits) ** 2 * (chance - mean) ** 2 for weight, chance in rows)
    n = len(rows)
    error = math.sqrt(spread * n / (n - 1)) if n > 1 else 0.0
    return Weighed(action, mean, error, visits / total)
