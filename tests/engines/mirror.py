"""An agent whose move follows from all that a seat is told: it plays otherwise if anything of it is lost on the way."""

from __future__ import annotations

import zlib

from meeple import Agent, Turn


class Mirror(Agent):
    """Plays the move that a checksum of view, history and ply points at."""

    wants_history = True
    draws_lots = False

    def choose(self, turn: Turn) -> int:
        told = f"{turn.state.text(turn.seat)} {turn.seen} {turn.ply} {turn.seat}"
        legal = turn.state.legal_actions()
        return int(legal[zlib.crc32(told.encode()) % len(legal)])
