"""The games that the tests of the adapters play: a few every day, all of them at length."""

from __future__ import annotations

from conftest import HOARD, TICTACTOE
from meeple import Stream
from meeple.adapters.play import Play

DAILY = ("santorini", "saboteur-duel", f"{HOARD}:players=3,rounds=2")
LONG = (
    TICTACTOE,
    HOARD,
    "santorini:supply=finite",
    *(f"azul:players={players}" for players in (2, 3, 4)),
    "azul:cap=30,wall=grey",
    *(f"ingenious:players={players}" for players in (1, 2, 3, 4)),
    "ingenious:players=4,teams=on",
    *(f"sagrada:players={players}" for players in (1, 2, 3, 4)),
    "sagrada:tools=2,goals=1",
    *(f"saboteur:players={players}" for players in range(3, 11)),
    "saboteur-duel:deck=53",
)


def put_elsewhere(play: Play, seat: int, rng: Stream) -> None:
    """Put a world in the place of the true one that `seat` cannot tell apart from it."""
    play._array[0] = play.state.redealt(seat, rng).array[0]
