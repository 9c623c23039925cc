"""A store with a wrong byte in it: what is read is right, or an error of ours names the file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from meeple.arena.ladder import ladder
from meeple.arena.schedule import GameKey, Lineup
from meeple.arena.store import Store, StoredGame
from meeple.arena.tournament import prepare_tournament, stored_tournament
from meeple.core.chance import rng_for
from meeple.errors import MeepleError, StoreError
from meeple.web.store import TableStore

CONFIGURATION = {"game": "santorini", "agents": ["random", "first"]}
FLIPS = 400  # a store has 20,000 bytes; most of them are never read


def make_store(path: Path) -> None:
    games = [
        StoredGame(
            key=GameKey(Lineup(0, (0, 1)), number, 0), seed=779 + number, ranks=(1, 2), shares=(1.0, 0.0),
            scores=(3, 4), plies=20, offered=300, reason="", at_fault=None,
            course=b"12345678", record='{"meeple": 1}\n',
            times=((0, 0.5), (1, 0.25)), roles=(((1, 1, 5),), ((1, 0, 0),)),
        )
        for number in range(12)
    ]  # fmt: skip
    with Store.open(path, CONFIGURATION) as store:
        store.add(games)
        store.set_counted({Lineup(0, (0, 1)): 12})


def read_store(path: Path) -> None:
    with Store.read(path) as store:
        assert store.configuration is not None
        list(store.games(records=True)), list(store.times()), list(store.role_results())
        store.game_keys(), store.count(), store.counted
    Store.open(path, CONFIGURATION).close()


def make_tables(path: Path) -> None:
    store = TableStore(path)
    for number in range(12):
        body = {"key": f"key-{number}", "owner": "me", "is_replay": False, "record": "x" * 200}
        store.save(body, [f"token-{number}"], game="santorini", is_over=number % 2 == 0)
    store.close()


def read_tables(path: Path) -> None:
    store = TableStore(path)
    try:
        store.of_owner("me", is_over=True), store.of_owner("me", is_over=False)
        for number in range(12):
            store.by_token(f"token-{number}")
    finally:
        store.close()


@pytest.mark.parametrize(("make", "read"), [(make_store, read_store), (make_tables, read_tables)])
def test_a_byte_changed_anywhere_is_told_in_words(
    make: Callable[[Path], None], read: Callable[[Path], None], tmp_path: Path
) -> None:
    make(tmp_path / "whole.sqlite")
    read(tmp_path / "whole.sqlite")
    data, rng, told = (tmp_path / "whole.sqlite").read_bytes(), rng_for("flip", seed=1), 0
    for number in range(FLIPS):
        path, changed = tmp_path / f"{number}.sqlite", bytearray(data)
        # Every second time in what is not empty: there most of the content lies.
        at = rng.below(len(data))
        while number % 2 and data[at] == 0:
            at = rng.below(len(data))
        changed[at] ^= 1 << rng.below(8)
        path.write_bytes(changed)
        try:
            read(path)
        except MeepleError as fault:
            told += 1
            if path.name not in str(fault):
                raise AssertionError(f"byte {at}: the error does not name the file: {fault}") from fault
    assert told > 10


@pytest.mark.parametrize("column", ["ranks", "shares", "record", "agents"])
def test_a_row_that_makes_no_sense_names_the_file(column: str, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    make_store(path)
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE games SET {column} = 'nonsense' WHERE number = 3")
    with pytest.raises(StoreError, match=r"store\.sqlite' is damaged"), Store.read(path) as store:
        list(store.games(records=True))


@pytest.mark.parametrize("change", ["agents = '0,9'", "agents = '0,0'", "seating = 7", "ranks = '[1]'"])
def test_a_game_of_agents_that_are_not_there_names_the_file(change: str, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    make_store(path)
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE games SET {change} WHERE number = 3")
    with pytest.raises(StoreError, match=r"store\.sqlite' is damaged"), Store.read(path) as store:
        list(store.games())


@pytest.mark.parametrize("name", ["game", "version", "agents", "folder", "both", "conditions"])
def test_a_configuration_with_a_wrong_letter_is_told_in_words(name: str, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    tournament = prepare_tournament("santorini", ["random", "first"], games=2)
    Store.open(path, tournament.configuration()).close()
    with sqlite3.connect(path) as connection:
        text = f"replace(value, '\"{name}\"', '\"{name[:-1]}x\"')"
        connection.execute(f"UPDATE meta SET value = {text} WHERE key = 'configuration'")
    with pytest.raises(StoreError, match=r"store\.sqlite' is damaged"), Store.read(path) as store:
        stored_tournament(store)
    _, n_games, left_out = ladder(tournament.game, [path])
    assert n_games == 0
    assert "is damaged" in left_out[0]


def test_a_file_that_is_no_store_is_named(tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite").write_text("not a database, but long enough to be taken for one" * 50)
    with pytest.raises(StoreError, match=r"tables\.sqlite' are damaged"):
        TableStore(tmp_path / "tables.sqlite")


@pytest.mark.parametrize("change", [{"seats": 7}, {"record": None}, {"clock": {"x": 1}}, {"left": None}])
def test_a_saved_table_that_makes_no_sense_is_refused(change: dict[str, Any]) -> None:
    from meeple.core.match import Match
    from meeple.web.saved import body_of, table_of
    from meeple.web.seats import Seat
    from meeple.web.table import Table

    match = Match("santorini", seed=1)
    body = body_of(Table(match.game, [Seat("here", "A"), Seat("here", "B")], owner="me", match=match))
    assert table_of(json.loads(json.dumps(body))).game.name == "santorini"
    with pytest.raises(MeepleError, match="a saved table is damaged"):
        table_of(body | change)
