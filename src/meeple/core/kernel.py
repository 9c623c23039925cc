"""Compiled code: the one decorator, and where its cache lies.

`kernel` compiles a function with Numba and keeps the machine code on disk. `specialise` loads a generic
source file (a search, a playout) once more as a module of its own, with a game's functions in the place
of the contract's names, so that the pair compiles into one piece of native code.

Numba's own cache looks at the file that a kernel stands in and at nothing else. Three faults follow: a
search goes on playing the old rules after `rules.py` has changed, two specialisations of one file
with equal signatures run each other's code, and a table read from a file keeps its old numbers. Here every
module has a cache folder of its own, and every kernel a file for the values that are compiled into it:

    <root>/<python, numba, numpy>/<who>/<key>/<kernel>.<types>.<values>

`who` names the module and every function bound to it; `key` is a hash over the contents of all source files that
are compiled into it, found by following imports. Where the files lie does not matter, so that two installs, or two
checkouts of one commit, share what is compiled. The versions used last are kept, the others removed when a new one
comes. `values` is told by `core.values`, the files are `core.cache`'s.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import os
import re
import shutil
import sys
import threading
import time
import tokenize
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
from numba.core import event

from meeple.core.cache import KernelCache, cache_root, claim
from meeple.core.dispatch import choose
from meeple.core.widths import read_wide
from meeple.errors import FailureError, NotCompiledError

PACKAGE = Path(__file__).resolve().parents[1]
COMPILER, _make, _reason = choose()
VERSIONS = 8  # of a module's compiled code that are kept: other installs and checkouts may use the same cache
UNUSED = 30 * 24 * 3600  # seconds after which what nobody has loaded is removed
NOTED_EVERY = 3600  # seconds
_loading = threading.RLock()
WORD = re.compile(r"\bimport\b")
IMPORT = re.compile(r"^[ \t]*(?:import\b[^\n]*|from\b[^\n]*?\bimport\b *(?:\([^)]*\)|[^\n(]*))$", re.MULTILINE)
_PLAIN = (bool, int, float, str, tuple, type(None))  # told apart by what they are, all else by which object it is
_specialised: dict[tuple[Any, ...], tuple[ModuleType, dict[str, Any]]] = {}  # what this process has loaded


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` to native code at its first call, or load it from the cache.

    It may call other kernels, and reads module globals as constants. With NUMBA_DISABLE_JIT=1 it stays
    plain Python. Compiled code checks no bounds: the caller has checked. Whole numbers that it is handed by another
    kernel, or reads, count as int64 (`core.widths`).
    """
    if numba.config.DISABLE_JIT:
        return read_wide(function)
    return _make(function, _folder_of(function))


def borrowing_kernel(function: Callable[..., Any]) -> Any:
    """As `kernel`, for a function that makes no array and returns none: it counts no references to those it is handed.

    Numba counts a reference to each array when a function begins and when it ends, which is two atomic additions. In a
    recursive search that hands ten arrays on, that is a third of its time. What the function calls counts as ever.
    """
    if numba.config.DISABLE_JIT:
        return read_wide(function)
    return _make(function, _folder_of(function), borrows=True)


