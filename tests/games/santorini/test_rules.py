"""Santorini, paragraph by paragraph of the rules: one test each, the position above the assertion.

Levels are drawn as a board: rows from rank 5 down, 4 is a dome.
"""

from __future__ import annotations

import pytest

from meeple import NOBODY, State, load_game
from meeple.core.game import Game


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("santorini")


@pytest.fixture(scope="module")
def finite() -> Game:
    return load_game("santorini:supply=finite")


def at(game: Game, levels: str, first: str, second: str, mover: int = 1) -> State:
    return game.read(f"{''.join(levels.split())}/{mover}/mortal:{first}/mortal:{second}")


def steps(state: State, worker: str) -> set[str]:
    """Where the worker on this cell may step."""
    return {move[3:5] for move in state.legal_moves() if move.startswith(worker)}


def builds(state: State, step: str) -> set[str]:
    """Where it may build after a step such as B3>B4."""
    return {move[6:8] for move in state.legal_moves() if move.startswith(step + "^")}


# --- placement


def test_start_player_places_both_workers_then_the_other_then_the_start_player_moves(game: Game) -> None:
    state = game.new()
    assert state.to_move == 0
    assert len(state.legal_actions()) == 300
    state = state.play("B3,D3")
    assert state.to_move == 1
    assert len(state.legal_actions()) == 253
    state = state.play("C2,C4")
    assert state.to_move == 0
    assert state.text() == "0" * 25 + "/1/mortal:B3,D3/mortal:C4,C2"


def test_workers_are_placed_on_different_free_cells(game: Game) -> None:
    moves = game.new().play("B3,D3").legal_moves()
    assert not any("B3" in move or "D3" in move for move in moves)
    assert len(set(moves)) == len(moves)
    assert all(move[:2] != move[3:] for move in moves)


def test_the_order_of_two_placed_workers_does_not_matter(game: Game) -> None:
    assert game.new().play("D3,B3") == game.new().play("B3,D3")


# --- move


def test_a_worker_steps_to_any_of_eight_neighbours(game: Game) -> None:
    state = at(game, "00000 00000 00000 00000 00000", "C3,A1", "E1,E5")
    assert steps(state, "C3") == {"B4", "C4", "D4", "B3", "D3", "B2", "C2", "D2"}
    assert steps(state, "A1") == {"A2", "B2", "B1"}  # a corner has three


def test_a_worker_does_not_step_onto_a_worker_of_either_side(game: Game) -> None:
    state = at(game, "00000 00000 00000 00000 00000", "C3,B3", "C4,D4")
    assert steps(state, "C3") == {"B4", "D3", "B2", "C2", "D2"}


def test_a_worker_does_not_step_onto_a_dome(game: Game) -> None:
    # B4 and C4 are closed.
    state = at(game, "00000 04400 00000 00000 00000", "C3,A1", "E1,E5")
    assert steps(state, "C3") == {"D4", "B3", "D3", "B2", "C2", "D2"}


@pytest.mark.parametrize(("own", "reachable"), [(0, {0, 1}), (1, {0, 1, 2}), (2, {0, 1, 2, 3})])
def test_a_worker_climbs_one_level_at_most_and_drops_any(game: Game, own: int, reachable: set[int]) -> None:
    # C3 has the level `own`; B4 C4 D4 B3 have 0 1 2 3, and all else around it is closed.
    state = at(game, f"00000 00120 03{own}40 04440 00000", "C3,A1", "E1,E5")
    levels = {"B4": 0, "C4": 1, "D4": 2, "B3": 3}
    assert {levels[cell] for cell in steps(state, "C3")} == reachable


def test_the_same_worker_must_move_before_it_builds(game: Game) -> None:
    state = at(game, "00000 00000 00000 00000 00000", "C3,A1", "E1,E5")
    assert all(">" in move and move[:2] != move[3:5] for move in state.legal_moves())


# --- build


def test_a_build_is_next_to_the_new_cell_and_the_cell_just_left_is_free(game: Game) -> None:
    state = at(game, "00000 00000 00000 00000 00000", "B3,A1", "E1,E5")
    assert builds(state, "B3>B4") == {"A5", "B5", "C5", "A4", "C4", "A3", "B3", "C3"}


def test_a_build_is_not_on_a_worker_nor_on_a_dome(game: Game) -> None:
    # After B3>B4: C4 and A5 hold workers, B5 is a dome.
    state = at(game, "04000 00000 00000 00000 00000", "B3,A5", "E1,C4")
    assert builds(state, "B3>B4") == {"C5", "A4", "A3", "B3", "C3"}


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_a_build_adds_one_level_and_a_dome_on_the_third(game: Game, level: int) -> None:
    # The worker stands low: its own height does not matter.
    state = at(game, f"00000 00{level}00 00000 00000 00000", "B3,A1", "E1,E5")
    after = state.play("B3>B4^C4")
    assert after.text().startswith(f"0000000{level + 1}")


# --- win and loss


def test_stepping_up_to_level_three_wins_at_once(game: Game) -> None:
    # C3 is on level 2, C4 on 3.
    state = at(game, "00000 00300 00200 00000 00000", "C3,A1", "E1,E5")
    assert [move for move in state.legal_moves() if "C4" in move[3:5]] == ["C3>C4#"]
    after = state.play("C3>C4#")
    assert after.to_move == NOBODY
    assert after.returns() == [1.0, -1.0]
    assert after.text() == "0000000300002000000000000/2/#mortal:C4,A1/mortal:E5,E1"


