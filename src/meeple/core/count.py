"""Counting all matches to a depth: the surest test of a rules file, since published counts exist.

A leaf is a position `depth` events deep; a finished position counts as one leaf and is not extended.
Chance outcomes count as events, each possible one once.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from meeple.core.contract import CHANCE, NOBODY, OUTCOMES, apply, chance_weights, count_actions, legal_actions, to_move
from meeple.core.game import Game, State
from meeple.core.kernel import kernel

COMPILED_DEPTH = 4  # events counted in one compiled call; above, Python walks, so that Ctrl-C is heard


def count_leaves(state: State, depth: int) -> int:
    """The number of leaves `depth` events below `state`."""
    return sum(split_leaves(state, depth).values()) if depth > 0 and not state.is_over else 1


def split_leaves(state: State, depth: int, on_move: Callable[[str], None] = lambda move: None) -> dict[str, int]:
    """The number of leaves under each first move, by its text."""
    game = state.game
    compiled = game.specialise("meeple.core.count")
    states = game.buffer(depth + 1)
    actions = np.empty((depth + 1, int(game.definition.rules.MAX_ACTIONS)), dtype=np.int64)
    weights = np.empty((depth + 1, max(1, int(game.definition.rules.OUTCOMES))), dtype=np.int64)

    def count(below: State, depth: int) -> int:
        if depth > COMPILED_DEPTH and not below.is_over:
            return sum(count(below.after(code), depth - 1) for code in below.offer())
        states[0] = below.array[0]
        return int(compiled.leaves(states, 0, depth, actions, weights))

    counts: dict[str, int] = {}
    for code in state.offer():
        text = state.move_text(code)
        on_move(text)
        counts[text] = count(state.after(code), depth - 1)
    return counts


def count_positions(state: State, depth: int) -> int:
    """The number of distinct positions that can be met within `depth` events, `state` included."""
    met, frontier = {state.to_bytes()}, [state]
    for _ in range(depth):
        fresh: list[State] = []
        for before in frontier:
            for code in before.offer():
                after = before.after(code)
                if after.to_bytes() not in met:
                    met.add(after.to_bytes())
                    fresh.append(after)
        frontier = fresh
    return len(met)


@kernel
def leaves(states, ply, depth, actions, weights):
    """Return the number of leaves `depth` events below states[ply], by depth-first search (perft).

    The entries of `states`, `actions` and `weights` beyond `ply` are scratch for the levels below.
    """
    mover = to_move(states[ply])
    if mover == NOBODY or depth == 0:
        return 1
    total = 0
    if mover == CHANCE:
        chance_weights(states[ply], weights[ply])
        for code in range(OUTCOMES):
            if weights[ply, code] > 0:
                states[ply + 1] = states[ply]
                apply(states[ply + 1], code)
                total += leaves(states, ply + 1, depth - 1, actions, weights)
        return total
    if depth == 1:  # bulk counting: the last moves need not be played
        return count_actions(states[ply])
    n = legal_actions(states[ply], actions[ply])
    for i in range(n):
        states[ply + 1] = states[ply]
        apply(states[ply + 1], actions[ply, i])
        total += leaves(states, ply + 1, depth - 1, actions, weights)
    return total


def read_counts(path: Path) -> list[tuple[str, int, int]]:
    """Known counts from a file of lines `position TEXT` (or `position start`), `depth N COUNT` and `# remark`."""
    known: list[tuple[str, int, int]] = []
    position = "start"
    for line in path.read_text(encoding="utf-8").splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "position":
            position = rest
        elif word == "depth":
            depth, count = rest.split()
            known.append((position, int(depth), int(count.replace(",", ""))))
    return known


def position_named(game: Game, text: str) -> State:
    """The position of a counts file: a text, or `start`."""
    return game.new(seed=0) if text == "start" else game.read(text)
