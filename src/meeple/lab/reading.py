"""A paper's TOML file, read strictly: whatever is unknown, missing or of the wrong kind is named with its place."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from meeple.core.heuristics import heuristics_of
from meeple.core.registry import load_game
from meeple.errors import ConfigError, did_you_mean
from meeple.lab.entries import Scope, read_entries, read_settings
from meeple.lab.judge import parse_judgement
from meeple.lab.paper import FOLDER, KINDS, METRICS, SOURCES, Item, Paper, PaperAgent
from meeple.lab.tables import TomlTable
from meeple.tune.playing import OBJECTIVES

LARGEST = 1 << 20  # bytes of a file


def paper_names() -> list[str]:
    """The papers that come with Meeple."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load_papers(name: str = "", file: Path | None = None) -> list[Paper]:
    """All papers, or the one of this name, or that of a user's own file."""
    if file is not None:
        paper = read_paper(file)
        if name and name != paper.name:
            raise ConfigError(f"'{file}' holds the paper '{paper.name}', not '{name}'")
        return [paper]
    if name and name not in paper_names():
        raise ConfigError(f"there is no paper '{name}'; {did_you_mean(name, paper_names())}")
    return [read_paper(FOLDER / f"{each}.toml") for each in ([name] if name else paper_names())]


def read_paper(path: Path) -> Paper:
    """Read a paper's file.

    Raises:
        ConfigError: it cannot be read, or says something that a paper's file cannot; the message names the place.
    """
    top = TomlTable(_parsed(path), path.name)
    about = top.table("paper")
    game = about.text("game")
    facts = {name: about.text(name, "") for name in ("where", "machine", "note")}
    title, author, year, seed = about.text("title"), about.text("author"), about.whole("year"), about.whole("seed", 779)
    moves = about.whole("moves", 0, least=1)
    about.end()
    agents = {name: _agent(name, rows) for name, rows in top.tables("agents")}
    items = [replace(_item(table, agents, game), moves=moves) for table in top.list_of_tables("item")]
    top.end()
    _require_distinct([item.id for item in items], f"{path.name}: items")
    _require_known_fits(agents, items, path.name)
    for item in items:
        for name in item.see:
            if name not in {each.id for each in items}:
                raise ConfigError(f"{path.name}, item '{item.id}': see '{name}', which is no item")
    return Paper(path.stem, path, title, author, year, agents=agents, items=tuple(items), seed=seed, **facts)


