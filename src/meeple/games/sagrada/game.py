"""Sagrada: what the rest of Meeple may know of it without reading the rules."""

from __future__ import annotations

from meeple.core.definition import Definition, Facts
from meeple.games.sagrada import features, heuristics, lessons, modes, notation, picture, rules, speech, terms, view
from meeple.games.sagrada.roster import ROSTER

DEFINITION = Definition(
    name="sagrada",
    facts=Facts(
        title="Sagrada",
        version=1,
        chance=True,
        hidden=True,
        symmetric=True,
        # Set-up: 5 tools, 3 objectives, 4 colours, 16 sides, 4 choices. A round: 9 rolls, 8 turns of at most 11
        # events (the hammer, nine rolls, a draft).
        longest=32 + 10 * (9 + 8 * 11),
        left_out="nothing",
        verified="a second writing walked in step, a test a paragraph, random play with every invariant",
    ),
    options=modes.OPTIONS,
    misfit=modes.misfit,
    bench_policy="first",
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
