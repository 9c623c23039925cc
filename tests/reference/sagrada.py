"""Sagrada for one to four players, written for clarity only: a yardstick for a faster engine.

Written from the rules alone and not from the engine; "section" means a section of the rules as they were compiled.

Dice    text: colour letter (R G B Y P) and value, "R4". A die of a colour only is "R".
Cells   text: column letter a-e from the left and row 1-4 from the top, "c2"; inside, (row, column)
        counted from 0, as on the page.
Setup   a dict; there is no randomness in the class:
          "private"     one text per seat: its private colour ("R"); solo: two colours ("RB")
          "offers"      per seat the four names of windows it may choose from
                        (standard: both faces of two cards; thesis: any four patterns)
          "tools"       names of the tool cards, in order (3; solo 1 to 5), as in TOOLS
          "objectives"  names of the public objectives, in order (3; solo 2), as in OBJECTIVES
          "start"       the seat that starts round 1, 0 if left out (faults: the seat before it)

Moves, as text ([pay Y3] stands only in the solo game: the pool die that pays for the tool)
  window Sun's Glory                       a window by its name, as in WINDOWS
  place R4 c2                              a pool die (or the die of Flux Brush, Flux Remover,
                                           Running Pliers) and its cell
  pass                                     ends the turn
  grozing-pliers [pay P3] R4>R5 c2         pool die, the same die turned, cell
  eglomise-brush [pay B3] a1>b2            cell left, cell entered
  copper-foil-burnisher [pay R3] a1>b2     the same
  lathekin [pay Y3] a1>b2 c3>d3            two such parts, in the order in which they are made
  lens-cutter [pay G3] R4>B2 c2            pool die, track die, cell of the track die
  flux-brush [pay P3] R4                   pool die; then a roll "R5"; then "place R5 c2"
                                           (compulsory; no decision if it fits nowhere)
  glazing-hammer [pay B3]                  then one roll for each pool die, sorted by its text
  running-pliers [pay R3]                  standard: then "place R4 c2" (compulsory);
                                           thesis: the turn goes on
  cork-backed-straightedge [pay Y3] R4 c2  pool die, cell
  grinding-stone [pay G3] R4>R3 c2         pool die, the same die turned, cell
  flux-remover [pay P3] R4                 pool die; then a draw: standard "B" (colour only),
                                           thesis "B3" (colour and value); then "place B5 c2", or,
                                           standard only, "return B5"
  tap-wheel [pay B3] a1>b2                 one part
  tap-wheel [pay B3] a1>b2 c3>d3           or two, in the order in which they are made

Both orders of a pair of moves are on offer where both are legal, though they end alike. A turn ends by
"pass", or by itself once its draft and its tool are both spent (thesis: once its draft is spent).

RULINGS where the page is silent
  R1 Standard: the turn of a player who has placed but not used a tool ends by "pass" only, even if no
     tool could be used. A player who has used a tool that leaves the draft ends by placing or "pass".
  R2 Standard Running Pliers before this turn's draft gives that draft up. It needs a die that can be
     placed (section 6: the whole effect), and that extra draft is then compulsory.
  R3 Flux Remover's return to the pool spends the draft, as with Flux Brush.
  R4 The space of a die on the track never matters, so the track is one heap.
  R5 A solo payment leaves the pool before the tool acts: the paying die cannot be the drafted one.
  R6 Solo ranks are [1] for a win and [2] for a loss against the target.
  R7 Lens Cutter may exchange a die for an equal one.
"""

from __future__ import annotations

import random
import sys

COLOURS = "RGBYP"
VALUES = (1, 2, 3, 4, 5, 6)
DICE_PER_COLOUR = 18
N_ROWS, N_COLUMNS = 4, 5
N_ROUNDS = 10
CELLS = [(row, column) for row in range(N_ROWS) for column in range(N_COLUMNS)]

# Name, card, difficulty (tokens) and four rows: a letter asks for a colour, a digit for a value.
WINDOWS = [
    ("Aurorae Magnificus", 1, 5, ("5GBP2", "P...Y", "Y.6.P", "1..G4")),
    ("Aurora Sagradis", 1, 4, ("R.B.Y", "4P3G2", ".1.5.", "..6..")),
    ("Batllo", 2, 5, ("..6..", ".5B4.", "3GYP2", "14R53")),
    ("Bellesguard", 2, 3, ("B6..Y", ".3B..", ".562.", ".4.1G")),
    ("Chromatic Splendor", 3, 4, ("..G..", "2Y5B1", ".R3P.", "1.6.4")),
    ("Comitas", 3, 5, ("Y.2.6", ".4.5Y", "...Y5", "12Y3.")),
    ("Firelight", 4, 5, ("3415.", ".62.Y", "...YR", "5.YR6")),
    ("Sun's Glory", 4, 6, ("1PY.4", "PY..6", "Y..53", ".5421")),
    ("Firmitas", 5, 5, ("P6..3", "5P3..", ".2P1.", ".15P4")),
    ("Kaleidoscopic Dream", 5, 4, ("YB..1", "G.5.4", "3.R.G", "2..BY")),
    ("Fractal Drops", 6, 3, (".4.Y6", "R.2..", "..RP1", "BY...")),
    ("Ripples of Light", 6, 5, ("...R5", "..P4B", ".B3Y6", "Y2G1R")),
    ("Fulgor del Cielo", 7, 5, (".BR..", ".45.B", "B2.R5", "6R31.")),
    ("Luz Celestial", 7, 3, ("..R5.", "P4.G3", "6..B.", ".Y2..")),
    ("Gravitas", 8, 5, ("1.3B.", ".2B..", "6B.4.", "B52.1")),
    ("Water of Life", 8, 6, ("6B..1", ".5B..", "4R2B.", "G6Y3P")),
    ("Industria", 9, 5, ("1R3.6", "54R2.", "..5R1", "...3R")),
    ("Via Lux", 9, 4, ("Y.6..", ".15.2", "3YRP.", "..43R")),
    ("Lux Astram", 10, 5, (".1GP4", "6P25G", "1G53P", ".....")),
    ("Lux Mundi", 10, 6, ("..1..", "1G3B2", "B546G", ".B5G.")),
    ("Shadow Thief", 11, 5, ("6P..5", "5.P..", "R6.P.", "YR543")),
    ("Sun Catcher", 11, 3, (".B2.Y", ".4.R.", "..5Y.", "G3..P")),
    ("Symphony of Light", 12, 6, ("2.5.1", "Y6P2R", ".B4G.", ".3.5.")),
    ("Virtus", 12, 5, ("4.25G", "..6G2", ".3G4.", "5G1..")),
]
WINDOW_NAMES = [name for name, _, _, _ in WINDOWS]
CARD_OF = {name: card for name, card, _, _ in WINDOWS}
DIFFICULTY_OF = {name: difficulty for name, _, difficulty, _ in WINDOWS}
PATTERN_OF = {name: rows for name, _, _, rows in WINDOWS}

# Tool cards in the page's numbering 1 to 12, with the colour that pays in the solo game.
SOLO_COLOUR = {
    "grozing-pliers": "P",
    "eglomise-brush": "B",
    "copper-foil-burnisher": "R",
    "lathekin": "Y",
    "lens-cutter": "G",
    "flux-brush": "P",
    "glazing-hammer": "B",
    "running-pliers": "R",
    "cork-backed-straightedge": "Y",
    "grinding-stone": "G",
    "flux-remover": "P",
    "tap-wheel": "B",
}
TOOLS = list(SOLO_COLOUR)
DRAFTING_TOOLS = (  # kind D: they act on the die drafted this turn and contain the draft
    "grozing-pliers",
    "lens-cutter",
    "flux-brush",
    "cork-backed-straightedge",
    "grinding-stone",
    "flux-remover",
)

