"""Ingenious: what the rest of Meeple may know of it without reading the rules."""

from __future__ import annotations

from meeple.core.definition import Definition, Facts
from meeple.core.options import Option
from meeple.games.ingenious import features, heuristics, lessons, notation, picture, rules, speech, terms, view
from meeple.games.ingenious.layout import MOST_SWAPS
from meeple.games.ingenious.roster import ROSTER

DEFINITION = Definition(
    name="ingenious",
    facts=Facts(
        title="Ingenious",
        version=1,
        chance=True,
        hidden=True,
        symmetric=True,
        # 24 tiles dealt, and at most 81 placements, each with an offer and 15 swaps of six tiles; usually about 90.
        longest=24 + 81 * (2 + 6 * MOST_SWAPS),
        remembers_all=False,  # docs/games/ingenious.md, "View": what is kept of the past
        verified="check values of the rules, a second writing, tiles conserved in 100,000 games, exact deals",
    ),
    options=(
        Option("teams", ("off", "on"), "partners opposite each other, with joint scores", players=(4,)),
        Option(
            "swap",
            ("once", "until-lowest"),
            "a swap as in the rules, or on and on as in the report of 2018",
            is_for_laboratory=True,
        ),
        Option(
            "first-tile",
            ("each", "first-seat"),
            "whose first tile must touch a symbol: each seat's, or the first seat's alone as in the report",
            players=(2,),
            is_for_laboratory=True,
        ),
    ),
    rules=rules,
    notation=notation,
    view=view,
    picture=picture,
    speech=speech,
    lessons=lessons,
    heuristics=heuristics,
    terms=terms,
    features=features,
    roster=ROSTER,
)
