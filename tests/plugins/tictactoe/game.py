"""Tic-tac-toe: what the rest of Meeple may know of it."""

from __future__ import annotations

from meeple.core.definition import Definition, Facts

from . import features, notation, rules, view

DEFINITION = Definition(
    name="tictactoe",
    facts=Facts(title="Tic-tac-toe", version=1, chance=False, hidden=False, symmetric=True, longest=9),
    rules=rules,
    notation=notation,
    view=view,
    features=features,
)
