"""The moves of a position, ranked by an agent that searches: `meeple.search(state, "mcts:iterations=500")`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from meeple.agents.base import Agent, pose, streams_of
from meeple.agents.registry import load_agent
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.game import State
from meeple.core.match import Match
from meeple.errors import ConfigError, IllegalMoveError
from meeple.search.result import SearchResult

MOST_ROWS = 20  # of a ranking that is printed


@dataclass(frozen=True)
class RankedMove:
    """What the search thinks of one move; the fields are those of `SearchResult`, for this move."""

    move: str
    action: int
    value: float  # expected returns of the mover in [-1, 1]; NaN: not known
    error: float  # standard error of the value; NaN: it is no mean of samples
    visits: int
    proof: int  # n: won after n plies at the latest; -n: lost; 0: not proven
    is_bound: bool  # the move is worth at most its value

    @property
    def remark(self) -> str:
        """What the numbers do not say: a proof, a bound, or that the move was never tried."""
        if self.proof:
            return f"{'won' if self.proof > 0 else 'lost'} after {abs(self.proof)} plies at the latest"
        if self.visits == 0:
            return "never tried"
        return "at most" if self.is_bound else ""


@dataclass(frozen=True)
class Ranking:
    """The moves that a search looked at: the one it chose first, the others by their value; prints as a table."""

    heading: str
    moves: tuple[RankedMove, ...]
    result: SearchResult

    @property
    def best(self) -> RankedMove:
        """The move that the agent would play."""
        return self.moves[0]

    def __len__(self) -> int:
        return len(self.moves)

    def __iter__(self) -> Iterator[RankedMove]:
        return iter(self.moves)

    def __getitem__(self, place: int) -> RankedMove:
        return self.moves[place]

    def table(self, most: int = MOST_ROWS) -> str:
        """The first so many moves as a table of plain text."""
        rows = [("move", "value", "error", "visits", "")]
        rows += [
            (one.move, _signed(one.value), _plain(one.error), str(one.visits), one.remark) for one in self.moves[:most]
        ]
        width = [max(len(row[column]) for row in rows) for column in range(4)]
        lines = [
            f"{move:<{width[0]}}  {value:>{width[1]}}  {error:>{width[2]}}  {visits:>{width[3]}}  {remark}".rstrip()
            for move, value, error, visits, remark in rows
        ]
        rest = len(self.moves) - most
        return "\n".join([self.heading, *lines, *([f"and {rest} more"] if rest > 0 else [])])

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<Ranking of {len(self.moves)} moves: {self.best.move} {_signed(self.best.value)}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self) if cycle else self.table())


def search(
    position: State | Match, agent: Agent | str, *, seed: int | None = None, deterministic: bool = False
) -> Ranking:
    """Rank the moves of the seat to move by what `agent` finds: expected returns of that seat, in [-1, 1].

    The agent is handed a world redealt for the seat, never the true one, unless `deterministic`. Every move is searched
    for its own value, where the agent knows how. `seed` fixes its lots: 0 for a state; a match has its own, and there
    the agent thinks what it would think if it sat in that seat. An agent that infers from what was played before
    (`belief=`, `reuse=yes`) needs the match.

    Raises:
        IllegalMoveError: no seat is to move.
        ConfigError: the agent does not search, or needs the match and was given a state.
        AgentError: it raised, or answered what is not on offer.
    """
    match = position if isinstance(position, Match) else None
    state = position.state if isinstance(position, Match) else position
    seat, game = state.to_move, state.game
    if seat in (CHANCE, NOBODY):
        why = "the game is over" if seat == NOBODY else "chance is to move: play an outcome, or go on from .settled()"
        raise IllegalMoveError(f"there are no moves to rank in this position of {game.spec}: {why}")
    thinker = load_agent(agent, game) if isinstance(agent, str) else agent
    if match is None and thinker.wants_history:
        raise ConfigError(f"agent '{thinker.spec}' infers from the match so far: give the Match, not one state of it")
    own = (match.seed, match.salt) if match is not None else (0, b"")
    found: list[SearchResult] = []
    pose(
        thinker,
        state,
        ply=match.ply if match is not None else 0,
        streams=streams_of(thinker, seat, *(own if seed is None else (seed, b""))),
        seen=lambda: match.seen(seat) if match is not None else [],
        events=None if match is None else lambda: match.seen_events(seat),
        deterministic=deterministic,
        report=found.append,
        wants_values=True,
    )
    if not found:
        raise ConfigError(f"agent '{thinker.spec or type(thinker).__name__}' does not search: it ranks no moves")
    return _ranked(state, thinker, found[-1])


def _ranked(state: State, agent: Agent, result: SearchResult) -> Ranking:
    moves = [
        RankedMove(
            state.move_text(int(action)),
            int(action),
            float(result.values[place]),
            float(result.errors[place]),
            int(result.visits[place]),
            int(result.proofs[place]),
            bool(result.bounds[place]),
        )
        for place, action in enumerate(result.actions)
    ]
    moves.sort(key=lambda one: _order(one, result.action))
    seat = f"seat {state.to_move + 1} to move in {state.game.spec}"
    name = agent.spec or type(agent).__name__
    heading = f"{seat}, by {name}: {moves[0].move} of {len(moves)} moves; values are its expected returns, -1 to 1"
    return Ranking(heading, tuple(moves), result)


def _order(one: RankedMove, chosen: int) -> tuple[object, ...]:
    """A sort key: the chosen move first, then by value, moves of unknown value last.

    Among equal values the quickest proven win comes first, the quickest proven loss last.
    """
    is_unknown = math.isnan(one.value)
    proven = (0, one.proof) if one.proof > 0 else (2, one.proof) if one.proof < 0 else (1, 0)
    return one.action != chosen, is_unknown, 0.0 if is_unknown else -one.value, one.is_bound, proven, -one.visits


def _signed(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:+.3f}"


def _plain(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"