# ---------------------------------------------------------------- cells, dice and placement


def cell_text(cell: tuple[int, int]) -> str:
    """Write a cell: (1, 2) is "c2"."""
    return "abcde"[cell[1]] + str(cell[0] + 1)


def read_cell(text: str) -> tuple[int, int]:
    """Read a cell: "c2" is (1, 2)."""
    return int(text[1]) - 1, "abcde".index(text[0])


def colour_of(die: str) -> str:
    """Give the colour letter of a die."""
    return die[0]


def value_of(die: str) -> int:
    """Give the value of a die."""
    return int(die[1])


def is_border(cell: tuple[int, int]) -> bool:
    """Section 5, rule 1: tell whether a cell lies on the border of the window."""
    return cell[0] in (0, N_ROWS - 1) or cell[1] in (0, N_COLUMNS - 1)


def side_neighbours(cell: tuple[int, int]) -> list[tuple[int, int]]:
    """List the up to 4 cells that share a side with this one."""
    return [c for c in CELLS if abs(c[0] - cell[0]) + abs(c[1] - cell[1]) == 1]


def diagonal_neighbours(cell: tuple[int, int]) -> list[tuple[int, int]]:
    """List the up to 4 cells that share only a corner with this one."""
    return [c for c in CELLS if abs(c[0] - cell[0]) == 1 and abs(c[1] - cell[1]) == 1]


SIDES = {cell: side_neighbours(cell) for cell in CELLS}
DIAGONALS = {cell: diagonal_neighbours(cell) for cell in CELLS}


def has_contact(dice: dict, cell: tuple[int, int]) -> bool:
    """Section 5, rule 2: tell whether a die lies on one of the up to 8 neighbours of a cell."""
    return any(neighbour in dice for neighbour in SIDES[cell] + DIAGONALS[cell])


def print_allows(sign: str, die: str, ignore: str) -> bool:
    """Section 5, rule 3: tell whether the printed sign of a cell takes a die.

    `ignore` is "colour" (Eglomise Brush), "value" (Copper Foil Burnisher) or "".
    """
    if sign == ".":
        return True
    if sign in COLOURS:
        return ignore == "colour" or sign == colour_of(die)
    return ignore == "value" or int(sign) == value_of(die)


def neighbours_allow(dice: dict, die: str, cell: tuple[int, int]) -> bool:
    """Section 5, rule 4: no die on a side neighbour has this colour or this value."""
    for neighbour in SIDES[cell]:
        if neighbour in dice:
            other = dice[neighbour]
            if colour_of(other) == colour_of(die) or value_of(other) == value_of(die):
                return False
    return True


def can_place(pattern, dice: dict, die: str, cell, ignore: str = "", apart: bool = False) -> bool:
    """Section 5: tell whether a die may go on a cell of a window holding `dice`.

    With `apart` (Cork-backed Straightedge) the cell must touch no die at all.
    """
    if cell in dice:
        return False
    if not dice and not is_border(cell):
        return False
    if dice and has_contact(dice, cell) == apart:
        return False
    sign = pattern[cell[0]][cell[1]]
    return print_allows(sign, die, ignore) and neighbours_allow(dice, die, cell)


def can_move(pattern, dice: dict, origin, target, ignore: str = "") -> bool:
    """Section 6, "Moving": lift the die on `origin`, then place it on a different empty cell."""
    if target in dice:  # its own cell included
        return False
    others = without_cell(dice, origin)
    return can_place(pattern, others, dice[origin], target, ignore)


def without_cell(dice: dict, cell) -> dict:
    """Give a copy of a window's dice with one die lifted."""
    return {c: die for c, die in dice.items() if c != cell}


def moved(dice: dict, origin, target) -> dict:
    """Give a copy of a window's dice with one die moved."""
    after = without_cell(dice, origin)
    after[target] = dice[origin]
    return after


def step_text(step) -> str:
    """Write one moved die: "a1>b2"."""
    origin, target = step
    return f"{cell_text(origin)}>{cell_text(target)}"


def read_step(text: str):
    """Read one moved die."""
    origin, target = text.split(">")
    return read_cell(origin), read_cell(target)


def single_steps(pattern, dice: dict, ignore: str = "") -> list:
    """List every legal move of one placed die, as (origin, target)."""
    return [(o, t) for o in sorted(dice) for t in CELLS if can_move(pattern, dice, o, t, ignore)]


def step_pairs(pattern, dice: dict, is_thesis: bool) -> list:
    """Section 12, item 4: list the ordered pairs of moves of two different dice.

    Two complete moves in a row, each legal when made. Thesis (section 7, tool 4): the second must
    also be legal by itself on the window as it was, which makes its target one that was empty then.
    """
    alone = single_steps(pattern, dice)
    pairs = []
    for first in alone:
        between = moved(dice, *first)
        for second in single_steps(pattern, between):
            is_same_die = second[0] == first[1]
            if is_same_die or (is_thesis and second not in alone):
                continue
            pairs.append((first, second))
    return pairs


def without_die(heap: list[str], die: str) -> list[str]:
    """Give a copy of a heap of dice with one such die taken away."""
    after = list(heap)
    after.remove(die)
    return after


# ---------------------------------------------------------------- public objectives (section 8)


def lines_of(dice: dict, lines) -> list[list[str]]:
    """List the dice of each full line; incomplete lines score nothing."""
    return [[dice[cell] for cell in line] for line in lines if all(cell in dice for cell in line)]


ROWS = [[(row, column) for column in range(N_COLUMNS)] for row in range(N_ROWS)]
COLUMNS = [[(row, column) for row in range(N_ROWS)] for column in range(N_COLUMNS)]


def count_varied_lines(dice: dict, lines, feature) -> int:
    """Count the full lines in which no colour (or no value) comes twice."""
    varied = 0
    for line in lines_of(dice, lines):
        features = [feature(die) for die in line]
        if len(set(features)) == len(features):
            varied += 1
    return varied


def count_sets(dice: dict, feature, wanted) -> int:
    """Count the complete sets: the smallest number of dice over the wanted features."""
    features = [feature(die) for die in dice.values()]
    return min(features.count(one) for one in wanted)


def count_on_diagonals(dice: dict) -> int:
    """Count the dice with a diagonal neighbour of their own colour, each once (item 11)."""
    n = 0
    for cell, die in dice.items():
        others = [dice[c] for c in DIAGONALS[cell] if c in dice]
        if any(colour_of(other) == colour_of(die) for other in others):
            n += 1
    return n


OBJECTIVES = {
    "row-color-variety": lambda dice: 6 * count_varied_lines(dice, ROWS, colour_of),
    "column-color-variety": lambda dice: 5 * count_varied_lines(dice, COLUMNS, colour_of),
    "row-shade-variety": lambda dice: 5 * count_varied_lines(dice, ROWS, value_of),
    "column-shade-variety": lambda dice: 4 * count_varied_lines(dice, COLUMNS, value_of),
    "light-shades": lambda dice: 2 * count_sets(dice, value_of, (1, 2)),
    "medium-shades": lambda dice: 2 * count_sets(dice, value_of, (3, 4)),
    "deep-shades": lambda dice: 2 * count_sets(dice, value_of, (5, 6)),
    "shade-variety": lambda dice: 5 * count_sets(dice, value_of, VALUES),
    "color-variety": lambda dice: 4 * count_sets(dice, colour_of, COLOURS),
    "color-diagonals": lambda dice: 1 * count_on_diagonals(dice),
}
# Section 11: the thesis program always pays these two cards in full.
FAULTY_OBJECTIVES = {"shade-variety": 15, "color-variety": 16}
ROW_OBJECTIVES = ("row-color-variety", "row-shade-variety")


