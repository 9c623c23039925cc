"""Every exception of Meeple, one name for each different remedy.

MeepleError                  anything we raise on purpose; `.exit_code` is the command's
  UsageError            2    what was asked for is wrong: mend the words and try again
    ConfigError              an unknown game, agent, setting, option or value
    NotationError            a text that does not parse, or that fits more than one thing
    IllegalMoveError         a move that parses and is not on offer here
    UnsupportedGameError     the game's facts do not fit what was asked of it
    TrustError               a record, store or page names code or a file that nobody here has allowed
  FailureError          1    what was asked for is fine and could not be done
    RecordError              a record that is damaged, or of a later version
    PluginError              a plugin that raises while it is loaded
    ContractError            a game's folder that does not keep the contract
    AgentError               an agent that raised, or answered what was not on offer
    SaveError                a file that could not be written; nothing was overwritten
    NotCompiledError         a kernel that is not in the cache, asked for where nothing may be compiled
    StoreError               a tournament's file that is damaged, foreign or of a later version; it was not touched
"""

from __future__ import annotations

import difflib
import re
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_OURS = str(Path(__file__).parent)
_NOBODYS = ("site-packages", "<string>", "<frozen", str(Path(sys.base_prefix) / "lib"))


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


class TrustError(UsageError):
    """A record, store or page names code or a file that nobody here has allowed; nothing was opened or run."""


class FailureError(MeepleError):
    """What was asked for is fine and could not be done."""


class RecordError(FailureError):
    """A record that is damaged, or of a later version."""


class PluginError(FailureError):
    """A plugin that raises while it is loaded."""


class ContractError(FailureError):
    """A game's folder that does not keep the contract."""


class AgentError(FailureError):
    """An agent that raised, or answered what was not on offer; `.match` holds the match so far."""

    match: Any = None


class SaveError(FailureError):
    """A file that could not be written; nothing was overwritten."""


class NotCompiledError(FailureError):
    """A kernel that is not in the cache, asked for where nothing may be compiled."""


class StoreError(FailureError):
    """A tournament's file that is damaged, foreign or of a later version; it was not touched."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The tail of an error about a wrong name: the nearest right one, or the whole list."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if near:
        return f"did you mean '{near[0]}'?"
    return f"there is {', '.join(names)}" if names else "there is none"


def brief(fault: BaseException) -> str:
    """An exception in one line, with the innermost place that is the user's own; else of ours."""
    if isinstance(fault, SyntaxError) and fault.filename:
        return f"{type(fault).__name__}: {fault.msg} ({Path(fault.filename).name}, line {fault.lineno})"
    if type(fault).__module__.startswith("numba."):
        return _brief_of_compiling(fault)
    frames = [f for f in traceback.extract_tb(fault.__traceback__) if not any(part in f.filename for part in _NOBODYS)]
    own = [frame for frame in frames if not frame.filename.startswith(_OURS)] or frames
    place = f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""
    message = (str(fault).strip().splitlines() or [""])[0]
    return f"{type(fault).__name__}: {message}{place}"


def _brief_of_compiling(fault: BaseException) -> str:
    """What Numba could not compile, and where: the innermost of its many lines."""
    lines = [line.strip() for line in re.sub(r"\x1b\[[0-9;]*m", "", str(fault)).splitlines()]
    reasons = [line for line in lines if line and not line.startswith("Failed in nopython mode")]
    places = [re.search(r'File "(.*)", line (\d+)', line) for line in lines]
    own = [place for place in places if place is not None and "meeple/core/" not in place[1]]
    callees = [re.search(r"resolving callee type: .*<function (\w+)", line) for line in lines]
    inner = [callee[1] for callee in callees if callee is not None]
    where = f" ({Path(own[0][1]).name}, line {own[0][2]})" if own else f" (in {inner[0]})" if inner else ""
    reason = (reasons or ["it does not compile"])[0].rstrip(":")
    return (
        f"{type(fault).__name__}: {reason}{where}; every function that rules call must be a @kernel that Numba can type"
    )
