"""Saboteur: who plays it, by name."""

from __future__ import annotations

from meeple.core.roster import Roster, Rung, levels_beside

ROSTER = Roster(
    strongest="ismcts:c=0.7,playout=plain,filter=plain,belief=moves",
    presets={
        "plain": ("policy:name=plain", "an open miner or an open saboteur, by its role"),
        "loyal": ("policy:name=loyal", "a miner whatever its role"),
        "detective": (
            "greedy:bias=roles,worlds=20,belief=moves",
            "infers roles from play, and likes a move by whom it probably helps and hinders",
        ),
    },
    rungs=(
        Rung("overlooking:agent=[greedy:bias=roles],sees={}", 1.5, 30.0),
        Rung("plain"),
        Rung("detective"),  # a search that is weaker than the strongest and better than this takes hours to be shown
    ),
    table="plain",
    step=80,
    selfplay={
        "teacher": "ismcts:iterations=20,c=0.7,playout=plain,filter=plain,strata=no,cutoff=6,evaluation=none",
        "first": "ismcts:iterations=20,c=0.7,playout=plain,filter=plain,strata=no",
        "every": "8",
        "quick": "3",
    },
    measured=levels_beside(__file__),
)
