"""What one browser is shown of a table, and what its clicks mean."""

from __future__ import annotations

import re

import pytest

from conftest import HOARD
from meeple.agents.base import ask
from meeple.agents.registry import load_agent
from meeple.core.chance import Stream
from meeple.core.contract import HIDDEN, NOBODY
from meeple.web.clock import Clock
from meeple.web.saved import body_of, table_of
from meeple.web.seats import Access, Refused
from meeple.web.takeback import undo_last
from meeple.web.viewing import Viewing
from web.conftest import new_table


def owner_of(table) -> Viewing:  # type: ignore[no-untyped-def]
    access = table.access(table.owner_token)
    assert access is not None
    return Viewing(access)


def test_a_seat_sees_its_view_and_a_spectator_what_all_see() -> None:
    table = new_table(HOARD, "here", "elsewhere")
    assert owner_of(table).viewer == 0
    assert Viewing(Access(table, frozenset({1}))).viewer == 1
    assert Viewing(Access(table)).viewer == NOBODY


def test_everything_is_open_once_the_match_is_over_or_nobody_plays() -> None:
    table = new_table(HOARD, "here", "elsewhere")
    table.resign(0)
    assert Viewing(Access(table)).viewer is None
    watched = new_table(HOARD, "random", "random")
    assert owner_of(watched).viewer is None
    assert Viewing(Access(watched)).viewer == NOBODY


def test_a_curtain_falls_between_people_at_one_screen() -> None:
    viewing = owner_of(new_table(HOARD, "here", "here"))
    assert viewing.is_curtained
    viewing.unveiled = 0
    assert not viewing.is_curtained
    viewing.table.play(0, 2)
    while viewing.table.mover == 0:
        viewing.table.play(0, int(viewing.table.match.state.legal_actions()[0]))
    assert viewing.is_curtained
    assert viewing.own_seat == 1
    assert "Pass the screen to Ben" in viewing.board()


def test_nothing_is_drawn_behind_the_curtain_whatever_is_reported() -> None:
    viewing = owner_of(new_table(HOARD, "here", "here"))
    with pytest.raises(Refused, match="out of turn"):
        viewing.click("card-1")
    assert viewing.hover("card-1") is None
    viewing.look_at(0)
    assert "<svg" not in viewing.board()


def test_no_curtain_in_a_game_without_secrets() -> None:
    viewing = owner_of(new_table("santorini", "here", "here"))
    assert not viewing.is_curtained
    assert viewing.viewer == 0


def test_clicks_make_a_path_and_a_path_an_action() -> None:
    viewing = owner_of(new_table(HOARD, "here", "elsewhere"))
    assert viewing.click("card-1") is None
    assert viewing.chosen == ("card-1",)
    assert viewing.click("card-1") is None  # again: back to before it
    assert viewing.chosen == ()
    viewing.click("card-2")
    assert viewing.click("hoard") == 3
    with pytest.raises(Refused, match="not on offer"):
        viewing.click("elsewhere")


def test_a_hover_tells_what_the_move_would_bring() -> None:
    viewing = owner_of(new_table(HOARD, "here", "elsewhere"))
    assert viewing.hover("card-1") is None
    viewing.click("card-1")
    ghost = viewing.hover("table")
    assert ghost is not None
    assert viewing.note == f"Play the left card: +{ghost.score(0)}"
    assert 'class="m-ghost"' in viewing.board(ghost)


def test_looking_back_and_a_click_there() -> None:
    viewing = owner_of(new_table("santorini", "here", "here"))
    for _ in range(3):
        viewing.table.play(viewing.table.mover, int(viewing.table.match.state.legal_actions()[0]))
    assert viewing.look_at(1)
    assert viewing.state.to_bytes() == viewing.table.match.steps[1].before.to_bytes()
    with pytest.raises(Refused, match="out of turn"):
        viewing.click("A5")
    viewing.step_back()
    assert viewing.cursor is None
    assert not viewing.look_at(99)


def test_a_guided_match_tells_each_lesson_once() -> None:
    viewing = owner_of(new_table("santorini", "here", "here", is_guided=True))
    told: list[str] = []
    for _ in range(12):
        lessons = viewing.lessons()
        assert viewing.lessons() == lessons  # drawn again: the same
        told += [lesson.key for lesson in lessons]
        viewing.table.play(viewing.table.mover, int(viewing.table.match.state.legal_actions()[0]))
    assert told[:3] == ["place", "step", "build"]
    assert len(set(told)) == len(told)


