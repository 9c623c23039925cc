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
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_OURS = str(Path(__file__).parent)
BEGINNING = 3  # letters: of names that are alike, those that begin alike are meant first
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
    begun = [one for one in names if len(name) >= BEGINNING and one.startswith(name[:BEGINNING])]
    near = difflib.get_close_matches(name, begun or names, n=1, cutoff=0.5)
    if near:
        return f"did you mean '{near[0]}'?"
    return f"there is {', '.join(names)}" if names else "there is none"


def nearest(name: str, known: Iterable[str]) -> str:
    """The tail of an error about an unknown name where one is like it; else nothing."""
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f"; did you mean '{near[0]}'?" if near else ""


def wrong_field(name: str, fields: Iterable[str]) -> str:
    """What to say of a field that a state, or another record, does not have."""
    return f"there is no field '{name}'; {did_you_mean(name, fields)}"


def brief(fault: BaseException) -> str:
    """An exception in one line, with the innermost place that is the user's own; else of ours."""
    if isinstance(fault, SyntaxError) and fault.filename:
        return f"{type(fault).__name__}: {fault.msg} ({Path(fault.filename).name}, line {fault.lineno})"
    if isinstance(fault, ContractError):
        return str(fault)  # which names the place
    frames = [f for f in traceback.extract_tb(fault.__traceback__) if not any(part in f.filename for part in _NOBODYS)]
    own = [frame for frame in frames if not frame.filename.startswith(_OURS)] or frames
    return f"{_in_words(fault)}{_place(own[-1]) if own else ''}"


def _place(frame: traceback.FrameSummary) -> str:
    inside = f", in {frame.name}" if frame.name != "<module>" else ""
    return f" ({Path(frame.filename).name}, line {frame.lineno}{inside})"


def _in_words(fault: BaseException) -> str:
    """An exception's message, with the nearest right name where a name is wrong."""
    last = list(traceback.walk_tb(fault.__traceback__))[-1:]
    for frame, _line in last:
        names = frame.f_locals
        if isinstance(fault, AttributeError) and "attr" in names and hasattr(names.get("self"), "dtype"):
            return wrong_field(names["attr"], names["self"].dtype.names or ())  # raised within NumPy's record
        if isinstance(fault, NameError) and fault.name:
            return f"NameError: {fault}{nearest(fault.name, [*names, *frame.f_globals])}"
    return f"{type(fault).__name__}: {(str(fault).strip().splitlines() or [''])[0]}"
