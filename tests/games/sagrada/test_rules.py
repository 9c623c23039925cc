"""Sagrada, section by section of the rules: one test a paragraph or ruling, the position above the assertion."""

from __future__ import annotations

import numpy as np
import pytest

from games.sagrada.positions import BLANK, FULL, PRINTLESS, at, cells, moves
from meeple import CHANCE, HIDDEN, NOBODY, State, load_game
from meeple.core.chance import Stream
from meeple.errors import NotationError
from meeple.games.sagrada.board import BORDER, PATTERNS, times_scored
from meeple.games.sagrada.cards import COLOURS, OBJECTIVES, TOOLS, WINDOWS
from meeple.games.sagrada.layout import TURN
from meeple.games.sagrada.scoring import times_paid
from meeple.games.sagrada.tools import MAX_ACTIONS, longest_list

THESIS = "sagrada:rules=thesis"


def dealt(spec: str = "sagrada", seed: int = 1) -> State:
    """The position in which the first seat chooses its window."""
    return load_game(spec).new(seed=seed).settled()


def begun(spec: str = "sagrada", seed: int = 1) -> State:
    """The first turn, every seat with the first window on offer."""
    state = dealt(spec, seed)
    while state.record.phase != TURN:
        state = state.after(int(state.legal_actions()[0])).settled()
    return state


def passed_to(state: State, ply: int) -> list[int]:
    """The seats to move while everyone passes."""
    seats = []
    for _ in range(ply):
        seats.append(state.to_move)
        state = state.play("pass").settled()
    return seats


# --- 1, 14: components and windows


def test_components() -> None:
    assert len(TOOLS) == 12
    assert len(OBJECTIVES) == 10
    assert len(WINDOWS) == 24
    assert len(COLOURS) == 5
    state = load_game("sagrada").new()
    assert [int(n) for n in state.record.bag] == [18] * 5


def test_windows_have_the_difficulties_of_the_box() -> None:
    difficulties = [window.difficulty for window in WINDOWS]
    assert [difficulties.count(n) for n in (3, 4, 5, 6)] == [4, 4, 12, 4]
    assert all(len(row) == 5 for window in WINDOWS for row in window.rows)
    assert len({window.name for window in WINDOWS}) == 24


def test_no_window_prints_the_same_restriction_side_by_side() -> None:
    for pattern in WINDOWS:
        for row in range(4):
            for column in range(5):
                mark = pattern.rows[row][column]
                right = pattern.rows[row][column + 1] if column < 4 else "."
                below = pattern.rows[row + 1][column] if row < 3 else "."
                assert mark == "." or mark not in (right, below)


@pytest.mark.parametrize(
    ("name", "row", "column", "kept"),
    [
        ("Aurorae Magnificus", 3, 4, "4"), ("Chromatic Splendor", 0, 2, "G"), ("Kaleidoscopic Dream", 0, 4, "1"),
        ("Lux Mundi", 0, 1, "."), ("Lux Mundi", 1, 0, "1"), ("Luz Celestial", 3, 1, "Y"), ("Luz Celestial", 3, 2, "2"),
        ("Ripples of Light", 1, 4, "B"), ("Ripples of Light", 2, 3, "Y"), ("Shadow Thief", 3, 3, "4"),
        ("Sun's Glory", 0, 4, "4"), ("Symphony of Light", 2, 2, "4"), ("Via Lux", 2, 3, "P"),
        ("Water of Life", 3, 2, "Y"),
    ],
)  # fmt: skip
def test_windows_where_a_source_differs(name: str, row: int, column: int, kept: str) -> None:
    assert next(window for window in WINDOWS if window.name == name).rows[row][column] == kept


def test_difficulties_where_a_source_differs() -> None:
    known = {window.name: window.difficulty for window in WINDOWS}
    assert (known["Industria"], known["Shadow Thief"], known["Sun Catcher"]) == (5, 5, 3)


# --- 2: set-up


def test_private_colours_are_distinct_and_known_to_their_owners_only() -> None:
    state = dealt("sagrada:players=4")
    assert len({int(colour) for colour in state.record.private}) == 4
    own = [state.text(seat).split("|")[1 + seat].split()[0] for seat in range(4)]
    assert own == [COLOURS[colour] for colour in state.record.private]
    assert [part.split()[0] for part in state.text(0).split("|")[2:]] == ["?", "?", "?"]
    assert [part.split()[0] for part in state.text(NOBODY).split("|")[1:]] == ["?"] * 4


