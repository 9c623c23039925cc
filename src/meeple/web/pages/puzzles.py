"""Puzzles: which there are, one as a board to click on, and what the answer is worth.

A mistake of a match that was analysed is asked in the same way (`/try`), without a rating.
"""

from __future__ import annotations

import logging
from functools import partial
from html import escape
from typing import Any
from urllib.parse import quote

from nicegui import background_tasks, ui

from meeple.analysis.calibration import trust_words
from meeple.analysis.puzzles import Puzzle, Verdict, judge_answer, puzzles_of
from meeple.core.chance import Stream, new_salt
from meeple.core.definition import Definition
from meeple.core.match import Match
from meeple.core.registry import find_definition, game_names
from meeple.core.speech import plain
from meeple.core.svg import Markup, tag
from meeple.errors import MeepleError
from meeple.web import panels
from meeple.web.again import may_be_analysed
from meeple.web.clicks import offer_of
from meeple.web.pages.errors import lost, page
from meeple.web.pages.frame import Prefs, button, heading, main, owner, read_prefs, told, top
from meeple.web.pages.patched import Patched, show_all
from meeple.web.pages.waiting import Bar, arrived
from meeple.web.ratings import Rating, change_between
from meeple.web.rehearsal import ANALYSIS, BOARD, EXPLAINED
from meeple.web.room import Arrival, Room
from meeple.web.seats import Refused
from meeple.web.solved import Change, next_puzzle
from meeple.web.solving import Solving, line_words, puzzle_table
from meeple.web.table import Table

LOG = logging.getLogger("meeple.web")
ANY = "All themes"
LONGEST = 60.0  # seconds for the judgement of an answer that nobody has judged before
BOARD_CLICK = "(event) => emit(event.detail)"


def add_puzzles(room: Room) -> None:
    """The routes of this page."""

    @page("/puzzles", title="Puzzles · Meeple")
    async def index() -> None:
        await _index(room)

    @page("/puzzles/{name}", title="Puzzle · Meeple")
    async def of_game(name: str, theme: str = "", after: str = "") -> None:
        await _ask_next(room, name, theme, after)

    @page("/puzzles/{name}/{puzzle}", title="Puzzle · Meeple")
    async def of_name(name: str, puzzle: str, theme: str = "") -> None:
        definition = _definition(name)
        found = puzzles_of(definition).get(puzzle) if definition is not None else None
        if definition is None or found is None:
            lost("There is no such puzzle here.")
            return
        await PuzzlePage(room, definition, found, theme=theme).start()

    @page("/try/{token}/{ply}", title="Try again · Meeple")
    async def again(token: str, ply: int) -> None:
        await _ask_mistake(room, token, ply)


def try_link(token: str, ply: int) -> str:
    """Where the position before a move of a match, counted from 0, is asked as a puzzle; `token` opens its table."""
    return f"/try/{token}/{ply}"


def _definition(name: str) -> Definition | None:
    """An installed game that draws itself."""
    found = find_definition(name) if name in game_names() else None
    return found if found is not None and found.picture is not None else None


# --- which there are --------------------------------------------------------------------------------------------------


async def _index(room: Room) -> None:
    """A line a game: its puzzles by theme, and how far this browser is."""
    who = owner()
    rows = await room.read(lambda: [_row(room, who, each) for each in map(_definition, game_names()) if each])
    top("Puzzles")
    with main():
        heading("Puzzles")
        ui.label(
            "Find the best move. The positions come from real games; one move is clearly the best, and you know no "
            "more than the player knew. Your first answer to each counts for your rating and for the puzzle's."
        ).classes("m-quiet")
        for row in filter(None, rows):
            ui.html(row, sanitize=False)
        if not any(rows):
            ui.label("There are no puzzles yet. The command `meeple puzzles GAME --from STORE` finds some.")


def _row(room: Room, who: str, definition: Definition) -> Markup | None:
    """A game's puzzles; None where it has none."""
    found = list(puzzles_of(definition).values())
    if not found:
        return None
    answers, rating = room.solved.answers(who, definition.name), room.solved.rating(who, definition.name)
    solved = sum(answers.get(each.name, 0.0) >= 1.0 for each in found)
    told = f"{solved} of {len(found)} solved" + (f" · your rating {rating}" if rating is not None else "")
    ratings = room.solved.ratings_by_theme(who, definition.name)
    themes = [
        tag("a", _theme_words(theme, len(those), ratings.get(theme)), href=_link(definition.name, theme))
        for theme, those in sorted(_by_theme(found).items(), key=lambda each: (-len(each[1]), each[0]))
    ]
    title = definition.facts.title
    return tag(
        "section",
        tag("h2", title),
        tag("p", told, class_="m-quiet"),
        tag("p", tag("a", "Solve", href=_link(definition.name), class_="m-go m-main", aria_label=f"Solve {title}")),
        tag("p", *themes, class_="m-themes"),
        class_="m-card",
    )


