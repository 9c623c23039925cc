"""A game in play whose state changes in place, and how its actions and observations are told to other libraries.

Libraries want a fixed number of actions. A game with few codes has an action for each of them; in others an action is
an *index into the list of legal moves*, which ascends and is the same in all worlds that the mover cannot tell apart.
Sagrada has 9,437,184 codes, of which at most 21,480 are legal at once: a mask over codes would be all that one does.
"""

from __future__ import annotations

import secrets

import numpy as np
from numpy.typing import NDArray

from meeple.core.batch import MOST_MASKED
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.game import Game, State
from meeple.core.match import Step
from meeple.core.observe import Float32s, find_observer
from meeple.core.registry import load_game

Int64s = NDArray[np.int64]


class Play:
    """A game in play; `keeps_events` lets agents that infer from the past be told of it."""

    def __init__(self, game: Game | str, *, features: str = "default", keeps_events: bool = False) -> None:
        self.game = load_game(game) if isinstance(game, str) else game
        rules = self.game.definition.rules
        self.observer = find_observer(self.game, features)
        self.is_by_code = int(rules.ACTIONS) <= MOST_MASKED
        self.n_choices = int(rules.ACTIONS if self.is_by_code else rules.MAX_ACTIONS)
        self.seed, self.ply, self.mover = 0, 0, NOBODY
        self.steps: list[Step] | None = [] if keeps_events else None
        self._face, self._array = self.game.face, self.game.buffer(1)
        self._list = np.empty(int(rules.MAX_ACTIONS), dtype=np.int64)
        self.actions: Int64s = self._list[:0]  # the codes of the legal moves; overwritten by the next move

    def begin(self, seed: int) -> None:
        """Begin the match with this seed, up to its first decision."""
        self.seed, self.ply = seed, 0
        self._array[0] = self.game.new(seed=seed).array[0]
        if self.steps is not None:
            self.steps.clear()
        self._settle()

    def play(self, code: int) -> None:
        """Play a legal move, and all chance up to the next decision."""
        self._note(code, self.mover)
        self._face.apply_at(self._array, 0, code)
        self.ply += 1
        self._settle()

    def _settle(self) -> None:
        if self.steps is None:
            self._face.settle_at(self._array, 0)
        else:
            while self._face.to_move_at(self._array, 0) == CHANCE:
                code = self.state.fated_outcome()
                self._note(code, None)
                self._face.apply_at(self._array, 0, code)
        self.mover = int(self._face.to_move_at(self._array, 0))
        n = self._face.legal_actions_at(self._array, 0, self._list) if self.mover >= 0 else 0
        self.actions = self._list[:n]

    def _note(self, code: int, seat: int | None) -> None:
        if self.steps is not None:
            self.steps.append(Step(self.state.copy(), code, seat))

    @property
    def state(self) -> State:
        """The state as it is now; it changes with the next move."""
        return State(self.game, self._array)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.mover == NOBODY

    def seen(self, seat: int) -> list[int]:
        """The events so far as `seat` saw them, where they are kept."""
        return [step.before.seen(step.code, seat) for step in self.steps or ()]

    def code_of(self, choice: int) -> int | None:
        """The code that an action of the library's means; None where it is not legal."""
        if not self.is_by_code:
            return int(self.actions[choice]) if 0 <= choice < len(self.actions) else None
        place = int(np.searchsorted(self.actions, choice))
        return int(choice) if place < len(self.actions) and self.actions[place] == choice else None

    def mask(self, *, is_mover: bool = True) -> NDArray[np.int8]:
        """A 1 for each of the library's actions that is legal; only zeros for a seat that is not to move."""
        mask = np.zeros(self.n_choices, dtype=np.int8)
        if is_mover and self.is_by_code:
            mask[self.actions] = 1
        elif is_mover:
            mask[: len(self.actions)] = 1
        return mask

    def observation(self, seat: int) -> Float32s:
        """What `seat` sees, as numbers; features are zeros where the game is over."""
        out = np.empty((1, self.observer.size), dtype=np.float32)
        self.observer.write(self._array, np.array([seat], dtype=np.int64), 0, 1, out)
        return out.reshape(self.observer.shape)


def bounds_of(game: Game, name: str) -> tuple[float, float]:
    """The least and the most that a number of an observation can be, as far as that is known."""
    observer = find_observer(game, name)
    features = getattr(observer, "features", None)
    return (0.0, 1.0) if features is None or features.kind == "sparse" else (-np.inf, np.inf)


class Seeds:
    """The seed of each game: the one that is asked for, else the next after the last; the first is anything."""

    def __init__(self) -> None:
        self._next: int | None = None

    def take(self, seed: int | None) -> int:
        """The seed of a game that begins."""
        wanted = seed if seed is not None else self._next if self._next is not None else secrets.randbelow(1 << 31)
        self._next = wanted + 1
        return wanted
