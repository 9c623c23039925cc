"""The parts of the long run: every long test is in one, and the page of their results keeps what others found."""

from __future__ import annotations

import pytest

from long import parts


def test_every_long_test_is_in_one_part() -> None:
    tests = parts.long_tests()
    assert {test: parts.part_of(test) for test in tests if len(parts.part_of(test)) != 1} == {}
    assert set(parts.PARTS) - {part for test in tests for part in parts.part_of(test)} == set()


def test_the_page_has_a_row_for_every_part() -> None:
    page = parts.PAGE.read_text()
    assert page == parts.HEAD + "".join(row.text() for row in parts.read_page(page).values())


def test_a_row_is_read_as_it_was_written() -> None:
    row = parts.Row("counts", "abc1234+", "2026-01-02", "3 passed", "1.5", "2.9")
    rows = parts.read_page(parts.HEAD + row.text() + parts.Row("gone").text())
    assert rows["counts"] == row
    assert rows["memory"] == parts.Row("memory")
    assert list(rows) == list(parts.PARTS)


def test_a_part_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert parts.main(["laws-chess"]) == 2
    assert "there is no part 'laws-chess'" in capsys.readouterr().err


def test_a_part_without_tests_does_not_pass() -> None:
    row = parts.run("counts", ["tests/long/test_parts.py::test_a_row_is_read_as_it_was_written"])  # not a long one
    assert row.result == "broke off: no test was run"
    assert not row.is_clean


@pytest.mark.parametrize("result", ["never run", "1 failed, 2 passed", "broke off: 2 passed", "2 passed, 1 error"])
def test_only_a_run_that_passed_whole_is_clean(result: str) -> None:
    assert not parts.Row("counts", result=result).is_clean
    assert parts.Row("counts", result="12 passed").is_clean
