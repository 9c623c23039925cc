"""How long compiling takes: told from how it went before, and from how fast this machine has been so far.

A course is how one compile went: the seconds after which each tenth of its kernels had begun, and at the end the whole.
Those of our own games, measured on one machine, come with the page (`make estimates`); a compile from an empty cache is
kept in the cache folder and counts instead. What is under way is compared with its course: where the first kernels
took twice as long as they did then, so will the rest.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from meeple.core.cache import cache_root
from meeple.errors import FailureError

SHIPPED = Path(__file__).parent / "static" / "compile-times.json"
TENTHS = 10
UNKNOWN = (60, 6.0)  # kernels and seconds of a part that nobody has measured
FEW = 5  # kernels: after so many the speed is told from this compile alone


def course_of(ticks: Sequence[float], seconds: float) -> list[float]:
    """The course of a compile whose kernels began at these seconds, and which ended after `seconds`."""
    n = len(ticks)
    starts = [ticks[min(n - 1, n * tenth // TENTHS)] if n else 0.0 for tenth in range(TENTHS)]
    return [round(value, 2) for value in [*starts, seconds]]


@dataclass(frozen=True)
class Course:
    """How the compile of a part of a game went."""

    kernels: int
    seconds: tuple[float, ...]

    @property
    def whole(self) -> float:
        """Seconds from beginning to end."""
        return self.seconds[-1]

    def at(self, kernels: int) -> float:
        """The seconds after which so many kernels had begun."""
        place = min(max(kernels / max(1, self.kernels), 0.0), 1.0) * TENTHS
        low = min(int(place), TENTHS - 1)
        return self.seconds[low] + (place - low) * (self.seconds[low + 1] - self.seconds[low])


EVEN = Course(UNKNOWN[0], tuple(UNKNOWN[1] * tenth / TENTHS for tenth in range(TENTHS + 1)))


class Estimates:
    """Courses by game and part, and the speed of this machine against theirs."""

    def __init__(self, kept: Path | None = None) -> None:
        self._kept = kept or cache_root() / "compile-times.json"
        self._courses = _read(SHIPPED) | _read(self._kept)
        self.slowness = 1.0  # how many times as long it takes here, as far as is known

    def course(self, game: str, part: str) -> Course:
        """How this compile went before; a guess where nobody knows."""
        return self._courses.get(f"{game} {part}", EVEN)

    def whole(self, game: str, part: str) -> float:
        """The seconds that it will take from the beginning."""
        return self.course(game, part).whole * self.slowness

    def left(self, game: str, part: str, *, kernels: int, at: float, now: float) -> float:
        """The seconds that are left `now` seconds after the beginning, the last of `kernels` having begun `at`."""
        course = self.course(game, part)
        then = course.at(kernels)
        slowness = at / then if kernels >= FEW and then > 0.2 else self.slowness
        after = course.whole - course.at(kernels + 1)  # what follows the kernel at hand, however long that takes
        return max(course.whole * slowness - now, after * slowness, 0.04 * course.whole * slowness)

    def learn(self, game: str, part: str, kernels: int, seconds: Sequence[float]) -> None:
        """Keep how a compile went, unless much of it was in the cache already."""
        course = _course([kernels, *seconds])
        known = self._courses.get(f"{game} {part}")
        if course is None or (known is not None and kernels < 0.8 * known.kernels) or not kernels:
            return
        if known is not None and known.whole > 0.5:
            self.slowness = course.whole / known.whole
        self._courses[f"{game} {part}"] = course
        write(self._kept, _read(self._kept) | {f"{game} {part}": course})


def write(path: Path, courses: dict[str, Course]) -> None:
    """Keep courses in a file, whole or not at all; where that cannot be, they are not kept."""
    rows = (f"{json.dumps(name)}: {json.dumps([one.kernels, *one.seconds])}" for name, one in sorted(courses.items()))
    spare = path.with_name(f"{path.name}.new")
    try:
        spare.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
        spare.replace(path)
    except OSError:
        pass


def _read(path: Path) -> dict[str, Course]:
    """The courses in a file; what makes no sense there is left out."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    courses = {str(name): _course(row) for name, row in found.items()} if isinstance(found, dict) else {}
    return {name: course for name, course in courses.items() if course is not None}


def _course(row: Any) -> Course | None:
    if not isinstance(row, list) or len(row) != TENTHS + 2 or not all(isinstance(one, (int, float)) for one in row):
        return None
    return Course(int(row[0]), tuple(float(one) for one in row[1:]))


# --- the courses that come with the page ------------------------------------------------------------------------------


def measure(origin: str, parts: Sequence[str], cache: Path) -> dict[str, Course]:
    """Compile the parts of a game into an empty cache; their courses by CPU time, which other work disturbs little."""
    command = [sys.executable, "-m", "meeple.web.rehearsal", origin, "--cpu-time"]
    environment = os.environ | {"MEEPLE_CACHE_DIR": str(cache)}
    found: dict[str, Course] = {}
    with subprocess.Popen(command, env=environment, stdin=-1, stdout=-1, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(f"{part}\n" for part in parts))
        process.stdin.flush()
        for text in process.stdout:
            line = json.loads(text)
            if "failed" in line:
                raise FailureError(f"{line['failed']} of {origin} cannot be rehearsed: {line['why']}")
            if "done" in line:
                course = _course([line["kernels"], *line["course"]])
                assert course is not None
                found[line["done"]] = course
                if len(found) == len(parts):
                    break
    return found


def main() -> None:
    """Measure all games, and write the file that comes with the page."""
    from meeple.core.registry import find_definition, game_names
    from meeple.web.rehearsal import parts_of

    courses: dict[str, Course] = {}
    for name in game_names():
        with tempfile.TemporaryDirectory() as cache:
            found = measure(name, parts_of(find_definition(name)), Path(cache))
        courses |= {f"{name} {part}": course for part, course in found.items() if course.kernels}
        print(name, {part: (course.kernels, course.whole) for part, course in found.items()}, flush=True)
    write(SHIPPED, courses)


if __name__ == "__main__":
    main()
