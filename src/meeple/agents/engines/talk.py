"""What is said to one program at one seat: hello, a match, questions, the result.

Whoever leads the talk ends it at the first `EngineFault` and starts another with a new process.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import meeple
from meeple.agents.base import Turn
from meeple.agents.engines.messages import PROTOCOL, EngineFault, Message, read_message, written
from meeple.agents.engines.process import MEGABYTE, EngineProcess
from meeple.core.game import Game
from meeple.core.info import Info, checked_info, shown
from meeple.core.match import SeenEvent

START_SECONDS = 30.0  # to say hello, and to be ready for a match
PATIENCE = 540.0  # seconds for a move without any limit; less than after which a match kills the agent's worker
GRACE = 0.8  # seconds to answer after `stop`
WATCH_SECONDS = 0.02  # between two looks whether somebody wants it to stop
MEMORY_SECONDS = 0.1  # between two looks at the memory of one that thinks; a look takes some milliseconds
RARELY = 1.0  # between those at one that answers at once
KEPT_BACK, KEPT_BACK_SECONDS = 0.02, 0.01  # of a limit: `stop` must get there, and the answer back
WANTS = ("moves", "events", "board", "world")  # what a program may have in its questions besides
MOST_SHOWN = 5  # moves in an error
Wants = frozenset[str]


@dataclass(frozen=True)
class Patience:
    """How long a program may take, and how much it may hold."""

    seconds: float = 0.0  # for an answer where there is no limit, and to start; 0: as this module has it
    memory: int = 0  # bytes; 0: no limit


class Talk:
    """A program that plays one seat of one match after the other."""

    def __init__(self, command: str, patience: Patience) -> None:
        self.patience = patience
        self.wants: Wants = frozenset()
        self._process = EngineProcess(command)
        self._id = 0
        self._game, self._seat = "", -1
        self._told: list[SeenEvent] = []  # events of the match that it was told of
        self._looked = time.monotonic()  # when its memory was looked at last

    # --- the messages

    def hello(self) -> None:
        """Hear what it is and what it wants to have in its questions."""
        number = self._say("hello", protocol=PROTOCOL, meeple=meeple.__version__)
        heard = self._wait_for("hello", number, self.patience.seconds or START_SECONDS)
        if heard.get("protocol") != PROTOCOL:
            raise EngineFault(f"speaks protocol {shown(heard.get('protocol'))}, and Meeple {PROTOCOL}")
        wants = heard.get("wants", [])
        if not isinstance(wants, list) or not all(isinstance(word, str) for word in wants):
            raise EngineFault(f"wants {shown(wants)}, which is no list of words")
        self.wants = frozenset(wants) & set(WANTS)

    def new_match(self, game: Game, seat: int) -> None:
        """Tell it which game begins and where it sits, and wait until it is ready."""
        self._game, self._seat, self._told = game.spec, seat, []
        options = {name: str(word) for name, word in game.options.items()}
        about = {"name": game.name, "version": game.facts.version, "seats": game.seats, "options": options}
        self._say("new_match", game=game.spec, seat=seat, **about)
        self._wait_for("pong", self._say("ping"), self.patience.seconds or START_SECONDS)
        self._check_memory(0.0)

    def ask(self, turn: Turn, *, seconds: float, nodes: int) -> tuple[int, Info]:
        """Return the action that it answers, and what it said of it.

        `seconds` is the limit of the move, 0 for none. After that, or when the turn says so, it is told to stop.
        """
        self._go_on_with(turn)
        moves = {turn.state.move_text(action): int(action) for action in turn.state.legal_actions()}
        number = self._say("go", **self._question(turn, list(moves), seconds, nodes))
        answer, info = self._answer(turn, number, seconds)
        if answer not in moves:
            legal = "  ".join(list(moves)[:MOST_SHOWN]) + (" ..." if len(moves) > MOST_SHOWN else "")
            raise EngineFault(f"answered {shown(answer)}, not the whole text of a move on offer; legal: {legal}")
        return moves[answer], info

    def result(self, ranks: Sequence[int], reason: str) -> None:
        """Tell it how the match ended."""
        self._say("result", ranks=list(ranks), reason=reason)

    def end(self, *, politely: bool) -> None:
        """End the program; `politely`: it is told to quit first."""
        self._process.end(farewell=written("quit", self._id + 1) if politely else b"")

    # --- a question

    def _go_on_with(self, turn: Turn) -> None:
        """Tell of a new match where this turn is not of the one that it was told of.

        In a tournament it always is. Elsewhere a move may have been taken back, or another match be asked about.
        """
        events = turn.events or ()
        is_same = (turn.state.game.spec, turn.seat) == (self._game, self._seat)
        if not is_same or list(events[: len(self._told)]) != self._told:
            self.new_match(turn.state.game, turn.seat)

    def _question(self, turn: Turn, moves: list[str], seconds: float, nodes: int) -> dict[str, Any]:
        """What a `go` holds besides its id."""
        state = turn.state
        question: dict[str, Any] = {
            "ply": turn.ply,
            "seat": turn.seat,
            "position": state.text(None if turn.deterministic else turn.seat),
            "limits": _limits(turn, seconds, nodes),
            "seed": int(turn.rng.below(1 << 31)),
        }
        if "events" in self.wants and turn.events is not None:
            fresh = turn.events[len(self._told) :]
            question |= {"from": len(self._told), "events": [_event(each) for each in fresh]}
            self._told += fresh
        if "moves" in self.wants:
            question["moves"] = moves
        if "board" in self.wants:
            question["board"] = state.board(None if turn.deterministic else turn.seat)
        if "world" in self.wants:
            question["world"] = state.text()
        return question

    def _answer(self, turn: Turn, number: int, seconds: float) -> tuple[str, Info]:
        """Wait for the move, telling it to stop when it is time."""
        began = time.monotonic()
        kept_back = min(seconds / 2, max(KEPT_BACK_SECONDS, KEPT_BACK * seconds))
        patience = self.patience.seconds or PATIENCE
        stop_at = began + (seconds - kept_back if seconds else patience)
        give_up = float("inf")
        info: Info = {}
        while True:
            now = time.monotonic()
            if now > give_up:
                raise EngineFault(f"did not answer within {GRACE} s of 'stop'")
            if give_up == float("inf") and (now >= stop_at or turn.should_stop()):
                self._process.send(written("stop", number))
                give_up = now + GRACE
            until = min(give_up, stop_at if stop_at > now else give_up, now + WATCH_SECONDS)
            message = self._hear(until - now)
            if now - began >= MEMORY_SECONDS:
                self._check_memory(MEMORY_SECONDS)
            if message is None or self._is_stale(message, number):
                continue
            if message["type"] == "info":
                info |= _info(message)
            elif message["type"] == "bestmove":
                self._check_memory(RARELY)
                return _move(message), info

    # --- lines

    def _say(self, kind: str, **about: Any) -> int:
        """Send a message; returns its id."""
        self._id += 1
        self._process.begin_question()
        self._process.send(written(kind, self._id, **about))
        return self._id

    def _wait_for(self, kind: str, number: int, seconds: float) -> Message:
        """The answer of this kind to the message with this id."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            message = self._hear(min(left, MEMORY_SECONDS))
            self._check_memory(MEMORY_SECONDS)
            if message is not None and not self._is_stale(message, number) and message["type"] == kind:
                return message
        asked = "ping" if kind == "pong" else kind
        raise EngineFault(f"did not answer '{asked}' within {seconds:g} s")

    def _hear(self, seconds: float) -> Message | None:
        """The next message, if one comes in time; an `error` is one that the program tells of itself."""
        line = self._process.receive(max(0.0, seconds))
        if line is None or not line.strip():
            return None
        message = read_message(line)
        if message["id"] > self._id:
            raise EngineFault(f"answered message {message['id']}, which was never sent")
        if message["type"] == "error":
            raise EngineFault(f"gave up: {shown(message.get('text'))}")
        return message

    def _is_stale(self, message: Message, number: int) -> bool:
        """Whether a message answers what was asked before, and was on the way when it was no longer wanted."""
        return bool(message["id"] != number)

    def _check_memory(self, every: float) -> None:
        """Raise if the program holds more than it may; looked at not more often than `every` so many seconds."""
        now, most = time.monotonic(), self.patience.memory
        if not most or now - self._looked < every:
            return
        self._looked = now
        held = self._process.memory
        if held > most:
            raise EngineFault(f"holds {held // MEGABYTE} MB of memory, and may hold {most // MEGABYTE}")


def _limits(turn: Turn, seconds: float, nodes: int) -> dict[str, Any]:
    """The limits of a move as a question has them: whole milliseconds."""
    limits: dict[str, Any] = {"move": max(1, int(1000 * seconds))} if seconds else {}
    if turn.limits.clocks:
        limits["clocks"] = [int(1000 * left) for left in turn.limits.clocks]
        limits["increment"] = int(1000 * turn.limits.increment)
    return limits | ({"nodes": nodes} if nodes else {})


def _event(event: SeenEvent) -> dict[str, Any]:
    """An event as a record has it, with its code; null stands for what the seat did not see."""
    is_hidden = event.text is None
    code = {} if is_hidden else {"code": event.code}
    return ({"chance": event.text} if event.seat is None else {"seat": event.seat, "move": event.text}) | code


def _info(message: Message) -> Info:
    try:
        return checked_info(message)
    except ValueError as fault:
        raise EngineFault(f"sent an info that is wrong: {fault}") from None


def _move(message: Message) -> str:
    move = message.get("move")
    if not isinstance(move, str):
        raise EngineFault(f"answered {shown(move)}, which is no text of a move")
    return move
