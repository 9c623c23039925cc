"""Tournaments on many machines: what travels, and (long) the same games whatever happens to the nodes."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conftest import HOARD, Run
from meeple.arena.conditions import Conditions
from meeple.arena.ray_crew import Feed, Parcel, RayCrew, parcel_of
from meeple.arena.schedule import GameKey, Lineup
from meeple.arena.store import StoredGame
from meeple.arena.tournament import Ledger, Tournament, play_tournament, prepare_tournament
from meeple.arena.workers import AnyCrew, Job, Setup
from meeple.core.registry import load_game
from meeple.errors import ConfigError

SLOW = """
import os, time
import meeple

class Slow(meeple.Agent):
    def choose(self, turn):
        time.sleep(3600)

class Dies(meeple.Agent):
    def choose(self, turn):
        os._exit(3)

class First(meeple.Agent):
    def choose(self, turn):
        return int(turn.state.legal_actions()[0])
"""


def test_files_travel_by_the_paths_that_name_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "mine.py").write_text(SLOW)
    (tmp_path / "agents" / "helper.py").write_text("X = 1\n")
    (tmp_path / "agents" / "notes.txt").write_text("private")
    game = load_game("santorini")
    parcel = parcel_of(Setup(game=game.origin, agents=("./agents/mine.py:First", "random")), game)
    assert sorted(parcel.files) == ["agents/helper.py", "agents/mine.py"]
    assert parcel.files["agents/mine.py"].decode() == SLOW


def test_a_game_in_a_folder_travels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(HOARD).parent)
    game = load_game("./hoard")
    parcel = parcel_of(Setup(game=game.origin, agents=("random", "random")), game)
    assert "hoard/rules.py" in parcel.files
    assert str(parcel.setup.game).startswith("./hoard")
    assert not any("__pycache__" in name for name in parcel.files)


@pytest.mark.parametrize(
    ("spec", "why"), [("{}/mine.py:First", "cannot travel: name it relative"), ("../mine.py:First", "cannot travel")]
)
def test_what_means_nothing_elsewhere_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str, why: str
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "mine.py").write_text(SLOW)
    monkeypatch.chdir(tmp_path / "here")
    game = load_game("santorini")
    with pytest.raises(ConfigError, match=why):
        parcel_of(Setup(game=game.origin, agents=(spec.format(tmp_path), "random")), game)


def test_a_feed_keeps_what_comes_back_first() -> None:
    feed, jobs = Feed(), [Job(GameKey(Lineup(0, (0, 1)), number, 0), number, (0, 1)) for number in range(4)]
    feed.add(jobs)
    taken = feed.take(2)
    feed.give_back(taken)
    assert [job.seed for job in feed.take(9)] == [0, 1, 2, 3]
    assert feed.take(1) == []


@pytest.mark.parametrize(
    ("flags", "message"),
    [(["--backend", "rya"], "did you mean 'ray'"), (["--address", "127.0.0.1:6379"], "give --backend ray with it")],
)
def test_wrong_flags_are_told(meeple: Run, flags: list[str], message: str) -> None:
    ran = meeple("tournament", "santorini", "-p", "random", "first", "-n", "2", "--store", "t.sqlite", *flags)
    assert ran.returncode == 2
    assert message in ran.stderr


# --- with Ray ---------------------------------------------------------------------------------------------------------


def told(games: list[StoredGame]) -> str:
    """A hash of all that a game is but its times."""
    rows = sorted(
        (g.key.text(), g.seed, g.ranks, g.shares, g.scores, g.plies, g.reason.split(" took ")[0], g.at_fault, g.course)
        for g in games
    )
    assert len({row[0] for row in rows}) == len(rows)
    return hashlib.sha1(repr(rows).encode()).hexdigest()


def played(plan: Tournament, **crew: Any) -> tuple[list[StoredGame], list[str]]:
    """All games of a tournament, on Ray where an address is given, and what was told of nodes."""
    games: list[StoredGame] = []
    words: list[str] = []

    def hear(_ledger: Ledger, found: list[StoredGame]) -> None:
        games.extend(found)
        if "on_games" in crew:
            crew["on_games"](len(games))

    def on_ray(setup: Setup, is_current: Any) -> AnyCrew:
        return RayCrew(setup, address=crew["address"], tell=words.append, is_current=is_current)

    play_tournament(plan, None, workers=2, on_games=hear, crew_for=on_ray if crew else None)
    return games, words


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes of a cluster, on this machine."""
    import ray
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.second = made.add_node(num_cpus=1)
    made.wait_for_nodes()
    yield made
    if ray.is_initialized():
        ray.shutdown()
    made.shutdown()


