"""`meeple models`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import typer

from meeple.cli.completion import games_like
from meeple.cli.output import print_json, print_table

if TYPE_CHECKING:
    from meeple.core.definition import Definition
    from meeple.models.model import Model


def models(
    game: str = typer.Argument(
        "", help="One game, to read its features too; or the word show.", autocompletion=games_like
    ),
    file: str = typer.Argument("", help="After show: a file, or GAME/NAME for a model with a name."),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
) -> None:
    """List trained models, or show the card of one: meeple models [GAME], meeple models show FILE."""
    from meeple.errors import ConfigError

    if game == "show":
        if not file:
            raise ConfigError("meeple models show takes a file, or GAME/NAME")
        _show(file, as_json)
    elif file:
        raise ConfigError(f"meeple models takes one game, or show and a file; not '{game} {file}'")
    else:
        _list(game, as_json)


def _list(game: str, as_json: bool) -> None:
    """The models of all games, or of one, with its features."""
    from meeple.core.registry import find_definition, game_names
    from meeple.errors import PluginError

    definitions = []
    for name in [game] if game else game_names():
        try:
            definitions.append(find_definition(name))
        except PluginError:  # a plugin that does not load must not hide the others
            if game:
                raise
    rows = [row for definition in definitions for row in _rows(definition)]
    sets = [row for definition in definitions for row in _features(definition)] if game else []
    if as_json:
        print_json({"models": rows, "features": sets} if game else {"models": rows})
        return
    if rows:
        columns = ["game", "model", "from", "reads", "numbers"]
        print_table(columns, [[row[name] for name in columns] for row in rows], right=["numbers"])
    else:
        print("no models yet; your own lie in the data folder, models/GAME/NAME.npz")
    if sets:
        print()
        print_table(
            ["features", "kind", "size", "version", "meaning"],
            [[row["name"], row["kind"], row["size"], row["version"], row["meaning"]] for row in sets],
            right=["size", "version"],
        )


def _show(file: str, as_json: bool) -> None:
    """A model's architecture and its card."""
    from meeple.core.numbers import shortened
    from meeple.errors import ConfigError
    from meeple.models.file import read

    try:
        model = read(_file_of(file))
    except ConfigError as fault:
        raise ConfigError(f"{fault} ('{shortened(file)}')") from None
    header = model.header
    if as_json:
        print_json(header.as_json())
        return
    lines: dict[str, Any] = {
        "game": header.game,
        "features": f"{header.features}, version {header.features_version}",
        "layers": model.words,
        "view": "the seat to move" if header.view == "mover" else "each seat's own",
        "numbers": f"{model.n_weights:,}",
        **header.card,
    }
    for name, value in lines.items():
        print(f"{name:<12} {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}")


def _file_of(text: str) -> str:
    """A file, or that of a named model."""
    from meeple.core.registry import find_definition, game_names
    from meeple.models.found import find_file, is_name

    game, _, name = text.partition("/")
    if game in game_names() and is_name(name):
        return str(find_file(find_definition(game), name))
    return text


def _rows(definition: Definition) -> list[dict[str, Any]]:
    from meeple.errors import ConfigError
    from meeple.models.file import read
    from meeple.models.found import models_of

    rows = []
    for found in models_of(definition):
        source = "the game" if found.is_shipped else "you"
        row: dict[str, Any] = {"game": definition.name, "model": found.name, "from": source}
        try:
            model: Model = read(found.file)
            rows.append(row | {"reads": model.words, "numbers": f"{model.n_weights:,}"})
        except ConfigError as fault:  # one that is broken must not hide the others
            rows.append(row | {"reads": f"cannot be read: {fault}", "numbers": "-"})
    return rows


def _features(definition: Definition) -> list[dict[str, Any]]:
    tables = {"FEATURES": "", "ACTION_FEATURES": " (of moves)"}
    return [
        {
            "name": name,
            "kind": found.kind + words,
            "size": found.size,
            "version": found.version,
            "meaning": found.help,
        }
        for table, words in tables.items()
        for name, found in getattr(definition.features, table, {}).items()
    ]
