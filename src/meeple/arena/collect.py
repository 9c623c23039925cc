"""Many whole games as NumPy arrays: `Game.playouts` (how they ended) and `Game.collect` (a row for each decision).

Agents that are compiled functions (`random`, `first`, a game's policies, policies of models) are played in compiled
code, slices of the games on threads; others are asked, move for move. Either way the game of a seed is the very game
that a tournament plays with that seed: the same openings, fates and streams.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.agents.base import Agent
from meeple.agents.registry import load_agent
from meeple.arena.collect_kernels import FULL, ILLEGAL
from meeple.arena.engine import Played, play_game
from meeple.arena.inside import NOT_OFFERED, Insider, insider_for
from meeple.arena.openings import random_opening
from meeple.core.batch import Lists, Slices, lists_of
from meeple.core.game import Game, State
from meeple.core.heuristics import heuristics_of
from meeple.core.observe import Float32s, find_observer
from meeple.errors import ConfigError

MOST_GAMES = 1 << 26
A_SLICE = 16  # games that are worth a thread of their own
USUAL_PLIES = 64  # rows for which room is made, a game, at first
Int64s = NDArray[np.int64]


@dataclass(frozen=True)
class Games:
    """How games ended; row i is the game of seeds[i], and columns are seats."""

    game: Game
    seeds: Int64s
    plies: Int64s  # decisions made
    shares: NDArray[np.float64]  # of the victory
    ranks: Int64s
    scores: Int64s

    def __len__(self) -> int:
        return len(self.seeds)

    def __repr__(self) -> str:
        return f"<{len(self):,} games of {self.game.spec}>"

    @property
    def returns(self) -> NDArray[np.float64]:
        """`2w - 1` for each seat's share w of the victory."""
        returns: NDArray[np.float64] = 2 * self.shares - 1
        return returns

    def to_polars(self) -> Any:
        """A polars frame with a row for each seat of each game."""
        n, seats = self.shares.shape
        columns = {
            "seed": np.repeat(self.seeds, seats),
            "seat": np.tile(np.arange(seats), n),
            "plies": np.repeat(self.plies, seats),
            "share": self.shares.ravel(),
            "rank": self.ranks.ravel(),
            "score": self.scores.ravel(),
        }
        return frame_of(columns)


@dataclass(frozen=True)
class Rows:
    """The decisions of some games, one a row, in the order in which they were made, one game after the other."""

    states: NDArray[Any]  # before the move: whole worlds, hidden parts included
    movers: Int64s  # the seat to move
    actions: Int64s  # what it played
    games: Int64s  # the row of `ended` that tells of its game
    ended: Games
    observations: Float32s | None = None  # what the mover saw, [row, ...], where that was asked for

    def __len__(self) -> int:
        return len(self.actions)

    def __repr__(self) -> str:
        return f"<{len(self):,} decisions of {len(self.ended):,} games of {self.ended.game.spec}>"

    @property
    def values(self) -> NDArray[np.float64]:
        """The returns of the mover in the game that the row is from."""
        found: NDArray[np.float64] = self.ended.returns[self.games, self.movers]
        return found

    def state(self, row: int) -> State:
        """The state of one row."""
        row = range(len(self))[row]
        return State(self.ended.game, self.states[row : row + 1]).copy()

    def legal_actions(self, threads: int | None = None) -> Lists:
        """The moves that were on offer in each row."""
        return lists_of(self.ended.game, self.states, Slices(threads))

    def observe(self, features: str = "default", threads: int | None = None) -> Float32s:
        """What the mover saw in each row, as numbers (core/observe.py)."""
        observer = find_observer(self.ended.game, features)
        out = np.empty((len(self), observer.size), dtype=np.float32)
        Slices(threads).run(len(self), lambda first, last: observer.write(self.states, self.movers, first, last, out))
        return out.reshape(len(self), *observer.shape)


def frame_of(columns: dict[str, Any]) -> Any:
    """A polars frame of these columns.

    Raises:
        ConfigError: polars is not installed.
    """
    try:
        import polars
    except ImportError:
        raise ConfigError("frames need polars: pip install 'meeple[report]'") from None
    return polars.DataFrame(columns)


