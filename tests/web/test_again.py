"""Rematches, other ways from a position, and what a browser remembers of the last match."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from meeple.agents.levels import DEFAULT, levels_of
from meeple.core.registry import find_definition
from meeple.web.again import rematch_of, try_from, way_on
from meeple.web.choices import recalled
from meeple.web.clock import Clock
from meeple.web.pages.new import CLOCKS, ELSEWHERE, HERE, NewMatch
from meeple.web.pages.replay import replay_table
from meeple.web.room import Room
from meeple.web.saved import body_of, table_of
from meeple.web.seats import Refused
from meeple.web.viewing import Viewing
from web.conftest import new_table


def test_a_rematch_exchanges_seats_and_keeps_everything_else() -> None:
    table = new_table("saboteur-duel", "here", "random", clock=Clock(300, 5))
    table.seats[1].level = DEFAULT
    with pytest.raises(Refused, match="that is over"):
        rematch_of(table)
    table.resign(0)
    again, _ = rematch_of(table)
    assert [(seat.kind, seat.name, seat.spec, seat.level) for seat in again.seats] == [
        ("agent", "random", "random", DEFAULT),
        ("here", "Ann", "", ""),
    ]
    assert (again.clock, again.owner, again.match.ply) == (table.clock, table.owner, 0)
    assert again.match.salt != table.match.salt  # what is dealt cannot be known from the first match
    assert not set(again.tokens()) & set(table.tokens())


def test_everybody_is_led_to_their_own_seat_of_the_rematch() -> None:
    table = new_table("santorini", "here", "elsewhere")
    table.resign(0)
    again, table.rematch = rematch_of(table)
    table = table_of(body_of(table))  # it is saved
    tokens = (table.owner_token, table.seats[1].token, table.spectator_token)
    found = [again.access(way_on(access)) for access in map(table.access, tokens) if access is not None]
    assert [access and (access.seats, access.is_owner) for access in found] == [
        (frozenset({1}), True),
        (frozenset({0}), False),
        (frozenset(), False),
    ]


def test_a_try_goes_on_against_the_same_agent_with_seats_and_names_kept() -> None:
    table = new_table("saboteur-duel", "random", "here")
    for _ in range(4):
        table.match.play(int(table.match.state.legal_actions()[0]))
    with pytest.raises(Refused, match="when the match is over"):
        try_from(table, None, "nobody")
    table.resign(1)
    half = next(n for n, step in enumerate(table.match.steps) if step.seat == 1)
    study = try_from(table, half, "somebody")
    assert [(seat.kind, seat.name, seat.spec) for seat in study.seats] == [
        ("agent", "random", "random"),
        ("here", "Ben", ""),
    ]
    assert (study.match.ply, study.mover, study.is_study, study.owner) == (1, 1, True, "somebody")
    access = study.access(study.owner_token)
    assert access is not None
    assert Viewing(access).viewer == 1  # its own seat's view, whoever moves


def test_of_a_record_one_person_tries_all_seats() -> None:
    table = new_table("santorini", "random", "random")
    table.match.play(int(table.match.state.legal_actions()[0]))
    shown = replay_table(table.record(), "nobody")
    assert [seat.kind for seat in try_from(shown, 0, "nobody").seats] == ["here", "here"]


# --- what is remembered


@pytest.fixture
def form(tmp_path: Path) -> NewMatch:
    return NewMatch(Room(tmp_path), find_definition("azul"), "", "")


def last_time(form: NewMatch) -> dict[str, Any]:
    """A match of three that was begun."""
    level = list(levels_of(form.definition))[-1]
    form.players, form.kinds, form.names = 3, [level, HERE, ELSEWHERE], ["", "Ann", "Ben"]
    form.options["wall"], form.clock, form.is_shuffled = "grey", "600", True
    return form.choices.told()


def test_opponent_options_seat_and_clock_are_remembered(form: NewMatch, tmp_path: Path) -> None:
    told = last_time(form)
    again = NewMatch(form.room, form.definition, "", "")
    again.recall(told)
    assert again.choices == form.choices
    table = again.plan("nobody")()
    assert sorted(seat.kind for seat in table.seats) == ["agent", "elsewhere", "here"]
    assert (table.game.options["wall"], table.clock) == ("grey", Clock(600))


@pytest.mark.parametrize(
    "change",
    [
        {"players": 9},
        {"players": "3"},
        {"kinds": ["Somebody", HERE, HERE]},
        {"kinds": [HERE]},
        {"names": [1, 2, 3]},
        {"options": {"wall": "green"}},
        {"options": {"mode": "/etc/passwd"}},
        {"clock": "1"},
        {"is_shuffled": "yes"},
        {"more": 1},
    ],
)
def test_what_does_not_fit_is_not_recalled(form: NewMatch, change: dict[str, Any]) -> None:
    told = last_time(form)
    assert recalled(told, form.definition, form.who_may_sit, CLOCKS) is not None
    assert recalled(told | change, form.definition, form.who_may_sit, CLOCKS) is None


def test_seats_are_drawn_by_lot_where_that_is_chosen(form: NewMatch) -> None:
    form.kinds, form.names, form.specs, form.is_shuffled = [HERE, DEFAULT], ["Ann", ""], ["", ""], True
    found = {form.plan("nobody")().seats[0].name for _ in range(40)}
    assert found == {"Ann", DEFAULT}  # 40 times the same with probability 2 ** -39
