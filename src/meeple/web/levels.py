"""Opponents by name: five levels a game, the weakest first, each an agent that was measured against its neighbours.

A game's heuristics name them as LEVELS, by their specs. Where Master is far ahead of Expert, STEPS names further agents
between the two, the weakest first again: Expert II, Expert III and so on. docs/levels.md has the measurements.
"""

from __future__ import annotations

from meeple.core.definition import Definition
from meeple.core.game import Game
from meeple.errors import ConfigError

NAMES = ("Novice", "Casual", "Club", "Expert", "Master")
STEP_NAMES = ("Expert II", "Expert III", "Expert IV", "Expert V", "Expert VI")
ANY_GAME = (
    "ismcts:iterations=3",
    "ismcts:iterations=30",
    "ismcts:iterations=300",
    "ismcts:iterations=3000",
    "ismcts:iterations=0,time=2s",
)  # where a game names none: no measurements stand behind them
DEFAULT = "Casual"


def levels_of(definition: Definition) -> dict[str, str]:
    """The agents' specs by the levels' names, the weakest first."""
    *lower, master = zip(NAMES, getattr(definition.heuristics, "LEVELS", ANY_GAME), strict=True)
    steps = getattr(definition.heuristics, "STEPS", ())
    return dict([*lower, *zip(STEP_NAMES[: len(steps)], steps, strict=True), master])


def level_spec(game: Game, name: str) -> str:
    """One level's agent."""
    levels = levels_of(game.definition)
    if name not in levels:
        raise ConfigError(f"'{name}' is no level; they are {', '.join(levels)}")
    return levels[name]


def opponent_of(game: Game) -> str:
    """The agent that gives hints."""
    return str(getattr(game.definition.heuristics, "OPPONENT", ANY_GAME[3]))