def refuses_every_die(pattern, dice: dict, cell) -> bool:
    """Tell whether an empty cell can take no die any more, whatever comes: tried with all thirty."""
    sign = pattern[cell[0]][cell[1]]
    tried = (colour + str(value) for colour in COLOURS for value in VALUES)
    return not any(print_allows(sign, die, "") and neighbours_allow(dice, die, cell) for die in tried)


def rows_that_count(pattern, dice: dict) -> dict:
    """Section 11: the thesis program counts rows from the top, and none from the first that it knows to be lost."""
    counted = {}
    for row in ROWS:
        if any(cell not in dice and refuses_every_die(pattern, dice, cell) for cell in row):
            break
        counted |= {cell: dice[cell] for cell in row if cell in dice}
    return counted


def private_points(dice: dict, colour: str) -> int:
    """Section 9: the sum of the values of the dice of one's colour."""
    return sum(value_of(die) for die in dice.values() if colour_of(die) == colour)


# ---------------------------------------------------------------- the game


class Sagrada:
    """One game in progress; `play` changes it in place.

    Stages: "windows" (choosing), "fill-pool" (chance), "turn", "extra-draft" (standard Running
    Pliers), "roll-brush" (chance), "place-brush", "draw-remover" (chance), "place-remover",
    "roll-hammer" (chance), "over".
    """

    def __init__(self, players: int, rules: str = "standard", faults: bool = False, setup: dict | None = None):
        check_setup(players, rules, faults, setup)
        self.n_seats = players
        self.is_solo = players == 1
        self.is_thesis = rules == "thesis"
        self.faults = faults
        # What was dealt.
        self.private = list(setup["private"])
        self.offers = [list(offer) for offer in setup["offers"]]
        self.objectives = list(setup["objectives"])
        self.tools = list(setup["tools"])
        self.first_starter = setup.get("start", 0)
        if faults:  # section 11: the start index is advanced before every round, the first too
            self.first_starter = (self.first_starter + 1) % players
        # What the seats hold.
        self.names = [None] * players  # the chosen windows
        self.dice = [{} for _ in range(players)]  # placed dice, by cell
        self.tokens = [0] * players
        self.uses = dict.fromkeys(self.tools, 0)
        self.tokens_on = dict.fromkeys(self.tools, 0)
        # Where the dice are.
        self.bag = dict.fromkeys(COLOURS, DICE_PER_COLOUR)
        self.pool: list[str] = []
        self.track: list[str] = []
        self.removed: list[str] = []  # solo payments
        self.hand = None  # the die of Flux Brush or Flux Remover
        self.to_roll: list[str] = []  # Glazing Hammer: pool dice not yet rolled again
        # Where the game is.
        self.stage = "windows"
        self.round = 0
        self.order: list[int] = []  # seats of this round's turns
        self.turn_index = 0
        self.draft_spent = False
        self.tool_spent = False

    # -------- who is to act

    def to_move(self):
        """Give the seat to move, "chance", or None when the game is over."""
        if self.stage == "over":
            return None
        if self.stage == "windows":
            return self.names.index(None)
        if self.stage in ("fill-pool", "roll-brush", "draw-remover", "roll-hammer"):
            return "chance"
        return self.order[self.turn_index]

    def round_index(self) -> int:
        """Give the round from 0 to 9: 0 while windows are chosen, 9 when the game is over."""
        return self.round

    def is_first_turn(self) -> bool:
        """Tell whether the seat to move is in its first turn of this round."""
        return self.order[self.turn_index] not in self.order[: self.turn_index]

    def pattern(self, seat: int):
        """Give the printed rows of a seat's window; faults blank the purple cell of Via Lux."""
        rows = PATTERN_OF[self.names[seat]]
        if self.faults and self.names[seat] == "Via Lux":
            rows = (rows[0], rows[1], rows[2].replace("P", "."), rows[3])
        return rows

    # -------- chance

    def outcomes(self) -> dict[str, int]:
        """Give what chance may do next, with weights in proportion; empty if it is not chance's turn."""
        if self.stage == "roll-brush":
            return {colour_of(self.hand) + str(value): 1 for value in VALUES}
        if self.stage == "roll-hammer":
            return {colour_of(self.to_roll[0]) + str(value): 1 for value in VALUES}
        in_bag = {colour: n for colour, n in self.bag.items() if n > 0}
        if self.stage == "draw-remover" and not self.is_thesis:
            return in_bag
        if self.stage in ("fill-pool", "draw-remover"):
            return {colour + str(value): n for colour, n in in_bag.items() for value in VALUES}
        return {}

    def happen(self, outcome: str) -> None:
        """Carry out one outcome of chance."""
        if self.stage == "fill-pool":
            self.bag[colour_of(outcome)] -= 1
            self.pool.append(outcome)
            if len(self.pool) == self.pool_size():
                self.begin_turn()
        elif self.stage == "roll-hammer":
            self.to_roll.pop(0)
            self.pool.append(outcome)
            if not self.to_roll:
                self.stage = "turn"
        elif self.stage == "roll-brush":
            self.hand = outcome
            self.stage = "place-brush"
            self.return_what_fits_nowhere()
        elif self.stage == "draw-remover":
            self.bag[colour_of(outcome)] -= 1
            self.hand = outcome
            self.stage = "place-remover"
            if self.is_thesis:
                self.return_what_fits_nowhere()

    def return_what_fits_nowhere(self) -> None:
        """Tools 6 and 11: a die with no legal cell goes to the pool, and the turn is over."""
        if not self.moves():
            self.pool.append(self.hand)
            self.hand = None
            self.spend_draft()

    # -------- rounds and turns (section 3)

    def pool_size(self) -> int:
        """Give the number of dice rolled for a round: 2n + 1, solo 4."""
        return 4 if self.is_solo else 2 * self.n_seats + 1

    def starter(self, round_index: int) -> int:
        """Give the start player of a round: the role moves one seat clockwise every round."""
        return (self.first_starter + round_index) % self.n_seats

    def first_lap(self, round_index: int) -> list[int]:
        """List the seats clockwise from the start player of a round."""
        return [(self.starter(round_index) + k) % self.n_seats for k in range(self.n_seats)]

    def begin_round(self) -> None:
        """Set the snake order and let chance fill the pool."""
        lap = self.first_lap(self.round)
        self.order = lap + lap[::-1]
        self.turn_index = 0
        self.stage = "fill-pool"

    def begin_turn(self) -> None:
        """Give the seat to move a fresh draft and a fresh tool allowance."""
        self.draft_spent = False
        self.tool_spent = False
        self.stage = "turn"

    def end_turn(self) -> None:
        """Go to the next turn, or finish the round."""
        self.turn_index += 1
        if self.turn_index < len(self.order):
            self.begin_turn()
        else:
            self.end_round()

    def end_round(self) -> None:
        """Put what is left of the pool on the track; after round 10 the game is over."""
        self.track.extend(self.pool)
        self.pool = []
        if self.round == N_ROUNDS - 1:
            self.stage = "over"
        else:
            self.round += 1
            self.begin_round()

    def spend_draft(self) -> None:
        """Note that this turn's draft is over; end the turn if nothing else could follow."""
        self.draft_spent = True
        self.stage = "turn"
        if self.is_thesis or self.tool_spent:
            self.end_turn()

    def spend_tool(self) -> None:
        """Note that this turn's tool has been used; end the turn if nothing else could follow."""
        self.tool_spent = True
        if self.draft_spent:
            self.end_turn()

    # -------- legal moves

    def moves(self) -> list[str]:
        """List all legal moves of the seat to move, sorted; nothing at chance or when over."""
        if self.stage == "windows":
            found = ["window " + name for name in self.offers[self.to_move()]]
        elif self.stage == "turn":
            found = self.turn_moves()
        elif self.stage == "extra-draft":
            found = self.placements(self.pool)
        elif self.stage == "place-brush":
            found = self.placements([self.hand])
        elif self.stage == "place-remover":
            found = self.remover_moves()
        else:
            found = []
        return sorted(set(found))

    def turn_moves(self) -> list[str]:
        """Section 4: draft, use a tool, or do no more."""
        found = ["pass"]
        if not self.draft_spent:
            found += self.placements(self.pool)
        if not self.tool_spent:
            for tool in self.tools:
                found += self.tool_moves(tool)
        return found

    def legal_cells(self, die: str, apart: bool = False) -> list:
        """List the cells of the mover's window where a die may go."""
        seat = self.to_move()
        pattern, dice = self.pattern(seat), self.dice[seat]
        return [cell for cell in CELLS if can_place(pattern, dice, die, cell, apart=apart)]

    def placements(self, heap: list[str]) -> list[str]:
        """List every way to place one die of a heap."""
        return [f"place {die} {cell_text(cell)}" for die in heap for cell in self.legal_cells(die)]

    def remover_moves(self) -> list[str]:
        """Tool 11 after the draw: any value, any legal cell; standard: or back to the pool."""
        dice = [colour_of(self.hand) + str(value) for value in VALUES]
        found = self.placements(dice)
        if not self.is_thesis:
            found += ["return " + die for die in dice]
        return found

    # -------- tools (sections 6 and 7)

    def tool_moves(self, tool: str) -> list[str]:
        """List every use of one tool now: payment first, then the tool's own parts."""
        if not self.is_time_for(tool):
            return []
        found = []
        for paying_die in self.payments(tool):
            pool = without_die(self.pool, paying_die) if paying_die else self.pool
            payment = ["pay " + paying_die] if paying_die else []
            for parts in self.tool_parts(tool, pool):
                found.append(" ".join([tool, *payment, *parts]))
        return found

    def is_time_for(self, tool: str) -> bool:
        """Section 7, "kind": tell whether a tool may be used at this point of the turn."""
        if tool in DRAFTING_TOOLS:
            return not self.draft_spent
        if tool == "glazing-hammer":
            return not self.is_first_turn() and not self.draft_spent
        if tool == "running-pliers":
            return self.is_first_turn() and not (self.is_thesis and self.is_next_turn_mine())
        return True

    def is_next_turn_mine(self) -> bool:
        """Tell whether the seat to move also has the turn after this one."""
        return self.order[self.turn_index] == self.order[self.turn_index + 1]

    def cost(self, tool: str) -> int:
        """Section 6: 1 token for a card never used, 2 afterwards."""
        return 1 if self.uses[tool] == 0 else 2

    def payments(self, tool: str) -> list[str]:
        """List the ways to pay: solo, the pool dice of the card's colour; otherwise "" for tokens."""
        if self.is_solo:
            if self.uses[tool] > 0:
                return []
            return sorted({die for die in self.pool if colour_of(die) == SOLO_COLOUR[tool]})
        return [""] if self.tokens[self.to_move()] >= self.cost(tool) else []

    def tool_parts(self, tool: str, pool: list[str]) -> list[list[str]]:
        """List the parts after the tool's name, for every legal use with this pool."""
        seat = self.to_move()
        pattern, dice = self.pattern(seat), self.dice[seat]
        if tool == "grozing-pliers":
            return self.turned_parts(pool, lambda value: [value - 1, value + 1])
        if tool == "grinding-stone":
            return self.turned_parts(pool, lambda value: [7 - value])
        if tool == "eglomise-brush":
            return [[step_text(step)] for step in single_steps(pattern, dice, "colour")]
        if tool == "copper-foil-burnisher":
            return [[step_text(step)] for step in single_steps(pattern, dice, "value")]
        if tool == "lathekin":
            pairs = step_pairs(pattern, dice, self.is_thesis)
            return [[step_text(first), step_text(second)] for first, second in pairs]
        if tool == "tap-wheel":
            return self.tap_wheel_parts(pattern, dice)
        if tool == "lens-cutter":
            return self.lens_cutter_parts(pool)
        if tool == "cork-backed-straightedge":
            return [[d, cell_text(cell)] for d in pool for cell in self.legal_cells(d, apart=True)]
        if tool == "flux-brush":
            return [[die] for die in pool]
        if tool == "flux-remover":
            is_bag_empty = sum(self.bag.values()) == 0
            return [] if self.is_thesis and is_bag_empty else [[die] for die in pool]
        if tool == "glazing-hammer":
            return [[]] if pool else []
        if tool == "running-pliers":  # RULING R2; the thesis only exchanges turns
            return [[]] if self.is_thesis or self.placements(pool) else []
        raise AssertionError(tool)

    def turned_parts(self, pool: list[str], new_values) -> list[list[str]]:
        """Tools 1 and 10: a pool die, the same die with a new value, a cell where that one fits."""
        found = []
        for die in pool:
            for value in new_values(value_of(die)):
                if value in VALUES:  # no wrap from 6 to 1
                    turned = colour_of(die) + str(value)
                    for cell in self.legal_cells(turned):
                        found.append([f"{die}>{turned}", cell_text(cell)])
        return found

    def lens_cutter_parts(self, pool: list[str]) -> list[list[str]]:
        """Tool 5: a pool die, the track die it is exchanged for, a cell for the track die."""
        found = []
        for track_die in sorted(set(self.track)):
            for cell in self.legal_cells(track_die):
                found += [[f"{die}>{track_die}", cell_text(cell)] for die in pool]
        return found

    def tap_wheel_parts(self, pattern, dice: dict) -> list[list[str]]:
        """Tool 12: one die, or two of one colour, that colour lying on the track."""
        on_track = {colour_of(die) for die in self.track}
        found = []
        for step in single_steps(pattern, dice):
            if colour_of(dice[step[0]]) in on_track:
                found.append([step_text(step)])
        for first, second in step_pairs(pattern, dice, self.is_thesis):
            colour = colour_of(dice[first[0]])
            if colour in on_track and colour == colour_of(dice[second[0]]):
                found.append([step_text(first), step_text(second)])
        return found

    # -------- playing

    def play(self, text: str) -> None:
        """Carry out a legal move, or at chance an outcome."""
        if self.to_move() == "chance":
            if text not in self.outcomes():
                raise ValueError(f"not an outcome: {text!r}; possible: {', '.join(self.outcomes())}")
            self.happen(text)
            return
        if text not in self.moves():
            raise ValueError(f"not a legal move: {text!r}; legal: {', '.join(self.moves())}")
        verb, _, rest = text.partition(" ")
        if verb == "window":
            self.choose_window(rest)
        elif verb == "pass":
            self.end_turn()
        elif verb == "place":
            self.place(*rest.split(" "))
        elif verb == "return":
            self.pool.append(rest)
            self.hand = None
            self.spend_draft()
        else:
            self.use_tool(verb, rest.split(" ") if rest else [])

    def choose_window(self, name: str) -> None:
        """Section 2: take a window and its tokens (solo: none); after the last seat, round 1."""
        seat = self.to_move()
        self.names[seat] = name
        if not self.is_solo:
            is_misprint = self.faults and name == "Industria"
            self.tokens[seat] = 6 if is_misprint else DIFFICULTY_OF[name]
        if None not in self.names:
            self.begin_round()

    def place(self, die: str, cell: str) -> None:
        """Place a die from the hand (tools 6, 11) or else from the pool; the draft is spent."""
        if self.hand is not None:
            self.hand = None
        else:
            self.pool.remove(die)
        self.dice[self.to_move()][read_cell(cell)] = die
        self.spend_draft()

    def use_tool(self, tool: str, parts: list[str]) -> None:
        """Pay for a tool, then do what it says."""
        if parts and parts[0] == "pay":
            self.pool.remove(parts[1])
            self.removed.append(parts[1])
            parts = parts[2:]
        else:
            self.tokens[self.to_move()] -= self.cost(tool)
            self.tokens_on[tool] += self.cost(tool)
        self.uses[tool] += 1
        if tool in ("eglomise-brush", "copper-foil-burnisher", "lathekin", "tap-wheel"):
            self.do_steps(parts)
        elif tool in ("grozing-pliers", "grinding-stone", "cork-backed-straightedge", "lens-cutter"):
            self.do_special_draft(tool, parts)
        elif tool == "flux-brush":
            self.take_in_hand(parts[0])
        elif tool == "flux-remover":
            self.put_in_bag(parts[0])
        elif tool == "glazing-hammer":
            self.do_glazing_hammer()
        elif tool == "running-pliers":
            self.do_running_pliers()

    def do_steps(self, parts: list[str]) -> None:
        """Tools 2, 3, 4, 12: move one or two placed dice, in the order written."""
        seat = self.to_move()
        for part in parts:
            self.dice[seat] = moved(self.dice[seat], *read_step(part))
        self.spend_tool()

    def do_special_draft(self, tool: str, parts: list[str]) -> None:
        """Tools 1, 5, 9, 10: take a pool die, change or exchange it, place the result."""
        change, cell = parts
        taken, _, placed = change.partition(">")
        self.pool.remove(taken)
        if tool == "lens-cutter":
            self.track.remove(placed)
            self.track.append(taken)
        if tool == "cork-backed-straightedge":
            placed = taken
        self.dice[self.to_move()][read_cell(cell)] = placed
        self.tool_spent = True
        self.spend_draft()

    def take_in_hand(self, die: str) -> None:
        """Tool 6, first step: take the die; it will be rolled."""
        self.tool_spent = True
        self.pool.remove(die)
        self.hand = die
        self.stage = "roll-brush"

    def put_in_bag(self, die: str) -> None:
        """Tool 11, first step: the die goes into the bag; one will be drawn (it may be the same)."""
        self.tool_spent = True
        self.pool.remove(die)
        self.bag[colour_of(die)] += 1
        self.stage = "draw-remover"

    def do_glazing_hammer(self) -> None:
        """Tool 7: all pool dice will be rolled again, one event each; then the draft is still free."""
        self.tool_spent = True
        self.to_roll = sorted(self.pool)
        self.pool = []
        self.stage = "roll-hammer"

    def do_running_pliers(self) -> None:
        """Tool 8: lose the later turn; standard: draft one more die now; thesis: take that turn next."""
        seat = self.to_move()
        self.tool_spent = True
        later = self.order.index(seat, self.turn_index + 1)
        self.order.pop(later)
        if self.is_thesis:
            self.order.insert(self.turn_index + 1, seat)
        else:
            self.stage = "extra-draft"

    # -------- scoring (sections 9 and 10)

    def public_points(self, seat: int, objective: str) -> int:
        """Section 8: what one public objective pays to a seat."""
        if self.faults and objective in FAULTY_OBJECTIVES:
            return FAULTY_OBJECTIVES[objective]
        dice = self.dice[seat]
        if self.faults and objective in ROW_OBJECTIVES and self.names[seat]:
            dice = rows_that_count(self.pattern(seat), dice)
        return OBJECTIVES[objective](dice)

    def score_parts(self, seat: int) -> dict:
        """Give the parts of a seat's score; solo has the target to beat as well."""
        public = {name: self.public_points(seat, name) for name in self.objectives}
        private = max(private_points(self.dice[seat], colour) for colour in self.private[seat])
        n_empty = len(CELLS) - len(self.dice[seat])
        empty = -(3 if self.is_solo else 1) * n_empty
        tokens = self.tokens[seat]
        total = sum(public.values()) + private + empty + tokens
        parts = {"public": public, "private": private, "empty": empty, "tokens": tokens, "total": total}
        if self.is_solo:
            parts["target"] = sum(value_of(die) for die in self.track)
        return parts

    def scores(self) -> list[int]:
        """Give the score of every seat; negative ones stay negative (section 12, item 12)."""
        return [self.score_parts(seat)["total"] for seat in range(self.n_seats)]

    def ranks(self) -> list[int]:
        """Give every seat's rank, 1 the best; solo: 1 for a win, 2 for a loss (RULING R6)."""
        if self.is_solo:
            parts = self.score_parts(0)
            return [1 if parts["total"] > parts["target"] else 2]
        keys = [self.rank_key(seat) for seat in range(self.n_seats)]
        return [1 + sum(other > key for other in keys) for key in keys]

    def rank_key(self, seat: int) -> tuple:
        """Section 9, ties: what is compared between seats, in order; more is better."""
        parts = self.score_parts(seat)
        if self.is_thesis:
            return parts["total"], parts["private"], -seat
        place = self.first_lap(N_ROUNDS - 1).index(seat)  # later in the last round wins
        return parts["total"], parts["private"], parts["tokens"], place

    # -------- looking

    def snapshot(self) -> dict:
        """Give the whole position as plain data.

        "half" is 1 or 2: the first or second turn of the seat in this round (None before round 1 and
        at the end). "pool" lacks dice that wait for Glazing Hammer's roll ("to_roll") and the die in
        "hand" (a colour only after a standard Flux Remover draw).
        """
        is_running = self.stage not in ("windows", "over")
        return {
            "round_index": self.round,
            "stage": self.stage,
            "to_move": self.to_move(),
            "turn_seat": self.order[self.turn_index] if is_running else None,
            "half": (1 if self.is_first_turn() else 2) if is_running else None,
            "turn_index": self.turn_index,
            "order": list(self.order),
            "draft_spent": self.draft_spent,
            "tool_spent": self.tool_spent,
            "windows": [
                {"name": name, "dice": {cell_text(cell): dice[cell] for cell in sorted(dice)}}
                for name, dice in zip(self.names, self.dice, strict=False)
            ],
            "tokens": list(self.tokens),
            "pool": sorted(self.pool),
            "to_roll": list(self.to_roll),
            "hand": self.hand,
            "track": sorted(self.track),
            "bag": dict(self.bag),
            "removed": sorted(self.removed),
            "tools": dict(self.uses),  # how often each card has been used
            "tokens_on_tools": dict(self.tokens_on),
        }


