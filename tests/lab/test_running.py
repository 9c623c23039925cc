"""Items played: resumed, the same by any number of workers, judged, stored and listed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import fields, replace
from itertools import count
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from conftest import ROOT, Run
from meeple.arena.measures.sample import stored_sample
from meeple.arena.store import Store
from meeple.arena.workers import Alone, MakesCrew, Setup, local_crew
from meeple.core.match import Match
from meeple.core.record import parse_record
from meeple.core.registry import load_game
from meeple.errors import AgentError, ConfigError, StoreError
from meeple.lab.pages import markdown, write_report
from meeple.lab.paper import FigureLine, Item, Paper, PaperAgent, PaperEntry, Published
from meeple.lab.reading import read_paper
from meeple.lab.report import report_of
from meeple.lab.results import WORDS, definition_of, is_current, result_of, save, stored, stored_by_clock
from meeple.lab.running import plan_entry, play_item, signature_of, store_path, waits_for
from meeple.lab.searching import tuning_of
from meeple.lab.training import training_signature
from meeple.tune.tuning import Study

FAILING = """
import meeple

class Failing(meeple.Agent):
    def choose(self, turn):
        raise RuntimeError("out of ideas")
"""
OWN_METRIC = """
[paper]
title = "Points of all colours"
author = "Nobody"
year = 2026
game = "ingenious"

[agents.First]
spec = "first"

[agents.Random]
spec = "random"

[[item]]
id = "1"
title = "Who has more in all"
kind = "match"
metric = "colours"
a = "First"
b = "Random"
judge = ["first > second"]
full = 8
quick = 6
[[item.entry]]
name = "first"
published = {value = 40}
[[item.entry]]
name = "second"
of = "b"
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


def test_another_crew_plays_all_but_what_must_be_played_here(paper: Paper) -> None:
    asked: list[tuple[str, ...]] = []

    def made(setup: Setup, is_current: Callable[[], bool]) -> Alone:
        assert is_current()
        asked.append(setup.agents)
        return Alone(setup)

    item = paper.item("1")
    there = list(play_item(paper, item, "quick", workers=2, crew_for=made))
    assert asked == [("greedy", "random"), ("random", "random")]
    for entry in item.entries:
        store_path(plan_entry(paper, item, entry, "quick")).unlink()
    assert list(play_item(paper, replace(item, workers=1), "quick", workers=0, crew_for=made)) == there
    assert len(asked) == 2


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


def test_a_metric_of_the_games_own_is_counted_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEEPLE_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "colours.toml").write_text(OWN_METRIC)
    paper = read_paper(tmp_path / "colours.toml")
    item = paper.items[0]
    assert not item.is_share
    played = list(play_item(paper, item, "quick"))
    plan = plan_entry(paper, item, item.entries[0], "quick")
    with Store.read(store_path(plan)) as store:
        games = [(game, plan.schedule.seated(game.key)) for game in store.games(records=True)]
    ends = [Match.from_record(parse_record(game.record or "")).state for game, _ in games]
    for agent, found in enumerate(played):  # the second entry is of the second agent
        wanted = [
            int(end.record.points[seated.index(agent)].sum()) for end, (_, seated) in zip(ends, games, strict=True)
        ]
        assert found.values == tuple((one + other) / 2 for one, other in zip(wanted[::2], wanted[1::2], strict=True))
    result = result_of(paper, item, "quick", played)
    assert [each.about for each in result.findings] == ["first > second"]
    assert result.entries[0].mean == sum(played[0].values) / len(played[0].values)
    plain = list(play_item(paper, replace(item, metric="points"), "quick"))
    assert plain[0].values != played[0].values, "a score is the lowest colour, and not all of them"


