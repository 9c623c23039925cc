"""Ingenious: who plays it, by name."""

from __future__ import annotations

from meeple.core.roster import Roster, Rung, levels_beside

STRONGEST = "ismcts:c=0.5,playout=soft,cutoff=6,evaluation=sorted,filter=promising"
ROSTER = Roster(
    strongest=STRONGEST,
    presets={
        "paper-random": ("policy:name=report-random", "section 2.2: a tile at the first place where it fits"),
        "paper-points": ("policy:name=points", "section 2.1.1: most points for the lower colour of a tile"),
        "paper-greedy": ("policy:name=greedy", "section 2.3: lowest colours first, then most points"),
        "paper-expectimax2": ("expectimax:depth=2,rivals=own,filter=lowest", "section 2.4, two plies"),
        "paper-expectimax3": ("expectimax:depth=3,rivals=own,filter=lowest", "section 2.4, three plies"),
        "paper-mcts": ("mcts:worlds=1,plies=3,final=wins,c=1.41,iterations=2000", "section 2.5: depth 3, most wins"),
    },
    rungs=(
        Rung("overlooking:agent=[greedy:evaluation=sorted],sees={}", 5.0, 600.0),
        Rung("greedy:evaluation=sorted"),
        Rung("ismcts:iterations={},c=0.5,playout=soft,cutoff=6,evaluation=sorted,filter=promising", 100, 8_000),
    ),
    selfplay={"teacher": f"{STRONGEST},iterations=150", "quick": "20"},
    measured=levels_beside(__file__),
)
