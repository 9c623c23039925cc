"""Set the results of docs/runs/GAME.toml on the games' pages: `make runs` plays them and calls this.

What was played is kept beside each file, as docs/runs/GAME.json: every result with its interval and the signature of
the code that played it. Tests hold the pages to these files, and the files to the experiments of GAME.toml.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from meeple.lab.paper import Item, Paper
from meeple.lab.reading import read_paper
from meeple.lab.results import EntryResult, ItemResult, definition_of, is_current, result_from, stored

ROOT = Path(__file__).parents[1]
LEAD = "**Played again** (`make runs`), by code of the signature beside each ([how results are read](../results.md)):\n"
ROUNDED = 0.000_51  # by which a share of one decimal in percent may lie off
FILES = sorted((ROOT / "docs" / "runs").glob("*.toml"))


def keep(file: Path) -> None:
    """Write what this machine played of a file into the one beside it; all of it, at full size, by the code at hand."""
    paper, found = read_paper(file), []
    for item in paper.items:
        result = stored(paper, item)
        if result is None or result.size != "full" or not is_current(paper, item, result):
            raise SystemExit(f"play it first: meeple reproduce --file {file.relative_to(ROOT)} --full")
        found.append(result.as_json())
    file.with_suffix(".json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def kept(file: Path) -> list[ItemResult]:
    """What was kept of a file."""
    return [result_from(each) for each in json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))]


def faults(paper: Paper, results: list[ItemResult]) -> Iterator[str]:
    """Where results are not those of a file: of another experiment, missing, or another number than it has."""
    by_item = {result.item: result for result in results}
    for item in paper.items:
        result = by_item.get(item.id)
        if result is None or result.definition != definition_of(paper, item):
            yield f"{paper.name} {item.id} was not played as it stands there"
            continue
        for entry in item.entries:
            ours = result.entry(entry.name)
            assert entry.published is not None
            if ours is None or abs(ours.mean - entry.published.value) > ROUNDED:
                yield f"{paper.name} {item.id}, {entry.name}: {entry.published.value:.3f} is stale"


def command(item: Item, ours: EntryResult) -> str:
    """The command that plays an entry again."""
    entry = next(entry for entry in item.entries if entry.name == ours.name)
    more = ["-n", str(ours.games), *(["-d"] if item.deterministic else [])]
    return shlex.join(["meeple", "match", item.game, *entry.specs(), *more])


def table(paper: Paper, results: list[ItemResult]) -> str:
    """A row an entry: the command, its result with the interval, and the signature of the code that played."""
    lines = [LEAD, "| command | score, 99% | code |", "|---|---|---|"]
    for result in results:
        for ours in result.entries:
            score = f"{ours.mean:.3f} ({ours.low:.3f} .. {ours.high:.3f})"
            lines.append(f"| `{command(paper.item(result.item), ours)}` | {score} | `{ours.signature}` |")
    return "\n".join(lines) + "\n\n"


def with_table(text: str, name: str, made: str) -> str:
    """A page with the table between the marks of this name."""
    part = re.compile(rf"(<!-- runs: {name} -->\n).*?(<!-- /runs -->)", re.DOTALL)
    if not part.search(text):
        raise SystemExit(f"the page has no marks `<!-- runs: {name} -->` and `<!-- /runs -->`")
    return part.sub(lambda found: found[1] + made + found[2], text)


def main() -> None:
    """Keep what was played, and write every page."""
    for file in FILES:
        keep(file)
        paper = read_paper(file)
        for fault in faults(paper, kept(file)):
            print(fault)
        page = ROOT / paper.items[0].page
        page.write_text(with_table(page.read_text(), paper.name, table(paper, kept(file))))


if __name__ == "__main__":
    main()
