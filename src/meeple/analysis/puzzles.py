"""Puzzles: positions with one best move, as the seat to move sees them, and what an answer to one is worth.

They lie in files of JSON lines, one a game: `puzzles.jsonl` beside the game's rules comes with Meeple, another in the
data folder holds those that were mined here (`meeple puzzles`, analysis/mining.py). A puzzle keeps its position as its
mover's view, so that nothing hidden is in the file, and the chances of the moves that were judged.

    {"meeple_puzzles": 1, "game": "azul"}
    {"name": "f3a1...", "spec": "azul", "position": "...", "seat": 0, "answers": [...], "themes": [...], ...}
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from meeple.agents.base import never
from meeple.analysis.calibration import Calibration, calibration_of
from meeple.analysis.effort import effort_named
from meeple.analysis.judge import Question, find_judge
from meeple.analysis.measure import Bench, StoppedError, judge_decision
from meeple.analysis.result import Decision
from meeple.analysis.why import why
from meeple.analysis.words import word_for_loss
from meeple.core.definition import Definition
from meeple.core.folders import data_folder
from meeple.core.game import State
from meeple.core.match import read_start
from meeple.core.registry import load_game
from meeple.errors import MeepleError, NotationError, SaveError

FORMAT = 1
FILE = "puzzles.jsonl"
NEARLY = 0.05  # win chance: who loses less has nearly solved it
AS_GOOD = 0.01  # what loses no more is as good as the best move
RATINGS = (1000.0, 2000.0)  # of a puzzle that every short search solves, and of one that none does
WORLD = b"puzzle"  # salts the world that stands for a view: hidden things are made up, the same each time


@dataclass(frozen=True)
class Answer:
    """A move that was judged."""

    move: str
    chance: float  # of its mover to win after it, by what the mover knows
    error: float = 0.0


@dataclass(frozen=True)
class Puzzle:
    """A position and its best move."""

    name: str  # short and always the same, from the position
    spec: str  # of the game
    position: str  # as the seat to move sees it
    seat: int
    answers: tuple[Answer, ...] = ()  # the best first; none: nothing was judged yet
    line: tuple[str, ...] = ()  # how the judge would go on, the best move included
    themes: tuple[str, ...] = ()  # the phase of the match, then what the best move is about
    rating: float = 1500.0  # how hard it is, on the scale of players' ratings
    source: str = ""  # the match it was found in

    @classmethod
    def at(cls, state: State, **told: Any) -> Puzzle:
        """The puzzle of a position with a seat to move."""
        seat, spec = state.to_move, state.game.spec
        position = state.text(seat)
        name = hashlib.blake2b(f"{spec} {seat} {position}".encode(), digest_size=6).hexdigest()
        return cls(name, spec, position, seat, **told)

    @property
    def game(self) -> str:
        """The game's name without options."""
        return self.spec.partition(":")[0]

    @property
    def best(self) -> Answer | None:
        """The solution; None where nothing was judged yet."""
        return self.answers[0] if self.answers else None

    def state(self) -> State:
        """The position, in a world that fits the view.

        Raises:
            MeepleError: it does not fit the rules as they are now.
        """
        return _world(self.spec, self.position)

    def judged(self, decision: Decision) -> Puzzle:
        """The same with the answers of a judgement."""
        best = sorted(decision.candidates, key=lambda each: -each.chance)
        answers = tuple(Answer(each.move, round(each.chance, 4), round(each.error, 4)) for each in best)
        return Puzzle(**{**_shallow(self), "answers": answers, "line": decision.line})

    def as_json(self) -> dict[str, Any]:
        """As it stands in a file."""
        return asdict(self)


def _shallow(puzzle: Puzzle) -> dict[str, Any]:
    return {each.name: getattr(puzzle, each.name) for each in fields(puzzle)}


@lru_cache(maxsize=64)
def _world(spec: str, position: str) -> State:
    return read_start(load_game(spec), position, 1, WORLD)


# --- an answer --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """What an answer is worth."""

    puzzle: Puzzle  # with the answers that are known now
    move: str
    lost: float  # win chance against the best move
    error: float
    sentence: str = ""  # why the best move is better, where the game tells
    is_calibrated: bool = True  # whether the game's judge is; else chances are its values as they are

    @property
    def is_solved(self) -> bool:
        """Whether it is the best move, or as good."""
        return self.lost <= AS_GOOD

    @property
    def score(self) -> float:
        """For the ratings: 1 solved, 0.5 nearly, else 0."""
        return 1.0 if self.is_solved else 0.5 if self.lost < NEARLY else 0.0

    @property
    def words(self) -> str:
        """The judgement in a few words."""
        if self.is_solved:
            best = self.puzzle.best
            return "The best move" if best is None or best.move == self.move else "As good as the best move"
        points = f"it loses {100 * self.lost:.0f} points of win chance"
        if self.score:
            return f"Nearly: {points}"
        word = word_for_loss(self.lost, self.error)
        return f"{'An' if word == 'inaccuracy' else 'A'} {word}: {points}" if word else f"Not this one: {points}"


