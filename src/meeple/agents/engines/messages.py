"""Messages of the engine protocol: a JSON object a line, written without spaces."""

from __future__ import annotations

import json
from typing import Any

from meeple.core.info import shown

PROTOCOL = 1

Message = dict[str, Any]


class EngineFault(Exception):
    """What an engine did wrong, as a clause without its subject: "did not answer within 0.8 s of 'stop'"."""


def written(kind: str, number: int, **about: Any) -> bytes:
    """A message as a line. No space stands in it but inside texts: engines without a JSON library count on that."""
    message = {"type": kind, "id": number, **about}
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def read_message(line: bytes) -> Message:
    """The message in a whole line, with its `type`, and its `id`, a whole number.

    Raises:
        EngineFault: there is none.
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise EngineFault(f"wrote a line that is not JSON: {shown(_text(line))}") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise EngineFault(f"wrote a line that is no message, an object with a 'type': {shown(_text(line))}")
    if not isinstance(message.get("id"), int) or isinstance(message["id"], bool):
        raise EngineFault(f"wrote a message without the 'id' of what it answers: {shown(_text(line))}")
    return message


def _text(line: bytes) -> str:
    return line[:200].decode(errors="replace")