def playouts(game: Game, n: int, policy: Agent | str = "random", *, seed: int = 0, threads: int | None = None) -> Games:
    """Play the `n` games of the seeds from `seed` on, all seats by one policy; see `Game.playouts`."""
    plan = _plan(game, n, _as_spec(game, policy), seed, threads)
    return _joined_ends([part.ended for part in plan.run(keeps_rows=False)])


def collect(
    game: Game,
    n: int,
    agents: Agent | str | Sequence[Agent | str] = "random",
    *,
    observations: str = "",
    seed: int = 0,
    threads: int | None = None,
) -> Rows:
    """Play the `n` games of the seeds from `seed` on and return their decisions; see `Game.collect`."""
    if observations:
        find_observer(game, observations)  # before the first game
    plan = _plan(game, n, agents, seed, threads)
    rows = _joined(plan.run(keeps_rows=True))
    if not observations:
        return rows
    return Rows(rows.states, rows.movers, rows.actions, rows.games, rows.ended, rows.observe(observations, threads))


# --- who plays, and on how many threads ------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Plan:
    """Games to be played, checked."""

    game: Game
    seeds: Int64s
    agents: tuple[Agent | str, ...]  # a seat each
    slices: Slices

    def run(self, *, keeps_rows: bool) -> list[Rows]:
        """Play them in parts."""
        parts: list[Rows] = self.slices.run(
            len(self.seeds), lambda first, last: self._part(self.seeds[first:last], keeps_rows), least=A_SLICE
        )
        return parts

    def _part(self, seeds: Int64s, keeps_rows: bool) -> Rows:
        # Agents of its own for each thread: a policy with weights has scratch, and a search may keep a tree.
        seated = _loaded(self.agents, self.game)
        insider = insider_for(self.game, seated)
        if insider is None:
            return _asked(self.game, seated, seeds, keeps_rows)
        return _gathered(insider, seeds) if keeps_rows else _ended(insider, seeds)


def _plan(game: Game, n: int, agents: Agent | str | Sequence[Agent | str], seed: int, threads: int | None) -> _Plan:
    if not 1 <= n <= MOST_GAMES:
        raise ConfigError(f"give a number of games from 1 to {MOST_GAMES:,}, not {n:,}")
    named = (agents,) * game.seats if isinstance(agents, (Agent, str)) else tuple(agents)
    if len(named) != game.seats:
        raise ConfigError(f"{game.spec} wants {game.seats} agents, not {len(named)}")
    _loaded(named, game)  # a wrong spec is refused here, once
    if any(isinstance(agent, Agent) for agent in named):
        threads = 1  # an agent's own object may not be shared by threads
    return _Plan(game, seed + np.arange(n, dtype=np.int64), named, Slices(threads))


def _as_spec(game: Game, agent: Agent | str) -> Agent | str:
    """A policy's own name as the spec of the agent that plays by it."""
    if isinstance(agent, str) and agent in heuristics_of(game, "PLAYOUTS"):
        return f"policy:name={agent}"
    return agent


def _loaded(agents: Sequence[Agent | str], game: Game) -> list[Agent]:
    known = {agent: load_agent(agent, game) for agent in dict.fromkeys(agents) if isinstance(agent, str)}
    return [known[agent] if isinstance(agent, str) else agent for agent in agents]


# --- played in compiled code ------------------------------------------------------------------------------------------


class _Columns(NamedTuple):
    """Room for rows, as the kernel takes it."""

    states: NDArray[Any]
    movers: Int64s
    actions: Int64s
    games: Int64s

    def resized(self, used: int, size: int) -> _Columns:
        """As many rows, the first `used` of them kept."""
        rows = [np.empty(size, dtype=column.dtype) for column in self]
        for row, column in zip(rows, self, strict=True):
            _plain(row)[:used] = _plain(column)[:used]
        return _Columns(*rows)


class _Ends(NamedTuple):
    """Room for how games end, as the kernel takes it."""

    plies: Int64s
    shares: NDArray[np.float64]
    ranks: Int64s
    scores: Int64s


