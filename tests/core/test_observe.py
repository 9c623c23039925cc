"""Observations and keys: what they tell, and that they tell nothing that the seat cannot know."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import HOARD, TICTACTOE
from meeple import NOBODY, Stream, load_game
from meeple.core.game import Game, State
from meeple.core.observe import SAMPLES, fields_of, find_observer
from meeple.errors import ConfigError


def decisions(game: Game, seed: int) -> list[State]:
    """The decisions of one random game."""
    state, rng, found = game.new(seed=seed).settled(), Stream(seed), []
    while not state.is_over:
        found.append(state)
        state = state.after(int(rng.choice(state.legal_actions()))).settled()
    return found


@pytest.mark.parametrize("name", [HOARD, f"{HOARD}:players=4", "santorini"])
def test_what_looks_the_same_has_the_same_key_and_observation(name: str) -> None:
    game, rng = load_game(name), Stream(1)
    for state in decisions(game, 3):
        for seat in range(game.seats):
            world = state.redealt(seat, rng)
            assert world.key(seat) == state.key(seat)
            for features in ("default", "fields"):
                assert np.array_equal(world.observation(seat, features), state.observation(seat, features))


def test_keys_tell_apart_what_a_seat_sees_as_different() -> None:
    # Every decision of a game differs from the one before in something that both seats see.
    states = decisions(load_game(HOARD), 3)
    for seat in (0, 1, NOBODY):
        assert len({state.key(seat) for state in states}) == len(states)
    # Two seats know different cards, and a spectator knows none of them.
    assert len({states[0].key(seat) for seat in (0, 1, NOBODY)}) == 3


def test_fields_are_scaled_by_their_ranges_and_end_with_looker_and_mover() -> None:
    game = load_game(HOARD)
    state = decisions(game, 3)[4]
    table, _ = fields_of(game)
    names = [name for name in game.layout.names or () if name not in ("fate", "seats", "n_rounds", "double")]
    entries = {name: int(np.prod(game.layout[name].shape, dtype=int)) for name in names if "padding" not in name}
    assert len(table) == sum(entries.values())
    seen = state.observation(1, "fields")
    assert len(seen) == len(table) + 2 * game.seats
    place = 0
    for name, n in entries.items():
        least, most = game.ranges[name]
        if name in ("lap", "phase", "mover", "die", "table", "points", "n_hand", "n_hoard"):  # open to all
            expected = (np.atleast_1d(state.record[name]).ravel() - least) / (most - least)
            assert seen[place : place + n] == pytest.approx(expected, abs=1e-6)
        place += n
    assert list(seen[place:]) == [0, 1, *(float(state.to_move == seat) for seat in (0, 1))]
    assert np.all((seen >= 0) & (seen <= 1))


def test_fields_hold_what_a_seat_knows_and_means_of_what_it_does_not() -> None:
    game = load_game(HOARD)
    table, _ = fields_of(game)
    offset = game.layout.fields["hand"][1]  # type: ignore[index]
    (place,) = table[table[:, 0] == offset, 4]
    differs = 0
    for state in decisions(game, 3):
        cards = state.record["hand"].ravel() / 3.0
        own = state.observation(0, "fields")[place : place + 2]
        other = state.observation(1, "fields")[place : place + 2]
        assert own == pytest.approx(cards[:2], abs=1e-6)
        means = other * 3 * SAMPLES
        assert means == pytest.approx(np.round(means), abs=1e-3)
        differs += not np.allclose(own, other)
    assert differs > 0


def test_sets_of_cells_are_told_bit_by_bit() -> None:
    game = load_game(TICTACTOE)
    state = game.new().play(0).play(4).play(8)
    seen = state.observation(0, "fields")
    assert list(seen) == [1, 0, 0, 0, 0, 0, 0, 0, 1, *[0, 0, 0, 0, 1, 0, 0, 0, 0], 1, 0, 0, 1]


def test_features_are_rows_and_planes() -> None:
    game = load_game(TICTACTOE)
    state = game.new().play(0).play(4)
    assert state.observation(0, "board").shape == (2, 3, 3)
    assert np.array_equal(state.observation(0), state.observation(0, "lines"))  # the first that is declared
    cells = find_observer(game, "cells").features  # type: ignore[attr-defined]
    assert list(np.flatnonzero(state.observation(0, "cells"))) == sorted(cells.of(state, 0))


def test_what_cannot_be_observed_is_refused() -> None:
    game = load_game(HOARD)
    with pytest.raises(ConfigError, match="hoard has no observation 'feilds'; did you mean 'fields'"):
        game.new().settled().observation(0, "feilds")
    with pytest.raises(ConfigError, match="say which seat looks"):
        game.new().observation()
    with pytest.raises(ConfigError, match="there is no seat 2"):
        game.new().observation(2)


def test_a_state_is_evaluated_for_the_seat_to_move_or_another() -> None:
    state = decisions(load_game(HOARD), 4)[-1]
    assert state.evaluate() == state.evaluate("points", state.to_move) != 0
    assert state.evaluate("none") == 0
    for action in state.legal_actions():
        end = state.after(int(action)).settled()
        if end.is_over:
            assert [end.evaluate("points", seat) for seat in (0, 1)] == end.returns()
            break
    with pytest.raises(ConfigError, match="hoard has no evaluation 'point'; did you mean 'points'"):
        state.evaluate("point")
