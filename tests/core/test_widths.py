"""Whole numbers have 64 bits in kernels, however few they have in a state."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lab import Lab
from meeple.core.widths import read_wide

LAYOUT = np.dtype((np.record, [("pits", np.int8, (3,)), ("seat", np.int8), ("turn", np.uint16), ("word", np.int64)]))
SEEDS = np.array([100, 27], dtype=np.int8)
N = 5


def record() -> Any:
    """A state whose pits hold 100 each: two of them are more than a byte can tell."""
    states = np.zeros(1, dtype=LAYOUT)
    states["pits"] = 100
    states["seat"] = 1
    states["turn"] = 60_000
    return states[0]


# --- interpreted


def both_pits(state):  # type: ignore[no-untyped-def]
    return state.pits[0] + state.pits[state.seat]


def two_seeds(state):  # type: ignore[no-untyped-def]
    return SEEDS[0] * 2 + SEEDS[state.seat]


def from_a_row(state):  # type: ignore[no-untyped-def]
    row = state.pits
    return row[0] + row[1]


def two_turns(state):  # type: ignore[no-untyped-def]
    return state.turn + state.turn


def in_place(state):  # type: ignore[no-untyped-def]
    state.pits[state.seat] += N
    state.turn -= N
    state.pits[1:] -= 1
    return state.pits[1] * state.pits[2]


@pytest.mark.parametrize(
    ("function", "wanted"),
    [(both_pits, 200), (two_seeds, 227), (from_a_row, 200), (two_turns, 120_000), (in_place, 104 * 99)],
)
def test_an_interpreted_kernel_reads_wide(function: Any, wanted: int) -> None:
    answer = read_wide(function)(record())
    assert (type(answer), answer) == (np.int64, wanted)


@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_numpy_alone_would_wrap() -> None:
    assert both_pits(record()) == 200 - 256


def test_other_values_are_read_as_they_are() -> None:
    def read(values, i):  # type: ignore[no-untyped-def]
        return values[i]

    wide = read_wide(read)
    assert type(wide(np.array([1.5]), 0)) is np.float64
    assert type(wide(np.array([2**63], dtype=np.uint64), 0)) is np.uint64
    assert type(wide(np.array([True]), 0)) is np.bool_
    assert wide(("word", None), 1) is None


def test_a_place_is_found_once() -> None:
    asked = []

    def place() -> int:
        asked.append(1)
        return 2

    def change(state):  # type: ignore[no-untyped-def]
        state.pits[place()] += 7

    state = record()
    read_wide(change)(state)
    assert state.pits.tolist() == [100, 100, 107]
    assert len(asked) == 1


def test_the_place_is_the_one_before_the_value_was_found() -> None:
    def move_on(state):  # type: ignore[no-untyped-def]
        state.seat = 2
        return 3

    def change(state):  # type: ignore[no-untyped-def]
        state.pits[state.seat] += move_on(state)

    state = record()
    read_wide(change)(state)
    assert state.pits.tolist() == [100, 103, 100]


def test_a_function_stays_what_it_was() -> None:
    step = 10

    def climb(state: Any, n: int, *, by: int = 2) -> int:
        """Up the pits."""
        return 0 if n == 0 else state.pits[n] + by + step + climb(state, n - 1, by=by)

    wide = read_wide(climb)
    assert wide is not climb
    assert wide(record(), 2) == 2 * 112
    assert wide(record(), 1, by=100) == 210
    assert (wide.__name__, wide.__qualname__, wide.__doc__) == (climb.__name__, climb.__qualname__, "Up the pits.")
    assert wide.__code__.co_filename == __file__


def test_a_fault_points_at_its_own_line() -> None:
    def fail(state):  # type: ignore[no-untyped-def]
        state.seat += 1
        return state.pits[state.seat + 9]

    with pytest.raises(IndexError) as fault:
        read_wide(fail)(record())
    assert fault.traceback[-1].lineno == fail.__code__.co_firstlineno + 1  # pytest counts lines from 0


def test_without_a_source_a_function_is_left_alone() -> None:
    names: dict[str, Any] = {}
    exec("def read(state): return state.seat", names)
    assert read_wide(names["read"]) is names["read"]


# --- compiled

KERNELS = """
    import numpy as np
    from meeple.core.kernel import kernel

    STATE = np.dtype((np.record, [("pits", np.int8, (3,)), ("seat", np.int8)]))
    SEEDS = np.array([100, 27], dtype=np.int8)
    FIRST = 0

    @kernel
    def pit(state, i, is_twice):
        return state.pits[i] * (2 if is_twice else 1)

    @kernel
    def climb(state, n, seeds):
        return seeds if n == 0 else climb(state, n - 1, seeds + state.pits[n])

    @kernel
    def total(states):
        state = states[0]
        found = pit(state, 0, False) + pit(state, FIRST, True) + pit(state, state.seat, True)
        for i in range(state.seat):
            found += pit(state, i, state.seat == 1)
        return found + pit(state, np.int64(2), True) + climb(state, 2, SEEDS[0]) + climb(state, state.seat, 0)

    states = np.zeros(1, dtype=STATE)
    states["pits"] = 100
    states["seat"] = 1
"""
ASK = """
    from kernels import climb, pit, states, total
    from meeple.core.kernel import compiled_count
    parts = [getattr(one, "part", one) for one in (pit, climb)]
    print(total(states), *(len(part.overloads) for part in parts), compiled_count())
"""
ANSWER = 100 + 200 + 200 + 200 + 200 + 300 + 100


@pytest.mark.parametrize("compiler", ["parts", "plain"])
def test_literals_and_small_fields_compile_nothing_more(lab: Lab, compiler: str) -> None:
    lab.write("kernels.py", KERNELS)
    assert lab.run(ASK, MEEPLE_COMPILER=compiler)[0] == f"{ANSWER} 1 1 3"
    assert lab.run(ASK, MEEPLE_COMPILER=compiler)[0].startswith(f"{ANSWER} ")
    assert lab.run(ASK, MEEPLE_COMPILER=compiler)[0].endswith(" 0")


def test_interpreted_and_compiled_say_the_same(lab: Lab) -> None:
    lab.write("kernels.py", KERNELS)
    assert lab.run("from kernels import states, total\nprint(total(states))", NUMBA_DISABLE_JIT="1")[0] == str(ANSWER)