def check_setup(players: int, rules: str, faults: bool, setup: dict) -> None:
    """Sections 2 and 10: refuse a setup that the rules could not deal."""
    is_solo = players == 1
    if rules not in ("standard", "thesis") or players not in (1, 2, 3, 4):
        raise ValueError(f"no such game: {players} players, rules {rules!r}")
    if (rules == "thesis" and is_solo) or (faults and rules != "thesis"):
        raise ValueError("the thesis has no solo game, and the faults are the thesis program's")
    colours = "".join(setup["private"])
    n_private = 2 if is_solo else 1
    is_right_length = [len(text) for text in setup["private"]] == [n_private] * players
    if not is_right_length or len(set(colours)) != len(colours) or not set(colours) <= set(COLOURS):
        raise ValueError(f"bad private colours: {setup['private']}")
    offered = [name for offer in setup["offers"] for name in offer]
    if [len(offer) for offer in setup["offers"]] != [4] * players or len(set(offered)) != 4 * players:
        raise ValueError("each seat is offered four windows, all different")
    for offer in setup["offers"]:
        if rules == "standard" and len({CARD_OF[name] for name in offer}) != 2:
            raise ValueError(f"not the four faces of two cards: {offer}")
    n_tools, n_objectives = len(setup["tools"]), len(setup["objectives"])
    if not (1 <= n_tools <= 5 if is_solo else n_tools == 3) or n_objectives != (2 if is_solo else 3):
        raise ValueError("wrong number of tool cards or public objectives")
    for names, known in ((setup["tools"], TOOLS), (setup["objectives"], OBJECTIVES)):
        if len(set(names)) != len(names) or not all(name in known for name in names):
            raise ValueError(f"unknown or repeated card: {names}")
    if setup.get("start", 0) not in range(players):
        raise ValueError(f"no such seat: {setup['start']}")


