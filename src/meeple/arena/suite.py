"""Positions with known answers: how many does an agent solve, in what time, with how much work?

A game's folder holds them in `suite.txt`, a line each: `position | answers | name`, answers apart by spaces.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from meeple.agents.base import Agent, ask
from meeple.core.game import Game
from meeple.core.match import Match
from meeple.core.numbers import shortened
from meeple.errors import ConfigError
from meeple.search.result import SearchResult


@dataclass(frozen=True)
class Problem:
    """A position and the moves that solve it."""

    position: str
    answers: tuple[str, ...]
    name: str


@dataclass(frozen=True)
class Answer:
    """What an agent made of a problem; `work` is nodes, iterations or playouts, 0 where it tells none."""

    problem: Problem
    move: str
    is_right: bool
    seconds: float
    work: int


def suite_path(game: Game) -> Path:
    """Where the game's suite would lie."""
    return Path(str(game.definition.rules.__file__)).parent / "suite.txt"


def read_suite(path: Path) -> list[Problem]:
    """The problems of a file."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else "it is not text"
        raise ConfigError(f"there is no suite of positions at '{shortened(str(path))}': {reason}") from fault
    problems = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split("|")]
        if len(parts) != 3 or not parts[1]:
            raise ConfigError(f"line {number} of '{path}' is not `position | answers | name`: {line[:60]!r}")
        problems.append(Problem(parts[0], tuple(parts[1].split()), parts[2]))
    return problems


def solve(game: Game, agent: Agent, problem: Problem, *, seed: int = 1) -> Answer:
    """Ask the agent for its move in the problem's position."""
    match = Match(game, seed=seed, start=problem.position)
    right = {match.state.read_move(answer) for answer in problem.answers}
    reports: list[SearchResult] = []
    began = time.perf_counter()
    action = ask(agent, match, report=reports.append)
    seconds = time.perf_counter() - began
    work = reports[-1].work if reports else 0
    if reports:
        seconds = reports[-1].seconds  # without what it took to compile
    return Answer(problem, match.state.move_text(action), action in right, seconds, work)
