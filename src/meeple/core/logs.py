"""Matches in the notation of other programs: what a game's `notation` may offer besides its own texts.

    is_log(text) -> bool                     whether a file's text is such a log
    read_logs(text, lenient) -> list[Log]    all matches in it; `lenient` lets pass what old programs let pass
    write_log(match) -> str                  a match as such a log

A log that is read is a record like any other: it replays, and `meeple replay` opens it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from meeple.core.record import Record, parse_record, read_text
from meeple.core.registry import find_definition, game_names
from meeple.errors import UnsupportedGameError

if TYPE_CHECKING:
    from meeple.core.match import Match


@dataclass(frozen=True)
class Log:
    """One match of a file: a record, or what is wrong with it."""

    name: str  # of the file, and the line where the match begins if there are several
    record: Record | None
    fault: str = ""


def load_logs(path: Path, *, lenient: bool = False) -> list[Log]:
    """All matches in a file: one where it is a record, any number where it is a log that some game reads."""
    text = read_text(path)
    if not text.lstrip().startswith("{"):
        for notation in _notations():
            if notation.is_log(text):
                logs: list[Log] = notation.read_logs(text, lenient)
                many = len(logs) > 1
                return [Log(f"{path} {log.name}" if many else str(path), log.record, log.fault) for log in logs]
    return [Log(str(path), parse_record(text, str(path)))]


def write_log(match: Match) -> str:
    """The match in its game's own notation of logs."""
    notation = match.game.definition.notation
    if not hasattr(notation, "write_log"):
        raise UnsupportedGameError(f"{match.game.name} has no notation of logs besides the record")
    return str(notation.write_log(match))


def _notations() -> list[ModuleType]:
    definitions = [find_definition(name) for name in game_names()]
    return [found.notation for found in definitions if hasattr(found.notation, "read_logs")]
