"""Matches as digests, so that compiled code can be held to interpreted code in another process.

`python -m meeple.core.conformance.trace SPEC MATCHES SEED` prints a last line of JSON: one list of
digests a match, one digest an event.
"""

from __future__ import annotations

import hashlib
import json
import sys

from meeple.core.chance import rng_for
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.game import Game
from meeple.core.registry import load_game

MARK = "traces: "  # before the line of JSON, since rules under work may print too


def trace(game: Game, seed: int) -> list[str]:
    """One random match: after each event a digest of all that the rules said about the state."""
    state, rng, digests = game.new(seed=seed), rng_for("trace", seed=seed), []
    for number in range(game.facts.longest + 1):
        mover = state.to_move
        parts: list[object] = [state.to_bytes().hex(), mover, state.round_index]
        parts += [state.score(seat) for seat in range(game.seats)]
        for seat in [*range(game.seats), NOBODY]:
            parts.append(state.redealt(seat, rng_for("trace-redeal", number, seat, seed=seed)).to_bytes().hex())
        if mover == NOBODY:
            parts += [state.ranks(), state.win_shares()]
        elif mover == CHANCE:
            code = state.fated_outcome()
            parts += [state.outcomes(), code]
        else:
            legal = [int(action) for action in state.legal_actions()]
            code = rng.choice(legal)
            parts += [legal, code]
        digests.append(hashlib.sha1(repr(parts).encode()).hexdigest()[:12])
        if mover == NOBODY:
            break
        state = state.after(code)
    return digests


def main(spec: str, matches: int, seed: int) -> None:
    """Print the traces of `matches` matches from `seed` on."""
    game = load_game(spec)
    print(f"\n{MARK}{json.dumps([trace(game, seed + i) for i in range(matches)])}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
