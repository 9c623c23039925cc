"""Santorini: who plays it, by name."""

from __future__ import annotations

from meeple.core.roster import Roster, Rung, levels_beside

# How the report's agents play what they learnt: the networks go to the best next position, linear weights look ahead.
_NEXT, _AHEAD = "greedy:evaluation=model@", "alphabeta:depth=3,evaluation=model@"
ROSTER = Roster(
    strongest="puct:evaluation=model@summit",
    presets={
        "paper-minimax": (
            "minimax:depth=3,evaluation=report,ordering=heights",
            "the NUS report's linear agent: hand weights, depth 3",
        ),
        "paper-rootstrap": (f"{_AHEAD}paper-rootstrap", "its 8 features weighted by RootStrap (3.1), depth 3"),
        "paper-treestrap": (f"{_AHEAD}paper-treestrap", "the same by TreeStrap (3.1)"),
        "paper-ann": (f"{_NEXT}paper-ann", "its dense network (3.2), 10,000 games against random moves"),
        "paper-cnn": (f"{_NEXT}paper-cnn", "its convolutional network (3.3), trained likewise"),
        "paper-mcts-ann": (f"{_NEXT}paper-mcts-ann", "the dense network taught by one tree of playouts (3.4)"),
        "paper-mcts-cnn": (f"{_NEXT}paper-mcts-cnn", "the convolutional network taught by a larger tree (3.4)"),
        "paper-combined": (f"{_NEXT}paper-combined", "convolutions, ten trees whose playouts follow its weights (3.5)"),
    },
    rungs=(
        # Each names its evaluation, so that another default changes no level.
        Rung("overlooking:agent=[greedy:evaluation=climb],sees={}", 2.0, 60.0),
        Rung("greedy:evaluation=climb"),
        Rung("alphabeta:nodes={},evaluation=climb", 200, 400_000),
        Rung("puct:iterations={},evaluation=model@summit", 300, 40_000),
    ),
    measured=levels_beside(__file__),
)
