"""Deep Q-learning: what each move is worth, learnt from remembered moves and what an older network says of the next.

    Q(s, a)   the policy head's number for a move, as expected returns of the mover
    target    the final returns, or after a move within a game  max over b of Q'(s', b), for the other seat the opposite
    loss      Huber's: half the square of Q - target up to 1, linear beyond

Q' is the target network, a copy of the network made every `target` steps. Games are self-play: the best move by Q, now
and then (`stray`, less and less) one at random. Their moves go into a memory of the last `memory`, from which
minibatches are drawn (Mnih et al. 2015). With more than two seats s' is the same seat's next decision. The value head
learns the worth of the best move, so that searches can ask this model as any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Game, State
from meeple.core.settings import setting
from meeple.errors import FailureError
from meeple.learn.heads import HeadsSettings, HeadsTraining, shaped_heads
from meeple.learn.training import Arrays, Settings, require_shares

OVER = 0.0  # in `signs`: the game ended with the move


@dataclass(kw_only=True)
class DqnSettings(HeadsSettings):
    """What `dqn` can be told."""

    games: int = setting(5_000, "games of self-play", least=1)
    updates: int = setting(8, "minibatches after each game", least=1)
    batch: int = setting(32, "remembered moves in a minibatch", least=1)
    memory: int = setting(10_000, "moves that are remembered", least=1)
    target: int = setting(500, "minibatches between two copies of the network", least=1)
    stray: float = setting(0.5, "how often a random move is played at first, 0 to 1", least=0)
    stray_end: float = setting(0.05, "the same from the middle of the run on", least=0)


class Memory(NamedTuple):
    """Moves that were played, the newest in the place of the oldest."""

    states: NDArray[Any]  # before the move
    nexts: NDArray[Any]  # where its worth is told next
    actions: NDArray[np.int64]
    returns: NDArray[np.float64]  # of the mover, in the end
    signs: NDArray[np.float64]  # what the worth of `nexts` counts: 1, -1 where another seat moves, OVER where none does
    n_seen: NDArray[np.int64]  # moves ever put in


class Dqn(HeadsTraining):
    """A network that tells what each move is worth."""

    name = "dqn"
    help = "the worth of each move from self-play, by a memory of moves and a target network"
    settings: ClassVar[type[Settings]] = DqnSettings
    sharpness = 4.0  # a policy of exp(4 Q), as `puct` makes one of values

    def __init__(self, game: Game, config: Any) -> None:
        super().__init__(game, config)
        require_shares(config, self.name, "stray", "stray_end")
        self.compiled = game.specialise("meeple.learn.dqn_kernels", see=self.play.see)
        self.memory = Memory(
            states=game.buffer(config.memory),
            nexts=game.buffer(config.memory),
            actions=np.zeros(config.memory, dtype=np.int64),
            returns=np.zeros(config.memory),
            signs=np.zeros(config.memory),
            n_seen=np.zeros(1, dtype=np.int64),
        )
        self.target = self.net.flat.copy()

    def step(self) -> float:
        """One game and its minibatches; the loss is their mean."""
        n, rng = self._play_game(self._stray())
        config, net = self.config, self.net
        self.compiled.remember(self.memory, self.line, n)
        older = shaped_heads(self.target, *net.sizes)
        losses = []
        for _ in range(config.updates):
            given = self.memory, config.batch, net.weights, older, net.gradients, self.sight
            losses.append(float(self.compiled.learn_batch(*given, rng.array)))
            net.move(self._rate)
            if net.steps[0] % config.target == 0:
                self.target[:] = net.flat
        return float(np.mean(losses))

    def _stray(self) -> float:
        """How often this game plays a random move: falling along a line, from the middle of the run on the same."""
        part = min(1.0, 2.0 * self.done / self.total)
        return float((1.0 - part) * self.config.stray + part * self.config.stray_end)

    @property
    def remembered(self) -> int:
        """Moves in the memory."""
        return min(int(self.memory.n_seen[0]), len(self.memory.actions))

    def kept(self) -> Arrays:
        """The networks and the memory, states as bytes."""
        memory, n = self.memory, self.remembered
        return super().kept() | {
            "target": self.target,
            "states": _as_bytes(memory.states[:n]),
            "nexts": _as_bytes(memory.nexts[:n]),
            "actions": memory.actions[:n],
            "returns": memory.returns[:n],
            "signs": memory.signs[:n],
            "n_seen": memory.n_seen,
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take them up; every remembered move is checked, as kernels check nothing."""
        super().restore(arrays)
        self.target[:] = arrays["target"]
        memory, n = self.memory, len(arrays["actions"])
        memory.n_seen[:] = arrays["n_seen"]
        for name in ("actions", "returns", "signs"):
            getattr(memory, name)[:n] = arrays[name]
        for row in range(n):
            state = self.game.from_bytes(arrays["states"][row].tobytes())
            memory.states[row] = state.array[0]
            later = state
            if memory.signs[row] != OVER:
                later = self.game.from_bytes(arrays["nexts"][row].tobytes())
                memory.nexts[row] = later.array[0]
            self._require_decisions(state, int(memory.actions[row]), later)

    def _require_decisions(self, state: State, action: int, later: State) -> None:
        if not state.allows(action) or later.to_move < 0:
            raise FailureError("the checkpoint remembers a move that could not be played: remove it to begin anew")

    def figures(self) -> dict[str, Any]:
        """What was learnt from."""
        return {"moves played": int(self.memory.n_seen[0]), "minibatches": int(self.net.steps[0])}


def _as_bytes(states: NDArray[Any]) -> NDArray[np.uint8]:
    return np.frombuffer(states.tobytes(), dtype=np.uint8).reshape(len(states), states.dtype.itemsize)
