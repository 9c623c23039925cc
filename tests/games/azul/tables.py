"""Azul positions for tests, written with as few words as the point needs."""

from __future__ import annotations

from meeple import State, load_game

EMPTY_LINES = "-/-/-/-/-"
EMPTY_WALL = "...../...../...../...../....."
FAR_WALL = "...../...../...../...../Y...B"  # two tiles that a row above does not touch, worth up to 20 points


def board(lines: str = EMPTY_LINES, wall: str = EMPTY_WALL, *, points: int = 0, floor: int = 0) -> str:
    """A player board as position text."""
    return f"{points} {lines} {wall} {floor}"


def table(
    *boards: str,
    displays: str = "",
    centre: str = "-",
    mover: int | str = 1,
    first: int = 1,
    marker: int | str = "centre",
    lap: int = 7,
    bag: str = "0,0,0,0,0",
    options: str = "",
) -> State:
    """A position of round `lap`; empty boards and displays are filled in, and all other tiles lie in the lid.

    In round 7 the lid has been poured into the bag at least once, so that any bag fits.
    """
    seats = max(2, len(boards))
    sides = [*boards, *[board()] * (seats - len(boards))]
    if isinstance(marker, int) and sides[marker - 1].endswith(" 0"):
        sides[marker - 1] = sides[marker - 1][:-1] + "1"  # the marker lies on its holder's floor
    shown = [*displays.split(), *["-"] * (2 * seats + 1)][: 2 * seats + 1]
    head = f"round={lap} mover={mover} first={first} marker={marker} bag={bag} centre={centre} F={','.join(shown)}"
    game = load_game(f"azul:players={seats}" + (f",{options}" if options else ""))
    return game.read(" | ".join([head, *sides]))


def side(state: State, seat: int) -> str:
    """The text of a player board."""
    return state.text().rpartition(" fate=")[0].split(" | ")[1 + seat]


def field(state: State, name: str) -> str:
    """A part of the position's head, such as `lid`."""
    head = state.text().split(" | ")[0]
    return dict(part.split("=") for part in head.split())[name]
