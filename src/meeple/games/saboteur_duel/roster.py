"""Saboteur as a duel: who plays it, by name."""

from __future__ import annotations

from meeple.core.roster import Roster, Rung, levels_beside

ROSTER = Roster(
    strongest="pathfinder:cutoff=6,evaluation=model@vein",
    presets={
        "random-course": ("policy:name=random-course", "the course's random player, with its repeated list"),
        "builder": ("policy:name=builder", "a path builder that does not search"),
        "digger": ("policy:name=digger", "a beginner, who digs on and overlooks the end"),
        "pathfinder": (
            "ismcts:filter=builder,playout=builder,c=0.7",
            "search over what the path builder finds promising, played out by it",
        ),
        "paper-mcts": (
            "ismcts:expand=all,bias=paper,reward=bias,c=1.4142",
            "the course report's: all children at once, progressive bias, rewards in proportion to it",
        ),
        "paper-mcts-plain": ("ismcts:expand=all,c=1.4142", "the same without the heuristic"),
        "paper-mcts-inflated": (
            "ismcts:expand=all,bias=paper,prior=bias,c=1.4142",
            "the report's alternative: win counts inflated when a move is added",
        ),
        "paper-mcts-playouts": (
            "ismcts:expand=all,bias=paper,reward=bias,playout=paper,c=1.4142",
            "with the report's idea of smarter playouts",
        ),
    },
    rungs=(
        # Whoever overlooks moves still finds a path: what a beginner lacks here is to see the last gap as the rival's.
        Rung("careless:agent=[builder],share={},slip=[digger]", 0.935, 0.05),
        Rung("builder"),
        Rung("pathfinder:iterations={}", 60, 20_000),
    ),
    selfplay={
        "teacher": "pathfinder:iterations=80,cutoff=6,evaluation=none",
        "first": "pathfinder:iterations=80",
        "quick": "12",
    },
    measured=levels_beside(__file__),
)
