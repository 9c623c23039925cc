"""What a game's folder declares: its facts, its options, and the modules that hold its parts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from inspect import signature
from itertools import product
from types import FunctionType, ModuleType
from typing import Any

import numba
import numpy as np

from meeple.core import contract
from meeple.core.declared import MAY_HAVE, MUST_HAVE, misspelt_names
from meeple.core.options import Option
from meeple.core.parameters import TAKEN_FIELDS
from meeple.core.ranges import range_faults
from meeple.core.roster import Roster
from meeple.errors import ConfigError, ContractError, did_you_mean

PADDING = "padding_to_words"  # of a layout that core has padded: always zero
CONTRACT_NAMES = (*contract.REQUIRED, *contract.CHANCE_PAIR, *contract.OPTIONAL, *contract.CONSTANTS)


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What others may rely on without reading the rules; a search refuses what it cannot play."""

    title: str  # as people write it
    version: int  # rises when play changes, never for speed
    chance: bool  # dice, draws: `to_move` may be CHANCE
    hidden: bool  # some seat does not know something besides the future
    symmetric: bool  # seats are alike but for the order of play
    longest: int  # no match has more events (moves and outcomes) than this
    remembers_all: bool = True  # the state keeps all that each seat saw, so redeals can be held to exact counts
    opening: int = 0  # plies drawn at random to start matches of a game without chance
    left_out: str = "nothing"  # rules left out, for the README's table
    verified: str = ""  # how far the rules have been verified, for the README's table


@dataclass(frozen=True, kw_only=True)
class Definition:
    """A game as its folder declares it; `load_game` fixes seats and options and makes a `Game` of it.

    `notation` has move_text(state, action), write(state, seat), read(state, text, seats, options), in a
    game with chance outcome_text(state, outcome), and MOVE_PATTERN with MOVE_EXAMPLE for errors; where
    people write one move in several ways, tidy(text) gives the usual one. `view` has board(state, seat,
    paint).
    """

    name: str
    facts: Facts
    rules: ModuleType
    notation: ModuleType
    view: ModuleType
    picture: ModuleType | None = None  # the board as SVG and its click paths (core/picture.py)
    speech: ModuleType | None = None  # moves in words (core/speech.py); without it they are told in notation
    lessons: ModuleType | None = None  # the rules in short, each told when it first applies (core/lessons.py)
    heuristics: ModuleType | None = None  # what the game knows beyond its rules (core/heuristics.py)
    terms: ModuleType | None = None  # what evaluations are made of, to explain moves (core/terms.py)
    features: ModuleType | None = None  # states as numbers for models (core/features.py)
    roster: Roster | None = None  # who plays it, by name (core/roster.py)
    options: tuple[Option, ...] = field(default_factory=tuple)
    misfit: Callable[[int, dict[str, str]], str] | None = None  # why so many seats cannot have these options; '': can
    folder: str = ""  # where the game was loaded from, if by a path and not by its name
    bench_policy: str = ""  # of PLAYOUTS: every second seat plays by it where whole games are measured
    bench: str = ""  # position text from which speed is measured; the first position where empty

    @property
    def seats(self) -> tuple[int, int]:
        """The least and the most seats."""
        declared = self.rules.SEATS
        if not isinstance(declared, tuple) or len(declared) != 2:
            raise ContractError(f"rules.SEATS of '{self.name}' is {declared!r}; write (least, most), such as (2, 4)")
        return int(declared[0]), int(declared[1])

    def option_words(self, settings: dict[str, str]) -> dict[str, str]:
        """Every option with its word; `settings` holds those that were given, `players` not among them."""
        known = {option.name: option for option in self.options}
        for name in settings:
            if name not in known:
                raise ConfigError(f"{self.name} has no option '{name}'; {did_you_mean(name, [*known, 'players'])}")
        return {name: option.settled(settings.get(name, option.default)) for name, option in known.items()}

    def variants(self) -> list[dict[str, str]]:
        """Settings worth checking: all combinations where they are few, else each value once."""
        least, most = self.seats
        axes = {"players": tuple(str(n) for n in range(least, most + 1))} if most > least else {}
        axes |= {option.name: option.samples for option in self.options}
        whole = [dict(zip(axes, words, strict=True)) for words in product(*axes.values())]
        whole = [words for words in whole if self._fit(words)]
        if len(whole) <= 12:
            return whole
        narrow = {option.name: option for option in self.options if option.players}
        each = [{name: word} for name, words in axes.items() for word in words]
        for words in each:
            for name, option in narrow.items():
                if words.get(name, option.default) != option.default:
                    words["players"] = str(option.players[0])
        return each

    def _fit(self, words: dict[str, str]) -> bool:
        players = int(words.get("players", self.seats[0]))
        return all(option.fits(players, words[option.name]) for option in self.options)


