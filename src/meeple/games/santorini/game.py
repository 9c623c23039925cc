"""Santorini: what the rest of Meeple may know of it without reading the rules."""

from __future__ import annotations

from meeple.core.definition import Definition, Facts
from meeple.core.options import Option
from meeple.games.santorini import features, heuristics, lessons, notation, picture, rules, speech, terms, view
from meeple.games.santorini.roster import ROSTER

DEFINITION = Definition(
    name="santorini",
    facts=Facts(
        title="Santorini",
        version=1,
        chance=False,
        hidden=False,
        symmetric=True,
        longest=102,  # two placements and at most 100 builds; a winning step builds nothing and ends the game
        opening=2,
        left_out="god powers (and with them 3 and 4 players)",
        verified="published counts to 2.4e8 leaves, ours to 1.6e9, a second writing, random play with every invariant",
    ),
    options=(Option("supply", ("unlimited", "finite"), "pieces as in the box (finite), or as many as needed"),),
    bench="0000000000000000000000000/1/mortal:B3,D3/mortal:C2,C4",
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
