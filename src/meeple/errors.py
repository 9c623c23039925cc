"""Every exception of Meeple, one name for each different remedy.

MeepleError                  anything we raise on purpose; `.exit_code` is the command's
  UsageError            2    what was asked for is wrong: mend the words and try again
    ConfigError              an unknown game, agent, setting, option or value
    NotationError            a text that does not parse, or that fits more than one thing
    IllegalMoveError         a move that parses and is not on offer here
    UnsupportedGameError     the game's facts do not fit what was asked of it
  FailureError          1    what was asked for is fine and could not be done
    RecordError              a record that is damaged, or of a later version
    PluginError              a plugin that raises while it is loaded
    ContractError            a game's folder that does not keep the contract
    AgentError               an agent that raised, or answered what was not on offer
    SaveError                a file that could not be written; nothing was overwritten
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class MeepleError(Exception):
    """Anything Meeple raises on purpose: the message alone tells what to do."""

    exit_code = 1


class UsageError(MeepleError):
    """What was asked for is wrong."""

    exit_code = 2


class ConfigError(UsageError):
    """An unknown game, agent, setting, option or value."""


class NotationError(UsageError):
    """A text that does not parse, or that fits more than one thing."""


class IllegalMoveError(UsageError):
    """A move that parses and is not on offer here."""


class UnsupportedGameError(UsageError):
    """The game's facts do not fit what was asked of it."""


class FailureError(MeepleError):
    """What was asked for is fine and could not be done."""


class RecordError(FailureError):
    """A record that is damaged, or of a later version."""


class PluginError(FailureError):
    """A plugin that raises while it is loaded."""


class ContractError(FailureError):
    """A game's folder that does not keep the contract."""


class AgentError(FailureError):
    """An agent that raised, or answered what was not on offer."""


class SaveError(FailureError):
    """A file that could not be written; nothing was overwritten."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The tail of an error about a wrong name: the nearest right one, or the whole list."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if near:
        return f"did you mean '{near[0]}'?"
    return f"there is {', '.join(names)}" if names else "there is none"
