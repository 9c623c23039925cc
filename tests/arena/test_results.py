"""Tournaments from Python: what they return, where they are kept, and how they are found again."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import HOARD
from meeple import Match, load_game, results, tournament
from meeple.agents.registry import shown_names
from meeple.arena.results import find_store
from meeple.errors import ConfigError

AGENTS = ["greedy", "random", "first"]


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEEPLE_DATA_DIR", str(tmp_path))


def test_a_tournament_has_a_row_for_each_seat_of_each_game() -> None:
    heard: list[tuple[int, int]] = []
    found = tournament(HOARD, AGENTS, games=4, both=True, workers=0, on_games=lambda *counts: heard.append(counts))
    frame = found.to_polars()
    assert frame.height == 3 * 4 * 2
    assert heard[-1] == (12, 12)
    assert set(frame["agent"]) == set(AGENTS)
    assert frame["share"].sum() == 12  # a victory a game
    assert {row["agent"]: row["games"] for row in found.agents} == dict.fromkeys(AGENTS, 8)
    shares = {row["agent"]: row["score"] for row in found.agents}
    means = dict(frame.select("agent", "share").group_by("agent").mean().rows())
    assert means == pytest.approx(shares)
    assert found.agents_to_polars().height == 3


def test_it_prints_as_the_commands_tables() -> None:
    found = tournament(HOARD, AGENTS[:2], games=4, both=True, workers=0)
    text = str(found)
    assert text.startswith(found.tournament.heading())
    assert text.endswith(found.verdict)
    assert "agent" in text
    assert f"<Results of hoard:players=2: 4 games; {found.verdict}>" == repr(found)


def test_the_same_call_goes_on_and_is_read_by_name() -> None:
    first = tournament(HOARD, AGENTS, games=2, workers=0)
    more = tournament(HOARD, AGENTS, games=4, workers=0)
    assert first.path == more.path
    assert more.to_polars().head(2).drop("seconds").equals(first.to_polars().head(2).drop("seconds"))
    for name in (first.path, first.path.name, first.path.stem, "hoard"):
        again = results(name, trust=True)
        assert again.to_polars().equals(more.to_polars())
        assert again.verdict == more.verdict


def test_a_game_of_it_is_replayed() -> None:
    found = tournament(HOARD, AGENTS, games=1, workers=0)
    row = found.games[0]
    match = Match.from_record(found.record(row["game"]), trust=True)
    assert match.state.ranks()[0] == row["rank"]
    assert match.ply == row["moves"]


def test_a_store_is_kept_where_it_is_said(tmp_path: Path) -> None:
    path = tmp_path / "here.sqlite"
    assert tournament(HOARD, AGENTS[:2], games=1, workers=0, store=path).path == path
    assert find_store(path) == path
    with pytest.raises(ConfigError, match="there is no store 'hoarding', neither a file nor a tournament"):
        results("hoarding")


def test_a_name_that_could_be_several_is_refused(tmp_path: Path) -> None:
    for agents in (AGENTS[:2], AGENTS[1:]):
        tournament(HOARD, agents, games=1, workers=0)
    with pytest.raises(ConfigError, match="'hoard' could be hoard-"):
        results("hoard")


def test_presets_keep_their_names() -> None:
    game = load_game(HOARD)
    assert shown_names(["greedy:ties=first", "greedy", "random"], game) == ["paper-greedy", "greedy", "random"]
    found = tournament(HOARD, ["paper-greedy", "random"], games=1, workers=0)
    assert [row["agent"] for row in found.agents] == ["paper-greedy", "random"]
    assert found.tournament.agents == ("greedy:ties=first", "random")
