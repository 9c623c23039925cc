"""What a heuristic knows besides the state, as data: numbers that are handed to its kernels, not compiled into them.

A heuristic that declares `parameters` has them as the last argument of each of its functions, a NamedTuple of numbers
and arrays:

    class Climb(NamedTuple):
        level: NDArray[np.int64]  # worth of standing on a level
        turn: int

    @kernel
    def climb_value(state, seat, weights): ...  # reads weights.level[2], weights.turn

    CLIMB = Parameters(Climb(np.array([0, 30, 90, 90, 0]), 12))
    EVALUATIONS = {"climb": Heuristic(climb_value, "...", parameters=CLIMB)}

Every search passes them on, so other numbers need no compile, and a file may set them (`evaluation=climb@FILE`): JSON,
an object of names and numbers, or .npz. What a file does not name keeps its default; what does not fit is refused.

Where all shapes are known, kernels take the names and numbers as one record, which costs a pointer to pass on; with
`free` shapes or `scratch` they take the NamedTuple itself. Weights are shared by all threads, and no kernel may write
to them: arrays are read-only, so that it would not compile, and a law watches records. What a heuristic writes while it
thinks is `scratch`, made once for each thread.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from meeple.core.numbers import INT64, shortened
from meeple.errors import ConfigError, ContractError, did_you_mean

# Attributes of np.record: a field of such a name would work compiled and fail interpreted.
TAKEN_FIELDS = frozenset(name for name in dir(np.record) if not name.startswith("_"))
UNLIMITED = (-math.inf, math.inf)
EXACT = 2**53  # whole numbers up to here are told apart as floats too


@dataclass(frozen=True, eq=False)
class Parameters:
    """What a heuristic takes besides the state, and what a file may set of it.

    `defaults` is a NamedTuple whose names are those of a file; a whole number stays one, any other is a float, and an
    array has the type and shape of its default. `free` names arrays of which a file may choose the lengths (a network's
    width); how they fit together is for `make` to check. It raises ConfigError.
    """

    defaults: Any
    within: tuple[float, float] = UNLIMITED  # least and most of every weight, but for those in `limits`
    limits: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    make: Callable[[Any], Any] | None = None  # the NamedTuple that kernels take, where it is not that of the weights
    scratch: Callable[[Any], Any] | None = None  # what `make` gave, with arrays of its own for one more thread
    free: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        strange = {*self.limits, *self.free} - set(self.names)
        if strange:
            raise ContractError(f"parameters name '{min(strange)}', which is not among {', '.join(self.names)}")
        for name in self.names:
            try:
                self._fitted(name, getattr(self.defaults, name))
            except ConfigError as fault:
                raise ContractError(f"a default does not fit its own declaration: {fault}") from None

    @property
    def names(self) -> tuple[str, ...]:
        """What a file may set."""
        names: tuple[str, ...] = self.defaults._fields
        return names

    def limits_of(self, name: str) -> tuple[float, float]:
        """The least and the most that a weight may be."""
        return self.limits.get(name, self.within)

    @cached_property
    def usual(self) -> Any:
        """What kernels take with all weights at their defaults."""
        return self._made(self.weights({}))

    def weights(self, values: Mapping[str, object]) -> Any:
        """The defaults with `values` in the place of some, each checked.

        Raises:
            ConfigError: an unknown name, a wrong shape, a number outside the limits, or none at all.
        """
        for name in values:
            if name not in self.names:
                raise ConfigError(f"there is no weight '{shortened(name)}'; {did_you_mean(name, self.names)}")
        fitted = {name: self._fitted(name, values.get(name, getattr(self.defaults, name))) for name in self.names}
        return type(self.defaults)(**fitted)

    def made_of(self, values: Mapping[str, object]) -> Any:
        """What kernels take with these weights: of the same types as ever, so that nothing is compiled for it."""
        made = self._made(self.weights(values))
        if _kinds(made) != _kinds(self.usual):
            raise ContractError(
                f"parameters change their types with their values: {_kinds(self.usual)}, {_kinds(made)}"
            )
        return made

    def of_thread(self, made: Any) -> Any:
        """The same with scratch that no other thread has."""
        return made if self.scratch is None else self.scratch(made)

    @property
    def is_packed(self) -> bool:
        """Whether kernels take one record: all shapes are known, and nothing is written."""
        return not self.free and self.scratch is None

    @property
    def constant(self) -> NDArray[Any]:
        """The usual parameters for kernels that go by them whatever a file says: a record, alone in a table."""
        table = np.array([self.usual], dtype=self.usual.dtype)
        table.flags.writeable = False
        return table

    def _made(self, weights: Any) -> Any:
        made = weights if self.make is None else self.make(weights)
        return _packed(made) if self.is_packed else type(made)(*(_shared(value) for value in made))

    def _fitted(self, name: str, value: object) -> Any:
        """A value as a kernel takes it, in the kind of its default."""
        default = getattr(self.defaults, name)
        least, most = self.limits_of(name)
        is_array = isinstance(default, np.ndarray)
        wanted = _wanted(default, (least, most))
        given = _numbers(value)
        if given is None:
            raise ConfigError(f"the weight '{name}' is {wanted}, not {shortened(repr(value))}")
        if given.shape != np.shape(default) and not (name in self.free and given.ndim == np.ndim(default)):
            raise ConfigError(f"the weight '{name}' is {wanted}, not {_shape_words(given.shape)}")
        if not np.isfinite(given).all():
            raise ConfigError(f"the weight '{name}' is {wanted}; NaN and infinity are none")
        kind = np.asarray(default).dtype
        is_wrong = (given < least) | (given > most)
        if kind.kind == "i":
            most_whole = min(int(np.iinfo(kind).max), EXACT)
            is_wrong |= (given != np.rint(given)) | (np.abs(given) > most_whole)
        if is_wrong.any():
            raise ConfigError(f"the weight '{name}' is {wanted}, not {given[is_wrong][0]:g}")
        fitted = np.array(given, dtype=kind, order="C")
        return fitted if is_array else fitted.item()


def read_weights(file: str) -> dict[str, object]:
    """The names and values in a file of weights, JSON or .npz; whether they fit is not looked at."""
    try:
        if file.endswith(".npz"):
            with np.load(file, allow_pickle=False) as arrays:
                return {name: arrays[name] for name in arrays.files}
        found = json.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError, BadZipFile, EOFError, AttributeError) as fault:
        raise ConfigError(f"the weights in '{shortened(file)}' cannot be read: {shortened(str(fault), 200)}") from None
    if not isinstance(found, dict):
        raise ConfigError(f"'{shortened(file)}' does not hold weights: it must be an object of names and numbers")
    return found


def _numbers(value: object) -> NDArray[Any] | None:
    """A number or nested lists of them as an array; None where anything else is in it."""
    try:
        found = np.asarray(value)
    except (ValueError, TypeError, OverflowError):  # rows of different lengths
        return None
    has_truth = isinstance(value, list) and _has_truth(value)
    return found if found.dtype.kind in "iuf" and not has_truth else None


def _has_truth(values: list[Any]) -> bool:
    """Whether a `true` or `false` stands in nested lists, which NumPy takes for 1 and 0 beside numbers."""
    return any(_has_truth(one) if isinstance(one, list) else isinstance(one, bool) for one in values)


def _wanted(default: Any, limits: tuple[float, float]) -> str:
    """What a weight must be, in words."""
    kind = "whole number" if np.asarray(default).dtype.kind == "i" else "number"
    within = f" from {limits[0]:g} to {limits[1]:g}" if limits != UNLIMITED else ""
    if not isinstance(default, np.ndarray):
        return f"a {kind}{within}"
    return f"{_shape_words(default.shape)}, each a {kind}{within}"


def _shape_words(shape: tuple[int, ...]) -> str:
    return "one number" if shape == () else f"{' x '.join(map(str, shape))} numbers"


def _shared(value: Any) -> Any:
    """A value that threads may share: an array is read-only from now on."""
    if not isinstance(value, np.ndarray):
        if isinstance(value, int) and not INT64[0] <= value <= INT64[1]:
            raise ConfigError(f"a weight leads to {value}, which is more than a kernel can count")
        return value
    shared = np.ascontiguousarray(value).view()
    shared.flags.writeable = False
    return shared


def _packed(made: Any) -> Any:
    """A NamedTuple as one record, which costs a kernel one pointer to pass on."""
    for name, value in made._asdict().items():
        if name in TAKEN_FIELDS:
            raise ContractError(f"a parameter cannot be called '{name}', which is a name of np.record's own")
        _shared(value)
    fields = [(name, np.asarray(value).dtype, np.shape(value)) for name, value in made._asdict().items()]
    return np.array([tuple(made)], dtype=np.dtype((np.record, fields)))[0]


def _kinds(made: Any) -> list[str]:
    """The types that a kernel sees."""
    if isinstance(made, np.void):
        return [str(made.dtype)]
    return [f"{one.dtype}[{one.ndim}]" if isinstance(one, np.ndarray) else type(one).__name__ for one in made]
