"""Opponents for people: levels by number, the weakest first, each with a word, a sentence and its measured strength.

A game's `levels.json` holds the levels that were found and measured by `meeple levels GAME --fit` (core/roster.py); a
game without one gets those of any game. The last level is the strongest agent known, with a time. Words say how a level
looks at the board, by the same rule in every game: how many moves it sees, whether it looks ahead, and how far.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from meeple.agents.registry import find_agent, load_agent, presets_of, resolve
from meeple.core.definition import Definition
from meeple.core.game import Game
from meeple.core.heuristics import find_heuristic
from meeple.core.roster import Level, Levels
from meeple.core.settings import settings_of
from meeple.core.spec import Spec, parse_spec, parse_time
from meeple.errors import ConfigError, MeepleError

ANY_GAME = ("ismcts:iterations=3", "ismcts:iterations=30", "ismcts:iterations=300", "ismcts:iterations=3000")
ANY_STRONGEST = "ismcts"  # where a game names none: no measurements stand behind these
DEFAULT = "Level 2"
TOP_TIME, HINT_TIME = "2s", "1s"
ITERATIONS, NODES = "4000", "1000000"  # of a judge: by work and not by time, so that it judges the same everywhere

Z98 = 2.326  # standard deviations to an end of a 98% interval
LEAST_SCORE = 0.01  # of an interval that reaches down to 0, whose Elo has no end: 798 Elo weaker

# Levels had names once, which saved tables and links may hold: where each stood between the weakest (0) and the
# strongest (1). Expert II to VI stood evenly between Expert and Master.
OLD_NAMES = {"Novice": 0.0, "Casual": 0.11, "Club": 0.22, "Expert": 0.33, "Master": 1.0}
OLD_NAMES |= {f"Expert {word}": 0.33 + 0.11 * n for n, word in enumerate(("II", "III", "IV", "V", "VI"), 1)}

# Words for how many moves come to mind, the fewest first, and for how many moves are slips.
SIGHT = ((2.5, "beginner"), (6.0, "learner"), (15.0, "casual player"), (float("inf"), "keen player"))
SLIPS = ((0.05, "keen player"), (0.2, "casual player"), (0.5, "learner"), (float("inf"), "beginner"))
FEW = 60  # lines of play: a search that tries no more hardly looks ahead, but overlooks much
STEADY, CLUB, EXPERT, STRONGEST = "steady player", "club player", "expert", "strongest"


@dataclass(frozen=True)
class Opponent:
    """A level as people meet it."""

    number: int  # from 1
    word: str
    sentence: str
    measured: Level
    is_strongest: bool

    @property
    def name(self) -> str:
        """What seats, saved tables and links call it."""
        return f"Level {self.number}"

    @property
    def title(self) -> str:
        """Its name with its word beside."""
        return f"{self.name}, {self.word}"

    @property
    def spec(self) -> str:
        """The agent that plays."""
        return self.measured.spec


def opponents_of(definition: Definition, found: Levels | None = None) -> tuple[Opponent, ...]:
    """The levels of a game, the weakest first; those that were just `found` in the place of its own."""
    measured = found or (definition.roster.measured if definition.roster else None)
    unmeasured = (Level(spec=spec) for spec in (*ANY_GAME, top_spec(definition)))
    levels = measured.levels if measured else tuple(unmeasured)
    last = len(levels) - 1
    words = _words([resolve(level.spec, definition) for level in levels])
    return tuple(
        Opponent(place + 1, word, sentence_of(level.spec, definition), level, place == last)
        for place, (level, word) in enumerate(zip(levels, words, strict=True))
    )


def titles_of(definition: Definition) -> dict[str, str]:
    """What a person chooses from, by the levels' names: the name with its word, and the Elo above Level 1 if known."""
    return {
        each.name: each.title if each.measured.elo is None else f"{each.title} ({each.measured.elo:+.0f} Elo)"
        for each in opponents_of(definition)
    }


def levels_of(definition: Definition) -> dict[str, str]:
    """The agents' specs by the levels' names, the weakest first."""
    return {each.name: each.spec for each in opponents_of(definition)}


def level_named(definition: Definition, name: str) -> Opponent | None:
    """The level of this name; for a name that levels had once, the one in its place; None where it is neither."""
    levels = opponents_of(definition)
    if name in OLD_NAMES:
        return levels[round(OLD_NAMES[name] * (len(levels) - 1))]
    return next((each for each in levels if each.name == name), None)


def level_played(definition: Definition, spec: str) -> Opponent | None:
    """The level whose agent is this spec, letter by letter; None where it is that of none."""
    return next((each for each in opponents_of(definition) if each.spec == spec), None)


def level_spec(game: Game, name: str) -> str:
    """One level's agent at a table of so many."""
    definition = game.definition
    found = level_named(definition, name)
    if found is None:
        raise ConfigError(f"'{name}' is no level; they are {', '.join(levels_of(definition))}")
    return top_spec(definition, seats=game.seats) if found.spec == top_spec(definition) else found.spec


def elos_of(definition: Definition) -> dict[str, float]:
    """The Elo of the levels that were measured, above Level 1 of the game; none where a step is a share at a table."""
    roster = definition.roster
    if roster is None or roster.measured is None or roster.measured.seats > 2:
        return {}
    found = opponents_of(definition)
    return {each.name: float(each.measured.elo) for each in found if each.measured.elo is not None}


