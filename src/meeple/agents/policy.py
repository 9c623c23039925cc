"""`policy` as an agent: a game's own rule for choosing a move, the same that playouts may use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from meeple.agents.base import Agent, Compiled, Turn
from meeple.core.game import Game, State
from meeple.core.heuristics import MODEL, find_heuristic, heuristics_of
from meeple.core.settings import setting
from meeple.errors import ConfigError, UnsupportedGameError, did_you_mean
from meeple.search import policy
from meeple.search.offer import kept_actions


@dataclass(kw_only=True)
class Policy(Agent):
    """Plays by a policy of the game's, or by a trained one, without looking ahead."""

    name: str = setting(
        "default", "the game's policy, one of those that playouts may use, or a model's: model@FILE", of="PLAYOUTS"
    )
    reading: str = setting(
        "text", "as its text tells it, or as its author's program plays: NAME-program", choices=("text", "program")
    )

    @property
    def policy(self) -> str:
        """The policy's name, by the reading."""
        return self.name if self.reading == "text" else f"{self.name}-{self.reading}"

    def fit(self, game: Game) -> None:
        """The game must offer the policy."""
        if not heuristics_of(game, "PLAYOUTS") and not self.name.startswith(f"{MODEL}@"):
            raise UnsupportedGameError(f"{game.name} offers no policy; try greedy")
        super().fit(game)
        find_heuristic(game, "PLAYOUTS", self.policy)

    def choose(self, turn: Turn) -> int:
        """The policy's move."""
        return policy.decide(turn.state, name=self.policy, rng=turn.rng)

    def considered(self, state: State) -> Sequence[int]:
        """Those among which the policy chooses."""
        return considered_by(self.policy, state)

    def compiled(self, game: Game) -> Compiled:
        """The policy itself."""
        found = find_heuristic(game, "PLAYOUTS", self.policy)
        return Compiled(found.function, found.given())


@dataclass(kw_only=True)
class Rules(Agent):
    """Plays by a set of rules that a game offers as the policy `rules-STRATEGY`."""

    strategy: str = setting(
        "default", "which rules, where a game offers several", names="word", of="PLAYOUTS", prefix="rules-"
    )

    def fit(self, game: Game) -> None:
        """The game must offer such rules, by its own word for them or by a paper's."""
        self.policy(game)

    def policy(self, game: Game) -> str:
        """The name of the policy."""
        known = [name.removeprefix("rules-") for name in heuristics_of(game, "PLAYOUTS") if name.startswith("rules-")]
        if not known:
            raise UnsupportedGameError(f"{game.name} offers no rules to play by; try policy or greedy")
        other_words = game.definition.roster.strategies if game.definition.roster else {}
        wanted = other_words.get(self.strategy, self.strategy)
        if wanted != "default" and wanted not in known:
            nearest = did_you_mean(self.strategy, [*known, *other_words])
            raise ConfigError(f"{game.name} has no strategy '{self.strategy}'; {nearest}")
        return f"rules-{known[0] if wanted == 'default' else wanted}"

    def choose(self, turn: Turn) -> int:
        """The policy's move."""
        return policy.decide(turn.state, name=self.policy(turn.state.game), rng=turn.rng)

    def considered(self, state: State) -> Sequence[int]:
        """Those among which the rules choose."""
        return considered_by(self.policy(state.game), state)


def considered_by(name: str, state: State) -> Sequence[int]:
    """The moves among which a policy of the game's chooses."""
    found = find_heuristic(state.game, "PLAYOUTS", name)
    return [int(action) for action in kept_actions(state, found.considers or "none")]
