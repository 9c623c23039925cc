"""Puzzles: one move is the best for certain, nothing hidden is told, and mining goes on where it stopped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import meeple
from meeple.analysis.mining import MARGIN, PHASES, Miner
from meeple.analysis.puzzles import (
    RATINGS,
    Answer,
    Puzzle,
    Verdict,
    is_sound,
    judge_answer,
    puzzles_of,
    read_puzzles,
    shipped_file,
)
from meeple.core.chance import Stream
from meeple.core.match import Match
from meeple.core.registry import find_definition, game_names, load_game

# The mover on A5, on level 2, wins by stepping up to B5.
WIN = "2300000000000000000000000/1/mortal:A5,E1/mortal:C3,E3"


def played(seed: int) -> Match:
    return meeple.play_match("santorini", ["greedy:evaluation=climb", "random"], seed=seed)


MATCHES: list[tuple[str, Callable[[], Match]]] = [(f"match {seed}", partial(played, seed)) for seed in (1, 2)]


def mined(path: Path, *, threads: int = 1) -> None:
    Miner("santorini", path, effort="quick", threads=threads).mine(MATCHES)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("puzzles") / "santorini.jsonl"
    mined(path)
    return path


def test_a_mined_puzzle_has_one_best_move_by_the_margin(whole: Path) -> None:
    found = read_puzzles(whole)
    assert found
    for puzzle in found:
        assert is_sound(puzzle)
        assert puzzle.answers[0].chance - puzzle.answers[1].chance >= 0.10
        assert len(puzzle.state().legal_actions()) >= 4
        assert puzzle.themes[0] in ("opening", "middle game", "endgame")
        assert len(puzzle.themes) >= 2


def test_mining_is_the_same_on_two_threads_and_goes_on_where_it_stopped(whole: Path, tmp_path: Path) -> None:
    path, told = tmp_path / "two.jsonl", []
    stopped = Miner("santorini", path, effort="quick", threads=2, should_stop=lambda: bool(told))
    first = stopped.mine(MATCHES, lambda done, puzzles: told.append(done))
    assert told == [1]
    assert not first.is_complete
    assert Miner("santorini", path, most=1).mine(MATCHES).new == 0  # these are enough
    mined(path, threads=2)
    assert path.read_text() == whole.read_text()
    assert Miner("santorini", path).mine(MATCHES).new == 0  # all are done: nothing is looked at again


def test_a_puzzle_tells_nothing_that_its_mover_does_not_know() -> None:
    state = load_game("sagrada:players=2").new(seed=4).settled()
    for _ in range(9):
        state = state.after(int(state.legal_actions()[0])).settled()
    other = state.redealt(state.to_move, Stream(3))
    assert state != other
    assert Puzzle.at(state) == Puzzle.at(other)
    world = Puzzle.at(state).state()
    assert world.to_move == state.to_move
    assert list(world.legal_actions()) == list(state.legal_actions())


def test_an_answer_is_judged_as_it_was_when_the_puzzle_was_made(whole: Path) -> None:
    puzzle = read_puzzles(whole)[0]
    state, (best, second) = puzzle.state(), puzzle.answers[:2]
    solved = judge_answer(puzzle, state.read_move(best.move))
    assert (solved.is_solved, solved.score, solved.words) == (True, 1.0, "The best move")
    wrong = judge_answer(puzzle, state.read_move(second.move))
    assert wrong.lost == pytest.approx(best.chance - second.chance)
    assert wrong.score == 0.0
    assert f"loses {100 * wrong.lost:.0f} points" in wrong.words


def test_a_position_that_nobody_has_judged_is_judged_with_the_answer() -> None:
    state = load_game("santorini").read(WIN)
    asked = Puzzle.at(state)
    assert asked.best is None
    win = judge_answer(asked, state.read_move("A5>B5#"), effort="quick")
    assert win.is_solved
    assert win.puzzle.best is not None
    assert win.puzzle.best.move == "A5>B5#"
    known = replace(asked, answers=win.puzzle.answers[:1])
    other = judge_answer(known, state.read_move("E1>E2^E1"), effort="quick")  # which the puzzle does not name
    assert other.sentence == "It wins at once."
    assert other.lost > 0.1


@pytest.mark.parametrize(
    ("lost", "error", "words"),
    [
        (0.0, 0.0, "As good as the best move"),
        (0.03, 0.0, "Nearly: it loses 3 points of win chance"),
        (0.06, 0.02, "Not this one: it loses 6 points of win chance"),
        (0.07, 0.01, "An inaccuracy: it loses 7 points of win chance"),
        (0.4, 0.01, "A blunder: it loses 40 points of win chance"),
    ],
)
def test_what_an_answer_is_worth_in_words(lost: float, error: float, words: str) -> None:
    puzzle = Puzzle("name", "santorini", WIN, 0, answers=(Answer("A5>B5#", 1.0),))
    assert Verdict(puzzle, "E1>E2^E1", lost, error).words == words


def test_damaged_lines_are_left_out(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "damaged.jsonl"
    lines = whole.read_text().splitlines()
    path.write_text("\n".join([lines[0], "{", '{"name": 3}', "[]", lines[1][:-20], *lines[1:]]))
    assert read_puzzles(path) == read_puzzles(whole)


STOCKED = ("azul", "ingenious", "saboteur-duel", "sagrada", "santorini")  # games that come with puzzles


@pytest.mark.parametrize("game", STOCKED)
def test_these_games_come_with_puzzles_that_have_one_best_move(game: str) -> None:
    shipped = read_puzzles(shipped_file(find_definition(game)))
    assert len(shipped) >= 5
    assert len({puzzle.name for puzzle in shipped}) == len(shipped)
    for puzzle in shipped:
        best, second = puzzle.answers[:2]
        assert best.chance - second.chance >= MARGIN, puzzle.name
        assert puzzle.line[0] == best.move
        assert puzzle.themes[0] in PHASES
        assert RATINGS[0] <= puzzle.rating <= RATINGS[1]
        assert "/" not in puzzle.source.partition("#")[0]  # of nobody's machine


@pytest.mark.parametrize("game", game_names())
def test_the_puzzles_that_come_with_a_game_fit_its_rules(game: str) -> None:
    definition = find_definition(game)
    shipped = read_puzzles(shipped_file(definition))
    assert set(puzzles_of(definition)) >= {puzzle.name for puzzle in shipped}
    for puzzle in shipped:
        assert is_sound(puzzle), puzzle.name
        assert puzzle == replace(Puzzle.at(puzzle.state()), **{
            name: getattr(puzzle, name) for name in ("answers", "line", "themes", "rating", "source")
        })  # fmt: skip
