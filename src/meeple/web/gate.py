"""Who may speak to the server at all: asked of every request and every websocket before anything else looks at it.

A page of another site can make a browser on this machine send requests here, and a name that its owner lets point to
this machine (DNS rebinding) makes them look like our own. So a request must name us as those do who were told where we
are: by an address in numbers, as localhost, or by a name that the server was started with; and what a page sends must
come from a page of ours. A body that is longer than any record ends at the limit, before it is read.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Iterable
from html import escape
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOG = logging.getLogger("meeple.web")
LARGEST_RECORD = 2_000_000  # bytes
LARGEST_BODY = LARGEST_RECORD + 10_000  # a record and what a form puts around it
LARGEST_MESSAGE = 100_000  # bytes that a page sends at once
# Whole in itself: whoever is refused gets no style sheet either.
REFUSAL = """<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Refused · Meeple</title><meta name="color-scheme" content="light dark">
<style>body {{ font: 16px/1.45 system-ui, sans-serif; max-width: 56ch; margin: 12vh auto; padding: 0 20px; }}</style>
</head><body><main><h1>Refused</h1><p>Meeple did not answer: {}.</p></main></body></html>"""


class Gate:
    """The outermost layer of the server."""

    def __init__(self, app: ASGIApp, *, hosts: Iterable[str] = ()) -> None:
        self.app = app
        names = (host.lower().rstrip(".") for host in hosts)
        # An address is ours anyhow; as a name it would let in the pages of other servers at it.
        self.hosts = frozenset(name for name in names if name != "localhost" and not _is_address(name))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let through what names us and comes from us; the rest gets a reason and nothing else."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        status, reason = self._refusal(headers)
        if reason:
            LOG.warning("refused: %s", reason)
            await _refuse(scope, receive, send, status, reason)
        else:
            await self.app(scope, _limited(receive), send)

    def _refusal(self, headers: Headers) -> tuple[int, str]:
        """The status and the reason of a refusal; no reason where there is none."""
        host, origin, length = headers.get("host", ""), headers.get("origin"), headers.get("content-length", "")
        if not self._is_ours(_name_of(host)):
            return (
                403,
                f"this server does not answer to '{host[:100]}'; started with --allow-host NAME it does",
            )
        if origin is not None and not self._is_same(origin, host):
            return 403, f"this server takes nothing from pages of '{origin[:100]}'"
        if length.isdecimal() and int(length[:20]) > LARGEST_BODY:
            return 413, f"at most {LARGEST_BODY} bytes are read"
        return 200, ""

    def _is_ours(self, name: str) -> bool:
        return name == "localhost" or name.endswith(".localhost") or name in self.hosts or _is_address(name)

    def _is_same(self, origin: str, host: str) -> bool:
        """Whether a page of ours sent it; behind a proxy that renames the host, one of the names we were given."""
        try:
            found = urlsplit(origin)
            return bool(found.netloc) and (
                found.netloc.lower() == host.lower() or (found.hostname or "").rstrip(".") in self.hosts
            )
        except ValueError:
            return False


def _name_of(host: str) -> str:
    """The name or address in a Host header, without its port."""
    name = host.partition("]")[0].removeprefix("[") if host.startswith("[") else host.partition(":")[0]
    return name.lower().rstrip(".")


def _is_address(name: str) -> bool:
    """Whether it is an address in numbers, which no name server has a say in."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, reason: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": "refused"})
    else:
        headers = {"connection": "close"}  # the rest of a body is not read
        is_read_by_people = "text/html" in Headers(scope=scope).get("accept", "")
        if is_read_by_people:
            await HTMLResponse(REFUSAL.format(escape(reason)), status, headers)(scope, receive, send)
        else:
            await PlainTextResponse(reason, status, headers)(scope, receive, send)


def _limited(receive: Receive) -> Receive:
    """The same messages, until a body is too long: one without a length is counted as it comes."""
    received = 0

    async def counted() -> Message:
        nonlocal received
        message = await receive()
        if message["type"] == "http.request":
            received += len(message.get("body", b""))
            if received > LARGEST_BODY:
                raise HTTPException(413, f"at most {LARGEST_BODY} bytes are read")
        return message

    return counted