def missing_parts(definition: Definition) -> list[str]:
    """What the game's modules lack of the contract, in words; empty where nothing does."""
    rules = definition.rules
    wanted = [*contract.REQUIRED, *(contract.CHANCE_PAIR if definition.facts.chance else ()), *contract.CONSTANTS]
    missing = [f"rules.{name} is missing{_taken_for(name, rules)}" for name in wanted if not hasattr(rules, name)]
    missing += _wrong_arguments(rules)
    if hasattr(rules, "RANGES"):
        missing += range_faults(getattr(rules, "STATE", None), rules.RANGES)
    functions = [getattr(rules, name, None) for name in (*wanted, *contract.OPTIONAL)]
    if not numba.config.DISABLE_JIT:
        plain = [function for function in functions if isinstance(function, FunctionType)]
        missing += [f"rules.{function.__name__} is not a @kernel" for function in plain]
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", definition.name):
        missing.append(f"the name '{definition.name}' has letters that a spec cannot hold: use a-z, digits, - and _")
    texts = [*MUST_HAVE["notation"], *(["outcome_text"] if definition.facts.chance else [])]
    missing += [f"notation.{name} is missing" for name in texts if not hasattr(definition.notation, name)]
    missing += [] if hasattr(definition.view, "board") else ["view.board is missing"]
    if definition.picture is not None:
        drawn = [name for name in MUST_HAVE["picture"] if not hasattr(definition.picture, name)]
        missing += [f"picture.{name} is missing" for name in drawn]
    if definition.speech is not None:
        said = [*MUST_HAVE["speech"], *(["spoken_outcome"] if definition.facts.chance else [])]
        missing += [f"speech.{name} is missing" for name in said if not hasattr(definition.speech, name)]
    for part in MAY_HAVE:
        module = getattr(definition, part)
        missing += misspelt_names(part, module) if module is not None else ()
    return missing


def _taken_for(name: str, module: ModuleType) -> str:
    """The name of a module that somebody may have meant for one that is missing, in words."""
    near = get_close_matches(name, [own for own in vars(module) if own not in CONTRACT_NAMES], n=1, cutoff=0.7)
    return f"; is it '{near[0]}'?" if near else ""


def _wrong_arguments(rules: ModuleType) -> list[str]:
    """The functions of the rules that cannot be called as the contract calls them, in words."""
    faults = []
    for name in CONTRACT_NAMES:
        own = getattr(rules, name, None)
        own = getattr(own, "py_func", own)
        if isinstance(own, FunctionType):
            wanted = signature(getattr(contract, name)).parameters
            try:
                signature(own).bind(*wanted)
            except TypeError:
                takes = ", ".join(signature(own).parameters)
                faults.append(f"rules.{name}({takes}) is called with ({', '.join(wanted)})")
    return faults


def layout_faults(layout: Any, *, has_chance: bool) -> list[str]:
    """What is wrong with a state's layout, in words; empty where nothing is."""
    if not isinstance(layout, np.dtype) or layout.type is not np.record or not layout.names:
        return ["STATE must be np.dtype((np.record, [...]))"]
    faults = []
    for name in layout.names:
        base = layout[name].base
        if name in TAKEN_FIELDS:
            faults.append(f"field '{name}' is a name of np.record's own and fails interpreted; choose another")
        if base.kind != "i":
            faults.append(f"field '{name}' is {base}; fields are signed integers, since mixed signs become floats")
    if has_chance and ("fate" not in layout.names or layout["fate"] != np.dtype(np.int64)):
        faults.append("a game with chance keeps its fate in an int64 field 'fate'")
    return faults


def padded(layout: np.dtype[Any]) -> np.dtype[Any]:
    """The layout with a last field that fills it up to whole words, so that a state can be hashed by words."""
    missing = -layout.itemsize % 8
    if missing == 0:
        return layout
    return np.dtype((np.record, [*layout.descr, (PADDING, np.int8, (missing,))]))


def require_sound(definition: Definition) -> None:
    """Refuse a definition that no kernel should be compiled from."""
    faults = missing_parts(definition)
    faults += layout_faults(getattr(definition.rules, "STATE", None), has_chance=definition.facts.chance)
    if faults:
        raise ContractError(f"game '{definition.name}' does not keep the contract: {'; '.join(faults)}")
