"""Azul in text: short moves, positions in every spelling, and what is refused with its reason; the board's width."""

from __future__ import annotations

import re

import pytest

from games.azul.tables import board, table
from meeple import CHANCE, load_game
from meeple.core.chance import rng_for
from meeple.core.paint import ansi
from meeple.errors import IllegalMoveError, NotationError
from meeple.games.azul.notation import EXAMPLE


def test_the_example_of_the_errors_is_a_position() -> None:
    state = load_game("azul").read(EXAMPLE)
    assert state.to_move == 0
    assert " lid=0,0,0,0,0 " in state.text()


@pytest.mark.parametrize("text", ["F1 blue 4", "f1 BLUE 4", "1b4", "F1B4", "display 1 blue 4", "1 b 4", "factory 1 b4"])
def test_moves_are_read_in_short_forms(text: str) -> None:
    state = table(displays="BBYK", centre="RR")
    assert state.move_text(state.read_move(text)) == "F1 blue 4"


@pytest.mark.parametrize("text", ["centre red floor", "center red floor", "cr-", "c r f", "C RED FLOOR"])
def test_the_centre_and_the_floor_have_short_forms(text: str) -> None:
    state = table(displays="BBYK", centre="RR")
    assert state.move_text(state.read_move(text)) == "centre red floor"


def test_k_is_black() -> None:
    state = table(displays="BBYK", centre="RR")
    assert state.move_text(state.read_move("1k2")) == "F1 black 2"


def test_wrong_moves_say_what_is_wrong() -> None:
    state = table(displays="BBYK", centre="RR")
    with pytest.raises(NotationError, match="a move reads like F2 blue 4"):
        state.read_move("blue")
    with pytest.raises(IllegalMoveError, match="legal: F1 blue 1"):
        state.read_move("F1 white 1")


GOOD = (
    "round=7 mover=1 first=1 marker=2 bag=0,0,0,0,0 centre=RK F=BBYK,-,-,-,- "
    "| 5 -/-/RR/-/- B..../...../...../...../..... 0 | 0 -/-/-/-/- ...../...../...../...../..... 1"
)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("round=7", "lap=7", "is no position of azul; one reads like round=1"),
        ("round=7", "round=0", "round=0 is not a number from 1 to 1000"),
        ("mover=1", "mover=3", "mover=3 is no seat of 2"),
        ("first=1", "first=0", "first=0 is no seat of 2"),
        ("marker=2", "marker=9", "marker=9 is no seat of 2"),
        (" | 0 -/-/-/-/- ...../...../...../...../..... 1", "", "has 1 player boards, and this game has 2 seats"),
        ("F=BBYK,-,-,-,-", "F=BBYK,-,-,-", "2 players have 5 displays, not 4"),
        ("F=BBYK", "F=BBYG", "'G' in display F1 is no tile; tiles are B Y R K W"),
        ("F=BBYK", "F=BBYKK", "a display holds four tiles at most"),
        ("F=BBYK", "F=BBY", "display F1 has neither four tiles nor none"),
        ("centre=RK", "centre=RRRRRRRRKKKKK", "the centre has 13 tiles; from 4 empty displays it has 12"),
        ("centre=RK F=BBYK", "centre=- F=-", "with no tile left on displays and in the centre the round is over"),
        ("bag=0,0,0,0,0", "bag=0,0,21,0,0", "bag=0,0,21,0,0 is not five counts from 0 to 20"),
        ("bag=0,0,0,0,0", "bag=0,0,20,0,0", "there are 23 red tiles outside the lid; the game has 20"),
        ("bag=0,0,0,0,0", "bag=0,0,0,0,0 lid=0,0,0,0,0", "there are 3 blue tiles; the game has 20"),
        ("bag=0,0,0,0,0", "bag=17,19,17,18,20", "the bag cannot hold 91 tiles in round 7"),
        ("round=7", "round=1", "a row of the wall takes one tile a round|after 20 tiles drawn the bag has 80, not 0"),
        ("B....", "BB...", "row 1, column 2 of seat 1's wall is printed Y, and cannot hold B"),
        ("B....", "B...", "is no wall of 5 rows of 5"),
        ("B....", "X....", "'X' in row 1, column 1"),
        ("B....", "BYRKW", "a full row ends the game"),
        ("-/-/RR/-/-", "-/-/RR/-", "is not five pattern lines"),
        ("-/-/RR/-/-", "-/-/RK/-/-", "'RK' in pattern line 3 of seat 1 is not one colour"),
        ("-/-/RR/-/-", "-/-/RRRR/-/-", "pattern line 3 of seat 1 holds 3 at most, not 4"),
        ("-/-/RR/-/-", "B/-/RR/-/-", "pattern line 1 of seat 1 holds B, which its wall row has already"),
        ("..... 1", "..... 8", "the floor line of seat 2 has 7 slots, not 8"),
        ("..... 1", "..... 0", "the marker's among them"),
        ("| 5 ", "| 11 ", "seat 1 has 11 points; 1 tiles on the wall give at most 10"),
        ("| 5 ", "| five ", "is no player board; one reads like 12 B"),
        ("mover=1", "mover=chance", "between rounds nobody holds the marker"),
        ("mover=1", "mover=nobody", "a finished game has no tiles"),
    ],
)
def test_positions_that_no_game_can_reach_are_refused_with_the_reason(old: str, new: str, message: str) -> None:
    game = load_game("azul")
    assert game.read(GOOD).to_move == 0
    text = GOOD.replace(old, new, 1) if old != "..... 1" else new.join(GOOD.rsplit(old, 1))
    with pytest.raises(NotationError, match=message):
        game.read(text)


