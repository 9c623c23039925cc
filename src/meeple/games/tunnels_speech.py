"""Tunnel cards in words, for both games of Saboteur: what a card looks like, and where it lies from the start."""

from __future__ import annotations

from meeple.games.tunnels import CARD_OF, CENTRE, card_text

_SIDES = ("top", "right", "bottom", "left")
_STRAIGHT = (5, 10)  # open sides: top and bottom, left and right


def tunnel_words(shape: int) -> str:
    """`the curve from left to top`, `the fork closed at the top`, `the blocked crossing`; no two alike."""
    sides = [word for side, word in enumerate(_SIDES) if shape >> side & 1]
    blocked = "" if shape & CENTRE else "blocked "
    if len(sides) == 1:
        return f"the dead end from the {sides[0]}"
    if len(sides) == 4:
        return f"the {blocked}crossing"
    if len(sides) == 3:
        closed = next(word for word in _SIDES if word not in sides)
        return f"the {blocked}fork closed {'on' if closed in ('left', 'right') else 'at'} the {closed}"
    if shape & 15 in _STRAIGHT:
        return f"the {blocked or 'straight '}tunnel {'up and down' if shape & 1 else 'across'}"
    across = "left" if "left" in sides else "right"
    return f"the {blocked}curve from {across} to {'top' if 'top' in sides else 'bottom'}"


def tunnel_tray() -> dict[str, str]:
    """Every tunnel as it can lie, by the name of its card, with its small picture."""
    return {card_text(shape): f"[tunnel-{shape}] {tunnel_words(shape)}" for shape in CARD_OF}


def laid_words(shape: int) -> str:
    """A card as it is laid, with its small picture, and whether it is turned for that."""
    turned = ", turned" if CARD_OF[shape][1] else ""
    return f"{tunnel_words(shape)} [tunnel-{shape}]{turned},"


def place_words(right: int, down: int, start: str) -> str:
    """Where a cell lies from the start: `right of the start`, `3 right and 1 up from the start`."""
    across, along = "right" if right > 0 else "left", "below" if down > 0 else "above"
    if down == 0:
        return f"{across} of {start}" if abs(right) == 1 else f"{abs(right)} {across} of {start}"
    if right == 0:
        return f"{along} {start}" if abs(down) == 1 else f"{abs(down)} {along} {start}"
    return f"{abs(right)} {across} and {abs(down)} {'down' if down > 0 else 'up'} from {start}"
