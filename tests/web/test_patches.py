"""Only what changed is sent, and the browser makes the whole of it."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from meeple.web.patches import Patch, patch_of, patched
from meeple.web.seats import Access
from meeple.web.viewing import Viewing
from web.conftest import new_table


def sent(patch: Patch) -> str:
    """The new text in a patch."""
    return "".join(part for part in patch if isinstance(part, str))


def test_patches_make_the_new_text_of_the_old_one() -> None:
    rng = random.Random(1)
    words = ["<g>", "</g>", "<li class='m-here'>", "one", "two", "é ✓ ", "<circle r='3'/>"]
    for _ in range(300):
        old = "".join(rng.choices(words, k=40))
        cut, end = sorted(rng.sample(range(len(old)), 2))
        new = old[:cut] + "".join(rng.choices(words, k=3)) + old[end:] + rng.choice(["", "<p>end</p>"])
        patch = patch_of(old, new)
        assert patch is None or patched(old, patch) == new


def test_of_a_log_only_the_new_row_is_sent() -> None:
    table = new_table("santorini", "here", "here")
    viewing = Viewing(Access(table))
    logs = []
    for number in range(12):
        logs.append(viewing.drawing().log)
        table.play(table.mover, int(table.match.state.legal_actions()[number]))
    row = len(logs[11]) - len(logs[10])
    patch = patch_of(logs[10], logs[11])
    assert patch is not None
    assert patched(logs[10], patch) == logs[11]
    assert len(sent(patch)) < 2 * row  # itself, and the row before it is no more the last
    assert logs[3].split("<li")[2] not in sent(patch)


def test_of_a_board_only_what_moved_is_sent() -> None:
    table = new_table("santorini", "here", "here")
    viewing = Viewing(Access(table))
    boards = []
    for _ in range(12):
        boards.append(viewing.drawing().board)
        table.play(table.mover, int(table.match.state.legal_actions()[0]))
    for old, new in pairwise(boards):
        patch = patch_of(old, new)
        assert patch is not None
        assert patched(old, patch) == new
        assert len(sent(patch)) < len(new) / 3


def test_a_text_that_a_browser_counts_otherwise_is_sent_whole() -> None:
    old = "<p>Ada</p>" * 20
    assert patch_of(old, old + "<p>Ben</p>") is not None
    assert patch_of(old, old + "<p>\N{GRINNING FACE}</p>") is None
    assert patch_of("<p>\N{GRINNING FACE}</p>" * 20, old) is None


@pytest.mark.parametrize(("old", "new"), [("", "<p>new</p>"), ("<p>old</p>", "quite another one"), ("<p>old</p>", "")])
def test_what_has_nothing_in_common_is_sent_whole(old: str, new: str) -> None:
    assert patch_of(old, new) is None
