"""The duel's picture and lessons: what may be clicked, what a seat may not see, what a newcomer is told."""

from __future__ import annotations

import re

import numpy as np
import pytest

from meeple.core.contract import NOBODY
from meeple.core.game import State
from meeple.core.match import Match
from meeple.core.picture import Look
from meeple.core.registry import load_game
from meeple.games.saboteur_duel.picture import preview, tally

GAME = load_game("saboteur-duel")
MIDDLE = (
    "turn 1 board=6,5:0;7,5:6f;8,5:8;8,6:9;8,7:7f;9,5:2;9,7:0;10,7:8 nugget=right shown=- looked=left|right malus=0,1 "
    "hands=7,7,6,map,malus,destroy,0|8,8,5,5,0,map,bonus drops=1|3 gone=map,map,malus win=-"
)


def targets(state: State, seat: int | None, look: Look) -> set[str]:
    return set(re.findall(r'data-t="([^"]*)"', state.picture(seat, look)))


def labels(state: State, seat: int | None) -> str:
    return " | ".join(re.findall(r'aria-label="([^"]*)"', state.picture(seat)))


def preview_of(state: State, move: str, seat: int = 0) -> str:
    return preview(state.record, state.read_move(move), seat)


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("seed", [1, 2])
def test_every_click_on_the_way_to_an_action_is_on_the_picture(narrow: bool, seed: int) -> None:
    match = Match(GAME, seed=seed)
    rng = np.random.default_rng(seed)
    while not match.is_over:
        actions = [int(action) for action in match.state.legal_actions()]
        action = int(rng.choice(actions))
        if match.ply % 5 == 0:
            offer = [path for one in actions for path in match.state.paths(one)]
            for path in match.state.paths(action):
                for n in range(len(path)):
                    lit = frozenset(other[n] for other in offer if other[:n] == path[:n])
                    look = Look(lit=lit, chosen=path[:n], narrow=narrow)
                    assert lit <= targets(match.state, match.to_move, look)
        match.play(action)


def test_equal_cards_and_turned_ones_have_paths_of_their_own() -> None:
    state = GAME.read(MIDDLE)
    assert state.paths(state.read_move("path 7 at 5,4")) == [("hand-3", "5,4"), ("hand-4", "5,4")]
    assert state.paths(state.read_move("path 7f at 5,6")) == [
        ("hand-3-turned", "5,6"),
        ("hand-3", "hand-3-turned", "5,6"),
        ("hand-4-turned", "5,6"),
        ("hand-4", "hand-4-turned", "5,6"),
    ]
    assert state.paths(state.read_move("map left")) == [("hand-5", "left")]
    assert state.paths(state.read_move("malus")) == [("hand-7", "seat-2")]
    assert state.paths(state.read_move("drop 0")) == [("hand-1", "discard")]


def test_only_the_viewer_sees_the_hand_and_what_a_map_showed() -> None:
    state = GAME.read(MIDDLE)
    first, second, spectator = (labels(state, seat) for seat in (0, 1, NOBODY))
    assert "left goal, face down; you have seen stone" in first
    assert "right goal, face down; you have seen gold" in second
    assert "you have seen stone" not in second
    assert "you have seen" not in spectator
    assert "Destroy" not in spectator
    assert "Destroy" in first
    assert "Destroy" not in second
    assert "Bonus" in second
    assert "Bonus" not in first
    assert labels(state, None).count("you have seen") == 3
    assert tally(state.record, 1, 0) == {"cards": 7, "Malus": 1}


def test_a_chosen_tunnel_is_shown_faintly_where_it_may_lie() -> None:
    state = GAME.read(MIDDLE)
    lit = frozenset({"5,4", "11,7"})
    plain = state.picture(0, Look(lit=lit))
    chosen = state.picture(0, Look(lit=lit, chosen=("hand-3",)))
    assert chosen.count('opacity=".45"') == 2 > plain.count('opacity=".45"')


def test_the_last_card_played_marks_its_cell_and_no_card_in_the_hand() -> None:
    shown = GAME.read(MIDDLE).picture(1, Look(last=frozenset({"hand-3", "10,7"})))
    assert re.findall(r'class="target last" data-t="([^"]*)"', shown) == ["10,7"]


def test_preview_tells_what_a_move_does_and_nothing_unseen() -> None:
    state = GAME.read(MIDDLE)
    assert preview_of(state, "path 0 at 11,7") == "reaches the right goal"
    known = GAME.read(MIDDLE.replace("looked=left|right", "looked=left+middle|right"))
    assert preview_of(known, "path 0 at 11,7") == "reaches the gold and wins"
    assert preview_of(state, "destroy 8,6") == "takes it away and cuts off 3 more"
    assert preview_of(state, "destroy 9,5") == "takes it away"
    assert preview_of(state, "map left") == "you know this one already"
    assert preview_of(state, "map right") == "you alone see what it is"
    assert preview_of(state, "path 7 at 5,4") == "joined to the entrance, 7 cells from a goal"
