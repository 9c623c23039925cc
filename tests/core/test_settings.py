"""Settings are declared once: the search's config has what its agent has, and names are checked and listed by kind."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from conftest import HOARD
from meeple import load_agent, load_game
from meeple.agents.registry import find_agent
from meeple.core.settings import accepted_names, settings_of, taken_from
from meeple.errors import ConfigError
from meeple.search.alphabeta import AlphaBetaConfig
from meeple.search.expectimax import ExpectimaxConfig
from meeple.search.flat import FlatConfig
from meeple.search.greedy import GreedySettings

CONFIGS = {
    "alphabeta": AlphaBetaConfig,
    "minimax": AlphaBetaConfig,
    "expectimax": ExpectimaxConfig,
    "flat": FlatConfig,
    "greedy": GreedySettings,
}


def declared(agent: str, name: str) -> Any:
    return next(each for each in settings_of(find_agent(agent)) if each.name == name)


@pytest.mark.parametrize("name", CONFIGS)
def test_a_config_has_the_settings_of_its_agent(name: str) -> None:
    kind = find_agent(name)
    assert [each.name for each in settings_of(CONFIGS[name])] == [each.name for each in settings_of(kind)]
    assert not set(inspect.get_annotations(kind)) & {each.name for each in settings_of(kind)}
    agent: Any = kind()
    for number, each in enumerate(settings_of(kind)):
        if isinstance(each.default, int | float):
            setattr(agent, each.name, number + 2)
    config = taken_from(CONFIGS[name], agent)
    assert all(getattr(config, each.name) == getattr(agent, each.name) for each in settings_of(kind))


def test_a_file_of_weights_is_part_of_the_evaluation() -> None:
    config = taken_from(AlphaBetaConfig, load_agent("alphabeta:evaluation=wary,config=mine.json"))
    assert (config.evaluation, config.config) == ("wary@mine.json", "")
    assert load_agent("alphabeta:config=mine.json,depth=2").spec == "alphabeta:depth=2,config=mine.json"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("alphabeta:worlds=1,evaluation=clmb", "has no evaluation 'clmb'"),
        ("alphabeta:worlds=1,ordering=loud", "has no ordering 'loud'"),
        ("alphabeta:worlds=1,filter=loud", "has no filter 'loud'"),
        ("alphabeta:worlds=1,evaluation=wary,config=nowhere.json", "cannot be read"),
        ("expectimax:worlds=1,belief=loud", "has no belief 'loud'"),
        ("expectimax:worlds=1,filter=loud", "has no filter 'loud'"),
        ("greedy:bias=loud", "has no bias 'loud'"),
        ("greedy:belief=loud,worlds=2", "has no inference 'loud'"),
        ("policy:name=loud", "has no playout 'loud'"),
        ("rules:strategy=loud", "has no strategy 'loud'"),
    ],
)
def test_a_name_that_the_game_does_not_have_is_refused(spec: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_agent(spec, load_game("sagrada"))


def test_the_names_that_a_setting_takes() -> None:
    sagrada, hoard = load_game("sagrada"), load_game(HOARD)
    assert accepted_names(declared("rules", "strategy"), sagrada) == [
        "all",
        "dtfm",
        "keen",
        "all-program",
        "dtfm-program",
    ]
    assert "rules-keen" in accepted_names(declared("policy", "name"), sagrada)
    assert accepted_names(declared("alphabeta", "filter"), sagrada)[-1] == "none"
    assert accepted_names(declared("expectimax", "belief"), hoard) == ["default"]
    assert accepted_names(declared("expectimax", "rivals"), hoard) == ["against", "own"]
    assert accepted_names(declared("alphabeta", "depth"), hoard) == []
