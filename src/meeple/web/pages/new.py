"""A new match: who sits where, which variant, which clock; everything has a default, so that one click starts it."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from string import ascii_uppercase
from typing import Any

from nicegui import ui

from meeple.agents.levels import DEFAULT, level_named, level_spec, levels_of, titles_of
from meeple.agents.registry import load_agent
from meeple.core.definition import Definition
from meeple.core.game import Game
from meeple.core.numbers import INT64, shortened, whole_number
from meeple.core.options import NO_VALUES, Amounts, Option, Subset, said
from meeple.core.registry import load_game
from meeple.core.spec import Spec
from meeple.errors import MeepleError
from meeple.web.choices import Choices, recalled
from meeple.web.clock import Clock
from meeple.web.pages.frame import alert, button, heading, keep, main, owner, read_prefs, told, top
from meeple.web.pages.waiting import Bar
from meeple.web.panels import without_folders
from meeple.web.rehearsal import BOARD
from meeple.web.room import Room
from meeple.web.seats import Refused, Seat, told_name
from meeple.web.table import Table

LOG = logging.getLogger("meeple.web")
HERE, ELSEWHERE, OTHER = "At this screen", "Elsewhere, by a link", "Another agent …"
TICKED = """
<q-item v-bind="props.itemProps" dense>
  <q-item-section side>
    <q-checkbox dense :model-value="props.selected" @update:model-value="props.toggleOption(props.opt)"/>
  </q-item-section>
  <q-item-section>{{ props.opt.label }}</q-item-section>
