"""Finding a judge's calibration: it plays games against itself, and its values on the way are held against the results.

Games are kept in a file as they end, so that a calibration that was stopped goes on where it was. Game number n is the
same on every machine and any number of threads: all lots follow from the seed and n. What is measured by the clock is
`work` alone, and only where nobody gave it.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from meeple.agents.base import never
from meeple.analysis.analyse import AnalysisRun, Source
from meeple.analysis.calibration import Calibration, fitted
from meeple.analysis.judge import Judge, Question, find_judge
from meeple.core.chance import rng_for
from meeple.core.folders import data_folder
from meeple.core.game import Game
from meeple.core.match import Match
from meeple.errors import ConfigError, SaveError

POSITIONS = 8  # looked at in each game, spread evenly
RANDOM_PLIES = 4  # that begin each game without chance: else all of them would be the same few
SMALL, LARGE = 60, 240  # iterations of a judgement, in the two analyses by which `work` is found
LEAST_WORK = 50


@dataclass(frozen=True)
class JudgedGame:
    """A game of the judge against itself: its values at some positions, and how it ended."""

    number: int
    values: list[list[float]]  # [position, seat]
    result: list[float]


def calibrate(
    game: Game,
    path: Path,
    *,
    games: int,
    judge: str = "",
    work: int = 0,
    cpu: float = 30.0,
    seed: int = 0,
    threads: int = 1,
    tell: Callable[[int], None] = lambda done: None,
    should_stop: Callable[[], bool] = never,
) -> Calibration | None:
    """Play `games` games by the judge, and return the calibration that fits them; None where it was stopped before.

    Args:
        path: where games are kept, and from where a calibration that was stopped goes on.
        judge: another agent than the game's strongest.
        work: iterations of one judgement; 0: as many as let the analysis of a game take `cpu` seconds of CPU time.
        threads: games side by side. The result does not depend on it.
        tell: called with the number of games that are there.
    """
    found = find_judge(game, judge)
    kept = Kept(path, game, found.spec, seed)
    if kept.work and work and kept.work != work:
        raise ConfigError(f"'{path}' holds games at work {kept.work}; move it away to begin anew with {work}")
    if not kept.work:
        kept.begin(work or fit_work(game, found, judge, cpu))
    lock = threading.Lock()

    def job(number: int) -> None:
        if should_stop():
            return
        played = play(game, found, number, work=kept.work, seed=seed)
        with lock:
            kept.add(played)
            tell(len(kept.games))

    wanted = [number for number in range(games) if number not in kept.games]
    tell(len(kept.games))
    with ThreadPoolExecutor(max_workers=max(1, threads), thread_name_prefix="calibration") as pool:
        try:
            list(pool.map(job, wanted))
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            return None
    chosen = [kept.games[number] for number in range(games) if number in kept.games]
    if len(chosen) < games:
        return None
    return fitted(found.spec, game.spec, kept.work, [(each.values, each.result) for each in chosen])


def play(game: Game, judge: Judge, number: int, *, work: int, seed: int) -> JudgedGame:
    """One game of the judge against itself, with what it thought of some positions for every seat."""
    match = self_play(game, judge, number, work=work, seed=seed)
    plies = sorted({round((place + 0.5) / POSITIONS * match.ply - 0.5) for place in range(POSITIONS)})
    values = []
    for ply in plies:
        state = match.state_at(ply)
        rng = rng_for("analysis", "calibration", number, ply, seed=seed)
        values.append([round(float(value), 6) for value in judge.value(state, rng, work)])
    return JudgedGame(number, values, [float(share) for share in match.state.win_shares()])


def self_play(game: Game, judge: Judge, number: int, *, work: int, seed: int) -> Match:
    """The judge against itself, with the work of one of its searches a move."""
    lots = rng_for("analysis", "self-play", number, seed=seed)
    first = int(lots.below(2**31))
    match = Match(game, seed=first)
    random_plies = 0 if game.facts.chance else RANDOM_PLIES
    while not match.is_over:
        offer = match.state.legal_actions()
        if len(offer) == 1 or match.ply < random_plies:
            match.play(int(offer[int(lots.below(len(offer)))]))
            continue
        question = Question(match.state, match.ply, tuple(match.seen(match.to_move)), first)
        match.play(int(judge.search(question, 1, 2 * work).action))
    return match


def fit_work(game: Game, judge: Judge, spec: str, cpu: float) -> int:
    """The iterations of one judgement with which a game takes `cpu` seconds of CPU time at normal effort."""
    match = self_play(game, judge, 0, work=SMALL, seed=0)
    _seconds(match, spec, "quick", SMALL)  # compiles what is not compiled yet
    small, large = (_seconds(match, spec, "normal", work) for work in (SMALL, LARGE))
    slope = max((large - small) / (LARGE - SMALL), 1e-6)
    work = SMALL + (cpu - small) / slope
    return max(LEAST_WORK, int(float(f"{work:.2g}")))


def _seconds(match: Match, spec: str, effort: str, work: int) -> float:
    run = AnalysisRun(
        Source.of(match), effort, None, spec, 0, save=False, should_stop=never, calibration=Calibration(work=work)
    )
    began = time.process_time()
    run.go(1, None)
    return time.process_time() - began


def path_for(game: Game, judge: str) -> Path:
    """Where the games of a calibration are kept: another file for another judge or other rules."""
    told = [game.spec, game.facts.version, find_judge(game, judge).spec]
    name = hashlib.blake2b(json.dumps(told).encode(), digest_size=6).hexdigest()
    return data_folder("analysis") / f"{game.name}-{name}.jsonl"


class Kept:
    """The games of a calibration in a file: a head, then a line a game."""

    def __init__(self, path: Path, game: Game, judge: str, seed: int) -> None:
        self.path, self.work = path, 0
        self.games: dict[int, JudgedGame] = {}
        self.head = {"game": game.spec, "version": game.facts.version, "judge": judge, "seed": seed}
        lines = self._lines()
        if not lines:
            return
        head = dict(lines[0])
        work = head.pop("work", None)
        if head != self.head or not isinstance(work, int):
            raise ConfigError(f"'{path}' holds games of another judge or other rules; move it away to begin anew")
        self.work = work
        for line in lines[1:]:
            played = JudgedGame(**line)
            self.games[played.number] = played

    def begin(self, work: int) -> None:
        """Write the head."""
        self.work = work
        self._write(self.head | {"work": work}, "w")

    def add(self, played: JudgedGame) -> None:
        """Keep a game."""
        self.games[played.number] = played
        self._write(vars(played), "a")

    def _write(self, line: dict[str, object], mode: str) -> None:
        try:
            with open(self.path, mode, encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        except OSError as fault:
            raise SaveError(f"'{self.path}' cannot be written: {fault.strerror}; choose another place") from fault

    def _lines(self) -> list[dict[str, Any]]:
        """All whole lines; half a line at the end, left by a kill, is cut off."""
        if not self.path.is_file():
            return []
        data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if whole != data:
            self.path.write_bytes(whole)
        try:
            return [json.loads(line) for line in whole.decode().splitlines()]
        except ValueError as fault:
            raise ConfigError(f"'{self.path}' is damaged: {fault}; move it away to begin anew") from None
