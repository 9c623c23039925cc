"""Play today's agents against those of the frozen commit, by that commit's own code (docs/strength.md).

    python bench/frozen.py GAME AGENT [--cpu 20ms] [--games 400] [--ours 1] [--sprt 0.75] [--out FILE]

Each side is a process of its own: today's source on the PYTHONPATH of one, an archive of the frozen commit's `src` on
that of the other, with a compile cache of its own. They exchange moves as text. Both have the same CPU time a
move, each by its own clock; what each really used is told beside the score. Every seed is played as a set of games:
twice with seats exchanged (beyond two seats: every second seat is today's, then the others are), or, with `--ours 1`,
once for each seat, which alone is today's. Each finished game is a line in FILE, and the same command goes on where it
was stopped.

With `--ours 1` the score is today's win share. The frozen agent's in the same seats of the same seeds needs no games:
the shares of a game among frozen agents add up to 1, so that over all seats of a seed its mean is an even share,
whatever happens. What is told is the ratio of the two.

`--sprt SHARE` ends the match when a sequential test (meeple.arena.sprt) has decided whether the score is SHARE, or
only 0.05 below it; `--sprt LOW,SHARE` names that bound too. It looks after every fourth set; later games do not count.

It needs Python, Numba, NumPy and SciPy, and runs from a bare source tree without a network. Where there is no
repository, pack the archive before: `git archive -o frozen.tar COMMIT src`, and give --archive frozen.tar.
"""

# ruff: noqa: E402
from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tarfile
import tempfile
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from meeple.arena.sprt import Sprt, count_scores, elo_for, expected_share
from meeple.arena.statistics import Interval, elo, score_interval
from meeple.arena.tournament import LOOK_EVERY
from meeple.core.registry import load_game
from meeple.errors import MeepleError

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
BELOW = 0.05  # by how much H0 of an SPRT is below the share that is asked for


@dataclass(frozen=True)
class Plan:
    """What is played: written first into the file of results, and compared when it is gone on with."""

    game: str
    today: str
    frozen: str
    cpu: str
    commit: str
    seed: int  # the first
    ours: int = 0  # seats of today's agent in each game: half of them (0), or one (1)

    def owners(self, seating: int, seats: int) -> list[str]:
        """Whose each seat is in a game of a set."""
        if self.ours:
            return [TODAY if seat == seating else THEN for seat in range(seats)]
        return [TODAY if seat % 2 == seating else THEN for seat in range(seats)]

    def games_a_set(self, seats: int) -> int:
        """Games of one seed."""
        return seats if self.ours else 2

    def score(self, game: Played) -> float:
        """Today's score: its win share; where it has half of more than two seats, 1/2 and half its seats' lead in
        mean share."""
        return game.shares[TODAY] if self.ours else 0.5 + (game.shares[TODAY] - game.shares[THEN]) / 2


@dataclass(frozen=True)
class Played:
    """One finished game."""

    seed: int
    seating: int  # its number within the set
    shares: dict[str, float]  # mean win share of each side's seats
    cpu: dict[str, float]  # seconds of CPU time
    moves: dict[str, int]


@dataclass(frozen=True)
class Found:
    """What the whole sets say that count."""

    plan: Plan
    seats: int
    scores: tuple[float, ...]  # of each set, in the order of the seeds
    verdict: str = ""  # of an SPRT: H1, H0, or go on
    cpu: tuple[float, float] = (0.0, 0.0)  # milliseconds a move, today's and the frozen agent's

    @property
    def interval(self) -> Interval:
        """The score over the sets."""
        return score_interval(self.scores)

    @property
    def games(self) -> int:
        """Games that count."""
        return len(self.scores) * self.plan.games_a_set(self.seats)

    def as_json(self) -> dict[str, Any]:
        """The result without its games: a line of bench/results."""
        share = self.interval
        return {
            **asdict(self.plan),
            "sets": len(self.scores),
            "games": self.games,
            **{name: round(value, 4) for name, value in asdict(share).items() if name != "mean"},
            "score": round(share.mean, 4),
            **({"ratio": round(self.seats * share.mean, 3)} if self.plan.ours else {}),
            "used": [round(each, 1) for each in self.cpu],
            **({"sprt": self.verdict} if self.verdict else {}),
        }


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


