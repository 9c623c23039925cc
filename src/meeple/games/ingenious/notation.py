"""Ingenious in text.

A cell is a row, `A` at the top, and a number: that of the slanting line that runs down to the right through it,
counted from the left. Colours are R, G, B, O, Y, P. A move: `RO D4 D5` lays red on D4 and orange on D5; `keep` and
`swap` answer the offer of a swap. A position, in one line:

    ROWS PHASE SEAT turn=N bonus=N used=COLOURS swaps=N bag=COUNTS aside=TILES shown=TILES | SCORES HAND | ...

ROWS are the board's from the top with `.` for an empty cell and `/` between; COUNTS has a digit for each of the 21
kinds of tile, SCORES one number a colour, TILES are such as `RR,RG`. In the view of a seat, other hands are written
`?` and COUNTS are those of all tiles that the seat has not seen, in the bag or in other hands.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np

from meeple.core.reading import listed
from meeple.errors import NotationError
from meeple.games.ingenious import geometry, layout, trays
from meeple.games.ingenious.names import CELL_NAMES as CELL_NAMES
from meeple.games.ingenious.names import COLOURS as COLOURS
from meeple.games.ingenious.names import NAMES as NAMES
from meeple.games.ingenious.names import TILE_NAMES as TILE_NAMES
from meeple.games.ingenious.names import rows_of as rows_of
from meeple.games.ingenious.scoring import lowest_kinds, side_of
from meeple.games.ingenious.tiles import (
    ALL_TILES,
    COLOUR_1,
    COLOUR_2,
    HAND,
    KINDS,
    N_COLOURS,
    N_KINDS,
    counts_of,
    deal,
    set_of,
)
from meeple.games.ingenious.tiling import IMPOSSIBLE, find_tiling

LETTERS = COLOURS + "."  # of a cell, by what it shows
KIND_NUMBERS = {pair: number for number, (a, b) in enumerate(KINDS) for pair in ((a, b), (b, a))}
NEIGHBOURS = tuple(frozenset(geometry.NEXT[cell].tolist()) for cell in range(len(geometry.CELLS)))
TRAYS, placed, sites = trays.TRAYS, trays.placed, trays.sites  # of what sets up a position by clicks
PHASES = ("deal", "place", "ask", "draw", "over")
MOVE_PATTERN = r"[rgboyp]{2}\s*[a-o]\s*\d{1,2}\s*[a-o]\s*\d{1,2}|keep|swap"
MOVE_EXAMPLE = "RO D4 D5 (red on D4, orange on D5), keep or swap"
_MOVE = re.compile(r"([RGBOYP])([RGBOYP])([A-O]\d{1,2})([A-O]\d{1,2})")
_HEAD = re.compile(
    r"([RGBOYP./]+) (\w+) ([0-9]) turn=([0-9]{1,3}) bonus=([0-9]{1,3}) used=([RGBOYP]+|-) swaps=([0-9]{1,3})"
    r" bag=([0-9]{21}) aside=(\S+) shown=(\S+)"
)
MOST_STEPS = 20_000  # of the search for tiles on a board; one that is undecided then is let pass
_SEAT = re.compile(r"([0-9]{1,3}(?:,[0-9]{1,3}){5}) (\S+)")


# --- moves


def move_text(state: Any, action: int) -> str:
    """`RO D4 D5`, `keep` or `swap`."""
    if action >= layout.KEEP:
        return "keep" if action == layout.KEEP else "swap"
    oriented, position = divmod(int(action), geometry.SPAN)
    return _placement_text(oriented, position, int(state.seats))


@cache
def _placement_text(oriented: int, position: int, seats: int) -> str:
    names = CELL_NAMES[seats]
    cell_1, cell_2 = names[geometry.CELL_1[position]], names[geometry.CELL_2[position]]
    return _in_order(int(COLOUR_1[oriented]), cell_1, int(COLOUR_2[oriented]), cell_2)


def outcome_text(state: Any, outcome: int) -> str:
    """The tile drawn: `RO`."""
    return TILE_NAMES[outcome]


def tidy(text: str) -> str:
    """A move with its halves in their order: `OR D5 D4` is `RO D4 D5`."""
    found = _MOVE.fullmatch("".join(text.split()).upper())
    if not found:
        return text
    return _in_order(COLOURS.index(found[1]), found[3], COLOURS.index(found[2]), found[4])


def _in_order(first: int, cell_1: str, second: int, cell_2: str) -> str:
    """Halves in the order of their colours, those of a double in the order of their cells."""
    if (second, cell_2[0], int(cell_2[1:])) < (first, cell_1[0], int(cell_1[1:])):
        first, cell_1, second, cell_2 = second, cell_2, first, cell_1
    return f"{COLOURS[first]}{COLOURS[second]} {cell_1} {cell_2}"


# --- positions: writing


def write(state: Any, seat: int | None) -> str:
    """The position in one line, with `?` for what `seat` may not know."""
    cells = state.cell.tolist()
    rows = "/".join("".join(LETTERS[cells[cell]] for cell in row) for row in rows_of(int(state.seats)))
    used = "".join(COLOURS[c] for c in range(N_COLOURS) if (int(state.used) >> c) & 1)
    unseen = int(state.bag)
    if seat is not None:
        unseen += sum(int(state.hand[owner]) for owner in range(state.seats) if owner != seat)
    head = f"{rows} {PHASES[state.phase]} {int(state.seat) + 1} turn={int(state.turn)} bonus={int(state.bonus)}"
    head += f" used={used or '-'} swaps={int(state.swaps)} bag={''.join(str(n) for n in counts_of(unseen))}"
    head += f" aside={tiles_text(state.aside)} shown={tiles_text(state.shown)}"
    return " | ".join([head, *(_write_seat(state, owner, seat) for owner in range(state.seats))])


def show_hand(state: Any, viewer: int, owner: int, text: str, rng: Any) -> None:
    """Put tiles that were shown in a swap into the hand of `owner`, in a world of `viewer`; deal the others anew."""
    wanted, seats = read_tiles(text), range(int(state.seats))
    pool = int(state.bag) - int(state.shown) + sum(int(state.hand[seat]) for seat in seats if seat != viewer)
    missing = [count - need for count, need in zip(counts_of(pool), counts_of(wanted), strict=True)]
    if owner == viewer or sum(counts_of(wanted)) != state.held[owner] or min(missing) < 0:
        raise NotationError(f"'{text}' is no hand of {int(state.held[owner])} tiles that are not seen elsewhere")
    state.hand[owner] = wanted
    pool -= wanted
    for seat in seats:
        if seat not in (owner, viewer):
            state.hand[seat] = deal(pool, int(state.held[seat]), rng)
            pool -= int(state.hand[seat])
    state.bag = pool + int(state.shown)


def _write_seat(state: Any, owner: int, seat: int | None) -> str:
    points = ",".join(str(int(n)) for n in state.points[side_of(state, owner)])
    if seat is None or seat == owner:
        return f"{points} {tiles_text(state.hand[owner])}"
    return f"{points} {'?' * int(state.held[owner]) or '-'}"


def tiles_text(tiles: Any) -> str:
    """A set of tiles: `RR,RG`, or `-` for none."""
    names = [name for name, count in zip(TILE_NAMES, counts_of(int(tiles)), strict=True) for _ in range(count)]
    return listed(names, ",")


# --- positions: reading


def read(state: Any, text: str, seats: int, options: Any) -> None:
    """Write the position that `text` names into `state`, refusing what no game can reach."""
    draft(state, text, seats, options)
    _require_tileable(state, seats)


def draft(state: Any, text: str, seats: int, options: Any) -> None:
    """The same for a text that need be no position yet: its tiles are not looked for on the board."""
    head, *parts = (part.strip() for part in text.split("|"))
    found = _HEAD.fullmatch(head)
    if not found:
        raise NotationError(f"'{text}' is no position of ingenious; one reads like {_example(seats)}")
    if len(parts) != seats:
        raise NotationError(
            f"'{text}' is no position of ingenious for {seats}: it has scores and a hand for {len(parts)}"
        )
    if found[2] not in PHASES:
        raise NotationError(f"'{found[2]}' is no phase of ingenious; one of {', '.join(PHASES)}")
    if not 1 <= int(found[3]) <= seats:
        raise NotationError(f"there is no seat {found[3]} at a table of {seats}")
    _read_variant(state, seats, options)
    _read_board(state, found[1], seats)
    state.phase, state.seat = PHASES.index(found[2]), int(found[3]) - 1
    state.turn, state.bonus, state.swaps = (
        _small(found[i], name) for i, name in ((4, "turn"), (5, "bonus"), (7, "swaps"))
    )
    state.used = sum(1 << COLOURS.index(letter) for letter in set(found[6]) - {"-"})
    bag = set_of(_counts([int(digit) for digit in found[8]], "the bag"))
    state.aside, state.shown = read_tiles(found[9]), read_tiles(found[10])
    rows = [_read_scores(state, owner, part) for owner, part in enumerate(parts)]
    for owner, hand in enumerate(rows):
        if "?" not in hand:
            state.hand[owner] = read_tiles(hand)
            state.held[owner] = sum(counts_of(state.hand[owner]))
    state.bag = _fill_unknown(state, bag, rows)


def _read_variant(state: Any, seats: int, options: Any) -> None:
    state.seats, state.teams, state.words = seats, int(options[layout.TEAMS]), int(geometry.WORDS[seats])
    state.goal = 2 * layout.TRACK if seats == 1 or state.teams else layout.TRACK
    state.most_swaps = layout.MOST_SWAPS if options[layout.SWAP_OPTION] else 1
    state.bound_turns = 1 if options[layout.FIRST_TILE_OPTION] else seats


def _read_board(state: Any, text: str, seats: int) -> None:
    rows, lines = rows_of(seats), text.split("/")
    if [len(line) for line in lines] != [len(row) for row in rows]:
        shape = ", ".join(str(len(row)) for row in rows)
        raise NotationError(f"'{text}' is no board for {seats}: it has {len(rows)} rows of {shape} cells")
    cells = [layout.WALL] * len(state.cell)
    for row, line in zip(rows, lines, strict=True):
        for cell, letter in zip(row, line, strict=True):
            cells[cell] = LETTERS.index(letter)
    for colour, cell in enumerate(geometry.SYMBOL_CELL.tolist()):
        if cells[cell] != colour:
            name = CELL_NAMES[seats][cell]
            raise NotationError(f"{name} must be {COLOURS[colour]}: the {NAMES[colour]} symbol is printed there")
    words = [0] * len(state.open)
    for code, cell_1, cell_2 in _positions(seats):
        if cells[cell_1] == layout.EMPTY and cells[cell_2] == layout.EMPTY:
            words[code >> 6] |= 1 << (code & 63)
    state.cell[:], state.open[:] = cells, words


@cache
def _positions(seats: int) -> tuple[tuple[int, int, int], ...]:
    """The positions of the empty board, with their cells."""
    return tuple(
        (code, int(geometry.CELL_1[code]), int(geometry.CELL_2[code]))
        for code in geometry.POSITION_CODES[: geometry.N_POSITIONS[seats]]
    )


def _read_scores(state: Any, owner: int, text: str) -> str:
    """Take the scores of a seat's part, and return the text of its hand."""
    found = _SEAT.fullmatch(text)
    if not found:
        raise NotationError(f"'{text}' is no seat of ingenious; one reads like 0,1,2,0,0,3 RR,RG,BO,BY,PP,OY")
    points, side = [int(n) for n in found[1].split(",")], side_of(state, owner)
    if max(points) > state.goal:
        raise NotationError(f"seat {owner + 1} has {max(points)} points in a colour; a track ends at {int(state.goal)}")
    if side < owner and list(state.points[side]) != points:
        raise NotationError(f"seat {owner + 1} and its partner share one set of scores")
    state.points[side] = points
    return found[2]


