"""Azul: what its colours are called, in the order in which they are counted everywhere."""

from __future__ import annotations

NAMES = ("blue", "yellow", "red", "black", "white")
LETTERS = "BYRKW"
