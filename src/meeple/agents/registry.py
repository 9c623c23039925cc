"""Agents by name: ours, those of installed packages, and those in a file of one's own."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from meeple.agents.base import Agent, build
from meeple.core.definition import Definition
from meeple.core.folders import is_file, resolved
from meeple.core.game import Game
from meeple.core.numbers import shortened
from meeple.core.spec import Spec, parse_spec
from meeple.errors import ConfigError, MeepleError, PluginError, brief, did_you_mean

ENTRY_POINTS = "meeple.agents"
BUILT_IN = {
    "random": "meeple.agents.simple:Random",
    "first": "meeple.agents.simple:First",
    "human": "meeple.agents.simple:Human",
    "careless": "meeple.agents.careless:Careless",
    "overlooking": "meeple.agents.overlooking:Overlooking",
    "policy": "meeple.agents.policy:Policy",
    "rules": "meeple.agents.policy:Rules",
    "greedy": "meeple.agents.greedy:Greedy",
    "flat": "meeple.agents.flat:Flat",
    "alphabeta": "meeple.agents.alphabeta:AlphaBeta",
    "minimax": "meeple.agents.alphabeta:AlphaBeta",
    "expectimax": "meeple.agents.expectimax:Expectimax",
    "mcts": "meeple.agents.mcts:Mcts",
    "ismcts": "meeple.agents.mcts:Ismcts",
    "puct": "meeple.agents.puct:Puct",
    "engine": "meeple.agents.engines.external:External",
}


def load_agent(spec: str | Spec, game: Game | None = None) -> Agent:
    """The agent that a spec names, such as `flat:playouts=500` or `./mine.py:Agent:depth=2`.

    With `game`, an agent that cannot play it is refused, and the game's presets (`paper-minimax`) are known;
    settings that are given beside a preset's name come over its own.
    """
    parsed = resolve(spec, game.definition if game else None)
    agent = build(find_agent(parsed.name), parsed)
    if game is not None:
        agent.fit(game)
    return agent


def load_bracketed(of: str, key: str, text: str, game: Game) -> Agent:
    """The agent of a spec in brackets, the value of the setting `key` of the agent called `of`."""
    if not text.startswith("[") or not text.endswith("]"):
        raise ConfigError(f"'{key}' of {of} takes a spec in brackets, such as [greedy], not '{text}'")
    return load_agent(text[1:-1], game)


def resolve(spec: str | Spec, definition: Definition | None = None) -> Spec:
    """Return the spec that is meant: a paper's spelling translated, a preset of the game replaced by its spec.

    Nothing is loaded.
    """
    roster = definition.roster if definition else None
    if isinstance(spec, str):
        spec = parse_spec(roster.spelling(spec) if roster and roster.spelling else spec)
    presets = roster.presets if roster else {}
    if spec.name in presets:
        preset = parse_spec(presets[spec.name][0])
        return Spec(preset.name, preset.settings | spec.settings)
    if definition is not None and spec.name.startswith("paper-"):
        raise ConfigError(f"{definition.name} has no preset '{spec.name}'; {did_you_mean(spec.name, presets)}")
    return spec


def presets_of(game: Game) -> dict[str, tuple[str, str]]:
    """The game's presets: by name, the spec that one stands for and where it comes from."""
    return game.definition.roster.presets if game.definition.roster else {}


def shown_names(specs: Sequence[str], game: Game) -> list[str]:
    """Normalised specs as a table shows them: the name of one of the game's presets in place of what it stands for."""
    parts = {spec: parse_spec(spec).name for spec in specs if ".py:" not in spec}
    known: dict[str, str] = {}
    for preset, (stands_for, _) in presets_of(game).items():
        if parse_spec(stands_for).name in parts.values():
            try:
                known.setdefault(load_agent(preset, game).spec, preset)
            except MeepleError:  # a preset for other options or numbers of players
                continue
    return [known.get(spec, spec) for spec in specs]


def agent_names() -> list[str]:
    """The names of all agents that are installed, ours first."""
    return [*BUILT_IN, *sorted(set(_plugins()) - set(BUILT_IN))]


def find_agent(name: str) -> type[Agent]:
    """The class of an agent."""
    if ".py:" in name:
        return _from_file(name)
    if name in BUILT_IN:
        module, _, kind = BUILT_IN[name].partition(":")
        return _agent_class(getattr(importlib.import_module(module), kind), name)
    if name in _plugins():
        return _from_entry_point(_plugins()[name])
    if name.endswith(".py") or "/" in name:
        raise ConfigError(f"an agent in a file is named with its class, such as ./mine.py:Mine, not '{name}'")
    raise ConfigError(f"there is no agent '{shortened(name)}'; {did_you_mean(name, agent_names())}")


def _plugins() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def _from_entry_point(point: EntryPoint) -> type[Agent]:
    try:
        found = point.load()
    except Exception as fault:
        raise PluginError(f"the agent '{point.name}' ({point.value}) cannot be loaded: {brief(fault)}") from fault
    return _agent_class(found, point.name)


def _from_file(name: str) -> type[Agent]:
    file_name, _, kind = name.rpartition(":")
    path = resolved(Path(file_name))
    if not is_file(path):
        raise ConfigError(f"there is no file '{shortened(file_name)}' to take the agent '{kind}' from")
    module_name = f"meeple_file_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except MeepleError:
        raise
    except Exception as fault:
        raise PluginError(f"'{file_name}' cannot be loaded: {brief(fault)}") from fault
    kinds = {key: value for key, value in vars(module).items() if isinstance(value, type) and issubclass(value, Agent)}
    own = [key for key, value in kinds.items() if value.__module__ == module_name]
    found = getattr(module, kind, None)
    if callable(found) and not isinstance(found, type):
        from meeple.agents.own import class_of

        return class_of(found)
    if isinstance(getattr(module, kind, None), type) and kind not in kinds:
        raise ConfigError(f"'{kind}' of '{file_name}' is no agent: it must inherit from meeple.Agent")
    if kind not in kinds:
        raise ConfigError(f"'{file_name}' has no agent '{kind}'; {did_you_mean(kind, own)}")
    return kinds[kind]


def _agent_class(found: Any, name: str) -> type[Agent]:
    if not (isinstance(found, type) and issubclass(found, Agent)):
        raise PluginError(f"the agent '{name}' is not a subclass of meeple.Agent")
    return found
