"""Games and agents of installed packages, of folders and of files; and plugins that do not load."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from conftest import ROOT, TICTACTOE
from meeple.agents.registry import load_agent
from meeple.core.registry import load_game
from meeple.errors import ConfigError, PluginError

AGENT = """
from dataclasses import dataclass
from meeple import Agent, setting

@dataclass(kw_only=True)
class Last(Agent):
    '''Plays the last legal move.'''
    depth: int = setting(3, "not used", least=1)
    wait: float = setting(0.5, "not used", is_time=True)
    style: str = setting("calm", "not used", choices=("calm", "wild"))
    is_bold: bool = setting(False, "not used")

    def choose(self, turn):
        return turn.state.legal_moves()[-1]
"""


def install(folder: Path, entry_points: str) -> None:
    """What pip leaves of a package, as far as entry points go."""
    info = folder / "toy-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entry_points)


def test_an_agent_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(AGENT)
    agent = load_agent(f"{path}:Last:style=wild,wait=300ms,depth=3,is_bold=yes")
    assert vars(agent) | {"spec": ""} == {"depth": 3, "wait": 0.3, "style": "wild", "is_bold": True, "spec": ""}
    assert agent.spec == f"{path}:Last:wait=300ms,style=wild,is_bold=yes"  # in the declared order, defaults left out


def test_a_folder_needs_no_init_and_one_that_fails_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "bare"
    shutil.copytree(TICTACTOE, folder)
    (folder / "__init__.py").unlink()
    assert load_game(str(folder)).new(seed=1).legal_moves()
    (folder / "__init__.py").write_text("1 / 0")
    failing = folder.rename(tmp_path / "failing")
    with pytest.raises(PluginError, match="cannot be loaded: ZeroDivisionError"):
        load_game(str(failing))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("depht=2", "has no setting 'depht'; did you mean 'depth'"),
        ("depth=two", "'depth' of agent .* takes a whole number, not 'two'"),
        ("depth=0", "is at least 1, not 0"),
        ("wait=3", "a number and its unit"),
        ("style=loud", "takes calm, wild, not 'loud'"),
        ("is_bold=maybe", "takes yes or no, not 'maybe'"),
    ],
)
def test_wrong_settings_say_what_was_expected(tmp_path: Path, settings: str, message: str) -> None:
    (tmp_path / "mine.py").write_text(AGENT)
    with pytest.raises(ConfigError, match=message):
        load_agent(f"{tmp_path / 'mine.py'}:Last:{settings}")


def test_wrong_names_get_the_nearest_right_one(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(AGENT)
    with pytest.raises(ConfigError, match="has no agent 'Lost'; did you mean 'Last'"):
        load_agent(f"{tmp_path / 'mine.py'}:Lost")
    with pytest.raises(ConfigError, match="there is no file"):
        load_agent("./nowhere.py:Agent")
    with pytest.raises(ConfigError, match="there is no agent 'flatt'; did you mean 'flat'"):
        load_agent("flatt")
    with pytest.raises(ConfigError, match=r"holds no game.py"):
        load_game(str(tmp_path))


def test_a_file_that_raises_is_named_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("import math\nmath.sqrt(-1)\n")
    with pytest.raises(PluginError, match=r"cannot be loaded: ValueError: .*\(mine.py, line 2\)"):
        load_agent(f"{path}:Agent")
    path.write_text("def choose(:\n")
    with pytest.raises(PluginError, match=r"SyntaxError: .*\(mine.py, line 1\)"):
        load_agent(f"{path}:Agent")


def test_games_and_agents_of_installed_packages(run, tmp_path: Path) -> None:
    (tmp_path / "toyagents.py").write_text(AGENT)
    install(tmp_path, "[meeple.games]\nbroken = nowhere.game:DEFINITION\n[meeple.agents]\nlast = toyagents:Last\n")
    environment = {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT / "src")])}
    listed = run("-m", "meeple", "agents", env=environment)
    assert "Plays the last legal move." in listed.stdout
    assert "300ms" not in listed.stdout
    assert "500ms" in listed.stdout
    # A plugin that does not load is listed with the reason, and hides no other game.
    games = run("-m", "meeple", "games", env=environment)
    assert games.returncode == 0
    assert "cannot be loaded" in games.stdout
    assert "santorini" in games.stdout
    check = run("-m", "meeple", "check", "broken", env=environment)
    assert check.returncode == 1
    assert check.stderr.startswith("Error: the game 'broken' (nowhere.game:DEFINITION) cannot be loaded")
    played = run("-m", "meeple", "match", TICTACTOE, "last", "random", "-n", "2", env=environment)
    assert played.returncode == 0, played.stderr