def _theme_words(theme: str, count: int, rating: Rating | None) -> str:
    """`height (12)`, and behind it the solver's rating once there is one."""
    return f"{theme} ({count})" + (f" · {rating}" if rating is not None else "")


def _by_theme(puzzles: list[Puzzle]) -> dict[str, list[Puzzle]]:
    found: dict[str, list[Puzzle]] = {}
    for each in puzzles:
        for theme in each.themes:
            found.setdefault(theme, []).append(each)
    return found


def _link(game: str, theme: str = "", after: str = "") -> str:
    words = [f"{name}={quote(word)}" for name, word in (("theme", theme), ("after", after)) if word]
    return f"/puzzles/{game}" + (f"?{'&'.join(words)}" if words else "")


# --- which is asked ---------------------------------------------------------------------------------------------------


async def _ask_next(room: Room, name: str, theme: str, after: str) -> None:
    definition = _definition(name)
    if definition is None:
        lost("There is no such game here.")
        return
    who, every = owner(), list(puzzles_of(definition).values())
    chosen = _by_theme(every).get(theme, []) if theme else every
    if not chosen:
        lost("There are no puzzles of this kind yet.", "No puzzles")
        return
    found = await room.read(lambda: _drawn(room, who, definition.name, chosen, theme, after))
    await PuzzlePage(room, definition, found, theme=theme).start()


def _drawn(room: Room, who: str, game: str, puzzles: list[Puzzle], theme: str, after: str) -> Puzzle:
    """One about as hard as the solver is strong: in the theme, where that was chosen and has a rating."""
    rating = room.solved.ratings_by_theme(who, game).get(theme) or room.solved.rating(who, game)
    rng = Stream(int.from_bytes(new_salt()[:6], "little"))
    found = next_puzzle(puzzles, room.solved.answers(who, game), rating, rng, after=after)
    assert found is not None
    return found


async def _ask_mistake(room: Room, token: str, ply: int) -> None:
    """Ask for a better move in a match that is over."""
    try:
        found = room.open(token)
        access = await arrived(room, found) if isinstance(found, Arrival) else found
    except MeepleError as fault:
        lost(told(fault), "Not now")
        return
    if access is None or not 0 <= ply < access.table.match.ply:
        lost("There is no such move.")
        return
    if not may_be_analysed(access.table):
        lost("This match still runs. Its moves can be tried again when it is over.", "Not yet")
        return
    table = access.table
    puzzle = await room.read(lambda: _mistake(room, table.match, ply))
    if puzzle is None:
        lost("There was only one move in this position.")
        return
    await PuzzlePage(room, table.game.definition, puzzle, back=f"/analyse/{token}?move={ply + 1}").start()


def _mistake(room: Room, match: Match, ply: int) -> Puzzle | None:
    """The position before a move as a puzzle, judged as in its analysis; None where there was nothing to choose."""
    state = match.state_at(ply)
    if len(state.legal_actions()) == 1:
        return None
    step = [number for number, step in enumerate(match.steps) if step.seat is not None][ply]
    found, puzzle = room.analyses.judged(match, step), Puzzle.at(state)
    return puzzle if found is None or not found.is_judged else puzzle.judged(found)


# --- one of them ------------------------------------------------------------------------------------------------------


