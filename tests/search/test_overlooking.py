"""`overlooking`: it plays the best of the moves that it sees, and sees as many as it is told."""

from __future__ import annotations

import numpy as np
import pytest

from meeple.agents.base import Agent, Turn, ask
from meeple.agents.overlooking import AT_ONCE, Overlooking
from meeple.agents.registry import load_agent
from meeple.core.chance import Stream
from meeple.core.game import Game
from meeple.core.match import Match
from meeple.core.registry import load_game
from meeple.errors import AgentError, ConfigError
from meeple.search.result import SearchResult
from search.leaks import audit


@pytest.fixture(scope="module")
def santorini() -> Game:
    return load_game("santorini")


class Ranked(Agent):
    """Judges moves by their codes: the greater, the better; `tops` are judged as won."""

    spec = "ranked"

    def __init__(self, tops: tuple[int, ...] = ()) -> None:
        self.tops = tops

    def choose(self, turn: Turn) -> int:
        actions = turn.state.legal_actions()
        values = np.linspace(-0.9, 0.9, len(actions))
        values[np.isin(actions, self.tops)] = 1.0
        found = SearchResult.of(int(np.argmax(values)), actions, values, np.ones_like(actions), work=1, seconds=0.0)
        turn.report(found)
        return found.action


def seeing(sees: float, inner: Agent, state: object, seed: int) -> SearchResult:
    found: list[SearchResult] = []
    agent = Overlooking(sees=sees)
    agent.inner = inner
    turn = Turn(state=state, seat=state.to_move, ply=0, rng=Stream(seed), report=found.append)  # type: ignore[attr-defined,arg-type]
    assert agent.choose(turn) == found[0].action
    return found[0]


def test_it_plays_the_best_of_what_it_sees(santorini: Game) -> None:
    state = Match(santorini, seed=1).state
    for seed in range(50):
        found = seeing(5, Ranked(), state, seed)
        assert found.action == found.actions[-1] == found.actions.max()
        assert set(found.actions) <= set(state.legal_actions())


def test_it_sees_so_many_moves_on_average(santorini: Game) -> None:
    state = Match(santorini, seed=1).state
    n = len(state.legal_actions())
    counts = [len(seeing(5, Ranked(), state, seed).actions) for seed in range(400)]
    # Binomial, n moves at 5 / n each: the mean of 400 has a deviation below sqrt(5 / 400) = 0.112; five of them. That
    # one is seen where none would be adds at most exp(-5) = 0.007.
    assert n > 50
    assert abs(np.mean(counts) - 5) < 0.57


def test_it_always_sees_a_move_and_all_where_few_are_on_offer(santorini: Game) -> None:
    state = Match(santorini, seed=1).state
    assert min(len(seeing(1, Ranked(), state, seed).actions) for seed in range(100)) == 1
    assert len(seeing(10_000, Ranked(), state, 1).actions) == len(state.legal_actions())


def test_a_win_is_seldom_overlooked(santorini: Game) -> None:
    match = Match(santorini, seed=4)
    while True:  # to where a move wins at once
        wins = [int(a) for a in match.state.legal_actions() if match.state.after(int(a)).is_over]
        if wins:
            break
        match.play(int(match.state.legal_actions()[0]))
    one = tuple(wins[:1])
    missed = sum(seeing(1, Ranked(one), match.state, seed).action not in wins for seed in range(400))
    # Overlooked with probability below AT_ONCE = 0.1: 40 expected at most, deviation 6; five of them.
    assert AT_ONCE == 0.1
    assert missed < 70


def test_seeing_all_it_is_the_agent_behind_it(santorini: Game) -> None:
    both = [
        load_agent(spec.format("alphabeta:depth=2,evaluation=climb"), santorini)
        for spec in ("overlooking:agent=[{}],sees=9999", "{}")
    ]
    for seed in range(3):
        match = Match(santorini, seed=seed)
        while match.ply < 8:
            assert ask(both[0], match) in _best(both[1], match)
            match.play(ask(both[1], match))


def _best(agent: Agent, match: Match) -> list[int]:
    """The moves that it values as highly as the one it plays."""
    found: list[SearchResult] = []
    ask(agent, match, report=found.append, wants_values=True)
    return [int(a) for a in found[0].actions[found[0].values == found[0].values.max()]]


def test_a_filter_keeps_what_makes_no_sense_from_its_mind() -> None:
    azul = load_game("azul")
    agent = load_agent("overlooking:sees=1,filter=useful", azul)
    for seed in range(20):
        match = Match(azul, seed=seed)
        assert "floor" not in match.state.move_text(ask(agent, match))


def test_the_same_seed_gives_the_same_moves(santorini: Game) -> None:
    agent, twin = (load_agent("overlooking:sees=3", santorini) for _ in range(2))
    moves = [[ask(each, Match(santorini, seed=seed)) for seed in range(30)] for each in (agent, twin)]
    assert moves[0] == moves[1]
    assert len(set(moves[0])) > 10


def test_it_wants_what_the_agent_behind_it_wants() -> None:
    game = load_game("saboteur")
    assert load_agent("overlooking:agent=[detective]", game).wants_history
    assert not load_agent("overlooking:agent=[greedy:bias=roles]", game).wants_history


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("overlooking:agent=greedy", "'agent' of overlooking takes a spec in brackets"),
        ("overlooking:agent=[nobody]", "there is no agent 'nobody'"),
        ("overlooking:sees=0.5", "at least 1"),
        ("overlooking:filter=wise", "no filter 'wise'"),
    ],
)
def test_what_is_wrong_is_said(spec: str, words: str, santorini: Game) -> None:
    with pytest.raises(ConfigError, match=words):
        load_agent(spec, santorini)


def test_an_agent_that_ranks_no_moves_is_refused_when_it_is_asked(santorini: Game) -> None:
    with pytest.raises(AgentError, match="ranks no moves"):
        ask(load_agent("overlooking:agent=[first]", santorini), Match(santorini, seed=1))


def test_leak_audit() -> None:
    assert audit("overlooking:agent=[greedy:evaluation=none],sees=2", players=3, seed=15) > 6
