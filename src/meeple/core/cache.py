"""Compiled code on disk: where it lies, whose it must be, and how damage to it is noticed.

To load code is to run it, so nothing is loaded that another user could have written: the folders and the files must
belong to this user, and nobody else may write to them. Every file begins with a hash of its name and of what follows,
which is compared before anything is unpickled or given to LLVM. What does not fit counts as missing.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import pickle
import shutil
import stat
import sys
import tempfile
import warnings
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from meeple.core.folders import user_folder
from meeple.core.values import Untold, check_unchanged, values_key
from meeple.errors import ConfigError, ContractError, FailureError, SaveError

# What reading a file that is gone, damaged, or of another version can raise.
DAMAGED = (
    *(OSError, EOFError, ValueError, ImportError, AttributeError, LookupError, TypeError, RuntimeError),
    pickle.PickleError,
)
SEAL_SIZE = 32
KEPT = 4  # versions of one kernel for one signature that differ only in the values of its globals
OTHERS_WRITE = 0o022
OPEN = "others may write there, and what they leave would run in your name"


# --- folders -----------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def cache_root() -> Path:
    """The folder for compiled code: $MEEPLE_CACHE_DIR, or the user's cache folder, or a temporary one."""
    chosen = os.environ.get("MEEPLE_CACHE_DIR")
    if chosen:
        return _chosen_root(Path(chosen))
    spare = Path(tempfile.gettempdir()) / f"meeple-{os.geteuid() if hasattr(os, 'geteuid') else 'user'}"
    try:
        home, named = user_folder("cache"), f"'{user_folder('cache')}'"
    except SaveError:
        home, named = spare, "a home folder"
    for folder in (home, spare):
        # In the folder that all users share, a link could lead anywhere.
        if claim(folder, follow=folder is not spare) == "" and _is_writable(folder):
            return folder
    return _fresh_root(f"neither {named} nor '{spare}'")


def _chosen_root(folder: Path) -> Path:
    fault = claim(folder, mend=False)
    if fault:
        mend = f"mend it by chmod go-w '{folder}'" if fault == OPEN else "choose a folder of your own"
        raise ConfigError(f"compiled code cannot be kept in MEEPLE_CACHE_DIR '{folder}': {fault}; {mend}")
    if not _is_writable(folder):
        raise FailureError(f"no compiled code can be written to '{folder}'; set MEEPLE_CACHE_DIR to another folder")
    return folder


def _fresh_root(unfit: str) -> Path:
    try:
        folder = Path(tempfile.mkdtemp(prefix="meeple-"))
    except OSError:
        raise FailureError(f"compiled code can be written to {unfit}; set MEEPLE_CACHE_DIR to a folder") from None
    print(
        f"meeple: {unfit} can be used for compiled code, so it is compiled again at every start; "
        "set MEEPLE_CACHE_DIR to a folder of your own",
        file=sys.stderr,
    )
    os.environ["MEEPLE_CACHE_DIR"] = str(folder)  # for the processes that this one starts
    atexit.register(_remove, folder, os.getpid())
    return folder


