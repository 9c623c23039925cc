"""Azul in text.

A position, for two seats on one line:

    round=3 mover=1 first=2 marker=centre bag=8,9,7,6,10 lid=2,1,0,4,1 centre=RK F=BBYK,-,RRWW,-,-
    | 12 B/-/RR/-/WWWW B.R../...../...../...../..... 3 | 8 -/-/-/-/- ...../...../...../...../..... 0

Counts are in the order blue, yellow, red, black, white (B Y R K W). A seat has its points, its five pattern lines, its
wall row by row and its occupied floor slots. The mover is a seat, `chance` or `nobody`; the marker lies in the
centre or with a seat. Without `lid` the lid holds what is not elsewhere (floor tiles lie in the lid).

A move: `F2 blue 4`, `centre red floor`; on a grey wall also `row 3 column 2`, or `row 3 floor` where the tile has no
place. Short forms are read too: `2b4`, `cr-`. An outcome: `F2 blue`.
"""

from __future__ import annotations

import re
from typing import Any

from meeple.core import multisets
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.numbers import shortened, whole_number
from meeple.core.reading import number_in
from meeple.errors import NotationError
from meeple.games.azul import layout, rules, trays
from meeple.games.azul.colours import LETTERS as LETTERS
from meeple.games.azul.colours import NAMES as NAMES
from meeple.games.azul.invariants import count_colour
from meeple.games.azul.wall import full_line, row_colours

TRAYS, placed, sites = trays.TRAYS, trays.placed, trays.sites  # of what sets up a position by clicks
MOVE_PATTERN = (
    r"(F\s*[1-9]|centre)\s*(blue|yellow|red|black|white)\s*([1-5]|floor)|row\s*[1-5]\s*(column\s*[1-5]|floor)"
)
MOVE_EXAMPLE = "F2 blue 4, centre red floor or, on a grey wall, row 3 column 2"
EXAMPLE = (
    "round=1 mover=1 first=1 marker=centre bag=16,16,16,16,16 centre=- F=BBYR,YRKW,BKWW,BYRK,YRKW "
    "| 0 -/-/-/-/- ...../...../...../...../..... 0 | 0 -/-/-/-/- ...../...../...../...../..... 0"
)
_SHORT = re.compile(
    r"(?:(?:f|factory|display)?\s*([1-9])|c|centre|center)\s*"
    r"(blue|yellow|red|black|white|[byrkw])\s*([1-5]|floor|f|-)",
    re.IGNORECASE,
)
_COUNTS = r"(\d+),(\d+),(\d+),(\d+),(\d+)"
_HEAD = re.compile(
    rf"round=(?P<round>\d+) mover=(?P<mover>\w+) first=(?P<first>\d) marker=(?P<marker>\w+) bag=(?P<bag>{_COUNTS})"
    rf"(?: lid=(?P<lid>{_COUNTS}))? centre=(?P<centre>\S+) F=(?P<displays>\S+)"
)
_SEAT = re.compile(r"(?P<points>\d+) (?P<lines>\S+) (?P<wall>\S+) (?P<floor>\d+)")


# --- moves


def move_text(state: Any, action: int) -> str:
    """`F2 blue 4`, `centre red floor`, `row 3 column 2` or `row 3 floor`."""
    if action >= layout.FIRST_TILING:
        row, column = divmod(action - layout.FIRST_TILING, 6)
        return f"row {row + 1} floor" if column == layout.FLOOR else f"row {row + 1} column {column + 1}"
    source, bit = divmod(action, layout.A_SOURCE)
    colour, line = divmod(bit, 6)
    return f"{source_name(source)} {NAMES[colour]} {'floor' if line == layout.FLOOR else line + 1}"


def source_name(source: int) -> str:
    """`centre`, `F1`, `F2` ..."""
    return "centre" if source == layout.CENTRE else f"F{source}"


def outcome_text(state: Any, outcome: int) -> str:
    """`F2 blue`: the colour drawn, and where it goes."""
    slot = int(layout.tiles_a_round(state)) - int(state.draws)
    return f"F{1 + slot // layout.A_DISPLAY} {NAMES[outcome]}"


def tidy(text: str) -> str:
    """The usual form of a short one: `2b4` is `F2 blue 4`, `cr-` is `centre red floor`; K is black."""
    found = _SHORT.fullmatch(text.strip())
    if not found:
        return text
    source = f"F{found[1]}" if found[1] else "centre"
    colour = found[2].lower() if len(found[2]) > 1 else NAMES[LETTERS.index(found[2].upper())]
    return f"{source} {colour} {found[3] if found[3] in '12345' else 'floor'}"


# --- writing a position


