"""The transcript in docs/engine-protocol.md, and a program that says its lines and holds Meeple to the others."""

from __future__ import annotations

import re
from collections import deque
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "engine-protocol.md"
START = "4444221101000000000000000/2/mortal:E4,A3/mortal:B4,D4"
TO, FROM = "> ", "< "  # what Meeple writes, and what the engine answers


def transcript() -> list[str]:
    """The lines of the page, each with its direction."""
    found = re.search(r"```text\n(> .*?)```", PAGE.read_text(), re.DOTALL)
    assert found is not None
    return found[1].splitlines()


class Scripted:
    """In the place of a process: answers as the transcript does. `said` are the lines that Meeple wrote to it."""

    def __init__(self, lines: list[str]) -> None:
        self.said: list[str] = []
        self.memory = 0
        self._left = deque(lines)
        self._answers: deque[bytes] = deque()

    def begin_question(self) -> None:
        """Nothing is counted here."""

    def send(self, line: bytes) -> None:
        """Take the next line of Meeple's, and lay ready what the transcript answers to it."""
        self.said.append(TO + line.decode().rstrip("\n"))
        while self._left and self._left[0].startswith(FROM):
            self._left.popleft()
        if self._left:
            self._left.popleft()
        while self._left and self._left[0].startswith(FROM):
            self._answers.append(self._left.popleft().removeprefix(FROM).encode())

    def receive(self, seconds: float) -> bytes | None:
        """The next answer, if one lies ready."""
        return self._answers.popleft() if self._answers else None

    def end(self, *, farewell: bytes = b"") -> None:
        """Say good-bye."""
        if farewell:
            self.send(farewell)
