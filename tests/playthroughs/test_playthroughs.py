"""Playthroughs: whole matches written out; a change of play shows as a diff (`make playthroughs` rewrites them)."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import ROOT
from meeple.core.playthrough import asked, playthrough

FILES = sorted(Path(__file__).parent.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_playthrough_is_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = path.read_text()
    assert playthrough(*asked(text)) == text


def test_every_game_has_one() -> None:
    games = {"santorini", "azul", "ingenious", "sagrada", "saboteur", "hoard"}
    assert {path.stem.split("-")[0] for path in FILES} >= games