# ---------------------------------------------------------------- trying it out


def random_setup(players: int, rules: str, rng: random.Random) -> dict:
    """Deal a setup."""
    if rules == "thesis":
        names = rng.sample(WINDOW_NAMES, 4 * players)
        offers = [names[4 * seat : 4 * seat + 4] for seat in range(players)]
    else:
        cards = rng.sample(range(1, 13), 2 * players)
        dealt = [cards[2 * seat : 2 * seat + 2] for seat in range(players)]
        offers = [[name for name in WINDOW_NAMES if CARD_OF[name] in pair] for pair in dealt]
    colours = rng.sample(COLOURS, 2 if players == 1 else players)
    return {
        "private": ["".join(colours)] if players == 1 else colours,
        "offers": offers,
        "tools": rng.sample(TOOLS, rng.randint(1, 5) if players == 1 else 3),
        "objectives": rng.sample(list(OBJECTIVES), 2 if players == 1 else 3),
        "start": rng.randrange(players),
    }


def check_dice(game: Sagrada) -> None:
    """Assert that there are 18 dice of every colour, wherever they are."""
    loose = game.pool + game.to_roll + game.track + game.removed
    loose += [die for dice in game.dice for die in dice.values()]
    loose += [game.hand] if game.hand else []
    for colour in COLOURS:
        n_loose = sum(colour_of(die) == colour for die in loose)
        assert game.bag[colour] >= 0
        assert game.bag[colour] + n_loose == DICE_PER_COLOUR


