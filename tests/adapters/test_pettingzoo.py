"""PettingZoo's own tests on our games, and what they do not ask: that nothing leaks and that the games are ours."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from adapters.tables import DAILY, LONG, put_elsewhere
from conftest import HOARD, TICTACTOE
from meeple import Match, Stream
from meeple.adapters.pettingzoo import env, raw_env
from meeple.errors import ConfigError, IllegalMoveError

TABLES = [*DAILY, *(pytest.param(name, marks=pytest.mark.long) for name in LONG)]


@pytest.mark.parametrize("name", TABLES)
def test_pettingzoos_own_tests_pass(name: str, capsys: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of spaces that are dicts, as in its own board games
        api_test(env(name), num_cycles=100)
        seed_test(lambda: env(name), num_cycles=100)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("name", TABLES)
def test_an_agent_sees_the_same_in_every_world_it_cannot_tell_apart(name: str) -> None:
    table, rng = raw_env(name), Stream(3)
    table.reset(seed=3)
    n_decisions = 0
    while table._play.mover >= 0 and n_decisions < 30:
        truth = table._play.state.copy()
        for agent, seat in table._seat_of.items():
            here = table.observe(agent)
            put_elsewhere(table._play, seat, rng)
            there = table.observe(agent)
            assert np.array_equal(here["observation"], there["observation"])
            assert np.array_equal(here["action_mask"], there["action_mask"])
            table._play._array[0] = truth.array[0]
        mask = table.observe(table.agent_selection)["action_mask"]
        table.step(int(rng.choice(np.flatnonzero(mask))))
        n_decisions += 1
    assert n_decisions > 3


@pytest.mark.parametrize("name", TABLES)
def test_the_game_of_a_seed_is_the_match_of_that_seed(name: str) -> None:
    table, rng = raw_env(name), Stream(8)
    table.reset(seed=12)
    match = Match(table.game, seed=12)
    while not match.is_over:
        assert table.agent_selection == f"player_{match.to_move}"
        place = rng.below(len(match.state.legal_actions()))
        code = int(match.state.legal_actions()[place])
        table.step(code if table._play.is_by_code else place)
        match.play(code)
    assert table.rewards == {f"player_{seat}": share for seat, share in enumerate(match.state.returns())}
    assert all(table.terminations.values())


def test_games_follow_each_other() -> None:
    table = raw_env(HOARD)
    table.reset(seed=5)
    table.reset()
    assert table.seed == 6
    other = raw_env(HOARD)
    other.reset()
    assert other.seed >= 0


def test_an_illegal_action_ends_the_game() -> None:
    table = env(TICTACTOE)
    table.reset(seed=1)
    table.step(4)
    table.last()
    table.step(4)  # the cell is taken
    assert table.rewards == {"player_0": 0.0, "player_1": -1.0}
    assert all(table.terminations.values())
    bare = raw_env(TICTACTOE)
    bare.reset(seed=1)
    bare.step(4)
    with pytest.raises(IllegalMoveError, match="action 4 of player_1 is not legal here"):
        bare.step(4)
    assert bare.agent_selection == "player_1"


def test_the_board_is_drawn_as_its_mover_sees_it() -> None:
    table = raw_env(HOARD, render_mode="ansi")
    table.reset(seed=1)
    assert table.render() == table._play.state.board(table._play.mover)
    assert raw_env(HOARD).render() is None


def test_features_are_chosen_by_name() -> None:
    table = env("santorini", features="planes")
    table.reset(seed=1)
    seen = table.last()[0]
    assert seen["observation"].shape == (8, 5, 5)
    assert table.observation_space("player_0").contains(seen)
    with pytest.raises(ConfigError, match="no observation 'plane'"):
        env("santorini", features="plane")
