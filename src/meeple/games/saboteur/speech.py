"""Saboteur in words: cells from the start, tools and gold by name, discards face down."""

from __future__ import annotations

from typing import Any

from meeple.core.speech import Round, Sentence, whose
from meeple.games.saboteur import layout
from meeple.games.saboteur.board import shape_at
from meeple.games.saboteur.notation import PAIRS, TOOLS, cell_text
from meeple.games.tunnels import N_TUNNELS, UPRIGHT
from meeple.games.tunnels_notation import PLACES
from meeple.games.tunnels_speech import laid_words, place_words, tunnel_words

_HEADINGS = {
    layout.FIRST: "Who begins",
    layout.ROLES: "Roles are dealt",
    layout.LAY: "Goals are laid face down",
    layout.DEAL: "Cards are dealt",
    layout.TAKE_CARD: "A card is drawn",
    layout.GOLD: "Gold is drawn",
}


def spoken(state: Any, action: int) -> str:
    """`lay the curve from left to top, turned, right of the start` and the like."""
    if action < layout.ROCKFALL:
        return f"*lay* {laid_words(int(layout.SHAPE[action & 63]))} {_place(state, action >> 6)}"
    if action < layout.MAP:
        cell = action - layout.ROCKFALL
        tunnel = tunnel_words(int(shape_at(state, cell)))
        return f"*drop* a rockfall [card-{layout.ROCKFALL_CARD}] on {tunnel}, {_place(state, cell)}"
    if action < layout.BREAK:
        return f"*look* at the {PLACES[action - layout.MAP]} goal with a map [card-{layout.MAP_CARD}]"
    if action < layout.PASS:
        return _tool_words(action)
    if action < layout.TAKE:
        return f"*discard* {card_words(action - layout.PASS)} face down"
    return f"*take* the gold card worth {action - layout.TAKE + 1} [gold-{action - layout.TAKE + 1}]"


def _tool_words(action: int) -> str:
    """`break Ada's lantern`, `mend your own cart with the card for a pickaxe or a cart`."""
    if action < layout.DOUBLE:
        verb, first, card = (
            ("break", layout.BREAK, layout.BREAK_CARD)
            if action < layout.REPAIR
            else ("mend", layout.REPAIR, layout.REPAIR_CARD)
        )
        tool, other = divmod(action - first, layout.MOST)
        return f"*{verb}* {whose(other)} {TOOLS[tool]} [card-{card + tool}]"
    number, other = divmod(action - layout.DOUBLE, layout.MOST)
    pair, which = divmod(number, 2)
    name = TOOLS[int(layout.PAIR[pair, which])]
    return f"*mend* {whose(other)} {name} with the card for {_either(pair)} [card-{layout.DOUBLE_CARD + pair}]"


def _either(pair: int) -> str:
    one, other = PAIRS[pair].split("/")
    return f"a {one} or a {other}"


def card_words(kind: int) -> str:
    """A card of the hand, upright, with its small picture."""
    if kind < N_TUNNELS:
        return f"{tunnel_words(UPRIGHT[kind])} [tunnel-{UPRIGHT[kind]}]"
    if kind < layout.REPAIR_CARD:
        words = f"the card that breaks a {TOOLS[kind - layout.BREAK_CARD]}"
    elif kind < layout.DOUBLE_CARD:
        words = f"the card that mends a {TOOLS[kind - layout.REPAIR_CARD]}"
    elif kind < layout.ROCKFALL_CARD:
        words = f"the card that mends {_either(kind - layout.DOUBLE_CARD)}"
    else:
        words = "the rockfall" if kind == layout.ROCKFALL_CARD else "the map"
    return f"{words} [card-{kind}]"


def _place(state: Any, cell: int) -> str:
    right, down = (int(word) for word in cell_text(state, cell).split(","))
    return place_words(right, down, "the start")


def unseen(state: Any) -> str:
    """A card that goes away face down, or a gold card that is taken."""
    return "*take* a gold card, unseen" if state.phase == layout.CHOOSE else "*discard* a card face down"


def spoken_outcome(state: Any, outcome: int) -> Sentence:
    """What chance does, by the phase: most of it is seen by one seat alone."""
    phase, step = int(state.phase), int(state.step)
    if phase == layout.FIRST:
        return Sentence("*begin*", outcome)
    if phase == layout.ROLES:
        return Sentence(f"*be* a {('miner', 'saboteur')[outcome]}", step)
    if phase == layout.LAY:
        stone = "a stone" if state.crosses else f"a stone that leads {('', 'right', 'left')[outcome]}"
        return Sentence(f"the {PLACES[step]} goal hides {'the treasure' if outcome == layout.TREASURE else stone}")
    if phase == layout.GOLD:
        return Sentence(f"a gold card worth {outcome + 1} [gold-{outcome + 1}] is drawn")
    owner = step % int(state.seats) if phase == layout.DEAL else int(state.seat)
    return Sentence(f"*draw* {card_words(outcome)}", owner)


def heading(state: Any) -> str:
    """What is dealt or drawn."""
    return _HEADINGS.get(int(state.phase), "Chance")


def ending(state: Any) -> list[Sentence]:
    """Gold decides."""
    return [Sentence("Three rounds are played: the most gold wins")]


def rounds(state: Any, viewer: int | None) -> list[Round]:
    """The rounds whose roles are shown, with what each seat was and got, as far as the viewer may know."""
    told = []
    for lap in range(layout.N_ROUNDS):
        if state.outcome_of[lap]:
            found = state.outcome_of[lap] == 1
            news = "the miners found the treasure" if found else "the saboteurs kept it hidden"
            rows = tuple(_fared(state, seat, lap, viewer) for seat in range(int(state.seats)))
            told.append(Round(f"Round {lap + 1}: {news}", rows))
    return told


def _fared(state: Any, seat: int, lap: int, viewer: int | None) -> tuple[str, str]:
    """A seat's role in a round, and its pay: gold that it took as a miner is seen by itself, and by all at the end."""
    role = layout.ROLE_NAMES[int(state.were[lap]) >> seat & 1]
    paid = sum((value + 1) * int(n) for value, n in enumerate(state.paid[lap, seat]))
    taken = [int(state.taken[lap, n]) + 1 for n in range(int(state.n_taken[lap])) if state.taker[lap, n] == seat]
    if taken and not (viewer in (None, seat) or state.phase == layout.OVER or lap < state.bared[seat]):
        cards = "1 gold card" if len(taken) == 1 else f"{len(taken)} gold cards"
        return role, f"{cards} face down"
    return role, f"{paid + sum(taken)} gold"


def sight(word: str) -> str:
    """What a word of the position says of what was seen."""
    name, _, letters = word.partition("=")
    if name == "roles":
        bad = [str(seat + 1) for seat, letter in enumerate(letters) if letter == "s"]
        return f"saboteurs: seats {', '.join(bad)}" if bad else "no saboteur"
    if name == "goals":
        words = {"t": "gold", "e": "a stone", "w": "the other stone", "?": "unseen"}
        seen = zip(("left", "middle", "right"), letters.split(","), strict=False)
        return ", ".join(f"{place} {words.get(letter, letter)}" for place, letter in seen)
    return word
