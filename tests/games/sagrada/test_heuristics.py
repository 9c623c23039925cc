"""The thesis's building blocks on positions that can be checked by hand, its agents, and its way to write them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from games.sagrada.positions import BLANK, FULL, PRINTLESS, at
from meeple import Match, State, load_game
from meeple.agents import benchmark
from meeple.agents.base import ask
from meeple.agents.registry import load_agent
from meeple.arena.match import play_match
from meeple.core.chance import Stream
from meeple.core.heuristics import find_heuristic
from meeple.errors import ConfigError, UnsupportedGameError
from meeple.games.sagrada import board, evaluation, filters, keen, players, program
from meeple.games.sagrada.board import PRINTED_COLOUR, fits, open_cells, put
from meeple.games.sagrada.cards import WINDOWS
from meeple.games.sagrada.layout import PLACE, TURN, coded, pool_kinds
from meeple.search.alphabeta import AlphaBetaConfig
from meeple.search.alphabeta import search as alphabeta
from meeple.search.offer import kept_actions
from meeple.search.policy import decide
from meeple.search.result import SearchResult

THESIS = "sagrada:rules=thesis"
WEIGHTS = evaluation.PARAMETERS.usual
SOLO = "sagrada:players=1,tools=5"


def kept(state: State) -> set[str]:
    return {state.move_text(int(action)) for action in kept_actions(state, "thesis")}


# --- board evaluation


def test_unfillable_cells_have_their_own_print_beside_them() -> None:
    # b1 takes a 4 only: a 4 on a1 kills it. a2 takes red only: a red die on a3 kills it.
    assert board.unfillable(at(mine="a1 B4").record, 0) == 1 << 1
    assert board.unfillable(at(mine="a3 R1").record, 0) == 1 << 5
    assert board.unfillable(at(mine="a1 B5").record, 0) == 0


def test_a_filled_cell_is_not_unfillable() -> None:
    assert board.unfillable(at(mine="a1 B4, b1 G4".replace("G4", "G3"), tools=PRINTLESS).record, 0) == 0


def patterns(cells: str, goal: str) -> tuple[int, float, int]:
    """Patterns done, the worth of those that can be, and how many cannot, of one objective."""
    others = [word for word in ("light", "medium", "deep") if word != goal]
    state = at(mine=cells, goals=",".join([goal, *others][:3]), tools=PRINTLESS, windows=("batllo", BLANK))
    record = state.record
    dead = board.unfillable(record, 0)
    find = {
        "row-shades": lambda: evaluation.line_patterns(record, 0, board.ROW_SHADES, dead, WEIGHTS),
        "row-colours": lambda: evaluation.line_patterns(record, 0, board.ROW_COLOURS, dead, WEIGHTS),
        "column-colours": lambda: evaluation.line_patterns(record, 0, board.COLUMN_COLOURS, dead, WEIGHTS),
        "light": lambda: evaluation.pair_patterns(record, 0, 0, WEIGHTS),
        "shades": lambda: evaluation.set_patterns(record, 0, True, WEIGHTS),
        "colours": lambda: evaluation.set_patterns(record, 0, False, WEIGHTS),
        "diagonals": lambda: evaluation.diagonal_patterns(record, 0, WEIGHTS),
    }
    done, near, lost = find[goal]()
    return int(done), float(near) / evaluation.UNIT, int(lost)


def power(dice: int) -> float:
    return (dice + 1) ** evaluation.ThesisWeights().PuocCompletablePower


def test_rows_are_done_completable_or_lost() -> None:
    assert patterns("", "row-colours") == (0, pytest.approx(4 * power(0), rel=1e-4), 0)
    assert patterns("a1 R1, b1 G2", "row-colours") == (0, pytest.approx(power(2) + 3 * power(0)), 0)
    assert patterns("a1 R1, b1 G2, c1 R3", "row-colours")[2] == 1  # red twice
    assert patterns(FULL, "row-colours") == (4, 0.0, 0)


def test_a_row_is_lost_by_a_cell_that_nothing_fits() -> None:
    # Batllo's c1 takes a 6: a 6 on b1 kills it, and with it the row.
    assert patterns("b1 R6", "row-colours")[2] == 1


def test_a_row_is_lost_by_a_print_that_is_there_already() -> None:
    # Batllo's third row prints green on b3: a green die on e3 takes the row's green.
    assert patterns("e3 G2", "row-colours")[2] == 1
    assert patterns("e3 R2", "row-colours")[2] == 0


def test_pairs_wait_for_their_partner() -> None:
    done, _, lost = patterns("a1 R1, b1 G2, d1 B1", "light")
    assert (done, lost) == (1, 0)
    alone = patterns("a1 R1", "light")[1] - patterns("", "light")[1]
    assert alone > 0


def test_sets_and_their_next() -> None:
    assert patterns("a1 R1, b1 G2", "colours") == (0, pytest.approx(power(2)), 0)
    assert patterns(FULL, "colours") == (4, 0.0, 0)
    assert patterns(FULL, "shades") == (2, 0.0, 1)  # no room for another set


def test_diagonals() -> None:
    assert patterns("a1 R1, b2 R2", "diagonals")[0] == 2
    assert patterns("a1 R1", "diagonals") == (0, pytest.approx(power(1)), 0)


def test_figure_4_1_the_known_weakness_two_rows_that_cannot_both_be_completed() -> None:
    # Rows 2 and 3 lack only e2 and e3. Row 2 lacks a 2 or 3, but a 2 stands above; row 3 lacks a 3 or 4, but a 4
    # stands below: both need a 3, and they are neighbours. Each by itself is counted as completable.
    cells = (
        "a1 Y1,b1 G5,c1 B6,d1 P1,e1 R2,a2 R4,b2 B1,c2 Y5,d2 G6,a3 B5,b3 G2,c3 P6,d3 Y1,a4 P3,b4 Y6,c4 R5,d4 G2,e4 B4"
    )
    state = at(mine=cells, goals="row-shades,medium,deep", tools=PRINTLESS, windows=("gravitas", BLANK))
    record = state.record
    dead = board.unfillable(record, 0)
    done, near, lost = evaluation.line_patterns(record, 0, board.ROW_SHADES, dead, WEIGHTS)
    assert near / evaluation.UNIT == pytest.approx(2 * power(4))
    fits = {value for value in range(1, 7) for cell in ("e2", "e3") if f"place P{value} {cell}" in all_moves(cells)}
    assert 3 in fits
    both = at(mine=f"{cells},e2 P3", goals="row-shades,medium,deep", tools=PRINTLESS, windows=("gravitas", BLANK))
    assert done + lost == 2
    assert not any(move.startswith("place") and move.endswith("3 e3") for move in both.legal_moves())


def test_figure_4_1_is_seen_by_the_wary_evaluation() -> None:
    cells = (
        "a1 Y1,b1 G5,c1 B6,d1 P1,e1 R2,a2 R4,b2 B1,c2 Y5,d2 G6,a3 B5,b3 G2,c3 P6,d3 Y1,a4 P3,b4 Y6,c4 R5,d4 G2,e4 B4"
    )
    goals, windows = "row-shades,medium,deep", ("gravitas", BLANK)

    def trap(cells: str) -> float:
        record = at(mine=cells, goals=goals, tools=PRINTLESS, windows=windows).record
        return float(evaluation.side_value(record, 0, WEIGHTS) - evaluation.wary_side(record, 0, WEIGHTS))

    one_row = 5 * (power(4) + evaluation.ThesisWeights().MinusPointsPerUncompletablePuocPoints)
    assert trap(cells) == pytest.approx(one_row, rel=1e-4)  # one of the two
    # With a 4 above, row 2 may also be completed by a 2: no trap.
    assert trap(cells.replace("e1 R2", "e1 R4")) == 0


def test_columns_are_trapped_like_rows() -> None:
    # Columns c and d lack c4 and d4, and of colours yellow and purple. Purple stands beside c4; where it stands beside
    # d4 too, both need a yellow die, and they are neighbours.
    def trapped(cells: str) -> int:
        record = at(mine=cells, goals="column-colours,medium,deep", tools=PRINTLESS).record
        lost = evaluation.lost_lines(record, 0, board.COLUMN_COLOURS, board.unfillable(record, 0))
        return int(evaluation.trapped_lines(record, 0, board.COLUMN_COLOURS, lost))

    cells = "c1 R1,c2 G2,c3 B3,d1 G4,d2 B5,d3 R6,b4 P1"
    assert trapped(cells) == 0
    assert trapped(f"{cells},e4 P2") == 1


def all_moves(cells: str) -> set[str]:
    pool = "P1P2P3P4P5P6"
    return set(at(mine=cells, pool=pool, tools=PRINTLESS, windows=("gravitas", BLANK)).legal_moves())


def test_value_weighs_points_patterns_and_lost_cells() -> None:
    empty, placed = at(mine="", pool="R1"), at(mine="c1 R5", pool="R1")
    gain = evaluation.side_value(placed.record, 0, WEIGHTS) - evaluation.side_value(empty.record, 0, WEIGHTS)
    # One cell less empty and five private points; the pair of deep shades now waits for a 6.
    assert gain > 6 * WEIGHTS.point
    dead = at(mine="a1 B4", pool="R1")
    fine = at(mine="a1 B5", pool="R1")
    assert evaluation.side_value(dead.record, 0, WEIGHTS) < evaluation.side_value(fine.record, 0, WEIGHTS)


def test_own_value_counts_for_more_than_the_rivals() -> None:
    state = at(mine="a1 R5", other="a1 B2")
    mine, other = evaluation.side_value(state.record, 0, WEIGHTS), evaluation.side_value(state.record, 1, WEIGHTS)
    assert evaluation.thesis_value(state.record, 0, WEIGHTS) == pytest.approx((9.84 * mine - other) * 1e-6)


@pytest.mark.parametrize("spec", ["sagrada", THESIS, "sagrada:players=4", "sagrada:players=1"])
def test_values_stay_in_their_range_and_ask_without_changing(spec: str) -> None:
    game = load_game(spec)
    evaluation = find_heuristic(game, "EVALUATIONS", "thesis")
    state, rng = game.new(seed=3).settled(), Stream(3)
    while not state.is_over:
        before = state.to_bytes()
        for seat in range(game.seats):
            assert evaluation.low <= evaluation(state.record, seat) <= evaluation.high
        assert state.to_bytes() == before
        state = state.after(int(rng.choice(state.legal_actions()))).settled()


def walk(spec: str, seeds: range) -> Iterator[State]:
    """The decisions of random games."""
    for seed in seeds:
        state, rng = load_game(spec).new(seed=seed).settled(), Stream(seed)
        while not state.is_over:
            yield state
            state = state.after(int(rng.choice(state.legal_actions()))).settled()


@pytest.mark.parametrize("spec", ["sagrada", THESIS, "sagrada:players=3"])
def test_the_value_after_a_move_is_told_without_playing_it(spec: str) -> None:
    told = 0
    for state in walk(spec, range(2)):
        before = state.to_bytes()
        for seat in range(state.game.seats):
            standing = evaluation.thesis_standing(state.record, seat, WEIGHTS)
            for action in state.legal_actions()[:40]:
                value = evaluation.thesis_after(state.record, seat, action, *standing, WEIGHTS)
                if not np.isnan(value):
                    told += 1
                    assert value == evaluation.thesis_value(state.after(action).settled().record, seat, WEIGHTS)
        assert state.to_bytes() == before
    assert told > 1_000


def test_the_value_after_the_last_move_is_not_told() -> None:
    state = at(THESIS, pool="R1", done=9, turn=3, start=1)
    standing = evaluation.thesis_standing(state.record, 0, WEIGHTS)
    assert all(np.isnan(evaluation.thesis_after(state.record, 0, a, *standing, WEIGHTS)) for a in state.legal_actions())


# --- filter and order


def test_filter_leaves_out_dice_beside_an_empty_cell_of_their_print() -> None:
    # B4 on a1 would kill b1, which takes a 4; on e4 it kills nothing.
    state = at(THESIS, pool="B4", tools="lens,running,brush")
    assert "place B4 a1" in state.legal_moves()
    assert "place B4 a1" not in kept(state)
    assert "place B4 e4" in kept(state)
    assert "brush B4" in kept(state)


def test_filter_looks_at_tools_that_place_or_move() -> None:
    state = at(THESIS, pool="B3", tools="grozing,copper,grinding", mine="c1 P1")
    assert "grinding B3>B4 c1" not in kept(state)
    moved = at(THESIS, pool="B3", tools="copper,running,lens", mine="e4 B4")
    assert "copper e4>a1" in moved.legal_moves()
    assert "copper e4>a1" not in kept(moved)


def test_filter_keeps_the_first_window_and_always_something() -> None:
    state = load_game(THESIS).new(seed=1).settled()
    assert len(kept(state)) == 1
    rng = Stream(1)
    while not state.is_over:
        assert len(kept_actions(state, "thesis")) >= 1
        state = state.after(int(rng.choice(state.legal_actions()))).settled()


# A die that must be placed and would spoil a cell wherever it may lie; in the solo game, an exchange that would.
SPOILT = [
    "done=1 phase=brush-place turn=3 start=2 order=2112 tools=lens,tapwheel!,brush! goals=diagonals,row-colours,"
    "row-shades bag=15.17.14.17.17 pool=G6P1 track=B4B6 hand=R5 used=1 drafted=0 skips=- spent=0.0.0.0.0"
    " | P comitas 1 ........../........../........B5/........R4 -"
    " | G kaleidoscopic-dream 0 ........../..B6....../..Y4....../....R4.... -",
    "done=1 phase=paid turn=0 start=1 order=11 tools=straightedge,copper,tapwheel,lathekin,lens! goals=deep,row-colours"
    " bag=17.14.18.17.16 pool=R2G3Y5 track=G4P5P5 hand=4 used=0 drafted=0 skips=- spent=0.1.0.0.0"
    " | RG fulgor-del-cielo 0 ........../........../........../....G3.... -",
]


@pytest.mark.parametrize(("spec", "position"), [("sagrada", SPOILT[0]), (SOLO, SPOILT[1])])
def test_where_every_move_spoils_a_cell_the_list_stays_whole(spec: str, position: str) -> None:
    state = load_game(spec).read(position)
    offer = state.legal_actions()
    assert len(offer) > 1
    assert kept_actions(state, "thesis").tolist() == offer.tolist()
    for name in ("brief", "strong"):
        few = kept_actions(state, name).tolist()
        assert few == sorted(set(few) & set(offer.tolist()))


def brief(state: State) -> set[str]:
    return {state.move_text(int(action)) for action in kept_actions(state, "brief")}


def test_brief_keeps_one_order_of_a_pair_of_moves() -> None:
    state = at(THESIS, mine="a1 R1, c1 G2, b2 B3", tools="lathekin,hammer,brush", pool="P1")
    pairs = {move for move in kept(state) if move.startswith("lathekin")}
    ends = {frozenset(move.split()[1:]) for move in pairs}
    chosen = {frozenset(move.split()[1:]) for move in brief(state) if move.startswith("lathekin")}
    assert len(ends) < len(pairs)
    assert chosen == ends
    assert len(chosen) == sum(move.startswith("lathekin") for move in brief(state))
    assert {move for move in kept(state) if not move.startswith("lathekin")} <= brief(state)


def test_brief_keeps_the_move_that_frees_most() -> None:
    # B4 on a1 kills b1, which takes a 4; no other die does harm. What frees b1 promises most.
    state = at(THESIS, mine="a1 B4, b2 G1, c1 R5, d2 G3", tools="lathekin,hammer,brush", pool="P1")
    freeing = {frozenset(move.split()[1:]) for move in kept(state) if "a1>" in move}
    chosen = {frozenset(move.split()[1:]) for move in brief(state) if move.startswith("lathekin")}
    assert len({frozenset(move.split()[1:]) for move in kept(state) if move.startswith("lathekin")}) > len(chosen)
    assert len(chosen) == filters.MOST_MOVED
    assert freeing <= chosen


def test_brief_gives_one_die_for_one_of_the_track() -> None:
    state = at(THESIS, mine="c1 P1", tools="lens,hammer,brush", pool="R1R2G3", track="B2Y5", tokens=(3, 3, 3, 3))
    given = {move.split()[1].partition(">")[0] for move in kept(state) if move.startswith("lens")}
    assert given == {"R1", "R2", "G3"}
    assert {move for move in brief(state) if move.startswith("lens")} == {
        move for move in kept(state) if move.startswith("lens R1>")
    }


@pytest.mark.parametrize("spec", ["sagrada", THESIS, "sagrada:players=1,tools=5"])
def test_brief_keeps_a_part_of_what_the_thesis_keeps(spec: str) -> None:
    for state in walk(spec, range(3)):
        few, many = kept_actions(state, "brief"), kept_actions(state, "thesis")
        assert len(few) >= 1
        assert set(few) <= set(many)
        assert sorted(few) == list(few)


def test_order_placements_first_then_private_colour_print_and_value() -> None:
    state = at(THESIS, pool="R1R5G2G6", tools="grinding,running,brush", colours="GRBY")
    ranked = sorted(state.legal_actions(), key=lambda action: -filters.thesis_order(state.record, int(action)))
    texts = [state.move_text(int(action)) for action in ranked]
    assert texts[0] == "place G6 e1"  # private, printed, high
    assert texts[1].startswith("place G6")
    first_other = next(i for i, text in enumerate(texts) if not text.startswith("place"))
    assert all(not text.startswith("place") for text in texts[first_other:])
    greens = [i for i, text in enumerate(texts) if text.startswith("place G")]
    reds = [i for i, text in enumerate(texts) if text.startswith("place R")]
    assert max(greens) < min(reds)


# --- rule-based players


def test_rules_choose_the_window_with_most_cells_of_their_colour() -> None:
    state = load_game(THESIS).new(seed=1).settled()
    colour = int(state.record.private[0])
    cells = [int(PRINTED_COLOUR[pattern, colour]).bit_count() for pattern in state.record.offer[0]]
    for name in ("rules-dtfm", "rules-all"):
        chosen = state.move_text(decide(state, name=name, rng=Stream(1)))
        assert chosen == state.legal_moves()[int(np.argmax(cells))]


def test_rules_avoid_cells_that_nothing_would_fit() -> None:
    state = at(THESIS, pool="B4", tools="running,hammer,lens")
    move = state.move_text(decide(state, name="rules-dtfm", rng=Stream(1)))
    after = state.play(move)
    assert board.unfillable(after.record, 0) == 0


def one_by_one(state: State, dice: int) -> int:
    """The placement that the rules choose, each valued by itself."""
    record, seat = state.record, state.to_move
    dead = board.unfillable(record, seat)
    best, best_value, least = -1, 0, 20
    for die in (die for die in range(30) if dice >> die & 1):
        targets = int(fits(record, seat, open_cells(int(record.occ[seat])), die // 6, die % 6))
        for cell in (cell for cell in range(20) if targets >> cell & 1):
            code = int(coded(PLACE, cell, die, 0, 0))
            best = code if best < 0 else best
            after = int(players.dead_after(record, seat, die, cell, dead))
            if after.bit_count() <= least:
                least = after.bit_count()
                value = int(players.better(record, seat, die, cell, after, best_value))
                best, best_value = (code, value) if value >= 0 else (best, best_value)
    return best


SPECS = ["sagrada", THESIS, "sagrada:players=4", "sagrada:rules=thesis,faults=yes", "sagrada:points=private.3+empty.4"]


@pytest.mark.parametrize("spec", SPECS)
def test_rules_choose_as_if_each_placement_were_valued_by_itself(spec: str) -> None:
    out = np.empty(2_000, dtype=np.int64)
    for state in walk(spec, range(3)):
        if state.record.phase == TURN and not state.record.drafted:
            dice = int(pool_kinds(state.record))
            assert players.best_placement(state.record, state.to_move, dice, out) == one_by_one(state, dice)


def keen_worth(state: State, code: int) -> int:
    """What `rules-keen` sees in a placement: the objectives after it, its pips, its print."""
    record, seat = state.record.copy(), state.to_move
    cell, die = code >> 15 & 31, code >> 10 & 31
    after = int(players.dead_after(record, seat, die, cell, board.unfillable(record, seat)))
    put(record, seat, die, cell)
    value, _ = evaluation.patterns_value(record, seat, after, WEIGHTS)
    pips = (die % 6 + 1) * int(record.worth[10]) if die // 6 == record.private[seat] else 0
    is_printed = WINDOWS[int(record.window[seat]) % 24].rows[cell // 5][cell % 5] != "."
    return int(value) + WEIGHTS.point_units * pips + keen.PRINTED_CELL * is_printed


@pytest.mark.parametrize("spec", SPECS[:1] + SPECS[-1:])
def test_keen_rules_choose_what_is_worth_most(spec: str) -> None:
    out = np.empty(2_000, dtype=np.int64)
    n_chosen = 0
    for state in walk(spec, range(3)):
        if state.record.phase != TURN or state.record.drafted:
            continue
        dead = board.unfillable(state.record, state.to_move)
        n, _ = players.list_placements(state.record, state.to_move, int(pool_kinds(state.record)), dead, out)
        codes = out[:n].tolist()
        chosen = int(keen.keen_placement(state.record, state.to_move, int(pool_kinds(state.record)), out))
        if codes:
            n_chosen += 1
            assert chosen == max(codes, key=lambda code: keen_worth(state, code))
    assert n_chosen > 40


def test_rules_dtfm_use_a_tool_that_was_paid_for() -> None:
    paid = at("sagrada:players=1,tools=1", mine="c1 P1", pool="R3R2G3", tools="copper").play("copper pay R3")
    assert paid.allows(decide(paid, name="rules-dtfm", rng=Stream(1)))


def test_rules_dtfm_uses_no_tools_and_passes_where_nothing_fits() -> None:
    state = at(THESIS, mine=FULL.replace("d1 Y4,", ""), tools=PRINTLESS, pool="B1", windows=("batllo", BLANK))
    assert state.move_text(decide(state, name="rules-dtfm", rng=Stream(1))) == "pass"


def test_rules_all_moves_a_die_that_spoils_a_cell() -> None:
    # B4 on a1 kills b1; it is moved away.
    state = at(THESIS, mine="a1 B4, b2 G1", tools="copper,running,hammer", pool="R1")
    move = state.move_text(decide(state, name="rules-all", rng=Stream(1)))
    assert move.startswith("copper a1>")
    assert board.unfillable(state.play(move).record, 0) == 0


def test_rules_all_takes_a_tool_by_lot_where_no_placement_is_worth_anything() -> None:
    state = at(THESIS, mine=FULL.replace("d1 Y4,", ""), tools=PRINTLESS, pool="B1", windows=("batllo", BLANK))
    assert state.move_text(decide(state, name="rules-all", rng=Stream(1))) == "brush B1"


@pytest.mark.parametrize("spec", ["sagrada", THESIS, "sagrada:players=3", "sagrada:players=1,tools=5"])
@pytest.mark.parametrize(
    "name",
    ["rules-dtfm", "rules-all", "minimax", "first"]
    + [f"{name}-program" for name in ("rules-dtfm", "rules-all", "first", "random")],
)
def test_policies_play_whole_games_and_leave_the_state_as_it_was(spec: str, name: str) -> None:
    state = load_game(spec).new(seed=5).settled()
    while not state.is_over:
        before = state.to_bytes()
        action = decide(state, name=name, rng=Stream(2))
        assert state.to_bytes() == before
        state = state.after(state.require(action)).settled()


# --- agents, weights, spelling


def test_the_thesis_spelling_is_accepted() -> None:
    game = load_game(THESIS)
    text = "mcts-it=80,expl=2.4,worlds=10,playout=rules-based-strategy=only_dtfm"
    assert load_agent(text, game).spec == load_agent("paper-mcts", game).spec
    assert load_agent("rules-based-strategy=only_dtfm", game).spec == "rules:strategy=only_dtfm"
    assert load_agent("minimax-depth=3,worlds=20", game).spec == load_agent("paper-minimax", game).spec
    assert "playout=first" in load_agent("mcts-it=5400,expl=0.7,worlds=6,playout=first", game).spec


def test_rules_by_strategy() -> None:
    game = load_game(THESIS)
    assert load_agent("rules:strategy=all_moves", game)
    with pytest.raises(ConfigError, match="no strategy 'boldly'"):
        load_agent("rules:strategy=boldly", game)
    with pytest.raises(UnsupportedGameError, match="offers no rules"):
        load_agent("rules", load_game("santorini"))


def test_a_policy_is_read_as_its_text_or_as_its_program() -> None:
    game = load_game(THESIS)
    for spec in ("rules-all:reading=program", "rules-dtfm:reading=program", "paper-first"):
        assert load_agent(spec, game).spec.endswith("reading=program")
    with pytest.raises(ConfigError, match="no playout 'rules-keen-program'; did you mean"):
        load_agent("rules-keen:reading=program", game)


def test_the_programs_rules_never_roll() -> None:
    # B1 fits nowhere: the text's rules take a tool that rolls, the program's the first move that moves no dice.
    state = at(THESIS, mine=FULL.replace("d1 Y4,", ""), tools=PRINTLESS, pool="B1", windows=("batllo", BLANK))
    assert state.move_text(decide(state, name="rules-all-program", rng=Stream(1))) == "pass"


def test_the_programs_rules_count_turns_passed_by() -> None:
    # 20 cells and 20 turns: with one die after two rounds three turns were passed by, this one not among them.
    for done, turn, passed in ((0, 0, 0), (2, 0, 3), (2, 3, 4), (9, 0, 17), (9, 3, 18)):
        state = at(THESIS, mine="c1 G2" if done else "", pool="P4", done=done, turn=turn)
        assert program.passed(state.record, state.to_move) == (passed if state.to_move == 0 else passed + 1)


def test_the_programs_first_takes_any_die_of_the_pool_on_its_first_cell() -> None:
    state = at(THESIS, pool="R1R1B4Y6", windows=(BLANK, "bellesguard"), tokens=(0, 0))
    taken = Counter(state.move_text(decide(state, name="first-program", rng=Stream(seed))) for seed in range(400))
    assert set(taken) == {"place R1 a1", "place B4 a1", "place Y6 a1"}
    # Two of the four dice are red ones: 200 of 400 expected, with a deviation of 10; 50 off is one chance in a million.
    assert abs(taken["place R1 a1"] - 200) < 50


def test_the_programs_random_takes_equal_dice_twice_as_often() -> None:
    state = at(THESIS, mine="a1 G3", pool="R1R1B4", tokens=(0, 0))
    codes = [decide(state, name="random-program", rng=Stream(seed)) for seed in range(600)]
    assert set(codes) <= set(state.legal_actions().tolist())
    reds = [state.move_text(code) for code in state.legal_actions().tolist() if "R1" in state.move_text(code)]
    others = len(state.legal_actions()) - len(reds)
    share = sum("R1" in state.move_text(code) for code in codes) / 600
    wanted = 2 * len(reds) / (2 * len(reds) + others)
    assert abs(share - wanted) < 0.1  # five deviations of 0.02


def test_weights_from_a_file_change_the_value(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    file.write_text(json.dumps({"CompletedPointsWeight": 100, "PuocCompletablePower": 2.0}))
    game = load_game(THESIS)
    tuned = find_heuristic(game, "EVALUATIONS", f"thesis@{file}")
    state = at(THESIS, mine="a1 R5")
    assert tuned(state.record, 0) != evaluation.thesis_value(state.record, 0, WEIGHTS)
    assert load_agent(f"minimax:depth=1,worlds=1,config={file}", game)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{"CompletedPointWeight": 100}', "CompletedPointWeight"),
        ('{"CompletedPointsWeight": "much"}', "CompletedPointsWeight"),
        ('{"CompletedPointsWeight": -1}', "CompletedPointsWeight"),
        ('{"PuocCompletablePower": 99}', "PuocCompletablePower"),
        ("[1, 2]", "weights.json"),
        ("{", "weights.json"),
    ],
)
def test_bad_weights_are_refused_by_name(tmp_path: Path, text: str, named: str) -> None:
    file = tmp_path / "weights.json"
    file.write_text(text)
    with pytest.raises(ConfigError, match=named):
        load_agent(f"minimax:depth=1,worlds=1,config={file}", load_game(THESIS))


def test_a_missing_file_of_weights_is_named() -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.json"):
        load_agent("minimax:depth=1,worlds=1,config=nowhere.json", load_game(THESIS))


@pytest.mark.parametrize("spec", [THESIS, "sagrada:players=3", "sagrada:players=4"])
def test_the_papers_agents_play_every_table(spec: str) -> None:
    game = load_game(spec)
    agents = ["paper-mcts:iterations=6,worlds=2", "paper-minimax:depth=2,worlds=2", "rules-all", "rules-dtfm"]
    match = play_match(game, agents[: game.seats], seed=4)
    assert match.is_over


def test_paper_mcts_takes_the_first_window() -> None:
    match = play_match(THESIS, ["paper-mcts:iterations=2,worlds=1", "paper-minimax:depth=1,worlds=1"], seed=2)
    chosen = [step for step in match.steps if step.text.startswith("window")]
    assert [step.code for step in chosen] == [int(step.before.legal_actions()[0]) for step in chosen]


# --- the deterministic version


def searched(spec: str, match: Match, *, seed: int, deterministic: bool) -> SearchResult:
    results: list[SearchResult] = []
    agent = load_agent(f"{spec},seed={seed}", match.game)
    ask(agent, match, deterministic=deterministic, report=results.append)
    return results[-1]


def opened() -> Match:
    """A match in its first round."""
    match = Match(load_game(THESIS), seed=3)
    for _ in range(2):
        match.play(int(match.state.legal_actions()[0]))
    return match


def test_in_the_deterministic_version_mcts_grows_one_tree_of_the_true_world() -> None:
    # Its playouts and its order draw no lots: in the true world two agents with other lots find the same.
    match, spec = opened(), "paper-mcts:iterations=30,worlds=4"
    one, other = (searched(spec, match, seed=seed, deterministic=True) for seed in (1, 2))
    assert one.work == 4 * 30
    assert (one.visits == other.visits).all()
    assert np.array_equal(one.values, other.values, equal_nan=True)
    dealt = [searched(spec, match, seed=seed, deterministic=False) for seed in (1, 2)]
    assert not np.array_equal(dealt[0].values, dealt[1].values, equal_nan=True)


def test_in_the_deterministic_version_minimax_searches_the_true_world() -> None:
    match, spec = opened(), "paper-minimax:depth=2,worlds=4"
    found = searched(spec, match, seed=1, deterministic=True)
    config = AlphaBetaConfig(depth=2, evaluation="thesis", ordering="thesis", filter="thesis", table=False)
    assert (found.values == alphabeta(match.state, config=config).values).all()


def test_the_papers_agents_have_rows_in_the_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "SECONDS", 0.0)
    monkeypatch.setattr(benchmark, "FEWEST_GAMES", 1)
    game = load_game(THESIS)
    assert benchmark.applies(game, "paper-mcts")
    assert not benchmark.applies(load_game("saboteur"), "paper-minimax")
    row = benchmark.measure(game, "paper-minimax")
    assert row["ms"] > 0
    assert row["per_second"] > 0


def test_strong_looks_at_every_window_and_plays() -> None:
    match = Match(load_game(THESIS), seed=3)
    found = searched("strong:iterations=40", match, seed=1, deterministic=False)
    assert (found.visits > 0).sum() == 4
    played = play_match(THESIS, ["strong:iterations=10", "rules-dtfm"], seed=1)
    assert played.is_over