def read_tiles(text: str) -> int:
    """The set that a text such as `RR,RG` names."""
    counts = [0] * N_KINDS
    for name in text.upper().split(",") if text != "-" else []:
        both = {name, name[::-1]} & set(TILE_NAMES)
        if not both:
            raise NotationError(f"'{name}' is no tile; tiles are two of the letters {COLOURS}, such as RR or RG")
        counts[TILE_NAMES.index(both.pop())] += 1
    return set_of(_counts(counts, f"'{text}'"))


def _counts(counts: list[int], whose: str) -> list[int]:
    for name, count, most in zip(TILE_NAMES, counts, counts_of(ALL_TILES), strict=True):
        if count > most:
            raise NotationError(f"{whose} has {count} tiles {name}; there are {most} in all")
    return counts


def _small(text: str, name: str) -> int:
    if int(text) > 100:
        raise NotationError(f"{name}={text} is more than any game has")
    return int(text)


def _fill_unknown(state: Any, bag: int, hands: list[str]) -> int:
    """Give each unknown hand any tiles that fit, and return the bag; the redeal that follows makes a fair sample."""
    left = counts_of(bag)
    kept = counts_of(state.shown)
    unknown = [owner for owner, hand in enumerate(hands) if "?" in hand]
    # The hand that is offered a swap is the narrowest: it comes first.
    for owner in sorted(unknown, key=lambda owner: not (state.phase == layout.ASK and owner == state.seat)):
        hand = hands[owner]
        if hand.strip("?") or len(hand) > HAND:
            raise NotationError(f"'{hand}' is no hand: an unknown one is one to six question marks")
        is_asked = state.phase == layout.ASK and owner == state.seat
        barred = counts_of(lowest_kinds(state, side_of(state, owner)) if is_asked else 0)
        held = [0] * N_KINDS
        for _ in hand:
            kind = next((k for k in range(N_KINDS) if left[k] > kept[k] and not barred[k]), None)
            if kind is None:
                raise NotationError(f"the unseen tiles are too few to fill the hand of seat {owner + 1}")
            left[kind] -= 1
            held[kind] += 1
        state.hand[owner], state.held[owner] = set_of(held), len(hand)
    return set_of(left)


