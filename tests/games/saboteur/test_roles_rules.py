"""Saboteur, paragraph by paragraph of the rules: one test each, named for it, the position above the assertion.

Positions are written by `at`: tunnels as x,y:card (f: turned), x to the east and y to the south of the start.
"""

from __future__ import annotations

from collections import Counter
from math import comb

import numpy as np
import pytest

from meeple import CHANCE, HIDDEN, NOBODY, Match, State, load_game
from meeple.core.chance import rng_for
from meeple.errors import NotationError
from meeple.games.saboteur import board, layout, rounds
from meeple.games.saboteur.notation import KINDS, SHORT, cells_of, kinds_of
from meeple.games.tunnels import COPIES

DEATHS = "1,2,3,4,11,12"
ROLES = {3: "mms", 4: "mmms", 5: "mmmss", 6: "mmmmss", 7: "mmmmsss", 8: "mmmmmsss", 9: "mmmmmmsss", 10: "mmmmmmssss"}


def at(
    phase: str = "turn 1",
    *,
    players: int = 3,
    lap: int = 1,
    roles: str = "",
    goals: str = "t,e,w",
    table: str = "-",
    looked: str = "",
    broken: str = "",
    hands: str = "",
    passed: str = "",
    gone: str = "-",
    won: str = "---",
    were: str = "0/0/0",
    took: str = "-/-/-",
    offer: str = "-",
    paid: str = "-/-/-",
    style: str = "curves",
    gold: str = "players",
    step: int = 0,
    last: int = 1,
) -> State:
    none = ",".join(["0"] * players)
    hands = hands or "|".join([DEATHS, *["-"] * (players - 1)])
    passed = passed or "|".join(["-"] * players)
    game = load_game(f"saboteur:players={players},goals={style},gold={gold}")
    return game.read(
        f"{phase} round={lap} step={step} last={last} roles={roles or ROLES[players]} goals={goals} table={table}"
        f" looked={looked or none} broken={broken or none} hands={hands} passed={passed} gone={gone} won={won}"
        f" were={were} took={took} offer={offer} paid={paid} back=- bared={none}"
    )


def rest(*taken: str) -> str:
    """All other cards, to be gone."""
    left = list(layout.ALL)
    for part in taken:
        for name in [] if part == "-" else part.split(","):
            left[SHORT.index(name)] -= 1
    return ",".join(SHORT[kind] for kind in range(len(left)) for _ in range(left[kind])) or "-"


def places(state: State, card: str) -> set[str]:
    return {move.split(" at ")[1] for move in state.legal_moves() if move.startswith(f"path {card} at ")}


def verbs(state: State) -> set[str]:
    return {move.split()[0] for move in state.legal_moves()}


# --- B1: the cards


def test_there_are_110_cards() -> None:
    state = load_game("saboteur:players=3").new()
    cards = Counter(KINDS[kind] for kind in kinds_of(int(state.record.pile)))
    assert sum(cards.values()) == 67
    assert sum(cards[f"path {tile}"] for tile in range(16)) == 40
    assert [cards[f"path {tile}"] for tile in range(16)] == list(COPIES)
    assert [cards[f"break {tool}"] for tool in ("pickaxe", "lantern", "cart")] == [3, 3, 3]
    assert [cards[f"repair {tool}"] for tool in ("pickaxe", "lantern", "cart")] == [2, 2, 2]
    assert [cards[f"repair {pair}"] for pair in ("pickaxe/lantern", "pickaxe/cart", "lantern/cart")] == [1, 1, 1]
    assert (cards["rockfall"], cards["map"]) == (3, 6)
    assert layout.BANK.tolist() == [16, 8, 4]
    assert sum((value + 1) * int(n) for value, n in enumerate(layout.BANK)) == 44
    assert 1 + 3 + 67 + int(layout.BANK.sum()) + 7 + 4 == 110


# --- B2: players, roles, hands


