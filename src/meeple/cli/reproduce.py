"""`meeple reproduce`."""

from __future__ import annotations

import shlex
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from meeple.cli import flags
from meeple.cli.output import print_json, print_table, progress

if TYPE_CHECKING:
    from meeple.arena.workers import MakesCrew
    from meeple.lab.paper import Item, Paper
    from meeple.lab.people import Met
    from meeple.lab.results import ItemResult


def reproduce(
    paper: str = typer.Argument("", help="A paper, such as azul; all by default."),
    item: str = typer.Argument("", help="A table, figure or statement of it, such as 4.2; all by default."),
    quick: bool = typer.Option(False, "--quick", help="Play at a small size: a minute or less an item."),
    full: bool = typer.Option(False, "--full", help="Play at the whole size."),
    minutes: float = typer.Option(
        0.0, "--minutes", min=0.0, help="Play for so long in all, towards the whole size, and judge what there is."
    ),
    clock: bool = typer.Option(False, "--clock", help="Play by the clock where the paper did, without stand-ins."),
    file: Path = typer.Option(None, "--file", help="A paper's file of one's own."),
    report: Path = typer.Option(None, "--report", help="Write a page a paper into this folder, as HTML and Markdown."),
    workers: int = typer.Option(0, "--workers", min=0, help="Processes that play; 0: one a core."),
    backend: flags.Backend = "local",
    address: flags.Address = "",
    as_json: bool = typer.Option(False, "--json", help="For machines."),
) -> None:
    """Run the tables and figures of papers again, and set them beside what was printed; without a size, list them."""
    from meeple.errors import ConfigError
    from meeple.lab.reading import load_papers

    if quick + full + bool(minutes) > 1:
        raise ConfigError("--quick, --full and --minutes are sizes: give one")
    crews = flags.crews(backend, address)
    papers = load_papers(paper, file)
    chosen = [(each, one) for each in papers for one in ([each.item(item)] if item else each.items)]
    is_run = quick or full or bool(minutes)
    if is_run:
        size = "quick" if quick else "full" if full else "part"
        with crews as crew_for:
            _run(chosen, size, minutes=minutes, workers=workers, crew_for=crew_for, clock=clock, as_json=as_json)
    if report is not None:
        _write(papers, report)
    if is_run or report is not None:
        return
    if item and not as_json:
        _show(*chosen[0])
    else:
        _list(chosen, clock=clock, as_json=as_json)


def _write(papers: list[Paper], folder: Path) -> None:
    from meeple.lab.pages import write_report

    for paper in papers:
        for path in write_report(paper, folder):
            print(f"wrote {path}", file=sys.stderr)


# --- listing -----------------------------------------------------------------------------------------


def _list(chosen: list[tuple[Paper, Item]], *, clock: bool, as_json: bool) -> None:
    from meeple.lab.results import stored, verdict_words
    from meeple.lab.running import waits_for

    rows = [(paper, item, None if item.blocked else stored(paper, item)) for paper, item in chosen]
    waiting = {(paper.name, item.id): waits_for(paper, item, "quick") for paper, item in chosen}
    if as_json:
        print_json([_item_json(*row, clock=clock) for row in rows])
        return
    cells = [
        [
            *(paper.name, item.id, item.kind, item.page, *_estimates(item, clock=clock)),
            *(verdict_words(item, result, waiting[paper.name, item.id]), item.title),
        ]
        for paper, item, result in rows
    ]
    print_table(["paper", "item", "kind", "page", "quick", "full", "verdicts", "title"], cells, right=["quick", "full"])
    n_waiting = sum(bool(why) for why in waiting.values())
    more = "`meeple reproduce PAPER ITEM` tells of one, --quick plays"
    print(f"{len(cells)} items, {n_waiting} blocked; times on one core. {more}")


def _estimates(item: Item, *, clock: bool) -> list[str]:
    if item.blocked or not item.entries:
        return ["-", "-"]
    return [_duration(item.core_seconds(size, clock=clock)) for size in ("quick", "full")]


def _rounded(minutes: float) -> float:
    """Minutes as they are told: with one decimal, and never none."""
    return max(0.1, round(minutes, 1))


