"""The table of faults: what an engine does wrong, and what the forfeit says. Both test files go through it."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

FAULTY = Path(__file__).with_name("faulty.py")
MARK = f"started-by-{os.getpid()}"  # several runs of the tests may go on at once
LIMITS = {"hang": "time=100ms", "hello-silent": "patience=250ms"}
SILENT = "did not answer within 0.8 s of 'stop'"

FAULTS = {
    "exit": "ended (exit code 3)",
    "abort": "ended (SIGABRT); the last that it wrote to stderr: 'assertion failed: depth > 0'",
    "cut-off": "ended (exit code 0)",
    "closes": "closed its output",
    "hang": SILENT,
    "flood": "wrote more than 8 MB of output for one move",
    "errors": "wrote more than 64 MB to stderr for one move",
    "endless": "wrote a line of more than 1 MB",
    "memory": "MB of memory, and may hold 64",
    "child-memory": "MB of memory, and may hold 64",
    "illegal": "answered 'resign', not the whole text of a move on offer; legal: ",
    "beginning": "not the whole text of a move on offer; legal: ",
    "no-text": "answered 7, which is no text of a move",
    "future": "answered message 1000000, which was never sent",
    "no-id": "wrote a message without the 'id' of what it answers",
    "not-json": "wrote a line that is not JSON: 'bestmove a1'",
    "no-object": "wrote a line that is no message, an object with a 'type': '[1, 2]'",
    "deep": "wrote a line that is not JSON: '[[[[",
    "gives-up": "gave up: 'out of ideas'",
    "boast": "sent an info that is wrong: 'value' is the expected returns of the mover, a number from -1 to 1, not 1.5",
    "no-number": "sent an info that is wrong: 'nodes' is a whole number",
    "no-line": "sent an info that is wrong: 'line' is a list of at most 64 moves as texts, not [1, 2]",
    "hello-silent": "did not answer 'hello' within 0.25 s",
    "hello-exit": "ended (exit code 4)",
    "hello-other": "speaks protocol 99, and Meeple 1",
    "hello-wants": "wants 'moves', which is no list of words",
}


def spec_of(fault: str, *, ply: int = 2, is_in_shell: bool = False) -> str:
    """The agent that fails so from `ply` on; in a shell it is the shell's child."""
    start = f"{sys.executable} -I -S {FAULTY} {fault} {ply} {MARK}"
    # The second command keeps the shell from becoming the engine itself.
    command = f"sh -c '{start}; exit $?'" if is_in_shell else start
    return f'engine:command="{command}",memory=64,{LIMITS.get(fault, "patience=20s")}'


def processes() -> list[int]:
    """The processes of engines that this run of the tests has started, their children too."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if any(MARK.encode() in word for word in words):
            found.append(int(folder.name))
    return found


def all_end(seconds: float = 20.0) -> bool:
    """Whether no engine is left; one that was killed may still be there for a moment."""
    until = time.monotonic() + seconds
    while processes() and time.monotonic() < until:
        os.sched_yield()
    return not processes()
