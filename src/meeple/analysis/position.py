"""Analysing one position: its candidates, ranked by their win chances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from meeple.agents.base import never
from meeple.analysis.calibration import calibration_of, trust_words
from meeple.analysis.effort import effort_named
from meeple.analysis.judge import Question, find_judge
from meeple.analysis.measure import Bench, judge_decision
from meeple.analysis.result import Candidate, Chances
from meeple.analysis.tables import TextTable, points
from meeple.analysis.words import proof_words
from meeple.core.chance import rng_for
from meeple.core.contract import NOBODY
from meeple.core.entry import Entry
from meeple.core.game import State
from meeple.core.match import Match
from meeple.errors import ConfigError, IllegalMoveError


@dataclass(frozen=True)
class PositionAnalysis:
    """What a position is worth as one seat knows it, and the moves that the seat may make there, the best first."""

    game: str
    position: str  # as the seat sees it
    seat: int
    judge: str
    effort: str
    chances: Chances  # of each seat, by what `seat` knows
    moves: tuple[Candidate, ...]  # those worth a look; none where another seat or chance is to move
    line: tuple[str, ...]  # how the judge would go on
    n_moves: int  # on offer
    is_calibrated: bool  # whether the judge's values were fitted to results; else they are no win chances

    @property
    def best(self) -> Candidate | None:
        """The best move; None where the seat is not to move."""
        return self.moves[0] if self.moves else None

    def table(self) -> str:
        """The ranking as plain text."""
        chances = ", ".join(f"seat {seat + 1} {chance:.1%}" for seat, chance in enumerate(self.chances))
        trust = "" if self.is_calibrated else f" ({trust_words(False)})"
        head = f"{self.game}, as seat {self.seat + 1} knows it; {self.effort} effort by {self.judge}{trust}: {chances}"
        if not self.moves:
            return head
        has_points = self.moves[0].points is not None
        columns = ("move", "chance", "+-", *(("lead",) if has_points else ()), "searches", "")
        rows = tuple(
            (
                each.move,
                points(each.chance),
                points(each.error),
                *((f"{each.points:+.1f}",) if each.points is not None else ()),
                str(each.named),
                proof_words(each.proof),
            )
            for each in self.moves
        )
        rest = self.n_moves - len(self.moves)
        table = TextTable(columns, rows, ("chance", "+-", "lead", "searches")).text()
        line = f"line  {', '.join(self.line)}" if len(self.line) > 1 else ""
        more = f"and {rest} more that no search named" if rest > 0 else ""
        return "\n".join(part for part in (head, table, more, line) if part)

    def as_json(self) -> dict[str, Any]:
        """For machines."""
        return asdict(self)

    def __str__(self) -> str:
        return self.table()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self) if cycle else self.table())


def analyse_position(
    position: State | Match,
    seat: int | None = None,
    *,
    effort: str = "normal",
    judge: str = "",
    seed: int = 0,
    should_stop: Callable[[], bool] = never,
) -> PositionAnalysis:
    """Rank the moves of a position by the win chances of the seat to move, or of an entry's own, as that seat knows it.

    For another `seat`, or where chance is to move, there are chances alone: in worlds dealt for that seat.

    Raises:
        IllegalMoveError: the game is over.
        ConfigError: an unknown effort or judge, or a seat that is not at the table.
    """
    state = position.state if isinstance(position, Match) else position
    game, mover = state.game, state.to_move
    if mover == NOBODY:
        raise IllegalMoveError(f"there is nothing to analyse in this position of {game.spec}: the game is over")
    if seat is None and isinstance(position, Entry) and position.view is not None:
        seat = max(position.view, 0)
    asked = max(mover, 0) if seat is None else seat
    if not 0 <= asked < game.seats:
        raise ConfigError(f"there is no seat {asked + 1} at a table of {game.seats}")
    found = find_judge(game, judge)
    calibration = calibration_of(game.definition, found.spec)
    bench = Bench(found, calibration, effort_named(effort), seed, should_stop)
    if asked == mover:
        match = position if isinstance(position, Match) else None
        seen = tuple(match.seen(asked)) if match else ()
        question = Question(state, match.ply if match else 0, seen, seed)
        # Any move will do for the one that was made: candidates are all that is wanted.
        offer = state.legal_actions()
        first = int(found.search(question, 1, 2 * bench.iterations()).action) if len(offer) > 1 else int(offer[0])
        decision = judge_decision(bench, question, 0, first)
        moves, line = tuple(sorted(decision.candidates, key=lambda each: -each.chance)), decision.line
        chances = decision.before if not game.facts.hidden else _known(bench, state, asked)
        n_moves = len(offer)
    else:
        chances, moves, line, n_moves = _known(bench, state, asked), (), (), 0
    return PositionAnalysis(
        game=game.spec,
        position=state.text(asked),
        seat=asked,
        judge=found.spec,
        effort=effort,
        chances=chances,
        moves=moves,
        line=line,
        n_moves=n_moves,
        is_calibrated=bench.is_calibrated,
    )


def _known(bench: Bench, state: State, seat: int) -> Chances:
    """The chances of all seats in worlds dealt for `seat`."""
    repeats = bench.effort.repeats
    rows = [
        bench.judge.value(
            state,
            rng_for("analysis", "position", repeat, seed=bench.seed),
            bench.iterations(repeat, repeats),
            seat=seat,
        )
        for repeat in range(repeats)
    ]
    return tuple(bench.calibration.chances(np.array(rows)).mean(axis=0).tolist())
