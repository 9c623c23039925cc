"""A program that is started, written to, read line by line, and ended with all that it has started.

Three threads of ours serve it: they read its output, read its errors, and write its input. So nothing that it does, or
leaves undone, can make the caller wait: not a flood, nor a line without an end, nor an input that it never reads.

How it ends. The program and what it starts are in a process group, which is killed as a whole: a program behind `sh -c`
is a child of the shell, and killing the shell alone would leave it. The group is led by a *keeper*, a shell that waits
for the end of its own input, which comes when this process ends in whatever way, SIGKILL too; then it kills the group.
On Windows, which has no such groups, the program's tree is ended by `taskkill`, and there is no keeper.
"""

from __future__ import annotations

import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import IO

from meeple.agents.engines.messages import EngineFault

LONGEST_LINE = 1 << 20  # bytes
MOST_OUTPUT = 8 << 20  # bytes for one question
MOST_ERRORS = 64 << 20  # bytes of stderr for one question; all but the last few are thrown away
LAST_ERRORS = 4_096  # bytes of stderr that are kept, to tell why it ended
CHUNK = 1 << 16
EXIT_SECONDS = 0.5  # for a program to end by itself
MEGABYTE = 1 << 20
# It must outlive whatever a terminal sends, or those it keeps would be left.
KEEPER = ("/bin/sh", "-c", "trap '' HUP INT TERM; read -r _; kill -KILL 0")


def words_of(command: str, *, windows: bool = os.name == "nt") -> list[str]:
    """The words of a command: quoted as for a POSIX shell; on Windows as there, where a backslash parts folders.

    Raises:
        ValueError: a quote is not closed.
    """
    if not windows:
        return shlex.split(command)
    return [word.strip('"') for word in shlex.split(command, posix=False)]


