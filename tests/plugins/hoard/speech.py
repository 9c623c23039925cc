"""Hoard in words: a dropped card is seen by its owner alone."""

from __future__ import annotations

from typing import Any

from meeple.core.speech import Sentence

from .rules import DEAL, HAND, ROLL

PLACES = ("left", "right")


def spoken(state: Any, action: int) -> str:
    verb = "*play*" if action < HAND else "*drop*"
    return f"{verb} the {PLACES[action % HAND]} card{'' if action < HAND else ' face down'}"


def unseen(state: Any) -> str:
    return "*drop* a card face down"


def spoken_outcome(state: Any, outcome: int) -> Sentence:
    return Sentence(f"{'*roll* a' if state.phase == ROLL else '*draw* a card of'} {outcome + 1}", int(state.mover))


def heading(state: Any) -> str:
    return "Cards are dealt" if state.phase == DEAL else "Chance"
