"""What a browser finds again: its matches, results and rating, and the code that takes them elsewhere."""

from __future__ import annotations

import asyncio
import re
import threading
import uuid
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from nicegui import Client, ui

from meeple.agents.levels import deviations_of, elos_of, levels_of
from meeple.core.chance import new_salt
from meeple.core.match import Match
from meeple.core.registry import find_definition, load_game
from meeple.web.again import rematch_of
from meeple.web.codes import CodeError, code_of, owner_of
from meeple.web.history import History
from meeple.web.pages import games, home
from meeple.web.pages.games import finished_table, results_table, running_table, successor
from meeple.web.people import people_met
from meeple.web.plots import rating_plot
from meeple.web.ratings import Rating
from meeple.web.room import Room
from meeple.web.saved import body_of, table_of
from meeple.web.seats import Seat
from meeple.web.store import Seated
from meeple.web.table import Table
from meeple.web.takeback import undo
from web.conftest import finish, new_table

ANN, BEN = str(uuid.UUID(int=1)), str(uuid.UUID(int=2))
LEVELS = list(elos_of(find_definition("santorini")))


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def match_against(room: Room, *levels: str, owner: str = ANN, loses: bool = False, at: float = 0.0) -> Table:
    """A table of Santorini at which the owner has resigned, or has won by playing on; `at` is when, in weeks."""
    board = load_game("santorini")
    seats = [Seat("here", "Ann"), *(Seat("agent", level, "random", level=level) for level in levels)]
    table = room.seat_down(Table(board, seats, owner=owner, match=Match(board, seed=3, salt=new_salt())))
    if loses:
        table.resign(0)
    else:
        play_until_won_by(table, 0)
    table.ended = 1e9 + at * 7 * 24 * 3600
    room._save(table)
    return table


