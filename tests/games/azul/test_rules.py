"""Azul, paragraph by paragraph of the rules: one test each, the position above the assertion.

Tiles are letters: B blue, Y yellow, R red, K black, W white.
"""

from __future__ import annotations

import pytest

from games.azul.tables import EMPTY_LINES, EMPTY_WALL, FAR_WALL, board, field, side, table
from meeple import CHANCE, NOBODY, State, load_game
from meeple.core.chance import rng_for
from meeple.games.azul import rules
from meeple.games.azul.layout import A_SOURCE, COLUMN, PENALTY
from meeple.games.azul.notation import counts_of, wall_letter


def lines_for(state: State, take: str) -> str:
    """The destinations of a move such as `F1 blue`: `12345floor` where all are open."""
    return "".join(move.split()[2] for move in state.legal_moves() if move.startswith(take + " "))


def filled(state: State, colours: str) -> State:
    """Play the outcomes that these letters name."""
    for letter in colours:
        state = state.after("BYRKW".index(letter))
    return state


# --- 1. pieces


def test_there_are_twenty_tiles_of_each_of_five_colours() -> None:
    assert counts_of(load_game("azul").new().record.bag) == [20] * 5


@pytest.mark.parametrize(("players", "displays"), [(2, 5), (3, 7), (4, 9)])
def test_there_are_two_displays_a_player_and_one(players: int, displays: int) -> None:
    state = load_game(f"azul:players={players}").new().settled()
    assert field(state, "F").count(",") + 1 == displays
    assert int(state.record.left) == 4 * displays


def test_the_printed_wall_has_each_colour_on_a_wrapped_diagonal() -> None:
    walls = ["BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB"]
    state = load_game("azul").new()
    state.record.wall[0] = (1 << 25) - 1
    assert ["".join(wall_letter(state.record, 0, row, column) for column in range(5)) for row in range(5)] == walls
    for row in range(5):
        for colour in range(5):
            assert walls[row][(row + colour) % 5] == "BYRKW"[colour]


def test_the_floor_line_costs_1_1_2_2_2_3_3() -> None:
    assert PENALTY.tolist() == [0, 1, 2, 4, 6, 8, 11, 14]


# --- 2. setup


def test_setup_fills_the_bag_and_nothing_else() -> None:
    state = load_game("azul").new()
    assert state.to_move == CHANCE
    assert [field(state, name) for name in ("lid", "centre", "F")] == ["0,0,0,0,0", "-", "-,-,-,-,-"]
    assert side(state, 0) == side(state, 1) == f"0 {EMPTY_LINES} {EMPTY_WALL} 0"


def test_displays_are_filled_by_draws_from_the_bag_four_each_in_turn() -> None:
    state = load_game("azul").new()
    assert state.outcomes() == dict.fromkeys(range(5), 20)
    state = filled(state, "BBYRK")
    assert field(state, "F") == "BBYR,K,-,-,-"
    assert state.outcomes() == {0: 18, 1: 19, 2: 19, 3: 19, 4: 20}
    assert state.move_text(4) == "F2 white"


def test_the_first_player_moves_first_and_the_marker_lies_in_the_centre() -> None:
    state = load_game("azul").new(seed=1).settled()
    assert state.to_move == 0
    assert field(state, "marker") == "centre"


def test_seats_act_in_increasing_order() -> None:
    state = load_game("azul:players=4").new(seed=1).settled()
    seen = []
    for _ in range(5):
        seen.append(state.to_move)
        state = state.after(int(state.legal_actions()[-1]))
    assert seen == [0, 1, 2, 3, 0]


# --- 3. factory offer


def test_a_move_is_a_source_that_has_the_colour_and_a_line_or_the_floor() -> None:
    state = table(displays="BBYK - - RRRR", centre="WW")
    wanted = [("centre", "white"), ("F1", "blue"), ("F1", "yellow"), ("F1", "black"), ("F4", "red")]
    moves = [f"{source} {colour} {to}" for source, colour in wanted for to in (1, 2, 3, 4, 5, "floor")]
    assert state.legal_moves() == moves


