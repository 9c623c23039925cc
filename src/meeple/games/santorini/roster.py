"""Santorini: who plays it, by name."""

from __future__ import annotations

from meeple.core.roster import Roster, Rung, levels_beside

ROSTER = Roster(
    strongest="alphabeta",
    presets={
        "paper-minimax": (
            "minimax:depth=3,evaluation=report,ordering=heights",
            "the NUS report's linear agent: hand weights, depth 3",
        ),
    },
    rungs=(
        Rung("overlooking:sees={}", 2.0, 60.0),
        Rung("greedy"),
        Rung("alphabeta:nodes={}", 200, 400_000),
    ),
    measured=levels_beside(__file__),
)
