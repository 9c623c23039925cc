"""What an analysis costs and how far it can be believed: the figures of docs/analysis.md.

    python bench/analysis.py [GAME ...] [--equal 8] [--unequal 8] [--luck 30] [--quick] [--keep FOLDER] [--write]

Three kinds of matches are played and analysed, each a line in FOLDER/GAME.jsonl; stopped or killed, the same command
goes on where it was. Lines of a judge that has been calibrated anew since are passed over, and their matches measured
again.

    equal     two of the best level that plays by counted work (where no three levels are below it, the strongest with
              the work of a judge): analysed at `quick` and `normal` effort, and at `normal` with another seed
    unequal   the same against the level three steps weaker, seats in turn: at `quick` and `normal` effort
    luck      the game's Level 2 in every seat: chance alone is judged, at `normal` effort

Of two analyses of a match that differ in their seed, *overlap* is the number of moves that both flag as a share of
those that either flags; a move is flagged where its loss less its error reaches 5 or 10 points of win chance. Beyond
two seats luck is net, and one seat is the weaker. CPU time is that of all threads, and the first graph is there when
every position has been looked at once; both without compiling. `--write` renews the page's tables from what is kept,
and without a GAME measures nothing.
"""

# ruff: noqa: E402
from __future__ import annotations

import argparse
import json
import math
import os
import re
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from meeple.agents.levels import judge_spec, levels_of
from meeple.analysis.analyse import AnalysisRun, Source, cores
from meeple.analysis.calibration import Calibration, calibration_of
from meeple.analysis.judge import find_judge
from meeple.analysis.result import Analysis
from meeple.arena.match import play_match
from meeple.arena.openings import random_opening
from meeple.core.game import Game
from meeple.core.match import Match
from meeple.core.registry import game_names, load_game

KEPT, PAGE = ROOT / "bench" / "results" / "analysis", ROOT / "docs" / "analysis.md"
PART = re.compile(r"(<!-- figures: [^\n]*-->\n).*?(<!-- /figures -->)", re.DOTALL)
STEPS = 3  # levels between unequal players
FIRST_SEEDS = {"equal": 1, "unequal": 1001, "luck": 2001}
FLAGS = (0.05, 0.10)  # of win chance, that a loss less its error reaches
NOT_MEASURED = "-"
COMMAND = "python bench/analysis.py"
Line = dict[str, Any]


@dataclass(frozen=True)
class Effort:
    """One analysis of a match: its name in the file, and how it is made."""

    name: str
    effort: str
    seed: int = 0
    judges_moves: bool = True


KINDS = {
    "equal": (Effort("quick", "quick"), Effort("normal", "normal"), Effort("again", "normal", seed=1)),
    "unequal": (Effort("quick", "quick"), Effort("normal", "normal")),
    "luck": (Effort("luck", "normal", judges_moves=False),),
}
SMALL = {
    "equal": (Effort("quick", "quick"), Effort("normal", "quick"), Effort("again", "quick", seed=1)),
    "unequal": (Effort("quick", "quick"), Effort("normal", "quick")),
    "luck": (Effort("luck", "quick", judges_moves=False),),
}

# --- matches


def pair_of_levels(game: Game) -> tuple[str, str]:
    """The agents of a strong level and of the one three steps weaker; neither looks at a clock."""
    specs = list(levels_of(game.definition).values())
    strong = len(specs) - 2 if len(specs) - 2 >= STEPS else len(specs) - 1
    by_work = judge_spec(game.definition, seats=game.seats) if strong == len(specs) - 1 else specs[strong]
    return by_work, specs[strong - STEPS]


def weaker_seat(kind: str, number: int, seats: int) -> int:
    """Where the weaker player sits; -1 where all are equal."""
    return number % seats if kind == "unequal" else -1


def players(game: Game, kind: str, number: int) -> list[str]:
    """The agents of a match by seat."""
    if kind == "luck":
        return [list(levels_of(game.definition).values())[1]] * game.seats
    strong, weak = pair_of_levels(game)
    return [weak if seat == weaker_seat(kind, number, game.seats) else strong for seat in range(game.seats)]


