"""What a number is called, and from where on: in points of win chance, hundredths of a game."""

from __future__ import annotations

MOVES = ((0.15, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))  # the largest first
CHANCES = ((0.15, "very "), (0.10, ""), (0.05, "a little "))
DECIDED = 0.01  # a game is decided where the mover's chance with best play is so near to 0 or 1
MARKS = {"blunder": "??", "mistake": "?", "inaccuracy": "?!"}  # as chess players write them
STEEPNESS = 4.0  # of `accuracy`


def word_for_loss(loss: float, error: float) -> str:
    """Inaccuracy, mistake or blunder, where the loss less its standard error reaches 5, 10 or 15 points; else ""."""
    return next((word for least, word in MOVES if loss - error >= least), "")


def word_for_luck(luck: float, error: float) -> str:
    """Lucky or unlucky by the same steps, with a word for how much; else ""."""
    how = next((word for least, word in CHANCES if abs(luck) - error >= least), None)
    return "" if how is None else f"{how}{'lucky' if luck > 0 else 'unlucky'}"


def is_decided(chance: float) -> bool:
    """Whether the game is as good as over for a seat with this win chance."""
    return chance <= DECIDED or chance >= 1.0 - DECIDED


def proof_words(proof: int) -> str:
    """What is proven, in words; "" where nothing is."""
    if proof == 0:
        return ""
    plies = abs(proof)
    return f"{'won' if proof > 0 else 'lost'} in {plies} {'ply' if plies == 1 else 'plies'}"
