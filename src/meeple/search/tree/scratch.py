"""What one thread writes while it walks a tree, and the numbers that it reads."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import Stream
from meeple.core.game import Game, State
from meeple.core.heuristics import Heuristic, find_heuristic
from meeple.search.strata import Weights
from meeple.search.tree.arrays import MAX_DEPTH
from meeple.search.tree.dealing import NO_LEAD
from meeple.search.tree.habits import Habits, new_habits
from meeple.search.tree.lines import Line
from meeple.search.tree.offers import Ranked
from meeple.search.tree.settings import MctsConfig
from meeple.search.tree.variants import MOST_PLIES, evaluation_of, expects, looks_ahead, policy_of, ranks_root

N_LOGS = 1 << 15  # logarithms kept in a table
MOST_STATES = 40


class Scratch(NamedTuple):
    """What one thread writes while it walks."""

    states: NDArray[Any]  # the root, the iteration's world, and worlds of looking ahead
    leaf: NDArray[Any]  # the leaf, while it is played out several times
    rng: NDArray[np.uint64]
    offer: NDArray[np.int64]  # the moves on offer
    looks: NDArray[np.int64]  # the same as the searching seat sees them, ascending
    lists: NDArray[np.int64]  # a row a ply of looking ahead
    weights: NDArray[np.int64]  # of chance's outcomes
    path: NDArray[np.int64]  # [depth, (edge, mover, node, action on the edge)]
    shares: NDArray[np.float64]  # win share of each seat, summed over the iteration's samples
    worth: NDArray[np.float64]  # what they are worth by the reward that steers the tree
    sums: NDArray[np.float64]  # [shares or worth, seat]: the samples of a leaf so far
    at: NDArray[np.int64]  # the node reached in each observer's tree
    dealt: NDArray[np.int64]  # [class of worlds, (its code, its weight, worlds dealt of it)], the possible ones
    logs: NDArray[np.float64]  # of whole numbers, the same in all threads
    root: NDArray[np.int64]  # the root's offer, ascending
    values: NDArray[np.float64]  # the first value of each of a leaf's moves (puct)
    firsts: NDArray[np.float64]  # [(prior, proof), move]: of the same
    tally: NDArray[np.float64]  # [move of the root, (samples, sum of the seat's win shares, of their squares)]
    totals: NDArray[np.float64]  # [seat]: win shares summed over all iterations
    first: NDArray[np.int64]  # the root's move in the iteration at hand
    lead: NDArray[np.int64]  # what every iteration begins with (dealing.py)
    ranked: Ranked
    line: Line
    habits: Habits
    of_evaluation: tuple[Any, ...]  # the parameters of the evaluation, if it takes any, with this thread's scratch
    of_bias: tuple[Any, ...]
    of_policy: tuple[Any, ...]


@lru_cache(maxsize=1)
def logarithms() -> NDArray[np.float64]:
    """Logarithms of whole numbers; 0 for 0, since a move never on offer is not explored."""
    return np.array([0.0, *(math.log(n) for n in range(1, N_LOGS))])


def new_scratch(
    config: MctsConfig,
    root: State,
    rng: Stream,
    weights: Weights,
    offer: NDArray[np.int64],
    table: NDArray[np.float64] | None,
) -> Scratch:
    """Scratch for one thread; `table` is what the tree has learnt of moves so far (`playout=mast`), if anything."""
    game, rules = root.game, root.game.definition.rules
    most, outcomes = int(rules.MAX_ACTIONS), max(1, int(rules.OUTCOMES))
    has_habits = config.playout == "mast"
    states = game.buffer(_room(game, config))
    states[0] = root.array[0]
    policy: Heuristic | None = policy_of(game, config)
    return Scratch(
        states=states,
        leaf=game.buffer(1),
        rng=rng.array,
        offer=np.empty(most, dtype=np.int64),
        looks=np.empty(most + 1, dtype=np.int64),
        lists=np.empty((len(states), max(most, outcomes) if looks_ahead(config) else 1), dtype=np.int64),
        weights=np.empty(outcomes, dtype=np.int64),
        path=np.empty((config.plies or MAX_DEPTH, 4), dtype=np.int64),
        shares=np.empty(game.seats),
        worth=np.empty(game.seats),
        sums=np.zeros((2, game.seats)),
        at=np.zeros(game.seats if config.observers == "each" else 1, dtype=np.int64),
        dealt=np.array([(code, weight, 0) for code, weight in weights.items()], dtype=np.int64),
        logs=logarithms(),
        root=offer,
        values=np.empty(most + 1 if config.is_puct else 1),
        firsts=np.empty((2, most + 1 if config.is_puct else 1)),
        tally=np.zeros((len(offer), 3)),
        totals=np.zeros(game.seats),
        first=np.zeros(1, dtype=np.int64),
        lead=np.array([NO_LEAD, 0], dtype=np.int64),
        ranked=Ranked(
            np.empty((2, most if ranks_root(game, config) else 1), dtype=np.int64), np.zeros(2, dtype=np.int64)
        ),
        line=Line(np.empty(MAX_DEPTH if config.extend else 1, dtype=np.int64), np.zeros(1, dtype=np.int64)),
        habits=new_habits(game.seats if has_habits else 0, MAX_DEPTH + game.facts.longest if has_habits else 1, table),
        of_evaluation=evaluation_of(game, config).given(),
        of_bias=find_heuristic(game, "BIASES", config.bias).given(),
        of_policy=policy.given() if policy else (),
    )


def _room(game: Game, config: MctsConfig) -> int:
    """States that a thread needs: the root, the world, two to try moves in, and those of looking ahead."""
    if not looks_ahead(config):
        return 4
    chance = game.facts.longest if expects(config) else 0  # events of chance are no plies, and need a state too
    return min(4 + MOST_PLIES + 1 + chance, MOST_STATES)
