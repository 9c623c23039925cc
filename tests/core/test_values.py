"""What names a kernel's code besides its source: equal values, equal keys; other values, other keys."""

from __future__ import annotations

import enum
import textwrap
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from meeple.core.values import Untold, values_key

SOURCE = """
from meeple.core.kernel import kernel
@kernel
def low(x):
    return x + DEEP
@kernel
def high(x):
    return low(x) + VALUE
"""


class Colour(enum.IntEnum):
    RED = 1
    BLUE = 2


class Weights(NamedTuple):
    near: float
    far: float


def load(text: str, **values: Any) -> dict[str, Any]:
    """The names of a module of that source, with these values among its globals."""
    module: dict[str, Any] = {"__name__": "toy"} | values
    exec(compile(textwrap.dedent(text), "toy.py", "exec"), module)
    return module


def key(value: Any) -> str:
    return values_key(load(SOURCE, DEEP=0, VALUE=value)["high"].py_func)


VALUES: list[Callable[[], Any]] = [
    lambda: 1,
    lambda: True,
    lambda: 1.0,
    lambda: -0.0,
    lambda: 0.0,
    lambda: "1",
    lambda: None,
    lambda: np.int64(1),
    lambda: np.int32(1),
    lambda: (1, 2),
    lambda: ((1, 2),),
    lambda: (2, 1),
    lambda: Weights(1, 2),
    lambda: Colour.RED,
    lambda: Colour.BLUE,
    lambda: Colour,
    lambda: np.array([1, 2]),
    lambda: np.array([2, 1]),
    lambda: np.array([1, 2], np.int32),
    lambda: np.array([[1, 2]]),
    lambda: np.array([[1], [2]]),
    lambda: np.array([[1, 2], [3, 4]]),
    lambda: np.asfortranarray([[1, 2], [3, 4]]),
    lambda: (np.array([1]), np.array([2])),
    lambda: (np.array([2]), np.array([1])),
    lambda: np.dtype([("a", np.int8), ("b", np.int64)]),
    lambda: np.dtype([("a", np.int8), ("b", np.int64)], align=True),
    lambda: np.zeros(1, [("a", np.int8)])[0],
    lambda: np.int64,
    lambda: np.float64,
    lambda: np.add,
    lambda: np.where,
    lambda: len,
]


def test_a_key_tells_values_apart_and_nothing_else() -> None:
    keys = [key(make()) for make in VALUES]
    assert len(set(keys)) == len(VALUES)
    assert keys == [key(make()) for make in VALUES]


def test_a_key_holds_the_values_of_all_kernels_that_are_reached() -> None:
    def made(deep: int) -> str:
        return values_key(load(SOURCE, DEEP=deep, VALUE=0)["high"].py_func)

    assert made(1) != made(2)
    assert made(1) == made(1)


def test_a_key_holds_the_code_too() -> None:
    # A kernel of a notebook stands in no file.
    before = load(SOURCE, DEEP=0, VALUE=0)["high"].py_func
    for edit in (SOURCE.replace("x + DEEP", "x - DEEP"), SOURCE.replace("x + DEEP", "x + 1 + DEEP")):
        assert values_key(load(edit, DEEP=0, VALUE=0)["high"].py_func) != values_key(before)
    with_one, with_two = (SOURCE.replace("x + DEEP", f"x + {n} + DEEP") for n in (1, 2))
    after = [values_key(load(text, DEEP=0, VALUE=0)["high"].py_func) for text in (with_one, with_two)]
    assert after[0] != after[1]


def test_a_key_holds_defaults_cells_and_what_is_read_within_inner_functions() -> None:
    source = """
    from meeple.core.kernel import kernel
    def make(cell):
        @kernel
        def outer(x, by=DEFAULT):
            def inner(y):
                return y + INNER + cell
            return inner(x) * by
        return outer
    def none(): ...
    """

    def made(default: int, inner: int, cell: Any) -> str:
        return values_key(load(source, DEFAULT=default, INNER=inner)["make"](cell).py_func)

    assert made(1, 1, 1) == made(1, 1, 1)
    assert len({made(*numbers) for numbers in ((1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2))}) == 4


def test_a_key_holds_the_attributes_of_a_module() -> None:
    def made(**values: Any) -> str:
        inner = types.ModuleType("layout.inner")
        outer = types.ModuleType("layout")
        vars(inner).update({"N": 1, "outer": outer} | values)
        vars(outer).update({"inner": inner, "unused": object()})
        source = "from meeple.core.kernel import kernel\n@kernel\ndef read(x):\n    return x + layout.inner.N\n"
        return values_key(load(source, layout=outer)["read"].py_func)

    assert made() == made(M=3)
    assert made() != made(N=2)


def test_kernels_that_call_each_other_have_keys() -> None:
    source = """
    from meeple.core.kernel import kernel
    @kernel
    def even(n):
        return True if n == 0 else odd(n - 1)
    @kernel
    def odd(n):
        return VALUE if n == 0 else even(n - 1)
    """

    def made(value: Any, name: str) -> str:
        return values_key(load(source, VALUE=value)[name].py_func)

    assert made(1, "even") == made(1, "even")
    assert made(1, "even") != made(2, "even")
    assert made(1, "even") != made(1, "odd")


def test_the_name_of_an_attribute_is_not_taken_for_a_global() -> None:
    source = "from meeple.core.kernel import kernel\n@kernel\ndef read(state):\n    return state.pits + state.log\n"
    one = load(source, pits=np.zeros(3), log=object())["read"].py_func
    two = load(source, pits=np.ones(3), log=object())["read"].py_func
    assert values_key(one) == values_key(two)


@pytest.mark.parametrize("value", [object(), [1], {"a": 1}, np.array([None]), (1, object())])
def test_what_cannot_be_told_is_refused_by_name(value: Any) -> None:
    with pytest.raises(Untold, match=r"high reads VALUE, an? .* cannot be told in another process"):
        key(value)


def test_values_are_read_once() -> None:
    table = np.zeros(2)
    function = load(SOURCE, DEEP=0, VALUE=table)["high"].py_func
    before = values_key(function)
    table[0] = 1
    assert values_key(function) == before
    assert key(table) != before


def test_a_table_is_hashed_once_for_all_kernels_that_read_it() -> None:
    class Table(np.ndarray[Any, Any]):
        n_hashed = 0

        def tobytes(self, order: Any = "C") -> bytes:
            Table.n_hashed += 1
            return super().tobytes(order)

    table = np.zeros(1000).view(Table)
    values_key(load(SOURCE, DEEP=table, VALUE=table)["high"].py_func)
    assert Table.n_hashed == 1