</q-item>
"""  # one of several choices: a tick, not only a colour, says that it is chosen
LONGEST_SEED, LONGEST_POSITION = 20, 20_000  # letters
CLOCKS = {
    "none": "no clock", "180+2": "3 minutes + 2 s a move", "300": "5 minutes", "300+5": "5 minutes + 5 s a move",
    "600": "10 minutes", "600+10": "10 minutes + 10 s a move", "1800": "30 minutes",
}  # fmt: skip


FIELD = "dense outlined"


@contextmanager
def explained(words: str) -> Iterator[ui.element]:
    """Fields with what they mean beside them, or below them on a phone: the box around both."""
    with ui.element("div").classes("m-field") as box:
        with ui.element("div"):
            yield box
        ui.label(words).classes("m-quiet")


class NewMatch:
    """The form; what is chosen is in plain fields."""

    def __init__(self, room: Room, definition: Definition, spec: str, start: str) -> None:
        self.room, self.definition = room, definition
        given = room.game_spec(spec) if spec else Spec(definition.name, {})
        if given.name != definition.name:
            raise Refused(f"'{spec}' is not a game of {definition.facts.title}")
        game = load_game(given)  # refuses what a link says wrongly, by name
        self.options, self.players = dict(game.options), game.seats
        self.start = start
        self.kinds: list[str] = []
        self.names: list[str] = []
        self.specs: list[str] = []
        self.seed, self.clock, self.is_guided = "", "none", False
        self.known_names: list[str] = []  # of those who sat at this screen before, by seat
        self.is_shuffled = False  # seats are drawn by lot
        self.is_clock_for_agents = False
        self.variants: list[tuple[Option, ui.element, Any]] = []  # what is chosen in which box by which field

    @property
    def who_may_sit(self) -> dict[str, str]:
        """What may be chosen for a seat, with the words for it."""
        engines = {name: name for name in self.room.engines}
        return {HERE: HERE, ELSEWHERE: ELSEWHERE, **titles_of(self.definition), **engines, OTHER: OTHER}

    @property
    def choices(self) -> Choices:
        """What is chosen, for the browser to remember; seeds, positions and specs are for one match only."""
        count = self.players
        kinds = [DEFAULT if kind == OTHER else kind for kind in self.kinds[:count]]
        return Choices(
            count, kinds, self.names[:count], dict(self.options), self.clock, self.is_clock_for_agents, self.is_shuffled
        )

    def recall(self, told: object) -> None:
        """Choose what was chosen last time, where it still fits."""
        found = recalled(told, self.definition, self.who_may_sit, CLOCKS)
        if found is not None:
            self.players, self.kinds, self.names, self.options = found.players, found.kinds, found.names, found.options
            self.clock, self.is_clock_for_agents, self.is_shuffled = found.clock, found.for_agents, found.is_shuffled
            self.specs = [""] * found.players

    def build(self, *, is_new: bool) -> None:
        """The form, and the button that starts."""
        definition = self.definition
        self.is_guided = is_new and definition.lessons is not None
        top(definition.facts.title)
        with main():
            heading(f"New match of {definition.facts.title}")
            if self.start:
                ui.label("It starts from the position of the link.").classes("m-quiet")
            with ui.element("div").classes("m-row").style("margin:14px 0"):
                button("Start", self._start, is_main=True, icon="play_arrow")
                if definition.lessons is not None:
                    ui.checkbox("Explain the rules as they come up", value=self.is_guided).bind_value(self, "is_guided")
                    ui.link("Rules in short", f"/rules/{definition.name}")
                if not self.start:
                    ui.link("Enter a game from a real table", f"/enter/{definition.name}")
                    ui.link("Set up a position", f"/setup/{definition.name}")
            self.error = alert()
            self.room.preparer.want(definition)
            Bar(self.room.preparer).follow((definition, BOARD))
            self.room.preparer.want(definition, levels_of(definition)[DEFAULT])
            with ui.element("section").classes("m-card").style("margin-top:8px"):
                self._build_players()
                self.rows = ui.element("div")
                self._build_seats()
                ui.checkbox("Draw seats by lot").bind_value(self, "is_shuffled")
            with ui.expansion("Variants, clock, seed").classes("m-card").style("margin-top:14px"):
                self._build_options()

    def _build_players(self) -> None:
        least, most = self.definition.seats
        if most > least:
            counts = {n: f"{n} players" if n > 1 else "alone" for n in range(least, most + 1)}
            ui.select(counts, value=self.players, label="Players", on_change=self._change_players).props(
                "dense outlined"
            ).style("width:190px")

    def _build_seats(self) -> None:
        self.rows.clear()
        while len(self.kinds) < self.players:
            is_first = not self.kinds
            self.kinds.append(HERE if is_first else DEFAULT)
            self.names.append(self.known_names[len(self.names)] if len(self.names) < len(self.known_names) else "")
            self.specs.append("")
        choices = self.who_may_sit
        with self.rows:
            for seat in range(self.players):
                with ui.element("div").classes("m-row").style("margin-top:10px"):
                    ui.label(f"Seat {seat + 1}").style("width:56px")
                    ui.select(
                        choices,
                        value=self.kinds[seat],
                        on_change=lambda event, n=seat: self._change_kind(n, event.value),
                    ).props(f'dense outlined aria-label="Who plays seat {seat + 1}"').style("min-width:190px")
                    if self.kinds[seat] == OTHER:
                        ui.input(
                            "spec, such as mcts:iterations=500",
                            on_change=lambda event, n=seat: self._set(self.specs, n, event.value),
                        ).props("dense outlined").style("min-width:260px")
                    elif self.kinds[seat] in (HERE, ELSEWHERE):
                        ui.input(
                            "your name" if seat == 0 else "name",
                            value=self.names[seat] if self.kinds[seat] == HERE else "",
                            on_change=lambda event, n=seat: self._set(self.names, n, event.value),
                        ).props("dense outlined maxlength=24")
                    else:
                        level = level_named(self.definition, self.kinds[seat])
                        ui.label(level.sentence if level else "").classes("m-quiet")

    def _build_options(self) -> None:
        self._build_variants()
        with explained("The time that each player has for the whole match; who has none left loses."):
            ui.select(CLOCKS, value=self.clock, label="Clock, each").props(FIELD).bind_value(self, "clock")
            ui.checkbox("Agents have the clock too").bind_value(self, "is_clock_for_agents")
        with explained(
            "A number from which the deal follows: the same seed deals the same. Empty, it is drawn by lot."
        ):
            ui.input("Seed", placeholder="drawn").props(FIELD).bind_value(self, "seed")
        self._build_laboratory()

    def _build_variants(self) -> None:
        """What people choose before a game."""
        for option in self.definition.options:
            if not option.is_for_laboratory:
                self._build_variant(option)

    def _build_laboratory(self) -> None:
        """What only experiments need, folded a second time; then no variant is shown that does not fit."""
        apart = [option for option in self.definition.options if option.is_for_laboratory]
        is_used = any(self.options[option.name] != option.default for option in apart)
        if apart:
            with ui.expansion("For the laboratory", value=is_used).classes("m-apart"):
                for option in apart:
                    self._build_variant(option)
        self._show_variants()

    def _build_variant(self, option: Option) -> None:
        with explained(_help(option)) as box:
            self.variants.append((option, box, self._build_option(option)))

    def _show_variants(self) -> None:
        """Show the variants that so many players may choose; the others are as usual."""
        for option, box, field in self.variants:
            is_for_them = not option.players or self.players in option.players
            box.set_visibility(is_for_them)
            if not is_for_them:
                field.set_value(_chosen(option, option.default))

    def _build_option(self, option: Option) -> Any:
        """A choice of one word or of several, or a line of numbers by name."""
        word, names = self.options[option.name], {value: said(value) for value in option.values}

        def change(event: Any) -> None:
            value = event.value
            self.options[option.name] = ("+".join(value) or NO_VALUES) if isinstance(value, list) else str(value)

        if isinstance(option, Amounts):
            field: Any = ui.input(option.title, value=word, on_change=change)
        elif isinstance(option, Subset):
            chosen = _chosen(option, word)
            field = ui.select(names, value=chosen, multiple=True, label=option.title, on_change=change)
            field.add_slot("option", TICKED)
            field.props(f'display-value="{len(chosen)} of {len(option.values)}"')
            field.on_value_change(lambda e: field.props(f'display-value="{len(e.value)} of {len(option.values)}"'))
        else:
            field = ui.select(names, value=word, label=option.title, on_change=change)
        field.props(FIELD)
        return field

    def _change_players(self, event: Any) -> None:
        self.players = int(event.value)
        self._build_seats()
        self._show_variants()

    def _change_kind(self, seat: int, kind: Any) -> None:
        self.kinds[seat] = str(kind)
        self._build_seats()

    @staticmethod
    def _set(fields: list[str], seat: int, value: Any) -> None:
        fields[seat] = str(value)

    async def _start(self) -> None:
        """Make the table; where its game is still being compiled, its owner waits at it."""
        who = owner()
        try:
            make = await self.room.thinker.ask(lambda: self.plan(who), key=who)
            if self.room.preparer.is_ready(self.definition):
                table = await self.room.made(self.definition, make, key=who)
                token = self.room.seat_down(table).owner_token
            else:
                token = self.room.expect(self.definition, make)
        except MeepleError as fault:
            LOG.info("refused: %s", fault)
            self.error.set_text(told(fault))
            return
        here = [self.names[seat] if self.kinds[seat] == HERE else "" for seat in range(self.players)]
        name = next(filter(None, here), "")
        known = {"name": name, "names": here} if name else {}
        now = {f"told-{self.definition.name}": True, f"new-{self.definition.name}": self.choices.told()}
        keep(known | now, then=f"/table/{token}")

    def plan(self, who: str) -> Callable[[], Table]:
        """What makes the table as chosen, once the game is ready; refuses what does not fit, with the reason."""
        least, most = self.definition.seats
        settings = dict(self.options) | ({"players": str(self.players)} if most > least else {})
        game = load_game(self.room.game_spec(str(Spec(self.definition.name, settings))))
        seats = [self._seat(game, number) for number in range(game.seats)]
        if self.is_shuffled:
            secrets.SystemRandom().shuffle(seats)
        if len(self.seed) > LONGEST_SEED:
            raise Refused(f"a seed has at most {LONGEST_SEED} digits")
        seed = whole_number(self.seed.strip(), *INT64) if self.seed.strip() else None
        if seed is None and self.seed.strip():
            raise Refused(f"a seed is a whole number, not '{shortened(self.seed)}'")
        has_secrets = game.facts.chance or game.facts.hidden
        if seed is not None and has_secrets and any(seat.kind == "elsewhere" for seat in seats):
            raise Refused("whoever knows the seed knows every card: leave it empty where people play elsewhere")
        clock = clock_of(self.clock, for_agents=bool(self.is_clock_for_agents))
        if len(self.start) > LONGEST_POSITION:
            raise Refused("that position is too long to be one")
        start, is_guided = self.start or None, bool(self.is_guided)
        return lambda: Table(game, seats, owner=who, seed=seed, start=start, clock=clock, is_guided=is_guided)

    def _seat(self, game: Game, number: int) -> Seat:
        kind = self.kinds[number]
        if kind in (HERE, ELSEWHERE):
            name = told_name(self.names[number])
            return Seat("here" if kind == HERE else "elsewhere", name or f"Player {number + 1}", is_named=bool(name))
        if kind == OTHER:
            spec = self.specs[number].strip()
            return Seat("agent", without_folders(spec), self.room.agent_for(spec, game).spec)
        if kind in self.room.engines:
            return Seat("agent", kind, self.room.engine_for(kind, game).spec)
        same = [n for n in range(self.players) if self.kinds[n] == kind]
        name = f"{kind} {ascii_uppercase[same.index(number)]}" if len(same) > 1 else kind
        return Seat("agent", name, load_agent(level_spec(game, kind), game).spec, level=kind)


def _chosen(option: Option, word: str) -> str | list[str]:
    """What the field of an option holds for a word."""
    return list(option.chosen(word)) if isinstance(option, Subset) else word


def _help(option: Option) -> str:
    """What stands beside an option: its sentence, and an example of what is typed."""
    return f"{option.sentence} For example {option.sample}." if isinstance(option, Amounts) else option.sentence


def clock_of(word: str, *, for_agents: bool) -> Clock | None:
    """The clock that one of the choices means: seconds for the match and, after a plus, for each move."""
    if word not in CLOCKS or word == "none":
        return None
    whole, _, a_move = word.partition("+")
    return Clock(float(whole), float(a_move or 0), for_agents)


async def new_page(room: Room, definition: Definition, spec: str, start: str) -> None:
    """The form, filled with what the browser remembers."""
    form = NewMatch(room, definition, spec, start)
    prefs = await read_prefs()
    form.known_names = prefs.names or [prefs.name]
    if not spec and not start:
        form.recall(prefs.saved.get(f"new-{definition.name}"))
    form.build(is_new=not prefs.saved.get(f"told-{definition.name}"))
