"""All laws, in the order of the table that `meeple check --list` prints; each has a broken twin in the tests."""

from __future__ import annotations

from meeple.core.conformance import exchange, matches, offers, secrets, texts
from meeple.core.conformance.law import ENTERED, NOT_HERE, Law

# In the order of the table; a module of laws that is not here is not put.
TOPICS = (offers, texts, secrets, exchange, matches)
LAWS = [law for topic in TOPICS for law in ENTERED if law.test.__module__ == topic.__name__]

__all__ = ["LAWS", "NOT_HERE", "Law", "law_names"]


def law_names() -> list[str]:
    """The names of all laws, in their order."""
    return [law.name for law in LAWS]
