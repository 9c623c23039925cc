"""Saboteur: what its cards are called in text."""

from __future__ import annotations

from meeple.games.saboteur import layout
from meeple.games.tunnels import N_TUNNELS

TOOLS = ("pickaxe", "lantern", "cart")
PAIRS = tuple(f"{TOOLS[int(a)]}/{TOOLS[int(b)]}" for a, b in layout.PAIR)
KINDS = (
    *(f"path {tile}" for tile in range(N_TUNNELS)),
    *(f"break {tool}" for tool in TOOLS),
    *(f"repair {tool}" for tool in TOOLS),
    *(f"repair {pair}" for pair in PAIRS),
    "rockfall",
    "map",
)
# As positions write them.
SHORT = (
    *(str(tile) for tile in range(N_TUNNELS)),
    *("bp", "bl", "bc", "rp", "rl", "rc", "rpl", "rpc", "rlc", "rock", "map"),
)
