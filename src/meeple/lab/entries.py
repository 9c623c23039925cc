"""The entries of an item as its file has them: listed one by one, or one for each value of a setting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from meeple.errors import ConfigError, did_you_mean
from meeple.lab.paper import SHARES, Entry, PaperAgent, Published, recovered_wins
from meeple.lab.tables import Table


@dataclass(frozen=True)
class Scope:
    """An item's table, with what its entries take from around them."""

    rows: Table
    agents: Mapping[str, PaperAgent]
    item: str
    metric: str

    def agent(self, rows: Table, key: str) -> PaperAgent:
        """The agent that an entry names, or its item for all entries."""
        name = rows.text(key, self.rows.text(key, ""))
        if not name:
            raise ConfigError(f"{rows.place}: '{key}' is missing; it is the name of an agent")
        if name not in self.agents:
            raise ConfigError(f"{rows.place}: '{key}' names no agent '{name}'; {did_you_mean(name, self.agents)}")
        return self.agents[name]


def read_entries(scope: Scope) -> tuple[Entry, ...]:
    """All entries of an item, checked."""
    listed, vary = scope.rows.list_of_tables("entry"), scope.rows.table("vary", wanted=False)
    a, b, ms = scope.rows.text("a", ""), scope.rows.text("b", ""), float(scope.rows.take("ms", float, 0.0))
    published = scope.rows.table("published", wanted=False)
    if vary.rows:
        if listed:
            raise ConfigError(f"{scope.rows.place}: give `vary` or entries, not both")
        return _swept(scope, vary, published, ms)
    published.end()
    for name in {a, b} - {"", *scope.agents}:
        raise ConfigError(f"{scope.rows.place}: there is no agent '{name}'; {did_you_mean(name, scope.agents)}")
    return tuple(_entry(scope, rows, ms) for rows in listed)


def _entry(scope: Scope, rows: Table, ms: float) -> Entry:
    a, b = scope.agent(rows, "a"), scope.agent(rows, "b")
    with_ = rows.table("with", wanted=False)
    settings = {key: _setting(value, with_.place) for key, value in with_.rows.items()}
    values = rows.table("published", wanted=False)
    printed = _published(values, scope.metric) if values.rows else None
    name = rows.text("name", f"{a.name} v {b.name}")
    own = float(rows.take("ms", float, ms))
    rows.end()
    return _checked(Entry(name, a, b, settings, printed, own, _is_fitted(scope, name, a, b)), rows.place)


def _swept(scope: Scope, vary: Table, published: Table, ms: float) -> tuple[Entry, ...]:
    """One entry a value of the setting, each with its part of the lists that were published."""
    if len(vary.rows) != 1 or not isinstance(values := next(iter(vary.rows.values())), list) or not values:
        raise ConfigError(f"{vary.place}: name one setting and the list of its values, such as iterations = [100, 200]")
    setting = next(iter(vary.rows))
    for key, row in published.rows.items():
        if isinstance(row, list) and len(row) != len(values):
            raise ConfigError(f"{published.place}: '{key}' has {len(row)} values where {setting} has {len(values)}")
    a, b = scope.agent(scope.rows, "a"), scope.agent(scope.rows, "b")
    entries = []
    for place, value in enumerate(values):
        word = _setting(value, vary.place)
        parts = {key: row[place] if isinstance(row, list) else row for key, row in published.rows.items()}
        printed = _published(Table(parts, published.place), scope.metric) if parts else None
        name = f"{setting}={word}"
        entry = Entry(name, a, b, {setting: word}, printed, ms, _is_fitted(scope, name, a, b))
        entries.append(_checked(entry, scope.rows.place))
    return tuple(entries)


def _is_fitted(scope: Scope, name: str, a: PaperAgent, b: PaperAgent) -> bool:
    return any(fit in (scope.item, f"{scope.item}/{name}") for fit in (*a.fitted_on, *b.fitted_on))


def _checked(entry: Entry, place: str) -> Entry:
    try:
        entry.specs()
        entry.specs(clock=True)
    except ConfigError as fault:
        raise ConfigError(f"{place}, '{entry.name}': {fault}") from None
    return entry


def _setting(value: Any, place: str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (str, int, float)):
        return str(value)
    raise ConfigError(f"{place}: a setting is a word or a number, not {value!r}")


def _published(rows: Table, metric: str) -> Published:
    """The value from one of `wins`, `percent`, `interval` (with `of`) for shares, or `value` for other metrics."""
    of = rows.take("of", int)
    wins, percent = rows.take("wins", float), rows.take("percent", float)
    value = rows.take("value", float)
    ends, confidence = rows.take("interval", list), float(rows.take("confidence", float, 95)) / 100
    rows.end()
    if ends is not None and (len(ends) != 2 or not all(isinstance(end, (int, float)) for end in ends)):
        raise ConfigError(f"{rows.place}: 'interval' is its two ends, such as [46.4, 50.7], not {ends!r}")
    if of is not None and of < 1:
        raise ConfigError(f"{rows.place}: 'of' is the number of games, not {of}")
    span = (float(ends[0]), float(ends[1])) if ends else None
    if metric not in SHARES:
        if value is None:
            raise ConfigError(f"{rows.place}: give `value`, the {metric} as printed")
        return Published(float(value), of, span, confidence)
    return Published(_share(rows, wins, percent, span, of, confidence), of, _hundredths(span), confidence)


def _share(
    rows: Table,
    wins: float | None,
    percent: float | None,
    span: tuple[float, float] | None,
    of: int | None,
    confidence: float,
) -> float:
    if percent is not None and wins is None:
        share = percent / 100
    elif wins is not None and percent is None:
        if of is None:
            raise ConfigError(f"{rows.place}: 'wins' needs 'of', the number of games")
        share = wins / of
    elif span is not None and of is not None and wins is None and percent is None:
        found = recovered_wins(*span, of, confidence)
        if not found:
            raise ConfigError(f"{rows.place}: no wins of {of} games have the {confidence:.0%} interval {list(span)}")
        share = sum(found) / len(found) / of
    else:
        raise ConfigError(f"{rows.place}: give one of `wins` with `of`, `percent`, or `interval` with `of`")
    if not 0 <= share <= 1:
        raise ConfigError(f"{rows.place}: a share of {100 * share:g}% is none")
    return share


def _hundredths(span: tuple[float, float] | None) -> tuple[float, float] | None:
    return None if span is None else (span[0] / 100, span[1] / 100)
