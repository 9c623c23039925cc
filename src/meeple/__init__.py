"""Meeple: a board-game AI laboratory.

>>> import meeple
>>> game = meeple.load_game("santorini")
>>> match = meeple.play_match(game, ["random", "random"], seed=1)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from meeple.agents.base import Agent, Turn
    from meeple.agents.own import function_agent
    from meeple.agents.ranking import search
    from meeple.agents.registry import load_agent
    from meeple.analysis.analyse import analyse
    from meeple.analysis.position import PositionAnalysis, analyse_position
    from meeple.analysis.result import Analysis
    from meeple.arena.match import play_match
    from meeple.arena.results import Results, results, tournament
    from meeple.core.batch import Batch
    from meeple.core.chance import Stream
    from meeple.core.contract import CHANCE, HIDDEN, NOBODY
    from meeple.core.definition import Definition, Facts
    from meeple.core.entry import Entry
    from meeple.core.game import Game, State
    from meeple.core.kernel import kernel
    from meeple.core.match import Match
    from meeple.core.options import Option
    from meeple.core.registry import load_game
    from meeple.core.settings import setting

__version__ = "0.1.0"

# Loaded when first used: `meeple --help` needs no compiler, and a command imports what it uses.
_HOMES = {
    "Agent": "meeple.agents.base",
    "Turn": "meeple.agents.base",
    "setting": "meeple.core.settings",
    "function_agent": "meeple.agents.own",
    "load_agent": "meeple.agents.registry",
    "Analysis": "meeple.analysis.result",
    "PositionAnalysis": "meeple.analysis.position",
    "analyse": "meeple.analysis.analyse",
    "analyse_position": "meeple.analysis.position",
    "play_match": "meeple.arena.match",
    "Results": "meeple.arena.results",
    "results": "meeple.arena.results",
    "tournament": "meeple.arena.results",
    "Batch": "meeple.core.batch",
    "Stream": "meeple.core.chance",
    "CHANCE": "meeple.core.contract",
    "HIDDEN": "meeple.core.contract",
    "NOBODY": "meeple.core.contract",
    "Definition": "meeple.core.definition",
    "Facts": "meeple.core.definition",
    "Entry": "meeple.core.entry",
    "Option": "meeple.core.options",
    "Game": "meeple.core.game",
    "State": "meeple.core.game",
    "kernel": "meeple.core.kernel",
    "Match": "meeple.core.match",
    "load_game": "meeple.core.registry",
}
__all__ = [
    "CHANCE",
    "HIDDEN",
    "NOBODY",
    "Agent",
    "Analysis",
    "Batch",
    "Definition",
    "Entry",
    "Facts",
    "Game",
    "Match",
    "Option",
    "PositionAnalysis",
    "Results",
    "State",
    "Stream",
    "Turn",
    "__version__",
    "analyse",
    "analyse_position",
    "function_agent",
    "kernel",
    "load_agent",
    "load_game",
    "play_match",
    "results",
    "search",
    "setting",
    "tournament",
]


def __getattr__(name: str) -> Any:
    if name == "search":  # the package of searches, which can be called
        return import_module("meeple.search")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'meeple' has no attribute '{name}'")
