"""The tables on disk, in SQLite: a row for each table, and one for each event of its match.

A change writes the table's row, which is short, and the events that are new. Both are one transaction: a process that
is killed leaves the table as it was before the change or as it is after it.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from meeple.core.folders import keep_private
from meeple.errors import StoreError, brief
from meeple.web.saved import with_events

_SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (
    key TEXT PRIMARY KEY, owner TEXT NOT NULL, game TEXT NOT NULL, is_over INTEGER NOT NULL,
    changed REAL NOT NULL DEFAULT (julianday('now')), body TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS events (
    key TEXT NOT NULL, number INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (key, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tokens (token TEXT PRIMARY KEY, key TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS guests (
    owner TEXT NOT NULL, key TEXT NOT NULL, seat INTEGER NOT NULL, token TEXT NOT NULL, PRIMARY KEY (owner, key, seat)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS contested (
    position TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (position, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_owner ON tables (owner, is_over, changed);
CREATE INDEX IF NOT EXISTS contested_at ON contested (key);
"""
MOST_SEATED = 2_000  # matches of one browser that are looked at, the latest
_SECONDS = "(changed - 2440587.5) * 86400.0"  # since 1970, of a Julian day


class Seated(NamedTuple):
    """A browser's place at a table: its owner's, or the seat that a link opened for it."""

    body: dict[str, Any]  # of the table, without the events of its match
    changed: float  # seconds since 1970
    seat: int | None = None  # None for the owner
    token: str = ""  # the link by which the seat was taken


