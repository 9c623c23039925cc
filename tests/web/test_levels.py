"""Every game's levels can be played, at its usual table and at its largest."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from conftest import HOARD, ROOT
from meeple.agents.levels import (
    ANY_GAME,
    OLD_NAMES,
    deviations_of,
    hint_spec,
    judge_spec,
    level_named,
    level_spec,
    levels_of,
    opponents_of,
    roster_faults,
    titles_of,
    top_spec,
)
from meeple.agents.registry import load_agent
from meeple.core.registry import find_definition, load_game
from meeple.core.roster import Level, Levels, Roster
from meeple.web.pages.new import HERE, NewMatch
from meeple.web.room import Room

GAMES = ("azul", "ingenious", "saboteur", "saboteur-duel", "sagrada", "santorini")


@pytest.mark.parametrize("name", GAMES)
def test_a_game_has_levels_of_its_own_by_number_and_all_differ(name: str) -> None:
    definition = find_definition(name)
    levels = levels_of(definition)
    assert list(levels) == [f"Level {number}" for number in range(1, len(levels) + 1)]
    assert len(set(levels.values())) == len(levels) >= 3
    assert not set(levels.values()) & set(ANY_GAME)
    assert list(levels.values())[-1] == top_spec(definition)  # another strongest agent needs another fit


@pytest.mark.parametrize("name", GAMES)
def test_measured_levels_are_of_the_rules_at_hand_and_rise(name: str) -> None:
    definition = find_definition(name)
    assert definition.roster is not None
    measured = definition.roster.measured
    assert measured is not None
    assert measured.version == definition.facts.version
    known = [level for level in measured.levels if level.score is not None]
    assert all(level.low <= level.score <= level.high for level in known)  # type: ignore[operator]
    scores = [level.score for level in known]
    if measured.table:  # all at one table, where the lowest is below an even share
        assert scores == sorted(scores)  # type: ignore[type-var]
    else:  # against the level below
        assert all(score > 1 / measured.seats for score in scores)  # type: ignore[operator]
    elos = [level.elo for level in measured.levels]
    assert all(below < above for below, above in pairwise(elos))  # type: ignore[operator]
    assert elos[0] == 0


@pytest.mark.parametrize("name", GAMES)
def test_every_step_is_shown_or_the_page_on_levels_says_that_it_is_not(name: str) -> None:
    definition = find_definition(name)
    assert definition.roster is not None
    measured = definition.roster.measured
    assert measured is not None
    # At a table a step is the difference of two shares on the same deals; for two it is a score, 0.5 among equals.
    lows = [level.more_low if measured.table else level.low - 0.5 for level in measured.levels[1:]]  # type: ignore[operator]
    assert not measured.table or min(lows) > 0  # type: ignore[type-var, operator]
    page = (ROOT / "docs/levels.md").read_text(encoding="utf-8")
    part = page.partition(f"\n## {definition.facts.title}\n")[2].partition("\n## ")[0]
    said = re.findall(r"that Level (\d+) is stronger than Level (\d+)", part)
    unshown = [number for number, low in enumerate(lows, 2) if low <= 0]  # type: ignore[operator]
    assert said == [(str(number), str(number - 1)) for number in unshown]


def test_a_level_is_as_unsure_as_the_steps_up_to_it() -> None:
    rows = (
        Level(spec="first", elo=0),
        Level(spec="greedy", elo=309, score=0.857, low=0.802, high=0.898),  # 0.802 is +243.0, 66.0 or 28.4 deviations
        Level(spec="random", elo=545, score=0.797, low=0.734, high=0.847),  # 0.734 is +176.3: 25.7
        Level(spec="greedy", elo=1206, score=1.0, low=0.67, high=1.0),  # won all of few: 0.67 is +123.0: 231.3
    )
    roster = Roster(strongest="greedy", measured=Levels(version=1, seats=2, levels=rows))
    found = deviations_of(replace(find_definition("santorini"), roster=roster))
    assert list(found.values()) == pytest.approx([0, 28.4, 38.3, 234.4], abs=0.1)
    assert deviations_of(find_definition("saboteur")) == {}  # shares at a table of three


@pytest.mark.parametrize("name", GAMES)
def test_rungs_load_at_both_ends_and_lead_up_to_the_strongest(name: str) -> None:
    game = load_game(name)
    assert game.definition.roster is not None
    assert "{}" in game.definition.roster.rungs[0].spec
    assert roster_faults(game) == []


def test_a_level_has_a_word_and_a_sentence() -> None:
    specs = ("overlooking:sees=2", "overlooking:sees=5.5", "greedy", "alphabeta:depth=2", "alphabeta:nodes=40000")
    rows = tuple(Level(spec=spec, elo=200 * n) for n, spec in enumerate((*specs, "alphabeta:time=2s")))
    levels = Levels(version=1, seats=2, levels=rows)
    found = opponents_of(find_definition("santorini"), levels)
    assert [each.word for each in found] == [
        "beginner",
        "learner",
        "steady player",
        "club player",
        "expert",
        "strongest",
    ]
    assert [each.sentence for each in found] == [
        "Sees two or three of its moves, and looks one move ahead.",
        "Sees about 6 of its moves, and looks one move ahead.",
        "Sees every move, and looks one move ahead.",
        "Looks 2 moves ahead.",
        "Looks at 40,000 positions before each move.",
        "Searches ahead for 2 seconds a move.",
    ]
    assert [each.is_strongest for each in found] == [False] * 5 + [True]


def test_a_choice_of_levels_tells_their_strength() -> None:
    titles = titles_of(find_definition("santorini"))
    assert titles["Level 1"] == "Level 1, beginner (+0 Elo)"
    assert list(titles) == list(levels_of(find_definition("santorini")))


@pytest.mark.parametrize("name", OLD_NAMES)
def test_names_of_before_are_still_read(name: str) -> None:
    definition = find_definition("santorini")
    found = level_named(definition, name)
    assert found is not None
    assert level_spec(load_game("santorini"), name) == found.spec
    assert level_named(definition, "Novice").number == 1  # type: ignore[union-attr]
    assert level_named(definition, "Master").is_strongest  # type: ignore[union-attr]
    assert level_named(definition, "God") is None


def test_names_of_before_keep_their_order() -> None:
    definition = find_definition("azul")
    names = ("Novice", "Casual", "Club", "Expert", *(f"Expert {n}" for n in ("II", "III", "IV", "V", "VI")), "Master")
    numbers = [level_named(definition, name).number for name in names]  # type: ignore[union-attr]
    assert numbers == sorted(numbers)


def test_a_game_that_names_no_levels_gets_those_of_any_game() -> None:
    assert list(levels_of(find_definition(HOARD)).values()) == [*ANY_GAME, "ismcts:iterations=0,time=2s"]


@pytest.mark.parametrize(
    ("strongest", "top", "hint", "judge"),
    [
        ("alphabeta", "alphabeta:time=2s", "alphabeta:time=1s", "alphabeta:nodes=1000000"),
        ("mcts:c=1", "mcts:iterations=0,time=2s,c=1", "mcts:iterations=0,time=1s,c=1", "mcts:iterations=4000,c=1"),
        ("greedy", "greedy", "greedy", "greedy"),
    ],
)
def test_callers_of_the_strongest_add_time_or_work(strongest: str, top: str, hint: str, judge: str) -> None:
    definition = replace(find_definition("santorini"), roster=Roster(strongest=strongest))
    assert (top_spec(definition), hint_spec(definition), judge_spec(definition)) == (top, hint, judge)
    assert list(levels_of(definition).values())[-1] == top


@pytest.mark.parametrize("name", GAMES)
def test_levels_hints_and_judges_load_at_the_usual_and_the_largest_table(name: str) -> None:
    usual = load_game(name)
    largest = load_game(f"{name}:players={usual.definition.seats[1]}")
    for game in (usual, largest):
        for level in levels_of(game.definition):
            load_agent(level_spec(game, level), game)
        for spec_of in (hint_spec, judge_spec):
            load_agent(spec_of(game.definition, seats=game.seats), game)


def test_where_the_strongest_is_for_two_only_another_one_plays_more() -> None:
    two, four = load_game("azul"), load_game("azul:players=4")
    last = list(levels_of(two.definition))[-1]
    assert level_spec(two, last) == "strong:iterations=0,time=2s,evaluation=model@mosaic"
    assert level_spec(four, last) == "strong:iterations=0,time=2s"
    assert level_spec(four, "Level 1") == level_spec(two, "Level 1")


@pytest.mark.parametrize("name", GAMES)
def test_only_the_strongest_level_looks_at_a_clock(name: str) -> None:
    *weaker, _ = levels_of(find_definition(name)).values()
    assert not any("time=" in spec for spec in weaker)


def test_the_form_seats_a_level_by_its_number(tmp_path: Path) -> None:
    form = NewMatch(Room(tmp_path), find_definition("santorini"), "", "")
    form.kinds, form.names, form.specs = [HERE, "Level 3"], ["Ann", ""], ["", ""]
    seat = form.plan("owner")().seats[1]
    game = load_game("santorini")
    assert (seat.name, seat.level) == ("Level 3", "Level 3")
    assert seat.spec == load_agent(level_spec(game, "Level 3"), game).spec
