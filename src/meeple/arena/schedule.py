"""Who meets whom: lineups of agents, and the games of each.

A *lineup* is a group of agents, one a seat. Its games come in *sets*: set i has seed s + i, which alone fixes its
world; with `both` a set is that seed with all exchanges of seats (`seat_orders`), else one game as the agents are
named.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from meeple.errors import ConfigError

SCHEDULES = ("table", "roundrobin", "gauntlet", "swiss")


def seat_orders(seats: int) -> list[tuple[int, ...]]:
    """Who sits where in the games of a set: all permutations up to four seats, all rotations above.

    In order[seat] stands the agent's place in the lineup.
    """
    if seats <= 4:
        return list(permutations(range(seats)))
    return [tuple((seat + shift) % seats for seat in range(seats)) for shift in range(seats)]


@dataclass(frozen=True, order=True)
class Lineup:
    """One group of agents by their numbers, as named; `lap` is the round of a Swiss schedule."""

    lap: int
    agents: tuple[int, ...]


@dataclass(frozen=True, order=True)
class GameKey:
    """Which game: the lineup, the set, and the seating within the set."""

    lineup: Lineup
    number: int
    seating: int

    def text(self) -> str:
        """As people write it: lineup, set and seating, such as `1+2/17.1`, all counted from 1."""
        lap = f"r{self.lineup.lap + 1}:" if self.lineup.lap else ""
        agents = "+".join(str(agent + 1) for agent in self.lineup.agents)
        return f"{lap}{agents}/{self.number + 1}.{self.seating + 1}"


@dataclass(frozen=True)
class Schedule:
    """What kind, how many agents, how many seats, and whether every seed is played with all seatings."""

    kind: str
    agents: int
    seats: int
    both: bool
    laps: int = 0  # of a Swiss schedule; 0: as many as find a single winner

    @property
    def orders(self) -> tuple[tuple[int, ...], ...]:
        """The seatings of a set: order[seat] is a place in the lineup's agents."""
        return tuple(seat_orders(self.seats)) if self.both else (tuple(range(self.seats)),)

    def seated(self, key: GameKey) -> tuple[int, ...]:
        """The number of the agent in each seat of a game."""
        return tuple(key.lineup.agents[place] for place in self.orders[key.seating])

    def sets_for(self, games: int) -> int:
        """Whole sets that hold at least so many games."""
        return math.ceil(games / len(self.orders))

    def first_lineups(self) -> list[Lineup]:
        """The lineups known before the first game."""
        everyone = range(self.agents)
        if self.kind == "table":
            return [Lineup(0, tuple(everyone))]
        if self.kind == "roundrobin":
            return [Lineup(0, group) for group in combinations(everyone, self.seats)]
        if self.kind == "gauntlet":
            return [Lineup(0, (0, *group)) for group in combinations(range(1, self.agents), self.seats - 1)]
        return self.swiss_lineups(0, {}, set())

    @property
    def n_laps(self) -> int:
        """Rounds of a Swiss schedule; one of any other."""
        return (self.laps or max(1, math.ceil(math.log2(self.agents)))) if self.kind == "swiss" else 1

    def swiss_lineups(
        self, lap: int, points: Mapping[int, float], met: set[frozenset[int]], rested: Sequence[int] = ()
    ) -> list[Lineup]:
        """Return the pairs of a round: neighbours in the standings that have not met yet, where possible.

        With an odd number of agents the lowest that has not rested yet rests.
        """
        standing = sorted(range(self.agents), key=lambda agent: (-points.get(agent, 0.0), agent))
        if len(standing) % 2:
            resting = next((agent for agent in reversed(standing) if agent not in rested), standing[-1])
            standing.remove(resting)
        return [Lineup(lap, tuple(sorted(pair))) for pair in _pairs(standing, met)]


def _pairs(standing: list[int], met: set[frozenset[int]]) -> list[tuple[int, int]]:
    """Pair the first with its nearest neighbour that it has not met, such that the rest can be paired so too.

    If that is impossible, some meet again. Backtracking: `others` is the pairing of the rest.
    """
    if not standing:
        return []
    first, rest = standing[0], standing[1:]
    for allowed in (False, True):
        for other in rest:
            if frozenset((first, other)) in met and not allowed:
                continue
            others = _pairs([agent for agent in rest if agent != other], met)
            repeats = any(frozenset(pair) in met for pair in others)
            if allowed or not repeats:
                return [(first, other), *others]
    raise AssertionError("an even number of agents can be paired")


def make_schedule(kind: str, *, agents: int, seats: int, both: bool, laps: int = 0) -> Schedule:
    """A schedule of this kind; by default one lineup if there are as many agents as seats, else a round robin."""
    if agents < seats:
        wanted = f"{seats} agents sit at a table and {agents} {'is' if agents == 1 else 'are'} named"
        raise ConfigError(f"{wanted}; name {seats} or more (the same one twice is fine)")
    kind = kind or ("table" if agents == seats else "roundrobin")
    if kind not in SCHEDULES:
        raise ConfigError(f"a schedule is {', '.join(SCHEDULES)}, not '{kind}'")
    if kind == "table" and agents != seats:
        raise ConfigError(f"one table seats {seats} agents, not {agents}; a roundrobin lets all meet")
    if kind == "swiss" and seats != 2:
        raise ConfigError(f"a Swiss schedule pairs two agents, not {seats}; a roundrobin seats more")
    return Schedule(kind, agents, seats, both, laps)
