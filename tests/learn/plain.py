"""RootStrap and TreeStrap once more, in plain Python and NumPy, from the papers and not from the kernels."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from meeple.core.features import FeatureSet
from meeple.core.game import State


@dataclass
class Strap:
    """A run: the weights, and what a search has to say about them."""

    features: FeatureSet
    weights: NDArray[np.float64]
    depth: int
    rate: float
    win: float
    sees_mover: bool
    prunes: bool
    everywhere: bool
    lessons: list[tuple[NDArray[np.float64], float]] = field(default_factory=list)  # features and error

    def seen(self, state: State, me: int) -> NDArray[np.float64]:
        """The features whose product with the weights is the value for `me`."""
        if self.sees_mover and state.to_move != me:
            return -self.features.of(state, state.to_move)
        return self.features.of(state, state.to_move if self.sees_mover else me)

    def learn(self, state: State, me: int, value: float, low: float, high: float) -> None:
        seen = self.seen(state, me)
        error = value - float(self.weights @ seen)
        is_floor, is_ceiling = value >= high, value <= low
        if (not is_floor and not is_ceiling) or (is_floor and error > 0) or (is_ceiling and error < 0):
            self.lessons.append((seen, error))

    def value(self, state: State, depth: int, low: float, high: float, me: int) -> float:
        if state.is_over:
            return self.win * float(state.returns()[me])
        if depth == 0:
            return float(self.weights @ self.seen(state, me))
        begun = low, high
        is_mine = state.to_move == me
        best = -np.inf if is_mine else np.inf
        for action in state.legal_actions():
            found = self.value(state.after(int(action)).settled(), depth - 1, low, high, me)
            best = max(best, found) if is_mine else min(best, found)
            if self.prunes:
                low, high = (max(low, best), high) if is_mine else (low, min(high, best))
                if low >= high:
                    break
        if self.everywhere:
            self.learn(state, me, best, *begun)
        return best

    def root(self, state: State) -> int:
        """The move from here, and its lessons."""
        me = state.to_move
        best, chosen = -np.inf, -1
        for action in state.legal_actions():
            low = best if self.prunes else -np.inf
            found = self.value(state.after(int(action)).settled(), self.depth - 1, low, np.inf, me)
            if found > best:
                best, chosen = found, int(action)
        self.learn(state, me, best, -np.inf, np.inf)
        return chosen

    def play(self, state: State) -> None:
        """A game of self-play from here."""
        while not state.is_over:
            chosen = self.root(state)
            self.weights = self.weights + self.rate * sum(error * seen for seen, error in self.lessons)
            self.lessons = []
            state = state.after(chosen)
