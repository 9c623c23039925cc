"""Luck is none on average, whoever judges: what came is held against what might have come."""

from __future__ import annotations

import math
from statistics import fmean, stdev

import pytest

import meeple
from meeple.agents.levels import levels_of
from meeple.core.registry import find_definition, game_names, load_game

MATCHES = 30
MOST_ERRORS = 3.5
WITH_CHANCE = [name for name in game_names() if find_definition(name).facts.chance]


@pytest.mark.long
@pytest.mark.parametrize("name", WITH_CHANCE)
def test_mean_luck_is_within_its_error(name: str) -> None:
    # Of 30 values the mean is further than 3.5 of its errors from 0 once in 660 times (t, 29 degrees of freedom).
    game = load_game(name)
    level = levels_of(game.definition)["Level 2"]
    lucky = []
    for seed in range(1, MATCHES + 1):
        match = meeple.play_match(game, [level] * game.seats, seed=seed)
        found = meeple.analyse(match, seats=())
        assert found.is_calibrated
        assert found.is_complete
        assert len(found.chances) > 1
        lucky.append(found.summaries[0].net_luck)
    error = stdev(lucky) / math.sqrt(MATCHES)
    assert error > 0.005, "nobody was ever lucky"
    assert abs(fmean(lucky)) <= MOST_ERRORS * error