def played(game: Game, kind: str, number: int) -> Match:
    """Match `number` of a kind; without chance it begins with a random opening, else all would be alike."""
    seed = FIRST_SEEDS[kind] + number
    return play_match(game, players(game, kind, number), seed=seed, start=random_opening(game, seed))


# --- measured


def measured(match: Match, how: Effort, calibration: Calibration, threads: int) -> Line:
    """What one analysis of a match cost and found."""
    first: list[float] = []

    def watch(found: Analysis, done: int, total: int) -> None:
        if done == total and not first:
            first.append(time.perf_counter() - began)

    began, cpu = time.perf_counter(), time.process_time()
    seats = None if how.judges_moves else ()
    run = AnalysisRun(Source.of(match), how.effort, seats, seed=how.seed, save=False, calibration=calibration)
    found = run.go(threads, watch)
    cost = {"cpu": round(time.process_time() - cpu, 2), "wall": round(time.perf_counter() - began, 2)}
    return cost | {"first": round(first[0], 2)} | told(found)


def told(found: Analysis) -> Line:
    """What the figures are made of."""
    chosen = [each for each in found.decisions if each.is_judged and not each.is_forced]
    losses = [math.fsum(each.loss for each in chosen if each.seat == seat) for seat in range(found.seats)]
    return {
        "choices": len(chosen),
        "error": round(fmean(each.error for each in chosen), 5) if chosen else None,
        "lost": [round(loss, 4) for loss in losses],
        "flags": [
            [each.ply, round(each.loss - each.error, 4)] for each in chosen if each.loss - each.error >= FLAGS[0]
        ],
        "luck": round(found.summaries[0].net_luck, 5),
        "unexplained": round(found.unexplained[0], 5),
    }


def measure_match(game: Game, kind: str, number: int, how: Iterable[Effort], head: Line, threads: int) -> Line:
    """A line of the file."""
    match = played(game, kind, number)
    calibration = calibration_of(game.definition, head["judge"])
    runs = {each.name: measured(match, each, calibration, threads) for each in how}
    efforts = {each.name: each.effort for each in how}
    names = players(game, kind, number)
    when = {"date": time.strftime("%Y-%m-%d", time.gmtime()), "load": round(os.getloadavg()[0], 1)}
    about = {"kind": kind, "number": number, "players": names, "efforts": efforts}
    return head | about | {"moves": match.ply, **when, "cores": threads, "runs": runs}


def head_of(game: Game) -> Line:
    """By what a line is known to be of today's judge."""
    judge = find_judge(game).spec
    found = calibration_of(game.definition, judge)
    return {"game": game.spec, "version": game.facts.version, "judge": judge, "slope": found.slope, "work": found.work}


def warm_up(game: Game) -> None:
    """Compile what an analysis needs, so that it is not measured."""
    match = played(game, "luck", 0)
    AnalysisRun(Source.of(match), "quick", save=False, calibration=Calibration(work=1)).go(1, None)


# --- kept


def lines_of(path: Path) -> list[Line]:
    """All whole lines of a file; half a line at its end, left by a kill, is cut off."""
    if not path.is_file():
        return []
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        path.write_bytes(whole)
    return [json.loads(line) for line in whole.splitlines()]


def current(lines: Iterable[Line], head: Line, small: bool) -> list[Line]:
    """Those of today's judge and of this size, one a match: the last."""
    efforts = {kind: {each.name: each.effort for each in how} for kind, how in (SMALL if small else KINDS).items()}
    found = {}
    for line in lines:
        if all(line[name] == value for name, value in head.items()) and line["efforts"] == efforts[line["kind"]]:
            found[line["kind"], line["number"]] = line
    return [found[key] for key in sorted(found)]


