"""Who may speak to the server: foreign hosts, foreign origins, bodies and messages without end."""

from __future__ import annotations

import base64
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from meeple.core.folders import keep_private
from meeple.web.gate import LARGEST_BODY, LARGEST_MESSAGE, Gate
from meeple.web.room import Room
from web.conftest import Server, finish


async def behind(scope: Scope, receive: Receive, send: Send) -> None:
    """What stands behind the gate: it reads all there is."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
    else:
        body = await Request(scope, receive).body()
        await PlainTextResponse(f"{len(body)} bytes")(scope, receive, send)


def sent_for(kind: str, headers: dict[str, str], hosts: tuple[str, ...] = (), chunks: int = 1) -> list[Message]:
    """What a request gets back."""
    answers: list[Message] = []
    left = [chunks]

    async def receive() -> Message:
        if kind == "websocket":
            return {"type": "websocket.connect"}
        left[0] -= 1
        return {"type": "http.request", "body": b"x" * 1000, "more_body": left[0] > 0}

    async def send(message: Message) -> None:
        answers.append(message)

    scope: dict[str, Any] = {"type": kind, "method": "POST", "path": "/", "query_string": b""}
    scope["headers"] = [(name.encode(), value.encode()) for name, value in headers.items()]
    finish(Gate(behind, hosts=hosts)(scope, receive, send))
    return answers


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    ("host", "origin", "hosts", "is_let_in"),
    [
        ("localhost:8080", None, (), True),
        ("127.0.0.1:8080", "http://127.0.0.1:8080", (), True),
        ("[::1]:8080", "http://[::1]:8080", (), True),
        ("192.168.1.7:8080", "http://192.168.1.7:8080", (), True),  # --host 0.0.0.0, reached by its address
        ("games.example.org", "https://games.example.org", ("games.example.org",), True),
        ("Games.Example.org.:443", None, ("games.example.org",), True),
        ("127.0.0.1:8080", "https://games.example.org", ("games.example.org",), True),  # behind a proxy
        ("evil.example.org:8080", None, (), False),  # a name made to point to this machine
        ("evil.example.org:8080", "http://evil.example.org:8080", (), False),
        ("localhost.evil.example.org", None, (), False),
        ("", None, (), False),
        ("localhost:8080", "http://evil.example.org", (), False),
        ("localhost:8080", "http://localhost:3000", (), False),  # another server of this machine
        ("127.0.0.1:8080", "http://127.0.0.1:3000", ("127.0.0.1", "localhost"), False),
        ("localhost:8080", "null", (), False),
        ("localhost:8080", "http://[", (), False),
    ],
)
def test_foreign_names_and_pages_are_refused(
    kind: str, host: str, origin: str | None, hosts: tuple[str, ...], is_let_in: bool
) -> None:
    headers = {"host": host} | ({"origin": origin} if origin is not None else {})
    first = sent_for(kind, headers, hosts)[0]
    if kind == "websocket":
        assert first["type"] == ("websocket.accept" if is_let_in else "websocket.close")
    else:
        assert first["status"] == (200 if is_let_in else 403)


def test_people_are_refused_by_a_page_and_nothing_of_theirs_is_markup() -> None:
    start, body = sent_for("http", {"host": "<b>.org", "accept": "text/html,*/*"})
    assert start["status"] == 403
    assert b"does not answer to &#x27;&lt;b&gt;.org&#x27;" in body["body"]
    assert b"<main><h1>Refused</h1>" in body["body"]


def test_a_body_ends_at_the_limit_before_it_is_read() -> None:
    said = sent_for("http", {"host": "localhost", "content-length": str(LARGEST_BODY + 1)})
    assert said[0]["status"] == 413
    assert sent_for("http", {"host": "localhost", "content-length": "9" * 5000})[0]["status"] == 413
    from starlette.exceptions import HTTPException

    many = LARGEST_BODY // 1000 + 2
    with pytest.raises(HTTPException, match="bytes are read"):  # no length given: counted as it comes
        sent_for("http", {"host": "localhost"}, chunks=many)
    assert sent_for("http", {"host": "localhost"}, chunks=many - 2)[0]["status"] == 200


def answer_to(server: Server, *lines: str, body: bytes = b"") -> bytes:
    """The first line of what a running server answers."""
    where = urlsplit(server.root)
    with socket.create_connection((where.hostname, where.port), timeout=60) as line:
        line.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        return line.recv(4096).partition(b"\r\n")[0]


def test_a_running_server_refuses_them(server: Server) -> None:
    port = urlsplit(server.root).port
    upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"]
    upgrade += [f"Sec-WebSocket-Key: {base64.b64encode(b'x' * 16).decode()}"]
    knock = "GET /_nicegui_ws/socket.io/?EIO=4&transport=websocket HTTP/1.1"
    ours = [f"Host: localhost:{port}", f"Origin: http://localhost:{port}"]
    assert b" 101 " in answer_to(server, knock, *upgrade, *ours)
    assert b" 403 " in answer_to(server, knock, *upgrade, ours[0], "Origin: http://evil.example.org")
    assert b" 403 " in answer_to(server, knock, *upgrade, "Host: evil.example.org")
    assert b" 200 " in answer_to(server, "GET / HTTP/1.1", *ours, "Connection: close")
    assert b" 403 " in answer_to(server, "GET / HTTP/1.1", "Host: evil.example.org", "Connection: close")
    length = f"Content-Length: {LARGEST_BODY + 1}"
    assert b" 413 " in answer_to(server, "POST /_nicegui/client/x/upload/1 HTTP/1.1", *ours, length)


def test_a_message_without_end_ends_the_connection(server: Server) -> None:
    where = urlsplit(server.root)
    with socket.create_connection((where.hostname, where.port), timeout=60) as line:
        upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"]
        upgrade += [f"Sec-WebSocket-Key: {base64.b64encode(b'x' * 16).decode()}", f"Host: localhost:{where.port}"]
        knock = "GET /_nicegui_ws/socket.io/?EIO=4&transport=websocket HTTP/1.1"
        line.sendall("\r\n".join([knock, *upgrade, "", ""]).encode())
        heard = line.recv(4096)
        assert b" 101 " in heard
        # A text frame that says it is much longer than the limit, and goes a little beyond it.
        line.sendall(b"\x81\xff" + (2**40).to_bytes(8, "big") + bytes(4) + b"x" * (LARGEST_MESSAGE + 1))
        while b"\x88" not in heard[-200:]:  # the close frame
            piece = line.recv(4096)
            if not piece:
                break
            heard += piece
        assert (1009).to_bytes(2, "big") in heard


def test_what_holds_secrets_is_the_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "web"
    Room(folder).close()
    database = folder / "tables.sqlite"
    assert (folder.stat().st_mode & 0o777, database.stat().st_mode & 0o777) == (0o700, 0o600)
    folder.chmod(0o755)
    database.chmod(0o644)
    room = Room(folder)
    assert (folder.stat().st_mode & 0o777, database.stat().st_mode & 0o777) == (0o700, 0o600)
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.iterdir())  # its journal too
    room.close()
    secret = keep_private(folder / "secret")
    secret.chmod(0o644)
    assert keep_private(secret).stat().st_mode & 0o777 == 0o600


def test_a_running_servers_files_are_its_own(server: Server) -> None:
    found = {path.name: path.stat().st_mode & 0o077 for path in (server.folder / "web").iterdir()}
    assert {"tables.sqlite", "secret", "server.log"} <= set(found)
    assert set(found.values()) == {0}
