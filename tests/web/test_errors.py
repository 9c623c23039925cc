"""A page that fails while it is built."""

from __future__ import annotations

import pytest
from nicegui import Client, ui

from meeple.web.pages.errors import ADVICE, BROKEN, _guarded
from web.conftest import finish


def test_a_page_that_fails_says_so_and_not_why() -> None:
    async def broken() -> None:
        ui.label("half of a page")
        raise ValueError("the secret is B3")

    async def shown() -> list[str]:
        with Client(ui.page("")) as client:
            with pytest.raises(ValueError, match="secret"):
                await _guarded(broken(), client)
            found = client.elements.values()
            return [str(getattr(each, "text", "") or getattr(each, "content", "")) for each in found]

    words = " ".join(finish(shown()))
    assert BROKEN in words
    assert ADVICE in words.replace("&#x27;", "'")
    assert "secret" not in words
    assert "half of a page" not in words
