"""What all pages share: the head, the light, what a browser remembers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from typing import Any, Final

from nicegui import app, ui

from meeple.core.numbers import shortened
from meeple.core.svg import tag
from meeple.web.preferences import PREFERENCES, Value
from meeple.web.seats import told_name

# The outline of a figure, as on the box of many a game.
FIGURE = tag(
    "path",
    d="M16 2c4 0 6 3 5 7 5 1 9 3 9 6 0 2-3 3-7 3 1 4 4 6 4 9 0 2-1 3-3 3h-5c-1 0-1-4-3-4s-2 4-3 4H8c-2 0-3-1-3-3 "
    "0-3 3-5 4-9-4 0-7-1-7-3 0-3 4-5 9-6-1-4 1-7 5-7z",
    fill="#c93f52",
)
OWNER = "owner"  # in the cookie: the secret that was taken over from another browser
MOST_NAMES = 16  # that a browser is believed
NARROW = 820  # pixels: below, a page is laid out for a phone
LANGUAGE: Final = "en-GB"  # of all words on the pages, for those who hear them
MAIN = "m-main-part"  # the id of every page's `main`


@dataclass
class Prefs:
    """What the browser told of itself; choices are kept there, not here."""

    dark: bool = False
    width: int = 1200
    saved: dict[str, Any] = field(default_factory=dict)

    @property
    def is_narrow(self) -> bool:
        """Whether to draw for a phone."""
        return self.width < NARROW

    @property
    def name(self) -> str:
        """What this browser's person wants to be called; nothing where nobody has said."""
        name = self.saved.get("name")
        return told_name(name) if isinstance(name, str) else ""

    @property
    def names(self) -> list[str]:
        """The names of those who played at this screen last, by seat."""
        found = self.saved.get("names")
        return (
            [told_name(name) for name in found if isinstance(name, str)][:MOST_NAMES] if isinstance(found, list) else []
        )

    def choice(self, name: str) -> Value:
        """What was chosen of a preference, or its default: the one way to read them."""
        return PREFERENCES[name].read(self.saved)

    def settings(self, game: str) -> dict[str, str]:
        """How this browser likes the game drawn."""
        found = self.saved.get(f"draw-{game}")
        return {str(k): str(v) for k, v in found.items()} if isinstance(found, dict) else {}


async def read_prefs() -> Prefs:
    """Ask the browser, once it is connected; one that never comes, or never answers, gets the page of any desktop."""
    try:
        await ui.context.client.connected(timeout=30)
        told = await ui.run_javascript("window.meeple ? meeple.prefs() : null", timeout=10)
    except TimeoutError:
        return Prefs()
    if not isinstance(told, dict):
        return Prefs()
    found = told.get("saved")
    saved: dict[str, Any] = found if isinstance(found, dict) else {}
    light = PREFERENCES["light"].read(saved)
    dark = bool(told.get("dark")) if light == "system" else light == "dark"
    width = told.get("width")
    return Prefs(dark, int(width) if isinstance(width, (int, float)) else 1200, saved)


def keep(choices: Mapping[str, Any], *, then: str = "") -> None:
    """Have the browser remember choices, by name, and then go to another page.

    A page that is left by `ui.navigate.to` instead may be gone before it has remembered anything: the framework sends
    that ahead of scripts which were asked for earlier.
    """
    ui.run_javascript(f"meeple.keep({json.dumps(choices)}, {json.dumps(then)})")


def owner() -> str:
    """Who this browser is, by a signed cookie that tells nothing else."""
    told = app.storage.browser
    return str(told.get(OWNER) or told["id"])


def leave_main_to_us() -> None:
    """Quasar wraps a page whole, its header included, in a `main`; make that a plain box before it is sent."""
    slot = ui.context.client.content.parent_slot
    assert slot is not None
    slot.parent.tag = "div"


def main(classes: str = "m-page") -> ui.element:
    """The part of a page that differs from all others; the link above everything leads to it."""
    return ui.element("main").classes(classes).props(f'id="{MAIN}" tabindex="-1"')


def heading(words: str, level: int = 1, classes: str = "") -> None:
    """A heading; of level 1 a page has one. With the class `m-hidden` it is only heard."""
    ui.html(escape(words), sanitize=False, tag=f"h{level}").classes(classes)


def told(fault: object) -> str:
    """What went wrong, as a sentence that fits on a page, however much of what was given it quotes."""
    words = shortened(str(fault), 400).strip()
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "!", "?")) else ".")


def alert() -> ui.label:
    """An empty line for what goes wrong; what is written there is heard at once."""
    return ui.label().classes("m-bad").props('role="alert"')


@contextmanager
def dialog(title: str) -> Iterator[ui.dialog]:
    """A box over the page with its title, filled within the `with`; it is shown when opened."""
    with ui.dialog().props(f'aria-label="{escape(title)}"') as made, ui.card().classes("m-dialog"):
        heading(title, 2)
        yield made


def top(title: str = "", *, game: str = "", is_motto: bool = False) -> None:
    """The line above every page; on a phone the title takes the place of our name, and a motto is left out.

    `game` is the one that the page is about, for the settings of its board.
    """
    ui.html(tag("a", "Skip to the page", href=f"#{MAIN}", class_="m-skip"), sanitize=False)
    with ui.element("header").classes("m-top"):
        ui.html(
            tag(
                "a",
                tag("svg", FIGURE, width=26, height=26, viewBox="0 0 32 32", aria_hidden="true"),
                tag("span", "Meeple", class_="m-word"),
                class_="m-home",
                href="/",
                aria_label="Meeple, all games",
            ),
            sanitize=False,
        )
        ui.label(title).classes("m-title m-motto" if is_motto else "m-title")
        ui.element("div").classes("m-grow")
        ui.link("Your games", "/games").classes("m-link")
        dark = ui.dark_mode(value=None)

        async def settings() -> None:
            from meeple.web.pages.settings import open_settings  # it uses what stands here

            await open_settings(game)

        button("", settings, icon="settings", label="Settings")
    ui.timer(0.05, lambda: _light(dark), once=True)


async def _light(dark: ui.dark_mode) -> None:
    prefs = await read_prefs()
    dark.set_value(prefs.dark)


def button(
    words: str, on_click: Callable[..., Any], *, icon: str | None = None, label: str = "", is_main: bool = False
) -> ui.button:
    """A quiet button; `label` names one that shows only an icon."""
    made = ui.button(words, on_click=on_click, icon=icon, color=None).props("unelevated no-caps")
    made.classes("m-button m-main" if is_main else "m-button")
    if label:
        made.props(f'aria-label="{label}"').tooltip(label)
    return made
