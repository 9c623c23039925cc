"""What an evaluation is made of, in plain words: its terms, so that a move can be explained.

A game's `terms.py` holds two tables, by the names in its `heuristics.py`:

    TERMS        of an evaluation: write(state, seat, out)
    MOVE_TERMS   of a bias: write(state, action, out)

`write` adds to `out`, which holds zeros: `out[OWN, i]` is what term `i` gives the seat, `out[OTHERS, i]` what it gives
the best of the others, already with its sign. All numbers together, by `squash`, are the evaluation:

    squash(out.sum(), *given) == evaluate(state, seat, *given)

where `given` are the parameters, if there are any; they are the last argument of `write`. A law holds them to it. The
searches never ask for terms: they stand in a file of their own, so that no search is compiled with them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.heuristics import Heuristic, heuristics_of

if TYPE_CHECKING:
    from meeple.core.game import Game, State

OWN, OTHERS = 0, 1  # rows of what `write` fills
Floats = NDArray[np.float64]


def unsquashed(total: float, *given: Any) -> float:
    """The `squash` of an evaluation that is its sum."""
    return total


@dataclass(frozen=True, eq=False)
class Terms:
    """The terms of one evaluation or bias.

    `names` go into sentences: "gains 3 points of full rows" for "full rows". The names of a bias's terms say what a
    move does: "digs on".
    """

    names: tuple[str, ...]
    write: Any
    squash: Callable[..., float] = unsquashed
    point: Callable[..., tuple[float, float]] | None = None
    """What a point of the game counts in the seat's row and in the others'; None: the numbers are in no unit of the
    game. It takes the parameters, if there are any."""

    def of(self, state: State, subject: int, heuristic: Heuristic) -> Floats:
        """The contributions [OWN or OTHERS, term] for a seat, or for an action."""
        out = np.zeros((2, len(self.names)))
        self.write(state.copy().record, np.int64(subject), out, *heuristic.given())
        return out


def terms_of(game: Game, kind: str) -> Mapping[str, Terms]:
    """The terms that a game declares, by the name of the evaluation (`EVALUATIONS`) or bias (`BIASES`)."""
    table: Mapping[str, Terms] = getattr(
        game.definition.terms, {"EVALUATIONS": "TERMS", "BIASES": "MOVE_TERMS"}[kind], {}
    )
    return table


def explained(game: Game, kind: str) -> tuple[Terms, Heuristic] | None:
    """The first of a kind that has terms, and the heuristic itself; None where the game declares none."""
    known = heuristics_of(game, kind)
    return next(((terms, known[name]) for name, terms in terms_of(game, kind).items()), None)