def test_a_full_line_takes_nothing_more() -> None:
    state = table(board("-/BB/-/-/-"), displays="BBYK - - RRRR")
    assert lines_for(state, "F1 blue") == "1345floor"
    assert lines_for(state, "F1 yellow") == "1345floor"


def test_a_line_takes_only_the_colour_it_holds() -> None:
    state = table(board("-/-/BB/-/-"), displays="BBYK - - RRRR")
    assert lines_for(state, "F1 blue") == "12345floor"
    assert lines_for(state, "F1 yellow") == "1245floor"


def test_a_line_takes_no_colour_that_its_wall_row_holds() -> None:
    state = table(board(wall="B..../...../..B../...../....."), displays="BBYK - - RRRR")
    assert lines_for(state, "F1 blue") == "245floor"
    assert lines_for(state, "F1 yellow") == "12345floor"


def test_the_floor_is_always_open() -> None:
    # Four of five rows have blue, and line 5 holds another colour.
    wall = "B..../.B.../..B../...B./....."
    state = table(board("-/-/-/-/K", wall), displays="BBBB")
    assert state.legal_moves() == ["F1 blue floor"]
    assert table(board("-/-/-/-/K", wall, floor=7), displays="BBBB").legal_moves() == ["F1 blue floor"]


def test_all_tiles_of_the_colour_are_taken_and_the_others_go_to_the_centre() -> None:
    state = table(displays="BBYK YYKK", centre="K").play("F1 blue 4")
    assert field(state, "F") == "-,YYKK,-,-,-"
    assert field(state, "centre") == "YKK"
    assert side(state, 0) == f"0 -/-/-/BB/- {EMPTY_WALL} 0"
    assert state.to_move == 1


def test_taking_from_the_centre_leaves_the_other_colours_there() -> None:
    state = table(centre="BBYK", marker=2, displays="KKKK").play("centre blue 2")
    assert field(state, "centre") == "YK"
    assert side(state, 0) == f"0 -/BB/-/-/- {EMPTY_WALL} 0"


def test_the_first_to_take_from_the_centre_takes_the_marker_to_its_floor() -> None:
    state = table(board(floor=2), centre="BBYK", displays="KKKK").play("centre blue 2")
    assert field(state, "marker") == "1"
    assert side(state, 0).endswith(" 3")
    state = state.play("centre yellow 1")
    assert field(state, "marker") == "1"
    assert side(state, 1).endswith(" 0")


def test_excess_tiles_go_to_the_floor_and_to_no_other_line() -> None:
    state = table(board("-/-/-/BB/-"), displays="BBBB KKKK").play("F1 blue 4")
    assert side(state, 0) == f"0 -/-/-/BBBB/- {EMPTY_WALL} 2"


def test_floor_tiles_without_a_slot_go_to_the_lid() -> None:
    state = table(board(floor=6), displays="BBBB KKKK")
    after = state.play("F1 blue floor")
    assert side(after, 0).endswith(" 7")
    # Floor tiles lie in the lid as well, since only the number of slots counts.
    assert counts_of(after.record.lid)[0] == counts_of(state.record.lid)[0] + 4


def test_the_phase_ends_when_displays_and_centre_are_empty() -> None:
    state = table(centre="B", displays="KKKK", marker=2).play("centre blue 1").play("F1 black 5")
    assert state.to_move == CHANCE
    assert state.round_index == 7


# --- 4. wall tiling


