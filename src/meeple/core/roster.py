"""Who plays a game by name: a game's `roster.py` declares them as specs, which `agents` loads.

Opponents for people are *levels*. A roster declares `rungs`, the way from a beginner to the strongest agent;
`meeple levels GAME --fit` finds levels an even step apart on that way, measures them, and writes them into the game's
`levels.json`, which `levels_beside` reads. `meeple check` loads every spec of a roster; core only holds the texts.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from meeple.errors import ConfigError

LEVELS = "levels.json"  # beside a game's roster.py
STEP = 215  # Elo between two levels, unless a roster says otherwise: a score of 0.775


@dataclass(frozen=True)
class Rung:
    """A family of agents with one number that makes them stronger, such as `mcts:iterations={}` from 100 to 4000.

    Whole ends have whole numbers between them. Without `{}` it is a single agent.
    """

    spec: str
    low: float = 1
    high: float = 1

    def at(self, x: float) -> str:
        """The spec at x, from the weakest at 0 to the strongest at 1: equal steps multiply the number equally."""
        number = self.low * (self.high / self.low) ** min(1.0, max(0.0, x))
        is_whole = isinstance(self.low, int) and isinstance(self.high, int)
        return self.spec.replace("{}", f"{round(float(f'{number:.3g}'))}" if is_whole else f"{number:.3g}")


@dataclass(frozen=True, kw_only=True)
class Level:
    """One opponent as it was measured; what was not measured is None."""

    spec: str
    elo: float | None = None  # above the first level: the sum of the steps
    score: float | None = None  # its share of the wins against the level below; for more than two, at the table
    low: float | None = None  # the 98% interval of that share
    high: float | None = None
    games: int = 0
    points: float | None = None  # the mean of a seat when the level plays itself; None too where a game has no points
    self_games: int = 0
    more: float | None = None  # at a table, its share less that of the level below on the same deals
    more_low: float | None = None
    more_high: float | None = None
    measured_as: str | None = None  # the agent that was measured in its place, with less time for a move


@dataclass(frozen=True, kw_only=True)
class Levels:
    """The levels of a game, the weakest first, and what they were measured by."""

    version: int  # of the rules
    seats: int
    seed: int = 0  # of the first game; 0: measured in another way
    table: str = ""  # beyond two seats: the agent that takes all others
    levels: tuple[Level, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)  # by identity: a definition is hashed
class Roster:
    """A game's agents by name, each a spec."""

    strongest: str  # the strongest agent known, without a limit: hints, the top level and the judge add time or work
    strongest_of_more: str = ""  # where that one is for two only: the strongest for more
    presets: dict[str, tuple[str, str]] = field(default_factory=dict)  # by name: the spec, and where it comes from
    rungs: tuple[Rung, ...] = ()  # from a beginner up to the strongest, which follows the last by itself, with a time
    table: str = ""  # beyond two seats: the agent that takes all others where a level is measured
    step: int = STEP  # Elo between neighbouring levels that `meeple levels --fit` seeks
    measured: Levels | None = None  # the levels that it found
    selfplay: dict[str, str] = field(default_factory=dict)  # defaults of `meeple train selfplay` for the game
    strategies: dict[str, str] = field(default_factory=dict)  # other words for what follows `rules-` in a policy's name
    spelling: Callable[[str], str] | None = None  # a paper's own way to write a spec, in ours; other texts as they are


def levels_beside(roster: str) -> Levels | None:
    """The measured levels in the `levels.json` beside a roster's file; None where there is none."""
    path = Path(roster).with_name(LEVELS)
    return read_levels(path) if path.is_file() else None


def read_levels(path: Path) -> Levels:
    """The levels of a file.

    Raises:
        ConfigError: the file does not hold levels.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        levels = tuple(Level(**each) for each in found.pop("levels"))
        for each in levels:
            _require_types(each)
        return Levels(**found, levels=levels)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as fault:
        raise ConfigError(f"'{path}' does not hold the levels of a game: {fault}") from None


def _require_types(level: Level) -> None:
    numbers: dict[str, Any] = asdict(level)
    spec, other = numbers.pop("spec"), numbers.pop("measured_as")
    wrong = [name for name, value in numbers.items() if value is not None and not isinstance(value, (int, float))]
    if not isinstance(spec, str) or not isinstance(other, (str, type(None))) or wrong:
        raise TypeError(f"of '{spec}' {', '.join(wrong) or 'the spec'} is of another type")


def written_levels(levels: Levels) -> str:
    """The text of the file that `read_levels` reads."""
    body = asdict(levels)
    rows = [json.dumps({k: v for k, v in each.items() if v is not None}) for each in body.pop("levels")]
    head = json.dumps(body)[:-1]
    return f'{head}, "levels": [\n' + ",\n".join(rows) + "\n]}\n"
