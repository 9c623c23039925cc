"""Parameters of heuristics: what a file may set, what is refused, and what kernels are handed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from meeple import load_game
from meeple.core.heuristics import Heuristic, find_heuristic
from meeple.core.parameters import Parameters, read_weights
from meeple.errors import ConfigError, ContractError


class Climb(NamedTuple):
    level: Any = np.array([0, 30, 90])
    centre: float = 0.5
    turn: int = 12


class Sized(NamedTuple):
    size: float


CLIMB = Parameters(Climb(), within=(-100, 100), limits={"centre": (0.0, 1.0)})


def test_kernels_take_one_record_with_the_names_of_the_weights() -> None:
    usual = CLIMB.usual
    assert (usual.level.tolist(), usual.centre, usual.turn) == ([0, 30, 90], 0.5, 12)
    other = CLIMB.made_of({"level": [1, 2, 3], "turn": 7.0})
    assert (other.level.tolist(), other.centre, other.turn) == ([1, 2, 3], 0.5, 7)
    assert other.dtype == usual.dtype
    assert CLIMB.constant[0] == usual
    assert Climb().level.tolist() == [0, 30, 90]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"levle": [1, 2, 3]}, "no weight 'levle'; did you mean 'level'"),
        ({"level": [1, 2]}, "'level' is 3 numbers, each a whole number from -100 to 100, not 2 numbers"),
        ({"level": [[1, 2, 3]]}, "not 1 x 3 numbers"),
        ({"level": 3}, "not one number"),
        ({"centre": [0.5]}, "'centre' is a number from 0 to 1, not 1 numbers"),
        ({"level": [1, [2], 3]}, r"'level' is 3 numbers, .* not \[1, \[2\], 3\]"),
        ({"level": [1, 2.5, 3]}, "whole number from -100 to 100, not 2.5"),
        ({"level": [1, 2, 101]}, "not 101"),
        ({"level": [1, True, 3]}, "not .1, True, 3"),
        ({"centre": float("nan")}, "NaN and infinity are none"),
        ({"level": [1, float("inf"), 2]}, "NaN and infinity are none"),
        ({"centre": "much"}, "'centre' is a number from 0 to 1, not 'much'"),
        ({"centre": None}, "not None"),
        ({"centre": True}, "not True"),
        ({"centre": 1.5}, "not 1.5"),
        ({"centre": {"a": 1}}, "'centre' is a number"),
        ({"turn": 10**400}, "'turn' is a whole number"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(values: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        CLIMB.made_of(values)


def test_a_whole_number_that_no_kernel_could_hold_is_refused() -> None:
    with pytest.raises(ConfigError, match="whole number"):
        Parameters(Climb()).made_of({"turn": 2**63})
    with pytest.raises(ConfigError, match="more than a kernel can count"):
        Parameters(Climb(), make=lambda weights: weights._replace(turn=10**30)).usual  # noqa: B018


def test_declarations_are_held_to_themselves() -> None:
    with pytest.raises(ContractError, match=r"default does not fit.* 'level'"):
        Parameters(Climb(), within=(0, 10))
    with pytest.raises(ContractError, match="name 'center'"):
        Parameters(Climb(), limits={"center": (0, 1)})
    with pytest.raises(ContractError, match="'size', which is a name of np"):
        Parameters(Sized(1.0)).usual  # noqa: B018
    # A type that follows the values would be compiled anew for them.
    fickle = Parameters(Climb(), make=lambda w: w._replace(centre=int(w.centre) if w.centre == 1 else w.centre))
    assert fickle.made_of({"centre": 0.25}).centre == 0.25
    with pytest.raises(ContractError, match="change their types"):
        fickle.made_of({"centre": 1})


class Net(NamedTuple):
    first: Any
    second: Any


class Working(NamedTuple):
    first: Any
    second: Any
    hidden: Any


def working(net: Net) -> Working:
    if net.first.shape[1] != len(net.second):
        raise ConfigError(f"the layers do not fit: {net.first.shape[1]} and {len(net.second)}")
    return Working(net.first.astype(np.int16), net.second, np.zeros(0))


NET = Parameters(
    Net(np.ones((3, 2)), np.ones(2)),
    make=working,
    scratch=lambda net: net._replace(hidden=np.zeros(len(net.second))),
    free=("first", "second"),
)


def test_threads_share_weights_and_not_scratch() -> None:
    heuristic = Heuristic(None, "a net", parameters=NET)
    (one,), (other,) = heuristic.given(), heuristic.given()
    assert one.first is other.first
    assert one.hidden is not other.hidden
    assert one.hidden.flags.writeable
    for array in (one.first, one.second):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_a_file_may_choose_a_width_and_it_must_fit() -> None:
    wide = NET.made_of({"first": np.ones((3, 5)), "second": np.ones(5)})
    assert wide.first.shape == (3, 5)
    assert wide.first.dtype == np.int16
    assert len(NET.of_thread(wide).hidden) == 5
    with pytest.raises(ConfigError, match="layers do not fit: 5 and 2"):
        NET.made_of({"first": np.ones((3, 5))})
    with pytest.raises(ConfigError, match="not 2 x 2 x 1 numbers"):
        NET.made_of({"first": np.ones((2, 2, 1))})


def test_files_of_both_kinds_say_the_same(tmp_path: Path) -> None:
    game = load_game("santorini")
    plain, packed = tmp_path / "w.json", tmp_path / "w.npz"
    plain.write_text(json.dumps({"level": [1, 2, 3, 4, 5], "scale": 0.001}))
    np.savez(packed, level=np.array([1, 2, 3, 4, 5]), scale=0.001)
    found = [find_heuristic(game, "EVALUATIONS", f"climb@{file}") for file in (plain, packed)]
    assert found[0].given() == found[1].given()
    assert found[0].given()[0].level.tolist() == [1, 2, 3, 4, 5]
    plain.write_text(json.dumps({"level": [5, 4, 3, 2, 10], "scale": 0.001}))
    assert find_heuristic(game, "EVALUATIONS", f"climb@{plain}").given()[0].level.tolist() == [5, 4, 3, 2, 10]
    plain.write_text("{}")
    default, named = (
        find_heuristic(load_game("azul"), "EVALUATIONS", f"{name}@{plain}") for name in ("default", "outlook")
    )
    assert default is named


@pytest.mark.parametrize(
    ("kind", "name", "text", "said"),
    [
        ("EVALUATIONS", "climb", "{", "weights in '.*' cannot be read"),
        ("EVALUATIONS", "climb", "[1]", "does not hold weights: it must be an object"),
        ("EVALUATIONS", "climb", '{"turn": NaN}', r"'turn' .* NaN .*the evaluation 'climb' of santorini, weights in '"),
        ("EVALUATIONS", "climb", '{"lvel": 1}', "no weight 'lvel'; did you mean 'level'"),
        ("EVALUATIONS", "none", "{}", "the evaluation 'none' of santorini takes no weights"),
        ("ORDERINGS", "promise", "{}", "the ordering 'promise' of santorini takes no weights"),
        ("EVALUATIONS", "clmb", "{}", "santorini has no evaluation 'clmb'; did you mean 'climb'"),
    ],
)
def test_a_file_that_does_not_fit_is_named(tmp_path: Path, kind: str, name: str, text: str, said: str) -> None:
    file = tmp_path / "w.json"
    file.write_text(text)
    with pytest.raises(ConfigError, match=said):
        find_heuristic(load_game("santorini"), kind, f"{name}@{file}")


def test_damaged_and_missing_files_are_refused(tmp_path: Path) -> None:
    for name, content in (
        ("w.npz", b"PK\x03\x04 no more"),
        ("x.npz", b""),
        ("y.json", b"\xff\xfe"),
        ("z", b"[" * 9999),
    ):
        file = tmp_path / name
        file.write_bytes(content)
        with pytest.raises(ConfigError, match="cannot be read"):
            read_weights(str(file))
    objects = tmp_path / "objects.npz"
    np.savez(objects, level=np.array([{}], dtype=object))
    with pytest.raises(ConfigError, match="cannot be read"):
        read_weights(str(objects))
    with pytest.raises(ConfigError, match=r"nowhere\.json' cannot be read"):
        find_heuristic(load_game("santorini"), "EVALUATIONS", "climb@nowhere.json")
    with pytest.raises(ConfigError, match="cannot be read"):
        find_heuristic(load_game("santorini"), "EVALUATIONS", f"climb@{tmp_path}")
