"""One game as measures read it: its decisions as columns, made by walking its events once more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from meeple.arena.measures.lens import Lens
from meeple.arena.schedule import GameKey
from meeple.arena.store import StoredGame
from meeple.core.contract import CHANCE
from meeple.core.game import State

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Leaf:
    """What the moves of a game's last choice lead to (leaves.py)."""

    is_case: bool = False  # all of them lead to the end without another choice
    is_same: bool = False  # and to the same win shares
    first_share: float = 0.0  # of the first seat, after the first of the moves


def last_choice(state: State | None) -> Leaf:
    """Play every move of a last choice to the end; None where a game had no choice at all."""
    if state is None:
        return Leaf()
    first: list[float] | None = None
    is_same = True
    for action in state.legal_actions():
        end = _unchosen_end(state.after(int(action)))
        if end is None:
            return Leaf()
        shares = end.win_shares()
        first = first or shares
        is_same = is_same and shares == first
    assert first is not None
    return Leaf(is_case=True, is_same=is_same, first_share=first[0])


def _unchosen_end(state: State) -> State | None:
    """The end that follows without a choice, chance as fate brings it; None where somebody has one."""
    state = state.settled()
    while not state.is_over:
        actions = state.legal_actions()
        if len(actions) > 1:
            return None
        state = state.after(int(actions[0])).settled()
    return state


@dataclass(frozen=True, eq=False)
class Walk:
    """The decisions of a game in their order, a column each, and the running score."""

    seat: Ints  # that decided
    round: Ints  # the booklet's, from 0
    offered: Ints  # legal actions
    is_setup: NDArray[np.bool_]
    kept: Ints  # of these, what the lens's filter of that seat leaves
    points: Ints  # [decision, seat]: the open score before it; one row more for the end
    standing: NDArray[np.float64]  # [decision, seat]: the same by the lens's judge
    worlds: NDArray[np.float64]  # that fit what the seat knows; infinite where nobody counted them
    metrics: Ints  # [decision, metric, seat]: what the seat has by each metric of the lens; one row more for the end
    n_outcomes: int  # chance events
    leaf: Leaf = Leaf()


def walk(start: State, codes: Iterable[int], lens: Lens, agents: Sequence[int]) -> Walk:
    """Play the events of a game from its first state and note each decision; `agents` sit there, by number."""
    game = start.game
    state, face, seats = start.copy(), game.face, range(game.seats)
    array = state.array
    rows: list[tuple[int, int, int, bool, int]] = []
    points: list[list[int]] = []
    standing: list[list[float]] = []
    worlds: list[float] = []
    metrics: list[list[list[int]]] = []
    n_outcomes = 0
    choice: State | None = None  # the last so far
    for code in codes:
        mover = face.to_move_at(array, 0)
        if mover == CHANCE:
            n_outcomes += 1
        else:
            offered, is_setup = face.count_actions_at(array, 0), face.is_setup_at(array, 0)
            if offered > 1:
                choice = state.copy()
            kept = lens.kept(state, agents[mover], offered, len(rows))
            worlds.append(lens.worlds(state, mover, len(rows)))
            rows.append((mover, face.round_index_at(array, 0), offered, is_setup, kept))
            points.append([face.score_at(array, 0, seat) for seat in seats])
            standing.append(lens.judged(state, points[-1]))
            metrics.append(lens.counted(state))
        face.apply_at(array, 0, code)
    points.append([face.score_at(array, 0, seat) for seat in seats])
    standing.append(lens.judged(state, points[-1]))
    metrics.append(lens.counted(state))
    table = np.array(rows, dtype=np.int64).reshape(-1, 5)
    return Walk(
        seat=table[:, 0],
        round=table[:, 1],
        offered=table[:, 2],
        is_setup=table[:, 3] != 0,
        kept=table[:, 4],
        points=np.array(points, dtype=np.int64),
        standing=np.array(standing, dtype=np.float64),
        worlds=np.array(worlds, dtype=np.float64),
        metrics=np.array(metrics, dtype=np.int64).reshape(len(metrics), len(lens.metrics), game.seats),
        n_outcomes=n_outcomes,
        leaf=last_choice(choice),
    )


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
    def of(cls, game: StoredGame, seated: Sequence[int], start: State, codes: Iterable[int], lens: Lens) -> Trace:
        """The trace of a game whose first state and events are known."""
        return cls(
            key=game.key,
            agents=tuple(seated),
            shares=game.shares,
            course=game.course,
            walk=walk(start, codes, lens, seated),
            seconds=np.array([seconds for _, seconds in game.times], dtype=np.float64),
        )

    @property
    def leaf(self) -> Leaf:
        """What its last choice leads to."""
        return self.walk.leaf

    @property
    def set_key(self) -> tuple[object, int]:
        """The set to which it belongs: games of one seed and lineup share their luck."""
        return self.key.lineup, self.key.number
