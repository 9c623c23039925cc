"""Saboteur in text.

A position is `turn 2` (phase and seat) and `name=value` for round, step, last, roles, goals, table, looked, broken,
hands, passed, gone, won, were, took, offer, paid, back and bared: `roles=msm`, `goals=t,e!f,?` (treasure, stone NE face
up and turned, not known), `table=1,0:8;2,0:7f`, `hands=8,map|???|???`, `took=2:3;1:1/-/-` (seat and value of the gold
cards of each round).
A `?` stands for each hidden card, role, goal or gold card. A cell is x,y from the start, x to the east, y to the south.

A move: `path 7f at 4,-1`, `rockfall at 4,-1`, `map left`, `break 3 lantern` (seat, tool), `repair 3 lantern`, `repair 3
lantern with pickaxe/lantern`, `pass path 7`, `take 2`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core import multisets
from meeple.core.numbers import shortened
from meeple.core.reading import listed, number_in, parts_of
from meeple.errors import NotationError
from meeple.games.saboteur import layout, trays
from meeple.games.saboteur.board import clear_table, find_frontier, flood, make_demands, shape_at
from meeple.games.saboteur.names import KINDS as KINDS
from meeple.games.saboteur.names import PAIRS as PAIRS
from meeple.games.saboteur.names import SHORT as SHORT
from meeple.games.saboteur.names import TOOLS as TOOLS
from meeple.games.saboteur.rounds import gold_of
from meeple.games.saboteur.rules import removed_cards
from meeple.games.saboteur.secrets import is_bared, known_goals
from meeple.games.tunnels import CARD_OF, COPIES, CROSS, card_text, shape_named, turned
from meeple.games.tunnels_notation import PLACES, fill_hidden, hidden_text, read_kinds

TRAYS, placed = trays.TRAYS, trays.placed  # of what sets up a position by clicks
MOVE_PATTERN = (
    r"path\s*\d+f?\s*at\s*-?\d+\s*,\s*-?\d+|rockfall\s*at\s*-?\d+\s*,\s*-?\d+|map\s*(left|middle|right)"
    r"|break\s*\d+\s*\w+|repair\s*\d+\s*\w+(\s*with\s*\w+/\w+)?|pass\s*[\w /]+|take\s*[123]"
)
MOVE_EXAMPLE = "path 7f at 4,-1, map left, break 3 lantern, repair 3 lantern, rockfall at 4,-1 or pass map"
PHASES = {
    "first": layout.FIRST,
    "roles": layout.ROLES,
    "goals": layout.LAY,
    "deal": layout.DEAL,
    "turn": layout.TURN,
    "draw": layout.TAKE_CARD,
    "gold": layout.GOLD,
    "choose": layout.CHOOSE,
    "over": layout.OVER,
}
GOAL_LETTERS = "tew"  # treasure, stone NE, stone NW
_WORD = {code: word for word, code in PHASES.items()}


def move_text(state: Any, action: int) -> str:
    """`path 7f at 4,-1` and the like; seats count from 1."""
    if action < layout.ROCKFALL:
        return f"path {card_text(int(layout.SHAPE[action & 63]))} at {cell_text(state, action >> 6)}"
    if action < layout.MAP:
        return f"rockfall at {cell_text(state, action - layout.ROCKFALL)}"
    if action < layout.BREAK:
        return f"map {PLACES[action - layout.MAP]}"
    if action < layout.DOUBLE:
        verb, first = ("break", layout.BREAK) if action < layout.REPAIR else ("repair", layout.REPAIR)
        return f"{verb} {(action - first) % layout.MOST + 1} {TOOLS[(action - first) // layout.MOST]}"
    if action < layout.PASS:
        pair, seat = divmod(action - layout.DOUBLE, layout.MOST)
        card, which = divmod(pair, 2)
        return f"repair {seat + 1} {TOOLS[int(layout.PAIR[card, which])]} with {PAIRS[card]}"
    return f"pass {KINDS[action - layout.PASS]}" if action < layout.TAKE else f"take {action - layout.TAKE + 1}"


def outcome_text(state: Any, outcome: int) -> str:
    """What chance does, by the phase."""
    if state.phase == layout.FIRST:
        return f"start {outcome + 1}"
    if state.phase == layout.ROLES:
        return ("miner", "saboteur")[outcome]
    if state.phase == layout.LAY:
        return ("treasure", "stone" if state.crosses else "stone NE", "stone NW")[outcome]
    return f"gold {outcome + 1}" if state.phase == layout.GOLD else f"card {KINDS[outcome]}"


def cell_text(state: Any, cell: int) -> str:
    """`x,y` from the start. A cell of the torus stands for many of the table: the one that the tunnel gets to."""
    x, y = cell % layout.SIDE, cell // layout.SIDE
    return f"{_from_start(x, 0, 8, _columns, state)},{_from_start(y, -2, 2, _rows, state)}"


def sites(state: Any) -> list[str]:
    """The empty cells that a tunnel leads into; the picture draws them where they are lit."""
    return [cell_text(state, cell) for cell in cells_of(state.frontier)]


def _from_start(place: int, low: int, high: int, lines: Callable[[Any], list[bool]], state: Any) -> int:
    """A row or column of the torus counted from the start; cards lie in those from `low` to `high` at least.

    Near the start there is no doubt. Else it is on the side to which cards lie without a gap, or to the nearer one.
    """
    if place <= high + 2:
        return place
    if place >= layout.SIDE + low - 8:
        return place - layout.SIDE
    used = lines(state)
    beyond, before = high, low
    while used[(beyond + 1) % layout.SIDE] and beyond + 1 < layout.SIDE + low:
        beyond += 1
    while used[(before - 1) % layout.SIDE] and before - 1 > high - layout.SIDE:
        before -= 1
    is_after = place - beyond <= before - (place - layout.SIDE)
    return place if is_after else place - layout.SIDE


def _columns(state: Any) -> list[bool]:
    bits = 0
    for row in state.tunnels.tolist():
        bits |= row
    return [bool(bits >> x & 1) for x in range(layout.SIDE)]


def _rows(state: Any) -> list[bool]:
    return [row != 0 for row in state.tunnels.tolist()]


def cells_of(words: NDArray[np.int64]) -> list[int]:
    """The cells of a set, ascending."""
    return [
        layout.SIDE * y + x for y, row in enumerate(words.tolist()) if row for x in range(layout.SIDE) if row >> x & 1
    ]


def kinds_of(cards: int) -> list[int]:
    """The cards of a multiset, by kind."""
    return multisets.kinds_of(cards, layout.FIELDS)


def cards_text(cards: int) -> str:
    """`0,8,8,map`, or `-`."""
    return listed((SHORT[kind] for kind in kinds_of(cards)), ",")


def roles_text(bits: int, n: int) -> str:
    """A letter a seat: m or s."""
    return "".join("s" if bits >> seat & 1 else "m" for seat in range(n)) or "-"


def known_roles(state: Any, seat: int | None) -> str:
    """The roles of this round as a seat knows them; they are shown when the round is over."""
    seats = int(state.seats)
    n = 0 if state.phase == layout.FIRST else int(state.step) if state.phase == layout.ROLES else seats
    roles = roles_text(int(state.saboteurs), n)
    if seat is None or state.phase >= layout.GOLD or n == 0:
        return roles
    return "".join(role if owner == seat else "?" for owner, role in enumerate(roles))


def known_goal(state: Any, k: int, seat: int | None) -> str:
    """`t`, `e`, `w`, `?` or `-`; with `!` if it lies face up, and `f` if it is turned."""
    if state.goal[k] < 0:
        return "-"
    known = 7 if seat is None else int(known_goals(state, seat))
    if not known >> k & 1:
        return "?"
    letter = GOAL_LETTERS[state.goal[k]]
    if not int(state.shown) >> k & 1:
        # Who has seen two goals knows the third; of two face-down ones it has seen each.
        return letter
    shape = int(shape_at(state, int(layout.GOAL_CELLS[k])))
    return f"{letter}!{'f' if shape not in (CROSS, int(layout.STONE_SHAPE[state.goal[k]])) else ''}"


def write(state: Any, seat: int | None) -> str:
    """The position, with `?` for what `seat` may not know."""
    seats = range(int(state.seats))
    hands = [state.hand[i] if seat in (None, i) else None for i in seats]
    passed = [state.passed[i] if seat in (None, i) else None for i in seats]
    texts = {
        "round": int(state.lap) + 1,
        "step": int(state.step),
        "last": int(state.last) + 1,
        "roles": known_roles(state, seat),
        "goals": ",".join(known_goal(state, k, seat) for k in range(3)),
        "table": _table_text(state),
        "looked": ",".join(str(int(state.looked[i])) for i in seats),
        "broken": ",".join(str(int(state.broken[i])) for i in seats),
        "hands": "|".join(_own(hands[i], int(state.n_hand[i])) for i in seats),
        "passed": "|".join(_own(passed[i], int(state.n_passed[i])) for i in seats),
        "gone": cards_text(int(removed_cards(state))),
        "won": "".join("-ms"[int(code)] for code in state.outcome_of),
        "were": "/".join(str(int(bits)) for bits in state.were),
        "took": "/".join(took_text(state, lap, seat) for lap in range(layout.N_ROUNDS)),
        "offer": offer_text(state, seat),
        "paid": "/".join(_gold_rows(state.paid[lap], seats) for lap in range(layout.N_ROUNDS)),
        "back": _gold_rows(state.returned, seats),
        "bared": ",".join(str(int(state.bared[i])) for i in seats),
    }
    head = f"{_WORD[int(state.phase)]} {int(state.seat) + 1}"
    return " ".join([head, *(f"{name}={text}" for name, text in texts.items())])


def _own(cards: Any, n: int) -> str:
    return hidden_text(n) if cards is None else cards_text(int(cards))


def _table_text(state: Any) -> str:
    parts = [f"{cell_text(state, cell)}:{card_text(int(shape_at(state, cell)))}" for cell in cells_of(state.tunnels)]
    return listed(parts, ";")


def took_text(state: Any, lap: int, seat: int | None) -> str:
    parts = []
    for number in range(int(state.n_taken[lap])):
        owner = int(state.taker[lap, number])
        knows = seat is None or seat == owner or state.phase == layout.OVER or bool(is_bared(state, lap, number))
        parts.append(f"{owner + 1}:{int(state.taken[lap, number]) + 1 if knows else '?'}")
    return listed(parts, ";")


def offer_text(state: Any, seat: int | None) -> str:
    knows = seat is None or (state.phase == layout.CHOOSE and state.seat == seat)
    if knows:
        return "".join(str(value + 1) * int(state.offer[value]) for value in range(3)) or "-"
    return hidden_text(int(state.n_offer))


def _gold_rows(rows: Any, seats: range) -> str:
    texts = ["".join(str(value + 1) * int(rows[i][value]) for value in range(3)) or "-" for i in seats]
    return ",".join(texts) if any(text != "-" for text in texts) else "-"


# --- reading --------------------------------------------------------------------------------------------

_NAMES = (
    "round", "step", "last", "roles", "goals", "table", "looked", "broken", "hands",
    "passed", "gone", "won", "were", "took", "offer", "paid", "back", "bared",
)  # fmt: skip
_POSITION = re.compile(r"(?P<phase>\w+) (?P<seat>\S+) " + " ".join(rf"{name}=(?P<{name}>\S+)" for name in _NAMES))


def read(state: Any, text: str, seats: int, options: Any) -> None:
    """Write the position that `text` names into `state`; a `?` takes anything that is left."""
    found = _POSITION.fullmatch(text)
    if not found or found["phase"] not in PHASES:
        raise NotationError(f"'{shortened(text)}' is no position of saboteur; `meeple replay FILE --ply 0` prints one")
    state.seats, state.by_miners, state.crosses = seats, int(options[layout.GOLD_CARDS]), int(options[layout.GOALS])
    state.phase, state.seat = PHASES[found["phase"]], number_in("seat", found["seat"], 1, seats) - 1
    # After the third round the round is written as the fourth.
    state.lap = number_in("round", found["round"], 1, layout.N_ROUNDS + 1) - 1
    state.step = number_in("step", found["step"], 0, layout.N_CARDS)
    state.last = number_in("last", found["last"], 0, seats) - 1
    state.looked[:seats] = _numbers(found, "looked", ",", seats, 7)
    state.broken[:seats] = _numbers(found, "broken", ",", seats, 7)
    state.bared[:seats] = _numbers(found, "bared", ",", seats, layout.N_ROUNDS - 1)
    state.were[:] = _numbers(found, "were", "/", layout.N_ROUNDS, (1 << seats) - 1)
    if not re.fullmatch(f"[-ms]{{{layout.N_ROUNDS}}}", found["won"]):
        raise NotationError(f"won={shortened(found['won'])} is not a letter for each round: m, s or -")
    state.outcome_of[:] = ["-ms".index(letter) for letter in found["won"]]
    _read_roles(state, found["roles"], seats)
    _read_table(state, found["table"], found["goals"].split(","))
    _read_cards(state, found, seats)
    _read_gold(state, found, seats)


def _numbers(found: re.Match[str], name: str, mark: str, n: int, most: int) -> list[int]:
    """A number for each seat or round."""
    parts = found[name].split(mark)
    if len(parts) != n:
        whose = "seats" if mark == "," else "rounds"
        raise NotationError(f"{name}={shortened(found[name])} should have a number for each of {n} {whose}")
    return [number_in(name, part, 0, most) for part in parts]


def _read_roles(state: Any, text: str, seats: int) -> None:
    """Roles by letter; of those not known so many are saboteurs that the role cards allow it."""
    letters = "" if text == "-" else text
    if len(letters) > seats or set(letters) - set("ms?"):
        raise NotationError(f"roles={shortened(text)} is not a letter for each of {seats} seats: m, s or ?")
    known = sum(1 << i for i, letter in enumerate(letters) if letter == "s")
    spare = int(layout.SABOTEURS[seats]) - letters.count("s")
    for i, letter in enumerate(letters):
        if letter == "?" and spare > 0:
            known |= 1 << i
            spare -= 1
    state.saboteurs = known


def _read_table(state: Any, table: str, goals: list[str]) -> None:
    clear_table(state)
    left = list(COPIES)
    for part in parts_of(table, ";"):
        found = re.fullmatch(r"(-?[0-9]{1,2}),(-?[0-9]{1,2}):([0-9]{1,2}f?)", part)
        shape = shape_named(found[3]) if found else None
        if not found or shape is None:
            raise NotationError(
                f"'{shortened(part)}' is no tunnel on the table; one reads like 4,-1:7f (x, y, card, turned)"
            )
        kind = CARD_OF[shape][0]
        left[kind] -= 1
        if left[kind] < 0:  # and `flood` has room for the cards of the game, not for more
            raise NotationError(f"there are more cards '{SHORT[kind]}' on the table than the game has")
        cell = layout.SIDE * (int(found[2]) % layout.SIDE) + int(found[1]) % layout.SIDE
        if state.cell[cell] < 0:
            raise NotationError(f"'{part}': something lies there already")
        state.cell[cell] = -1 - shape
        state.tunnels[cell // layout.SIDE] |= 1 << cell % layout.SIDE
    _read_goals(state, goals)
    state.cell[state.cell >= 0] = 0
    for cell in [0, *cells_of(state.tunnels)]:
        make_demands(state, np.int64(cell), shape_at(state, cell))
    for k in range(3):
        if int(state.shown) >> k & 1:
            make_demands(state, layout.GOAL_CELLS[k], shape_at(state, int(layout.GOAL_CELLS[k])))
    flood(state)
    find_frontier(state)


def _read_goals(state: Any, goals: list[str]) -> None:
    state.shown = 0
    wrong = next((goal for goal in goals if not re.fullmatch(r"[tew](!f?)?|[?-]", goal)), None)
    if wrong is not None or len(goals) != 3:
        raise NotationError(
            f"goals={shortened(','.join(goals))} are not three of t, e and w (! face up, f turned), ?, -"
        )
    letters = [goal[0] for goal in goals]
    spare = ["t", "e", "e" if state.crosses else "w"]
    for letter in letters:
        if letter in spare:
            spare.remove(letter)
    for k, goal in enumerate(goals):
        letter = goal[0] if goal[0] != "?" else spare.pop()
        state.goal[k] = GOAL_LETTERS.index(letter) if letter != "-" else -1
        if "!" in goal:
            state.shown |= 1 << k
            shape = CROSS if state.crosses else int(layout.STONE_SHAPE[state.goal[k]])
            state.cell[int(layout.GOAL_CELLS[k])] = -1 - (turned(shape) if goal.endswith("f") else shape)


def _read_cards(state: Any, found: re.Match[str], seats: int) -> None:
    lists = [_read_kinds(part) for name in ("hands", "passed") for part in found[name].split("|")]
    if any(len(found[name].split("|")) != seats for name in ("hands", "passed")):
        raise NotationError(f"there should be hands and passed cards of {seats} seats")
    table = [int(part.split(":")[1].rstrip("f")) for part in parts_of(found["table"], ";")]
    tools = [layout.BREAK_CARD + tool for bits in state.broken[:seats] for tool in range(3) if int(bits) >> tool & 1]
    known = [kind for kinds in [*lists, _read_kinds(found["gone"])] for kind in kinds if kind is not None]
    filled, spare = fill_hidden(lists, [*known, *table, *tools], layout.ALL, SHORT, "the game")
    for i in range(seats):
        state.hand[i], state.n_hand[i] = _multiset(filled[i]), len(filled[i])
        state.passed[i], state.n_passed[i] = _multiset(filled[seats + i]), len(filled[seats + i])
    state.pile, state.left = _multiset(spare), len(spare)


def _read_kinds(text: str) -> list[int | None]:
    return read_kinds(text, SHORT, ", ".join(SHORT))


def _multiset(kinds: list[int]) -> int:
    return multisets.gathered(kinds, layout.FIELDS)


def _read_gold(state: Any, found: re.Match[str], seats: int) -> None:
    """Gold cards; those not known take what is left, in an order that the redeal then forgets."""
    state.taker[:, :] = -1
    state.taken[:, :] = -1
    unknown: list[tuple[int, int]] = []
    for lap, row in enumerate(_rounds(found, "took")):
        picks = parts_of(row, ";")
        if len(picks) > layout.MOST:
            raise NotationError(
                f"took={shortened(row)} names {len(picks)} gold cards of a round; {layout.MOST} are the most"
            )
        state.n_taken[lap] = len(picks)
        for number, pick in enumerate(picks):
            owner, _, value = pick.partition(":")
            state.taker[lap, number] = number_in("took", owner, 1, seats) - 1
            state.taken[lap, number] = 0 if value == "?" else number_in("took", value, 1, 3) - 1
            if value == "?":
                unknown.append((lap, number))
    for lap, row in enumerate(_rounds(found, "paid")):
        _read_gold_rows(state.paid[lap], row, "paid", seats)
    _read_gold_rows(state.returned, found["back"], "back", seats)
    if not re.fullmatch(f"-|[123?]{{1,{layout.MOST_OFFERED}}}", found["offer"]):
        raise NotationError(f"offer={shortened(found['offer'])} is not some gold cards 1, 2, 3 or ?; none is -")
    _fill_gold(state, unknown, found["offer"], seats)


def _rounds(found: re.Match[str], name: str) -> list[str]:
    rows = found[name].split("/")
    if len(rows) != layout.N_ROUNDS:
        raise NotationError(f"{name}={shortened(found[name])} should have {layout.N_ROUNDS} rounds with / between them")
    return rows


def _read_gold_rows(rows: Any, text: str, name: str, seats: int) -> None:
    parts = parts_of(text, ",")
    if len(parts) not in (0, seats) or not all(re.fullmatch(r"-|[123]{1,16}", part) for part in parts):
        raise NotationError(f"{name}={shortened(text)} is not the gold cards of each of {seats} seats, such as 12,-,3")
    for i, part in enumerate(parts):
        for letter in part.strip("-"):
            rows[i][int(letter) - 1] += 1


def _fill_gold(state: Any, unknown: list[tuple[int, int]], offer: str, seats: int) -> None:
    for lap, number in unknown:
        state.taken[lap, number] = -1
    left = [
        int(layout.BANK[value]) - sum(int(gold_of(state, np.int64(i), np.int64(value))) for i in range(seats))
        for value in range(3)
    ]
    state.n_offer = 0 if offer == "-" else len(offer)
    for letter in offer.strip("-?"):
        state.offer[int(letter) - 1] += 1
        left[int(letter) - 1] -= 1

    def spare() -> int:
        value = max(range(3), key=lambda v: left[v])
        left[value] -= 1
        return value

    for lap, number in unknown:
        state.taken[lap, number] = spare()
    for _ in range(offer.count("?")):
        state.offer[spare()] += 1
    for value, n in enumerate(left, 1):
        if n < 0:
            raise NotationError(
                f"gold cards must be in one place each: there are more of value {value} than the game has"
            )
    state.bank[:] = left