def check_windows(game: Sagrada, exempt: list[set]) -> None:
    """Assert that every placed die suits its side neighbours and, unless exempt, its cell."""
    for seat, dice in enumerate(game.dice):
        for (row, column), die in dice.items():
            for other in (dice.get((row, column + 1)), dice.get((row + 1, column))):
                assert other is None or (other[0] != die[0] and other[1] != die[1])
            if cell_text((row, column)) not in exempt[seat]:
                assert game.pattern(seat)[row][column] in (".", die[0], die[1])


def note_exempt(exempt: set, text: str) -> None:
    """Keep the cells whose printed sign a tool has overruled, as texts."""
    for word in text.split(" "):
        if len(word) == 5 and word[0] in "abcde" and word[2] == ">":
            exempt.discard(word[:2])
            if text.startswith(("eglomise-brush", "copper-foil-burnisher")):
                exempt.add(word[3:])


def check_contact(before: dict, after: dict, text: str) -> None:
    """Assert the border and contact rules for a die that has just come into a window."""
    new = [cell for cell in after if cell not in before]
    if text.startswith("window") or len(after) == len(before):
        return
    assert len(after) == len(before) + 1 == len(before) + len(new)
    row, column = new[0]
    near = [c for c in before if max(abs(c[0] - row), abs(c[1] - column)) == 1]
    if not before:
        assert row in (0, 3) or column in (0, 4)
    else:
        assert bool(near) != text.startswith("cork-backed-straightedge")


def pick(game: Sagrada, style: int, rng: random.Random) -> str:
    """Pick a move at random: 0 any move, 1 a kind of move first, 2 likewise but no idle pass."""
    moves = game.moves()
    if style == 2 and len(moves) > 1:
        moves = [move for move in moves if move != "pass"]
    if style > 0:
        verb = rng.choice(sorted({move.split(" ")[0] for move in moves}))
        moves = [move for move in moves if move.split(" ")[0] == verb]
    return rng.choice(moves)


def play_random(players: int, rules: str, faults: bool, seed: int, figures: dict) -> Sagrada:
    """Play one game at random with every check after every event; add to the figures."""
    rng = random.Random(f"sagrada {players} {rules} {faults} {seed}")
    game = Sagrada(players, rules, faults, random_setup(players, rules, rng))
    exempt = [set() for _ in range(players)]
    turns = set()
    while game.to_move() is not None:
        if game.to_move() == "chance":
            outcomes = game.outcomes()
            game.play(rng.choices(list(outcomes), list(outcomes.values()))[0])
        else:
            seat, text = game.to_move(), pick(game, seed % 3, rng)
            turns.add((game.round, game.turn_index if game.order else -1))
            figures["n_legal"].append(len(game.moves()))
            if game.round == 0 and game.order:
                figures["n_legal_round_1"].append(len(game.moves()))
            verb = text.split(" ")[0]
            figures["verbs"][verb] = figures["verbs"].get(verb, 0) + 1
            before = dict(game.dice[seat])
            game.play(text)
            note_exempt(exempt[seat], text)
            check_contact(before, game.dice[seat], text)
            figures["n_moves"] += 1
        check_dice(game)
        check_windows(game, exempt)
        assert all(tokens >= 0 for tokens in game.tokens)
        total = sum(game.tokens) + sum(game.tokens_on.values())
        assert (
            players == 1
            or None in game.names
            or total == sum(6 if faults and name == "Industria" else DIFFICULTY_OF[name] for name in game.names)
        )
    n_skipped = game.uses.get("running-pliers", 0) if rules == "standard" else 0
    assert len(turns) == 20 * players - n_skipped + 1  # section 13; one more for the windows
    n_used = DICE_PER_COLOUR * len(COLOURS) - sum(game.bag.values())
    assert n_used == {1: 40, 2: 50, 3: 70, 4: 90}[players]  # section 3
    assert players == 1 or sorted(game.ranks()) == list(range(1, players + 1))
    figures["scores"] += game.scores()
    figures["track"].append(len(game.track))
    return game


