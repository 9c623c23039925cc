"""Sagrada's cover: a window half full of dice, and those that wait for a place."""

from __future__ import annotations

from meeple.core.picture import cover_of, glow
from meeple.core.svg import Markup, tag
from meeple.games.sagrada.drawing.glass import DAY, Frame, definitions, draw_arch, draw_die, draw_pane, draw_print
from meeple.games.sagrada.notation import DICE

PRINTS = "Y2.R5B.4.P.G..36.R.."
PLACED = {0: "Y3", 1: "B2", 3: "R6", 6: "P4", 7: "G4", 9: "P1", 10: "R2", 11: "G5", 13: "Y6", 15: "B6", 17: "R1"}
WAITING = (("P5", 494, 246, 104, 9), ("Y2", 540, 122, 84, -12), ("G3", 30, 268, 92, -10))  # die, corner, size, turn


def cover() -> Markup:
    """The window in the middle, light behind it, large dice on either side."""
    frame = Frame(172, 92, 55, 5)
    parts = [draw_arch(frame, 78, 16, 18, DAY)]
    for cell, mark in enumerate(PRINTS):
        place = (*frame.corner(cell), frame.side)
        parts.append((draw_pane if cell in PLACED else draw_print)(mark, *place, DAY))
        if cell in PLACED:
            x, y = frame.corner(cell)
            parts.append(draw_die(DICE.index(PLACED[cell]), x + 5, y + 5, frame.side - 10))
    for name, x, y, size, turn in WAITING:
        die = draw_die(DICE.index(name), x, y, size)
        parts.append(tag("g", die, transform=f"rotate({turn} {x + size / 2:g} {y + size / 2:g})"))
    return cover_of(definitions(), glow("sagrada-light", "#f3d9a0", "#4b3f63"), *parts)
