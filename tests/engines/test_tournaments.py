"""Engines and their workers in whole tournaments, and what is left of them: nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from conftest import HOARD, ROOT, TICTACTOE
from engines.table import FAULTS, MARK, all_end, spec_of
from meeple.agents.engines.external import External
from meeple.agents.registry import load_agent
from meeple.arena.conditions import Conditions
from meeple.arena.engine import play_game
from meeple.arena.store import Store, StoredGame
from meeple.arena.tournament import Outcome, play_tournament, prepare_tournament
from meeple.core.registry import load_game

GAMES = (
    "santorini",
    "azul:players=3",
    "ingenious:players=2",
    "sagrada:players=2",
    "saboteur:players=4",
    "saboteur-duel",
)
MIRROR = f"{Path(__file__).with_name('mirror.py')}:Mirror"

# Starts a program, and then hangs or ends its process.
LEAVING = f"""
import os
import subprocess
import sys
from dataclasses import dataclass

from meeple import Agent, setting


@dataclass(kw_only=True)
class Leaving(Agent):
    ends: bool = setting(True, "end the process, or else hang")

    def choose(self, turn):
        subprocess.Popen([sys.executable, "-I", "-S", "-c", "import signal; signal.pause()", "{MARK}"])
        while not self.ends:
            pass
        os._exit(5)
"""


@pytest.fixture
def leaving(tmp_path: Path) -> str:
    path = tmp_path / "leaving.py"
    path.write_text(LEAVING)
    return f"{path}:Leaving"


def played(
    agents: list[str], path: Path, *, games: int, workers: int, conditions: Conditions | None = None
) -> tuple[Outcome, list[StoredGame]]:
    plan = "gauntlet" if len(agents) > 2 else "table"
    tournament = prepare_tournament(
        TICTACTOE, agents, games=games, schedule=plan, both=True, openings="none", conditions=conditions
    )
    with Store.open(path, tournament.configuration()) as store:
        outcome = play_tournament(tournament, store, workers=workers)
        return outcome, list(store.games())


def test_what_an_agent_has_started_ends_with_its_worker(leaving: str, tmp_path: Path) -> None:
    outcome, games = played([leaving, "first"], tmp_path / "left.sqlite", games=2, workers=1)
    assert [game.at_fault is not None for game in games] == [True, True]
    assert outcome.killed == 0
    assert all_end()


def test_an_engine_ends_with_whoever_started_it_however_that_ends() -> None:
    command = spec_of("hang", is_in_shell=True).split('"')[1]
    code = (
        "import os, signal\nfrom meeple.agents.engines.process import EngineProcess\n"
        f'engine = EngineProcess({command!r})\nengine.send(b\'{{"type":"hello","id":1}}\\n\')\n'
        "assert engine.receive(60)\nprint(os.getpid(), flush=True)\nos.kill(os.getpid(), signal.SIGKILL)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (-9, "")
    assert all_end()


@pytest.mark.long
def test_a_hundred_faulty_games_lose_nothing_and_leave_nothing(tmp_path: Path) -> None:
    faults = ["none", *FAULTS]
    # A shell tells of a signal otherwise.
    agents = [spec_of(fault, is_in_shell=number % 2 == 1 and fault != "abort") for number, fault in enumerate(faults)]
    outcome, games = played(["first", *agents], tmp_path / "faults.sqlite", games=4, workers=2)
    assert all_end()
    assert outcome.killed == 0
    assert len(games) == 4 * len(faults) > 100
    for game in games:
        agent = game.key.lineup.agents[1]
        seat = outcome.tournament.schedule.seated(game.key).index(agent)
        expected = (None, "") if agent == 1 else (seat, FAULTS[faults[agent - 1]])
        assert (game.at_fault, expected[1] in game.reason) == (expected[0], True), game.reason


@pytest.mark.long
def test_engines_end_with_a_worker_that_is_killed(leaving: str, tmp_path: Path) -> None:
    agents = [f"{leaving}:ends=no", spec_of("none", is_in_shell=True)]
    conditions = Conditions(move=0.2)
    outcome, games = played(agents, tmp_path / "killed.sqlite", games=4, workers=2, conditions=conditions)
    assert ["did not come back within" in game.reason for game in games] == [True] * 4
    assert outcome.killed == 0
    assert all_end()


@pytest.mark.long
def test_starting_up_is_not_on_the_clock(tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    text = (ROOT / "src/meeple/cli/templates/engine/engine.py.txt").read_text()
    slow.write_text(text.replace("import json\n", "import json\nimport time\n\ntime.sleep(1.5)\n"))
    agents = [f'engine:command="{sys.executable} {slow}"', "first"]
    _, games = played(agents, tmp_path / "slow.sqlite", games=2, workers=1, conditions=Conditions(move=0.5))
    assert [game.reason for game in games] == ["", ""]


@pytest.mark.long
@pytest.mark.parametrize("spec", [*GAMES, f"{HOARD}:players=3"])
def test_our_own_engines_play_every_game_as_their_agents_do(spec: str) -> None:
    game = load_game(spec)
    mirror, first = load_agent(MIRROR, game), load_agent("first", game)
    served = External(command=f"{sys.executable} -m meeple engine {game.origin} {MIRROR}")
    for seed in range(2):
        seats = range(game.seats)
        direct = play_game(game, [first if seat % 2 else mirror for seat in seats], seed=seed)
        other = play_game(game, [first if seat % 2 else served for seat in seats], seed=seed)
        assert (other.reason, other.codes) == (direct.reason, direct.codes)
    served.close()
