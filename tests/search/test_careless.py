"""`careless`: its share of other moves, and the agents behind it."""

from __future__ import annotations

import pytest

from meeple.agents.base import ask
from meeple.agents.registry import load_agent
from meeple.core.match import Match
from meeple.core.registry import load_game
from meeple.errors import ConfigError


def first_moves(spec: str, matches: int) -> list[int]:
    game = load_game("santorini")
    agent = load_agent(spec, game)
    return [ask(agent, Match(game, seed=seed)) for seed in range(matches)]


def test_without_a_share_it_is_the_agent_behind_it() -> None:
    assert first_moves("careless:agent=[first],share=0", 40) == first_moves("first", 40)


def test_its_share_of_moves_is_random() -> None:
    first = first_moves("first", 1)[0]
    others = sum(move != first for move in first_moves("careless:agent=[first],share=0.5", 400))
    assert 160 < others < 240  # 200 expected, and the first move is drawn once in 300


def test_its_other_moves_can_be_another_agents() -> None:
    assert first_moves("careless:agent=[random],share=1,slip=[first]", 40) == first_moves("first", 40)


def test_it_wants_what_the_agents_behind_it_want() -> None:
    game = load_game("saboteur")
    assert load_agent("careless:agent=[detective]", game).wants_history
    assert load_agent("careless:agent=[plain],slip=[detective]", game).wants_history
    assert not load_agent("careless:agent=[plain]", game).wants_history


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("careless:agent=first", "takes a spec in brackets"),
        ("careless:slip=first", "'slip' of careless takes a spec in brackets"),
        ("careless:agent=[nobody]", "there is no agent 'nobody'"),
        ("careless:share=1.5", "at most 1"),
    ],
)
def test_what_is_wrong_is_said(spec: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        load_agent(spec, load_game("santorini"))
