"""PUCT by a function of one's own: what it is asked, what it may answer, and that it finds what there is to find."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import HOARD, TICTACTOE
from meeple import Stream, function_agent, load_agent, load_game, play_match, search
from meeple.agents.outside import outside_of
from meeple.core.game import State
from meeple.errors import AgentError
from meeple.search.batched import BatchedSettings, Leaves
from meeple.search.batched import search as search_batched


def nothing(leaves: Leaves) -> Any:
    """Knows nothing: every position is even."""
    return np.zeros(len(leaves))


def position(*moves: int) -> State:
    state = load_game(TICTACTOE).new()
    for move in moves:
        state = state.play(move)
    return state


@pytest.mark.parametrize("batch", [1, 8])
def test_it_finds_a_win_and_a_forced_block(batch: int) -> None:
    #  x x .   x wins at 2       x x .   o must block at 2
    #  o o .                     . o .
    agent = function_agent(nothing, iterations=200, batch=batch)
    assert search(position(0, 3, 1, 4), agent).best.action == 2
    ranked = search(position(0, 4, 1), agent)
    assert ranked.best.action == 2
    assert all(one.value < ranked.best.value for one in ranked.moves[1:])


def test_values_are_exact_in_a_small_tree() -> None:
    # Two cells are free, 7 and 8, and no line is open: after either move the game is drawn, whatever the function says.
    state = position(0, 1, 2, 4, 3, 5, 7, 6)
    result = search_batched(state, nothing, config=BatchedSettings(iterations=20, batch=4), rng=Stream(1))
    assert list(result.actions) == [8]
    assert result.values[0] == pytest.approx(state.play(8).returns()[state.to_move])
    assert result.work == 21


def test_all_visits_are_counted_and_batches_do_not_exceed_their_size() -> None:
    sizes: list[int] = []

    def counting(leaves: Leaves) -> Any:
        sizes.append(len(leaves))
        return np.zeros(len(leaves))

    config = BatchedSettings(iterations=50, batch=16)
    result = search_batched(position(), counting, config=config, rng=Stream(1))
    assert result.visits.sum() == 50
    assert sizes[0] == 1
    assert max(sizes) == 16
    assert sum(sizes) == 51  # no game ends within so few


def test_priors_lead_the_search() -> None:
    def likes_the_corner(leaves: Leaves) -> Any:
        codes = leaves.legal_actions().codes
        return np.zeros(len(leaves)), np.where(codes == 8, 10.0, 0.1)

    config = BatchedSettings(iterations=64, batch=1)  # a virtual loss would lead some of a batch elsewhere
    result = search_batched(position(), likes_the_corner, config=config, rng=Stream(1))
    assert result.action == 8
    assert result.visits[8] > 0.8 * result.visits.sum()


def test_values_of_the_mover_lead_the_search() -> None:
    def likes_the_middle(leaves: Leaves) -> Any:
        # Good for whoever holds cell 4; the value asked for is that of the seat to move.
        holders = (leaves.states["stones"] >> 4) & 1
        place = np.arange(len(leaves))
        return 0.5 * (holders[place, leaves.to_move].astype(float) - holders[place, 1 - leaves.to_move])

    result = search_batched(position(), likes_the_middle, config=BatchedSettings(iterations=300), rng=Stream(1))
    assert result.action == 4
    assert result.values[4] == pytest.approx(0.5, abs=0.25)


GAMES = ("santorini", "azul:players=3", "ingenious", "sagrada:players=1", "saboteur:players=3", "saboteur-duel")


@pytest.mark.parametrize(
    "name", [HOARD, f"{HOARD}:players=3", *(pytest.param(name, marks=pytest.mark.long) for name in GAMES)]
)
def test_it_plays_games_with_chance_and_secrets(name: str) -> None:
    game = load_game(name)

    def each_seat(leaves: Leaves) -> Any:
        assert leaves.observations().shape[0] == len(leaves)
        return np.zeros((len(leaves), game.seats)) + 1 / game.seats

    match = play_match(game, [function_agent(each_seat, iterations=20, batch=4)] * game.seats, seed=3)
    assert match.is_over


def test_it_is_the_same_search_in_every_world_that_the_seat_cannot_tell_apart() -> None:
    game = load_game(HOARD)
    state = game.new(seed=4).settled()
    agent = function_agent(nothing, iterations=60, batch=8)
    here = search(state, agent, seed=1)
    there = search(state.redealt(state.to_move, Stream(9)), agent, seed=1)
    assert np.array_equal(here.result.visits, there.result.visits)
    assert np.array_equal(here.result.values, there.result.values)


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (lambda leaves: np.zeros(len(leaves) + 1), "values of the shape"),
        (lambda leaves: np.zeros((len(leaves), 3)), "values of the shape"),
        (lambda leaves: (np.zeros(len(leaves)), np.ones(3)), r"priors of the shape \(3,\)"),
        (lambda leaves: np.full(len(leaves), np.nan), "no finite numbers"),
        (lambda leaves: (np.zeros(len(leaves)), -np.ones(9)), "a prior below 0"),
    ],
)
def test_a_wrong_answer_is_refused(answer: Any, fault: str) -> None:
    with pytest.raises(AgentError, match=fault):
        search(position(), function_agent(answer, iterations=4))


def test_a_function_in_a_file_is_an_agent(tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text("import numpy as np\n\ndef evaluate(leaves):\n    return np.zeros((len(leaves), 1))\n")
    agent = load_agent(f"{file}:evaluate:iterations=30,batch=5", load_game(TICTACTOE))
    assert agent.spec == f"{file}:evaluate:iterations=30,batch=5"
    assert search(position(0, 3, 1, 4), agent).result.visits.sum() == 30
    (found,) = outside_of(agent.spec)
    assert (found.kind, found.text) == ("code", str(file))
