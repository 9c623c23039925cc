"""A paper's file: what it may say, and how what it may not is named."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from meeple.errors import ConfigError
from meeple.lab.reading import load_papers, paper_names, read_paper

SMALL = Path(__file__).parent / "small.toml"


def test_a_small_file_is_read() -> None:
    paper = read_paper(SMALL)
    assert [item.id for item in paper.items] == ["1", "2", "3", "4", "5", "6", "7", "8"]
    first, second, third, fourth, *_ = paper.items
    assert [entry.name for entry in first.entries] == ["Greedy v Random", "Random v itself"]
    assert first.entries[0].published is not None
    assert (first.entries[0].published.value, first.entries[0].published.of) == (0.2, 100)
    assert [entry.specs()[0] for entry in second.entries] == ["overlooking:sees=2", "overlooking:sees=8"]
    assert third.blocked == "ranges that nobody printed"
    names = [f"{line} {place}" for line in ("Greedy", "Random") for place in (1, 2, 3)]
    assert [entry.name for entry in fourth.entries] == [*names, "mean", "length, 2"]
    assert [item.does for item in paper.items[3:]] == ["measures", "elo", "calibrate", "losses", "matches"]
    assert (first.core_seconds("quick"), second.core_seconds("quick")) == (0.08, None)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('author = "Nobody"', 'auther = "Nobody"', "paper: 'author' is missing; it is a text"),
        ("year = 2026", "year = 2026\npublisher = 1", "paper: there is no key 'publisher'"),
        ("year = 2026", 'year = "2026"', "paper: 'year' is a whole number, not '2026'"),
        ('kind = "sweep"', 'kind = "sweeps"', "item '2': there is no kind 'sweeps'; did you mean 'sweep'?"),
        ('judge = ["rising"]', 'judge = ["risen"]', "item '2': 'risen' is no judgement; one is difference"),
        (
            "> 50%",
            "> Greed v Random",
            "item '1': 'Greedy v Random > Greed v Random' names no entry 'Greed v Random'; did",
        ),
        ("quick = 20", "quik = 20", "item '1': 'quick' is missing; it is a whole number"),
        ("quick = 10", "quick = 0", "item '2': 'quick' is at least 1, not 0"),
        ('a = "Greedy"', 'a = "Gredy"', "entry '1': 'a' names no agent 'Gredy'; did you mean 'Greedy'?"),
        ("{wins = 20, of = 100}", "{wins = 20}", "published: 'wins' needs 'of', the number of games"),
        ("{wins = 20, of = 100}", "{win = 20}", "published: there is no key 'win'; did you mean 'wins'?"),
        ("{wins = 20, of = 100}", "{wins = 200, of = 100}", "published: a share of 200% is none"),
        ("{wins = 20, of = 100}", "{percent = 20}", "'difference' needs `of`, the games behind 'Greedy v Random'"),
        ("{wins = 20, of = 100}", "{interval = [1.0, 2.0], of = 9}", "no wins of 9 games have the 95% interval"),
        ("{sees = [2, 8]}", "{looks = [2, 8]}", "item '2', 'looks=2': 'overlooking:sees={sees}' cannot be filled in"),
        ("{percent = [50, 60]}", "{percent = [50]}", "published: 'percent' has 1 values where sees has 2"),
        ('name = "Random v itself"', 'name = "Greedy v Random"', "entries: 'Greedy v Random' stands twice"),
        ('id = "3"', 'id = "2"', "items: '2' stands twice"),
        ('reading = "How', 'fitted_on = ["44"]\nreading = "How', "agents, Careless: fitted_on '44'"),
        (
            'blocked = "ranges that nobody printed"',
            "",
            "item '3': there is nothing to play; give [[item.entry]], or `blocked`",
        ),
        ('of = "b"', 'of = "c"', "line 'Random': there is no of 'c'"),
        ("places = 3", "ms = 3", "line 'Random': say by `places` how many points the line has"),
        (
            'measure = "length"',
            'measure = "loss"',
            "line 'length, 2': a loss is measured by tenth, and nothing else is",
        ),
        ('measure = "length"', 'filter = "none"', "`filter` names the filter of the measure 'filtered'"),
        ("Greedy > Random at 1..2", "Greed > Random at 1..2", "names no line 'Greed'; did you mean 'Greedy'?"),
        ("places = 3", 'by = "round"\nround = 2', "line 'Random': a line of one `round` goes by ply, or is one number"),
        ('measure = "length"', 'measure = "training"', "'training' is measured of trainings (kind `train`) alone"),
        (
            'blocked = "ranges that nobody printed"',
            'rule = "a law"\nblocked = "it"',
            "what `rule` holds has no entries, waits for nothing and is told by no other item",
        ),
        ("> 50%", "= Random v itself within 0%", "a margin is above 0, not 0"),
        ('train = "rootstrap"', 'spec = "random"', "`recipe` holds settings of `train`, which is missing"),
        ('train = "rootstrap"', 'train = "rootstrap"\nspec = "random"', "has a `spec`, or it is trained"),
        ('table = "1"', 'tables = "1"', "item '5': 'table' is missing"),
        ("mean within 2", "mean within 1", "a factor is above 1, not 1"),
        ('kind = "sweep"', 'kind = "sweep"\nmetric = "wons"', "'2': there is no metric 'wons'; did you mean 'wins'?"),
        (
            'id = "2"',
            'id = "2"\ngame = "azul"\nmetric = "tile"',
            "item '2': there is no metric 'tile'; did you mean 'tiles'?",
        ),
        ('id = "2"', 'id = "2"\ngame = "azul"\nmetric = "tiles"', "published: give `value`, the tiles as printed"),
        ("[paper]", "[paper", "is no TOML"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = SMALL.read_text()
    assert old in text
    (tmp_path / "mine.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(ConfigError) as fault:
        read_paper(tmp_path / "mine.toml")
    assert message in str(fault.value)
    assert "mine.toml" in str(fault.value)


def test_every_paper_is_read_and_none_has_lost_an_item() -> None:
    papers = load_papers()
    assert {paper.name: len(paper.items) for paper in papers} == {
        "azul": 6,
        "ingenious": 19,
        "saboteur": 4,
        "sagrada": 27,
        "santorini": 13,
    }
    assert not [f"{paper.name} {item.id}" for paper in papers for item in paper.items if item.blocked]
    assert {f"{paper.name} {item.id}": item.see for paper in papers for item in paper.items if item.see} == {
        "ingenious F4": ("2", "4", "6"),  # bars of these tables
        "sagrada 8.2": ("8.3",),  # the ranges from which it draws
    }
    assert {f"{paper.name} {item.id}" for paper in papers for item in paper.items if item.rule} == {
        "ingenious 1",  # the bag
        "ingenious 2.4.1",  # chances that follow from it
    }
    played = {f"{paper.name} {item.id}": item for paper in papers for item in paper.items if item.entries}
    quick = {name: item.core_seconds("quick") or math.inf for name, item in played.items() if not item.blocked}
    for name, item in played.items():
        assert item.blocked or item.judge, f"{name} is played and judged by nothing"
        assert item.blocked or quick[name] <= 2 * 60, f"{name} is not quick on two cores"
    assert sum(quick.values()) <= 2 * 25 * 60


def test_play_by_the_clock_is_told_by_the_clock() -> None:
    """An agent uses up its limit at each of its moves, however quick what stands in for it is."""
    saboteur, azul, ingenious = (load_papers(name)[0] for name in ("saboteur", "azul", "ingenious"))
    wins = saboteur.item("wins")
    assert wins.core_seconds("full") == 2 * 400 * 0.14
    assert wins.core_seconds("full", clock=True) == 2 * 400 * 27 * 2.0
    assert wins.core_seconds("quick", clock=True) == 2 * 100 * 27 * 2.0
    # Of six opponents one has a limit: MinimaxAI with 500 ms. The others' games are as quick as ever.
    table = azul.item("4.3")
    others = sum(entry.ms for entry in table.entries if not entry.limits) / 1000
    assert table.core_seconds("full", clock=True) == pytest.approx(400 * (others + 28 * 0.5))
    assert ingenious.item("2").core_seconds("full", clock=True) == ingenious.item("2").core_seconds("full")
    assert replace(wins, moves=0).core_seconds("full", clock=True) is None


def test_a_wrong_name_gets_the_nearest() -> None:
    with pytest.raises(ConfigError, match="there is no paper 'azull'; did you mean 'azul'"):
        load_papers("azull")
    with pytest.raises(ConfigError, match=r"azul has no item '4\.22'; did you mean '4\.2'"):
        load_papers("azul")[0].item("4.22")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_papers(file=Path("nowhere.toml"))
    assert paper_names() == ["azul", "ingenious", "saboteur", "sagrada", "santorini"]


def test_every_spec_of_every_paper_is_an_agent_of_its_game() -> None:
    """Nothing is played or compiled: tests/lab/test_specs.py does that. Trained agents have a method of theirs."""
    from meeple.agents.registry import load_agent
    from meeple.core.heuristics import find_heuristic
    from meeple.core.registry import load_game
    from meeple.core.settings import given_settings
    from meeple.core.spec import Spec
    from meeple.learn.methods import find_method

    for paper in load_papers():
        for item in paper.items:
            for entry in item.entries:
                for agent in (entry.a, entry.b):
                    if agent.method:
                        kind = find_method(agent.method)
                        given_settings(kind.settings, Spec(agent.method, dict(agent.recipe)), what="method")
                specs = zip((entry.a, entry.b) * 2, entry.specs() + entry.specs(clock=True), strict=True)
                for spec in {spec for agent, spec in specs if not agent.method}:
                    load_agent(spec, load_game(item.game))
                if entry.line and entry.line.filter:
                    find_heuristic(load_game(item.game), "FILTERS", entry.line.filter)
