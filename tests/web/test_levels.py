"""Every game's levels can be played, at its usual table and at its largest."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from conftest import HOARD
from meeple.agents.levels import (
    ANY_GAME,
    NAMES,
    STEP_NAMES,
    hint_spec,
    judge_spec,
    levels_of,
    strongest_of,
)
from meeple.agents.registry import load_agent
from meeple.core.registry import find_definition, load_game
from meeple.core.roster import Roster
from meeple.core.spec import parse_spec
from meeple.web.pages.new import HERE, NewMatch
from meeple.web.room import Room

GAMES = ("azul", "ingenious", "saboteur", "saboteur-duel", "sagrada", "santorini")


@pytest.mark.parametrize("name", GAMES)
def test_a_game_names_five_levels_of_its_own_and_all_differ(name: str) -> None:
    levels = levels_of(find_definition(name))
    assert [level for level in levels if level in NAMES] == list(NAMES)
    assert len(set(levels.values())) == len(levels)
    assert not set(levels.values()) & set(ANY_GAME)
    assert levels["Master"].startswith(parse_spec(strongest_of(find_definition(name))).name)


def test_steps_stand_between_expert_and_master() -> None:
    roster = Roster(strongest="mcts:c=0.5", levels=("a", "b", "c", "d"), steps=("e", "f"))
    levels = levels_of(replace(find_definition("santorini"), roster=roster))
    above = [("Expert", "d"), ("Expert II", "e"), ("Expert III", "f"), ("Master", "mcts:iterations=0,time=2s,c=0.5")]
    assert list(levels.items())[3:] == above


def test_more_steps_than_names_are_refused() -> None:
    roster = Roster(strongest="mcts", steps=("step",) * (len(STEP_NAMES) + 1))
    with pytest.raises(ValueError, match="zip"):
        levels_of(replace(find_definition("santorini"), roster=roster))


def test_a_game_that_names_no_levels_gets_those_of_any_game() -> None:
    assert list(levels_of(find_definition(HOARD)).values()) == [*ANY_GAME, "ismcts:iterations=0,time=2s"]


@pytest.mark.parametrize(
    ("strongest", "master", "hint", "judge"),
    [
        ("alphabeta", "alphabeta:time=2s", "alphabeta:time=1s", "alphabeta:nodes=1000000"),
        ("mcts:c=1", "mcts:iterations=0,time=2s,c=1", "mcts:iterations=0,time=1s,c=1", "mcts:iterations=4000,c=1"),
        ("greedy", "greedy", "greedy", "greedy"),
    ],
)
def test_callers_of_the_strongest_add_time_or_work(strongest: str, master: str, hint: str, judge: str) -> None:
    definition = replace(find_definition("santorini"), roster=Roster(strongest=strongest))
    assert (levels_of(definition)["Master"], hint_spec(definition), judge_spec(definition)) == (master, hint, judge)


@pytest.mark.parametrize("name", GAMES)
def test_levels_load_at_the_usual_and_the_largest_table(name: str) -> None:
    usual = load_game(name)
    largest = load_game(f"{name}:players={usual.definition.seats[1]}")
    for game in (usual, largest):
        for spec in levels_of(game.definition).values():
            load_agent(spec, game)


@pytest.mark.parametrize("name", GAMES)
def test_only_the_strongest_level_looks_at_a_clock(name: str) -> None:
    *weaker, _ = levels_of(find_definition(name)).values()
    assert not any("time=" in spec for spec in weaker)


def test_the_form_seats_a_level_between_expert_and_master(tmp_path: Path) -> None:
    form = NewMatch(Room(tmp_path), find_definition("santorini"), "", "")
    form.kinds, form.names, form.specs = [HERE, "Expert III"], ["Ann", ""], ["", ""]
    seat = form.plan("owner")().seats[1]
    assert (seat.name, seat.level, seat.spec) == ("Expert III", "Expert III", "greedy")