def write(state: Any, seat: int | None) -> str:
    """The position; it is the same for every seat."""
    mover = {CHANCE: "chance", NOBODY: "nobody"}.get(int(state.mover), str(int(state.mover) + 1))
    marker = "centre" if state.marker < 0 else str(int(state.marker) + 1)
    displays = ",".join(letters(state.source[1 + i]) for i in range(2 * int(state.seats) + 1))
    head = f"round={int(rules.round_index(state)) + 1} mover={mover} first={int(state.first) + 1} marker={marker}"
    head += (
        f" bag={_counts(state.bag)} lid={_counts(state.lid)} centre={letters(state.source[layout.CENTRE])} F={displays}"
    )
    return " | ".join([head, *(_write_seat(state, owner) for owner in range(int(state.seats)))])


def letters(tiles: Any) -> str:
    """A set of tiles as letters: `BBYK`, or `-` where it is empty."""
    return "".join(letter * count for letter, count in zip(LETTERS, counts_of(tiles), strict=True)) or "-"


def counts_of(tiles: Any) -> list[int]:
    """How many tiles of each colour a set holds."""
    return multisets.counts_of(tiles, layout.FIELDS)


def wall_letter(state: Any, seat: int, row: int, column: int) -> str:
    """The colour of a filled cell of the wall; an empty text where nothing is."""
    if not (int(state.wall[seat]) >> (5 * row + column)) & 1:
        return ""
    if state.grey:
        return LETTERS[((int(state.tint[seat, row]) >> (3 * column)) & 7) - 1]
    return LETTERS[(column - row) % 5]


def _counts(tiles: Any) -> str:
    return ",".join(str(count) for count in counts_of(tiles))


def _write_seat(state: Any, seat: int) -> str:
    lines = "/".join(LETTERS[state.colour[seat, line]] * int(state.held[seat, line]) or "-" for line in range(5))
    rows = ("".join(wall_letter(state, seat, row, column) or "." for column in range(5)) for row in range(5))
    return f"{int(state.points[seat])} {lines} {'/'.join(rows)} {int(state.floor[seat])}"


# --- reading a position


def read(state: Any, text: str, seats: int, options: Any) -> None:
    """Write the position that `text` names into `state`; one that no game can reach is refused with the reason."""
    found = _read_parts(state, text, seats, options)
    for seat in range(seats):
        _require_lines(state, seat)
    _require_supply(state, found)
    _require_reachable(state)


def draft(state: Any, text: str, seats: int, options: Any) -> None:
    """The same for a text that need be no position yet: what is set up by clicks, to be drawn."""
    _read_parts(state, text, seats, options)


def _read_parts(state: Any, text: str, seats: int, options: Any) -> re.Match[str]:
    """Write what a text says into `state`, and return what its first part says."""
    head, *parts = (part.strip() for part in text.split("|"))
    found = _HEAD.fullmatch(head)
    if not found:
        raise NotationError(f"'{text}' is no position of azul; one reads like {EXAMPLE}")
    if len(parts) != seats:
        raise NotationError(f"the position has {len(parts)} player boards, and this game has {seats} seats")
    rules.new_game(state, seats, options, 0)
    _read_head(state, found, seats)
    for seat, part in enumerate(parts):
        _read_seat(state, seat, part)
    _read_supply(state, found)
    return found


def _read_head(state: Any, found: re.Match[str], seats: int) -> None:
    number = number_in("round", found["round"], 1, int(state.cap))
    state.lap = number if found["mover"] == "nobody" else number - 1  # rounds finished
    state.first = _read_seat_number(found["first"], "first", seats)
    state.marker = -1 if found["marker"] == "centre" else _read_seat_number(found["marker"], "marker", seats)
    movers = {"chance": CHANCE, "nobody": NOBODY}
    mover = found["mover"]
    state.mover = movers[mover] if mover in movers else _read_seat_number(mover, "mover", seats)
    displays = found["displays"].split(",")
    _require(len(displays) == 2 * seats + 1, f"{seats} players have {2 * seats + 1} displays, not {len(displays)}")
    state.source[layout.CENTRE] = _read_tiles(found["centre"], "the centre")
    for number, tiles in enumerate(displays, start=1):
        state.source[number] = _read_tiles(tiles, f"display F{number}")
    state.left = sum(sum(counts_of(tiles)) for tiles in state.source)
    state.draws = max(0, int(layout.tiles_a_round(state)) - int(state.left)) if state.mover == CHANCE else 0


def _read_seat_number(text: str, what: str, seats: int) -> int:
    seat = whole_number(text, 1, seats)
    if seat is None:
        raise NotationError(f"{what}={shortened(text)} is no seat of {seats}")
    return seat - 1


