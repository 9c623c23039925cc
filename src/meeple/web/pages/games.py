"""Your games: what this browser plays and has played, results, ratings, and the code that takes all that elsewhere."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Mapping
from typing import Any, NamedTuple

from fastapi import Request
from nicegui import app, ui

from meeple.agents.levels import elos_of
from meeple.core.svg import Markup, tag
from meeple.errors import MeepleError
from meeple.web.codes import CodeError, code_of, owner_of
from meeple.web.history import History, OwnMatch, Rated, definition_of
from meeple.web.pages.frame import OWNER, button, dialog, heading, main, owner, top
from meeple.web.plots import NARROW, WIDE, day, rating_plot
from meeple.web.ratings import MINUS
from meeple.web.room import Room
from meeple.web.solved import Standing

LOG = logging.getLogger("meeple.web")
SHOWN = 20  # finished matches at first
EVERY = "All games"


class Summary(NamedTuple):
    """What the page tells of a browser's matches; made in a thread, since it takes longer the more they are."""

    running: Markup | None
    ratings: list[Plotted]
    results: Markup | None
    finished: list[OwnMatch]
    changes: dict[str, Rated]  # of the ratings, by the key of a match's table
    puzzles: Markup | None

    @classmethod
    def of(cls, history: History, standings: Mapping[str, Standing]) -> Summary:
        """Of all matches of a browser, and its answers to puzzles."""
        rated = history.rated_games()
        return cls(
            running=running_table(history.running),
            ratings=[Plotted.of(game, rows) for game, rows in rated.items()],
            results=results_table(history),
            finished=history.finished,
            changes={row.played.body["key"]: row for rows in rated.values() for row in rows},
            puzzles=puzzles_table(standings),
        )


class Plotted(NamedTuple):
    """A rating in one game: its heading, where it stands in words, and its plots for wide and narrow windows."""

    title: str
    words: str
    plots: Markup

    @classmethod
    def of(cls, game: str, rows: list[Rated]) -> Plotted:
        """From the matches that count, the first one first."""
        found = definition_of(game)
        assert found is not None
        now, title = rows[-1].after, found.facts.title
        low, high = now.interval
        words = f"{now.elo:.0f} Elo, with 95% between {low:.0f} and {high:.0f}; dashed lines are the levels."
        words = words.replace("-", MINUS)
        plots = [
            tag("div", rating_plot(rows, elos_of(found), title, width=width), class_=name)
            for width, name in ((WIDE, "m-wide"), (NARROW, "m-narrow"))
        ]
        return cls(f"Your rating in {title}", words, tag("div", *plots, class_="m-card"))


async def games_page(room: Room) -> None:
    """All sections; those that would be empty are left out."""
    who = owner()
    summary = await room.read(lambda: Summary.of(History.of(room.store, who), room.solved.standings(who)))
    top()
    with main("m-page m-history"):
        heading("Your games")
        if summary.running is None and not summary.finished and summary.puzzles is None:
            ui.label("Nothing was played in this browser yet. Matches that you begin, or are invited to, stand here.")
            ui.link("Choose a game", "/")
        _section("Running", summary.running)
        for title, words, plots in summary.ratings:
            _section(title, plots, words)
        _section("Results", summary.results)
        _section("Puzzles", summary.puzzles)
        if summary.finished:
            await _Finished(room, summary).build()
        _code(who)


def _section(title: str, content: Markup | None, *quiet: str) -> None:
    if content is None:
        return
    with ui.element("section"):
        heading(title, 2)
        for words in quiet:
            ui.label(words).classes("m-quiet")
        ui.html(content, sanitize=False).classes("m-scroll")


def running_table(played: list[OwnMatch]) -> Markup | None:
    """Matches that can go on, the latest first."""
    if not played:
        return None
    rows = [
        tag(
            "tr",
            tag("td", each.title),
            tag("td", each.against),
            tag("td", "a try" if each.body["is_study"] else f"{each.moves} move{'s' * (each.moves != 1)}"),
            tag("td", when(each)),
            tag("td", tag("a", "Go on", href=f"/table/{each.token}", aria_label=f"Go on with {each.title}")),
        )
        for each in played
    ]
    return tag("table", _head("game", "against", "so far", "last played", ""), *rows, class_="m-lines")


def finished_table(played: list[OwnMatch], changes: dict[str, Rated]) -> Markup:
    """Matches that have ended, with what they did to the rating, or why they did nothing."""
    rows = []
    for each in played:
        rated = changes.get(each.body["key"])
        change = rated.change if rated else "–"
        rows.append(
            tag(
                "tr",
                tag("td", when(each)),
                tag("td", each.title),
                tag("td", each.against),
                tag("td", each.ending, class_=f"m-{each.outcome}" if each.outcome else None),
                tag("td", change, title=None if rated else f"not rated: {each.unrated()}"),
                tag("td", tag("a", "Replay", href=f"/table/{each.token}", aria_label=f"Replay {each.title}")),
                tag("td", tag("a", "Analyse", href=f"/analyse/{each.token}", aria_label=f"Analyse {each.title}")),
            )
        )
    return tag("table", _head("date", "game", "against", "result", "rating", "", ""), *rows, class_="m-lines")


def results_table(history: History) -> Markup | None:
    """Won, shared and lost by game and level."""
    counts = history.counts()
    if not counts:
        return None
    rows = []
    for (title, level), numbers in counts.items():
        share = (numbers["won"] + 0.5 * numbers["shared"]) / sum(numbers.values())
        cells = (title, level, numbers["won"], numbers["shared"], numbers["lost"], f"{share:.0%}")
        rows.append(tag("tr", *(tag("td", cell) for cell in cells)))
    return tag("table", _head("game", "against", "won", "shared", "lost", "score"), *rows, class_="m-lines")


