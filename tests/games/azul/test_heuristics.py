"""Azul's evaluations, order, strategy and filters: by hand on small positions, and what holds everywhere."""

from __future__ import annotations

import numpy as np
import pytest

from games.azul.tables import EMPTY_LINES, FAR_WALL, board, table
from meeple import State, load_game
from meeple.agents.registry import load_agent, presets_of
from meeple.core.chance import rng_for
from meeple.core.heuristics import find_heuristic, heuristics_of
from meeple.games.azul import heuristics
from search.test_alphabeta import random_states

PAPER = heuristics.EVALUATIONS["paper"]
SPECS = ["azul", "azul:players=4", "azul:players=3,wall=grey"]


def paper_points(state: State, seat: int) -> float:
    """The thesis's evaluation of one seat, in points."""
    record = state.record
    return float(heuristics.paper_side(record, seat, heuristics.may_be_last(record), PAPER.given()[0]))


def policy(state: State, name: str) -> str:
    function = find_heuristic(state.game, "PLAYOUTS", name)
    out = np.empty(int(state.game.definition.rules.MAX_ACTIONS), dtype=np.int64)
    return state.move_text(int(function(state.record, rng_for("policy", seed=1).array, out)))


# --- 4.1.2, the evaluation


def test_the_thesis_counts_points_and_lines_by_their_fraction() -> None:
    # Line 1 full: 1 point. Line 3 two thirds red, alone on the wall: 2/3. Line 4 half full of blue: row 4, column 4.
    state = table(board("Y/-/RR/BB/-", FAR_WALL, points=9), displays="KKKK")
    # Blue in row 4, column 4 stands above no tile: row 5 has columns 1 and 5 only.
    assert paper_points(state, 0) == pytest.approx(9 + 1 + 2 / 3 + 2 / 4)


def test_the_thesis_scores_a_line_on_the_wall_as_it_stands() -> None:
    # Yellow in row 1 would stand beside blue: 2. White in row 2, column 1 would stand below blue: 2, half of it.
    state = table(board("Y/W/-/-/-", "B..../...../...../...../....."), displays="KKKK")
    assert paper_points(state, 0) == pytest.approx(2 + 0.5 * 2)


def test_the_thesis_counts_bonuses_and_the_floor() -> None:
    # Column 1 is full: 7. Three slots cost 4.
    wall = "B..../W..../K..../R..../Y...."
    state = table(board(EMPTY_LINES, wall, points=20, floor=3), displays="KKKK")
    assert paper_points(state, 0) == pytest.approx(20 + 7 - 4)


def test_the_starter_counts_half_a_point_once() -> None:
    # Three lines are begun; the pseudocode would add the marker for each of them, its text says half a point.
    lines = "-/W/RR/BB/-"
    with_marker = table(board(lines, floor=1), displays="KKKK", marker=1)
    without = table(board(lines, floor=1), displays="KKKK")
    assert paper_points(with_marker, 0) - paper_points(without, 0) == pytest.approx(0.5)


def test_before_the_first_move_of_a_round_the_first_player_holds_the_starter() -> None:
    # After the round's last move the marker counts for whoever starts the next, before and after the refill.
    after = table(board(wall=FAR_WALL, points=5, floor=1), displays="KKKK", marker=1, mover=2).play("F1 black 5")
    assert paper_points(after, 0) == paper_points(after.settled(), 0) == pytest.approx(5 - 1 + 0.5)
    begun = after.settled()
    assert paper_points(begun.after(int(begun.legal_actions()[-1])), 1) == pytest.approx(4 / 5)


def test_in_a_round_that_may_be_the_last_unfinished_lines_and_the_starter_count_nothing() -> None:
    # The other seat has a row of four.
    rival = board(wall="BYRK./...../...../...../.....")
    state = table(board("Y/W/RR/BB/-", floor=1), rival, displays="KKKK", marker=1)
    assert paper_points(state, 0) == pytest.approx(1 - 1)


def test_the_value_is_the_lead_over_the_best_rival() -> None:
    boards = [board(wall=FAR_WALL, points=points) for points in (5, 11, 8)]
    state = table(*boards, displays="KKKK")
    values = [float(PAPER(state.record, seat)) for seat in range(3)]
    assert values == pytest.approx([-6 / 250, 3 / 250, -3 / 250])


# --- 4.1.4, the order