def test_standing_on_level_three_or_stepping_between_thirds_is_no_win(game: Game) -> None:
    # Cannot come about in the base game; a typed-in position may hold it (RULING 1).
    state = at(game, "00000 00300 00300 00000 00000", "C3,A1", "E1,E5")
    assert state.to_move == 0
    assert any(move.startswith("C3>C4") for move in state.legal_moves())


def test_who_cannot_move_loses(game: Game) -> None:
    # Seat 2 sits in the corner E1 and on E2, walled in by domes once D3 is closed.
    state = at(game, "00000 00000 00034 00040 00040", "C4,A5", "E1,E2")
    assert steps(state.play("A5>A4^A5"), "E2") == set()
    after = at(game, "00000 00000 00034 00040 00040", "C4,A5", "E1,E2").play("C4>C3^D3")
    assert after.is_over
    assert after.ranks() == [1, 2]


def test_if_one_worker_is_stuck_the_other_must_be_used(game: Game) -> None:
    # A5 is walled in by domes; only E5 moves.
    state = at(game, "04000 44000 00000 00000 00000", "A5,E5", "C3,D3")
    assert {move[:2] for move in state.legal_moves()} == {"E5"}


def test_every_turn_adds_a_piece_so_a_game_is_short(game: Game) -> None:
    assert game.facts.longest == 102  # two placements and a hundred builds


# --- supply


def test_supply_is_unlimited_by_default(game: Game) -> None:
    # 23 cells have a first block already: one more than the box holds.
    state = at(game, "11111 11111 11111 11111 11100", "A5,B5", "A1,B1")
    assert state.is_over is False
    assert any(
        move.endswith("^D1") for move in at(game, "11111 11111 11111 11111 11100", "A1,C1", "A5,B5").legal_moves()
    )


def test_finite_supply_forbids_a_build_whose_piece_is_gone(finite: Game) -> None:
    # 22 first blocks are built: C1, D1 and E1 can get none.
    state = at(finite, "11111 11111 11111 11111 11000", "C2,A5", "E5,E4")
    assert builds(state, "C2>D2") & {"C1", "D1", "E1"} == set()
    assert builds(state, "C2>D2") == {"C3", "D3", "E3", "C2", "E2"}


def test_finite_supply_may_leave_a_step_without_a_build(finite: Game) -> None:
    # All 22 first blocks are used, and around the corner E1 there is nothing but bare ground and domes:
    # a step there builds nothing, so it is no turn.
    state = at(finite, "11111 01111 11111 11144 11400", "D1,A5", "C5,D5")
    assert steps(state, "D1") == {"C2"}
    assert "E1" in steps(at(load_game("santorini"), "11111 01111 11111 11144 11400", "D1,A5", "C5,D5"), "D1")


def test_finite_supply_counts_the_box(finite: Game) -> None:
    from meeple.games.santorini.rules import SUPPLY

    assert SUPPLY[1:].tolist() == [22, 18, 14, 18]
    assert finite.spec == "santorini:supply=finite"


# --- symmetry, drawn from the definition of the board


def test_turned_positions_have_turned_counts(game: Game) -> None:
    from meeple.core.count import count_leaves

    levels = "01220 01332 01210 01122 00100"
    turned = "".join("".join(levels.split())[5 * (4 - i % 5) + i // 5] for i in range(25))
    names = [f"{c}{r}" for r in "54321" for c in "ABCDE"]

    def turn(cells: str) -> str:
        spots = [names.index(cell) for cell in cells.split(",")]
        return ",".join(names[next(i for i in range(25) if 5 * (4 - i % 5) + i // 5 == spot)] for spot in spots)

    one = at(game, levels, "B4,C3", "D2,E4")
    other = at(game, turned, turn("B4,C3"), turn("D2,E4"))
    for depth in (1, 2, 3):
        assert count_leaves(one, depth) == count_leaves(other, depth)


# --- notation


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (
            "0000000000000000000000000/1/mortal:C2,C4/mortal:3,0",
            "0000000000000000000000000/1/mortal:C4,C2/mortal:A5,D5",
        ),
        (
            "0000000300002000000000000/2/mortal#:C4,A1/mortal:E5,E1",
            "0000000300002000000000000/2/#mortal:C4,A1/mortal:E5,E1",
        ),
        ("0000000000000000000000000/2/mortal:B3,D3/mortal", "0000000000000000000000000/2/mortal:B3,D3/mortal"),
    ],
)
def test_positions_are_read_in_every_spelling(game: Game, text: str, written: str) -> None:
    assert game.read(text).text() == written


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "is no position of santorini; one reads like"),
        ("0" * 25 + "/1/athena:B3,D3/mortal", "god powers are not played yet"),
        ("0" * 25 + "/1/mortal:B3,F3/mortal", "'F3' is no cell"),
        ("0" * 25 + "/1/mortal:B3,B3/mortal:C2,C4", "both workers on one cell"),
        ("0" * 25 + "/1/mortal:B3,D3/mortal:B3,C4", "alone on its cell"),
        ("4" + "0" * 24 + "/1/mortal:A5,D3/mortal:C2,C4", "on no dome"),
    ],
)
def test_wrong_positions_say_what_is_wrong(game: Game, text: str, message: str) -> None:
    from meeple.errors import NotationError

    with pytest.raises(NotationError, match=message):
        game.read(text)