def play(plan: Plan, sides: dict[str, Process], seed: int, seating: int) -> Played:
    """One game. Both sides hold the match and must agree on where it stands after every move."""
    start = sides[TODAY].ask(do="opening", game=plan.game, seed=seed)["start"]
    marks = _agreed(sides, do="begin", game=plan.game, seed=seed, start=start)
    specs = {TODAY: plan.today, THEN: plan.frozen}
    owners = plan.owners(seating, marks["seats"])
    cpu, moves = dict.fromkeys(specs, 0.0), dict.fromkeys(specs, 0)
    while marks["shares"] is None:
        name = owners[marks["to_move"]]
        chosen = sides[name].ask(do="choose", agent=specs[name], cpu=plan.cpu)
        cpu[name] += chosen["cpu"]
        moves[name] += 1
        marks = _agreed(sides, do="play", move=chosen["move"])
    if plan.ours and abs(sum(marks["shares"]) - 1) > 1e-9:
        raise SideError("partners win as one in this game, so an even share is not 1 / seats: leave --ours out")
    seats = {name: [seat for seat, owner in enumerate(owners) if owner == name] for name in specs}
    shares = {name: sum(marks["shares"][seat] for seat in own) / len(own) for name, own in seats.items()}
    return Played(seed, seating, shares, cpu, moves)


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
    if Plan(**json.loads(first)) != plan:
        raise SideError(f"'{file}' holds games of other settings: {first}")
    file.write_text(whole + "\n")
    return [_played(json.loads(line)) for line in rest]


def _played(row: dict[str, Any]) -> Played:
    if "exchanged" in row:  # the word of older files
        row["seating"] = int(row.pop("exchanged"))
    return Played(**row)


def found_in(plan: Plan, seats: int, played: Iterable[Played], sprt: Sprt | None = None) -> Found:
    """What the whole sets say, in the order of the seeds up to the first that is missing, or to a test's end."""
    sets: dict[int, list[Played]] = {}
    for game in sorted(played, key=lambda game: game.seating):
        sets.setdefault(game.seed, []).append(game)
    whole: list[list[Played]] = []
    verdict = "go on" if sprt else ""
    while len(sets.get(plan.seed + len(whole), ())) == plan.games_a_set(seats) and verdict in ("", "go on"):
        whole.append(sets[plan.seed + len(whole)])
        if sprt and len(whole) % LOOK_EVERY == 0:
            verdict = sprt.look(count_scores(_scores(plan, whole))).verdict
    spent = [
        1000 * sum(game.cpu[name] for games in whole for game in games)
        / max(1, sum(game.moves[name] for games in whole for game in games))
        for name in (TODAY, THEN)
    ]  # fmt: skip
    return Found(plan, seats, tuple(_scores(plan, whole)), verdict, (spent[0], spent[1]))


def _scores(plan: Plan, sets: Iterable[list[Played]]) -> list[float]:
    return [sum(map(plan.score, games)) / len(games) for games in sets]


def summary(found: Found, sprt: Sprt | None = None) -> str:
    """Score with its interval over whole sets, the CPU time of each side, and what a test has decided."""
    share, seats = found.interval, found.seats
    span = f"({share.low:.3f} .. {share.high:.3f}, {share.confidence:.0%})"
    if found.plan.ours:
        ratio = f"({seats * share.low:.2f} .. {seats * share.high:.2f})"
        lines = [
            f"share  {share.mean:.3f} {span}   frozen {1 / seats:.3f} in the same seats and seeds   "
            f"ratio {seats * share.mean:.2f} {ratio}   sets {len(found.scores)}"
        ]
    else:
        lines = [f"score  {share.mean:.3f} {span}   Elo {elo(share.mean):+.0f}   pairs {len(found.scores)}"]
    lines.append(f"CPU    {found.cpu[0]:.1f} ms a move today, {found.cpu[1]:.1f} ms frozen")
    if sprt:
        look = sprt.look(count_scores(found.scores))
        low, high = (expected_share(elo, sprt.seats) for elo in (sprt.elo0, sprt.elo1))
        words = {"H1": f"{high:.3f} rather than {low:.3f}", "H0": f"{low:.3f} rather than {high:.3f}"}
        lines.append(f"SPRT   {words.get(found.verdict, 'undecided')}   llr {look.llr:+.2f} in {look.lower:.2f} .. "
                     f"{look.upper:.2f}, errors of 5%")  # fmt: skip
    return "\n".join(lines)


def keep(file: Path, found: Found) -> None:
    """Put a result into a file of results, in the place of an older one of the same match; its note stays."""
    row, same = found.as_json(), asdict(found.plan)
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    place = next((i for i, old in enumerate(rows) if old | same == old), len(rows))
    note = {"note": old["note"]} if place < len(rows) and "note" in (old := rows[place]) else {}
    rows[place : place + 1] = [row | note]
    file.write_text("".join(json.dumps(each) + "\n" for each in rows))


