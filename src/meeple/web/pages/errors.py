"""Pages for what is not there and for what went wrong: plain words, and a way home."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from inspect import isawaitable
from typing import Any

from fastapi import Request, Response
from fastapi.exception_handlers import http_exception_handler
from nicegui import Client, app, ui
from starlette.exceptions import HTTPException

from meeple.core.svg import tag
from meeple.web.pages.frame import FIGURE, heading, leave_main_to_us, main, top

LOG = logging.getLogger("meeple.web")
BROKEN = "Something went wrong"
PATIENCE = 30.0  # seconds until a page whose matches are not read yet is given up
ADVICE = "It was written to the server's log. Loading the page again may help; matches are kept as they were."


def lost(words: str, title: str = "Nothing here") -> None:
    """A page for what is not there, or cannot be shown."""
    top()
    with main("m-page m-nowhere"):
        figure = tag("svg", FIGURE, viewBox="0 0 32 32", width=72, height=72, aria_hidden="true")
        ui.html(figure, sanitize=False).classes("m-fallen")
        heading(title)
        ui.label(words).classes("m-why")
        ways = (("All games", "/", "m-go m-main"), ("Open a record", "/replay", "m-go"))
        links = [tag("a", name, href=path, class_=look) for name, path, look in ways]
        ui.html(tag("nav", *links, class_="m-row", aria_label="Ways on"), sanitize=False)


def page(path: str, title: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A route of ours: as `ui.page`, but with one `main`, and a page that fails says so instead of staying empty."""

    def routed(build: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(build)
        def framed(*args: Any, **kwargs: Any) -> Any:
            leave_main_to_us()
            made = build(*args, **kwargs)
            return _guarded(made, ui.context.client) if isawaitable(made) else made

        return ui.page(path, title=title, response_timeout=PATIENCE)(framed)

    return routed


async def _guarded(made: Any, client: Client) -> None:
    """Finish a page that is sent before it is built; what it has shown so far is replaced where it fails."""
    try:
        await made
    except Exception:
        if not client.is_deleted:
            client.content.clear()
            with client.content:
                lost(ADVICE, BROKEN)
        raise  # the answer, where none was sent yet, is that of `add_error_pages`


def add_error_pages() -> None:
    """For addresses that lead nowhere, and for pages that fail before they are sent."""

    async def not_found(request: Request, fault: Exception) -> Response:
        is_page = request.scope.get("endpoint") is None or request.scope.get("nicegui_page_path")
        if not is_page and isinstance(fault, HTTPException):  # a file or an upload: nobody reads a page there
            return await http_exception_handler(request, fault)
        with Client(ui.page(""), request=request) as client:
            leave_main_to_us()
            client.title = "Nothing here · Meeple"
            lost("There is no page at this address: it was mistyped, or what it led to is gone.")
        return client.build_response(request, 404)

    def failed(fault: Exception) -> None:
        LOG.error("a page failed", exc_info=fault)
        leave_main_to_us()
        ui.page_title(f"{BROKEN} · Meeple")
        lost(ADVICE, BROKEN)

    app.add_exception_handler(404, not_found)
    app.on_page_exception(failed)
