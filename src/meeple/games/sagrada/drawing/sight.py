"""What is drawn, for whom, and the small parts that every part of the picture shares."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from meeple.core.picture import Look
from meeple.core.svg import Markup, tag
from meeple.games.sagrada.board import N_VALUES
from meeple.games.sagrada.cards import COLOUR_NAMES
from meeple.games.sagrada.drawing.glass import DAY, NIGHT, Tones
from meeple.games.sagrada.layout import NONE
from meeple.games.sagrada.rules import to_move
from meeple.games.sagrada.scoring import private_points

Block = tuple[Markup, float]  # a drawing and its height


@dataclass(frozen=True)
class Sight:
    """What is drawn, for whom, and how."""

    state: Any
    seat: int | None
    look: Look

    @property
    def is_player(self) -> bool:
        """Whether the viewer has a seat."""
        return self.seat is not None and self.seat >= 0

    @property
    def own(self) -> int:
        """The seat whose window is large."""
        return self.seat if self.seat is not None and self.seat >= 0 else 0

    @cached_property
    def mover(self) -> int:
        """Who is to move; negative for chance and nobody."""
        return int(to_move(self.state))

    @property
    def clicker(self) -> int:
        """The seat whose cells are targets: the viewer's, or the mover's where nobody in particular looks."""
        return self.own if self.is_player or self.mover < 0 else self.mover

    def holder(self, cell: str) -> int:
        """The seat in whose window a cell's target lies.

        Cells have one name in all windows. Where the last move went to another's window, the target is there, until
        the cell may be clicked again.
        """
        look = self.look
        is_old = cell in look.last and cell not in look.lit and cell not in look.chosen
        return look.mover if is_old else self.clicker

    @property
    def phase(self) -> int:
        return int(self.state.phase)

    @property
    def seats(self) -> int:
        return int(self.state.seats)

    @property
    def tones(self) -> Tones:
        return NIGHT if self.look.dark else DAY

    @cached_property
    def quiet(self) -> Look:
        """The look without marks of the last move, for what has another meaning since."""
        return replace(self.look, last=frozenset())


def draw_spot(sight: Sight, what: str, owner: int, ring: Markup) -> Markup:
    """Where something of a seat is changed while a position is set up; nothing in a match."""
    return sight.quiet.spot(f"{what}-{owner + 1}", f"{sight.look.name(owner)}: {what}", ring)


def round_the_table(sight: Sight) -> list[int]:
    """The seats from the viewer's on."""
    return [(sight.own + step) % sight.seats for step in range(sight.seats)]


def draw_panel(sight: Sight, x: float, y: float, width: float, height: float) -> Markup:
    """A sheet for things that lie together."""
    tones = sight.tones
    return tag("rect", x=x, y=y, width=width, height=height, rx=10, fill=tones.card, stroke=tones.line)


def draw_empty_place(x: float, y: float, size: float, tones: Tones) -> Markup:
    """Where something lies at other times."""
    return tag("rect", x=x, y=y, width=size, height=size, rx=size / 7, fill="none", stroke=tones.line,
               stroke_dasharray="4 4")  # fmt: skip


def die_name(die: int) -> str:
    """`red 4`."""
    return f"{COLOUR_NAMES[die // N_VALUES]} {die % N_VALUES + 1}"


def tokens_text(count: int) -> str:
    """`3 tokens`."""
    return "1 token" if count == 1 else f"{count} tokens"


def private_of(state: Any, owner: int) -> int:
    """Points of the private colour; not for every seat to know."""
    return int(private_points(state, owner))


def goals_of(state: Any) -> list[int]:
    """The public objectives on the table."""
    return [int(goal) for goal in state.goals if goal != NONE]


def slots_of(state: Any) -> list[int]:
    """The places where a tool card lies."""
    return [slot for slot in range(5) if state.tools[slot] > 0]
