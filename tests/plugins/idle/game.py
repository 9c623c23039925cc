"""Idle: what the rest of Meeple may know of it."""

from __future__ import annotations

from meeple.core.definition import Definition, Facts

from . import notation, rules, view

DEFINITION = Definition(
    name="idle",
    facts=Facts(title="Idle", version=1, chance=True, hidden=False, symmetric=True, longest=9),
    rules=rules,
    notation=notation,
    view=view,
)
