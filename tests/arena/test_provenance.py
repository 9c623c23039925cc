"""Games of different code are not counted together: signatures, samples played again, marks."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import HOARD, Run
from meeple import load_game
from meeple.arena.conditions import Conditions
from meeple.arena.ladder import ladder
from meeple.arena.provenance import choose_sample, sample_again, signature_for
from meeple.arena.report import Report
from meeple.arena.store import Store, StoredGame, hash_of
from meeple.arena.tournament import Tournament, merge, play_tournament, prepare_tournament, stored_tournament
from meeple.arena.workers import JobSource, Player, Setup
from meeple.cli.results import _certify as certify
from meeple.core import signature as signatures
from meeple.errors import ConfigError, StoreError

GAME = f"{HOARD}:players=2"
AGENT = """
from pathlib import Path

from meeple import Agent

PLACE = int(Path(__file__).with_name("place.txt").read_text())


class Placed(Agent):
    def choose(self, turn):
        legal = turn.state.legal_actions()
        return int(legal[min(PLACE, len(legal) - 1)])
"""


class InProcess:
    """Plays as a crew does, without processes, which take long to start."""

    def __init__(self, setup: Setup, workers: int, is_current: object = None) -> None:
        self.player, self.killed = Player(setup), 0

    def __enter__(self) -> InProcess:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def play(self, source: JobSource) -> Iterator[list[StoredGame]]:
        while not source.is_done:
            yield list(self.player.play(source.take(10)))


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("meeple.arena.provenance.Crew", InProcess)
    monkeypatch.setattr("meeple.arena.workers.Crew", InProcess)


@pytest.fixture
def agent(tmp_path: Path) -> str:
    (tmp_path / "place.txt").write_text("0")
    (tmp_path / "placed.py").write_text(AGENT)
    return f"{tmp_path / 'placed.py'}:Placed"


def play(tournament: Tournament, path: Path, *, mixed: bool = False) -> tuple[Report, list[str]]:
    told: list[str] = []
    with Store.open(path, tournament.configuration()) as store:
        outcome = play_tournament(tournament, store, mixed=mixed, tell=told.append)
        return Report(tournament, outcome.ledger, store), told


def code_of(path: Path) -> list[dict[str, object]]:
    with Store.read(path) as store:
        return store.code


@pytest.mark.usefixtures("in_process")
def test_a_store_goes_on_under_the_same_code_and_under_remarks(agent: str, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    _, told = play(prepare_tournament(GAME, [agent, "first"], games=2), path)
    file = tmp_path / "placed.py"
    file.write_text(
        AGENT.replace("class Placed", "# A remark.\nclass Placed").replace("(self, turn)", "(self, turn) -> int")
    )
    report, more = play(prepare_tournament(GAME, [agent, "first"], games=4), path)
    assert (report.games, told, more) == (4, [], [])
    assert [entry["how"] for entry in code_of(path)] == ["played"]
    assert {"numba", "numpy", "python", "meeple", "date"} <= set(code_of(path)[0])


@pytest.mark.usefixtures("in_process")
def test_code_that_plays_the_same_is_certified_by_a_sample(agent: str, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    few = prepare_tournament(GAME, [agent, "first", "random"], games=10)
    play(few, path)
    (tmp_path / "placed.py").write_text(AGENT.replace("int(legal", "0 + int(legal"))
    report, told = play(few, path)
    assert "holds 30 games of other code" in told[0]
    assert told[1].startswith("all came out the same")
    first, second = code_of(path)
    assert (first["how"], second["how"], second["games"]) == ("played", "certified", 30)
    assert int(str(second["sample"])) >= 20
    assert not report.as_json()["mixed"]
    assert play(few, path)[1] == []  # once is enough
    (tmp_path / "placed.py").write_text(AGENT)
    assert play(few, path)[1] == []  # and the old code is known still


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize("file", ["placed.py", "place.txt"])
def test_code_or_data_that_plays_otherwise_is_refused_or_marked(file: str, agent: str, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    play(prepare_tournament(GAME, [agent, "first"], games=4), path)
    before = path.read_bytes()
    if file == "place.txt":
        (tmp_path / file).write_text("1")
    else:
        (tmp_path / file).write_text(AGENT.replace("legal[min(PLACE, len(legal) - 1)]", "legal[-1]"))
    more = prepare_tournament(GAME, [agent, "first"], games=6)
    with pytest.raises(
        ConfigError, match=r"4 games of other code .* played again came out otherwise, such as 1\+2/"
    ) as no:
        play(more, path)
    assert all(word in str(no.value) for word in ("--fresh", "--store", "--mixed"))
    with Store.read(path) as store:
        assert (store.count(), len(store.code)) == (4, 1)
    assert len(before) == path.stat().st_size
    report, told = play(more, path, mixed=True)
    assert report.games == 6
    assert "counted together" in told[-1]
    marks = [line for line in report.remarks() if line.startswith("mixed")]
    assert len(marks) == 1
    assert all(str(entry["signature"]) in marks[0] for entry in code_of(path))
    assert report.as_json()["mixed"]
    # Shown later it is marked still; going on under the same code needs no further word.
    with Store.read(path) as store:
        plan = stored_tournament(store, trust=True)
    assert any(line.startswith("mixed") for line in play(plan, path)[0].remarks())


@pytest.mark.usefixtures("in_process")
def test_a_store_from_before_signatures_takes_the_same_path(agent: str, tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    tournament = prepare_tournament(GAME, [agent, "first"], games=3)
    play(tournament, path)
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM meta WHERE key = 'code'")
        found = json.loads(connection.execute("SELECT value FROM meta WHERE key = 'configuration'").fetchone()[0])
        found["files"] = {"placed.py:Placed": "0123456789abcdef"}  # as such stores had it
        connection.execute("UPDATE meta SET value = ? WHERE key = 'configuration'", (json.dumps(found),))
        connection.execute("UPDATE meta SET value = ? WHERE key = 'hash'", (hash_of(found),))
    connection.close()
    _, told = play(tournament, path)
    assert "unknown, from before it was kept" in told[0]
    assert [entry["how"] for entry in code_of(path)] == ["unknown", "certified"]


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize("why", ["clock", "agent", "within"])
def test_games_under_limits_of_time_cannot_be_compared(why: str, tmp_path: Path) -> None:
    path = tmp_path / "timed.sqlite"
    timed = {"clock": "first", "agent": "ismcts:time=1ms", "within": "careless:agent=[ismcts:time=1ms],share=0.9"}
    conditions = Conditions(clock=60.0) if why == "clock" else None
    tournament = prepare_tournament(GAME, [timed[why], "first"], games=1, conditions=conditions)
    play(tournament, path)
    with Store.open(path, tournament.configuration()) as store:
        store.set_code([])
    with pytest.raises(ConfigError, match=r"games under limits of time.* cannot be compared"):
        play(tournament, path)
    assert "cannot be compared" in play(tournament, path, mixed=True)[1][-1]


@pytest.mark.usefixtures("in_process")
def test_a_sample_has_every_agent_and_is_spread_over_the_store(tmp_path: Path) -> None:
    path = tmp_path / "many.sqlite"
    agents = ["first", "random", *(f"random:seed={seed}" for seed in range(1, 5))]
    tournament = prepare_tournament(GAME, agents, games=40, schedule="gauntlet")
    play(tournament, path)
    with Store.read(path) as store:
        sample = choose_sample(store, tournament)
        assert len({game.key for game in sample}) == len(sample) >= 20
        assert len(sample) < 60
        for number in range(len(agents)):
            assert sum(number in game.key.lineup.agents for game in sample) >= 3
        assert max(game.key.number for game in sample) > 20
        assert [game.key for game in choose_sample(store, tournament)] == [game.key for game in sample]
        other = prepare_tournament(GAME, ["first", "random:seed=9", *agents[2:]], games=40, schedule="gauntlet")
        found = [game for game in sample_again(other, store, sample, 1) if game is not None]
    assert found
    assert {game.key.lineup.agents for game in found} == {(0, 1)}  # only the games of the agent that differs


@pytest.mark.usefixtures("in_process")
def test_the_ladder_leaves_out_what_other_code_played(agent: str, tmp_path: Path) -> None:
    ours, theirs, game = tmp_path / "a.sqlite", tmp_path / "b.sqlite", load_game(GAME)
    play(prepare_tournament(GAME, ["random", "first"], games=4), ours)
    play(prepare_tournament(GAME, [agent, "first"], games=4), theirs)
    assert ladder(game, [ours, theirs])[1:] == (8, [])
    (tmp_path / "place.txt").write_text("1")
    _, games, left_out = ladder(game, [ours, theirs])
    assert games == 4
    assert "b.sqlite: games of other code; `meeple results" in left_out[0]
    assert ladder(game, [ours, theirs], mixed=True)[1:] == (8, [])
    play(prepare_tournament(GAME, [agent, "first"], games=4), theirs, mixed=True)
    assert "games of different code" in ladder(game, [ours, theirs])[2][0]


@pytest.mark.usefixtures("in_process")
def test_stores_of_different_code_are_merged_only_with_a_mark(agent: str, tmp_path: Path) -> None:
    one, two, both = (tmp_path / f"{name}.sqlite" for name in ("one", "two", "both"))
    play(prepare_tournament(GAME, [agent, "first"], games=2), one)
    (tmp_path / "placed.py").write_text(AGENT.replace("int(legal", "0 + int(legal"))
    play(prepare_tournament(GAME, [agent, "first"], games=4), two)
    with pytest.raises(ConfigError, match=r"games of different code.*--certify.*--mixed"):
        merge([one, two], both)
    assert not both.exists()
    assert merge([one, two], both, mixed=True) == 4
    assert {entry["how"] for entry in code_of(both)} == {"mixed"}
    play(prepare_tournament(GAME, [agent, "first"], games=2), one)  # certified for the newer code
    assert merge([one, two], tmp_path / "sound.sqlite") == 4
    assert "mixed" not in {entry["how"] for entry in code_of(tmp_path / "sound.sqlite")}


def test_the_words_of_the_command_line(agent: str, tmp_path: Path, meeple: Run) -> None:
    path = tmp_path / "store.sqlite"
    command = ["tournament", GAME, "-p", agent, "first", "-n", "2", "--workers", "1", "--store", str(path)]
    assert meeple(*command).returncode == 0
    (tmp_path / "place.txt").write_text("1")
    refused = meeple(*command)
    assert refused.returncode == 2
    assert "--mixed counts them together in a table that says so" in refused.stderr
    marked = meeple(*command, "--mixed")
    assert marked.returncode == 0
    assert re.search(r"^mixed  games of different code", marked.stdout, re.MULTILINE)
    assert re.search(r"^mixed  games of different code", meeple("results", str(path), "--trust").stdout, re.MULTILINE)


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize("text", ["{", "[1]", '[{"signature": 1, "how": "played"}]', '[{"how": "played"}]'])
def test_a_damaged_list_of_code_is_told(text: str, agent: str, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    play(prepare_tournament(GAME, [agent, "first"], games=1), path)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'code'", (text,))
    connection.close()
    with pytest.raises(StoreError, match="is damaged"):
        code_of(path)


@pytest.mark.usefixtures("in_process")
def test_a_store_is_certified_by_a_command(agent: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "store.sqlite"
    play(prepare_tournament(GAME, [agent, "first"], games=2), path)
    certify(path, trust=True)
    assert "nothing to certify" in capsys.readouterr().out
    (tmp_path / "placed.py").write_text(AGENT.replace("int(legal", "0 + int(legal"))
    certify(path, trust=True)
    assert "2 of them are played again\nall came out the same" in capsys.readouterr().out
    (tmp_path / "place.txt").write_text("1")
    with pytest.raises(ConfigError, match="came out otherwise"):
        certify(path, trust=True)


# --- what the signature of a tournament holds


def test_other_games_and_searches_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("santorini")
    before = signature_for(game, ["mcts", "greedy"])
    real, touched = signatures.digest_of, set[str]()
    monkeypatch.setattr(signatures, "digest_of", lambda path: touched.add(str(path)) or real(path))
    assert signature_for(game, ["mcts", "greedy"]) == before
    names = {Path(path).relative_to(signatures.PACKAGE).as_posix() for path in touched}
    assert {"games/santorini/rules.py", "games/santorini/heuristics.py", "search/greedy.py", "search/mcts.py"} <= names
    assert {"core/game.py", "core/chance.py", "core/derived.py", "agents/mcts.py"} <= names
    assert not any(name.startswith(("web/", "cli/")) for name in names)
    assert not [name for name in names if name.startswith("games/") and "santorini" not in name and "/" in name[6:]]
    assert not names & {"search/expectimax.py", "games/santorini/picture.py", "games/santorini/view.py"}
    assert signature_for(game, ["greedy"]) != before
    assert signature_for(load_game("azul"), ["mcts", "greedy"]) != before


@pytest.mark.parametrize("name", ["engine.py", "inside.py", "openings.py", "conditions.py"])
def test_how_matches_are_run_counts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, real = load_game("santorini"), signatures.digest_of
    before = signature_for(game, ["first"])
    other = {signatures.PACKAGE / "arena" / name}
    monkeypatch.setattr("meeple.arena.provenance.digest_of", lambda path: "other" if path in other else real(path))
    assert signature_for(game, ["first"]) != before


def test_files_that_settings_name_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game = load_game(GAME)
    specs = ["alphabeta:config=weights.json", "greedy:evaluation=default@weights.json", "mcts:playout=greedy@mine"]
    specs += ["careless:agent=[alphabeta:config=weights.json]", "alphabeta:config=mine", "greedy:bias=high@mine"]
    for name in ("weights.json", "mine"):
        (tmp_path / name).write_text("{}")
    before = [signature_for(game, [spec]) for spec in specs]
    for name in ("weights.json", "mine"):
        (tmp_path / name).write_text('{"gold": 2}')
        os.utime(tmp_path / name, (time.time(), time.time()))
    assert all(signature_for(game, [spec]) != old for spec, old in zip(specs, before, strict=True))


def test_the_signature_knows_the_files_of_the_engine() -> None:
    from meeple.arena.provenance import _RUNNERS

    assert [path.name for path in _RUNNERS if path.is_file()] == [
        "engine.py",
        "inside.py",
        "openings.py",
        "conditions.py",
    ]
