"""The picture and lessons of the game of roles: what may be clicked, what a seat may not see, what is told."""

from __future__ import annotations

import re

import numpy as np
import pytest

from meeple.core.contract import NOBODY
from meeple.core.game import State
from meeple.core.match import Match
from meeple.core.picture import Look
from meeple.core.registry import load_game
from meeple.games.saboteur.lessons import LESSONS
from meeple.games.saboteur.picture import preview, tally, total

GAME = load_game("saboteur:players=3")
MIDDLE = (
    "turn 1 round=2 step=0 last=3 roles=mms goals=w,t,e table=1,0:10;2,0:8;3,0:8;4,0:9;5,0:9f;6,0:9 looked=1,2,0 "
    "broken=0,6,1 hands=7,7,10,13,bl,rpl|0,5,6,8,rc,map|0,1,6,9,bc,rock passed=-|-|- gone=- won=m-- were=4/0/0 "
    "took=1:3;2:1;1:1/-/- offer=- paid=-/-/- back=- bared=0,0,0"
)
GOLD = next(lesson.position for lesson in LESSONS if lesson.key == "gold")


def targets(state: State, seat: int | None, look: Look) -> list[str]:
    return re.findall(r'data-t="([^"]*)"', state.picture(seat, look))


def labels(state: State, seat: int | None) -> str:
    return " | ".join(re.findall(r'aria-label="([^"]*)"', state.picture(seat)))


def preview_of(state: State, move: str, seat: int = 0) -> str:
    return preview(state.record, state.read_move(move), seat)


def hold_to_clicks(state: State, action: int, narrow: bool) -> None:
    """Each target that may come next on the way to the action is on the mover's picture once."""
    offer = [path for one in state.legal_actions() for path in state.paths(int(one))]
    for path in state.paths(action):
        for n in range(len(path)):
            lit = frozenset(other[n] for other in offer if other[:n] == path[:n])
            shown = targets(state, state.to_move, Look(lit=lit, chosen=path[:n], narrow=narrow))
            assert [shown.count(target) for target in lit] == [1] * len(lit)


@pytest.mark.parametrize(("players", "narrow"), [(3, False), (4, True), (10, True), (10, False)])
def test_every_click_on_the_way_to_an_action_is_on_the_picture(players: int, narrow: bool) -> None:
    match = Match(load_game(f"saboteur:players={players}"), seed=players)
    rng = np.random.default_rng(players)
    for _ in range(70):
        action = int(rng.choice(match.state.legal_actions()))
        if match.ply % 7 == 0:
            hold_to_clicks(match.state, action, narrow)
        match.play(action)


def test_each_kind_of_move_has_the_path_one_would_click() -> None:
    state = GAME.read(MIDDLE)
    expected = {
        "path 10 at 7,0": [("hand-3", "7,0")],
        "path 7 at -1,0": [("hand-1", "-1,0"), ("hand-2", "-1,0")],
        "path 7f at 0,-1": [
            ("hand-1-turned", "0,-1"),
            ("hand-1", "hand-1-turned", "0,-1"),
            ("hand-2-turned", "0,-1"),
            ("hand-2", "hand-2-turned", "0,-1"),
        ],
        "break 3 lantern": [("hand-5", "seat-3")],
        "repair 2 lantern with pickaxe/lantern": [("hand-6", "seat-2-lantern"), ("hand-6", "seat-2")],
        "repair 3 pickaxe with pickaxe/lantern": [("hand-6", "seat-3-pickaxe"), ("hand-6", "seat-3")],
        "pass path 7": [("hand-1", "discard"), ("hand-2", "discard")],
    }
    assert {move: state.paths(state.read_move(move)) for move in expected} == expected
    both = GAME.read(MIDDLE.replace("broken=0,6,1", "broken=0,3,1"))
    assert both.paths(both.read_move("repair 2 lantern with pickaxe/lantern")) == [("hand-6", "seat-2-lantern")]
    chooser = GAME.read(GOLD)
    assert chooser.paths(chooser.read_move("take 1")) == [("gold-1",), ("gold-2",)]
    assert chooser.paths(chooser.read_move("take 2")) == [("gold-3",)]
    for narrow in (False, True):
        hold_to_clicks(chooser, chooser.read_move("take 2"), narrow)
        hold_to_clicks(state, state.read_move("repair 2 lantern with pickaxe/lantern"), narrow)


