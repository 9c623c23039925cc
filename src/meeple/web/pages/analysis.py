"""The page of an analysis: the board with moves drawn over it, the graph, the mistakes, a deeper look, other ways."""

from __future__ import annotations

import logging
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from html import escape
from typing import Any

from nicegui import background_tasks, ui

from meeple.analysis.analyse import Source
from meeple.analysis.calibration import trust_words
from meeple.analysis.deepening import Deepening
from meeple.analysis.effort import EFFORTS
from meeple.analysis.graph import moves_at
from meeple.analysis.judge import Question
from meeple.analysis.result import ChanceEvent, Decision
from meeple.core.match import Match
from meeple.core.record import LONGEST_COMMENT
from meeple.errors import MeepleError
from meeple.web import verdicts
from meeple.web.again import may_be_analysed
from meeple.web.analyses import Work, key_of
from meeple.web.examining import Advice, Examining
from meeple.web.pages.frame import NARROW, button, dialog, heading, main, owner, top
from meeple.web.pages.links import show_analysis_link
from meeple.web.pages.patched import Patched, show_all
from meeple.web.pages.puzzles import try_link
from meeple.web.pages.table import LOG_CLICK, LOG_REGION, TableView, zoom_buttons
from meeple.web.pages.timeline import TimeLine
from meeple.web.pages.waiting import Bar, bar
from meeple.web.rehearsal import ANALYSIS
from meeple.web.room import Room
from meeple.web.seats import Access, Refused, Seat
from meeple.web.table import Table
from meeple.web.verdicts import Row, Shown
from meeple.web.viewing import Drawing, Viewing

LOG = logging.getLogger("meeple.web")
USUAL = "normal"
SEARCHES = 12  # that a deeper look goes on for before somebody asks for more
FIRST_LOOK = 4  # and where nobody has asked: at a position that the analysis does not know
MOST_LOOKS = 64  # positions whose deeper look is kept
# On a phone the board lies above what leads to it.
TO_BOARD = f"""if (innerWidth < {NARROW}) document.querySelector('.m-boardside').scrollIntoView();"""
JUMP = f"""(event) => {{ const row = event.target.closest('[data-step]');
if (row) {{ {TO_BOARD} emit(Number(row.dataset.step)); }} }}"""
ON_GRAPH = f"""(event) => {{ const box = event.target.closest('svg')?.getBoundingClientRect();
if (box) {{ {TO_BOARD} emit((event.clientX - box.x) / box.width); }} }}"""


