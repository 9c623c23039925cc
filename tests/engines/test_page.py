"""Engines at the page: those that its operator names, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.table import spec_of
from meeple.agents.base import Agent, Turn
from meeple.cli.web import _engine
from meeple.core.registry import find_definition, load_game
from meeple.core.spec import parse_spec
from meeple.errors import ConfigError
from meeple.web.asking import question_for
from meeple.web.clock import Clock
from meeple.web.pages.new import HERE, NewMatch
from meeple.web.room import Room
from meeple.web.saved import body_of, table_of
from meeple.web.seats import Refused, Seat
from meeple.web.table import Table


def test_an_engine_that_the_operator_names_may_be_played_against(tmp_path: Path) -> None:
    name, spec = _engine("Bold=" + parse_spec(spec_of("none")).settings["command"])
    room, game = Room(tmp_path, engines={name: spec}), load_game("santorini")
    form = NewMatch(room, find_definition("santorini"), "", "")
    assert form.who_may_sit[name] == "Bold"
    form.kinds, form.names = [name, HERE], ["", "Ann"]
    seats = [form._seat(game, number) for number in (0, 1)]
    assert [(seat.kind, seat.name, seat.spec) for seat in seats] == [("agent", "Bold", spec), ("here", "Ann", "")]
    table = Table(game, seats, owner="x", seed=1)
    for _ in range(2):
        action = question_for(table, table.agent(0))()
        assert action == table.match.state.legal_actions()[0]
        table.play(0, action)
        table.play(1, int(table.match.state.legal_actions()[0]))
    room.close()


def test_whoever_writes_a_spec_starts_no_engine(tmp_path: Path) -> None:
    room, game = Room(tmp_path, engines={"Bold": "engine:command=./bold"}), load_game("santorini")
    for spec in ("engine:command=./other", "engine:command=./bold", "careless:agent=[engine:command=./bold]"):
        with pytest.raises(Refused, match=r"starts the command '\./"):
            room.agent_for(spec, game)
    room.close()


@pytest.mark.parametrize("text", ["./bold", "=./bold", "Bold=", "x" * 41 + "=./bold", "Bold=no-such-program"])
def test_a_wrong_engine_is_told_when_the_page_starts(text: str) -> None:
    with pytest.raises(ConfigError, match=r"such as bold=\./bold|there is no program"):
        _engine(text)


def test_an_agent_at_the_page_is_told_of_its_clock_and_of_what_happened() -> None:
    class Listening(Agent):
        """Keeps its turns."""

        wants_events = True

        def choose(self, turn: Turn) -> int:
            turns.append(turn)
            turn.note({"nodes": len(turns)})
            return int(turn.state.legal_actions()[0])

    turns: list[Turn] = []
    game, agent = load_game("santorini"), Listening()
    table = Table(game, [Seat("agent", "Bold"), Seat("here", "Ann")], owner="x", seed=1, clock=Clock(300.0, 5.0, True))
    table.sit_down(0, agent)
    table.times.left[1] = 250.0
    table.play(0, question_for(table, agent)())
    table.play(1, int(table.match.state.legal_actions()[0]))
    question_for(table, agent)()
    assert turns[0].limits.clocks == (300.0, 250.0)
    assert (turns[0].limits.increment, turns[0].events) == (5.0, ())
    assert turns[1].events == tuple(table.match.seen_events(0))
    assert [step.info for step in table.match.steps] == [{"nodes": 1}, None]
    assert [step.info for step in table_of(body_of(table)).match.steps] == [{"nodes": 1}, None]
