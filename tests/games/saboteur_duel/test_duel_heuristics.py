"""The duel's heuristics: the report's scores by hand, and that no policy looks at what the mover may not know."""

from __future__ import annotations

import numpy as np
import pytest

from games.saboteur_duel.test_duel_rules import GAME, at, rest
from meeple import State
from meeple.agents.registry import load_agent
from meeple.core.chance import rng_for
from meeple.core.heuristics import find_heuristic
from meeple.games.saboteur_duel.heuristics import BIASES, Builder
from meeple.games.saboteur_duel.layout import MAX_ACTIONS


def scores(state: State) -> dict[str, float]:
    return {state.move_text(action): float(BIASES["paper"](state.record, action)) for action in state.offer()}


def test_the_reports_scores_by_hand() -> None:
    # 6,5 is six rows above the middle objective (12,5): 8 is versatile, 0 plain, 1 a dead end.
    found = scores(at("4,5:13", "8,0,1,map,malus,destroy,9"))
    assert found["path 8 at 6,5"] == pytest.approx(1 / 6)
    assert found["path 0 at 6,5"] == pytest.approx(2 / 3 / 6)
    assert found["path 1 at 6,5"] == pytest.approx(1 / 3 / 6)
    assert found["map left"] == 0.5
    assert found["destroy 4,5"] == 0.5
    assert found["malus"] == 0.05  # hardly a card is drawn yet
    late = scores(at("-", "malus,1", "2,3", gone=rest("malus,1", "2,3")))
    assert late["malus"] == 0.6
    assert found["drop 8"] == 0.05


def test_the_reports_scores_turn_with_what_is_known() -> None:
    known = scores(at("-", "8,0,1,map,malus,destroy,9", looked="left|-", nugget="left"))
    assert known["map left"] == 0.05
    assert known["path 8 at 6,5"] == pytest.approx(1 / 8)  # 12,3 is two columns further
    assert scores(at("6,5:8", "destroy,1,2,3,4,11,12"))["destroy 6,5"] == 0.0  # never a way
    blocked = scores(at("-", "bonus,1,2,3,4,11,12", malus="1,0", gone="malus"))
    assert blocked["bonus"] == 1.0


def test_a_tile_that_leads_out_of_the_rectangle_scores_little() -> None:
    found = scores(at("4,5:0;3,5:0", "0,8,1,2,3,11,12"))
    assert found["path 0 at 2,5"] == 0.05


@pytest.mark.parametrize("name", ["builder", "digger", "random-course", "paper"])
def test_a_policy_reads_only_what_the_mover_knows(name: str) -> None:
    policy = find_heuristic(GAME, "PLAYOUTS", name)
    scratch = np.empty(MAX_ACTIONS, dtype=np.int64)
    for seed in range(4):
        state, rng, deals = GAME.new(seed=seed).settled(), rng_for("policy", seed=seed), rng_for("deals", seed=seed)
        while not state.is_over:
            world = state.redealt(state.to_move, deals)
            here, there = rng_for("ask", seed=seed), rng_for("ask", seed=seed)
            assert policy(state.record, here.array, scratch) == policy(world.record, there.array, scratch)
            state = state.after(int(policy(state.record, rng.array, scratch))).settled()


def test_the_builder_finishes_and_hinders() -> None:
    down = "6,5:0;7,5:0;8,5:0;9,5:8;10,5:8"
    policy = find_heuristic(GAME, "PLAYOUTS", "builder")
    scratch = np.empty(MAX_ACTIONS, dtype=np.int64)

    def move(state: State) -> str:
        return state.move_text(int(policy(state.record, rng_for("builder", seed=1).array, scratch)))

    assert move(at(down, "8,malus,1,2,3,4,12", nugget="middle", looked="middle|-")) == "path 8 at 11,5"
    assert move(at(down, "10,malus,1,2,3,4,12", nugget="middle", looked="middle|-")) == "malus"
    assert move(at("-", "bonus,8,1,2,3,4,12", malus="1,0", gone="malus")) == "bonus"
    assert move(at("-", "map,8,1,2,3,4,12")).startswith("map")


