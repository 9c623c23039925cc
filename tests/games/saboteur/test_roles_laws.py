"""The laws of the contract where random play hardly gets: rounds that the miners win, gold on offer, turned stones."""

from __future__ import annotations

import numpy as np
import pytest

from meeple import NOBODY, State, load_game
from meeple.core.chance import rng_for
from meeple.core.conformance.laws import LAWS, NOT_HERE
from meeple.core.conformance.probe import Probe
from meeple.core.contract import CHANCE
from meeple.core.heuristics import find_heuristic
from meeple.games.saboteur.layout import CHOOSE, GOLD, MAX_ACTIONS

NAMES = (
    "check",
    "redeal",
    "redeal-check",
    "view",
    "offer",
    "seen",
    "position-text",
    "view-text",
    "move-text",
    "weights",
)
HELD = [law for law in LAWS if law.name in NAMES]


def hold(state: State, number: int, seed: int) -> None:
    probe = Probe(state.game, seed, number, state, [])
    if not state.is_over:
        probe.code = state.fated_outcome() if state.to_move == CHANCE else int(state.legal_actions()[0])
    for law in HELD:
        found = law.test(probe)
        assert found in ("", NOT_HERE), f"{law.name}: {found}"


@pytest.mark.parametrize("spec", ["players=3", "players=5,gold=miners", "players=6,goals=crosses", "players=10"])
def test_laws_hold_while_gold_is_given_out(spec: str) -> None:
    game = load_game(f"saboteur:{spec}")
    policy = find_heuristic(game, "PLAYOUTS", "loyal")
    scratch = np.empty(MAX_ACTIONS, dtype=np.int64)
    state, rng, number, met = game.new(seed=3), rng_for("laws", seed=3), 0, 0
    while not state.is_over:
        # Every event around the gold, and each fortieth besides.
        if state.record.phase in (GOLD, CHOOSE) or number % 40 == 0:
            hold(state, number, 3)
            met += state.record.phase == CHOOSE
        chance = state.to_move == CHANCE
        state = state.after(state.fated_outcome() if chance else int(policy(state.record, rng.array, scratch)))
        number += 1
    hold(state, number, 3)
    assert met >= 6
    assert state.redealt(NOBODY, rng_for("end", seed=1)).ranks() == state.ranks()