def read_sprt(text: str, seats: int) -> Sprt:
    """The test that `SHARE` or `LOW,SHARE` names, of the score where an even one is 1 / seats.

    Raises:
        ValueError: these are no two shares between 0 and 1, the lower first.
    """
    *lows, share = (float(part) for part in text.split(","))
    low = lows[0] if lows else share - BELOW
    if len(lows) > 1 or not 0 < low < share < 1:
        raise ValueError(f"--sprt takes SHARE or LOW,SHARE between 0 and 1, such as 0.75 or 0.70,0.75; not '{text}'")
    return Sprt(elo_for(low, seats), elo_for(share, seats), seats=seats)


# --- both processes, several games at once -------------------------------------------------------------


def unpacked(archive: str, commit: str, folder: Path) -> Path:
    """The `src` of the frozen commit, taken out of an archive or the repository into a folder."""
    if not archive:
        archive = str(folder / "frozen.tar")
        subprocess.run(["git", "archive", "-o", archive, commit, "src"], cwd=ROOT, check=True)
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return folder / "src"


def play_all(plan: Plan, source: Path, wanted: list[tuple[int, int]], workers: int, out: IO[str]) -> Iterator[Played]:
    """Play the wanted games, (seed, seating), several at once, and write each as it ends, in their order."""
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

    pool = ThreadPoolExecutor(max_workers=workers)
    try:
        for game in pool.map(lambda each: play(plan, sides(), *each), wanted):
            out.write(json.dumps(asdict(game)) + "\n")
            out.flush()
            yield game
    finally:
        pool.shutdown(cancel_futures=True)  # those under way are played to their end
        for process in started:
            process.close()


def main(arguments: list[str] | None = None) -> int:
    """Play and print; 1 where a side failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", help="a game's spec, such as azul or saboteur:players=5")
    parser.add_argument("agent", help="today's agent, without a limit, such as puct:evaluation=model@FILE")
    parser.add_argument("--frozen", default="", help="the frozen commit's agent; by default its strongest of the game")
    parser.add_argument("--cpu", default="20ms", help="CPU time a move of both; 0: as their specs say")
    parser.add_argument("--games", type=int, default=400, help="in whole sets; at most so many with --sprt")
    parser.add_argument("--ours", type=int, default=0, choices=(0, 1), help="1: one seat is today's, each in turn")
    parser.add_argument("--sprt", default="", help="SHARE or LOW,SHARE: end when one of the two is likelier")
    parser.add_argument("--seed", type=int, default=779)
    parser.add_argument("--workers", type=int, default=1, help="games at once, two processes each")
    parser.add_argument("--archive", default="", help="tar of the frozen src; by default made from the repository")
    parser.add_argument("--commit", default=COMMIT, help="another commit to play against")
    parser.add_argument("--out", type=Path, default=None, help="file of results, to go on with")
    parser.add_argument("--keep", type=Path, default=None, help="file for the result without its games: bench/results")
    given = parser.parse_args(arguments)
    name = given.game.partition(":")[0]
    if not given.frozen and name not in FROZEN:
        parser.error(f"no frozen agent of '{name}' is known; give --frozen")
    cpu = "" if given.cpu == "0" else given.cpu
    plan = Plan(given.game, given.agent, given.frozen or FROZEN[name], cpu, given.commit, given.seed, given.ours)
    try:
        seats = load_game(plan.game).seats
        sprt = read_sprt(given.sprt, seats if plan.ours else 2) if given.sprt else None
    except (MeepleError, ValueError) as fault:
        parser.error(str(fault))
    size = plan.games_a_set(seats)
    wanted = [divmod(number, size) for number in range(math.ceil(given.games / size) * size)]
    with tempfile.TemporaryDirectory() as folder:
        file = given.out or Path(folder) / "results.jsonl"
        try:
            done = read_results(file, plan)
            found = found_in(plan, seats, done, sprt)
            known = {(game.seed, game.seating) for game in done}
            missing = [(plan.seed + row, seating) for row, seating in wanted if (plan.seed + row, seating) not in known]
            if missing and found.verdict in ("", "go on"):
                source = unpacked(given.archive, given.commit, Path(folder))
                with file.open("a") as out, closing(play_all(plan, source, missing, given.workers, out)) as games:
                    for game in games:
                        done.append(game)
                        found = found_in(plan, seats, done, sprt)
                        if found.verdict not in ("", "go on"):
                            break
                        if len(done) % 20 == 0:
                            print(f"{len(done)} games: {summary(found, sprt).splitlines()[0]}", file=sys.stderr)
        except (SideError, OSError, subprocess.CalledProcessError, tarfile.TarError, ValueError) as fault:
            print(f"Error: {fault}", file=sys.stderr)
            return 1
        print(
            f"{plan.game}: {plan.today} against {plan.frozen} of {plan.commit[:7]}, {plan.cpu or 'own limits'} a move"
        )
        print(summary(found, sprt))
        if given.keep:
            keep(given.keep, found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
