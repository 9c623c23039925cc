"""The duel, paragraph by paragraph of the rules: one test each, named for it, the position above the assertion.

Positions are written by `at`: tiles as row,column:tile (f: turned), cards by name; what a hand lacks to seven is
filled up with cards that nobody else has, so that a test names only what it needs.
"""

from __future__ import annotations

from collections import Counter

import pytest

from meeple import CHANCE, HIDDEN, NOBODY, Match, State, load_game
from meeple.core.chance import rng_for
from meeple.games.saboteur_duel import layout
from meeple.games.saboteur_duel.notation import NAMES, kinds_of
from meeple.games.tunnels import COPIES, CROSS, SIDES, UPRIGHT, turned

GAME = load_game("saboteur-duel")
DEATHS = "1,2,3,4,11,12,13"  # seven dead ends, to fill a hand with


def at(
    board: str = "-",
    hand: str = DEATHS,
    other: str = "14,15,bonus,bonus,bonus,map,map",
    *,
    turn: str = "turn 1",
    nugget: str = "left",
    shown: str = "-",
    looked: str = "-|-",
    malus: str = "0,0",
    drops: str = "-|-",
    gone: str = "-",
    deck: str = "55",
) -> State:
    text = f"{turn} board={board} nugget={nugget} shown={shown} looked={looked} malus={malus}"
    return load_game(f"saboteur-duel:deck={deck}").read(f"{text} hands={hand}|{other} drops={drops} gone={gone} win=-")


def places(state: State, tile: str) -> set[str]:
    """Where the seat to move may place a tile."""
    return {move.split(" at ")[1] for move in state.legal_moves() if move.startswith(f"path {tile} at ")}


def rest(*taken: str) -> str:
    """All other cards, to be gone, so that the deck is empty."""
    left = [int(n) for n in layout.CARDS]
    for part in taken:
        for name in [] if part == "-" else part.split(","):
            left[NAMES.index(name)] -= 1
    return ",".join(NAMES[kind] for kind in range(len(left)) for _ in range(left[kind])) or "-"


# --- A2: the board


