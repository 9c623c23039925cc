"""A match on disk: JSON lines, one a fact, each whole before the next begins.

    {"meeple": 1, "game": "santorini", "version": 1, "seed": 7, "start": null, "agents": ["human", "flat"]}
    {"seat": 0, "move": "B3>B4^C4", "seconds": 0.012}      with "info" where the player gave it: core/info.py
    {"chance": "3"}
    {"chance": "?", "shown": "..."}   an event that the view of an entry did not see, and what it showed (core/entry.py)
    {"undo": 1}                       the last event is taken back, by a person at the board
    {"result": {"ranks": [1, 2], "returns": [1.0, -1.0], "reason": "..."}}      where a seat forfeited: core/forfeit.py

The first line of a game from a real table says by whose eyes it was seen, "view": a seat from 1, "spectator" or "open".
The first line may have "names" of the seats and "levels", the names by which agents were chosen ('' for none); and
"comments" that somebody wrote, each under the number of events before the position that it is about: {"12": "Why?"}.
The first line of a salted match has its "salt" too (core/chance.py): such a record is for nobody who plays in the
match, or in another with the same salt, while it runs.

A process killed at any moment leaves all lines up to the last event; half a line at the end is dropped.
Moves and outcomes are both kept, so a record replays exactly in every later version.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from filelock import FileLock, Timeout

from meeple.core.chance import SALT_BYTES
from meeple.core.folders import is_folder
from meeple.core.info import Info, checked_info
from meeple.core.numbers import shortened
from meeple.errors import RecordError, SaveError

FORMAT = 2  # of an entry (core/entry.py); a match is written in the first, which all versions read
LONGEST_THOUGHT = 1e9  # seconds
LONGEST_COMMENT, MOST_COMMENTS = 1_000, 1_000  # letters; positions


@dataclass(frozen=True)
class Event:
    """A move of a seat, or an outcome where `seat` is None; `seconds` is what the seat thought."""

    text: str
    seat: int | None
    seconds: float = 0.0
    shown: str = ""  # of an entry: the position as it was seen afterwards, where the event showed more than itself
    info: Info | None = None  # what the player said of its move

    def line(self) -> dict[str, Any]:
        """As it stands in a file."""
        shown = {"shown": self.shown} if self.shown else {}
        if self.seat is None:
            return {"chance": self.text, **shown}
        info = {"info": self.info} if self.info else {}
        return {"seat": self.seat, "move": self.text, "seconds": round(self.seconds, 4), **shown, **info}


@dataclass
class Record:
    """What replays a match."""

    game: str  # the spec
    version: int  # of the game's rules
    seed: int
    folder: str = ""  # of a game that was not installed
    salt: bytes = b""  # of a match whose chance does not follow from the seed alone
    start: str | None = None  # a position text, where the match did not begin at the beginning
    agents: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)  # of the seats, where somebody gave them
    levels: list[str] = field(default_factory=list)  # by what name each agent was chosen, '' for others
    events: list[Event] = field(default_factory=list)
    result: dict[str, Any] | None = None  # ranks, returns, reason; of a forfeit its seat
    view: str = ""  # of a game from a real table: by whose eyes it was seen
    comments: dict[int, str] = field(default_factory=dict)  # by the number of events before the position

    def header(self) -> dict[str, Any]:
        """The first line."""
        salt = {"salt": self.salt.hex()} if self.salt else {}
        names = {"names": self.names} if any(self.names) else {}
        levels = {"levels": self.levels} if any(self.levels) else {}
        comments = {str(at): text for at, text in sorted(self.comments.items())}
        return {
            "meeple": FORMAT if self.view else 1,
            "game": self.game,
            "version": self.version,
            "folder": self.folder,
            "seed": self.seed,
            **salt,
            "start": self.start,
            "agents": self.agents,
            **names,
            **levels,
            **({"view": self.view} if self.view else {}),
            **({"comments": comments} if comments else {}),
        }

    def lines(self) -> list[dict[str, Any]]:
        """The whole file."""
        end = [{"result": self.result}] if self.result is not None else []
        return [self.header(), *(event.line() for event in self.events), *end]

    def text(self) -> str:
        """The whole file as text."""
        return "".join(json.dumps(line) + "\n" for line in self.lines())


class RecordWriter:
    """Appends a match to a file as it happens; every line is with the system before the next move."""

    def __init__(self, path: Path, record: Record, *, resume: bool = False) -> None:
        self.path = path
        if not is_folder(path.parent):  # the lock would make it
            raise SaveError(f"'{path}' cannot be written: there is no folder '{path.parent}'")
        self._lock = FileLock(f"{path}.lock")
        try:
            self._lock.acquire(timeout=0)
        except Timeout as fault:
            raise SaveError(f"'{path}' is being written by another process; close that one first") from fault
        except OSError as fault:
            raise SaveError(f"'{path}' cannot be written: {fault.strerror}; choose another place") from fault
        try:
            if resume:
                _drop_half_line(path)
            self._file: IO[str] = open(path, "a" if resume else "x", encoding="utf-8")  # noqa: SIM115
        except FileExistsError as fault:
            self._unlock()
            raise SaveError(f"'{path}' exists and is not overwritten; choose another name") from fault
        except OSError as fault:
            self._unlock()
            raise SaveError(f"'{path}' cannot be written: {fault.strerror}; choose another place") from fault
        if not resume:
            for line in record.lines():
                self.add(line)

    def add(self, line: dict[str, Any]) -> None:
        """Write one line."""
        try:
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()
        except OSError as fault:
            raise SaveError(f"'{self.path}' can no longer be written: {fault.strerror}") from fault

    def close(self) -> None:
        """Done with the file."""
        self._file.close()
        self._unlock()

    def _unlock(self) -> None:
        Path(f"{self.path}.lock").unlink(missing_ok=True)
        self._lock.release()


def save_record(record: Record, path: Path) -> None:
    """Write a whole record to a new file."""
    RecordWriter(path, record).close()


def load_record(path: Path) -> Record:
    """Read a record; half a line at the end, left by a kill, is dropped."""
    return parse_record(read_text(path), str(path))


def read_text(path: Path) -> str:
    """What stands in a file that should hold a match."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as fault:
        raise RecordError(f"'{shortened(str(path))}' cannot be read: {fault.strerror}") from fault
    except UnicodeDecodeError as fault:
        raise RecordError(f"'{path}' is not a record: it is not text") from fault