def test_a_file_saved_during_the_match_holds_what_was_seen() -> None:
    table = new_table(HOARD, "here", "elsewhere", seed=987654)
    table.play(0, 2)
    mine, theirs = owner_of(table).seen_log(), Viewing(Access(table, frozenset({1}))).seen_log()
    assert "Ann drops the left card face down" in mine
    assert "Ann drops a card face down" in theirs
    assert "left" not in theirs
    assert "fate" not in mine + theirs
    assert "987654" not in mine + theirs


def test_all_who_look_between_two_changes_look_at_the_same_table() -> None:
    table = new_table("santorini", "here", "here")
    still = table.still()
    assert table.still() is still
    table.play(0, int(table.match.state.legal_actions()[0]))
    assert table.still() is not still
    assert (len(still.match.steps), len(table.still().match.steps)) == (0, 1)
    paused = table.still()
    table.is_paused = True
    table.tell()
    assert table.still().is_paused
    assert not paused.is_paused


def test_where_a_clock_runs_everybody_is_told_the_time_anew() -> None:
    table = new_table("santorini", "here", "here", clock=Clock(600.0))
    assert table.still() is not table.still()


def test_watchers_have_the_same_sight_and_those_who_play_their_own() -> None:
    table = new_table(HOARD, "here", "elsewhere")
    watchers = [Viewing(Access(table)) for _ in range(3)]
    assert len({watcher.still().sight() for watcher in watchers}) == 1
    watchers[0].is_dark = True
    watchers[1].look_at(0)
    others = [owner_of(table), Viewing(Access(table, frozenset({1})))]
    assert len({viewing.still().sight() for viewing in (*watchers, *others)}) == 5
    chooser = owner_of(table)
    before = chooser.still().sight()
    chooser.click("card-1")
    assert chooser.still().sight() != before


def test_what_the_picture_shows_stands_nowhere_else() -> None:
    seats = owner_of(new_table("ingenious", "here", "elsewhere")).drawing().seats
    assert seats.count("m-score") == 2
    assert "m-parts" not in seats
    assert owner_of(new_table("saboteur-duel", "here", "random")).drawing().seats == ""
    timed = owner_of(new_table("saboteur-duel", "here", "random", clock=Clock(60.0))).drawing().seats
    assert timed.count("m-seat") >= 2
    assert "m-time" in timed


def test_the_page_remembers_which_tiles_fell() -> None:
    viewing = owner_of(new_table("azul", "here", "here"))
    move = next(move for move in viewing.table.match.state.legal_moves() if move.endswith("floor"))
    viewing.table.play(0, viewing.table.match.state.read_move(move))
    assert 'href="#azul-shard"' not in viewing.board()
    viewing.look_at(0)
    assert 'href="#azul-shard"' not in viewing.board()


def test_a_log_tells_what_was_taken_back_no_more_and_what_came_instead() -> None:
    table = new_table("santorini", "here", "here")
    viewing = owner_of(table)
    for action in (0, 0, 0):
        table.play(table.mover, int(table.match.state.legal_actions()[action]))
    before = viewing.drawing().log
    undo_last(table, {0, 1})
    shorter = viewing.drawing().log
    assert shorter.count("<li") == before.count("<li") - 1 == 2
    table.play(table.mover, int(table.match.state.legal_actions()[1]))
    other = viewing.drawing().log
    fresh = Viewing(Access(table_of(body_of(table)), viewing.access.seats, is_owner=True)).drawing().log
    assert other == fresh != before


@pytest.mark.parametrize(
    "name",
    ["santorini", "azul:players=2", "ingenious:players=2", "sagrada:players=2", "saboteur:players=3", "saboteur-duel"],
)
def test_the_last_move_stays_marked_and_tells_nothing_of_a_hand(name: str) -> None:
    """What a watcher is shown of a move is the same in all worlds in which it can be made, and lies on the board."""
    table = new_table(name, "here", *["random"] * (2 if "=3" in name else 1), seed=3)
    match, agent, n_marked, n_compared = table.match, load_agent("random", table.game), 0, 0
    while not match.is_over and match.ply < 40:
        match.play(ask(agent, match))
        table.changed()
        (step,) = [step for step in match.steps if step.seat is not None][-1:]
        if step.seat == 0 or step.before.seen(step.code, 0) == HIDDEN or table.is_over:
            continue
        shown = owner_of(table)._last_move()
        assert shown.path, step.text
        n_marked += bool(re.search(r'class="(target )?last"', owner_of(table).stage()))
        for number in range(4):
            world = step.before.redealt(0, Stream(number))
            if step.code in world.legal_actions():
                held = getattr(table.game.definition.picture, "HELD", ())
                path = tuple(key for key in world.paths(step.code)[0] if not key.startswith(held))
                assert path == shown.path
                n_compared += 1
    assert n_marked >= 8
    assert n_compared >= 8
