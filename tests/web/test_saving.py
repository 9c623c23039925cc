"""Tables on disk: a change adds what is new, a kill at any moment leaves a match that goes on."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from meeple.errors import RecordError
from meeple.web import room as room_module
from meeple.web.room import Room
from meeple.web.saved import body_of, lines_of
from meeple.web.table import Table
from meeple.web.takeback import redo, undo_last
from web.conftest import new_table


def seated(folder: Path) -> tuple[Room, Table]:
    """A room with a table of two people at one screen."""
    room = Room(folder)
    table = new_table("azul", "here", "here")
    table.owner_token = "owner"
    return room, room.seat_down(table)


def play(table: Table, n: int = 1) -> None:
    """The first legal move, n times."""
    for _ in range(n):
        table.play(table.mover, int(table.match.state.legal_actions()[0]))


def on_disk(folder: Path) -> str:
    """The record of the table as another process finds it."""
    body = Room(folder).store.by_token("owner")
    assert body is not None
    return str(body["record"])


def test_a_move_writes_its_own_events_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room, table = seated(tmp_path)
    written: list[int] = []

    def told(steps: list[object]) -> list[str]:
        written.append(len(steps))
        return lines_of(steps)  # type: ignore[arg-type]

    monkeypatch.setattr(room_module, "lines_of", told)
    for _ in range(12):
        before = len(table.match.steps)
        play(table)
        assert written.pop() == len(table.match.steps) - before
    assert written == []
    table.resign(0)
    assert written == [0]
    room.close()


def test_a_kill_at_any_moment_leaves_the_match(tmp_path: Path) -> None:
    room, table = seated(tmp_path / "alive")
    for number in range(8):
        if number == 5:
            undo_last(table, (0, 1))
        elif number == 6:
            redo(table)
        else:
            play(table)
        killed = tmp_path / f"killed-{number}"  # what lies on disk now, nothing closed
        shutil.copytree(tmp_path / "alive", killed)
        again = Room(killed)
        found = again.find("owner")
        assert found is not None
        assert found.table.record().text() == table.record().text()
        play(found.table, 2)
        again.close()
        assert on_disk(killed) == found.table.record().text()
    room.close()


def test_a_change_that_is_not_whole_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room, table = seated(tmp_path)
    play(table, 3)
    before = on_disk(tmp_path)
    monkeypatch.setattr(room.store, "_write_tokens", lambda key, tokens: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        play(table)
    assert on_disk(tmp_path) == before
    monkeypatch.undo()
    play(table)  # and what was not written is written with the next
    assert on_disk(tmp_path) == table.record().text()


def test_a_table_of_an_earlier_version_goes_on(tmp_path: Path) -> None:
    table = new_table("azul", "here", "here")
    table.owner_token = "owner"
    table.match.play(int(table.match.state.legal_actions()[0]))
    body = body_of(table)
    old = {name: value for name, value in body.items() if name not in ("head", "result", "n_events", "n_moves")}
    tables = "key TEXT PRIMARY KEY, owner TEXT NOT NULL, game TEXT NOT NULL, is_over INTEGER NOT NULL"
    changed = "changed REAL NOT NULL DEFAULT (julianday('now')), body TEXT NOT NULL"
    with sqlite3.connect(tmp_path / "tables.sqlite") as file:
        file.execute(f"CREATE TABLE tables ({tables}, {changed})")
        file.execute("CREATE TABLE tokens (token TEXT PRIMARY KEY, key TEXT NOT NULL)")
        row = (table.key, "nobody", "azul", 0, json.dumps(old))
        file.execute("INSERT INTO tables (key, owner, game, is_over, body) VALUES (?, ?, ?, ?, ?)", row)
        file.execute("INSERT INTO tokens VALUES ('owner', ?)", (table.key,))
    room = Room(tmp_path)
    found = room.find("owner")
    assert found is not None
    assert found.table.record().text() == table.record().text()
    play(found.table, 2)
    room.close()
    assert on_disk(tmp_path) == found.table.record().text()
    head = Room(tmp_path).store.of_owner("nobody", is_over=False)[0]
    assert "record" not in head
    assert head["n_moves"] == 3


def test_two_servers_leave_the_match_of_who_wrote_last(tmp_path: Path) -> None:
    first, table = seated(tmp_path)
    play(table, 4)
    second = Room(tmp_path)
    found = second.find("owner")
    assert found is not None
    other = found.table
    undo_last(other, (0, 1))
    undo_last(other, (0, 1))
    other.play(other.mover, int(other.match.state.legal_actions()[-1]))
    play(table)
    assert on_disk(tmp_path) == table.record().text()
    play(other)
    assert on_disk(tmp_path) == other.record().text()
    for room in (first, second):
        room.store.close()


@pytest.mark.parametrize("damage", ["DELETE FROM events WHERE number = 2", "UPDATE events SET line = '{\"se' "])
def test_a_table_with_an_event_less_is_refused(damage: str, tmp_path: Path) -> None:
    room, table = seated(tmp_path)
    play(table, 3)
    room.close()
    with sqlite3.connect(tmp_path / "tables.sqlite") as file:
        file.execute(damage)
    with pytest.raises(RecordError, match="damaged"):
        Room(tmp_path).find("owner")
