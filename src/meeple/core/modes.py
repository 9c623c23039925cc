"""Mode files: options of a game by name, as TOML or JSON; `sagrada:mode=short.toml` plays by one.

    players = 3
    tools = 2
    toolbox = ["lathekin", "lens", "grinding"]
    [points]
    light = 3

The options go into the game's own spec, so records and stores need the file no more.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from meeple.core.options import NO_VALUES, USUAL
from meeple.errors import ConfigError

MODE = "mode"  # the setting that names such a file
LARGEST = 100_000  # bytes


def with_mode(settings: dict[str, str]) -> dict[str, str]:
    """The settings with those of the mode file in place of its name; two that disagree are an error."""
    rest = dict(settings)
    path = Path(rest.pop(MODE))
    for name, word in read_mode(path).items():
        if rest.get(name, word) != word:
            raise ConfigError(f"'{path}' says {name}={word} and the game's name says {name}={rest[name]}")
        rest[name] = word
    return rest


def read_mode(path: Path) -> dict[str, str]:
    """The options that a file holds, by name, each as the word that a spec has."""
    is_json = path.suffix == ".json"
    try:
        if path.stat().st_size > LARGEST:
            raise ConfigError(f"'{path}' is too large to be a mode file")
        text = path.read_text(encoding="utf-8")
        found = json.loads(text) if is_json else tomllib.loads(text)
    except OSError as fault:
        raise ConfigError(f"'{path}' cannot be read: {fault.strerror}") from None
    except RecursionError:
        raise ConfigError(f"'{path}' is no mode file: it is nested too deep") from None
    except ValueError as fault:
        raise ConfigError(f"'{path}' is no {'JSON' if is_json else 'TOML'}: {fault}") from None
    if not isinstance(found, dict):
        raise ConfigError(f"'{path}' must hold options of the game by name, such as players = 3")
    return {name: _word(name, value, path) for name, value in found.items()}


def _word(name: str, value: Any, path: Path) -> str:
    """A value of the file as a spec writes it."""
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return "+".join(value) or NO_VALUES
    if isinstance(value, dict) and all(type(part) is int for part in value.values()):
        return "+".join(f"{key}.{part}" for key, part in value.items()) or USUAL
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (str, int)):
        return str(value)
    raise ConfigError(
        f"'{path}': '{name}' is neither a word, a number, a list of words nor a table of whole numbers: {value!r}"
    )
