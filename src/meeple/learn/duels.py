"""Sets of games between two players: what gates, references and ladders of generations are made of.

In a set the player has each seat once, in games of one seed and one opening; the rival has all other seats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.agents.base import Agent
from meeple.arena.match import play_match
from meeple.arena.openings import random_opening
from meeple.arena.ratings import Result
from meeple.core.chance import rng_for
from meeple.core.game import Game

GATE, MEASURE, LADDER = "gate", "reference", "ladder"  # what a set is played for
PURPOSES = (GATE, MEASURE, LADDER)
FIRST, REFERENCE = -1, 0  # players by number: the search of a run's first games, the reference, then generation 1, 2 ..


@dataclass(frozen=True)
class Duel:
    """A set, played."""

    purpose: str
    player: int
    rival: int
    number: int  # of the set among those of its purpose
    returns: tuple[tuple[float, ...], ...]  # [seat of the player][seat]

    @property
    def shares(self) -> list[float]:
        """The player's win share in each game."""
        return [(1.0 + game[seat]) / 2.0 for seat, game in enumerate(self.returns)]

    @property
    def score(self) -> float:
        """The player's mean win share."""
        return float(np.mean(self.shares))

    def results(self, names: Callable[[int], str]) -> list[Result]:
        """The games as they are rated; who has a higher return comes before, equals are tied."""
        player, rival = names(self.player), names(self.rival)
        return [
            (
                tuple(player if other == seat else rival for other in range(len(game))),
                tuple(1 + sum(value > own for value in game) for own in game),
            )
            for seat, game in enumerate(self.returns)
        ]


def play_duel(
    game: Game, purpose: str, players: tuple[int, int], number: int, agents: Sequence[Agent], *, seed: int
) -> Duel:
    """Play set `number` between a player and a rival, in the run with this seed: the same games whoever the two are."""
    seed = rng_for("train", "selfplay", purpose, number, seed=seed).below(2**31 - 1)
    start = random_opening(game, seed)
    returns = []
    for seat in range(game.seats):
        seated = [agents[0] if other == seat else agents[1] for other in range(game.seats)]
        match = play_match(game, seated, seed=seed, start=start)
        returns.append(tuple(float(value) for value in match.state.returns()))
    return Duel(purpose, *players, number, tuple(returns))


def sets_for(games: int, seats: int) -> int:
    """How many sets are at least so many games."""
    return -(-games // seats)


def as_rows(duels: Iterable[Duel], seats: int) -> NDArray[np.float64]:
    """Sets as an array, one a row."""
    rows = [
        [PURPOSES.index(duel.purpose), duel.player, duel.rival, duel.number, *np.ravel(duel.returns)] for duel in duels
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, 4 + seats * seats)


def from_rows(rows: NDArray[Any], seats: int) -> Iterator[Duel]:
    """The sets of such an array."""
    for row in rows:
        purpose, player, rival, number = (int(each) for each in row[:4])
        returns = tuple(tuple(game) for game in row[4:].reshape(seats, seats).tolist())
        yield Duel(PURPOSES[purpose], player, rival, number, returns)