def _duration(seconds: float | None) -> str:
    if seconds is None:
        return "?"
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _item_json(paper: Paper, item: Item, result: ItemResult | None, *, clock: bool) -> dict[str, Any]:
    from meeple.lab.running import waits_for

    return {
        "paper": paper.name,
        "item": item.id,
        "title": item.title,
        "kind": item.kind,
        "page": item.page,
        "blocked": waits_for(paper, item, "quick"),
        "core_seconds": {size: item.core_seconds(size, clock=clock) for size in ("quick", "full")},
        "result": result and result.as_json(),
    }


def _show(paper: Paper, item: Item) -> None:
    """One item: what was published, who played it, what was read into the text, and what was found."""
    from meeple.lab.results import is_current, stored, stored_by_clock
    from meeple.lab.running import waits_for

    print(f"{paper.citation}\n{item.id}  {item.title} (page {item.page or '-'}; {item.kind})")
    for entry in item.entries:
        printed = entry.published
        value = "-" if printed is None else f"{printed.value:.3f}" + (f" of {printed.of}" if printed.of else "")
        specs = [entry.specs()[0]] if entry.a is entry.b else entry.specs()
        print(f"  {entry.name}: {value}   {' v '.join(specs)}")
    for agent in {id(each): each for entry in item.entries for each in (entry.a, entry.b) if each.reading}.values():
        print(f"reading  {agent.name}: {agent.reading}")
    if item.unknown:
        print(f"not told  {', '.join(item.unknown)}")
    if item.note:
        print(f"note  {item.note}")
    if item.judge:
        print(f"judged by  {'; '.join(item.judge)}")
    waiting = waits_for(paper, item, "quick")
    result = None if item.blocked else stored(paper, item)
    if item.rule:
        print(f"a rule  {item.rule}")
    elif item.see:
        print(f"see {', '.join(item.see)}, which hold its numbers")
    elif waiting and result is None:
        print(f"blocked  waits for {waiting}")
    elif result is None:
        print("not run yet: --quick or --full plays it")
    else:
        by_clock = stored_by_clock(paper, item)
        for each in [result, *([by_clock] if by_clock else [])]:
            _print_result(paper, item, each)
            if not is_current(paper, item, each):
                print("The code has changed since: run it again.")


# --- running -----------------------------------------------------------------------------------------


def _run(
    chosen: list[tuple[Paper, Item]],
    size: str,
    *,
    minutes: float,
    workers: int,
    crew_for: MakesCrew | None,
    clock: bool,
    as_json: bool,
) -> None:
    from meeple.arena.workers import default_workers
    from meeple.errors import ConfigError
    from meeple.lab.results import counted_words
    from meeple.lab.running import Watch, can_be_cut, waits_for

    workers = workers or default_workers()
    results: list[ItemResult] = []
    blocked = 0
    if size == "part":
        cut = [(paper, item) for paper, item in chosen if can_be_cut(item) or not item.entries or item.blocked]
        if not any(item.entries for _paper, item in cut):
            raise ConfigError("--minutes ends items that are made of games alone; give the others --quick or --full")
        for paper, item in chosen:
            if (paper, item) not in cut:
                print(f"{paper.name} {item.id}: left out, since no time can end it", file=sys.stderr)
        chosen = cut
    else:
        played = [item for _paper, item in chosen if item.entries and not item.blocked]
        if played:
            _tell_time(played, size, workers, clock=clock)
    watch = Watch(60 * minutes, time.monotonic)
    for number, (paper, item) in enumerate(chosen):
        if item.see or item.rule:
            if not as_json:
                told = f"see {', '.join(item.see)}" if item.see else f"a rule  {item.rule}"
                print(f"\n{paper.name} {item.id}  {item.title}\n{told}")
            continue
        people = _people(item)
        waiting = "" if people else waits_for(paper, item, size)
        if waiting:
            blocked += 1
            if not as_json:
                print(f"\n{paper.name} {item.id}  {item.title}\nblocked  waits for {waiting}")
            continue
        own = watch.seconds(len(chosen) - number) if minutes else 0.0
        options: dict[str, Any] = {"workers": workers, "crew_for": crew_for, "clock": clock, "people": people}
        result, was_stopped = _run_item(paper, item, size, seconds=own, **options)
        results.append(result)
        if not as_json:
            print(f"\n{paper.name} {item.id}  {item.title}")
            _print_result(paper, item, result)
        if was_stopped:
            print("stopped; the same command goes on where it was", file=sys.stderr)
            raise typer.Exit(130)
    if as_json:
        print_json([result.as_json() for result in results])
        return
    counts = Counter(found.verdict for result in results for found in result.findings)
    print(f"\n{counted_words(counts) or 'nothing judged'}; {blocked} of {len(chosen)} items blocked")


