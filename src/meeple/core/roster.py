"""Who plays a game by name: a game's `roster.py` declares them as specs, which `agents` loads.

`meeple check` loads every spec of a roster; core only holds the texts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True, eq=False)  # by identity: a definition is hashed
class Roster:
    """A game's agents by name, each a spec."""

    strongest: str  # the strongest agent known, without a limit: hints, the top level and the judge add time or work
    presets: dict[str, tuple[str, str]] = field(default_factory=dict)  # by name: the spec, and where it comes from
    levels: tuple[str, ...] = ()  # opponents below the strongest, the weakest first; docs/levels.md measures them
    steps: tuple[str, ...] = ()  # more of them, between the last of `levels` and the strongest
    strategies: dict[str, str] = field(default_factory=dict)  # other words for what follows `rules-` in a policy's name
    spelling: Callable[[str], str] | None = None  # a paper's own way to write a spec, in ours; other texts as they are