@pytest.mark.long
def test_a_lost_node_changes_no_game(cluster: Any) -> None:
    plan = prepare_tournament("santorini", ["mcts:iterations=50", "greedy"], games=400, both=True)
    ours, _ = played(plan)

    def lose(n_games: int) -> None:
        if n_games >= 100 and cluster.second is not None:
            cluster.remove_node(cluster.second, allow_graceful=False)
            cluster.second = None

    theirs, words = played(plan, address=cluster.address, on_games=lose)
    assert len(ours) == len(theirs) == 400
    assert told(ours) == told(theirs)
    assert any("is lost" in word for word in words)
    assert sum("is ready" in word for word in words) >= 2


@pytest.mark.long
def test_agents_of_files_hang_and_die_there_as_here(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(SLOW)
    for bad in ("Slow", "Dies"):
        limits = Conditions(move=0.5) if bad == "Slow" else Conditions()
        plan = prepare_tournament(
            "santorini", [f"./mine.py:{bad}", "./mine.py:First"], games=4, both=True, conditions=limits
        )
        ours, _ = played(plan)
        theirs, _ = played(plan, address=cluster.address)
        assert told(ours) == told(theirs)
        assert all(game.at_fault is not None for game in theirs)


@pytest.mark.long
def test_a_game_of_ones_own_is_recorded_as_at_home(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(HOARD).parent)
    plan = prepare_tournament("./hoard:players=2", ["random", "first"], games=4, both=True)
    ours, _ = played(plan)
    theirs, _ = played(plan, address=cluster.address)
    by_key = [{game.key: game.record for game in games} for games in (ours, theirs)]
    assert by_key[0].keys() == by_key[1].keys()
    assert [str(by_key[0][key]).splitlines()[0] for key in sorted(by_key[0])] == [
        str(by_key[1][key]).splitlines()[0] for key in sorted(by_key[1])
    ]


@pytest.mark.long
def test_a_node_of_other_code_is_refused_by_name(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    right = parcel_of

    def wrong(setup: Setup, game: Any) -> Parcel:
        return replace(right(setup, game), signature="0" * 16)

    monkeypatch.setattr("meeple.arena.ray_crew.parcel_of", wrong)
    words: list[str] = []
    plan = prepare_tournament("santorini", ["random", "first"], games=2)
    with RayCrew(plan.setup(), address=cluster.address, tell=words.append) as crew:
        turns = crew.play(Ledger(plan, [], 1))
        assert [next(turns), next(turns)] == [[], []]
    assert any("is not used: it has signature" in word for word in words)


@pytest.mark.long
def test_ctrl_c_leaves_no_process(tmp_path: Path) -> None:
    script = """
        import os, sys
        from meeple.arena.tournament import play_tournament, prepare_tournament
        from meeple.arena.ray_crew import RayCrew
        if __name__ == "__main__":
            plan = prepare_tournament("santorini", ["mcts:iterations=200", "greedy"], games=100_000)
            hear = lambda ledger, games: print("PLAYED", flush=True)
            crew = lambda setup, is_current: RayCrew(setup)
            print(play_tournament(plan, None, workers=2, on_games=hear, crew_for=crew).was_stopped, flush=True)
    """
    (tmp_path / "drive.py").write_text(textwrap.dedent(script))
    environment = os.environ | {"MEEPLE_TEST_MARK": str(tmp_path)}
    driver = subprocess.Popen(
        [sys.executable, "drive.py"], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert driver.stdout is not None
    assert driver.stdout.readline().strip() == "PLAYED"
    driver.send_signal(signal.SIGINT)
    assert driver.stdout.read().splitlines()[-1] == "True"
    assert driver.wait() == 0
    assert [pid for pid in marked(tmp_path) if pid != os.getpid()] == []


def marked(mark: Path) -> list[int]:
    """The processes that have this folder in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if f"MEEPLE_TEST_MARK={mark}".encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found
