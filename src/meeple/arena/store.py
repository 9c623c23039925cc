"""Tournaments on disk: one SQLite file a configuration, every game in it the moment it is over.

    meta    key, value         format, configuration (JSON), its hash, the salt of an untrusted tournament,
                               the code that played (provenance.py)
    games   lap, agents, number, seating       which game (schedule.py)
            seed, ranks, shares, scores, plies, offered, reason, at_fault, course, record
    clock   lap, agents, number, seating, seconds     what the clock said, apart from all results
    parts   lap, agents, number, seating, parts       where a game names roles: by seat and role times, wins, points

WAL, so that a process killed at any moment leaves every game that was stored. A file that is no store of ours, or
of a later version, or damaged, is refused untouched; so is one of another configuration.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock, Timeout

from meeple.arena.schedule import GameKey, Lineup, seat_orders
from meeple.core.chance import new_salt
from meeple.core.folders import is_file, is_folder
from meeple.core.numbers import shortened
from meeple.core.record import Record, parse_record
from meeple.errors import ConfigError, SaveError, StoreError, brief

RoleResults = tuple[tuple[tuple[int, ...], ...], ...]  # by seat and role: times, wins, points
FORMAT = 1
APPLICATION = 0x4D656570  # "Meep", in the file's header
_KEY = "lap, agents, number, seating"
_TIME = np.dtype([("seat", np.int8), ("seconds", np.float32)])
_SCHEMA = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE games (
    lap INTEGER NOT NULL, agents TEXT NOT NULL, number INTEGER NOT NULL, seating INTEGER NOT NULL,
    seed INTEGER NOT NULL, ranks TEXT NOT NULL, shares TEXT NOT NULL, scores TEXT NOT NULL,
    plies INTEGER NOT NULL, offered INTEGER NOT NULL, reason TEXT NOT NULL, at_fault INTEGER,
    course BLOB NOT NULL, record BLOB,
    PRIMARY KEY ({_KEY})
) WITHOUT ROWID;
CREATE TABLE clock (
    lap INTEGER NOT NULL, agents TEXT NOT NULL, number INTEGER NOT NULL, seating INTEGER NOT NULL,
    seconds BLOB NOT NULL,
    PRIMARY KEY ({_KEY})
) WITHOUT ROWID;
"""
# Apart from the others, since it came later: a store without it is given one when it is written again.
_PARTS = f"""
CREATE TABLE IF NOT EXISTS parts (
    lap INTEGER NOT NULL, agents TEXT NOT NULL, number INTEGER NOT NULL, seating INTEGER NOT NULL,
    parts TEXT NOT NULL,
    PRIMARY KEY ({_KEY})
) WITHOUT ROWID
"""


@dataclass(frozen=True, kw_only=True)
class StoredGame:
    """A game that is over, as it is stored."""

    key: GameKey
    seed: int
    ranks: tuple[int, ...]
    shares: tuple[float, ...]
    scores: tuple[int, ...]
    plies: int
    offered: int
    reason: str
    at_fault: int | None
    course: bytes  # names the course of the game: equal where start and events are
    record: str | None  # the match record as JSON lines
    times: tuple[tuple[int, float], ...] = ()  # of each move: the seat and its seconds, as the clock had them
    roles: RoleResults = ()  # by seat and role: times, wins, points
    events: bytes = b""  # the codes of its events as int64, for who asked for them (`Keeps`); not stored
    has_failed: bool = False  # the forfeit is of an agent that raised or answered what is not on offer; not stored

    @property
    def result(self) -> tuple[object, ...]:
        """What two stores must agree on."""
        return self.seed, self.ranks, self.shares, self.scores, self.plies, self.reason, self.at_fault, self.course