def test_the_second_agents_number_is_one_less_the_firsts(paper: Paper) -> None:
    item = replace(paper.item("1"), both=False, entries=paper.item("1").entries[:1])
    second = replace(item, entries=(replace(item.entries[0], of="b"),))
    (ours,), (theirs,) = play_item(paper, item, "quick"), play_item(paper, second, "quick")
    assert theirs.values == tuple(1 - value for value in ours.values)
    assert theirs.tally is not None
    assert ours.tally is not None
    assert (theirs.tally.wins, theirs.tally.losses) == (ours.tally.losses, ours.tally.wins)
    assert definition_of(paper, second) != definition_of(paper, item)


def test_an_item_may_ask_for_fewer_workers(paper: Paper, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def heard(workers: int) -> MakesCrew:
        asked.append(workers)
        return local_crew(0)

    monkeypatch.setattr("meeple.lab.running.local_crew", heard)
    item = replace(paper.item("1"), entries=paper.item("1").entries[:1])
    for most in (0, 1, 3):
        list(play_item(paper, replace(item, workers=most), "quick", workers=2))
    assert asked == [2, 1, 2]


def test_one_entry_may_see_what_others_do_not(paper: Paper) -> None:
    item = paper.item("1")
    entries = [replace(item.entries[0], deterministic=said) for said in (None, True, False)]
    plans = [plan_entry(paper, item, entry, "quick") for entry in entries]
    assert [plan.conditions.deterministic for plan in plans] == [False, True, False]
    opened = replace(item, deterministic=True)
    assert not plan_entry(paper, opened, entries[2], "quick").conditions.deterministic


def test_time_of_trainings_is_measured_and_what_they_made_is_thrown_away(paper: Paper, tmp_path: Path) -> None:
    taught = paper.item("7").entries[0]
    assert taught.line is not None
    timed = replace(taught, name="time", line=replace(taught.line, measure="training", by=""), place=None)
    item = replace(paper.item("7"), entries=(timed,), judge=("time > 0",))
    assert item.does == "trainings"
    (played,) = play_item(paper, item, "quick")
    assert len(played.values) == played.n == 2
    assert all(value > 0 for value in played.values)
    result = result_of(paper, item, "quick", [played])
    assert is_current(paper, item, result)
    assert [found.about for found in result.findings] == ["time > 0"]
    assert not list(tmp_path.rglob("*lab-rootstrap*"))


def test_a_rule_is_listed_and_nothing_is_played_for_it(paper: Paper) -> None:
    rule = replace(paper.item("3"), blocked="", rule="the board has 25 squares")
    page = markdown(report_of(replace(paper, items=(paper.items[0], rule))))
    assert "Nothing is played for it: the board has 25 squares." in page
    assert "Of 2 items: 0 blocked, 1 not run, 1 of rules." in page
    assert re.search(r"\| 3 \| Weights \|.*\| a rule \|", page)


def test_a_part_ends_by_time_is_judged_and_goes_on(paper: Paper) -> None:
    item = paper.item("1")
    clock = count()
    parts = list(play_item(paper, item, "part", seconds=40, now=lambda: float(next(clock))))
    # A game asks the clock once: the first entry has half of the 40, the second what is left.
    assert [0 < each.n < 40 for each in parts] == [True, True]
    assert not any(each.was_stopped for each in parts)
    result = result_of(paper, item, "part", parts, minutes=0.7)
    assert [found.about for found in result.findings] == [*(each.entry.name for each in parts), "Greedy v Random > 50%"]
    assert result.words == ["--minutes", "0.7"]
    save(paper, item, result)
    assert stored(paper, item) == result
    assert "`meeple reproduce small 1 --minutes 0.7`" in markdown(report_of(paper))
    # A shorter part does not take its place; a longer one does; a whole run goes on from its games.
    shorter = list(play_item(paper, replace(item, full=6), "part"))
    save(paper, item, result_of(paper, item, "part", shorter))
    assert stored(paper, item) == result
    whole = list(play_item(paper, item, "full"))
    assert [each.values[: len(part.values)] for each, part in zip(whole, parts, strict=True)] == [
        part.values for part in parts
    ]
    save(paper, item, result_of(paper, item, "part", whole, minutes=2.0))
    found = stored(paper, item)
    assert found is not None
    assert (found.minutes, found.games) == (2.0, 80)
    measured = paper.item("4")
    lines = list(play_item(paper, replace(measured, full=400), "part", seconds=30, now=lambda: float(next(clock))))
    assert 0 < lines[0].n < 400
    # Nothing was played in no time, and so nothing is told.
    late = replace(paper, seed=50)
    assert list(play_item(late, item, "part", seconds=0.001, now=lambda: float(next(clock)))) == []


def test_what_trains_or_rates_is_ended_by_no_time(paper: Paper) -> None:
    for name in ("5", "6", "7", "8"):
        with pytest.raises(ConfigError, match="is not made of games alone, so no time can end it: give a size"):
            next(play_item(paper, paper.item(name), "part", seconds=1.0))


def test_the_clock_stands_beside_what_stands_in_for_it(paper: Paper) -> None:
    quick = PaperAgent("Greedy", "greedy", clock="flat:playouts=0,time=1ms")
    item = replace(paper.item("1"), judge=("difference",), quick=4)
    item = replace(item, entries=(replace(item.entries[0], a=quick),))
    paper = replace(paper, items=(item,))
    clocked = result_of(paper, item, "quick", list(play_item(paper, item, "quick", clock=True)), clock=True)
    save(paper, item, clocked)
    assert (stored(paper, item), stored_by_clock(paper, item)) == (clocked, None)
    assert "The same by the clock" not in markdown(report_of(paper))
    result = result_of(paper, item, "quick", list(play_item(paper, item, "quick")))
    save(paper, item, result)
    assert (stored(paper, item), stored_by_clock(paper, item)) == (result, clocked)
    page = markdown(report_of(paper))
    before, after = page.split("The same by the clock, as in the paper, without what stands in for it:")
    assert before.count("| Greedy v Random | 20.0% of 100 | 4 |") == 1
    assert after.count("| Greedy v Random | 20.0% of 100 | 4 |") == 1
    assert "`meeple reproduce small 1 --quick --clock`" in after
    assert "What fits a limit of time hangs on the machine" in after
    assert "![" not in after


def test_what_the_code_at_hand_played_comes_first(paper: Paper) -> None:
    item = replace(paper.item("1"), entries=paper.item("1").entries[:1])
    quick = result_of(paper, item, "quick", list(play_item(paper, item, "quick")))
    whole = result_of(paper, item, "full", list(play_item(paper, item, "full")))
    save(paper, item, quick)
    save(paper, item, whole)
    assert stored(paper, item) == whole
    aged = replace(whole, entries=tuple(replace(each, signature="0" * 16) for each in whole.entries))
    save(paper, item, aged)
    assert stored(paper, item) == quick


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


def test_a_line_of_one_round_and_an_agents_own_moves(paper: Paper) -> None:
    """Azul's second round, whose plies count from its start, and its moves by each of two agents and by both."""
    chance, other = PaperAgent("Chance", "random"), PaperAgent("Other", "random:seed=1")
    second = FigureLine("second", "branching", "ply", "all", round=2)
    entries = [PaperEntry(f"second {place}", chance, other, line=second, place=place) for place in (1, 2)]
    for of in ("a", "b", "all"):
        entries.append(PaperEntry(f"moves {of}", chance, other, line=FigureLine(f"moves {of}", "own moves", of=of)))
    entries.append(PaperEntry("considered", chance, other, line=FigureLine("considered", "considered", of="all")))
    entries.append(PaperEntry("tiles", chance, other, line=FigureLine("tiles", "gain", of="all", points="tiles")))
    item = replace(paper.item("4"), game="azul", entries=tuple(entries), judge=())
    found = {each.entry.name: each for each in play_item(paper, item, "quick")}
    plan = plan_entry(paper, item, item.entries[0], "quick")
    with Store.read(store_path(plan)) as store:
        walks = [(trace.set_key[1], trace.agents, trace.walk) for trace in stored_sample(plan, store).traces]
    for place in (1, 2):
        offered = [0.0] * 10
        for number, _agents, walk in walks:
            offered[number] += walk.offered[walk.round == 1][place - 1]
        assert found[f"second {place}"].values == tuple(offered)
        assert found[f"second {place}"].counts == (2.0,) * 10
    for of, places in (("a", (0,)), ("b", (1,)), ("all", (0, 1))):
        made = [0.0] * 10
        for number, agents, walk in walks:
            made[number] += sum(agents[seat] in places for seat in walk.seat) / len(places)
        assert found[f"moves {of}"].values == tuple(made)
    # Random play considers all moves. Tiles reach the wall by the mover's move or by chance after it, at a round's end.
    assert sum(found["considered"].values) == sum(int(walk.offered.sum()) for _number, _agents, walk in walks)
    assert 0 < sum(found["tiles"].values) <= sum(int(walk.metrics[-1].sum()) for _number, _agents, walk in walks)


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
    told = f"0 of 2 lie between the least and the greatest of ours; {outside}; 2 outside would be a difference, "
    assert result.findings[0].sentence.startswith(told)
    assert abs(sum(played[0].values) / 20 - 880) < 40  # 20 ends, each of which moves by some 50
    ours = replace(item, shares="ours")
    assert waits_for(paper, ours, "quick") == "all games of 1: `meeple reproduce small 1 --full`"
    table = paper.item("1")
    games = list(play_item(paper, table, "quick"))
    save(paper, table, result_of(paper, table, "quick", games))
    assert waits_for(paper, ours, "quick") == ""
    rated = list(play_item(paper, ours, "quick"))
    assert rated[0].values != played[0].values
    result = result_of(paper, ours, "quick", rated)
    assert is_current(paper, ours, result)
    # With another share in the table, ratings made of it are no longer current.
    found = result_of(paper, table, "quick", games)
    save(paper, table, replace(found, entries=(replace(found.entries[0], mean=0.25), *found.entries[1:])))
    assert not is_current(paper, ours, result)
    newer = result_of(paper, ours, "quick", list(play_item(paper, ours, "quick")))
    assert is_current(paper, ours, newer)
    # Where other code played the table, ratings are as old as it is.
    aged = replace(found, entries=tuple(replace(each, signature="0" * 16) for each in found.entries))
    save(paper, table, aged)
    of_aged = result_of(paper, ours, "quick", list(play_item(paper, ours, "quick")))
    assert not is_current(paper, ours, of_aged)


def test_whatever_is_played_or_judged_is_in_the_definition(paper: Paper) -> None:
    """Another value of any field names another result, but for words and times, which change nothing that was found."""
    item = paper.item("1")
    before = definition_of(paper, item)
    others: dict[type, object] = {str: "x", int: 7, float: 7.5, bool: None, tuple: ("x",), dict: {"x": "y"}}
    for each in fields(Item):
        value = getattr(item, each.name)
        other = not value if isinstance(value, bool) else others[type(value)]
        if each.name in ("entries", "table"):  # below
            continue
        change: dict[str, Any] = {each.name: other}
        told = definition_of(paper, replace(item, **change))
        assert (told == before) == (each.name in WORDS), each.name
    fewer = replace(item, entries=item.entries[:1])
    assert definition_of(paper, fewer) != before
    assert definition_of(replace(paper, seed=780), item) != before
    rating = paper.item("5")
    changed = replace(item, entries=(replace(item.entries[0], published=Published(0.9, 100)), item.entries[1]))
    other = replace(paper, items=(changed, *paper.items[1:]))
    assert definition_of(other, rating) != definition_of(paper, rating)


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
        entries=(PaperEntry("published", climber, chance),),
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
    entries = (PaperEntry("Chance", chance, chance), PaperEntry("Greedy", greedy, greedy))
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
    code = training_signature(load_game(item.game), item.entries[0].a)[:8]
    assert [path.stem for path in models] == [f"lab-rootstrap-depth_1-games_2-{seed}-{code}" for seed in (1, 2)]
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


def test_other_code_trains_and_plays_anew(paper: Paper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model and its losses are named by the code that trained them, so that no other code's are taken for its own."""
    losses, match = paper.item("7"), paper.item("8")
    trained = list(play_item(paper, losses, "quick"))
    played = next(play_item(paper, match, "quick"))
    folder = tmp_path / "data" / "models" / "santorini"
    assert len(list(folder.glob("*.npz"))) == 2
    results = [result_of(paper, losses, "quick", trained), result_of(paper, match, "quick", [played])]
    assert is_current(paper, losses, results[0])
    assert is_current(paper, match, results[1])
    changed = tmp_path / "strap.py"
    changed.write_text("CHANGED = True\n")
    monkeypatch.setattr("meeple.lab.training._home", lambda method: changed)
    assert not is_current(paper, losses, results[0])
    assert not is_current(paper, match, results[1])
    again = list(play_item(paper, losses, "quick"))
    assert len(list(folder.glob("*.npz"))) == 4
    assert again[0].signature != trained[0].signature
    assert is_current(paper, losses, result_of(paper, losses, "quick", again))
    monkeypatch.undo()
    # The games too: other code of the opponent is another signature, though the training stays what it was.
    rival = replace(match.entries[0], b=PaperAgent("Flat", "flat"))
    specs = played.specs[0], "flat"
    assert signature_of(paper, match, rival, "quick", specs) != played.signature


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
    assert "5 items, 1 blocked" in listed.stdout
    ran = meeple("reproduce", "--file", "my.toml", "--quick", "--workers", "1")
    assert ran.returncode == 0, ran.stderr
    assert "holds  Short sight v Chance > 50%" in ran.stdout
    assert "blocked  waits for a larger machine" in ran.stdout
    assert "my 5  25 squares\na rule  the board of the game has so many" in ran.stdout
    assert "holds  moves 1 > 40" in ran.stdout
    assert "3 items at their quick size" in ran.stderr
    rows = json.loads(meeple("reproduce", "--file", "my.toml", "--json").stdout)
    assert [row["result"] is not None for row in rows] == [True, True, True, False, False]
    shown = meeple("reproduce", "my", "2", "--file", "my.toml").stdout
    assert "reading  Careless: how many moves it sees is not told" in shown
    assert "again  meeple reproduce my 2 --quick --file my.toml" in shown
    # An hour is more than it needs, so that it comes to its whole size.
    text = (tmp_path / "my.toml").read_text().replace("full = 200", "full = 12")
    (tmp_path / "my.toml").write_text(text)
    timed = meeple("reproduce", "my", "2", "--file", "my.toml", "--minutes", "60", "--workers", "1")
    assert timed.returncode == 0, timed.stderr
    assert "again  meeple reproduce my 2 --minutes 60 --file my.toml" in timed.stdout
    assert "my 2: 36 games" in timed.stderr


def test_a_list_tells_the_time_of_play_by_the_clock(meeple: Run) -> None:
    told = meeple("reproduce", "saboteur", "--clock").stdout
    assert re.search(r"wins +match +3\.0 h +12\.0 h", told)  # a minute where stand-ins play


def test_one_size_at_a_time(meeple: Run) -> None:
    both = meeple("reproduce", "--quick", "--full")
    timed = meeple("reproduce", "--full", "--minutes", "3")
    assert timed.stderr == both.stderr
    trained = meeple("reproduce", "santorini", "F6", "--minutes", "3")
    assert "--minutes ends items that are made of games alone" in trained.stderr
    assert (both.returncode, both.stderr) == (2, "Error: --quick, --full and --minutes are sizes: give one\n")