def parse_record(text: str, name: str = "record") -> Record:
    """The record in `text`; errors name the line."""
    lines = text.split("\n")
    if lines[-1]:  # no newline at the end: the writer was killed in mid-line
        lines = lines[:-1] if len(lines) > 1 else lines
    parsed = [(number, _parse_line(line, number, name)) for number, line in enumerate(lines, 1) if line.strip()]
    if not parsed:
        raise RecordError(f"'{name}' is empty: no match was begun in it")
    record = _parse_header(parsed[0][1], name)
    for number, line in parsed[1:]:
        _add(record, line, f"line {number} of '{name}'")
    return record


def _parse_line(line: str, number: int, name: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise RecordError(
            f"line {number} of '{name}' is damaged: {line[:60]!r} is not JSON; delete from there on to keep the rest"
        ) from fault
    if not isinstance(found, dict):
        raise RecordError(f"line {number} of '{name}' is damaged: expected an object, got {line[:60]!r}")
    return found


def _parse_header(line: dict[str, Any], name: str) -> Record:
    version = line.get("meeple")
    if not isinstance(version, int) or isinstance(version, bool):
        raise RecordError(f"'{name}' is not a record of a match: its first line has no \"meeple\" version")
    if version > FORMAT:
        raise RecordError(
            f"'{name}' is a record of format {shortened(str(version))}; this Meeple reads up to {FORMAT}: update it"
        )
    try:
        return Record(
            game=_field(line, "game", str),
            version=_field(line, "version", int),
            seed=_field(line, "seed", int),
            folder=_field({"folder": ""} | line, "folder", str),
            salt=_salt(_field({"salt": ""} | line, "salt", str)),
            start=None if line.get("start") is None else _field(line, "start", str),
            agents=_texts(line, "agents"),
            names=_texts({"names": []} | line, "names"),
            levels=_texts({"levels": []} | line, "levels"),
            view=_field({"view": ""} | line, "view", str),
            comments=_comments(_field({"comments": {}} | line, "comments", dict)),
        )
    except TypeError as fault:
        raise RecordError(f"the first line of '{name}' is damaged: {fault}") from fault


def _add(record: Record, line: dict[str, Any], place: str) -> None:
    try:
        if "move" in line:
            seconds = _field({"seconds": 0.0} | line, "seconds", (int, float))
            if not 0 <= seconds < LONGEST_THOUGHT:
                raise TypeError(f"'seconds' is {shortened(repr(seconds))}")
            info = _info(_field({"info": {}} | line, "info", dict))
            mover, text = _field(line, "seat", int), _field(line, "move", str)
            record.events.append(Event(text, mover, seconds, _shown(line), info))
        elif "chance" in line:
            record.events.append(Event(_field(line, "chance", str), None, shown=_shown(line)))
        elif "undo" in line:
            taken_back = _field(line, "undo", int)
            if not 0 < taken_back <= len(record.events):
                raise RecordError(f"{place} takes back {shortened(str(taken_back))} of {len(record.events)} events")
            del record.events[-taken_back:]
        elif "result" in line:
            record.result = _field(line, "result", dict)
        else:
            found = shortened(", ".join(sorted(line)))
            raise RecordError(f"{place} is none of move, chance, undo and result: {found}")
    except TypeError as fault:
        raise RecordError(f"{place} is damaged: {fault}") from fault


def _info(given: dict[str, Any]) -> Info | None:
    try:
        return checked_info(given) or None
    except ValueError as fault:
        raise TypeError(f"'info' is wrong: {fault}") from fault


def _texts(line: dict[str, Any], name: str) -> list[str]:
    return [_field({name: text}, name, str) for text in _field(line, name, list)]


def _shown(line: dict[str, Any]) -> str:
    return str(_field({"shown": ""} | line, "shown", str))


def _comments(found: dict[str, Any]) -> dict[int, str]:
    if len(found) > MOST_COMMENTS:
        raise TypeError(f"it has {len(found)} comments")
    for at, text in found.items():
        if not (at.isascii() and at.isdecimal() and len(at) < 10 and isinstance(text, str)):
            raise TypeError(f"a comment is {shortened(repr({at: text}))}")
    return {int(at): text[:LONGEST_COMMENT] for at, text in found.items()}


def _salt(text: str) -> bytes:
    try:
        salt = bytes.fromhex(text)
    except ValueError:
        salt = None
    if salt is None or len(salt) not in (0, SALT_BYTES):
        raise TypeError(f"'salt' is {text[:80]!r}, not {2 * SALT_BYTES} digits of base 16")
    return salt


def _field(line: dict[str, Any], name: str, kind: type | tuple[type, ...]) -> Any:
    if name not in line:
        raise TypeError(f"it has no '{name}'")
    if not isinstance(line[name], kind) or isinstance(line[name], bool):
        raise TypeError(f"'{name}' is {shortened(repr(line[name]))}")
    return line[name]


def _drop_half_line(path: Path) -> None:
    with open(path, "rb+") as file:
        data = file.read()
        file.truncate(data.rfind(b"\n") + 1)


def free_path(folder: Path, stem: str) -> Path:
    """A path in `folder` that no file has yet: `stem.jsonl`, `stem-2.jsonl` ..."""
    os.makedirs(folder, exist_ok=True)
    number = 1
    while True:
        path = folder / (f"{stem}.jsonl" if number == 1 else f"{stem}-{number}.jsonl")
        if not path.exists():
            return path
        number += 1
