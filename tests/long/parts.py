"""The long tests in named parts, each at most a quarter of an hour on two cores.

`make test-long PART=laws-azul` runs one, `PART=list` shows them, and without PART all are run in turn. Each
run writes its row of docs/long-tests.md: part, commit, date, result, minutes. Several may run side by side, where there
are cores for it: `xargs -P 8 -n 1 make test-long` with words PART=NAME.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from filelock import FileLock

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "long-tests.md"
GAMES = ("santorini", "azul", "ingenious", "sagrada", "saboteur", "saboteur-duel")

# Part -> patterns (`*` stands for anything) of the names of its tests. Every test marked `long` is in one part only.
PARTS: dict[str, tuple[str, ...]] = {}
for _game in GAMES:
    _soak = "tests/conformance/test_soak.py::test_{}[[]" + _game + "-[0-9][]]"
    PARTS[f"laws-{_game}"] = (_soak.format("laws_at_length"),)
    PARTS[f"interpreted-{_game}"] = (_soak.format("laws_interpreted"),)
    PARTS[f"bounds-{_game}"] = (_soak.format("laws_with_bounds"),)
    PARTS[f"fuzz-{_game}"] = (f"tests/fuzz/test_fuzz.py::*[[]{_game}-[0-9][]]",)
    PARTS[f"agents-{_game}"] = (f"tests/search/test_bounds.py::test_*_whole_matches[[]{_game}[]]",)
    if _game != "santorini":  # which has neither chance nor secrets
        PARTS[f"leaks-{_game}"] = (f"tests/search/test_audit.py::*[[]{_game}[]]",)
        PARTS[f"luck-{_game}"] = (f"tests/analysis/test_luck.py::*[[]{_game}[]]",)
    _folder = _game.replace("-", "_")
    PARTS[f"writings-{_game}"] = (f"tests/games/{_folder}/test_*reference.py::test_both_writings_agree_at_length*",)
PARTS |= {
    "laws-plugins": ("tests/conformance/test_soak.py::*[[]hoard-*", "tests/conformance/test_soak.py::*[[]tictactoe-*"),
    "counts": ("tests/counts/*",),
    "searches": (
        "tests/arena/test_suite.py::*",
        "tests/search/test_mcts.py::*",
        "tests/search/test_results.py::*",
        "tests/search/test_bounds.py::test_the_match*",
    ),
    "tournaments": (
        "tests/arena/test_tournament.py::test_searching_copies*",
        "tests/arena/test_tournament.py::test_killed*",
    ),
    "ray": ("tests/arena/test_ray.py::*",),
    "memory": ("tests/arena/test_tournament.py::test_memory*",),
    "page": ("tests/web/*",),
    "engines": ("tests/engines/*",),
    "papers": ("tests/lab/test_specs.py::*",),
    "numba": ("tests/core/test_dispatch.py::*", "tests/models/*"),
    "neighbours": ("tests/adapters/*",),
    "batches": ("tests/core/test_batch.py::*", "tests/arena/test_collect.py::*", "tests/search/test_batched.py::*"),
    "release": ("tests/release/*",),
    "learning": ("tests/docs/test_documents.py::*", "tests/learn/*"),
}
COLUMNS = ["part", "commit", "date", "result", "minutes", "CPU minutes"]
HEAD = f"""# The long tests

Written by `make test-long`: the last run of each part, on two cores. `make test-long PART=NAME` runs a part and renews
its row; what is in a part stands in tests/long/parts.py. A commit marked + had changes that were not committed. Where
the minutes are far above half of the CPU minutes, the machine had other work to do.

| {" | ".join(COLUMNS)} |
|{"---|" * len(COLUMNS)}
"""


@dataclass(frozen=True)
class Row:
    """The last run of a part."""

    part: str
    commit: str = "-"
    date: str = "-"
    result: str = "never run"
    minutes: str = "-"
    cpu_minutes: str = "-"

    @property
    def is_clean(self) -> bool:
        """Whether tests were run and all passed."""
        return re.fullmatch(r"\d+ passed", self.result) is not None

    def text(self) -> str:
        """The row as the page holds it."""
        return f"| {' | '.join(vars(self).values())} |\n"


def read_page(page: str) -> dict[str, Row]:
    """The rows of the page by part, those never run included; rows of parts that are no more are left out."""
    lines = [[cell.strip() for cell in line.strip("|\n ").split("|")] for line in page.splitlines()]
    found = {cells[0]: Row(*cells) for cells in lines if cells[0] in PARTS and len(cells) == len(COLUMNS)}
    return {part: found.get(part, Row(part)) for part in PARTS}


def part_of(test: str) -> list[str]:
    """The parts to which a test belongs: one, if the table is right."""
    return [part for part, patterns in PARTS.items() if any(fnmatchcase(test, pattern) for pattern in patterns)]


def long_tests() -> list[str]:
    """The names of all tests marked `long`, as pytest collects them from the files that name the mark."""
    files = [str(path) for path in sorted((ROOT / "tests").rglob("test_*.py")) if "mark.long" in path.read_text()]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-m", "long", "-p", "no:cacheprovider", *files]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return [line for line in ran.stdout.splitlines() if line.startswith("tests/") and "::" in line]


def git(*words: str) -> str:
    """What a git command prints."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()


def commit_name() -> str:
    """The commit at hand, with a + where files other than the page were changed since."""
    changed = [line for line in git("status", "--porcelain").splitlines() if not line.endswith(PAGE.name)]
    return (git("rev-parse", "--short", "HEAD") or "none") + ("+" if changed else "")


def run(part: str, tests: list[str]) -> Row:
    """Run a part's tests on two processes."""
    commit, began, cpu_before = commit_name(), time.monotonic(), _cpu_seconds()
    command = [sys.executable, "-m", "pytest", "-n", "2", "-m", "long", "--durations", "5", *tests]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    last = ""
    for line in process.stdout:
        print(line, end="", flush=True)
        last = line if re.search(r"\d+ (passed|failed|error)", line) else last
    process.wait()
    counts = ", ".join(" ".join(pair) for pair in re.findall(r"(\d+) (passed|failed|errors?)", last))
    result = counts if process.returncode == 0 or "failed" in counts else f"broke off: {counts or 'no test was run'}"
    minutes, cpu_minutes = (time.monotonic() - began) / 60, (_cpu_seconds() - cpu_before) / 60
    return Row(part, commit, time.strftime("%Y-%m-%d", time.gmtime()), result, f"{minutes:.1f}", f"{cpu_minutes:.1f}")


def keep(row: Row) -> None:
    """Renew a part's row of the page."""
    with FileLock(tempfile.gettempdir() + "/meeple-long-tests.lock"):
        rows = read_page(PAGE.read_text() if PAGE.exists() else "") | {row.part: row}
        PAGE.write_text(HEAD + "".join(row.text() for row in rows.values()))


def _cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main(words: list[str]) -> int:
    """Show the parts, or run those named, or all."""
    rows = read_page(PAGE.read_text() if PAGE.exists() else "")
    if words == ["list"]:
        for row in rows.values():
            print(f"{row.part:28}{row.minutes:>6} min  {row.result:22} {row.commit} {row.date}")
        return 0
    wrong = [word for word in words if word not in PARTS]
    if wrong:
        print(f"there is no part '{wrong[0]}'; PART=list shows them", file=sys.stderr)
        return 2
    tests = long_tests()
    is_clean = True
    for part in words or list(PARTS):
        print(f"--- {part}", flush=True)
        row = run(part, [test for test in tests if part in part_of(test)])
        keep(row)
        is_clean = is_clean and row.is_clean
    return 0 if is_clean else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
