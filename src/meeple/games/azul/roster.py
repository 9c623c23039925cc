"""Azul: who plays it, by name."""

from __future__ import annotations

from meeple.core.roster import Roster, Rung, levels_beside

STRONG = "mcts:iterations=4000,c=0.4,first_play=1,playout=ordered,cutoff=6,evaluation=outlook,filter=useful"
PAPER_MINIMAX = "minimax:depth=3,worlds=1,horizon=round,evaluation=paper,ordering=paper"
PAPER_MCTS = "mcts:iterations=500,c=0.4,first_play=1"
ROSTER = Roster(
    strongest="strong:evaluation=model@mosaic",
    strongest_of_more="strong",  # the model tells what a position is worth to one of two
    presets={
        "strong": (STRONG, "ours: refills drawn anew each time, six moves of a rollout, then our evaluation"),
        "round": (
            "alphabeta:worlds=1,horizon=round,filter=useful",
            "ours: alpha-beta to the end of the round, no refill",
        ),
        "paper-random": ("random", "the thesis's RandomAI (4.5.1)"),
        "paper-greedy": ("greedy:evaluation=paper", "the thesis's GreedyAI (4.5.2): its evaluation, one move deep"),
        "paper-minimax": (PAPER_MINIMAX, "the thesis's MinimaxAI (4.1), depth 3; depth=0,time=500ms deepens"),
        "paper-mcts": (f"{PAPER_MCTS},playout=ordered", "its MonteCarloAI (4.2), 500 iterations, semi-random rollouts"),
        "paper-mcts-random": (PAPER_MCTS, "the same with uniform rollouts"),
        "paper-strategy": ("policy:name=strategy", "the thesis's StrategyAI (4.3)"),
        "paper-strategy2": ("policy:name=strategy2", "StrategyAI with the improvements it names (4.4.1)"),
    },
    rungs=(
        Rung("overlooking:sees={},filter=useful", 1.5, 40.0),
        Rung("greedy"),
        Rung("strong:iterations={}", 150, 60_000),
    ),
    selfplay={"teacher": "strong:iterations=200"},
    measured=levels_beside(__file__),
)
