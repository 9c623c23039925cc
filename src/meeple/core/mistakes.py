"""What is wrong with a kernel that does not compile, in one line for its author.

Numba types a kernel from Python's call downwards, and an error on the way back up is wrapped once by each caller. So
`naming_mistakes` stands around the compiling of every kernel: the innermost one still sees the bare error and knows
its function, and says what is wrong and where; the outermost, which Python has called, raises it as a ContractError.
"""

from __future__ import annotations

import dis
import re
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, TracebackType
from typing import Any

from numba.core import errors, types

from meeple.errors import ContractError, MeepleError, nearest, wrong_field

# A request of Numba's own to compile again for a constant: no mistake.
_REQUEST: type[Exception] = getattr(errors, "ForceLiteralArg", MeepleError)
_IN_BRACKETS = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"  # up to three deep
_RECORD = re.compile(rf"(?:unaligned )?[Rr]ecord{_IN_BRACKETS}")
LONGEST = 200  # letters of a reason in Numba's words


class _Told(threading.local):
    """Of the thread that compiles: kernels within kernels, mistakes told so far, and the last of them."""

    depth = 0
    count = 0
    mistake = ""


_told = _Told()


@contextmanager
def naming_mistakes(function: Callable[..., Any]) -> Iterator[None]:
    """Around the compiling of a kernel: what goes wrong is told once, by the kernel where it happens.

    Raises:
        ContractError: around a kernel that Python has called. Within others Numba's error goes on as it was, since
            Numba may yet succeed by other types.
    """
    before = _told.count
    _told.depth += 1
    try:
        yield
    except (MeepleError, _REQUEST):
        raise
    except Exception as fault:
        # Told before: by a kernel below this one, or when Numba, which keeps its errors, raised this one first.
        below = _told.mistake if _told.count > before else ""
        mistake = getattr(fault, "mistake", "") or below or explain(fault, function)
        _told.count, _told.mistake = _told.count + 1, mistake
        fault.mistake = mistake  # type: ignore[attr-defined]
        if _told.depth > 1:
            raise
        raise ContractError(mistake) from fault
    finally:
        _told.depth -= 1


def explain(fault: Exception, function: Callable[..., Any]) -> str:
    """Say what is wrong with `function` and in which line, given what Numba raised while it compiled it."""
    code = function.__code__
    text = _RECORD.sub("state", re.sub(r"\x1b\[[0-9;]*m", "", str(fault)))  # without colours and layouts
    line = _line_of(fault, text, code)
    what, named_line = _in_words(fault, text, function)
    return f"{what} ({Path(code.co_filename).name}, line {named_line or line}, in {code.co_name})"


def _in_words(fault: Exception, text: str, function: Callable[..., Any]) -> tuple[str, int]:
    """What is wrong, and the line where that is known from the name that is wrong; else 0."""
    code = function.__code__
    field = _missing_field(fault)
    if field:
        return field, 0
    if found := re.search(r"NameError: name '(\w+)' is not defined", text):
        known = {*function.__globals__, *code.co_varnames}
        return f"{found[0]}{nearest(found[1], known)}", _line_of_global(code, found[1])
    if found := re.search(r"Untyped global name '(\w+)'.*<class 'function'>", text):
        return f"'{found[1]}' is no @kernel, and kernels call nothing else", _line_of_global(code, found[1])
    if found := re.search(r"Cannot bind .* to signature '(.*?)' due to \"TypeError: (.*?)\"", text):
        callee = re.search(r"<function (\w+)", text[found.end() :])
        name = callee[1].removeprefix("_compiled_") if callee else "a function"  # see `compiled_for`
        return f"{name}{found[1]} is called with {found[2]}", 0
    if found := re.search(r"Unknown attribute '(\w+)' of type ([^\n]*)", text):
        return f"there is no '{found[1]}' in {found[2].strip()}", 0
    if isinstance(fault, errors.NumbaError):
        lines = [line.strip().rstrip(":") for line in text.splitlines()]
        reasons = [line for line in lines if line and not line.startswith("Failed in nopython mode")]
        return f"Numba cannot compile this: {(reasons or ['no word of why'])[0][:LONGEST]}", 0
    reason = (str(fault).strip().splitlines() or [""])[0]
    return f"{type(fault).__name__}: {reason[:LONGEST]}", 0


def _missing_field(fault: Exception) -> str:
    """What to say where a record was asked for a field that it does not have: Numba lets a bare KeyError through."""
    for frame, _line in traceback.walk_tb(fault.__traceback__):
        record, key = frame.f_locals.get("self"), frame.f_locals.get("key")
        if isinstance(fault, KeyError) and isinstance(record, types.Record) and key not in record.fields:
            return wrong_field(str(key), record.fields)
    return ""


# --- where -------------------------------------------------------------------------------------------


def _line_of(fault: Exception, text: str, code: CodeType) -> int:
    """The line of this function at which Numba stopped: by its error, its frames or its words; else the first."""
    places = [getattr(fault, "loc", None), *_constraint_places(fault.__traceback__)]
    lines = [int(place.line) for place in places if getattr(place, "filename", None) == code.co_filename]
    named = re.findall(r'File "(.*?)", line (\d+)', text)
    # Numba shortens the paths that it writes, so the file's name must do.
    lines += [int(line) for file, line in named if Path(file).name == Path(code.co_filename).name]
    return lines[0] if lines else code.co_firstlineno


def _constraint_places(trace: TracebackType | None) -> list[Any]:
    """The places in the source of what Numba was typing, innermost first."""
    typed = [frame.f_locals.get("self") for frame, _line in traceback.walk_tb(trace)]
    return [one.loc for one in reversed(typed) if hasattr(one, "loc")]


def _line_of_global(code: CodeType, name: str) -> int:
    """The first line of a function that reads a global; 0 where none does."""
    for one in dis.get_instructions(code):
        if one.argval == name and one.positions is not None and one.positions.lineno:
            return one.positions.lineno
    return 0