def _read_tiles(text: str, where: str) -> int:
    """A set of tiles from letters."""
    if text == "-":
        return 0
    for letter in text:
        _require(letter in LETTERS, f"'{letter}' in {where} is no tile; tiles are B Y R K W")
    for letter in LETTERS:
        _require(text.count(letter) <= layout.COPIES, f"{where} has more than {layout.COPIES} tiles {letter}")
    return multisets.gathered(map(LETTERS.index, text), layout.FIELDS)


def _read_seat(state: Any, seat: int, text: str) -> None:
    found = _SEAT.fullmatch(text)
    if not found:
        raise NotationError(
            f"'{text}' is no player board; one reads like 12 B/-/RR/-/WWWW B.R../...../...../...../..... 3"
        )
    points, floor = (
        whole_number(found["points"], 0, layout.MOST_POINTS),
        whole_number(found["floor"], 0, layout.FLOOR_SLOTS),
    )
    if points is None:
        raise NotationError(f"seat {seat + 1} has {shortened(found['points'])} points: more than any game gives")
    if floor is None:
        raise NotationError(
            f"the floor line of seat {seat + 1} has {layout.FLOOR_SLOTS} slots, not {shortened(found['floor'])}"
        )
    state.points[seat], state.floor[seat] = points, floor
    rows, lines = found["wall"].split("/"), found["lines"].split("/")
    _require(len(rows) == 5 and all(len(row) == 5 for row in rows), f"'{found['wall']}' is no wall of 5 rows of 5")
    _require(len(lines) == 5, f"'{found['lines']}' is not five pattern lines")
    for row in range(5):
        _read_row(state, seat, row, rows[row])
    for line in range(5):
        _read_line(state, seat, line, lines[line])


def _read_row(state: Any, seat: int, row: int, text: str) -> None:
    for column, letter in enumerate(text):
        if letter == ".":
            continue
        where = f"row {row + 1}, column {column + 1} of seat {seat + 1}'s wall"
        _require(letter in LETTERS, f"'{letter}' in {where} is no tile; tiles are B Y R K W, and . is empty")
        colour = LETTERS.index(letter)
        if state.grey:
            state.tint[seat, row] = int(state.tint[seat, row]) | ((colour + 1) << (3 * column))
        else:
            printed = LETTERS[(column - row) % 5]
            _require(letter == printed, f"{where} is printed {printed}, and cannot hold {letter}")
        state.wall[seat] = int(state.wall[seat]) | (1 << (5 * row + column))


def _read_line(state: Any, seat: int, line: int, text: str) -> None:
    where = f"pattern line {line + 1} of seat {seat + 1}"
    _require(text != "", f"{where} is not written; an empty one is -")
    held = 0 if text == "-" else len(text)
    if held:
        _require(text[0] in LETTERS and text == text[0] * held, f"'{text}' in {where} is not one colour of B Y R K W")
        _require(held <= line + 1, f"{where} holds {line + 1} at most, not {held}")
    colour = LETTERS.index(text[0]) if held else 0
    present = int(row_colours(state, seat, line))
    state.held[seat, line], state.colour[seat, line] = held, colour
    opened = [colour] if 0 < held <= line else [k for k in range(layout.COLOURS) if not held and not (present >> k) & 1]
    bits = int(state.open[seat]) & ~(int(layout.ONE_EACH) << line)
    state.open[seat] = bits | sum(1 << (6 * k + line) for k in opened)


def _require_lines(state: Any, seat: int) -> None:
    for line in range(layout.N_LINES):
        colour, present = int(state.colour[seat, line]), int(row_colours(state, seat, line))
        is_doubled = state.held[seat, line] > 0 and (present >> colour) & 1
        where = f"pattern line {line + 1} of seat {seat + 1}"
        _require(not is_doubled, f"{where} holds {LETTERS[colour]}, which its wall row has already")


def _read_supply(state: Any, found: re.Match[str]) -> None:
    """The bag, and the lid as what is not elsewhere."""
    state.bag = state.lid = 0
    bag = _read_counts(found["bag"], "bag")
    rest = _counts_left(state, bag)
    state.bag = multisets.packed(bag, layout.FIELDS)
    state.lid = multisets.packed((max(0, left) for left in rest), layout.FIELDS)


def _counts_left(state: Any, bag: list[int]) -> list[int]:
    """By colour, what is neither offered nor on a board nor in the bag; less than nothing where there is too much."""
    elsewhere = [
        int(count_colour(state, colour)) - multisets.held(state.bag, colour, layout.FIELDS)
        - multisets.held(state.lid, colour, layout.FIELDS)
        for colour in range(layout.COLOURS)
    ]  # fmt: skip
    return [layout.COPIES - int(there) - here for there, here in zip(elsewhere, bag, strict=True)]