def test_full_lines_tile_the_wall_and_send_the_rest_to_the_lid() -> None:
    # Line 3 is filled by the last move; line 1 is full, line 5 is not.
    state = table(board("Y/-/R/-/KKK"), displays="RRRR", bag="20,10,0,10,20")
    after = state.play("F1 red 3")
    # Row 1 yellow is column 2, row 3 red is column 5; two of three reds go to the lid, and two spilled.
    assert side(after, 0) == "0 -/-/-/-/KKK .Y.../...../....R/...../..... 0"
    assert counts_of(after.record.lid)[2] == counts_of(state.record.lid)[2] + 4
    assert counts_of(after.record.lid)[1] == counts_of(state.record.lid)[1]


def test_lines_that_are_not_full_stay() -> None:
    after = table(board("-/K/RR/-/KKK"), displays="BBBB").play("F1 blue 4")
    assert side(after, 0).split()[1] == "-/K/RR/-/KKK"


def test_tiles_are_scored_at_once_from_top_to_bottom() -> None:
    # Rows 1, 2, 3 are filled in column 1: blue 1, then 2 for a run of two, then 3. In all 6.
    after = table(board("B/WW/KKK/-/-"), displays="KKKK", mover=2).play("F1 black 4")
    assert side(after, 0) == "6 -/-/-/-/- B..../W..../K..../...../..... 0"


@pytest.mark.parametrize(
    ("wall", "points"),
    [
        ("...../...../...../...../.....", 1),  # alone
        ("B..../...../...../...../.....", 2),  # across
        ("B.RK./...../...../...../.....", 4),
        ("B..K./...../...../...../.....", 2),  # the run is broken
        ("...../.B.../.W.../...../.....", 3),  # down
        ("B..../.B.../...../...../.....", 4),  # both
        ("B.RK./.B.../.W.../.K.../.....", 8),
        ("B.RKW/.B.../.W.../.K.../.R...", 10 + 2 + 7),  # the most, five and five; and the bonus of row and column
    ],
)
def test_a_tile_scores_the_runs_through_it(wall: str, points: int) -> None:
    # Yellow goes to row 1, column 2.
    assert table(board("Y/-/-/-/-", wall), displays="KKKK", mover=2).play("F1 black 4").score(0) == points


def test_the_scoring_check_of_the_rules() -> None:
    # Row 2 holds columns 1, 2 (W, B), column 3 holds rows 1 and 3 (R, B): yellow in row 2, column 3 scores 3 + 3.
    wall = "..R../WB.../..B../...../....."
    assert table(board("-/YY/-/-/-", wall), displays="KKKK", mover=2).play("F1 black 4").score(0) == 6


def test_the_floor_is_subtracted_after_the_wall_and_never_below_zero() -> None:
    def after(lines: str, points: int, floor: int) -> int:
        side_text = board(lines, FAR_WALL, points=points, floor=floor)
        return table(side_text, displays="KKKK", mover=2).play("F1 black 4").score(0)

    # The penalty check: 3 points and five slots (-8) give 0.
    assert after(EMPTY_LINES, 3, 5) == 0
    assert after(EMPTY_LINES, 9, 5) == 1
    # A tile's point counts before the floor does: 3 + 1 - 4, 4 + 1 - 4.
    assert after("Y/-/-/-/-", 3, 3) == 0
    assert after("Y/-/-/-/-", 4, 3) == 1


def test_floors_are_emptied_and_whoever_holds_the_marker_starts() -> None:
    state = table(board(floor=2), board(floor=3), marker=2, displays="KKKK", centre="-", mover=1)
    after = state.play("F1 black 4")
    assert side(after, 0).endswith(" 0")
    assert side(after, 1).endswith(" 0")
    assert field(after, "first") == "2"
    assert field(after, "marker") == "centre"
    assert after.settled().to_move == 1


def test_the_marker_costs_its_slot() -> None:
    after = table(board(wall=FAR_WALL, points=5), centre="B").play("centre blue 1")
    assert after.score(0) == 5 + 1 - 1


# --- 5. next round


