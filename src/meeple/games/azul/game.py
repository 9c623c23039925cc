"""Azul: what the rest of Meeple may know of it without reading the rules."""

from __future__ import annotations

from meeple.core.definition import Definition, Facts
from meeple.core.options import Option
from meeple.games.azul import features, heuristics, lessons, notation, picture, rules, speech, terms, view
from meeple.games.azul.roster import ROSTER

DEFINITION = Definition(
    name="azul",
    facts=Facts(
        title="Azul",
        version=1,
        chance=True,
        hidden=False,
        symmetric=True,
        longest=92_000,  # 1,000 rounds of at most 36 draws, 36 moves and 20 tiles laid on grey walls
        verified="a second writing, tiles conserved in 100,000 games, random play with every invariant",
    ),
    options=(
        Option("wall", ("coloured", "grey"), "the printed wall, or the grey side, where each places as it likes"),
        Option("cap", ("none", "30"), "rounds after which the game ends all the same", is_for_laboratory=True),
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