def test_roles_hands_and_goals_are_shown_to_those_who_know_them() -> None:
    state = GAME.read(MIDDLE)
    first, second, third, spectator = (labels(state, seat) for seat in (0, 1, 2, NOBODY))
    assert "your role: miner" in first
    assert "your role: saboteur" in third
    assert "your role" not in spectator
    assert "left goal, face down; you have seen stone" in first
    assert "middle goal, face down; you have seen gold" in second
    assert "you have seen" not in third
    assert "repair a cart" in second
    assert "repair a cart" not in first + third + spectator


def test_gold_is_shown_as_far_as_it_is_known() -> None:
    state = GAME.read(MIDDLE)
    assert tally(state.record, 0, 0) == {"as saboteur": 0, "as miner": 4}
    assert tally(state.record, 0, 1) == {"as saboteur": 0, "as miner": 0, "cards face down": 2}
    assert tally(state.record, 1, None) == {"as saboteur": 0, "as miner": 1}
    assert state.score(0) == 0  # nothing of it lies open
    assert [total(state.record, 0, seat) for seat in (0, 1, NOBODY, None)] == [4, 0, 0, 4]
    chooser = GAME.read(GOLD)
    assert "gold card of value 2" in labels(chooser, 0)
    assert "gold card of value" not in labels(chooser, 1) + labels(chooser, NOBODY)


def test_preview_tells_what_a_move_does_and_nothing_unseen() -> None:
    state = GAME.read(MIDDLE)
    assert preview_of(state, "path 10 at 7,0") == "reaches the middle goal"
    known = GAME.read(MIDDLE.replace("looked=1,2,0", "looked=2,2,0"))
    assert preview_of(known, "path 10 at 7,0") == "reaches the gold: the miners win the round"
    assert preview_of(state, "path 13 at 7,0") == "a dead end"
    assert preview_of(state, "repair 2 lantern with pickaxe/lantern") == "mended, 1 still broken"
    assert preview_of(state, "repair 3 pickaxe with pickaxe/lantern") == "mended, may lay tunnels again"
    rocks = GAME.read(MIDDLE.replace("turn 1", "turn 3").replace("broken=0,6,1", "broken=0,6,0"))
    assert preview_of(rocks, "rockfall at 4,0", 2) == "takes it away and cuts off 2 more"
    assert preview_of(rocks, "rockfall at 6,0", 2) == "takes it away"
    assert preview_of(GAME.read(GOLD), "take 2") == "2 gold for you"


def test_the_window_follows_what_is_built() -> None:
    far = GAME.read(MIDDLE.replace("table=1,0:10;", "table=0,-1:0;0,-2:0;0,-3:0;0,-4:0;1,0:10;").replace("0,5,", "5,")
                    .replace("|0,1,", "|1,"))  # fmt: skip
    for state, top in ((GAME.read(MIDDLE), -2), (far, -5)):
        numbers = [
            int(word) for word in re.findall(r'text-anchor="end"[^>]*fill-opacity=".7">(-?\d+)<', state.picture(0))
        ]
        assert min(numbers) == top


def test_a_mended_tool_marks_the_seat_it_lay_before() -> None:
    state = load_game("saboteur:players=3").new(seed=1)
    mended = state.picture(0, Look(last=frozenset({"hand-1", "seat-2-lantern"}), mover=2))
    assert re.findall(r'<g class="last" data-l="([^"]*)"', mended) == ["seat-2-lantern"]
    assert "data-l" not in state.picture(0, Look(last=frozenset({"hand-1", "seat-2"}), mover=2))
