"""Saboteur: what a role likes of a move, in plain words (core/terms.py). There is no evaluation of positions."""

from __future__ import annotations

from meeple.core.kernel import kernel
from meeple.core.terms import OWN, Terms
from meeple.games.saboteur import layout
from meeple.games.saboteur.board import shape_at
from meeple.games.saboteur.likings import (
    FAR,
    IS_DEAD_END,
    Likings,
    gap_after,
    informed_liking,
    tunnel_gap,
    wanted_goals,
)
from meeple.games.saboteur.rounds import is_saboteur
from meeple.games.saboteur.secrets import known_goals

REACH, DIG, BLOCK, ROCKS, LOOK, BREAK, MEND, HELP, DROP, GOLD, IDLE = range(11)
NAMES = (
    "reaches the treasure",
    "digs on",
    "blocks the tunnel",
    "digs up a card",
    "looks at a goal",
    "breaks somebody's tools",
    "mends its own tools",
    "mends another's tools",
    "throws a card away",
    "takes the most gold",
    "does little now",
)


@kernel
def roles_terms(state, action, out, weights):
    """The terms of `roles_bias`: the kind of move."""
    if state.phase == layout.CHOOSE:
        out[OWN, GOLD] += 100.0 * (action - layout.TAKE) - 50.0
        return
    wanted = wanted_goals(state, state.seat)
    out[OWN, kind_of(state, action, wanted)] += informed_liking(
        state, action, tunnel_gap(state, wanted), wanted, weights
    )


@kernel
def kind_of(state, action, wanted):
    """What a move does, as a place among the terms."""
    if action < layout.ROCKFALL:
        left = gap_after(state, action >> 6, layout.SHAPE[action & 63], wanted)
        if left == FAR:
            return BLOCK if is_saboteur(state, state.seat) else IDLE
        return REACH if left == 0 and not is_saboteur(state, state.seat) else DIG
    if action < layout.MAP:
        is_block = IS_DEAD_END[shape_at(state, action - layout.ROCKFALL)]
        return ROCKS if is_block != is_saboteur(state, state.seat) else IDLE
    if action < layout.BREAK:
        return LOOK if (known_goals(state, state.seat) >> (action - layout.MAP)) & 1 == 0 else IDLE
    if action < layout.REPAIR:
        return BREAK
    if action < layout.PASS:
        return MEND if (action - layout.REPAIR) % layout.MOST == state.seat else HELP
    return DROP


def squash(total: float, weights: Likings) -> float:
    """The liking, between 0 and 1."""
    return min(1.0, max(0.0, (total + 50.0) / 200.0))


MOVE_TERMS = {"roles": Terms(NAMES, roles_terms, squash)}
