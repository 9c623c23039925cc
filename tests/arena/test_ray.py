"""Games on many machines: what travels, a crew for all setups, and (long) the same games whatever happens to nodes."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from conftest import HOARD, Run
from meeple.arena.conditions import Conditions
from meeple.arena.ray_crew import Feed, Parcel, Post, RayBackend, RayCrew, parcel_of
from meeple.arena.schedule import GameKey, Lineup
from meeple.arena.store import StoredGame
from meeple.arena.tournament import Ledger, Tournament, play_tournament, prepare_tournament
from meeple.arena.workers import Alone, AnyCrew, Job, JobSource, MakesCrew, Player, Setup
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


def test_models_of_ones_own_travel_by_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEEPLE_DATA_DIR", str(tmp_path))
    (tmp_path / "models" / "santorini").mkdir(parents=True)
    for name in ("mine", "other"):
        (tmp_path / "models" / "santorini" / f"{name}.npz").write_bytes(name.encode())
    game = load_game("santorini")
    agents = ("mcts:playout=[greedy:evaluation=model@mine]", "greedy:evaluation=model@summit")
    parcel = parcel_of(Setup(game=game.origin, agents=agents), game)
    assert parcel.files == {".meeple/models/santorini/mine.npz": b"mine"}


def jobs_of(n: int, seed: int = 0) -> list[Job]:
    return [Job(GameKey(Lineup(0, (0, 1)), number, 0), seed + number, (0, 1)) for number in range(n)]


def parcel_for(*agents: str, game: str = "santorini", files: dict[str, bytes] | None = None) -> Parcel:
    return Parcel(Setup(game=game, agents=agents, keeps="courses"), files or {}, "", "")


def test_a_feed_keeps_what_comes_back_first() -> None:
    feed, jobs = Feed(parcel_for("first", "first")), jobs_of(4)
    feed.add(jobs)
    taken = feed.take(2)
    feed.give_back(taken)
    assert [job.seed for job in feed.take(9)] == [0, 1, 2, 3]
    assert feed.take(1) == []


def told(games: list[StoredGame]) -> str:
    """A hash of all that a game is but its times."""
    rows = sorted(
        (g.key.text(), g.seed, g.ranks, g.shares, g.scores, g.plies, g.reason.split(" took ")[0], g.at_fault, g.course)
        for g in games
    )
    assert len({row[0] for row in rows}) == len(rows)
    return hashlib.sha1(repr(rows).encode()).hexdigest()


TOURNAMENT = "tournament santorini -p random first -n 2 --store t.sqlite"
TUNE = "tune santorini greedy:evaluation=climb --space evaluation.turn=0..9"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (f"{TOURNAMENT} --backend rya", "did you mean 'ray'"),
        (f"{TOURNAMENT} --address 127.0.0.1:6379", "give --backend ray with it"),
        (f"{TUNE} --backend rya", "did you mean 'ray'"),
        (f"{TUNE} --backend ray", "travel by relative paths: give --folder"),
        ("reproduce --quick --backend rya", "did you mean 'ray'"),
        ("gate santorini greedy random --backend rya", "did you mean 'ray'"),
        ("stats santorini --address 127.0.0.1:6379", "give --backend ray with it"),
    ],
)
def test_wrong_flags_are_told(meeple: Run, words: str, message: str) -> None:
    ran = meeple(*words.split())
    assert ran.returncode == 2
    assert message in ran.stderr


# --- a node and a driver, without Ray ---------------------------------------------------------------------------------


class Here:
    """Stands in for a node's crew: plays in the thread that asks."""

    made: ClassVar[list[Here]] = []
    killed = 0

    def __init__(self, setup: Setup, workers: int) -> None:
        self.setup, self.alone, self.changes = setup, Alone(setup), 0
        self.made.append(self)

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *found: object) -> None:
        self.alone.__exit__(*found)

    def change(self, setup: Setup) -> None:
        self.alone.change(setup)
        self.setup, self.changes = setup, self.changes + 1

    def play(self, source: JobSource) -> Iterator[list[StoredGame]]:
        while not source.is_done:
            yield list(self.alone.player.play(source.take(1)))


@pytest.fixture
def node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that a `Post` may leave, in a process that lends it its working folder and its environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEEPLE_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(Here, "made", [])
    monkeypatch.setattr("meeple.arena.ray_crew.Crew", Here)
    return tmp_path


