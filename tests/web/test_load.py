"""Fifty tables and two hundred watchers: every click is answered; how soon is printed, and stands in docs/web.md."""

from __future__ import annotations

import pytest

from web.conftest import Server, finish
from web.load import crowd


@pytest.mark.long
def test_a_crowd_is_served(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    found = finish(crowd(server, tables=50, watchers=4, clicks=8, pause=3.0))
    with capsys.disabled():
        print(f"\n{found.table()}")
    assert (found.clicks, found.unanswered) == (50 * 8, 0)
