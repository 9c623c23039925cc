"""What a kernel is made of besides its source files: its bytecode and the values of the globals that it reads.

Numba compiles a global into a kernel as a constant, and so it does with the globals of every kernel that is called.
They may come from a file of any kind, or be set by hand before the first call. `values_key` is a hash over all of them,
equal in every process, for the name under which compiled code is kept.

    numbers, text, tuples, arrays, dtypes, enumerations    by value
    kernels, and other functions that Numba compiles       by their own bytecode and values, and so on
    modules                                                by the values of the attributes that are named
    classes, and functions that Numba knows by itself      by name

A kernel's values are read once a process, before it is first compiled or loaded; later changes have no effect, as
they have none on code that Numba has compiled.
"""

from __future__ import annotations

import dis
import enum
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import types

LITERALS = (bool, int, float, complex, str, bytes, slice, type(None), type(...))
STABLE = {"numpy", "math", "numba"}  # modules that a version names: their attributes are not looked at
Hashed = dict[int, tuple[str, Any]]  # by the id of an array: its hash, and the array, so that the id stays its own
_known: dict[FunctionType, _Reading] = {}


class Untold(Exception):
    """A kernel reads a value for which no hash is the same in every process; the message says which."""


@dataclass(frozen=True)
class _Reading:
    """A hash of one kernel's bytecode and globals, and the kernels that it calls in the order of first mention."""

    digest: bytes
    calls: tuple[FunctionType, ...]
    untold: str = ""


def values_key(function: FunctionType) -> str:
    """A hash over the bytecode and the global values of a kernel and of all kernels that it reaches.

    Raises:
        Untold: one of them reads a value of which no hash can be made, or that has changed since it was read.
    """
    reached = [function]
    places = {function: 0}
    hashed: Hashed = {}
    told = hashlib.blake2b(digest_size=16)
    for one in reached:  # grows while it is walked
        reading = _known.get(one)
        if reading is None:
            reading = _known[one] = _Reader(hashed).read(one)
        if reading.untold:
            raise Untold(reading.untold)
        told.update(reading.digest)
        for callee in reading.calls:
            if callee not in places:
                places[callee] = len(reached)
                reached.append(callee)
            told.update(places[callee].to_bytes(4, "little"))
    return told.hexdigest()


def check_unchanged(function: FunctionType) -> None:
    """After `function` was compiled: if a global changed since its hash was made, do not cache what contains it.

    The hash would not describe the code. It happens where a process changes a global between the first calls of two
    kernels that read it.
    """
    reading = _known[function]
    if not reading.untold and reading != _Reader({}).read(function):
        untold = f"{function.__qualname__} reads a global that changed after a kernel was made of it"
        _known[function] = _Reading(b"", (), untold)


