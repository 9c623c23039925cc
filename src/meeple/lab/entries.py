"""The entries of an item as its file has them: listed, one for each value of a setting, or points of lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from meeple.errors import ConfigError, did_you_mean
from meeple.lab.paper import (
    GROUPS,
    MEASURES,
    OF_TRAININGS,
    SHARES,
    SIDES,
    TENTHS,
    USUAL_MEASURE,
    WHOSE,
    FigureLine,
    PaperAgent,
    PaperEntry,
    Published,
    recovered_wins,
)
from meeple.lab.tables import TomlTable

_OF = {True: "trainings (kind `train`)", False: "games"}


@dataclass(frozen=True)
class Scope:
    """An item's table, with what its entries take from around them."""

    rows: TomlTable
    agents: Mapping[str, PaperAgent]
    item: str
    metric: str
    kind: str = "match"

    @property
    def is_alone(self) -> bool:
        """Whether its entries speak of one agent alone."""
        return self.kind in ("calibrate", "elo")

    @property
    def unit(self) -> str:
        """What published values are: a metric of games, or whatever the item counts."""
        return self.kind if self.is_alone else self.metric

    def agent(self, rows: TomlTable, key: str) -> PaperAgent:
        """The agent that an entry names, or its item for all entries."""
        name = rows.text(key, self.rows.text(key, ""))
        if not name:
            raise ConfigError(f"{rows.place}: '{key}' is missing; it is the name of an agent")
        if name not in self.agents:
            raise ConfigError(f"{rows.place}: '{key}' names no agent '{name}'; {did_you_mean(name, self.agents)}")
        return self.agents[name]


def read_entries(scope: Scope) -> tuple[PaperEntry, ...]:
    """All entries of an item, checked."""
    listed, lines = scope.rows.list_of_tables("entry"), scope.rows.list_of_tables("line")
    # Of a calibration `vary` is the name of a setting, which the item's reader takes.
    vary = TomlTable({}, "") if scope.kind == "calibrate" else scope.rows.table("vary", wanted=False)
    a, b, ms = scope.rows.text("a", ""), scope.rows.text("b", ""), float(scope.rows.take("ms", float, 0.0))
    published = scope.rows.table("published", wanted=False)
    if vary.rows:
        if listed or lines:
            raise ConfigError(f"{scope.rows.place}: give `vary` or entries, not both")
        return _swept(scope, vary, published, ms)
    published.end()
    for name in {a, b} - {"", *scope.agents}:
        raise ConfigError(f"{scope.rows.place}: there is no agent '{name}'; {did_you_mean(name, scope.agents)}")
    if listed and lines:
        raise ConfigError(f"{scope.rows.place}: give lines or entries, not both")
    by = scope.rows.word("by", {"": "", **GROUPS}, "")
    found = [entry for rows in lines for entry in _points(scope, rows, by, ms)]
    return tuple(found or [_entry(scope, rows, ms) for rows in listed])


def _points(scope: Scope, rows: TomlTable, by: str, ms: float) -> list[PaperEntry]:
    """The points of a line, each an entry named by the line and its place; one entry where it has no places."""
    a = scope.agent(rows, "a")
    b = a if scope.kind == "train" else scope.agent(rows, "b")
    line = FigureLine(
        rows.text("name"),
        rows.word("measure", MEASURES, USUAL_MEASURE.get(scope.kind)),
        rows.word("by", {"": "", **GROUPS}, by),
        rows.word("of", WHOSE, "a"),
        rows.text("filter", ""),
        rows.text("points", "score"),
        float(rows.take("scale", float, 1.0)),
        rows.whole("round", 0, least=1),
    )
    if (line.measure == "filtered") != bool(line.filter):
        raise ConfigError(f"{rows.place}: `filter` names the filter of the measure 'filtered', and of no other")
    if line.round and line.by == "round":
        raise ConfigError(f"{rows.place}: a line of one `round` goes by ply, or is one number")
    if (line.measure == "loss") != (line.by == "tenth"):
        raise ConfigError(f"{rows.place}: a loss is measured by tenth, and nothing else is")
    if (line.measure in OF_TRAININGS) != (scope.kind == "train"):
        raise ConfigError(f"{rows.place}: '{line.measure}' is measured of {_OF[line.measure in OF_TRAININGS]} alone")
    published = rows.table("published", wanted=False)
    values = published.take("values", list, [])
    single = published.take("value", float)
    published.end()
    if not all(isinstance(value, (int, float)) for value in values) or bool(values) > bool(line.by):
        raise ConfigError(f"{published.place}: `values` is a number for each place of a line that has `by`")
    last = rows.whole("places", len(values) or (TENTHS if line.by == "tenth" else 0), least=1)
    if line.by and not last:
        raise ConfigError(f"{rows.place}: say by `places` how many points the line has")
    settings = read_settings(rows.table("with", wanted=False))
    own = float(rows.take("ms", float, ms))
    rows.end()
    printed = [Published(float(value)) for value in ([single] if single is not None else values)]
    entries = []
    for place in range(1, last + 1) if line.by else [None]:
        name = line.name if place is None else f"{line.name} {place}"
        value = printed[(place or 1) - 1] if len(printed) >= (place or 1) else None
        entry = PaperEntry(name, a, b, settings, value, own, _is_fitted(scope, line.name, a, b), line, place)
        entries.append(_checked(entry, rows.place))
    return entries


def _entry(scope: Scope, rows: TomlTable, ms: float) -> PaperEntry:
    a = scope.agent(rows, "a")
    b = a if scope.is_alone else scope.agent(rows, "b")
    settings = read_settings(rows.table("with", wanted=False))
    values = rows.table("published", wanted=False)
    printed = _published(values, scope.unit) if values.rows else None
    name = rows.text("name", a.name if scope.is_alone else f"{a.name} v {b.name}")
    entry = PaperEntry(
        *(name, a, b, settings, printed, float(rows.take("ms", float, ms)), _is_fitted(scope, name, a, b)),
        of=rows.word("of", SIDES, "a"),
        deterministic=rows.take("deterministic", bool),
    )
    rows.end()
    return _checked(entry, rows.place)


def _swept(scope: Scope, vary: TomlTable, published: TomlTable, ms: float) -> tuple[PaperEntry, ...]:
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
        printed = _published(TomlTable(parts, published.place), scope.metric) if parts else None
        name = f"{setting}={word}"
        entry = PaperEntry(name, a, b, {setting: word}, printed, ms, _is_fitted(scope, name, a, b))
        entries.append(_checked(entry, scope.rows.place))
    return tuple(entries)


def _is_fitted(scope: Scope, name: str, a: PaperAgent, b: PaperAgent) -> bool:
    return any(fit in (scope.item, f"{scope.item}/{name}") for fit in (*a.fitted_on, *b.fitted_on))


def _checked(entry: PaperEntry, place: str) -> PaperEntry:
    try:
        entry.specs()
        entry.specs(clock=True)
    except ConfigError as fault:
        raise ConfigError(f"{place}, '{entry.name}': {fault}") from None
    return entry


def read_settings(rows: TomlTable) -> dict[str, str]:
    """Settings as a spec has them, from a table of words and numbers."""
    return {key: _setting(value, rows.place) for key, value in rows.rows.items()}


def _setting(value: Any, place: str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (str, int, float)):
        return str(value)
    raise ConfigError(f"{place}: a setting is a word or a number, not {value!r}")


def _published(rows: TomlTable, metric: str) -> Published:
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
    rows: TomlTable,
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