def test_each_player_is_offered_both_faces_of_two_cards() -> None:
    state = dealt("sagrada:players=4")
    offers = [[int(pattern) for pattern in offer] for offer in state.record.offer]
    cards = [pattern // 2 for offer in offers for pattern in offer]
    assert all(cards.count(card) == 2 for card in cards)
    assert all(offer[0] + 1 == offer[1] and offer[2] + 1 == offer[3] for offer in offers)
    assert len(state.legal_actions()) == 4


def test_thesis_offers_four_single_patterns() -> None:
    offers = [pattern for seed in range(5) for pattern in dealt(THESIS, seed).record.offer[0]]
    assert all(len(set(map(int, dealt(THESIS, seed).record.offer.ravel()))) >= 8 for seed in range(5))
    assert any(int(pattern) ^ 1 not in map(int, offers[:4]) for pattern in offers[:4])


def test_windows_are_chosen_in_seat_order_and_shown_when_all_have_chosen() -> None:
    state = dealt("sagrada:players=3")
    for seat in range(3):
        assert state.to_move == seat
        action = int(state.legal_actions()[seat])
        assert state.seen(action, seat) == action
        assert state.seen(action, (seat + 1) % 3) == HIDDEN
        state = state.after(action)
        if seat < 2:
            assert state.text((seat + 1) % 3).split("|")[1 + seat].split()[1] == "?"
            assert "has chosen" in state.board((seat + 1) % 3)
    assert all(PATTERNS[state.record.window[seat]].name in state.board(0) for seat in range(3))
    assert "?" not in state.text(0).split("|")[2].split()[1]


def test_tokens_equal_the_difficulty_of_the_chosen_window() -> None:
    state = begun("sagrada:players=4")
    assert [int(n) for n in state.record.tokens] == [PATTERNS[w].difficulty for w in state.record.window]


def test_three_objectives_and_three_tools_lie_open() -> None:
    state = dealt()
    assert len({int(goal) for goal in state.record.goals}) == 3
    assert len({int(tool) for tool in state.record.tools if tool}) == 3
    assert state.text(NOBODY).split("goals=")[1].split()[0] in state.text()


def test_unchosen_windows_leave_the_game() -> None:
    assert all(pattern == -1 for pattern in begun().record.offer.ravel())


# --- 3: rounds and turn order


@pytest.mark.parametrize(("players", "dice"), [(2, 5), (3, 7), (4, 9)])
def test_dice_of_a_round_and_of_a_game(players: int, dice: int) -> None:
    state = begun(f"sagrada:players={players},tools=0")
    assert state.record.n_pool == dice
    drawn = 0
    while not state.is_over:
        if state.record.turn == 0:
            drawn += int(state.record.n_pool)
        state = state.play("pass").settled()
    assert drawn == 10 * dice == {2: 50, 3: 70, 4: 90}[players]


def test_turn_order_is_a_snake_and_the_start_player_moves_on() -> None:
    assert passed_to(begun("sagrada:players=2,tools=0"), 12) == [0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0]
    assert passed_to(begun("sagrada:players=3,tools=0"), 12) == [0, 1, 2, 2, 1, 0, 1, 2, 0, 0, 2, 1]


def test_ten_rounds() -> None:
    state = begun("sagrada:tools=0")
    for _ in range(40):
        assert not state.is_over
        state = state.play("pass").settled()
    assert state.is_over


def test_what_is_left_goes_to_the_track_with_its_values() -> None:
    state = at(tools="hammer,brush,remover", pool="R1R1G6", turn=3)
    state = state.play("pass")
    assert state.text().split("track=")[1].split()[0] == "R1R1G6"
    assert state.to_move == CHANCE


def test_at_least_one_die_is_left() -> None:
    # Seat 1 takes the last but one.
    state = at(pool="R1G3", turn=3).play("place R1 a1")
    assert state.text().split("track=")[1].split()[0] == "G3"


# --- 4: a turn


def test_draft_and_tool_in_any_order_each_once() -> None:
    state = at(tools="copper,hammer,brush", pool="R1G3", mine="a1 B2")
    before = state.play("copper a1>b1")
    assert before.to_move == 0
    assert moves(before, "copper") == set()
    assert before.play("place R1 a1").to_move == 1
    after = state.play("place R1 b2")
    assert after.to_move == 0
    assert moves(after, "place") == set()
    assert after.play("copper a1>b1").to_move == 1


def test_doing_neither_is_a_pass() -> None:
    assert at(pool="R1G3").play("pass").to_move == 1


def test_after_the_draft_only_tools_that_move_dice_are_left() -> None:
    state = at(tools="lens,grozing,eglomise", pool="R1G3G4", track="B1", mine="a1 B2").play("place R1 b2")
    assert {move.split()[0] for move in state.legal_moves()} == {"eglomise", "pass"}


def test_thesis_placement_ends_the_turn() -> None:
    state = at(THESIS, tools="copper,hammer,brush", pool="R1G3", mine="a1 B2").play("place R1 b2")
    assert state.to_move == 1


def test_thesis_a_tool_without_placement_leaves_place_or_pass() -> None:
    state = at(THESIS, tools="copper,hammer,eglomise", pool="R1G3", mine="a1 B2").play("copper a1>b1")
    assert state.to_move == 0
    assert {move.split()[0] for move in state.legal_moves()} == {"place", "pass"}


def test_ruling_5_a_turn_ends_by_itself_when_nothing_is_left_to_do() -> None:
    # No tokens, so no tool after the draft.
    assert at(tools="copper,hammer,brush", pool="R1G3", mine="a1 B2", tokens=(0, 3)).play("place R1 b2").to_move == 1


# --- 5: placement


def test_first_die_goes_to_the_border() -> None:
    state = at(pool="R2")
    border = {"a1", "c1", "e2", "a2", "a3", "c4", "d4", "e4"}  # of these, those whose print takes R2
    assert cells(state, "place", "R2") == border
    assert int(BORDER).bit_count() == 14


def test_later_dice_touch_another_by_side_or_corner() -> None:
    state = at(pool="R1", mine="a1 B2")
    assert cells(state, "place", "R1") == {"a2", "b2"}


def test_printed_colour_and_value_are_obeyed() -> None:
    # b1 takes a 4, a2 a red die, b2 any.
    state = at(pool="R4G2G4", mine="a1 B5")
    assert cells(state, "place", "R4") == {"b1", "a2", "b2"}
    assert cells(state, "place", "G2") == {"b2"}
    assert cells(state, "place", "G4") == {"b1", "b2"}


def test_side_neighbours_differ_in_colour_and_value_but_corners_may_match() -> None:
    # d4 is B5: beside it stand c4 and e4; c3 is printed red and touches d4 at a corner.
    state = at(pool="R5B4", mine="d4 B5, e2 G6")
    assert "c4" not in cells(state, "place", "R5")
    assert "c3" in cells(state, "place", "R5")
    assert "e4" not in cells(state, "place", "B4")
    assert "e4" in cells(at(pool="R4", mine="d4 B5, e2 G6"), "place", "R4")


def test_ruling_3_a_move_may_leave_others_alone() -> None:
    # b2 joins a1 and c1; it moves away and leaves them without contact.
    state = at(tools="copper,hammer,brush", pool="R1", mine="a1 B2, b2 G3, c1 Y5").play("copper b2>d2")
    assert state.text().split("|")[1].split()[3] == "B2..Y5..../......G3../........../.........."


# --- 6: tools in general


def test_a_tool_costs_one_token_and_then_two_for_everybody() -> None:
    state = at(tools="copper,hammer,brush", pool="R1G3", mine="a1 B2", other="a2 P4", turn=0)
    state = state.play("copper a1>b1")
    assert [int(n) for n in state.record.tokens[:2]] == [2, 3]
    state = state.play("pass").play("copper a2>a1")
    assert [int(n) for n in state.record.tokens[:2]] == [2, 1]
    assert [int(n) for n in state.record.paid] == [1, 0, 0, 0, 0]


def test_each_card_keeps_its_own_price_and_one_without_tokens_cannot_use_it() -> None:
    state = at(tools="copper!,eglomise,brush", pool="R1G3", mine="a1 B2", tokens=(1, 3))
    assert moves(state, "copper") == set()
    assert moves(state, "eglomise")
    assert at(tools="copper,eglomise,brush", pool="R1", mine="a1 B2", tokens=(0, 3)).legal_moves()[-1] == "pass"
    assert moves(at(tools="copper,eglomise,brush", pool="R1", mine="a1 B2", tokens=(0, 3)), "copper") == set()


def test_ruling_2_moving_the_only_die_goes_to_the_border() -> None:
    state = at(tools="copper,hammer,brush", pool="R1", mine="a1 B2")
    assert "a1>b2" not in moves(state, "copper")
    assert "a1>e4" in moves(state, "copper")


def test_ruling_1_ignoring_print_does_not_lift_the_neighbour_rule() -> None:
    # a2 is printed red. The Eglomise Brush may bring B2 there, unless a blue die or a 2 is beside it.
    assert "c1>a2" in moves(at(tools="eglomise,hammer,brush", pool="R1", mine="c1 B2, b2 G3"), "eglomise")
    assert "c1>a2" not in moves(at(tools="eglomise,hammer,brush", pool="R1", mine="c1 B2, b2 B3"), "eglomise")
    assert "c1>a2" not in moves(at(tools="eglomise,hammer,brush", pool="R1", mine="c1 B2, b2 G2"), "eglomise")


# --- 7: the tools


def test_grozing_pliers_change_by_one_without_wrapping() -> None:
    state = at(tools="grozing,hammer,brush", pool="R1G6B3", mine="a1 P5")
    assert {move.split()[0] for move in moves(state, "grozing")} == {"R1>R2", "G6>G5", "B3>B2", "B3>B4"}
    after = state.play("grozing B3>B4 b1")
    assert after.text().split("|")[1].split()[3].startswith("P5B4")
    assert after.to_move == 1


def test_ruling_5_of_the_page_a_changed_die_must_fit() -> None:
    # b1 is printed 4: B4 fits, B2 does not.
    state = at(tools="grozing,hammer,brush", pool="B3", mine="a1 P5")
    assert "B3>B4 b1" in moves(state, "grozing")
    assert "B3>B2 b1" not in moves(state, "grozing")


def test_eglomise_brush_ignores_printed_colour_not_value() -> None:
    state = at(tools="eglomise,hammer,brush", pool="R1", mine="a1 B2, c1 Y3")
    assert "c1>a2" in moves(state, "eglomise")  # red
    assert "c1>b1" not in moves(state, "eglomise")  # 4
    assert state.play("eglomise c1>a2").to_move == 0


def test_copper_foil_burnisher_ignores_printed_value_not_colour() -> None:
    state = at(tools="copper,hammer,brush", pool="R1", mine="a1 B2, c1 Y3")
    assert "c1>b1" in moves(state, "copper")
    assert "c1>a2" not in moves(state, "copper")


def test_lathekin_moves_exactly_two_dice() -> None:
    state = at(tools="lathekin,hammer,brush", pool="R1", mine="a1 B2, c1 Y3")
    assert all(len(move.split()) == 2 for move in moves(state, "lathekin"))
    assert "a1>b2 c1>a1" in moves(state, "lathekin")
    assert at(tools="lathekin,hammer,brush", pool="R1", mine="a1 B2").legal_moves()[0] != "lathekin"
    after = state.play("lathekin a1>b2 c1>a1")
    assert after.text().split("|")[1].split()[3] == "Y3......../..B2....../........../.........."
    assert after.to_move == 0


def test_ruling_4_the_second_die_may_enter_the_cell_that_the_first_left() -> None:
    assert "a1>b2 c1>a1" in moves(at(tools="lathekin,hammer,brush", pool="R1", mine="a1 B2, c1 Y3"), "lathekin")


def test_ruling_4_each_move_is_legal_when_made() -> None:
    # Alone, c1 could not go to a3; after a1>b2 it touches b2 there. The first move needs contact with c1.
    state = at(tools="lathekin,hammer,brush", pool="R1", mine="a1 B2, c1 Y3")
    assert "a1>b2 c1>a3" in moves(state, "lathekin")
    assert "a1>a3 c1>b2" not in moves(state, "lathekin")


def test_thesis_lathekin_each_move_is_legal_alone_and_both_targets_were_empty() -> None:
    state = at(THESIS, tools="lathekin,hammer,eglomise", pool="R1", mine="a1 B2, c1 Y3")
    assert "a1>b2 c1>a3" not in moves(state, "lathekin")  # c1 touches nothing on a3 by itself
    assert "a1>b2 c1>a1" not in moves(state, "lathekin")  # a1 was not empty
    assert moves(state, "lathekin")
    standard = at(tools="lathekin,hammer,eglomise", pool="R1", mine="a1 B2, c1 Y3")
    assert moves(state, "lathekin") < moves(standard, "lathekin")


def test_lathekin_offers_both_orders_as_moves_of_their_own() -> None:
    offered = moves(
        at(THESIS, tools="lathekin,hammer,eglomise", pool="R1", mine="a1 B2, b2 Y3, d2 G5, e2 B6"), "lathekin"
    )
    twins = [move for move in offered if " ".join(reversed(move.split())) in offered]
    assert twins
    assert len(offered) == len(set(offered))


def test_lens_cutter_exchanges_with_the_track() -> None:
    state = at(tools="lens,hammer,brush", pool="R1G6", track="B3Y4", mine="a1 P5", done=1, start=2, turn=1)
    assert {move.split()[0] for move in moves(state, "lens")} == {"R1>B3", "R1>Y4", "G6>B3", "G6>Y4"}
    after = state.play("lens R1>Y4 b1")
    assert after.text().split("track=")[1].split()[0] == "R1B3"
    assert after.text().split("|")[1].split()[3].startswith("P5Y4")


def test_lens_cutter_needs_a_die_on_the_track() -> None:
    assert moves(at(tools="lens,hammer,brush", pool="R1G6", mine="a1 P5"), "lens") == set()


def test_flux_brush_rolls_the_drafted_die_and_places_it() -> None:
    state = at(tools="brush,hammer,remover", pool="R1G6", mine="a1 P5").play("brush R1")
    assert state.to_move == CHANCE
    assert state.outcomes() == dict.fromkeys(range(6), 1)
    assert int(state.record.tokens[0]) == 2  # paid at the first step
    placing = state.play("R4")
    assert placing.to_move == 0
    assert cells(placing, "place", "R4") == {"b1", "a2", "b2"}
    assert set(placing.legal_moves()) == {"place R4 b1", "place R4 a2", "place R4 b2"}  # compulsory
    assert placing.play("place R4 b1").to_move == 1


@pytest.mark.parametrize("spec", ["sagrada", THESIS])
def test_ruling_6_a_rolled_die_that_fits_nowhere_goes_back_and_the_draft_is_spent(spec: str) -> None:
    # Only d1 is empty, beside B3, P5 and P6: no blue die fits.
    state = at(spec, mine=FULL.replace("d1 Y4,", ""), tools=PRINTLESS, pool="B1G6", windows=("batllo", BLANK))
    state = state.play("brush B1").play("B4")
    assert state.to_move == 1
    assert state.text().split("pool=")[1].split()[0] == "G6B4"


def test_thesis_flux_remover_keeps_the_roll_of_a_die_that_fits_nowhere() -> None:
    words = {"mine": FULL.replace("d1 Y4,", ""), "tools": "eglomise,copper,remover", "windows": ("batllo", BLANK)}
    state = at(THESIS, pool="B1G6", **words).play("remover B1").play("P2")
    assert state.to_move == 1
    assert state.text().split("pool=")[1].split()[0] == "G6P2"
    placed = at(THESIS, pool="B1G6", **words).play("remover B1").play("Y5")
    assert set(placed.legal_moves()) == {"place Y1 d1", "place Y2 d1", "place Y4 d1"}


def test_glazing_hammer_rolls_the_whole_pool_on_the_second_turn() -> None:
    assert moves(at(tools="hammer,brush,remover", pool="R1G6B2", turn=0), "hammer") == set()
    state = at(tools="hammer,brush,remover", pool="R1G6B2", turn=3).play("hammer")
    rolled = []
    while state.to_move == CHANCE:
        assert len(state.outcomes()) == 6
        rolled.append(state.move_text(max(state.outcomes())))
        state = state.after(max(state.outcomes()))
    assert rolled == ["R6", "G6", "B6"]
    assert state.to_move == 0
    assert moves(state, "place")
    assert state.play("place R6 a1").to_move == CHANCE


def test_glazing_hammer_comes_before_the_draft() -> None:
    state = at(tools="hammer,copper,remover", pool="R1G6B2", turn=3, mine="a1 P5").play("place R1 b2")
    assert {move.split()[0] for move in state.legal_moves()} == {"copper", "pass"}


def test_running_pliers_give_a_second_draft_and_skip_the_second_turn() -> None:
    state = at(tools="running,hammer,brush", pool="R1G6B2", mine="a1 P5").play("place R1 b2")
    assert state.legal_moves() == ["running", "pass"]
    state = state.play("running")
    assert state.to_move == 0
    assert {move.split()[0] for move in state.legal_moves()} == {"place"}  # no further tool, and the draft is made
    state = state.play("place G6 a3")
    assert state.to_move == 1
    assert state.play("pass").play("pass").to_move == CHANCE  # seat 1 skips its second turn


def test_running_pliers_after_a_draft_that_was_given_up() -> None:
    state = at(tools="running,hammer,brush", pool="R1G6B2", mine="a1 P5")
    assert "running" in state.legal_moves()
    assert {move.split()[0] for move in state.play("running").legal_moves()} == {"place"}


def test_ruling_9_running_pliers_are_legal_for_the_last_player_of_the_snake_but_not_on_the_second_turn() -> None:
    assert "running" in at(tools="running,hammer,brush", pool="R1G6B2", other="a2 P5", turn=1).legal_moves()
    assert "running" not in at(tools="running,hammer,brush", pool="R1G6B2", other="a2 P5", turn=2).legal_moves()


def test_ruling_6_running_pliers_need_a_die_that_can_be_placed() -> None:
    words = {"mine": FULL.replace("d1 Y4,", ""), "tools": "eglomise,copper,running", "windows": ("batllo", BLANK)}
    assert "running" not in at(pool="B1", **words).legal_moves()
    assert "running" in at(pool="Y1", **words).legal_moves()


def test_thesis_running_pliers_move_the_second_turn_here() -> None:
    state = at(THESIS, tools="running,copper,eglomise", pool="R1G6B2", mine="a1 P5").play("running")
    assert state.to_move == 0
    assert moves(state, "copper") == set()
    state = state.play("place R1 b2")
    assert state.to_move == 0  # a full second turn, with a tool of its own
    assert moves(state, "copper")
    assert "running" not in state.legal_moves()
    assert passed_to(state, 3) == [0, 1, 1]


def test_thesis_running_pliers_are_refused_to_the_last_player() -> None:
    assert "running" not in at(THESIS, tools="running,hammer,brush", pool="R1G6B2", turn=1).legal_moves()


def test_ruling_10_hammer_after_running_pliers_only_by_the_thesis_rules() -> None:
    state = at(THESIS, tools="running,hammer,brush", pool="R1G6B2", mine="a1 P5").play("running").play("pass")
    assert "hammer" in state.legal_moves()


def test_straightedge_places_away_from_all_dice() -> None:
    state = at(tools="straightedge,hammer,brush", pool="R3", mine="a1 P5")
    offered = cells(state, "straightedge", "R3")
    assert "b2" not in offered
    assert {"e4", "c4", "d2"} <= offered
    assert "d3" not in offered  # printed purple
    assert state.play("straightedge R3 e4").to_move == 1


def test_ruling_8_the_border_rule_stays_on_an_empty_window() -> None:
    offered = cells(at(tools="straightedge,hammer,brush", pool="R3"), "straightedge", "R3")
    assert offered
    assert "d2" not in offered


def test_grinding_stone_turns_a_die_over() -> None:
    state = at(tools="grinding,hammer,brush", pool="R1G6B3", mine="a1 P5")
    assert {move.split()[0] for move in moves(state, "grinding")} == {"R1>R6", "G6>G1", "B3>B4"}
    assert state.play("grinding B3>B4 b1").text().split("|")[1].split()[3].startswith("P5B4")


def test_flux_remover_swaps_with_the_bag_and_gives_any_value() -> None:
    state = at(tools="remover,hammer,brush", pool="R1G6", mine="a1 P5").play("remover R1")
    assert int(state.record.bag[0]) == 18
    assert state.outcomes() == {0: 18, 6: 17, 12: 18, 18: 18, 24: 17}
    drawn = state.play("B")
    assert {"place B4 b1", "place B1 b2", "return B1", "return B6"} <= set(drawn.legal_moves())
    assert "place B5 b2" in drawn.legal_moves()
    back = drawn.play("return B6")
    assert back.text().split("pool=")[1].split()[0] == "G6B6"  # ruling 7: as chosen
    assert back.to_move == 1


def test_ruling_7_returned_dice_keep_their_roll_by_option() -> None:
    state = at("sagrada:returned=rolled", tools="remover,hammer,brush", pool="R1G6", mine="a1 P5").play("remover R1")
    assert len(state.outcomes()) == 30
    drawn = state.play("B3")
    assert moves(drawn, "return") == {"B3"}
    assert {move[:2] for move in moves(drawn, "place")} == {"B1", "B2", "B3", "B4", "B5", "B6"}


def test_thesis_flux_remover_must_place_where_it_can_and_keeps_the_roll_else() -> None:
    state = at(THESIS, tools="remover,hammer,brush", pool="R1G6", mine="a1 P5").play("remover R1")
    assert len(state.outcomes()) == 30
    drawn = state.play("B3")
    assert {move.split()[0] for move in drawn.legal_moves()} == {"place"}


def test_flux_remover_with_an_empty_bag() -> None:
    # All other dice are on the track: 88 of them.
    track = "".join(f"{colour}1" * 18 for colour in "GBYP")
    words = {
        "tools": "remover,hammer,brush",
        "pool": "R1R2",
        "track": track + "R1" * 16,
        "done": 9,
        "start": 2,
        "turn": 1,
    }
    state = at("sagrada", **words)
    drawn = state.play("remover R1")
    assert drawn.outcomes() == {0: 1}  # the die that was put in
    assert "return R6" in drawn.play("R").legal_moves()
    assert moves(at(THESIS, **words), "remover") == set()


def test_tap_wheel_moves_one_or_two_dice_of_a_colour_on_the_track() -> None:
    state = at(
        tools="tapwheel,hammer,brush", pool="R1", track="B6", mine="a1 B2, c1 Y3, b2 P5, d2 B1", done=1, start=2, turn=1
    )
    offered = moves(state, "tapwheel")
    assert any(len(move.split()) == 1 for move in offered)
    assert any(len(move.split()) == 2 for move in offered)
    assert {part.split(">")[0] for move in offered for part in move.split()} == {"a1", "d2"}
    assert moves(at(tools="tapwheel,hammer,brush", pool="R1", mine="a1 B2, c1 Y3"), "tapwheel") == set()


def test_tap_wheel_pairs_have_one_colour() -> None:
    state = at(tools="tapwheel,hammer,brush", pool="R1", track="B6Y1", mine="a1 B2, c1 Y3", done=1, start=2, turn=1)
    assert all(len(move.split()) == 1 for move in moves(state, "tapwheel"))


ENDING = {"grozing", "lens", "brush", "straightedge", "grinding", "remover"}
PLAIN_TOOLS = [tool.word for tool in TOOLS if tool.word not in ("hammer", "running")]  # those have tests of their own


@pytest.mark.parametrize("spec", ["sagrada", THESIS])
@pytest.mark.parametrize("tool", PLAIN_TOOLS)
def test_tools_that_contain_a_placement_end_the_turn(spec: str, tool: str) -> None:
    others = ",".join([word for word in ("hammer", "running", "brush") if word != tool][:2])
    words = {"track": "B6", "mine": "a1 B2, c1 Y3, b2 P5", "done": 1, "start": 2, "turn": 1}
    state = at(spec, tools=f"{tool},{others}", pool="R1G6B2", **words)
    state = state.play(next(move for move in state.legal_moves() if move.split()[0] == tool))
    while state.record.phase != TURN:
        code = state.fated_outcome() if state.to_move == CHANCE else int(state.legal_actions()[0])
        state = state.after(code)
    assert (state.record.turn == 2) == (tool in ENDING)
    assert state.to_move == 0
    assert state.record.tool_used == (tool not in ENDING)


def test_solo_colours() -> None:
    assert "".join(tool.solo for tool in TOOLS) == "PBRYGPBRYGPB"


# --- dice alike, and the list


def test_ruling_13_equal_dice_are_offered_once() -> None:
    state = at(pool="R3R3R3", tools="grinding,brush,remover")
    assert len(state.legal_moves()) == len(set(state.legal_moves()))
    assert moves(state, "brush") == {"R3"}


def test_order_tools_as_the_cards_lie_then_placements_then_pass() -> None:
    state = at(THESIS, tools="grinding,brush,copper", pool="R3G2", mine="a1 P5")
    kinds = list(dict.fromkeys(move.split()[0] for move in state.legal_moves()))
    assert kinds == ["grinding", "brush", "copper", "place", "pass"]


def test_the_longest_list_is_bounded() -> None:
    # Ten dice and ten empty cells: 2 * 90 * 100 pairs, 3 * 100 single moves, 9 * 30 * 10 swaps ...
    assert longest_list() == 18_000 + 300 + 2_700 + 5 * 90 + 18 + 2 + 1
    assert longest_list() < MAX_ACTIONS


# --- 8: public objectives


def counted(cells_text: str, goal: str) -> int:
    """How often an objective is fulfilled: from the points of a finished game for it alone."""
    goals = [goal, *(other.word for other in OBJECTIVES if other.word != goal)][:3]
    state = at(
        mine=cells_text, tools=PRINTLESS, goals=",".join(goals), phase="over", done=10, windows=("lux-astram", BLANK)
    )
    return int(times_scored(state.record, 0, [o.word for o in OBJECTIVES].index(goal)))


@pytest.mark.parametrize(
    ("goal", "points", "full"),
    [
        ("row-colours", 6, 4), ("column-colours", 5, 5), ("row-shades", 5, 4), ("column-shades", 4, 0), ("light", 2, 3),
        ("medium", 2, 4), ("deep", 2, 2), ("shades", 5, 2), ("colours", 4, 4), ("diagonals", 1, 18),
    ],
)  # fmt: skip
def test_objective_on_a_full_an_empty_and_a_partial_window(goal: str, points: int, full: int) -> None:
    assert next(objective.points for objective in OBJECTIVES if objective.word == goal) == points
    assert counted(FULL, goal) == full
    assert counted("", goal) == 0
    partial = {  # a single row, less its last die: nothing that needs a row or column
        "row-colours": 0, "column-colours": 0, "row-shades": 0, "column-shades": 0, "light": 1, "medium": 1,
        "deep": 0, "shades": 0, "colours": 0, "diagonals": 0,
    }  # fmt: skip
    assert counted("a1 R1,b1 G2,c1 B3,d1 Y4", goal) == partial[goal]


def test_incomplete_rows_and_columns_score_nothing() -> None:
    fewer = FULL.replace("a1 R1,", "")
    assert counted(fewer, "row-colours") == 3
    assert counted(fewer, "column-colours") == 4
    assert counted(fewer, "row-shades") == 3


def test_a_full_row_with_a_colour_twice_is_not_varied() -> None:
    assert counted("a1 R1,b1 G2,c1 R3,d1 Y4,e1 P5", "row-colours") == 0
    assert counted("a1 R1,b1 G2,c1 R3,d1 Y4,e1 P5", "row-shades") == 1
    assert counted("a1 R1,b1 G2,c1 B1,d1 Y4,e1 P5", "row-shades") == 0
    assert counted("a1 R1,a2 G2,a3 B3,a4 Y4", "column-shades") == 1
    assert counted("a1 R1,a2 G2,a3 R3,a4 Y4", "column-colours") == 0


def test_ruling_11_diagonals_count_dice_once() -> None:
    assert counted("a1 R1,b2 R2", "diagonals") == 2
    assert counted("a1 R1,b2 R2,c3 R3,c1 R4", "diagonals") == 4
    assert counted("a1 R1,b1 G2,a2 B3", "diagonals") == 0


# --- 9: score and ties


def finished(spec: str = "sagrada", **parts: object) -> State:
    """A finished game for two, started in its last round by seat 2."""
    return at(spec, phase="over", done=10, start=2, tools=PRINTLESS, **parts)  # type: ignore[arg-type]


def test_score_adds_objectives_private_and_tokens_and_takes_empty_cells() -> None:
    state = finished(mine="a1 R1, b1 G2, b2 R5", goals="light,medium,deep", tokens=(2, 0))
    # a pair of 1 and 2: 2; private red 6; 17 empty cells; 2 tokens
    assert state.score(0) == 2 + 6 - 17 + 2
    assert state.score(1) == -20  # ruling 12: no floor


def test_private_points_are_secret_until_the_end() -> None:
    assert at(mine="a1 R1, b2 R5", tools=PRINTLESS).score(0) == -18 + 3


def test_ties_go_to_private_points() -> None:
    state = finished(mine="", other="a1 G1", tokens=(4, 2))
    assert state.score(0) == state.score(1) == -16
    assert state.ranks() == [2, 1]


def test_then_to_tokens() -> None:
    state = finished(mine="", other="a1 Y3, e1 Y3", tokens=(4, 2), windows=(BLANK, "lux-astram"))
    assert state.score(0) == state.score(1)
    assert state.ranks() == [1, 2]


def test_then_to_who_sat_latest_in_the_first_lap_of_the_last_round() -> None:
    # Seat 2 starts round 10, so seat 1 is the latest.
    assert finished(tokens=(4, 4)).ranks() == [1, 2]
    three = at("sagrada:players=3", phase="over", done=10, start=1, tools=PRINTLESS, tokens=(4, 4, 4))
    assert three.ranks() == [3, 2, 1]


def test_thesis_ties_go_to_private_points_then_to_the_lower_seat() -> None:
    assert finished(THESIS, mine="a1 Y3, e4 Y3", tokens=(2, 4)).ranks() == [1, 2]
    assert finished(THESIS, other="a1 G1", tokens=(4, 2)).ranks() == [2, 1]
    assert finished(THESIS, tokens=(4, 4)).ranks() == [1, 2]


# --- 10: the solo game

SOLO = "sagrada:players=1"


def test_solo_setup() -> None:
    state = dealt(SOLO)
    assert sum(goal >= 0 for goal in state.record.goals) == 2
    assert sum(colour >= 0 for colour in state.record.private) == 2
    assert state.text(NOBODY).split("|")[1].split()[0] == state.text().split("|")[1].split()[0]
    assert len(state.legal_actions()) == 4
    started = begun(SOLO)
    assert started.record.n_pool == 4
    assert int(started.record.tokens[0]) == 0


@pytest.mark.parametrize("n", range(1, 6))
def test_solo_has_one_to_five_tools_by_choice(n: int) -> None:
    assert sum(tool > 0 for tool in dealt(f"{SOLO},tools={n}").record.tools) == n


def test_solo_two_turns_a_round() -> None:
    state = begun(f"{SOLO},tools=0")
    rounds = []
    while not state.is_over:
        rounds.append(state.round_index)
        state = state.play("pass").settled()
    assert rounds == [n for n in range(10) for _ in range(2)]


def test_solo_tool_is_paid_with_a_die_of_its_colour_and_works_once() -> None:
    state = at(SOLO, tools="copper,grozing,lathekin", pool="R1R3G6P2", mine="a1 P5")
    assert moves(state, "copper") == {"pay R1", "pay R3"}
    assert moves(state, "grozing") == {"pay P2"}
    assert moves(state, "lathekin") == set()
    paid = state.play("copper pay R3")
    assert {move.split()[0] for move in paid.legal_moves()} == {"copper"}
    after = paid.play("copper a1>b1")
    assert after.text().split("spent=")[1].split()[0] == "1.0.0.0.0"
    assert after.text().split("pool=")[1].split()[0] == "R1G6P2"
    later = after.play("pass")
    assert later.to_move == 0
    assert moves(later, "copper") == set()


def test_solo_the_paying_die_is_not_the_one_drafted() -> None:
    assert moves(at(SOLO, tools="grozing,copper,lathekin", pool="P2", mine="a1 R5"), "grozing") == set()


def test_solo_target_and_score() -> None:
    state = at(SOLO, phase="over", done=10, tools=PRINTLESS, mine="a1 R5, c1 G6, b2 R2", colours="RG", track="P1P2B4")
    assert state.score(0) == max(5 + 2, 6) - 3 * 17
    assert state.win_shares() == [0.0]
    assert "target 7" in state.board()


def test_solo_is_won_only_above_the_target() -> None:
    full = dict.fromkeys(("mine",), FULL)
    # Full window: row colours 24, column colours 25; private red 8, green 13.
    words = {"goals": "row-colours,column-colours", "colours": "RG", "tools": PRINTLESS, "phase": "over", "done": 10}
    level = at(SOLO, track="P6" * 10 + "P2", windows=("lux-astram",), **words, **full)
    assert level.score(0) == 24 + 25 + 13
    assert level.win_shares() == [0.0]
    assert at(SOLO, track="P6" * 10 + "P1", windows=("lux-astram",), **words, **full).win_shares() == [1.0]


# --- 11: the thesis program's faults


def test_faults_second_seat_starts() -> None:
    assert begun("sagrada:rules=thesis,faults=yes").to_move == 1
    assert begun(THESIS).to_move == 0


def test_faults_via_lux_lacks_its_purple_cell_and_industria_has_six() -> None:
    for name, tokens in (("via-lux", 4), ("industria", 6)):
        game = load_game("sagrada:rules=thesis,faults=yes")
        found = next(
            state
            for state in (game.new(seed=seed).settled() for seed in range(200))
            if f"window {name}" in state.legal_moves()
        )
        state = found.play(f"window {name}")
        state = state.after(int(state.legal_actions()[0]))
        assert int(state.record.tokens[0]) == tokens
        if name == "via-lux":
            assert PATTERNS[state.record.window[0]].rows[2] == "3YR.."


def test_faults_sets_always_pay_their_most() -> None:
    state = finished("sagrada:rules=thesis,faults=yes", goals="shades,colours,deep")
    assert state.score(0) == 15 + 16 - 20 + 3


def test_faults_rows_pay_no_more_from_one_on_that_is_lost() -> None:
    spec, windows = "sagrada:rules=thesis,faults=yes", ("lux-astram", BLANK)
    # Row 3 of Lux Astram is 1G53P, row 4 is blank. A 1 on a4 leaves a3 without any die that fits.
    whole, above = "a4 R2, b4 P1, c4 G3, d4 B4, e4 Y5", "a4 R1, b4 P2, c4 G3, d4 B4, e4 Y5"
    for goal, place in (("row-colours", 0), ("row-shades", 2)):
        goals = f"{goal},light,deep"
        paid = [
            int(times_paid(finished(rules, mine=mine, goals=goals, windows=windows).record, 0, place))
            for rules, mine in ((spec, whole), (spec, above), (THESIS, above))
        ]
        assert paid == [1, 0, 1]
    # The row above the lost one pays: row 1 of Sun Catcher is .B2.Y, and a 4 on a2 leaves b2 (4) without a die.
    windows = ("sun-catcher", BLANK)
    row, rest = "a1 R1, b1 B3, c1 G2, d1 P6, e1 Y5", "a4 G3, b4 R2, c4 B1, d4 P4, e4 Y6"
    for spoiler, rows in (("", 2), (", a2 G4", 1)):
        state = finished(spec, mine=f"{row}, {rest}{spoiler}", goals="row-colours,light,deep", windows=windows)
        assert int(times_paid(state.record, 0, 0)) == rows


# --- 13: what is known, and chance


def test_a_die_drawn_and_rolled_is_one_event_weighted_by_the_bag() -> None:
    state = dealt()
    while state.record.phase != 5:
        state = state.after(int(state.legal_actions()[0]))
    assert state.outcomes() == dict.fromkeys(range(30), 18)
    assert state.after(0).outcomes() == {die: 17 if die < 6 else 18 for die in range(30)}


def test_the_same_fate_brings_the_same_dice_whatever_was_played() -> None:
    state = begun("sagrada:tools=0")
    quiet = state
    for _ in range(4):
        quiet = quiet.play("pass").settled()
    busy = state
    for _ in range(4):
        busy = busy.after(int(busy.legal_actions()[0])).settled()
    assert quiet.record.pool.tolist() == busy.record.pool.tolist()


def test_two_dice_rolled_again_are_not_the_same_roll() -> None:
    rolls = set()
    for seed in range(8):
        state = at(tools="brush,hammer,remover", pool="R1R2R3R4R5R6", mine="a1 P5")
        array = state.array.copy()
        array["fate"] = load_game("sagrada").new(seed=seed).record.fate
        world = State(state.game, array)
        keys = {die: world.play(f"brush R{die}").fated_outcome() for die in range(1, 7)}
        rolls.add(len(set(keys.values())))
    assert max(rolls) > 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_redeal_deals_the_others_each_colour_alike(players: int) -> None:
    state = begun(f"sagrada:players={players}")
    rng, n = Stream(7), 4_000
    counts = np.zeros(5, dtype=int)
    for _ in range(n):
        world = state.redealt(0, rng)
        assert world.record.private[0] == state.record.private[0]
        assert len(set(world.record.private[:players].tolist())) == players
        counts[world.record.private[players - 1]] += 1
    assert counts[state.record.private[0]] == 0
    # Chi-square on 3 degrees of freedom: 30.7 is passed by one seed in a million.
    expected = n / 4
    assert sum((count - expected) ** 2 / expected for count in counts if count) < 30.7


def test_strata_are_the_colours_of_the_next_seat() -> None:
    state = begun("sagrada:players=3")
    strata = state.strata(0)
    assert strata == {colour: 1 for colour in range(5) if colour != state.record.private[0]}
    for colour in strata:
        world = state.redealt(0, Stream(1), stratum=colour)
        assert world.record.private[1] == colour
        assert len(set(world.record.private[:3].tolist())) == 3


def test_dice_are_conserved_in_random_games() -> None:
    for spec in ("sagrada:players=4", "sagrada:players=1,tools=5", THESIS):
        for seed in range(3):
            state, rng = load_game(spec).new(seed=seed), Stream(seed)
            while not state.is_over:
                state = state.after(
                    state.fated_outcome() if state.to_move == CHANCE else int(rng.choice(state.legal_actions()))
                )
                assert state.game.face.check_at(state.array, 0) == 0


# --- what is refused


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("tools=hammer", "tools=hamer", "hamer"),
        ("goals=light", "goals=lihgt", "lihgt"),
        (BLANK, "fractal-drop", "fractal-drop"),
        ("R1......", "R7......", "R7"),
        ("R1......", "R1R2....", "b1"),
        ("bag=", "bga=", "bga"),
        ("tools=hammer,", "tools=", "tools"),
        ("pool=G3", "pool=G3G", "pool"),
        ("bag=17", "bag=19", "bag"),
        ("bag=17", "bag=16", "18 dice"),
        ("tools=hammer,brush,remover", "tools=hammer,hammer,remover", "differ"),
        ("phase=turn", "phase=tern", "tern"),
        ("turn=0", "turn=x", "turn"),
        ("order=1221", "order=1231", "order"),
    ],
)
def test_bad_positions_are_refused_by_name(old: str, new: str, named: str) -> None:
    text = at(mine="a1 R1", pool="G3").text()
    assert old in text
    with pytest.raises(NotationError, match=named):
        load_game("sagrada").read(text.replace(old, new, 1))


def test_a_print_is_named_where_no_tool_in_play_ignores_it() -> None:
    with pytest.raises(NotationError, match="b1"):
        at(mine="b1 G3")
    assert at(mine="b1 G3", tools="copper,brush,remover")