def exchanged(post: Post, jobs: list[Job]) -> list[StoredGame]:
    """Give a post jobs and wait for as many games."""
    games: list[StoredGame] = []
    while len(games) < len(jobs):
        found, _left, _is_ready, _killed, fault = post.exchange([] if games else jobs, 60)
        assert not fault
        games += found
    return games


def test_a_post_plays_one_setup_after_another(node: Path) -> None:
    likes = [b'{"turn": 40}', b'{"turn": 0, "centre": 9}']
    parcels = [parcel_for("greedy:evaluation=climb@w.json", "random", files={"w.json": each}) for each in likes]
    parcels.append(parcel_for("random", "first", game=HOARD))
    post = Post(parcels[0], workers=1)
    post.begin()
    found = []
    for parcel in parcels:
        if parcel is not post.feed.parcel:
            post.change(parcel)
        games = exchanged(post, jobs_of(6))
        assert told(games) == told(list(Player(parcel.setup).play(jobs_of(6))))
        found.append(told(games))
    post.feed.is_done = True
    assert len(set(found)) == 3
    assert [crew.changes for crew in Here.made] == [1, 0]  # another game has another crew


def test_games_of_the_last_setup_are_dropped(node: Path) -> None:
    post = Post(parcel_for("first", "random"), workers=1)
    post.begin()
    post.exchange(jobs_of(50, seed=1000), 0)
    while post.feed.found.empty():
        pass
    post.change(parcel_for("random", "first"))
    assert sorted(game.seed for game in exchanged(post, jobs_of(9))) == list(range(9))
    post.feed.is_done = True
    assert [crew.changes for crew in Here.made] == [1]


class Lost(Exception):
    """Stands in for Ray's word that an actor is gone."""


class FakeRay:
    """Stands in for Ray: actors are objects in this process, and what they are asked they do when it is waited for."""

    def __init__(self, *nodes: str) -> None:
        self.hosts, self.log = nodes, list[str]()
        self.lost: set[str] = set()  # nodes whose actors answer no more
        self.exceptions = SimpleNamespace(RayError=Lost)
        strategies = SimpleNamespace(NodeAffinitySchedulingStrategy=lambda name, soft: name)
        self.util = SimpleNamespace(scheduling_strategies=strategies)

    def is_initialized(self) -> bool:
        return self.log.count("init") > self.log.count("shutdown")

    def init(self, **_: object) -> None:
        self.log.append("init")

    def shutdown(self) -> None:
        self.log.append("shutdown")

    def nodes(self) -> list[dict[str, Any]]:
        facts = {"Alive": True, "Resources": {"CPU": 1.0}, "NodeManagerAddress": "10.0.0.1"}
        return [{"NodeID": name, **facts} for name in self.hosts]

    def remote(self, kind: Any) -> Any:
        def options(*, scheduling_strategy: str, **_: object) -> Any:
            return SimpleNamespace(remote=lambda *given: self.hired(scheduling_strategy, kind(*given)))

        return SimpleNamespace(options=options)

    def hired(self, name: str, post: Post) -> Any:
        self.log.append(f"hire {name}")
        self.lost.discard(name)
        methods = ("about", "begin", "change", "exchange")
        calls = {method: SimpleNamespace(remote=self.asking(name, getattr(post, method))) for method in methods}
        return SimpleNamespace(name=name, post=post, **calls)

    def asking(self, name: str, method: Any) -> Any:
        def asked(*given: object) -> Any:
            if method.__name__ == "begin":
                return method()
            return lambda: (name, method, given)

        return asked

    def wait(self, answers: list[Any], **_: object) -> tuple[list[Any], list[Any]]:
        return answers, []

    def get(self, answer: Any, timeout: float = 0.0) -> Any:
        name, method, given = answer()
        if name in self.lost:
            raise Lost
        return method(*given)

    def kill(self, actor: Any) -> None:
        self.log.append(f"kill {actor.name}")
        actor.post.feed.is_done = True


