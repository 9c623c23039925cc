"""Home: a card for each game, unfinished matches to go on with, one's own results."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from nicegui import ui

from meeple.core.definition import Definition
from meeple.core.registry import find_definition, game_names
from meeple.core.svg import Markup, tag
from meeple.web.covers import cover_name
from meeple.web.pages.frame import button, heading, main, owner, top
from meeple.web.pages.waiting import EVERY, Bar, about
from meeple.web.preparing import Preparer
from meeple.web.room import Room
from meeple.web.saved import game_of, moves_of


def home_page(room: Room) -> None:
    """All games, and what this browser has left open."""
    top("a board-game laboratory")
    who = owner()
    with main():
        heading("Meeple, board games to play", classes="m-hidden")
        _unfinished(room, who)
        heading("Play", 2, "m-large")
        _preparing(room.preparer)
        with ui.element("div").classes("m-games"):
            for name in game_names():
                definition = find_definition(name)
                if definition.picture is not None:
                    _card(definition)
        _results(room, who)
        with ui.element("section"):
            heading("Replay", 2, "m-large")
            ui.label("Open a record of a match: one saved here, by the command line, or by a tournament.").classes(
                "m-quiet"
            )
            button("Open a record …", lambda: ui.navigate.to("/replay"), icon="folder_open")


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
                tag("img", src=f"/_meeple/covers/{cover_name(definition)}", alt=f"A board of {definition.facts.title}",
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


def _unfinished(room: Room, who: str) -> None:
    bodies = [body for body in room.store.of_owner(who, is_over=False) if not body["is_replay"]][:6]
    if not bodies:
        return
    with ui.element("section").style("margin:0 0 22px"):
        heading("Go on", 2, "m-large")
        rows = []
        for body in bodies:
            names = " against ".join(seat["name"] for seat in body["seats"])
            moves = moves_of(body)
            link = tag("a", "Go on", href=f"/table/{body['owner_token']}")
            rows.append(
                tag("tr", tag("td", _title(body)), tag("td", names), tag("td", f"{moves} moves"), tag("td", link))
            )
        ui.html(tag("table", *rows, class_="m-lines"), sanitize=False)


def _results(room: Room, who: str) -> None:
    """Won, drawn and lost by game and level."""
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for body in room.store.of_owner(who, is_over=True):
        _count(counts, body)
    if not counts:
        return
    head = tag("tr", *(tag("th", words) for words in ("game", "against", "won", "shared", "lost")))
    rows: list[Markup] = [head]
    for (game, level), numbers in sorted(counts.items()):
        rows.append(tag("tr", *(tag("td", cell) for cell in (game, level, *numbers))))
    with ui.element("section"):
        heading("Your results", 2, "m-large")
        ui.html(tag("table", *rows, class_="m-lines"), sanitize=False)


def _count(counts: dict[tuple[str, str], list[int]], body: dict[str, Any]) -> None:
    own = [number for number, seat in enumerate(body["seats"]) if seat["kind"] == "here"]
    agents = [seat["level"] or seat["spec"] for seat in body["seats"] if seat["kind"] == "agent"]
    has_stand_in = any(seat.get("is_stand_in") for seat in body["seats"])  # such a match measures nobody
    if body["is_replay"] or has_stand_in or len(own) != 1 or not agents or body["winners"] is None:
        return
    won = own[0] in body["winners"]
    shared = won and len(body["winners"]) > 1
    counts[(_title(body), ", ".join(sorted(set(agents))))][1 if shared else 0 if won else 2] += 1


def _title(body: dict[str, Any]) -> str:
    name = game_of(body)
    return find_definition(name).facts.title if name in game_names() else name