def measure(game: Game, path: Path, wanted: dict[str, int], small: bool) -> None:
    """Play and analyse what the file lacks, kinds in turn so that a run that is stopped has some of each."""
    head = head_of(game)
    done = {(line["kind"], line["number"]) for line in current(lines_of(path), head, small)}
    order = [(number / count, kind, number) for kind, count in wanted.items() for number in range(count)]
    missing = [(kind, number) for _, kind, number in sorted(order) if (kind, number) not in done]
    if missing:
        warm_up(game)
        path.parent.mkdir(parents=True, exist_ok=True)
    for kind, number in missing:
        line = measure_match(game, kind, number, (SMALL if small else KINDS)[kind], head, cores())
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        seconds = sum(run["cpu"] for run in line["runs"].values())
        said = f"{game.spec}: {kind} {number}, {line['moves']} moves, {seconds:.0f} s of CPU"
        print(said, file=sys.stderr, flush=True)


# --- figures


def overlap(pairs: Iterable[tuple[list[list[float]], list[list[float]]]], least: float) -> tuple[int, int]:
    """Moves that both analyses of a match flag, and those that either flags, over all matches."""
    both = either = 0
    for one, other in pairs:
        first, second = ({ply for ply, sure in flags if sure >= least} for flags in (one, other))
        both, either = both + len(first & second), either + len(first | second)
    return both, either


def luck_in_errors(values: list[float]) -> tuple[float, float, float]:
    """The mean, its standard error, and how many errors it is from 0."""
    error = stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return fmean(values), error, fmean(values) / error if error > 0 else math.nan


def loses_more(line: Line) -> bool:
    """Whether the weaker player lost more than the others on average."""
    lost = line["runs"]["normal"]["lost"]
    weak = weaker_seat("unequal", line["number"], len(lost))
    return bool(lost[weak] > fmean(lost[:weak] + lost[weak + 1 :]))


COSTS = (("quick", "cpu"), ("quick", "wall"), ("normal", "cpu"), ("normal", "wall"), ("normal", "first"))


def cost_row(title: str, lines: list[Line]) -> list[str]:
    """What an analysis of a match costs; medians, since others' work makes some far too long."""
    runs = [line["runs"] for line in lines if line["kind"] != "luck"]
    if not runs:
        return []
    cells = [f"{median(run[name][key] for run in runs):.1f}" for name, key in COSTS]
    moves = fmean(line["moves"] for line in lines if line["kind"] != "luck")
    load = fmean(line["load"] for line in lines if line["kind"] != "luck")
    return [title, str(len(runs)), f"{moves:.0f}", *cells, f"{load:.1f} on {lines[0]['cores']} cores"]


def trust_row(title: str, lines: list[Line]) -> list[str]:
    """How far the analyses of a game can be believed."""
    kinds = {kind: [line["runs"] for line in lines if line["kind"] == kind] for kind in KINDS}
    judged = [run for runs in kinds["equal"] for run in (runs["normal"], runs["again"])]
    judged += [runs["normal"] for runs in kinds["unequal"]]
    choices = sum(run["choices"] for run in judged)
    error = math.fsum(run["error"] * run["choices"] for run in judged) / choices if choices else math.nan
    lucky = [runs["luck"]["luck"] for runs in kinds["luck"]]
    cells = [f"{error:.4f} ({choices:,})" if choices else NOT_MEASURED]
    if any(lucky):
        mean, spread, away = luck_in_errors(lucky)
        cells.append(f"{mean:+.3f} ± {spread:.3f}: {away:+.1f} ({len(lucky)})")
    else:
        cells.append("no chance" if lucky else NOT_MEASURED)
    for kind in ("equal", "unequal"):
        left = [abs(runs["normal"]["unexplained"]) for runs in kinds[kind]]
        cells.append(f"{fmean(left):.2f} ({len(left)})" if left else NOT_MEASURED)
    for least in FLAGS:
        both, either = overlap(((runs["normal"]["flags"], runs["again"]["flags"]) for runs in kinds["equal"]), least)
        cells.append(f"{both / either:.0%} ({both} of {either})" if either else NOT_MEASURED)
    unequal = [loses_more(line) for line in lines if line["kind"] == "unequal"]
    cells.append(f"{sum(unequal)} of {len(unequal)}" if unequal else NOT_MEASURED)
    return [title, *cells]


