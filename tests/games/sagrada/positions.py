"""Positions for the tests, put together from the parts that matter."""

from __future__ import annotations

from meeple import State, load_game

# Fractal Drops:  .  4  .  Y  6      c1, a1, b2, d2, e2, a3, b3, c4, d4, e4 are blank
#                 R  .  2  .  .
#                 .  .  R  P  1
#                 B  Y  .  .  .
BLANK = "fractal-drops"
# 1 R1 G2 B3 Y4 P5     every row and column has different colours; the rows different values,
# 2 G3 B4 Y5 P6 R1     no column does; equal colours run down to the left
# 3 B1 Y2 P3 R4 G5
# 4 Y6 P1 R2 G3 B4
FULL = (
    "a1 R1,b1 G2,c1 B3,d1 Y4,e1 P5,a2 G3,b2 B4,c2 Y5,d2 P6,e2 R1,"
    "a3 B1,b3 Y2,c3 P3,d3 R4,e3 G5,a4 Y6,b4 P1,c4 R2,d4 G3,e4 B4"
)
PRINTLESS = "eglomise,copper,brush"  # with these in play any die may stand anywhere
EMPTY = "/".join([".." * 5] * 4)


def window(text: str) -> str:
    """Cells from `a1 R4, b2 G3`."""
    rows = [[".."] * 5 for _ in range(4)]
    for part in filter(None, (part.strip() for part in text.split(","))):
        cell, die = part.split()
        rows[int(cell[1]) - 1]["abcde".index(cell[0])] = die
    return "/".join("".join(row) for row in rows)


def dice_in(text: str) -> list[str]:
    """The dice of `R4G2` or of a window."""
    text = text.replace("/", "").replace("-", "")
    return [text[i : i + 2] for i in range(0, len(text), 2) if text[i] != "."]


def at(
    spec: str = "sagrada",
    *,
    mine: str = "",
    other: str = "",
    pool: str = "-",
    track: str = "-",
    tools: str = "hammer,brush,remover",
    goals: str = "light,medium,deep",
    tokens: tuple[int, ...] = (3, 3, 3, 3),
    windows: tuple[str, ...] = (BLANK, "luz-celestial", "sun-catcher", "bellesguard"),
    colours: str = "RGBY",
    phase: str = "turn",
    turn: int = 0,
    done: int = 0,
    start: int = 1,
    used: int = 0,
    drafted: int = 0,
    bag: list[int] | None = None,
    spent: str = "0.0.0.0.0",
) -> State:
    """A position in which seat 1 has the cells `mine` and seat 2 `other`; the bag holds what is not on the table."""
    game = load_game(spec)
    seats = game.seats
    if seats == 1 and len(goals.split(",")) == 3:
        goals = goals.rpartition(",")[0]
    cells = [window(mine), window(other), EMPTY, EMPTY][:seats]
    on_table = [die for part in [*cells, pool, track] for die in dice_in(part)]
    counts = bag or [18 - sum(die[0] == colour for die in on_table) for colour in "RGBYP"]
    lap = [(start - 1 + i) % seats + 1 for i in range(seats)]
    order = "".join(str(seat) for seat in [*lap, *reversed(lap)])
    head = f"done={done} phase={phase} turn={turn} start={start} order={order} tools={tools or '-'} goals={goals}"
    head += f" bag={'.'.join(map(str, counts))} pool={pool} track={track} hand=- used={used} drafted={drafted}"
    head += f" skips=- spent={spent}"
    secret = [colours[:2]] if seats == 1 else list(colours)
    parts = [f"{secret[i]} {windows[i]} {0 if seats == 1 else tokens[i]} {cells[i]} -" for i in range(seats)]
    return game.read(" | ".join([head, *parts]))


def moves(state: State, word: str) -> set[str]:
    """The moves that begin with a word, without it."""
    return {move.partition(" ")[2] for move in state.legal_moves() if move.split()[0] == word}


def cells(state: State, word: str, die: str) -> set[str]:
    """Where a move of this word puts this die."""
    return {move.split()[-1] for move in moves(state, word) if move.split()[0].split(">")[0] == die}
