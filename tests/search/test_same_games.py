"""Agents play the matches that they have always played; `same_games.py --write` where that has changed on purpose."""

from __future__ import annotations

import json

import pytest

from meeple import load_game
from search.same_games import DAILY, KEPT, hashes_of


@pytest.mark.parametrize("name", DAILY)
def test_every_agent_plays_the_same_games(name: str) -> None:
    assert hashes_of(load_game(name), DAILY[name]) == json.loads(KEPT.read_text())[name]