def _require_tileable(state: Any, seats: int) -> None:
    """Refuse a board whose coloured cells cannot be parted into tiles that are out of the bag and the hands."""
    spent = [int(state.bag), int(state.aside), *(int(hand) for hand in state.hand)]
    placed = counts_of(ALL_TILES)
    for tiles in spent:
        placed = [left - count for left, count in zip(placed, counts_of(tiles), strict=True)]
    lacking = next((name for name, count in zip(TILE_NAMES, placed, strict=True) if count < 0), None)
    if lacking:
        raise NotationError(f"bag and hands have more tiles {lacking} than there are in all")
    colours = state.cell.tolist()
    covered = {cell for cell in range(int(geometry.AREA[seats])) if colours[cell] < layout.EMPTY} - set(
        geometry.SYMBOL_CELL.tolist()
    )
    for cell in sorted(covered):
        kinds = {KIND_NUMBERS[colours[cell], colours[other]] for other in NEIGHBOURS[cell] & covered}
        if not any(placed[kind] for kind in kinds):
            name = CELL_NAMES[seats][cell]
            raise NotationError(
                f"{name} cannot be half of a tile: with no neighbour it makes a kind that has been played"
            )
    if find_tiling(state, np.array(placed, dtype=np.int64), MOST_STEPS) == IMPOSSIBLE:
        raise NotationError(
            "the coloured cells cannot be parted into the tiles that are neither in the bag nor in a hand"
        )


def _example(seats: int) -> str:
    rows = "/".join("." * len(row) for row in rows_of(seats))
    return f"{rows} place 1 turn=0 ..."
