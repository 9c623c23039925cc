"""Positions that once crashed, hung or raised something raw: each must be refused in words, bounds checked or not.

`python known.py GAME ...` tries those of some games and prints the refusals. A case is a game, how many moves at random
lead to the position, what is changed in its text (a pattern and what takes its place), and a part of the refusal.
"""

from __future__ import annotations

import json
import re
import sys

from meeple.core.chance import rng_for
from meeple.core.game import Game
from meeple.core.registry import load_game
from meeple.errors import NotationError

HUGE = "9" * 5_000
TAIL = r" fate=\d+$"
Case = tuple[str, int, str, str, str]
KNOWN: tuple[Case, ...] = (
    ("santorini", 4, r"/mortal:\w\d,\w\d", "/mortal:B3,B3", "both workers on one cell"),
    ("santorini", 4, r"$", " seat=1000000000", "seat=1000000000 is neither a seat"),
    ("azul:players=2", 0, TAIL, f" fate={2**63}", "is not a number from 0 to"),
    ("azul:players=2", 0, TAIL, f" fate={HUGE}", "is not a number from 0 to"),
    ("azul:players=2", 0, r"0 -/-/", "0 /-/", "pattern line 1 of seat 1 is not written"),
    ("azul:players=2", 0, r"round=1", f"round={HUGE}", "is not a number from 1 to"),
    ("azul:players=2", 0, r"mover=1", "mover=²", "is no seat of 2"),
    ("ingenious:players=2", 4, r"turn=\d+", "turn=999", "is more than any game has"),
    ("ingenious:players=2", 4, r"place 1", "place 9", "there is no seat 9"),
    ("sagrada:players=2", 0, r"turn=0", "turn=10", "dealt as far as the phase says"),  # while windows are chosen
    ("sagrada:players=2", 2, r"turn=0", "turn=6", "turn, round and start player"),
    ("sagrada:players=2", 2, r"done=0", "done=10", "turn, round and start player"),  # the game never ended
    ("sagrada:players=2", 2, r" \d \.\.", " 255 ..", "has 255 tokens"),
    ("sagrada:players=2", 2, r"hand=-", "hand=7", "must be in hand while one is in use"),
    ("sagrada:players=2", 2, r"skips=-", "skips=99", "does not name seats"),
    ("saboteur:players=3", 0, TAIL, " seat=1000000000", "seat=1000000000 is neither a seat"),
    ("saboteur:players=3", 0, r"round=1", "round=6", "round=6 is not a number from 1 to"),
    ("saboteur:players=3", 0, r"round=1", "round=99", "round=99 is not a number from 1 to"),
    ("saboteur:players=3", 0, r"round=1", "round=4", "seat, round and step"),
    ("saboteur:players=3", 3, r"table=\S+", "table=" + ";".join(f"{x},5:8" for x in range(90)), "more cards '8'"),
    ("saboteur-duel", 0, TAIL, " seat=3", "seat=3 is neither a seat"),
    ("saboteur-duel", 0, TAIL, " seat=1000000000", "seat=1000000000 is neither a seat"),
    ("saboteur-duel", 0, r"malus=0,0", "malus=0,2", "no more maluses may lie"),  # a third came on top of them
    (
        "saboteur-duel",
        4,
        r"board=\S+",
        "board=" + ";".join(f"{n // 14},{n % 14}:8" for n in range(70)),
        "more tiles '8'",
    ),
)


def changed_text(game: Game, moves: int, old: str, new: str) -> str:
    """A position of random play with the change."""
    rng, state = rng_for("known", seed=1), game.new(seed=1).settled()
    for _ in range(moves):
        state = state.after(int(rng.choice(state.legal_actions()))).settled()
    text, n = re.subn(old, new, state.text(), count=1)
    assert n == 1, f"{old!r} is not in {state.text()!r}"
    return text


def refusals(names: list[str]) -> list[str]:
    """What each case of these games is refused with; raises where one is let pass."""
    found = []
    for spec, moves, old, new, expected in KNOWN:
        if spec.partition(":")[0] in names:
            game = load_game(spec)
            try:
                game.read(changed_text(game, moves, old, new))
            except NotationError as fault:
                assert expected in str(fault), f"{new!r}: {fault}"  # noqa: PT017
                found.append(str(fault))
            else:
                raise AssertionError(f"{spec} takes {new!r}")
    return found


if __name__ == "__main__":
    print(json.dumps(refusals(sys.argv[1:])))
