"""Santorini: who plays it, by name."""

from __future__ import annotations

from meeple.core.roster import Roster, Rung, levels_beside

ROSTER = Roster(
    strongest="puct:evaluation=model@summit",
    presets={
        "paper-minimax": (
            "minimax:depth=3,evaluation=report,ordering=heights",
            "the NUS report's linear agent: hand weights, depth 3",
        ),
    },
    rungs=(
        # Each names its evaluation, so that another default changes no level.
        Rung("overlooking:agent=[greedy:evaluation=climb],sees={}", 2.0, 60.0),
        Rung("greedy:evaluation=climb"),
        Rung("alphabeta:nodes={},evaluation=climb", 200, 400_000),
    ),
    measured=levels_beside(__file__),
)
