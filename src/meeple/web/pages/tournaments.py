"""Tournaments: start one, and all that are stored. Only for whoever sits at the machine, or knows its secret."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fastapi import Request
from nicegui import app, ui

from meeple.agents.levels import level_spec, titles_of
from meeple.agents.registry import load_agent, presets_of
from meeple.arena.schedule import SCHEDULES
from meeple.arena.store import Store
from meeple.core.definition import Definition
from meeple.core.game import Game
from meeple.core.numbers import shortened
from meeple.core.registry import find_definition, game_names, load_game
from meeple.core.svg import Markup, tag
from meeple.errors import MeepleError
from meeple.web.pages.frame import alert, button, heading, main, told, top
from meeple.web.pages.new import FIELD, OTHER, explained
from meeple.web.panels import without_folders
from meeple.web.room import Room
from meeple.web.seats import Refused
from meeple.web.tournament_plan import SEED, Plan

LOG = logging.getLogger("meeple.web")
SHOWN, MOST_AGENTS, MOST_GAMES = 40, 24, 100_000
WAYS = {
    "": "as fits: all meet all, or one table",
    "roundrobin": "all meet all",
    "gauntlet": "the first meets all others",
    "swiss": "Swiss rounds",
    "table": "one table",
}
assert set(WAYS) == {"", *SCHEDULES}


def is_trusted(room: Room) -> bool:
    """Whether the browser of the page that is being built may use tournaments."""
    request = ui.context.client.request
    client = request.client.host if request.client else ""
    return room.operator.is_trusted(client, request.session)


def ask_for_secret(room: Room) -> None:
    """The page of those who are not known: it asks for the operator's secret."""
    top("Tournaments")
    with main():
        heading("Tournaments")
        ui.label(
            "Tournaments use the cores of the machine that serves this page, so they are its operator's. The "
            "operator's secret lies in the file 'operator' of the server's data folder."
        )
        fault = alert()
        with ui.element("div").classes("m-row"):
            typed = ui.input("Secret", password=True).props("dense outlined autocomplete=off").style("min-width:280px")

            async def send() -> None:
                words = json.dumps({"secret": str(typed.value)[:200]})
                answer = await ui.run_javascript(f'meeple.post("/operator", {words})', timeout=20)
                if answer:
                    fault.set_text(str(answer))
                else:
                    ui.navigate.reload()

            button("Go on", send, is_main=True)


def add_operator(room: Room) -> None:
    """The route that takes the operator's secret."""

    @app.post("/operator")
    async def operator(request: Request) -> dict[str, str]:
        try:
            given = await request.json()
        except ValueError:
            given = None
        secret = given.get("secret") if isinstance(given, dict) else None
        if isinstance(secret, str) and room.operator.is_let_in(secret, request.session):
            return {"fault": ""}
        LOG.warning("refused: a wrong secret of the operator")
        return {"fault": "That is not the secret of this server."}


