"""The leak audit of every game: no two worlds that look the same to a seat get different moves from any agent."""

from __future__ import annotations

import pytest

from conftest import HOARD
from meeple import State
from meeple.agents.base import Agent, Turn
from meeple.core.chance import Stream
from search.leaks import audit_game

GAMES = ("azul", "ingenious", "sagrada", "saboteur", "saboteur-duel")  # those with chance or secrets
DECISIONS = 20_000  # of each game: 100,000 in all
LEAST = 100  # of each agent


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_no_agent_knows_what_its_seat_may_not(game: str) -> None:
    asked = audit_game(game, decisions=DECISIONS)
    assert sum(asked.values()) == DECISIONS
    assert min(asked.values()) >= LEAST


class Peeping(Agent):
    """Plays by what it may not know of the world that it is handed: harmless, as long as that is made up."""

    spec = "peeping"

    def choose(self, turn: Turn) -> int:
        """The move at a place that the fate names."""
        offer = turn.state.legal_actions()
        return int(offer[int(turn.state.record.fate) % len(offer)])


def test_a_peeping_agent_finds_nothing_in_a_redealt_world() -> None:
    assert audit_game(HOARD, decisions=60, agents=lambda game: [Peeping()]) == {"peeping": 60}


def test_the_audit_catches_an_agent_that_is_handed_the_true_world(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(State, "handed", lambda state, seat, words, ply: (state, Stream(1)))
    with pytest.raises(AssertionError, match="peeping knows what it may not: hoard"):
        audit_game(HOARD, decisions=60, agents=lambda game: [Peeping()])
