"""A kernel that does not compile says what its author got wrong, where, and what was meant; once."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import numpy as np
import pytest

from meeple.core.conformance.suite import Breach, Report
from meeple.core.conformance.trace import difference
from meeple.errors import ContractError, brief

SOURCE = """import numpy as np

from meeple.core.chance import fresh_fate
from meeple.core.kernel import kernel

STONES = np.arange(3)


def halve(n):
    return n // 2


@kernel
def reads_field(state):
    return state.scoer  # 1


@kernel
def writes_field(state):
    state.sede = 1  # 2


@kernel
def reads_global(state):
    return STONE[0]  # 3


@kernel
def calls_plain(state):
    return halve(state.seat)  # 4


@kernel
def calls_with_two(state):
    return fresh_fate(np.zeros(1, np.uint64), 1)  # 5


@kernel
def reads_module(state):
    return np.int46(state.seat)  # 6


@kernel
def reads_number(state):
    return state.seat.stones  # 7


@kernel
def mixes(state):
    return "one" + state.seat  # 8


@kernel
def caller(state):
    return reads_field(state) + 1


@kernel
def caller_of_caller(state):
    n = 0
    for i in range(3):
        n += caller(state)
    return n
"""
STATE = np.dtype((np.record, [("score", np.int64), ("seat", np.int8)]))


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    path = tmp_path_factory.mktemp("broken") / "rules.py"
    path.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("broken_rules", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def line(number: int) -> int:
    return 1 + next(i for i, text in enumerate(SOURCE.splitlines()) if text.endswith(f"# {number}"))


@pytest.mark.parametrize(
    ("name", "number", "message"),
    [
        ("reads_field", 1, "there is no field 'scoer'; did you mean 'score'?"),
        ("writes_field", 2, "there is no field 'sede'; did you mean 'seat'?"),
        ("reads_global", 3, "NameError: name 'STONE' is not defined; did you mean 'STONES'?"),
        ("calls_plain", 4, "'halve' is no @kernel, and kernels call nothing else"),
        ("calls_with_two", 5, "fresh_fate(rng) is called with too many positional arguments"),
        ("reads_module", 6, "AttributeError: module 'numpy' has no attribute 'int46'"),
        ("reads_number", 7, "there is no 'stones' in int8"),
        ("mixes", 8, "Numba cannot compile this: No implementation of function"),
    ],
)
def test_a_mistake_is_told_with_its_line(broken: ModuleType, name: str, number: int, message: str) -> None:
    for _ in range(2):  # Numba keeps its errors, and raises them again
        with pytest.raises(ContractError) as caught:
            getattr(broken, name)(np.zeros(1, STATE)[0])
        assert str(caught.value).startswith(message)
        assert str(caught.value).endswith(f"(rules.py, line {line(number)}, in {name})")
        assert brief(caught.value) == str(caught.value)


def test_a_mistake_below_is_told_by_the_kernel_that_has_it(broken: ModuleType) -> None:
    for name in ("caller", "caller_of_caller", "caller"):
        with pytest.raises(ContractError, match=rf"'scoer'.*\(rules.py, line {line(1)}, in reads_field\)"):
            getattr(broken, name)(np.zeros(1, STATE)[0])


def test_the_interpreter_tells_fields_alike(broken: ModuleType) -> None:
    with pytest.raises(AttributeError) as caught:
        broken.reads_field.py_func(np.zeros(1, STATE)[0])
    place = f"(rules.py, line {line(1)}, in reads_field)"
    assert brief(caught.value) == f"there is no field 'scoer'; did you mean 'score'? {place}"
    with pytest.raises(NameError) as unknown:
        broken.reads_global.py_func(np.zeros(1, STATE)[0])
    assert brief(unknown.value).startswith("NameError: name 'STONE' is not defined; did you mean 'STONES'? (rules.py")


def test_what_breaks_several_laws_is_said_once() -> None:
    report = Report("kalah")
    cause = "there is no field 'scoer' (rules.py, line 3)"
    for law, message, told in [
        ("plays", f"the match broke off: {cause}", cause),
        ("ranges", "stones is 110", ""),
        ("view", f"raised {cause}", cause),
        ("compiled", f"compiled, the rules break at event 2: {cause}", ""),
        ("check", "stones is 110", ""),
    ]:
        report.breaches[law] = Breach(law, "kalah", message, 1, 2, cause=told)
    assert report.messages() == [
        f"plays, view, compiled: the match broke off: {cause}  [kalah, seed 1, event 2]",
        "ranges: stones is 110  [kalah, seed 1, event 2]",
        "check: stones is 110  [kalah, seed 1, event 2]",
    ]


def test_two_runs_differ_in_a_function_and_a_field() -> None:
    said = {"apply": {"stones": 3, "hands": [[1, 2], [3, 4]]}, "score": [1, 2], "legal_actions": [0, 1]}
    assert difference(said, said | {"score": [1, 3]}) == "score[1] is 2 compiled and 3 interpreted"
    assert difference(said, said | {"legal_actions": [0]}) == "legal_actions is [0, 1] compiled and [0] interpreted"
    other = said | {"apply": {"stones": 3, "hands": [[1, 2], [3, 5]]}, "score": [7, 7]}
    assert difference(said, other) == "apply: hands[1][1] is 4 compiled and 5 interpreted"
