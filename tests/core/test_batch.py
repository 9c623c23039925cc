"""Batches: the games they play are the matches of their seeds, on any number of threads."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import HOARD, TICTACTOE
from meeple import Match, Stream, load_game
from meeple.core.batch import Batch
from meeple.errors import ConfigError, IllegalMoveError

GAMES = [
    HOARD,
    f"{HOARD}:players=3",
    TICTACTOE,
    "santorini",
    *(
        pytest.param(name, marks=pytest.mark.long)
        for name in (
            "azul:players=4",
            "ingenious:players=3",
            "sagrada",
            "sagrada:players=1",
            "saboteur:players=6",
            "saboteur-duel",
        )
    ),
]


@pytest.mark.parametrize("name", GAMES)
def test_a_batch_plays_the_matches_of_its_seeds(name: str) -> None:
    game, rng = load_game(name), np.random.default_rng(5)
    batch = game.batch(3, seed=40)
    matches = [Match(game, seed=40 + place) for place in range(3)]
    next_seed = [43, 44, 45]
    ended = 0
    while ended < 6:
        assert [match.to_move for match in matches] == list(batch.to_move)
        lists = batch.legal_actions()
        actions = lists.sample(rng)
        for place, match in enumerate(matches):
            assert list(lists[place]) == list(match.state.legal_actions())
            assert batch.state(place) == match.state
            match.play(int(actions[place]))
        batch.step(actions)
        for place, match in enumerate(matches):
            assert batch.done[place] == match.is_over
            assert list(batch.returns[place]) == (match.state.returns() if match.is_over else [0.0] * game.seats)
            if match.is_over:
                ended += 1
                matches[place] = Match(game, seed=next_seed[place])
                next_seed[place] += 3
            assert batch.plies[place] == matches[place].ply
            assert batch.seeds[place] == matches[place].seed
    assert batch.games == ended


def states_of(batch: Batch) -> bytes:
    return batch.states.tobytes() + batch.returns.tobytes() + batch.plies.tobytes()


def test_threads_change_nothing() -> None:
    game = load_game(HOARD)
    one, three = (game.batch(800, seed=1, threads=threads) for threads in (1, 3))
    for batch in (one, three):
        batch.step_randomly(9)
        batch.step(batch.legal_actions().sample(np.random.default_rng(2)))
    assert states_of(one) == states_of(three)
    assert one.games == three.games > 0
    assert np.array_equal(one.legal_actions().codes, three.legal_actions().codes)
    assert np.array_equal(one.observations(), three.observations())
    assert one.views().tobytes() == three.views().tobytes()
    assert one.views().tobytes() == b"".join(one.state(i).key(one.to_move[i]) for i in range(800))


def test_random_steps_are_legal_games() -> None:
    # Each place draws from its own stream: 8 places of which no two play alike, in 40 moves of 3 and more choices.
    game = load_game(HOARD)
    batch, single = game.batch(8, seed=9), game.batch(8, seed=9)
    batch.step_randomly(40)
    for _ in range(40):
        before = [single.state(place) for place in range(8)]
        single.step_randomly()
        for place in range(8):
            if not single.done[place]:
                after = {
                    state.after(int(a)).settled().to_bytes() for state in [before[place]] for a in state.legal_actions()
                }
                assert single.state(place).to_bytes() in after
    assert batch.states.tobytes() == single.states.tobytes()
    assert batch.games == single.games
    assert len({batch.state(place).to_bytes() for place in range(8)}) == 8


@pytest.mark.parametrize("name", GAMES)
def test_what_seats_see_is_that_of_the_states(name: str) -> None:
    batch = load_game(name).batch(12, seed=2).step_randomly(11)
    views = batch.views()
    for features in ("default", "fields"):
        seen = batch.observations(features)
        for place in range(12):
            state = batch.state(place)
            assert np.array_equal(seen[place], state.observation(features=features))
            world = state.redealt(state.to_move, Stream(place))
            assert np.array_equal(seen[place], world.observation(features=features))
            assert views[place].tobytes() == world.key(state.to_move)


def test_an_illegal_action_is_refused_and_nothing_is_played() -> None:
    game = load_game(HOARD)
    batch = game.batch(5)
    for has_lists in (False, True):
        if has_lists:
            batch.legal_actions()
        before = states_of(batch)
        actions = np.array([0, 0, 1, 4, 0])
        with pytest.raises(IllegalMoveError, match="place 3 of the batch: action 4 is not on offer in hoard"):
            batch.step(actions)
        with pytest.raises(IllegalMoveError, match="place 0 of the batch: action -1"):
            batch.step(np.array([-1, 0, 0, 0, 0]))
        assert states_of(batch) == before
    with pytest.raises(ConfigError, match="a step takes 5 whole numbers, not int64 of the shape"):
        batch.step(np.array([0, 0]))
    with pytest.raises(ConfigError, match="a step takes 5 whole numbers, not float64"):
        batch.step(np.zeros(5))


def test_masks_say_what_the_lists_say() -> None:
    batch = load_game(TICTACTOE).batch(30)
    batch.step_randomly(3)
    masks, lists = batch.masks(), batch.legal_actions()
    assert masks.shape == (30, 9)
    assert all(list(np.flatnonzero(masks[place])) == list(lists[place]) for place in range(30))
    with pytest.raises(ConfigError, match=r"saboteur-duel has 16,665 action codes, too many for masks"):
        load_game("saboteur-duel").batch(1).masks()


def test_lists_are_read_by_place_and_index() -> None:
    lists = load_game(TICTACTOE).batch(4).legal_actions()
    assert len(lists) == 4
    assert list(lists.counts) == [9] * 4
    assert list(lists[-1]) == list(range(9))
    assert list(lists.at(np.array([0, 8, 3, 1]))) == [0, 8, 3, 1]
    with pytest.raises(IllegalMoveError, match="place 1 has 9 moves, and no index 9"):
        lists.at(np.array([0, 9, 3, 1]))
    with pytest.raises(IndexError):
        lists[4]
    with pytest.raises(ValueError, match="read-only"):
        lists.codes[0] = 3


def test_what_a_batch_hands_out_stays_as_it_was() -> None:
    batch = load_game(TICTACTOE).batch(2)
    state, movers, plies = batch.state(0), batch.to_move, batch.plies
    batch.step_randomly(1)
    assert state == load_game(TICTACTOE).new()
    assert list(movers) == [0, 0] != list(batch.to_move)
    assert list(plies) == [0, 0]
    with pytest.raises(ValueError, match="read-only"):
        batch.states[0] = batch.states[1]


def test_observations_are_those_of_the_states() -> None:
    game = load_game(HOARD)
    batch = game.batch(6).step_randomly(4)
    seen = batch.observations()
    assert all(np.array_equal(seen[place], batch.state(place).observation()) for place in range(6))
    other = batch.observations(seats=1 - batch.to_move)
    assert all(np.array_equal(other[p], batch.state(p).observation(1 - int(batch.to_move[p]))) for p in range(6))
    with pytest.raises(ConfigError, match="seats are counted from 0 to 1"):
        batch.observations(seats=2)


@pytest.mark.parametrize(("n", "threads"), [(0, None), (1 << 23, None), (3, 0)])
def test_a_batch_has_places_and_threads(n: int, threads: int | None) -> None:
    with pytest.raises(ConfigError):
        load_game(TICTACTOE).batch(n, threads=threads)