class NewTournament:
    """The form; what is chosen is in plain fields."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.game = next(name for name in game_names() if find_definition(name).picture is not None)
        self.players = find_definition(self.game).seats[0]
        self.kinds: list[str] = []
        self.specs: list[str] = []
        self.games, self.seed, self.both, self.schedule, self.move_time = 20, SEED, True, "", ""
        self.workers = max(1, room.tournaments.cores // 2)

    @property
    def definition(self) -> Definition:
        """The game's."""
        return find_definition(self.game)

    def choices(self) -> dict[str, str]:
        """What may be chosen as an agent: levels, presets, or a spec."""
        presets = {f"={name}": f"{name}: {words}" for name, (_, words) in presets_of(load_game(self.game)).items()}
        return {**titles_of(self.definition), **presets, OTHER: OTHER}

    def build(self) -> None:
        """The form and its button."""
        titles = {name: find_definition(name).facts.title for name in game_names()}
        with ui.element("section").classes("m-card"):
            with explained("The game, and how many sit at a table."), ui.element("div").classes("m-row"):
                ui.select(titles, value=self.game, label="Game", on_change=self._change_game).props(FIELD)
                self.seats = ui.element("div")
            self.rows = ui.element("div")
            self._build_game()
            with explained("At each table; with seats exchanged, whole sets of games."):
                ui.number("Games", value=self.games, min=1, max=MOST_GAMES, precision=0).props(FIELD).bind_value(
                    self, "games"
                )
            with explained("Every seed is played once with each exchange of seats, so that luck weighs less."):
                ui.checkbox("Exchange seats", value=self.both).bind_value(self, "both")
            with explained("A limit for each move, such as 300ms or 2s; empty: none but what the agents have."):
                ui.input("Time a move").props(FIELD).bind_value(self, "move_time")
            with ui.expansion("Schedule, cores, seed").classes("m-apart"):
                with explained("Who meets whom."):
                    ui.select(WAYS, value="", label="Schedule").props(FIELD).bind_value(self, "schedule")
                cores = {n: f"{n} of {self.room.tournaments.cores}" for n in range(1, self.room.tournaments.cores + 1)}
                with explained("Tournaments share the cores: one waits until as many are free as it was given."):
                    ui.select(cores, value=self.workers, label="Cores").props(FIELD).bind_value(self, "workers")
                with explained("The seed of the first game; each set has the next."):
                    ui.number("Seed", value=self.seed, precision=0).props(FIELD).bind_value(self, "seed")
            self.error = alert()
            button("Start the tournament", self._start, is_main=True, icon="play_arrow")

    def _change_game(self, event: Any) -> None:
        self.game, self.kinds, self.specs = str(event.value), [], []
        self.players = self.definition.seats[0]
        self._build_game()

    def _build_game(self) -> None:
        least, most = self.definition.seats
        least = max(2, least)
        self.players = max(least, self.players)
        self.seats.clear()
        if most > least:
            with self.seats:
                counts = {n: f"{n} players" for n in range(least, most + 1)}
                ui.select(counts, value=self.players, label="Players").props(FIELD).bind_value(self, "players")
        names = list(titles_of(self.definition))
        while len(self.kinds) < max(2, self.players):
            self.kinds.append(names[min(len(self.kinds), len(names) - 1)])
            self.specs.append("")
        self._build_agents()

    def _build_agents(self) -> None:
        choices = self.choices()
        self.rows.clear()
        with self.rows:
            for place, kind in enumerate(self.kinds):
                with ui.element("div").classes("m-row").style("margin-top:10px"):
                    ui.select(choices, value=kind, on_change=lambda event, n=place: self._choose(n, event.value)).props(
                        f'{FIELD} aria-label="Agent {place + 1}"'
                    ).style("min-width:260px;max-width:100%")
                    if kind == OTHER:
                        ui.input(
                            "spec, such as mcts:iterations=500",
                            value=self.specs[place],
                            on_change=lambda event, n=place: self._type(n, event.value),
                        ).props(FIELD).style("min-width:260px")
                    if len(self.kinds) > 2:
                        button("", lambda n=place: self._drop(n), icon="close", label=f"Leave out agent {place + 1}")
            if len(self.kinds) < MOST_AGENTS:
                button("Another agent", self._add, icon="add")

    def _choose(self, place: int, kind: object) -> None:
        self.kinds[place] = str(kind)
        self._build_agents()

    def _type(self, place: int, spec: object) -> None:
        self.specs[place] = str(spec)

    def _drop(self, place: int) -> None:
        del self.kinds[place], self.specs[place]
        self._build_agents()

    def _add(self) -> None:
        self.kinds.append(next(iter(titles_of(self.definition))))
        self.specs.append("")
        self._build_agents()

    async def _start(self) -> None:
        try:
            plan, path = await self.room.read(self.plan)
            name = self.room.tournaments.start(plan, path)
        except MeepleError as fault:
            LOG.info("refused: %s", fault)
            self.error.set_text(told(fault))
            return
        ui.navigate.to(f"/tournament/{name}")

    def plan(self) -> tuple[Plan, Path]:
        """What was chosen, checked, and where it is stored."""
        least, most = self.definition.seats
        game = load_game(self.room.game_spec(f"{self.game}:players={self.players}" if most > least else self.game))
        games, seed, workers = (whole(word) for word in (self.games, self.seed, self.workers))
        if not 1 <= games <= MOST_GAMES:
            raise Refused(f"a table plays 1 to {MOST_GAMES} games here")
        plan = Plan(
            game=game.spec,
            agents=tuple(self._agent(game, place) for place in range(len(self.kinds))),
            games=games,
            both=bool(self.both),
            schedule=str(self.schedule),
            move_time=shortened(str(self.move_time).strip(), 20),
            seed=seed,
            workers=workers,
        )
        return plan, plan.prepared().default_path()

    def _agent(self, game: Game, place: int) -> str:
        kind = self.kinds[place]
        if kind == OTHER:
            return self.room.agent_for(self.specs[place].strip(), game).spec
        return load_agent(kind[1:] if kind.startswith("=") else level_spec(game, kind), game).spec


def whole(value: object) -> int:
    """A number of a field.

    Raises:
        Refused: it is none.
    """
    if isinstance(value, (int, float)) and value == int(value):
        return int(value)
    raise Refused("a field for a whole number is empty")


async def tournaments_page(room: Room) -> None:
    """The form, and below it all tournaments."""
    rows = await room.read(lambda: stored_rows(room))
    top("Tournaments")
    with main("m-page m-history"):
        heading("Tournaments")
        ui.label(
            "Agents play each other; every game is kept, and the table says how sure it is. The command line's "
            "tournaments are the same ones."
        ).classes("m-quiet")
        heading("A new one", 2)
        NewTournament(room).build()
        if rows is not None:
            with ui.element("section"):
                heading("Played and running", 2)
                ui.html(rows, sanitize=False).classes("m-scroll")


def stored_rows(room: Room) -> Markup | None:
    """All tournaments, the latest first."""
    rows = [row for name in room.tournaments.names()[:SHOWN] for row in [_row(room, name)]]
    heads = [tag("th", head, scope="col") for head in ("game", "agents", "games", "last changed", "")]
    return tag("table", tag("tr", *heads), *rows, class_="m-lines") if rows else None


def _row(room: Room, name: str) -> Markup:
    running, path = room.tournaments.running(name), room.tournaments.path(name)
    try:
        with Store.read(path) as store:
            found, count = store.configuration, store.count()
        game, agents, when = found["game"], found["agents"], path.stat().st_mtime
    except (MeepleError, OSError) as fault:
        if running is None:
            cells: tuple[object, ...] = (path.name, shortened(str(fault), 100), "", "", "")
            return tag("tr", *(tag("td", cell) for cell in cells))
        game, agents, count, when = running.plan.game, running.plan.agents, 0, None
    moment = Markup("") if when is None else tag("time", day(when), datetime=day(when), data_at=int(when))
    words = ", ".join(shortened(without_folders(agent), 40) for agent in agents[:4]) + (" …" if len(agents) > 4 else "")
    link = tag("a", "Watch" if running else "Open", href=f"/tournament/{name}", aria_label=f"Open {name}")
    cells = (game, words, running.words if running else str(count), moment, link)
    return tag("tr", *(tag("td", cell) for cell in cells))


def day(seconds: float) -> str:
    """A date that sorts, in universal time."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")
