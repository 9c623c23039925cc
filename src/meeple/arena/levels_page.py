"""What `meeple levels --fit` writes: a game's levels.json, and docs/levels.md made from those of all games."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import meeple
from meeple.agents.levels import Opponent, opponents_of
from meeple.core.definition import Definition
from meeple.core.registry import find_definition, game_names
from meeple.core.roster import LEVELS, Level, Levels, written_levels
from meeple.errors import SaveError

EVEN = 0.5  # the score of equals
HEAD = """\
# Levels

*Written by `meeple levels GAME --docs` from the games' `levels.json`; do not edit.*

The page's opponents are levels, from Level 1, a beginner, to the strongest agent we have, the only one that looks at a
clock (2 s a move). `meeple levels GAME` lists them.

    meeple levels GAME --fit --jobs 16

finds and measures them anew, which is all that a stronger agent needs. A game's `roster.py` has *rungs*, families of
agents with one number that makes them stronger. Along them levels some 215 Elo apart are sought by samples of games;
then each is measured against the one below on seeds that no sample has seen. A step outside 150 to 300 Elo is sought
again and measured on fresh seeds. Scores have 98% intervals by sets of games with seats exchanged
([how results are read](results.md)). Killed or stopped, the same command goes on where it was; `--minutes 30` ends it
by itself, with what there is. Where only the strongest agent is another one, `--top` in the place of `--fit` measures
that one against the level below it, and leaves the others as they are; where some steps are uneven, or the roster has
another rung, `--mend` seeks and measures what lies outside the band, and keeps all else as it was measured.

Lower levels are `overlooking`: they judge moves by the game's evaluation, as a short-sighted but sensible player does,
and overlook most of those on offer, though seldom one that wins at once. They make no random moves. The words beside
the numbers follow from how a level looks at the board, in every game alike: *beginner*, to whom at most 2.5 moves come
to mind on average, *learner* (6), *casual player* (15), *keen player* (more); *steady player*, who sees all and looks
one move ahead; *club player* and *expert*, the lower and the upper half of those that search. No people were measured.

Elo counts from a game's Level 1, step by step, and means nothing across games. *Points* are a seat's mean when the
level plays itself, to compare with one's own: below those that search more is better, while strong players hinder each
other.

Levels had names once, Novice to Master. Where a link or a saved table holds one, it is read as the level in the same
place between the weakest and the strongest; a table goes on with the agent it was saved with.
"""
OLD = """
These levels are from before `--fit`, measured one step at a time: one agent of the level sat with {others} of the level
below it, and an even share is {even:.3f}. Where no figure stands, none was measured.
"""
TABLE = """
All levels sit at the same table, in each seat in turn and with the same deals: the other {others} are `{table}`. An
even share of the wins is {even:.3f}; Elo is 400 log10 of the odds against it, above that of Level 1.
"""
SHOWN = """
Only steps that are shown are levels: what a level takes more than the one below it, on the same deals, has an interval
above 0. Where an agent between two levels was not shown to differ and left out, that interval goes from the ends of
their own shares' intervals, and is wider.
"""

UNSHOWN = """
Not shown by these games, whose interval reaches down to an even score: that {steps}.
"""


def write_levels(definition: Definition, levels: Levels) -> Path:
    """Write the levels of a game beside its roster."""
    path = Path(str(definition.rules.__file__)).with_name(LEVELS)
    try:
        path.write_text(written_levels(levels), encoding="utf-8")
    except OSError as fault:
        raise SaveError(f"'{path}' cannot be written: {fault.strerror}") from fault
    return path


def docs_page() -> Path:
    """Where the page stands in a source tree."""
    return Path(str(meeple.__file__)).parents[2] / "docs" / "levels.md"


def levels_page() -> str:
    """The page of all built-in games, as Markdown."""
    return HEAD + "".join(_section(find_definition(name)) for name in game_names() if _is_ours(name))


def _is_ours(name: str) -> bool:
    return str(find_definition(name).rules.__name__).startswith("meeple.games.")


def _section(definition: Definition) -> str:
    roster = definition.roster
    measured = roster.measured if roster else None
    found = opponents_of(definition)
    lines = [f"\n## {definition.facts.title}\n"]
    lines += _about_table(measured) if measured and measured.seats > 2 else []
    is_table = bool(measured and measured.table)
    scores = ["share at the table", "more than the one below"] if is_table else ["score against the one below"]
    columns = ["level", "Elo", *scores, "games", "points", "how it plays", "agent"]
    lines += ["\n" + _line(columns), "|" + "---|" * len(columns) + "\n"]
    lines += [_row(each, is_table=is_table) for each in found]
    unsure = [] if is_table else [(one, other) for other, one in pairwise(found) if not is_shown(one.measured)]
    if unsure:
        steps = ", and that ".join(f"{one.name} is stronger than {other.name}" for one, other in unsure)
        lines.append(UNSHOWN.format(steps=steps))
    if measured and measured.seed:
        lines.append(f"\nFrom seed {measured.seed}, version {measured.version} of the rules.\n")
    for each in found:
        if each.measured.measured_as:
            lines.append(f"\n{each.name} was measured as `{each.measured.measured_as}`.\n")
    return "".join(lines)


def _about_table(measured: Levels) -> list[str]:
    """How levels for more than two were measured."""
    counts = {"others": measured.seats - 1, "even": 1 / measured.seats}
    if not measured.table:
        return [OLD.format(**counts)]
    return [TABLE.format(table=measured.table, **counts), SHOWN if _are_shown(measured) else ""]


def _are_shown(levels: Levels) -> bool:
    """Whether all steps are: the last two levels stay even where too few games were played to show theirs."""
    return all(is_shown(each) for each in levels.levels[1:])


def is_shown(level: Level) -> bool:
    """Whether a level was shown to be stronger than the one below it: its interval lies above an even result."""
    if level.more_low is not None:
        return level.more_low > 0
    return level.low is not None and level.low > EVEN


def _row(each: Opponent, *, is_table: bool) -> str:
    about = each.measured
    elo = "" if about.elo is None else f"{about.elo:+.0f}" if about.elo else "0"
    scores = [_interval(about.score, about.low, about.high)]
    scores += [_interval(about.more, about.more_low, about.more_high, "+")] if is_table else []
    points = "" if about.points is None or math.isnan(about.points) else f"{about.points:.1f}"
    return _line([each.title, elo, *scores, about.games or "", points, each.sentence, f"`{each.spec}`"])


def _interval(mean: float | None, low: float | None, high: float | None, sign: str = "") -> str:
    return "" if mean is None else f"{mean:{sign}.3f} ({low:{sign}.3f} .. {high:{sign}.3f})"


def _line(cells: Sequence[object]) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |\n"
