"""A game's rules in short, with a picture of each move."""

from __future__ import annotations

from nicegui import ui

from meeple.core.definition import Definition
from meeple.core.game import Game
from meeple.core.lessons import Lesson
from meeple.core.options import Amounts, Subset, said
from meeple.core.picture import Look
from meeple.core.registry import load_game
from meeple.core.svg import Markup, tag
from meeple.errors import MeepleError
from meeple.web.pages.frame import Prefs, button, heading, main, owner, read_prefs, top
from meeple.web.pages.waiting import Bar
from meeple.web.rehearsal import BOARD
from meeple.web.room import Room


async def rules_page(room: Room, definition: Definition) -> None:
    """All lessons in their order."""
    top(definition.facts.title)
    prefs = await read_prefs()
    with main():
        heading(f"{definition.facts.title} in short")
        waiting = ui.label("drawing …").classes("m-quiet")
        shown = Bar(room.preparer)
        room.preparer.want(definition)
        shown.follow((definition, BOARD))
        try:
            content = await room.made(definition, lambda: rules_in_short(definition, prefs), key=owner())
        except MeepleError as fault:
            waiting.set_text(str(fault))
            return
        waiting.delete()
        ui.html(content, sanitize=False)
        ui.run_javascript("meepleCrop()")
        _variants(definition)
        ui.label(f"Left out: {definition.facts.left_out}.").classes("m-quiet").style("margin:18px 0")
        button("Play", lambda: ui.navigate.to(f"/new/{definition.name}"), is_main=True)


def _variants(definition: Definition) -> None:
    """The options of the game, in words."""
    if not definition.options:
        return
    heading("Variants", 2, "m-large m-apart")
    ui.label("Each can be chosen when a match begins; what stands first is usual.").classes("m-quiet")
    for option in sorted(definition.options, key=lambda option: option.is_for_laboratory):  # others keep their order
        heading(option.title + " (for the laboratory)" * option.is_for_laboratory, 3, "m-near")
        ui.label(option.sentence)
        if not isinstance(option, (Amounts, Subset)):
            others = [value for value in option.values if value != option.default]
            ui.label(", ".join(map(said, [option.default, *others]))).classes("m-quiet")


def rules_in_short(definition: Definition, prefs: Prefs) -> Markup:
    """Every lesson with its picture."""
    least = definition.seats[0]
    games: dict[int, Game] = {}
    rows = []
    for lesson in definition.lessons.LESSONS if definition.lessons else ():
        picture = _picture(lesson, definition, games, max(2, least), prefs)
        words = tag("div", tag("h2", lesson.title), tag("p", lesson.text))
        # What is lit there is a picture of a button, not one.
        inside = tag("div", picture, inert="inert", data_room=" ".join(map(str, lesson.room)))
        shown = tag("div", inside, role="img", aria_label=f"Picture: {lesson.title}")
        rows.append(tag("div", *([shown] if picture else []), words, class_="m-card m-rule"))
    return tag("div", *rows, class_="m-rules")


def _picture(lesson: Lesson, definition: Definition, games: dict[int, Game], seats: int, prefs: Prefs) -> Markup | None:
    if not lesson.position:
        return None
    players = f":players={seats}" if definition.seats[1] > definition.seats[0] else ""
    game = games.setdefault(seats, load_game(f"{definition.name}{players}"))
    state = game.read(lesson.position)
    path = state.paths(state.read_move(lesson.move))[0] if lesson.move else ()
    look = Look(dark=prefs.dark, lit=frozenset(path[-1:]), chosen=path[:-1])
    return Markup(state.picture(lesson.seat, look))
