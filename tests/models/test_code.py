"""Evaluations in a file of one's own: found, compiled, trusted like code, and part of what names a result."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import TICTACTOE
from meeple import load_agent, load_game, search
from meeple.agents.outside import outside_of
from meeple.arena.provenance import signature_for
from meeple.errors import ConfigError, PluginError

MIDDLE = """
import meeple

@meeple.kernel
def evaluate(state, seat):
    return 0.5 if state.stones[seat] & 16 else 0.0

def plain(state, seat):
    return 0.0
"""


@pytest.fixture
def _file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(MIDDLE)


@pytest.mark.usefixtures("_file")
def test_a_kernel_in_a_file_is_an_evaluation() -> None:
    game = load_game(TICTACTOE)
    state = game.new().play(4)
    assert state.evaluate("./mine.py:evaluate", seat=0) == 0.5
    assert state.evaluate("./mine.py:evaluate", seat=1) == 0.0
    agent = load_agent('greedy:evaluation="./mine.py:evaluate"', game)
    assert agent.spec == load_agent('greedy:evaluation="model@./mine.py:evaluate"', game).spec
    assert search(game.new(), agent).best.action == 4
    Path("mine.py").write_text(MIDDLE.replace("0.5", "0.25"))
    assert state.evaluate("./mine.py:evaluate", seat=0) == 0.25


@pytest.mark.usefixtures("_file")
def test_it_is_code_from_outside_and_names_a_result() -> None:
    game, spec = load_game(TICTACTOE), 'greedy:evaluation="./mine.py:evaluate"'
    assert [(each.kind, each.text) for each in outside_of(spec, game)] == [("code", "./mine.py")]
    before = signature_for(game, [spec])
    Path("mine.py").write_text(MIDDLE.replace("0.5", "0.75"))
    assert signature_for(game, [spec]) != before


@pytest.mark.usefixtures("_file")
@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("./mine.py:plain", "'plain' of './mine.py' is no kernel: write @meeple.kernel above"),
        ("./mine.py:other", "'./mine.py' has no function 'other'"),
        ("./yours.py:evaluate", "there is no file './yours.py' to take the evaluation 'evaluate' from"),
    ],
)
def test_what_is_none_is_refused(name: str, fault: str) -> None:
    with pytest.raises(ConfigError, match=fault):
        load_game(TICTACTOE).new().evaluate(name)


@pytest.mark.usefixtures("_file")
def test_a_file_that_cannot_be_loaded_is_told() -> None:
    Path("mine.py").write_text("1 / 0")
    with pytest.raises(PluginError, match=r"'mine.py' cannot be loaded: .*division by zero"):
        load_game(TICTACTOE).new().evaluate("./mine.py:evaluate")
