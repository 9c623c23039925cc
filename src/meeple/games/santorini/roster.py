"""Santorini: who plays it, by name."""

from __future__ import annotations

from meeple.core.roster import Roster

ROSTER = Roster(
    strongest="alphabeta",
    presets={
        "paper-minimax": (
            "minimax:depth=3,evaluation=report,ordering=heights",
            "the NUS report's linear agent: hand weights, depth 3",
        ),
    },
    levels=(
        "mcts:iterations=2",
        "mcts:iterations=3,cutoff=1",
        "mcts:iterations=5,cutoff=1",
        "mcts:iterations=12,cutoff=1",
    ),
    steps=(
        "mcts:iterations=60,cutoff=1",
        "greedy",
        "alphabeta:depth=2",
        "alphabeta:depth=3",
        "alphabeta:depth=4",
    ),
)
