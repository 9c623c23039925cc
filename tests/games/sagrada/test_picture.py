"""The picture of Sagrada: its targets, what it keeps secret, the paths to every move; and the lessons."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from games.sagrada.positions import at
from meeple import State, load_game
from meeple.core.contract import NOBODY
from meeple.core.match import Match
from meeple.core.paint import MARKS
from meeple.core.picture import Look, Path
from meeple.games.sagrada import picture
from meeple.games.sagrada.layout import CHOOSE
from meeple.games.sagrada.lessons import LESSONS

MINE = "a1 G1,b1 B4,c1 Y3,b2 P5"


def paths_of(state: State, move: str) -> list[Path]:
    return state.paths(state.read_move(move))


def drawn_after(state: State, *chosen: str, seat: int = 0) -> str:
    """The picture once these targets are clicked."""
    offer = [path for action in state.legal_actions() for path in state.paths(int(action))]
    lit = frozenset(path[len(chosen)] for path in offer if path[: len(chosen)] == chosen)
    assert lit
    return state.picture(seat, Look(lit=lit, chosen=chosen))


def targets_in(svg: str) -> list[str]:
    return re.findall(r'data-t="([^"]+)"', svg)


def lit_in(svg: str) -> set[str]:
    return set(re.findall(r'class="target[^"]* ?lit[^"]*" data-t="([^"]+)"', svg))


def walked(spec: str, seed: int) -> list[State]:
    """The states of a random match in which a seat is to move."""
    match, rng = Match(load_game(spec), seed=seed), random.Random(seed)
    states = []
    while not match.is_over:
        states.append(match.state.copy())
        match.play(int(rng.choice(list(match.state.legal_actions()))))
    return [*states, match.state]


VARIANTS = ("sagrada", "sagrada:players=1,tools=5", "sagrada:players=3,rules=thesis", "sagrada:players=4,tools=5")


# --- clicks


def test_a_placement_is_a_die_and_a_cell_and_equal_dice_are_equal_ways() -> None:
    state = at(mine=MINE, pool="R4G2G2P5")
    assert paths_of(state, "place R4 d2") == [("pool-1", "d2")]
    assert paths_of(state, "place G2 d2") == [("pool-2", "d2"), ("pool-3", "d2")]
    assert paths_of(state, "pass") == [("pass",)]


@pytest.mark.parametrize(
    ("tool", "move", "path"),
    [
        ("grozing", "grozing R4>R5 d2", ("tool-1", "pool-1", "up", "d2")),
        ("grozing", "grozing R4>R3 d2", ("tool-1", "pool-1", "down", "d2")),
        ("eglomise", "eglomise b2>a2", ("tool-1", "b2", "a2")),
        ("copper", "copper b2>c2", ("tool-1", "b2", "c2")),
        ("lathekin", "lathekin b2>d2 a1>b2", ("tool-1", "b2", "d2", "a1", "b2")),
        ("lens", "lens R4>P6 d2", ("tool-1", "pool-1", "track-P6", "d2")),
        ("brush", "brush P5", ("tool-1", "pool-3")),
        ("running", "running", ("tool-1", "go")),
        ("straightedge", "straightedge R4 e4", ("tool-1", "pool-1", "e4")),
        ("grinding", "grinding R4>R3 d2", ("tool-1", "pool-1", "d2")),
        ("remover", "remover P5", ("tool-1", "pool-3")),
        ("tapwheel", "tapwheel b2>d2", ("tool-1", "b2", "d2", "done")),
    ],
)
def test_a_tool_is_clicked_in_the_order_of_its_card(tool: str, move: str, path: Path) -> None:
    # G1 B4 Y3 .. ..
    # .. P5 .. .. ..    on Fractal Drops
    state = at(mine=MINE, pool="R4G2P5", track="P6B1", tools=f"{tool},hammer,{'brush' if tool != 'brush' else 'lens'}")
    assert paths_of(state, move) == [path]
    for n in range(len(path)):
        assert path[n] in lit_in(drawn_after(state, *path[:n]))


def test_the_hammer_asks_once_more() -> None:
    state = at(mine=MINE, pool="R4G2", turn=3)
    assert paths_of(state, "hammer") == [("tool-1", "go")]


def test_the_first_of_two_moves_is_shown_at_once() -> None:
    state = at(mine=MINE, pool="R4", tools="lathekin,hammer,brush")
    assert 'aria-label="d2: purple 5"' in drawn_after(state, "tool-1", "b2", "d2")
    assert 'aria-label="b2: empty"' in drawn_after(state, "tool-1", "b2", "d2")


def test_the_die_of_the_flux_brush_is_placed_by_a_cell_alone() -> None:
    start = at(mine=MINE, pool="R4G2P5")
    state = start.after(start.read_move("brush R4")).settled()
    (first, *_) = [int(action) for action in state.legal_actions()]
    cell = state.move_text(first).split()[-1]
    assert state.paths(first) == [(cell,), ("hand", cell)]
    assert {"hand", cell} <= lit_in(drawn_after(state))


def rolls_in(state: State) -> list[str]:
    return re.findall(r'data-r="([^"]+)"', state.picture(0))


def test_a_die_is_new_where_it_was_rolled_and_not_where_another_was_taken() -> None:
    before = None
    for state in walked("sagrada:players=2", 3):
        lap, rolls = int(state.record.lap), rolls_in(state)
        assert len(set(rolls)) == len(rolls)
        if before is not None and lap > before[0]:
            assert set(rolls).isdisjoint(before[1])
        assert all(roll.startswith(f"{lap}-") for roll in rolls)
        before = lap, rolls


def test_the_die_of_the_flux_brush_has_been_rolled() -> None:
    start = at(mine=MINE, pool="R4G2P5")
    state = start.after(start.read_move("brush R4")).settled()
    lap, value = int(state.record.lap), int(state.record.hand) % 6 + 1
    assert sorted(rolls_in(state)) == sorted([f"{lap}-R{value}-1", f"{lap}-G2-1", f"{lap}-P5-1"])


def test_the_new_die_of_the_flux_remover_has_buttons_for_its_values() -> None:
    start = at(mine=MINE, pool="R4G2P5")
    state = start.after(start.read_move("remover R4")).settled()
    assert {f"value-{value}" for value in range(1, 7)} <= set(targets_in(drawn_after(state)))
    assert "return" in lit_in(drawn_after(state, "value-3"))
    for action in state.legal_actions():
        move, (path,) = state.move_text(int(action)), state.paths(int(action))
        assert path == (f"value-{move.split()[1][1]}", move.split()[2] if move.startswith("place") else "return")


def test_a_solo_tool_is_paid_and_then_used_without_naming_it_again() -> None:
    start = at("sagrada:players=1", mine=MINE, pool="Y4G2P5", tools="lathekin,hammer,brush")
    assert paths_of(start, "lathekin pay Y4") == [("tool-1", "pool-2")]
    state = start.after(start.read_move("lathekin pay Y4"))
    assert paths_of(state, "lathekin b2>d2 a1>b2") == [("b2", "d2", "a1", "b2")]


@pytest.mark.parametrize("spec", VARIANTS)
def test_every_move_of_random_play_can_be_clicked(spec: str) -> None:
    for state in walked(spec, 2)[:-1:7]:
        offer = {path: int(action) for action in state.legal_actions() for path in state.paths(int(action))}
        assert set(offer.values()) == {int(action) for action in state.legal_actions()}
        assert not any(path[:n] in offer for path in offer for n in range(1, len(path)))
        first = {path[0] for path in offer}
        for narrow in (False, True):
            shown = state.picture(state.to_move, Look(lit=frozenset(first), narrow=narrow))
            assert first <= set(targets_in(shown))
            assert len(set(targets_in(shown))) == len(targets_in(shown))
            assert len(shown) < 80_000


# --- what is shown to whom


def test_the_colour_of_another_is_a_question_mark() -> None:
    state = at(mine=MINE, colours="RG")
    assert "red dice: 0" in state.picture(0)
    for seat in (1, NOBODY):
        assert "red dice" not in state.picture(seat)
        assert "secret" in state.picture(seat)
    assert "secret" not in state.picture(None)


def test_a_choice_of_windows_stays_secret() -> None:
    state = load_game("sagrada").new(seed=1).settled()
    assert state.record.phase == CHOOSE
    shown = state.picture(0, Look(lit=frozenset({"window-1", "window-2", "window-3", "window-4"})))
    assert lit_in(shown) == {"window-1", "window-2", "window-3", "window-4"}
    chosen = state.after(int(state.legal_actions()[2]))
    name = picture.preview(state.record, int(state.legal_actions()[2]), 0).split(",")[0]
    assert f"takes {name}" in chosen.picture(0, Look(names=("Ann", "Ben")))
    assert name not in chosen.picture(1)
    assert "Ann has chosen" in chosen.picture(1, Look(names=("Ann", "Ben")))


def test_the_last_move_is_marked_in_its_owners_window_only() -> None:
    state = at(mine=MINE, other="a1 G3", turn=1)
    look = Look(last=frozenset({"pool-1", "a1"}), mover=0)
    assert state.picture(0, look).count('class="target last" data-t="a1"') == 1
    other = state.picture(1, look)
    assert re.findall(r'data-t="a1"[^>]*aria-label="([^"]*)"', other) == ["a1: green 1"]
    again = state.picture(1, replace(look, lit=frozenset({"a1"})))
    assert re.findall(r'data-t="a1"[^>]*aria-label="([^"]*)"', again) == ["a1: green 3"]
    assert again.count('<g class="last" data-l="a1">') == 1


def test_a_used_tool_shows_its_new_price() -> None:
    fresh, used = (at(tokens=(0, 0), tools=f"lathekin{mark},brush,lens").picture(0) for mark in ("", "!"))
    assert used.count('fill="#9fd3d6"') == fresh.count('fill="#9fd3d6"') + 1


def test_print_under_a_die_stays_at_its_rim() -> None:
    state = at(mine="d1 Y3")  # on a yellow cell of Fractal Drops
    assert state.picture(0).count(">Y</text>") == at(mine="c1 Y3").picture(0).count(">Y</text>")


def test_a_long_name_is_shortened() -> None:
    shown = at("sagrada:players=4", mine=MINE).picture(0, Look(names=("N" * 80,) * 4))
    assert "N" * 40 not in shown


def test_text_on_a_phone_is_not_small() -> None:
    # 420 units on 390 pixels: 13 units are 12 pixels. Marks of seats are signs, not text.
    shown = at("sagrada:players=4", mine=MINE, other="a1 G3", pool="R4G2P5", track="B1B1R3", done=1, start=2).picture(
        0, Look(narrow=True)
    )
    written = re.findall(r'font-size="([0-9.]+)"[^>]*>([^<]+)<', shown)
    assert written
    assert [word for size, word in written if float(size) < 13 and word not in MARKS] == []


# --- points


def test_tally_has_the_parts_of_the_score() -> None:
    state = at(mine=MINE, goals="light,medium,deep", colours="PG", tokens=(3, 2))
    assert picture.tally(state.record, 0, 0) == {
        "Light Shades": 0, "Medium Shades": 2, "Deep Shades": 0, "purple dice": 5, "tokens": 3,
        "empty cells, counted at the end": -16,
    }  # fmt: skip
    assert "purple dice" not in picture.tally(state.record, 0, 1)
    assert sum(picture.tally(state.record, 0, 1).values()) == state.score(0)
    assert picture.total(state.record, 0, 1) == state.score(0)
    assert picture.total(state.record, 0, 0) == state.score(0) + 5  # one's own colour counts already
    assert ">16 cells still empty: −16 at the end<" in state.picture(0)


def test_preview_says_what_a_move_brings() -> None:
    state = at(mine=MINE, pool="R4P2P5", goals="light,medium,deep", colours="PG", tools="grozing,hammer,brush", turn=3)
    told = {move: picture.preview(state.record, state.read_move(move), 0) for move in state.legal_moves()}
    assert told["place P2 d2"] == "+2 Light Shades, +2 purple dice, +1 cell filled"
    assert told["grozing R4>R3 d2"] == "-1 token, +1 cell filled"
    assert told["brush R4"] == "R4 is rolled again, -1 token"
    assert told["hammer"] == "3 dice are rolled again, -1 token"
    assert told["pass"] == "the turn ends"


@pytest.mark.parametrize("spec", VARIANTS)
def test_preview_and_tally_hold_in_random_play(spec: str) -> None:
    for state in walked(spec, 4)[::9]:
        before = state.text()
        for action in list(state.legal_actions())[::40]:
            assert picture.preview(state.record, int(action), state.to_move)
        for owner in range(state.game.seats):
            parts = picture.tally(state.record, owner, NOBODY)
            if state.record.phase > CHOOSE:
                assert sum(parts.values()) == state.score(owner)
        assert state.text() == before


# --- lessons


@pytest.mark.parametrize("lesson", [lesson for lesson in LESSONS if lesson.position], ids=lambda lesson: lesson.key)
def test_a_lesson_shows_a_move_that_is_on_offer(lesson) -> None:  # type: ignore[no-untyped-def]
    state = load_game("sagrada").read(lesson.position)
    assert lesson.move in state.legal_moves()
    path = paths_of(state, lesson.move)[0]
    assert path[0] in targets_in(state.picture(lesson.seat, Look(last=frozenset(path))))
    assert lesson.applies(state.record, lesson.seat)


def test_every_lesson_applies_in_some_match() -> None:
    met = {
        lesson.key
        for spec in ("sagrada", "sagrada:players=1")
        for state in walked(spec, 3)
        for lesson in LESSONS
        if state.to_move >= 0 and lesson.applies(state.record, state.to_move)
    }
    assert met == {lesson.key for lesson in LESSONS}
    assert len({lesson.key for lesson in LESSONS}) == len(LESSONS)


def test_the_own_window_has_the_coordinates_that_moves_name() -> None:
    svg = at(mine=MINE, pool="R4").picture(0)
    words = re.findall(r"<text[^>]*>([a-e1-4])</text>", svg)
    assert [word for word in words if word in "abcde"] == list("abcde")
    assert "".join(words).find("abcde1234") >= 0
