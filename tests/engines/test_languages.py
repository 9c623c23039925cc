"""The small engines that `meeple new engine` writes, each in its language. `make languages` installs what they need."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import TICTACTOE
from meeple import Agent, Turn
from meeple.agents.engines.external import External
from meeple.arena.engine import play_game
from meeple.cli import new
from meeple.core.registry import load_game
from meeple.errors import ConfigError, SaveError

NEEDS = {"python": sys.executable, "cpp": "g++", "javascript": "node"}
GAME = load_game(TICTACTOE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("engines")


def started_by(language: str, folder: Path) -> str:
    """Write the engine, build it if it must be, and return the command that starts it."""
    assert shutil.which(NEEDS[language]), f"{NEEDS[language]} is not installed: make languages"
    ending, build, start = new.LANGUAGES[language]
    (folder / f"bold{ending}").write_text(new.engine_text(language, "bold"))
    if build:
        subprocess.run(build.replace("NAME", "bold").replace("-O2", "-O0").split(), cwd=folder, check=True)
    program, *words = start.replace("NAME", "bold").replace("python3", sys.executable).split()
    return " ".join([f"{folder}/bold" if program == "./bold" else program, *(f"{folder}/{word}" for word in words)])


@pytest.mark.parametrize("language", NEEDS)
def test_a_small_engine_plays_in_its_language(language: str, folder: Path) -> None:
    agent = External(command=started_by(language, folder))
    agent.spec = "engine"  # from which its dice follow
    games = [play_game(GAME, [agent, agent], seed=seed) for seed in range(3)]
    agent.close()
    assert [game.forfeit for game in games] == [None] * 3
    alike = [play_game(GAME, [Alike(), Alike()], seed=seed).codes for seed in range(3)]
    assert [game.codes for game in games] == alike


class Alike(Agent):
    """Chooses as the small engines do."""

    spec = "engine"

    def choose(self, turn: Turn) -> str:
        """A move by the number that an engine is given for its dice."""
        moves = turn.state.legal_moves()
        return moves[turn.rng.below(1 << 31) % len(moves)]


def test_the_command_writes_one_and_says_what_is_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    new.engine("bold", "cpp")
    assert (tmp_path / "bold.cpp").read_text() == new.engine_text("cpp", "bold")
    assert "g++ -O2 -std=c++17 -o bold bold.cpp\n" in capsys.readouterr().out
    with pytest.raises(SaveError, match="exists and is not overwritten"):
        new.engine("bold", "cpp")
    with pytest.raises(ConfigError, match="--language is python, cpp, javascript, not 'fortran'"):
        new.engine("bolder", "fortran")