def play_until_won_by(table: Table, seat: int) -> None:
    """Climb with `seat`, and have the other one stay low."""
    while not table.is_over:
        state = table.match.state
        wins = {move: state.after(int(move)) for move in state.legal_actions()}
        for move, after in wins.items():
            if after.is_over and after.win_shares()[seat] == 1:
                table.play(table.mover, int(move))
                return
        safe = [move for move, after in wins.items() if not after.is_over]
        table.play(table.mover, int(safe[len(safe) // 2]))


def test_running_and_finished_matches_of_one_browser_and_nobody_elses(room: Room) -> None:
    lost = match_against(room, LEVELS[0], loses=True)
    running = room.seat_down(new_table("santorini", "here", "random"))
    other = match_against(room, LEVELS[0], owner=BEN, loses=True)
    history = History.of(room.store, ANN)
    assert [each.body["key"] for each in history.all] == [lost.key]
    assert [each.outcome for each in history.finished] == ["lost"]
    assert [each.body["key"] for each in History.of(room.store, "nobody").running] == [running.key]
    page = str(finished_table(history.finished, {}))
    assert lost.owner_token in page
    assert other.owner_token not in page
    assert LEVELS[0] in page
    assert running.owner_token in str(running_table(History.of(room.store, "nobody").running))


def test_a_guest_finds_the_match_again_until_the_link_is_withdrawn(room: Room) -> None:
    table = room.seat_down(new_table("santorini", "here", "elsewhere"))
    room.store.sit(BEN, table.key, 1, table.seats[1].token)
    (found,) = History.of(room.store, BEN).running
    assert (found.token, found.own, found.against) == (table.seats[1].token, frozenset({1}), "Ann")
    room.revoke(table, 1)
    assert History.of(room.store, BEN).all == []


def test_a_guests_win_is_the_owners_loss(room: Room) -> None:
    table = room.seat_down(new_table("santorini", "here", "elsewhere"))
    room.store.sit(BEN, table.key, 1, table.seats[1].token)
    table.resign(0)
    assert [each.outcome for each in History.of(room.store, BEN).finished] == ["won"]
    assert [each.outcome for each in History.of(room.store, "nobody").finished] == ["lost"]
    assert History.of(room.store, BEN).counts() == {}  # people are no level


def test_results_by_level(room: Room) -> None:
    for loses in (True, True, False):
        match_against(room, LEVELS[1], loses=loses)
    for level in (LEVELS[5], LEVELS[0], LEVELS[2]):
        match_against(room, level, loses=True)
    history = History.of(room.store, ANN)
    assert history.counts()[("Santorini", LEVELS[1])] == {"won": 1, "shared": 0, "lost": 2}
    assert [level for _, level in history.counts()] == [LEVELS[n] for n in (0, 1, 2, 5)]
    assert "33%" in str(results_table(history))


def test_what_people_did_against_an_agent_is_told_to_the_lab(room: Room) -> None:
    match_against(room, LEVELS[0], at=2)
    match_against(room, LEVELS[0], loses=True, at=1)
    match_against(room, LEVELS[0], owner=BEN, at=3)
    helped = match_against(room, LEVELS[0], owner="helped", at=4)
    helped.helped = "a hint"
    room._save(helped)
    assert people_met("santorini", room.store) == {(ANN, "random"): [False, True], (BEN, "random"): [True]}
    assert people_met("azul", room.store) == {}


def test_the_rating_follows_results_in_the_order_in_which_matches_ended(room: Room) -> None:
    for week, loses in enumerate((False, False, True, False)):
        match_against(room, LEVELS[2], loses=loses, at=week)
    rows = History.of(room.store, ANN).rated("santorini")
    assert [row.played.outcome for row in rows] == ["won", "won", "lost", "won"]
    assert [row.after.elo > row.before.elo for row in rows] == [True, True, False, True]
    assert rows[-1].after.deviation < rows[0].before.deviation
    plot = str(rating_plot(rows, elos_of(find_definition("santorini")), "Santorini"))
    assert f"Rating in Santorini: {rows[-1].after} after 4 matches" in plot
    assert plot.count("<circle") == 4


def test_help_chosen_positions_stand_ins_and_unknown_agents_are_not_rated(room: Room) -> None:
    reasons = {}
    for name in ("hint", "undo", "start", "stand-in", "spec", "study"):
        table = match_against(room, LEVELS[0], loses=True)
        if name == "hint":
            table.helped = "a hint was taken"
        elif name == "start":
            table.match.start_text = table.match.state.text()
        elif name == "stand-in":
            table.seats[1].is_stand_in = True
        elif name == "spec":
            table.seats[1].level = ""
        elif name == "study":
            table.is_study = True
        elif name == "undo":
            table.helped = "a move was taken back"
        room._save(table)
        (found,) = [each for each in History.of(room.store, ANN).all if each.body["key"] == table.key]
        reasons[name] = found.unrated()
    assert reasons == {
        "hint": "a hint was taken",
        "undo": "a move was taken back",
        "start": "a chosen position",
        "stand-in": "not one person against agents",
        "spec": "no level with a measured strength",
        "study": "a try",
    }
    assert History.of(room.store, ANN).rated("santorini") == []


def test_a_match_counts_with_the_strength_that_its_level_had(room: Room) -> None:
    table = match_against(room, LEVELS[1], loses=True)
    definition = find_definition("santorini")
    now = (elos_of(definition)[LEVELS[1]], deviations_of(definition)[LEVELS[1]])
    assert (table.seats[1].elo, table.seats[1].deviation) == now
    assert now[1] > 0
    for deviation, counted in ((77.0, 77.0), (None, 40.0)):  # older matches have none
        table.seats[1].elo, table.seats[1].deviation = 1234.0, deviation  # as it was measured then
        room._save(table)
        (row,) = History.of(room.store, ANN).rated("santorini")
        assert [result.opponent for result in row.played.results] == [Rating(1234.0, counted)]
        assert row.before.elo == 1234
    again, _ = rematch_of(table)
    assert (again.seats[0].elo, again.seats[0].deviation) == now


def test_a_rating_is_looked_up_while_the_event_loop_goes_on(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    table = match_against(room, LEVELS[0], loses=True)
    went_on, seated = threading.Event(), room.store.seated

    def held(owner: str, *, is_over: bool | None = None) -> list[Seated]:
        assert went_on.wait(60), "the event loop waits for it"
        return seated(owner, is_over=is_over)

    async def both() -> str:
        asked = asyncio.ensure_future(room.rating(table, ANN))
        await asyncio.sleep(0)  # it is asked
        went_on.set()
        return await asked

    monkeypatch.setattr(room.store, "seated", held)
    words = finish(both())
    room.close()
    assert words.startswith("Your rating in Santorini: ")


@pytest.mark.parametrize(("pages", "build"), [(home, home.home_page), (games, games.games_page)])
def test_the_pages_that_list_matches_read_them_while_the_event_loop_goes_on(
    room: Room, monkeypatch: pytest.MonkeyPatch, pages: ModuleType, build: Callable[[Room], Coroutine[Any, Any, None]]
) -> None:
    match_against(room, LEVELS[0], loses=True)
    went_on, threads, seated = threading.Event(), list[threading.Thread](), room.store.seated

    def held(owner: str, *, is_over: bool | None = None) -> list[Seated]:
        assert went_on.wait(60), "the event loop waits for it"
        threads.append(threading.current_thread())
        return seated(owner, is_over=is_over)

    async def built() -> None:
        with Client(ui.page("")):
            await build(room)

    async def both() -> threading.Thread:
        asked = asyncio.ensure_future(built())
        await asyncio.sleep(0)  # it is asked
        went_on.set()
        await asked
        return threading.current_thread()

    monkeypatch.setattr(room.store, "seated", held)
    monkeypatch.setattr(pages, "owner", lambda: ANN)
    loop = finish(both())
    room.close()
    assert len(threads) == 1
    assert loop not in threads


def test_taking_back_a_move_is_remembered_with_the_table() -> None:
    table = new_table("santorini", "here", "random")
    for _ in range(2):
        table.play(table.mover, int(table.match.state.legal_actions()[0]))
    undo(table, 0)
    assert table_of(body_of(table)).helped == table.helped == "a move was taken back"


@pytest.mark.parametrize("gives_up", [True, False])
def test_when_a_match_ended_is_kept(gives_up: bool) -> None:
    table = new_table("santorini", "here", "random")
    assert table_of(body_of(table)).ended == 0
    if gives_up:
        table.resign(0)
    else:
        play_until_won_by(table, 0)
    ended = table.ended
    table.changed()
    assert table_of(body_of(table)).ended == table.ended == ended > 0


# --- codes


def test_a_code_goes_there_and_back_however_it_is_copied() -> None:
    owner = str(uuid.uuid4())
    code = code_of(owner)
    assert re.fullmatch(r"([A-Z2-7]{4}-){7}[A-Z2-7]{4}", code)
    assert owner_of(code) == owner_of(f"  {code.lower()}\n") == owner_of(code.replace("-", " ")) == owner


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda code: "", "No code was given"),
        (lambda code: code[:-3], "it has 29 letters and digits of 32"),
        (lambda code: code + "!", "“!” is neither"),
        (lambda code: ("B" if code[0] == "A" else "A") + code[1:], "mistyped"),
    ],
)
def test_a_wrong_code_is_told_in_words(change: object, words: str) -> None:
    with pytest.raises(CodeError, match=re.escape(words)):
        owner_of(change(code_of(ANN)))  # type: ignore[operator]


def test_a_code_brings_the_games_of_both_browsers_together(room: Room) -> None:
    mine, other = match_against(room, LEVELS[0], loses=True), match_against(room, LEVELS[1], owner=BEN, loses=True)
    assert successor(room, BEN, code_of(ANN), brings=True) == ANN
    assert {each.body["key"] for each in History.of(room.store, ANN).all} == {mine.key, other.key}
    assert History.of(room.store, BEN).all == []
    other.changed()  # saved again by whoever has it in memory: it stays where it is
    assert len(History.of(room.store, ANN).all) == 2


def test_a_code_may_leave_the_games_of_this_browser_alone(room: Room) -> None:
    match_against(room, LEVELS[0], loses=True)
    match_against(room, LEVELS[1], owner=BEN, loses=True)
    assert successor(room, BEN, code_of(ANN), brings=False) == ANN
    assert len(History.of(room.store, ANN).all) == len(History.of(room.store, BEN).all) == 1


def test_a_sound_code_without_games_is_refused_and_changes_nothing(room: Room) -> None:
    match_against(room, LEVELS[0], owner=BEN, loses=True)
    with pytest.raises(CodeError, match="no games are kept under it"):
        successor(room, BEN, code_of(ANN), brings=True)
    assert len(History.of(room.store, BEN).all) == 1
    assert successor(room, BEN, None, brings=False) not in (ANN, BEN)


# --- the levels' strength


def test_elos_are_those_of_the_page_on_levels() -> None:
    text = (Path(__file__).parents[2] / "docs/levels.md").read_text(encoding="utf-8")
    for name in ("santorini", "azul", "ingenious", "sagrada", "saboteur-duel"):
        definition = find_definition(name)
        part = text.partition(f"\n## {definition.facts.title}\n")[2].partition("\n## ")[0]
        rows = dict(re.findall(r"^\| (Level \d+), [\w ]+ \| \+?(\d+) \|", part, re.MULTILINE))
        assert elos_of(definition) == {level: float(elo) for level, elo in rows.items()}
        assert len(rows) >= 3
        assert set(rows) <= set(levels_of(definition))
    assert elos_of(find_definition("saboteur")) == {}  # shares at a table of three