# What is aimed at, on two quiet cores.
COST_AIMS = ["*aim*", "", "", "", "5", "", "20, Azul 15", "3", "0"]
TRUST_AIMS = ["*aim*", "0.01", "3.5", "0.3", "0.15", "85% of 50", "90%", "95% of 40"]
COST_HEADS = ["game", "matches", "moves", "quick: CPU s", "wall s", "normal: CPU s", "wall s", "first graph s", "load"]
TRUST_HEADS = [
    "game",
    "error of a loss (moves)",
    "mean luck, in errors (matches)",
    "unexplained, equal (matches)",
    "unequal",
    "overlap at 5",
    "at 10",
    "weaker loses more",
]


def block(found: list[tuple[str, list[Line]]], command: str) -> str:
    """What stands on the page: two tables, what they were measured with, and what was not measured."""
    lines = [line for _, own in found for line in own]
    if not lines:
        return "Nothing is measured of today's judges.\n"
    dates = sorted({line["date"] for line in lines})
    days = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    tables = [
        _table(COST_HEADS, [*(row for title, own in found if (row := cost_row(title, own))), COST_AIMS]),
        _table(TRUST_HEADS, [*(trust_row(title, own) for title, own in found), TRUST_AIMS]),
    ]
    missing = [name for name in game_names() if name not in {line["game"].partition(":")[0] for line in lines}]
    said = f"Measured {days} by `{command}`; a seat's parts in win chance, 1 is a game."
    left = f" Not measured: {', '.join(missing)}." if missing else ""
    return f"{said}{left}\n\n{tables[0]}\n{tables[1]}"


def _table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def path_in(folder: Path, game: Game) -> Path:
    """The file of a game's lines."""
    return folder / f"{game.name}.jsonl"


def kept_figures(folder: Path, games: Iterable[str], small: bool = False) -> list[tuple[str, list[Line]]]:
    """The lines that a folder holds of these games and their judges of today; games without any are left out."""
    found = []
    for game in map(load_game, games):
        lines = lines_of(path_in(folder, game))
        if lines and (own := current(lines, head_of(game), small)):
            found.append((game.facts.title, own))
    return found


def with_figures(text: str, folder: Path = KEPT) -> str:
    """The page with the figures that are kept."""
    made = block(kept_figures(folder, game_names()), COMMAND)
    return PART.sub(lambda part: f"{part[1]}{made}{part[2]}", text)


def main(arguments: list[str] | None = None) -> int:
    """Measure what is missing, print the tables, and with `--write` put them on the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="all by default")
    parser.add_argument("--equal", type=int, default=8, help="matches of equal players")
    parser.add_argument("--unequal", type=int, default=8, help="matches of a level against one three steps weaker")
    parser.add_argument("--luck", type=int, default=30, help="matches whose chance alone is judged")
    parser.add_argument("--quick", action="store_true", help="one match of each kind, two for luck, at quick effort")
    parser.add_argument("--keep", type=Path, default=KEPT, help="folder of the lines measured")
    parser.add_argument("--write", action="store_true", help="put the kept figures on docs/analysis.md")
    given = parser.parse_args(arguments)
    wanted = {"equal": given.equal, "unequal": given.unequal, "luck": given.luck}
    if given.quick:
        wanted = {"equal": 1, "unequal": 1, "luck": 2}
    if given.write and (given.quick or given.keep != KEPT):
        parser.error("--write takes the figures that are kept, measured at full effort: leave out --quick and --keep")
    for name in given.games or ([] if given.write else game_names()):
        game = load_game(name)
        measure(game, path_in(given.keep, game), wanted, given.quick)
    found = kept_figures(given.keep, given.games or game_names(), given.quick)
    if found:
        print(block(found, COMMAND))
    if given.write:
        PAGE.write_text(with_figures(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