def check_page() -> None:
    """Assert the figures that the rules page gives."""
    assert len(WINDOWS) == 24
    assert len(set(CARD_OF.values())) == 12
    assert len(TOOLS) == 12
    assert all(list(CARD_OF.values()).count(card) == 2 for card in range(1, 13))
    difficulties = list(DIFFICULTY_OF.values())
    assert [difficulties.count(d) for d in (3, 4, 5, 6)] == [4, 4, 12, 4]
    assert len(OBJECTIVES) == 10
    assert len(COLOURS) * DICE_PER_COLOUR == 90
    assert sum(is_border(cell) for cell in CELLS) == 14
    for _, _, _, rows in WINDOWS:
        assert len(rows) == 4
        assert all(len(row) == 5 for row in rows)
        for r, c in CELLS:
            assert all(rows[r][c] == "." or rows[r][c] != rows[a][b] for a, b in SIDES[r, c])
    kept = (  # section 14
        ("Aurorae Magnificus", 3, 4, "4"), ("Chromatic Splendor", 0, 2, "G"),
        ("Kaleidoscopic Dream", 0, 4, "1"), ("Lux Mundi", 0, 1, "."), ("Lux Mundi", 1, 0, "1"),
        ("Luz Celestial", 3, 1, "Y"), ("Luz Celestial", 3, 2, "2"), ("Ripples of Light", 1, 4, "B"),
        ("Ripples of Light", 2, 3, "Y"), ("Shadow Thief", 3, 3, "4"), ("Sun's Glory", 0, 4, "4"),
        ("Symphony of Light", 2, 2, "4"), ("Via Lux", 2, 3, "P"), ("Water of Life", 3, 2, "Y"),
    )  # fmt: skip
    for name, row, column, sign in kept:
        assert PATTERN_OF[name][row][column] == sign
    assert [DIFFICULTY_OF[name] for name in ("Industria", "Shadow Thief", "Sun Catcher")] == [5, 5, 3]


def start_game(players: int, rules: str = "standard", faults: bool = False, **changes) -> Sagrada:
    """Give a game at the first turn of round 1, its pool all different where that is possible."""
    setup = random_setup(players, rules, random.Random(1))
    setup.update(start=0)
    setup.update(changes)
    game = Sagrada(players, rules, faults, setup)
    for _ in range(players):
        game.play(game.moves()[0])
    fill_pool(game)
    return game


def fill_pool(game: Sagrada) -> None:
    """Let chance fill the pool with fixed dice."""
    for die in ("R1", "G2", "B3", "Y4", "P5", "R6", "G1", "B2", "Y3"):
        if game.stage == "fill-pool":
            game.play(die)


def check_by_hand() -> None:
    """Assert orders, tools and scores that can be worked out by hand."""
    some = ["eglomise-brush", "lathekin", "running-pliers"]
    game = start_game(2)
    assert game.order == [0, 1, 1, 0]
    assert len(game.pool) == 5
    for _ in range(4):
        game.play("pass")
    assert len(game.track) == 5
    assert game.order == [1, 0, 0, 1]
    assert game.round_index() == 1
    assert start_game(3).order == [0, 1, 2, 2, 1, 0]
    assert start_game(2, "thesis", True).order[0] == 1
    # Running Pliers, thesis: A A B B, a full second turn, refused for the last of the snake.
    game = start_game(2, "thesis", tools=some)
    game.play("running-pliers")
    assert game.order == [0, 0, 1, 1]
    assert "running-pliers" not in game.moves()
    game.play("pass")
    assert game.to_move() == 0
    assert not game.is_first_turn()
    assert not game.tool_spent
    game.play("pass")
    assert game.to_move() == 1
    assert "running-pliers" not in game.moves()
    # Running Pliers, standard: two dice in one turn, the other turn skipped; legal for the last too.
    game = start_game(2, tools=some)
    game.play(next(move for move in game.moves() if move.startswith("place")))
    game.play("running-pliers")
    assert game.moves()
    assert all(move.startswith("place") for move in game.moves())
    game.play(game.moves()[0])
    assert game.order == [0, 1, 1]
    assert game.to_move() == 1
    assert len(game.dice[0]) == 2
    assert "running-pliers" in game.moves()
    assert game.cost("running-pliers") == 2
    assert game.tokens_on["running-pliers"] == 1
    check_moving_by_hand()
    check_flux_by_hand()
    check_full_window_by_hand()
    check_solo_by_hand()
    check_scores_by_hand()


def check_moving_by_hand() -> None:
    """Assert section 12, items 1 to 4 and 8, on a window without signs."""
    blank = (".....",) * 4
    one = {(0, 0): "R1"}
    assert {target for _, target in single_steps(blank, one)} == {
        cell for cell in CELLS if is_border(cell) and cell != (0, 0)
    }
    two = {(0, 0): "R1", (0, 1): "B2"}
    assert ((0, 0), (1, 1)) in single_steps(blank, two)
    assert ((0, 0), (3, 3)) not in single_steps(blank, two)
    enters = (((0, 0), (1, 2)), ((0, 1), (0, 0)))  # the second enters the cell the first left
    assert enters not in step_pairs(blank, two, is_thesis=False)  # no contact with (1, 2)
    enters = (((0, 0), (1, 0)), ((0, 1), (0, 0)))
    assert enters in step_pairs(blank, two, is_thesis=False)
    assert enters not in step_pairs(blank, two, is_thesis=True)
    assert not can_place(blank, one, "R2", (0, 1))
    assert not can_place(blank, one, "B1", (0, 1))
    assert can_place(blank, one, "R1", (1, 1))
    assert not can_place(blank, one, "B2", (2, 2))
    assert can_place(blank, one, "B2", (2, 2), apart=True)
    assert not can_place(blank, one, "B2", (1, 1), apart=True)
    assert can_place(blank, {}, "B2", (0, 2), apart=True)
    assert not can_place(blank, {}, "B2", (1, 2), apart=True)
    signs = (".G5..",) + (".....",) * 3
    apart = {(0, 0): "R1", (1, 1): "R1"}
    assert not can_place(signs, apart, "B2", (0, 1))
    assert can_place(signs, apart, "B2", (0, 1), "colour")
    assert not can_place(signs, apart, "B2", (0, 1), "value")
    assert not can_place(signs, apart, "R2", (0, 1), "colour")
    assert not can_place(signs, apart, "B2", (0, 2), "colour")
    assert can_place(signs, apart, "B2", (0, 2), "value")


def check_flux_by_hand() -> None:
    """Assert Flux Brush and Flux Remover, with an empty bag too, and the time of Glazing Hammer."""
    cards = ["flux-brush", "flux-remover", "glazing-hammer"]
    game = start_game(2, tools=cards)
    assert "glazing-hammer" not in game.moves()
    game.play("flux-brush R1")
    assert game.outcomes() == {f"R{value}": 1 for value in VALUES}
    assert game.hand == "R1"
    game.play("R5")
    assert all(move.startswith("place R5") for move in game.moves())
    game.play(game.moves()[0])
    assert game.to_move() == 1
    assert len(game.pool) == 4
    game.play("flux-remover G2")
    assert game.outcomes() == {"R": 17, "G": 18, "B": 17, "Y": 17, "P": 17}
    game.play("Y")
    assert sum(move.startswith("return") for move in game.moves()) == 6
    game.play("return Y6")
    assert sorted(game.pool) == ["B3", "P5", "Y4", "Y6"]
    assert "glazing-hammer" in game.moves()
    game.play("glazing-hammer")
    for die in ("B1", "P1", "Y1", "Y2"):
        game.play(die)
    assert sorted(game.pool) == ["B1", "P1", "Y1", "Y2"]
    assert not game.draft_spent
    for rules in ("standard", "thesis"):
        game = start_game(4, rules, tools=cards)
        game.bag = dict.fromkeys(COLOURS, 0)
        assert ("flux-remover R1" in game.moves()) == (rules == "standard")
    game = start_game(2, "thesis", tools=cards)
    game.play("flux-remover R1")
    assert len(game.outcomes()) == 30
    assert game.outcomes()["R3"] == 18
    game.dice[0] = {(0, 0): "R1"}
    game.names[0] = "Comitas"
    game.play("R3")
    assert all(move.startswith("place R") for move in game.moves())


