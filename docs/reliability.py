"""Write what is known of each judge anew: `make reliability`. A test holds page and picture to the games' files.

The table of docs/analysis.md, and a reliability plot: of the seats whose chance was said to be about x, the share that
won. The bars are two standard errors of that share, as if positions were independent; eight come from one game.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

from meeple.analysis.calibration import Bin, Calibration, path_of, read_calibrations
from meeple.core.definition import Definition
from meeple.core.picture import FONT
from meeple.core.registry import find_definition, game_names
from meeple.core.svg import Markup, joined, tag

DOCS = Path(__file__).parent
PAGE, PICTURE = DOCS / "analysis.md", DOCS / "images" / "reliability.svg"
PART = re.compile(r"(<!-- judges: [^\n]*-->\n).*?(<!-- /judges -->)", re.DOTALL)
SIDE, GAP, EDGE = 170, 50, 40  # of a plot, between two, around all
COLUMNS = 4
DARK, LINE, SOFT = "#1f5fa8", "#8a8f98", "#c9ccd2"  # on white, which the picture brings along


def judges() -> list[tuple[Definition, Calibration]]:
    """The calibrations of all games, a game's own judge before that of more seats."""
    found = [each for each in map(find_definition, game_names()) if path_of(each).is_file()]
    return [(each, calibration) for each in found for calibration in read_calibrations(path_of(each))]


def title(definition: Definition, calibration: Calibration) -> str:
    """The game as it was played."""
    options = calibration.game.partition(":")[2]
    seats = re.fullmatch(r"players=(\d+)", options)
    words = f"{seats[1]} players" if seats else options
    return f"{definition.facts.title}, {words}" if words else definition.facts.title


def table() -> str:
    """A row a judge."""
    heads = ["game", "judge", "games", "slope", "work", "before", "after"]
    rows = [
        [
            title(definition, each),
            f"`{each.judge}`",
            str(each.games),
            f"{each.slope:.3f} ± {each.error:.3f}" if each.error else f"{each.slope:.3f}",
            f"{each.work:,}",
            f"{each.loss_before:.3f}",
            f"{each.loss_after:.3f}",
        ]
        for definition, each in judges()
    ]
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def with_table(text: str) -> str:
    """The page with the table of today."""
    return PART.sub(lambda found: found[1] + table() + found[2], text)


def picture() -> str:
    """A plot a judge."""
    found = judges()
    across = min(COLUMNS, len(found))
    down = math.ceil(len(found) / COLUMNS)
    width, height = 2 * EDGE + across * (SIDE + GAP) - GAP, 2 * EDGE + down * (SIDE + GAP) - GAP
    step = SIDE + GAP
    plots = [
        _plot(each, title(definition, each), EDGE + place % COLUMNS * step, EDGE + place // COLUMNS * step)
        for place, (definition, each) in enumerate(found)
    ]
    drawn = tag(
        "svg",
        tag("title", "How often seats won, by the chance that the judge gave them"),
        tag("rect", width=width, height=height, fill="#ffffff"),
        *plots,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        font_family=FONT,
    )
    return f"{drawn}\n"


def _plot(calibration: Calibration, name: str, left: int, top: int) -> Markup:
    """One judge: a point a bin, the larger the more positions, and the diagonal where all points should lie."""
    most = max(each.count for each in calibration.bins)
    frame = tag("rect", x=left, y=top, width=SIDE, height=SIDE, fill="none", stroke=LINE)
    diagonal = tag("line", x1=left, y1=top + SIDE, x2=left + SIDE, y2=top, stroke=SOFT, stroke_width=2)
    words = [
        tag("text", name, x=left, y=top - 8, font_size=13),
        *(tag("text", f"{n}%", x=left + SIDE * n / 100, y=top + SIDE + 15, font_size=10, text_anchor="middle")
          for n in (0, 50, 100)),
        *(tag("text", f"{n}%", x=left - 4, y=top + SIDE * (1 - n / 100) + 3, font_size=10, text_anchor="end")
          for n in (0, 50, 100)),
    ]  # fmt: skip
    return joined([frame, diagonal, *words, *(_point(each, most, left, top) for each in calibration.bins)])


def _point(each: Bin, most: int, left: int, top: int) -> Markup:
    x = left + SIDE * each.said
    spread = 2.0 * math.sqrt(max(each.won * (1 - each.won), 1 / (4 * each.count + 4)) / each.count)
    low, high = (top + SIDE * (1 - min(1.0, max(0.0, each.won + side * spread))) for side in (-1, 1))
    bar = tag("line", x1=x, x2=x, y1=low, y2=high, stroke=DARK, stroke_width=1)
    words = f"said {each.said:.1%}, won {each.won:.1%}, {each.count} times"
    radius = 2 + 4 * math.sqrt(each.count / most)
    dot = tag("circle", tag("title", words), cx=x, cy=top + SIDE * (1 - each.won), r=radius, fill=DARK)
    return joined([bar, dot])


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text()))
    PICTURE.write_text(picture())
