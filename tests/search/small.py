"""Every agent of a game at small, fixed work: what is the same on every machine, however busy, and quick."""

from __future__ import annotations

from itertools import zip_longest

from meeple.agents.base import Agent
from meeple.agents.levels import level_spec, levels_of
from meeple.agents.registry import BUILT_IN, load_agent, presets_of
from meeple.core.game import Game
from meeple.core.heuristics import heuristics_of
from meeple.core.spec import Spec, parse_spec
from meeple.errors import ConfigError, UnsupportedGameError

MOST = {"iterations": 8, "playouts": 1, "worlds": 2, "depth": 2, "nodes": 3_000}  # of each kind of work
UNLIMITED = ("iterations", "depth", "nodes")  # 0 means: as the other limits allow
CLOCKS = ("time", "cpu")
INNER = {"careless": ("agent", "slip"), "overlooking": ("agent",)}  # settings that name an agent in brackets
BRIEFLY = ("santorini", "saboteur-duel")  # where `puct` is among the named, which are asked every day: it compiles long
KINDS = {"evaluation": "EVALUATIONS", "filter": "FILTERS", "ordering": "ORDERINGS", "bias": "BIASES"}


def small(spec: str, game: Game) -> Agent:
    """The agent of this spec with little work to do and no clock."""
    agent = load_agent(spec, game)
    settings = parse_spec(agent.spec).settings
    for name, most in MOST.items():
        value = getattr(agent, name, 0)
        if value > most or (name in UNLIMITED and hasattr(agent, name) and value == 0):
            settings[name] = str(most)
    for name in CLOCKS:
        settings.pop(name, None)
    for name in INNER.get(parse_spec(agent.spec).name, ()):
        settings[name] = f"[{small(getattr(agent, name)[1:-1], game).spec}]"
    return load_agent(Spec(parse_spec(agent.spec).name, settings), game)


def agents_of(game: Game) -> list[Agent]:
    """Every search, preset and level of a game, each once."""
    named = named_of(game)
    return _different([*_searches(game), *(agent.spec for agent in named)], game)


def named_of(game: Game) -> list[Agent]:
    """The presets and levels of a game, each once, and the searches that none of them is of."""
    names = levels_of(game.definition) if game.definition.roster else {}
    levels = [level_spec(game, name) for name in names] or ["random"]
    named = _different([*presets_of(game), *levels], game)
    kinds = {type(agent) for agent in named}
    others = [spec for spec in _searches(game) if type(load_agent(spec, game)) not in kinds]
    if game.name not in BRIEFLY:
        others = [spec for spec in others if spec != "puct"]
    return [*named, *_different(others, game)]


def askers_of(game: Game) -> list[Agent]:
    """Agents that ask every named heuristic of a game between them."""
    names = {setting: list(_own(game, kind)) for setting, kind in KINDS.items()}
    names["playout"] = list(_own(game, "PLAYOUTS"))
    specs = [f"policy:name={name}" for name in names["playout"]]
    specs += [f"greedy:evaluation={name}" for name in names["evaluation"]]
    specs += [f"greedy:bias={name}" for name in names["bias"]]
    for row in zip_longest(*names.values()):  # the first of every kind together, then the second
        given = [f"{setting}={name}" for setting, name in zip(names, row, strict=True) if name]
        specs.append(",".join(["ismcts:cutoff=2", *given]))
    specs += [
        f"greedy:bias={bias},worlds=2,belief={name}" for bias in names["bias"] for name in _own(game, "INFERENCES")
    ]
    specs += [f"expectimax:belief={name}" for name in _own(game, "BELIEFS")]
    return _different(specs, game)


def _own(game: Game, kind: str) -> list[str]:
    return [name for name in heuristics_of(game, kind) if name != "none"]


def _searches(game: Game) -> list[str]:
    """Every built-in agent that can play the game, over worlds where it must."""
    found = []
    for name in [name for name in BUILT_IN if name not in ("human", "minimax")]:  # the latter is alphabeta
        for spec in (name, f"{name}:worlds=2"):
            try:
                load_agent(spec, game)
            except (ConfigError, UnsupportedGameError):
                continue
            found.append(spec)
            break
    return found


def _different(specs: list[str], game: Game) -> list[Agent]:
    agents = [small(spec, game) for spec in specs]
    return list({agent.spec: agent for agent in agents}.values())
