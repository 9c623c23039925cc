"""Who has solved what: each browser's first answer to each puzzle, its ratings, and the puzzles' ratings.

An answer is a match between solver and puzzle: 1 solved, 0.5 nearly, 0 not. Both ratings follow by Glicko-2
(web/ratings.py). Only the first answer counts: the second time the solution is known. A solver has a rating in each
game, and one in each of its themes, which a puzzle of several themes moves all; the puzzle's own moves once.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from meeple.analysis.puzzles import Puzzle
from meeple.core.chance import Stream
from meeple.core.folders import keep_private
from meeple.errors import StoreError, brief
from meeple.web.ratings import WEEK, Rating, Result, newcomer, updated

PUZZLE_DEVIATION = 200.0  # of a puzzle that nobody has answered: how hard it is was told by searches, not by people
NEAREST = 6  # puzzles, by how near their rating is to the solver's, of which the next one is drawn
_SCHEMA = """
CREATE TABLE IF NOT EXISTS puzzles (
    name TEXT PRIMARY KEY, elo REAL NOT NULL, deviation REAL NOT NULL, volatility REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS solvers (
    owner TEXT NOT NULL, game TEXT NOT NULL, elo REAL NOT NULL, deviation REAL NOT NULL, volatility REAL NOT NULL,
    changed REAL NOT NULL, PRIMARY KEY (owner, game)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS themes (
    owner TEXT NOT NULL, game TEXT NOT NULL, theme TEXT NOT NULL, elo REAL NOT NULL, deviation REAL NOT NULL,
    volatility REAL NOT NULL, changed REAL NOT NULL, PRIMARY KEY (owner, game, theme)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answers (
    owner TEXT NOT NULL, puzzle TEXT NOT NULL, game TEXT NOT NULL, score REAL NOT NULL, PRIMARY KEY (owner, puzzle)
) WITHOUT ROWID;
"""


class Change(NamedTuple):
    """A solver's rating before and after an answer."""

    before: Rating
    after: Rating


class Standing(NamedTuple):
    """How far a browser is with the puzzles of a game."""

    rating: Rating | None
    answered: int
    solved: int  # at the first answer


class Solved:
    """The answers of all browsers. May be used from any thread."""

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()
        keep_private(path)  # it holds the secrets by which browsers are known
        with self._sound():
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.executescript(_SCHEMA)

    @contextmanager
    def _sound(self) -> Iterator[None]:
        """One thread at a time; a file that cannot be read is told by its name."""
        try:
            with self._lock:
                yield
        except sqlite3.Error as fault:
            raise StoreError(f"the answers in '{self._path}' are damaged: {brief(fault)}; move it away") from fault

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._sound():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def rating(self, owner: str, game: str) -> Rating | None:
        """A solver's rating in a game; None before the first answer."""
        with self._sound():
            return self._rating(owner, game)

    def _rating(self, owner: str, game: str) -> Rating | None:
        query = "SELECT elo, deviation, volatility FROM solvers WHERE owner = ? AND game = ?"
        row = self._db.execute(query, (owner, game)).fetchone()
        return None if row is None else Rating(*row)

    def ratings_by_theme(self, owner: str, game: str) -> dict[str, Rating]:
        """A solver's rating in each theme of a game of which a puzzle was answered."""
        query = "SELECT theme, elo, deviation, volatility FROM themes WHERE owner = ? AND game = ?"
        with self._sound():
            rows = self._db.execute(query, (owner, game)).fetchall()
        return {theme: Rating(*numbers) for theme, *numbers in rows}

    def rating_of(self, puzzle: Puzzle) -> Rating:
        """A puzzle's rating: as its answers have made it, or as it was mined."""
        with self._sound():
            return self._rating_of(puzzle)

    def _rating_of(self, puzzle: Puzzle) -> Rating:
        query = "SELECT elo, deviation, volatility FROM puzzles WHERE name = ?"
        row = self._db.execute(query, (puzzle.name,)).fetchone()
        return Rating(puzzle.rating, PUZZLE_DEVIATION) if row is None else Rating(*row)

    def answers(self, owner: str, game: str) -> dict[str, float]:
        """The score of a browser's first answer to each puzzle of a game, by the puzzle's name."""
        query = "SELECT puzzle, score FROM answers WHERE owner = ? AND game = ?"
        with self._sound():
            return dict(self._db.execute(query, (owner, game)).fetchall())

    def standings(self, owner: str) -> dict[str, Standing]:
        """How a browser stands in each game of which it has answered a puzzle."""
        query = "SELECT game, count(*), sum(score >= 1) FROM answers WHERE owner = ? GROUP BY game ORDER BY game"
        with self._sound():
            rows = self._db.execute(query, (owner,)).fetchall()
            ratings = {game: self._rating(owner, game) for game, _, _ in rows}
        return {game: Standing(ratings[game], answered, solved) for game, answered, solved in rows}

    def answer(self, owner: str, puzzle: Puzzle, score: float) -> Change | None:
        """Count an answer for solver and puzzle; None where the browser has answered this puzzle before."""
        with self._transaction():
            row = (owner, puzzle.name, puzzle.game, score)
            if self._db.execute("INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?)", row).rowcount == 0:
                return None
            its = self._rating_of(puzzle)
            result = Result(its, score)
            before = self._rating(owner, puzzle.game) or newcomer([result])
            query = "SELECT changed FROM solvers WHERE owner = ? AND game = ?"
            after = updated(before, [result], periods=self._periods(query, (owner, puzzle.game)))
            its = updated(its, [Result(before, 1.0 - score)])
            self._keep("solvers", (owner, puzzle.game), after, time.time())
            self._keep("puzzles", (puzzle.name,), its)
            for theme in dict.fromkeys(puzzle.themes):
                self._rate_theme((owner, puzzle.game, theme), result)
            return Change(before, after)

    def _rate_theme(self, key: tuple[str, str, str], result: Result) -> None:
        """Let an answer move a solver's rating in one theme."""
        query = "SELECT elo, deviation, volatility FROM themes WHERE owner = ? AND game = ? AND theme = ?"
        row = self._db.execute(query, key).fetchone()
        before = newcomer([result]) if row is None else Rating(*row)
        query = "SELECT changed FROM themes WHERE owner = ? AND game = ? AND theme = ?"
        self._keep("themes", key, updated(before, [result], periods=self._periods(query, key)), time.time())

    def _periods(self, query: str, key: tuple[str, ...]) -> float:
        """Rating periods since a rating was changed; `query` says when that was."""
        row = self._db.execute(query, key).fetchone()
        return 0.0 if row is None else max(0.0, time.time() - row[0]) / WEEK

    def _keep(self, table: str, key: tuple[str, ...], rating: Rating, *more: float) -> None:
        values = (*key, rating.elo, rating.deviation, rating.volatility, *more)
        self._db.execute(f"INSERT OR REPLACE INTO {table} VALUES ({', '.join('?' * len(values))})", values)

    def knows(self, owner: str) -> bool:
        """Whether this browser has answered anything."""
        with self._sound():
            query = "SELECT EXISTS (SELECT 1 FROM answers WHERE owner = ?)"
            return bool(self._db.execute(query, (owner,)).fetchone()[0])

    def adopt(self, old: str, new: str) -> None:
        """What one browser has answered is another's from now on; where both have a rating, the other's stays."""
        with self._transaction():
            for table in ("answers", "solvers", "themes"):
                self._db.execute(f"UPDATE OR IGNORE {table} SET owner = ? WHERE owner = ?", (new, old))
                self._db.execute(f"DELETE FROM {table} WHERE owner = ?", (old,))

    def close(self) -> None:
        """Done."""
        self._db.close()


def next_puzzle(
    puzzles: Sequence[Puzzle], answers: Mapping[str, float], rating: Rating | None, rng: Stream, *, after: str = ""
) -> Puzzle | None:
    """A puzzle about as hard as the solver is strong: one not answered yet, then one not solved, then any.

    `after` is the one that was answered last, which does not come again at once. None where there is no puzzle.
    """
    others = [each for each in puzzles if each.name != after] or list(puzzles)
    fresh = [each for each in others if each.name not in answers]
    missed = [each for each in others if answers.get(each.name, 0.0) < 1.0]
    found = fresh or missed or others
    if not found:
        return None
    elo = rating.elo if rating is not None else min(each.rating for each in found)
    near = sorted(found, key=lambda each: (abs(each.rating - elo), each.name))[:NEAREST]
    return near[rng.below(len(near))]
