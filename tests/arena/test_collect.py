"""Rows of whole games: the same games that a match plays, by agents that are compiled and by those that are asked."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import HOARD, TICTACTOE
from meeple import Agent, Turn, load_agent, load_game
from meeple.agents.base import Compiled
from meeple.arena.collect import Rows
from meeple.arena.engine import play_game
from meeple.arena.openings import random_opening
from meeple.core.game import Game
from meeple.core.kernel import kernel
from meeple.errors import AgentError, ConfigError


def check_against_matches(rows: Rows, agents: list[str]) -> None:
    """Every row is a decision of the match of its seed, in order, and its results are that match's."""
    game, place = rows.ended.game, 0
    for i, seed in enumerate(rows.ended.seeds.tolist()):
        seated = [load_agent(spec, game) for spec in agents]
        played = play_game(game, seated, seed=seed, start=random_opening(game, seed))
        for step in played.steps or ():
            if step.seat is not None:
                assert rows.state(place) == step.before
                assert (rows.movers[place], rows.actions[place], rows.games[place]) == (step.seat, step.code, i)
                assert rows.values[place] == 2 * played.shares[step.seat] - 1
                place += 1
        assert rows.ended.plies[i] == played.plies
        assert list(rows.ended.shares[i]) == list(played.shares)
        assert list(rows.ended.ranks[i]) == list(played.ranks)
        assert list(rows.ended.scores[i]) == list(played.scores)
    assert place == len(rows) > 0


@pytest.mark.parametrize(
    ("name", "agents"),
    [
        (HOARD, ["random", "policy:name=greedy"]),
        (f"{HOARD}:players=3", ["first", "random", "random"]),
        (TICTACTOE, ["random", "first"]),
        (HOARD, ["greedy", "random"]),  # greedy is no compiled function, so both are asked
        *(
            pytest.param(name, ["random"] * seats, marks=pytest.mark.long)
            for name, seats in (
                ("azul:players=3", 3),
                ("ingenious", 2),
                ("sagrada", 2),
                ("saboteur:players=4", 4),
                ("saboteur-duel", 2),
                ("santorini", 2),
            )
        ),
    ],
)
def test_rows_are_the_decisions_of_matches(name: str, agents: list[str]) -> None:
    check_against_matches(load_game(name).collect(20, agents, seed=7, threads=1), agents)


def test_buffers_grow() -> None:
    # 400 games have room for 64 rows each at first; a game of hoard has about 7, so let one thread begin with less.
    game = load_game(HOARD)
    from meeple.arena import collect

    usual = collect.USUAL_PLIES
    whole = game.collect(40, seed=7, threads=1)
    try:
        collect.USUAL_PLIES = 1
        grown = game.collect(40, seed=7, threads=1)
    finally:
        collect.USUAL_PLIES = usual
    assert whole.states.tobytes() == grown.states.tobytes()
    assert np.array_equal(whole.games, grown.games)


@pytest.mark.parametrize("agents", ["random", "greedy"])
def test_threads_change_nothing(agents: str) -> None:
    game = load_game(HOARD)
    one, three = (game.collect(60, agents, threads=threads, observations="default") for threads in (1, 3))
    assert one.states.tobytes() == three.states.tobytes()
    for name in ("movers", "actions", "games", "observations"):
        assert np.array_equal(getattr(one, name), getattr(three, name)), name
    assert np.array_equal(one.ended.shares, three.ended.shares)
    assert list(one.ended.seeds) == list(three.ended.seeds) == list(range(60))


def test_a_policy_is_named_by_itself() -> None:
    game = load_game(HOARD)
    own, spelt = game.playouts(30, "greedy"), game.playouts(30, "policy:name=greedy")
    assert np.array_equal(own.shares, spelt.shares)
    assert not np.array_equal(own.plies, game.playouts(30).plies)
    rows = game.collect(30, "policy:name=greedy")
    assert np.array_equal(own.ranks, rows.ended.ranks)
    assert np.array_equal(own.scores, rows.ended.scores)


def test_observations_and_lists_come_with_the_rows() -> None:
    rows = load_game(HOARD).collect(5, observations="fields")
    lists = rows.legal_actions()
    assert rows.observations is not None
    for place in range(len(rows)):
        state = rows.state(place)
        assert np.array_equal(rows.observations[place], state.observation())
        assert list(lists[place]) == list(state.legal_actions())


def test_results_become_a_frame() -> None:
    games = load_game(f"{HOARD}:players=3").playouts(4, seed=2)
    frame = games.to_polars()
    assert frame.columns == ["seed", "seat", "plies", "share", "rank", "score"]
    assert frame["seed"].to_list() == [seed for seed in (2, 3, 4, 5) for _ in range(3)]
    assert frame["rank"].to_list() == games.ranks.ravel().tolist()
    assert np.allclose(games.returns.sum(axis=1), -1.0)  # 2w - 1 over three seats, shares adding up to 1


@kernel
def stray(state, rng, out):  # type: ignore[no-untyped-def]
    return np.int64(77)


class Straying(Agent):
    """Answers what is never on offer."""

    spec = "straying"

    def choose(self, turn: Turn) -> int:
        return 77

    def compiled(self, game: Game) -> Compiled:
        return Compiled(stray)


def test_what_cannot_be_collected_is_refused() -> None:
    game = load_game(HOARD)
    with pytest.raises(ConfigError, match="hoard:players=2 wants 2 agents, not 3"):
        game.collect(1, ["random"] * 3)
    with pytest.raises(ConfigError, match="give a number of games from 1"):
        game.playouts(0)
    with pytest.raises(ConfigError, match="no observation 'field'"):
        game.collect(1, observations="field")
    with pytest.raises(ConfigError, match="there is no agent 'greed'"):
        game.playouts(1, "greed")
    for run in (game.collect, game.playouts):
        with pytest.raises(AgentError, match="straying"):
            run(3, Straying())
