"""Saboteur's policies: what they do by role, and that they look at nothing that the mover may not know."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from games.saboteur.test_roles_rules import ROW, at
from meeple import State, load_game
from meeple.core.chance import rng_for
from meeple.core.game import Game
from meeple.core.heuristics import Heuristic, find_heuristic
from meeple.games.saboteur.layout import MAX_ACTIONS
from meeple.games.saboteur.likings import Likings

GAME = load_game("saboteur:players=5")
SCRATCH = np.empty(MAX_ACTIONS, dtype=np.int64)


def move(state: State, name: str = "plain") -> str:
    return state.move_text(chosen(state, find_heuristic(GAME, "PLAYOUTS", name)))


@pytest.mark.parametrize("name", ["plain", "loyal"])
def test_a_policy_reads_only_what_the_mover_knows(name: str) -> None:
    policy = find_heuristic(GAME, "PLAYOUTS", name)
    state, rng, deals = GAME.new(seed=2).settled(), rng_for("policy", seed=2), rng_for("deals", seed=2)
    while not state.is_over:
        world = state.redealt(state.to_move, deals)
        here, there = rng_for("ask", seed=2), rng_for("ask", seed=2)
        assert policy(state.record, here.array, SCRATCH) == policy(world.record, there.array, SCRATCH)
        state = state.after(int(policy(state.record, rng.array, SCRATCH))).settled()


def test_a_miner_finishes_the_tunnel_and_a_saboteur_closes_it() -> None:
    miner = at(table=ROW, hands="8,13,1|-|-", goals="e,t,w")
    assert move(miner) == "path 8 at 7,0"
    saboteur = at(table=ROW, hands="8,13,1|-|-", goals="e,t,w", roles="smm")
    assert move(saboteur) == "path 13 at 7,0"
    assert move(saboteur, "loyal") == "path 8 at 7,0"


def test_a_saboteur_breaks_tools_and_a_miner_mends_its_own() -> None:
    assert move(at(hands="bl,8,1|-|-", roles="smm")).startswith("break")
    assert move(at(hands="rl,8,1|-|-", broken="2,0,0")) == "repair 1 lantern"


def test_all_take_the_most_gold() -> None:
    assert move(at("choose 1", won="m--", were="4/0/0", offer="113")) == "take 3"


def test_loyal_seats_reach_the_treasure_and_plain_saboteurs_hinder_it() -> None:
    # Five seats, 12 games of three rounds: with saboteurs at work the miners win clearly fewer rounds.
    def rounds(name: str) -> int:
        policy = find_heuristic(GAME, "PLAYOUTS", name)
        won = 0
        for seed in range(12):
            state, rng = GAME.new(seed=seed).settled(), rng_for("rounds", seed=seed)
            while not state.is_over:
                state = state.after(int(policy(state.record, rng.array, SCRATCH))).settled()
            won += sum(int(code) == 1 for code in state.record.outcome_of)
        return won

    loyal, plain = rounds("loyal"), rounds("plain")
    assert loyal >= 30
    assert plain < loyal


def test_every_weight_of_the_likings_can_be_tuned() -> None:
    bias, plain = find_heuristic(GAME, "BIASES", "roles"), find_heuristic(GAME, "PLAYOUTS", "plain")
    names = set(Likings._fields)
    for state in decisions(GAME, matches=6):
        liked = [bias(state.record, action) for action in state.offer()]
        for name in sorted(names):
            start = getattr(Likings(), name)
            other = bias.with_weights({name: start + 7})
            is_liked = [other(state.record, action) for action in state.offer()] != liked
            # Who knows the roles has other numbers for breaking and mending than one who plays its own alone.
            wild = plain.with_weights({name: start * 0 + 900})
            if is_liked or (name in ("miner_break", "miner_help") and chosen(state, wild) != chosen(state, plain)):
                names.remove(name)
    assert not names


def decisions(game: Game, matches: int) -> Iterator[State]:
    """Every decision of a few matches of random players."""
    for seed in range(matches):
        state, rng = game.new(seed=seed).settled(), rng_for("decisions", seed=seed)
        while not state.is_over:
            yield state
            offer = state.offer()
            state = state.after(offer[rng.below(len(offer))]).settled()


def chosen(state: State, policy: Heuristic) -> int:
    return int(policy(state.record, rng_for("policy", seed=1).array, SCRATCH))