def judge_answer(
    puzzle: Puzzle,
    action: int,
    *,
    effort: str = "normal",
    other: str = "your move",
    calibration: Calibration | None = None,
    should_stop: Callable[[], bool] = never,
) -> Verdict:
    """What an answer loses: as it was judged when the puzzle was made, or judged now.

    `other` is what the answer is called where the best move is explained; `calibration` takes the place of the game's.

    Raises:
        MeepleError: the position does not fit the rules, or it was told to stop.
    """
    state = puzzle.state()
    move = state.move_text(action)
    known = {each.move: each for each in puzzle.answers}
    bench = bench_for(state, effort, should_stop, calibration=calibration)
    if not puzzle.answers:
        puzzle = puzzle.judged(_decision(bench, state, action))
        known = {each.move: each for each in puzzle.answers}
    best = puzzle.answers[0]
    if move in known:
        lost, error = best.chance - known[move].chance, known[move].error
    else:
        lost, error = _difference(bench, state, state.read_move(best.move), action)
    found = why(state, state.read_move(best.move), action, other=other)
    sentence = found.sentence if found is not None else ""
    return Verdict(puzzle, move, max(0.0, lost), error, sentence, bench.is_calibrated)


def bench_for(
    state: State,
    effort: str,
    should_stop: Callable[[], bool] = never,
    *,
    seed: int = 0,
    calibration: Calibration | None = None,
) -> Bench:
    """What judges puzzles of a game."""
    judge = find_judge(state.game)
    calibration = calibration or calibration_of(state.game.definition, judge.spec)
    return Bench(judge, calibration, effort_named(effort), seed, should_stop)


def _decision(bench: Bench, state: State, action: int) -> Decision:
    try:
        return judge_decision(bench, Question(state, 0), 0, action)
    except StoppedError:
        raise MeepleError("the judgement was stopped") from None


def _difference(bench: Bench, state: State, best: int, action: int) -> tuple[float, float]:
    """How much less win chance a move gives than the best one, and the standard error."""
    question, rows = Question(state, 0), []
    repeats = bench.effort.repeats
    for repeat in range(repeats):
        if bench.should_stop():
            raise MeepleError("the judgement was stopped")
        found = bench.judge.known(question, [best, action], repeat, bench.iterations(repeat, repeats))
        chances = bench.calibration.chances(found)[:, state.to_move]
        rows.append(float(chances[0] - chances[1]))
    return float(np.mean(rows)), float(np.std(rows, ddof=1)) / repeats**0.5


# --- files ------------------------------------------------------------------------------------------------------------


def shipped_file(definition: Definition) -> Path:
    """Where the puzzles lie that come with a game."""
    return Path(str(definition.rules.__file__)).with_name(FILE)


def own_file(definition: Definition) -> Path:
    """Where those lie that were mined on this machine."""
    return data_folder("puzzles") / f"{definition.name}.jsonl"


def puzzles_of(definition: Definition) -> dict[str, Puzzle]:
    """All puzzles of a game by their names; what is damaged or fits the rules no more is left out."""
    found: dict[str, Puzzle] = {}
    for path in (shipped_file(definition), own_file(definition)):
        for puzzle in read_puzzles(path):
            if puzzle.game == definition.name and puzzle.answers:
                found.setdefault(puzzle.name, puzzle)
    return found


def read_puzzles(path: Path) -> list[Puzzle]:
    """The puzzles of a file; none where there is no file. Lines that hold none are left out."""
    try:
        stat = path.stat()
    except OSError:
        return []
    return list(_read(path, stat.st_mtime_ns, stat.st_size))


@lru_cache(maxsize=32)
def _read(path: Path, _modified: int, _size: int) -> tuple[Puzzle, ...]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    return tuple(puzzle for line in lines if (puzzle := _puzzle_in(line)) is not None)


def _puzzle_in(line: str) -> Puzzle | None:
    try:
        told = json.loads(line)
        names = {each.name for each in fields(Puzzle)}
        kept = {name: value for name, value in told.items() if name in names}
        kept["answers"] = tuple(Answer(**each) for each in kept["answers"])
        kept |= {name: tuple(kept[name]) for name in ("line", "themes")}
        return Puzzle(**kept)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def write_puzzles(path: Path, game: str, puzzles: Sequence[Puzzle]) -> None:
    """Write a file whole, or leave it as it was."""
    head = {"meeple_puzzles": FORMAT, "game": game}
    lines = [json.dumps(head), *(json.dumps(each.as_json(), ensure_ascii=False) for each in puzzles)]
    draft = path.with_name(path.name + ".new")
    try:
        draft.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        draft.replace(path)
    except OSError as fault:
        raise SaveError(f"'{path}' cannot be written: {fault.strerror}; choose another file with --out") from fault


def is_sound(puzzle: Puzzle) -> bool:
    """Whether a puzzle fits the rules as they are: its position is read, and its moves are on offer."""
    try:
        state = puzzle.state()
        return state.to_move == puzzle.seat and all(state.read_move(each.move) >= 0 for each in puzzle.answers)
    except (MeepleError, NotationError):
        return False
