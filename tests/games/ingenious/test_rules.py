"""Ingenious, paragraph by paragraph of the rules: one test each, the position above the assertion.

Cells of the board for two: A6 is red's symbol, A11 green's, F11 blue's, K6 orange's, K1 yellow's, F1 purple's.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from meeple import CHANCE, NOBODY, State, load_game
from meeple.core.game import Game
from meeple.errors import ConfigError, NotationError
from meeple.games.ingenious import rules
from meeple.games.ingenious.geometry import AREA, CELL_1, CELL_2, CELLS, NEXT, OFF, POSITION_CODES, START, SYMBOL_CELL
from meeple.games.ingenious.layout import EMPTY
from meeple.games.ingenious.notation import CELL_NAMES, COLOURS, TILE_NAMES, read_tiles, rows_of, tiles_text
from meeple.games.ingenious.scoring import lowest_kinds
from meeple.games.ingenious.tiles import ALL_TILES, KINDS, counts_of

HANDS = ("RR,RG,RB,RO,RY,RP", "GG,GB,GO,GY,GP,BB")


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("ingenious")


def draw(state: State, tiles: str) -> State:
    """Let chance bring these tiles, one after the other."""
    for tile in tiles.split(","):
        assert state.to_move == CHANCE
        state = state.play(tile)
    return state


def start(spec: str = "ingenious", hands: tuple[str, ...] = HANDS) -> State:
    """A game in which the seats were dealt these hands."""
    state = load_game(spec).new()
    for hand in hands:
        state = draw(state, hand)
    return state


def edit(state: State, cells: str = "", scores: dict[int, list[int]] | None = None, **fields: Any) -> State:
    """The state with colours on cells (`D4:R D5:O`), scores by side and other fields changed; nothing is checked."""
    array = state.array.copy()
    record, seats = array[0], state.game.seats
    for entry in cells.split():
        name, _, letter = entry.partition(":")
        record.cell[CELL_NAMES[seats].index(name)] = COLOURS.index(letter)
    record.open[:] = 0
    for code in POSITION_CODES:
        is_inside = (int(START[seats, code >> 6]) >> (code & 63)) & 1
        if is_inside and record.cell[CELL_1[code]] == EMPTY and record.cell[CELL_2[code]] == EMPTY:
            record.open[code >> 6] |= 1 << (code & 63)
    for side, points in (scores or {}).items():
        record.points[side] = points
    for name, value in fields.items():
        if name == "hand":
            record.hand[record.seat], record.held[record.seat] = read_tiles(value), len(value.split(","))
        else:
            record[name] = value
    return State(state.game, array)


def later(state: State, **changes: Any) -> State:
    """The same after the first round: tiles may lie anywhere."""
    return edit(state, turn=2 * state.game.seats, used=0, **changes)


def points(state: State, side: int = 0) -> list[int]:
    return [int(n) for n in state.record.points[side]]


def scored(state: State, move: str) -> dict[str, int]:
    """What a move earns the seat, by colour."""
    side = state.to_move % 2 if state.record.teams else state.to_move
    before, after = points(state, side), points(state.play(move), side)
    return {COLOURS[c]: after[c] - before[c] for c in range(6) if after[c] != before[c]}


# --- 1. the board


@pytest.mark.parametrize(
    ("players", "cells", "free", "most", "positions"),
    [(1, 91, 85, 42, 222), (2, 91, 85, 42, 222), (3, 127, 121, 60, 306), (4, 169, 163, 81, 426)],
)
def test_boards_and_their_sizes(players: int, cells: int, free: int, most: int, positions: int) -> None:
    state = load_game(f"ingenious:players={players}").new()
    empty = sum(int(n) == EMPTY for n in state.record.cell)
    assert (int(AREA[players]), empty, empty // 2) == (cells, free, most)
    assert sum(int(word).bit_count() for word in state.record.open) == positions


def test_the_rows_of_the_board_for_two() -> None:
    assert [len(row) for row in rows_of(2)] == [6, 7, 8, 9, 10, 11, 10, 9, 8, 7, 6]


def test_neighbours_lie_in_six_directions_one_step_away() -> None:
    for cell, (q, r) in enumerate(CELLS):
        for other in NEXT[cell]:
            if other != OFF:
                dq, dr = CELLS[other][0] - q, CELLS[other][1] - r
                assert (abs(dq) + abs(dr) + abs(dq + dr)) // 2 == 1
    assert [CELLS[cell] for cell in NEXT[CELLS.index((0, 0))]] == [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_symbols_are_printed_at_the_corners_of_the_white_area(players: int) -> None:
    # Clockwise from top left: red, green, blue, orange, yellow, purple. RULING 12: they do not move on larger boards.
    assert [CELLS[cell] for cell in SYMBOL_CELL] == [(0, -5), (5, -5), (5, 0), (0, 5), (-5, 5), (-5, 0)]
    state = load_game(f"ingenious:players={players}").new()
    assert [int(state.record.cell[cell]) for cell in SYMBOL_CELL] == [0, 1, 2, 3, 4, 5]


def test_nothing_is_placed_on_a_symbol(game: Game) -> None:
    moves = later(start()).legal_moves()
    symbols = {CELL_NAMES[2][cell] for cell in SYMBOL_CELL}
    assert symbols == {"A6", "A11", "F11", "K6", "K1", "F1"}
    assert not any(set(move.split()[1:]) & symbols for move in moves)


def test_a_pair_lies_in_a_position_two_ways_and_a_double_one_way() -> None:
    # Six tiles, one of them a double: 222 positions x (1 + 5 x 2).
    moves = later(start()).legal_moves()
    assert len(moves) == 222 * 11
    assert {"RG D4 D5", "RG D5 D4", "RR D4 D5"} <= set(moves)
    assert "RR D5 D4" not in moves


# --- 2. the tiles


def test_there_are_120_tiles() -> None:
    counts = dict(zip(KINDS, counts_of(ALL_TILES), strict=True))
    assert sum(counts.values()) == 120
    assert [n for (a, b), n in counts.items() if a == b] == [5] * 6  # 30 doubles, a quarter of all (the report's 2.4.1)
    assert [n for (a, b), n in counts.items() if a != b] == [6] * 15
    for colour in range(6):
        assert sum(n for kind, n in counts.items() if colour in kind) == 35
        assert sum(n * kind.count(colour) for kind, n in counts.items()) == 40


@pytest.mark.parametrize(("players", "least"), [(2, 66), (3, 42), (4, 15)])
def test_the_bag_cannot_run_out(players: int, least: int) -> None:
    most_placed = (int(AREA[players]) - 6) // 2
    assert 120 - most_placed - 6 * players == least


# --- 3. setup


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_every_player_draws_six_tiles_hidden_from_the_others(players: int) -> None:
    state = load_game(f"ingenious:players={players}").new(seed=4)
    for seat in range(players):
        for _ in range(6):
            code = state.fated_outcome()
            assert state.seen(code, seat) == code
            assert all(state.seen(code, other) < 0 for other in [*range(players), NOBODY] if other != seat)
            state = state.after(code)
    assert state.to_move == 0
    assert [int(n) for n in state.record.held[:players]] == [6] * players
    assert not state.record.points.any()
    hands = state.text(0).split(" | ")[1:]
    assert "?" not in hands[0]
    assert all(hand.split()[1] == "??????" for hand in hands[1:] for hand in [hand.replace(" seat=1", "")])


# --- 4. a turn


def test_a_turn_is_place_score_draw_and_then_the_next_seat() -> None:
    state = start().play("RR A7 B6")
    assert points(state) == [2, 0, 0, 0, 0, 0]
    assert state.to_move == CHANCE
    assert tiles_text(state.record.hand[0]) == "RG,RB,RO,RY,RP"
    state = state.play("PP")
    assert tiles_text(state.record.hand[0]) == "PP,RG,RB,RO,RY,RP"
    assert state.to_move == 1


def test_a_tile_is_placed_on_two_adjacent_empty_cells() -> None:
    state = later(start(), cells="E5:P E6:P")
    for move in state.legal_moves():
        one, other = (CELLS[CELL_NAMES[2].index(name)] for name in move.split()[1:])
        assert CELLS.index(other) in NEXT[CELLS.index(one)]
        assert not {"E5", "E6"} & set(move.split())


def test_there_is_no_passing(game: Game) -> None:
    assert all(len(move.split()) == 3 for move in start().legal_moves())


# --- 5. the first round


@pytest.mark.parametrize(("players", "beside"), [(1, 9), (2, 9), (3, 17), (4, 24)])
def test_a_first_tile_touches_a_symbol(players: int, beside: int) -> None:
    hands = (*HANDS, "BO,BY,BP,OO,OY,OP", "YY,YP,PP,RR,GG,BB")[:players]
    state = start(f"ingenious:players={players}", hands)
    places = {frozenset(move.split()[1:]) for move in state.legal_moves()}
    assert len(places) == 6 * beside
    names = CELL_NAMES[players]
    for symbol in SYMBOL_CELL:
        near = {names[cell] for cell in NEXT[symbol] if cell < AREA[players]}
        assert sum(bool(place & near) for place in places) == beside


def test_a_tile_never_touches_two_symbols() -> None:
    near = [{int(cell) for cell in NEXT[symbol]} for symbol in SYMBOL_CELL]
    for code in POSITION_CODES:
        cells = {int(CELL_1[code]), int(CELL_2[code])}
        assert sum(bool(cells & cells_near) for cells_near in near) <= 1


def test_every_first_tile_touches_a_symbol_of_its_own() -> None:
    # RULING 10: seat 1 touches red's symbol; seat 2 may touch any but that.
    state = draw(start().play("RG A7 B7"), "PP")
    places = {frozenset(move.split()[1:]) for move in state.legal_moves()}
    assert len(places) == 5 * 9
    assert not any(place & {"B6", "B5", "A7"} for place in places)


def test_in_the_report_only_the_first_seat_begins_at_a_symbol() -> None:
    state = start("ingenious:first-tile=first-seat")
    assert {move.split(" ", 1)[1] for move in state.legal_moves()} == {
        move.split(" ", 1)[1] for move in start().legal_moves()
    }
    state = draw(state.play("RR B6 C6"), "YY")  # beside red's symbol
    # The second seat may lie anywhere, beside red's symbol too: B6 has closed five positions, C6 five others; and the
    # hand has two doubles and four pairs.
    assert len(state.legal_moves()) == (222 - 10) * (2 + 4 * 2)
    assert "GG B5 B6" not in state.legal_moves()
    assert {"GG F6 F7", "GG A7 B7"} <= set(state.legal_moves())
    assert state.game.read(state.text()).legal_moves() == state.legal_moves()


def test_the_first_seat_alone_is_for_two() -> None:
    with pytest.raises(ConfigError, match="first-tile"):
        load_game("ingenious:players=3,first-tile=first-seat")


def test_four_first_tiles_take_four_symbols() -> None:
    state = load_game("ingenious:players=4").new(seed=9).settled()
    rng = np.random.default_rng(1)
    for seat in range(4):
        assert state.to_move == seat
        assert len({frozenset(move.split()[1:]) for move in state.legal_moves()}) <= (6 - seat) * 24
        state = state.after(int(rng.choice(state.legal_actions()))).settled()
        assert int(state.record.used).bit_count() == (seat + 1) % 4


def test_the_colour_of_a_first_tile_does_not_matter() -> None:
    assert "GB A7 B7" in start().play("RG J1 J2").play("PP").legal_moves()


def test_from_the_second_round_on_tiles_lie_anywhere() -> None:
    state = draw(draw(start().play("RG A7 B7"), "PP").play("GB J1 I2"), "PP")
    assert len({frozenset(move.split()[1:]) for move in state.legal_moves()}) > 6 * 9
    assert "RR F6 F7" in state.legal_moves()


# --- 6. scoring


@pytest.mark.parametrize(
    ("tile", "move", "earned"),
    [
        ("RR", "RR A7 B6", {"R": 2}),
        ("RR", "RR B6 C6", {"R": 1}),
        ("RB", "RB B6 C6", {"R": 1}),
        ("RB", "RB C6 B6", {}),  # blue on B6, red on C6: red does not look through blue
    ],
)
def test_the_check_values_of_the_rules(tile: str, move: str, earned: dict[str, int]) -> None:
    assert scored(start(), move) == earned


def test_a_half_counts_straight_lines_of_its_colour_in_every_direction() -> None:
    #  Around F6: two blue to the left, one up left, three down right; one to the right beyond a gap does not count.
    state = later(start(), cells="F5:B F4:B E6:B G6:B H6:B I6:B F9:B")
    assert scored(state, "RB F7 F6") == {"B": 6}


def test_a_line_stops_at_an_empty_cell_another_colour_and_the_edge() -> None:
    # To the left of F6: blue, an empty cell, blue; up left: blue, red, blue; row F ends at purple's symbol.
    state = later(start(), cells="F5:B F3:B E6:B D6:R C6:B")
    assert scored(state, "RB F7 F6") == {"B": 2}


def test_start_symbols_count() -> None:
    # From B6 up left lies A6, red's symbol.
    assert scored(start(), "RG B6 B7") == {"R": 1}


def test_each_half_scores_its_own_colour() -> None:
    state = later(start(), cells="F5:R F8:G F9:G")
    assert scored(state, "RG F6 F7") == {"R": 1, "G": 2}


def test_new_halves_are_not_counted() -> None:
    assert scored(later(start()), "RR F6 F7") == {}


def test_the_line_through_a_double_counts_outwards_only() -> None:
    # F5 and F8 stand at the two ends of a double on F6 and F7: each is seen once, from its own side.
    state = later(start(), cells="F5:R F8:R")
    assert scored(state, "RR F6 F7") == {"R": 2}


def test_a_cell_next_to_both_halves_of_a_double_counts_twice() -> None:
    # E7 touches F6 and F7.
    state = later(start(), cells="E7:R")
    assert scored(state, "RR F6 F7") == {"R": 2}


def test_a_score_never_exceeds_18() -> None:
    state = later(start(), cells="F5:R F4:R F3:R", scores={0: [17, 0, 0, 0, 0, 0]})
    assert scored(state, "RG F6 F7") == {"R": 1}


# --- 7. bonus placements


@pytest.mark.parametrize("before", [15, 16, 17])
def test_reaching_18_earns_a_bonus(before: int) -> None:
    # RULING 5: exactly 18 counts, and so does passing it. Three red lie in line.
    state = later(start(), cells="F5:R F4:R F3:R", scores={0: [before, 0, 0, 0, 0, 0]}).play("RG F6 F7")
    assert points(state)[0] == 18
    assert (state.to_move, int(state.record.bonus)) == (0, 1)
    assert len(tiles_text(state.record.hand[0]).split(",")) == 5  # drawing waits


def test_below_18_there_is_no_bonus() -> None:
    state = later(start(), cells="F5:R F4:R F3:R", scores={0: [14, 0, 0, 0, 0, 0]}).play("RG F6 F7")
    assert state.to_move == CHANCE


def test_two_colours_at_once_earn_two_bonuses() -> None:
    state = later(start(), cells="F5:R F8:G", scores={0: [17, 17, 0, 0, 0, 0]}).play("RG F6 F7")
    assert int(state.record.bonus) == 2
    state = state.play("RB H6 H7")
    assert (state.to_move, int(state.record.bonus)) == (0, 1)
    state = state.play("RO J6 J7")
    assert state.to_move == CHANCE
    assert int(state.record.held[0]) == 3


def test_a_bonus_placement_may_earn_another() -> None:
    state = later(start(), cells="F5:R I5:B", scores={0: [17, 0, 17, 0, 0, 0]}).play("RG F6 F7")
    assert int(state.record.bonus) == 1
    state = state.play("RB I7 I6")
    assert points(state)[2] == 18
    assert (state.to_move, int(state.record.bonus)) == (0, 1)


def test_a_colour_gives_its_bonus_once() -> None:
    state = later(start(), cells="F5:R F4:R", scores={0: [18, 0, 0, 0, 0, 0]}).play("RG F6 F7")
    assert points(state)[0] == 18
    assert state.to_move == CHANCE


def test_the_hand_is_refilled_after_the_last_bonus() -> None:
    state = later(start(), cells="F5:R", scores={0: [17, 0, 0, 0, 0, 0]}).play("RG F6 F7").play("RB H6 H7")
    state = draw(state, "PP,PP")
    assert int(state.record.held[0]) == 6
    assert state.to_move == 1


def test_a_hand_cannot_run_out_with_a_bonus_owed() -> None:
    # Six bonuses in a turn mean six colours at 18, and that ends the game.
    state = later(start(hands=("RR,GG,BB,OO,YY,PP", HANDS[1])), scores={0: [17] * 6})
    state = edit(state, cells="E4:R E6:G E8:B H4:O H6:Y H8:P")
    for move in ("RR D4 D5", "GG D6 D7", "BB D8 D9", "OO I3 I4", "YY I5 I6"):
        state = state.play(move)
        assert (state.to_move, int(state.record.bonus)) == (0, 1)
    state = state.play("PP I7 I8")
    assert int(state.record.held[0]) == 0
    assert state.is_over


# --- 8. swapping


def asked(hand: str = "RR,RG,GG,GB,BB,RB", spec: str = "ingenious") -> State:
    """Seat 1 has placed RR; its lowest colours are orange, yellow and purple, and the hand shows none of them."""
    state = later(start(spec, (hand, "RO,RO,RY,GO,GP,BO")), scores={0: [5, 5, 5, 0, 0, 0], 1: [3] * 6})
    return state.play("RR F6 F7")


def test_a_swap_is_offered_where_the_hand_shows_no_lowest_colour() -> None:
    state = asked()
    assert state.to_move == 0
    assert state.legal_moves() == ["keep", "swap"]


def test_no_swap_where_the_hand_shows_one_of_several_lowest_colours() -> None:
    # RULING 2: orange, yellow and purple are lowest, and the hand shows one purple half.
    assert asked("RR,RG,GG,GB,BB,RP").to_move == CHANCE


def test_the_lowest_colours_are_those_after_scoring() -> None:
    # Purple is lowest before the placement; the tile brings it above orange, which the hand does not show.
    state = later(start(hands=("RP,RG,GG,GB,BB,RB", HANDS[1])), cells="F8:P F9:P", scores={0: [5, 5, 5, 1, 5, 0]})
    assert state.play("RP F6 F7").legal_moves() == ["keep", "swap"]


def test_a_swap_shows_the_hand_draws_six_and_returns_the_old_tiles() -> None:
    before = asked()
    bag = counts_of(before.record.bag)
    state = before.play("swap")
    assert tiles_text(state.record.aside) == "GG,BB,RG,RB,GB"
    assert "aside=GG,BB,RG,RB,GB" in state.text(1)  # shown to all
    assert state.outcomes() == {kind: n for kind, n in enumerate(bag) if n}  # the old tiles cannot be drawn
    state = draw(state, "OO,OO,YY,YY,PP,PP")
    assert tiles_text(state.record.hand[0]) == "OO,OO,YY,YY,PP,PP"
    assert "shown=GG,BB,RG,RB,GB" in state.text(1)
    assert counts_of(state.record.bag)[TILE_NAMES.index("GG")] == bag[TILE_NAMES.index("GG")] + 1
    assert state.to_move == 1


def test_a_swap_is_voluntary_and_replaces_the_draw() -> None:
    state = asked().play("keep")
    assert state.to_move == CHANCE
    state = state.play("RP")
    assert tiles_text(state.record.hand[0]) == "GG,BB,RG,RB,RP,GB"
    assert state.to_move == 1


def test_a_swap_is_offered_once_a_turn() -> None:
    # RULING 3: the new hand shows no lowest colour either, and that is that.
    state = draw(asked().play("swap"), "RR,RR,GG,GG,RG,RG")
    assert state.to_move == 1


def test_the_reports_swap_goes_on_until_a_lowest_colour_comes() -> None:
    state = asked(spec="ingenious:swap=until-lowest").play("swap")
    state = draw(state, "RR,RR,GG,GG,RG,RG")
    assert state.to_move == CHANCE
    assert tiles_text(state.record.aside) == "RR,RR,GG,GG,RG,RG"
    assert tiles_text(state.record.shown) == "GG,BB,RG,RB,GB"
    state = draw(state, "RR,RR,GB,RB,GB,RP")
    assert tiles_text(state.record.hand[0]) == "RR,RR,RB,RP,GB,GB"
    assert state.to_move == 1


def test_the_reports_swap_stops_where_the_bag_has_no_lowest_colour() -> None:
    state = asked(spec="ingenious:swap=until-lowest")
    bag = state.record.bag & ~np.int64(lowest_kinds(state.record, 0))
    state = draw(edit(state, bag=bag).play("swap"), "RR,RR,GG,GG,RG,RG")
    assert state.to_move == 1


def test_the_reports_swap_stops_after_fifteen_hands() -> None:
    state = asked(spec="ingenious:swap=until-lowest").play("swap")
    for number in range(15):
        assert int(state.record.swaps) == number + 1
        state = draw(state, "RR,GG,RG,RG,GB,GB" if number % 2 else "BB,BB,RB,RB,RB,RG")
    assert state.to_move == 1


# --- 9. the end and the winner


def last_place(spec: str = "ingenious", *, scores: dict[int, list[int]], keep: str = "F6 F7", extra: str = "") -> State:
    """All cells are red but two neighbours (and those named in `extra`), green so that nothing scores there."""
    state = later(
        start(spec, ("YY,YP,PP,OY,OP,YP", HANDS[1], "RR,RR,RG,RG,RG,RB", "RR,RR,RG,RG,RG,RB")[: load_game(spec).seats])
    )
    names = CELL_NAMES[state.game.seats]
    free = {*keep.split(), *extra.split()}
    filled = " ".join(
        f"{name}:R" for cell, name in enumerate(names) if name not in free and state.record.cell[cell] == EMPTY
    )
    return edit(state, cells=filled, scores=scores)


def test_the_game_ends_when_no_two_adjacent_cells_are_free() -> None:
    state = last_place(scores={0: [1] * 6, 1: [2] * 6}, extra="A8")
    assert {frozenset(move.split()[1:]) for move in state.legal_moves()} == {frozenset({"F6", "F7"})}
    state = state.play("YY F6 F7")  # A8 alone is left
    assert state.is_over
    assert state.ranks() == [2, 1]
    assert state.returns() == [-1.0, 1.0]


def test_a_bonus_owed_is_lost_when_there_is_no_room() -> None:
    # RULING 6: yellow reaches 18 with the last tile.
    state = edit(last_place(scores={0: [9, 9, 9, 9, 17, 9], 1: [2] * 6}), cells="F5:Y").play("YY F6 F7")
    assert points(state)[4] == 18
    assert state.is_over


def test_18_in_all_six_colours_wins_at_once() -> None:
    # RULING 8: also in the middle of bonus placements.
    state = later(start(), cells="F5:R F8:G", scores={0: [17, 17, 18, 18, 18, 18], 1: [18, 18, 18, 18, 18, 17]})
    state = state.play("RG F6 F7")
    assert state.is_over
    assert state.ranks() == [1, 2]


@pytest.mark.parametrize(
    ("first", "second", "ranks"),
    [
        ([5, 5, 5, 5, 5, 5], [4, 18, 18, 18, 18, 18], [1, 2]),  # the highest lowest score
        ([4, 6, 9, 9, 9, 9], [18, 4, 5, 18, 18, 18], [1, 2]),  # then the second lowest
        ([4, 5, 6, 7, 8, 9], [9, 8, 7, 6, 5, 4], [1, 1]),  # the same scores in other colours: shared
        ([4, 5, 6, 7, 8, 9], [4, 5, 6, 7, 8, 10], [2, 1]),  # down to the highest
    ],
)
def test_scores_are_compared_from_the_lowest_up(first: list[int], second: list[int], ranks: list[int]) -> None:
    state = last_place(scores={0: first, 1: second}).play("YY F6 F7")
    assert state.is_over
    assert state.ranks() == ranks
    assert sum(state.win_shares()) == 1.0


def test_score_is_the_lowest_colour() -> None:
    state = later(start(), scores={0: [4, 5, 3, 7, 8, 9], 1: [1, 0, 2, 2, 2, 2]})
    assert [state.score(0), state.score(1)] == [3, 0]


# --- 10. variants

FOUR = (*HANDS, "BO,BY,BP,OO,OY,OP", "YY,YP,PP,RR,GG,BB")


def test_partners_sit_opposite_and_share_scores_but_not_hands() -> None:
    state = start("ingenious:players=4,teams=on", FOUR)
    assert [int(rules.team(state.record, seat)) for seat in range(4)] == [0, 1, 0, 1]
    state = state.play("RR C9 D8")  # beside red's symbol C8
    assert points(state, 0) == [2, 0, 0, 0, 0, 0]
    assert [state.text().split(" | ")[seat + 1].split()[0] for seat in range(4)] == ["2,0,0,0,0,0", "0,0,0,0,0,0"] * 2
    assert "??????" in state.text(0).split(" | ")[3]


def test_a_teams_colour_stops_at_18_and_goes_on_to_36() -> None:
    state = later(start("ingenious:players=4,teams=on", FOUR), cells="H6:R H5:R H4:R", scores={0: [16, 0, 0, 0, 0, 0]})
    state = state.play("RG H7 H8")
    assert points(state)[0] == 18  # the rest of that scoring is lost
    assert (state.to_move, int(state.record.bonus)) == (0, 1)
    state = edit(state, cells="L6:R L5:R", scores={0: [18, 0, 0, 0, 0, 0]}).play("RB L7 L8")
    assert points(state)[0] == 20  # the second track
    assert state.to_move == CHANCE
    state = later(start("ingenious:players=4,teams=on", FOUR), cells="H6:R H5:R", scores={0: [35, 0, 0, 0, 0, 0]})
    state = state.play("RG H7 H8")
    assert points(state)[0] == 36
    assert int(state.record.bonus) == 1


def test_a_double_on_double_tracks_stops_once() -> None:
    # RULING 13: the two sums of a double are one scoring: 17 + 2 + 2 is 18.
    state = later(start("ingenious:players=4,teams=on", FOUR), cells="G8:R", scores={0: [17, 0, 0, 0, 0, 0]})
    state = state.play("RR H7 H8")
    assert points(state)[0] == 18
    assert int(state.record.bonus) == 1


def test_the_swap_of_a_team_is_by_joint_scores() -> None:
    hands = ("RR,RG,GG,GB,BB,RB", *FOUR[1:])
    state = later(start("ingenious:players=4,teams=on", hands), scores={0: [5, 5, 5, 0, 0, 0]})
    assert state.play("RR H6 H7").legal_moves() == ["keep", "swap"]


def test_the_better_team_wins_as_one() -> None:
    state = last_place("ingenious:players=4,teams=on", scores={0: [7] * 6, 1: [8] * 6}, keep="H6 H7").play("YY H6 H7")
    assert state.is_over
    assert state.ranks() == [3, 1, 3, 1]
    assert state.returns() == [-1.0, 1.0, -1.0, 1.0]


def test_a_team_ends_the_game_with_36_in_all_colours() -> None:
    spec = "ingenious:players=4,teams=on"
    state = later(start(spec, FOUR), cells="H6:R", scores={0: [35, 36, 36, 36, 36, 36]})
    assert state.play("RG H7 H8").is_over
    state = later(start(spec, FOUR), cells="H6:R", scores={0: [17, 18, 18, 18, 18, 18]})
    assert not state.play("RG H7 H8").is_over


def test_on_double_tracks_a_bonus_is_lost_with_an_empty_hand() -> None:
    # RULING 12: six tiles have earned six bonuses, and none is left to place.
    state = later(start("ingenious:players=1", HANDS[:1]), cells="F5:R", scores={0: [17, 3, 3, 3, 3, 3]})
    state = edit(state, cells="F5:R", hand="RG", bonus=1, bag=ALL_TILES - read_tiles("RG")).play("RG F6 F7")
    assert int(state.record.bonus) == 0
    assert state.legal_moves() == ["keep", "swap"]  # an empty hand shows no lowest colour: the offer changes nothing


def test_teams_are_for_four() -> None:
    with pytest.raises(ConfigError, match=r"teams=on of ingenious is for 4 players: say players=4"):
        load_game("ingenious:teams=on")


def test_solo_plays_for_the_lowest_colour_on_double_tracks() -> None:
    # RULING 11: on the area for two.
    state = start("ingenious:players=1", HANDS[:1])
    assert len({frozenset(move.split()[1:]) for move in state.legal_moves()}) == 6 * 9
    state = draw(state.play("RR A7 B6"), "PP")
    assert state.to_move == 0
    state = last_place("ingenious:players=1", scores={0: [20, 20, 9, 20, 20, 20]}).play("YY F6 F7")
    assert state.is_over
    assert state.win_shares() == [9 / 36]


# --- 11. rulings not tested above


def test_the_swap_is_tested_before_drawing() -> None:
    # RULING 1: five tiles are left when the swap is offered.
    assert len(tiles_text(asked().record.hand[0]).split(",")) == 5


def test_bonuses_come_before_the_swap() -> None:
    # RULING 4: red reaches 18; the hand shows no lowest colour, but first the bonus is placed.
    state = later(start(hands=("RR,RG,GG,GB,BB,RB", HANDS[1])), cells="F5:R", scores={0: [17, 5, 5, 0, 0, 0]})
    state = state.play("RR F6 F7")
    assert "keep" not in state.legal_moves()
    assert state.play("GG H6 H7").legal_moves() == ["keep", "swap"]


def test_every_tile_fits_any_two_free_neighbours() -> None:
    # RULING 7: with one position left each tile of the hand can be laid there.
    state = last_place(scores={0: [1] * 6, 1: [2] * 6})
    assert {move.split()[0] for move in state.legal_moves()} == {"YY", "PP", "OY", "OP", "YP"}


def test_no_bonus_is_possible_in_the_first_round() -> None:
    # RULING 9: a first tile scores at most a few points.
    state = start()
    assert max(sum(points(state.after(int(action)))) for action in state.legal_actions()) == 2


# --- properties of play


def test_tiles_are_conserved_in_random_games() -> None:
    # `check` counts the tiles of bag, hands, aside and board at the end of each of these games.
    for spec, games in (
        ("players=2", 100_000),
        ("players=3", 2_000),
        ("players=4", 2_000),
        ("players=4,teams=on", 2_000),
    ):
        game = load_game(f"ingenious:{spec}")
        states = game.buffer(2)
        states[0] = game.new(seed=1).array[0]
        assert play_and_check(game, states, games) == 0


def play_and_check(game: Game, states: Any, games: int) -> int:
    """The first broken invariant at the end of so many random games, or 0."""
    from meeple.core.chance import rng_for

    kernel = game.specialise("meeple.core.playout").play_many
    rng = rng_for("conserve", seed=7).array
    out, weights = np.empty(rules.MAX_ACTIONS, dtype=np.int64), np.empty(rules.OUTCOMES, dtype=np.int64)
    for _ in range(games):
        kernel(states, 1, rng, out, weights)
        broken = int(game.face.check_at(states, 1))
        if broken:
            return broken
    return 0


def test_turned_boards_have_turned_moves() -> None:
    # A turn by 60 degrees maps (q, r) to (-r, q + r); the printed symbols turn with the colours.
    state = later(start(hands=("RR,RR,RR,RR,RR,GG", "PP,PP,PP,YP,YP,YP")), cells="F5:R F4:R E7:G")
    turn = {name: CELL_NAMES[2][CELLS.index((-CELLS[i][1], sum(CELLS[i])))] for i, name in enumerate(CELL_NAMES[2])}
    colour = dict(zip("RGBOYP", "GBOYPR", strict=True))
    cells = " ".join(f"{turn[name]}:{colour[letter]}" for name, letter in (("F5", "R"), ("F4", "R"), ("E7", "G")))
    turned = later(start(hands=("GG,GG,GG,GG,GG,BB", "PP,PP,PP,YP,YP,YP")), cells=cells)
    one = Counter(tuple(sorted(scored(state, move).values())) for move in state.legal_moves())
    other = Counter(tuple(sorted(scored(turned, move).values())) for move in turned.legal_moves())
    assert one == other


# --- notation


def test_moves_are_read_in_every_spelling() -> None:
    state = later(start())
    assert state.read_move("gr d5 d4") == state.read_move("RG D4 D5")
    assert state.read_move("RR D5 D4") == state.read_move("rrd4d5")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("RG D4", "could be RG D4 D5  RG D4 E3"),
        ("castle", "is no move of ingenious; a move reads like RO D4 D5"),
        ("PP D4 D5", "is not on offer here"),
    ],
)
def test_wrong_moves_say_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(Exception, match=message):
        later(start()).read_move(text)


def good() -> str:
    """A position as it is written: seat 1 has placed a tile and is to draw."""
    state = start().play("RG A7 B7")
    return state.text()


def test_a_position_is_read_as_it_was_written(game: Game) -> None:
    assert game.read(good()).text() == good()


@pytest.mark.parametrize("text", ["hello", "R....G place 1", "?"])
def test_what_is_no_position_is_told_how_one_reads(game: Game, text: str) -> None:
    with pytest.raises(NotationError, match="is no position of ingenious; one reads like"):
        game.read(text)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (" draw ", " wait ", "'wait' is no phase of ingenious"),
        (" draw 1 ", " draw 3 ", "there is no seat 3 at a table of 2"),
        ("turn=0", "turn=900", "turn=900 is more than any game has"),
        ("RR...G", "RR..G", "is no board for 2: it has 11 rows of 6, 7, 8"),
        ("RR...G", "GR...G", "A6 must be R: the red symbol is printed there"),
        ("bag=4", "bag=9", "the bag has 9 tiles RR; there are 5 in all"),
        ("bag=4", "bag=5", "more tiles RR than there are in all"),
        ("bag=4", "bag=3", "the halves on the board must be those of the tiles"),
        ("RR,RB", "RX,RB", "'RX' is no tile"),
        ("RR,RB", "RR,RR,RR,RR,RR,RR,RB", "has 6 tiles RR; there are 5 in all"),
        ("RR...G/..G....", "RR..GG/.......", "A7 cannot be half of a tile"),
        ("RR...G/..G....", "RG...G/..B....", "A7 cannot be half of a tile"),
        ("0,0,0,0,0,0 GG", "0,0,0,0,0 GG", "is no seat of ingenious"),
        ("0,0,0,0,0,0 GG", "0,0,0,0,0,19 GG", "seat 2 has 19 points in a colour; a track ends at 18"),
        ("0,0,0,0,0,0 GG", "0,0,0,0,0,18 GG", "tiles placed, turns and colours that reached 18 must agree"),
        ("turn=0", "turn=1", "tiles placed, turns and colours that reached 18 must agree"),
        ("bonus=0", "bonus=1", "tiles placed, turns and colours that reached 18 must agree"),
        ("used=R", "used=G", "each first tile touches a symbol of its own"),
        ("used=R", "used=-", "each first tile touches a symbol of its own"),
        (" draw ", " place ", "hands are full but for the seat"),
        (" draw ", " over ", "the game must be over where no position is open"),
        (" draw ", " ask ", "a swap is offered only to a hand that shows none of the lowest colours"),
        ("shown=-", "shown=RR,RR,RR,RR,RR", "tiles shown in a swap must be in the bag"),
        ("swaps=0", "swaps=2", "tiles shown in a swap must be in the bag"),
        (" | 0,0,0,0,0,0 GG,BB,GB,GO,GY,GP", "", "it has scores and a hand for 1"),
        ("GG,BB,GB,GO,GY,GP", "????????", "an unknown one is one to six question marks"),
    ],
)
def test_wrong_positions_say_what_is_wrong(game: Game, old: str, new: str, message: str) -> None:
    assert old in good()
    with pytest.raises(NotationError, match=message):
        game.read(good().replace(old, new, 1))


def test_a_bonus_is_owed_to_nobody_while_hands_are_dealt(game: Game) -> None:
    # Found by fuzzing: such a position went on to one that was refused.
    dealt = game.new().text()
    assert " deal " in dealt
    with pytest.raises(NotationError, match="tiles placed, turns and colours that reached 18 must agree"):
        game.read(dealt.replace("bonus=0", "bonus=3"))


def test_a_board_that_no_tiles_can_make_is_refused(game: Game) -> None:
    # Three tiles RG are out, and each cell has a neighbour for one; but two groups of three cannot be parted.
    state = start(hands=("RR,RB,RO,RY,RP,PP", HANDS[1]))
    state = edit(state, cells="C4:G C5:R C6:G H3:R H4:G H5:R", bag=state.record.bag - read_tiles("RG,RG,RG"))
    with pytest.raises(
        NotationError, match="cannot be parted into the tiles that are neither in the bag nor in a hand"
    ):
        game.read(state.text())


def test_partners_must_have_the_same_scores() -> None:
    text = start("ingenious:players=4,teams=on", FOUR).play("RR C9 D8").text()
    assert text.count("2,0,0,0,0,0") == 2
    with pytest.raises(NotationError, match="seat 3 and its partner share one set of scores"):
        load_game("ingenious:players=4,teams=on").read(text.replace("2,0,0,0,0,0", "1,0,0,0,0,0", 1))


def test_a_view_with_too_few_unseen_tiles_is_refused(game: Game) -> None:
    text = start().text(0).replace(start().text(0).split("bag=")[1][:21], "0" * 21)
    with pytest.raises(NotationError, match="too few to fill the hand of seat 2"):
        game.read(text)


# --- drawing


def test_the_board_fits_eighty_columns() -> None:
    for spec in ("ingenious", "ingenious:players=1", "ingenious:players=3", "ingenious:players=4,teams=on"):
        state = load_game(spec).new(seed=5).settled()
        while not state.is_over:
            assert max(len(line) for line in state.board().splitlines()) <= 80
            state = state.after(int(state.legal_actions()[-1])).settled()


def test_a_cell_shows_a_letter_and_a_colour() -> None:
    from meeple.core.paint import ansi

    state = start().play("RB A7 B7")
    assert "(R)│ R │" in state.board()
    assert ansi(" B ", "bold paper on blue") in state.board(None, ansi)
    assert "?? ?? ?? ?? ?? ??" in state.board(0)
