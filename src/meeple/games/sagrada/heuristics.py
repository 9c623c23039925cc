"""Sagrada: what is worth knowing beyond the rules, by name; the building blocks of the thesis and more.

Evaluations in evaluation.py, filters and orderings in filters.py, rule-based players in players.py.
"""

from __future__ import annotations

from typing import Any

from meeple.core.heuristics import Heuristic
from meeple.errors import ConfigError, did_you_mean
from meeple.games.sagrada.evaluation import (
    COMPLETABLE_POWER,
    POINT,
    UNCOMPLETABLE_POINT,
    in_units,
    thesis_after,
    thesis_standing,
    thesis_value,
    wary_value,
)
from meeple.games.sagrada.filters import MOST_MOVED, brief_filter, strong_filter, thesis_filter, thesis_order
from meeple.games.sagrada.keen import keen_policy
from meeple.games.sagrada.players import all_moves_policy, dtfm_policy, first_policy, minimax_policy

WEIGHTS = {  # the keys of a file, and the constants they set
    "OpponentInfluencingFactor": "OPPONENT_FACTOR",
    "PuocCompletablePower": "COMPLETABLE_POWER",
    "MinusPointsPerUncompletableField": "UNFILLABLE_CELL",
    "CompletedPointsWeight": "POINT",
    "MinusPointsPerUncompletablePuocPoints": "UNCOMPLETABLE_POINT",
}


def weighted(weights: dict[str, Any]) -> dict[str, Any]:
    """The constants of this module that a file of weights sets; a key or number that cannot be is refused by name."""
    bound: dict[str, Any] = {}
    for key, value in weights.items():
        if key not in WEIGHTS:
            raise ConfigError(f"the weights of sagrada have no key '{key}'; {did_you_mean(key, WEIGHTS)}")
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 10_000:
            raise ConfigError(f"the weight '{key}' is a number from 0 to 10000, not {value!r}")
        bound[WEIGHTS[key]] = float(value)
    power = bound.get("COMPLETABLE_POWER", COMPLETABLE_POWER)
    if power > 10:
        raise ConfigError(f"the weight 'PuocCompletablePower' is at most 10, not {power:g}")
    lost = bound.get("UNCOMPLETABLE_POINT", UNCOMPLETABLE_POINT)
    return bound | in_units(power, bound.get("POINT", POINT), lost)


EVALUATIONS = {
    "thesis": Heuristic(
        thesis_value,
        "the thesis's: points, patterns, lost patterns and cells",
        -0.95,
        0.95,
        after=(thesis_standing, thesis_after),
        reads_hidden=True,  # the rivals' private colours
    ),
    "wary": Heuristic(
        wary_value,
        "the thesis's, without rows and columns that only seem completable",
        -0.95,
        0.95,
        reads_hidden=True,
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
