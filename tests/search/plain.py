"""Plain minimax and max-n in Python over `State`, to hold the compiled searches to."""

from __future__ import annotations

import math

from meeple import State
from meeple.core.heuristics import find_heuristic
from meeple.search.alphabeta import PROOF, STEP, WIN


def evaluate(state: State, seat: int, evaluation: str) -> float:
    return float(find_heuristic(state.game, "EVALUATIONS", evaluation)(state.record, seat))


def minimax(state: State, depth: int, seat: int, evaluation: str = "default", ply: int = 0) -> float:
    """The value for `seat`: it maximises, everybody else minimises, chance follows the fate."""
    state = state.settled()
    if state.is_over:
        share = state.win_shares()[seat]
        return WIN - STEP * ply if share == 1 else STEP * ply - WIN if share == 0 else 2 * share - 1
    if depth == 0:
        return evaluate(state, seat, evaluation)
    values = [minimax(state.after(a), depth - 1, seat, evaluation, ply + 1) for a in state.offer()]
    return max(values) if state.to_move == seat else min(values)


def root_values(state: State, depth: int, evaluation: str = "default") -> dict[int, float]:
    """The value of each root move for the seat to move."""
    return {a: minimax(state.after(a), depth - 1, state.to_move, evaluation, 1) for a in state.offer()}


def told(value: float) -> tuple[float, int]:
    """A value of `minimax` as a result tells it: expected returns in [-1, 1], and the plies of a proof."""
    if abs(value) < PROOF:
        return value, 0
    plies = round((WIN - abs(value)) / STEP)
    return math.copysign(1.0, value), plies if value > 0 else -plies


def maxn(state: State, depth: int) -> list[float]:
    """The returns of all seats when each takes the first move that is best for it."""
    state = state.settled()
    if state.is_over:
        return state.returns()
    if depth == 0:
        return [evaluate(state, seat, "default") for seat in range(state.game.seats)]
    vectors = [maxn(state.after(a), depth - 1) for a in state.offer()]
    return max(vectors, key=lambda vector: vector[state.to_move])
