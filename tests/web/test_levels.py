"""Every game's five levels can be played, at its usual table and at its largest."""

from __future__ import annotations

import pytest

from meeple.agents.registry import load_agent
from meeple.core.registry import load_game
from meeple.web.levels import ANY_GAME, NAMES, levels_of

GAMES = ("azul", "ingenious", "saboteur", "saboteur-duel", "sagrada", "santorini")


@pytest.mark.parametrize("name", GAMES)
def test_a_game_names_five_different_levels_of_its_own(name: str) -> None:
    specs = tuple(levels_of(load_game(name)).values())
    assert specs != ANY_GAME
    assert len(set(specs)) == len(NAMES)


@pytest.mark.parametrize("name", GAMES)
def test_levels_load_at_the_usual_and_the_largest_table(name: str) -> None:
    usual = load_game(name)
    largest = load_game(f"{name}:players={usual.definition.seats[1]}")
    for game in (usual, largest):
        for spec in levels_of(game).values():
            load_agent(spec, game)


@pytest.mark.parametrize("name", GAMES)
def test_only_the_strongest_level_looks_at_a_clock(name: str) -> None:
    *weaker, _ = levels_of(load_game(name)).values()
    assert not any("time=" in spec for spec in weaker)
