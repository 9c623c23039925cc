"""Which code played the games of a store, and whether other code may add to them.

A store keeps a list of signatures (core/signature.py): of the code that played its first games, then of code under
which a sample of them came out the same, move for move (`certified`), or under which the user went on all the same
(`mixed`: the table is marked from then on). Code whose signature is not in the list adds nothing until one of the
two is done. A store from before signatures were kept holds games of unknown code.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

import meeple
from meeple.agents.registry import BUILT_IN, ENTRY_POINTS, load_agent
from meeple.arena.store import Store, StoredGame
from meeple.arena.workers import Crew, Job
from meeple.core.definition import Definition
from meeple.core.game import Game
from meeple.core.heuristics import MODEL, default_name, in_full
from meeple.core.settings import settings_of
from meeple.core.signature import PACKAGE, digest_of, signature
from meeple.core.spec import parse_spec
from meeple.errors import ConfigError
from meeple.models.found import models_of

if TYPE_CHECKING:
    from meeple.arena.tournament import Tournament

SAMPLE = 20  # games played again, at least, spread evenly over the store
FOR_EACH = 3  # of them for each agent, at least
PLAYED, CERTIFIED, MIXED, UNKNOWN = "played", "certified", "mixed", "unknown"
# How matches are played: they make the worlds and streams and share out the time, though they choose no move.
_RUNNERS = tuple(PACKAGE / "arena" / name for name in ("engine.py", "inside.py", "openings.py", "conditions.py"))
_TOLD_ONLY = ("title", "left_out", "verified")  # facts of a game that are for people


# --- the code at hand --------------------------------------------------------------------------------


def signature_for(game: Game, agents: Sequence[str]) -> str:
    """The signature of all that chooses moves when these agents play; no agent's code is run to find it.

    Core, the game with its heuristics, the agents and their searches, files beside them or named in their specs.
    """
    definition = game.definition
    modules = (definition.rules, definition.heuristics, definition.features, definition.notation)
    roots = [Path(str(module.__file__)) for module in modules if module is not None]
    roots += [PACKAGE / "agents" / "base.py", PACKAGE / "core" / "game.py"]
    roots += _model_files(default_name(game, "EVALUATIONS"), definition)
    for spec in sorted(set(agents)):
        roots += _files_of(spec, definition)
    facts = {name: value for name, value in vars(definition.facts).items() if name not in _TOLD_ONLY}
    about = (str(sorted(facts.items())), str(game.seats), str(game.option_codes.tolist()))
    return signature(roots, *about, *(digest_of(path) for path in _RUNNERS))


def _files_of(spec: str, definition: Definition) -> Iterator[Path]:
    """The file of an agent's class, the files that its settings name, and those of agents within it."""
    parsed = parse_spec(spec)
    file = _class_file(parsed.name)
    if file is not None:
        yield file
    if ".py:" in parsed.name:
        yield PACKAGE / "agents" / "own.py"  # which the registry imports where a function is named
    homes = [Path.cwd(), *([file.parent] if file else [])]
    for name, value in parsed.settings.items():
        if value.startswith("[") and value.endswith("]"):
            with suppress(ConfigError):
                yield from _files_of(value[1:-1], definition)
            continue
        value = in_full(value) if name == "evaluation" else value
        weights = value if name == "config" else value.partition("@")[2]
        weights = weights.rpartition(":")[0] if ".py:" in weights else weights  # a function in a file
        yield from _model_files(value, definition)
        for word in {value, weights, *value.split()} - {""}:
            # A word that looks like no file may be one all the same, where it can be nothing else.
            is_file = "." in word or "/" in word or word == weights
            named = [home / os.path.expanduser(word) for home in homes if is_file]
            yield from (path for path in named if os.path.isfile(path) or ("/" in word and os.path.isdir(path)))


def _model_files(name: str, definition: Definition) -> Iterator[Path]:
    """The file of the model that a heuristic's name names, and the code that asks it; nothing where it names none."""
    word, _, text = name.partition("@")
    if word == MODEL:
        yield PACKAGE / "models" / "evaluation.py"  # which core imports by name
        yield from (each.file for each in models_of(definition) if each.name == text)


def _class_file(name: str) -> Path | None:
    if ".py:" in name:
        return Path(name.rpartition(":")[0])
    points = {point.name: point.module for point in entry_points(group=ENTRY_POINTS)}
    module = BUILT_IN[name].partition(":")[0] if name in BUILT_IN else points.get(name)
    found = importlib.util.find_spec(module) if module else None
    return Path(found.origin) if found and found.origin else None


def entry_for(signed: str, how: str, games: int, **more: Any) -> dict[str, Any]:
    """A line of a store's list: the signature, how it came there, and for information when and with what beside."""
    python = ".".join(str(part) for part in sys.version_info[:3])
    beside = {"python": python, "meeple": meeple.__version__, "numba": numba.__version__, "numpy": np.__version__}
    today = datetime.now(UTC).strftime("%Y-%m-%d")
    return {"signature": signed, "how": how, "games": games, "date": today, **beside, **more}


# --- a store and the code at hand --------------------------------------------------------------------


def is_known(store: Store, signed: str) -> bool:
    """Whether code of this signature played games of the store, or may add to them."""
    return any(entry["signature"] == signed for entry in store.code)


def is_current(tournament: Tournament, store: Store) -> bool:
    """Whether the code at hand, as its files are now, may add games to the store."""
    return is_known(store, signature_for(tournament.game, tournament.agents))


