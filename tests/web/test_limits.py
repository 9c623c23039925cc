"""Load cannot be abused: fair shares of thinking, ceilings, abandoned tables. Time is told, not waited for."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import HOARD
from meeple.agents.base import Agent, Turn, ask
from meeple.agents.levels import hint_spec, levels_of
from meeple.agents.outside import excess_of
from meeple.agents.registry import load_agent, presets_of
from meeple.core.match import Match
from meeple.core.registry import find_definition, game_names, load_game
from meeple.errors import AgentError, ConfigError
from meeple.web.asking import question_for
from meeple.web.limits import Limits, parse_limits
from meeple.web.pages.new import NewMatch
from meeple.web.room import Room
from meeple.web.seats import Refused
from meeple.web.table import Table
from meeple.web.thinker import MOST_STUCK, MOST_WAITING, BusyError, Thinker
from web.conftest import finish, new_table


class Hands:
    """A clock that goes only when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Held:
    """A question that is answered when it is let go, and says when it has begun."""

    def __init__(self, then: Callable[[], object] = lambda: None) -> None:
        self.begun, self.go, self.then = threading.Event(), threading.Event(), then

    def __call__(self) -> object:
        self.begun.set()
        assert self.go.wait(60)
        return self.then()

    async def began(self) -> None:
        assert await asyncio.to_thread(self.begun.wait, 60)


# --- the thinker


def test_the_quick_do_not_wait_for_the_slow() -> None:
    async def evening() -> None:
        clock, order = Hands(), []
        thinker = Thinker(1, clock=clock)

        def think(key: str, seconds: float) -> Callable[[], None]:
            def answer() -> None:
                order.append(key)
                clock.now += seconds

            return answer

        first = Held(think("slow", 20.0))
        asked = [asyncio.ensure_future(thinker.ask(first, key="slow"))]
        await first.began()
        asked += [asyncio.ensure_future(thinker.ask(think("slow", 20.0), key="slow")) for _ in range(3)]
        for _ in range(3):
            asked += [asyncio.ensure_future(thinker.ask(think(key, 1.0), key=key)) for key in ("ann", "ben")]
        await asyncio.sleep(0)
        first.go.set()
        await asyncio.gather(*asked)
        assert order == ["slow", "ann", "ben", "ann", "ben", "ann", "ben", "slow", "slow", "slow"]
        thinker.close()

    finish(evening())


def test_who_comes_anew_starts_level_with_the_others() -> None:
    async def evening() -> None:
        clock, order = Hands(), []
        thinker = Thinker(1, clock=clock)

        def think(key: str) -> Callable[[], None]:
            def answer() -> None:
                order.append(key)
                clock.now += 10.0

            return answer

        for _ in range(5):
            await thinker.ask(think("old"), key="old")
        first = Held(think("old"))
        asked = [asyncio.ensure_future(thinker.ask(first, key="old"))]
        await first.began()
        asked += [asyncio.ensure_future(thinker.ask(think(key), key=key)) for key in ["new"] * 5 + ["old"] * 2]
        await asyncio.sleep(0)
        first.go.set()
        await asyncio.gather(*asked)
        # Not five turns for the new one because it had none before.
        assert order[5:] == ["old", "new", "new", "old", "new", "old", "new", "new"]
        thinker.close()

    finish(evening())


def test_a_question_that_does_not_end_blocks_nobody() -> None:
    async def evening() -> None:
        clock = Hands()
        thinker = Thinker(1, limit=30.0, clock=clock)
        stuck = Held()
        waiting = asyncio.ensure_future(thinker.ask(stuck, key="a", agent="stubborn"))
        await stuck.began()
        others = asyncio.ensure_future(thinker.ask(lambda: "answer", key="b"))
        clock.now += 39.0
        thinker.tick()
        await asyncio.sleep(0)
        assert not others.done()  # it may be about to stop
        clock.now += 2.0
        thinker.tick()
        assert await asyncio.wait_for(others, 60) == "answer"
        assert await asyncio.wait_for(thinker.ask(lambda: "again", key="a"), 60) == "again"  # its own table goes on too
        clock.now += 300.0
        thinker.tick()
        with pytest.raises(AgentError, match="no answer came within 330 s"):
            await asyncio.wait_for(waiting, 60)
        thread = thinker._crew[0]
        stuck.go.set()
        await asyncio.to_thread(thread.join, 60)
        assert len(thinker._crew) == thinker.threads == 1  # its place was taken
        thinker.close()

    finish(evening())