def check_full_window_by_hand() -> None:
    """Assert what becomes of a Flux die that fits nowhere: the pool has it, the turn is over."""
    cards = ["flux-brush", "flux-remover", "glazing-hammer"]
    full = dict.fromkeys(CELLS, "R1")  # no legal window, but surely a full one
    for rules in ("standard", "thesis"):
        game = start_game(2, rules, tools=cards)
        game.dice[0] = dict(full)
        game.play("flux-brush G2")
        game.play("G6")
        assert sorted(game.pool) == ["B3", "G6", "P5", "R1", "Y4"]
        assert game.to_move() == 1
    game = start_game(2, "thesis", tools=cards)
    game.dice[0] = dict(full)
    game.play("flux-remover G2")
    game.play("P4")  # the thesis keeps the value that was drawn
    assert sorted(game.pool) == ["B3", "P4", "P5", "R1", "Y4"]
    assert game.to_move() == 1
    assert game.tokens_on["flux-remover"] == 1
    assert game.bag["G"] == 18


def check_solo_by_hand() -> None:
    """Assert section 10: four dice, two turns, a tool paid once with a die of its colour."""
    game = start_game(1, tools=["grinding-stone", "running-pliers"])
    assert sorted(game.pool) == ["B3", "G2", "R1", "Y4"]
    assert game.order == [0, 0]
    stones = [move for move in game.moves() if move.startswith("grinding-stone")]
    assert {tuple(move.split(" ")[1:4]) for move in stones} <= {
        ("pay", "G2", change) for change in ("R1>R6", "B3>B4", "Y4>Y3")
    }
    game.play(stones[0])
    assert game.removed == ["G2"]
    assert game.tokens == [0]
    assert game.turn_index == 1
    assert not any(move.startswith("grinding-stone") for move in game.moves())
    assert not any(move.startswith("running-pliers") for move in game.moves())  # second turn
    game.play("pass")
    assert len(game.track) == 2
    assert game.round_index() == 1
    fill_pool(game)
    game.play("running-pliers pay R1")
    game.play(game.moves()[0])
    assert game.round_index() == 2
    assert len(game.track) == 4


def check_scores_by_hand() -> None:
    """Assert every public objective on one full window, a fault, and every tie-break."""
    rows = ("R1 G2 B3 Y4 P5", "G3 B4 Y5 P6 R1", "B1 Y2 P3 R4 G5", "Y6 P1 R2 G3 B4")
    dice = {(r, c): die for r, row in enumerate(rows) for c, die in enumerate(row.split(" "))}
    # Values: 1 x4, 2 x3, 3 x4, 4 x4, 5 x3, 6 x2. Every row has five colours; every column four.
    # Shades: rows 1, 2, 3 and 4 differ throughout; columns 1 3 1 6, 2 4 2 1, 3 5 3 2, 4 6 4 3, 5 1 5 4.
    # Diagonals run down to the left: only R1 and B4 (corners without a partner) stay out.
    wanted = {
        "row-color-variety": 24, "column-color-variety": 25, "row-shade-variety": 20,
        "column-shade-variety": 0, "light-shades": 6, "medium-shades": 8, "deep-shades": 4,
        "shade-variety": 10, "color-variety": 16, "color-diagonals": 18,
    }  # fmt: skip
    assert {name: points(dice) for name, points in OBJECTIVES.items()} == wanted
    fewer = without_cell(dice, (0, 0))
    assert OBJECTIVES["row-color-variety"](fewer) == 18
    assert OBJECTIVES["column-color-variety"](fewer) == 20
    assert private_points(dice, "R") == 1 + 1 + 4 + 2
    assert all(f({}) == 0 for f in OBJECTIVES.values())
    cards = ["shade-variety", "color-variety", "deep-shades"]
    game = start_game(2, "thesis", True, objectives=cards)
    assert list(game.score_parts(0)["public"].values()) == [15, 16, 0]
    ties = {"objectives": ["light-shades", "medium-shades", "deep-shades"], "private": ["R", "G"]}
    game = start_game(2, **ties)  # round 10 is started by seat 1
    game.tokens = [4, 4]
    assert game.scores() == [-16, -16]
    assert game.ranks() == [1, 2]
    game.dice, game.tokens = [{}, {(0, 0): "G1"}], [4, 2]  # equal totals: private decides
    assert game.scores() == [-16, -16]
    assert game.ranks() == [2, 1]
    game.dice, game.tokens = [{}, {(0, 0): "Y1", (0, 4): "Y1"}], [4, 2]  # then tokens
    assert game.scores() == [-16, -16]
    assert game.ranks() == [1, 2]
    game.dice, game.tokens = game.dice[::-1], [2, 4]
    assert game.ranks() == [2, 1]
    game = start_game(2, "thesis", **ties)
    game.dice, game.tokens = [{(0, 0): "Y1", (0, 4): "Y1"}, {}], [2, 4]  # thesis: index, not tokens
    assert game.scores() == [-16, -16]
    assert game.ranks() == [1, 2]
    game = start_game(1, private=["RB"], objectives=ties["objectives"][:2])
    game.dice[0], game.track = {(0, 0): "R5", (0, 2): "B6", (1, 1): "R2"}, ["P1", "P2"]
    assert game.score_parts(0)["private"] == 7
    assert game.score_parts(0)["target"] == 3
    assert game.scores() == [7 - 3 * 17]
    assert game.ranks() == [2]


def main(n_games: int = 30) -> None:
    """Check the page, then play random games and print their figures."""
    check_page()
    check_by_hand()
    print("page and hand checks hold")
    kinds = [(players, "standard", False) for players in (1, 2, 3, 4)]
    kinds += [(players, "thesis", faults) for faults in (False, True) for players in (2, 3, 4)]
    verbs: dict[str, int] = {}
    for players, rules, faults in kinds:
        figures = {"n_moves": 0, "n_legal": [], "n_legal_round_1": [], "verbs": verbs, "scores": [], "track": []}
        for seed in range(n_games):
            play_random(players, rules, faults, seed, figures)
        mean = {key: sum(figures[key]) / len(figures[key]) for key in ("n_legal", "n_legal_round_1")}
        print(
            f"{players} players {rules:8} faults={faults!s:5}"
            f" moves/game {figures['n_moves'] / n_games:6.1f}"
            f" legal mean {mean['n_legal']:6.1f} max {max(figures['n_legal']):5}"
            f" (round 1 mean {mean['n_legal_round_1']:5.1f})"
            f" score mean {sum(figures['scores']) / len(figures['scores']):6.2f}"
            f" track {min(figures['track'])}..{max(figures['track'])}"
        )
    print("moves made:", ", ".join(f"{verb} {n}" for verb, n in sorted(verbs.items())))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