def test_displays_are_refilled_without_replacement() -> None:
    after = table(displays="KKKK", bag="4,4,4,4,4").play("F1 black 4")
    assert after.outcomes() == dict.fromkeys(range(5), 4)
    after = filled(after, "BBBB")
    assert after.outcomes() == {1: 4, 2: 4, 3: 4, 4: 4}


def test_the_lid_is_poured_into_an_empty_bag_in_the_middle_of_a_display() -> None:
    after = table(displays="KKKK", bag="6,0,0,0,0").play("F1 black 4")
    lid = counts_of(after.record.lid)
    after = filled(after, "BBBBBB")
    assert field(after, "F") == "BBBB,BB,-,-,-"
    assert counts_of(after.record.bag) == lid
    assert field(after, "lid") == "0,0,0,0,0"
    assert after.to_move == CHANCE


def test_the_bag_of_two_players_is_empty_exactly_after_the_fifth_filling() -> None:
    state, rng = load_game("azul").new(seed=5), rng_for("fifth", seed=1)
    sizes = []
    while not state.is_over and len(sizes) < 6:
        if state.to_move == CHANCE:
            state = state.settled()
            sizes.append(sum(counts_of(state.record.bag)))
        # Only the floor: nobody completes a row, and every tile comes back.
        floors = [action for action in state.legal_actions() if action % 6 == 5]
        state = state.after(int(rng.choice(floors)))
    assert sizes == [80, 60, 40, 20, 0, 80]


def test_three_players_pour_in_the_fourth_round_after_sixteen_tiles() -> None:
    state = load_game("azul:players=3").new(seed=2)
    for _ in range(3):
        state = state.settled()
        while state.to_move >= 0:
            state = state.after(int(state.legal_actions()[-1]))
    assert sum(counts_of(state.record.bag)) == 16
    lid = 100 - 16 - sum(popcounts(state)) - int(state.record.held.sum())
    for _ in range(16):
        state = state.after(state.fated_outcome())
    assert sum(counts_of(state.record.bag)) == lid
    assert int(state.record.draws) == 12


def popcounts(state: State) -> list[int]:
    return [int(wall).bit_count() for wall in state.record.wall]


def test_without_tiles_in_bag_and_lid_the_round_is_played_short() -> None:
    # Four walls hold 80 tiles and one seat's lines 10: ten are left for 36 slots.
    wall = "BYRK./WBYR./KWBY./RKWB./YRKW."
    boards = [board("-/K/RR/YYY/BBBB", wall), *[board(wall=wall)] * 3]
    state = table(*boards, mover="chance", lap=9, bag="0,1,2,3,4")
    for settled in (state.settled(), filled(state, "YRRKKKWWWW")):
        assert [len(tiles) for tiles in field(settled, "F").split(",")][:4] == [4, 4, 2, 1]  # 1: a dash, no tile
        assert settled.to_move == 0
        assert len(settled.legal_actions()) > 0
        assert settled == settled.game.read(settled.text())


# --- 6. end of the game


def test_the_game_ends_after_the_phase_in_which_a_row_is_full() -> None:
    # Row 1 lacks white. The other seat finishes its tiling too.
    state = table(board("-/-/-/-/-", "BYRK./...../...../...../....."), board("B/-/-/-/-"), displays="WKKK")
    after = state.play("F1 white 1").play("centre black 5")
    assert after.is_over
    assert side(after, 1).split()[2].startswith("B....")


def test_a_game_without_a_full_row_goes_on() -> None:
    state = table(board("-/-/-/-/-", "BYRK./...../...../...../....."), displays="KKKK")
    assert state.play("F1 black 5").to_move == CHANCE


def test_bonuses_are_2_7_and_10() -> None:
    # After white in row 1: a full row (2); column 5 (W K R Y B) is full too (7); white is in all five rows (10).
    wall = "BYRK./W...K/.W..R/..W.Y/...WB"
    state = table(board("-/-/-/-/-", wall, points=20), displays="WKKK")
    after = state.play("F1 white 1").play("centre black floor")
    assert after.is_over
    placed = 5 + 5  # the run of the row and that of the column
    assert after.score(0) == 20 + placed + 2 + 7 + 10


