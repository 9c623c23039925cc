"""Opponents by name: five levels a game, the weakest first, each an agent that was measured against its neighbours.

A game's heuristics name them as LEVELS, by their specs; docs/levels.md has the measurements.
"""

from __future__ import annotations

from meeple.core.game import Game
from meeple.errors import ConfigError

NAMES = ("Novice", "Casual", "Club", "Expert", "Master")
ANY_GAME = (
    "ismcts:iterations=3",
    "ismcts:iterations=30",
    "ismcts:iterations=300",
    "ismcts:iterations=3000",
    "ismcts:iterations=0,time=2s",
)  # where a game names none: no measurements stand behind them
DEFAULT = "Casual"
HOUSE = "Sparring partner"  # who also gives the hints: between Expert and Master in most games


def levels_of(game: Game) -> dict[str, str]:
    """The agents' specs by the levels' names."""
    specs = getattr(game.definition.heuristics, "LEVELS", ANY_GAME)
    return dict(zip(NAMES, specs, strict=True))


def level_spec(game: Game, name: str) -> str:
    """The agent of one level, or of who gives the hints."""
    known = opponents_of(game)
    if name not in known:
        raise ConfigError(f"'{name}' is no level; they are {', '.join(known)}")
    return known[name]


def opponents_of(game: Game) -> dict[str, str]:
    """Everybody who can be asked to play by name: the levels, and who gives the hints."""
    return levels_of(game) | {HOUSE: opponent_of(game)}


def opponent_of(game: Game) -> str:
    """The agent that gives hints."""
    return str(getattr(game.definition.heuristics, "OPPONENT", ANY_GAME[3]))