def _remove(folder: Path, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def claim(folder: Path, *, mend: bool = True, follow: bool = True) -> str:
    """Make `folder` if it is missing. Return why code must not be loaded from it: empty where it is this user's alone.

    With `mend`, write permissions of others are taken away from a folder of this user's.
    """
    try:
        if not folder.exists():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat(follow_symlinks=follow)
        if not hasattr(os, "geteuid"):
            return ""
        if not stat.S_ISDIR(status.st_mode):
            return "it is a link" if stat.S_ISLNK(status.st_mode) else "it is no folder"
        if status.st_uid != os.geteuid():
            return f"it belongs to user {status.st_uid}, not to you"
        if status.st_mode & OTHERS_WRITE:
            if not mend:
                return OPEN
            folder.chmod(status.st_mode & 0o755)
    except FileNotFoundError:
        return ""  # another process removed it; it is made again when something is written
    except OSError as fault:
        return f"it cannot be made ({fault.strerror})"
    return ""


def _is_writable(folder: Path) -> bool:
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


# --- files -------------------------------------------------------------------------------------------


def write_sealed(path: Path, body: bytes) -> bool:
    """Write a file whole or not at all, with its seal before it; False where it cannot be written."""
    spare = None
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, spare = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")  # only this user may write to it
        with open(handle, "wb") as file:
            file.write(_seal(path, body))
            file.write(body)
        os.replace(spare, path)
        return True
    except OSError:  # a full or vanished disk
        if spare:
            with suppress(OSError):
                os.unlink(spare)
        return False


def read_sealed(path: Path) -> memoryview:
    """What `write_sealed` wrote.

    Raises:
        OSError: there is no such file.
        ValueError: it is damaged, or not this user's alone.
    """
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        if hasattr(os, "geteuid") and (status.st_uid != os.geteuid() or status.st_mode & OTHERS_WRITE):
            raise ValueError(f"others could have written {path}")
        content = memoryview(file.read())
    body = content[SEAL_SIZE:]
    if content[:SEAL_SIZE] != _seal(path, body):
        raise ValueError(f"{path} is damaged")
    return body


def _seal(path: Path, body: bytes | memoryview) -> bytes:
    seal = hashlib.blake2b(path.name.encode(), digest_size=SEAL_SIZE)
    seal.update(body)
    return seal.digest()


# --- kernels -----------------------------------------------------------------------------------------


class KernelCache:
    """The cache of one kernel, in the form that Numba's dispatchers call: `load_overload` before they compile, then
    `save_overload`.

    There is a file for each combination of argument types and values of globals, found by its name alone. Files are
    written whole or not at all, so several processes may save at once. Code that cannot be cached runs all the same.
    """

    ending = "entry"

    def __init__(self, function: Any, folder: Path) -> None:
        self.function = function
        self.folder = folder

    def load_overload(self, sig: Any, context: Any) -> Any:
        """The code of the kernel for these types of arguments; None where it must be compiled."""
        context.refresh()
        try:
            return self._load(self._path(sig, context.codegen()), context)
        except (Untold, *DAMAGED):
            return None  # not there, or damaged: it is compiled and written anew

    def save_overload(self, sig: Any, result: Any) -> None:
        """Keep what was compiled."""
        self._refuse_unresolved(result.library)
        try:
            check_unchanged(self.function)
            path = self._path(sig, result.codegen)
            if result.library.has_dynamic_globals:
                raise Untold(f"{self.function.__qualname__} reads a table that is too large to be kept with its code")
        except Untold as fault:
            self._tell(str(fault))
            return
        self._save(path, result)

    def _tell(self, fault: str) -> None:
        warnings.warn(f"{fault}: {self.function.__qualname__} is compiled at every start", stacklevel=4)

    def _load(self, path: Path, context: Any) -> Any:
        from numba.core.compiler import CompileResult  # here, where a Numba without it does no harm

        return CompileResult._rebuild(context, *pickle.loads(read_sealed(path)))

    def _save(self, path: Path, result: Any) -> None:
        self._write(path, result._reduce())

    def _write(self, path: Path, kept: tuple[Any, ...]) -> bool:
        from numba.core.serialize import dumps

        is_written = write_sealed(path, dumps(kept))
        name, _values, ending = path.name.rsplit(".", 2)
        with suppress(OSError):
            versions = sorted(path.parent.glob(f"{name}.*.{ending}"), key=lambda one: one.stat().st_mtime_ns)
            for outdated in versions[:-KEPT]:
                outdated.unlink()
        return is_written

    def _path(self, sig: Any, codegen: Any) -> Path:
        code = self.function.__code__
        signature = hashlib.sha1(repr((sig, codegen.magic_tuple())).encode()).hexdigest()
        name = code.co_qualname.replace("<", "").replace(">", "")
        values = values_key(self.function)
        return self.folder / f"{name}-{code.co_firstlineno}.{signature[:16]}.{values[:16]}.{self.ending}"

    def _refuse_unresolved(self, library: Any) -> None:
        """Code that calls itself by other types would crash the next process that loads it (Numba's issue 6061)."""
        if self._is_unresolved(library):
            raise ContractError(
                f"{self.function.__module__}.{self.function.__qualname__}: a recursive kernel is called with other "
                "types than it calls itself; wrap the numbers of the first call in np.float64(...)"
            )

    def _is_unresolved(self, library: Any) -> bool:
        return ".numba.unresolved" in library.get_llvm_str()