class TableStore:
    """Tables by their key."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamps: dict[str, str] = {}  # of what this process last read or wrote of each table
        keep_private(path)  # the tokens in it open seats; SQLite gives its journal the same rights
        for end in ("-wal", "-shm"):
            if path.with_name(path.name + end).exists():
                keep_private(path.with_name(path.name + end))
        with self._sound():
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.executescript(_SCHEMA)
            columns = {row[1] for row in self._db.execute("PRAGMA table_info(tables)")}
            if "stamp" not in columns:  # a file of an earlier version
                self._db.execute("ALTER TABLE tables ADD COLUMN stamp TEXT NOT NULL DEFAULT ''")

    @contextmanager
    def _sound(self) -> Iterator[None]:
        """Tell of a file that cannot be read, or makes no sense, by its name."""
        try:
            yield
        except (sqlite3.Error, TypeError, ValueError, RecursionError) as fault:
            advice = "move it away to begin anew"
            raise StoreError(f"the tables in '{self._path}' are damaged: {brief(fault)}; {advice}") from fault

    def save(
        self,
        body: dict[str, Any],
        tokens: list[str],
        *,
        game: str,
        is_over: bool,
        lines: Callable[[int], list[str]] = lambda kept: [],
        kept: int = 0,
        contested: str = "",
    ) -> None:
        """Write a table over what was there, and the events that follow the first `kept`, which are there already.

        `lines(n)` are the events but for the first n. All are written where another process has written meanwhile.
        `contested` names the position where it is one of a match between people: it is kept until that is over.
        """
        key, stamp = body["key"], secrets.token_hex(8)
        # A replay is nobody's match: the home page, which reads all matches of an owner, need not read it.
        owner = "" if body["is_replay"] else body["owner"]
        query = (
            "INSERT INTO tables (key, owner, game, is_over, body, stamp) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key)"
            " DO UPDATE SET owner = excluded.owner, is_over = excluded.is_over, body = excluded.body,"
            " stamp = excluded.stamp, changed = julianday('now')"
        )
        with self._sound(), self._transaction():
            found = self._db.execute("SELECT stamp FROM tables WHERE key = ?", (key,)).fetchone()
            is_ours = found is not None and found[0] == self._stamps.get(key)
            kept = kept if is_ours else 0
            rows = [(key, number, line) for number, line in enumerate(lines(kept), kept)]
            self._db.execute(query, (key, owner, game, is_over, json.dumps(body), stamp))
            self._db.execute("DELETE FROM events WHERE key = ? AND number >= ?", (key, kept))
            self._db.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)
            self._write_tokens(key, tokens)
            if is_over:
                self._db.execute("DELETE FROM contested WHERE key = ?", (key,))
            elif contested:
                self._db.execute("INSERT OR IGNORE INTO contested VALUES (?, ?)", (contested, key))
        self._stamps[key] = stamp

    def _write_tokens(self, key: str, tokens: list[str]) -> None:
        found = self._db.execute("SELECT token FROM tokens WHERE key = ?", (key,)).fetchall()
        if {token for (token,) in found} != set(tokens):
            self._db.execute("DELETE FROM tokens WHERE key = ?", (key,))
            self._db.executemany("INSERT INTO tokens VALUES (?, ?)", [(token, key) for token in tokens])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing of what is written meanwhile."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def by_token(self, token: str) -> dict[str, Any] | None:
        """The table that a token opens, with the whole record of its match."""
        query = "SELECT key, body, stamp FROM tables JOIN tokens USING (key) WHERE token = ?"
        events = "SELECT line FROM events WHERE key = ? ORDER BY number"
        with self._sound():
            row = self._db.execute(query, (token,)).fetchone()
            if row is None:
                return None
            key, body, stamp = row
            self._stamps[key] = stamp
            return with_events(json.loads(body), [line for (line,) in self._db.execute(events, (key,))])

    def of_owner(self, owner: str, *, is_over: bool) -> list[dict[str, Any]]:
        """One owner's tables, the latest first, without the events of their matches."""
        query = "SELECT body FROM tables WHERE owner = ? AND is_over = ? ORDER BY changed DESC LIMIT 500"
        with self._sound():
            return [json.loads(body) for (body,) in self._db.execute(query, (owner, is_over)).fetchall()]

    def seated(self, owner: str, *, is_over: bool | None = None) -> list[Seated]:
        """Where this browser plays or has played, its own tables and those it was invited to; or only one of both.

        May be called in any thread: it reads by a connection of its own, which sees nothing that is half written.
        """
        kept = "" if is_over is None else f" AND is_over = {int(is_over)}"
        latest = f"{kept} ORDER BY changed DESC LIMIT {MOST_SEATED}"
        own = f"SELECT body, {_SECONDS} FROM tables WHERE owner = ?{latest}"
        invited = (
            f"SELECT body, {_SECONDS}, seat, token FROM guests JOIN tables USING (key) WHERE guests.owner = ?{latest}"
        )
        with self._sound(), closing(sqlite3.connect(self._path)) as db:
            rows = [*db.execute(own, (owner,)).fetchall(), *db.execute(invited, (owner,)).fetchall()]
            return [Seated(json.loads(body), *rest) for body, *rest in rows]

    def finished(self, game: str) -> list[Seated]:
        """Every owner's tables of a game that are over, the latest; watched replays are nobody's."""
        query = f"SELECT body, {_SECONDS} FROM tables WHERE game = ? AND is_over = 1 AND owner != ''"
        with self._sound():
            rows = self._db.execute(f"{query} ORDER BY changed DESC LIMIT {MOST_SEATED}", (game,)).fetchall()
            return [Seated(json.loads(body), changed) for body, changed in rows]

    def is_contested(self, position: str) -> bool:
        """Whether this position has stood in a match between people that still runs."""
        query = "SELECT EXISTS (SELECT 1 FROM contested WHERE position = ?)"
        with self._sound():
            return bool(self._db.execute(query, (position,)).fetchone()[0])

    def knows(self, owner: str) -> bool:
        """Whether this browser has a table or a seat here."""
        query = "SELECT EXISTS (SELECT 1 FROM tables WHERE owner = ?) OR EXISTS (SELECT 1 FROM guests WHERE owner = ?)"
        with self._sound():
            return bool(self._db.execute(query, (owner, owner)).fetchone()[0])

    def sit(self, owner: str, key: str, seat: int, token: str) -> None:
        """Remember that a browser plays a seat by this link."""
        with self._sound():
            self._db.execute("INSERT OR REPLACE INTO guests VALUES (?, ?, ?, ?)", (owner, key, seat, token))

    def adopt(self, old: str, new: str) -> None:
        """All that one browser owns, and every seat that it took, is another's from now on."""
        with self._sound(), self._transaction():
            query = "UPDATE tables SET owner = ?, body = json_set(body, '$.owner', ?) WHERE owner = ?"
            self._db.execute(query, (new, new, old))
            self._db.execute("UPDATE OR REPLACE guests SET owner = ? WHERE owner = ?", (new, old))

    def size(self) -> int:
        """Bytes that the tables take on disk."""
        names = ("page_count", "freelist_count", "page_size")
        with self._sound():
            pages, unused, size = (int(self._db.execute(f"PRAGMA {name}").fetchone()[0]) for name in names)
        return (pages - unused) * size

    def delete(self, key: str) -> None:
        """Forget a table."""
        self.let_go(key)
        with self._sound(), self._transaction():
            for name in ("tables", "events", "tokens", "guests", "contested"):
                self._db.execute(f"DELETE FROM {name} WHERE key = ?", (key,))

    def let_go(self, key: str) -> None:
        """This process has the table no more in memory."""
        self._stamps.pop(key, None)

    def games(self) -> list[str]:
        """The games of all tables, the most played first."""
        query = "SELECT game FROM tables GROUP BY game ORDER BY count(*) DESC, game"
        with self._sound():
            return [game for (game,) in self._db.execute(query).fetchall()]

    def close(self) -> None:
        """Done."""
        self._db.close()
