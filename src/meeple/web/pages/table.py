"""The page of a table: the board with its clicks, seats and scores, the log, and what a player may do."""

from __future__ import annotations

import json
import logging
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from nicegui import ui

from meeple.agents.registry import load_agent
from meeple.core.chance import Stream
from meeple.core.contract import NOBODY
from meeple.core.game import State
from meeple.core.picture import SEATS, Look, Path
from meeple.core.svg import Markup, tag
from meeple.errors import MeepleError
from meeple.web import panels
from meeple.web.clicks import offer_of
from meeple.web.levels import opponent_of
from meeple.web.pages.frame import Prefs, button, keep, owner, read_prefs, top
from meeple.web.room import Room
from meeple.web.table import Access, Refused, Seat, Table

LOG = logging.getLogger("meeple.web")
LOG_CLICK = "(event) => { const row = event.target.closest('li'); if (row) emit(Number(row.dataset.n)); }"


@lru_cache(maxsize=512)
def _drawn(state: State, seat: int | None, look: _Frozen) -> str:
    return state.picture(seat, look.look)


class _Frozen:
    """A look that can be a key: many who watch one table are sent one drawing."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self._key = (look.dark, look.narrow, look.lit, look.chosen, look.last, look.mover, look.names,
                     tuple(sorted(look.settings.items())))  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Frozen) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


class TableView:
    """One browser at a table."""

    def __init__(self, room: Room, access: Access) -> None:
        self.room, self.access, self.table = room, access, access.table
        self.prefs = Prefs()
        self.settings: dict[str, str] = {}
        self.chosen: Path = ()
        self.cursor: int | None = len(self.table.match.steps) if self.table.is_replay else None
        self.unveiled: int | None = None  # the seat whose view is shown where several share this screen
        self.hint: Path = ()
        self.note = ""
        self.is_ready = False
        self._shown = -1
        self._fit: object = None
        self._client = ui.context.client
        self.table.listeners.append(self.refresh)
        self._client.on_delete(self._leave)

    def _leave(self) -> None:
        if self.refresh in self.table.listeners:
            self.table.listeners.remove(self.refresh)
        self.room.leave(self.table)

    # --- who looks

    @property
    def viewer(self) -> int | None:
        """Whose view is shown: a seat, NOBODY for what all may see, None for everything."""
        table, own = self.table, self.access.seats
        if table.is_open or (self.access.is_owner and not table.people):
            return None
        if not own:
            return NOBODY
        if table.is_study:
            return table.mover
        if len(own) == 1:
            return next(iter(own))
        if not table.game.facts.hidden:
            return table.mover if table.mover in own else min(own)
        return self.unveiled

    @property
    def is_curtained(self) -> bool:
        """Whether the device must be passed on before anything is shown."""
        table, own = self.table, self.access.seats
        if table.is_open or table.is_study or len(own) < 2 or not table.game.facts.hidden:
            return False
        return self.unveiled is None or (table.mover in own and table.mover != self.unveiled)

    @property
    def state(self) -> State:
        """What is shown."""
        return self.table.state_at(self.cursor)

    @property
    def may_click(self) -> bool:
        """Whether this browser decides now."""
        return self.cursor is None and not self.is_curtained and self.table.mover in self.access.seats

    # --- building

    def build(self) -> None:
        """Everything, once; later only contents change."""
        table = self.table
        top(table.game.facts.title)
        with ui.element("main").classes("m-table"):
            with ui.element("div").classes("m-boardside"):
                self.board = ui.html("", sanitize=False).classes("m-board")
                self.board.on("meeple", self._on_board, js_handler="(event) => emit(event.detail)")
                self._build_replay()
            with ui.element("div").classes("m-side"):
                with ui.element("section").classes("m-card m-seats").style("margin:0") as self.seats_card:
                    self.seats = ui.html("", sanitize=False)
                with ui.element("div").classes("m-card"):
                    self.status = ui.label().classes("m-status")
                    self.preview = ui.label().classes("m-preview")
                    self.lesson = ui.html("", sanitize=False)
                    self.buttons = ui.element("div").classes("m-buttons")
                with ui.element("section").classes("m-card").style("margin:0") as self.log_card:
                    self.log = ui.html("", sanitize=False).classes("m-log")
                    self.log.on(
                        "click",
                        self._on_log,
                        js_handler=LOG_CLICK,
                    )
                self._build_choices()
        self.announcer = ui.label().classes("m-hidden").props('role="status" aria-live="polite"')

    def _build_replay(self) -> None:
        with ui.element("div").classes("m-replay") as self.replay:
            button("", lambda: self._go(-1), icon="chevron_left", label="One step back")
            self.slider = ui.slider(min=0, max=1, value=0, on_change=self._on_slider).props(
                'aria-label="Where in the match" color="amber-8"'
            )
            button("", lambda: self._go(1), icon="chevron_right", label="One step on")

    def _build_choices(self) -> None:
        options = getattr(self.table.game.definition.picture, "SETTINGS", ())
        with ui.element("div").classes("m-row"):
            for option in options:
                ui.select(
                    list(option.values),
                    value=self.settings.get(option.name, option.default),
                    label=option.name,
                    on_change=lambda event, name=option.name: self._choose_setting(name, event.value),
                ).props("dense outlined options-dense").tooltip(option.help).style("min-width:96px")

    async def start(self) -> None:
        """Ask the browser how it looks, then draw."""
        self.prefs = await read_prefs()
        self.settings = self.prefs.settings(self.table.game.name)
        self.build()
        self.is_ready = True
        self.refresh()
        self.room.advance(self.table)

    # --- drawing

    def refresh(self) -> None:
        """Draw again; called whenever the table changed."""
        if not self.is_ready:
            return
        table = self.table
        if self._shown != table.version:
            self.chosen, self.hint, self.note, self._shown = (), (), "", table.version
        with self._client:
            viewer = self.viewer
            self.board.set_content(self._curtain() if self.is_curtained else self._stage())
            self.status.set_text(self._status())
            self.preview.set_text(self.note)
            self._draw_lesson(viewer)
            self.seats_card.set_visibility(not self.is_curtained)
            self.log_card.set_visibility(not self.is_curtained)
            if self.is_curtained:
                self.seats.set_content("")
                self.log.set_content("")
                self.announcer.set_text("")
            else:
                self.seats.set_content(panels.seats_panel(table, self.state, viewer, self.cursor))
                self.log.set_content(panels.log_panel(table, viewer, self.cursor))
                self.announcer.set_text(panels.announcement(table, viewer))
            self._draw_buttons()
            self._draw_replay()

    def _stage(self, ghost: State | None = None) -> str:
        """The picture of the state shown, with what may be clicked, and the result of a move hovered over."""
        lit = offer_of(self.state).after(self.chosen) if self.may_click else frozenset()
        last, mover, flight = self._last_move()
        if self.hint:
            last, mover = frozenset(self.hint), self.table.mover
        drawn = self._picture(self.state, lit=lit, chosen=self.chosen, last=last, mover=mover)
        layers = [Markup(drawn)]
        if ghost is not None:
            layers.append(tag("div", Markup(self._picture(ghost)), class_="m-ghost", aria_hidden="true"))
        at = len(self.table.match.steps) if self.cursor is None else self.cursor
        return tag(
            "div",
            *layers,
            class_="m-stage",
            data_version=self.table.version,
            data_flight=json.dumps(flight) if flight else None,
            data_flown=at,
        )

    def _picture(self, state: State, **marks: Any) -> str:
        look = Look(
            dark=self.prefs.dark,
            narrow=self.prefs.is_narrow,
            names=self.table.names,
            settings=self.settings,
            **marks,
        )
        return _drawn(state, self.viewer, _Frozen(look))

    def _last_move(self) -> tuple[frozenset[str], int, list[str] | None]:
        """The targets of the last decision that this viewer saw, who made it, and the flight to show."""
        at = len(self.table.match.steps) if self.cursor is None else self.cursor
        for step, words in reversed(self.table.steps_seen(self.viewer)[:at]):
            if step.seat is None:
                continue
            viewer, is_own = self.viewer, self.viewer in (None, step.seat) or not self.table.game.facts.hidden
            # A click path may begin at a place in a hand, which only its owner knows: others get one made up.
            before = step.before if is_own or viewer is None else step.before.redealt(viewer, Stream(at))
            path = before.paths(step.code) if words else []
            if not path:
                return frozenset(), step.seat, None
            flight = [path[0][0], path[0][-1], SEATS[step.seat]] if is_own and len(path[0]) > 1 else None
            return frozenset(path[0]), step.seat, flight
        return frozenset(), 0, None

    def _curtain(self) -> str:
        mover = self.table.mover
        seat = mover if mover in self.access.seats else min(self.access.seats)
        name = self.table.names[seat]
        words = tag("div", tag("h1", f"Pass the screen to {name}"), tag("p", "The others look away.", class_="m-quiet"))
        return tag("div", words, class_="m-curtain", data_version=self.table.version)

    def _status(self) -> str:
        if self.is_curtained:
            return ""
        if self.cursor is not None and not self.table.is_replay:
            return f"Looking back: move {self.cursor} of {len(self.table.match.steps)}"
        if self.table.is_replay and not self.table.is_over:
            return "Replay of an unfinished match"
        return panels.status_words(self.table, self.viewer, self.access.seats)

    def _draw_replay(self) -> None:
        steps = len(self.table.match.steps)
        self.replay.set_visibility(steps > 0 and not self.is_curtained)
        self.slider.props(f"max={max(1, steps)}")
        self.slider.set_value(steps if self.cursor is None else self.cursor)

    def _draw_lesson(self, viewer: int | None) -> None:
        """In a guided game: what applies now and was not told yet."""
        lessons = getattr(self.table.game.definition.lessons, "LESSONS", ())
        if not self.table.is_guided or not self.may_click or viewer is None or not lessons:
            self.lesson.set_content("")
            return
        told = self.__dict__.setdefault("_told", {})
        world = self._redealt()
        if self.table.version not in told.values():
            for lesson in lessons:
                if lesson.key not in told and lesson.applies(world.record, viewer):
                    told[lesson.key] = self.table.version
                    break
        shown = [lesson for lesson in lessons if told.get(lesson.key) == self.table.version]
        body = [tag("div", tag("b", lesson.title), tag("div", lesson.text)) for lesson in shown]
        self.lesson.set_content(tag("div", *body, class_="m-card m-lesson") if body else "")

    # --- buttons

    def _draw_buttons(self) -> None:
        """The buttons that fit; they are made anew only when others fit, lest a click meet one that is going."""
        table, own = self.table, self.access.seats
        asked = table.request is not None and not own <= table.request.agreed
        fit = (
            table.mover if self.is_curtained else None, table.request.seat if asked and table.request else None,
            bool(self.chosen),
            table.is_over, table.match.can_redo, self.may_click, table.is_paused, table.is_open,
        )  # fmt: skip
        if fit == self._fit:
            return
        self._fit = fit
        self.buttons.clear()
        with self.buttons:
            if self.is_curtained:
                mover = table.mover if table.mover in own else min(own)
                button(f"I am {table.names[mover]}", lambda: self._unveil(mover), is_main=True)
                return
            if asked and own and table.request is not None:
                ui.label(f"{table.names[table.request.seat]} asks to take back a move.")
                button("Agree", lambda: self._do(lambda: table.agree(min(own), agrees=True)), is_main=True)
                button("Decline", lambda: self._do(lambda: table.agree(min(own), agrees=False)))
            if self.chosen:
                button("Back a step", self._step_back, icon="backspace")
            if own and not table.is_over:
                button("Undo", self._undo, icon="undo")
                if table.match.can_redo:
                    button("Redo", lambda: self._do(table.redo), icon="redo")
                if self.may_click:
                    button("Hint", self._ask_hint, icon="lightbulb")
                button("Resign", self._resign, icon="flag")
            if not table.people and not table.is_over and self.access.is_owner and not table.is_replay:
                self._watch_buttons()
            if table.is_open:
                button("Try from here", self._branch, icon="call_split")
                if not table.is_replay:
                    button("New game", lambda: ui.navigate.to(f"/new/{table.game.name}"), is_main=True)
            button("Save", self._save, icon="download")
            button("Link", self._show_links, icon="link")

    def _watch_buttons(self) -> None:
        table = self.table
        button("Go on" if table.is_paused else "Pause", self._pause, icon="play_arrow" if table.is_paused else "pause")
        ui.select(
            {2.0: "slow", 0.6: "normal", 0.1: "fast", 0.0: "at once"},
            value=table.pace,
            on_change=lambda event: setattr(table, "pace", float(event.value)),
        ).props("dense outlined").tooltip("Speed")

    def _pause(self) -> None:
        self.table.is_paused = not self.table.is_paused
        self.table.tell()
        self.room.advance(self.table)

    def _do(self, change: Any) -> None:
        """A change that may be refused."""
        try:
            change()
        except MeepleError as fault:
            LOG.info("refused: %s", fault)
            self.note = str(fault)
            self.refresh()

    def _undo(self) -> None:
        own = [step.seat for step in self.table.match.steps if step.seat in self.access.seats]
        if not own:
            self._do(lambda: _refuse("there is nothing to take back yet"))
            return
        last = own[-1]
        assert last is not None
        self._do(lambda: self.table.undo(last))

    def _resign(self) -> None:
        with self._client, ui.dialog() as dialog, ui.card():

            def give_up() -> None:
                dialog.close()
                self._do(lambda: self.table.resign(self._own_seat()))

            ui.label("Give up this match?")
            with ui.row():
                button("Resign", give_up, is_main=True)
                button("Play on", dialog.close)
        dialog.open()

    def _own_seat(self) -> int:
        own = self.access.seats
        return self.table.mover if self.table.mover in own else min(own)

    def _unveil(self, seat: int) -> None:
        self.unveiled = seat
        self.refresh()

    async def _ask_hint(self) -> None:
        if not self.may_click:
            return
        table, version = self.table, self.table.version
        self.note = "thinking …"
        self.refresh()
        try:
            agent = await self.room.thinker.ask(lambda: load_agent(opponent_of(table.game), table.game))
            action = await self.room.thinker.ask(table.question(agent, lambda: bool(table.listeners)))
        except MeepleError as fault:
            self.note = str(fault)
        else:
            if table.version == version:
                self.hint = self.state.paths(action)[0]
                self.note = f"Hint: {self.state.move_text(action)}"
        self.refresh()

    def _branch(self) -> None:
        """The match up to here goes on at a table of its own, every seat at this screen."""
        if not self.table.is_open:
            return
        steps = self.table.match.steps[: len(self.table.match.steps) if self.cursor is None else self.cursor]
        plies = sum(step.seat is not None for step in steps)
        match = self.table.match.branch(plies)
        seats = [Seat("here", name) for name in self.table.names]
        table = self.room.seat_down(Table(match.game, seats, owner=owner(), match=match, is_study=True))
        ui.navigate.to(f"/table/{table.owner_token}")

    def _save(self) -> None:
        """The whole record once the match is over; before, what this seat has seen."""
        table = self.table
        if table.is_open:
            text = table.match.record([seat.spec or "human" for seat in table.seats]).text()
            ui.download.content(text, f"{table.game.name}.jsonl")
            return
        viewer = self.viewer
        lines = [f"# {table.game.spec}, as seen by {'everybody' if viewer in (None, NOBODY) else table.names[viewer]}"]
        for step, words in table.steps_seen(viewer):
            if words or step.seat is not None:
                who = "chance" if step.seat is None else table.names[step.seat]
                lines.append(f"{who}: {words or '?'}")
        lines.append(f"# position: {table.match.state.text(viewer)}")
        ui.download.content("\n".join(lines) + "\n", f"{table.game.name}.txt")

    def _show_links(self) -> None:
        table, viewer = self.table, self.viewer
        position = f"/new/{table.game.name}?spec={quote(table.game.spec)}&start={quote(self.state.text(viewer))}"
        with self._client, ui.dialog() as dialog, ui.card():
            ui.html("<h2>Links</h2>", sanitize=False)
            _link("This position (as you see it)", position)
            _link("To watch (sees what everybody sees)", f"/table/{table.spectator_token}")
            if self.access.is_owner:
                for number, seat in enumerate(table.seats):
                    if seat.kind == "elsewhere":
                        _link(f"For {seat.name}: whoever has it plays that seat", f"/table/{seat.token}")
                        button(f"New link for {seat.name}", lambda n=number: self._revoke(n, dialog))
            button("Close", dialog.close)
        dialog.open()

    def _revoke(self, seat: int, dialog: ui.dialog) -> None:
        dialog.close()
        self._do(lambda: self.room.revoke(self.table, seat))
        self._show_links()

    # --- clicks

    def _on_board(self, event: Any) -> None:
        """What the page reports; anything ill-formed, stale or forged is refused and changes nothing."""
        told = event.args
        if not isinstance(told, dict) or not isinstance(told.get("kind"), str):
            LOG.warning("refused: an ill-formed click")
            return
        kind, target, version = told["kind"], told.get("target"), told.get("version")
        if target is not None and not isinstance(target, str):
            LOG.warning("refused: an ill-formed target")
            return
        if kind == "key" and target is not None:
            self._on_key(target)
        elif version != self.table.version:
            LOG.info("refused: a click on a board that is gone")
        elif kind == "hover":
            self._on_hover(target)
        elif kind == "click" and target is not None:
            self._on_click(target)
        elif kind == "drag" and target is not None and isinstance(told.get("to"), str):
            self._on_click(target)
            if self.chosen and told["to"] in offer_of(self.state).after(self.chosen):
                self._on_click(told["to"])

    def _on_click(self, target: str) -> None:
        if not self.may_click:
            LOG.info("refused: a click out of turn")
            return
        offer = offer_of(self.state)
        if target in offer.after(self.chosen):
            self.chosen = (*self.chosen, target)
        elif target in self.chosen:
            self.chosen = self.chosen[: self.chosen.index(target)]
        else:
            LOG.info("refused: a click on what is not on offer")
            return
        action = offer.action(self.chosen)
        if action is not None:
            seat, self.chosen = self.table.mover, ()
            self._do(lambda: self.table.play(seat, action))
            return
        self.note = ""
        self.refresh()

    def _on_hover(self, target: str | None) -> None:
        """What the move that this click would complete brings, worked out in a redealt world."""
        ghost = None
        words = ""
        if target is not None and self.may_click:
            offer = offer_of(self.state)
            action = offer.action((*self.chosen, target))
            if action is not None:
                world = self._redealt()
                words = self._preview(world, action)
                ghost = world.after(action)
        self.note = words
        self.preview.set_text(words)
        self.board.set_content(self._stage(ghost))

    def _preview(self, world: State, action: int) -> str:
        tell = getattr(world.game.definition.picture, "preview", None)
        seat = world.to_move
        if tell is not None:
            return f"{world.move_text(action)}: {tell(world.record, action, seat)}"
        points = world.after(action).score(seat) - world.score(seat)
        return f"{world.move_text(action)}" + (f": {points:+d}" if points else "")

    def _redealt(self) -> State:
        """The mover's world with everything it may not know made up anew."""
        seat = self.state.to_move
        return self.state.redealt(seat, Stream(self.table.version))

    def _on_key(self, key: str) -> None:
        if key == "Escape":
            self._step_back()
        elif key == "ArrowLeft":
            self._go(-1)
        elif key == "ArrowRight":
            self._go(1)
        elif key == "Home":
            self._go(-(10**6))
        elif key == "End":
            self._go(10**6)
        elif key == "u" and self.access.seats:
            self._undo()
        elif key == "r" and self.access.seats and self.table.match.can_redo:
            self._do(self.table.redo)

    def _step_back(self) -> None:
        if self.chosen:
            self.chosen = self.chosen[:-1]
        self.cursor = None if not self.table.is_replay else self.cursor
        self.refresh()

    # --- looking back

    def _go(self, by: int) -> None:
        steps = len(self.table.match.steps)
        self._look_at((steps if self.cursor is None else self.cursor) + by)

    def _on_slider(self, event: Any) -> None:
        if isinstance(event.value, (int, float)):
            self._look_at(int(event.value))

    def _on_log(self, event: Any) -> None:
        if isinstance(event.args, int):
            self._look_at(event.args)

    def _look_at(self, cursor: int) -> None:
        steps = len(self.table.match.steps)
        cursor = min(max(0, cursor), steps)
        wanted = None if cursor == steps and not self.table.is_replay else cursor
        if wanted != self.cursor:
            self.cursor, self.chosen, self.hint = wanted, (), ()
            self.refresh()

    def _choose_setting(self, name: str, value: Any) -> None:
        self.settings = {**self.settings, name: str(value)}
        keep(f"draw-{self.table.game.name}", self.settings)
        self.refresh()


def _link(words: str, path: str) -> None:
    """A link to open or to copy; the browser knows under which address it found us."""
    ui.label(words).classes("m-quiet")
    with ui.element("div").classes("m-row").style("flex-wrap:nowrap"):
        ui.link(path if len(path) < 44 else path[:41] + "…", path, new_tab=True)
        ui.button("Copy", icon="content_copy", color=None).props("unelevated no-caps").classes("m-button").on(
            "click", js_handler=f"() => meeple.copy(location.origin + {json.dumps(path)})"
        )


def _refuse(words: str) -> None:
    raise Refused(words)
