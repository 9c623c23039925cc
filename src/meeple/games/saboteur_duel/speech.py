"""The duel in words: cells from the entrance, discards face down."""

from __future__ import annotations

from typing import Any

from meeple.core.speech import Sentence, whose
from meeple.games.saboteur_duel import layout
from meeple.games.tunnels import N_TUNNELS, UPRIGHT
from meeple.games.tunnels_notation import PLACES
from meeple.games.tunnels_speech import laid_words, place_words, tunnel_words

_CARDS = {
    layout.MAP_CARD: "Map",
    layout.BONUS_CARD: "Bonus",
    layout.DESTROY_CARD: "Destroy",
    layout.MALUS_CARD: "Malus",
}


def spoken(state: Any, action: int) -> str:
    """`lay the curve from left to top, turned, below the entrance` and the like."""
    if action < layout.DESTROY:
        return f"*lay* {laid_words(int(layout.SHAPE[action & 63]))} {_place(action >> 6)}"
    if action < layout.MAP:
        cell = action - layout.DESTROY
        return f"*destroy* [card-{layout.DESTROY_CARD}] {tunnel_words(-1 - int(state.cell[cell]))}, {_place(cell)}"
    if action < layout.BONUS:
        return f"*look* at the {PLACES[action - layout.MAP]} goal with a Map [card-{layout.MAP_CARD}]"
    if action == layout.BONUS:
        return f"*take* {whose(state.seat)} Malus away with a Bonus [card-{layout.BONUS_CARD}]"
    if action < layout.DROP:
        return f"*stop* {whose(1 - state.seat)} digging with a Malus [card-{layout.MALUS_CARD}]"
    return f"*discard* {card_words(action - layout.DROP)} face down"


def card_words(kind: int) -> str:
    """A card of the hand, upright, with its small picture."""
    if kind < N_TUNNELS:
        return f"{tunnel_words(UPRIGHT[kind])} [tunnel-{UPRIGHT[kind]}]"
    return f"the {_CARDS[kind]} [card-{kind}]"


def _place(cell: int) -> str:
    right = cell % layout.ROW - layout.ENTRANCE % layout.ROW
    return place_words(right, cell // layout.ROW - layout.ENTRANCE // layout.ROW, "the entrance")


def unseen(state: Any) -> str:
    """All that a seat does not see of the other's moves."""
    return "*discard* a card face down"


def spoken_outcome(state: Any, outcome: int) -> Sentence:
    """Where the nugget lies, which nobody sees, or a card that its owner sees."""
    if state.phase == layout.HIDE:
        return Sentence(f"the {PLACES[outcome]} goal hides the gold")
    return Sentence(f"*draw* {card_words(outcome)}", int(state.seat))


def heading(state: Any) -> str:
    """What is dealt or drawn."""
    return {layout.HIDE: "The gold is hidden", layout.DEAL: "Cards are dealt"}.get(int(state.phase), "A card is drawn")


def ending(state: Any) -> list[Sentence]:
    """Who reached the gold."""
    if state.winner < 0:
        return [Sentence("The cards are used up, and nobody has reached the gold")]
    return [Sentence("*reach* the gold", int(state.winner))]


def sight(word: str) -> str:
    """What a word of the position says of what was seen."""
    name, _, place = word.partition("=")
    if name != "nugget":
        return word
    return "the gold was not there" if place == "?" else f"the gold lies under the {place} goal"