def _require_supply(state: Any, found: re.Match[str]) -> None:
    """Refuse more tiles than there are, and a lid that is told but is not what is left."""
    rest = _counts_left(state, _read_counts(found["bag"], "bag"))
    lid = _read_counts(found["lid"], "lid") if found["lid"] else None
    for name, left, given in zip(NAMES, rest, lid or rest, strict=True):
        _require(
            left >= 0, f"there are {layout.COPIES - left} {name} tiles outside the lid; the game has {layout.COPIES}"
        )
        _require(given == left, f"there are {layout.COPIES - left + given} {name} tiles; the game has {layout.COPIES}")


def _read_counts(text: str, where: str) -> list[int]:
    counts = [whole_number(part, 0, layout.COPIES) for part in text.split(",")]
    _require(None not in counts, f"{where}={shortened(text)} is not five counts from 0 to {layout.COPIES}")
    return [count for count in counts if count is not None]


def _require_reachable(state: Any) -> None:
    """Refuse what `check` does not look at, since no match can come to it."""
    seats, left = int(state.seats), int(state.left)
    displays = [sum(counts_of(state.source[1 + i])) for i in range(2 * seats + 1)]
    bag = sum(counts_of(state.bag))
    if state.mover >= 0:
        _require_offer(state, displays, bag)
    else:
        _require(left == 0 or state.mover == CHANCE, "a finished game has no tiles on displays or in the centre")
        _require(state.marker < 0, "between rounds nobody holds the marker: it goes to the centre")
        _require(state.source[layout.CENTRE] == 0, "while displays are filled the centre is empty")
        filled = [min(layout.A_DISPLAY, max(0, left - layout.A_DISPLAY * i)) for i in range(len(displays))]
        _require(displays == filled, "displays are filled in turn, four tiles each")
        for seat in range(seats):
            _require(full_line(state, seat) < 0, f"between rounds seat {seat + 1} has no full pattern line")
    _require_bag(state, bag)
    for seat in range(seats):
        _require_points(state, seat)


def _require_offer(state: Any, displays: list[int], bag: int) -> None:
    """A position in which a seat is to move."""
    seats, left = int(state.seats), int(state.left)
    short = [number for number, tiles in enumerate(displays, start=1) if 0 < tiles < layout.A_DISPLAY]
    may_be_short = bag == 0 and seats > 2 and len(short) == 1 and not any(displays[short[0] :])
    _require(not short or may_be_short, f"display F{(short or [0])[0]} has neither four tiles nor none")
    centre = sum(counts_of(state.source[layout.CENTRE]))
    most = (layout.A_DISPLAY - 1) * displays.count(0)
    _require(centre <= most, f"the centre has {centre} tiles; from {displays.count(0)} empty displays it has {most}")
    if all(tiles == layout.A_DISPLAY for tiles in displays):
        _require(state.marker < 0, "with all displays full nobody can have taken the marker")
        _require(state.mover == state.first, "with all displays full the first player is to move")
        for seat in range(seats):
            _require(state.floor[seat] == 0, f"with all displays full the floor of seat {seat + 1} is empty")
            _require(full_line(state, seat) < 0, f"with all displays full seat {seat + 1} has no full line")
    if left == 0:
        _require(bool(state.grey), "with no tile left on displays and in the centre the round is over")
        has_line = full_line(state, int(state.mover)) >= 0
        _require(has_line, f"seat {int(state.mover) + 1} has no full line to lay a tile of")


def _require_bag(state: Any, bag: int) -> None:
    """Until the bag is empty for the first time, it has lost what the rounds drew."""
    a_round = int(layout.tiles_a_round(state))
    drawn = a_round * int(state.lap) + (a_round if state.mover >= 0 else int(state.left))
    total = layout.COLOURS * layout.COPIES
    is_poured = drawn == total and state.mover == CHANCE
    if drawn <= total and not is_poured:
        _require(bag == total - drawn, f"after {drawn} tiles drawn the bag has {total - drawn}, not {bag}")
    else:
        _require(bag <= total - a_round, f"the bag cannot hold {bag} tiles in round {int(state.lap) + 1}")


def _require_points(state: Any, seat: int) -> None:
    filled = int(state.wall[seat]).bit_count()
    # A tile gives at most 10 points; the bonuses of a whole wall are 5 * (2 + 7 + 10).
    most = 10 * filled + (95 if state.mover == NOBODY else 0)
    points = int(state.points[seat])
    _require(points <= most, f"seat {seat + 1} has {points} points; {filled} tiles on the wall give at most {most}")


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise NotationError(f"this is no position of azul: {message}")
