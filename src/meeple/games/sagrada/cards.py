"""The cards of Sagrada as data: windows, tools and objectives, in the order in which the rules number them.

A window is printed on one side of a card; the two sides of card k stand at places 2k and 2k + 1. A letter is a
printed colour, a digit a printed value, a dot takes any die.
"""

from __future__ import annotations

from typing import NamedTuple

COLOURS = "RGBYP"
COLOUR_NAMES = ("red", "green", "blue", "yellow", "purple")


class Window(NamedTuple):
    """A pattern: its name, how many favor tokens it brings, and its four rows."""

    name: str
    difficulty: int
    rows: tuple[str, str, str, str]


class Tool(NamedTuple):
    """A tool card: its name, the word that begins its moves, and the die that pays for it in the solo game."""

    name: str
    word: str
    solo: str
    effect: str


class Objective(NamedTuple):
    """A public objective: its name, the word that names it in a position, points for each time, what is counted."""

    name: str
    word: str
    points: int
    counted: str


WINDOWS = (
    Window("Aurorae Magnificus", 5, ("5GBP2", "P...Y", "Y.6.P", "1..G4")),
    Window("Aurora Sagradis", 4, ("R.B.Y", "4P3G2", ".1.5.", "..6..")),
    Window("Batllo", 5, ("..6..", ".5B4.", "3GYP2", "14R53")),
    Window("Bellesguard", 3, ("B6..Y", ".3B..", ".562.", ".4.1G")),
    Window("Chromatic Splendor", 4, ("..G..", "2Y5B1", ".R3P.", "1.6.4")),
    Window("Comitas", 5, ("Y.2.6", ".4.5Y", "...Y5", "12Y3.")),
    Window("Firelight", 5, ("3415.", ".62.Y", "...YR", "5.YR6")),
    Window("Sun's Glory", 6, ("1PY.4", "PY..6", "Y..53", ".5421")),
    Window("Firmitas", 5, ("P6..3", "5P3..", ".2P1.", ".15P4")),
    Window("Kaleidoscopic Dream", 4, ("YB..1", "G.5.4", "3.R.G", "2..BY")),
    Window("Fractal Drops", 3, (".4.Y6", "R.2..", "..RP1", "BY...")),
    Window("Ripples of Light", 5, ("...R5", "..P4B", ".B3Y6", "Y2G1R")),
    Window("Fulgor del Cielo", 5, (".BR..", ".45.B", "B2.R5", "6R31.")),
    Window("Luz Celestial", 3, ("..R5.", "P4.G3", "6..B.", ".Y2..")),
    Window("Gravitas", 5, ("1.3B.", ".2B..", "6B.4.", "B52.1")),
    Window("Water of Life", 6, ("6B..1", ".5B..", "4R2B.", "G6Y3P")),
    Window("Industria", 5, ("1R3.6", "54R2.", "..5R1", "...3R")),
    Window("Via Lux", 4, ("Y.6..", ".15.2", "3YRP.", "..43R")),
    Window("Lux Astram", 5, (".1GP4", "6P25G", "1G53P", ".....")),
    Window("Lux Mundi", 6, ("..1..", "1G3B2", "B546G", ".B5G.")),
    Window("Shadow Thief", 5, ("6P..5", "5.P..", "R6.P.", "YR543")),
    Window("Sun Catcher", 3, (".B2.Y", ".4.R.", "..5Y.", "G3..P")),
    Window("Symphony of Light", 6, ("2.5.1", "Y6P2R", ".B4G.", ".3.5.")),
    Window("Virtus", 5, ("4.25G", "..6G2", ".3G4.", "5G1..")),
)
# As the thesis's program has it: the purple cell is blank.
FAULTY_VIA_LUX = Window("Via Lux (blank)", 4, ("Y.6..", ".15.2", "3YR..", "..43R"))

TOOLS = (
    Tool("Grozing Pliers", "grozing", "P", "drafted die one up or down"),
    Tool("Eglomise Brush", "eglomise", "B", "move a die, any printed colour"),
    Tool("Copper Foil Burnisher", "copper", "R", "move a die, any printed value"),
    Tool("Lathekin", "lathekin", "Y", "move exactly two dice"),
    Tool("Lens Cutter", "lens", "G", "drafted die for one of the track"),
    Tool("Flux Brush", "brush", "P", "roll the drafted die again"),
    Tool("Glazing Hammer", "hammer", "B", "roll the pool again, second turn"),
    Tool("Running Pliers", "running", "R", "second turn's die now"),
    Tool("Cork-backed Straightedge", "straightedge", "Y", "draft to a lonely cell"),
    Tool("Grinding Stone", "grinding", "G", "turn the drafted die over"),
    Tool("Flux Remover", "remover", "P", "drafted die for one of the bag"),
    Tool("Tap Wheel", "tapwheel", "B", "move 1 or 2 of a track colour"),
)

OBJECTIVES = (
    Objective("Row Color Variety", "row-colours", 6, "rows of 5 colours"),
    Objective("Column Color Variety", "column-colours", 5, "columns of 4 colours"),
    Objective("Row Shade Variety", "row-shades", 5, "rows of 5 values"),
    Objective("Column Shade Variety", "column-shades", 4, "columns of 4 values"),
    Objective("Light Shades", "light", 2, "pairs of 1 and 2"),
    Objective("Medium Shades", "medium", 2, "pairs of 3 and 4"),
    Objective("Deep Shades", "deep", 2, "pairs of 5 and 6"),
    Objective("Shade Variety", "shades", 5, "sets of 6 values"),
    Objective("Color Variety", "colours", 4, "sets of 5 colours"),
    Objective("Color Diagonals", "diagonals", 1, "diagonal twins"),
)


WORTH_NAMES = (*(objective.word for objective in OBJECTIVES), "private", "token", "empty")
WORTHS = (*(objective.points for objective in OBJECTIVES), 1, 1, 1)  # a pip, a token, an empty cell (which costs it)


def word_of(name: str) -> str:
    """A window's name as one word: `suns-glory`."""
    return name.lower().replace("'", "").replace("(", "").replace(")", "").replace(" ", "-")