class AnalysisView(Examining, TableView):
    """One browser at an analysis."""

    def __init__(self, room: Room, access: Access, token: str, *, ply: int = 0, effort: str = USUAL) -> None:
        if not may_be_analysed(access.table):
            raise Refused("this match still runs: it can be analysed when it is over")
        super().__init__(room, access)
        self.who, self.token = owner(), token  # by which this browser is here
        self.home = access.table  # where notes are kept; the match is looked at as it is now
        self.main = self.table = _still(access.table)
        self.effort = effort if effort in EFFORTS else USUAL
        source = Source(self.main.match, self.main.names, self.main.forfeit)
        self.work: Work = room.analyses.look(source, self._grown)
        self.looks: dict[bytes, Deepening] = {}
        self.looking: str = ""  # why there is no deeper look, if one failed
        self.searches_left = 0
        self._is_looking = False
        self.cursor = 0
        self.show_move(ply)

    def _leave(self) -> None:
        self.searches_left = 0
        self.room.analyses.leave(self.work, self._grown)
        if self.refresh in self.home.listeners:
            self.home.listeners.remove(self.refresh)
        self.room.leave(self.home)

    # --- building

    def build(self) -> None:
        """Everything, once."""
        table = self.main
        title = f"{table.game.facts.title}, analysis"
        top(title, game=table.game.name)
        with main("m-analysis"):
            heading(title, classes="m-hidden")
            with ui.element("div").classes("m-boardside"):
                self.picture = Patched().classes("m-board")
                self.picture.on("meeple", self._on_board, js_handler="(event) => emit(event.detail)")
                with ui.element("div").classes("m-under") as self.under:
                    self.time_line = TimeLine(self)
                    zoom_buttons()
            with ui.element("div").classes("m-findings"):
                self._build_move()
                self._build_match()
        self.announcer = Patched().classes("m-hidden").props('role="status" aria-live="polite"')

    def _build_move(self) -> None:
        """What concerns the position shown."""
        with ui.element("section").classes("m-card m-graph-card") as self.graph_card:
            heading("The course of the match", 2, "m-hidden")
            self.graph = Patched()
            self.graph.on("click", self._on_graph, js_handler=ON_GRAPH)
            self.progress = Patched().classes("m-progress")
            self.preparing = Bar(self.room.preparer)
        with ui.element("section").classes("m-card m-now"):
            heading("This position", 2, "m-hidden")
            self.status = Patched().classes("m-status")
            self.preview = Patched().classes("m-preview")
            self.verdict = Patched().classes("m-verdict")
            self.buttons = ui.element("div").classes("m-buttons")
            with self.buttons:
                self.back = button("Back to the match", self.return_to_match, icon="undo", is_main=True)
                self.again = button("Try again", self._try_again, icon="refresh")
                self.deeper = button("Look deeper", self.toggle_look, icon="search")
                self.notes = button("Comment", self._write_comment, icon="edit_note")
                self.sees = button("Show what was", self.toggle_sight, icon="visibility")
            self.comment = Patched().classes("m-comment")
            self.candidates = Patched().classes("m-scroll")

    def _build_match(self) -> None:
        """What concerns the whole match."""
        with ui.element("section").classes("m-card") as self.mistakes_card:
            heading("Mistakes, the largest first", 2)
            self.mistakes = Patched()
            self.mistakes.on("click", self._on_mistake, js_handler=JUMP)
        with ui.element("section").classes("m-card") as self.bars_card:
            heading("What the result was made of", 2)
            ui.label("In points of win chance: start + play + given + luck + unexplained = result.").classes("m-quiet")
            self.bars = Patched()
        with ui.element("section").classes("m-card"):
            heading("Moves", 2)
            self.log = Patched().classes("m-log").props(LOG_REGION)
            self.log.on("click", self._on_log, js_handler=LOG_CLICK)
        with ui.element("section").classes("m-card m-row"):
            self.efforts = ui.select(list(EFFORTS), value=self.effort, label="Effort", on_change=self._on_effort)
            self.efforts.props("dense outlined options-dense").style("min-width:110px")
            self.begins = button("Analyse", self.toggle_work, icon="play_arrow")
            button("Save", self._save, icon="download")
            button("Link", self._show_link, icon="link")

    async def start(self) -> None:
        """Ask the browser how it looks, draw, and begin."""
        prefs = await self._ask_prefs()
        self.confirms = False
        self.build()
        self.time_line.set_speed(prefs.saved.get("replay-speed"))
        self.is_ready = True
        if self.main.match.steps:
            self.room.analyses.begin(self.work, self.who, self.effort)
        self._at_another()

    # --- what is shown

    @property
    def is_branch(self) -> bool:
        """Whether another way than the match's is looked at."""
        return self.branched_at is not None

    @property
    def decision(self) -> Decision | None:
        """What the analysis says of the move that was made at the position shown."""
        found = self.work.found
        if found is None or self.is_branch:
            return None
        return next((each for each in found.decisions if each.step == self.at), None)

    @property
    def event(self) -> ChanceEvent | None:
        """What chance did just before the position shown."""
        found, decision = self.work.found, self.decision
        if found is None or decision is None:
            return None
        return next((each for each in found.chances if each.ply == decision.ply), None)

    def look_at(self, cursor: int) -> bool:
        """Show the match after so many events; a draw that is under way is passed over."""
        self.looking = ""
        return super().look_at(cursor)

    def show(self, cursor: int) -> None:
        """Look at the match after so many events."""
        if self.look_at(cursor):
            self._at_another()

    def show_move(self, ply: int) -> None:
        """Look at the position before a move, counted from 0; nothing is drawn yet."""
        self.look_at(self.stops()[min(max(0, ply), len(self.stops()) - 1)])

    def _at_another(self) -> None:
        """Another position is shown: draw it, and look at it deeper where the analysis does not tell of it."""
        self.searches_left = FIRST_LOOK if self.is_branch or not self.main.match.steps else 0
        self._look_on()
        self.refresh()

    def _grown(self) -> None:
        """The analysis has found more."""
        self._redraw()

    # --- drawing

    async def _drawn(self, still: Viewing) -> Drawing:
        assert isinstance(still, Examining)
        self.advice = still.advice = self._advice()
        drawing = await super()._drawn(still)
        self._shown = await self.room.draw(self._panels(still))
        return drawing

    def _advice(self) -> Advice:
        """The best move at the position shown, by the analysis or, where somebody asked, by a deeper look."""
        decision, look = self.decision, self._look
        made = -1 if self.is_branch or decision is None else decision.action
        mark = decision.mark if decision is not None else ""
        if look is not None and look.moves:
            return Advice(look.moves[0].action, look.line, made, mark)
        if decision is None or not decision.is_judged:
            return Advice(made=made)
        return Advice(decision.best_action, decision.line, made, mark)

    def _panels(self, still: Examining) -> Callable[[], Shown]:
        """Everything beside the board, to be written in another thread."""
        found, decision, event, look = self.work.found, self.decision, self.event, self._look
        match, state, voice, sees_all = self.main.match, still.state, still.voice, self.sees_all
        moves = self._moves(self.at if self.branched_at is None else self.branched_at)
        here, is_narrow = -1 if self.is_branch else self.at, self.is_narrow
        rows, title = _rows(decision, look)

        def written() -> Shown:
            every = replace(voice, viewer=None)
            states = [match.steps[each.step].before for each in found.mistakes] if found else []
            made = decision.action if decision else -1
            return Shown(
                graph=verdicts.graph_panel(found, moves, is_narrow=is_narrow),
                verdict=verdicts.verdict_panel(decision, event, state, voice, sees_all=sees_all),
                candidates=verdicts.candidates_panel(rows, state, voice, made=made, title=title),
                mistakes=verdicts.mistakes_panel(found, states, every, here),
                bars=verdicts.bars_panel(found, every),
            )

        return written

    def _show(self, drawing: Drawing, still: Viewing) -> None:
        shown = self._shown
        with self.client:
            show_all(
                {
                    self.picture: drawing.board,
                    self.log: drawing.log,
                    self.status: escape(drawing.status, quote=False),
                    self.preview: escape(drawing.note, quote=False),
                    self.graph: shown.graph,
                    self.verdict: shown.verdict,
                    self.comment: verdicts.comment_lines(self._comment),
                    self.candidates: shown.candidates,
                    self.mistakes: shown.mistakes,
                    self.bars: shown.bars,
                    self.progress: self._progress(),
                    self.announcer: escape(drawing.status, quote=False),
                }
            )
            self._show_buttons()
            self.time_line.draw()
            self.preparing.follow((self.main.game.definition, ANALYSIS) if self._waits else None)

    def _show_buttons(self) -> None:
        has_match = bool(self.main.match.steps)
        self.back.set_visibility(self.is_branch)
        for card in (self.graph_card, self.mistakes_card, self.bars_card):
            card.set_visibility(has_match)
        self.again.set_visibility(self.decision is not None and bool(self.decision.word))
        may_write = bool(self.access.is_owner or self.access.seats)  # who has a link to watch reads
        self.notes.set_visibility(may_write and not self.is_branch)
        self.deeper.set_visibility(self.state.to_move >= 0)
        self.deeper.set_text("Stop" if self.searches_left else "Go on" if self._look else "Look deeper")
        self.sees.set_visibility(self.main.game.facts.hidden and self.knower is None)
        self.sees.set_text("Show what was known" if self.sees_all else "Show what was")
        self.begins.set_visibility(has_match)
        self.begins.set_text("Stop" if self.work.is_running else "Analyse")

    @property
    def _waits(self) -> bool:
        """Whether nothing is there yet, perhaps since the game's judge is being compiled."""
        return (self.work.is_running and self.work.found is None) or bool(self.searches_left)

    def _progress(self) -> str:
        """How far the analysis is, in words and as a bar."""
        work, found = self.work, self.work.found
        if work.fault or self.looking:
            return verdicts.fault_line(work.fault or self.looking)
        if not work.is_running or found is None:
            return "" if found is None or found.is_complete else verdicts.quiet_line("Stopped before the end.")
        what = "A first look" if work.stage == 1 else f"Judging, {work.effort} effort"
        share = work.done / max(1, work.total)
        return verdicts.quiet_line(what) + bar(share, "analysed so far")

    # --- looking deeper

    @property
    def _look(self) -> Deepening | None:
        """The deeper look at the position shown, once it has found anything."""
        found = self.looks.get(self.state.to_bytes())
        return found if found is not None and found.searches else None

    def toggle_look(self) -> None:
        """Look deeper at the position shown, or stop."""
        self.searches_left = 0 if self.searches_left else SEARCHES
        self._look_on()
        self.refresh()

    def _look_on(self) -> None:
        if self.searches_left and not self._is_looking and self.state.to_move >= 0:
            self._is_looking = True
            background_tasks.create(self._search_on(), name="deepening")

    async def _search_on(self) -> None:
        """Search whatever position is shown, as long as somebody wants it and looks."""
        try:
            await self.room.preparer.ready(self.main.game.definition, ANALYSIS)
            while self.searches_left and not self.client.is_deleted and self.state.to_move >= 0:
                self.searches_left -= 1
                await self.room.thinker.ask(self._searching(), key=key_of(self.who))
                self._redraw()
        except MeepleError as fault:
            LOG.warning("no deeper look at a position of %s: %s", self.main.game.name, fault)
            self.looking, self.searches_left = str(fault), 0
        finally:
            self._is_looking = False
            self._redraw()

    def _searching(self) -> Callable[[], None]:
        """One search of the position shown, for another thread."""
        state, steps = self.state, self.table.match.steps[: self.at]
        key, looks, is_guessed = state.to_bytes(), self.looks, self.knower is not None

        def search() -> None:
            if key not in looks:
                seen = tuple(step.before.seen(step.code, state.to_move) for step in steps)
                ply = sum(step.seat is not None for step in steps)
                while len(looks) >= MOST_LOOKS:
                    del looks[next(iter(looks))]
                looks[key] = Deepening(Question(state, ply, seen, is_guessed=is_guessed))
            looks[key].search()

        return search

    # --- other ways

    def _on_click(self, target: str) -> None:
        def clicked() -> None:
            action = self.click(target)
            if action is not None:
                self._play_on(action)
            else:
                self.refresh()

        self.attempt(clicked)

    def _play_on(self, action: int) -> None:
        """Go the match's way where it is the move that was made, else another one."""
        at, steps = self.at, self.table.match.steps
        if at < len(steps) and steps[at].code == action:
            self.show(self.stop_beside(1))
            return
        if self.branched_at is None:
            self.branched_at = at
        match = self.table.match
        way = Match.from_steps(steps[:at], self.state, match.seed, match.salt, match.start_text)
        way.play(action)
        seats = [Seat("here", seat.name, is_named=True) for seat in self.main.seats]
        self.table = Table(way.game, seats, owner="", match=way, is_replay=True)
        self.cursor, self._seen_version = len(way.steps), -1
        self._at_another()

    def return_to_match(self) -> None:
        """Back to where the match was left."""
        if self.branched_at is not None:
            self.table, self.cursor, self._seen_version = self.main, self.branched_at, -1
            self.branched_at = None
            self._at_another()

    def step_back(self) -> None:
        """One target less; with none, back to the match."""
        if self.chosen:
            super().step_back()
        else:
            self.return_to_match()

    def play_held(self) -> None:
        """Nothing waits for a second word here."""

    # --- what the page reports

    def _on_key(self, key: str) -> None:
        if key == "h":
            self.toggle_look()
        elif key not in ("u", "r"):
            super()._on_key(key)

    def _on_graph(self, event: Any) -> None:
        found = self.work.found
        if found is None or not isinstance(event.args, (int, float)):
            return
        width = (verdicts.NARROW_GRAPH if self.is_narrow else verdicts.GRAPH)[0]
        self.return_to_match()
        self.time_line.stop()
        self.show_move(moves_at(found, float(event.args), width=width))
        self._at_another()

    def _on_mistake(self, event: Any) -> None:
        if isinstance(event.args, int):
            self.return_to_match()
            self.time_line.stop()
            self.show(event.args)

    # --- the buttons

    @property
    def _comment(self) -> str:
        """What somebody wrote about the position shown."""
        return "" if self.is_branch else self.home.comments.get(self.at, "")

    def _write_comment(self) -> None:
        """Ask for words about the position shown; they are kept in the record."""
        at = self.at
        with self.client, dialog("Comment on this position") as shown:
            field = ui.textarea("It is kept in the record", value=self._comment)
            field.props(f"outlined autogrow autofocus maxlength={LONGEST_COMMENT}").style("width:min(70vw,480px)")

            def keep() -> None:
                shown.close()
                self.attempt(lambda: self.home.comment(at, str(field.value or "")))

            with ui.row():
                button("Keep", keep, is_main=True)
                button("Cancel", shown.close)
        shown.open()

    def _try_again(self) -> None:
        """The position as a puzzle, which leads back here."""
        if self.decision is not None:
            ui.navigate.to(try_link(self.token, self.decision.ply))

    def toggle_sight(self) -> None:
        """The board as it was, or as the mover knew it."""
        self.sees_all = not self.sees_all
        self.refresh()

    def toggle_work(self) -> None:
        """Stop, or go on."""
        if self.work.is_running:
            self.room.analyses.stop(self.work)
        else:
            self.room.analyses.begin(self.work, self.who, self.effort)

    def _on_effort(self, event: Any) -> None:
        if event.value in EFFORTS:
            self.effort = str(event.value)
            self.room.analyses.begin(self.work, self.who, self.effort)

    def _show_link(self) -> None:
        """By the token of those who watch: it opens nobody's seat in a rematch."""
        at = self.at if self.branched_at is None else self.branched_at
        moves = sum(step.seat is not None for step in self.main.match.steps[:at])
        with self.client:
            show_analysis_link(f"/analyse/{self.home.spectator_token}?move={moves + 1}")

    async def _save(self) -> None:
        """The record, with its notes."""
        record = self.home.still().record()
        ui.download.content(await self.room.draw(record.text), f"{self.main.game.name}.jsonl")


def _still(table: Table) -> Table:
    """The table's match as it is now, for nobody to change."""
    still = copy(table.still())
    still.match, still.is_replay, still.clock = copy(table.match), True, None
    still.drawings, still.logs, still._moment = {}, {}, None
    return still


def _rows(decision: Decision | None, look: Deepening | None) -> tuple[list[Row], str]:
    """The candidates by a deeper look, or by the analysis; and who says so."""
    if look is not None:
        moves = [each for each in look.moves if each.share >= verdicts.LEAST_SHARE]
        rows = [Row(each.action, each.chance, each.error, f"{each.share:.0%}") for each in moves]
        trust = "" if look.is_calibrated else f"; {trust_words(False)}"
        return rows[: verdicts.MOST_CANDIDATES], f"By {look.searches} searches{trust}"
    if decision is None or not decision.is_judged or decision.is_forced:
        return [], ""
    rows = [
        Row(each.action, each.chance, each.error, f"{each.named}×", each.points, each.proof)
        for each in decision.candidates
    ]
    return rows, f"By the analysis, {decision.effort} effort"
