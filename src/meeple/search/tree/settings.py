"""What Monte Carlo tree search can be told: each setting once, for the search and for its agents."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from meeple.core.settings import setting

AT_ONCE = "evaluation"  # a playout that is none: the evaluation speaks at the leaf


@dataclass(kw_only=True)
class TreeSettings:
    """What `mcts` and `ismcts` share."""

    iterations: int = setting(
        1_000, "playouts a decision, and a world; 0: as the time allows", least=0, most_on_page=50_000
    )
    time: float = setting(0.0, "thinking time a move; 0s: no limit", is_time=True)
    cpu: float = setting(0.0, "CPU time of each thinking thread a move; 0s: no limit", is_time=True)
    c: float = setting(1.41, "exploration constant, for win shares in 0..1", least=0)
    first_play: float = setting(math.inf, "value of a move never tried; inf: those first")
    expand: str = setting("one", "nodes added an iteration; all: a new node is left at once", choices=("one", "all"))
    playout: str = setting(
        "random",
        "the game's policy for playouts, mast, [minimax:depth=1] or 2, or [expectimax:depth=N]; evaluation: none",
        of="PLAYOUTS",
        besides=("random", "mast", AT_ONCE),
        most_on_page=2,
    )
    rollouts: int = setting(1, "playouts of a leaf, each of which counts as a visit", least=1, most_on_page=30)
    epsilon: float = setting(0.4, "share of random moves in playouts by habit (mast)", least=0)
    cutoff: int = setting(0, "moves after which the evaluation ends a playout; 0: never", least=0)
    evaluation: str = setting("default", "the game's evaluation, for cutoff", of="EVALUATIONS")
    bias: str = setting("none", "the game's bias towards moves, b/n", of="BIASES")
    prior: str = setting(
        "none",
        "a new move's first value: bias, evaluation, [minimax:depth=N], [expectimax:depth=N]",
        names="agent",
        most_on_page=2,
    )
    prior_visits: int = setting(10, "visits that the first value counts for", least=1)
    implicit: float = setting(0.0, "weight of the minimax of evaluations in the mean, two seats", least=0)
    ordering: str = setting("none", "the game's order in which moves never tried come; none: by lot", of="ORDERINGS")
    filter: str = setting("none", "the game's filter of moves worth a look, in the tree", of="FILTERS")
    reward: str = setting(
        "win",
        "what a playout is worth: win share, the same times the bias, or a reward of the game's",
        of="REWARDS",
        besides=("win", "bias"),
    )
    plies: int = setting(0, "the deepest that the tree may grow; 0: no limit", least=0, most_on_page=1_000)
    final: str = setting("robust", "the move to play", choices=("robust", "max", "wins", "robust-max", "secure"))
    secure: float = setting(4.0, "A of the secure child", least=0)
    widening: float = setting(0.0, "w: a node of n visits tries w*sqrt(n) moves; 0: all", least=0)
    strata: bool = setting(True, "deal in proportion to the classes of worlds that a game names")
    belief: str = setting(
        "none",
        "the game's inference from the match so far, which weighs those classes",
        of="INFERENCES",
        besides=("none",),
    )
    threads: int = setting(1, "threads that search side by side", least=1, most_on_page=2)
    parallel: str = setting(
        "root", "threads have trees of their own, share one, or one leaf", choices=("root", "tree", "leaf")
    )


@dataclass(kw_only=True)
class MctsSettings:
    """What only `mcts` takes."""

    worlds: int = setting(
        0, "worlds dealt, each with its own tree (PIMC); 0: fresh dice each iteration", least=0, most_on_page=50
    )
    solve: bool = setting(True, "back up proven wins and losses")
    probe: int = setting(0, "plies of a minimax that looks for proofs in the tree; 0: none", least=0, most_on_page=2)
    probe_visits: int = setting(2, "visits at which a node is probed", least=1)
    extend: int = setting(
        0, "how often as many iterations again begin at the leaf of the best line", least=0, most_on_page=2
    )
    reuse: bool = setting(False, "keep the tree between moves; an answer then depends on what was searched before")


@dataclass(kw_only=True)
class IsmctsSettings:
    """What only `ismcts` takes."""

    observers: str = setting("one", "one tree, or one for each seat by what it sees", choices=("one", "each"))


@dataclass(kw_only=True)
class PuctSettings:
    """What a user can tell the agent `puct`."""

    iterations: int = setting(1_000, "leaves valued a decision; 0: as the time allows", least=0, most_on_page=50_000)
    time: float = setting(0.0, "thinking time a move; 0s: no limit", is_time=True)
    cpu: float = setting(0.0, "CPU time of each thinking thread a move; 0s: no limit", is_time=True)
    evaluation: str = setting("default", "what values leaves: a model, or the game's own", of="EVALUATIONS")
    c: float = setting(1.0, "exploration constant, for returns in -1..1", least=0)
    prior: str = setting(
        "model",
        "which moves to try: by policy, by values after them, or even",
        choices=("model", "policy", "values", "even"),
    )
    sharpness: float = setting(4.0, "of priors by values: exp(sharpness * value)", least=0)
    filter: str = setting("none", "the game's filter of moves worth a look, in the tree", of="FILTERS")
    final: str = setting("robust", "the move to play", choices=("robust", "max", "secure"))
    secure: float = setting(4.0, "A of the secure child", least=0)
    plies: int = setting(0, "the deepest that the tree may grow; 0: no limit", least=0, most_on_page=1_000)
    solve: bool = setting(True, "back up proven wins and losses")
    reuse: bool = setting(False, "keep the tree between moves; an answer then depends on what was searched before")
    strata: bool = setting(True, "deal in proportion to the classes of worlds that a game names")
    belief: str = setting(
        "none",
        "the game's inference from the match so far, which weighs those classes",
        of="INFERENCES",
        besides=("none",),
    )
    threads: int = setting(1, "threads that search side by side", least=1, most_on_page=2)
    parallel: str = setting("root", "threads have trees of their own, or share one", choices=("root", "tree"))


@dataclass(kw_only=True)
class MctsConfig(IsmctsSettings, MctsSettings, TreeSettings):
    """All that `mcts.search` is told: the settings, and what the caller knows of the question."""

    is_puct: bool = False  # the loop of puct_loop.py
    priors: str = "model"  # of puct
    sharpness: float = 4.0
    fresh_worlds: bool = False  # deal hidden cards anew at each iteration (ismcts)
    deterministic: bool = False  # the world at hand is the true one: nothing is dealt, and chance follows its fate
    nodes: int = 1 << 22  # most nodes of a tree


def without_chance(config: MctsConfig) -> MctsConfig:
    """The settings for the deterministic version: one tree of the true world, with the iterations of all worlds."""
    iterations = config.iterations * max(1, config.worlds)
    return replace(config, deterministic=True, worlds=0, fresh_worlds=False, observers="one", iterations=iterations)
