"""Opening a record or a store runs nobody's code and opens nobody's file, unless that is allowed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import get_type_hints

import pytest

from conftest import HOARD, TICTACTOE, Run
from meeple.agents.outside import outside_of
from meeple.agents.registry import agent_names, find_agent, load_agent
from meeple.arena.store import Store
from meeple.arena.tournament import prepare_tournament, stored_tournament
from meeple.core.match import Match
from meeple.core.registry import load_game, load_recorded
from meeple.core.settings import settings_of
from meeple.errors import MeepleError, TrustError

TRAP = "from pathlib import Path\nPath({mark!r}).touch()\nfrom meeple import Agent\nclass Trap(Agent):\n    pass\n"


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A folder with a game.py and an agent.py that leave a mark when they run."""
    folder = tmp_path / "trap"
    folder.mkdir()
    (folder / "__init__.py").touch()
    for name in ("game.py", "agent.py"):
        (folder / name).write_text(TRAP.format(mark=str(folder / "sprung")))
    return folder


def was_sprung(trap: Path) -> bool:
    return (trap / "sprung").exists()


@pytest.mark.parametrize("in_spec", [False, True])
def test_a_record_runs_no_folder_that_it_names(trap: Path, in_spec: bool) -> None:
    record = replace(
        Match(TICTACTOE).record(), game=str(trap) if in_spec else "trap", folder="" if in_spec else str(trap)
    )
    with pytest.raises(TrustError, match=r"would run the code in '.*trap.game\.py'.*--trust \(in Python: trust=True\)"):
        Match.from_record(record)
    assert not was_sprung(trap)
    with pytest.raises(MeepleError, match="holds no DEFINITION"):
        Match.from_record(record, trust=True)
    assert was_sprung(trap)


def test_an_installed_game_is_never_taken_from_a_folder(trap: Path) -> None:
    assert load_recorded("santorini", str(trap)).name == "santorini"
    assert not was_sprung(trap)


def test_the_players_own_game_in_a_folder_replays_when_allowed() -> None:
    match = Match(f"{HOARD}:players=2", seed=3)
    match.play(int(match.state.legal_actions()[0]))
    with pytest.raises(TrustError):
        Match.from_record(match.record())
    assert Match.from_record(match.record(), trust=True).state == match.state


def record_with(folder: Path, agent: str) -> Path:
    path = folder / "match.jsonl"
    path.write_text(Match("santorini", seed=1).record([agent, "human"]).text())
    return path


