"""One game as measures read it: its decisions as columns, made by walking its events once more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from meeple.arena.schedule import GameKey
from meeple.arena.store import StoredGame
from meeple.core.contract import CHANCE
from meeple.core.game import State

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Walk:
    """The decisions of a game in their order, a column each, and the running score."""

    seat: Ints  # that decided
    round: Ints  # the booklet's, from 0
    offered: Ints  # legal actions
    is_setup: NDArray[np.bool_]
    points: Ints  # [decision, seat]: the open score before it; one row more for the end
    n_outcomes: int  # chance events


def walk(start: State, codes: Iterable[int]) -> Walk:
    """Play the events of a game from its first state and note each decision."""
    face, array, seats = start.game.face, start.copy().array, range(start.game.seats)
    rows: list[tuple[int, int, int, bool]] = []
    points: list[list[int]] = []
    n_outcomes = 0
    for code in codes:
        mover = face.to_move_at(array, 0)
        if mover == CHANCE:
            n_outcomes += 1
        else:
            offered, is_setup = face.count_actions_at(array, 0), face.is_setup_at(array, 0)
            rows.append((mover, face.round_index_at(array, 0), offered, is_setup))
            points.append([face.score_at(array, 0, seat) for seat in seats])
        face.apply_at(array, 0, code)
    points.append([face.score_at(array, 0, seat) for seat in seats])
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    return Walk(table[:, 0], table[:, 1], table[:, 2], table[:, 3] != 0, np.array(points, dtype=np.int64), n_outcomes)


@dataclass(frozen=True, eq=False, kw_only=True)
class Trace:
    """A game that was played to its end."""

    key: GameKey
    agents: tuple[int, ...]  # by seat, numbers as the tournament has them
    shares: tuple[float, ...]
    course: bytes
    walk: Walk
    seconds: NDArray[np.float64]  # of each decision; empty where nothing was timed

    @classmethod
    def of(cls, game: StoredGame, seated: Sequence[int], start: State, codes: Iterable[int]) -> Trace:
        """The trace of a game whose first state and events are known."""
        return cls(
            key=game.key,
            agents=tuple(seated),
            shares=game.shares,
            course=game.course,
            walk=walk(start, codes),
            seconds=np.array([seconds for _, seconds in game.times], dtype=np.float64),
        )

    @property
    def set_key(self) -> tuple[object, int]:
        """The set to which it belongs: games of one seed and lineup share their luck."""
        return self.key.lineup, self.key.number
