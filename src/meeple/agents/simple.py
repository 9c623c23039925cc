"""Agents that do not search: `random`, `first` and `human`."""

from __future__ import annotations

from meeple.agents.base import Agent, Compiled, Turn
from meeple.core.game import Game
from meeple.errors import AgentError, UsageError


class Random(Agent):
    """Plays any legal move, each as likely as another."""

    def choose(self, turn: Turn) -> int:
        """One of the offer, drawn from the agent's stream."""
        return int(turn.rng.choice(turn.state.legal_actions()))

    def compiled(self, game: Game) -> Compiled:
        """The same draw, compiled."""
        return Compiled(game.functions["choose"])


class First(Agent):
    """Plays the first legal move in the order of the game's codes."""

    draws_lots = False

    def choose(self, turn: Turn) -> int:
        """The least code on offer."""
        return int(turn.state.legal_actions()[0])

    def compiled(self, game: Game) -> Compiled:
        """The same, compiled."""
        return Compiled(game.specialise("meeple.search.first").first_action)


class Human(Agent):
    """Asks a person at the terminal; `meeple play` adds undo, hints and saving."""

    def choose(self, turn: Turn) -> int:
        """Ask until the answer is a move on offer."""
        while True:
            try:
                return turn.state.read_move(input(f"seat {turn.seat + 1}, your move: "))
            except UsageError as fault:
                print(fault)
            except EOFError:
                raise AgentError("the person left: the input has ended") from None
