"""Ingenious drawn: what may be clicked, what stays hidden, the words on a move, and the lessons."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from meeple import NOBODY, State, load_game
from meeple.core.chance import rng_for
from meeple.core.lessons import Lesson
from meeple.core.match import Match
from meeple.core.picture import Look
from meeple.games.ingenious import picture
from meeple.games.ingenious.lessons import DOUBLE, LATE, LESSONS, MIDDLE, OFFER, START

SPECS = ("ingenious:players=1", "ingenious", "ingenious:players=3", "ingenious:players=4,teams=on")


def walk(spec: str, seed: int, plies: int) -> Iterator[State]:
    """The states of a random match, the last state too."""
    match, rng = Match(load_game(spec), seed=seed), random.Random(seed)
    while not match.is_over and match.ply < plies:
        yield match.state
        match.play(int(rng.choice(list(match.state.legal_actions()))))
    yield match.state


def reading(position: str) -> State:
    return load_game("ingenious").read(position, rng_for("test-picture", seed=1))


def shown(drawing: str, target: str) -> int:
    return drawing.count(f'data-t="{target}"')


def offer_of(state: State) -> list[tuple[str, ...]]:
    return [path for action in state.legal_actions() for path in state.paths(int(action))]


@pytest.mark.parametrize("spec", SPECS)
def test_all_that_may_be_clicked_is_there_once(spec: str) -> None:
    rng = random.Random(1)
    for i, state in enumerate(walk(spec, seed=2, plies=45)):
        if state.to_move < 0 or i % 6:
            continue
        offer = offer_of(state)
        assert len(offer) == len(set(offer))
        path = rng.choice(offer)
        for n in range(len(path)):
            lit = frozenset(other[n] for other in offer if other[:n] == path[:n])
            drawing = state.picture(state.to_move, Look(lit=lit, chosen=path[:n]))
            assert all(shown(drawing, target) == 1 for target in lit)
            assert drawing.count('class="target lit"') == len(lit)


def test_a_tile_is_held_by_either_half() -> None:
    state = reading(DOUBLE)  # the hand: PP, RB, RB, RO, GY, BP
    assert state.paths(state.read_move("RO A8 A9")) == [("tile-4-left", "A8", "A9"), ("tile-4-right", "A9", "A8")]
    assert len(state.paths(state.read_move("RB A8 A9"))) == 4  # by either half of two equal tiles
    doubles = state.paths(state.read_move("PP A8 A9"))
    assert {path[0] for path in doubles} == {"tile-1-left", "tile-1-right"}
    assert {path[1:] for path in doubles} == {("A8", "A9"), ("A9", "A8")}


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("look", [Look(), Look(dark=True, narrow=True, settings={"bars": "sorted"})])
def test_every_table_is_drawn_for_every_viewer(spec: str, look: Look) -> None:
    *_, state = walk(spec, seed=4, plies=30)
    for seat in (None, NOBODY, *range(state.game.seats)):
        drawing = state.picture(seat, look)
        assert len(drawing) < 80_000
        assert all(f"Seat {owner + 1}" in drawing for owner in range(state.game.seats))


def test_hands_are_seen_by_those_who_may_see_them() -> None:
    state = reading(MIDDLE)
    hands = {seat: state.picture(seat).count('data-p="tile-') for seat in (None, NOBODY, 0, 1)}
    assert hands == {None: 6, NOBODY: 0, 0: 6, 1: 6}
    other = load_game("ingenious").read(MIDDLE, rng_for("test-picture", seed=2))
    assert other.text() != state.text()
    assert other.picture(0) == state.picture(0)
    assert other.picture(NOBODY) == state.picture(NOBODY)
    assert other.picture(1) != state.picture(1)
    assert other.picture(None) != state.picture(None)


def test_only_the_movers_hand_and_answers_may_be_clicked() -> None:
    state = reading(OFFER)
    lit = frozenset({"keep", "swap"})
    assert [shown(state.picture(1, Look(lit=lit)), key) for key in ("keep", "swap", "tile-1-left")] == [1, 1, 1]
    assert [shown(state.picture(0, Look(lit=lit)), key) for key in ("keep", "swap", "tile-1-left")] == [0, 0, 0]


def test_the_last_tile_has_one_outline_and_the_hand_none() -> None:
    drawing = reading(MIDDLE).picture(0, Look(last=frozenset({"tile-1-left", "E7", "F6"}), mover=1))
    assert drawing.count('<g class="last"') == 1
    assert drawing.count('class="target last"') == 2  # its cells


def test_a_held_half_lies_on_its_cell_and_shows_its_lines() -> None:
    state = reading(DOUBLE)
    offer = offer_of(state)
    lit = frozenset(path[1] for path in offer if path[0] == "tile-1-left")
    drawing = state.picture(0, Look(lit=lit, chosen=("tile-1-left",)))
    assert drawing.count('class="ghost"') == len(lit)
    assert 'd="M' in drawing[drawing.index('class="ghost"') :]
    lit = frozenset(path[2] for path in offer if path[:2] == ("tile-1-left", "F3"))
    drawing = state.picture(0, Look(lit=lit, chosen=("tile-1-left", "F3")))
    assert 'class="target chosen" data-t="F3"' in drawing


def test_bars_can_be_sorted() -> None:
    def order(bars: str) -> list[str]:
        drawing = reading(LATE).picture(0, Look(settings={"bars": bars}))
        scores = drawing[drawing.index(">Seat 1<") :]
        return [part.split('"')[0] for part in scores.split('href="#ingenious-')[1:7]]

    assert order("fixed") == ["red", "green", "blue", "orange", "yellow", "purple"]
    assert order("sorted") == ["yellow", "orange", "red", "green", "blue", "purple"]


@pytest.mark.parametrize(
    ("position", "move", "words"),
    [
        (START, "RR A7 B6", "red +2"),
        (DOUBLE, "RO A8 A9", "red +4, orange +0"),
        (MIDDLE, "OY I5 H5", "orange +4, yellow +3; your lowest colour rises from 5 to 6"),
        (
            LATE,
            "YP J1 I1",
            "yellow +1, purple +5; purple reaches 18: lay another tile; your lowest colour rises from 8 to 9",
        ),
        (OFFER, "swap", "shows the hand and draws six new tiles"),
        (OFFER, "keep", "keeps the hand"),
    ],
)
def test_a_move_is_told_in_words(position: str, move: str, words: str) -> None:
    state = reading(position)
    assert picture.preview(state.record, state.read_move(move), state.to_move) == words


@pytest.mark.parametrize("spec", SPECS)
def test_the_words_say_the_points_that_the_move_brings(spec: str) -> None:
    for state in walk(spec, seed=6, plies=40):
        if state.to_move < 0 or len(state.legal_actions()) == 2:
            continue
        action, owner = int(state.legal_actions()[0]), state.to_move
        before = picture.tally(state.record, owner, owner)
        after = picture.tally(state.after(action).record, owner, owner)
        gains = [f"{colour} +{after[colour] - points}" for colour, points in before.items() if after[colour] > points]
        words = picture.preview(state.record, action, owner)
        assert all(gain in words for gain in gains)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_a_lessons_position_can_be_shown(lesson: Lesson) -> None:
    if lesson.position:
        state = reading(lesson.position)
        action = state.read_move(lesson.move)
        assert lesson.applies(state.record, lesson.seat)
        assert all(shown(state.picture(lesson.seat), target) == 1 for target in state.paths(action)[0])


def test_every_lesson_applies_some_time() -> None:
    told = {lesson.key for lesson in LESSONS if lesson.position}
    for spec in SPECS:
        for state in walk(spec, seed=5, plies=200):
            told |= {
                lesson.key
                for lesson in LESSONS
                for seat in range(state.game.seats)
                if lesson.applies(state.record, seat)
            }
    assert told == {lesson.key for lesson in LESSONS}