@pytest.mark.parametrize(
    ("move", "sixtieths"),
    [
        ("F1 blue floor", 0),
        ("F1 blue 1", max(0, 60 * 2 - 60 * 1)),  # beside yellow: 2 points; one tile of excess costs 1
        ("F1 blue 2", 60 * 2),  # line 2 is filled; below yellow, 2 points
        ("F1 blue 4", 60 * 2 // 4),
        ("F1 yellow 3", 60 * 3 // 3),  # RR would not fit: this line holds two yellows, and is filled
        ("centre black 1", 0),  # four black tiles on line 1: three of excess cost 4, more than the point
    ],
)
def test_moves_are_ordered_by_what_they_score(move: str, sixtieths: int) -> None:
    state = table(board("-/-/YY/-/-", ".Y.../...../...../...../....."), displays="BBYK", centre="KKKK")
    assert int(heuristics.by_paper(state.record, state.read_move(move))) == sixtieths


# --- 4.3, the strategy


def test_the_strategy_takes_the_group_that_can_fill_its_line_most_often_over() -> None:
    # Red: four tiles for line 1 make 4.0, as in the thesis; the display that fills it without excess is best.
    state = table(displays="RRRB RKKW", centre="Y")
    assert policy(state, "strategy") == "F2 red 1"


def test_the_strategy_fills_a_line_as_far_as_it_can() -> None:
    # Line 1 is full, so line 2 is next: red (5 / 2). Two or more fill it; two leave nothing over.
    state = table(board("K/-/-/-/-"), displays="RRBB RBBW YYYY RRRB", centre="-")
    assert policy(state, "strategy") in ("F1 red 2", "F1 blue 2")
    assert policy(table(board("K/-/-/-/-"), displays="RKKK RRRB", centre="-"), "strategy") == "F2 red 2"


def test_the_strategy_drops_as_little_as_it_can_where_no_line_is_open() -> None:
    wall = "B..../.B.../..B../...B./....B"
    state = table(board(wall=wall), displays="BBBB", centre="BB", marker=2)
    assert policy(state, "strategy") == "centre blue floor"
    # With the marker the centre would cost three slots, and so does F1's rival: still fewer than four.
    assert policy(table(board(wall=wall), displays="BBBB", centre="BB"), "strategy") == "centre blue floor"


def test_the_improved_strategy_looks_at_wall_points() -> None:
    # One tile of each colour for line 1: yellow stands beside blue and scores 2, the others 1.
    state = table(board("-/KK/KKK/KKKK/KKKKK", "B..../...../...../...../....."), displays="YRKW")
    assert policy(state, "strategy2") == "F1 yellow 1"


def test_the_improved_strategy_prefers_free_neighbours() -> None:
    # Alone everywhere; in row 1 a corner has two free neighbours, the others three.
    state = table(board("-/KK/KKK/KKKK/KKKKK"), displays="BRWW")
    assert policy(state, "strategy2") == "F1 red 1"


def test_policies_play_legal_moves_everywhere() -> None:
    for spec in SPECS:
        for state in random_states(spec, 40, seed=3):
            for name in heuristics_of(state.game, "PLAYOUTS"):
                assert policy(state, name) in state.legal_moves()


def test_rollouts_in_the_thesis_order_take_the_first_mostly() -> None:
    # Yellow completes line 5 and scores a whole run of five; all else is worth less.
    state = table(board("-/-/-/-/YYYY", "B..../W..../K..../R..../....."), displays="YKKW")
    function = find_heuristic(state.game, "PLAYOUTS", "ordered")
    out, rng = np.empty(300, dtype=np.int64), rng_for("ordered", seed=1).array
    taken = [state.move_text(int(function(state.record, rng, out))) for _ in range(400)]
    best = max(state.legal_actions(), key=lambda action: int(heuristics.by_paper(state.record, int(action))))
    # 400 draws, 7 in 8 the first and 1 in 8 any of at least 12: 350 expected, standard deviation 7.
    assert taken.count(state.move_text(int(best))) > 300
    assert len(set(taken)) > 3


# --- ours


def outlook(state: State, seat: int = 0) -> float:
    return float(heuristics.EVALUATIONS["outlook"](state.record, seat))


def test_the_outlook_prefers_adjacency_still_to_come() -> None:
    # Two tiles, three points each way round: beside free cells of a common row, or far apart.
    near = table(board(wall=".YR../...../...../...../.....", points=3), displays="KKKK")
    far = table(board(wall="B...W/...../...../...../.....", points=3), displays="KKKK")
    assert outlook(near) > outlook(far)


def test_the_outlook_prefers_columns_and_colours_nearly_done() -> None:
    # The tile of row 4 stands in the column, or on the diagonal, of three others; or elsewhere.
    column = table(board(wall="B..../W..../K..../R..../.....", points=10), displays="KKKK")
    no_column = table(board(wall="B..../W..../K..../....Y/.....", points=10), displays="KKKK")
    colour = table(board(wall="B..../.B.../..B../...B./.....", points=10), displays="KKKK")
    no_colour = table(board(wall="B..../.B.../..B../....Y/.....", points=10), displays="KKKK")
    assert outlook(column) > outlook(no_column)
    assert outlook(colour) > outlook(no_colour)


def test_the_outlook_counts_the_floor_and_the_marker() -> None:
    clean = table(board(wall=FAR_WALL, points=10), displays="KKKK")
    floor = table(board(wall=FAR_WALL, points=10, floor=1), displays="KKKK")
    marker = table(board(wall=FAR_WALL, points=10, floor=1), displays="KKKK", marker=1)
    assert outlook(floor) < outlook(clean)
    assert outlook(marker) > outlook(floor)


def test_with_the_last_tile_taken_a_full_row_leaves_nothing_to_hope_for() -> None:
    # Both have the same points; a begun line is worth nothing when the game ends with this round.
    wall = "BYRK./...../...../...../....."
    begun = table(board("W/-/-/-/BBBB", wall), board(wall=FAR_WALL), displays="-", centre="K", mover=2, marker=2)
    bare = table(board("W/-/-/-/-", wall), board(wall=FAR_WALL), displays="-", centre="K", mover=2, marker=2)
    assert abs(outlook(begun) - outlook(bare)) < 0.02


@pytest.mark.parametrize("name", ["outlook", "paper"])
@pytest.mark.parametrize("spec", SPECS)
def test_evaluations_keep_their_range_and_are_antisymmetric_for_two(spec: str, name: str) -> None:
    found = heuristics_of(load_game(spec), "EVALUATIONS")[name]
    for state in random_states(spec, 40, seed=5):
        values = [float(found(state.record, seat)) for seat in range(state.game.seats)]
        assert all(found.low <= value <= found.high for value in values)
        if len(values) == 2:
            assert values[0] == pytest.approx(-values[1])
        assert sum(value > 0 for value in values) <= 1


# --- equal displays


def fingerprint(state: State) -> int:
    return int(find_heuristic(state.game, "FINGERPRINTS", "default")(state.record))


def test_positions_that_differ_by_the_order_of_displays_are_one() -> None:
    one = table(displays="BBYK RRRR - YYKK", centre="W")
    other = table(displays="- YYKK BBYK - RRRR", centre="W")
    assert one.to_bytes() != other.to_bytes()
    assert fingerprint(one) == fingerprint(other)
    # The same tiles otherwise shared out are another position.
    assert fingerprint(one) != fingerprint(table(displays="BBYK RRRK - YYRK", centre="W"))


def test_fingerprints_tell_positions_apart() -> None:
    for spec in SPECS:
        states = {state.to_bytes(): state for state in random_states(spec, 80, seed=7)}
        for state in list(states.values()):
            for action in state.legal_actions():
                after = state.after(int(action))
                states[after.to_bytes()] = after
        names: dict[int, tuple[object, ...]] = {}
        for state in states.values():
            known = names.setdefault(fingerprint(state), unordered(state))
            assert known == unordered(state)


def unordered(state: State) -> tuple[object, ...]:
    """All that a position is, with its displays in an order of their own."""
    head, *rest = state.text().split(" | ")
    before, _, displays = head.partition(" F=")
    return (before, tuple(sorted(displays.split(","))), *rest)


def test_equal_displays_are_merged_by_the_filter_and_only_there() -> None:
    state = table(displays="BBYK BBYK RRRR BBYK", centre="W")
    actions = state.legal_actions()
    assert len(actions) == 6 * (1 + 3 * 3 + 1)
    n = int(heuristics.keep_distinct(state.record, actions, len(actions)))
    assert {state.move_text(int(action)).split()[0] for action in actions[:n]} == {"centre", "F1", "F3"}
    assert n == 6 * (1 + 3 + 1)
    assert (np.diff(actions[:n]) > 0).all()


def test_the_useful_moves_leave_the_floor_out_where_a_line_is_open() -> None:
    wall = "B..../.B.../..B../...B./....B"
    state = table(board(wall=wall), displays="BBYK BBYK", centre="-")
    actions = state.legal_actions()
    n = int(heuristics.keep_useful(state.record, actions, len(actions)))
    texts = [state.move_text(int(action)) for action in actions[:n]]
    assert [text for text in texts if text.endswith("floor")] == ["F1 blue floor"]
    assert len(texts) == 1 + 5 + 5


@pytest.mark.parametrize("name", ["distinct", "useful"])
def test_filters_keep_a_move_everywhere(name: str) -> None:
    function = find_heuristic(load_game("azul"), "FILTERS", name).function
    for spec in SPECS:
        for state in random_states(spec, 40, seed=9):
            actions = state.legal_actions()
            legal = set(actions.tolist())
            n = int(function(state.record, actions, len(actions)))
            assert n > 0
            assert set(actions[:n].tolist()) <= legal
            assert (np.diff(actions[:n]) > 0).all()


def test_merging_equal_displays_changes_no_value() -> None:
    from meeple.search.alphabeta import AlphaBetaConfig, search

    for state in random_states("azul", 12, seed=11):
        values = [
            search(state, config=AlphaBetaConfig(depth=3, horizon="round", filter=name, table=has_table)).value
            for name, has_table in (("none", False), ("distinct", False), ("none", True), ("distinct", True))
        ]
        assert values == pytest.approx([values[0]] * 4)


# --- presets


def test_every_preset_plays() -> None:
    game = load_game("azul")
    assert set(presets_of(game)) >= {
        f"paper-{name}" for name in ("random", "greedy", "minimax", "mcts", "strategy", "strategy2")
    }
    for name in presets_of(game):
        assert load_agent(name, game) is not None