def test_an_agent_that_never_answers_is_asked_no_more() -> None:
    async def evening() -> None:
        clock = Hands()
        thinker = Thinker(1, clock=clock)
        stuck = [Held() for _ in range(MOST_STUCK)]
        asked = []
        for number, question in enumerate(stuck):
            asked.append(asyncio.ensure_future(thinker.ask(question, key=str(number), agent="stubborn")))
            await question.began()
            clock.now += 45.0
            thinker.tick()
        with pytest.raises(AgentError, match="'stubborn' has left 2 questions without an answer"):
            await thinker.ask(lambda: None, key="c", agent="stubborn")
        assert await thinker.ask(lambda: 1, key="c", agent="random") == 1
        for question in stuck:
            question.go.set()
        await asyncio.gather(*asked)
        thinker.close()

    finish(evening())


def test_nobody_asks_without_end() -> None:
    async def evening() -> None:
        thinker = Thinker(1)
        first = Held()
        asked = [asyncio.ensure_future(thinker.ask(first, key="a"))]
        await first.began()
        asked += [asyncio.ensure_future(thinker.ask(lambda: None, key="a")) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(BusyError, match="try again in a moment"):
            await thinker.ask(lambda: None, key="a")
        first.go.set()
        await asyncio.gather(*asked)
        thinker.close()

    finish(evening())


# --- tables


class Endless(Agent):
    """Thinks until it is told to stop."""

    def __init__(self) -> None:
        self.begun, self.stopped = threading.Event(), threading.Event()

    def choose(self, turn: Turn) -> int:
        self.begun.set()
        for _ in range(200_000_000):
            if turn.should_stop():
                self.stopped.set()
                return int(turn.state.legal_actions()[0])
        raise AssertionError("nobody told it to stop")


def play_first(table: Table) -> None:
    table.play(table.mover, int(table.match.state.legal_actions()[0]))


def test_an_endless_search_is_told_to_stop_and_plays(tmp_path: Path) -> None:
    async def evening() -> None:
        room = Room(tmp_path, limits=Limits(thinking=0.0))
        table = room.seat_down(new_table("santorini", "here", "first"))
        table._agents[1] = Endless()
        play_first(table)
        done = asyncio.Event()
        table.listeners.append(lambda: done.set() if table.mover == 0 else None)
        room.advance(table)
        await asyncio.wait_for(done.wait(), 60)
        assert (table.match.ply, table.trouble) == (2, None)
        room.close()

    finish(evening())


@pytest.mark.parametrize(
    "spec",
    [
        "flat:playouts=100000",
        "alphabeta:depth=12,worlds=3",
        "alphabeta:depth=12,worlds=3,others=maxn",
        "expectimax:depth=6,worlds=3",
        "mcts:iterations=100000000,worlds=3",
        "ismcts:iterations=100000000",
        "ismcts:iterations=100000000,threads=2,parallel=tree",
    ],
)
def test_every_search_that_is_told_to_stop_has_a_move(spec: str) -> None:
    match = Match(f"{HOARD}:players=3", seed=5)
    action = ask(load_agent(spec, match.game), match, should_stop=lambda: True)
    assert action in match.state.legal_actions()


def test_the_limit_counts_from_the_first_look_and_not_for_the_operators_own(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Hands()
    monkeypatch.setattr("meeple.web.table.time.monotonic", clock)
    table = new_table("santorini", "first", "first")
    looks: list[bool] = []

    class Looks(Agent):
        def choose(self, turn: Turn) -> int:
            clock.now += 100.0  # compiling, say
            for _ in range(4):
                looks.append(turn.should_stop())
                clock.now += 10.0
            return int(turn.state.legal_actions()[0])

    question_for(table, Looks(), lambda: True, limit=20.0)()
    assert looks == [False, False, True, True]
    looks.clear()
    question_for(table, Looks(), lambda: True)()
    assert looks == [False] * 4


def test_an_abandoned_table_stops_thinking_and_leaves_memory(tmp_path: Path) -> None:
    async def evening() -> None:
        clock = Hands()
        room = Room(tmp_path, clock=clock)
        table = room.seat_down(new_table("santorini", "here", "first"))
        table._agents[1] = agent = Endless()
        play_first(table)
        table.listeners.append(lambda: None)
        room.advance(table)
        assert await asyncio.to_thread(agent.begun.wait, 60)
        clock.now += 10_000.0
        room.tick()
        assert list(room._tables) == [table.key]  # somebody looks
        table.listeners.clear()
        room.leave(table)
        assert await asyncio.to_thread(agent.stopped.wait, 60)
        clock.now += 59.0
        room.tick()
        assert list(room._tables) == [table.key]  # a reload of the page finds it as it was
        clock.now += 1.0
        room.tick()
        assert (room._tables, room._tasks, room._alone_since) == ({}, {}, {})
        found = room.find(table.owner_token)
        assert found is not None
        assert found.table is not table
        assert found.table.match.state == table.match.state
        room.close()

    finish(evening())


def test_a_table_that_nobody_ever_opens_leaves_memory(tmp_path: Path) -> None:
    clock = Hands()
    room = Room(tmp_path, clock=clock, limits=Limits(idle=5.0))
    watched = room.seat_down(new_table("santorini", "first", "first", is_unhurried=True))  # as `meeple watch` seats it
    assert room.find(watched.spectator_token) is not None
    clock.now += 5.0
    room.tick()
    assert room._tables == {}
    found = room.find(watched.owner_token)
    assert found is not None
    assert found.table.is_unhurried
    room.close()


def test_so_many_tables_and_no_more(tmp_path: Path) -> None:
    room = Room(tmp_path, limits=Limits(tables=2))
    tables = [room.seat_down(new_table("santorini", "here", "here")) for _ in range(3)]
    assert len(room._tables) == 1  # those that nobody looks at made room
    for table in tables[:2]:
        found = room.find(table.owner_token)
        assert found is not None
        found.table.listeners.append(lambda: None)
    with pytest.raises(Refused, match="2 tables are open on this server"):
        room.find(tables[2].owner_token)
    with pytest.raises(Refused, match="2 tables are open on this server"):
        room.seat_down(new_table("santorini", "here", "here"))
    for table in list(room._tables.values()):
        table.listeners.clear()
    room.seat_down(new_table("santorini", "here", "here"))
    room.close()


def test_so_much_on_disk_and_no_more(tmp_path: Path) -> None:
    room = Room(tmp_path, limits=Limits(disk=1))
    tables = [room.seat_down(new_table("santorini", "here", "here"))]
    tables[0].seats[0].level = "x" * 1_000_000
    play_first(tables[0])  # a match that is there goes on
    with pytest.raises(Refused, match="keeps 1 MB of tables and takes no new ones"):
        room.seat_down(new_table("santorini", "here", "here"))
    room.store.delete(tables[0].key)
    assert room.seat_down(new_table("santorini", "here", "here"))
    room.close()


def test_the_home_page_reads_no_replays(tmp_path: Path) -> None:
    room = Room(tmp_path)
    match = room.seat_down(new_table("santorini", "here", "here"))
    match.resign(0)
    replay = room.seat_down(new_table("santorini", "first", "first", is_replay=True))
    assert [body["key"] for body in room.store.of_owner("nobody", is_over=True)] == [match.key]
    room.close()
    assert Room(tmp_path).find(replay.owner_token) is not None


def test_a_link_of_other_letters_opens_nothing(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.seat_down(new_table("santorini", "here", "here"))
    assert room.find("tökén") is None
    room.close()


# --- ceilings


@pytest.mark.parametrize(
    ("game", "spec", "said"),
    [
        ("santorini", "mcts:iterations=100000000", "iterations=100000000 of 'mcts' is too much here: at most 50000"),
        ("santorini", "mcts:threads=64", "at most 2"),
        ("santorini", "mcts:plies=1000000000", "at most 1000"),
        (
            "santorini",
            "mcts:prior=[minimax:depth=4]",
            r"prior=.*depth=4\] of 'mcts' is too much here: at most 2",
        ),
        ("santorini", "mcts:probe=3", "at most 2"),
        ("santorini", "alphabeta:depth=60", "at most 12"),
        ("santorini", "alphabeta:time=1h", "time=1h of 'alphabeta' is too much here: at most 10s"),
        ("santorini", "careless:agent=[flat:playouts=1000000]", "of 'flat' is too much here: at most 5000"),
        ("santorini", "careless:slip=[careless:slip=[mcts:time=11s]]", "at most 10s"),
        ("sagrada", "mcts-it=9999999,expl=1", "at most 50000"),  # the thesis's way to write it
        ("sagrada", "strong:iterations=9999999", "at most 50000"),  # over a preset
        ("sagrada", "minimax:depth=2,worlds=100000", "at most 50"),
    ],
)
def test_settings_that_cost_have_a_ceiling(game: str, spec: str, said: str, tmp_path: Path) -> None:
    room = Room(tmp_path)
    with pytest.raises(Refused, match=said):
        room.agent_for(spec, load_game(game))
    room.close()


def test_the_operator_can_raise_a_ceiling(tmp_path: Path) -> None:
    limits = parse_limits(["iterations=100000000", "time=1h", "thinking=2m", "tables=7"])
    assert limits == Limits(thinking=120.0, tables=7, settings={"iterations": 100_000_000, "time": 3600.0})
    room = Room(tmp_path, limits=limits)
    assert room.agent_for("mcts:iterations=100000000,time=1h", load_game("santorini")).spec
    with pytest.raises(Refused, match=r"at most 3600s \(the server allows more if started with --most time="):
        room.agent_for("careless:agent=[mcts:time=2h]", load_game("santorini"))
    room.close()


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("iteration=5", "--most has no 'iteration'; did you mean 'iterations'"),
        ("iterations=many", "takes a whole number, not 'many'"),
        ("tables", "takes a whole number, not ''"),
        ("time=5", "a number and its unit"),
    ],
)
def test_a_limit_that_there_is_not_is_refused(word: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        parse_limits([word])


def test_what_the_games_themselves_offer_is_below_the_ceilings() -> None:
    for name in game_names():
        game = load_game(name)
        offered = [*levels_of(game.definition).values(), *presets_of(game), hint_spec(game.definition)]
        assert [spec for spec in offered if excess_of(spec, game, {}) is not None] == []


def test_texts_of_a_form_have_an_end(tmp_path: Path) -> None:
    room = Room(tmp_path)
    form = NewMatch(room, find_definition("santorini"), "", "")
    form.kinds, form.names, form.specs = ["At this screen"] * 2, ["A" * 10_000, ""], ["", ""]
    assert len(form.plan("me")().names[0]) == 24
    form.seed = "1" * 21
    with pytest.raises(Refused, match="at most 20 digits"):
        form.plan("me")()
    form.seed, form.start = "", "x" * 20_001
    with pytest.raises(Refused, match="too long"):
        form.plan("me")()
    form.start, form.options["supply"] = "", "x" * 2_000
    with pytest.raises(Refused, match="too long"):
        form.plan("me")()
    room.close()