def test_tiles_left_on_lines_are_worth_nothing() -> None:
    wall = "BYRK./...../...../...../....."
    bare = table(board("-/-/-/-/-", wall), displays="WKKK").play("F1 white 1").play("centre black floor")
    more = table(board("-/Y/Y/Y/YYYY", wall), displays="WKKK").play("F1 white 1").play("centre black floor")
    assert bare.score(0) == more.score(0) == 5 + 2


def finished(first: str, second: str, *points: int) -> State:
    """A finished game with these walls and points."""
    return table(board(wall=first, points=points[0]), board(wall=second, points=points[1]), mover="nobody")


def test_the_highest_score_wins() -> None:
    state = finished("BYRKW/...../...../...../.....", "...../.B.../...../...../.....", 9, 10)
    assert state.ranks() == [2, 1]
    assert state.returns() == [-1.0, 1.0]


def test_a_tie_goes_to_more_full_rows_and_then_is_shared() -> None:
    one, two = "BYRKW/...../...../...../.....", "BYRKW/WBYRK/...../...../....."
    assert finished(one, two, 30, 30).ranks() == [2, 1]
    assert finished(one, one, 30, 30).ranks() == [1, 1]
    assert finished(one, one, 30, 30).returns() == [0.0, 0.0]


def test_three_players_rank_with_ties() -> None:
    full, bare = "BYRKW/...../...../...../.....", "B..../...../...../...../....."
    boards = [board(wall=bare, points=5), board(wall=full, points=5), board(wall=bare, points=5)]
    state = table(*boards, mover="nobody")
    assert state.ranks() == [2, 1, 2]


# --- 7. grey wall


def grey(*boards: str, displays: str = "-", **more: object) -> State:
    return table(*boards, displays=displays, options="wall=grey", **more)  # type: ignore[arg-type]


def test_on_the_grey_wall_the_owner_picks_a_free_cell_of_the_row() -> None:
    state = grey(board("-/B/-/-/-", ".Y.../R..../...../...../....."), displays="BKKK").play("F1 blue 2")
    state = state.play("centre black floor")
    assert state.to_move == 0
    assert state.legal_moves() == [f"row 2 column {column}" for column in (2, 3, 4, 5)]
    after = state.play("row 2 column 2")
    assert side(after, 0) == "4 -/-/-/-/- .Y.../RB.../...../...../..... 0"


def test_a_colour_stands_once_in_a_column() -> None:
    # Blue is in columns 1 and 3 of other rows, and cell 2 of row 2 is taken.
    state = grey(board("-/BB/-/-/-", "B..../.Y.../..B../...../....."), centre="K", marker=2, mover=2)
    assert state.play("centre black 4").legal_moves() == ["row 2 column 4", "row 2 column 5"]


def test_grey_lines_are_laid_from_top_to_bottom_and_scored_at_once() -> None:
    state = grey(board("B/YY/-/-/-", FAR_WALL, points=3), centre="K", marker=2, mover=2).play("centre black 4")
    state = state.play("row 1 column 3")
    assert state.score(0) == 4
    # Yellow stands in column 1 already.
    assert state.legal_moves() == [f"row 2 column {column}" for column in (2, 3, 4, 5)]
    assert state.play("row 2 column 3").score(0) == 4 + 2


def test_phase_a_looks_at_the_row_only() -> None:
    # Blue stands in every column but the first, and cell 1 of row 5 is taken: still line 5 takes blue.
    wall = ".B.../..B../...B./....B/Y...."
    assert lines_for(grey(board(wall=wall), displays="BKKK"), "F1 blue") == "5floor"


