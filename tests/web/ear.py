"""Listens to all that a server sends to a browser."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Page, WebSocket

from meeple.web.table import Table


class Ear:
    """Everything that reaches a browser, but for tokens and what names a connection."""

    def __init__(self, page: Page, table: Table) -> None:
        self.tokens = [token for token in [*table.tokens(), table.key] if token]
        self.heard: set[str] = set()
        page.on("websocket", self._listen)
        page.on("response", lambda response: self._hear(response.text()) if "/table/" in response.url else None)

    def _listen(self, socket: WebSocket) -> None:
        socket.on(
            "framereceived", lambda frame: self._hear(frame if isinstance(frame, str) else frame.decode("latin-1"))
        )

    def _hear(self, text: str) -> None:
        for token in self.tokens:
            text = text.replace(token, "TOKEN")
        text = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "ID", text)
        text = re.sub(r'"sid":"[^"]*"', "SOCKET", text)
        found = re.match(r"\d+(\[.*\])$", text, re.DOTALL)
        for leaf in leaves(json.loads(found[1])) if found else [text]:
            self.heard.add(leaf)


def leaves(value: Any) -> list[str]:
    """Every text and number in a message."""
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in [str(key), *leaves(inner)]]
    if isinstance(value, list):
        return [leaf for inner in value for leaf in leaves(inner)]
    return [str(value)]
