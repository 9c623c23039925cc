"""Limits of time: what is late, what happens then, and how a clock is shared out. Nothing here measures time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conftest import HOARD
from meeple import Agent, Turn, load_agent, load_game
from meeple.agents.base import ask
from meeple.agents.mcts import TreeSearch
from meeple.arena.conditions import MARGIN, Conditions, parse_clock
from meeple.arena.engine import Played, play_game, usual_moves
from meeple.arena.workers import Player, Setup
from meeple.core.chance import rng_for
from meeple.core.game import Game
from meeple.core.match import Match
from meeple.errors import ConfigError
from meeple.search.result import SearchResult


class Clock:
    """A clock that only moves when an agent says that it has thought."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Slow(Agent):
    """Thinks so long about its moves, one after the other, the last again and again; hears no alarm."""

    def __init__(self, clock: Clock, *seconds: float) -> None:
        self.clock, self.seconds, self.asked = clock, seconds, 0

    def choose(self, turn: Turn) -> int:
        self.clock.now += self.seconds[min(self.asked, len(self.seconds) - 1)]
        self.asked += 1
        return int(turn.rng.choice(turn.state.legal_actions()))


class Obedient(Agent):
    """Thinks until the alarm, a hundredth of a second at a time, and plays at random."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def choose(self, turn: Turn) -> int:
        while not turn.should_stop():
            self.clock.now += 0.01
        return int(turn.rng.choice(turn.state.legal_actions()))


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("santorini")


def timed(game: Game, *seconds: float, **limits: object) -> Played:
    """A match of an agent that takes so many seconds a move against one that takes none."""
    clock = Clock()
    agents = [Slow(clock, *seconds), load_agent("random", game)]
    return play_game(game, agents, seed=1, conditions=Conditions(**limits), clock=clock)  # type: ignore[arg-type]


# --- when a move is late


@pytest.mark.parametrize(
    ("seconds", "limits", "moves"),
    [
        ((0.3,), {"move": 0.1}, 0),
        ((0.1, 0.3), {"move": 0.1}, 1),
        ((0.1 + MARGIN,), {"move": 0.1}, None),  # each move may be a little late
        ((0.3,), {"move": 0.1, "first": 0.3}, 1),
        ((0.3, 0.1), {"move": 0.1, "first": 0.3}, None),
        ((0.3, 9.0), {"first": 0.3}, None),  # only the first is limited
        ((0.4,), {"first": 0.3}, 0),
        ((0.3,), {"clock": 0.5}, 1),
        ((0.25, 0.25, 0.01), {"clock": 0.5}, 7),  # at 0.0 the margin is left, once for the match: five more moves
        ((0.52, 0.01), {"clock": 0.5}, 4),  # overstepped a little at the first move: three more
        ((0.3,), {"clock": 0.5, "increment": 0.1}, 2),  # 0.5, 0.3, 0.1
        ((0.1,), {"clock": 0.5, "increment": 0.1}, None),
        ((0.2,), {"clock": 9.0, "move": 0.1}, 0),  # both: whichever is less
        ((0.2,), {"clock": 0.5, "move": 0.3}, 2),
        ((0.4, 0.2), {"clock": 0.5, "first": 0.4, "move": 9.0}, 1),
        ((9.0,), {}, None),
    ],
)
def test_who_is_late_forfeits(game: Game, seconds: tuple[float, ...], limits: dict[str, float], moves: int) -> None:
    # A billionth, since sums of tenths are not exact.
    found = timed(game, *(each - 1e-9 for each in seconds), **limits)
    if moves is None:
        assert found.at_fault is None
        assert found.movers.count(0) > 7
    else:
        assert (found.at_fault, found.movers.count(0)) == (0, moves)
        assert found.shares == [0.0, 1.0]


def test_the_reason_tells_which_limit_it_was(game: Game) -> None:
    assert "at ply 0 took 0.30 s where 0.10 s were allowed" in timed(game, 0.3, move=0.1).reason
    assert "took 0.30 s where 0.20 s were on its clock" in timed(game, 0.3, clock=0.5).reason
    assert "took 0.30 s where 0.00 s were on its clock" in timed(game, 0.52, 0.3, clock=0.5).reason


def test_instead_of_a_late_move_a_random_one_is_made(game: Game) -> None:
    late = timed(game, 0.3, move=0.1, on_timeout="random")
    assert late.at_fault is None
    state = late.start.copy()
    for ply, code in enumerate(late.codes):
        if state.to_move == 0:
            assert code == int(rng_for("timeout", 0, ply, seed=1).choice(state.legal_actions()))
        state = state.after(code)
    assert timed(game, 0.1, move=0.1, on_timeout="random").codes != late.codes


def test_an_agent_whose_clock_has_run_out_is_not_asked_again(game: Game) -> None:
    clock = Clock()
    slow = Slow(clock, 0.2)
    agents = [slow, load_agent("random", game)]
    limits = Conditions(clock=0.5, on_timeout="random")
    found = play_game(game, agents, seed=1, conditions=limits, clock=clock)
    assert found.at_fault is None
    assert slow.asked == 3  # 0.5, 0.3, 0.1
    assert found.movers.count(0) > 7
    slow.asked = 0
    # What is added after each move brings it back: 0.2 - 0.05 at every second move.
    limits = Conditions(clock=0.1, increment=0.2, on_timeout="random")
    play_game(game, agents, seed=1, conditions=limits, clock=clock)
    assert slow.asked > 7


def test_limits_are_read_and_checked() -> None:
    assert parse_clock("60s+1s") == (60.0, 1.0)
    assert parse_clock("2m") == (120.0, 0.0)
    for nothing in ("0s", "0ms+1s"):  # which would count as no limit at all
        with pytest.raises(ConfigError, match="a limit is a time above zero"):
            parse_clock(nothing)
    with pytest.raises(ConfigError, match="is not a time"):
        parse_clock("60s+")
    with pytest.raises(ConfigError, match="an increment needs a clock"):
        Conditions(increment=1.0)
    with pytest.raises(ConfigError, match="forfeit or a random move be made, not 'wait'"):
        Conditions(on_timeout="wait")
    with pytest.raises(ConfigError, match="a limit is a time above zero"):
        Conditions(move=-1.0)
    both = Conditions(move=2.0, first=30.0, clock=100.0)
    assert both.allowed(is_first=True, left=100.0) == 30.0
    assert both.allowed(is_first=False, left=100.0) == 2.0
    assert both.allowed(is_first=False, left=1.5) == 1.5
    assert both.allowed(is_first=False, left=0.0) == 0.0
    assert Conditions().allowed(is_first=False, left=0.0) is None
    assert Conditions().hanging(None) == 600.0
    assert both.hanging(0.0) == 1.0


@pytest.mark.parametrize("limits", [{"move": 1.0}, {"first": 1.0}, {"clock": 1.0}, {"clock": 1.0, "increment": 0.1}])
def test_compiled_agents_are_asked_where_there_is_a_limit(limits: dict[str, float]) -> None:
    def player(conditions: Conditions) -> Player:
        return Player(Setup(game=f"{HOARD}:players=2", agents=("random", "first"), conditions=conditions))

    assert player(Conditions()).engine.insider is not None
    assert player(Conditions(**limits)).engine.insider is None  # type: ignore[arg-type]


# --- how a clock is shared out


def test_a_share_of_the_clock() -> None:
    clock = Conditions(clock=60.0)
    assert clock.share(is_first=True, left=60.0, to_come=30.0) == 2.0
    assert clock.share(is_first=False, left=1.0, to_come=0.2) == 1.0
    assert clock.share(is_first=False, left=-0.01, to_come=10.0) == 0.0
    added = Conditions(clock=60.0, increment=1.0)
    assert added.share(is_first=False, left=31.0, to_come=30.0) == 2.0  # 31 and 29 more over 30 moves
    assert added.share(is_first=False, left=0.5, to_come=30.0) == 0.5  # what is there
    assert Conditions(clock=60.0, move=1.5).share(is_first=False, left=60.0, to_come=30.0) == 1.5
    assert Conditions(move=1.5).share(is_first=False, left=0.0, to_come=30.0) == 1.5
    assert Conditions().share(is_first=False, left=0.0, to_come=30.0) is None


@pytest.mark.parametrize("limits", [{"clock": 60.0}, {"clock": 30.0, "increment": 1.0}])
def test_a_search_under_a_clock_alone_lasts_for_the_whole_match(game: Game, limits: dict[str, float]) -> None:
    usual = usual_moves(game)
    assert 20 < usual < 40
    for seed in range(8):
        clock = Clock()
        agents = [Obedient(clock), Obedient(clock)]
        conditions = Conditions(**limits)  # type: ignore[arg-type]
        found = play_game(game, agents, seed=seed, conditions=conditions, clock=clock)
        assert found.at_fault is None
        for seat in range(2):
            spent = [seconds for mover, seconds in zip(found.movers, found.seconds, strict=True) if mover == seat]
            total = conditions.clock + conditions.increment * (usual - 1)
            assert spent[0] == pytest.approx(total / usual, abs=0.011)
            assert max(spent) < 3 * total / usual
            # Neither spent at once nor hoarded: an even share for each move that was made.
            assert sum(spent) > 0.6 * min(1.0, len(spent) / usual) * total


def test_the_usual_length_is_the_same_every_time(game: Game) -> None:
    before = usual_moves(game)
    usual_moves.cache_clear()
    assert usual_moves(game) == before


def turn_of(game: Game, seconds: float | None) -> Turn:
    state = game.new(seed=1).settled()
    return Turn(state=state, seat=state.to_move, ply=0, rng=rng_for("test", seed=1), seconds=seconds)


def test_the_lesser_of_two_limits_counts() -> None:
    game = load_game(f"{HOARD}:players=2")
    assert [turn_of(game, None).within(own) for own in (0.0, 2.0)] == [0.0, 2.0]
    assert [turn_of(game, 1.0).within(own) for own in (0.0, 2.0, 0.5)] == [1.0, 1.0, 0.5]
    assert turn_of(game, 0.0).within(0.0) > 0  # run out is not "no limit"


def test_under_a_limit_of_the_match_a_search_without_one_has_no_other() -> None:
    game = load_game(f"{HOARD}:players=2")
    agent = load_agent("ismcts:iterations=0", game)
    assert isinstance(agent, TreeSearch)
    free, held = agent.config_for(turn_of(game, None)), agent.config_for(turn_of(game, 0.5))
    assert (free.iterations > 0, free.time) == (True, 0.0)
    assert (held.iterations, held.time) == (0, 0.5)
    own = load_agent("ismcts:iterations=70", game)
    assert isinstance(own, TreeSearch)
    assert own.config_for(turn_of(game, 0.5)).iterations == 70


# --- searches answer at the alarm


def rings_at(look: int) -> Callable[[], bool]:
    looks = iter(range(look))
    return lambda: next(looks, None) is None


@pytest.mark.parametrize(
    ("spec", "most"),
    [
        ("mcts:iterations=100000000", 100_000),
        ("mcts:iterations=100000000,worlds=50", 100_000),
        ("mcts:iterations=100000000,threads=2", 100_000),
        ("mcts:iterations=100000000,threads=2,parallel=tree", 1_000_000),
        ("flat:playouts=100000000", 100_000),
        ("greedy:worlds=1000000000", 10_000),
        ("alphabeta:depth=100", 100_000_000),
        ("minimax:depth=100,worlds=3", 100_000_000),
        ("expectimax:depth=40", 100_000_000),
    ],
)
def test_a_search_answers_soon_after_the_alarm(game: Game, spec: str, most: int) -> None:
    told: list[SearchResult] = []
    match = Match(game, seed=1)
    agent = load_agent(spec, game)
    assert ask(agent, match, should_stop=rings_at(3), report=told.append) in match.state.legal_actions()
    assert 0 < told[0].work < most