def _gathered(insider: Insider, seeds: Int64s) -> Rows:
    """The rows of these games, played by agents that are compiled."""
    game, agents, n = insider.game, insider.agents, len(seeds)
    # What these call is bound by name too: the cache's key must know the files of the agents' functions.
    inside = insider.compiled
    compiled = game.specialise("meeple.arena.collect_kernels", ask=inside.ask, begin=inside.begin, **insider.bound)
    size = USUAL_PLIES * n
    rows = _Columns(game.buffer(size), *(np.empty(size, dtype=np.int64) for _ in range(3)))
    table = (np.empty((n, game.seats), dtype=np.int64) for _ in range(2))
    ends = _Ends(np.empty(n, dtype=np.int64), np.empty((n, game.seats)), *table)
    openings = 0 if game.facts.chance else game.facts.opening
    matches = insider.matches(seeds, np.tile(np.arange(game.seats), (n, 1)), openings)
    scratch, first, used = insider.scratch(), 0, 0
    while first < n:
        why, first, used = compiled.gather(scratch, matches, first, rows, ends, used)
        if why == ILLEGAL:
            raise _fault_of(game, agents, int(seeds[first]))
        if why == FULL:
            rows = rows.resized(used, 2 * len(rows.actions))
    return Rows(*rows.resized(used, used), Games(game, seeds, *ends))


def _fault_of(game: Game, agents: Sequence[Agent], seed: int) -> Exception:
    """Play a game by asking, to find out who answered what is not on offer."""
    played = play_game(game, agents, seed=seed, start=random_opening(game, seed), steps=False)
    assert played.fault is not None
    return played.fault


def _ended(insider: Insider, seeds: Int64s) -> Rows:
    """How these games end, with no rows."""
    game, agents = insider.game, insider.agents
    batch = insider.play(
        seeds.tolist(),
        [list(range(game.seats))] * len(seeds),
        openings=0 if game.facts.chance else game.facts.opening,
        keeps="results",
    )
    wrong = np.flatnonzero(batch.plies == NOT_OFFERED)
    if len(wrong):
        raise _fault_of(game, agents, int(seeds[wrong[0]]))
    return _no_rows(Games(game, seeds, batch.plies, batch.shares, batch.ranks, batch.scores))


def _no_rows(ended: Games) -> Rows:
    empty = np.empty(0, dtype=np.int64)
    return Rows(ended.game.buffer(0), empty, empty, empty, ended)


# --- asked ------------------------------------------------------------------------------------------------------------


def _asked(game: Game, agents: Sequence[Agent], seeds: Int64s, keeps_rows: bool) -> Rows:
    """The rows of these games, played by agents that are asked for each move."""
    found: list[Played] = []
    for seed in seeds.tolist():
        played = play_game(game, agents, seed=seed, start=random_opening(game, seed), steps=keeps_rows)
        if played.fault is not None:
            raise played.fault
        found.append(played)
    ended = Games(
        game,
        seeds,
        np.array([played.plies for played in found], dtype=np.int64),
        np.array([played.shares for played in found]),
        np.array([played.ranks for played in found], dtype=np.int64),
        np.array([played.scores for played in found], dtype=np.int64),
    )
    steps = [(i, step) for i, played in enumerate(found) for step in played.steps or () if step.seat is not None]
    if not steps:
        return _no_rows(ended)
    return Rows(
        np.concatenate([_plain(step.before.array) for _, step in steps]).view(game.layout),
        np.array([step.seat for _, step in steps], dtype=np.int64),
        np.array([step.code for _, step in steps], dtype=np.int64),
        np.array([i for i, _ in steps], dtype=np.int64),
        ended,
    )


# --- parts put together -----------------------------------------------------------------------------------------------


def _plain(states: NDArray[Any]) -> NDArray[Any]:
    """An array whose entries are copied as bytes: NumPy copies states field by field, 50 times slower."""
    return states.view(f"V{states.dtype.itemsize}") if states.dtype.names else states


def _joined(parts: list[Rows]) -> Rows:
    """The rows of all parts, in their order."""
    if len(parts) == 1:
        return parts[0]
    before = np.cumsum([0, *(len(part.ended) for part in parts)])
    return Rows(
        np.concatenate([_plain(part.states) for part in parts]).view(parts[0].states.dtype),
        np.concatenate([part.movers for part in parts]),
        np.concatenate([part.actions for part in parts]),
        np.concatenate([part.games + start for part, start in zip(parts, before[:-1], strict=True)]),
        _joined_ends([part.ended for part in parts]),
    )


def _joined_ends(parts: list[Games]) -> Games:
    """The games of all parts, in their order."""
    names = [each.name for each in fields(Games) if each.name != "game"]
    return Games(parts[0].game, *(np.concatenate([getattr(part, name) for part in parts]) for name in names))
