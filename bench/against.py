"""Is this checkout slower than another? The rows of `meeple bench`, measured in turn with the other's code.

    python bench/against.py OTHER/src [GAME ...] [--works NAME ...] [--slices N]

Two runs of `meeple bench` an hour apart differ by more than most changes do, for reasons of the machine. Here both
sides are alive at once and work one short slice after the other, by CPU time, so that what disturbs one disturbs the
other; the best and the median slice are compared, and above 1.00 this checkout is faster. OTHER is any checkout since
`meeple bench` is there, for example `git worktree add ../before COMMIT` and then `../before/src`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parents[1] / "src"
NO_ROW = 3  # the exit code where a checkout is older than the row
SLICE_SECONDS = 0.03  # of the rules' rows; a search's are as long as `meeple bench` makes them


def main() -> int:
    """Print a row a game and kind of work."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("other", help="the folder src of the checkout to compare with")
    parser.add_argument("games", nargs="*", help="all by default")
    parser.add_argument("--works", nargs="*", default=[], help="kinds of work, all by default")
    parser.add_argument("--slices", type=int, default=40)
    parser.add_argument(
        "--cache", default=tempfile.gettempdir() + "/meeple-against", help="where compiled code is kept"
    )
    asked = parser.parse_args()
    if not (Path(asked.other) / "meeple").is_dir():
        parser.error(f"'{asked.other}' has no folder meeple: name the folder src of a checkout")
    rows = json.loads(_run(HERE, asked.cache, "list", *asked.games).stdout)
    for game, work in [(game, work) for game, work in rows if not asked.works or work in asked.works]:
        print(f"{game:24}{work:24}{_compared(asked, game, work)}", flush=True)
    return 0


def _compared(asked: argparse.Namespace, game: str, work: str) -> str:
    """One row: how often more a second this checkout does than the other."""
    sides = {"here": str(HERE), "other": asked.other}
    for src in sides.values():  # compile first: what was compiled just now is slower than the same code from the cache
        code = _run(src, asked.cache, game, work, feed="slice\n").returncode
        if code:
            return f"{'there is no such row' if code == NO_ROW else 'cannot be measured'} in {src}"
    running = {side: _start(src, asked.cache, game, work) for side, src in sides.items()}
    speeds: dict[str, list[float]] = {side: [] for side in sides}
    for number in range(asked.slices):
        for side in sorted(sides, reverse=number % 2 == 1):
            running[side].stdin.write("slice\n")
            running[side].stdin.flush()
            speeds[side].append(float(running[side].stdout.readline()))
    for process in running.values():
        process.stdin.close()
        process.wait()
    best, middle = (each(speeds["here"]) / each(speeds["other"]) for each in (max, median))
    return f"best {best:.3f}  median {middle:.3f}"


def _environment(src: str | Path, cache: str) -> dict[str, str]:
    folder = Path(cache) / ("here" if Path(src) == HERE else "other")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.environ | {"PYTHONPATH": str(src), "MEEPLE_CACHE_DIR": str(folder), "MEEPLE_QUIET": "1"}


def _run(src: str | Path, cache: str, *words: str, feed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", __file__, "--slice-worker", *words]
    return subprocess.run(command, env=_environment(src, cache), input=feed, text=True, stdout=subprocess.PIPE)


def _start(src: str, cache: str, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-P", __file__, "--slice-worker", *words]
    return subprocess.Popen(command, env=_environment(src, cache), stdin=-1, stdout=-1, text=True)


def worker(words: list[str]) -> None:
    """One side: print the rows that there are, or the speed of one slice for each line that comes."""
    time.perf_counter = time.monotonic = time.process_time  # before anything else takes the clock: all is by CPU time
    from meeple.agents import benchmark as agent_speed
    from meeple.core import benchmark as rules_speed
    from meeple.core.registry import game_names, load_game
    from meeple.search import benchmark as search_speed

    modules = (rules_speed, search_speed, agent_speed)
    if words[0] == "list":
        works = [work for module in modules for work in module.WORKS]
        games = {name: load_game(name) for name in words[1:] or game_names()}
        rows = [(name, work) for name in games for work in works if all(m.applies(games[name], work) for m in modules)]
        print(json.dumps(rows))
        return
    game, work = load_game(words[0]), words[1]
    rules_speed.SLICES = search_speed.SLICES = 1
    rules_speed.SLICE_SECONDS = SLICE_SECONDS
    agent_speed.SECONDS, agent_speed.FEWEST_GAMES = 0.0, 1
    measure = next((module.measure for module in modules if work in module.WORKS), None)
    if measure is None:
        sys.exit(NO_ROW)
    for _ in sys.stdin:
        print(measure(game, work)["per_second"], flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--slice-worker"]:
        worker(sys.argv[2:])
    else:
        sys.exit(main())