def compiled_for(function: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Give `function` a second body for compiled code: kernels that call `function` call the decorated one instead.

    For the few functions that must be written in two ways to give the same answer: arithmetic that wraps at 64 bits,
    an atomic write. Python itself goes on calling `function`.
    """

    def bind(body: Callable[..., Any]) -> Any:
        compiled = kernel(body)
        if not numba.config.DISABLE_JIT:
            # This is where Numba looks for the type of a value that it meets.
            function._numba_type_ = compiled._numba_type_  # type: ignore[attr-defined]
        return compiled

    return bind


def specialise(source: str, bound: Mapping[str, Any], *, name: str) -> ModuleType:
    """Load the module `source` once more, under a name of its own, with `bound` replacing globals of its.

    This is how a search, written for any game, is compiled for one: `bound` has the game's functions under the names of
    the contract. `name` appears in the cache folder, for people. Equal calls return the same module. Functions are
    equal if they are the same object, so after a reload of edited rules a new module is made.
    """
    asked = (source, name, *((key, value if isinstance(value, _PLAIN) else id(value)) for key, value in bound.items()))
    known = _specialised.get(asked)
    if known is not None:
        return known[0]
    origin = importlib.util.find_spec(source)
    if origin is None or origin.origin is None:
        raise FailureError(f"there is no module {source} to specialise")
    path = Path(origin.origin)
    identity = _hash(source, *(f"{key}={_identity(value)}" for key, value in sorted(bound.items())))
    files = _sources(path, *(_file_of(value) for value in bound.values() if callable(value)))
    key = _content_key(files, identity)
    module_name = f"{source}@{name}-{identity[:10]}"
    with _loading:
        loaded = sys.modules.get(module_name)
        if loaded is not None and loaded.__dict__.get("__meeple_key__") == key:
            _specialised[asked] = (loaded, dict(bound))
            return loaded
        spec = importlib.util.spec_from_file_location(module_name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        module.__dict__["__meeple_key__"] = key
        module.__dict__["__meeple_folder__"] = _folder(f"{source.rpartition('.')[2]}@{name}", identity, key)
        sys.modules[module_name] = module
        spec.loader.exec_module(module)
        for word in bound:
            own: Any = getattr(module, word, None)
            if hasattr(own, "py_func") and own.py_func.__module__ == module_name:
                raise FailureError(f"{source} defines '{word}', which a game's own function of that name would replace")
        # After the module ran, or its own imports of the contract's stand-ins would replace what is bound.
        module.__dict__.update(bound)
        _specialised[asked] = (module, dict(bound))  # the functions are kept, so that an id stays theirs
        return module


# --- cache folders ---------------------------------------------------------------------------------


def _platform_folder() -> Path:
    python = f"py{sys.version_info[0]}{sys.version_info[1]}"
    kind = ("-bounds" if numba.config.BOUNDSCHECK else "") + ("-plain" if COMPILER == "plain" else "")
    return cache_root() / f"{python}-numba{numba.__version__}-numpy{np.__version__}{kind}"


def preparing_lock(game: str) -> Path:
    """The file that a process holds locked while it compiles ahead for a game, so that others wait for it."""
    return _platform_folder() / f"{_hash(game)[:10]}.lock"


def _folder_of(function: Callable[..., Any]) -> Path:
    """The cache folder of the module in which `function` stands."""
    module = function.__globals__
    given = module.get("__meeple_folder__")
    if given is not None:
        return Path(given)
    # Computed once each time the module is executed: a function name that comes again means that it is being reloaded,
    # perhaps after an edit.
    names = module.setdefault("__meeple_kernels__", {})
    if not names or function.__qualname__ in names:
        names.clear()
        path = Path(function.__code__.co_filename)
        names[""] = _folder(function.__module__, "", _content_key(_sources(path), ""))
    names[function.__qualname__] = names[""]
    return Path(names[""])


def _folder(who: str, identity: str, key: str) -> Path:
    home = _platform_folder() / f"{who}-{_hash(identity)[:10]}"
    folder = home / key
    is_new = not folder.exists()
    for one in (home.parent, home, folder):
        fault = claim(one)
        if fault:
            mend = "remove it, or set MEEPLE_CACHE_DIR to another folder"
            raise FailureError(f"compiled code cannot be kept in '{one}': {fault}; {mend}")
    _note_use(folder)
    if is_new:
        _remove_outdated(home.parent, folder)
    return folder


def _note_use(folder: Path) -> None:
    """Set the folder's time of change to now, for `_remove_outdated`; at most once an hour, to write little."""
    with suppress(OSError):
        if time.time() - folder.stat().st_mtime > NOTED_EVERY:
            os.utime(folder)


def _remove_outdated(platform: Path, current: Path) -> None:
    """Remove all but the versions of `current` that were used last, and of every module what is long unused."""
    for home in platform.iterdir():
        if not home.is_dir():
            continue
        versions = sorted((one for one in home.iterdir() if one != current), key=_used, reverse=True)
        kept = VERSIONS - 1 if home == current.parent else len(versions)
        for number, version in enumerate(versions):
            if number >= kept or _used(version) < time.time() - UNUSED:
                shutil.rmtree(version, ignore_errors=True)
        with suppress(OSError):  # it holds versions still
            home.rmdir()


def _used(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:  # another process has just removed it
        return 0.0


# --- what a compiled module is made of ---------------------------------------------------------------


def _identity(value: Any) -> str:
    """Return a text that differs for different bound values, and is the same in every process."""
    if isinstance(value, np.dtype):
        return str(value.descr)
    if isinstance(value, np.ndarray):
        return _hash(str(value.dtype), str(value.shape), value.tobytes().hex())
    if callable(value):
        function = getattr(value, "py_func", value)
        if function.__closure__ is not None:
            raise FailureError(
                f"{function.__qualname__} is a closure: its cached code could not be told from another's"
            )
        return f"{function.__module__}.{function.__qualname__}"
    if isinstance(value, (bool, int, float, str, tuple, type(None))):
        return repr(value)
    raise FailureError(f"a {type(value).__name__} cannot be bound to a compiled module")


def _file_of(value: Any) -> Path:
    return Path(getattr(value, "py_func", value).__code__.co_filename)


def _content_key(files: frozenset[Path], identity: str) -> str:
    contents = (f"{path.name}:{_digest(path, *_version(path))}" for path in files)
    return _hash(identity, *sorted(contents))[:16]


def _version(file: Path) -> tuple[int, int]:
    stat = file.stat()
    return stat.st_mtime_ns, stat.st_size


@cache
def _digest(file: Path, _modified: int, _size: int) -> str:
    return hashlib.sha1(file.read_bytes()).hexdigest()


def _sources(*paths: Path) -> frozenset[Path]:
    """`paths` and every source file that is compiled into them: their imports, and theirs."""
    found: set[Path] = set()
    waiting = list(paths)
    while waiting:
        file = waiting.pop()
        if file in found or not file.is_file():
            continue
        found.add(file)
        if file.suffix == ".py":
            waiting.extend(_imports(file, *_version(file)))
    return frozenset(found)


@cache
def _imports(file: Path, _modified: int, _size: int) -> tuple[Path, ...]:
    """The files of our own, or of the same plugin, that `file` imports."""
    root = file.parent
    while (root / "__init__.py").exists():
        root = root.parent
    own = file.relative_to(root).parts[0] if root != file.parent else ""  # the package that the file is part of
    found: list[Path | None] = []
    with tokenize.open(file) as source:  # in the encoding that the file names
        tree = _imports_only(source.read())
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            found += [_locate(root, own, alias.name.split(".")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parts = node.module.split(".") if node.module else []
            for alias in node.names:
                if node.level:
                    base = file.parents[node.level - 1]
                    found.append(_below(base, [*parts, alias.name]) or _below(base, parts))
                else:
                    found.append(_locate(root, own, [*parts, alias.name]) or _locate(root, own, parts))
    return tuple(path for path in found if path is not None)


def _imports_only(text: str) -> ast.AST:
    """Parse a source file for its imports: only the lines of imports where these can be told apart, which is faster."""
    found = [match.group().strip() for match in IMPORT.finditer(text)]
    # Another word "import" is prose, or an import of a form that the pattern does not know.
    is_all = sum(len(WORD.findall(statement)) for statement in found) == len(WORD.findall(text))
    if is_all and "\\\n" not in text:
        with suppress(SyntaxError):
            return ast.parse("\n".join(found))
    return ast.parse(text)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """All statements of a file, those in blocks too; expressions hold no imports."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for statement in getattr(node, field, ()):
            yield statement
            yield from _statements(statement)


def _locate(root: Path, own: str, parts: list[str]) -> Path | None:
    """The file of a dotted name, if it is ours, of the same package, beside a file that is in none, or a plugin's.

    What lies in the same folder of installed packages is not followed for that alone: numpy would be.
    """
    if parts[0] == PACKAGE.name:
        return _below(PACKAGE.parent, parts)
    is_beside = not own and root.name not in ("site-packages", "dist-packages")
    if parts[0] == own or is_beside:
        return _below(root, parts)
    module_file = getattr(sys.modules.get(".".join(parts)), "__file__", None)
    if module_file and module_file.endswith(".py") and b"meeple" in Path(module_file).read_bytes():
        return Path(module_file)
    return None


def _below(place: Path, parts: list[str]) -> Path | None:
    """The file of a dotted name below a folder."""
    package = place.joinpath(*parts, "__init__.py")
    if package.is_file():
        return package
    module = place.joinpath(*parts[:-1], f"{parts[-1]}.py") if parts else None
    return module if module is not None and module.is_file() else None


def _hash(*parts: str) -> str:
    return hashlib.sha1("\n".join(parts).encode()).hexdigest()


# --- telling people that something compiles ---------------------------------------------------------


class _Announcer(event.Listener):  # type: ignore[misc]
    """Says on stderr that code is being compiled: a line that moves on a terminal, one plain line elsewhere.

    Numba compiles in one thread at a time, and calls this from there.
    """

    def __init__(self) -> None:
        self.compiled = 0  # kernels compiled by this process, not loaded
        self._depth = 0
        self._began = 0.0
        self._said = False
        self.tellers: list[Callable[[str], None]] = []  # who show it instead, such as a bar of progress

    def on_start(self, event: Any) -> None:
        if not _is_kernel(event.data["dispatcher"]):
            return
        if _here.refused is not None:
            name = event.data["dispatcher"].py_func.__qualname__
            _here.refused.append(name)
            raise NotCompiledError(f"{name} is not in the cache, and is not to be compiled here")
        if self._depth == 0:
            self._began = time.perf_counter()
        self._depth += 1
        self.compiled += 1
        self._say(event.data["dispatcher"].py_func)

    def on_end(self, event: Any) -> None:
        if not _is_kernel(event.data["dispatcher"]):
            return
        self._depth -= 1
        if self._depth > 0 or os.environ.get("MEEPLE_QUIET"):
            return
        if not self._tell("") and sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def _say(self, function: Callable[..., Any]) -> None:
        if os.environ.get("MEEPLE_QUIET"):
            return
        if _reason and not self._said:
            print(f"meeple: compiling takes longer with this Numba ({_reason})", file=sys.stderr)
        is_told = self._tell(f"compiling {function.__name__}")
        if not is_told and sys.stderr.isatty():
            what = f"{function.__module__.rpartition('.')[2]} {function.__name__}"
            seconds = time.perf_counter() - self._began
            text = f"compiling, once for this version: {what} ({self.compiled} done, {seconds:.1f} s)"
            print(f"\r\033[K{text[:100]}", end="", file=sys.stderr, flush=True)
        elif not is_told and not self._said:
            print("meeple: compiling, once for this version; the next start takes it from the cache", file=sys.stderr)
        self._said = True

    def _tell(self, text: str) -> bool:
        """Give the text to all that show it; False where nobody does."""
        tellers = list(self.tellers)  # another thread may come or go meanwhile
        for tell in tellers:
            tell(text)
        return bool(tellers)


def _is_kernel(dispatcher: Any) -> bool:
    """Whether a function that Numba compiles is a kernel, rather than one of Numba's own."""
    return isinstance(getattr(dispatcher, "_cache", None), KernelCache)


_announcer = _Announcer()
event.register("numba:compile", _announcer)


@contextmanager
def compiling_told_to(tell: Callable[[str], None]) -> Iterator[None]:
    """While this lasts, `tell` shows what is being compiled (an empty text: nothing any more)."""
    _announcer.tellers.append(tell)
    try:
        yield
    finally:
        _announcer.tellers.remove(tell)


class _Here(threading.local):
    """What holds for one thread."""

    refused: list[str] | None = None  # kernels that it was to compile and may not


_here = _Here()


@contextmanager
def only_loading() -> Iterator[list[str]]:
    """While this lasts, this thread compiles nothing: a kernel that is not in the cache raises NotCompiledError.

    It gives a list that the names of such kernels are put into: what called them may hide the error in another.
    """
    before, refused = _here.refused, list[str]()
    _here.refused = refused
    try:
        yield refused
    finally:
        _here.refused = before


def compiled_count() -> int:
    """How many kernels this process has compiled, rather than loaded from the cache."""
    return _announcer.compiled
