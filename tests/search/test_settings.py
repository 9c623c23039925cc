"""A setting of a search is declared once: the agent, the spec, the help and the search's config have it from there."""

from __future__ import annotations

import inspect
import pkgutil
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path

import pytest

import meeple.search
from meeple.agents.base import Agent
from meeple.agents.registry import BUILT_IN, find_agent, load_agent
from meeple.core.settings import settings_of, taken_from
from meeple.errors import ConfigError
from meeple.search.tree.settings import MctsConfig


def declarations() -> list[type]:
    """Every dataclass that a search declares."""
    names = [one.name for one in pkgutil.walk_packages(meeple.search.__path__, "meeple.search.")]
    classes = [each for name in names for _, each in inspect.getmembers(import_module(name), inspect.isclass)]
    return [each for each in dict.fromkeys(classes) if is_dataclass(each)]


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_no_setting_is_declared_twice(name: str) -> None:
    # Looked at are the agent's own bases, and every config of a search that inherits one of them.
    bases = set(inspect.getmro(find_agent(name)))
    shared = {base for base in bases if base.__module__.startswith("meeple.search.")}
    configs = [each for each in declarations() if shared & set(inspect.getmro(each))]
    everywhere = bases | {base for each in configs for base in inspect.getmro(each)}
    for declared in settings_of(find_agent(name)):
        places = [each for each in everywhere if declared.name in inspect.get_annotations(each)]
        assert len(places) == 1, f"{declared.name}: {places}"


@pytest.mark.parametrize("name", ["mcts", "ismcts"])
def test_a_config_has_every_setting_of_its_agent(name: str) -> None:
    agent: Agent = find_agent(name)()
    for number, declared in enumerate(settings_of(type(agent))):
        if isinstance(declared.default, float | int):
            setattr(agent, declared.name, number + 0.5)
    config = taken_from(MctsConfig, agent)
    assert all(getattr(config, each.name) == getattr(agent, each.name) for each in settings_of(type(agent)))


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ('    tries: int = setting(3, "moves looked at")', "declares the setting 'tries' and is no dataclass"),
        (
            "    def __init__(self, tries):\n        self.tries = tries",
            "cannot be made without 'tries'; give it a default",
        ),
    ],
)
def test_an_agent_whose_settings_cannot_be_given_is_refused_with_the_remedy(
    tmp_path: Path, body: str, told: str
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(f"from meeple import Agent, setting\n\nclass Mine(Agent):\n{body}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=told):
        load_agent(f"{file}:Mine")
