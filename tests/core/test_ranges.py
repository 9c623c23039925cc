"""Ranges of fields: declared for every field, and held before any kernel sees a state from outside."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest

from conftest import HOARD
from meeple.core.chance import Stream
from meeple.core.contract import NOBODY
from meeple.core.game import Game
from meeple.core.numbers import decimal_number, shortened, whole_number
from meeple.core.ranges import KEPT, all_ranges, outside, range_faults
from meeple.core.registry import find_definition, game_names, load_game
from meeple.errors import ConfigError, ContractError, NotationError, RecordError

LAYOUT = np.dtype((np.record, [("fate", np.int64), ("seat", np.int8), ("bag", np.int16, (2,)), ("seats", np.int8)]))
WHOLE = {"seat": (0, 1), "bag": (0, 300), "seats": KEPT}


def first() -> np.ndarray:  # type: ignore[type-arg]
    return np.array([(0, 0, (300, 300), 2)], dtype=LAYOUT)


def test_every_field_needs_a_range_and_fate_has_one() -> None:
    assert range_faults(LAYOUT, WHOLE) == []
    assert range_faults(LAYOUT, {"seat": (0, 1), "seats": KEPT}) == ["RANGES has no range of field 'bag'"]
    assert "names 'sets', which is no field" in range_faults(LAYOUT, WHOLE | {"sets": (0, 1)})[0]
    for wrong in ((1, 0), (0, 200), 7, (0.0, 1.0), (0,), None):
        assert "RANGES['seat'] is" in range_faults(LAYOUT, WHOLE | {"seat": wrong})[0]
    assert all_ranges(LAYOUT, WHOLE)["fate"] == (0, 2**63 - 1)


def test_what_leaves_its_range_is_named_with_value_and_range() -> None:
    ranges, states = all_ranges(LAYOUT, WHOLE), np.repeat(first(), 3)
    assert outside(states, ranges, first()) == ""
    states["bag"][2, 1] = -4
    assert outside(states, ranges, first()) == "bag is -4, and it is from 0 to 300"
    states["bag"] = 0
    states["seats"][1] = 3
    assert outside(states, ranges, first()) == "seats is 3, and it is in this game 2"
    states["fate"] = -1
    assert outside(states, ranges, first()).startswith("fate is -1")


def test_a_game_without_a_range_is_refused_by_the_fields_name() -> None:
    whole = find_definition(HOARD)
    ranges = {name: pair for name, pair in whole.rules.RANGES.items() if name != "die"}
    rules = SimpleNamespace(**vars(whole.rules) | {"RANGES": ranges})
    with pytest.raises(ContractError, match="RANGES has no range of field 'die'"):
        Game(dataclasses.replace(whole, rules=rules), 2, whole.option_words({}))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", game_names())
def test_every_game_declares_its_ranges(name: str) -> None:
    rules = find_definition(name).rules
    assert range_faults(rules.STATE, rules.RANGES) == []


def test_a_text_is_held_to_ranges_seats_and_fates() -> None:
    game = load_game(f"{HOARD}:players=2")
    body = "lap=1 phase=act mover=1 die=2 table=010 | 2 13 2 | 0 33 1"
    assert game.read(f"{body} fate={2**63 - 1}").record.fate == 2**63 - 1
    for tail, message in {
        "fate=9223372036854775808": "is not a number from 0 to 9223372036854775807",
        "fate=-1": "is not a number from 0",
        "fate=²": "is not a number from 0",
        "fate=" + "9" * 5_000: "is not a number from 0",
        "seat=3": "seat=3 is neither a seat from 1 to 2 nor 'spectator'",
        "seat=1000000000": "is neither a seat from 1 to 2",
        "seat=-1": "is neither a seat from 1 to 2",
    }.items():
        with pytest.raises(NotationError, match=message):
            game.read(f"{body} {tail}")
    with pytest.raises(NotationError, match="die is 9, and it is from 0 to 3"):
        game.read(body.replace("die=2", "die=9"))
    with pytest.raises(NotationError, match="is no text of 20005 letters") as caught:
        game.read("x" * 20_005)
    assert len(str(caught.value)) < 300
    with pytest.raises(ConfigError, match="is not a number from 0 to"):
        game.new(fate=2**63)


def test_what_a_notation_raises_becomes_a_notation_error() -> None:
    whole = find_definition(HOARD)
    for fault in (
        OverflowError("300 is too much"),
        IndexError("there is no place 9"),
        KeyError("die"),
        ValueError("x"),
    ):

        def read(*_: object, fault: Exception = fault) -> None:
            raise fault

        notation = SimpleNamespace(**vars(whole.notation) | {"read": read})
        game = Game(dataclasses.replace(whole, notation=notation), 2, whole.option_words({}))  # type: ignore[arg-type]
        with pytest.raises(NotationError, match=f"is no position of hoard: {type(fault).__name__}"):
            game.read("anything")


def test_bytes_are_held_to_ranges_and_check() -> None:
    game = load_game(f"{HOARD}:players=2")
    state = game.new(seed=1).settled()
    assert game.from_bytes(state.to_bytes()) == state
    with pytest.raises(RecordError, match="bytes, not 3"):
        game.from_bytes(b"abc")
    for field, value, message in (
        ("mover", 100, "mover is 100, and it is from 0 to 3"),
        ("seats", 4, "seats is 4, and it is in this game 2"),
        ("mover", 3, "not before"),
        ("n_hand", 1, "a hand must be as full"),
    ):
        array = state.array.copy()
        array[field] = value
        with pytest.raises(RecordError, match=message):
            game.from_bytes(array.tobytes())


def test_numbers_are_read_in_plain_digits_only() -> None:
    assert [whole_number(text, -9, 99) for text in ("7", "-7", "007", "99")] == [7, -7, 7, 99]
    for text in ("", "-", "--5", "+5", "²", "٣", "1_0", " 1", "1\n", "100", "9" * 5_000):
        assert whole_number(text, -9, 99) is None
    assert [decimal_number(text) for text in ("1.41", "-2", "1e-3", ".5")] == [1.41, -2.0, 0.001, 0.5]
    assert {decimal_number(text) for text in ("nan", "inf", "1_0", "²", "", "1e999", "9" * 500)} == {None}
    assert shortened("x" * 80) == "x" * 80
    assert len(shortened("x" * 10_000)) < 90


def test_a_seat_that_is_not_there_is_refused_before_a_kernel_sees_it() -> None:
    state = load_game(f"{HOARD}:players=2").new(seed=1).settled()
    for seat in (2, 1_000_000_000, -1, -3):
        for ask in (
            lambda seat: state.redealt(seat, Stream(1)),
            lambda seat: state.seen(0, seat),
            lambda seat: state.score(seat),
            lambda seat: state.role_results(seat),
            lambda seat: state.strata(seat),
        ):
            with pytest.raises(ConfigError, match="at a table of 2"):
                ask(seat)
    with pytest.raises(ConfigError, match="at a table of 2"):
        state.score(NOBODY)
    assert state.redealt(NOBODY, Stream(1)).to_move == state.to_move
    with pytest.raises(ConfigError, match="classes of worlds"):
        state.redealt(0, Stream(1), stratum=1)
