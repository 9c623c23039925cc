"""Items played: resumed, the same by any number of workers, judged, stored and listed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from conftest import ROOT, Run
from meeple.arena.store import Store
from meeple.errors import AgentError, ConfigError, StoreError
from meeple.lab.pages import markdown, write_report
from meeple.lab.paper import Entry, Item, Paper, PaperAgent
from meeple.lab.reading import read_paper
from meeple.lab.report import report_of
from meeple.lab.results import is_current, result_of, save, stored
from meeple.lab.running import plan_entry, play_item, store_path, waits_for
from meeple.lab.searching import tuning_of
from meeple.tune.tuning import Study

FAILING = """
import meeple

class Failing(meeple.Agent):
    def choose(self, turn):
        raise RuntimeError("out of ideas")
"""
SMALL = Path(__file__).parent / "small.toml"


@pytest.fixture
def paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Paper:
    monkeypatch.setenv("MEEPLE_DATA_DIR", str(tmp_path / "data"))
    return read_paper(SMALL)


def test_a_match_is_played_judged_and_remembered(paper: Paper) -> None:
    item = paper.item("1")
    played = list(play_item(paper, item, "quick"))
    assert [each.n for each in played] == [20, 20]
    assert [len(each.values) for each in played] == [10, 10]  # pairs
    assert played[0].tally is not None
    assert played[0].tally.wins / 20 == sum(played[0].values) / 10
    result = result_of(paper, item, "quick", played)
    # Greedy wins nearly all; 20% is far outside, and 50% of its copy is not shown to be wrong by 20 games.
    assert [found.verdict for found in result.findings] == ["differs", "too few games to tell", "holds"]
    save(paper, item, result)
    assert stored(paper, item) == result
    page = markdown(report_of(paper))
    assert "Verdicts: 1 differs, 1 holds, 1 too few games to tell. Of 8 items: 1 blocked, 6 not run." in page
    assert "| Greedy v Random | 20.0% of 100 | 20 |" in page
    assert "The code has changed since" not in page
    aged = replace(result, entries=(replace(result.entries[0], signature="0" * 16), *result.entries[1:]))
    save(paper, item, aged)
    assert "The code has changed since: run it again." in markdown(report_of(paper))
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
    assert wins.tally is not None
    assert sum(wins.values) / 10 == wins.tally.wins / 20
    sets = replace(item, kind="sets", set_games=5, entries=item.entries[:1])
    students = result_of(paper, sets, "quick", list(play_item(paper, sets, "quick"))).entries[0].sets
    assert students is not None
    assert 0 <= students[1] <= students[0] <= students[2]
    named = replace(item, both=False, entries=item.entries[:1])
    assert len(next(play_item(paper, named, "quick")).values) == 20
    early = replace(item, kind="adaptive", first=12, step=4, entries=item.entries[:1])
    assert next(play_item(paper, early, "quick")).n == 12  # greedy is shown to be better at the first look


def test_a_report_is_whole_and_fetches_nothing(paper: Paper, tmp_path: Path) -> None:
    for name in ("1", "2", "4", "5"):
        item = paper.item(name)
        save(paper, item, result_of(paper, item, "quick", list(play_item(paper, item, "quick"))))
    pages = write_report(paper, tmp_path / "pages")
    assert [path.name for path in pages] == ["small.md", "small.html"]
    text = pages[0].read_text()
    for line in (
        "## 1: Two matches",
        "## 2: A curve",
        "## 3: Weights",
        "Blocked: it waits for ranges that nobody printed.",
    ):
        assert line in text.splitlines()
    for picture in re.findall(r"\]\((.*?\.svg)\)", text):
        ElementTree.parse(pages[0].parent / picture)
    page = pages[1].read_text()
    assert page.count("<svg") == 4
    assert not re.search(r"(src|href)=", page)


def test_a_cross_table_has_games_and_interval_in_every_cell(paper: Paper) -> None:
    item = replace(paper.item("1"), kind="round-robin")
    save(paper, item, result_of(paper, item, "quick", list(play_item(paper, item, "quick"))))
    page = markdown(report_of(replace(paper, items=(item,))))
    assert "| row against column | Random |" in page
    assert len(re.findall(r"% \(.*?%\), 20 games", page)) == 2


def test_lines_are_measured_as_stats_measures_them(paper: Paper) -> None:
    from meeple.arena.measures.branching import branching
    from meeple.arena.measures.sample import played_sample

    item = paper.item("4")
    played = list(play_item(paper, item, "quick"))
    sample = played_sample(plan_entry(paper, item, item.entries[0], "quick"))
    wanted = {(f.agent, f.ply): f.mean for f in branching(sample, by=["agent", "ply"])}
    for each in played[:6]:
        agent = "greedy" if each.entry.name.startswith("Greedy") else "random"
        assert each.entry.place is not None
        assert sum(each.values) / sum(each.counts) == wanted[each.specs[agent == "random"], each.entry.place - 1]
    lengths = played[7]
    assert sum(lengths.values) == sum(len(trace.walk.seat) for trace in sample.traces)
    result = result_of(paper, item, "quick", played)
    found = {each.about: each.verdict for each in result.findings}
    assert found["mean within 2"] == found["length, 2 > 10"] == "holds"
    assert "Random, band" not in found  # nothing was published of it
    assert {"Greedy, band", "Greedy, falling", "Random, falling", "Greedy > Random at 1..2"} < set(found)
    assert all(each.wins is None for each in result.entries)
    save(paper, item, result)
    assert stored(paper, item) == result
    # Records are kept apart from the stores of matches between the same agents.
    match = replace(item, entries=(replace(item.entries[0], line=None, place=None),), kind="match")
    assert store_path(plan_entry(paper, match, match.entries[0], "quick")) != store_path(
        plan_entry(paper, item, item.entries[0], "quick")
    )


def test_ratings_are_drawn_from_the_table(paper: Paper) -> None:
    item = paper.item("5")
    played = list(play_item(paper, item, "quick"))
    assert [each.n for each in played] == [20, 20]
    # Every game moves as much to the one as it takes from the other.
    assert all(abs(a + b - 2000) < 1e-6 for a, b in zip(played[0].values, played[1].values, strict=True))
    result = result_of(paper, item, "quick", played)
    # Greedy has the published 20% there: it should stand 240 below Random, and neither 300 nor 5000 is usual.
    assert [found.verdict for found in result.findings] == ["differs", "holds"]
    outside = "outside: Greedy (300), Random (5000)"
    assert result.findings[0].sentence == f"0 of 2 lie between the least and the greatest of ours; {outside}"
    assert abs(sum(played[0].values) / 20 - 880) < 40  # 20 ends, each of which moves by some 50
    ours = replace(item, shares="ours")
    assert waits_for(paper, ours, "quick") == "all games of 1: `meeple reproduce small 1 --full`"
    table = paper.item("1")
    games = list(play_item(paper, table, "quick"))
    save(paper, table, result_of(paper, table, "quick", games))
    assert waits_for(paper, ours, "quick") == ""
    assert next(play_item(paper, ours, "quick")).values != played[0].values


def test_efforts_are_fitted_to_a_time(paper: Paper) -> None:
    item = paper.item("6")
    (played,) = play_item(paper, item, "quick")
    assert len(played.values) == 2
    assert all(value > 0 and value % 4 == 0 for value in played.values)  # of 1 ms, brought to 4
    assert [found.verdict for found in result_of(paper, item, "quick", [played]).findings] == ["machine"]


def test_published_settings_are_set_beside_drawn_ones(paper: Paper) -> None:
    climber, chance = PaperAgent("Climber", "greedy:evaluation=climb"), PaperAgent("Chance", "random")
    item = replace(
        paper.item("3"),
        blocked="",
        entries=(Entry("published", climber, chance),),
        space={"evaluation.turn": "0..40"},
        objective="share",
        trial_games=4,
        quick_trial_games=2,
        quick=3,
        full=3,
        judge=("published > 90%",),
    )
    (played,) = play_item(paper, item, "quick")
    assert played.n == 3
    tuning = tuning_of(paper, item, "quick")
    with Study(tuning, tuning.default_folder()) as study:  # `meeple tune` would go on from here
        first, *drawn = study.trials
    assert first.values == {"evaluation.turn": 12}  # what the evaluation has
    assert played.values == tuple(float(first.mean > each.mean) for each in drawn)
    assert next(play_item(paper, item, "quick")).values == played.values
    result = result_of(paper, item, "quick", [played])
    assert [found.about for found in result.findings] == ["published > 90%"]
    save(paper, item, result)
    assert is_current(paper, item, result)
    assert waits_for(paper, item, "quick") == ""


def test_people_are_asked_whether_they_won_one_of_three(paper: Paper) -> None:
    chance, greedy = PaperAgent("Chance", "random"), PaperAgent("Greedy", "greedy")
    entries = (Entry("Chance", chance, chance), Entry("Greedy", greedy, greedy))
    item = replace(paper.item("1"), people=True, entries=entries, judge=("Chance > 50%", "50% > Greedy"))
    games = {
        ("ann", "random"): [False, True],
        ("ben", "random"): [False, False, False, True],  # the fourth comes too late
        ("cleo", "random"): [False],  # not over yet
        ("dan", "greedy:evaluation=climb"): [True],  # another agent
    }
    (played,) = play_item(paper, item, "quick", people=games)
    assert (played.entry.name, played.values, played.n) == ("Chance", (1.0, 0.0), 5)
    result = result_of(paper, item, "quick", [played])
    assert [found.verdict for found in result.findings] == ["too few games to tell"] * 2
    assert "`meeple web`" in waits_for(paper, item, "quick")
    crowd = {(str(number), "random"): [True] for number in range(20)}
    (played,) = play_item(paper, item, "quick", people=crowd)
    # Twenty of twenty: Wilson's interval at 99% begins at 20 / (20 + 6.63) = 0.75.
    assert result_of(paper, item, "quick", [played]).findings[0].verdict == "holds"


def test_an_item_that_others_tell_is_listed_and_not_run(paper: Paper) -> None:
    item = replace(paper.item("3"), blocked="", see=("1", "2"))
    page = markdown(report_of(replace(paper, items=(*paper.items[:2], item))))
    assert "| 3 | Weights | - | tune | see 1, 2 |" in page
    assert "Of 3 items: 0 blocked, 2 not run, 1 told by others." in page


def test_agents_are_trained_once_a_seed_and_play(paper: Paper, tmp_path: Path) -> None:
    item = paper.item("7")
    played = list(play_item(paper, item, "quick"))
    assert [each.n for each in played] == [2] * 10
    models = sorted((tmp_path / "data" / "models" / "santorini").glob("*.npz"))
    assert [path.stem for path in models] == [f"lab-rootstrap-depth_1-games_2-{seed}" for seed in (1, 2)]
    made = [path.stat().st_mtime_ns for path in models]
    match = next(play_item(paper, paper.item("8"), "quick"))
    assert [path.stat().st_mtime_ns for path in models] == made
    assert (match.n, match.groups) == (20, (0,) * 5 + (1,) * 5)
    assert match.tally is not None
    assert match.tally.games == 20
    item = paper.item("8")
    result = result_of(paper, item, "quick", [match])
    assert "model@lab-rootstrap-depth_1-games_2-1" in result.entries[0].specs[0]
    assert is_current(paper, item, result)


def test_without_jax_networks_wait(paper: Paper, monkeypatch: pytest.MonkeyPatch) -> None:
    item = paper.item("8")
    net = replace(item, entries=(replace(item.entries[0], a=PaperAgent("Net", "", method="ann")),))
    monkeypatch.setattr("meeple.lab.training.find_spec", lambda name: None)
    assert waits_for(paper, net, "quick").startswith("jax and optax")
    assert waits_for(paper, item, "quick") == ""


def test_an_agent_that_fails_is_named_and_counts_for_nothing(paper: Paper, tmp_path: Path) -> None:
    (tmp_path / "failing.py").write_text(FAILING)
    agent = PaperAgent("Failing", f"{tmp_path}/failing.py:Failing")
    entry = replace(paper.item("1").entries[0], name="it", a=agent)
    with pytest.raises(AgentError, match=r"1, it, seed 779: .*out of ideas"):
        list(play_item(paper, replace(paper.item("1"), entries=(entry,)), "quick"))


def test_a_damaged_result_is_named(paper: Paper, tmp_path: Path) -> None:
    item = paper.item("1")
    save(paper, item, result_of(paper, replace(item, judge=()), "quick", []))
    (path,) = (tmp_path / "data" / "lab").glob("*.json")
    for text in ("{", "[]", '{"entries": []}'):
        path.write_text(text)
        with pytest.raises(StoreError, match=r"is damaged: .*; remove it, and run the item again"):
            stored(paper, item)


def test_what_waits_cannot_be_run(paper: Paper) -> None:
    item: Item = replace(paper.item("1"), blocked="models")
    with pytest.raises(ConfigError, match="small 1 cannot be run; it waits for models"):
        plan_entry(paper, item, item.entries[0], "quick")


def test_the_example_of_the_docs_is_listed_played_and_told(meeple: Run, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "add-a-paper.md").read_text()
    (tmp_path / "my.toml").write_text(re.findall(r"```toml\n(.*?)```", page, re.DOTALL)[0])
    listed = meeple("reproduce", "--file", "my.toml")
    assert listed.returncode == 0, listed.stderr
    assert "4 items, 1 blocked" in listed.stdout
    ran = meeple("reproduce", "--file", "my.toml", "--quick", "--workers", "1")
    assert ran.returncode == 0, ran.stderr
    assert "holds  Short sight v Chance > 50%" in ran.stdout
    assert "blocked  waits for a larger machine" in ran.stdout
    assert "holds  moves 1 > 40" in ran.stdout
    assert "3 items at their quick size" in ran.stderr
    rows = json.loads(meeple("reproduce", "--file", "my.toml", "--json").stdout)
    assert [row["result"] is not None for row in rows] == [True, True, True, False]
    shown = meeple("reproduce", "my", "2", "--file", "my.toml").stdout
    assert "reading  Careless: how many moves it sees is not told" in shown
    assert "again  meeple reproduce my 2 --quick --file my.toml" in shown


def test_one_size_at_a_time(meeple: Run) -> None:
    both = meeple("reproduce", "--quick", "--full")
    assert (both.returncode, both.stderr) == (2, "Error: --quick and --full are two sizes: give one\n")
