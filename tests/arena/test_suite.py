"""Positions with known answers, presets, and how much thinking fits a time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from conftest import HOARD, TICTACTOE, Run
from meeple import load_agent, load_game
from meeple.arena.calibrate import calibrate
from meeple.arena.suite import read_suite, solve, suite_path
from meeple.errors import ConfigError
from meeple.search.alphabeta import PROOF
from search.plain import root_values

SANTORINI = load_game("santorini")
PROBLEMS = read_suite(suite_path(SANTORINI))


def test_alphabeta_solves_the_whole_suite() -> None:
    agent = load_agent("alphabeta:depth=5", SANTORINI)
    for problem in PROBLEMS:
        answer = solve(SANTORINI, agent, problem)
        assert answer.is_right, problem
        assert answer.work > 0


@pytest.mark.parametrize("problem", [p for p in PROBLEMS if p.name.startswith("defence")][:3])
def test_defences_are_the_only_ones_by_plain_minimax(problem) -> None:  # type: ignore[no-untyped-def]
    state = SANTORINI.read(problem.position)
    values = root_values(state, 2, "none")
    safe = [state.move_text(action) for action, value in values.items() if value > -PROOF]
    assert safe == list(problem.answers)


@pytest.mark.long
@pytest.mark.parametrize("problem", [p for p in PROBLEMS if p.name.startswith("win in 3")])
def test_wins_are_the_only_ones_by_plain_minimax(problem) -> None:  # type: ignore[no-untyped-def]
    state = SANTORINI.read(problem.position)
    values = root_values(state, 3, "none")
    assert [state.move_text(a) for a, value in values.items() if value > PROOF] == list(problem.answers)


def test_a_wrong_suite_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "suite.txt"
    path.write_text("# mine\nX../.O./..X | b3\n")
    with pytest.raises(ConfigError, match=r"line 2 of .* is not `position"):
        read_suite(path)
    with pytest.raises(ConfigError, match="there is no suite"):
        read_suite(suite_path(load_game(TICTACTOE)))


def test_suite_command(meeple: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("XX./OO./... | c3 | win\nX../.O./..X | a2 b1 b3 c2 | hold\n")
    ran = meeple("suite", TICTACTOE, "alphabeta:depth=9", "--file", "mine.txt")
    assert "alphabeta:depth=9 solved 2 of 2" in ran.stdout


def test_presets_are_specs_of_a_game() -> None:
    agent = load_agent("paper-minimax", SANTORINI)
    assert agent.spec == "minimax:depth=3,evaluation=report,ordering=heights"
    assert load_agent("paper-minimax:depth=4", SANTORINI).spec.startswith("minimax:depth=4,")
    with pytest.raises(ConfigError, match="santorini has no preset 'paper-minmax'; did you mean 'paper-minimax'"):
        load_agent("paper-minmax", SANTORINI)
    assert load_agent("paper-greedy", load_game(f"{HOARD}:players=2")).spec == "greedy:ties=first"


def test_calibration_finds_what_fits() -> None:
    game = load_game(TICTACTOE)
    found = calibrate(game, "flat", 0.002, clock=time.process_time)  # not the wall: the machine may be busy
    assert found.setting == "playouts"
    assert found.value >= 1
    assert found.seconds <= 0.002
    tried: list[str] = []
    deep = calibrate(game, "alphabeta", 60.0, setting="depth", on_try=tried.append)
    assert deep.spec == "alphabeta:depth=64"  # all of it fits, and deeper there is nothing to see
    assert len(tried) == 65
    with pytest.raises(ConfigError, match="has no setting that costs time"):
        calibrate(game, "random", 0.01)
    with pytest.raises(ConfigError, match="has no setting 'plies' to vary"):
        calibrate(game, "flat", 0.01, setting="plies")
