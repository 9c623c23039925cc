"""Mining puzzles from stored matches: where is one move clearly better than all others, and not too easy to see?

Every decision of a match is looked at three times, each time harder and only if it passed before: one search tells
whether a move stands out, then two judgements, the second with deep effort, must agree on the best move and on its
lead. The position is judged as its mover's view, which is all that a solver will know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from meeple.agents.base import never
from meeple.analysis.judge import Question
from meeple.analysis.measure import Bench, StoppedError, judge_decision
from meeple.analysis.puzzles import RATINGS, Puzzle, bench_for, read_puzzles, write_puzzles
from meeple.analysis.result import Candidate, Decision
from meeple.analysis.why import why
from meeple.core.folders import is_folder
from meeple.core.game import State
from meeple.core.match import Match
from meeple.errors import SaveError
from meeple.search.result import SearchResult

Floats = NDArray[np.float64]
LEAST_MOVES = 4  # on offer: where there are fewer, nothing is to be found
MARGIN = 0.10  # win chance by which the best move must be better than the second
AT_SIGHT = 0.6  # of the margin must show in the first search
PHASES = ("opening", "middle game", "endgame")  # by thirds of the match
MOST_THEMES = 2  # beside the phase
SHORT = (64, 16, 4)  # of the work of a judgement: so much less a short search does, which tells how hard a puzzle is
TRIES = 4  # short searches of each length
A_MATCH = 2  # puzzles of one match, so that they differ
Tell = Callable[[int, int], None]  # matches done, puzzles there are


@dataclass(frozen=True)
class Found:
    """What a run of mining has, and whether it came to its end."""

    puzzles: tuple[Puzzle, ...]
    new: int
    is_complete: bool


@dataclass
class Miner:
    """One run: puzzles go to `path`, and the names of the matches that are done to a file beside it."""

    game: str  # its name
    path: Path
    most: int = 50
    margin: float = MARGIN
    effort: str = "deep"
    seed: int = 0
    threads: int = 1
    should_stop: Callable[[], bool] = never
    puzzles: dict[str, Puzzle] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not is_folder(self.path.parent):
            raise SaveError(f"'{self.path}' cannot be written: there is no such folder; choose another file with --out")
        self.puzzles = {each.name: each for each in read_puzzles(self.path)}
        self._marks = self.path.with_name(self.path.name + ".done")
        self._done = set(self._marks.read_text(encoding="utf-8").splitlines()) if self._marks.is_file() else set()

    def mine(self, matches: Iterable[tuple[str, Callable[[], Match | None]]], tell: Tell = lambda *_: None) -> Found:
        """Look at matches, by name, until there are puzzles enough; those that are done are not looked at again."""
        before, done = len(self.puzzles), 0
        try:
            with ThreadPoolExecutor(max_workers=self.threads, thread_name_prefix="mining") as pool:
                for name, read in matches:
                    if len(self.puzzles) >= self.most:
                        break
                    if name not in self._done:
                        self._add(name, self._of_match(name, read(), pool))
                    done += 1
                    tell(done, len(self.puzzles))
        except (KeyboardInterrupt, StoppedError):
            return Found(tuple(self.puzzles.values()), len(self.puzzles) - before, False)
        return Found(tuple(self.puzzles.values()), len(self.puzzles) - before, True)

    def _add(self, name: str, found: list[Puzzle]) -> None:
        """Keep the puzzles of a match, then that it is done: killed in between, it is only looked at again."""
        self.puzzles |= {each.name: each for each in found}
        if found:
            write_puzzles(self.path, self.game, list(self.puzzles.values()))
        self._done.add(name)
        with open(self._marks, "a", encoding="utf-8") as file:
            file.write(f"{name}\n")

    def _of_match(self, name: str, match: Match | None, pool: ThreadPoolExecutor) -> list[Puzzle]:
        """The puzzles of a match, the one with the clearest best move first, at most so many."""
        if match is None or match.game.name != self.game:
            return []
        is_stopped = False

        def stops() -> bool:
            return is_stopped or self.should_stop()

        looks = [partial(self._look, name, each, match.ply, stops) for each in _decisions(match)]
        jobs = [pool.submit(look) for look in looks]
        try:
            found = [puzzle for job in jobs if (puzzle := job.result()) is not None]
        except BaseException:
            is_stopped = True  # what is under way in other threads ends soon
            for job in jobs:
                job.cancel()
            raise
        fresh = [each for each in found if each.name not in self.puzzles]
        return sorted(fresh, key=lambda each: (-each.rating, each.name))[:A_MATCH]

    def _look(self, name: str, place: tuple[int, State], plies: int, stops: Callable[[], bool]) -> Puzzle | None:
        ply, state = place
        world = Puzzle.at(state).state()
        question = Question(world, ply, seed=self.seed)
        bench = bench_for(world, "normal", stops, seed=self.seed)
        bench.look()
        first = bench.judge.search(question, 1, 2 * bench.iterations())
        second = stands_out(bench, first, state.to_move, state.game.seats, AT_SIGHT * self.margin)
        if second is None:
            return None
        found = _agreed(bench, bench_for(world, self.effort, stops, seed=self.seed + 1), question, second, self.margin)
        if found is None:
            return None
        puzzle = Puzzle.at(state, source=f"{_without_folders(name)}, move {ply + 1}").judged(found)
        rating = difficulty(bench, question, found.best_action)
        return replace(puzzle, themes=themes_of(world, found, ply, plies), rating=rating)


def _decisions(match: Match) -> Iterator[tuple[int, State]]:
    """The decisions with something to find, and how many were made before."""
    ply = 0
    for step in match.steps:
        if step.seat is not None:
            if len(step.before.legal_actions()) >= LEAST_MOVES:
                yield ply, step.before
            ply += 1


def _without_folders(name: str) -> str:
    """The name of a record, or of a game in a store, without the folders that it lies in."""
    file, mark, number = name.partition("#")
    return f"{Path(file).name}{mark}{number}"


# --- is it one? -------------------------------------------------------------------------------------------------------


def stands_out(bench: Bench, result: SearchResult, seat: int, seats: int, margin: float) -> int | None:
    """The second best move of a search, if the best one is better by the margin; None where it is not."""
    known = [place for place in range(len(result.actions)) if not np.isnan(result.values[place])]
    if len(known) < 2:
        return None
    shares = 0.5 + 0.5 * np.array([result.values[place] for place in known])
    chances = in_chances(bench, shares, seat, seats)
    best = known.index(int(np.flatnonzero(result.actions == result.action)[0]))
    others = [place for place in range(len(known)) if place != best]
    second = max(others, key=lambda place: float(chances[place]))
    return int(result.actions[known[second]]) if chances[best] - chances[second] >= margin else None


def in_chances(bench: Bench, shares: Floats, seat: int, seats: int) -> Floats:
    """The win chances of a seat for its win shares; the others share what is left."""
    if seats == 1:
        return np.asarray(bench.calibration.chances(shares[:, None])[:, 0])
    rows = np.repeat(((1.0 - shares) / (seats - 1))[:, None], seats, axis=1)
    rows[:, seat] = shares
    return np.asarray(bench.calibration.chances(rows)[:, seat])


def _agreed(normal: Bench, deep: Bench, question: Question, second: int, margin: float) -> Decision | None:
    """The deep judgement, where both name one best move that is better by the margin for certain."""
    best = -1
    for bench in (normal, deep):
        found = judge_decision(bench, question, 0, second)
        order = sorted(found.candidates, key=lambda each: -each.chance)
        if len(order) < 2 or best not in (-1, order[0].action) or not is_clear(order[0], order[1], margin):
            return None
        best = order[0].action
    return replace(found, best_action=best)


def is_clear(best: Candidate, second: Candidate, margin: float) -> bool:
    """Whether a move is better by the margin, errors taken away."""
    return best.chance - second.chance - float(np.hypot(best.error, second.error)) >= margin


# --- what it is about, and how hard -----------------------------------------------------------------------------------


def themes_of(world: State, found: Decision, ply: int, plies: int) -> tuple[str, ...]:
    """The phase of the match, and what the best move has before the second."""
    phase = PHASES[min(len(PHASES) - 1, len(PHASES) * ply // max(1, plies))]
    second = next(each.action for each in found.candidates if each.action != found.best_action)
    reason = why(world, found.best_action, second)
    proof = next((each.proof for each in found.candidates if each.action == found.best_action), 0)
    told = (f"win in {proof}",) if proof > 0 else ()
    return (phase, *told, *((reason.themes if reason else ())[: MOST_THEMES - len(told)] or ("looking ahead",)))


def difficulty(bench: Bench, question: Question, best: int) -> float:
    """How hard it is, from the share of short searches that find it."""
    right = tried = 0
    for part in SHORT:
        for number in range(TRIES):
            bench.look()
            work = max(1, round(bench.iterations() / part))
            right += bench.judge.search(question, 10 + number, work).action == best
            tried += 1
    easy, hard = RATINGS
    return round(hard - (hard - easy) * right / tried)
