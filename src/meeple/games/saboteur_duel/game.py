"""Saboteur as a duel: what the rest of Meeple may know of it without reading the rules."""

from __future__ import annotations

from meeple.core.definition import Definition, Facts
from meeple.core.options import Option
from meeple.games.saboteur_duel import features, heuristics, lessons, notation, picture, rules, speech, terms, view
from meeple.games.saboteur_duel.roster import ROSTER

DEFINITION = Definition(
    name="saboteur-duel",
    facts=Facts(
        title="Saboteur (duel)",
        version=1,
        chance=True,
        hidden=True,
        symmetric=True,
        longest=111,  # the nugget, 14 cards dealt, 55 moves, 41 draws
        remembers_all=False,  # that a card was played is remembered, not when
        left_out="nothing of the course's variant; clocks are the arena's",
        verified="172 public games replayed, a second writing, worlds counted, random play with every invariant",
    ),
    options=(Option("deck", ("55", "53"), "cards: 6 Maps, or 4 as in the course's first weeks"),),
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
