"""Where the games of a seed begin: drawn by the seed, at the beginning, or at positions from a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from meeple.core.chance import rng_for
from meeple.core.game import Game, State
from meeple.core.match import read_start
from meeple.core.numbers import shortened
from meeple.errors import ConfigError, NotationError


@dataclass(frozen=True)
class Openings:
    """The starts of a tournament's games, the same for every game of a seed."""

    # Positions, one a seed in turn; empty: all begin at the game's first position; None: each seed draws some plies.
    texts: tuple[str, ...] | None = None
    first_seed: int = 0  # the seed that begins at the first of `texts`

    def start(self, game: Game, seed: int, salt: bytes = b"") -> State | None:
        """Return the state at which the games of a seed begin; None for the game's first position."""
        if self.texts is None:
            return random_opening(game, seed, salt)
        if not self.texts:
            return None
        return read_start(game, self.texts[(seed - self.first_seed) % len(self.texts)], seed, salt)


def random_opening(game: Game, seed: int, salt: bytes = b"") -> State | None:
    """Return the position after a few random plies, drawn by the seed, in a game without chance; None in others.

    Without it, two deterministic agents would play the same match for every seed.
    """
    if game.facts.chance or game.facts.opening == 0:
        return None
    state, rng = game.new(seed=seed, salt=salt), rng_for("opening", seed=seed, salt=salt)
    for _ in range(game.facts.opening):
        state = state.after(int(rng.choice(state.legal_actions())))
    return state


def read_openings(game: Game, word: str) -> tuple[str, ...] | None:
    """The position texts that a word names: a file of them, none, or None where each seed draws its own."""
    if word == "random":
        return None
    if word == "none":
        return ()
    try:
        texts = [
            line.strip()
            for line in Path(word).read_text(encoding="utf-8").splitlines()
            if line.strip() and not line.startswith("#")
        ]
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else "it is not text"
        raise ConfigError(
            f"--openings takes random, none or a file of positions; '{shortened(word)}' cannot be read: {reason}"
        ) from None
    for number, text in enumerate(texts, 1):
        try:
            game.read(text)
        except NotationError as fault:
            raise NotationError(f"position {number} of '{word}': {fault}") from fault
    return tuple(texts)
