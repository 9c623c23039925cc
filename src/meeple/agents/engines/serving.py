"""Any agent of Meeple as an engine: it answers the protocol's lines on stdin by lines on stdout (`meeple engine`)."""

from __future__ import annotations

import contextlib
import queue
import sys
import threading
from collections.abc import Callable
from typing import IO, Any

import numpy as np

from meeple.agents.base import Agent, Limits, ask, pose, streams_of
from meeple.agents.engines.messages import PROTOCOL, EngineFault, Message, read_message, written
from meeple.core.chance import Stream
from meeple.core.contract import HIDDEN
from meeple.core.game import Game
from meeple.core.match import Match
from meeple.errors import ConfigError, MeepleError, brief
from meeple.search.result import SearchResult

LONGEST_LINE = 16  # moves of a line that are told
NEEDED = {"new_match": ("game", "seat"), "go": ("position",)}  # what messages must hold besides their id


class Server:
    """One agent at one seat. A thread reads, so that `stop` is heard while the agent thinks."""

    def __init__(self, game: Game, agent: Agent, write: Callable[[bytes], object]) -> None:
        self.game, self.agent, self._write = game, agent, write
        self._waiting: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._stopped = -1  # the last question that need not be thought about any more
        self._seen: list[int] = []  # codes of the match's events so far, or HIDDEN
        self._is_warm = False

    def run(self, lines: IO[bytes]) -> None:
        """Answer until `quit` or the end of the input."""
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()
        while (message := self._waiting.get()) is not None and message["type"] != "quit":
            try:
                self._answer(message)
            except (MeepleError, EngineFault, LookupError, TypeError, ValueError) as fault:
                text = str(fault) if isinstance(fault, MeepleError) else brief(fault)
                self._say("error", message["id"], text=text)

    def _read(self, lines: IO[bytes]) -> None:
        for line in lines:
            with contextlib.suppress(EngineFault):  # a line that is no message is nothing that can be answered
                message = read_message(line)
                if message["type"] == "stop":
                    self._stopped = max(self._stopped, message["id"])
                else:
                    self._waiting.put(message)
        self._stopped = sys.maxsize
        self._waiting.put(None)

    def _say(self, kind: str, number: int, **about: Any) -> None:
        self._write(written(kind, number, **about))

    def _answer(self, message: Message) -> None:
        number = message["id"]
        missing = [name for name in NEEDED.get(message["type"], ()) if name not in message]
        if missing:
            raise ConfigError(f"'{message['type']}' comes without '{missing[0]}' (docs/engine-protocol.md)")
        match message["type"]:
            case "hello":
                wants = ["events"] if self.agent.wants_history else []
                self._say("hello", number, protocol=PROTOCOL, name=f"meeple {self.agent.spec}", wants=wants)
            case "new_match":
                self._new_match(message)
            case "ping":
                self._say("pong", number)
            case "go":
                self._go(message)

    def _new_match(self, message: Message) -> None:
        if message["game"] != self.game.spec:
            raise ConfigError(f"this engine plays {self.game.spec}, not {message['game']}")
        self._seen = []
        if not self._is_warm:  # compile, or load, all that it needs: the first move's time would pay for it
            self._is_warm = True
            ask(self.agent, Match(self.game), should_stop=lambda: True)
        self.agent.open()
        self.agent.new_match(self.game, [message["seat"]])

    def _go(self, message: Message) -> None:
        """Think about the position, in a world that fits it, and answer."""
        number, seed = message["id"], message.get("seed", 0)
        state = self.game.read(message["position"], Stream(seed))
        seat = state.to_move
        if "events" in message:
            codes = [event.get("code", HIDDEN) for event in message["events"]]
            self._seen = self._seen[: message["from"]] + codes
        limits = message.get("limits", {})
        found: list[SearchResult] = []
        action = pose(
            self.agent,
            state,
            ply=message.get("ply", 0),
            streams=streams_of(self.agent, seat, seed),
            seen=lambda: self._seen,
            should_stop=lambda: self._stopped >= number,
            seconds=limits["move"] / 1000 if "move" in limits else None,
            limits=_limits(limits),
            report=found.append,
        )
        if found:
            self._say("info", number, **_told(found[-1]))
        self._say("bestmove", number, move=state.move_text(action))


def _limits(given: dict[str, Any]) -> Limits:
    clocks = tuple(left / 1000 for left in given.get("clocks", ()))
    return Limits(given["move"] / 1000 if "move" in given else None, clocks, given.get("increment", 0) / 1000)


def _told(result: SearchResult) -> dict[str, Any]:
    """What is told of a search."""
    value = {} if np.isnan(result.value) else {"value": round(float(result.value), 4)}
    depth = {"depth": result.depth} if result.depth else {}
    line = result.line[:LONGEST_LINE]
    return value | depth | {"nodes": int(result.work)} | ({"line": line} if line else {})


def serve(game: Game, agent: Agent) -> None:
    """Play on this process's stdin and stdout; what anything else prints goes to stderr."""
    output = sys.stdout.buffer

    def write(line: bytes) -> None:
        output.write(line)
        output.flush()

    with contextlib.redirect_stdout(sys.stderr):
        try:
            Server(game, agent, write).run(sys.stdin.buffer)
        finally:
            agent.close()
