"""Azul drawn: what may be clicked and where it is, the words on a move, and the lessons."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from games.azul.tables import board, table
from meeple import NOBODY, State, load_game
from meeple.core.lessons import Lesson
from meeple.core.match import Match
from meeple.core.picture import Look
from meeple.games.azul import picture
from meeple.games.azul.lessons import LESSONS
from meeple.games.azul.notation import LETTERS, counts_of

WALL = "BYRK./...../...../...../....."


def walk(spec: str, seed: int, plies: int) -> Iterator[State]:
    """The states of a random match in which a seat is to move, the last state too."""
    match, rng = Match(load_game(spec), seed=seed), random.Random(seed)
    while not match.is_over and match.ply < plies:
        yield match.state
        match.play(int(rng.choice(list(match.state.legal_actions()))))
    yield match.state


def shown(drawing: str, target: str) -> int:
    return drawing.count(f'data-t="{target}"')


@pytest.mark.parametrize("spec", ["azul", "azul:players=3", "azul:players=4,wall=grey"])
def test_all_that_may_be_clicked_is_there_once(spec: str) -> None:
    for state in walk(spec, seed=2, plies=70):
        if state.to_move < 0:
            continue
        offer = [path for action in state.legal_actions() for path in state.paths(int(action))]
        assert len(offer) == len(set(offer)) == len(state.legal_actions())
        drawing = state.picture(state.to_move, Look(lit=frozenset(path[0] for path in offer)))
        assert all(shown(drawing, path[0]) == 1 for path in offer)
        chosen = offer[0][:1]
        following = {path[1] for path in offer if path[:1] == chosen and len(path) > 1}
        drawing = state.picture(state.to_move, Look(lit=frozenset(following), chosen=chosen))
        assert all(shown(drawing, target) == 1 for target in following)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("look", [Look(), Look(dark=True, narrow=True)])
def test_every_table_is_drawn_for_every_viewer(players: int, look: Look) -> None:
    *_, state = walk(f"azul:players={players}", seed=4, plies=40)
    for seat in (None, NOBODY, *range(players)):
        drawing = state.picture(seat, look)
        assert len(drawing) < 80_000
        assert all(f">Seat {owner + 1}<" in drawing for owner in range(players))
    assert state.picture(None) == state.picture(0) != state.picture(1)


def test_only_the_movers_lines_may_be_clicked() -> None:
    state = table(board(), board(), displays="BBYK", mover=2, first=2)
    drawing = state.picture(0, Look(lit=frozenset({"line-3"}), chosen=("F1-blue",)))
    assert shown(drawing, "line-3") == shown(drawing, "seat-1-line-3") == 1
    assert drawing.count('class="target lit"') == 1


def test_the_last_move_is_marked_on_its_makers_board() -> None:
    state = table(board(), board("-/-/BB/-/-"), displays="RRYK", centre="YK")
    drawing = state.picture(0, Look(last=frozenset({"F2-blue", "line-3"}), mover=1))
    assert drawing.count('class="target last"') == 1
    assert 'class="target last" data-t="seat-2-line-3"' in drawing
    assert drawing.count('class="last" data-l="F2-blue"') == 1  # the plate from which it came


def test_a_chosen_colour_shows_what_lines_gain_and_lose() -> None:
    state = table(board(), displays="WWWB")
    offer = [path for action in state.legal_actions() for path in state.paths(int(action))]
    lit = frozenset(path[1] for path in offer if path[0] == "F1-white")
    drawing = state.picture(0, Look(lit=lit, chosen=("F1-white",)))
    # Line 1 takes one of three: +1 and two on the floor; line 2 two of three; line 3 all; the floor would cost 4.
    assert [drawing.count(f">{words}<") for words in ("+1", "−4")] == [3, 1]
    assert drawing.count('class="ghost"') == 6


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("F1 white 1", "fills line 1, +5 on the wall; 2 too many, -2 on the floor"),
        ("F1 white 4", "3 of 4 on line 4"),
        ("F1 white floor", "3 white to the floor; -4 on the floor"),
        ("centre red 2", "fills line 2, +2 on the wall; you begin the next round; -1 on the floor"),
    ],
)
def test_a_move_is_told_in_words(move: str, words: str) -> None:
    state = table(board("-/R/-/-/-", WALL, points=20), displays="WWWB", centre="R")
    assert picture.preview(state.record, state.read_move(move), 0) == words


def test_on_a_grey_wall_cells_are_clicked_and_say_what_they_score() -> None:
    state = table(board("B/-/-/-/-", ".YR../...../...../...../....."), board(), options="wall=grey", marker=2)
    cells = {state.paths(int(action))[0] for action in state.legal_actions()}
    assert cells == {("cell-1-1",), ("cell-1-4",), ("cell-1-5",)}
    words = [picture.preview(state.record, int(action), 0) for action in state.legal_actions()]
    assert words == ["+3 on the wall", "+3 on the wall", "+1 on the wall"]


def test_the_tally_says_what_is_to_come() -> None:
    state = table(board("-/RR/-/-/-", WALL, points=20, floor=3), displays="WWWB", centre="R")
    assert picture.tally(state.record, 0, 0) == {"points": 20, "full lines": 2, "floor": -4}


def test_after_the_end_the_tally_adds_up_to_the_points() -> None:
    *_, state = walk("azul:cap=30", seed=1, plies=5_000)
    assert state.to_move == NOBODY
    for owner in range(2):
        assert sum(picture.tally(state.record, owner, None).values()) == state.score(owner)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_a_lessons_position_can_be_shown(lesson: Lesson) -> None:
    if lesson.position:
        state = load_game("azul").read(lesson.position)
        action = state.read_move(lesson.move)
        assert all(shown(state.picture(lesson.seat), target) == 1 for target in state.paths(action)[0])


def test_every_lesson_applies_some_time() -> None:
    told = set()
    for spec in ("azul", "azul:players=3,wall=grey"):
        for state in walk(spec, seed=5, plies=400):
            told |= {
                lesson.key
                for lesson in LESSONS
                for seat in range(state.game.seats)
                if lesson.applies(state.record, seat)
            }
    nearly = table(board("-/-/-/-/-", WALL, points=20), displays="WWWB")
    told |= {lesson.key for lesson in LESSONS if lesson.applies(nearly.record, 0)}
    assert told == {lesson.key for lesson in LESSONS}


@pytest.mark.parametrize("spec", ["azul", "azul:players=3,wall=grey"])
def test_fallen_tiles_keep_their_colour(spec: str) -> None:
    match, rng, most = Match(load_game(spec), seed=6), random.Random(6), 0
    while not match.is_over:
        record, fallen = match.state.record, match.memory()
        for owner in range(match.game.seats):
            lying = fallen[owner][: int(record.floor[owner])] if fallen else ""
            assert len(lying) == int(record.floor[owner])
            assert lying.count("1") == (int(record.marker) == owner and "1" in fallen[owner])
            most = max(most, len(lying))
        lid = dict(zip(LETTERS, counts_of(record.lid), strict=True))
        assert all("".join(fallen).count(letter) <= lid[letter] for letter in LETTERS) or not record.floor.any()
        assert 'href="#azul-shard"' not in match.state.picture(0, Look(memory=fallen))
        match.play(int(rng.choice(list(match.state.legal_actions()))))
    assert most == 7


def test_where_no_match_is_known_fallen_tiles_are_shards() -> None:
    match = Match(load_game("azul"), seed=6)
    match.play("F1 " + match.state.legal_moves()[0].split()[1] + " floor")
    name = match.steps[-1].text.split()[1]
    assert f'href="#azul-{name}" x="16" y="324"' in match.state.picture(0, Look(memory=match.memory()))
    assert 'href="#azul-shard"' in match.state.picture(0)
    assert match._repr_svg_() == match.state.picture(None, Look(memory=match.memory()))
    assert match.memory(0) == ()
