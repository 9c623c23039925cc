"""Definitions, games and states: what is refused, and what states offer to Python."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import numba
import numpy as np
import pytest

from conftest import HOARD, TICTACTOE
from meeple.core.contract import NOBODY
from meeple.core.definition import layout_faults
from meeple.core.game import Game, copied
from meeple.core.registry import find_definition, load_game
from meeple.errors import ConfigError, ContractError, IllegalMoveError, NotationError


def layout(*fields: tuple[str, object]) -> np.dtype:  # type: ignore[type-arg]
    return np.dtype((np.record, list(fields)))  # type: ignore[arg-type]


def test_reserved_field_names_are_refused() -> None:
    for name in ("round", "size", "max", "data", "fill", "item"):
        assert f"'{name}'" in layout_faults(layout((name, np.int8)), has_chance=False)[0]
    assert layout_faults(layout(("lap", np.int8)), has_chance=False) == []


def test_unsigned_and_float_fields_are_refused() -> None:
    assert "signed" in layout_faults(layout(("bits", np.uint64)), has_chance=False)[0]
    assert "signed" in layout_faults(layout(("value", np.float64)), has_chance=False)[0]


def test_a_game_with_chance_needs_a_fate() -> None:
    assert "fate" in layout_faults(layout(("die", np.int8)), has_chance=True)[0]
    assert "fate" in layout_faults(layout(("fate", np.int32)), has_chance=True)[0]


def test_a_definition_that_lacks_parts_is_refused_by_name() -> None:
    whole = find_definition(HOARD)
    rules = SimpleNamespace(**{k: v for k, v in vars(whole.rules).items() if k not in ("redeal", "chance_key")})
    with pytest.raises(ContractError, match=r"rules.redeal is missing; rules.chance_key is missing"):
        Game(dataclasses.replace(whole, rules=rules), 2, whole.option_words({}))  # type: ignore[arg-type]


def test_wrong_options_get_the_nearest_right_one() -> None:
    with pytest.raises(ConfigError, match="did you mean 'supply'"):
        load_game("santorini:suply=finite")
    with pytest.raises(ConfigError, match="takes unlimited, finite, not 'none'"):
        load_game("santorini:supply=none")
    with pytest.raises(ConfigError, match="did you mean 'santorini'"):
        load_game("santorin")
    with pytest.raises(ConfigError, match="for 2 to 4 players, not 5"):
        load_game(f"{HOARD}:players=5")
    with pytest.raises(ConfigError, match="is not a number"):
        load_game(f"{HOARD}:players=two")


def test_a_spec_names_what_is_not_the_default() -> None:
    assert load_game("santorini").spec == "santorini"
    assert load_game("santorini:supply=finite").spec == "santorini:supply=finite"
    assert load_game(f"{HOARD}:hoard=double,players=3").spec == "hoard:players=3,hoard=double"


def test_playing_leaves_the_old_state_as_it_was() -> None:
    state = load_game(TICTACTOE).new()
    before = state.to_bytes()
    after = state.play("b2")
    assert state.to_bytes() == before
    assert after.text() == ".../.X./..."
    assert after != state


def test_moves_are_read_without_case_and_spaces_and_by_a_unique_beginning() -> None:
    state = load_game("santorini").read("0" * 25 + "/1/mortal:B3,D3/mortal:C2,C4")
    full = state.read_move("B3>B4^C5")
    assert state.move_text(full) == "B3>B4^C5"
    assert state.read_move(" b3 > b4 ^ c5 ") == full
    stuck = load_game("santorini").read("2400044000000000000000044/1/mortal:A5,E5/mortal:C3,D3")
    with pytest.raises(NotationError, match="could be E5>"):
        stuck.read_move("E5")


def test_wrong_moves_say_what_was_expected() -> None:
    state = load_game("santorini").read("0" * 25 + "/1/mortal:B3,D3/mortal:C2,C4")
    with pytest.raises(NotationError, match="a move reads like B3>B4"):
        state.read_move("castle")
    with pytest.raises(IllegalMoveError, match=r"'B3>C4\^C5' is not on offer here; legal: B3>"):
        state.read_move("B3>C4^C5")
    with pytest.raises(IllegalMoveError, match="action 9999 is not on offer"):
        state.play(9999)


def test_win_shares_split_a_victory() -> None:
    game = load_game(f"{HOARD}:players=3")
    tie = game.read("lap=3 phase=over mover=1 die=0 table=210 | 3 11 2 | 5 12 - | 1 2 - fate=1")
    assert tie.ranks() == [1, 1, 3]
    assert tie.win_shares() == [0.5, 0.5, 0.0]
    assert tie.returns() == [0.0, 0.0, -1.0]


def test_a_drawn_game_of_two_returns_nothing() -> None:
    drawn = load_game(TICTACTOE).read("XOX/XOO/OXX")
    assert drawn.to_move == NOBODY
    assert drawn.returns() == [0.0, 0.0]


def test_a_view_hides_and_is_read_back_as_a_world_that_fits() -> None:
    game = load_game(f"{HOARD}:players=2")
    state = game.read("lap=1 phase=act mover=1 die=2 table=010 | 2 13 2 | 0 33 1 fate=5")
    assert state.text(0) == "lap=1 phase=act mover=1 die=2 table=010 | 2 13 2 | 0 ?? ? seat=1"
    assert state.text(NOBODY) == "lap=1 phase=act mover=1 die=2 table=010 | 2 ?? ? | 0 ?? ? seat=spectator"
    world = game.read(state.text(0))
    assert list(world.record.hand[0]) == [1, 3]
    assert world.text(0) == state.text(0)


def test_impossible_positions_are_refused() -> None:
    with pytest.raises(NotationError, match="on no dome"):
        load_game("santorini").read("4" * 25 + "/1/mortal:B3,D3/mortal:C2,C4")
    with pytest.raises(NotationError, match="more than five cards"):
        load_game(f"{HOARD}:players=2").read("lap=1 phase=act mover=1 die=2 table=500 | 2 13 2 | 0 33 1 fate=5")


def test_states_draw_themselves_in_a_notebook() -> None:
    assert load_game(TICTACTOE).new()._repr_svg_() is None  # without a drawing, text
    state = load_game("santorini").new()
    assert state._repr_svg_() == state.picture()
    assert state.picture().startswith("<svg")

    class Printer:
        text_seen = ""

        def text(self, text: str) -> None:
            self.text_seen += text

    printer = Printer()
    state._repr_pretty_(printer, cycle=False)
    assert printer.text_seen == state.board()


def test_a_copy_is_apart_and_compiles_to_the_same() -> None:
    first = load_game(f"{HOARD}:players=2").new(seed=1).array
    twin = copied(first)
    assert numba.typeof(twin) == numba.typeof(first)  # else every kernel would be compiled twice
    twin[0]["die"] = 3
    assert first[0]["die"] == 0
    assert twin[0]["die"] == 3


@pytest.mark.parametrize("code", [-1, 10**9, 2**62])
def test_a_code_that_no_event_has_is_not_seen(code: int) -> None:
    with pytest.raises(IllegalMoveError, match="is no code of hoard"):
        load_game(HOARD).new(seed=1).seen(code, 0)
