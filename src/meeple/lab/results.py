"""What a run of an item found, kept as JSON so that lists and reports need not play again."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from meeple.core.folders import data_folder, is_file
from meeple.errors import StoreError, brief
from meeple.lab.comparison import CONFIDENCE, sets_interval
from meeple.lab.judge import Verdict, judge
from meeple.lab.paper import SIZES, Item, Paper, PaperEntry
from meeple.lab.played import RawResult
from meeple.lab.running import sample_of, signature_of


@dataclass(frozen=True)
class EntryResult:
    """An entry's games in numbers."""

    name: str
    specs: tuple[str, str]
    games: int  # or runs, or trials
    wins: int | None
    draws: int | None
    losses: int | None
    mean: float
    low: float | None
    high: float | None  # of the interval at CONFIDENCE; None where too few sets tell nothing of the spread
    signature: str
    repeats: int = 0
    sets: tuple[float, float, float] | None = None  # kind `sets`: wins a set, with Student's interval at 95%


@dataclass(frozen=True)
class Found:
    """A judgement: about what, the verdict, and why, in a plain sentence."""

    about: str
    verdict: str
    sentence: str


@dataclass(frozen=True)
class ItemResult:
    """All that a run of an item found."""

    paper: str
    item: str
    size: str
    clock: bool
    date: str
    definition: str  # a hash of the item as its file had it
    entries: tuple[EntryResult, ...]
    findings: tuple[Found, ...]
    minutes: float = 0.0  # of a part: after how long it was ended

    @property
    def words(self) -> list[str]:
        """The options of `meeple reproduce` that ask for it."""
        size = ["--minutes", f"{self.minutes:g}"] if self.size == "part" else [f"--{self.size}"]
        return [*size, *(["--clock"] if self.clock else [])]

    @property
    def games(self) -> int:
        """How many games, runs or trials stand behind it."""
        return sum(entry.games for entry in self.entries)

    def entry(self, name: str) -> EntryResult | None:
        """The entry of this name, where it was played."""
        return next((entry for entry in self.entries if entry.name == name), None)

    def counts(self) -> Counter[str]:
        """How often each verdict was given."""
        return Counter(found.verdict for found in self.findings)

    def as_json(self) -> dict[str, Any]:
        """For machines, and for the file."""
        return asdict(self)


def result_of(
    paper: Paper, item: Item, size: str, played: Sequence[RawResult], *, clock: bool = False, minutes: float = 0.0
) -> ItemResult:
    """Judge what was played."""
    findings = judge(item.judge, [sample_of(item, each) for each in played])
    return ItemResult(
        paper.name,
        item.id,
        size,
        clock,
        datetime.now(UTC).strftime("%Y-%m-%d"),
        definition_of(paper, item),
        tuple(_entry_result(item, each) for each in played),
        tuple(Found(each.about, each.verdict.value, each.sentence) for each in findings),
        minutes,
    )


def _entry_result(item: Item, played: RawResult) -> EntryResult:
    found = sample_of(item, played).interval(CONFIDENCE)
    low, high = (end if math.isfinite(end) else None for end in (found.low, found.high))
    counts = played.tally
    students = None
    if item.kind == "sets":
        by_set = 2 if item.both else 1
        # A set of ours is a pair, whose mean stands for two games.
        games = [value for value in played.values for _ in range(by_set)]
        interval = sets_interval(games, item.set_games)
        students = (interval.mean, interval.low, interval.high) if interval else None
    return EntryResult(
        played.entry.name,
        played.specs,
        played.n,
        counts.wins if counts else None,
        counts.draws if counts else None,
        counts.losses if counts else None,
        found.mean,
        low,
        high,
        played.signature,
        played.repeats,
        students,
    )


# What says nothing of how an item is played and judged: its words, times and workers, and what is read from a table.
WORDS = (
    *("id", "title", "page", "source", "unknown", "note", "blocked", "axes"),
    *("seconds", "full_seconds", "workers", "moves", "see", "rule"),
)


def definition_of(paper: Paper, item: Item) -> str:
    """Twelve letters that name what an item plays and how it is judged, whatever its words are."""
    told = {each.name: getattr(item, each.name) for each in fields(item) if each.name not in WORDS}
    told["entries"] = [_facts(entry) for entry in item.entries]
    table = [_facts(entry) for entry in paper.item(item.table).entries] if item.table else []
    text = json.dumps([paper.seed, told, table], default=dict)
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


