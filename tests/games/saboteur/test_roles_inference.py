"""Saboteur's role deals as classes of worlds, and the belief about them that follows from what was seen."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from games.saboteur.test_roles_rules import at
from meeple import Match, load_agent
from meeple.agents.base import ask
from meeple.core.chance import Stream
from meeple.core.heuristics import Heuristic, no_inference
from meeple.errors import ConfigError, ContractError
from meeple.games.saboteur import heuristics, rounds
from meeple.games.saboteur.layout import MINERS, SABOTEURS, TURN
from meeple.search.strata import Weights, believed


def suspicion(weights: Weights, seat: int) -> float:
    """The share of the worlds in which a seat is a saboteur."""
    return sum(weight for deal, weight in weights.items() if deal >> seat & 1) / sum(weights.values())


def belief(match: Match, seat: int, seed: int = 1) -> Weights:
    assert match.to_move == seat
    world = match.state.redealt(seat, Stream(seed))
    return believed(world, match.seen(seat), name="moves", rng=Stream(5))


# --- classes of worlds


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("role", ["m", "s"])
def test_classes_weigh_as_the_role_cards_do(players: int, role: str) -> None:
    # The role cards in every order, the last laid aside; the weights are the same for all, whatever number they are.
    deck = ["s"] * int(SABOTEURS[players]) + ["m"] * int(MINERS[players])
    ways: dict[int, int] = {}
    for dealt in permutations(deck, players):
        if dealt[0] == role:
            deal = sum(1 << seat for seat, card in enumerate(dealt) if card == "s")
            ways[deal] = ways.get(deal, 0) + 1
    true = "".join("s" if next(iter(ways)) >> seat & 1 else "m" for seat in range(players))
    strata = at(players=players, roles=true).strata(0)
    assert strata.keys() == ways.keys()
    assert {ways[deal] / weight for deal, weight in strata.items()} == {next(iter(ways.values()))}


def test_a_world_of_a_class_has_its_roles_and_is_redealt_otherwise() -> None:
    state = at(players=5, roles="mmssm", looked="1,0,0,0,0", hands="8,map|-|-|-|-")
    for number, deal in enumerate(state.strata(0)):
        world = state.redealt(0, Stream(number), stratum=deal)
        assert int(world.record.saboteurs) == deal
        assert world.text(0) == state.text(0)
        # Nothing of the class is left after a plain redeal.
        assert world.redealt(0, Stream(99)) == state.redealt(0, Stream(99))


def test_there_is_one_class_once_roles_are_shown() -> None:
    state = at("choose 1", players=3, roles="mms", won="m--", were="4/0/0", offer="112")
    assert state.strata(1) == {4: 1}
    assert int(state.redealt(1, Stream(1), stratum=4).record.saboteurs) == 4


# --- the belief


def round_with(moves: int, seed: int, players: int = 5) -> Match:
    """A match after so many moves of open players."""
    match = Match(f"saboteur:players={players}", seed=seed)
    plain = load_agent("plain", match.game)
    for _ in range(moves):
        match.play(ask(plain, match))
    return match


def test_before_any_move_the_belief_is_chance() -> None:
    match = round_with(0, seed=4)
    weights = belief(match, match.to_move)
    assert weights.keys() == match.state.strata(match.to_move).keys()
    assert len(set(weights.values())) == 1


def test_who_breaks_tools_is_suspected_and_who_mends_is_trusted() -> None:
    match = round_with(0, seed=6)
    me, breaker = match.to_move, -1
    while breaker < 0 or match.to_move != me:
        # Everyone passes but the first other seat that can break a tool.
        moves = match.state.legal_moves()
        breaks = [move for move in moves if move.startswith("break")]
        if breaks and breaker < 0 and match.to_move != me:
            breaker = match.to_move
            match.play(breaks[0])
        else:
            match.play(next(move for move in moves if move.startswith("pass")))
    weights = belief(match, me)
    others = [seat for seat in range(5) if seat not in (me, breaker)]
    assert suspicion(weights, breaker) > 0.8
    assert all(suspicion(weights, seat) < suspicion(weights, breaker) for seat in others)


def test_open_players_are_found_out() -> None:
    # 24 rounds at their thirtieth move: the two likeliest saboteurs by each mover's belief are nearly always right.
    right = asked = 0
    for seed in range(24):
        match = round_with(30, seed)
        if match.state.record.phase != TURN or match.state.record.lap != 0:
            continue
        me = match.to_move
        weights = belief(match, me)
        for seat in range(5):
            if seat != me:
                asked += 1
                right += (suspicion(weights, seat) > 0.5) == bool(int(match.state.record.saboteurs) >> seat & 1)
    assert asked >= 60
    assert right / asked > 0.9


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_belief_hangs_on_nothing_but_what_was_seen(seed: int) -> None:
    match = round_with(25 + 20 * seed, seed, players=3 + seed)
    assert match.state.record.phase == TURN
    me = match.to_move
    assert belief(match, me, seed=1) == belief(match, me, seed=2)


def test_a_match_that_began_within_the_round_tells_nothing() -> None:
    start = round_with(20, seed=2).state
    match = Match("saboteur:players=5", seed=2, start=start)
    assert belief(match, match.to_move) == match.state.strata(match.to_move)


def test_a_belief_without_weights_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = at("choose 1", players=3, roles="mms", won="m--", were="4/0/0", offer="112")
    assert believed(shown, (), name="moves", rng=Stream(1)) == {4: 1}
    monkeypatch.setitem(heuristics.INFERENCES, "moves", Heuristic(no_inference, "says nothing"))
    with pytest.raises(ContractError, match="gave no weight"):
        believed(shown, (), name="moves", rng=Stream(1))


# --- agents


def test_agents_take_the_belief_by_name() -> None:
    match = round_with(24, seed=3)
    for spec in ("detective", "detective:worlds=7"):
        agent = load_agent(spec, match.game)
        assert ask(agent, match) == ask(agent, match)
    for spec in ("detective", "ismcts:belief=moves", "mcts:worlds=3,belief=moves"):
        assert load_agent(spec, match.game).wants_history
    assert not load_agent("ismcts", match.game).wants_history
    with pytest.raises(ConfigError, match="looks at one world"):
        load_agent("greedy:bias=roles,belief=moves", match.game)
    with pytest.raises(ConfigError, match="leave strata=no out"):
        load_agent("ismcts:belief=moves,strata=no", match.game)
    with pytest.raises(ConfigError, match="has no inference"):
        load_agent("ismcts:belief=rumour", match.game)


def test_the_detective_breaks_the_tool_of_a_saboteur_it_has_found() -> None:
    # The mover holds a broken lantern; whoever it hits must be the seat that it suspects most.
    hits = 0
    for seed in range(40):
        match = round_with(24, seed)
        breaks = [move for move in match.state.legal_moves() if move.startswith("break")]
        me = match.to_move
        if not breaks or match.state.record.phase != TURN or int(match.state.record.saboteurs) >> me & 1:
            continue
        move = match.state.move_text(ask(load_agent("detective", match.game), match))
        if move.startswith("break"):
            hits += 1
            target = int(move.split()[1]) - 1
            weights = belief(match, me)
            assert suspicion(weights, target) > 0.5, move
    assert hits >= 3


def test_results_by_role_tell_each_round() -> None:
    match = round_with(0, seed=11)
    plain = load_agent("plain", match.game)
    while not match.is_over:
        match.play(ask(plain, match))
    state = match.state
    won = [int(code) for code in state.record.outcome_of]
    for seat in range(5):
        results = state.role_results(seat)
        roles = [int(were) >> seat & 1 for were in state.record.were]
        assert results["miner"].times == roles.count(0)
        assert results["saboteur"].times == roles.count(1)
        assert results["miner"].wins == sum(role == 0 and side == 1 for role, side in zip(roles, won, strict=True))
        assert results["saboteur"].wins == sum(role == 1 and side == 2 for role, side in zip(roles, won, strict=True))
        assert sum(result.points for result in results.values()) == state.score(seat)


def test_gold_given_back_for_change_counts_in_its_round() -> None:
    # RULING 8: seat 3 took a 2 as a miner; in round 2 it was paid 6 against that 2, so the round brought it 4.
    state = at(roles="mms", lap=2, won="m--", were="1/0/0", took="3:2;2:1;3:1/-/-")
    record = state.record
    record.bank[:] = [0, 0, 2]
    rounds.pay_with_change(record, np.int64(2), np.int64(4))
    record.were[1], record.outcome_of[1] = 4, 2
    assert record.returned[2].tolist() == [0, 1, 0]
    assert state.role_results(2) == {"miner": (2, 1, 3), "saboteur": (1, 1, 4)}
    assert int(rounds.total_gold(record, np.int64(2))) == 3 + 4
