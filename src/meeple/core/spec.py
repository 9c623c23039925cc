"""Specs: `name:key=value,...`, the one way to name a game with options or an agent with settings.

A value with a comma, colon, equals sign or space stands in double quotes; a spec inside a spec in
brackets: `mcts:playout=[minimax:depth=1]`. What comes from a file is named `./mine.py:Agent`, with the
settings after a second colon. A time has its unit: `time=300ms`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from meeple.core.numbers import shortened
from meeple.errors import ConfigError

_FROM_FILE = re.compile(r"(?P<name>[^:]*\.py:\w+)(?::(?P<settings>.*))?", re.DOTALL)
_NEEDS_QUOTES = re.compile(r'[,:=\s"\[\]]')
_TIME = re.compile(r"(?P<number>[0-9]{1,9}(?:\.[0-9]{1,9})?)(?P<unit>ms|s|m|h)")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


@dataclass(frozen=True)
class Spec:
    """A name and its settings as written, values without their quotes; a bracketed value keeps its brackets."""

    name: str
    settings: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        if not self.settings:
            return self.name
        return self.name + ":" + ",".join(f"{key}={_quoted(value)}" for key, value in self.settings.items())


def parse_spec(text: str) -> Spec:
    """Read a spec; `str` of the result reads the same again."""
    from_file = _FROM_FILE.fullmatch(text)
    if from_file:
        name, rest = from_file["name"], from_file["settings"] or ""
    else:
        name, _, rest = text.partition(":")
    if not name.strip():
        raise ConfigError(f"'{text}' names nothing; a spec is written name:key=value,key=value")
    settings: dict[str, str] = {}
    for part in _split(rest, text):
        key, equals, value = part.partition("=")
        key = key.strip()
        if not equals or not key:
            raise ConfigError(f"'{part}' in '{text}' is not key=value")
        if key in settings:
            raise ConfigError(f"'{key}' stands twice in '{text}'")
        settings[key] = _unquoted(value.strip())
    return Spec(name.strip(), settings)


def parse_time(text: str) -> float:
    """Seconds of `300ms`, `2s`, `1.5m` or `1h`."""
    found = _TIME.fullmatch(text.strip())
    if not found:
        raise ConfigError(f"'{shortened(text)}' is not a time; write a number and its unit, such as 300ms, 2s or 5m")
    return float(found["number"]) * _UNITS[found["unit"]]


def format_time(seconds: float) -> str:
    """The shortest spelling that `parse_time` reads back."""
    return f"{seconds:g}s" if seconds >= 1 or seconds == 0 else f"{seconds * 1000:g}ms"


def _split(text: str, whole: str) -> Iterator[str]:
    """The parts between commas that stand in no quotes and no brackets."""
    depth, is_quoted, part = 0, False, ""
    for letter in text:
        if letter == '"':
            is_quoted = not is_quoted
        elif not is_quoted and letter in "[]":
            depth += 1 if letter == "[" else -1
            if depth < 0:
                break
        if letter == "," and not is_quoted and depth == 0:
            yield part
            part = ""
        else:
            part += letter
    if is_quoted or depth != 0:
        raise ConfigError(f"'{whole}' has {'a quote' if is_quoted else 'a bracket'} that is not closed")
    if part.strip() or text.endswith(","):
        yield part


def _quoted(value: str) -> str:
    is_nested = value.startswith("[") and value.endswith("]")
    return f'"{value}"' if _NEEDS_QUOTES.search(value) and not is_nested else value


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) >= 2 and value[0] == value[-1] == '"' else value
