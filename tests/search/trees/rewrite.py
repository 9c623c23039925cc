"""Small whole trees, kept as files: `make playthroughs` rewrites them, then read the diff.

Each file holds a position, the settings, the seed, and every edge of the tree that they grow.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from meeple import load_game
from meeple.core.chance import Stream
from meeple.search.mcts import MctsConfig, Tree
from meeple.search.tree.arrays import NO_NODE
from meeple.search.tree.grow import grow

FOLDER = Path(__file__).parent
PLUGINS = FOLDER.parents[1] / "plugins"


def tree_of(case: dict[str, Any]) -> list[str]:
    """Every edge as a line: how deep, the action, visits, the sum of win shares, a proof."""
    name, _, options = case["game"].partition(":")
    plugin = PLUGINS / name
    game = load_game(f"{plugin}:{options}".rstrip(":") if plugin.exists() else case["game"])
    state = game.read(case["position"]) if case["position"] else game.new(seed=0).settled()
    tree = Tree(state, MctsConfig(**case["settings"]), Stream(case["seed"]))
    grow([tree], case["settings"]["iterations"], lambda: False, 1)
    lines: list[str] = []

    def walk(node: int, depth: int) -> None:
        for edge in tree.edges_of(node):
            proof = {1: " won", -1: " lost", 0: ""}[int(edge["proof"])]
            lines.append(f"{'  ' * depth}{int(edge['action'])} {int(edge['visits'])} {float(edge['value']):.4f}{proof}")
            if edge["node"] != NO_NODE:
                walk(int(edge["node"]), depth + 1)

    walk(tree.top, 0)
    return lines


if __name__ == "__main__":
    for file in sorted(FOLDER.glob("*.json")):
        case = json.loads(file.read_text())
        case["tree"] = tree_of(case)
        file.write_text(json.dumps(case, indent=1) + "\n")
        print(f"wrote {file.name}")
