"""Requests whose browser leaves before it is answered: one line in the log, where the framework writes a traceback."""

from __future__ import annotations

import logging

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOG = logging.getLogger("meeple.web")
UNANSWERED = "No response returned."  # what Starlette raises where a middleware waits for an answer that nobody wants


class Departures:
    """An ASGI middleware. Only what follows from a browser's leaving is kept quiet; whatever else is raised goes on."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or note that nobody waits for the answer any more."""
        has_left = False

        async def heard() -> Message:
            nonlocal has_left
            message = await receive()
            has_left |= message["type"] == "http.disconnect"
            return message

        try:
            await self.app(scope, heard, send)
        except (ClientDisconnect, RuntimeError) as fault:
            is_theirs = isinstance(fault, ClientDisconnect) or str(fault) == UNANSWERED
            if scope["type"] != "http" or not has_left or not is_theirs:
                raise
            LOG.info("a browser left before it was answered")


def add_outermost(app: Starlette, middleware: type[Departures]) -> None:
    """Have a middleware round all others, also those that the framework adds when it starts."""
    build = app.build_middleware_stack

    def built() -> ASGIApp:
        app.user_middleware.insert(0, Middleware(middleware))
        return build()

    app.build_middleware_stack = built  # type: ignore[method-assign]