def is_mixed(code: Iterable[dict[str, Any]]) -> bool:
    """Whether a store's list says that games of different code are counted together."""
    return any(entry["how"] == MIXED for entry in code)


def settle_code(
    tournament: Tournament,
    store: Store,
    *,
    workers: int = 1,
    mixed: bool = False,
    tell: Callable[[str], None] = lambda text: None,
) -> None:
    """Let the code at hand add games to a store, or raise.

    Where the store does not know the code, a sample of its games is played again. If all come out the same, the
    store is certified for the code; if not, `mixed` marks the table and goes on.

    Raises:
        ConfigError: some came out otherwise, or games under limits of time cannot be compared; without `mixed`.
    """
    signed, games = signature_for(tournament.game, tournament.agents), store.count()
    if is_known(store, signed):
        return
    if games == 0:
        store.set_code([entry_for(signed, PLAYED, 0)])
        return
    before = store.code or [{"signature": "", "how": UNKNOWN, "games": games}]
    theirs = before[-1]["signature"] or "unknown, from before it was kept"
    holds = f"'{store.path}' holds {games} games of other code (signature {theirs}; here {signed})"
    fault = _incomparable(tournament)
    sample = [] if fault else choose_sample(store, tournament)
    if not fault:
        tell(f"{holds}; {len(sample)} of them are played again")
        other = [game for game in sample_again(tournament, store, sample, workers) if game is not None]
        if not other:
            store.set_code([*before, entry_for(signed, CERTIFIED, games, sample=len(sample))])
            tell("all came out the same, move for move: the store is certified for this code")
            return
        fault = f"{len(other)} of {len(sample)} played again came out otherwise, such as {other[0].key.text()}"
    if mixed:
        store.set_code([*before, entry_for(signed, MIXED, games)])
        tell(f"{holds}; {fault}. --mixed: they are counted together, and the table says so")
        return
    mend = "--fresh begins anew, --store FILE keeps both apart, --mixed counts them together in a table that says so"
    raise ConfigError(f"{holds}, and one table must not mix them unsaid: {fault}. {mend}")


def _incomparable(tournament: Tournament) -> str:
    """Why games cannot be played again move for move; empty where they can."""
    timed = [spec for spec in tournament.agents if _is_timed(spec, tournament.game)]
    if tournament.conditions.has_limits or timed:
        whose = f" ({timed[0]})" if timed else ""
        return f"games under limits of time{whose} never come out the same twice, so they cannot be compared"
    return ""


def _is_timed(spec: str, game: Game) -> bool:
    agent = load_agent(spec, game)
    if any(each.metadata["is_time"] and getattr(agent, each.name) for each in settings_of(type(agent))):
        return True
    inner = [value[1:-1] for value in parse_spec(spec).settings.values() if value.startswith("[")]
    with suppress(ConfigError):
        return any(_is_timed(each, game) for each in inner)
    return False


# --- a sample, played again --------------------------------------------------------------------------


def choose_sample(store: Store, tournament: Tournament) -> list[StoredGame]:
    """At least SAMPLE games, or all, spread evenly, with FOR_EACH of every agent; the same whoever asks.

    Games played to their end are preferred: a forfeit may have been a process that hung.
    """
    ended = sum(game.at_fault is None for game in store.games())
    step = max(1, ended // SAMPLE)
    chosen: list[StoredGame] = []
    has: Counter[int] = Counter()
    place = 0
    for game in store.games():
        if game.at_fault is None:
            if place % step == 0 or any(has[agent] < FOR_EACH for agent in game.key.lineup.agents):
                chosen.append(game)
                has.update(game.key.lineup.agents)
            place += 1
    for game in store.games():
        if game.at_fault is not None and any(not has[agent] for agent in game.key.lineup.agents):
            chosen.append(game)
            has.update(game.key.lineup.agents)
    return chosen


def sample_again(
    tournament: Tournament, store: Store, sample: Sequence[StoredGame], workers: int
) -> Iterator[StoredGame | None]:
    """Play games again as the store's were; of each the stored one where it came out otherwise, else None."""
    stored = {game.key: game for game in sample}
    source = _Sample([_job(tournament, game) for game in sample])
    keeps_courses = any(game.course for game in sample)
    setup = replace(tournament.setup(store.salt), keeps="courses" if keeps_courses else "results")
    with Crew(setup, workers) as crew:
        for games in crew.play(source):
            source.left -= len(games)
            for game in games:
                yield None if _is_same(stored[game.key], game) else stored[game.key]


def _is_same(stored: StoredGame, again: StoredGame) -> bool:
    if stored.course and again.course and stored.course != again.course:
        return False
    facts = [(game.ranks, game.shares, game.scores, game.plies, game.at_fault) for game in (stored, again)]
    return facts[0] == facts[1]


def _job(tournament: Tournament, game: StoredGame) -> Job:
    return Job(game.key, game.seed, tournament.schedule.seated(game.key))


class _Sample:
    """A source of jobs for a crew: the games of a sample, each once."""

    def __init__(self, jobs: list[Job]) -> None:
        self.waiting, self.left = jobs, len(jobs)

    @property
    def is_done(self) -> bool:
        return self.left == 0

    def take(self, most: int) -> list[Job]:
        taken, self.waiting = self.waiting[:most], self.waiting[most:]
        return taken

    def give_back(self, jobs: list[Job]) -> None:
        self.waiting = [*jobs, *self.waiting]
