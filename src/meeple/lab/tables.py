"""A table of a TOML file whose keys are taken one by one, so that what nobody takes can be refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from meeple.errors import ConfigError, did_you_mean

_WORDS = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


class TomlTable:
    """A table of the file whose keys are taken one by one; `end` refuses those that nobody took."""

    def __init__(self, rows: Mapping[str, Any], place: str) -> None:
        self.rows, self.place, self.known = dict(rows), place, set[str]()

    def take(self, key: str, kind: type, default: Any = None, *, wanted: bool = False) -> Any:
        """The value of a key, which must be of this kind; `wanted`: it must be there."""
        self.known.add(key)
        if key not in self.rows:
            if wanted:
                raise ConfigError(f"{self.place}: '{key}' is missing; it is {_WORDS[kind]}")
            return default
        value = self.rows[key]
        fits = isinstance(value, (int, float) if kind is float else kind)
        if not fits or (isinstance(value, bool) and kind is not bool):
            raise ConfigError(f"{self.place}: '{key}' is {_WORDS[kind]}, not {value!r}")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        """A text; without a default it must be there."""
        return str(self.take(key, str, default, wanted=default is None))

    def whole(self, key: str, default: int | None = None, *, least: int | None = None) -> int:
        """A whole number; without a default it must be there."""
        found = int(self.take(key, int, default, wanted=default is None))
        if least is not None and found < least and key in self.rows:
            raise ConfigError(f"{self.place}: '{key}' is at least {least}, not {found}")
        return found

    def truth(self, key: str, default: bool) -> bool:
        """true or false."""
        return bool(self.take(key, bool, default))

    def word(self, key: str, known: Mapping[str, str], default: str | None = None) -> str:
        """One of the known words."""
        found = self.text(key, default)
        if found not in known:
            raise ConfigError(f"{self.place}: there is no {key} '{found}'; {did_you_mean(found, known)}")
        return found

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; empty where there is none."""
        found = self.take(key, list, [])
        if not all(isinstance(part, str) for part in found):
            raise ConfigError(f"{self.place}: '{key}' is a list of texts, not {found!r}")
        return tuple(found)

    def table(self, key: str, *, wanted: bool = True) -> TomlTable:
        """A table inside this one; an empty one where there is none and none is wanted."""
        return TomlTable(self.take(key, dict, {}, wanted=wanted), f"{self.place}, {key}")

    def tables(self, key: str) -> list[tuple[str, TomlTable]]:
        """The tables inside a table, by name."""
        inside = self.table(key)
        return [(name, inside.table(name)) for name in inside.rows]

    def list_of_tables(self, key: str) -> list[TomlTable]:
        """A list of tables (`[[key]]`), each placed by its id or name."""
        rows = self.take(key, list, [])
        for row in rows:
            if not isinstance(row, dict):
                raise ConfigError(f"{self.place}: '{key}' is a list of tables, not {row!r}")
        heads = [row.get("id") or row.get("name") or str(number) for number, row in enumerate(rows, 1)]
        return [TomlTable(row, f"{self.place}, {key} '{head}'") for row, head in zip(rows, heads, strict=True)]

    def end(self) -> None:
        """Refuse keys that nobody took."""
        for key in self.rows:
            if key not in self.known:
                raise ConfigError(f"{self.place}: there is no key '{key}'; {did_you_mean(key, self.known)}")