FULL = EXAMPLE.replace("round=1", "round=6").replace("bag=16,16,16,16,16", "bag=0,0,0,0,0")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("marker=centre", "marker=1", "with all displays full nobody can have taken the marker"),
        ("mover=1", "mover=2", "with all displays full the first player is to move"),
        ("| 0 -/-", "| 0 W/-", "with all displays full seat 1 has no full line"),
        (".... 0 |", ".... 1 |", "with all displays full the floor of seat 1 is empty"),
    ],
)
def test_a_round_that_has_just_begun_is_held_to_it(old: str, new: str, message: str) -> None:
    assert load_game("azul").read(FULL).to_move == 0
    with pytest.raises(NotationError, match=message):
        load_game("azul").read(FULL.replace(old, new, 1))


def test_a_filling_is_held_to_its_order() -> None:
    text = FULL.replace("mover=1", "mover=chance").replace("bag=0,0,0,0,0", "bag=9,0,0,0,0")
    whole = "F=BBYR,YRKW,BKWW,BYRK,YRKW"
    assert load_game("azul").read(text.replace(whole, "F=BBYR,Y,-,-,-")).to_move == CHANCE
    with pytest.raises(NotationError, match="displays are filled in turn"):
        load_game("azul").read(text.replace(whole, "F=BBYR,-,Y,-,-"))
    with pytest.raises(NotationError, match="the bag must not be empty"):
        load_game("azul").read(text.replace(whole, "F=BBYR,Y,-,-,-").replace("bag=9,", "bag=0,"))


def test_a_grey_wall_has_no_colour_twice_in_a_row_or_column() -> None:
    for wall in ("BB.../...../...../...../.....", "B..../B..../...../...../....."):
        with pytest.raises(NotationError, match="twice in a row or a column"):
            table(board(wall=wall), displays="KKKK", options="wall=grey")


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("wall", ["coloured", "grey"])
def test_the_board_fits_80_columns_and_needs_no_colour(players: int, wall: str) -> None:
    state, rng = load_game(f"azul:players={players},wall={wall}").new(seed=2), rng_for("width", seed=1)
    while not state.is_over:
        drawn = state.board()
        assert max(len(line) for line in drawn.splitlines()) <= 80
        assert re.sub(r"\033\[[\d;]*m", "", state.board(paint=ansi)).split() == drawn.split()
        state = state.settled() if state.to_move == CHANCE else state.after(int(rng.choice(state.legal_actions())))
    assert "The game is over: a row is full" in state.board()


def test_the_board_by_hand() -> None:
    side = board("-/KK/R/-/WWWW", "B.R../.B.../...../...../.....", points=12, floor=2)
    state = table(side, displays="BBYK - RRWW", centre="RK", bag="8,1,0,0,0", mover=2)
    assert state.board().splitlines()[:13] == [
        "Round 7",
        "",
        "F1 (B B Y K)   F2 (· · · ·)   F3 (R R W W)   F4 (· · · ·)   F5 (· · · ·)",
        "",
        "centre (1st  R  K)",
        "bag    9: B8 Y1                     lid    71: B8 Y18 R15 K16 W14",
        "",
        "  X 12 points                            > O 0 points",
        "  1          ·  →  [B] y [R] k  w          1          ·  →   b  y  r  k  w",
        "  2        K K  →   w [B] y  r  k          2        · ·  →   w  b  y  r  k",
        "  3      · · R  →   k  w  b  y  r          3      · · ·  →   k  w  b  y  r",
        "  4    · · · ·  →   r  k  w  b  y          4    · · · ·  →   r  k  w  b  y",
        "  5  · W W W W  →   y  r  k  w  b          5  · · · · ·  →   y  r  k  w  b",
    ]
