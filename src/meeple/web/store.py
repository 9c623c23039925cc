"""The tables on disk: one row each in SQLite, written whole after every change: a kill loses nothing."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from meeple.core.folders import keep_private
from meeple.errors import StoreError, brief

_SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (
    key TEXT PRIMARY KEY, owner TEXT NOT NULL, game TEXT NOT NULL, is_over INTEGER NOT NULL,
    changed REAL NOT NULL DEFAULT (julianday('now')), body TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS tokens (token TEXT PRIMARY KEY, key TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS by_owner ON tables (owner, is_over, changed);
"""


class TableStore:
    """Tables by their key."""

    def __init__(self, path: Path) -> None:
        self._path = path
        keep_private(path)  # the tokens in it open seats; SQLite gives its journal the same rights
        for end in ("-wal", "-shm"):
            if path.with_name(path.name + end).exists():
                keep_private(path.with_name(path.name + end))
        with self._sound():
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.executescript(_SCHEMA)

    @contextmanager
    def _sound(self) -> Iterator[None]:
        """Tell of a file that cannot be read, or makes no sense, by its name."""
        try:
            yield
        except (sqlite3.Error, TypeError, ValueError, RecursionError) as fault:
            advice = "move it away to begin anew"
            raise StoreError(f"the tables in '{self._path}' are damaged: {brief(fault)}; {advice}") from fault

    def save(self, body: dict[str, Any], tokens: list[str], *, game: str, is_over: bool) -> None:
        """Write a table, over what was there."""
        # A replay is nobody's match: the home page, which reads all matches of an owner, need not read it.
        owner = "" if body["is_replay"] else body["owner"]
        row = (body["key"], owner, game, is_over, json.dumps(body))
        query = (
            "INSERT INTO tables (key, owner, game, is_over, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE"
            " SET owner = excluded.owner, is_over = excluded.is_over, body = excluded.body, changed = julianday('now')"
        )
        with self._sound():
            self._db.execute("BEGIN")
            self._db.execute(query, row)
            self._db.execute("DELETE FROM tokens WHERE key = ?", (body["key"],))
            self._db.executemany("INSERT INTO tokens VALUES (?, ?)", [(token, body["key"]) for token in tokens])
            self._db.execute("COMMIT")

    def by_token(self, token: str) -> dict[str, Any] | None:
        """The table that a token opens."""
        query = "SELECT body FROM tables JOIN tokens USING (key) WHERE token = ?"
        with self._sound():
            row = self._db.execute(query, (token,)).fetchone()
            return json.loads(row[0]) if row else None

    def of_owner(self, owner: str, *, is_over: bool) -> list[dict[str, Any]]:
        """One owner's tables, the latest first."""
        query = "SELECT body FROM tables WHERE owner = ? AND is_over = ? ORDER BY changed DESC LIMIT 500"
        with self._sound():
            return [json.loads(body) for (body,) in self._db.execute(query, (owner, is_over)).fetchall()]

    def size(self) -> int:
        """Bytes that the tables take on disk."""
        names = ("page_count", "freelist_count", "page_size")
        with self._sound():
            pages, unused, size = (int(self._db.execute(f"PRAGMA {name}").fetchone()[0]) for name in names)
        return (pages - unused) * size

    def delete(self, key: str) -> None:
        """Forget a table."""
        with self._sound():
            self._db.execute("DELETE FROM tables WHERE key = ?", (key,))
            self._db.execute("DELETE FROM tokens WHERE key = ?", (key,))

    def close(self) -> None:
        """Done."""
        self._db.close()
