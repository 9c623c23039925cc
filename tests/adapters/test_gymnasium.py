"""Gymnasium's own check on our games, and what it does not ask."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from adapters.tables import DAILY, LONG, put_elsewhere
from conftest import HOARD
from meeple import Stream, load_game
from meeple.adapters.gymnasium import SeatEnv
from meeple.agents.base import Agent, Turn
from meeple.agents.registry import load_agent
from meeple.arena.engine import play_game
from meeple.errors import ConfigError

TABLES = [*DAILY, *(pytest.param(name, marks=pytest.mark.long) for name in LONG)]


@pytest.mark.parametrize("name", TABLES)
def test_gymnasiums_own_check_passes(name: str) -> None:
    made = gymnasium.make("meeple.adapters.gymnasium:Meeple-v0", game=name, render_mode="ansi")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # an illegal action of the check's ends a game
        check_env(made.unwrapped)


@pytest.mark.parametrize("name", TABLES)
def test_the_seat_sees_the_same_in_every_world_it_cannot_tell_apart(name: str) -> None:
    table, rng = SeatEnv(name, seat=None), Stream(3)
    here, _ = table.reset(seed=3)
    is_over, n_decisions = False, 0
    while not is_over and n_decisions < 20:
        truth = table._play.state.copy()
        put_elsewhere(table._play, table.seat, rng)
        there = table._seen()
        assert np.array_equal(here["observation"], there["observation"])
        assert np.array_equal(here["action_mask"], there["action_mask"])
        table._play._array[0] = truth.array[0]
        here, _, is_over, _, _ = table.step(rng.choice(np.flatnonzero(here["action_mask"])))
        n_decisions += 1
    assert n_decisions > 0


class Following(Agent):
    """Plays the moves that it was given, in their order."""

    spec = "following"

    def __init__(self, codes: list[int]) -> None:
        self.codes = codes

    def choose(self, turn: Turn) -> int:
        return self.codes.pop(0)


@pytest.mark.parametrize("rival", ["random", "greedy", "ismcts:iterations=5"])
def test_the_game_is_the_one_that_the_engine_plays(rival: str) -> None:
    table, rng, made = SeatEnv(HOARD, agents=rival, seat=1), Stream(2), []
    seen, _ = table.reset(seed=30)
    is_over, reward = False, 0.0
    while not is_over:
        made.append(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        seen, reward, is_over, _, _ = table.step(made[-1])
    game = load_game(HOARD)
    played = play_game(game, [load_agent(rival, game), Following(made)], seed=30)
    assert played.forfeit is None
    assert played.end == table._play.state
    assert reward == 2 * played.shares[1] - 1


class Remembering(Agent):
    """Wants the match so far, and keeps what it was told."""

    spec, wants_history = "remembering", True

    def __init__(self) -> None:
        self.told: list[tuple[int, ...]] = []

    def choose(self, turn: Turn) -> int:
        assert turn.seen is not None
        self.told.append(turn.seen)
        return int(turn.state.legal_actions()[0])


def test_an_agent_that_infers_is_told_what_it_saw() -> None:
    agent, other = Remembering(), Remembering()
    table = SeatEnv(HOARD, agents=[agent], seat=0)
    seen, _ = table.reset(seed=4)
    made, is_over = [], False
    while not is_over:
        made.append(int(np.flatnonzero(seen["action_mask"])[-1]))
        seen, _, is_over, _, _ = table.step(made[-1])
    play_game(load_game(HOARD), [Following(made), other], seed=4)
    assert agent.told == other.told != []


def test_an_illegal_action_forfeits() -> None:
    table = SeatEnv(HOARD)
    table.reset(seed=1)
    _, reward, terminated, truncated, info = table.step(4)
    assert (reward, terminated, truncated, info) == (-1.0, True, False, {"forfeit": "action 4 is not legal"})
    with pytest.raises(ConfigError, match="the game is over: call reset"):
        table.step(0)


def test_what_does_not_fit_the_table_is_refused() -> None:
    with pytest.raises(ConfigError, match="there is no seat 2"):
        SeatEnv(HOARD, seat=2)
    with pytest.raises(ConfigError, match="has 2 other seats, and 1 agents"):
        SeatEnv(f"{HOARD}:players=3", agents=["random"])
    with pytest.raises(ConfigError, match="there is no agent 'rando'"):
        SeatEnv(HOARD, agents="rando")


def test_masks_come_by_the_name_that_maskable_ppo_asks_for() -> None:
    table = SeatEnv("santorini")
    seen, _ = table.reset(seed=1)
    assert table.action_masks().dtype == np.bool_
    assert np.array_equal(table.action_masks(), seen["action_mask"] == 1)