class _Reader:
    """Reads one kernel; `hashed` holds the arrays that were hashed for the kernels read just before."""

    def __init__(self, hashed: Hashed) -> None:
        self.calls: dict[FunctionType, int] = {}  # the kernels that are named, and their places
        self.hashed = hashed

    def read(self, function: FunctionType) -> _Reading:
        given = (function.__defaults__, tuple((function.__kwdefaults__ or {}).items()))
        try:
            texts = [self._text(function.__code__), self._text(given)]
            texts += self._cell_texts(function)
            texts += self._global_texts(function)
        except (Untold, ValueError) as fault:  # ValueError: a cell that is still empty
            return _Reading(b"", (), f"{function.__qualname__} reads {fault}")
        return _Reading(hashlib.blake2b("\n".join(texts).encode(), digest_size=16).digest(), tuple(self.calls))

    def _cell_texts(self, function: FunctionType) -> Iterator[str]:
        """The values of the variables around a closure."""
        for cell in function.__closure__ or ():
            value = cell.cell_contents
            if isinstance(value, ModuleType):
                yield from self._module_texts(value, dict.fromkeys(_names(function.__code__)), {id(value)})
            else:
                yield self._text(value)

    def _global_texts(self, function: FunctionType) -> Iterator[str]:
        """The values of the globals that are named, each after its name.

        The names of attributes are among those of a code object. Where one is a global too, its value is told in vain;
        for arrays and what cannot be told, where that would do harm, the bytecode is asked.
        """
        names = dict.fromkeys(_names(function.__code__))
        for name in names:
            if name not in function.__globals__:
                continue
            value = function.__globals__[name]
            if isinstance(value, ModuleType):
                yield from self._module_texts(value, names, {id(value)})
                continue
            try:
                if not isinstance(value, np.ndarray) or _loads(function.__code__, name):
                    yield f"{name}={self._text(value)}"
            except Untold as fault:
                if _loads(function.__code__, name):
                    raise Untold(f"{name}, {fault}") from None

    def _module_texts(self, module: ModuleType, names: dict[str, None], seen: set[int]) -> Iterator[str]:
        """The values of a module's attributes that are named."""
        yield module.__name__
        if module.__name__.partition(".")[0] in STABLE:
            return
        for name in names:
            value = getattr(module, name, module)  # itself where it has no such attribute
            if isinstance(value, ModuleType):
                if id(value) not in seen:
                    yield from self._module_texts(value, names, seen | {id(value)})
                continue
            try:
                yield f"{module.__name__}.{name}={self._text(value)}"
            except Untold as fault:
                raise Untold(f"{module.__name__}.{name}, {fault}") from None

    def _text(self, value: Any) -> str:
        """Return a text that differs where values differ; a kernel is added to `calls` and its text is its place."""
        kind = type(value)
        if kind in LITERALS:
            return repr(value)
        function = _compiled(value)
        if function is not None:
            return f"kernel {self.calls.setdefault(function, len(self.calls))}"
        if isinstance(value, (np.ndarray, np.generic)):
            return self._array_text(value)
        if isinstance(value, np.dtype):
            return f"{value!r} {value.itemsize} {value.alignment}"
        if isinstance(value, enum.Enum):
            return f"{kind.__module__}.{kind.__qualname__}.{value.name}={self._text(value.value)}"
        if isinstance(value, (tuple, frozenset)):
            texts = [self._text(one) for one in value]
            owner = "" if kind is tuple else f"{kind.__module__}.{kind.__qualname__}{getattr(value, '_fields', '')}"
            return f"{owner}({', '.join(sorted(texts) if isinstance(value, frozenset) else texts)})"
        if isinstance(value, CodeType):
            words = (value.co_name, value.co_names, value.co_varnames, value.co_freevars, value.co_argcount)
            return f"{value.co_code.hex()} {words} {self._text(value.co_consts)}"
        if isinstance(value, types.Type):
            return str(value)
        if isinstance(value, type) and issubclass(value, enum.Enum):
            return f"enum({', '.join(self._text(one) for one in value)})"
        name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
        if name and callable(value):
            return f"{kind.__name__} {getattr(value, '__module__', '')}.{name}"
        raise Untold(f"a {kind.__name__}, whose value cannot be told in another process")

    def _array_text(self, value: np.ndarray[Any, Any] | np.generic) -> str:
        if value.dtype.hasobject:
            raise Untold("an array of Python objects, whose values cannot be told in another process")
        if id(value) not in self.hashed:
            self.hashed[id(value)] = (hashlib.blake2b(value.tobytes(), digest_size=16).hexdigest(), value)
        content = self.hashed[id(value)][0]
        order = f"{value.flags.c_contiguous:d}{value.flags.f_contiguous:d}"
        return f"{type(value).__name__} {value.dtype!r} {value.shape} {order} {content}"


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _names(const)


def _loads(code: CodeType, name: str) -> bool:
    """Whether the name is a global's, rather than only an attribute's."""
    if any(one.argval == name and one.opname in ("LOAD_GLOBAL", "LOAD_NAME") for one in dis.get_instructions(code)):
        return True
    return any(_loads(const, name) for const in code.co_consts if isinstance(const, CodeType))


def _compiled(value: Any) -> FunctionType | None:
    """The Python function of a value that Numba compiles: a kernel, or a function with a body for kernels."""
    if isinstance(value, FunctionType):
        value = getattr(getattr(value, "_numba_type_", None), "dispatcher", None)  # see `compiled_for`
    function: Callable[..., Any] | None = getattr(value, "py_func", None)
    return function if isinstance(function, FunctionType) else None
