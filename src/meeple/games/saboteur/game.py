"""Saboteur: what the rest of Meeple may know of it without reading the rules."""

from __future__ import annotations

from meeple.core.definition import Definition, Facts
from meeple.core.options import Option
from meeple.games.saboteur import features, heuristics, lessons, notation, picture, rules, speech, terms, view
from meeple.games.saboteur.roster import ROSTER

DEFINITION = Definition(
    name="saboteur",
    facts=Facts(
        title="Saboteur",
        version=1,
        chance=True,
        hidden=True,
        symmetric=True,
        # Who starts; in each of three rounds at most 10 roles, 3 goals, 67 cards dealt or drawn, 67 moves, and 9 gold
        # cards drawn and taken.
        longest=1 + 3 * (10 + 3 + 67 + 67 + 18),
        remembers_all=False,  # that a card was played is remembered, not when
        left_out="talk at the table",
        verified="a second writing, worlds counted, the tables of the booklet, random play with every invariant",
    ),
    options=(
        Option("gold", ("players", "miners"), "gold cards on offer when miners win: as many as players, or as miners"),
        Option("goals", ("curves", "crosses"), "the two stones are curves as printed, or crosses"),
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
