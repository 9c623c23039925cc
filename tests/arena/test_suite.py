"""Positions with known answers, presets, and how much thinking fits a time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from conftest import HOARD, TICTACTOE, Run
from meeple import load_agent, load_game
from meeple.agents.base import ask
from meeple.arena.calibrate import calibrate
from meeple.arena.suite import Problem, read_suite, solve, suite_path
from meeple.arena.suite_mining import Won, is_only, mine, mine_all, proven_win, require_minable
from meeple.core.match import Match
from meeple.core.record import save_record
from meeple.errors import ConfigError, UnsupportedGameError
from meeple.search.alphabeta import PROOF
from search.plain import root_values

SANTORINI = load_game("santorini")
PROBLEMS = read_suite(suite_path(SANTORINI))


def wins(plies: int) -> list[Problem]:
    return [problem for problem in PROBLEMS if problem.name.startswith(f"win in {plies},")]


def test_the_suite_holds_wins_of_all_lengths() -> None:
    assert [len(wins(plies)) for plies in (3, 5, 7, 9)] == [12, 10, 20, 10]
    assert len({problem.position for problem in PROBLEMS}) == len(PROBLEMS)


def test_alphabeta_solves_the_problems_up_to_5_plies() -> None:
    agent = load_agent("alphabeta:depth=5,evaluation=climb", SANTORINI)
    short = [problem for problem in PROBLEMS if problem not in (*wins(7), *wins(9))]
    assert len(short) == 30
    for problem in short:
        answer = solve(SANTORINI, agent, problem)
        assert answer.is_right, problem
        assert answer.work > 0


def assert_is_won(problem: Problem, plies: int) -> None:
    """In exactly so many plies, by the move that the suite names."""
    won = proven_win(SANTORINI.read(problem.position), plies)
    assert won == Won(problem.position, *problem.answers, plies)


@pytest.mark.parametrize("problem", wins(7), ids=lambda problem: problem.name)
def test_wins_in_7_are_proven(problem: Problem) -> None:
    assert_is_won(problem, 7)


@pytest.mark.long
@pytest.mark.parametrize("problem", wins(9), ids=lambda problem: problem.name)
def test_wins_in_9_are_proven(problem: Problem) -> None:
    assert_is_won(problem, 9)


@pytest.mark.long
@pytest.mark.parametrize("problem", [*wins(7), *wins(9)], ids=lambda problem: problem.name)
def test_no_other_move_wins_so_soon(problem: Problem) -> None:
    plies = int(problem.name.split()[2].rstrip(","))
    assert is_only(SANTORINI.read(problem.position), Won(problem.position, *problem.answers, plies))


def test_problems_are_found_in_the_games_that_led_to_them(meeple: Run, tmp_path: Path) -> None:
    # A win in 3 with the moves that end it: of its positions the first is a problem of the suite, the last is none.
    problem = wins(3)[0]
    match = Match(SANTORINI, seed=1, start=problem.position)
    agent = load_agent("alphabeta:depth=3,evaluation=climb", SANTORINI)
    while not match.is_over:
        match.play(ask(agent, match))
    assert match.ply == 3
    assert [*mine(match, [3])] == [Won(problem.position, *problem.answers, 3)]
    assert [*mine(match, [5])] == []
    assert [*mine_all([match, match], [3], 5)] == [Won(problem.position, *problem.answers, 3)]
    assert [*mine(Match(SANTORINI, seed=1), [3])] == []  # nobody has won it yet
    save_record(match.record(), tmp_path / "won.jsonl")
    ran = meeple("suite", "santorini", "--mine", "3", "--from", "won.jsonl")
    assert ran.stdout == f"{problem.position} | {problem.answers[0]} | win in 3, 1\n", ran.stderr
    assert ran.stderr.endswith("1 wins in 3, of 1 games\n")


def test_a_second_way_to_win_makes_it_no_problem() -> None:
    # Of the moves that win in 1, none is the only one: a worker on level 2 beside two towers of level 3.
    state = SANTORINI.read("0000000000023000003000000/1/mortal:C3,A1/mortal:E5,E4")
    won = proven_win(state, 1)
    assert won is not None
    assert not is_only(state, won)


def test_only_open_games_of_two_are_mined() -> None:
    require_minable(SANTORINI)
    for name in ("azul", "saboteur-duel"):
        with pytest.raises(UnsupportedGameError, match="wins are proven in games of two seats without chance or secr"):
            require_minable(load_game(name))


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
