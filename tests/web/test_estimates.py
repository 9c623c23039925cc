"""How long a compile is said to take."""

from __future__ import annotations

from pathlib import Path

import pytest

from meeple.core.registry import find_definition, game_names
from meeple.web.estimates import EVEN, SHIPPED, Course, Estimates, course_of
from meeple.web.rehearsal import BOARD, parts_of


def test_a_course_has_the_beginning_of_each_tenth() -> None:
    course = course_of([float(n) for n in range(20)], 25.0)
    assert course == [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 25]
    assert course_of([], 0.5) == [0.0] * 10 + [0.5]


def test_a_machine_that_is_slower_is_noticed(tmp_path: Path) -> None:
    estimates = Estimates(tmp_path / "kept.json")
    estimates._courses["kalah board"] = Course(20, (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10))
    assert estimates.left("kalah", BOARD, kernels=0, at=0, now=0) == 10
    assert estimates.left("kalah", BOARD, kernels=10, at=5, now=5) == 5
    assert estimates.left("kalah", BOARD, kernels=10, at=15, now=15) == 15  # three times as slow
    # A kernel that takes long takes nothing from what follows it.
    assert estimates.left("kalah", BOARD, kernels=10, at=5, now=500) == 4.5


def test_what_is_measured_counts_from_then_on(tmp_path: Path) -> None:
    estimates = Estimates(tmp_path / "kept.json")
    assert estimates.course("kalah", BOARD) == EVEN
    estimates.learn("kalah", BOARD, 10, [0.0] * 10 + [4.0])
    estimates.learn("kalah", BOARD, 10, [0.0] * 10 + [8.0])
    assert estimates.slowness == 2.0
    assert Estimates(tmp_path / "kept.json").course("kalah", BOARD).whole == 8.0
    estimates.learn("kalah", BOARD, 3, [0.0] * 10 + [1.0])  # much of it was in the cache
    assert estimates.course("kalah", BOARD).whole == 8.0


@pytest.mark.parametrize("text", ["", "[]", "{", '{"kalah board": [1, 2]}', '{"kalah board": "x"}', "\0"])
def test_a_file_that_makes_no_sense_is_left_out(text: str, tmp_path: Path) -> None:
    (tmp_path / "kept.json").write_text(text)
    estimates = Estimates(tmp_path / "kept.json")
    assert estimates.course("kalah", BOARD) == EVEN


def test_a_file_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    estimates = Estimates(tmp_path / "no folder" / "kept.json")
    estimates.learn("kalah", BOARD, 10, [0.0] * 10 + [4.0])
    assert estimates.course("kalah", BOARD).whole == 4.0


@pytest.mark.parametrize("name", game_names())
def test_our_own_games_come_with_an_estimate(name: str) -> None:
    """Written by `make estimates`."""
    estimates = Estimates(SHIPPED)
    assert all(estimates.course(name, part) is not EVEN for part in parts_of(find_definition(name))[:2])