@pytest.mark.parametrize(
    ("players", "saboteurs", "miners", "hand", "fewer"),
    [
        (3, 1, 3, 6, (1, 4)),
        (4, 1, 4, 6, (1, 5)),
        (5, 2, 4, 6, (1, 3)),
        (6, 2, 5, 5, (2, 7)),
        (7, 3, 5, 5, (3, 8)),
        (8, 3, 6, 4, (1, 3)),
        (9, 3, 7, 4, (3, 10)),
        (10, 4, 7, 4, (4, 11)),
    ],
)
def test_roles_and_hands_by_players(
    players: int, saboteurs: int, miners: int, hand: int, fewer: tuple[int, int]
) -> None:
    state = load_game(f"saboteur:players={players}").new(seed=players)
    assert saboteurs + miners == players + 1
    state = state.after(state.fated_outcome())
    assert state.outcomes() == {0: miners, 1: saboteurs}
    state = state.settled()
    assert list(state.record.n_hand[:players]) == [hand] * players
    assert int(state.record.left) == 67 - players * hand
    assert int(state.record.saboteurs).bit_count() in (saboteurs - 1, saboteurs)
    # The chance of one fewer: that the card laid aside is a saboteur.
    assert comb(players, saboteurs - 1) * fewer[1] == comb(players + 1, saboteurs) * fewer[0]


# --- B3: setup


def test_a_seat_knows_its_own_role_only() -> None:
    state = at(roles="msm", players=3)
    assert "roles=m?? " in state.text(0)
    assert "roles=?s? " in state.text(1)
    assert "roles=??? " in state.text(NOBODY)