def hash_of(configuration: dict[str, Any]) -> str:
    """Twelve letters that name a configuration."""
    text = json.dumps(configuration, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


class Store:
    """An open store; `with` closes it."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: FileLock | None) -> None:
        self.path, self._connection, self._lock = path, connection, lock

    # --- opening

    @classmethod
    def open(cls, path: Path, configuration: dict[str, Any], *, salt: bytes = b"") -> Store:
        """The store of this configuration, made where there is none; nobody else may write it meanwhile.

        A new one of an untrusted tournament gets the `salt`, or one of its own.
        """
        lock = _locked(path)
        try:
            if path.exists() and path.stat().st_size:
                _require_same(path, configuration)
            else:
                _create(path, configuration, (salt or new_salt()) if configuration.get("untrusted") else b"")
            connection = _connect(path, readonly=False)
            with _sound(path):
                connection.execute(_PARTS)
        except BaseException:
            lock.release()
            raise
        return cls(path, connection, lock)

    @classmethod
    def read(cls, path: Path) -> Store:
        """An existing store, to be read only."""
        if not is_file(path):
            raise ConfigError(f"there is no store '{shortened(str(path))}'")
        _require_ours(path)
        return cls(path, _connect(path, readonly=True), None)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
        if self._lock is not None:
            self._lock.release()

    # --- what is in it

    @property
    def configuration(self) -> dict[str, Any]:
        """The configuration whose games it holds."""
        with _sound(self.path):
            found: dict[str, Any] = json.loads(_meta(self._connection, "configuration"))
            if hash_of(found) != _meta(self._connection, "hash"):
                raise ValueError("its configuration is not the one that it was made with")
        return found

    @property
    def salt(self) -> bytes:
        """The key that salts its matches; empty where none does."""
        with _sound(self.path):
            found = self._connection.execute("SELECT value FROM meta WHERE key = 'salt'").fetchone()
            return bytes.fromhex(found[0]) if found else b""

    @property
    def code(self) -> list[dict[str, Any]]:
        """The code that may add games, oldest first (provenance.py); empty in a store from before it was kept."""
        with _sound(self.path):
            found = self._connection.execute("SELECT value FROM meta WHERE key = 'code'").fetchone()
            code: list[dict[str, Any]] = [dict(entry) for entry in json.loads(found[0])] if found else []
            if not all(isinstance(entry[name], str) for entry in code for name in ("signature", "how")):
                raise ValueError("its list of code holds no texts")
        return code

    def game_keys(self) -> set[GameKey]:
        """All games that are stored."""
        with _sound(self.path):
            return {_key(row) for row in self._rows(f"SELECT {_KEY} FROM games")}

    def games(self, *, records: bool = False) -> Iterator[StoredGame]:
        """All games in their order, one at a time; records only where they are asked for."""
        wanted = "record" if records else "NULL"
        columns = f"{_KEY}, seed, ranks, shares, scores, plies, offered, reason, at_fault, course, {wanted}"
        configuration = self.configuration
        agents, both = len(configuration["agents"]), bool(configuration.get("both"))
        with _sound(self.path):
            for row in self._rows(f"SELECT {columns} FROM games ORDER BY {_KEY}"):
                yield _sensible(_game(row), agents, both=both)

    def game(self, key: GameKey) -> StoredGame:
        """One game with its record."""
        columns = f"{_KEY}, seed, ranks, shares, scores, plies, offered, reason, at_fault, course, record"
        where = "lap = ? AND agents = ? AND number = ? AND seating = ?"
        row = next(iter(self._rows(f"SELECT {columns} FROM games WHERE {where}", _columns(key))), None)
        if row is None:
            raise ConfigError(f"'{self.path}' holds no game {key.text()}")
        with _sound(self.path):
            return _game(row)

    def times(self) -> Iterator[tuple[GameKey, list[int], list[float]]]:
        """What the clock said, game by game: of each move the seat and its seconds."""
        with _sound(self.path):
            for row in self._rows(f"SELECT {_KEY}, seconds FROM clock ORDER BY {_KEY}"):
                pairs = np.frombuffer(zlib.decompress(row[4]), dtype=_TIME)
                yield _key(row), pairs["seat"].tolist(), pairs["seconds"].tolist()

    def role_results(self) -> Iterator[tuple[GameKey, RoleResults]]:
        """How each seat fared in each role, game by game, where the game names roles (the file calls them parts)."""
        if not list(self._rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'parts'")):
            return
        with _sound(self.path):
            for row in self._rows(f"SELECT {_KEY}, parts FROM parts ORDER BY {_KEY}"):
                yield _key(row), tuple(tuple(tuple(role) for role in seat) for seat in json.loads(row[4]))

    def count(self) -> int:
        """How many games are stored."""
        return int(next(iter(self._rows("SELECT COUNT(*) FROM games")))[0])

    def _rows(self, query: str, values: Sequence[object] = ()) -> Iterator[Any]:
        try:
            yield from self._connection.execute(query, tuple(values))
        except (sqlite3.DatabaseError, ValueError) as fault:
            raise StoreError(f"'{self.path}' cannot be read further: {fault}") from fault

    @property
    def counted(self) -> dict[Lineup, int]:
        """Sets of each lineup that counted when the tournament was last played."""
        try:
            found = _meta(self._connection, "counted")
        except sqlite3.DatabaseError:
            return {}
        with _sound(self.path):
            return {Lineup(lap, tuple(agents)): sets for lap, agents, sets in json.loads(found)}

    # --- writing

    def set_code(self, code: list[dict[str, Any]]) -> None:
        """Remember which code may add games; see `code`."""
        try:
            with self._connection:
                self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('code', ?)", (json.dumps(code),))
        except sqlite3.DatabaseError as fault:
            raise SaveError(f"'{self.path}' cannot be written: {fault}; what was stored before is safe") from fault

    def set_counted(self, counted: dict[Lineup, int]) -> None:
        """Remember how many sets of each lineup count: a rule may have ended it before others that were under way."""
        rows = [[lineup.lap, list(lineup.agents), sets] for lineup, sets in sorted(counted.items())]
        with self._connection:
            self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('counted', ?)", (json.dumps(rows),))

    def add(self, games: Iterable[StoredGame]) -> None:
        """Store games in one transaction: all of them or none; none may be there already."""
        games = list(games)
        try:
            with self._connection:
                self._connection.executemany(
                    "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [_row(game) for game in games],
                )
                self._connection.executemany(
                    "INSERT INTO clock VALUES (?, ?, ?, ?, ?)",
                    [(*_columns(game.key), _packed(game.times)) for game in games if game.times],
                )
                self._connection.executemany(
                    "INSERT INTO parts VALUES (?, ?, ?, ?, ?)",
                    [(*_columns(game.key), json.dumps(game.roles)) for game in games if game.roles],
                )
        except sqlite3.DatabaseError as fault:
            raise SaveError(f"'{self.path}' cannot be written: {fault}; what was stored before is safe") from fault


def stored_record(path: Path, number: str) -> Record:
    """The record of a game in a tournament's store, by its number such as 1+2/17.1."""
    with Store.read(path) as store:
        known = {key.text(): key for key in store.game_keys()}
        if number not in known:
            example = next(iter(sorted(known)), "1+2/1.1")
            raise ConfigError(f"'{path}' holds no game '{shortened(number)}'; games are numbered like {example}")
        text = store.game(known[number]).record
    if text is None:
        raise ConfigError(f"'{path}' was played with --no-records: only results are known")
    return parse_record(text, f"{path} {number}")


@contextmanager
def _sound(path: Path) -> Iterator[None]:
    """Tell of a store whose content makes no sense as a damaged file, whatever Python makes of it."""
    try:
        yield
    except (sqlite3.Error, zlib.error, ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as fault:
        raise StoreError(f"'{path}' is damaged: {brief(fault)}; it was not touched") from fault


def _locked(path: Path) -> FileLock:
    if not is_folder(path.parent):
        raise SaveError(f"'{path}' cannot be written: there is no folder '{path.parent}'")
    lock = FileLock(f"{path}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout as fault:
        raise SaveError(f"'{path}' is being written by another process; wait for that one, or stop it") from fault
    except OSError as fault:
        raise SaveError(f"'{path}' cannot be written: {fault.strerror}; choose another place") from fault
    return lock


def _connect(path: Path, *, readonly: bool) -> sqlite3.Connection:
    mode = "ro" if readonly else "rwc"
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level="DEFERRED")
        if not readonly:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.Error as fault:
        raise SaveError(f"'{path}' cannot be opened: {fault}") from fault
    return connection


def _create(path: Path, configuration: dict[str, Any], salt: bytes) -> None:
    """Make it whole under another name first: killed in between, there is no half a store."""
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    try:
        connection = sqlite3.connect(draft)
        connection.executescript(f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT}; {_SCHEMA}")
        rows = [("configuration", json.dumps(configuration, sort_keys=True)), ("hash", hash_of(configuration))]
        if salt:
            draft.chmod(0o600)
            rows.append(("salt", salt.hex()))
        with connection:
            connection.executemany("INSERT INTO meta VALUES (?, ?)", rows)
        connection.close()
    except sqlite3.Error as fault:
        raise SaveError(f"'{path}' cannot be written: {fault}; choose another place") from fault
    os.replace(draft, path)


def _require_ours(path: Path) -> None:
    """Refuse what is no store of ours, or damaged, without touching it."""
    connection = _connect(path, readonly=True)
    try:
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
            raise StoreError(f"'{path}' is no tournament of Meeple's; it was not touched")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > FORMAT:
            raise StoreError(f"'{path}' is of a later version of Meeple (format {version}); it was not touched")
        verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            raise StoreError(f"'{path}' is damaged ({verdict}); it was not touched")
        _meta(connection, "configuration")
    except (sqlite3.DatabaseError, ValueError) as fault:  # the second: words of SQLite's own that are no UTF-8
        raise StoreError(f"'{path}' is no tournament of Meeple's, or damaged ({fault}); it was not touched") from fault
    finally:
        connection.close()


def _require_same(path: Path, configuration: dict[str, Any]) -> None:
    _require_ours(path)
    connection = _connect(path, readonly=True)
    with _sound(path):
        stored = json.loads(_meta(connection, "configuration"))
        stored["files"] = {}  # what agents' files do is the affair of the code's signature now
    connection.close()
    wanted = json.loads(json.dumps(configuration)) | {"files": {}}
    if stored != wanted:
        names = sorted(name for name in stored.keys() | wanted.keys() if stored.get(name) != wanted.get(name))
        parts = [f"{name}: {_shown(stored.get(name))} there, {_shown(wanted.get(name))} here" for name in names]
        advice = "give another --store, or --fresh to begin it anew"
        raise ConfigError(f"'{path}' holds another tournament ({'; '.join(parts)}); {advice}")


def _shown(value: Any) -> str:
    return "nothing" if value is None else value if isinstance(value, str) else json.dumps(value)


def _meta(connection: sqlite3.Connection, key: str) -> str:
    found = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    if found is None:
        raise sqlite3.DatabaseError(f"it has no {key}")
    return str(found[0])


def _columns(key: GameKey) -> tuple[int, str, int, int]:
    return key.lineup.lap, ",".join(str(agent) for agent in key.lineup.agents), key.number, key.seating


def _key(row: Sequence[Any]) -> GameKey:
    return GameKey(Lineup(row[0], tuple(int(agent) for agent in row[1].split(","))), row[2], row[3])


def _row(game: StoredGame) -> tuple[object, ...]:
    lists = (json.dumps(values) for values in (game.ranks, game.shares, game.scores))
    record = zlib.compress(game.record.encode(), 1) if game.record is not None else None
    facts = (game.plies, game.offered, game.reason, game.at_fault, game.course, record)
    return (*_columns(game.key), game.seed, *lists, *facts)


def _game(row: Sequence[Any]) -> StoredGame:
    ranks, shares, scores = (tuple(json.loads(text)) for text in row[5:8])
    record = zlib.decompress(row[13]).decode() if row[13] is not None else None
    plies, offered, reason, at_fault, course = row[8:13]
    return StoredGame(
        key=_key(row),
        seed=row[4],
        ranks=ranks,
        shares=shares,
        scores=scores,
        plies=plies,
        offered=offered,
        reason=reason,
        at_fault=at_fault,
        course=bytes(course),
        record=record,
    )


def _sensible(game: StoredGame, agents: int, *, both: bool) -> StoredGame:
    """The game, if it is one of so many agents: its key holds places in their list and in the list of seatings."""
    seated = game.key.lineup.agents
    is_seated = len(set(seated)) == len(seated) and all(0 <= agent < agents for agent in seated)
    lists = (game.ranks, game.shares, game.scores)
    if not is_seated or any(len(values) != len(seated) for values in lists):
        raise ValueError(f"its game {game.key.text()} is none of its {agents} agents")
    seatings = len(seat_orders(len(seated))) if both else 1
    if not 0 <= game.key.seating < seatings or game.key.number < 0:
        raise ValueError(f"it has no set {game.key.number + 1} with a seating {game.key.seating + 1}")
    return game


def _packed(times: Sequence[tuple[int, float]]) -> bytes:
    return zlib.compress(np.array(list(times), dtype=_TIME).tobytes(), 1)
