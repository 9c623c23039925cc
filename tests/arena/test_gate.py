"""Gates: who passes, who does not, and at which limits they play."""

from __future__ import annotations

import pytest

from conftest import HOARD, TICTACTOE
from meeple import load_game
from meeple.arena.gate import Verdict, limited, prepare_gate
from meeple.arena.tournament import Standing, Tournament
from meeple.errors import ConfigError

SANTORINI = load_game("santorini")


def verdict(plan: Tournament, scores: list[float], *, ended: bool) -> Verdict:
    """What sets of these scores say."""
    standing = Standing(plan.schedule.first_lineups()[0], plan.sets)
    standing.columns[0].extend(scores)
    standing.ended_at = len(scores) if ended else None
    return Verdict(plan, standing)


def test_cpu_time_takes_the_place_of_other_limits() -> None:
    assert limited("alphabeta:nodes=5000", "20ms", SANTORINI) == "alphabeta:cpu=20ms"
    assert limited("alphabeta:time=1s,depth=4", "20ms", SANTORINI) == "alphabeta:depth=4,cpu=20ms"
    assert limited("flat:playouts=50", "1s", SANTORINI) == "flat:playouts=0,cpu=1s"
    assert limited("greedy:evaluation=climb", "20ms", SANTORINI) == load_spec("greedy:evaluation=climb")
    azul = load_game("azul")
    assert limited("strong", "20ms", azul).startswith("mcts:iterations=0,cpu=20ms,c=0.4,")


def load_spec(spec: str) -> str:
    from meeple import load_agent

    return load_agent(spec, SANTORINI).spec


def test_beyond_two_seats_the_old_agent_has_all_others() -> None:
    plan = prepare_gate(load_game(f"{HOARD}:players=3"), "greedy", "random", games=10)
    assert plan.agents == ("greedy", "random", "random")
    assert plan.games_a_lineup == 12  # whole sets of six seatings
    assert plan.sprt is not None
    assert (plan.sprt.elo0, plan.sprt.elo1, plan.sprt.seats) == (0.0, 20.0, 3)


@pytest.mark.parametrize(
    ("new", "old", "given", "message"),
    [
        ("alphabeta:nodes=5", "alphabeta:nodes=9", {}, "both are alphabeta:cpu=20ms at equal CPU time"),
        ("greedy", "random", {"margin": 0.0}, "the margin is a number of Elo above 0"),
        ("greedy", "random", {"cpu": "0s"}, "a gate needs a limit of CPU time above zero"),
        ("greedy", "random", {"cpu": "soon"}, "'soon' is not a time"),
        ("greedy", "human", {}, "here agents play by themselves"),
    ],
)
def test_what_decides_nothing_is_refused(new: str, old: str, given: dict[str, float], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        prepare_gate(SANTORINI, new, old, **given)  # type: ignore[arg-type]


def test_only_h1_lets_an_agent_pass() -> None:
    plan = prepare_gate(load_game(TICTACTOE), "greedy", "random", margin=100.0)
    won, lost = verdict(plan, [1.0] * 16, ended=True), verdict(plan, [0.0] * 16, ended=True)
    assert won.has_passed
    assert won.sentence().startswith("greedy passes: it is better than random; 100.0% of the points (")
    assert won.sentence().endswith("in 32 games")
    assert not lost.has_passed
    assert "greedy does not pass: it is not better than random by 100 Elo, a share of 64.0%; 0.0%" in lost.sentence()
    # A lead that no look has ended is no pass, and no set is no share.
    open_yet = verdict(plan, [1.0] * 15, ended=False)
    assert not open_yet.has_passed
    assert "does not pass: 30 games have not decided; 100.0% of the points" in open_yet.sentence()
    assert verdict(plan, [], ended=False).sentence().endswith("; no set of games was finished")
