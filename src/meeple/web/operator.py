"""Who may use the machine's cores for tournaments: whoever sits at it, or knows the operator's secret.

A server that only this machine reaches, and by no name of its own, has no other visitors. Behind `--allow-host` stands
a proxy, whose visitors all seem to come from this machine: there the secret is asked of everybody.
"""

from __future__ import annotations

import hashlib
import ipaddress
import secrets
from collections.abc import MutableMapping, Sequence
from pathlib import Path
from typing import Any

from meeple.core.folders import keep_private

SESSION = "operator"  # in the cookie: that the secret was given
NAME = "operator"  # of the file that holds it


class Operator:
    """The secret of a server, and who is believed to know it."""

    def __init__(self, folder: Path, *, host: str = "127.0.0.1", hosts: Sequence[str] = ()) -> None:
        self.path = folder / NAME
        self._secret = ""
        self.has_visitors = not _is_loopback(host) or bool(hosts)
        self._has_proxy = bool(hosts)

    @property
    def secret(self) -> str:
        """The secret, drawn when it is first asked for and kept in a file that is this user's alone."""
        if not self._secret:
            keep_private(self.path)
            self._secret = self.path.read_text(encoding="ascii").strip() or secrets.token_urlsafe(24)
            self.path.write_text(self._secret, encoding="ascii")
        return self._secret

    def is_trusted(self, client: str, session: MutableMapping[str, Any]) -> bool:
        """Whether a browser at this address, with this cookie, may start and stop tournaments."""
        if not self._has_proxy and _is_loopback(client):
            return True
        return secrets.compare_digest(str(session.get(SESSION, "")).encode(), self._mark().encode())

    def is_let_in(self, told: object, session: MutableMapping[str, Any]) -> bool:
        """Whether this is the secret; then the browser's cookie remembers it."""
        if not secrets.compare_digest(str(told).strip().encode(), self.secret.encode()):
            return False
        session[SESSION] = self._mark()
        return True

    def _mark(self) -> str:
        """What a cookie holds: not the secret itself, and of no use once the secret has changed."""
        return hashlib.blake2b(self.secret.encode(), digest_size=16).hexdigest()


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
