"""Sagrada: what is worth knowing beyond the rules, by name; the building blocks of the thesis and more.

Evaluations in evaluation.py, filters and orderings in filters.py, rule-based players in players.py.
"""

from __future__ import annotations

from meeple.core.heuristics import Heuristic
from meeple.games.sagrada.evaluation import PARAMETERS, thesis_after, thesis_standing, thesis_value, wary_value
from meeple.games.sagrada.filters import MOST_MOVED, brief_filter, strong_filter, thesis_filter, thesis_order
from meeple.games.sagrada.keen import keen_policy
from meeple.games.sagrada.players import all_moves_policy, dtfm_policy, first_policy, minimax_policy

_NAMES = {"rules-based": "rules", "minimax": "minimax", "mcts": "mcts"}
_KEYS = {"it": "iterations", "expl": "c", "config_file": "config"}
_PLAYOUT = {"rules-based-strategy=only_dtfm": "rules-dtfm", "rules-based-strategy=all_moves": "rules-all"}


def spelling(text: str) -> str:
    """The spec that the thesis's way to write an agent means: `mcts-it=80,expl=2.4,worlds=10,playout=first`.

    Settings that are not given are those of the thesis's best. Other texts come back as they are.
    """
    name = next((name for name in _NAMES if text.startswith(f"{name}-")), "")
    if not name:
        return text
    settings = {}
    for part in text.removeprefix(f"{name}-").split(","):
        key, _, value = part.partition("=")
        settings[_KEYS.get(key, key)] = _PLAYOUT.get(value, value)
    # What is asked of a playout comes in one part: the thesis writes its settings with a minus too.
    if settings.get("playout", "").startswith("minimax-"):
        settings["playout"] = "minimax"
    base = _NAMES[name] if name == "rules-based" else f"paper-{name}"
    return base + ":" + ",".join(f"{key}={value}" for key, value in settings.items())


EVALUATIONS = {
    "thesis": Heuristic(
        thesis_value,
        "the thesis's: points, patterns, lost patterns and cells",
        -0.95,
        0.95,
        after=(thesis_standing, thesis_after),
        reads_hidden=True,  # the rivals' private colours
        parameters=PARAMETERS,
    ),
    "wary": Heuristic(
        wary_value,
        "the thesis's, without rows and columns that only seem completable",
        -0.95,
        0.95,
        reads_hidden=True,
        parameters=PARAMETERS,
    ),
}
ORDERINGS = {
    "thesis": Heuristic(
        thesis_order,
        "the thesis's: placements first, private colour, printed cell, value",
        reads_hidden=True,  # lots from the world's fate
    )
}
FILTERS = {
    "thesis": Heuristic(thesis_filter, "the thesis's: no die beside an empty cell of its own print"),
    "brief": Heuristic(brief_filter, f"and of the ways to move dice in the window the best {MOST_MOVED}"),
    "strong": Heuristic(strong_filter, "as brief, and every window on offer"),
}
PLAYOUTS = {
    "rules-all": Heuristic(all_moves_policy, "the thesis's rules over all moves"),
    "rules-dtfm": Heuristic(dtfm_policy, "the thesis's rules over placements alone"),
    "rules-keen": Heuristic(keen_policy, "placements alone, by what they truly score, on their own print first"),
    "minimax": Heuristic(minimax_policy, "the thesis's minimax of depth 1", reads_hidden=True),  # by its evaluation
    "first": Heuristic(first_policy, "the first legal move: tools, placements, pass"),
}
PRESETS = {
    "strong": (
        "ismcts:iterations=3800,c=0.25,playout=rules-dtfm,filter=strong,reward=margin",
        "information-set tree search with the thesis's rules in its playouts, some 50 ms a move",
    ),
    "paper-minimax": (
        "minimax:depth=3,worlds=20,evaluation=thesis,ordering=thesis,filter=brief,exact=no,table=no",
        "the thesis's minimax (section 8.3): depth 3, 20 worlds",
    ),
    "paper-mcts": (
        "mcts:iterations=80,worlds=10,c=2.4,playout=rules-dtfm,filter=thesis,ordering=thesis,reward=margin,strata=no",
        "the thesis's MCTS (section 8.3): 80 iterations in each of 10 worlds",
    ),
    "rules-dtfm": ("policy:name=rules-dtfm", "the thesis's rule-based player, placements only (section 6.1)"),
    "rules-keen": ("policy:name=rules-keen", "a stronger rule-based player, placements only"),
    "rules-all": ("policy:name=rules-all", "the thesis's rule-based player, all moves (section 6.2)"),
}
OPPONENT = "paper-mcts"
LEVELS = (
    "ismcts:iterations=2,cutoff=6,evaluation=thesis",
    "ismcts:iterations=4,cutoff=1,evaluation=thesis",
    "ismcts:iterations=40,c=0.2,cutoff=1,evaluation=thesis",
    "ismcts:iterations=450,c=0.25,playout=rules-dtfm,filter=strong,reward=margin",
    "strong:iterations=0,time=2s",
)  # by name on the page, the weakest first; docs/levels.md has the measurements
