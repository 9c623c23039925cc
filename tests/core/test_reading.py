"""Numbers and lists in the text of positions."""

from __future__ import annotations

import pytest

from meeple.core.reading import listed, number_in, parts_of
from meeple.errors import NotationError


@pytest.mark.parametrize("entries", [[], ["a"], ["a", "b", "c"]])
def test_a_list_is_read_as_it_was_written(entries: list[str]) -> None:
    assert parts_of(listed(entries, ";"), ";") == entries


def test_a_number_out_of_range_is_named_with_what_was_expected() -> None:
    assert number_in("round", "3", 1, 3) == 3
    for text in ("4", "0", "x", "", "9" * 100):
        with pytest.raises(NotationError, match=r"^round=.* is not a number from 1 to 3$"):
            number_in("round", text, 1, 3)
