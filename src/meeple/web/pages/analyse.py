"""Where an analysis begins: with a finished game of one's own, a record, a link, or a position."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from nicegui import ui

from meeple.core.definition import Definition
from meeple.core.game import Game
from meeple.core.match import Match
from meeple.core.numbers import shortened, whole_number
from meeple.core.record import Record
from meeple.core.registry import find_definition, game_names, load_game
from meeple.core.spec import Spec
from meeple.core.svg import Markup, tag
from meeple.errors import MeepleError
from meeple.web.gate import LARGEST_MESSAGE
from meeple.web.history import History, OwnMatch
from meeple.web.pages.analysis import USUAL, AnalysisView
from meeple.web.pages.errors import lost, page
from meeple.web.pages.frame import alert, button, heading, main, owner, told, top
from meeple.web.pages.games import when
from meeple.web.pages.new import LONGEST_POSITION
from meeple.web.pages.replay import record_upload, replay_table, uploaded
from meeple.web.pages.waiting import Bar, arrived
from meeple.web.rehearsal import BOARD
from meeple.web.room import Arrival, Room
from meeple.web.seats import Refused, Seat
from meeple.web.table import Table

LOG = logging.getLogger("meeple.web")
SHOWN = 8  # finished games that are offered
MOST_MOVES = 10**6  # that a link counts
NOT_YET = "This match still runs. It can be analysed when it is over."


@dataclass(frozen=True)
class Pasted:
    """What somebody pasted: the link of a table, a record, or a position."""

    token: str = ""
    record: Record | None = None
    spec: str = ""
    start: str = ""


def pasted(text: str, game: str) -> Pasted:
    """What a text is; `game` is that of a bare position.

    Raises:
        MeepleError: it is nothing that can be analysed, in one message.
    """
    text = text.strip()
    if not text:
        raise Refused("paste a link, a record, or a position")
    if text.startswith("{"):
        return Pasted(record=uploaded(text + "\n", "the text"))
    if "\n" not in text and ("://" in text or text.startswith("/")):
        return _linked(text)
    return Pasted(spec=game, start=text)


def _linked(text: str) -> Pasted:
    """What a link of this page leads to; of its address only the path is looked at."""
    found = urlsplit(text)
    kind, _, rest = found.path.strip("/").partition("/")
    query = {name: values[0] for name, values in parse_qs(found.query).items()}
    if kind in ("table", "analyse") and rest:
        return Pasted(token=rest)
    if kind in ("new", "analyse") and "start" in query:
        return Pasted(spec=query.get("spec", rest), start=query["start"])
    raise Refused(f"'{shortened(text, 60)}' leads to no table and no position")


def position_table(game: Game, start: str, who: str) -> Table:
    """A table at a position, for one person who tries moves there.

    Raises:
        NotationError: it is no position of the game.
    """
    seats = [Seat("here", f"Player {seat + 1}") for seat in range(game.seats)]
    match = Match(game, start=None if start == "start" else start)
    return Table(game, seats, owner=who, match=match, is_study=True)


# --- the routes


def add_analysis(room: Room) -> None:
    """The page where an analysis begins, and the one of an analysis."""

    @page("/analyse", title="Analysis · Meeple")
    async def begin(spec: str = "", start: str = "") -> None:
        if not start:
            await begin_page(room)
            return
        try:
            await _open_position(room, spec, start[:LONGEST_POSITION])
        except MeepleError as fault:
            LOG.info("refused: %s", fault)
            lost(told(fault), "No such position")

    @page("/analyse/{token}", title="Analysis · Meeple")
    async def analysis(token: str, move: str = "1", effort: str = USUAL) -> None:
        client = ui.context.client
        try:
            found = room.open(token)
            access = await arrived(room, found) if isinstance(found, Arrival) else found
        except MeepleError as fault:
            LOG.warning("a match could not be opened for its analysis: %s", fault)
            lost("This match cannot be opened any more; the server's log says why.")
            return
        if access is None:
            lost("This link opens no match: it was mistyped, withdrawn, or the match is gone.")
        elif not client.is_deleted:
            try:
                view = AnalysisView(
                    room, access, token, ply=(whole_number(move, 1, MOST_MOVES) or 1) - 1, effort=effort
                )
            except Refused:
                lost(NOT_YET, "Not yet")
                return
            await view.start()


async def _open_position(room: Room, spec: str, start: str) -> None:
    """Seat down a table at a position, and lead there."""
    who, parsed = owner(), room.game_spec(spec)
    definition = _definition(parsed)
    table = await room.made(definition, lambda: position_table(load_game(parsed), start, who), key=who)
    room.seat_down(table)
    ui.navigate.to(f"/analyse/{table.owner_token}")


def _definition(spec: Spec) -> Definition:
    """The installed game of a spec; never a folder named by a link."""
    if spec.name not in game_names():
        raise Refused(f"there is no game '{spec.name[:40]}' here")
    return find_definition(spec.name)


# --- the page where it begins


async def begin_page(room: Room) -> None:
    """What may be analysed."""
    who = owner()
    finished = await room.read(lambda: History.of(room.store, who, is_over=True).finished[:SHOWN])
    top("Analysis")
    with main():
        heading("Analysis")
        ui.label("Where did it go wrong, and was it luck? Every move is judged by what its player could know.").classes(
            "m-quiet"
        )
        if finished:
            with ui.element("section"):
                heading("Your last games", 2)
                ui.html(_finished(finished), sanitize=False).classes("m-scroll")
                ui.link("All your games", "/games")
        with ui.element("section"):
            heading("A record", 2)
            error = alert()
            shown = Bar(room.preparer)

            async def opened(record: Record) -> None:
                await _open_record(room, record, shown)

            record_upload(opened, error)
        _paste_section(room, shown)


def _finished(played: list[OwnMatch]) -> Markup:
    """A row a game, with the way to its analysis."""
    rows = [
        tag(
            "tr",
            tag("td", when(each)),
            tag("td", each.title),
            tag("td", each.against),
            tag("td", each.ending),
            tag("td", tag("a", "Analyse", href=f"/analyse/{each.token}", aria_label=f"Analyse {each.title}")),
        )
        for each in played
    ]
    return tag("table", *rows, class_="m-lines")


async def _open_record(room: Room, record: Record, shown: Bar) -> None:
    """Seat down a record's table, and lead to its analysis."""
    who, definition = owner(), find_definition(record.game.partition(":")[0])
    room.preparer.want(definition)
    shown.follow((definition, BOARD))
    table = await room.made(definition, lambda: replay_table(record, who), key=who)
    room.seat_down(table)
    ui.navigate.to(f"/analyse/{table.owner_token}")


def _paste_section(room: Room, shown: Bar) -> None:
    """A field for anything that is text."""
    titles = {name: find_definition(name).facts.title for name in game_names() if find_definition(name).picture}
    with ui.element("section"):
        heading("A link, a record or a position as text", 2)
        field = ui.textarea("Paste it here").props(f"outlined autogrow maxlength={LARGEST_MESSAGE // 2}")
        field.classes("m-paste")
        with ui.element("div").classes("m-row m-apart-little"):
            game = ui.select(titles, value=next(iter(titles)), label="A position of").props("dense outlined")
            game.style("min-width:190px")
            button("Analyse", lambda: send(), icon="query_stats", is_main=True)
        error = alert()

        async def send() -> None:
            error.set_text("")
            try:
                found = pasted(str(field.value or ""), str(game.value))
                if found.record is not None:
                    await _open_record(room, found.record, shown)
                elif found.token:
                    ui.navigate.to(f"/analyse/{found.token}")
                else:
                    await _open_position(room, found.spec, found.start)
            except MeepleError as fault:
                LOG.info("refused: %s", fault)
                error.set_text(told(fault))
