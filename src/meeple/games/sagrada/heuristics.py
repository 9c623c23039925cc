"""Sagrada: what is worth knowing beyond the rules, by name; the building blocks of the thesis and more.

Evaluations in evaluation.py, filters and orderings in filters.py, rule-based players in players.py.
"""

from __future__ import annotations

from meeple.core.heuristics import Heuristic
from meeple.games.sagrada.evaluation import PARAMETERS, thesis_after, thesis_standing, thesis_value, wary_value
from meeple.games.sagrada.filters import (
    MOST_MOVED,
    brief_filter,
    placements_filter,
    strong_filter,
    thesis_filter,
    thesis_order,
)
from meeple.games.sagrada.keen import keen_policy
from meeple.games.sagrada.players import all_moves_policy, dtfm_policy, first_policy, minimax_policy
from meeple.games.sagrada.program import program_all_policy, program_dtfm_policy
from meeple.games.sagrada.program_lists import (
    program_bias,
    program_first_policy,
    program_order,
    program_random_policy,
)
from meeple.games.sagrada.scoring import favor_tokens, margin_reward, placed_dice

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
    ),
    "program": Heuristic(
        program_order, "the thesis's program's: tools that place a die count as placements", reads_hidden=True
    ),
}
BIASES = {"program": Heuristic(program_bias, "x", 0.0, 1.0, reads_hidden=True)}
FILTERS = {
    "thesis": Heuristic(thesis_filter, "the thesis's: no die beside an empty cell of its own print"),
    "brief": Heuristic(brief_filter, f"and of the ways to move dice in the window the best {MOST_MOVED}"),
    "strong": Heuristic(strong_filter, "as brief, and every window on offer"),
    "placements": Heuristic(placements_filter, "placements and the pass, which is what `rules-dtfm` looks at"),
}
PLAYOUTS = {
    "rules-all": Heuristic(all_moves_policy, "the thesis's rules over all moves"),
    "rules-dtfm": Heuristic(dtfm_policy, "the thesis's rules over placements alone", considers="placements"),
    "rules-keen": Heuristic(
        keen_policy, "placements alone, by what they truly score, on their own print first", considers="placements"
    ),
    "minimax": Heuristic(minimax_policy, "the thesis's minimax of depth 1", reads_hidden=True),  # by its evaluation
    "first": Heuristic(first_policy, "the first legal move: tools, placements, pass"),
    "rules-all-program": Heuristic(program_all_policy, "rules-all as the thesis's program plays them"),
    "rules-dtfm-program": Heuristic(
        program_dtfm_policy, "rules-dtfm as the thesis's program plays them", considers="placements"
    ),
    "first-program": Heuristic(program_first_policy, "first by the list of the thesis's program: die by die"),
    "random-program": Heuristic(program_random_policy, "any of the program's list, where equal dice stand apart"),
}
REWARDS = {
    "margin": Heuristic(
        margin_reward, "the thesis's (7.4): a fifth for a victory, a fifth more for each 5 points of lead", 0.0, 1.0
    )
}
METRICS = {
    "dice": Heuristic(placed_dice, "dice in the window"),
    "tokens": Heuristic(favor_tokens, "favor tokens left"),
}
