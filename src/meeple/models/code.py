"""Evaluations in a file of one's own: `evaluation="./net.py:evaluate"`, a kernel `evaluate(state, seat)`."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from functools import lru_cache
from pathlib import Path
from types import ModuleType

import numba

from meeple.core.folders import is_file, resolved
from meeple.core.game import Game
from meeple.core.heuristics import Heuristic
from meeple.core.numbers import shortened
from meeple.errors import ConfigError, MeepleError, PluginError, brief


def evaluation_in(game: Game, text: str) -> Heuristic:
    """The evaluation `FILE.py:FUNCTION`; expected returns of `seat`, -1 to 1, which nothing checks.

    Raises:
        ConfigError: there is no such file or function, or it is no kernel.
        PluginError: the file cannot be loaded.
    """
    file, _, name = text.rpartition(":")
    path = resolved(Path(file))
    if not is_file(path):
        raise ConfigError(f"there is no file '{shortened(file)}' to take the evaluation '{name}' from")
    stat = path.stat()
    function = getattr(_loaded(path, stat.st_mtime_ns, stat.st_size), name, None)
    if not callable(function):
        raise ConfigError(f"'{shortened(file)}' has no function '{name}'")
    if not (hasattr(function, "py_func") or numba.config.DISABLE_JIT):
        raise ConfigError(
            f"'{name}' of '{shortened(file)}' is no kernel: write @meeple.kernel above `def {name}(state, seat)`, "
            f"or name the function itself as an agent, {file}:{name}, where it values batches of leaves"
        )
    return Heuristic(function, f"{name} of {path.name}", reads_hidden=game.facts.hidden or game.facts.chance)


@lru_cache(maxsize=32)
def _loaded(path: Path, _modified: int, _size: int) -> ModuleType:
    """The file as a module, loaded again only where it has changed."""
    name = f"meeple_code_{path.stem}_{hashlib.sha1(str(path).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except MeepleError:
        raise
    except Exception as fault:
        raise PluginError(f"'{path.name}' cannot be loaded: {brief(fault)}") from fault
    return module