def test_start_and_goals_lie_nine_columns_apart() -> None:
    # Seven free cells between the start and the middle goal: seven straight cards reach it.
    assert [(int(c) % 32, (int(c) // 32 + 16) % 32 - 16) for c in layout.GOAL_CELLS] == [(8, -2), (8, 0), (8, 2)]
    row = ";".join(f"{x},0:{card}" for x, card in zip(range(1, 7), (10, 10, 10, 8, 8, 8), strict=True))
    state = at(table=row, hands="8,1,2,3,4,11|-|-", goals="e,t,w").play("path 8 at 7,0")
    assert state.record.outcome_of[0] == 1


def test_the_tunnel_may_leave_the_rectangle_in_any_direction() -> None:
    # RULING 3.
    state = at(table="-1,0:8;0,-1:0;0,-2:0;0,-3:8", hands="8,8,1,2,3,4|-|-")
    assert {"-2,0", "0,-4", "-1,-3", "-1,1"} <= places(state, "8")


# --- B4: a turn


def test_a_turn_is_a_card_then_a_draw() -> None:
    state = at().play("pass path 1")
    assert state.to_move == CHANCE
    state = state.after(state.fated_outcome())
    assert int(state.record.n_hand[0]) == 6


def test_a_broken_tool_stops_tunnels_and_nothing_else() -> None:
    state = at(table="1,0:8", broken="2,0,0", hands="8,map,rock,bp,rl,9|-|-")
    assert verbs(state) == {"map", "rockfall", "break", "repair", "pass"}


def test_passing_discards_face_down() -> None:
    state = at(hands="8,9|-|-")
    code = state.read_move("pass path 8")
    assert [state.seen(code, seat) for seat in (0, 1, NOBODY)] == [code, HIDDEN, HIDDEN]
    after = state.play("pass path 8")
    assert "passed=8|-|-" in after.text(0)
    assert "passed=?|-|-" in after.text(1)


def test_a_seat_without_cards_is_skipped() -> None:
    hands = "1|-|2"
    state = at(hands=hands, gone=rest("1,2")).play("pass path 1")
    assert state.to_move == 2


# --- B5: tunnels


def test_sides_must_agree_with_each_face_up_neighbour() -> None:
    state = at(table="1,0:8;1,1:0", hands="8,0,10,9,6,7|-|-")
    assert "0,1" not in places(state, "8")  # 1,1:0 has a wall to the west
    assert "0,1" in places(state, "0")


def test_a_card_must_be_joined_to_the_start() -> None:
    # RULING 2. 2,0 was cut off by a rockfall at 1,0: nothing may go on from it but by joining it again.
    state = at(table="2,0:8", hands="8,8,10,9,6,7|-|-", gone="10,rock")
    assert "3,0" not in places(state, "8")
    assert "1,0" in places(state, "8")


def test_dead_ends_cannot_be_continued() -> None:
    state = at(table="1,0:13", hands="8,8,10,9,6,7|-|-")
    assert not {"2,0", "1,1", "1,-1"} & places(state, "8")


def test_face_down_goals_need_not_match_and_cannot_be_built_from() -> None:
    # RULING 4: a wall towards a face-down goal is allowed and does not turn it.
    row = "1,0:10;2,0:10;3,0:10;4,0:8;5,0:8;6,0:8;7,0:9"
    state = at(table="1,0:10;2,0:10;3,0:10;4,0:8;5,0:8;6,0:8", hands="5,0,6,9|-|-", goals="e,w,t")
    after = state.play("path 6 at 7,0")  # N, S, W: a wall to the goal in the east
    assert int(after.record.shown) == 0
    assert "8,1" not in places(at(table=row.replace("7,0:9", "7,0:6"), hands="8,8|-|-", goals="e,w,t"), "8")


ROW = "1,0:10;2,0:10;3,0:10;4,0:8;5,0:8;6,0:8"  # to one card before the middle goal


def test_a_stone_turns_so_that_its_curve_joins() -> None:
    # RULING 10. Entered from the west: NW lies upright, NE is turned to SW.
    upright = at(table=ROW, hands="9,1|-|-", goals="t,w,e").play("path 9 at 7,0")
    assert "goals=?,w!,?" in upright.text(1)
    turned = at(table=ROW, hands="9,1|-|-", goals="t,e,w").play("path 9 at 7,0")
    assert "goals=?,e!f,?" in turned.text(1)
    # SW now opens to the south of the goal: a card may go on from it.
    assert board.has_cell(turned.record.frontier, np.int64(32 + 8))


def test_a_turned_stone_may_mismatch_but_later_cards_must_fit() -> None:
    # 8,-1 was cut off by rockfalls and opens to the south; the stone below it, entered from the west, lies SW: a wall.
    state = at(table=ROW + ";8,-1:0", hands="9,1|-|-", goals="t,e,w", gone="rock").play("path 9 at 7,0")
    assert "goals=?,e!f,?" in state.text(1)
    assert "8,-1:0" in state.text(1)
    later = at(table=ROW + ";7,0:9;8,-1:0", hands="8,0,12|-|-", goals="t,e!f,w", gone="rock")
    assert "8,1" in places(later, "8")  # on from the stone's opening to the south
    assert "8,1" not in places(later, "12f")
    assert "9,0" not in places(later, "8")  # the stone has a wall there


def test_one_card_may_turn_two_goals() -> None:
    # 8,1 lies between the middle and the right goal; the tunnel comes along row 1.
    table = "0,1:7;1,1:10;2,1:10;3,1:10;4,1:9f;5,1:9f;6,1:9f;7,1:9f"
    state = at(table=table, hands="8,1|-|-", goals="t,e,w").play("path 8 at 8,1")
    assert int(state.record.shown) == 0b110


def test_reaching_the_treasure_ends_the_round_for_the_miners() -> None:
    state = at(table=ROW, hands="8,1|-|-", goals="e,t,w").play("path 8 at 7,0")
    assert list(state.record.outcome_of) == [1, 0, 0]
    assert "roles=mms" in state.text(NOBODY)


def test_a_stone_reached_from_two_sides_turns_to_the_card_just_placed() -> None:
    # RULING 14. The middle goal is reached from 7,0 (west); that is the card just placed.
    state = at(table=ROW, hands="9,1|-|-", goals="t,w,e").play("path 9 at 7,0")
    shape = int(board.shape_at(state.record, int(layout.GOAL_CELLS[1])))
    assert shape >> 3 & 1  # open to the west


# --- B6: actions


def test_a_broken_tool_goes_before_another_who_has_none_of_the_kind() -> None:
    # RULING 5: never before oneself.
    state = at(hands="bl,1|-|-", broken="0,2,0")
    assert [move for move in state.legal_moves() if move.startswith("break")] == ["break 3 lantern"]
    assert list(state.play("break 3 lantern").record.broken[:3]) == [0, 2, 2]


def test_a_repair_mends_its_tool_of_anybody_also_oneself() -> None:
    state = at(hands="rl,1|-|-", broken="2,2,5")
    repairs = [move for move in state.legal_moves() if move.startswith("repair")]
    assert repairs == ["repair 1 lantern", "repair 2 lantern"]
    assert list(state.play("repair 1 lantern").record.broken[:3]) == [0, 2, 5]


def test_a_double_repair_mends_one_of_two() -> None:
    state = at(hands="rpl,1|-|-", broken="0,3,4")
    repairs = {move for move in state.legal_moves() if move.startswith("repair")}
    assert repairs == {"repair 2 pickaxe with pickaxe/lantern", "repair 2 lantern with pickaxe/lantern"}
    after = state.play("repair 2 lantern with pickaxe/lantern")
    assert list(after.record.broken[:3]) == [0, 1, 4]
    assert "gone=bl,rpl" in after.text()


def test_a_rockfall_takes_any_tunnel_but_no_start_or_goal() -> None:
    state = at(table="1,0:8;2,0:8", hands="rock,1|-|-")
    assert [m for m in state.legal_moves() if m.startswith("rockfall")] == ["rockfall at 1,0", "rockfall at 2,0"]
    after = state.play("rockfall at 1,0")
    assert "table=2,0:8 " in after.text()  # what is cut off stays
    assert "gone=8,rock" in after.text()


def test_a_map_shows_a_goal_to_one_seat() -> None:
    # RULING 7: not one face up; one already seen is allowed.
    state = at(hands="map,1|-|-", goals="t,e,w", looked="1,0,0")
    assert [m for m in state.legal_moves() if m.startswith("map")] == ["map left", "map middle", "map right"]
    after = state.play("map middle")
    assert "goals=t,e,w" in after.text(0)  # two seen, so the third is known
    assert "goals=?,?,?" in after.text(1)
    turned = at(table=ROW + ";7,0:9", hands="map,1|-|-", goals="t,w!,e")
    assert [m for m in turned.legal_moves() if m.startswith("map")] == ["map left", "map right"]


# --- B7: the end of a round


def end_by_treasure(players: int, roles: str, *, gold: str = "players") -> State:
    hands = "|".join(["8,1", *["-"] * (players - 1)])
    return at(players=players, roles=roles, table=ROW, hands=hands, goals="e,t,w", gold=gold).play("path 8 at 7,0")


@pytest.mark.parametrize(("players", "n"), [(3, 3), (5, 5), (9, 9), (10, 9)])
def test_as_many_gold_cards_as_players_at_most_nine(players: int, n: int) -> None:
    state = end_by_treasure(players, ROLES[players]).settled()
    assert int(state.record.n_offer) == n


def test_as_many_gold_cards_as_miners_by_the_switch() -> None:
    # RULING 1.
    assert int(end_by_treasure(5, "mmmss", gold="miners").settled().record.n_offer) == 3


def test_gold_goes_round_the_miners_against_the_order_of_turns() -> None:
    state = end_by_treasure(5, "msmsm").settled()
    takers = []
    while int(state.record.lap) == 0:
        takers.append(state.to_move)
        state = state.after(state.offer()[-1])
    assert takers == [0, 4, 2, 0, 4]


def test_if_a_saboteur_gets_there_the_first_miner_behind_it_chooses() -> None:
    assert end_by_treasure(5, "smmms").settled().to_move == 3


def test_the_one_who_chooses_sees_the_offer_and_others_do_not() -> None:
    state = at("choose 1", roles="mms", won="m--", were="4/0/0", offer="123")
    assert "offer=123" in state.text(0)
    assert "offer=???" in state.text(1)
    code = state.read_move("take 3")
    assert [state.seen(code, seat) for seat in (0, 1, NOBODY)] == [code, HIDDEN, HIDDEN]


@pytest.mark.parametrize(
    ("players", "roles", "each"),
    [(3, "mms", 4), (5, "mmmss", 3), (7, "mmmmsss", 3), (10, "mmmmmmssss", 2), (3, "mmm", 0)],
)
def test_saboteurs_are_paid_by_how_many_they_are(players: int, roles: str, each: int) -> None:
    hands = "|".join(["1", *["-"] * (players - 1)])
    state = at(players=players, roles=roles, hands=hands, gone=rest("1")).play("pass path 1")
    assert list(state.record.outcome_of) == [2, 0, 0]
    assert [state.score(seat) for seat in range(players)] == [each if role == "s" else 0 for role in roles]
    assert state.to_move == CHANCE  # the next round is dealt


def test_no_exact_change() -> None:
    # RULING 8: largest cards first; failing that change from the gold already held, laid open; failing that less.
    state = at(roles="mms")
    record = state.record
    record.bank[:] = [0, 2, 1]
    rounds.pay(record, np.int64(2), np.int64(4))
    assert record.paid[0, 2].tolist() == [0, 2, 0]
    record.bank[:] = [0, 0, 2]  # 4 cannot be paid: 3 is the nearest lower sum
    record.paid[:, :, :] = 0
    rounds.pay(record, np.int64(2), np.int64(4))
    assert record.paid[0, 2].tolist() == [0, 0, 1]
    record.bank[:] = [0, 0, 2]  # with a 2 in hand 4 is 6 against the 2
    record.paid[:, :, :] = 0
    record.taker[0, 0], record.taken[0, 0], record.n_taken[0], record.lap = 2, 1, 1, 1
    rounds.pay(record, np.int64(2), np.int64(4))
    assert record.paid[1, 2].tolist() == [0, 0, 2]
    assert record.returned[2].tolist() == [0, 1, 0]
    assert int(record.bared[2]) == 1
    assert int(rounds.total_gold(record, np.int64(2))) == 2 + 4


def test_gold_stays_and_the_rest_is_collected() -> None:
    state = end_by_treasure(3, "mms").settled()
    while int(state.record.lap) == 0:
        state = state.after(state.offer()[-1])
    assert int(state.record.n_taken[0]) == 3
    assert int(state.record.bank.sum()) == 25
    assert int(state.record.left) == 67
    assert "were=4/0/0" in state.text(1)  # the roles of the last round stay for the view


# --- B8: the end


def test_the_next_round_is_started_by_the_seat_after_the_last_card() -> None:
    state = at(hands="-|1|-", phase="turn 2", gone=rest("1")).play("pass path 1")
    assert state.settled().to_move == 2


def test_three_rounds_most_gold_wins_and_ties_share() -> None:
    took = "1:3;2:1;1:1/1:1;2:3;1:1/1:2;2:1;1:1"
    state = at("over 1", lap=4, won="mmm", were="4/4/4", took=took)
    assert state.is_over
    assert [state.score(seat) for seat in range(3)] == [9, 5, 0]
    assert state.ranks() == [1, 2, 3]
    tie = at("over 1", lap=4, won="mmm", were="4/4/4", took="1:3;2:3;1:1/1:1;2:3;1:1/1:1;2:2;1:1")
    assert tie.ranks() == [1, 1, 3]
    assert tie.win_shares() == [0.5, 0.5, 0.0]


def test_a_match_has_three_rounds_and_starts_at_any_seat() -> None:
    # RULING 11.
    state = load_game("saboteur:players=4").new()
    assert state.outcomes() == {0: 1, 1: 1, 2: 1, 3: 1}
    match, rng = Match("saboteur:players=4", seed=2), rng_for("rounds", seed=2)
    while not match.is_over:
        match.play(rng.choice(match.state.offer()))
    assert all(int(code) > 0 for code in match.state.record.outcome_of)


# --- B9.15: the torus


def test_no_tunnel_can_meet_itself_around_the_torus() -> None:
    """RULING 15, by counting ends.

    On a path of joined cards each step in a direction uses one end of each of two cards. A card that goes straight that
    way has two such ends, one that turns has one, and so have the two outermost cards. So a path of cards that go on
    makes at most (2 + 2 * straight + turning) / 2 steps.
    """

    def steps(straight: int, turning: int) -> int:
        return (2 + 2 * straight + turning) // 2

    across = sum(COPIES[card] for card in (8, 9, 10)), sum(COPIES[card] for card in (5, 6, 7))
    along = sum(COPIES[card] for card in (0, 6, 8)), sum(COPIES[card] for card in (5, 7, 9))
    assert (steps(*across), steps(*along)) == (21, 22)
    # The whole width: the start lies straight in the way; two stones may help, turning or as crosses.
    columns = max(steps(across[0] + 1 + 2, across[1]), steps(across[0] + 1, across[1] + 2)) + 1
    rows = max(steps(along[0] + 1 + 2, along[1]), steps(along[0] + 1, along[1] + 2)) + 1
    assert max(columns, 21 + 9) <= 30
    assert max(rows, 22 + 3) <= 26
    assert max(columns, 30) + 2 <= layout.SIDE  # with a free line on either side no two neighbours are the same cell


@pytest.mark.parametrize("towards", ["west", "north"])
def test_a_long_tunnel_is_told_right(towards: str) -> None:
    if towards == "west":
        cards = [f"{-x},0:{card}" for x, card in enumerate([10] * 3 + [9] * 5 + [8] * 5, 1)]
        for step in range(2):
            cards += [f"{-14 - step},{-step}:7", f"{-14 - step},{-step - 1}:7f"]
    else:
        cards = [f"0,{-y}:{card}" for y, card in enumerate([0] * 4 + [6] * 5 + [8] * 5, 1)]
        for step in range(2):
            cards += [f"{step},{-15 - step}:5", f"{step + 1},{-15 - step}:5f"]
    state = at(table=";".join(cards), hands="1,2,3|-|-")
    table = state.text().split("table=")[1].split()[0].split(";")
    assert sorted(table) == sorted(cards)
    reached = [cell for cell in cells_of(state.record.tunnels) if board.is_reached(state.record, np.int64(cell))]
    assert len(reached) > 13


# --- texts


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"table": "1,0:8;1,0:9"}, "lies there already"),
        ({"table": "1,0:99"}, "no tunnel on the table"),
        ({"hands": "99|-|-"}, "'99' is no card"),
        ({"hands": "1,1|-|-"}, "more cards '1' than the game has"),
        ({"hands": "1|-"}, "hands and passed cards of 3 seats"),
        ({"broken": "0,0"}, "a number for each of 3 seats"),
        ({"roles": "sss"}, "as many saboteurs as the role cards allow"),
        ({"goals": "t,t,e"}, "the goal cards must be"),
        ({"took": "1:3;1:3;1:3;1:3;1:3/-/-"}, "gold cards must be in one place"),
    ],
)
def test_bad_positions_are_refused_with_the_reason(change: dict[str, str], message: str) -> None:
    with pytest.raises(NotationError, match=message):
        at(**change)  # type: ignore[arg-type]