@pytest.fixture
def ray(node: Path, monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    made = FakeRay("a", "b")
    monkeypatch.setattr("meeple.arena.ray_crew._ray", lambda: made)
    monkeypatch.setattr("meeple.arena.ray_crew.WAIT", 0.01)
    return made


PLANS = [("santorini", ["first", "random"]), ("santorini", ["random", "greedy"]), ("azul", ["random", "first"])]


def all_played(crew_for: MakesCrew | None, lose: Any = lambda: None) -> list[str]:
    """Hashes of the games of three tournaments, one after the other; `lose` is called after each."""
    found = []
    for game, agents in PLANS:
        games: list[StoredGame] = []
        plan = prepare_tournament(game, agents, games=12, both=True, keeps="courses")
        play_tournament(plan, None, workers=0, on_games=lambda _, some, to=games: to.extend(some), crew_for=crew_for)
        found.append(told(games))
        lose()
    return found


def test_a_command_has_one_crew_for_all_that_it_plays(ray: FakeRay) -> None:
    words: list[str] = []
    with RayBackend(tell=words.append) as backend:
        found = all_played(backend)
    assert found == all_played(None)
    assert ray.log == ["init", "hire a", "hire b", "kill a", "kill b", "shutdown"]
    assert [crew.changes for crew in Here.made] == [1, 1, 0, 0]
    assert sum("gets ready for azul" in word for word in words) == 2


def test_a_node_that_is_lost_between_two_setups_changes_no_game(ray: FakeRay) -> None:
    words: list[str] = []
    with RayBackend(tell=words.append) as backend:
        found = all_played(backend, lose=lambda: ray.lost.add("b"))
    assert found == all_played(None)
    assert ray.log.count("hire a") == 1
    assert ray.log.count("hire b") == 3
    assert sum("is lost (Lost)" in word for word in words) == 2


def test_a_node_of_other_code_is_refused_for_the_setup_that_needs_it(
    ray: FakeRay, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = Post.about
    first = parcel_of(prepare_tournament(*PLANS[0]).setup(), load_game(PLANS[0][0])).signature

    def other(self: Post) -> dict[str, str]:
        told = about(self)
        return told if told["signature"] == first else told | {"signature": "0" * 16}

    words: list[str] = []

    def looked_for_nodes(crew: AnyCrew, plan: Tournament) -> set[str]:
        turns = crew.play(Ledger(plan, [], 1))
        next(turns), next(turns)
        return set(crew.nodes)  # type: ignore[attr-defined]

    plans = [prepare_tournament(game, agents) for game, agents in PLANS[:2]]
    with RayBackend(tell=words.append) as backend, backend(plans[0].setup(), lambda: True) as crew:
        assert looked_for_nodes(crew, plans[0]) == {"a", "b"}
        monkeypatch.setattr(Post, "about", other)
        crew.change(plans[1].setup())
        assert looked_for_nodes(crew, plans[1]) == set()
        crew.change(plans[0].setup())
        assert looked_for_nodes(crew, plans[0]) == {"a", "b"}
    refusals = [word for word in words if "is not used: it has signature 0000000000000000" in word]
    assert len(refusals) == 2  # it is not asked again and again
    assert ray.log.count("hire a") == ray.log.count("hire b") == 2


# --- with Ray ---------------------------------------------------------------------------------------------------------


def played(plan: Tournament, **crew: Any) -> tuple[list[StoredGame], list[str]]:
    """All games of a tournament, on Ray where an address is given, and what was told of nodes."""
    games: list[StoredGame] = []
    words: list[str] = []

    def hear(_ledger: Ledger, found: list[StoredGame]) -> None:
        games.extend(found)
        if "on_games" in crew:
            crew["on_games"](len(games))

    def on_ray(setup: Setup, is_current: Any) -> RayCrew:
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


TUNE_IT = "tune santorini greedy:evaluation=climb --against random --space evaluation.turn=0..40"


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        f"{TUNE_IT} -n 2 --games 8 --check 8 --folder tuned --fresh --json",
        "reproduce small 8 --file small.toml --quick --json",  # which trains a model, and then plays it by its name
        "stats santorini -p greedy random -n 12 --judge climb",
    ],
)
def test_commands_say_there_what_they_say_here(cluster: Any, meeple: Run, tmp_path: Path, words: str) -> None:
    shutil.copy(Path(__file__).parents[1] / "lab" / "small.toml", tmp_path)
    here = meeple(*words.split(), env={"MEEPLE_DATA_DIR": str(tmp_path / "here")})
    on_ray = ["--backend", "ray", "--address", cluster.address]
    there = meeple(*words.split(), *on_ray, env={"MEEPLE_DATA_DIR": str(tmp_path / "there")})
    assert here.returncode == there.returncode == 0, here.stderr + there.stderr
    assert "gets ready with" in there.stderr
    assert timeless(here.stdout) == timeless(there.stdout)


def timeless(text: str) -> list[str]:
    """What a command printed, without what the clock said, the widths of columns, and the command that repeats it."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return [line for line in lines if not line.startswith(("milliseconds", '"again"'))]


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