def puzzles_table(standings: Mapping[str, Standing]) -> Markup | None:
    """A row for each game whose puzzles were answered."""
    rows = []
    for game, (rating, answered, solved) in standings.items():
        found = definition_of(game)
        if found is not None:
            more = tag("a", "More", href=f"/puzzles/{game}", aria_label=f"More puzzles of {found.facts.title}")
            rows.append(
                tag("tr", *(tag("td", cell) for cell in (found.facts.title, rating or "–", answered, solved, more)))
            )
    return (
        tag("table", _head("game", "rating", "answered", "solved at once", ""), *rows, class_="m-lines")
        if rows
        else None
    )


def _head(*words: str) -> Markup:
    return tag("tr", *(tag("th", word, scope="col") if word else tag("td") for word in words))


def when(played: OwnMatch) -> Markup:
    """The day, which the browser writes as its people do."""
    return tag("time", day(played.when), datetime=day(played.when), data_at=int(played.when))


class _Finished:
    """The list of finished matches, of one game or of all; the older ones come when asked for."""

    def __init__(self, room: Room, summary: Summary) -> None:
        self.room, self.game, self.most = room, EVERY, SHOWN
        self.played, self.changes = summary.finished, summary.changes

    async def build(self) -> None:
        """Its section of the page."""
        with ui.element("section"):
            with ui.element("div").classes("m-row"):
                heading("Finished", 2)
                titles = sorted({each.title for each in self.played})
                if len(titles) > 1:
                    ui.select([EVERY, *titles], value=EVERY, on_change=self._choose).props(
                        'dense outlined options-dense aria-label="Of which game"'
                    ).style("min-width:150px")
            self.list = ui.html("", sanitize=False).classes("m-scroll")
            self.more = button("Show all", self._show_all)
        await self._draw()

    async def _choose(self, event: Any) -> None:
        self.game = str(event.value)
        await self._draw()

    async def _show_all(self) -> None:
        self.most = len(self.played)
        await self._draw()

    async def _draw(self) -> None:
        chosen = [each for each in self.played if self.game in (EVERY, each.title)]
        self.list.set_content(await self.room.read(lambda: finished_table(chosen[: self.most], self.changes)))
        self.more.set_visibility(len(chosen) > self.most)


# --- the code


def _code(who: str) -> None:
    """Show the code, take one in, or begin anew."""
    with ui.element("section"):
        heading("Your games elsewhere", 2)
        ui.label(
            "There is no account: this browser is known by a secret. Its code brings your games, results and ratings "
            "to another browser. Keep it to yourself: whoever has it plays as you."
        ).classes("m-quiet")
        row = ui.element("div").classes("m-row")
        with row:
            button("Show the code", lambda: _show_code(row, who), icon="visibility")
        with ui.element("div").classes("m-row").style("margin-top:14px"):
            typed = (
                ui.input("Code from another browser").props("dense outlined").style("flex:1 1 320px;max-width:520px")
            )
            brings = ui.checkbox("Bring this browser's games along", value=True)
            button("Take over", lambda: _send({"code": typed.value, "brings": brings.value}, error), icon="login")
        error = ui.label().classes("m-bad").props('role="alert"')
        with ui.element("div").classes("m-row").style("margin-top:14px"):
            button("Forget me here", lambda: _confirm_forgetting(error), icon="logout")
            ui.label("on a machine that is not yours").classes("m-quiet")


def _show_code(row: ui.element, who: str) -> None:
    """It is in no page before somebody asks for it."""
    row.clear()
    with row:
        ui.label(code_of(who)).classes("m-code")
        ui.button("Copy", icon="content_copy", color=None).props("unelevated no-caps").classes("m-button").on(
            "click", js_handler="() => meeple.copy(document.querySelector('.m-code').textContent)"
        )


def _confirm_forgetting(error: ui.label) -> None:
    with dialog("Forget your games in this browser?") as shown:
        ui.label("They stay on the server. Only your code opens them again: copy it first.")
        with ui.row():
            button("Forget", lambda: _send({"code": None}, error), is_main=True)
            button("Stay", shown.close)
    shown.open()


async def _send(told: dict[str, Any], error: ui.label) -> None:
    """Have the browser ask for another secret: only an answer to a request of its own can change its cookie."""
    try:
        fault = await ui.run_javascript(f"meeple.become({json.dumps(told)})", timeout=20)
    except TimeoutError:
        fault = "The server did not answer; try again."
    if fault:
        error.set_text(str(fault))
    else:
        ui.navigate.to("/games")


def add_codes(room: Room) -> None:
    """The route by which a browser takes over the secret of another, or gets a new one."""

    @app.post("/games/code")
    async def become(request: Request) -> dict[str, str]:
        try:
            told = await request.json()
        except ValueError:
            told = None
        if not isinstance(told, dict):
            return {"fault": "That was no code."}
        old = str(request.session.get(OWNER) or request.session["id"])
        try:
            new = successor(room, old, told.get("code"), brings=told.get("brings") is True)
        except MeepleError as fault:
            LOG.info("refused: a code")
            return {"fault": str(fault)}
        request.session[OWNER] = new
        return {"fault": ""}


def successor(room: Room, old: str, code: object, *, brings: bool) -> str:
    """Who a browser is after it has taken over a code; without one, somebody new.

    Raises:
        CodeError: it is no code, or nothing is kept under it here.
    """
    if code is None:
        return str(uuid.uuid4())
    new = owner_of(str(code)[:200])
    if new != old and not room.knows(new):
        raise CodeError("This code is sound, but no games are kept under it on this server.")
    if brings and new != old:
        room.adopt(old, new)
    return new
