"""Games by name: those in `meeple.games`, those of installed packages, and those in a folder of one's own."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import pkgutil
import sys
from functools import lru_cache
from importlib.machinery import ModuleSpec
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from meeple.core.definition import Definition
from meeple.core.folders import is_file, is_folder, resolved
from meeple.core.game import Game
from meeple.core.modes import MODE, with_mode
from meeple.core.numbers import shortened, whole_number
from meeple.core.spec import Spec, parse_spec
from meeple.errors import ConfigError, MeepleError, PluginError, RecordError, TrustError, brief, did_you_mean

ENTRY_POINTS = "meeple.games"
_added: dict[str, Definition] = {}  # games in folders, by name, that this process was told of


def load_game(spec: str | Spec) -> Game:
    """The game that a spec names: `santorini`, `azul:players=3,wall=grey`, `sagrada:mode=short.toml`, `./kalah`."""
    parsed = parse_spec(spec) if isinstance(spec, str) else spec
    definition = find_definition(parsed.name)
    return _with(definition, with_mode(parsed.settings) if MODE in parsed.settings else dict(parsed.settings))


def _with(definition: Definition, settings: dict[str, str]) -> Game:
    """The game that a definition and the words for its options make."""
    players = settings.pop("players", str(max(2, definition.seats[0]) if definition.seats[1] > 1 else 1))
    seats = whole_number(players, 0, 999)
    if seats is None:
        raise ConfigError(f"players={shortened(players)} of {definition.name} is not a number of players")
    return Game(definition, seats, definition.option_words(settings))


def load_recorded(spec: str, folder: str, *, trust: bool = False) -> Game:
    """The game that a record names, from the folder it was played from where it is not installed.

    Raises:
        TrustError: that would run the folder's code, and `trust` does not allow it.
    """
    parsed = parse_spec(spec)
    if MODE in parsed.settings:
        raise ConfigError("a record's game names its options, never a file of them")
    if parsed.name in game_names():
        return load_game(parsed)
    if folder and not is_folder(Path(folder)):
        was = f"the record's was in the folder '{shortened(folder)}', which is gone"
        raise ConfigError(f"there is no game '{shortened(parsed.name)}'; {was}")
    named = folder or (parsed.name if _is_folder(parsed.name) else "")
    if named and not trust:
        raise TrustError(
            f"the game '{shortened(parsed.name)}' is not installed, and the record has it in a folder: "
            "that would run the code in "
            f"'{shortened(str(Path(named) / 'game.py'), 200)}'; "
            "if you know where that comes from, allow it with --trust (in Python: trust=True)"
        )
    return load_game(Spec(folder or parsed.name, parsed.settings))


def load_pickled(name: str, settings: tuple[tuple[str, str], ...], version: int) -> Game:
    """The game that a pickle names by its origin (`Game.origin`): found as `load_game` finds it, nothing else is run.

    All that is unpickled in one process shares one game.

    Raises:
        RecordError: its rules are of another version here.
    """
    game = _shared(find_definition(name), settings)
    if game.facts.version != version:
        raise RecordError(
            f"this was pickled by version {version} of the rules of {game.name}; here is version {game.facts.version}: "
            "keep what shall last as a record (Match.record), which replays in later versions"
        )
    return game


@lru_cache(maxsize=64)
def _shared(definition: Definition, settings: tuple[tuple[str, str], ...]) -> Game:
    return _with(definition, dict(settings))


def game_names() -> list[str]:
    """The names of all games that are installed, ours first, and of those that were added."""
    return [*_built_in(), *sorted((set(_plugins()) | set(_added)) - set(_built_in()))]


def add_game(folder: str) -> Definition:
    """Make the game in a folder known by its name, in this process, as if it were installed."""
    definition = find_definition(folder)
    if not definition.folder:
        raise ConfigError(f"'{shortened(folder)}' is installed already; a game in a folder is named ./{folder}")
    if definition.name in game_names() and definition.name not in _added:
        raise ConfigError(f"there is a game '{definition.name}' already; give the one in '{folder}' another name")
    _added[definition.name] = definition
    return definition


def find_definition(name: str) -> Definition:
    """What the folder of this game declares; `name` may be a path to the folder."""
    if _is_folder(name):
        return _from_folder(resolved(Path(name)))
    if name in _built_in():
        return _definition_in(importlib.import_module(f"meeple.games.{_folder_name(name)}.game"), name)
    if name in _added:
        return _added[name]
    if name in _plugins():
        return _from_entry_point(_plugins()[name])
    hint = f" (a game in a folder is named ./{name})" if is_folder(Path(name)) else ""
    raise ConfigError(f"there is no game '{shortened(name)}'; {did_you_mean(name, game_names())}{hint}")


def _is_folder(name: str) -> bool:
    return "/" in name or "\\" in name or name == "."


@lru_cache(maxsize=1)
def _built_in() -> tuple[str, ...]:
    import meeple.games

    return tuple(
        sorted(found.name.replace("_", "-") for found in pkgutil.iter_modules(meeple.games.__path__) if found.ispkg)
    )


def _plugins() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def _folder_name(name: str) -> str:
    return name.replace("-", "_")


def _from_entry_point(point: EntryPoint) -> Definition:
    try:
        found = point.load()
    except Exception as fault:
        raise PluginError(f"the game '{point.name}' ({point.value}) cannot be loaded: {brief(fault)}") from fault
    if not isinstance(found, Definition):
        raise PluginError(f"the game '{point.name}' ({point.value}) is a {type(found).__name__}, not a Definition")
    return found


def _from_folder(folder: Path) -> Definition:
    if not is_file(folder / "game.py"):
        raise ConfigError(f"'{shortened(str(folder))}' holds no game.py; `meeple new game NAME` makes such a folder")
    try:
        package = _import_folder(folder)
        module = importlib.import_module(f"{package}.game")
    except MeepleError:
        raise
    except Exception as fault:
        raise PluginError(f"the game in '{folder}' cannot be loaded: {brief(fault)}") from fault
    return dataclasses.replace(_definition_in(module, folder.name), folder=str(folder))


def _import_folder(folder: Path) -> str:
    """Make the folder importable as a package of a name that no installed package has."""
    package = f"meeple_folder_{folder.name.replace('-', '_').replace('.', '_')}"
    known = sys.modules.get(package)
    if known is not None and known.__path__ == [str(folder)]:
        return package
    for name in [name for name in sys.modules if name == package or name.startswith(package + ".")]:
        del sys.modules[name]
    start = folder / "__init__.py"
    spec: ModuleSpec | None = ModuleSpec(package, None, is_package=True)  # a folder without __init__.py will do
    if start.is_file():
        spec = importlib.util.spec_from_file_location(package, start)
    assert spec is not None
    spec.submodule_search_locations = [str(folder)]
    module = importlib.util.module_from_spec(spec)
    sys.modules[package] = module
    if spec.loader is not None and start.is_file():
        spec.loader.exec_module(module)
    return package


def _definition_in(module: object, name: str) -> Definition:
    found = getattr(module, "DEFINITION", None)
    if not isinstance(found, Definition):
        raise PluginError(f"game.py of '{name}' holds no DEFINITION = Definition(...)")
    return found