def _tell_time(items: list[Item], size: str, workers: int, *, clock: bool) -> None:
    seconds = [item.core_seconds(size, clock=clock) for item in items]
    known = sum(each for each in seconds if each is not None)
    unknown = sum(each is None for each in seconds)
    more = f", and {unknown} of unknown time" if unknown else ""
    about = f"at most about {_duration(known / workers)} on {workers} workers once compiled"
    many = "1 item at its" if len(items) == 1 else f"{len(items)} items at their"
    print(f"{many} {size} size: {about}{more}", file=sys.stderr)


def _people(item: Item) -> Met:
    """What people did on this machine's page, where an item asks for it."""
    from meeple.core.registry import load_game
    from meeple.web.people import people_met

    return people_met(load_game(item.game).name) if item.does == "people" else {}


def _run_item(
    paper: Paper,
    item: Item,
    size: str,
    *,
    seconds: float,
    workers: int,
    crew_for: MakesCrew | None,
    clock: bool,
    people: Met,
) -> tuple[ItemResult, bool]:
    from meeple.lab.played import RawResult
    from meeple.lab.results import result_of, save
    from meeple.lab.running import can_be_cut, play_item

    total = item.games(size) * len(item.chosen(size))
    began = time.monotonic()
    played: list[RawResult] = []
    with progress(total, f"{paper.name} {item.id}") as bar:

        def heard(name: str, done: int, _wanted: int) -> None:
            bar.update(sum(each.n for each in played) + done, name)

        options: dict[str, Any] = {"workers": workers, "crew_for": crew_for, "clock": clock}
        options |= {"people": people, "seconds": seconds}
        for each in play_item(paper, item, size, on_games=heard, **options):
            played.append(each)
    was_stopped = any(each.was_stopped for each in played)
    if was_stopped and can_be_cut(item):  # what there is, is kept as the part that it is
        size = "part"
    lasted = seconds or time.monotonic() - began
    result = result_of(paper, item, size, played, clock=clock, minutes=_rounded(lasted / 60) if size == "part" else 0.0)
    if result.size == "part" or not was_stopped:
        save(paper, item, result)
    if not sys.stderr.isatty():
        what = f"{sum(each.n for each in played)} games" if item.does == "matches" else f"{len(played)} entries"
        print(f"{paper.name} {item.id}: {what}, {_duration(time.monotonic() - began)}", file=sys.stderr)
    return result, was_stopped


def _print_result(paper: Paper, item: Item, result: ItemResult) -> None:
    is_match = item.does == "matches"
    cells: list[list[object]] = []
    for entry in item.entries:
        ours = result.entry(entry.name)
        if ours is not None:
            span = "-" if ours.low is None or ours.high is None else f"{ours.low:.3f} .. {ours.high:.3f}"
            shown = [ours.games, f"{ours.mean:.3f}", span, *([ours.wins, ours.draws, ours.losses] if is_match else [])]
            cells.append([entry.name, f"{entry.published.value:.3f}" if entry.published else "-", *shown])
    heads = ["entry", "published", "games" if is_match else "of", "ours", "99%"]
    heads += ["wins", "draws", "losses"] if is_match else []
    print_table(heads, cells, right=heads[1:4] + heads[5:])
    for found in result.findings:
        print(f"{found.verdict}  {found.about}: {found.sentence}")
    words = ["meeple", "reproduce", paper.name, item.id, *result.words]
    again = shlex.join(words if paper.is_built_in else [*words, "--file", str(paper.path)])
    signatures = ", ".join(sorted({entry.signature for entry in result.entries}))
    size = f"{result.minutes:g} minutes" if result.size == "part" else f"{result.size} size"
    print(f"{size}, {result.date}, code {signatures}\nagain  {again}")