class EngineProcess:
    """A running program. Whoever starts one must `end` it."""

    def __init__(self, command: str) -> None:
        self._news = threading.Condition()  # guards what the threads write down here
        self._lines: deque[bytes] = deque()
        self._output, self._errors = 0, 0  # bytes since the last question
        self._last_errors = b""
        self._is_closed, self._fault = False, ""
        self._keeper = None if os.name == "nt" else subprocess.Popen(KEEPER, stdin=subprocess.PIPE, process_group=0)
        try:
            self._process = self._started(command)
        except (OSError, ValueError) as fault:
            self._end_group()
            raise EngineFault(f"cannot be started by '{command}': {fault}") from None
        self._input: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        works = (self._read_errors, self._read_output, self._write_input)
        self._threads = [threading.Thread(target=work, daemon=True) for work in works]
        for thread in self._threads:
            thread.start()

    def _started(self, command: str) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        group = self._keeper.pid if self._keeper else None
        return subprocess.Popen(words_of(command), stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, process_group=group)

    # --- talking

    def begin_question(self) -> None:
        """Count what it writes from here on."""
        with self._news:
            self._output = self._errors = 0

    def send(self, line: bytes) -> None:
        """Write a line to it, some time soon; whether it reads it shows by its answer."""
        self._input.put(line)

    def receive(self, seconds: float) -> bytes | None:
        """The next whole line of its output; None where none comes within `seconds`.

        Raises:
            EngineFault: it has ended, or writes more than it may.
        """
        until = time.monotonic() + seconds
        with self._news:
            while not self._lines and not self._fault and not self._is_closed:
                if not self._news.wait(until - time.monotonic()):
                    return None
            if self._fault:
                raise EngineFault(self._fault)
            if self._lines:
                return self._lines.popleft()
        raise EngineFault(self._how_it_ended())

    def _how_it_ended(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(EXIT_SECONDS)
            self._threads[0].join(EXIT_SECONDS)  # its last words may still be on the way
        code = self._process.returncode
        if code is None:
            how = "closed its output"
        elif code >= 0:
            how = f"ended (exit code {code})"
        else:
            how = f"ended ({_signal_name(-code)})"
        last = self._last_errors.decode(errors="replace").strip().splitlines()[-1:]
        return how + (f"; the last that it wrote to stderr: '{_printable(last[0])}'" if last else "")

    # --- threads

    def _read_output(self) -> None:
        """Cut its output into lines; what follows the last line break is kept back, and never read at the end."""
        half = b""
        for data in _chunks(self._process.stdout):
            *whole, half = (half + data).split(b"\n")
            with self._news:
                self._lines.extend(whole)
                self._output += len(data)
                if max(map(len, [*whole, half])) > LONGEST_LINE:
                    self._fault = self._fault or f"wrote a line of more than {LONGEST_LINE // MEGABYTE} MB"
                elif self._output > MOST_OUTPUT:
                    self._fault = self._fault or f"wrote more than {MOST_OUTPUT // MEGABYTE} MB of output for one move"
                self._news.notify()
                if self._fault:
                    return
        with self._news:
            self._is_closed = True
            self._news.notify()

    def _read_errors(self) -> None:
        for data in _chunks(self._process.stderr):
            with self._news:
                self._last_errors = (self._last_errors + data)[-LAST_ERRORS:]
                self._errors += len(data)
                if self._errors > MOST_ERRORS:
                    self._fault = self._fault or f"wrote more than {MOST_ERRORS // MEGABYTE} MB to stderr for one move"
                    self._news.notify()
                    return

    def _write_input(self) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        with suppress(OSError), pipe:  # it has ended, or closed its input: its output tells
            while (line := self._input.get()) is not None:
                while line:
                    line = line[pipe.write(line) or 0 :]

    # --- what it holds, and its end

    @property
    def memory(self) -> int:
        """Bytes of resident memory of the program and of all that it has started."""
        return resident_memory(self._keeper.pid) if self._keeper else 0

    def end(self, *, farewell: bytes = b"") -> None:
        """End it, and all that it has started; with a `farewell` it may end by itself first, for a moment."""
        if farewell:
            self._input.put(farewell)
            self._input.put(None)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(EXIT_SECONDS)
        self._end_group()
        if os.name == "nt" and self._process.poll() is None:
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(self._process.pid)], capture_output=True)
        self._process.wait()
        self._input.put(None)

    def _end_group(self) -> None:
        """Kill the group. Its leader is a child of ours that is not yet waited for, so its number is nobody else's."""
        if self._keeper is None:
            return
        os.killpg(self._keeper.pid, signal.SIGKILL)
        self._keeper.wait()
        assert self._keeper.stdin is not None
        self._keeper.stdin.close()


def _chunks(pipe: IO[bytes] | None) -> Iterator[bytes]:
    """What comes out of a pipe, piece by piece, until it is closed; then it is closed here too."""
    assert pipe is not None
    with pipe:
        while data := pipe.read(CHUNK):
            yield data


def resident_memory(group: int) -> int:
    """Bytes of resident memory of the processes in a group, and of their children outside it."""
    table = _processes()
    members = {pid for pid, (_, own, _) in table.items() if own == group}
    while found := {pid for pid, (parent, _, _) in table.items() if parent in members} - members:
        members |= found
    return sum(table[pid][2] for pid in members)


def _processes() -> dict[int, tuple[int, int, int]]:
    """Of each process on this machine its parent, its group and its resident bytes."""
    if os.path.isdir("/proc/self"):
        page = os.sysconf("SC_PAGE_SIZE")
        found = {}
        for name in os.listdir("/proc"):
            if name.isdigit():
                with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                    # The name of the program, in brackets, may hold anything; numbers follow it.
                    numbers = file.read().rpartition(b")")[2].split()
                    found[int(name)] = int(numbers[1]), int(numbers[2]), int(numbers[21]) * page
        return found
    listed = subprocess.run(["ps", "-axo", "pid=,ppid=,pgid=,rss="], capture_output=True, text=True).stdout
    rows = [[int(number) for number in line.split()] for line in listed.splitlines()]
    return {pid: (parent, group, kilobytes * 1024) for pid, parent, group, kilobytes in rows}


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)[:200]
