"""A paper's report: what was published and what was found here, side by side, as Markdown and as one HTML page.

The report is a list of blocks; pages.py writes them. Nothing is played: what was not run is listed as such.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from meeple.core.svg import Markup
from meeple.lab.judge import Verdict
from meeple.lab.paper import SOURCES, Item, Paper, PaperEntry
from meeple.lab.plot import Point, plot, plot_lines
from meeple.lab.results import EntryResult, ItemResult, is_current, stored, stored_by_clock, verdict_words
from meeple.lab.running import waits_for

CURVES = ("sweep",)
CROSS = ("round-robin", "adaptive")
COUNTED = {"losses": "runs", "elo": "runs", "calibrate": "trials"}  # what stands behind a number, if not games


@dataclass(frozen=True)
class Heading:
    """A heading; level 1 is the page's own."""

    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of plain words."""

    text: str


@dataclass(frozen=True)
class Bullets:
    """A list of plain sentences."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Grid:
    """A table."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Picture:
    """A plot, with the name of its file where it gets one of its own."""

    name: str
    title: str
    svg: Markup


Block = Heading | Paragraph | Bullets | Grid | Picture


def report_of(paper: Paper) -> list[Block]:
    """All blocks of a paper's report, from the results that are stored."""
    results = {item.id: None if item.blocked else stored(paper, item) for item in paper.items}
    waiting = {item.id: waits_for(paper, item, "quick") for item in paper.items if results[item.id] is None}
    blocks: list[Block] = [Heading(1, paper.title), Paragraph(f"{paper.citation}.")]
    blocks.append(Paragraph(_summary(paper, results, waiting)))
    facts = [f"Game: {paper.items[0].game if paper.items else '-'}."]
    facts += [f"The authors' machine: {paper.machine}."] if paper.machine else []
    blocks.append(Paragraph(" ".join([*facts, paper.note]).strip()))
    rows = [
        (item.id, item.title, item.page or "-", item.kind, _status(item, results[item.id], waiting.get(item.id, "")))
        for item in paper.items
    ]
    blocks.append(Grid(("item", "title", "page", "kind", "verdicts"), tuple(rows)))
    for item in paper.items:
        blocks += _item_blocks(paper, item, results[item.id], waiting.get(item.id, ""))
    return blocks


def _summary(paper: Paper, results: dict[str, ItemResult | None], waiting: dict[str, str]) -> str:
    counts: Counter[str] = Counter()
    for result in results.values():
        counts += result.counts() if result else Counter()
    told = ", ".join(f"{counts[each.value]} {each.value}" for each in Verdict if counts[each.value]) or "none yet"
    blocked = sum(bool(why) for why in waiting.values())
    elsewhere = sum(bool(item.see) for item in paper.items)
    rules = sum(bool(item.rule) for item in paper.items)
    unrun = sum(not why for why in waiting.values()) - elsewhere - rules
    more = f", {elsewhere} told by others" if elsewhere else ""
    more += f", {rules} of rules" if rules else ""
    return f"Verdicts: {told}. Of {len(paper.items)} items: {blocked} blocked, {unrun} not run{more}."


def _status(item: Item, result: ItemResult | None, waiting: str) -> str:
    return "not run" if result is None and not waiting and item.entries else verdict_words(item, result, waiting)


def _item_blocks(paper: Paper, item: Item, result: ItemResult | None, waiting: str) -> Iterator[Block]:
    yield Heading(2, f"{item.id}: {item.title}")
    if waiting:
        yield Paragraph(f"Blocked: it waits for {waiting}.")
    if item.rule:
        yield Paragraph(f"Nothing is played for it: {item.rule}.")
    if item.see:
        yield Paragraph(f"It has no numbers of its own: {', '.join(item.see)} hold them.")
    if item.note:
        yield Paragraph(item.note)
    if result is not None:
        yield from _found_blocks(paper, item, result)
        by_clock = stored_by_clock(paper, item)
        if by_clock is not None:
            yield Paragraph("The same by the clock, as in the paper, without what stands in for it:")
            yield from (block for block in _found_blocks(paper, item, by_clock) if not isinstance(block, Picture))
    elif item.entries and not waiting:
        yield Grid(("entry", "published"), tuple((entry.name, _published(item, entry)) for entry in item.entries))
        yield Paragraph(f"Not run yet: `meeple reproduce {paper.name} {item.id} --quick`.")
    yield from _readings(item)