def test_a_tile_without_a_place_sends_its_whole_line_to_the_floor() -> None:
    wall = ".B.../..B../...B./....B/Y...."
    state = grey(board("-/-/-/-/BBBBB", wall, points=20, floor=1), centre="K", marker=1, mover=2)
    state = state.play("centre black 4")
    assert state.legal_moves() == ["row 5 floor"]
    after = state.play("row 5 floor")
    # Six slots cost 11, in this round.
    assert side(after, 0) == f"9 -/-/-/-/- {wall} 0"
    assert counts_of(after.record.bag)[0] == 16


def test_a_tile_that_has_a_place_must_be_laid() -> None:
    wall = ".B.../..B../...B./...../Y...."
    state = grey(board("-/-/-/-/BBBBB", wall), centre="K", marker=2, mover=2).play("centre black 4")
    assert state.legal_moves() == ["row 5 column 5"]


def test_five_tiles_of_a_colour_give_ten_on_the_grey_wall_too() -> None:
    # Blue is laid in the last row and column: five blues; row 5 is then full, too.
    wall = "B..../.B.../..B../...B./YRKW."
    state = grey(board("-/-/-/-/BBBBB", wall, points=3), centre="K", marker=2, mover=2).play("centre black 4")
    after = state.play("row 5 column 5")
    assert after.is_over
    assert after.score(0) == 3 + 5 + 2 + 10


# --- 8. information


def test_nothing_is_hidden_but_the_order_of_the_draws() -> None:
    state = load_game("azul").new(seed=1).settled()
    other = state.redealt(0, rng_for("fate", seed=1))
    assert state.record.fate != other.record.fate
    assert state.text(0) == other.text(0)


def test_the_same_fate_brings_the_same_tiles_whatever_was_played() -> None:
    # The key is the round and the slot, so two matches that return the same tiles are filled alike.
    state = load_game("azul").new(seed=4).settled()
    ends = []
    for order in (1, -1):
        after = state
        while after.to_move >= 0:
            floors = [action for action in after.legal_actions() if action % 6 == 5]
            after = after.after(int(floors[::order][0]))
        ends.append(field(after.settled(), "F"))
    assert ends[0] == ends[1]


# --- 9. facts


def test_action_codes_are_source_times_30_colour_times_6_line() -> None:
    state = table(displays="BBYK - - RRRR", centre="WW")
    assert state.read_move("F4 red 2") == 4 * 30 + 2 * 6 + 1
    assert state.read_move("centre white floor") == 0 * 30 + 4 * 6 + 5


@pytest.mark.parametrize(("players", "codes"), [(2, 180), (3, 240), (4, 300)])
def test_codes_of_the_offer(players: int, codes: int) -> None:
    state = load_game(f"azul:players={players}").new(seed=1).settled()
    assert state.legal_actions().max() < codes
    assert (2 * players + 2) * A_SOURCE == codes


def test_the_opening_has_six_moves_a_colour_and_at_most_120() -> None:
    state = filled(load_game("azul").new(), "BYRK" * 5)
    assert len(state.legal_actions()) == 120
    state = filled(load_game("azul").new(), "BBBB" + "YYYY" + "RRKK" + "WWWW" + "BYRK")
    assert len(state.legal_actions()) == 6 * (1 + 1 + 2 + 1 + 4)


def test_a_game_lasts_five_rounds_at_least() -> None:
    for seed in range(40):
        state, rng = load_game("azul").new(seed=seed), rng_for("five", seed=seed)
        while not state.is_over:
            state = state.settled() if state.to_move == CHANCE else state.after(int(rng.choice(state.legal_actions())))
        assert state.round_index >= 4


@pytest.mark.parametrize("spec", ["azul", "azul:players=4", "azul:wall=grey", "azul:players=3,wall=grey"])
def test_tiles_are_conserved_in_100_000_random_games(spec: str) -> None:
    from games.azul import walking

    game = load_game(spec)
    states = game.buffer(1)
    rng = rng_for("conserved", seed=1).array
    games, moves = walking.conserve(states, game.seats, game.option_codes, 25_000, rng)
    assert games == 25_000  # four variants: 100,000 games; each looks at every state
    assert moves / games > 60


