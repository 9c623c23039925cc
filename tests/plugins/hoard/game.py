"""Hoard: what the rest of Meeple may know of it."""

from __future__ import annotations

from meeple.core.definition import Definition, Facts
from meeple.core.options import Option

from . import heuristics, notation, picture, rules, speech, view
from .roster import ROSTER

DEFINITION = Definition(
    name="hoard",
    facts=Facts(
        title="Hoard",
        version=1,
        chance=True,
        hidden=True,
        symmetric=True,
        longest=68,  # 8 cards dealt, then 12 turns of a roll, at most two moves and two draws
    ),
    options=(
        Option("rounds", ("2", "3"), "rounds to play", default="3"),
        Option("hoard", ("plain", "double"), "whether a hoarded card scores its value or twice that"),
    ),
    rules=rules,
    notation=notation,
    view=view,
    picture=picture,
    speech=speech,
    heuristics=heuristics,
    roster=ROSTER,
)
