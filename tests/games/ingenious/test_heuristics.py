"""Ingenious's evaluations, filters and policies: by hand on small positions, and against plain loops."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pytest

from games.ingenious.test_rules import FOUR, HANDS, asked, edit, later, points, scored, start
from meeple import State, load_agent, load_game
from meeple.core.chance import Stream, rng_for
from meeple.core.heuristics import find_heuristic, heuristics_of
from meeple.games.ingenious import heuristics, report, rules
from meeple.games.ingenious.layout import PLACE, SWAP
from meeple.games.ingenious.notation import TILE_NAMES, read_tiles
from meeple.games.ingenious.tiles import counts_of, set_of
from meeple.games.ingenious.worths import SOFT
from meeple.search.expectimax import PRUNINGS, ExpectimaxConfig
from meeple.search.expectimax import search as expectimax

GAME = load_game("ingenious")
PRESETS = ["random", "points", "greedy", "expectimax2", "expectimax3", "mcts"]


def value(state: State, seat: int, name: str) -> float:
    return float(find_heuristic(state.game, "EVALUATIONS", name)(state.record, seat))


def play_policy(state: State, name: str, seed: int = 1) -> str:
    """The move that a policy makes."""
    function = find_heuristic(state.game, "PLAYOUTS", name)
    out = np.empty(rules.MAX_ACTIONS, dtype=np.int64)
    action = int(function(state.record, rng_for("policy", seed=seed).array, out))
    assert action in state.legal_actions()
    return state.move_text(action)


def walked(n: int, spec: str = "ingenious", seed: int = 1) -> list[State]:
    """States of matches in which every other move is the best by `soft`, where a tile is to be placed."""
    game, rng, found = load_game(spec), rng_for("walked", spec, seed=seed), []
    out = np.empty(rules.MAX_ACTIONS, dtype=np.int64)
    while len(found) < n:
        state = game.new(seed=rng.below(10**6)).settled()
        while not state.is_over:
            if state.record.phase == PLACE and rng.below(8) == 0:
                found.append(state)
            policy = find_heuristic(game, "PLAYOUTS", "soft")
            action = (
                int(policy(state.record, rng.array, out)) if rng.below(2) else int(rng.choice(state.legal_actions()))
            )
            state = state.after(action).settled()
    return found[:n]


# --- evaluations


def test_points_and_soft_by_hand() -> None:
    state = later(start(), scores={0: [3, 0, 0, 0, 0, 0], 1: [1, 1, 0, 0, 0, 0]})
    # Six colours of at most 36 points each: 3 - 2 of 216, times 0.9.
    assert value(state, 0, "points") == pytest.approx(0.9 / 216)
    # A score of n is worth -0.75^n: red -0.421875 against -1, less two of -0.75 against -1.
    assert value(state, 0, "soft") == pytest.approx((0.578125 - 0.5) * 0.9 / 6, abs=1e-6)
    assert value(state, 1, "soft") == pytest.approx(-value(state, 0, "soft"))


def test_sorted_follows_the_lowest_colours_on_a_full_board() -> None:
    # Nearly full: the higher lowest colour outweighs more points elsewhere.
    from games.ingenious.test_rules import last_place

    state = last_place(scores={0: [6, 6, 6, 9, 9, 9], 1: [5, 6, 6, 18, 18, 9]})
    assert value(state, 0, "sorted") > 0
    assert value(state, 0, "points") < 0


@pytest.mark.parametrize("name", ["soft", "points", "sorted"])
@pytest.mark.parametrize(
    "spec", ["ingenious", "ingenious:players=1", "ingenious:players=3", "ingenious:players=4,teams=on"]
)
def test_evaluations_stay_in_their_range(name: str, spec: str) -> None:
    for state in walked(25, spec, seed=3):
        found = heuristics_of(state.game, "EVALUATIONS")[name]
        values = [float(found(state.record, seat)) for seat in range(state.game.seats)]
        assert all(found.low <= one <= found.high for one in values)
        if state.game.seats == 2:
            assert values[0] == pytest.approx(-values[1])


def test_partners_have_the_same_value() -> None:
    state = later(start("ingenious:players=4,teams=on", FOUR), scores={0: [9] * 6, 1: [3] * 6})
    for name in ("soft", "points"):
        assert value(state, 0, name) == value(state, 2, name) > 0 > value(state, 1, name)


def test_a_swap_is_worth_a_hair() -> None:
    state = asked()
    for name in ("soft", "points", "sorted"):
        assert value(state.play("swap"), 0, name) > value(state.play("keep"), 0, name)


# --- the fast way to the best move


def plain_best(state: State, name: str, actions: Any) -> int:
    """The first action after which the evaluation is best, by playing each."""
    found = find_heuristic(state.game, "EVALUATIONS", name)
    values = [float(found(state.after(int(action)).record, state.to_move)) for action in actions]
    return int(actions[int(np.argmax(values))])


@pytest.mark.parametrize("filter_name", ["none", "lowest"])
@pytest.mark.parametrize("name", ["soft", "points"])
@pytest.mark.parametrize(
    "spec", ["ingenious", "ingenious:players=1", "ingenious:players=3", "ingenious:players=4,teams=on"]
)
def test_the_best_move_is_the_same_as_by_playing_each(spec: str, name: str, filter_name: str) -> None:
    told = 0
    for state in walked(8, spec, seed=5):
        actions = state.legal_actions()
        n = int(find_heuristic(state.game, "FILTERS", filter_name)(state.record, actions, len(actions)))
        evaluation = find_heuristic(state.game, "EVALUATIONS", name)
        assert evaluation.best is not None
        found = int(evaluation.best[filter_name](state.record, state.to_move, *evaluation.given()))
        if found >= 0:
            assert found == plain_best(state, name, actions[:n])
            told += 1
    assert told >= 4


def test_near_the_end_the_fast_way_says_that_it_cannot_tell() -> None:
    from games.ingenious.test_rules import last_place

    assert int(heuristics.soft_best(last_place(scores={0: [1] * 6, 1: [2] * 6}).record, 0, SOFT.usual)) == -1
    state = later(start(), scores={0: [18, 18, 18, 18, 17, 17]})
    assert int(heuristics.soft_best(state.record, 0, SOFT.usual)) == -1


# --- bounds


@pytest.mark.parametrize("name", ["soft", "points"])
def test_no_line_passes_the_bound(name: str) -> None:
    # One rival ply, and one rival ply with a reply: 40 lines at random from each state, with any tile for the rival.
    evaluation, rng = find_heuristic(GAME, "EVALUATIONS", name), rng_for("bounds", name, seed=1)
    assert evaluation.bound is not None
    for state in walked(30, seed=7):
        seat = 1 - state.to_move  # the rival is to move
        for plies in (1, 2):
            bound = float(evaluation.bound(state.record, seat, plies, *evaluation.given()))
            for _ in range(40):
                end = state.redealt(seat, rng)
                for _ in range(plies):
                    if not end.is_over:
                        end = State(GAME, end.array.copy())
                        rules.leave_out(end.record)
                        end = end.after(int(rng.choice(end.legal_actions())))
                reached = end.returns()[seat] if end.is_over else float(evaluation(end.record, seat))
                assert reached <= bound + 1e-12


def test_the_bound_is_met() -> None:
    # The rival cannot lower what it does not touch: with one ply to go the value itself is the bound.
    state = later(start(), scores={0: [3] * 6, 1: [1] * 6})
    assert float(heuristics.soft_bound(state.record, 1, 1, SOFT.usual)) == pytest.approx(
        value(state, 1, "soft"), abs=1e-8
    )


# --- all replies at once


@pytest.mark.parametrize("belief", ["draw", "holds"])
@pytest.mark.parametrize("filter_name", ["none", "lowest"])
@pytest.mark.parametrize("name", ["soft", "points", "gain"])
def test_all_replies_are_those_by_playing_each(name: str, filter_name: str, belief: str) -> None:
    # One by one: the rival holds the tile, plays its own best, and at two plies we answer with ours.
    evaluation = find_heuristic(GAME, "EVALUATIONS", name)
    assert evaluation.best is not None
    assert evaluation.replies is not None
    best, replies, given = evaluation.best[filter_name], evaluation.replies[filter_name], evaluation.given()
    found, weights = np.zeros(rules.BELIEFS), np.zeros(rules.BELIEFS, dtype=np.int64)
    told = 0
    for state in walked(16, seed=11):
        rival, seat = state.to_move, 1 - state.to_move
        find_heuristic(GAME, "BELIEFS", belief)(state.record, rival, weights)
        for plies in (1, 2):
            if not replies(state.record, seat, plies, weights, found, *given):
                continue
            told += 1
            for kind in np.flatnonzero(weights):
                world = State(GAME, state.array.copy())
                rules.suppose(world.record, rival, int(kind))
                for mover in (rival, seat)[:plies]:
                    world = State(GAME, world.after(int(best(world.record, mover, *given))).array.copy())
                    rules.leave_out(world.record)
                assert found[kind] == float(evaluation(world.record, seat))
    assert told >= 20


def test_replies_cannot_be_told_where_the_game_may_end() -> None:
    from games.ingenious.test_rules import last_place

    weights, found = np.ones(rules.BELIEFS, dtype=np.int64), np.zeros(rules.BELIEFS)
    replies = find_heuristic(GAME, "EVALUATIONS", "soft").replies
    assert replies is not None
    state = later(start())
    assert replies["none"](state.record, 1 - state.to_move, 2, weights, found, SOFT.usual)
    assert not replies["none"](state.record, 1 - state.to_move, 3, weights, found, SOFT.usual)
    assert not replies["none"](last_place(scores={0: [1] * 6, 1: [2] * 6}).record, 1, 1, weights, found, SOFT.usual)
    nearly = later(start(), scores={0: [18, 18, 18, 18, 17, 17]})
    assert not replies["none"](nearly.record, 1 - nearly.to_move, 1, weights, found, SOFT.usual)
    three = load_game("ingenious:players=3").new(seed=1).settled()
    assert not replies["none"](three.record, 1, 1, weights, found, SOFT.usual)


# --- expectimax


def plain_expectimax(state: State, depth: int, seat: int, *, name: str, supposed: bool = False) -> float:
    """The report's search in Python: a mean over the rival's tile, its own best placement, our best."""
    found = find_heuristic(state.game, "EVALUATIONS", name)
    if state.is_over:
        return state.returns()[seat]
    if depth == 0:
        return float(found(state.record, seat))
    state = State(state.game, state.array.copy())
    rules.leave_out(state.record)
    mover = state.to_move
    if mover != seat and not supposed:
        weights = np.zeros(rules.BELIEFS, dtype=np.int64)
        rules.suppose_weights(state.record, mover, weights)
        total = 0.0
        for kind in np.flatnonzero(weights):
            world = State(state.game, state.array.copy())
            rules.suppose(world.record, mover, int(kind))
            share = weights[kind] / weights.sum()
            total += share * plain_expectimax(world, depth, seat, name=name, supposed=True)
        return total
    afters = [state.after(int(action)) for action in state.legal_actions()]
    if mover == seat:
        return max(plain_expectimax(after, depth - 1, seat, name=name) for after in afters)
    own = [after.returns()[mover] if after.is_over else float(found(after.record, mover)) for after in afters]
    return plain_expectimax(afters[int(np.argmax(own))], depth - 1, seat, name=name)


def crowded(n: int) -> list[State]:
    """States with few moves left, for slow searches."""
    found: list[State] = []
    seed = 0
    while len(found) < n:
        seed += 1
        found += [state for state in walked(20, seed=seed) if 0 < len(state.legal_actions()) <= 60]
    return found[:n]


@pytest.mark.parametrize("name", ["soft", "points", "sorted"])
def test_two_plies_are_the_reports(name: str) -> None:
    for state in crowded(3):
        seat = state.to_move
        exact = {int(a): plain_expectimax(state.after(int(a)), 1, seat, name=name) for a in state.legal_actions()}
        for pruning in PRUNINGS:
            config = ExpectimaxConfig(depth=2, rivals="own", evaluation=name, pruning=pruning)
            found = expectimax(state, config=config, rng=Stream(1))
            assert found.value == pytest.approx(max(exact.values()), abs=1e-9)
            assert exact[found.action] == pytest.approx(max(exact.values()), abs=1e-9)


@pytest.mark.parametrize(("name", "filter_name"), [("soft", "none"), ("points", "lowest"), ("sorted", "promising")])
def test_prunings_agree_at_three_plies(name: str, filter_name: str) -> None:
    for state in crowded(2) + walked(1, seed=9):
        values = []
        for pruning in PRUNINGS:
            config = ExpectimaxConfig(depth=3, rivals="own", evaluation=name, filter=filter_name, pruning=pruning)
            values.append(expectimax(state, config=config, rng=Stream(1)).value)
        assert values[1:] == pytest.approx([values[0]] * 2, abs=1e-9)


def test_four_plies_can_be_searched() -> None:
    config = ExpectimaxConfig(depth=4, rivals="own", evaluation="sorted", filter="promising")
    state = crowded(1)[0]
    result = expectimax(state, config=config, rng=Stream(1))
    assert result.depth == 4
    assert result.action in state.legal_actions()


def test_a_hand_that_runs_out_goes_on_with_the_commonest_tile() -> None:
    # The last tile of a hand is laid, with bonuses, and three plies are searched: the third needs a tile.
    state = edit(later(start()), hand="RG", bonus=1)
    after = State(GAME, state.play("RG F6 F7").array.copy())
    assert rules.leave_out(after.record)
    most = max(counts_of(int(state.record.bag)))
    assert counts_of(int(after.record.hand[0])) == [
        int(kind == counts_of(int(state.record.bag)).index(most)) for kind in range(21)
    ]
    result = expectimax(state, config=ExpectimaxConfig(depth=3, rivals="own"), rng=Stream(1))
    assert result.action in state.legal_actions()


def test_expectimax_takes_the_swap() -> None:
    for name in ("soft", "points", "sorted"):
        result = expectimax(asked(), config=ExpectimaxConfig(depth=2, rivals="own", evaluation=name), rng=Stream(1))
        assert result.action == SWAP


def test_search_leaves_no_tile_of_the_true_hand() -> None:
    # The report's chance node: another hand of the rival's changes nothing.
    state = later(start())
    other = edit(state, bag=state.record.bag)
    swapped = read_tiles("YY,YY,YY,PP,PP,PP")
    other.record.bag += other.record.hand[1] - swapped
    other.record.hand[1] = swapped
    config = ExpectimaxConfig(depth=2, rivals="own")
    one, two = (expectimax(s, config=config, rng=Stream(1)) for s in (state, other))
    assert (one.action, one.value) == (two.action, two.value)


# --- beliefs


def test_beliefs_are_the_reports_and_the_exact_ones() -> None:
    # The report's example: a yellow double lies on the board and 114 tiles are unseen: 4 of 114 for one tile drawn.
    state = start(hands=("YY,RG,RB,RO,RY,RP", HANDS[1]))
    weights = np.zeros(rules.BELIEFS, dtype=np.int64)
    rules.suppose_weights(state.record, 1, weights)
    assert weights.sum() == 114
    assert weights[TILE_NAMES.index("YY")] / weights.sum() == pytest.approx(4 / 114)
    heuristics.holds_weights(state.record, 1, weights)
    none = comb(110, 6) / comb(114, 6)
    assert weights[TILE_NAMES.index("YY")] / heuristics.WHOLE == pytest.approx(1 - none, abs=1e-6)


def test_tiles_that_went_back_are_not_believed_to_be_held() -> None:
    state = edit(later(start()), shown=read_tiles("RR,RR,RR,RR"))
    weights = np.zeros(rules.BELIEFS, dtype=np.int64)
    for function in (rules.suppose_weights, heuristics.holds_weights):
        function(state.record, 1, weights)
        assert weights[TILE_NAMES.index("RR")] == 0


# --- the report's tiles and policies


@pytest.mark.parametrize(
    ("hand", "scores", "chosen"),
    [
        ("RR,GG,RG,BB,OO,PP", [1, 1, 0, 2, 2, 0], "BB,PP"),  # doubles of the lowest colours, blue and purple
        ("RR,GG,RB,GP,OO,OY", [1, 1, 0, 2, 2, 0], "RB,GP"),  # else tiles that show one
        ("RR,GG,RG,RY,OO,OY", [1, 1, 0, 2, 2, 0], "RR"),  # else the first
    ],
)
def test_the_reports_choice_of_tiles(hand: str, scores: list[int], chosen: str) -> None:
    state = later(start(hands=(hand, "YP,YP,YP,YP,BO,BO")), scores={0: scores})
    kinds = int(report.best_tiles(state.record, 0))
    assert kinds == set_of([min(1, n) for n in counts_of(read_tiles(chosen))])
    actions = state.legal_actions()
    n = int(heuristics.keep_lowest(state.record, actions, len(actions)))
    assert {state.move_text(action).split()[0] for action in actions[:n]} == set(chosen.split(","))
    assert list(actions[:n]) == sorted(actions[:n])


def test_greedy_takes_the_most_points_of_the_best_tiles() -> None:
    # Red is lowest with blue: RB beside three red makes 3, though GG beside four green would make more.
    state = later(start(), cells="F5:R F4:R F3:R H5:G H4:G H3:G H2:G", scores={0: [0, 5, 0, 5, 5, 5]})
    state = edit(state, hand="GG,RB")
    move = play_policy(state, "greedy")
    assert move == "RB F2 G1"  # the first of several
    assert scored(state, move) == {"R": 3}
    assert max(sum(scored(state, other).values()) for other in state.legal_moves()) > 3


def test_greedy_places_by_lot_where_nothing_scores() -> None:
    # Away from every symbol nothing scores: the board's middle is all that is free.
    state = later(start(hands=("YY,YY,YY,YY,YY,YP", HANDS[1])), cells="J1:R J2:R K2:R")
    assert len({play_policy(edit(state, cells="J1:R J2:R K2:R"), "greedy", seed) for seed in range(10)}) > 3


def test_point_maximisation_puts_the_lower_colour_first() -> None:
    # Two green make more for RG than one red; but red is the lower colour.
    state = later(start(), cells="F5:R H5:G H4:G", scores={0: [0, 5, 5, 5, 5, 5]})
    move = play_policy(edit(state, hand="RG"), "points")
    assert scored(edit(state, hand="RG"), move)["R"] == 1


def test_the_reports_random_takes_the_first_place() -> None:
    state = later(start(), cells="A7:G")
    assert {play_policy(state, "report-random", seed).split(" ", 1)[1] for seed in range(20)} == {"A8 A9"}
    assert len({play_policy(state, "report-random", seed).split()[0] for seed in range(20)}) > 2


@pytest.mark.parametrize("name", ["greedy", "soft", "points", "report-random"])
def test_policies_swap_where_they_may(name: str) -> None:
    assert play_policy(asked(), name) == "swap"


@pytest.mark.parametrize("name", ["greedy", "soft", "points", "report-random"])
@pytest.mark.parametrize("spec", ["ingenious", "ingenious:players=4,teams=on"])
def test_policies_play_legal_moves_to_the_end(name: str, spec: str) -> None:
    state = load_game(spec).new(seed=8).settled()
    while not state.is_over:
        state = state.play(play_policy(state, name)).settled()
    assert sum(sum(points(state, side)) for side in range(2)) > 0


def test_promising_keeps_the_sixteen_best() -> None:
    for state in walked(12, seed=4):
        actions = state.legal_actions()
        gains = {int(a): value(state.after(int(a)), state.to_move, "soft") for a in actions}
        n = int(heuristics.keep_promising(state.record, actions, len(actions)))
        kept = [int(a) for a in actions[:n]]
        assert n == min(16, len(gains))
        assert kept == sorted(kept)
        if not any(state.after(a).is_over for a in gains):
            assert min(gains[a] for a in kept) >= max([gains[a] for a in gains if a not in kept], default=-2.0)


def test_the_bias_is_what_a_placement_adds() -> None:
    for state in walked(6, seed=6):
        before = value(state, state.to_move, "soft")
        for action in state.legal_actions()[:: max(1, len(state.legal_actions()) // 20)]:
            added = value(state.after(int(action)), state.to_move, "soft") - before
            assert float(heuristics.soft_bias(state.record, int(action), SOFT.usual)) * 0.9 / 6 == pytest.approx(
                added, abs=1e-9
            )


# --- presets


@pytest.mark.parametrize("name", PRESETS)
def test_presets_can_be_played(name: str) -> None:
    from meeple import Match
    from meeple.agents.base import ask

    match = Match(GAME, seed=3)
    agent = load_agent(f"paper-{name}" + (":iterations=50" if name == "mcts" else ""), GAME)
    for _ in range(3):
        match.play(ask(agent, match))
    assert match.ply == 3


def test_the_reports_mcts_has_its_depth_and_its_choice() -> None:
    agent = load_agent("paper-mcts", GAME)
    assert (agent.plies, agent.final) == (3, "wins")  # type: ignore[attr-defined]


# --- the tree without lists


def test_a_tree_without_lists_offers_the_same_moves() -> None:
    from meeple.search.mcts import MctsConfig
    from meeple.search.mcts import search as mcts

    state = crowded(1)[0]
    n = len(state.legal_actions())
    result = mcts(state, config=MctsConfig(iterations=20 * n, fresh_worlds=True, solve=False), rng=Stream(3))
    assert (result.visits > 0).all()  # every move is tried, and each is on the list
    assert int(result.visits.sum()) == 20 * n


def test_a_prior_by_expectimax_sees_what_a_move_gains() -> None:
    # By own points alone no answer of the rival's matters, and no draw: the prior is the value right after the move.
    from meeple.search.mcts import MctsConfig
    from meeple.search.mcts import search as mcts

    state = next(s for s in walked(20, seed=9) if 300 < len(s.legal_actions()) < 800)  # nowhere near the end
    gains = {int(a): value(state.after(int(a)), state.to_move, "gain") for a in state.legal_actions()}
    # 10,000 visits on trust outweigh two playouts: a point is worth 0.9 / 216 / 2 of a share, two playouts 0.0002.
    prior = {"prior": "[expectimax:depth=1]", "prior_visits": 10_000, "evaluation": "gain", "final": "max"}
    config = MctsConfig(iterations=2 * len(gains), fresh_worlds=True, solve=False, **prior)  # type: ignore[arg-type]
    assert gains[mcts(state, config=config, rng=Stream(3)).action] == max(gains.values())


def test_a_tree_has_no_more_plies_than_allowed() -> None:
    from meeple.search.mcts import MctsConfig
    from meeple.search.mcts import search as mcts

    state = crowded(1)[0]
    config = {"iterations": 3_000, "worlds": 1, "solve": False}
    assert mcts(state, config=MctsConfig(**config), rng=Stream(3)).depth > 1  # type: ignore[arg-type]
    limited = mcts(state, config=MctsConfig(**config, plies=1, final="wins"), rng=Stream(3))  # type: ignore[arg-type]
    assert limited.depth == 1
    wins = np.nan_to_num(limited.values + 1) / 2 * limited.visits
    assert wins[list(limited.actions).index(limited.action)] == max(wins)
