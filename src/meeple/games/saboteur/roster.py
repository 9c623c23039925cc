"""Saboteur: who plays it, by name."""

from __future__ import annotations

from meeple.core.roster import Roster

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
    levels=(
        "careless:agent=[plain],share=0.35",
        "careless:agent=[plain],share=0.1",
        "plain",
        "detective",
    ),
)
