"""An engine that plays the first move on offer until its fault: `python faulty.py FAULT PLY MARK`.

It fails at the first question of that ply or a later one. The mark tells its processes from others. It imports nothing
but what comes with Python, and starts quickly.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

MEGABYTE = bytes(1 << 20)


def say(kind: str, number: int, **about: Any) -> None:
    print(json.dumps({"type": kind, "id": number, **about}), flush=True)


def hang() -> None:
    while True:
        signal.pause()


def flood(file: int, data: bytes) -> None:
    while True:
        os.write(file, data)


def grow(at_once: int, to_megabytes: int) -> list[bytearray]:
    """Take memory and touch it, so that it is resident."""
    return [bytearray(os.urandom(4096)) * (256 * at_once) for _ in range(to_megabytes // at_once)]


def held(question: dict[str, Any]) -> None:
    """Hold much memory, and then think."""
    kept = grow(8, 96)
    hang()
    assert kept


def held_by_a_child(question: dict[str, Any]) -> None:
    """Have a child hold it."""
    subprocess.run([sys.executable, "-S", __file__, "grow", *sys.argv[2:]])


def info(**about: Any) -> Callable[[dict[str, Any]], None]:
    def tell(question: dict[str, Any]) -> None:
        say("info", question["id"], **about)
        say("bestmove", question["id"], move=question["moves"][0])

    return tell


def answer(**about: Any) -> Callable[[dict[str, Any]], None]:
    return lambda question: say("bestmove", **{"number": question["id"], "move": question["moves"][0], **about})


def write(text: str) -> Callable[[dict[str, Any]], None]:
    def now(question: dict[str, Any]) -> None:
        print(text, flush=True)
        hang()

    return now


def cut_off(question: dict[str, Any]) -> None:
    """Die in the middle of a line: what has arrived of it is a whole message but for the line break."""
    line = json.dumps({"type": "bestmove", "id": question["id"], "move": question["moves"][0]})
    os.write(1, line.encode())
    os._exit(0)


def abort(question: dict[str, Any]) -> None:
    print("assertion failed: depth > 0", file=sys.stderr, flush=True)
    os.abort()


FAULTS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "exit": lambda question: os._exit(3),
    "abort": abort,
    "cut-off": cut_off,
    "closes": lambda question: (os.close(1), hang()),
    "hang": lambda question: hang(),
    "flood": lambda question: flood(1, b'{"type":"info","id":%d,"depth":1}\n' % question["id"] * 1000),
    "errors": lambda question: flood(2, b"something is wrong\n" * 5000),
    "endless": lambda question: flood(1, b"x" * 65536),
    "memory": held,
    "child-memory": held_by_a_child,
    "illegal": answer(move="resign"),
    "beginning": lambda question: say("bestmove", question["id"], move=question["moves"][0][:-1]),
    "no-text": answer(move=7),
    "future": answer(number=10**6),
    "no-id": answer(number=None),
    "not-json": write("bestmove a1"),
    "no-object": write("[1, 2]"),
    "deep": write("[" * 100_000),
    "gives-up": lambda question: say("error", question["id"], text="out of ideas"),
    "boast": info(value=1.5),
    "no-number": info(nodes="many"),
    "no-line": info(line=[1, 2]),
}
# What is wrong before any question.
AT_HELLO: dict[str, Callable[[int], Any]] = {
    "hello-silent": lambda number: hang(),
    "hello-exit": lambda number: os._exit(4),
    "hello-other": lambda number: say("hello", number, protocol=99),
    "hello-wants": lambda number: say("hello", number, protocol=1, wants="moves"),
}


def main() -> None:
    fault, ply = sys.argv[1], int(sys.argv[2])
    if fault == "grow":
        kept = grow(8, 96)
        hang()
        assert kept
    for line in sys.stdin:
        message = json.loads(line)
        number = message["id"]
        if message["type"] == "hello":
            AT_HELLO.get(fault, lambda number: say("hello", number, protocol=1, wants=["moves"], more=[]))(number)
        elif message["type"] == "ping":
            say("pong", number)
        elif message["type"] == "go":
            FAULTS.get(fault if message["ply"] >= ply else "", answer())(message)
        elif message["type"] == "quit" or (fault, message["type"]) == ("one-match", "result"):
            break


if __name__ == "__main__":
    main()
