"""Puzzles on the page: asked as at a table, judged, explained, rated once; a match's moves are tried again likewise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path as FilePath

import pytest
from playwright.sync_api import Page, expect

from meeple.analysis.puzzles import Answer, Puzzle, judge_answer, puzzles_of, write_puzzles
from meeple.core.chance import Stream
from meeple.core.registry import find_definition, load_game
from meeple.web.ratings import Rating
from meeple.web.solved import Solved, next_puzzle
from meeple.web.solving import Solving, line_words, puzzle_table
from web.conftest import Server, click_on, clicks_of, new_table

WIN = "2300000000000000000000000/1/mortal:A5,E1/mortal:C3,E3"  # A5>B5 wins at once


def puzzle_at(position: str, best: str, second: str, rating: float) -> Puzzle:
    state = load_game("santorini").read(position)
    answers = (Answer(best, 1.0), Answer(second, 0.4, 0.01))
    return Puzzle.at(state, answers=answers, line=(best,), themes=("endgame", "a lone tower"), rating=rating)


EASY = puzzle_at(WIN, "A5>B5#", "A5>B4^A5", 1000.0)
HARD = replace(EASY, name="hard", rating=1600.0)


@pytest.fixture
def solved(tmp_path: FilePath) -> Iterator[Solved]:
    made = Solved(tmp_path / "puzzles.sqlite")
    yield made
    made.close()


# --- ratings


def test_the_first_answer_moves_both_ratings_and_a_second_none(solved: Solved) -> None:
    change = solved.answer("ann", EASY, 1.0)
    assert change is not None
    assert change.before.elo == EASY.rating  # a newcomer begins at what they meet first
    assert change.after.elo > change.before.elo
    assert solved.rating_of(EASY).elo < EASY.rating
    assert solved.answer("ann", EASY, 0.0) is None
    assert solved.rating("ann", "santorini") == change.after
    failed = solved.answer("ben", HARD, 0.0)
    assert failed is not None
    assert failed.after.elo < failed.before.elo
    assert solved.rating_of(HARD).elo > HARD.rating
    assert solved.answers("ann", "santorini") == {EASY.name: 1.0}
    assert solved.answers("ben", "azul") == {}
    assert solved.standings("ann") == {"santorini": (change.after, 1, 1)}
    assert solved.standings("ben")["santorini"].solved == 0


def test_every_theme_of_a_puzzle_has_a_rating_of_its_own(solved: Solved) -> None:
    tactics = replace(HARD, name="tactics", themes=("endgame", "freedom"))
    other = replace(EASY, name="other", spec="azul", themes=("endgame",))
    assert solved.ratings_by_theme("ann", "santorini") == {}
    first = solved.answer("ann", EASY, 1.0)
    assert first is not None
    assert solved.ratings_by_theme("ann", "santorini") == {"endgame": first.after, "a lone tower": first.after}
    solved.answer("ann", tactics, 0.0)
    solved.answer("ann", other, 1.0)
    solved.answer("ben", EASY, 0.0)
    themes = solved.ratings_by_theme("ann", "santorini")
    assert themes["a lone tower"] == first.after  # the second puzzle is about something else
    assert themes["endgame"].deviation < first.after.deviation
    assert themes["freedom"].elo < tactics.rating
    assert solved.ratings_by_theme("ann", "azul").keys() == {"endgame"}
    before = solved.ratings_by_theme("ann", "santorini")
    solved.answer("ann", EASY, 0.0)  # the first answer counts
    assert solved.ratings_by_theme("ann", "santorini") == before
    solved.adopt("ann", "cleo")
    assert solved.ratings_by_theme("cleo", "santorini") == before
    assert solved.ratings_by_theme("ann", "santorini") == {}


def test_answers_are_there_again_and_go_with_a_browser_to_another(tmp_path: FilePath) -> None:
    first = Solved(tmp_path / "puzzles.sqlite")
    first.answer("old", EASY, 1.0)
    rating = first.rating("old", "santorini")
    first.close()
    again = Solved(tmp_path / "puzzles.sqlite")
    assert again.rating("old", "santorini") == rating
    again.answer("both", HARD, 0.0)
    own = again.rating("both", "santorini")
    again.adopt("old", "new")
    assert (again.knows("old"), again.knows("new")) == (False, True)
    assert again.rating("new", "santorini") == rating
    again.adopt("new", "both")  # who has a rating keeps it, and has both answers
    assert again.rating("both", "santorini") == own
    assert set(again.answers("both", "santorini")) == {EASY.name, HARD.name}
    again.close()


def test_the_next_puzzle_is_new_then_missed_and_near_the_rating() -> None:
    ladder = [replace(EASY, name=f"p{n}", rating=1000.0 + 50 * n) for n in range(20)]
    rng = Stream(1)
    drawn = {next_puzzle(ladder, {}, Rating(1500.0), rng).rating for _ in range(50)}  # type: ignore[union-attr]
    assert drawn <= {1350.0, 1400.0, 1450.0, 1500.0, 1550.0, 1600.0, 1650.0}
    assert len(drawn) > 1
    answered = {each.name: 1.0 for each in ladder if each.name not in ("p3", "p7")}
    assert next_puzzle(ladder, answered | {"p7": 0.0}, None, rng) == ladder[3]  # not answered yet
    assert next_puzzle(ladder, answered | {"p3": 1.0, "p7": 0.5}, None, rng) == ladder[7]  # not solved
    assert next_puzzle(ladder[:2], {"p0": 1.0, "p1": 1.0}, None, rng, after="p0") == ladder[1]
    assert next_puzzle([], {}, None, rng) is None


# --- what a solver is shown


def test_a_solver_sees_what_the_mover_sees_and_clicks_only_once() -> None:
    state = load_game("ingenious:players=3").new(seed=2).settled()
    puzzle = Puzzle.at(state)
    view = Solving(Solving.access_to(puzzle_table(puzzle)))
    other = Puzzle.at(state.redealt(state.to_move, Stream(5)))
    assert view.board() == Solving(Solving.access_to(puzzle_table(other))).board()
    assert view.viewer == state.to_move
    assert view.may_click
    action = int(state.legal_actions()[0])
    view.answer(action)
    assert not view.may_click
    best = replace(puzzle, answers=(Answer(state.move_text(int(state.legal_actions()[1])), 0.9),))
    view.tell(judge_answer(replace(best, answers=(*best.answers, Answer(state.move_text(action), 0.5))), action))
    assert [way["kind"] for way in view.ways()] == ["made", "best"]
    view.ask_again()
    assert view.may_click
    assert view.ways() == []


def test_the_solution_is_drawn_at_the_places_of_the_seat_to_move(monkeypatch: pytest.MonkeyPatch) -> None:
    state = load_game("azul").new(seed=1).settled()
    state = state.after(int(state.legal_actions()[0])).settled()
    assert state.to_move == 1
    view, drawn = Solving(Solving.access_to(puzzle_table(Puzzle.at(state)))), []
    monkeypatch.setattr(Solving, "_draw", lambda self, state, **marks: drawn.append(marks["mover"]) or "")
    view.answer(int(state.legal_actions()[0]))
    view.board()
    assert drawn == [1]


def test_how_it_may_go_on_is_told_in_words_up_to_where_chance_decides() -> None:
    state = load_game("santorini").read(WIN)
    voice = Solving(Solving.access_to(puzzle_table(EASY))).voice
    told = line_words(state, ("A5>B4^A5", "E3>E2^E3", "B4>B3^B4", "nonsense"), voice)
    assert told == "Rival moves from E3 to E2 and builds level 1 on E3; You move from B4 to B3 and build level 1 on B4"
    azul = load_game("azul").new(seed=1).settled()
    assert line_words(azul, (azul.move_text(int(azul.legal_actions()[0])), "nonsense"), voice) == ""


# --- in the browser


@pytest.fixture
def stocked(server: Server) -> Iterator[Server]:
    """The server with a puzzle of Santorini that was mined there."""
    folder = server.folder / "puzzles"
    folder.mkdir(exist_ok=True)
    write_puzzles(folder / "santorini.jsonl", "santorini", [EASY])
    yield server
    (folder / "santorini.jsonl").unlink()


def answer(page: Page, puzzle: Puzzle, move: str) -> None:
    state = puzzle.state()
    for target in clicks_of(state, state.paths(state.read_move(move))[0]):
        click_on(page, target)


def test_a_puzzle_is_solved_by_clicks_and_counts_once(page: Page, stocked: Server) -> None:
    page.goto(f"{stocked.root}/puzzles")
    expect(page.locator("section", has_text="Santorini")).to_contain_text("0 of ")
    page.goto(f"{stocked.root}/puzzles/santorini/{EASY.name}")
    expect(page.locator(".m-status")).to_have_text("Find the best move.")
    answer(page, EASY, "A5>B4^A5")
    expect(page.locator(".m-status")).to_have_text("A blunder: it loses 60 points of win chance.")
    expect(page.locator(".m-answer")).to_contain_text("It wins at once.")
    expect(page.locator(".m-answer")).to_contain_text("Your rating:")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".m-status")).to_have_text("Find the best move.")
    answer(page, EASY, "A5>B5#")
    expect(page.locator(".m-status")).to_have_text("The best move.")
    expect(page.locator(".m-answer")).not_to_contain_text("Your rating:")  # the first answer has counted
    page.goto(f"{stocked.root}/puzzles")
    card = page.locator("section", has_text="Santorini")
    expect(card).to_contain_text("your rating")
    expect(card.get_by_role("link", name=re.compile(r"^a lone tower \(\d+\) · \d+ ± \d+$"))).to_be_visible()
    page.goto(f"{stocked.root}/games")
    expect(page.locator("section", has_text="solved at once")).to_contain_text("Santorini")


def test_the_solution_can_be_looked_up_and_an_answer_nobody_judged_is_judged(page: Page, stocked: Server) -> None:
    page.goto(f"{stocked.root}/puzzles/santorini?theme=a%20lone%20tower")
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator(".m-status")).to_have_text("The solution.")
    expect(page.locator(".m-answer")).to_contain_text("It wins at once.")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".m-status")).to_have_text("Find the best move.")
    answer(page, EASY, "E1>E2^E1")  # of which the puzzle says nothing
    expect(page.locator(".m-status")).to_contain_text("points of win chance")


def test_what_is_not_there_is_said(page: Page, stocked: Server) -> None:
    for path in ("/puzzles/chess", "/puzzles/santorini/nothing", "/puzzles/santorini?theme=love", "/try/nobody/3"):
        page.goto(f"{stocked.root}{path}")
        expect(page.locator("h1")).to_be_visible()
        expect(page.locator(".m-nowhere")).to_be_visible()


def test_a_running_match_is_not_tried_again_and_a_finished_one_is(page: Page, server: Server) -> None:
    running = new_table("santorini", "here", "elsewhere")
    running.play(0, int(running.match.state.legal_actions()[0]))
    server.seat_down(running)
    for token in running.tokens():
        page.goto(f"{server.root}/try/{token}/0")
        expect(page.locator(".m-nowhere")).to_contain_text("This match still runs.")
    over = new_table("santorini", "here", "elsewhere")
    over.play(0, int(over.match.state.legal_actions()[0]))
    over.resign(1)
    server.seat_down(over)
    page.goto(f"{server.root}/try/{over.owner_token}/0")
    expect(page.locator(".m-status")).to_contain_text("a better move was to be found")
    page.goto(f"{server.root}/try/{over.owner_token}/7")
    expect(page.locator(".m-nowhere")).to_contain_text("There is no such move.")


def test_the_page_reads_the_shipped_puzzles_and_those_mined_here(
    tmp_path: FilePath, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEEPLE_DATA_DIR", str(tmp_path))
    (tmp_path / "puzzles").mkdir()
    definition = find_definition("santorini")
    before = set(puzzles_of(definition))
    write_puzzles(tmp_path / "puzzles" / "santorini.jsonl", "santorini", [EASY, replace(HARD, answers=())])
    assert set(puzzles_of(definition)) == before | {EASY.name}  # one that nobody has judged is none
