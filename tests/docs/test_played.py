"""Results on the pages of games: command, number, interval and code stand together, as they were kept."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import ROOT
from meeple.lab.paper import Paper
from meeple.lab.reading import read_paper
from meeple.lab.results import EntryResult, ItemResult, definition_of

sys.path.insert(0, str(ROOT / "docs"))
import played

AZUL = ROOT / "docs" / "runs" / "azul.toml"


def made_up(paper: Paper) -> list[ItemResult]:
    """Results of a file as if all were played today and came out as it says."""
    found = []
    for item in paper.items:
        entries = []
        for entry in item.entries:
            assert entry.published is not None
            mean = entry.published.value
            counts = (item.full, None, None, None)
            entries.append(EntryResult(entry.name, entry.specs(), *counts, mean, mean - 0.1, mean + 0.1, "0a" * 8))
        made = definition_of(paper, item)
        found.append(ItemResult(paper.name, item.id, "full", False, "2026-01-01", made, tuple(entries), ()))
    return found


def test_what_stands_on_the_pages_is_what_was_kept() -> None:
    """Command and result, whichever code is at hand now: the signature beside them says which code it was."""
    for file in played.FILES:
        assert file.with_suffix(".json").exists(), f"{file.name} was never played: run `make runs`"
        paper, results = read_paper(file), played.kept(file)
        assert list(played.faults(paper, results)) == []
        page = (ROOT / paper.items[0].page).read_text()
        assert played.with_table(page, paper.name, played.table(paper, results)) == page, "run `make runs`"


def test_no_place_for_results_is_empty() -> None:
    found = {}
    for page in sorted((ROOT / "docs").rglob("*.md")):
        for name, rows in re.findall(r"<!-- runs: (\S+) -->\n(.*?)<!-- /runs -->", page.read_text(), re.DOTALL):
            found[name] = rows.count("| `meeple match ")
    wanted = {file.stem: sum(len(item.entries) for item in read_paper(file).items) for file in played.FILES}
    assert found == wanted, "each file of docs/runs has one place on a page, with a row for each of its matches"
    assert min(wanted.values()) > 0


def test_command_number_interval_and_code_stand_in_one_row() -> None:
    paper = read_paper(AZUL)
    table = played.table(paper, made_up(paper))
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    assert len(rows) == sum(len(item.entries) for item in paper.items)
    command = "meeple match azul paper-minimax paper-greedy -n 200"
    printed = paper.item("1").entries[1].published
    assert printed is not None
    share = printed.value
    assert f"| `{command}` | {share:.3f} ({share - 0.1:.3f} .. {share + 0.1:.3f}) | `{'0a' * 8}` |" in rows
    text = "before\n<!-- runs: azul -->\nold\n<!-- /runs -->\nafter\n"
    page = played.with_table(text, "azul", table)
    assert page == f"before\n<!-- runs: azul -->\n{table}<!-- /runs -->\nafter\n"
    assert played.with_table(page, "azul", table) == page
    with pytest.raises(SystemExit, match="no marks `<!-- runs: azul -->`"):
        played.with_table("nothing", "azul", table)


def test_a_command_says_what_the_match_is_of() -> None:
    paper = read_paper(AZUL.with_name("sagrada.toml"))
    commands = [line.split("`")[1] for line in played.table(paper, made_up(paper)).splitlines() if "| `" in line]
    assert "meeple match sagrada:rules=thesis paper-mcts brief-minimax -n 100 -d" in commands
    assert "meeple match sagrada:rules=thesis,faults=yes paper-first paper-random -n 2000" in commands


def test_what_is_stale_or_of_another_experiment_is_told() -> None:
    paper = read_paper(AZUL)
    results = made_up(paper)
    assert list(played.faults(paper, results)) == []
    entries = results[0].entries
    off = replace(results[0], entries=(replace(entries[0], mean=0.99), *entries[1:]))
    assert [fault.split(":")[0] for fault in played.faults(paper, [off, *results[1:]])] == [
        "azul 1, paper-minimax v paper-random"
    ]
    other = replace(results[0], definition="0" * 12)
    assert list(played.faults(paper, [other, *results[1:]])) == ["azul 1 was not played as it stands there"]
    assert list(played.faults(paper, results[1:])) == ["azul 1 was not played as it stands there"]


def test_what_was_played_is_kept_whole_and_by_the_code_at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "azul.toml"
    file.write_text(AZUL.read_text())
    results = {result.item: result for result in made_up(read_paper(file))}
    monkeypatch.setattr(played, "ROOT", tmp_path)
    monkeypatch.setattr(played, "stored", lambda paper, item: results.get(item.id))
    monkeypatch.setattr(played, "is_current", lambda paper, item, result: result.definition != "old")
    played.keep(file)
    assert played.kept(file) == list(results.values())
    for fault in (replace(results["1"], size="quick"), replace(results["1"], definition="old")):
        monkeypatch.setitem(results, "1", fault)
        with pytest.raises(SystemExit, match=r"play it first: meeple reproduce --file azul\.toml --full"):
            played.keep(file)
