"""Home: a card for each game, and unfinished matches to go on with."""

from __future__ import annotations

from nicegui import ui

from meeple.core.definition import Definition
from meeple.core.registry import find_definition, game_names
from meeple.core.svg import Markup, tag
from meeple.web.covers import cover_name
from meeple.web.history import History, OwnMatch
from meeple.web.pages.frame import button, heading, main, owner, top
from meeple.web.pages.games import running_table
from meeple.web.pages.waiting import EVERY, Bar, about
from meeple.web.preparing import Preparer
from meeple.web.room import Room

MOST_RUNNING = 6  # matches to go on with; the others are on a page of their own


async def home_page(room: Room) -> None:
    """All games, and what this browser has left open."""
    who = owner()
    running = await room.read(lambda: History.of(room.store, who, is_over=False).running)
    top("board games, and someone to play against", is_motto=True)
    with main():
        heading("Meeple, board games to play", classes="m-hidden")
        _unfinished(running)
        heading("Play", 2, "m-large")
        _preparing(room.preparer)
        with ui.element("div").classes("m-games"):
            for name in game_names():
                definition = find_definition(name)
                if definition.picture is not None:
                    _card(definition)
        with ui.element("section"):
            heading("Puzzles", 2, "m-large")
            ui.label("Find the best move in positions from real games.").classes("m-quiet")
            button("Solve puzzles", lambda: ui.navigate.to("/puzzles"), icon="extension")
        with ui.element("section"):
            heading("Replay and analyse", 2, "m-large")
            ui.label(
                "Open a record of a match: one saved here, by the command line, or by a tournament. Or ask where a "
                "game went wrong, and what was luck."
            ).classes("m-quiet")
            with ui.element("div").classes("m-row m-apart-little"):
                button("Open a record …", lambda: ui.navigate.to("/replay"), icon="folder_open")
                button("Analyse …", lambda: ui.navigate.to("/analyse"), icon="query_stats")
        with ui.element("section"):
            heading("Tournaments", 2, "m-large")
            ui.label("Let agents play each other, watch them, and see how sure it is who is better.").classes("m-quiet")
            button("Tournaments", lambda: ui.navigate.to("/tournaments"), icon="emoji_events")


def _preparing(preparer: Preparer) -> None:
    """How far the games are that are compiled before anybody opens them."""
    shown = Bar(preparer)
    definitions = [one for one in map(find_definition, game_names()) if one.picture is not None]

    def look() -> None:
        found = preparer.ahead(definitions)
        if found is None:
            shown.hide()
            timer.active = preparer.is_ahead
        else:
            words = f"Preparing {found.title}, once for this version; all games in {about(found.seconds)}"
            shown.show(words, found.share)

    timer = ui.timer(EVERY, look)
    look()


def _card(definition: Definition) -> None:
    least, most = definition.seats
    seats = f"{least} players" if least == most else f"{least} to {most} players"
    with ui.element("article").classes("m-game"):
        ui.html(
            tag(
                "a",
                tag("img", src=f"/_meeple/covers/{cover_name(definition)}", alt=f"Pieces of {definition.facts.title}",
                    style="width:100%;height:100%;object-fit:cover;display:block", loading="lazy"),
                href=f"/new/{definition.name}",
                class_="m-cover",
                aria_label=f"Play {definition.facts.title}",
            ),
            sanitize=False,
        )  # fmt: skip
        with ui.element("div").classes("m-text"):
            heading(definition.facts.title, 3)
            ui.label(f"{seats}{' · hidden cards' if definition.facts.hidden else ''}").classes("m-quiet")
            with ui.element("div").classes("m-row"):
                button("Play", lambda: ui.navigate.to(f"/new/{definition.name}"), is_main=True)
                if definition.lessons is not None:
                    button("Rules", lambda: ui.navigate.to(f"/rules/{definition.name}"))


def _unfinished(running: list[OwnMatch]) -> None:
    """The matches that were played at last, to go on with."""
    if not running:
        return
    with ui.element("section").style("margin:0 0 22px"):
        heading("Go on", 2, "m-large")
        ui.html(running_table(running[:MOST_RUNNING]) or Markup(""), sanitize=False).classes("m-scroll")
        if len(running) > MOST_RUNNING:
            ui.link(f"All {len(running)} that are running", "/games")
