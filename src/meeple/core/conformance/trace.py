"""Matches as digests, so that compiled code can be held to interpreted code in another process.

`python -m meeple.core.conformance.trace` reads a JSON list of [spec, seed] from stdin and prints a last
line of JSON: a list of digests for each match, one digest an event.
"""

from __future__ import annotations

import hashlib
import json
import sys

from meeple.core.chance import rng_for
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.game import Game
from meeple.core.registry import load_game
from meeple.errors import brief

BROKE = "broke: "
MARK = "traces: "  # before the line of JSON, since rules under work may print too


def trace(game: Game, seed: int) -> list[str]:
    """One random match: after each event a digest of what the rules said; where they raise, a last entry says what."""
    digests: list[str] = []
    try:
        _play(game, seed, digests)
    except Exception as fault:
        digests.append(f"{BROKE}{brief(fault)}")
    return digests


def _play(game: Game, seed: int, digests: list[str]) -> None:
    state, rng = game.new(seed=seed), rng_for("trace", seed=seed)
    for number in range(game.facts.longest + 1):
        mover = state.to_move
        parts: list[object] = [state.to_bytes().hex(), mover, state.round_index]
        parts += [state.score(seat) for seat in range(game.seats)]
        redealer = rng_for("trace-redeal", number, seed=seed)
        seat = redealer.below(game.seats + 1)
        parts.append(state.redealt(seat if seat < game.seats else NOBODY, redealer).to_bytes().hex())
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
            return
        state = state.after(code)


def main() -> None:
    """Print the trace of each match that stdin names."""
    games: dict[str, Game] = {}
    traces = []
    for spec, seed in json.load(sys.stdin):
        games[spec] = games.get(spec) or load_game(spec)
        traces.append(trace(games[spec], seed))
    print(f"\n{MARK}{json.dumps(traces)}")


if __name__ == "__main__":
    main()
