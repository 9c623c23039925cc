"""Play today's agents against those of the frozen commit, by that commit's own code (docs/strength.md).

    python bench/frozen.py GAME AGENT [--cpu 20ms] [--games 400] [--out FILE]

Each side is a process of its own: today's source on the PYTHONPATH of one, an archive of the frozen commit's `src` on
that of the other, with a compile cache of its own. They exchange moves as text. Both have the same CPU time a
move, each by its own clock; what each really used is told beside the score. Every seed is played twice with seats
exchanged (beyond two seats: every second seat is today's, then the others are). Each finished game is a line in
FILE, and the same command goes on where it was stopped.

It needs Python, Numba, NumPy and SciPy, and runs from a bare source tree without a network. Where there is no
repository, pack the archive before: `git archive -o frozen.tar COMMIT src`, and give --archive frozen.tar.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parent.parent
COMMIT = "fb310e1bd5fd86bf4a6082ec3d26496aef4b88fc"
# The strongest agents of that commit, without a limit.
FROZEN = {
    "santorini": "alphabeta:evaluation=climb",
    "azul": "strong",
    "ingenious": "ismcts:c=0.5,playout=soft,cutoff=6,evaluation=sorted,filter=promising",
    "sagrada": "strong",
    "saboteur": "ismcts:c=0.7,playout=plain,filter=plain,belief=moves",
    "saboteur-duel": "pathfinder",
}
TODAY, THEN = "today", "frozen"


@dataclass(frozen=True)
class Plan:
    """What is played: written first into the file of results, and compared when it is gone on with."""

    game: str
    today: str
    frozen: str
    cpu: str
    commit: str
    seed: int  # the first


@dataclass(frozen=True)
class Played:
    """One finished game."""

    seed: int
    exchanged: bool
    shares: dict[str, float]  # mean win share of each side's seats
    cpu: dict[str, float]  # seconds of CPU time
    moves: dict[str, int]

    @property
    def score(self) -> float:
        """Today's score: with two seats its win share; with more, 1/2 and half the lead of its seats' mean share."""
        return 0.5 + (self.shares[TODAY] - self.shares[THEN]) / 2


class SideError(Exception):
    """A side has failed, or the two disagree."""


class Process:
    """One side: asked a question, it answers."""

    def __init__(self, name: str, source: Path, cache: Path | None = None) -> None:
        self.name = name
        environment = os.environ | {"PYTHONPATH": str(source), "MEEPLE_QUIET": "1"}
        if cache is not None:
            cache.mkdir(parents=True, exist_ok=True, mode=0o700)
            environment["MEEPLE_CACHE_DIR"] = str(cache)
        command = [sys.executable, "-P", str(ROOT / "bench" / "frozen_side.py")]
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, **question: Any) -> dict[str, Any]:
        """The answer to a question.

        Raises:
            SideError: the side has failed.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except OSError as fault:
            raise SideError(f"the {self.name} side has ended: {fault}") from None
        if not line:
            raise SideError(f"the {self.name} side has ended while it was asked to {question['do']}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise SideError(f"the {self.name} side, asked to {question['do']}: {answer['error']}")
        return answer

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def play(plan: Plan, sides: dict[str, Process], seed: int, exchanged: bool) -> Played:
    """One game. Both sides hold the match and must agree on where it stands after every move."""
    start = sides[TODAY].ask(do="opening", game=plan.game, seed=seed)["start"]
    marks = _agreed(sides, do="begin", game=plan.game, seed=seed, start=start)
    specs = {TODAY: plan.today, THEN: plan.frozen}
    owners = [TODAY if (seat % 2 == 1) == exchanged else THEN for seat in range(marks["seats"])]
    cpu, moves = dict.fromkeys(specs, 0.0), dict.fromkeys(specs, 0)
    while marks["shares"] is None:
        name = owners[marks["to_move"]]
        chosen = sides[name].ask(do="choose", agent=specs[name], cpu=plan.cpu)
        cpu[name] += chosen["cpu"]
        moves[name] += 1
        marks = _agreed(sides, do="play", move=chosen["move"])
    seats = {name: [seat for seat, owner in enumerate(owners) if owner == name] for name in specs}
    shares = {name: sum(marks["shares"][seat] for seat in own) / len(own) for name, own in seats.items()}
    return Played(seed, exchanged, shares, cpu, moves)


def _agreed(sides: dict[str, Process], **question: Any) -> dict[str, Any]:
    answers = [side.ask(**question) for side in sides.values()]
    if answers[0]["marks"] != answers[1]["marks"]:
        raise SideError("the two sides see different positions: the rules of the game have changed since the commit")
    return answers[0]


# --- results ------------------------------------------------------------------------------------------


def read_results(file: Path, plan: Plan) -> list[Played]:
    """The games played so far; a last line that was cut off by a kill is left out, and its game played again."""
    if not file.exists():
        file.write_text(json.dumps(asdict(plan)) + "\n")
        return []
    whole, _, _ = file.read_text().rpartition("\n")
    first, *rest = whole.splitlines()
    if json.loads(first) != asdict(plan):
        raise SideError(f"'{file}' holds games of other settings: {first}")
    file.write_text(whole + "\n")
    return [Played(**json.loads(line)) for line in rest]


def summary(plan: Plan, played: list[Played]) -> str:
    """Score with its interval over whole pairs, and the CPU time of each side."""
    sys.path.insert(0, str(ROOT / "src"))
    from meeple.arena.statistics import elo, score_interval

    by_seed: dict[int, list[float]] = {}
    for game in played:
        by_seed.setdefault(game.seed, []).append(game.score)
    pairs = [sum(scores) / 2 for scores in by_seed.values() if len(scores) == 2]
    found = score_interval(pairs)
    spent = {
        name: 1000 * sum(game.cpu[name] for game in played) / max(1, sum(game.moves[name] for game in played))
        for name in (TODAY, THEN)
    }
    return (
        f"score  {found.mean:.3f} ({found.low:.3f} .. {found.high:.3f}, {found.confidence:.0%})   "
        f"Elo {elo(found.mean):+.0f}   pairs {len(pairs)}\n"
        f"CPU    {spent[TODAY]:.1f} ms a move today, {spent[THEN]:.1f} ms frozen"
    )


# --- both processes, several games at once -------------------------------------------------------------


def unpacked(archive: str, commit: str, folder: Path) -> Path:
    """The `src` of the frozen commit, taken out of an archive or the repository into a folder."""
    if not archive:
        archive = str(folder / "frozen.tar")
        subprocess.run(["git", "archive", "-o", archive, commit, "src"], cwd=ROOT, check=True)
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return folder / "src"


def play_all(plan: Plan, source: Path, games: int, workers: int, out: IO[str], done: list[Played]) -> Iterator[Played]:
    """Play what is missing, several games at once, and write each as it ends."""
    known = {(game.seed, game.exchanged) for game in done}
    wanted = [(plan.seed + number // 2, number % 2 == 1) for number in range(games)]
    missing = [game for game in wanted if game not in known]
    # Two versions of one source file would throw each other out of a common cache.
    cache = Path(os.environ.get("MEEPLE_CACHE_DIR") or Path.home() / ".cache") / "meeple-frozen" / plan.commit
    local = threading.local()
    started: list[Process] = []

    def sides() -> dict[str, Process]:
        if not hasattr(local, "sides"):
            local.sides = {TODAY: Process(TODAY, ROOT / "src"), THEN: Process(THEN, source, cache)}
            started.extend(local.sides.values())
        pair: dict[str, Process] = local.sides
        return pair

    try:
        with ThreadPoolExecutor(max_workers=workers) as pool:
            for game in pool.map(lambda each: play(plan, sides(), *each), missing):
                out.write(json.dumps(asdict(game)) + "\n")
                out.flush()
                yield game
    finally:
        for process in started:
            process.close()


def main(arguments: list[str] | None = None) -> int:
    """Play and print; 1 where a side failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", help="a game's spec, such as azul or saboteur:players=5")
    parser.add_argument("agent", help="today's agent, without a limit, such as puct:evaluation=model@FILE")
    parser.add_argument("--frozen", default="", help="the frozen commit's agent; by default its strongest of the game")
    parser.add_argument("--cpu", default="20ms", help="CPU time a move of both; 0: as their specs say")
    parser.add_argument("--games", type=int, default=400, help="an even number, two a seed")
    parser.add_argument("--seed", type=int, default=779)
    parser.add_argument("--workers", type=int, default=1, help="games at once, two processes each")
    parser.add_argument("--archive", default="", help="tar of the frozen src; by default made from the repository")
    parser.add_argument("--commit", default=COMMIT, help="another commit to play against")
    parser.add_argument("--out", type=Path, default=None, help="file of results, to go on with")
    given = parser.parse_args(arguments)
    name = given.game.partition(":")[0]
    if not given.frozen and name not in FROZEN:
        parser.error(f"no frozen agent of '{name}' is known; give --frozen")
    cpu = "" if given.cpu == "0" else given.cpu
    plan = Plan(given.game, given.agent, given.frozen or FROZEN[name], cpu, given.commit, given.seed)
    with tempfile.TemporaryDirectory() as folder:
        file = given.out or Path(folder) / "results.jsonl"
        try:
            done = read_results(file, plan)
            source = unpacked(given.archive, given.commit, Path(folder))
            with file.open("a") as out:
                for number, game in enumerate(
                    play_all(plan, source, given.games, given.workers, out, done), len(done) + 1
                ):
                    done.append(game)
                    if number % 20 == 0:
                        print(f"{number} games: {summary(plan, done).splitlines()[0]}", file=sys.stderr)
        except (SideError, OSError, subprocess.CalledProcessError, tarfile.TarError, ValueError) as fault:
            print(f"Error: {fault}", file=sys.stderr)
            return 1
        print(
            f"{plan.game}: {plan.today} against {plan.frozen} of {plan.commit[:7]}, {plan.cpu or 'own limits'} a move"
        )
        print(summary(plan, done))
    return 0


if __name__ == "__main__":
    sys.exit(main())
