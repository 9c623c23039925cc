"""What the log says of browsers that leave before they are answered."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest
from starlette.applications import Starlette
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from meeple.web.departures import Departures, add_outermost
from web.conftest import finish

SCOPE = {"type": "http", "method": "GET", "path": "/", "headers": [], "query_string": b""}


class Waiting(BaseHTTPMiddleware):
    """A middleware as those of the page's framework."""

    async def dispatch(self, request: Request, call_next) -> Response:  # type: ignore[no-untyped-def]
        return await call_next(request)  # type: ignore[no-any-return]


async def slow(scope: Scope, receive: Receive, send: Send) -> None:
    """An answer that has not begun when the browser leaves, and is given up then."""

    async def nothing() -> AsyncIterator[bytes]:
        await asyncio.Event().wait()
        yield b""

    class Late(StreamingResponse):
        async def stream_response(self, send: Send) -> None:
            await asyncio.Event().wait()

    await Late(nothing())(scope, receive, send)


def visit(app: ASGIApp, *, leaves: bool = True) -> list[Message]:
    """What is sent to a browser that asks and leaves, or stays."""
    sent: list[Message] = []
    coming = [{"type": "http.request", "body": b""}, *[{"type": "http.disconnect"}] * leaves]

    async def receive() -> Message:
        if not coming:
            await asyncio.Event().wait()
        return coming.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    finish(asyncio.wait_for(app(SCOPE, receive, send), 60))
    return sent


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> pytest.LogCaptureFixture:
    monkeypatch.setattr(logging.getLogger("meeple.web"), "propagate", True)
    caplog.set_level(logging.INFO, "meeple.web")
    return caplog


def test_a_browser_that_leaves_early_is_one_quiet_line(lines: pytest.LogCaptureFixture) -> None:
    with pytest.raises(RuntimeError, match="No response returned"):
        visit(Waiting(slow))  # what the framework makes of it
    app = Starlette(routes=[Mount("/", slow)])
    add_outermost(app, Departures)
    app.add_middleware(Waiting)  # added later, as the framework does when it starts
    assert visit(app) == []
    assert [(line.levelname, line.getMessage(), line.exc_info) for line in lines.records] == [
        ("INFO", "a browser left before it was answered", None)
    ]


@pytest.mark.parametrize("leaves", [True, False])
@pytest.mark.parametrize(
    "fault", [RuntimeError("out of clay"), RuntimeError("No response returned."), ClientDisconnect()]
)
def test_real_faults_are_raised(leaves: bool, fault: Exception, lines: pytest.LogCaptureFixture) -> None:
    async def failing(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        if leaves:
            await receive()
        raise fault

    is_quiet = leaves and str(fault) != "out of clay"
    if is_quiet:
        visit(Departures(failing), leaves=leaves)
    else:
        with pytest.raises(type(fault)):
            visit(Departures(failing), leaves=leaves)
    assert len(lines.records) == is_quiet