def test_the_board_has_14_rows_and_columns_with_entrance_and_objectives() -> None:
    # RULING 1: 14 x 14. A tile reaches rows and columns 0 and 13, and nothing beyond.
    north = at("4,5:0;3,5:0;2,5:0;1,5:0", "8,8,8,8,8,9,9")
    assert "0,5" in places(north, "8")
    top = at("4,5:0;3,5:0;2,5:0;1,5:0;0,5:8", "9,9,9,9,6,6,6")
    assert not any(place.startswith("-1") for place in places(top, "9"))
    west = at("5,4:10;5,3:10;5,2:10;5,1:9;5,0:8", "8,8,8,8,9,6,6")
    assert places(west, "8") >= {"4,0", "6,0"}
    assert not any(place.endswith(",-1") or place.endswith(",15") for place in places(west, "8"))
    assert int(GAME.new().record.cell[layout.ENTRANCE]) == -1 - CROSS
    assert [(int(cell) // 16 - 1, int(cell) % 16) for cell in layout.OBJECTIVES] == [(12, 3), (12, 5), (12, 7)]
    assert layout.ENTRANCE == 16 * 6 + 5


def test_entrance_and_objectives_cannot_be_destroyed() -> None:
    state = at("6,5:0", "destroy,1,2,3,4,11,12")
    assert [move for move in state.legal_moves() if move.startswith("destroy")] == ["destroy 6,5"]


# --- A3: the cards


def test_the_deck_has_55_cards() -> None:
    cards = Counter(kinds_of(int(GAME.new().record.deck)))
    assert sum(cards.values()) == 55
    assert [cards[tile] for tile in range(16)] == [4, 1, 1, 1, 1, 4, 5, 5, 5, 5, 3, 1, 1, 1, 1, 1]
    assert (cards[layout.MAP_CARD], cards[layout.BONUS_CARD]) == (6, 4)
    assert (cards[layout.DESTROY_CARD], cards[layout.MALUS_CARD]) == (3, 2)
    assert sum(COPIES) == 40


def test_the_earlier_deck_has_53_with_four_maps() -> None:
    cards = Counter(kinds_of(int(load_game("saboteur-duel:deck=53").new().record.deck)))
    assert sum(cards.values()) == 53
    assert cards[layout.MAP_CARD] == 4


def test_31_tiles_connect_their_sides_and_9_are_dead_ends() -> None:
    joins = [shape & 16 and (shape & 15).bit_count() > 1 for shape in UPRIGHT]
    assert sum(n for n, join in zip(COPIES, joins, strict=True) if join) == 31
    assert [tile for tile in range(16) if not joins[tile]] == [1, 2, 3, 4, 11, 12, 13, 14, 15]


def test_six_tiles_look_the_same_turned_and_ten_do_not() -> None:
    same = [tile for tile, shape in enumerate(UPRIGHT) if turned(shape) == shape]
    assert same == [0, 1, 8, 10, 13, 15]
    flips = {2: "NSW-", 3: "SW-", 4: "W", 5: "NW", 6: "NES", 7: "SW", 9: "NEW", 11: "NEW-", 12: "S", 14: "ES-"}
    for tile, sides in flips.items():
        expected = sum(1 << "NESW".index(side) for side in sides.strip("-"))
        assert turned(UPRIGHT[tile]) & 15 == expected
        assert SIDES[tile].endswith("-") == sides.endswith("-")


def test_tiles_are_never_laid_sideways() -> None:
    # A vertical passage does not fit beside the entrance, a horizontal one not below it.
    state = at("-", "0,10,1,2,3,4,11")
    assert places(state, "0") == {"4,5", "6,5"}
    assert places(state, "10") == {"5,4", "5,6"}


# --- A4: setup


def test_seven_cards_each_are_dealt_by_turns_and_41_remain() -> None:
    state = GAME.new(seed=5)
    assert state.to_move == CHANCE
    assert state.outcomes() == {0: 1, 1: 1, 2: 1}
    state = state.after(1)
    for number in range(14):
        assert state.to_move == CHANCE
        assert int(state.record.seat) == number % 2
        state = state.after(state.fated_outcome())
    assert state.to_move == 0  # RULING 2: the player whom the logs call 1 is our first seat
    assert int(state.record.left) == 41
    assert list(state.record.n_hand) == [7, 7]
    assert list(state.record.malus) == [0, 0]


# --- A5: a turn


def test_a_turn_is_a_card_then_a_draw_then_the_other_seat() -> None:
    state = at().play("drop 1")
    assert state.to_move == CHANCE
    assert int(state.record.n_hand[0]) == 6
    state = state.after(state.fated_outcome())
    assert state.to_move == 1
    assert int(state.record.n_hand[0]) == 7


def test_nothing_is_drawn_from_an_empty_deck() -> None:
    hand, other = "1,2", "3,4"
    state = at("-", hand, other, gone=rest(hand, other))
    assert int(state.record.left) == 0
    assert state.play("drop 1").to_move == 1


def test_there_is_no_passing() -> None:
    # Dead ends that fit nowhere but beside the entrance: all that is left is placing or dropping.
    kinds = {move.split()[0] for move in at().legal_moves()}
    assert kinds == {"path", "drop"}


def test_a_bonus_needs_a_malus_and_removes_one() -> None:
    assert "bonus" not in at("-", "bonus,1,2,3,4,11,12").legal_moves()
    state = at("-", "bonus,1,2,3,4,11,12", malus="2,0", gone="malus,malus")
    assert list(state.play("bonus").record.malus) == [1, 0]


def test_a_malus_is_always_allowed_and_they_add_up() -> None:
    state = at("-", "malus,malus,1,2,3,4,11").play("malus")
    assert list(state.record.malus) == [0, 1]
    again = at("-", "malus,1,2,3,4,11,12", malus="0,1", gone="malus").play("malus")
    assert list(again.record.malus) == [0, 2]


def test_a_malus_stops_tiles_and_nothing_else() -> None:
    state = at("6,5:8", "bonus,malus,map,destroy,8,9,0", malus="1,0", gone="malus")
    assert {move.split()[0] for move in state.legal_moves()} == {"bonus", "malus", "map", "destroy", "drop"}


def test_a_map_tells_the_player_alone() -> None:
    state = at("-", "map,1,2,3,4,11,12", nugget="middle").play("map middle")
    assert "nugget=middle" in state.text(0)
    assert "nugget=?" in state.text(1)
    assert "looked=middle|-" in state.text(1)  # that it was used there is seen
    assert "looked=middle|-" in state.text(NOBODY)
    assert "nugget=?" in state.text(NOBODY)


def test_a_map_is_open_as_a_move() -> None:
    state = at("-", "map,1,2,3,4,11,12")
    assert state.seen(layout.MAP + 2, 1) == layout.MAP + 2


def test_a_map_may_not_aim_at_a_revealed_objective_but_at_a_known_one() -> None:
    # RULING 7: looking again is allowed.
    state = at("-", "map,1,2,3,4,11,12", shown="right", looked="left|-")
    assert [move for move in state.legal_moves() if move.startswith("map")] == ["map left", "map middle"]


def test_a_destroyed_tile_leaves_an_empty_cell_and_the_game() -> None:
    state = at("6,5:8", "destroy,1,2,3,4,11,12").play("destroy 6,5")
    assert "board=- " in state.text()
    assert "gone=8,destroy" in state.text()
    state = state.after(state.fated_outcome())
    assert (
        Counter(kinds_of(int(state.record.deck)))[8]
        + sum(Counter(kinds_of(int(hand)))[8] for hand in state.record.hand)
        == 4
    )


def test_any_card_may_be_dropped_and_others_do_not_see_which() -> None:
    state = at("-", "map,bonus,destroy,malus,8,9,0")
    drops = {move for move in state.legal_moves() if move.startswith("drop")}
    assert drops == {"drop map", "drop bonus", "drop destroy", "drop malus", "drop 8", "drop 9", "drop 0"}
    code = state.read_move("drop map")
    assert (state.seen(code, 0), state.seen(code, 1), state.seen(code, NOBODY)) == (code, HIDDEN, HIDDEN)
    after = state.play("drop map")
    assert "drops=map|-" in after.text(0)
    assert "drops=?|-" in after.text(1)


def test_an_own_draw_is_seen_and_the_rivals_is_not() -> None:
    state = at().play("drop 1")
    code = state.fated_outcome()
    assert (state.seen(code, 0), state.seen(code, 1), state.seen(code, NOBODY)) == (code, HIDDEN, HIDDEN)


# --- A6: placing a tile


def test_a_tile_goes_to_an_empty_cell_only() -> None:
    state = at("6,5:8", "8,8,9,1,2,3,4")
    assert "6,5" not in places(state, "8")
    assert "5,5" not in places(state, "8")


def test_shared_sides_must_agree() -> None:
    # Below the entrance (5,5) lies a passage 6,5:0; beside it, at 6,6 and 6,4, its walls ask for walls.
    state = at("6,5:0;5,6:9", "0,7,9,8,1,2,3")
    assert "6,6" in places(state, "0")  # open to 5,6 above, walls to both sides
    assert "6,6" not in places(state, "8")


def test_one_shared_side_must_be_open() -> None:
    # 6,6 has the passage 6,5:0 to the west, a wall: touching it is not enough.
    state = at("6,5:0", "0,10,8,1,2,3,4")
    assert "6,6" not in places(state, "0") | places(state, "10") | places(state, "8")


def test_an_unrevealed_objective_asks_for_nothing_and_joins_nothing() -> None:
    # A tunnel down column 4 to row 11; then 12,4 lies between two face-down objectives.
    board = "6,5:5f;6,4:5;7,4:0;8,4:0;9,4:0;10,4:6;11,4:8"
    state = at(board, "0,10,8,9,1,2,3")
    assert {"12,4", "11,3", "11,5"} <= places(state, "8")
    assert "12,4" in places(state, "0")  # walls towards both objectives
    assert "12,2" not in places(state, "8")  # only the face-down objective is beside it


def test_a_mismatch_with_an_objective_stays_when_it_is_revealed() -> None:
    # 12,4 is a passage with walls to both objectives; the left one is then reached from 11,3.
    board = "6,5:5f;6,4:5;7,4:0;8,4:0;9,4:0;10,4:6;11,4:8;12,4:0"
    state = at(board, "9,8,1,2,3,11,13", nugget="right").play("path 9 at 11,3")
    assert "shown=left" in state.text()
    assert "12,4:0" in state.text()
    state = state.after(state.fated_outcome())
    # New tiles must fit the revealed cross: 13,3 and 12,2 may be built from it.
    state = at(board + ";11,3:9", "8,8,1,2,3,12,13", nugget="right", shown="left")
    assert {"13,3", "12,2"} <= places(state, "8")
    assert "12,2" not in places(state, "12")  # a wall towards it


def test_no_connection_to_the_entrance_is_needed() -> None:
    # 7,5 was cut off by a Destroy at 6,5; play may go on from it, and from a dead end's opening.
    cut_off = at("7,5:8", "8,8,0,10,1,2,3", gone="8,destroy")
    assert {"8,5", "7,4", "7,6", "6,5"} <= places(cut_off, "8")
    dead_end = at("6,5:13", "8,8,0,10,1,2,3")
    assert {"7,5", "6,4", "6,6"} <= places(dead_end, "8")


# --- A7: revealing and winning

# A tunnel from the entrance straight down to row 10; 11,5 is missing.
DOWN = "6,5:0;7,5:0;8,5:0;9,5:8;10,5:8"


def test_reaching_the_nugget_wins_for_the_mover() -> None:
    state = at(DOWN, "8,1,2,3,4,11,12", nugget="middle").play("path 8 at 11,5")
    state = state.after(state.fated_outcome())
    assert state.is_over
    assert state.win_shares() == [1.0, 0.0]
    assert state.ranks() == [1, 2]
    assert state.score(0) == 1


def test_reaching_another_objective_reveals_it_to_both_for_good() -> None:
    state = at(DOWN, "8,destroy,2,3,4,11,12", nugget="right").play("path 8 at 11,5")
    assert "shown=middle" in state.text(1)
    state = at(DOWN + ";11,5:8", "destroy,1,2,3,4,11,12", nugget="right", shown="middle").play("destroy 11,5")
    assert "shown=middle" in state.text()


def test_several_objectives_may_be_revealed_at_once() -> None:
    # 12,4 joins left and middle; the tunnel comes down column 4, the left and middle objectives are crosses.
    board = "6,5:5f;6,4:5;7,4:0;8,4:0;9,4:0;10,4:6;11,4:6f"
    state = at(board, "8,8,1,2,3,12,13", nugget="right").play("path 8 at 12,4")
    assert "shown=left+middle " in state.text()
    assert not state.after(state.fated_outcome()).is_over


def test_an_unrevealed_objective_takes_part_as_an_open_cross() -> None:
    # 12,4 and 12,6 lie already; reaching the middle from 11,5 leads on through it to left and right at once.
    board = DOWN + ";12,4:10;12,6:10"
    state = at(board, "8,8,1,2,3,12,13", nugget="left").play("path 8 at 11,5")
    assert "shown=left+middle+right" in state.text()
    assert state.after(state.fated_outcome()).win_shares() == [1.0, 0.0]


def test_a_blocked_tile_does_not_reach() -> None:
    state = at(DOWN, "13,1,2,3,4,11,12", nugget="middle").play("path 13 at 11,5")
    assert "shown=-" in state.text()
    assert not state.after(state.fated_outcome()).is_over


def test_a_tunnel_that_does_not_come_from_the_entrance_does_not_reach() -> None:
    state = at("7,5:0;8,5:0;9,5:8;10,5:8", "8,1,2,3,4,11,12", nugget="middle", gone="0,destroy")
    assert "shown=-" in state.play("path 8 at 11,5").text()


def test_the_one_who_joins_the_pieces_wins() -> None:
    state = at("7,5:0;8,5:0;9,5:8;10,5:8;11,5:8", "0,1,2,3,4,11,12", nugget="middle", gone="destroy")
    assert state.play("path 0 at 6,5").after(state.play("path 0 at 6,5").fated_outcome()).win_shares() == [1.0, 0.0]


def test_when_all_cards_are_gone_it_is_a_draw() -> None:
    state = at("-", "1", "2", gone=rest("1", "2")).play("drop 1").play("drop 2")
    assert state.is_over
    assert state.win_shares() == [0.5, 0.5]
    assert state.ranks() == [1, 1]


def test_a_win_with_the_last_card_counts() -> None:
    gone = rest("8", "2", "0,0,0,8,8")
    state = at(DOWN, "8", "2", nugget="middle", gone=gone).play("path 8 at 11,5")
    assert state.is_over
    assert state.win_shares() == [1.0, 0.0]


def test_there_are_55_plies_at_most_28_and_27() -> None:
    match, rng = Match(GAME, seed=11), rng_for("duel-plies", seed=11)
    while not match.is_over:
        drops = [action for action in match.state.offer() if action >= layout.DROP]
        match.play(rng.choice(drops))
    assert match.ply == 55
    movers = [step.seat for step in match.steps if step.seat is not None]
    assert (movers.count(0), movers.count(1)) == (28, 27)
    assert len(match.steps) == GAME.facts.longest


# --- A8: the course's random player


def test_the_courses_list_repeats_cards_and_neighbours() -> None:
    from meeple.games.saboteur_duel.heuristics import course_weight

    # Two tiles 8 in hand; 6,6 has two occupied neighbours (5,6 and 6,5), 7,5 one.
    state = at("6,5:8;5,6:8", "8,8,0,map,map,1,2")
    weights = {state.move_text(a): int(course_weight(state.record, a)) for a in state.offer()}
    assert weights["path 8 at 6,6"] == 4
    assert weights["path 8 at 7,5"] == 2
    assert weights["path 0 at 7,5"] == 1
    assert (weights["map left"], weights["drop map"], weights["drop 0"]) == (2, 2, 1)
    # 11,4 lies beside nothing but counts the face-down objectives below where there is one.
    near = at("6,5:5f;6,4:5;7,4:0;8,4:0;9,4:0;10,4:6;11,4:8", "8,0,1,2,3,9,9")
    weights = {near.move_text(a): int(course_weight(near.record, a)) for a in near.offer()}
    assert weights["path 8 at 12,4"] == 3
    assert weights["path 8 at 11,5"] == 2


def test_random_against_random_is_almost_always_a_draw() -> None:
    # Published: 397 draws of 400. With 400 games at 0.9925, fewer than 385 come up once in ten million runs.
    draws, listed, turns = play_by_policy(400, "random-course")
    assert draws >= 385
    assert 33 < listed / turns < 39  # about 36 listed moves a turn


def play_by_policy(games: int, name: str) -> tuple[int, int, int]:
    from meeple.core.heuristics import find_heuristic
    from meeple.games.saboteur_duel.heuristics import course_weight
    from meeple.search.policy import decide

    draws = listed = turns = 0
    assert find_heuristic(GAME, "PLAYOUTS", name)
    for seed in range(games):
        state, rng = GAME.new(seed=seed).settled(), rng_for("duel-policy", seed=seed)
        while not state.is_over:
            if seed < 20:
                listed += sum(int(course_weight(state.record, action)) for action in state.offer())
                turns += 1
            state = state.after(decide(state, name=name, rng=rng)).settled()
        draws += state.win_shares() == [0.5, 0.5]
    return draws, listed, turns


# --- the layout


def test_the_bound_on_a_list_leaves_room() -> None:
    most = 0
    for seed in range(40):
        state, rng = GAME.new(seed=seed).settled(), rng_for("duel-bound", seed=seed)
        while not state.is_over:
            offer = state.offer()
            most = max(most, len(offer))
            state = state.after(rng.choice(offer)).settled()
    assert 60 < most < layout.MAX_ACTIONS


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"board": "6,5:8;6,5:9"}, "lies there already"),
        ({"board": "6,15:8"}, "no tile on the board"),
        ({"board": "6,5:8f"}, "no tile on the board"),
        ({"hand": "1,1,2,3,4,11,12"}, "more cards '1' than the deck has"),
        ({"hand": "99,1,2,3,4,11,12"}, "'99' is no card"),
        ({"hand": "1,2"}, "a hand must hold seven cards"),
        ({"shown": "top"}, "no objective"),
        ({"looked": "left"}, "not what two seats have looked at"),
        ({"board": DOWN + ";11,5:8", "nugget": "left"}, "the objectives reached must be revealed"),
        ({"shown": "left"}, "a revealed nugget must have made somebody win"),
    ],
)
def test_bad_positions_are_refused_with_the_reason(change: dict[str, str], message: str) -> None:
    from meeple.errors import NotationError

    with pytest.raises(NotationError, match=message):
        at(**change)  # type: ignore[arg-type]
