"""The protocol as its page tells it: the transcript, from both sides; what a question holds; when `stop` is said."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from conftest import HOARD, TICTACTOE
from engines.transcript import FROM, START, TO, Scripted, transcript
from meeple.agents.base import Agent, Limits, pose, streams_of
from meeple.agents.engines import talk
from meeple.agents.engines.external import External
from meeple.agents.engines.serving import Server
from meeple.agents.registry import load_agent
from meeple.arena.engine import play_game
from meeple.core.chance import Stream
from meeple.core.contract import HIDDEN
from meeple.core.game import Game, State
from meeple.core.match import Match
from meeple.core.registry import load_game


def test_the_transcript_is_what_meeple_says(monkeypatch: pytest.MonkeyPatch) -> None:
    game, script = load_game("santorini"), Scripted(transcript())
    monkeypatch.setattr(talk, "EngineProcess", lambda command: script)
    agent = External(command="./mine", time=0.1)
    agent.spec = "engine:command=./mine"
    played = play_game(game, [load_agent("first", game), agent], seed=1, start=game.read(START))
    agent.close()
    assert script.said == [line for line in transcript() if line.startswith(TO)]
    assert played.shares == [0, 1]
    assert [event.info for event in played.record(["first", agent.spec]).events if event.info] == [
        {"value": 0.5, "depth": 3, "nodes": 1500, "line": ["B4>A4^B4", "E4>E5^E4"]}
    ]


def test_our_own_engine_answers_the_transcript() -> None:
    game, written = load_game("santorini"), []
    lines = [line.removeprefix(TO) + "\n" for line in transcript() if line.startswith(TO)]
    server = Server(game, load_agent("first", game), written.append)
    server.run(io.BytesIO("".join(lines).encode()))
    answers = [json.loads(line.removeprefix(FROM)) for line in transcript() if line.startswith(FROM)]
    wanted = [(each["type"], each["id"], each.get("move")) for each in answers if each["type"] != "info"]
    found = [json.loads(line) for line in written]
    assert [(each["type"], each["id"], each.get("move")) for each in found] == wanted


def test_a_message_that_lacks_what_it_must_hold_is_answered_in_words() -> None:
    written: list[bytes] = []
    lines = [{"type": "new_match", "id": 1, "game": "santorini"}, {"type": "go", "id": 2}, {"type": "ping", "id": 3}]
    server = Server(load_game("santorini"), load_agent("first"), written.append)
    server.run(io.BytesIO("".join(json.dumps(line) + "\n" for line in lines).encode()))
    assert [json.loads(line) for line in written] == [
        {"type": "error", "id": 1, "text": "'new_match' comes without 'seat' (docs/engine-protocol.md)"},
        {"type": "error", "id": 2, "text": "'go' comes without 'position' (docs/engine-protocol.md)"},
        {"type": "pong", "id": 3},
    ]


class Here:
    """In the place of a process: one of our own engines, in this one. `said` are the messages that it was sent."""

    def __init__(self, game: Game, agent: Agent) -> None:
        self.said: list[dict[str, Any]] = []
        self.memory = 0
        self._answers: list[bytes] = []
        self._server = Server(game, agent, self._answers.append)

    def begin_question(self) -> None:
        """Nothing is counted here."""

    def send(self, line: bytes) -> None:
        """Have it answered at once."""
        self.said.append(json.loads(line))
        self._server._answer(self.said[-1])

    def receive(self, seconds: float) -> bytes | None:
        """The next answer."""
        return self._answers.pop(0) if self._answers else None

    def end(self, *, farewell: bytes = b"") -> None:
        """Nothing runs."""


MIRROR = f"{Path(__file__).with_name('mirror.py')}:Mirror"
HOARD_3, TICTACTOE_2 = load_game(f"{HOARD}:players=3"), load_game(TICTACTOE)


@pytest.fixture
def heres(monkeypatch: pytest.MonkeyPatch) -> list[Here]:
    """The engines that were started; the command of each names its game."""
    started: list[Here] = []

    def start(command: str) -> Here:
        game = HOARD_3 if command == HOARD_3.name else TICTACTOE_2
        started.append(Here(game, load_agent(MIRROR, game)))
        return started[-1]

    monkeypatch.setattr(talk, "EngineProcess", start)
    return started


def put(engine: Agent, match: Match, state: State | None = None, **limits: Any) -> int:
    """Put the decision at hand to an engine, in `state` if one is given."""
    seat = match.to_move
    return pose(
        engine,
        state or match.state,
        ply=match.ply,
        streams=streams_of(engine, seat, 1),
        seen=lambda: match.seen(seat),
        events=lambda: match.seen_events(seat),
        **limits,
    )


def test_what_a_seat_is_told_arrives_whole(heres: list[Here]) -> None:
    mirror, first = load_agent(MIRROR, HOARD_3), load_agent("first", HOARD_3)
    for seed in range(5):
        engine = External(command=HOARD_3.name)
        direct = play_game(HOARD_3, [mirror, first, mirror], seed=seed)
        served = play_game(HOARD_3, [engine, first, engine], seed=seed)
        assert served.forfeit is None
        assert served.codes == direct.codes
    assert len(heres) == 10


def test_a_question_tells_no_more_than_the_seat_may_know(heres: list[Here]) -> None:
    match = Match(HOARD_3, seed=4)
    while match.ply < 6:
        match.play(int(match.state.legal_actions()[-1]))
    seat, engine = match.to_move, External(command=HOARD_3.name)
    for world in (match.state, match.state.redealt(seat, Stream(3))):
        put(engine, match, world)
        engine.close()
    first, second = (here.said[-1] for here in heres)
    assert match.state != match.state.redealt(seat, Stream(3))
    assert first["type"] == "go"
    assert first == second
    assert "?" in first["position"]
    hidden = [event for event in first["events"] if None in event.values()]
    assert len(hidden) == match.seen(seat).count(HIDDEN) > 0
    assert not any("code" in event for event in hidden)


def test_a_move_taken_back_begins_the_match_anew(heres: list[Here]) -> None:
    match, engine = Match(TICTACTOE_2), External(command=TICTACTOE_2.name)
    for moves, said, place in [("a1 b2", "hello new_match ping go", 0), ("c3 a2", "go", 2)]:
        before = len(heres[0].said) if heres else 0
        for move in moves.split():
            match.play(move)
        put(engine, match)
        assert " ".join(message["type"] for message in heres[0].said[before:]) == said
        assert heres[0].said[-1]["from"] == place
    match.undo(2)
    match.play("a3")
    match.play("c1")
    put(engine, match)
    assert [message["type"] for message in heres[0].said[-3:]] == ["new_match", "ping", "go"]
    assert (heres[0].said[-1]["from"], len(heres[0].said[-1]["events"])) == (0, 4)


def test_limits_are_told_in_milliseconds(heres: list[Here]) -> None:
    match = Match(TICTACTOE_2)
    put(External(command="x"), match)
    put(External(command="x", time=1.5, nodes=70), match)
    put(External(command="x", time=1.5), match, seconds=0.25, limits=Limits(9.0, (9.0, 7.5), 0.5))
    told = [here.said[-1]["limits"] for here in heres]
    assert told == [{}, {"move": 1500, "nodes": 70}, {"move": 250, "clocks": [9000, 7500], "increment": 500}]


def test_whoever_wants_it_to_stop_is_answered_within_its_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    class Late(Here):
        """Thinks until it is told to stop."""

        def send(self, line: bytes) -> None:
            message = json.loads(line)
            self.said.append(message)
            if message["type"] != "go":
                question = next(each for each in reversed(self.said) if each["type"] != "stop")
                self._server._answer(question if message["type"] == "stop" else message)

    late = Late(TICTACTOE_2, load_agent("first", TICTACTOE_2))
    monkeypatch.setattr(talk, "EngineProcess", lambda command: late)
    assert put(External(command="x"), Match(TICTACTOE_2), should_stop=lambda: True) == 0
    assert [message["type"] for message in late.said[-2:]] == ["go", "stop"]
    assert late.said[-1]["id"] == late.said[-2]["id"]