def test_replay_and_resume_ask_before_they_run_a_record(meeple: Run, trap: Path, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    header = Match("santorini").record(["human", "human"]).header() | {"game": "trap", "folder": str(trap)}
    path.write_text(json.dumps(header) + "\n")
    for words in (["replay"], ["replay", "--ply", "0"], ["replay", "--log"], ["play", "--resume"], ["web", "--replay"]):
        ran = meeple(*words, str(path))
        assert ran.returncode == 2, ran.stderr
        assert f"would run the code in '{trap / 'game.py'}'" in ran.stderr
        assert "--trust" in ran.stderr
    assert "WRONG: the game 'trap'" in meeple("replay", "--verify", str(path)).stdout
    assert not was_sprung(trap)
    assert "holds no DEFINITION" in meeple("replay", "--trust", str(path)).stderr
    assert was_sprung(trap)


@pytest.mark.parametrize(
    "spec",
    ["{}/agent.py:Trap", "careless:agent=[{}/agent.py:Trap]", "careless:agent=[none],slip=[{}/agent.py:Trap]"],
)
def test_resuming_asks_before_it_runs_an_agents_file(meeple: Run, trap: Path, tmp_path: Path, spec: str) -> None:
    path = record_with(tmp_path, spec.format(trap))
    ran = meeple("play", "--resume", str(path))
    assert ran.returncode == 2
    assert f"runs the code in '{trap / 'agent.py'}'" in ran.stderr
    assert "allow it with --trust" in ran.stderr
    assert not was_sprung(trap)


def test_what_a_match_of_ones_own_asks_for_is_in_the_command_it_ends_with(meeple: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from meeple import Agent\nclass Mine(Agent):\n    def choose(self, turn):\n        return 0\n"
    )
    left = meeple("play", "santorini", "human", "./mine.py:Mine", input="quit\n").stdout
    assert ".jsonl --trust" in left
    saved = next((tmp_path / "data" / "matches").iterdir())
    assert meeple("play", "--resume", str(saved), "--trust", input="quit\n").returncode == 0
    ended = meeple("play", TICTACTOE, "first", "first").stdout
    assert "see it again with" in ended
    assert ended.rstrip().endswith("--trust")
    assert not meeple("play", "santorini", "human", "first", input="quit\n").stdout.rstrip().endswith("--trust")


def test_a_store_runs_neither_its_game_nor_its_agents(meeple: Run, trap: Path, tmp_path: Path) -> None:
    plan = prepare_tournament("santorini", ["random", "first"], games=2)
    stores = {
        "game.py": plan.configuration() | {"game": "trap", "folder": str(trap)},
        "agent.py": plan.configuration() | {"agents": ["random", f"{trap}/agent.py:Trap"]},
    }
    for name, configuration in stores.items():
        path = tmp_path / f"{name}.sqlite"
        Store.open(path, configuration).close()
        with Store.read(path) as store, pytest.raises(TrustError):
            stored_tournament(store)
        ran = meeple("results", str(path))
        assert ran.returncode == 2
        assert str(trap / name) in ran.stderr
        assert "--trust" in ran.stderr
        assert meeple("results").returncode == 0  # to list stores opens nothing
    assert not was_sprung(trap)


def test_a_store_of_an_agent_that_is_gone_is_still_shown(tmp_path: Path) -> None:
    plan = prepare_tournament("santorini", ["random", "first"], games=2)
    Store.open(tmp_path / "x.sqlite", plan.configuration() | {"agents": ["random", "no-such-agent"]}).close()
    with Store.read(tmp_path / "x.sqlite") as store:
        assert stored_tournament(store).agents == ("random", "no-such-agent")


@pytest.mark.parametrize(
    ("game", "spec", "said"),
    [
        ("sagrada", "./mine.py:Agent", "runs the code in './mine.py'"),
        ("sagrada", "minimax:config=w.json", "opens the file 'w.json'"),
        ("sagrada", "minimax-config_file=w.json", "opens the file 'w.json'"),  # respelt by the game
        ("sagrada", "paper-minimax:config=w.json", "opens the file 'w.json'"),  # over a preset
        ("sagrada", "greedy:evaluation=thesis@w", "opens the file 'w'"),
        ("sagrada", "ismcts:cutoff=1,evaluation=thesis@w", "opens the file 'w'"),
        ("sagrada", "mcts:worlds=1,playout=first@w", "opens the file 'w'"),
        ("sagrada", "policy:name=first@w", "opens the file 'w'"),
        ("sagrada", "careless:agent=[minimax:worlds=1,config=w],slip=[random]", "opens the file 'w'"),
        ("sagrada", "careless:slip=[careless:agent=[minimax-config_file=w]]", "opens the file 'w'"),
        ("sagrada", 'careless:agent="[minimax:config=w]"', "opens the file 'w'"),
        ("sagrada", "careless:agent=[no-such],slip=[a.py:B]", "runs the code in 'a.py'"),
        ("sagrada", "mcts:playout=[minimax:depth=1,config=w]", "opens the file 'w'"),
        ("sagrada", "minimax:depth=2,worlds=3,evaluation=thesis", ""),
        ("sagrada", "mcts:worlds=2,prior=[minimax:depth=2],playout=rules-dtfm", ""),
        ("sagrada", "no-such-agent:config=w", ""),
        ("sagrada", "minimax:config=[", ""),
    ],
)
def test_what_a_spec_names_is_said_by_its_settings(game: str, spec: str, said: str) -> None:
    assert [str(found) for found in outside_of(spec, load_game(game))] == ([said] if said else [])


def test_looking_opens_nothing(trap: Path) -> None:
    weights = trap / "missing.json"
    spec = f"minimax:worlds=1,config={weights}"
    assert outside_of(spec, load_game("sagrada"))
    with pytest.raises(MeepleError, match="cannot be read"):  # as loading it would
        load_agent(spec, load_game("sagrada"))
    assert outside_of(f"{trap}/agent.py:Trap", load_game("sagrada"))
    assert not was_sprung(trap)


def test_every_text_setting_of_ours_says_what_it_names() -> None:
    for name in agent_names():
        kind = find_agent(name)
        for found in settings_of(kind):
            if get_type_hints(kind)[found.name] is str and not found.metadata["choices"]:
                assert found.metadata["names"], f"{found.name} of {name}"


def test_a_text_setting_that_does_not_say_is_taken_for_the_worst(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "toy-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[meeple.agents]\nquiet = toy_quiet:Quiet\n")
    (tmp_path / "toy_quiet.py").write_text(
        "from dataclasses import dataclass\nfrom meeple import Agent, setting\n\n@dataclass(kw_only=True)\n"
        "class Quiet(Agent):\n    book: str = setting('', 'a book')\n"
        "    engine: str = setting('', 'x', names='command')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert [str(found) for found in outside_of("quiet:book=x,engine=rm")] == [
        "sets 'book' of agent 'quiet', which does not say whether it names a file",
        "starts the command 'rm'",
    ]
    assert outside_of("quiet") == []
