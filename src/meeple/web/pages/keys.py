"""Which keys do what at a table, for the people there."""

from __future__ import annotations

from nicegui import ui

from meeple.core.svg import tag
from meeple.web.pages.frame import button, dialog

# The keys themselves are in static/meeple.js and zoom.js, and in `TableView._on_key`.
KEYS = (
    (("←", "↑", "→", "↓"), "walk over what may be clicked"),
    (("Enter",), "click there"),
    (("Esc",), "one click back; where you look back, back to now"),
    (("Shift ←", "Shift →"), "one move back, one on; without Shift where nothing may be clicked"),
    (("Home", "End"), "to the start, and to the end or back to now"),
    (("p",), "play the match from here, or stop"),
    (("h",), "a hint"),
    (("u", "r"), "take back a move, play it again"),
    (("+", "-", "0"), "zoom in, zoom out, the whole board"),
    (("f",), "full screen, and back"),
    (("?",), "this list"),
)


def show_keys() -> None:
    """The list, over the page."""
    rows = [
        tag("tr", tag("td", *(tag("kbd", key) for key in keys)), tag("td", words)) for keys, words in KEYS
    ]  # fmt: skip
    with dialog("Keys") as shown:
        ui.html(tag("table", *rows, class_="m-keys"), sanitize=False)
        button("Close", shown.close)
    shown.open()
