"""Opening a record: read as data only, limited in size, shown at a table of its own."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from meeple.agents.levels import levels_of
from meeple.core.definition import Definition
from meeple.core.entry import Entry
from meeple.core.forfeit import forfeit_of
from meeple.core.match import Match
from meeple.core.numbers import shortened
from meeple.core.record import Record, parse_record
from meeple.core.registry import find_definition, game_names
from meeple.errors import MeepleError
from meeple.web.gate import LARGEST_RECORD
from meeple.web.pages.frame import alert, heading, main, owner, told, top
from meeple.web.pages.waiting import Bar
from meeple.web.panels import without_folders
from meeple.web.rehearsal import BOARD
from meeple.web.room import Room
from meeple.web.seats import Refused, Seat
from meeple.web.table import Table

LOG = logging.getLogger("meeple.web")
TOO_LARGE = f"That file is too large to be a record: at most {LARGEST_RECORD // 1_000_000} MB are read."
NO_TEXT = "That file is not text. A record is a .jsonl file, which opens in any editor."
# Quasar's own button hides an input without a name in a link without a name.
PLACE = """
<label class="m-drop">
  <q-uploader-add-trigger></q-uploader-add-trigger>
  <span>Drop a file here, or</span>
  <q-btn unelevated no-caps class="m-button m-main" icon="folder_open" label="Choose a file" @click="props.pickFiles"/>
</label>
"""


def replay_page(room: Room) -> None:
    """A place to drop a file."""
    top("Replay")
    with main():
        heading("Open a record")
        ui.label(
            "A record is a .jsonl file: Save at a finished match gives one, and so do the commands play, match and "
            "tournament. It is shown move by move, and you can go on from any position."
        ).classes("m-quiet")
        error = alert()
        shown = Bar(room.preparer)
        who = owner()

        async def opened(record: Record) -> None:
            definition = find_definition(record.game.partition(":")[0])
            room.preparer.want(definition)
            shown.follow((definition, BOARD))
            table = await room.made(definition, lambda: replay_table(record, who), key=who)
            room.seat_down(table)
            ui.navigate.to(f"/table/{table.owner_token}")

        record_upload(opened, error)


def record_upload(opened: Callable[[Record], Awaitable[None]], error: ui.label) -> None:
    """A place to drop a record's file; what is wrong with it is written to `error`."""

    async def come(event: Any) -> None:
        try:
            if event.file.size() > LARGEST_RECORD:  # the browser is asked to check it too, but need not
                raise Refused(TOO_LARGE)
            error.set_text("")
            await opened(uploaded((await event.file.read()).decode("utf-8"), str(event.file.name)))
        except (MeepleError, UnicodeDecodeError) as fault:
            LOG.info("refused: %s", fault)
            error.set_text(told(fault) if isinstance(fault, MeepleError) else NO_TEXT)

    place = ui.upload(
        on_upload=come,
        on_rejected=lambda: error.set_text(TOO_LARGE),
        max_file_size=LARGEST_RECORD,
        auto_upload=True,
    )
    place.props("flat bordered").classes("m-upload").add_slot("header", PLACE)
    place.add_slot("list", "")


def uploaded(text: str, name: str = "the file") -> Record:
    """A record that came through the page: of an installed game, never of a folder on this machine."""
    record = parse_record(text, shortened(name, 60))
    if record.game.partition(":")[0] not in game_names():
        raise Refused(f"there is no game '{record.game.partition(':')[0][:40]}' here")
    record.folder = ""
    return record


def replay_table(record: Record, who: str, *, trust: bool = False) -> Table:
    """A table where a record is looked at; `trust` as in `Match.from_record`."""
    match = Match.from_record(record, manual_chance=True, trust=trust)
    if isinstance(match, Entry):  # it is gone on with by whoever opens it
        names = [match.names[seat] if seat < len(match.names) else "" for seat in range(match.game.seats)]
        typed = [Seat("here", name or f"Player {seat + 1}", is_named=True) for seat, name in enumerate(names)]
        return Table(match.game, typed, owner=who, match=match)
    seats = [_recorded(record, match.game.definition, seat) for seat in range(match.game.seats)]
    table = Table(match.game, seats, owner=who, match=match, is_replay=True)
    table.forfeit, table.comments = forfeit_of(record.result, match.game.seats), dict(record.comments)
    return table


def _recorded(record: Record, definition: Definition, seat: int) -> Seat:
    """Who sat there: by the name that the record keeps, an agent without one by its level or the word of its spec."""
    spec, name, level = (
        texts[seat] if seat < len(texts) else "" for texts in (record.agents, record.names, record.levels)
    )
    level = level or next((each for each, known in levels_of(definition).items() if spec and known == spec), "")
    fallback = level or (f"Player {seat + 1}" if spec in ("", "human") else without_folders(spec).partition(":")[0])
    return Seat("agent", name or fallback, spec="random")  # whose spec a file names is never loaded
