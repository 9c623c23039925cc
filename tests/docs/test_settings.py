"""The tables of settings in docs/search tell of each setting that is declared, with its default, and of no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from meeple.agents.registry import find_agent
from meeple.core.settings import default_text, settings_of

PAGES = Path(__file__).parents[2] / "docs" / "search"
TOLD = {
    "alphabeta": ("alphabeta",),
    "expectimax": ("expectimax",),
    "flat": ("flat",),
    "mcts": ("mcts", "ismcts"),
    "puct": ("puct",),
}
_ROW = re.compile(r"^\| (`[^|]+`) \|(?: ([^|]+))? \|")


def told_settings(page: str) -> dict[str, str]:
    """The settings in a page's table by name, each with its default; a row may hold several, or one default for all."""
    table = page.partition("| setting | default | meaning |\n")[2].partition("\n\n")[0]
    found: dict[str, str] = {}
    for line in table.splitlines():
        row = _ROW.match(line)
        if row:
            names, defaults = re.findall(r"`(\w+)`", row[1]), (row[2] or "").split(", ")
            assert len(defaults) in (1, len(names)), line
            assert not found.keys() & set(names), line
            found |= dict(zip(names, defaults * len(names) if len(defaults) == 1 else defaults, strict=True))
    return found


def test_every_page_of_a_search_is_looked_at() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} == {*TOLD, "results"}


@pytest.mark.parametrize("page", TOLD)
def test_the_table_of_settings_is_the_declaration(page: str) -> None:
    declared = {each.name: default_text(each) for name in TOLD[page] for each in settings_of(find_agent(name))}
    assert told_settings((PAGES / f"{page}.md").read_text()) == declared
