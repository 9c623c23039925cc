"""What one server gives to those who come to its page; whoever keeps it can raise each with `--most NAME=VALUE`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from meeple.core.spec import parse_time
from meeple.errors import ConfigError, did_you_mean

TIMES = ("thinking", "idle")
COUNTS = ("tables", "disk")


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Ceilings of a server. Those of agents' settings stand with the settings; `settings` names others by name."""

    thinking: float = 30.0  # seconds an agent thinks about a move before it is told to stop
    idle: float = 60.0  # seconds without anybody looking after which a table leaves memory
    tables: int = 500  # tables that somebody looks at, at once
    disk: int = 1_000  # megabytes of tables on disk, beyond which no new ones are made
    settings: dict[str, float] = field(default_factory=dict)


def parse_limits(words: Iterable[str]) -> Limits:
    """The limits with those that `words` set, such as `iterations=200000` or `thinking=2m`.

    Raises:
        ConfigError: a limit that there is not, or a value that is none.
    """
    limits = Limits()
    for word in words:
        name, _, text = word.partition("=")
        if name in TIMES or name in COUNTS:
            own: dict[str, Any] = {name: parse_time(text) if name in TIMES else _number(name, text)}
            limits = replace(limits, **own)
        else:
            limits = replace(limits, settings={**limits.settings, name: _ceiling(name, text)})
    return limits


def _ceiling(name: str, text: str) -> float:
    from meeple.agents.outside import ceilings

    known = ceilings()
    if name not in known:
        raise ConfigError(f"--most has no '{name}'; {did_you_mean(name, [*known, *TIMES, *COUNTS])}")
    return parse_time(text) if known[name] else _number(name, text)


def _number(name: str, text: str) -> int:
    if not text.isdecimal() or len(text) > 15:
        raise ConfigError(f"--most {name}=... takes a whole number, not '{text}'")
    return int(text)
