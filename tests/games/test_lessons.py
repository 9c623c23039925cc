"""The lessons of every game: their positions read, their moves are on offer and can be clicked, and each is told."""

from __future__ import annotations

import pytest

from meeple import Match, load_game
from meeple.agents.base import ask
from meeple.agents.registry import load_agent
from meeple.core.registry import find_definition, game_names
from meeple.errors import MeepleError


def is_taught(name: str) -> bool:
    try:
        return find_definition(name).lessons is not None
    except MeepleError:  # a plugin of another test that does not load
        return False


TAUGHT = [name for name in game_names() if is_taught(name)]


def test_every_game_of_ours_is_taught() -> None:
    assert {"azul", "ingenious", "saboteur", "saboteur-duel", "sagrada", "santorini"} <= set(TAUGHT)


@pytest.mark.parametrize("name", TAUGHT)
def test_each_lesson_has_a_position_that_reads_and_a_move_on_offer(name: str) -> None:
    game = load_game(name)
    lessons = game.definition.lessons.LESSONS
    assert len(lessons) >= 6
    assert len({lesson.key for lesson in lessons}) == len(lessons)
    for lesson in lessons:
        if lesson.position:
            state = game.read(lesson.position)
            assert not lesson.move or state.paths(state.read_move(lesson.move)), lesson.key
            if (name, lesson.key) != ("azul", "score"):  # shown by the move that ends a round, told when a line is full
                assert any(lesson.applies(state.record, seat) for seat in (lesson.seat, state.to_move)), lesson.key


@pytest.mark.parametrize(("name", "matches"), [("saboteur", 3), ("saboteur-duel", 6)])
def test_every_lesson_is_told_within_some_matches(name: str, matches: int) -> None:
    game = load_game(name)
    lessons, agent = game.definition.lessons.LESSONS, load_agent("random", game)
    told: set[str] = set()
    for seed in range(matches):
        match = Match(game, seed=seed)
        while not match.is_over:
            told |= {lesson.key for lesson in lessons if lesson.applies(match.state.record, match.to_move)}
            match.play(ask(agent, match))
    # Random play hardly ever reaches the gold; that lesson applies in its own position, tested above.
    assert told | {"gold"} == {lesson.key for lesson in lessons} | {"gold"}
