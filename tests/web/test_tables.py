"""Tables, clicks and the room without a browser."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from conftest import HOARD
from meeple.core.contract import NOBODY
from meeple.core.registry import load_game
from meeple.errors import ConfigError
from meeple.web.clicks import Offer, offer_of
from meeple.web.levels import level_spec, levels_of
from meeple.web.pages.replay import replay_table, uploaded
from meeple.web.panels import log_panel, result_words, seats_panel, status_words
from meeple.web.room import Room
from meeple.web.server import free_port
from meeple.web.table import Access, Clock, Refused, Table
from web.conftest import finish, new_table


def test_an_offer_is_a_tree_of_clicks() -> None:
    offer = Offer({("a", "b"): 1, ("a", "c"): 2, ("d",): 3})
    assert offer.after(()) == {"a", "d"}
    assert offer.after(("a",)) == {"b", "c"}
    assert offer.action(("a",)) is None
    assert offer.action(("a", "c")) == 2


def test_every_legal_action_is_on_offer() -> None:
    state = load_game("santorini").new(seed=1).play("B3,D3").play("C2,C4")
    offer = offer_of(state)
    assert {offer.action(path) for action in state.legal_actions() for path in state.paths(action)} == set(
        map(int, state.legal_actions())
    )
    assert offer.after(()) == {"B3", "D3"}


def play_first(table: Table) -> None:
    table.play(table.mover, int(table.match.state.legal_actions()[0]))


def test_only_the_mover_plays_and_only_what_is_on_offer() -> None:
    table = new_table("santorini", "here", "here")
    with pytest.raises(Refused, match="not this seat's turn"):
        table.play(1, 0)
    with pytest.raises(Refused, match="not on offer"):
        table.play(0, 10**6)
    assert (table.match.ply, table.version) == (0, 0)
    play_first(table)
    assert (table.match.ply, table.version) == (1, 1)


def test_tokens_open_seats_and_nothing_else() -> None:
    table = new_table("santorini", "here", "elsewhere")
    assert table.access(table.owner_token) == Access(table, frozenset({0}), is_owner=True)
    assert table.access(table.seats[1].token) == Access(table, frozenset({1}))
    assert table.access(table.spectator_token) == Access(table)
    assert table.access("guess") is None
    assert len(set(table.tokens())) == 3


def test_undo_between_people_elsewhere_needs_consent() -> None:
    table = new_table("santorini", "here", "elsewhere")
    play_first(table)
    play_first(table)
    table.undo(0)
    assert table.match.ply == 2
    table.agree(1, agrees=False)
    assert (table.match.ply, table.request) == (2, None)
    table.undo(0)
    table.agree(1, agrees=True)
    assert table.match.ply == 0


def test_undo_at_one_screen_or_against_agents_needs_none() -> None:
    table = new_table("santorini", "here", "random")
    play_first(table)
    play_first(table)
    table.undo(0)
    assert table.match.ply == 0
    table.redo()
    assert table.match.ply == 2


def test_nobody_plays_again_what_others_elsewhere_let_be_taken_back() -> None:
    table = new_table("santorini", "here", "elsewhere")
    play_first(table)
    table.undo(0)
    table.agree(1, agrees=True)
    assert table.match.can_redo
    with pytest.raises(Refused, match="nothing to redo"):
        table.redo()


def test_undo_brings_the_same_dice_again() -> None:
    table = new_table(HOARD, "here", "here")
    play_first(table)
    before = table.match.state.to_bytes()
    table.undo(0)
    play_first(table)
    assert table.match.state.to_bytes() == before


def test_nothing_to_take_back_is_said() -> None:
    table = new_table("santorini", "here", "here")
    with pytest.raises(Refused, match="nothing to take back"):
        table.undo(0)
    with pytest.raises(Refused, match="nothing to redo"):
        table.redo()


def test_resigning_gives_the_others_the_victory() -> None:
    table = new_table(HOARD + ":players=3", "here", "here", "here")
    table.resign(1)
    assert table.winners() == [0, 2]
    assert result_words(table) == "Ben resigned: Ann and Cleo share the victory"
    assert table.mover == NOBODY
    with pytest.raises(Refused, match="over"):
        table.resign(0)


def test_time_runs_for_the_mover_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("meeple.web.table.time.monotonic", lambda: now[0])
    table = new_table("santorini", "here", "here", clock=Clock(60.0, 2.0))
    now[0] += 10
    assert (table.time_left(0), table.time_left(1)) == (50.0, 60.0)
    play_first(table)
    assert table.time_left(0) == 52.0
    now[0] += 61
    assert table.flag()
    assert result_words(table) == "Ben ran out of time: Ann wins"


def test_a_table_comes_back_from_disk_as_it_was(tmp_path: Path) -> None:
    room = Room(tmp_path)
    table = room.seat_down(new_table(HOARD, "here", "elsewhere"))
    play_first(table)
    room.close()
    again = Room(tmp_path)
    found = again.find(table.seats[1].token)
    assert found is not None
    assert found.seats == {1}
    assert found.table.match.state == table.match.state
    assert again.find("guess") is None
    again.close()


def test_a_withdrawn_link_opens_nothing(tmp_path: Path) -> None:
    room = Room(tmp_path)
    table = room.seat_down(new_table("santorini", "here", "elsewhere"))
    old = table.seats[1].token
    room.revoke(table, 1)
    assert room.find(old) is None
    assert room.find(table.seats[1].token) is not None
    with pytest.raises(Refused, match="no link"):
        room.revoke(table, 0)
    room.close()
    assert Room(tmp_path).find(old) is None


def test_an_agent_moves_only_while_somebody_looks(tmp_path: Path) -> None:
    async def evening() -> None:
        room = Room(tmp_path)
        table = room.seat_down(new_table("santorini", "here", "first"))
        play_first(table)
        assert room._tasks == {}
        done = asyncio.Event()
        table.listeners.append(lambda: done.set() if table.mover == 0 else None)
        room.advance(table)
        await asyncio.wait_for(done.wait(), 60)
        assert table.match.ply == 2
        room.close()

    finish(evening())


def test_an_agent_that_fails_pauses_its_table(tmp_path: Path) -> None:
    failing = tmp_path / "failing.py"
    failing.write_text("from meeple.agents.base import Agent\n\n\nclass Failing(Agent):\n    pass\n")

    async def evening() -> None:
        room = Room(tmp_path)
        table = room.seat_down(new_table("santorini", "here", f"{failing}:Failing"))
        play_first(table)
        done = asyncio.Event()
        table.listeners.append(done.set)
        room.advance(table)
        await asyncio.wait_for(done.wait(), 60)
        assert table.is_paused
        assert table.match.ply == 1
        room.close()

    finish(evening())


@pytest.mark.parametrize("spec", ["./mine.py:Agent", "x@weights.npz", "minimax:config=mine", "a/b", "mine.py"])
def test_specs_that_name_files_are_refused(spec: str, tmp_path: Path) -> None:
    room = Room(tmp_path)
    with pytest.raises(Refused, match="names a file"):
        room.require_safe(spec)
    room.close()
    trusting = Room(tmp_path, trusts_specs=True)
    trusting.require_safe(spec)
    trusting.close()


def test_specs_without_files_pass(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.require_safe("mcts:iterations=500,c=1.41,prior=[minimax:depth=2]")
    room.close()


def test_what_a_seat_did_not_see_is_not_in_its_log() -> None:
    table = new_table(HOARD, "here", "elsewhere")
    table.play(0, 2)  # dropped face down
    assert "drop 1" in log_panel(table, 0, None)
    assert "drop" not in log_panel(table, 1, None)
    assert "a move you do not see" in log_panel(table, 1, None)


def test_names_are_escaped() -> None:
    table = new_table("santorini", "here", "here")
    table.seats[0].name = "<b>&"
    shown = seats_panel(table, table.match.state, None, None)
    assert "<b>&" not in shown
    assert "&lt;b&gt;&amp;" in shown


def test_status_says_whose_turn_it_is() -> None:
    table = new_table("santorini", "here", "random")
    assert status_words(table, 0, frozenset({0})) == "Your turn"
    play_first(table)
    assert status_words(table, 0, frozenset({0})) == "random is thinking …"


def test_an_uploaded_record_names_no_folder_and_no_strange_game() -> None:
    table = new_table("santorini", "here", "here")
    play_first(table)
    text = table.match.record(["human", "human"]).text()
    assert uploaded(text.replace('"folder": ""', '"folder": "/etc"')).folder == ""
    replayed = replay_table(uploaded(text), "me")
    assert replayed.is_open
    assert replayed.match.ply == 1
    with pytest.raises(Refused, match="no game"):
        uploaded(text.replace('"game": "santorini"', '"game": "../secret"'))


def test_a_port_that_is_taken_is_named() -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=f"port {port} on 127.0.0.1 cannot be used"):
            free_port("127.0.0.1", port)


def test_levels_have_names_and_agents() -> None:
    game = load_game("santorini")
    assert level_spec(game, "Novice") == levels_of(game.definition)["Novice"]
    with pytest.raises(ConfigError, match="no level"):
        level_spec(game, "God")
