"""Hoard in text: `lap=0 phase=act mover=1 die=2 table=010 | 2 13 - | 0 ?? ?` (points, hand, hoard of each seat)."""

from __future__ import annotations

import re
from typing import Any

from meeple.errors import NotationError

from .rules import ACT, COPIES, DOUBLE, HAND, OVER, ROLL, ROUNDS

MOVE_PATTERN = r"(play|drop)\s*[12]"
MOVE_EXAMPLE = "play 1 or drop 2 (the place in the hand)"
PHASES = ("deal", "roll", "act", "draw", "over")
_HEAD = re.compile(r"lap=(\d) phase=(\w+) mover=(\d) die=(\d) table=(\d)(\d)(\d)")
_SEAT = re.compile(r"(\d+) ([1-3?]{1,2}|-) ([1-3?]+|-)")


def move_text(state: Any, action: int) -> str:
    return f"{'play' if action < HAND else 'drop'} {action % HAND + 1}"


def outcome_text(state: Any, outcome: int) -> str:
    return f"{'roll' if state.phase == ROLL else 'card'} {outcome + 1}"


def write(state: Any, seat: int | None) -> str:
    table = "".join(str(int(n)) for n in state.table)
    head = f"lap={int(state.lap)} phase={PHASES[state.phase]} mover={int(state.mover) + 1}"
    head += f" die={int(state.die)} table={table}"
    return " | ".join([head, *(_write_seat(state, owner, seat) for owner in range(state.seats))])


def _write_seat(state: Any, owner: int, seat: int | None) -> str:
    knows = seat is None or seat == owner
    hand = "".join(str(int(card)) if knows else "?" for card in state.hand[owner] if card)
    cards = "".join(str(value + 1) * int(state.hoard[owner, value]) for value in range(3))
    hoard = cards if knows or state.phase == OVER else "?" * int(state.n_hoard[owner])
    return f"{int(state.points[owner])} {hand or '-'} {hoard or '-'}"


def read(state: Any, text: str, seats: int, options: Any) -> None:
    head, *parts = (part.strip() for part in text.split("|"))
    found = _HEAD.fullmatch(head)
    if not found or found[2] not in PHASES or len(parts) != seats:
        raise NotationError(f"'{text}' is no position of hoard for {seats} seats")
    state.seats, state.n_rounds, state.double = seats, int(options[ROUNDS]) + 2, int(options[DOUBLE])
    state.lap, state.phase, state.mover, state.die = (
        int(found[1]),
        PHASES.index(found[2]),
        int(found[3]) - 1,
        int(found[4]),
    )
    state.table[:] = [int(found[i]) for i in (5, 6, 7)]
    rows = [_SEAT.fullmatch(part) for part in parts]
    unknown = [COPIES - int(n) for n in state.table]
    for row in rows:
        if not row:
            raise NotationError(f"'{text}' is no position of hoard: a seat reads like '2 13 -'")
        for card in row[2] + row[3]:
            if card in "123":
                unknown[int(card) - 1] -= 1
    # A question mark takes any card that is left: the redeal that follows makes a fair sample of it.
    spare = [value + 1 for value in range(3) for _ in range(max(0, unknown[value]))]
    for owner, row in enumerate(rows):
        assert row is not None
        state.points[owner] = int(row[1])
        hand = [spare.pop() if card == "?" else int(card) for card in row[2] if card != "-"]
        hoard = [spare.pop() if card == "?" else int(card) for card in row[3] if card != "-"]
        state.n_hand[owner], state.n_hoard[owner] = len(hand), len(hoard)
        state.hand[owner, :] = [*hand, 0, 0][:HAND]
        state.hoard[owner, :] = [hoard.count(value) for value in (1, 2, 3)]
    if state.phase == ACT and state.n_hand[state.mover] == 0:
        raise NotationError(f"'{text}' is no position of hoard: the mover holds no card")
