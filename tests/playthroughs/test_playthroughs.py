"""Playthroughs: whole matches written out; a change of play shows as a diff (`make playthroughs` rewrites them)."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import ROOT
from meeple.core.playthrough import playthrough

FILES = sorted(Path(__file__).parent.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_playthrough_is_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    _, spec, _, seed = path.read_text().splitlines()[0].split()
    assert playthrough(spec, int(seed)) == path.read_text()


def test_every_game_has_one() -> None:
    games = {"santorini", "azul", "ingenious", "sagrada", "saboteur", "hoard"}
    assert {path.stem.split("-")[0] for path in FILES} >= games
