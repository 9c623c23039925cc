"""The duel: what the builder likes of a move, in plain words (core/terms.py). There is no evaluation of positions."""

from __future__ import annotations

import numpy as np

from meeple.core.kernel import kernel
from meeple.core.terms import OWN, Terms
from meeple.games.saboteur_duel import layout
from meeple.games.saboteur_duel.board import has_cell
from meeple.games.saboteur_duel.heuristics import (
    FAR,
    IS_DEAD_END,
    Builder,
    builder_score,
    gap_after,
    gap_to,
    is_live,
    tunnel_gap,
    wanted_objectives,
)
from meeple.games.saboteur_duel.rules import known_objectives

(
    REACH, BUILD, NEARER, GOOD_CARD, LOOSE, BLOCK, OFFER, CUT, CLEAR, LOOK, MEND, HINDER, DROP, TREASURED, IDLE,
) = range(15)  # fmt: skip
NAMES = (
    "reaches an objective",
    "digs on",
    "brings the tunnel nearer",
    "spends a plain tile and keeps the good ones",
    "digs where no tunnel leads yet",
    "blocks the last gap",
    "leaves only one card missing",
    "digs up the last tile before the rival gets there",
    "clears a dead end away",
    "looks at an objective",
    "mends its tools",
    "breaks the rival's tools when the end is near",
    "throws a card away",
    "keeps the cards that are worth most",
    "does little now",
)


@kernel
def builder_terms(state, action, out, weights):
    """The terms of `builder_bias`: the kind of move, and what it brings or costs besides."""
    seat = state.seat
    wanted = wanted_objectives(state, seat)
    gap = tunnel_gap(state, wanted)
    score = builder_score(state, action, gap, wanted, weights)
    is_rival_free = state.malus[1 - seat] == 0
    if action < layout.DESTROY:
        cell = action >> 6
        left = gap_after(state, cell, layout.SHAPE[action & 63], wanted)
        if not is_live(state, cell):
            out[OWN, LOOSE] += score
        elif left == 0:
            out[OWN, REACH] += score
        elif left == FAR:
            out[OWN, BLOCK if gap == 1 and gap_to(cell, wanted) == 1 and is_rival_free else IDLE] += score
        elif left == 1 and is_rival_free:
            out[OWN, OFFER] += score
        else:
            out[OWN, BUILD] += weights.build
            out[OWN, NEARER] += weights.nearer * (gap - left)
            out[OWN, GOOD_CARD] -= weights.keep[(action & 63) // 3] // 3
    elif action < layout.MAP:
        cell = action - layout.DESTROY
        shape = -1 - state.cell[cell]
        if gap <= weights.near_end and has_cell(state.reached, cell) and gap_after(state, cell, shape, wanted) == gap:
            out[OWN, CUT if gap == 1 and is_rival_free else IDLE] += score
        else:
            out[
                OWN, CLEAR if IS_DEAD_END[shape] and gap > weights.near_end and gap_to(cell, wanted) <= gap else IDLE
            ] += score
    elif action < layout.BONUS:
        is_new = (known_objectives(state, seat) >> (action - layout.MAP)) & 1 == 0
        out[OWN, LOOK if is_new and wanted & (wanted - 1) != 0 else IDLE] += score
    elif action == layout.BONUS:
        out[OWN, MEND] += score
    elif action == layout.MALUS:
        out[OWN, HINDER if gap <= weights.near_end and is_rival_free else IDLE] += score
    else:
        out[OWN, DROP] += weights.drop
        out[OWN, TREASURED] += score - np.int64(weights.drop)


def squash(total: float, weights: Builder) -> float:
    """The builder's liking, between 0 and 1."""
    return min(1.0, max(0.0, total / 100.0))


MOVE_TERMS = {"builder": Terms(NAMES, builder_terms, squash)}
