"""Opponents by name: five levels a game, the weakest first, each an agent that was measured against its neighbours.

A game's roster names the first four as `levels`; the last, Master, is its `strongest` with a time. Where Master is far
ahead of Expert, `steps` names further agents between the two, the weakest first again: Expert II, Expert III and so on.
docs/levels.md has the measurements.
"""

from __future__ import annotations

from itertools import accumulate

from meeple.agents.registry import find_agent, load_agent, presets_of, resolve
from meeple.core.definition import Definition
from meeple.core.game import Game
from meeple.core.settings import settings_of
from meeple.core.spec import Spec, parse_spec
from meeple.errors import ConfigError, MeepleError

NAMES = ("Novice", "Casual", "Club", "Expert", "Master")
STEP_NAMES = ("Expert II", "Expert III", "Expert IV", "Expert V", "Expert VI")
ANY_GAME = ("ismcts:iterations=3", "ismcts:iterations=30", "ismcts:iterations=300", "ismcts:iterations=3000")
ANY_STRONGEST = "ismcts"  # where a game names none: no measurements stand behind these
DEFAULT = "Casual"
MASTER_TIME, HINT_TIME = "2s", "1s"
ITERATIONS, NODES = "4000", "1000000"  # of a judge: by work and not by time, so that it judges the same everywhere

# Elo of each level above the one before it, of the first above `random`, as docs/levels.md has them.
_STEPS = {
    "santorini": (135, 241, 191, 191, 330, 363, 275, 288, 436),
    "azul": (135, 162, 228, 166, 323, 230, 260, 266, 241),
    "ingenious": (135, 235, 210, 186, 225, 263, 263, 275, 315),
    "sagrada": (191, 241, 164, 230, 147),
    "saboteur-duel": (30, 175, 171, 162, 191),
}


def levels_of(definition: Definition) -> dict[str, str]:
    """The agents' specs by the levels' names, the weakest first."""
    roster = definition.roster
    named = roster.levels if roster and roster.levels else ANY_GAME
    steps = roster.steps if roster else ()
    lower = [*zip(NAMES[:-1], named, strict=True), *zip(STEP_NAMES[: len(steps)], steps, strict=True)]
    return dict(lower) | {NAMES[-1]: _limited(definition, iterations="0", time=MASTER_TIME)}


def level_spec(game: Game, name: str) -> str:
    """One level's agent."""
    levels = levels_of(game.definition)
    if name not in levels:
        raise ConfigError(f"'{name}' is no level; they are {', '.join(levels)}")
    return levels[name]


def elos_of(definition: Definition) -> dict[str, float]:
    """The Elo of the levels that were measured, above `random` in the same game; none where shares were measured."""
    steps = _STEPS.get(definition.name, ())
    return dict(zip(levels_of(definition), (float(elo) for elo in accumulate(steps)), strict=False))


def strongest_of(definition: Definition) -> str:
    """The strongest agent known of a game, without a limit."""
    return definition.roster.strongest if definition.roster else ANY_STRONGEST


def hint_spec(definition: Definition) -> str:
    """The agent that gives hints: the strongest, for a moment."""
    return _limited(definition, iterations="0", time=HINT_TIME)


def judge_spec(definition: Definition) -> str:
    """The agent that judges moves: the strongest, with the same work each time, whatever else the machine does."""
    return _limited(definition, iterations=ITERATIONS, nodes=NODES)


def roster_faults(game: Game) -> list[str]:
    """Load each preset and level of a game's roster and return what is wrong with them, in words."""
    faults = []
    named = {name: name for name in presets_of(game)} | levels_of(game.definition)
    for name, spec in named.items():
        try:
            load_agent(spec, game)
        except MeepleError as fault:
            faults.append(f"'{name}' of the roster cannot be loaded: {fault}")
    return faults


def _limited(definition: Definition, **limits: str) -> str:
    """Return the spec of the strongest agent with those of the given limits that it has settings for."""
    spec = parse_spec(strongest_of(definition))
    known = {each.name for each in settings_of(find_agent(resolve(spec, definition).name))}
    taken = {name: limit for name, limit in limits.items() if name in known}
    return str(Spec(spec.name, taken | spec.settings))
