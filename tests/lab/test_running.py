"""Items played: resumed, the same by any number of workers, judged, stored and listed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import ROOT, Run
from meeple.arena.store import Store
from meeple.lab.paper import Item, Paper
from meeple.lab.reading import read_paper
from meeple.lab.results import all_counts, result_of, save, stored
from meeple.lab.running import plan_entry, play_item, store_path

SMALL = Path(__file__).parent / "small.toml"


@pytest.fixture
def paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Paper:
    monkeypatch.setenv("MEEPLE_DATA_DIR", str(tmp_path / "data"))
    return read_paper(SMALL)


def test_a_match_is_played_judged_and_remembered(paper: Paper) -> None:
    item = paper.item("1")
    played = list(play_item(paper, item, "quick"))
    assert [each.tally.games for each in played] == [20, 20]
    assert [len(each.values) for each in played] == [10, 10]  # pairs
    assert played[0].tally.wins / 20 == sum(played[0].values) / 10
    result = result_of(paper, item, "quick", played)
    # Greedy wins nearly all; 20% is far outside, and 50% of its copy is not shown to be wrong by 20 games.
    assert [found.verdict for found in result.findings] == ["differs", "too few games to tell", "holds"]
    save(paper, item, result)
    assert stored(paper, item) == result
    assert all_counts(paper) == {"differs": 1, "too few games to tell": 1, "holds": 1, "blocked": 1, "not run": 1}
    changed = replace(item, judge=("difference",))
    assert stored(paper, changed) is None


def test_a_larger_run_goes_on_from_a_smaller_one_and_workers_change_nothing(paper: Paper) -> None:
    item = replace(paper.item("1"), entries=paper.item("1").entries[:1])
    small = next(play_item(paper, item, "quick"))
    path = store_path(plan_entry(paper, item, item.entries[0], "full"))
    with Store.read(path) as store:
        before = {game.key: game for game in store.games()}
    assert len(before) == 20
    whole = next(play_item(paper, item, "full"))
    assert whole.values[:10] == small.values
    with Store.read(path) as store:
        assert {game.key: game for game in store.games() if game.key in before} == before
        assert store.count() == 40
    path.unlink()
    assert next(play_item(paper, item, "full", workers=2)).values == whole.values


def test_metrics_and_formats(paper: Paper) -> None:
    item = paper.item("1")
    wins = next(play_item(paper, replace(item, metric="wins"), "quick"))
    assert sum(wins.values) / 10 == wins.tally.wins / 20
    sets = replace(item, kind="sets", set_games=5, entries=item.entries[:1])
    students = result_of(paper, sets, "quick", list(play_item(paper, sets, "quick"))).entries[0].sets
    assert students is not None
    assert 0 <= students[1] <= students[0] <= students[2]
    named = replace(item, both=False, entries=item.entries[:1])
    assert len(next(play_item(paper, named, "quick")).values) == 20
    early = replace(item, kind="adaptive", first=12, step=4, entries=item.entries[:1])
    assert next(play_item(paper, early, "quick")).tally.games == 12  # greedy is shown to be better at the first look


def test_what_waits_cannot_be_run(paper: Paper) -> None:
    from meeple.errors import ConfigError

    item: Item = replace(paper.item("1"), blocked="models")
    with pytest.raises(ConfigError, match="small 1 cannot be run; it waits for models"):
        plan_entry(paper, item, item.entries[0], "quick")


def test_the_example_of_the_docs_is_listed_played_and_told(meeple: Run, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "add-a-paper.md").read_text()
    (tmp_path / "my.toml").write_text(re.findall(r"```toml\n(.*?)```", page, re.DOTALL)[0])
    listed = meeple("reproduce", "--file", "my.toml")
    assert listed.returncode == 0, listed.stderr
    assert "3 items, 1 blocked" in listed.stdout
    ran = meeple("reproduce", "--file", "my.toml", "--quick", "--workers", "1")
    assert ran.returncode == 0, ran.stderr
    assert "holds  Short sight v Chance > 50%" in ran.stdout
    assert "blocked  waits for trained models" in ran.stdout
    assert "2 items at their quick size" in ran.stderr
    rows = json.loads(meeple("reproduce", "--file", "my.toml", "--json").stdout)
    assert [row["result"] is not None for row in rows] == [True, True, False]
    shown = meeple("reproduce", "my", "2", "--file", "my.toml").stdout
    assert "reading  Careless: how many moves it sees is not told" in shown
    assert "again  meeple reproduce my 2 --quick --file my.toml" in shown


def test_one_size_at_a_time(meeple: Run) -> None:
    both = meeple("reproduce", "--quick", "--full")
    assert (both.returncode, both.stderr) == (2, "Error: --quick and --full are two sizes: give one\n")
