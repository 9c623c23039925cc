"""Sagrada: what is worth knowing beyond the rules."""

from __future__ import annotations
