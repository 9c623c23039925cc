"""What an agent is told besides its turns, what is kept of what it says, and what counts as an answer."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from conftest import HOARD, TICTACTOE
from meeple import Agent, Match, Turn, play_match
from meeple.agents.base import Limits
from meeple.agents.careless import Careless
from meeple.agents.engines.process import words_of
from meeple.agents.registry import load_agent
from meeple.arena.conditions import Conditions
from meeple.arena.engine import play_game
from meeple.core.game import Game
from meeple.core.record import parse_record
from meeple.core.registry import load_game
from meeple.errors import AgentError, RecordError

GAME = load_game(TICTACTOE)


class Told(Agent):
    """Remembers what it is told, plays the first move, and says something of it."""

    wants_events = True

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.turns: list[Turn] = []

    def open(self) -> None:
        self.heard.append("open")

    def new_match(self, game: Game, seats: Sequence[int]) -> None:
        self.heard.append(f"{game.spec} {list(seats)}")

    def choose(self, turn: Turn) -> int | str:
        self.turns.append(turn)
        turn.note({"value": 0.25, "nodes": len(self.turns), "mood": "good"})
        return turn.state.legal_moves()[0]

    def end_match(self, ranks: Sequence[int], reason: str) -> None:
        self.heard.append(f"{list(ranks)} {reason}")

    def close(self) -> None:
        self.heard.append("close")


@pytest.mark.parametrize(
    ("command", "windows", "words"),
    [
        ("python3 'my engine.py' --fast", False, ["python3", "my engine.py", "--fast"]),
        (r'"C:\Program Files\bold\bold.exe" --fast', True, [r"C:\Program Files\bold\bold.exe", "--fast"]),
        (r"engines\bold.exe", True, [r"engines\bold.exe"]),
    ],
)
def test_a_command_is_split_as_its_system_does(command: str, windows: bool, words: list[str]) -> None:
    assert words_of(command, windows=windows) == words


def test_an_agent_is_told_of_the_match_before_and_after_its_turns() -> None:
    agent = Told()
    play_game(GAME, [agent, agent], seed=1)
    assert agent.heard == ["open", "tictactoe [0, 1]", "[1, 2] played to the end"]
    play_match(GAME, [agent, "first"], seed=1)
    assert agent.heard[3:] == ["open", "tictactoe [0]", "[1, 2] played to the end"]  # it is the caller's to close


def test_an_agent_behind_another_is_told_too() -> None:
    agent, inner = load_agent("careless:share=0", GAME), Told()
    assert isinstance(agent, Careless)
    assert agent.inner is not None
    agent.inner = inner, agent.inner[1]
    play_game(GAME, [agent, load_agent("first", GAME)], seed=1)
    agent.close()
    assert inner.heard == ["open", "tictactoe [0]", "[1, 2] played to the end", "close"]


def test_an_agent_that_cannot_begin_forfeits() -> None:
    class Broken(Agent):
        spec = "broken"

        def new_match(self, game: Game, seats: Sequence[int]) -> None:
            raise OSError("no book")

    played = play_game(GAME, [load_agent("first", GAME), Broken()], seed=1)
    assert (played.at_fault, played.plies) == (1, 0)
    assert played.reason.startswith("forfeit: seat 2 (broken) before the match: raised OSError: no book")


def test_events_are_told_with_movers_and_texts_as_the_seat_saw_them() -> None:
    game, agent = load_game(f"{HOARD}:players=2"), Told()
    match = play_match(game, [agent, "random"], seed=3)
    last = agent.turns[-1]
    assert last.events == tuple(match.seen_events(0)[: len(last.events or ())])
    assert [event.code for event in last.events or ()] == match.seen(0)[: len(last.events or ())]
    pairs = list(zip(match.steps, match.seen_events(0), strict=True))
    assert all(event.seat == step.seat and event.text in (step.text, None) for step, event in pairs)
    assert any(event.text is None for _, event in pairs)


def test_limits_of_the_match_are_told_beside_the_share() -> None:
    agent = Told()
    conditions = Conditions(move=20.0, clock=60.0, increment=1.0)
    play_game(GAME, [agent, load_agent("first", GAME)], seed=1, conditions=conditions, clock=lambda: 0.0)
    assert agent.turns[0].limits == Limits(20.0, (60.0, 60.0), 1.0)
    assert agent.turns[1].limits == Limits(20.0, (61.0, 61.0), 1.0)
    assert 0 < (agent.turns[0].seconds or 0) < 20


def test_what_an_agent_says_of_its_move_is_kept_in_the_record() -> None:
    match = play_match("santorini", [Told(), "first"], seed=1)
    text = match.record(["told", "first"]).text()
    assert '"info": {"value": 0.25, "nodes": 1}}' in text
    again = Match.from_record(parse_record(text))
    assert [step.info for step in again.steps] == [step.info for step in match.steps]
    assert [step.info for step in again.branch().steps] == [step.info for step in match.steps]
    with pytest.raises(RecordError, match="'value' is the expected returns of the mover"):
        parse_record(text.replace("0.25", "2.5"))


def test_an_answer_is_the_whole_text_of_a_move() -> None:
    class Short(Agent):
        spec = "short"
        answer = ""

        def choose(self, turn: Turn) -> str:
            return self.answer

    agent = Short()
    agent.answer = "b3,d 3"
    assert play_game(load_game("santorini"), [agent, agent], seed=1).plies == 1  # spaces and case do not matter
    match = Match(load_game("azul:players=2"), seed=1)
    agent.answer = "F1 blue f"
    assert match.state.read_move(agent.answer) == match.state.read_move("F1 blue floor")  # a person may type that
    with pytest.raises(AgentError, match="that is not the whole text of"):
        play_match("azul:players=2", [agent, agent], seed=1)
