"""OpenSpiel's own tests and its Python bots on our games, and what they do not ask."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts

from adapters.tables import DAILY, LONG
from conftest import HOARD
from meeple import Stream
from meeple.adapters import openspiel
from meeple.core.game import State
from meeple.errors import ConfigError

TABLES = [*DAILY, *(pytest.param(name, marks=pytest.mark.long) for name in LONG)]

SIMULATIONS = 5  # of a bot, a move


def walk(game: Any, seed: int, choose: Any = None) -> Any:
    """Play a game at random (seat 0 by `choose`, if given) and yield each state before its event."""
    state, rng = game.new_initial_state(), np.random.default_rng(seed)
    while not state.is_terminal():
        yield state
        if state.is_chance_node():
            codes, chances = zip(*state.chance_outcomes(), strict=True)
            action = rng.choice(codes, p=chances)
        elif choose is not None and state.current_player() == 0:
            action = choose(state)
        else:
            action = rng.choice(state.legal_actions())
        state.apply_action(int(action))
    yield state


@pytest.mark.parametrize("name", TABLES)
def test_openspiels_own_simulations_pass(name: str) -> None:
    pyspiel.random_sim_test(openspiel.load_game(name), num_sims=2, serialize=True, verbose=False, mask_test=False)


@pytest.mark.parametrize("name", TABLES)
def test_its_python_bots_play_whole_games(name: str) -> None:
    game = openspiel.load_game(name)
    rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    options = {"random_state": np.random.RandomState(2)}
    if game.meeple.facts.hidden:
        bot = ismcts.ISMCTSBot(game, rollouts, 1.4, SIMULATIONS, **options)
    else:
        bot = mcts.MCTSBot(game, 1.4, SIMULATIONS, rollouts, **options)
    *_, end = walk(game, 5, bot.step)
    assert end.returns() == end.held.returns()
    assert end.held.is_over


@pytest.mark.parametrize("name", TABLES)
def test_a_player_sees_the_same_in_every_world_it_cannot_tell_apart(name: str) -> None:
    game, rng = openspiel.load_game(name), Stream(4)
    for number, state in enumerate(walk(game, 6)):
        if state.is_terminal() or number == 40:
            break
        truth = state.held
        for player in range(game.num_players()):
            here = (state.information_state_string(player), state.observation_string(player))
            tensor = state.observation_tensor(player)
            state.held = truth.redealt(player, rng)
            assert (state.information_state_string(player), state.observation_string(player)) == here
            assert state.observation_tensor(player) == tensor
            state.held = truth


@pytest.mark.parametrize("name", TABLES)
def test_resampled_states_keep_what_the_player_knows(name: str) -> None:
    game, rng = openspiel.load_game(name), np.random.default_rng(4)
    for number, state in enumerate(walk(game, 7)):
        if state.is_terminal() or number == 40:
            break
        if not state.is_chance_node():
            player = state.current_player()
            other = state.resample_from_infostate(player, rng.random)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.legal_actions() == state.legal_actions()
            assert other.current_player() == player


def test_chance_has_the_probabilities_of_the_game() -> None:
    game = openspiel.load_game(HOARD)
    state = game.new_initial_state()
    assert state.chance_outcomes() == [(0, 1 / 3), (1, 1 / 3), (2, 1 / 3)]  # five cards of each value
    state.apply_action(1)
    assert state.chance_outcomes() == [(0, 5 / 14), (1, 4 / 14), (2, 5 / 14)]
    assert state.history() == [1]


def test_information_holds_all_that_was_seen_and_no_more() -> None:
    # The first card is dealt to seat 0: seat 1 sees that one was dealt, and not which.
    game = openspiel.load_game(HOARD)
    first, second = (game.new_initial_state() for _ in range(2))
    first.apply_action(0)
    second.apply_action(2)
    assert first.information_state_string(1) == second.information_state_string(1)
    assert first.information_state_string(0) != second.information_state_string(0)
    assert first.information_state_string(1).endswith("| -3")


def test_copies_share_nothing_that_changes() -> None:
    state = next(state for state in walk(openspiel.load_game(HOARD), 1) if not state.is_chance_node())
    twin = state.clone()
    before = (str(state), state.information_state_string(0), state.history())
    twin.apply_action(twin.legal_actions()[0])
    assert (str(state), state.information_state_string(0), state.history()) == before
    assert isinstance(state.held, State)


def test_games_are_named_with_their_options() -> None:
    game = openspiel.load_game("azul:players=3,wall=grey,cap=30")
    assert game.meeple.spec == "azul:players=3,wall=grey,cap=30"
    assert game.num_players() == 3
    again = pyspiel.load_game(str(game))
    assert again.meeple.spec == game.meeple.spec
    assert pyspiel.load_game("meeple_santorini").meeple.spec == "santorini"
    assert pyspiel.load_game("meeple_ingenious(players=4,teams=on)").meeple.options["teams"] == "on"
    planes = pyspiel.load_game("meeple_santorini(features=planes)")
    assert len(planes.new_initial_state().observation_tensor(0)) == 200
    with pytest.raises((ConfigError, pyspiel.SpielError), match="takes coloured, grey, not 'green'"):
        openspiel.load_game("azul:wall=green")


def test_a_process_ends_well() -> None:
    # OpenSpiel's table of games outlives Python: a maker of games that is freed with it aborts the process.
    code = "from meeple.adapters import openspiel; print(openspiel.load_game('santorini'))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
