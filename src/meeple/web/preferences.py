"""What a person may choose about the page, kept in the browser: the names, what they may be, what they are at first.

This is the one place that knows them. Python reads them by `Prefs.choice` (web/pages/frame.py); the settings dialog
shows them all; the browser itself reads `speed`, `sound` and `notify` (static/meeple.js, static/turn.js).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Value = str | bool


@dataclass(frozen=True)
class Preference:
    """One choice: its name in the browser, the words of the dialog, and the values with their words."""

    name: str
    title: str
    values: Mapping[Value, str]  # the first one is the default
    help: str = ""
    group: str = "Moves"

    @property
    def default(self) -> Value:
        """What holds where nothing was chosen."""
        return next(iter(self.values))

    @property
    def is_switch(self) -> bool:
        """Whether it is on or off."""
        return isinstance(self.default, bool)

    def read(self, saved: Mapping[str, Any]) -> Value:
        """What the browser told, where it is one of the values; else the default."""
        found = saved.get(self.name)
        known = next((value for value in self.values if value == found and type(value) is type(found)), None)
        return self.default if known is None else known


OFF_ON: Mapping[Value, str] = {False: "off", True: "on"}
ON_OFF: Mapping[Value, str] = {True: "on", False: "off"}
PREFERENCES = {
    each.name: each
    for each in (
        Preference(
            "moves",
            "Moves are told",
            {"words": "in words", "notation": "in notation"},
            "In the log, in hints and in previews.",
        ),
        Preference(
            "auto_continue",
            "Go on by itself",
            ON_OFF,
            "Where a move that you have begun can go on in one way only, it does.",
        ),
        Preference("confirm", "Ask before a move", OFF_ON, "A move is played after a second click, on “Play it”."),
        Preference(
            "pace",
            "Agents answer",
            {"moment": "after a moment", "person": "at a person's pace", "once": "at once"},
        ),
        Preference(
            "light", "Colours", {"system": "as the system", "light": "light", "dark": "dark"}, group="Looks and sounds"
        ),
        Preference(
            "speed",
            "Pieces move",
            {"normal": "normally", "slow": "slowly", "fast": "quickly", "off": "not at all"},
            group="Looks and sounds",
        ),
        Preference("sound", "Sounds", OFF_ON, "When it is your turn, and at the end.", group="Looks and sounds"),
        Preference(
            "notify",
            "Notices",
            OFF_ON,
            "When it is your turn and the page is in the background; the browser asks first.",
            group="Looks and sounds",
        ),
    )
}
PACES: Mapping[Value, float] = {"moment": 0.6, "person": 2.5, "once": 0.0}  # seconds before an agent answers