def test_random_games_of_two_have_the_known_length_and_width() -> None:
    from games.azul import walking

    # A prototype of other hands found about 70 moves and a branching factor near 23 (section 2.2 of the thesis: 22.7).
    game = load_game("azul")
    moves, offers = walking.measure(game.buffer(1), game.seats, game.option_codes, 4_000, rng_for("w", seed=2).array)
    assert 68 < moves / 4_000 < 76
    assert 20 < offers / moves < 26


# --- 11. rulings


def test_ruling_1_the_marker_is_taken_with_a_full_floor_too() -> None:
    state = table(board(floor=7), centre="BYK", displays="KKKK").play("centre blue 2")
    assert field(state, "marker") == "1"
    assert side(state, 0).endswith(" 7")


def test_ruling_2_the_marker_takes_its_slot_before_the_excess() -> None:
    state = table(board(floor=5), centre="BBBY", displays="KKKK").play("centre blue 1")
    # One slot for the marker, one for the first of two excess tiles; the third goes to the lid.
    assert side(state, 0) == f"0 B/-/-/-/- {EMPTY_WALL} 7"
    assert field(state, "marker") == "1"


def test_ruling_3_the_marker_never_taken_leaves_the_start_where_it_was() -> None:
    state = table(displays="KKKK", mover=1, first=2)
    after = state.play("F1 black 4")
    assert field(after, "first") == "2"
    assert after.settled().to_move == 1


def test_ruling_4_a_centre_with_only_the_marker_ends_the_phase() -> None:
    state = table(displays="KKKK")
    assert field(state, "marker") == "centre"
    assert state.play("F1 black 5").to_move == CHANCE


def test_ruling_5_without_any_tile_the_game_ends_with_its_bonuses() -> None:
    # Nothing is in bag and lid; seat 1 has a full column, 7 points.
    record = load_game("azul:players=4").new().record
    record.bag = record.lid = 0
    record.wall[0] = COLUMN
    rules.start_round(record)
    assert int(record.mover) == NOBODY
    assert record.points.tolist() == [7, 0, 0, 0]


def test_ruling_6_a_lost_remainder_is_not_carried_over() -> None:
    # 3 + 1 - 8 is 0, and that 0 is all that the next round knows of it.
    state = table(board("B/-/-/-/-", FAR_WALL, points=3, floor=5), displays="KKKK", mover=2)
    assert side(state.play("F1 black 4"), 0) == "0 -/-/-/-/- B..../...../...../...../Y...B 0"


def test_ruling_7_a_cap_ends_the_game_with_normal_scoring() -> None:
    state = table(board(wall=FAR_WALL, points=8), displays="KKKK", lap=30, options="cap=30").play("F1 black 4")
    assert state.is_over
    assert state.score(0) == 8 + 1
    assert "round 30 was the cap" in state.board()
    assert table(displays="KKKK", lap=30).play("F1 black 4").to_move == CHANCE


def test_ruling_8_grey_walls_are_tiled_in_turn_order_from_the_first_player() -> None:
    boards = [board("B/-/-/-/-")] * 3
    state = grey(*boards, centre="K", first=2, marker=1, mover=1).play("centre black 4")
    order = []
    while state.to_move >= 0:
        order.append(state.to_move)
        state = state.play("row 1 column 1")
    assert order == [1, 2, 0]


def test_ruling_9_the_coloured_wall_leaves_no_choice() -> None:
    state = table(board("B/WW/-/-/-"), displays="KKKK").play("F1 black 4")
    assert state.to_move == CHANCE


def test_ruling_10_colours_come_in_the_order_b_y_r_k_w() -> None:
    state = load_game("azul").new()
    assert [state.move_text(code) for code in range(5)] == ["F1 blue", "F1 yellow", "F1 red", "F1 black", "F1 white"]
