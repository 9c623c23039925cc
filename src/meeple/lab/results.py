"""What a run of an item found, kept as JSON so that lists and reports need not play again."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from meeple.core.folders import data_folder, is_file
from meeple.errors import StoreError, brief
from meeple.lab.comparison import CONFIDENCE, sets_interval
from meeple.lab.judge import Verdict, judge
from meeple.lab.paper import SIZES, Entry, Item, Paper
from meeple.lab.played import Played
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

    def entry(self, name: str) -> EntryResult | None:
        """The entry of this name, where it was played."""
        return next((entry for entry in self.entries if entry.name == name), None)

    def counts(self) -> Counter[str]:
        """How often each verdict was given."""
        return Counter(found.verdict for found in self.findings)

    def as_json(self) -> dict[str, Any]:
        """For machines, and for the file."""
        return asdict(self)


def result_of(paper: Paper, item: Item, size: str, played: Sequence[Played], *, clock: bool = False) -> ItemResult:
    """Judge what was played."""
    findings = judge(item.judge, [sample_of(item, each) for each in played])
    return ItemResult(
        paper.name,
        item.id,
        size,
        clock,
        datetime.now(UTC).strftime("%Y-%m-%d"),
        definition_of(item),
        tuple(_entry_result(item, each) for each in played),
        tuple(Found(each.about, each.verdict.value, each.sentence) for each in findings),
    )


def _entry_result(item: Item, played: Played) -> EntryResult:
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


def definition_of(item: Item) -> str:
    """Twelve letters that name what an item plays and how it is judged, whatever its words are."""

    def facts(entry: Entry) -> object:
        lines = [repr(entry.line), entry.place] if entry.line else []
        return [entry.name, entry.specs(), entry.specs(clock=True), repr(entry.published), entry.fitted, *lines]

    told = [item.game, item.metric, item.kind, item.both, item.deterministic, item.judge, item.first, item.step]
    told += [item.seeds, item.quick_seeds, dict(item.quick_recipe), item.vary, item.time, item.quick_time]
    told += [item.table, item.shares, item.k, item.draws]
    text = json.dumps([*told, item.full, item.quick, item.quick_entries, [facts(entry) for entry in item.entries]])
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


# --- files -------------------------------------------------------------------------------------------


def _path(paper: Paper, item: Item, size: str, *, clock: bool = False) -> Path:
    letters = "".join(letter if letter.isalnum() or letter in ".-" else "_" for letter in item.id)
    # Two users' files may share a name, so the definition has a part in it.
    return data_folder("lab") / f"{paper.name}-{letters}-{size}{'-clock' if clock else ''}-{definition_of(item)}.json"


def save(paper: Paper, item: Item, result: ItemResult) -> None:
    """Keep a result; an older one of the same size is replaced."""
    path = _path(paper, item, result.size, clock=result.clock)
    draft = path.with_suffix(".new")
    draft.write_text(json.dumps(result.as_json(), indent=1, ensure_ascii=False), encoding="utf-8")
    draft.replace(path)


def stored(paper: Paper, item: Item) -> ItemResult | None:
    """The result of the largest size that was run, where the item has not changed since; by the clock comes last."""
    for clock in (False, True):
        for size in reversed(SIZES):
            path = _path(paper, item, size, clock=clock)
            if is_file(path):
                return _read(path)
    return None


def _read(path: Path) -> ItemResult:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        entries = [
            EntryResult(**entry | {"specs": tuple(entry["specs"]), "sets": entry["sets"] and tuple(entry["sets"])})
            for entry in found["entries"]
        ]
        findings = [Found(**each) for each in found["findings"]]
        return ItemResult(**found | {"entries": tuple(entries), "findings": tuple(findings)})
    except (ValueError, TypeError, LookupError, RecursionError) as fault:
        raise StoreError(f"'{path}' is damaged: {brief(fault)}; remove it, and run the item again") from fault


def is_current(paper: Paper, item: Item, result: ItemResult) -> bool:
    """Whether the code at hand is that which played all entries of a result."""
    entries = {entry.name: entry for entry in item.entries}
    known: dict[tuple[str, str], str] = {}
    for each in result.entries:
        entry = entries[each.name]
        specs = entry.specs(clock=result.clock)
        if specs not in known:
            known[specs] = signature_of(paper, item, entry, result.size, clock=result.clock)
        if known[specs] != each.signature:
            return False
    return True


# --- in words ----------------------------------------------------------------------------------------


def counted_words(counts: Counter[str]) -> str:
    """Verdicts with their numbers in a line, in the order of `Verdict`."""
    return ", ".join(f"{counts[each.value]} {each.value}" for each in Verdict if counts[each.value])


def verdict_words(item: Item, result: ItemResult | None, waiting: str = "") -> str:
    """An item's verdicts for a list; `waiting` is what it waits for, where it does."""
    if item.blocked or (waiting and result is None):
        return Verdict.BLOCKED.value
    if item.see:
        return f"see {', '.join(item.see)}"
    if result is None:
        return "-"
    return counted_words(result.counts()) or "played"