def _parsed(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > LARGEST:
            raise ConfigError(f"'{path}' is too large to be a paper's file")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise ConfigError(f"'{path}' cannot be read: {fault.strerror}") from None
    except RecursionError:
        raise ConfigError(f"'{path}' is no paper's file: it is nested too deep") from None
    except ValueError as fault:
        raise ConfigError(f"'{path}' is no TOML: {fault}") from None


def _agent(name: str, rows: TomlTable) -> PaperAgent:
    method = rows.text("train", "")
    found = PaperAgent(
        name,
        rows.text("spec", "" if method else None),
        rows.text("reading", ""),
        rows.texts("fitted_on"),
        rows.text("clock", ""),
        method,
        read_settings(rows.table("recipe", wanted=False)),
    )
    rows.end()
    if method and (found.spec or found.clock):
        raise ConfigError(f"{rows.place}: an agent has a `spec`, or it is trained (`train`), not both")
    if found.recipe and not method:
        raise ConfigError(f"{rows.place}: `recipe` holds settings of `train`, which is missing")
    return found


def _item(rows: TomlTable, agents: Mapping[str, PaperAgent], game: str) -> Item:
    kind = rows.word("kind", KINDS)
    blocked, see, rule = rows.text("blocked", ""), rows.texts("see"), rows.text("rule", "")
    metric = _metric(rows, game)
    item_id = rows.text("id")
    entries = read_entries(Scope(rows, agents, item_id, metric, kind))
    axes = rows.table("axes", wanted=False)
    x, y = axes.text("x", ""), axes.text("y", "")
    axes.end()
    item = Item(
        id=item_id,
        title=rows.text("title"),
        kind=kind,
        page=rows.text("page", ""),
        game=rows.text("game", game),
        metric=metric,
        entries=entries,
        judge=rows.texts("judge"),
        source=rows.word("source", SOURCES, "text"),
        unknown=rows.texts("unknown"),
        note=rows.text("note", ""),
        blocked=blocked,
        see=see,
        rule=rule,
        people=rows.truth("people", False),
        full=rows.whole("full", None if entries and not blocked else 0, least=1),
        quick=rows.whole("quick", None if entries and not blocked else 0, least=1),
        quick_entries=rows.texts("quick_entries"),
        both=rows.truth("both", True),
        deterministic=rows.truth("deterministic", False),
        set_games=rows.whole("set_games", None if kind == "sets" else 0, least=1),
        first=rows.whole("first", None if kind == "adaptive" else 0, least=1),
        step=rows.whole("step", None if kind == "adaptive" else 0, least=1),
        axes=(x, y),
        seeds=rows.whole("seeds", 1, least=1),
        quick_seeds=rows.whole("quick_seeds", 1, least=1),
        quick_recipe=read_settings(rows.table("quick_recipe", wanted=False)),
        workers=rows.whole("workers", 0, least=1),
        seconds=rows.whole("seconds", 0, least=1),
        full_seconds=rows.whole("full_seconds", 0, least=1),
        **_of_kind(rows, kind),
    )
    rows.end()
    _require_whole(item, rows.place)
    return item


def _metric(rows: TomlTable, game: str) -> str:
    """What an entry's games are measured by: a metric of any game, or one that the item's game declares."""
    name = rows.text("metric", "score")
    if name not in METRICS:
        own = heuristics_of(load_game(rows.text("game", game)), "METRICS")
        if name not in own:
            raise ConfigError(f"{rows.place}: there is no metric '{name}'; {did_you_mean(name, [*METRICS, *own])}")
    return name


def _of_kind(rows: TomlTable, kind: str) -> dict[str, Any]:
    """What only calibrations, searches and ratings have."""
    if kind == "calibrate":
        return {"vary": rows.text("vary"), "time": rows.text("time"), "quick_time": rows.text("quick_time")}
    if kind == "tune":
        games = rows.whole("trial_games", 0, least=1)
        return {
            "space": read_settings(rows.table("space", wanted=False)),
            "objective": rows.word("objective", dict.fromkeys(OBJECTIVES, ""), "share"),
            "trial_games": games,
            "quick_trial_games": rows.whole("quick_trial_games", games, least=1),
        }
    if kind == "elo":
        return {
            "table": rows.text("table"),
            "shares": rows.word("shares", {"published": "", "ours": ""}, "published"),
            "k": float(rows.take("k", float, 32.0)),
            "draws": rows.whole("draws", least=1),
        }
    return {}


def _require_whole(item: Item, place: str) -> None:
    names = [entry.name for entry in item.entries]
    lines = tuple(dict.fromkeys(entry.line.name for entry in item.entries if entry.line is not None))
    _require_distinct(names, f"{place}: entries")
    if not item.entries and not (item.blocked or item.see or item.rule):
        raise ConfigError(
            f"{place}: there is nothing to play; give [[item.entry]], or `blocked` with what it waits for, "
            "or `see` with the items that have its numbers, or `rule` with what holds it"
        )
    if item.rule and (item.entries or item.blocked or item.see):
        raise ConfigError(f"{place}: what `rule` holds has no entries, waits for nothing and is told by no other item")
    if item.does == "tune" and item.entries and not (item.space and item.trial_games and len(item.entries) == 1):
        raise ConfigError(f"{place}: a search has one entry, a `space` of ranges and `trial_games`")
    for name in item.quick_entries:
        if name not in names:
            raise ConfigError(f"{place}: quick_entries names no entry '{name}'; {did_you_mean(name, names)}")
    for text in item.judge:
        try:
            judgement = parse_judgement(text, names, lines)
            if judgement.needs_published:
                _require_published(item, judgement.names or tuple(names), text)
        except ConfigError as fault:
            if not item.blocked:
                raise ConfigError(f"{place}: {fault}") from None


def _require_published(item: Item, names: Sequence[str], text: str) -> None:
    if text == "difference" and not item.is_share:
        what = item.metric if item.does == "matches" else f"values of a {item.kind}"
        raise ConfigError(f"'difference' compares shares, and {what} are none; judge a relation")
    is_told = any(entry.published is not None for entry in item.entries)
    if text in ("band", "range", "machine") and is_told:  # they judge what was published, and leave the rest
        return
    for entry in item.entries:
        if entry.name in names and entry.published is None:
            raise ConfigError(f"'{text}' needs the published value of '{entry.name}'")
        if text == "difference" and entry.name in names and entry.published and entry.published.of is None:
            raise ConfigError(f"'difference' needs `of`, the games behind '{entry.name}'; without it judge a relation")


def _require_distinct(names: Sequence[str], where: str) -> None:
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise ConfigError(f"{where}: '{twice}' stands twice; each has a name of its own")


def _require_known_fits(agents: Mapping[str, PaperAgent], items: Sequence[Item], place: str) -> None:
    known = {item.id for item in items} | {f"{item.id}/{entry.name}" for item in items for entry in item.entries}
    for agent in agents.values():
        for name in agent.fitted_on:
            if name not in known:
                raise ConfigError(f"{place}, agents, {agent.name}: fitted_on '{name}'; {did_you_mean(name, known)}")
