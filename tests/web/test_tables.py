"""Tables, clicks and the room without a browser."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from conftest import HOARD
from meeple.agents.base import Agent, Turn
from meeple.agents.levels import level_spec, levels_of
from meeple.agents.registry import load_agent
from meeple.arena.engine import play_game
from meeple.arena.openings import random_opening
from meeple.cli import web as cli
from meeple.core.chance import SALT_BYTES
from meeple.core.contract import NOBODY
from meeple.core.forfeit import Forfeit
from meeple.core.match import Match
from meeple.core.record import parse_record
from meeple.core.registry import find_definition, load_game
from meeple.errors import ConfigError, MeepleError
from meeple.web.asking import Trouble, question_for
from meeple.web.clicks import Offer, offer_of
from meeple.web.clock import Clock
from meeple.web.logbook import log_panel
from meeple.web.pages.new import ELSEWHERE, HERE, NewMatch
from meeple.web.pages.replay import replay_table, uploaded
from meeple.web.panels import result_words, seats_panel, status_words, without_folders
from meeple.web.room import Room
from meeple.web.saved import body_of, table_of
from meeple.web.seats import Access, Refused, Seat
from meeple.web.server import free_port
from meeple.web.table import Table
from meeple.web.takeback import agree, redo, undo, undo_last
from meeple.web.viewing import Viewing
from meeple.web.voice import Voice
from web.conftest import finish, new_table


class AgentThatFails(Agent):
    """Whatever it is asked."""

    def choose(self, turn: Turn) -> int:
        raise ValueError("no idea")


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
    undo(table, 0)
    assert table.match.ply == 2
    agree(table, 1, agrees=False)
    assert (table.match.ply, table.request) == (2, None)
    undo(table, 0)
    agree(table, 1, agrees=True)
    assert table.match.ply == 0


def test_undo_at_one_screen_or_against_agents_needs_none() -> None:
    table = new_table("santorini", "here", "random")
    play_first(table)
    play_first(table)
    undo(table, 0)
    assert table.match.ply == 0
    redo(table)
    assert table.match.ply == 2


def test_those_at_one_screen_take_back_the_last_move_of_any_of_them() -> None:
    table = new_table("santorini", "here", "here")
    with pytest.raises(Refused, match="nothing to take back"):
        undo_last(table, {0, 1})
    play_first(table)
    undo_last(table, {0, 1})  # said where the other is to move
    assert table.match.ply == 0
    play_first(table)
    with pytest.raises(Refused, match="nothing to take back"):
        undo_last(table, {1})
    assert table.match.ply == 1


def test_an_agent_that_is_loaded_already_is_asked() -> None:
    table = new_table("santorini", "first", "here")
    agent = load_agent("random", table.game)
    table.sit_down(0, agent)
    assert table.agent(0) is agent
    assert question_for(table, agent)() in table.match.state.legal_actions()


def test_nobody_plays_again_what_others_elsewhere_let_be_taken_back() -> None:
    table = new_table("santorini", "here", "elsewhere")
    play_first(table)
    undo(table, 0)
    agree(table, 1, agrees=True)
    assert table.match.can_redo
    with pytest.raises(Refused, match="nothing to redo"):
        redo(table)


def test_undo_brings_the_same_dice_again() -> None:
    table = new_table(HOARD, "here", "here")
    play_first(table)
    before = table.match.state.to_bytes()
    undo(table, 0)
    play_first(table)
    assert table.match.state.to_bytes() == before


def test_nothing_to_take_back_is_said() -> None:
    table = new_table("santorini", "here", "here")
    with pytest.raises(Refused, match="nothing to take back"):
        undo(table, 0)
    with pytest.raises(Refused, match="nothing to redo"):
        redo(table)


def test_resigning_gives_the_others_the_victory() -> None:
    table = new_table(HOARD + ":players=3", "here", "here", "here")
    table.resign(1)
    assert table.winners() == [0, 2]
    assert result_words(table, Voice(table.names)) == "Ben resigned: Ann and Cleo share the victory"
    assert table.mover == NOBODY
    with pytest.raises(Refused, match="over"):
        table.resign(0)


@pytest.mark.parametrize("players", [1, 2, 4])
def test_a_match_given_up_is_saved_with_its_result(players: int, tmp_path: Path) -> None:
    room = Room(tmp_path)
    table = room.seat_down(new_table(f"ingenious:players={players}", *["here"] * players))
    play_first(table)
    table.resign(0)
    words = result_words(table, Voice(table.names))
    room.close()
    record = parse_record(table.record().text())
    assert record.result == {
        "ranks": [max(players, 1), *[1] * (players - 1)],
        "returns": [-1.0, *[2 / max(1, players - 1) - 1] * (players - 1)],
        "reason": "forfeit: seat 1 resigned",
        "forfeit": 0,
    }
    again = Room(tmp_path)
    found = again.find(table.owner_token)
    assert found is not None
    assert found.table.is_over
    assert (result_words(found.table, Voice(found.table.names)), found.table.winners()) == (
        words,
        list(range(1, players)),
    )
    assert again.store.of_owner("nobody", is_over=True)[0]["winners"] == list(range(1, players))
    again.close()


def test_who_gives_up_alone_leaves_nobody_to_win() -> None:
    table = new_table("ingenious:players=1", "here")
    table.resign(0)
    assert result_words(table, Voice(table.names)) == "Ann resigned: nobody wins"


def test_a_replay_tells_how_a_match_ended_before_its_end() -> None:
    table = new_table("santorini", "here", "here")
    play_first(table)
    table.resign(1)
    replayed = replay_table(parse_record(table.record().text()), "me")
    assert result_words(replayed, Voice(replayed.names)) == "Ben resigned: Ann wins"
    assert "resigned early" in log_panel(replayed, Voice(replayed.names), None, "resigned early")


def test_a_replay_tells_a_tournaments_forfeit_and_no_seat_that_is_not_there() -> None:
    game = load_game("santorini")
    failing, first = AgentThatFails(), load_agent("first", game)
    failing.spec = "failing"
    record = play_game(game, [first, failing], seed=1).record(["first", "failing"])
    replayed = replay_table(parse_record(record.text()), "me")
    assert result_words(replayed, Voice(replayed.names)).startswith(
        "failing at ply 1 of santorini raised ValueError: no idea"
    )
    assert result_words(replayed, Voice(replayed.names)).endswith(": first wins")
    for wrong in (-1, 2, "0", True):
        assert record.result is not None
        record.result["forfeit"] = wrong
        assert replay_table(parse_record(record.text()), "me").forfeit is None


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
    assert result_words(table, Voice(table.names)) == "Ben ran out of time: Ann wins"
    assert parse_record(table.record().text()).result == Forfeit(1, "seat 2 ran out of time").result(2)


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


async def settled(room: Room, table: Table) -> None:
    """Wait until no agent thinks at a table."""
    room.advance(table)
    while not room._tasks[table.key].done():
        await asyncio.wait_for(room._tasks[table.key], 60)


@pytest.mark.parametrize("spec", ["careless:share=2", "no-such-agent", "first"])
def test_a_table_waits_where_an_agent_fails(spec: str, tmp_path: Path) -> None:
    async def evening() -> None:
        room = Room(tmp_path)
        table = room.seat_down(new_table("santorini", "here", spec))
        if spec == "first":
            table._agents[1] = AgentThatFails()
        play_first(table)
        told: list[int] = []
        table.listeners.append(lambda: told.append(table.version))
        await settled(room, table)
        assert table.trouble == Trouble(1, loads=spec == "first")
        assert status_words(table, Voice(table.names, 0, 0), frozenset({0})) == (
            "first failed and made no move" if spec == "first" else f"{spec} cannot be loaded and makes no move"
        )
        assert (table.match.ply, told) == (1, [1])
        room.close()

    finish(evening())


def test_an_agent_that_failed_is_asked_again_or_replaced(tmp_path: Path) -> None:
    async def evening() -> None:
        room = Room(tmp_path)
        table = room.seat_down(new_table("saboteur-duel", "here", "first"))
        with pytest.raises(Refused, match="no agent has failed"):
            table.try_again()
        with pytest.raises(Refused, match="no agent has failed"):
            await room.replace(table, "Level 2")
        table._agents[1] = AgentThatFails()
        play_first(table)
        table.listeners.append(lambda: None)
        await settled(room, table)
        table.try_again()  # loaded anew, it is well
        await settled(room, table)
        assert (table.trouble, table.match.ply) == (None, 2)
        table._agents[1] = AgentThatFails()
        play_first(table)
        await settled(room, table)
        with pytest.raises(ConfigError, match="no level"):
            await room.replace(table, "God")
        assert table.trouble is not None
        await room.replace(table, "Level 2")
        await settled(room, table)
        assert (table.trouble, table.match.ply, table.names[1]) == (None, 4, "Level 2")
        assert table.record().agents[1] == table.agent(1).spec != "first"
        room.close()
        found = Room(tmp_path).find(table.owner_token)
        assert found is not None
        assert found.table.seats[1].is_stand_in

    finish(evening())


def test_where_an_agents_file_lies_is_not_shown() -> None:
    assert without_folders("/home/me/mine.py:Agent:depth=2,weights=../w.npz") == "mine.py:Agent:depth=2,weights=w.npz"
    assert without_folders("mcts:iterations=500,prior=[minimax:depth=2]") == (
        "mcts:iterations=500,prior=[minimax:depth=2]"
    )


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("./mine.py:Agent", "runs the code in './mine.py'"),
        ("minimax:worlds=1,config=mine", "opens the file 'mine'"),
        ("minimax-config_file=mine", "opens the file 'mine'"),  # the thesis's way to write it
        ("greedy:evaluation=thesis@weights", "opens the file 'weights'"),
        ("careless:agent=[minimax-config_file=mine]", "opens the file 'mine'"),
        ("random" + " " * 1000, "too long"),
    ],
)
def test_agents_that_name_files_are_refused(spec: str, said: str, tmp_path: Path) -> None:
    game = load_game("sagrada:players=2")
    room, trusting = Room(tmp_path), Room(tmp_path, trusts_specs=True)
    with pytest.raises(Refused, match=said):
        room.agent_for(spec, game)
    with pytest.raises(MeepleError, match=r"no file|cannot be read|no weights|too long"):  # it is looked for
        trusting.agent_for(spec, game)
    room.close()
    trusting.close()


def test_agents_without_files_pass(tmp_path: Path) -> None:
    room = Room(tmp_path)
    assert room.agent_for("mcts:iterations=500,prior=[minimax:depth=2]", load_game("santorini")).spec
    room.close()


def test_a_link_names_no_file_of_options(tmp_path: Path) -> None:
    room = Room(tmp_path)
    with pytest.raises(Refused, match=r"opens the file 'a\.toml': that is refused here"):
        NewMatch(room, find_definition("santorini"), "santorini:mode=a.toml", "")
    room.close()
    trusting = Room(tmp_path, trusts_specs=True)
    with pytest.raises(ConfigError, match="cannot be read"):
        NewMatch(trusting, find_definition("santorini"), "santorini:mode=a.toml", "")
    trusting.close()


def test_what_a_seat_did_not_see_is_not_in_its_log() -> None:
    table = new_table(HOARD, "here", "elsewhere")
    table.play(0, 2)  # dropped face down
    mine, theirs = (log_panel(table, Voice(table.names, seat, seat), None) for seat in range(2))
    assert "<b>You</b> drop the left card face down" in mine
    assert "left" not in theirs
    assert "<b>Ann</b> drops a card face down" in theirs


def test_names_are_escaped() -> None:
    table = new_table("santorini", "here", "here")
    table.seats[0].name = "<b>&"
    shown = seats_panel(table, table.match.state, Voice(table.names), None)
    assert "<b>&" not in shown
    assert "&lt;b&gt;&amp;" in shown


def test_status_says_whose_turn_it_is() -> None:
    table = new_table("santorini", "here", "random")
    assert status_words(table, Voice(table.names, 0, 0), frozenset({0})) == "Your turn"
    play_first(table)
    assert status_words(table, Voice(table.names, 0, 0), frozenset({0})) == "random is thinking …"


def test_an_uploaded_record_names_no_folder_and_no_strange_game() -> None:
    table = new_table("santorini", "here", "here")
    play_first(table)
    text = table.match.record(["human", "human"]).text()
    assert uploaded(text.replace('"folder": ""', '"folder": "/etc"')).folder == ""
    replayed = replay_table(uploaded(text), "me")
    assert replayed.shows_all
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
    assert level_spec(game, "Level 1") == levels_of(game.definition)["Level 1"]
    with pytest.raises(ConfigError, match="no level"):
        level_spec(game, "God")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("sagrada:players=many", "is not a number"),
        ("sagrada:players=" + "9" * 500, "is not a number of players"),
        ("sagrada:players=" + "9" * 5_000, "a spec of 5016 letters is too long"),
        ("sagrada:points=light." + "9" * 500, "takes a whole number from 0 to 20"),
        ("sagrada:players=9", "is for 1 to 4 players, not 9"),
        ("sagrada:rules=house", "option 'rules' takes standard, thesis, not 'house'"),
        ("sagrada:toolbox=saw", "option 'toolbox' knows no 'saw'"),
        ("sagrada:toolbox=lens", "say tools=1"),
        ("sagrada:walls=grey", "has no option 'walls'"),
    ],
)
def test_a_link_to_a_match_that_cannot_be_is_refused_by_name(spec: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(MeepleError, match=message):
        NewMatch(Room(tmp_path), find_definition("sagrada"), spec, "")


@pytest.mark.parametrize("seed", ["--5", "²", "five", "9" * 5_000, "1_0"])
def test_a_seed_that_is_no_number_is_refused(seed: str, tmp_path: Path) -> None:
    form = NewMatch(Room(tmp_path), find_definition("santorini"), "", "")
    form.kinds, form.names, form.seed = [HERE, HERE], ["A", "B"], seed
    with pytest.raises(MeepleError, match=r"a seed (is a whole number|has at most)"):
        form.plan("me")()
    form.seed = " -5 "
    assert form.plan("me")().match.seed == -5


def test_a_link_to_a_position_that_is_none_is_refused(tmp_path: Path) -> None:
    for start in (
        "0" * 25 + "/1/mortal:B3,B3/mortal:C2,C4",
        "0" * 25 + "/1/mortal/mortal seat=1000000000",
        "x" * 50_000,
    ):
        form = NewMatch(Room(tmp_path), find_definition("santorini"), "", start)
        form.kinds, form.names = [HERE, HERE], ["A", "B"]
        with pytest.raises(MeepleError):
            form.plan("me")()


def test_a_link_fills_the_form(tmp_path: Path) -> None:
    form = NewMatch(Room(tmp_path), find_definition("sagrada"), "sagrada:players=3,tools=1,toolbox=lens+brush", "")
    assert (form.players, form.options["tools"], form.options["toolbox"]) == (3, "1", "lens+brush")


# --- seeds and salts ---------------------------------------------------------------------------------


def seated(*kinds: str) -> list[Seat]:
    return [Seat(kind, f"Player {n}") for n, kind in enumerate(kinds)]  # type: ignore[arg-type]


def test_a_table_is_salted_unless_a_seed_was_chosen() -> None:
    board = load_game(f"{HOARD}:players=2")
    one, other = (Table(board, seated("here", "here"), owner="nobody") for _ in range(2))
    assert len(one.match.salt) == SALT_BYTES
    assert one.match.salt != other.match.salt
    chosen = Table(board, seated("here", "here"), owner="nobody", seed=7)
    assert chosen.match.salt == b""
    assert chosen.match.state == Match(board, seed=7).state


def test_watching_is_salted_unless_a_seed_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Match] = []

    def serve(**words: Any) -> None:
        made.append(words["first"](None).match)

    monkeypatch.setattr(cli, "_server", lambda: serve)
    place = {"host": "127.0.0.1", "port": 0, "hosts": [], "most": [], "browser": False, "trust": False}
    for seed in (None, None, 5):
        cli.watch(game="santorini", agents=["first", "first"], seed=seed, openings="random", **place)
    assert len({match.salt for match in made}) == 3
    assert made[2].salt == b""
    opening = random_opening(load_game("santorini"), 5)
    assert opening is not None
    assert made[2].state == opening


def test_nobody_is_told_the_salt_or_the_seed_before_the_end() -> None:
    table = Table(load_game(f"{HOARD}:players=2"), seated("here", "elsewhere"), owner="nobody")
    secrets = (table.match.salt.hex(), str(table.match.seed), "fate")
    for _ in range(4):
        for token in table.tokens():
            access = table.access(token)
            assert access is not None
            view = Viewing(access)
            state, viewer, voice = view.state, view.viewer, view.voice
            told = [view.seen_log(), status_words(table, voice, access.seats), state.text(viewer)]
            told += [str(log_panel(table, voice, None)), str(seats_panel(table, state, voice, None))]
            assert not any(secret in each for secret in secrets for each in told)
        play_first(table)
    table.resign(0)
    assert parse_record(table.record().text()).salt == table.match.salt


def test_a_salted_table_comes_back_from_disk_and_is_dealt_on_as_before() -> None:
    table = Table(load_game(f"{HOARD}:players=2"), seated("here", "here"), owner="nobody")
    play_first(table)
    back = table_of(body_of(table))
    while not table.is_over:
        assert back.match.state == table.match.state
        play_first(table)
        play_first(back)
    assert back.match.state == table.match.state


def test_a_chosen_seed_is_refused_where_people_play_elsewhere(tmp_path: Path) -> None:
    form = NewMatch(Room(tmp_path), find_definition("sagrada"), "sagrada:players=2", "")
    form.seed, form.names, form.kinds = "7", ["Ann", "Ben"], [HERE, ELSEWHERE]
    with pytest.raises(Refused, match="leave it empty where people play elsewhere"):
        form.plan("nobody")()
    form.kinds[1] = HERE
    assert form.plan("nobody")().match.seed == 7
