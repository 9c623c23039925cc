"""Elements of a page that hold markup, and send only what changed of it, all of a page in one message."""

from __future__ import annotations

from typing import Any

from nicegui import json, ui

from meeple.web.patches import patch_of

SEND = "for (const [id, ...patch] of %s) runMethod(id, 'patch', patch)"


class Patched(ui.element, component="../static/patched.js"):
    """Markup of our own, which is not sanitised: what people typed is escaped in it."""

    def __init__(self) -> None:
        super().__init__()
        self._edition = 0
        self._props["innerHTML"], self._props["edition"] = "", 0

    @property
    def content(self) -> str:
        """What is shown."""
        return str(self._props["innerHTML"])

    def renewed(self, content: str) -> list[Any] | None:
        """Hold this from now on; what `patch` in the browser is told (static/patched.js), but for the first time."""
        old = self.content
        if content == old:
            return None
        with self._props.suspend_updates():  # kept for a browser that needs the whole
            self._edition += 1
            self._props["innerHTML"], self._props["edition"] = content, self._edition
        if self._edition == 1:  # the browser has nothing yet
            self.update()
            return None
        return [self.id, self._edition - 1, self._edition, patch_of(old, content) or [content]]


def show_all(contents: dict[Patched, str]) -> None:
    """Have elements of the page at hand show these from now on."""
    patches = [patch for element, content in contents.items() if (patch := element.renewed(content)) is not None]
    if patches:
        ui.run_javascript(SEND % json.dumps(patches))
