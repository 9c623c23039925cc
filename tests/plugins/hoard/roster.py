"""Hoard: who plays it, by name."""

from __future__ import annotations

from meeple.core.roster import Roster

ROSTER = Roster(strongest="ismcts", presets={"paper-greedy": ("greedy:ties=first", "an example for the tests")})
