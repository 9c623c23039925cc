"""Sagrada: what the rest of Meeple may know of it without reading the rules."""

from __future__ import annotations

from meeple.core.definition import Definition, Facts, Option
from meeple.games.sagrada import heuristics, lessons, notation, picture, rules, view

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
    options=(
        Option("rules", ("standard", "thesis"), "as published, or as the thesis of Vermes plays"),
        Option("faults", ("no", "yes"), "add the faults of the thesis's program, to compare with its tables"),
        Option("returned", ("chosen", "rolled"), "value of a die that the Flux Remover returns (standard rules)"),
        Option("tools", ("3", "0", "1", "2", "4", "5"), "tool cards on the table; the solo game is hardest with 1"),
    ),
    bench_policy="first",
    rules=rules,
    notation=notation,
    view=view,
    picture=picture,
    lessons=lessons,
    heuristics=heuristics,
)