def moves_of(name: str, state: State) -> set[str]:
    """What a policy plays here, over 200 draws."""
    policy = find_heuristic(GAME, "PLAYOUTS", name)
    scratch, rng = np.empty(MAX_ACTIONS, dtype=np.int64), rng_for("moves", seed=1)
    return {state.move_text(int(policy(state.record, rng.array, scratch))) for _ in range(200)}


def test_the_digger_digs_on_and_overlooks_the_end() -> None:
    assert moves_of("digger", at("6,5:0;7,5:0", "8,0,1,malus,map,destroy,12")) == {"path 8 at 8,5", "path 0 at 8,5"}
    assert moves_of("digger", at("-", "bonus,8,1,2,3,4,12", malus="1,0", gone="malus")) == {"bonus"}
    down = "6,5:0;7,5:0;8,5:0;9,5:8;10,5:8"
    last = at(down, "8,malus,1,2,3,4,12", nugget="middle", looked="middle|-")
    assert moves_of("digger", last) == set(last.legal_moves())


@pytest.mark.parametrize("name", ["paper-mcts", "paper-mcts-plain", "paper-mcts-inflated", "paper-mcts-playouts"])
def test_the_reports_agents_are_presets(name: str) -> None:
    assert load_agent(f"{name}:iterations=50", GAME).spec.startswith("ismcts:")


def test_the_filter_keeps_a_part_of_the_list_and_wins_alone() -> None:
    keep = find_heuristic(GAME, "FILTERS", "builder")
    for seed in range(3):
        state, rng = GAME.new(seed=seed).settled(), rng_for("filter", seed=seed)
        while not state.is_over:
            offer = np.array(state.offer(), dtype=np.int64)
            kept = offer.copy()
            n = int(keep(state.record, kept, len(kept)))
            assert 0 < n <= len(offer)
            assert (np.diff(kept[:n]) > 0).all()
            assert set(kept[:n]) <= set(offer)
            state = state.after(rng.choice(state.offer())).settled()
    down = "6,5:0;7,5:0;8,5:0;9,5:8;10,5:8"
    won = at(down, "8,malus,1,2,3,4,12", nugget="middle", looked="middle|-")
    kept = np.array(won.offer(), dtype=np.int64)
    n = int(keep(won.record, kept, len(kept)))
    assert [won.move_text(int(action)) for action in kept[:n]] == ["path 8 at 11,5"]


def test_the_pathfinder_takes_a_win_in_one() -> None:
    import meeple

    down = "6,5:0;7,5:0;8,5:0;9,5:8;10,5:8"
    state = at(down, "8,malus,1,2,3,4,12", nugget="middle", looked="middle|-")
    match = meeple.play_match(GAME, ["pathfinder:iterations=50", "random"], seed=1, start=state.text())
    assert match.steps[0].text == "path 8 at 11,5"


def test_every_weight_of_the_builder_can_be_tuned() -> None:
    bias, names = BIASES["builder"], set(Builder._fields)
    policy, scratch = find_heuristic(GAME, "PLAYOUTS", "builder"), np.empty(MAX_ACTIONS, dtype=np.int64)
    for seed in range(20):
        state, rng = GAME.new(seed=seed).settled(), rng_for("decisions", seed=seed)
        while not state.is_over:
            offer = state.offer()
            liked = [bias(state.record, action) for action in offer]
            for name in sorted(names):
                other = bias.with_weights({name: getattr(Builder(), name) + 1})
                if [other(state.record, action) for action in offer] != liked:
                    names.remove(name)
            built = int(policy(state.record, rng.array, scratch))  # every other move, so that tunnels come to an end
            state = state.after(built if rng.below(2) else offer[rng.below(len(offer))]).settled()
    assert not names