def _found_blocks(paper: Paper, item: Item, result: ItemResult) -> Iterator[Block]:
    played = [(entry, ours) for entry in item.entries if (ours := result.entry(entry.name)) is not None]
    verdicts = {found.about: found.verdict for found in result.findings}
    rows = [
        (entry.name, _published(item, entry), str(ours.games), *_ours(item, ours), verdicts.get(entry.name, "-"))
        for entry, ours in played
    ]
    if any(entry.place for entry, _ours in played):
        yield _by_place(item, played)
    else:
        yield Grid(("entry", "published", COUNTED.get(item.does, "games"), "ours", "99%", "verdict"), tuple(rows))
    if item.kind in CROSS and len(played) > 1:
        yield _cross(item, played)
    if item.kind == "sets":
        yield from _student(played, item)
    title = f"{paper.name} {item.id}: {item.title}"
    points = [_point(entry, ours) for entry, ours in played]
    if any(entry.place for entry, _ours in played):
        lines: dict[str, list[Point]] = {}
        for entry, point in zip((entry for entry, _ours in played), points, strict=True):
            assert entry.line is not None
            lines.setdefault(entry.line.name, []).append(point)
        drawn = plot_lines(lines, title=title, axes=item.axes)
    else:
        drawn = plot(points, title=title, axes=item.axes, is_share=item.is_share, is_curve=item.kind in CURVES)
    letters = "".join(letter if letter.isalnum() or letter in ".-" else "_" for letter in item.id)
    yield Picture(f"{paper.name}-{letters}.svg", title, drawn)
    if result.findings:
        yield Bullets(
            tuple(f"{found.about}: {found.verdict}. {_sentence(found.sentence)}" for found in result.findings)
        )
    yield Paragraph(_provenance(paper, item, result))


def _provenance(paper: Paper, item: Item, result: ItemResult) -> str:
    signatures = ", ".join(f"`{each}`" for each in sorted({entry.signature for entry in result.entries}))
    stale = "" if is_current(paper, item, result) else " The code has changed since: run it again."
    again = f"`meeple reproduce {paper.name} {item.id} {' '.join(result.words)}`"
    limits = " What fits a limit of time hangs on the machine, and on what else it does." if result.clock else ""
    return f"{again}, {result.date}, item `{result.definition}`, by code of signature {signatures}.{limits}{stale}"


def _readings(item: Item) -> Iterator[Block]:
    lines = {each.name: each.reading for entry in item.entries for each in (entry.a, entry.b) if each.reading}
    found = [f"{name}: {reading}" for name, reading in lines.items()]
    found += [f"Not told: {', '.join(item.unknown)}."] if item.unknown else []
    if item.source != "text" and item.entries:
        found.append(f"Published values: {SOURCES[item.source]}.")
    if found:
        yield Paragraph("What the text leaves open, and how it was read:")
        yield Bullets(tuple(found))


def _published(item: Item, entry: PaperEntry) -> str:
    printed = entry.published
    if printed is None:
        return "-"
    return _value(item, printed.value) + (f" of {printed.of}" if printed.of else "")


def _ours(item: Item, ours: EntryResult) -> tuple[str, str]:
    if ours.low is None or ours.high is None:
        return _value(item, ours.mean), "-"
    return _value(item, ours.mean), f"{_value(item, ours.low)} .. {_value(item, ours.high)}"


def _value(item: Item, value: float) -> str:
    return f"{100 * value:.1f}%" if item.is_share else f"{value:.2f}" if abs(value) < 1000 else f"{value:,.0f}"


def _by_place(item: Item, played: Sequence[tuple[PaperEntry, EntryResult]]) -> Grid:
    """A row a place; of each line what was published and ours with its interval."""
    lines = list(dict.fromkeys(entry.line.name for entry, _ours in played if entry.line is not None))
    cells: dict[tuple[int, str], tuple[str, str]] = {}
    for entry, ours in played:
        assert entry.line is not None
        mean, span = _ours(item, ours)
        cells[entry.place or 0, entry.line.name] = _published(item, entry), f"{mean} ({span})"
    by = next(entry.line.by for entry, _ours in played if entry.line is not None and entry.place)
    heads = [by, *(head for name in lines for head in (f"{name}, published", f"{name}, ours (99%)"))]
    places = sorted({place for place, _name in cells})
    rows = [
        (str(place) if place else "all", *(cell for name in lines for cell in cells.get((place, name), ("-", "-"))))
        for place in places
    ]
    return Grid(tuple(heads), tuple(rows))


def _student(played: Sequence[tuple[PaperEntry, EntryResult]], item: Item) -> Iterator[Block]:
    for entry, ours in played:
        if ours.sets is not None:
            mean, low, high = ours.sets
            span = f"{mean:.2f} ({low:.2f} .. {high:.2f})"
            yield Paragraph(f"{entry.name}, wins a set of {item.set_games} games, Student's 95% interval: {span}.")


def _cross(item: Item, played: Sequence[tuple[PaperEntry, EntryResult]]) -> Grid:
    """Row against column, each cell with its games and interval."""
    names = list(dict.fromkeys(agent.name for entry, _ours in played for agent in (entry.a, entry.b)))
    cells: dict[tuple[str, str], str] = {}
    for entry, ours in played:
        share, span = _ours(item, ours)
        cells[entry.a.name, entry.b.name] = f"{share} ({span}), {ours.games} games"
    rows = [(name, *(cells.get((name, other), "") for other in names)) for name in names]
    used = [place for place, _name in enumerate(names) if any(row[place + 1] for row in rows)]
    kept = [(row[0], *(row[place + 1] for place in used)) for row in rows if any(row[1:])]
    return Grid(("row against column", *(names[place] for place in used)), tuple(kept))


def _point(entry: PaperEntry, ours: EntryResult) -> Point:
    printed = entry.published.value if entry.published else None
    return Point(entry.name, ours.mean, ours.low, ours.high, printed)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