def deviations_of(definition: Definition) -> dict[str, float]:
    """The standard deviation of each of `elos_of`: how far a level's Elo may be off, by its measured intervals.

    A level's Elo is the sum of the steps up to it, which were measured one by one: their squares add. A step is as
    unsure as its 98% interval reaches down, in Elo; upwards that of a level that won all its games has no end.
    """
    sure, squares = {}, 0.0
    below: Level | None = None
    for each in opponents_of(definition):
        level = each.measured
        if below is not None and level.elo is not None and below.elo is not None and level.low is not None:
            squares += ((level.elo - below.elo - _elo_of(level.low)) / Z98) ** 2
        sure[each.name] = math.sqrt(squares)
        below = level
    return {name: sure[name] for name in elos_of(definition)}


def _elo_of(score: float) -> float:
    """The difference in Elo that a score speaks for."""
    score = max(LEAST_SCORE, score)
    return 400 * math.log10(score / (1 - score))


def strongest_of(definition: Definition, seats: int = 2) -> str:
    """The strongest agent known of a game for so many, without a limit."""
    roster = definition.roster
    if roster is None:
        return ANY_STRONGEST
    return (roster.strongest_of_more if seats > 2 else "") or roster.strongest


def top_spec(definition: Definition, time: str = TOP_TIME, *, seats: int = 2) -> str:
    """The agent of the last level: the strongest, with a time."""
    return _limited(definition, seats, iterations="0", time=time)


def hint_spec(definition: Definition, *, seats: int = 2) -> str:
    """The agent that gives hints: the strongest, for a moment."""
    return _limited(definition, seats, iterations="0", time=HINT_TIME)


def judge_spec(definition: Definition, *, seats: int = 2) -> str:
    """The agent that judges moves: the strongest, with the same work each time, whatever else the machine does."""
    return _limited(definition, seats, iterations=ITERATIONS, nodes=NODES)


def roster_faults(game: Game) -> list[str]:
    """Load the default evaluation, each preset, level and rung of a game, and return what is wrong, in words."""
    faults = []
    try:
        find_heuristic(game, "EVALUATIONS", "default")
    except MeepleError as fault:
        faults.append(f"the default evaluation cannot be loaded: {fault}")
    roster = game.definition.roster
    named = {name: name for name in presets_of(game)}
    named |= {name: level_spec(game, name) for name in levels_of(game.definition)}
    if roster and roster.table:
        named["its table"] = roster.table
    for number, rung in enumerate(roster.rungs if roster else (), 1):
        named |= {f"rung {number} from its low": rung.at(0.0), f"rung {number} to its high": rung.at(1.0)}
    for name, spec in named.items():
        try:
            load_agent(spec, game)
        except MeepleError as fault:
            faults.append(f"'{name}' of the roster cannot be loaded: {fault}")
    return faults


def sentence_of(spec: str, definition: Definition) -> str:
    """How an agent plays, for a person who knows no agent by name."""
    found = resolve(spec, definition)
    settings = found.settings
    if found.name == "overlooking":
        inner = resolve(settings.get("agent", "[greedy]")[1:-1], definition)
        ahead = "searches ahead" if _searches(inner) else "looks one move ahead"
        return f"Sees {_counted(float(settings.get('sees', '4')))} of its moves, and {ahead}."
    if found.name == "careless":
        return f"Plays by simple rules, and carelessly in {float(settings.get('share', '0.2')):.0%} of its moves."
    if not _searches(found):
        return "Sees every move, and looks one move ahead."
    if parse_time(settings.get("time", "0s")):
        return f"Searches ahead for {settings['time'].removesuffix('s')} seconds a move."
    if settings.get("depth", "0") != "0":
        return f"Looks {settings['depth']} moves ahead."
    if settings.get("nodes", "0") != "0":
        return f"Looks at {int(settings['nodes']):,} positions before each move."
    return f"Tries {int(settings.get('iterations', '0') or 0):,} lines of play before each move."


def _counted(number: float) -> str:
    """A number of moves in words: one or two, two or three, about 9."""
    if number < 3:
        return "one or two" if number < 2 else "two or three"
    return f"about {number:.0f}"


def _words(specs: list[Spec]) -> list[str]:
    """A word for each level: by what its agent is, and searches below the strongest by their half."""
    words = [_word(spec) for spec in specs[:-1]]
    searching = [place for place, word in enumerate(words) if not word]
    for rank, place in enumerate(searching):
        words[place] = CLUB if rank < len(searching) / 2 else EXPERT
    return [*words, STRONGEST]


def _word(spec: Spec) -> str:
    """The word for an agent that does not search, or hardly; "" for one that does."""
    if spec.name == "careless":
        share = float(spec.settings.get("share", "0.2"))
        return next(word for most, word in SLIPS if share <= most)
    tried = float(spec.settings.get("iterations", "0"))
    if spec.name == "overlooking" or 0 < tried <= FEW:
        sees = tried or float(spec.settings.get("sees", "4"))
        return next(word for most, word in SIGHT if sees <= most)
    return "" if _searches(spec) else STEADY


def _searches(spec: Spec) -> bool:
    """Whether an agent looks further ahead than the position after its own move."""
    return spec.name not in ("overlooking", "careless", "greedy", "policy", "rules", "random", "first")


def _limited(definition: Definition, seats: int, **limits: str) -> str:
    """Return the spec of the strongest agent for so many with those of the given limits that it has settings for."""
    spec = parse_spec(strongest_of(definition, seats))
    known = {each.name for each in settings_of(find_agent(resolve(spec, definition).name))}
    taken = {name: limit for name, limit in limits.items() if name in known}
    return str(Spec(spec.name, taken | spec.settings))
