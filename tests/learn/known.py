"""What tic-tac-toe is worth, by its whole tree: played perfectly, at random, or at random but for wins at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from conftest import TICTACTOE
from meeple import load_game
from meeple.core.game import State
from meeple.learn.strength import Yardstick
from meeple.learn.training import Training
from meeple.models.evaluation import as_evaluation
from meeple.models.file import save

Floats = NDArray[np.float64]  # the returns of each seat
GAME = load_game(TICTACTOE)
# An open two of the mover wins at once: the move that does. Or a rival's must be parried, and then it is a draw.
KNOWN = {
    "XX./OO./...": (1, 2),
    "X../.O./X.O": (1, 3),
    "XX./.O./..O": (1, 2),
    "OO./XX./X..": (1, 2),
    "XXO/.O./...": (0, 6),
}


@cache
def perfect(state: State) -> Floats:
    """If nobody errs."""
    return max(map(perfect, nexts(state)), key=lambda found: found[state.to_move], default=returns_of(state))


@cache
def at_random(state: State) -> Floats:
    """The mean if all play at random."""
    after = [at_random(each) for each in nexts(state)]
    return np.mean(after, axis=0) if after else returns_of(state)


@cache
def winning_at_once(state: State) -> Floats:
    """The mean if whoever can win at once does, and all else is played at random."""
    won = [each for each in nexts(state) if each.is_over and returns_of(each)[state.to_move] == 1]
    after = [winning_at_once(each) for each in won or nexts(state)]
    return np.mean(after, axis=0) if after else returns_of(state)


def nexts(state: State) -> list[State]:
    """The positions after each move."""
    return [] if state.is_over else [state.after(int(action)) for action in state.legal_actions()]


def returns_of(state: State) -> Floats:
    """Of a finished game; else zeros, which nobody reads."""
    return np.array(state.returns() if state.is_over else [0.0, 0.0])


@cache
def unfinished() -> tuple[State, ...]:
    """Every position in which somebody is to move: 4,520."""
    found, layer = [], {GAME.new()}
    while layer:
        found += sorted((state for state in layer if not state.is_over), key=State.to_bytes)
        layer = {after for state in layer for after in nexts(state)}
    return tuple(found)


def values_of(training: Training) -> Callable[[State, int], float]:
    """What the model of a run says of a position, for a seat."""
    asked = as_evaluation(GAME, training.model({}))
    return lambda state, seat: float(asked(state.copy().record, np.int64(seat)))


def share_right(training: Training) -> float:
    """Where moves differ in their true value: how often the one that the model likes best has the best."""
    value, right, n = values_of(training), 0, 0
    for state in unfinished():
        me, after = state.to_move, nexts(state)
        true = [perfect(each)[me] for each in after]
        if min(true) < max(true):
            liked = [returns_of(each)[me] if each.is_over else value(each, me) for each in after]
            right += true[int(np.argmax(liked))] == max(true)
            n += 1
    return right / n


def require_better_after(
    untrained: Training, learnt: Training, folder: Path, *, player: str = "", games: int = 400
) -> None:
    """A match against random moves tells the two apart; they play as the method says, or as `player` (`model@{}`)."""
    scores = []
    for name, training in (("untrained", untrained), ("learnt", learnt)):
        file = save(training.model({}), folder / f"{name}.npz")
        spec = player.format(file) if player else training.player(f"model@{file}")
        scores.append(Yardstick("random", games=games).measure(GAME, spec))
    assert scores[0].high < scores[1].low