def _facts(entry: PaperEntry) -> list[object]:
    names = [entry.name, entry.a.name, entry.b.name]
    # What few entries have is told by these alone, so that those of the others keep their names.
    rare: dict[str, object] = {"of": entry.of} if entry.of != "a" else {}
    rare |= {"deterministic": entry.deterministic} if entry.deterministic is not None else {}
    rare |= {"round": entry.line.round} if entry.line and entry.line.round else {}
    found = [names, entry.specs(), entry.specs(clock=True), repr(entry.published), entry.fitted, repr(entry.line)]
    return [*found, rare] if rare else found


# --- files -------------------------------------------------------------------------------------------


def _path(paper: Paper, item: Item, size: str, *, clock: bool = False) -> Path:
    letters = "".join(letter if letter.isalnum() or letter in ".-" else "_" for letter in item.id)
    # Two users' files may share a name, so the definition has a part in it.
    return (
        data_folder("lab")
        / f"{paper.name}-{letters}-{size}{'-clock' if clock else ''}-{definition_of(paper, item)}.json"
    )


def save(paper: Paper, item: Item, result: ItemResult) -> None:
    """Keep a result in the place of an older one of its size; a part never in that of a larger one by the same code."""
    path = _path(paper, item, result.size, clock=result.clock)
    if result.size == "part" and is_file(path):
        older = _read(path)
        if older.games > result.games and is_current(paper, item, older):
            return
    draft = path.with_suffix(".new")
    draft.write_text(json.dumps(result.as_json(), indent=1, ensure_ascii=False), encoding="utf-8")
    draft.replace(path)


def stored(paper: Paper, item: Item) -> ItemResult | None:
    """The result with the most games behind it, where the item has not changed since.

    What the code at hand played comes before what other code did, and what stands in for the clock before the clock.
    """
    found = stored_all(paper, item, clock=False) or stored_all(paper, item, clock=True)
    return found[0] if found else None


def stored_by_clock(paper: Paper, item: Item) -> ItemResult | None:
    """The result of play by the clock, where `stored` is that of its stand-ins."""
    found = stored_all(paper, item, clock=True) if stored_all(paper, item, clock=False) else []
    return found[0] if found else None


def stored_all(paper: Paper, item: Item, *, clock: bool) -> list[ItemResult]:
    """The results of all sizes: those of the code at hand, then the others, each with the most games first."""
    paths = [_path(paper, item, size, clock=clock) for size in reversed(SIZES)]
    found = [_read(path) for path in paths if is_file(path)]
    found.sort(key=lambda result: -result.games)  # a larger size first where two have as many
    return found if len(found) < 2 else sorted(found, key=lambda result: not is_current(paper, item, result))


def _read(path: Path) -> ItemResult:
    try:
        return result_from(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError, LookupError, RecursionError) as fault:
        raise StoreError(f"'{path}' is damaged: {brief(fault)}; remove it, and run the item again") from fault


def result_from(told: dict[str, Any]) -> ItemResult:
    """A result as `as_json` tells it."""
    entries = [
        EntryResult(**entry | {"specs": tuple(entry["specs"]), "sets": entry["sets"] and tuple(entry["sets"])})
        for entry in told["entries"]
    ]
    findings = [Found(**each) for each in told["findings"]]
    return ItemResult(**told | {"entries": tuple(entries), "findings": tuple(findings)})


def is_current(paper: Paper, item: Item, result: ItemResult) -> bool:
    """Whether the code at hand is that which played all entries of a result, and the table that it is made of."""
    if item.does == "elo" and item.shares == "ours":
        table = paper.item(item.table)
        played = stored(paper, table)
        if played is None or not is_current(paper, table, played):
            return False
    entries = {entry.name: entry for entry in item.entries}
    known: dict[tuple[str, str], str] = {}
    for each in result.entries:
        specs = each.specs
        if specs not in known:
            entry = entries[each.name]
            known[specs] = signature_of(paper, item, entry, result.size, specs, clock=result.clock)
        if known[specs] != each.signature:
            return False
    return True


# --- in words ----------------------------------------------------------------------------------------


def counted_words(counts: Counter[str]) -> str:
    """Verdicts with their numbers in a line, in the order of `Verdict`."""
    return ", ".join(f"{counts[each.value]} {each.value}" for each in Verdict if counts[each.value])


def verdict_words(item: Item, result: ItemResult | None, waiting: str = "") -> str:
    """An item's verdicts for a list; `waiting` is what it waits for, where it does."""
    if item.rule:
        return "a rule"
    if item.blocked or (waiting and result is None):
        return Verdict.BLOCKED.value
    if item.see:
        return f"see {', '.join(item.see)}"
    if result is None:
        return "-"
    return counted_words(result.counts()) or "played"
