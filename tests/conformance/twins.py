"""Broken twins of Hoard: for every law a change of its source that the law must catch by name.

`python twins.py LAW FOLDER` copies Hoard to FOLDER with that law's change, checks it, and prints the
breaches as JSON. Run it with NUMBA_DISABLE_JIT=1 to spare the compiling.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

HOARD = Path(__file__).parents[1] / "plugins" / "hoard"
Edit = tuple[str, str, str]  # file, what stands there once, what stands there in the twin

COUNTER = ("rules.py", "N_VALUES = 3\n", "N_VALUES = 3\nCOUNTER = np.zeros(1, np.int64)\n")

TWINS: dict[str, list[Edit]] = {
    "contract": [("rules.py", "def round_index(", "def round_number(")],
    "layout": [("rules.py", '("seats", np.int8),', '("seats", np.int8), ("size", np.int8),')],
    "new-game": [("rules.py", "    state.mover = 0\n    state.die = 0\n", "    state.mover = 0\n")],
    "mover": [("rules.py", "        return np.int64(state.mover)\n", "        return np.int64(state.mover) + 4\n")],
    "whole": [("rules.py", "    return np.int64(state.lap)\n", "    return state.lap / 1\n")],
    "never-empty": [("rules.py", "    return 2 * n\n", "    return 0 if state.die == 3 else 2 * n\n")],
    "bound": [("rules.py", "MAX_ACTIONS = 4", "MAX_ACTIONS = 3")],
    "ascending": [
        ("rules.py", "        out[place] = place\n", "        out[n + place] = place\n"),
        ("rules.py", "        out[n + place] = HAND + place\n", "        out[place] = HAND + place\n"),
    ],
    "range": [("rules.py", "ACTIONS = 4\nMAX", "ACTIONS = 3\nMAX")],
    "weights": [("rules.py", "out[value] = 1 if state.phase == ROLL", "out[value] = value - 1 if state.phase == ROLL")],
    "key": [("rules.py", "    return turn * 8 + event\n", "    return turn\n")],
    "ranges": [("rules.py", '"die": (0, N_VALUES)', '"die": (0, N_VALUES - 1)')],
    "check": [("rules.py", "        state.n_hoard[mover] += 1\n", "")],
    "read-only": [
        (
            "rules.py",
            "    points = np.int64(state.points[seat])\n",
            "    points = np.int64(state.points[seat])\n    state.die = 1\n",
        )
    ],
    "count-actions": [
        (
            "rules.py",
            "    return 2 * np.int64(state.n_hand[state.mover])\n",
            "    return np.int64(state.n_hand[state.mover])\n",
        )
    ],
    "is-legal": [("rules.py", "action % HAND < state.n_hand", "action % HAND <= state.n_hand")],
    "pick": [("rules.py", "return k if k < n else k - n + HAND", "return k if k < n else n + HAND - 1")],
    "setup": [
        (
            "rules.py",
            "@kernel\ndef round_index(",
            "@kernel\ndef is_setup(state):\n    return state.lap > 0\n\n\n@kernel\ndef round_index(",
        )
    ],
    "settle": [
        (
            "rules.py",
            "at = roll(state.fate, chance_key(state), weights.sum())",
            "at = roll(state.fate, 7, weights.sum())",
        )
    ],
    "move-text": [("notation.py", "{action % HAND + 1}", "1")],
    "speech": [("speech.py", "PLACES[action % HAND]", "PLACES[0]")],
    "speech-secret": [
        (
            "speech.py",
            '    return f"{verb} the',
            "    if state.hand[1 - state.mover, 0] == 3:\n        verb += ' boldly'\n    return f\"{verb} the",
        )
    ],
    "position-text": [("notation.py", "die={int(state.die)}", "die=0")],
    "view-text": [("notation.py", "state.points[owner] = int(row[1])", "state.points[owner] = 0")],
    "redeal": [
        (
            "rules.py",
            "    state.fate = fresh_fate(rng)\n",
            "    state.fate = (state.fate >> 1) + (fresh_fate(rng) >> 2)\n",
        )
    ],
    "same-key": [
        (
            "rules.py",
            "    state.fate = fresh_fate(rng)\n",
            "    state.fate = (state.fate >> 1) + (fresh_fate(rng) >> 2)\n",
        )
    ],
    "redeal-check": [("rules.py", "    pool[value] -= 1\n    return value\n", "    return value\n")],
    "view": [
        ("notation.py", "knows = seat is None or seat == owner", "knows = seat is None or seat == owner or owner == 0")
    ],
    "paths": [("picture.py", '"card-{action % HAND + 1}"', '"card-1"')],
    "offer": [
        (
            "rules.py",
            "    n = np.int64(state.n_hand[state.mover])\n    for place",
            "    n = np.int64(state.n_hand[state.mover])\n"
            "    if n == 2 and state.hand[(state.mover + 1) % state.seats, 0] == 3:\n        n = 1\n    for place",
        )
    ],
    "facts": [("game.py", "hidden=True", "hidden=False")],
    "seen": [("rules.py", "if is_secret and seat != state.mover else", "if is_secret else")],
    "fresh-fate": [("rules.py", "    state.fate = fresh_fate(rng)\n", "")],
    "no-trace": [
        (
            "rules.py",
            "        if state.phase != OVER:\n            state.hoard",
            "        if state.phase == OVER:\n            state.hoard",
        )
    ],
    "worlds": [
        (
            "rules.py",
            "    at = draw(rng, pool.sum())\n    value = np.int64(0)\n"
            "    while at >= pool[value]:\n        at -= pool[value]\n        value += 1\n",
            "    value = draw(rng, N_VALUES)\n    while pool[value] == 0:\n        value = (value + 1) % N_VALUES\n",
        )
    ],
    "reveal": [
        (
            "rules.py",
            "@kernel\ndef seen(",
            "@kernel\ndef reveal(state, seat, action, rng):\n    pass\n\n\n@kernel\ndef seen(",
        )
    ],
    # A card that is in the deck at all is drawn as often as another.
    "reveal-weights": [
        (
            "rules.py",
            "@kernel\ndef seen(",
            "@kernel\ndef reveal(state, seat, action, rng):\n    redeal(state, seat, rng)\n"
            "    while to_move(state) == CHANCE and state.phase != ROLL and in_deck(state, action) == 0:\n"
            "        redeal(state, seat, rng)\n\n\n@kernel\ndef seen(",
        )
    ],
    "count-worlds": [
        ("rules.py", "bound = value if slot >= in_hand else", "bound = np.int64(0) if slot >= in_hand else")
    ],
    # Two of the 3s are in the deck; a redeal deals them like the others, of which there are five.
    "exchangeable": [
        (
            "rules.py",
            "    count = COPIES - np.int64(state.table[value])\n",
            "    count = COPIES - 3 * (value // 2) - np.int64(state.table[value])\n",
        )
    ],
    "apply-alone": [
        COUNTER,
        (
            "rules.py",
            "        state.die = action + 1\n",
            "        COUNTER[0] += 1\n        state.die = (action + COUNTER[0]) % 3 + 1\n",
        ),
    ],
    "rounds": [("rules.py", "    return np.int64(state.lap)\n", "    return np.int64(state.mover)\n")],
    "plays": [("rules.py", "        state.die = action + 1\n", "        state.die = action + 1_000\n")],
    "ends": [("game.py", "longest=68", "longest=20")],
    "ranks": [("rules.py", "        out[seat] = 1\n", "        out[seat] = 0\n")],
    "returns": [("rules.py", "        out[seat] = 1\n", "        out[seat] = 2\n")],
    "same-seed": [
        COUNTER,
        ("rules.py", "    state.fate = fate\n", "    COUNTER[0] += 1\n    state.fate = fate + COUNTER[0]\n"),
    ],
    "record": [("notation.py", "{'play' if action < HAND else 'drop'} {action % HAND + 1}", "move")],
    # Interpreted, a sum of two numbers made int8 on purpose wraps around; compiled, it widens.
    "compiled": [
        (
            "rules.py",
            "    points = np.int64(state.points[seat])\n",
            "    points = (np.int8(state.points[seat]) + np.int8(127)) // 2\n",
        )
    ],
}


def write_twin(law: str, folder: Path) -> None:
    """Copy Hoard to `folder` with the change that breaks `law`."""
    shutil.copytree(HOARD, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file, old, new in TWINS[law]:
        text = (folder / file).read_text()
        assert text.count(old) == 1, f"the twin for {law} does not fit Hoard's {file} any more: {old!r}"
        (folder / file).write_text(text.replace(old, new))


if __name__ == "__main__":
    from meeple.core.conformance.suite import check_game

    law, place = sys.argv[1], Path(sys.argv[2])
    write_twin(law, place)
    report = check_game(str(place) + "".join(sys.argv[3:]), matches=60, stop_at=law)
    print(json.dumps({name: str(breach) for name, breach in report.breaches.items()}))