class PuzzlePage:
    """One browser at one puzzle; `back` leads to the match that it is from, else it counts for ratings."""

    def __init__(self, room: Room, definition: Definition, puzzle: Puzzle, *, theme: str = "", back: str = "") -> None:
        self.room, self.definition, self.puzzle, self.theme, self.back = room, definition, puzzle, theme, back
        self.who, self.client = owner(), ui.context.client
        self.verdict: Verdict | None = None
        self.change: Change | None = None
        self.note = ""
        self.hovered: str | None = None
        self._is_stale, self._is_drawing = False, False
        self.view: Solving

    async def start(self) -> None:
        """Set the board up once the game is ready, then draw."""
        title = self.definition.facts.title
        top(title, game=self.definition.name)
        with main("m-table m-puzzle"):
            heading(f"{title}, {'try again' if self.back else 'a puzzle'}", classes="m-hidden")
            with ui.element("div").classes("m-boardside"):
                self.picture = Patched().classes("m-board")
                self.picture.on("meeple", self._on_board, js_handler=BOARD_CLICK)
            with ui.element("section").classes("m-card m-seats"):
                heading("Players", 2, "m-hidden")
                self.seats = Patched()
            with ui.element("div").classes("m-sheet"):
                self._build_card()
        prefs = await read_prefs()
        try:
            self.preparing.follow((self.definition, BOARD))
            table = await self.room.made(self.definition, lambda: puzzle_table(self.puzzle), key=self.who)
        except MeepleError as fault:
            LOG.warning("a puzzle of %s could not be set up: %s", self.definition.name, fault)
            self.status.renewed("This position does not fit the rules any more.")
            return
        if not self.client.is_deleted:
            self._sit_down(table, prefs)
            self.refresh()

    def _build_card(self) -> None:
        with ui.element("section").classes("m-card m-now"):
            heading("The question", 2, "m-hidden")
            self.status = Patched().classes("m-status")
            self.about = Patched().classes("m-quiet")
            self.preview = Patched().classes("m-preview")
            self.preparing = Bar(self.room.preparer)
            self.answer = Patched().classes("m-answer").props('role="status" aria-live="polite"')
            with ui.element("div").classes("m-buttons"):
                self.again = button("Try again", self._again, icon="refresh")
                self.gives_up = button("Show the answer", self._give_up, icon="visibility")
                words, icon = ("Back to the analysis", "undo") if self.back else ("Next", "arrow_forward")
                self.next = button(words, self._go_on, icon=icon, is_main=True)
            for each in (self.again, self.gives_up, self.next):
                each.set_visibility(False)  # until there is a board

    def _sit_down(self, table: Table, prefs: Prefs) -> None:
        self.view = view = Solving(Solving.access_to(table))
        view.is_dark, view.is_narrow = prefs.dark, prefs.is_narrow
        view.settings = prefs.settings(self.definition.name)
        view.is_notation, view.continues = prefs.choice("moves") == "notation", prefs.choice("auto_continue") is True

    # --- drawing

    def refresh(self) -> None:
        """Draw again."""
        self._is_stale = True
        if not self._is_drawing:
            self._is_drawing = True
            background_tasks.create(self._draw_on(), name="drawing")

    async def _draw_on(self) -> None:
        try:
            while self._is_stale and not self.client.is_deleted:
                self._is_stale = False
                still, hovered = self.view.still(), self.hovered
                contents = await self.room.draw(partial(self._written, still, hovered))
                if not self.client.is_deleted:
                    with self.client:
                        show_all(contents)
                        self._show_buttons()
        finally:
            self._is_drawing = False

    def _written(self, still: Any, hovered: str | None) -> dict[Patched, str]:
        """What each element shows; written in another thread."""
        ghost = still.hover(hovered) if hovered is not None else None
        return {
            self.picture: still.board(ghost),
            self.status: escape(self._question(), quote=False),
            self.about: escape(self._about(), quote=False),
            self.preview: escape(still.note or self.note, quote=False),
            self.answer: self._answer(still),
            self.seats: panels.seats_panel(still.table, still.state, still.voice, None),
        }

    def _question(self) -> str:
        """What is asked, and then what the answer is worth."""
        if self.verdict is not None:
            return f"{self.verdict.words}." if self.view.made >= 0 else "The solution."
        return "Here a better move was to be found. Which one?" if self.back else "Find the best move."

    def _about(self) -> str:
        """What is told beside the question: nothing that helps."""
        if self.back or self.verdict is None:
            seats = self.view.table.game.seats
            return f"You play seat {self.puzzle.seat + 1} of {seats}." if seats > 1 else "You play alone."
        rating = self.room.solved.rating_of(self.puzzle)
        return f"{', '.join(self.puzzle.themes)} · difficulty {rating.elo:.0f}"

    def _answer(self, still: Solving) -> str:
        """The best move, why it is that, how the game would go on, and what became of the rating."""
        if self.verdict is None:
            return ""
        verdict, parts = self.verdict, list[Markup]()
        if still.best not in (-1, still.made):
            parts.append(tag("p", f"Best: {plain(still.voice.order(still.state, still.best))}."))
        if verdict.sentence:
            parts.append(tag("p", verdict.sentence))
        line = line_words(still.state, verdict.puzzle.line, still.voice)
        if line:
            parts.append(tag("p", f"It may go on so: {line}.", class_="m-quiet"))
        if not verdict.is_calibrated:
            parts.append(tag("p", f"Of the judge: {trust_words(False)}.", class_="m-quiet"))
        if self.change is not None:
            before, after = self.change
            parts.append(tag("p", f"Your rating: {after} ({change_between(before, after)})"))
        return tag("div", *parts)

    def _show_buttons(self) -> None:
        is_told = self.verdict is not None
        self.again.set_visibility(self.verdict is not None and not (self.verdict.is_solved and self.view.made >= 0))
        self.gives_up.set_visibility(not self.view.is_answered)
        self.next.set_visibility(is_told or bool(self.back))

    # --- clicks

    def _on_board(self, event: Any) -> None:
        """What the page reports; anything ill-formed, stale or forged is refused and changes nothing."""
        said = event.args
        if not isinstance(said, dict) or not hasattr(self, "view"):
            return
        kind, target = said.get("kind"), said.get("target")
        if target is not None and not isinstance(target, str):
            LOG.warning("refused: an ill-formed target")
        elif kind == "key" and target == "Escape":
            self.view.step_back()
            self.refresh()
        elif said.get("version") != self.view.table.version:
            LOG.info("refused: a click on a board that is gone")
        elif kind == "hover":
            self.hovered = target
            self.refresh()
        elif kind == "click" and target is not None:
            self._on_click(target)
        elif kind == "drag" and target is not None and isinstance(said.get("to"), str):
            self._on_click(target)
            if self.view.chosen and said["to"] in offer_of(self.view.state).after(self.view.chosen):
                self._on_click(said["to"])

    def _on_click(self, target: str) -> None:
        self.hovered = None
        try:
            action = self.view.click(target)
        except Refused as fault:
            LOG.info("refused: %s", fault)
            return
        if action is not None:
            self.view.answer(action)
            self.note = "Judging your move …"
            background_tasks.create(self._judge(action), name="judging")
        self.refresh()

    async def _judge(self, action: int) -> None:
        """What the answer is worth; said when it is known."""
        other = "your move" if self.view.made >= 0 else "the next one"
        try:
            known = {each.move for each in self.puzzle.answers}
            part = EXPLAINED if self.view.state.move_text(action) in known else ANALYSIS
            self.preparing.follow((self.definition, part))
            await self.room.preparer.ready(self.definition, part)
            verdict = await self.room.thinker.ask(
                lambda: judge_answer(self.puzzle, action, other=other), key=f"puzzles of {self.who}", limit=LONGEST
            )
        except Exception as fault:  # whatever it was, it is for the log and not for the page
            LOG.warning("an answer to a puzzle of %s could not be judged: %s", self.definition.name, fault)
            self.view.ask_again()
            self.note = "Your move cannot be judged now; try again in a moment."
        else:
            await self._told(verdict)
        if not self.client.is_deleted:
            self.refresh()

    async def _told(self, verdict: Verdict) -> None:
        """Show the judgement and the solution; the first answer to a puzzle counts."""
        self.verdict, self.puzzle, self.note = verdict, verdict.puzzle, ""
        self.view.tell(verdict)
        if not self.back:
            score = verdict.score if self.view.made >= 0 else 0.0
            self.change = await self.room.read(lambda: self.room.solved.answer(self.who, self.puzzle, score))

    # --- the buttons

    def _again(self) -> None:
        """Another answer, which does not count."""
        self.verdict, self.change, self.note = None, None, ""
        self.view.ask_again()
        self.refresh()

    def _give_up(self) -> None:
        """Count it as not solved, and show the best move, explained against the second."""
        state, known = self.view.state, [each.move for each in self.puzzle.answers]
        self.view.answer(-1)
        self.note = "Looking for the best move …"
        action = state.read_move(known[1]) if len(known) > 1 else int(state.legal_actions()[0])
        background_tasks.create(self._judge(action), name="judging")
        self.refresh()

    def _go_on(self) -> None:
        ui.navigate.to(self.back or _link(self.definition.name, self.theme, self.puzzle.name))
