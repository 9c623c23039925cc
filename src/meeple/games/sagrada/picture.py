"""Sagrada drawn: the viewer's window large, the pool, the track and the cards beside it, the other windows smaller.

A click path begins with a die of the pool (`pool-3`), a tool (`tool-1`) or `pass`; then come the dice, values and
cells in the order of the card's text. Equal dice of the pool are ways to the same move.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from meeple.core.picture import LARGE, MEDIUM, SMALL, Look, Path, fitted, piece, ring_box, seat_mark, text, wrapped
from meeple.core.svg import Markup, joined, tag
from meeple.games.sagrada import emblems
from meeple.games.sagrada.board import N_CELLS, N_VALUES, PATTERNS, POINTS, die_at, put, shift
from meeple.games.sagrada.cards import COLOUR_NAMES, COLOURS, OBJECTIVES, TOOLS
from meeple.games.sagrada.glass import (
    DAY,
    NIGHT,
    Frame,
    Tones,
    arch_middle,
    centred,
    definitions,
    draw_arch,
    draw_bead,
    draw_beads,
    draw_die,
    draw_medal,
    draw_pane,
    draw_panes,
    draw_print,
    draw_tab,
)
from meeple.games.sagrada.layout import (
    CHOOSE,
    EXTRA,
    FLUX_PLACE,
    KIND_BITS,
    N_ROUNDS,
    NONE,
    OVER,
    PASS,
    PLACE,
    REMOVER_PLACE,
    RETURN,
    ROLL,
    SOLO_TOOL,
    TURN,
    WINDOW,
)
from meeple.games.sagrada.notation import CELLS, DICE, colour_text, knows_window
from meeple.games.sagrada.rules import (
    difficulty_of,
    pattern_of,
    private_points,
    score,
    target,
    times_paid,
    to_move,
)
from meeple.games.sagrada.tools import (
    BRUSH,
    COPPER,
    EGLOMISE,
    GRINDING,
    GROZING,
    HAMMER_CARD,
    LATHEKIN,
    LENS,
    REMOVER,
    RUNNING,
    STRAIGHTEDGE,
    TAP_WHEEL,
)

Block = tuple[Markup, float]  # a drawing and its height
# Rings over glass: its colour matters, so it is tinted less than other targets.
HALOS = tag("style", ".lit>.hollow{fill-opacity:.03} .lit:hover>.hollow{fill-opacity:.22}")

EFFECTS = {
    GROZING: "Turn the die you draft one up or one down.",
    EGLOMISE: "Move a die; its cell's printed colour is ignored.",
    COPPER: "Move a die; its cell's printed value is ignored.",
    LATHEKIN: "Move exactly two dice.",
    LENS: "Swap the die you draft for one on the track.",
    BRUSH: "Roll the die you draft again, then place it.",
    HAMMER_CARD: "Roll the whole pool again; second turn only.",
    RUNNING: "Take your second turn's die now.",
    STRAIGHTEDGE: "Draft a die to a cell that touches no other.",
    GRINDING: "Turn the die you draft upside down.",
    REMOVER: "Swap the die you draft for one of the bag; choose its value.",
    TAP_WHEEL: "Move one or two dice of a colour on the track.",
}
FROM, TO, CELL, POOL = "Choose a die of your window.", "Choose where it goes.", "Choose a cell.", "Choose a die."
STEPS = {
    GROZING: (POOL, "Turn it down or up?", CELL),
    EGLOMISE: (FROM, TO),
    COPPER: (FROM, TO),
    LATHEKIN: (FROM, TO, "Choose a second die.", TO),
    LENS: (POOL, "Choose a die of the track.", CELL),
    BRUSH: ("Choose the die to roll.",),
    HAMMER_CARD: ("Roll the pool again?",),
    RUNNING: ("Take the second die now?",),
    STRAIGHTEDGE: (POOL, CELL),
    GRINDING: (POOL, CELL),
    REMOVER: ("Choose the die to put into the bag.",),
    TAP_WHEEL: (FROM, TO, "Choose a second die, or leave it at one.", TO),
}


@dataclass(frozen=True)
class Sight:
    """What is drawn, for whom, and how."""

    state: Any
    seat: int | None
    look: Look

    @property
    def is_player(self) -> bool:
        """Whether the viewer has a seat."""
        return self.seat is not None and self.seat >= 0

    @property
    def own(self) -> int:
        """The seat whose window is large."""
        return self.seat if self.seat is not None and self.seat >= 0 else 0

    @property
    def mover(self) -> int:
        """Who is to move; negative for chance and nobody."""
        return int(to_move(self.state))

    @property
    def clicker(self) -> int:
        """The seat whose cells are targets: the viewer's, or the mover's where nobody in particular looks."""
        return self.own if self.is_player or self.mover < 0 else self.mover

    @property
    def phase(self) -> int:
        return int(self.state.phase)

    @property
    def seats(self) -> int:
        return int(self.state.seats)

    @property
    def tones(self) -> Tones:
        return NIGHT if self.look.dark else DAY

    @property
    def quiet(self) -> Look:
        """The look without marks of the last move, for what has another meaning since."""
        return replace(self.look, last=frozenset())


def draw(state: Any, seat: int | None, look: Look) -> Markup:
    """The table as `seat` sees it."""
    sight = Sight(state, seat, look)
    is_setting_up = sight.phase < ROLL
    if look.narrow:
        content, width, height = (_narrow_choice if is_setting_up else _narrow_table)(sight)
    else:
        content, width, height = (_wide_choice if is_setting_up else _wide_table)(sight)
    ground = tag("rect", width=width, height=height, fill=sight.tones.ground)
    return look.svg(width, height, HALOS, definitions(), ground, content, title="Sagrada")


# --- clicks


def paths(state: Any, action: int) -> list[Path]:
    """A die and a cell; or a tool and what it needs; or a button."""
    kind, phase = action >> KIND_BITS, int(state.phase)
    a, b = (action >> 15) & 31, (action >> 10) & 31
    if kind == PASS:
        return [("pass",)]
    if kind == WINDOW:
        return [(f"window-{a + 1}",)]
    if kind == PLACE:
        return _draft_paths(state, phase, b, CELLS[a])
    if kind == RETURN:
        return [("return",) if int(state.keeps_roll) else (_value_key(a), "return")]
    begin: Path = () if phase == SOLO_TOOL else (f"tool-{kind + 1}",)
    if int(state.seats) == 1 and phase == TURN:
        return [(*begin, place) for place in _places(state, a)]
    return [(*begin, *rest) for rest in _tool_paths(state, int(state.tools[kind]), action)]


def _draft_paths(state: Any, phase: int, die: int, cell: str) -> list[Path]:
    if phase == FLUX_PLACE:
        return [(cell,), ("hand", cell)]
    if phase == REMOVER_PLACE:
        return [(_value_key(die), cell)]
    return [(place, cell) for place in _places(state, die)]


def _tool_paths(state: Any, tool: int, action: int) -> Iterable[Path]:
    """What is clicked after the tool."""
    a, b, c, d = (action >> 15) & 31, (action >> 10) & 31, (action >> 5) & 31, action & 31
    if tool == LATHEKIN or (tool == TAP_WHEEL and (c or d)):
        return [(CELLS[a], CELLS[b], CELLS[c], CELLS[d])]
    if tool == TAP_WHEEL:
        return [(CELLS[a], CELLS[b], "done")]
    if tool in (EGLOMISE, COPPER):
        return [(CELLS[a], CELLS[b])]
    if tool in (HAMMER_CARD, RUNNING):
        return [("go",)]
    if tool in (BRUSH, REMOVER):
        return [(place,) for place in _places(state, a)]
    if tool == GROZING:
        return [(place, "up" if b else "down", CELLS[c]) for place in _places(state, a)]
    if tool == LENS:
        return [(place, f"track-{DICE[b]}", CELLS[c]) for place in _places(state, a)]
    return [(place, CELLS[a]) for place in _places(state, b)]  # straightedge, grinding stone


def _places(state: Any, die: int) -> list[str]:
    """The places of the pool where such a die lies."""
    pool = state.pool.tolist()[: int(state.n_pool)]
    return [f"pool-{place}" for place, other in enumerate(pool, 1) if other == die]


def _value_key(die: int) -> str:
    return f"value-{die % N_VALUES + 1}"


# --- points


def tally(state: Any, owner: int, seat: int | None) -> dict[str, int]:
    """Points of each objective, of the private colour where `seat` may know it, of tokens and of empty cells."""
    points = {OBJECTIVES[goal].name: int(POINTS[goal] * times_paid(state, owner, goal)) for goal in _goals_of(state)}
    letters = colour_text(state, owner, seat)
    if letters and letters != "?":
        names = " or ".join(COLOUR_NAMES[COLOURS.index(letter)] for letter in letters)
        points[f"{names} dice"] = int(private_points(state, owner))
    is_solo = int(state.seats) == 1
    if not is_solo:
        points["tokens"] = int(state.tokens[owner])
    points["empty cells"] = -(3 if is_solo else 1) * (N_CELLS - int(state.occ[owner]).bit_count())
    return points


def preview(state: Any, action: int, seat: int) -> str:
    """The points that a move brings at once, or what comes of it."""
    owner, kind = int(to_move(state)), action >> KIND_BITS
    if kind == WINDOW:
        pattern = int(pattern_of(state, int(state.offer[owner, (action >> 15) & 31])))
        return f"{PATTERNS[pattern].name}, {int(difficulty_of(state, pattern))} tokens"
    if kind == PASS:
        return "the turn ends"
    if kind == RETURN:
        return "back to the pool, the turn ends"
    is_tool = kind < PLACE
    if is_tool and int(state.seats) == 1 and int(state.phase) == TURN:
        return f"pays with {DICE[(action >> 15) & 31]}, which leaves the game"
    world = state.copy()
    if is_tool and int(state.seats) > 1:
        world.tokens[owner] -= 1 + int(state.paid[kind])
    words = _carry_out(world, owner, kind, action)
    before, after = tally(state, owner, seat), tally(world, owner, seat)
    changes = [f"{after[part] - before[part]:+d} {part}" for part in after if after[part] != before[part]]
    return ", ".join([*words, *changes]) or "no points yet"


def _carry_out(world: Any, owner: int, kind: int, action: int) -> list[str]:
    """Place or move in `world` what can be foreseen of a move; words for what cannot."""
    a, b, c, d = (action >> 15) & 31, (action >> 10) & 31, (action >> 5) & 31, action & 31
    tool = int(world.tools[kind]) if kind < PLACE else NONE
    if tool in (NONE, STRAIGHTEDGE):
        put(world, owner, b, a)
    elif tool == GRINDING:
        put(world, owner, b // N_VALUES * N_VALUES + N_VALUES - 1 - b % N_VALUES, a)
    elif tool == GROZING:
        put(world, owner, a + 2 * b - 1, c)
    elif tool == LENS:
        put(world, owner, b, c)
    elif tool in (EGLOMISE, COPPER, LATHEKIN, TAP_WHEEL):
        shift(world, owner, a, b)
        if tool in (LATHEKIN, TAP_WHEEL) and (c or d):
            shift(world, owner, c, d)
    else:
        return [
            {
                BRUSH: f"{DICE[a]} is rolled again",
                REMOVER: f"{DICE[a]} goes, a die of the bag comes",
                HAMMER_CARD: f"{int(world.n_pool)} dice are rolled again",
                RUNNING: "one more die, no second turn",
            }[tool]
        ]
    return []


# --- layouts


def _wide_table(sight: Sight) -> tuple[Markup, float, float]:
    """Own window left; pool, track and the others right of it; the cards below, in the solo game right."""
    parts: list[Markup] = []
    side = 80 if sight.seats < 4 else 76
    window, left = _own_window(sight, 16, 14, side)
    parts.append(window)
    x, y = (494.0 if side == 80 else 471.0), 14.0
    width = 946 - x
    for block in (_headline, _pool, _bar, _track):
        drawn, height = block(sight, x, y, width)
        parts.append(drawn)
        y += height + 8
    drawn, height = _other_windows(sight, x, y, width)
    parts.append(drawn)
    if not height:
        drawn, height = _cards_in_columns(sight, x, y, width)
        return joined([*parts, drawn]), 960, max(y + height, 14 + left) + 14
    y = max(y + height, 14 + left) + 10
    drawn, height = _cards(sight, 14, y, 932, 3)
    return joined([*parts, drawn]), 960, y + height + 14


def _narrow_table(sight: Sight) -> tuple[Markup, float, float]:
    """One below the other: pool, own window, track, cards, the other windows."""
    parts: list[Markup] = []
    y = 10.0
    for block in (_headline, _pool, _bar):
        drawn, height = block(sight, 12, y, 396)
        parts.append(drawn)
        y += height + 8
    drawn, height = _own_window(sight, 14, y, 68)
    parts.append(drawn)
    y += height + 12
    for block in (_track, _one_column):
        drawn, height = block(sight, 12, y, 396)
        parts.append(drawn)
        y += height + 8
    for owner in _round_the_table(sight):
        if owner != sight.own:
            drawn, height = _other_window(sight, owner, 12, y, 396, 34)
            parts.append(drawn)
            y += height + 8
    return joined(parts), 420, y + 4


def _wide_choice(sight: Sight) -> tuple[Markup, float, float]:
    """Four windows to choose from, the cards right of them."""
    parts = []
    bottom = 0.0
    for place in range(4):
        drawn, height = _offered(sight, place, 18 + place % 2 * 250, 16 + place // 2 * 284, 40)
        parts.append(drawn)
        bottom = max(bottom, 16 + place // 2 * 284 + height)
    x, y, width = 516.0, 14.0, 430.0
    for block in (_headline, _choosers, _cards_in_columns):
        drawn, height = block(sight, x, y, width)
        parts.append(drawn)
        y += height + 10
    return joined(parts), 960, max(y, bottom) + 14


def _narrow_choice(sight: Sight) -> tuple[Markup, float, float]:
    parts = []
    y = 10.0
    for block in (_headline, _choosers):
        drawn, height = block(sight, 12, y, 396)
        parts.append(drawn)
        y += height + 10
    for place in range(4):
        drawn, height = _offered(sight, place, 16 + place % 2 * 198, y, 32)
        parts.append(drawn)
        if place % 2:
            y += height + 16
    drawn, height = _one_column(sight, 12, y, 396)
    return joined([*parts, drawn]), 420, y + height + 12


def _round_the_table(sight: Sight) -> list[int]:
    """The seats from the viewer's on."""
    return [(sight.own + step) % sight.seats for step in range(sight.seats)]


# --- words above, and buttons


def _headline(sight: Sight, x: float, y: float, width: float) -> Block:
    """The round, and whose turns it has."""
    state, tones = sight.state, sight.tones
    if sight.phase < ROLL:
        return joined(
            [
                text(x, y + 22, "Choose a window", size=LARGE, font_weight=700, fill=tones.ink),
                text(x, y + 46, fitted(_choice_prompt(sight), width, MEDIUM), fill=tones.faint),
            ]
        ), 54
    words = "Game over" if sight.phase == OVER else f"Round {int(state.lap) + 1} of {N_ROUNDS}"
    parts = [text(x, y + 22, words, size=LARGE, font_weight=700, fill=tones.ink)]
    if sight.seats == 1:
        aim = f"{int(score(state, 0))} points, to beat {int(target(state))}"
        parts.append(text(x + width, y + 20, aim, fill=tones.ink, text_anchor="end"))
    elif sight.phase != OVER:
        parts += _turn_marks(sight, x + width, y + 15)
    return joined(parts), 30


def _choice_prompt(sight: Sight) -> str:
    if sight.phase < CHOOSE:
        return "Cards are dealt."
    turn = int(sight.state.turn)
    if turn == sight.own and sight.is_player:
        return "Click the window that you want to fill."
    return f"{sight.look.name(turn)} chooses now."


def _turn_marks(sight: Sight, right: float, y: float) -> list[Markup]:
    """The seats in the order of this round's turns; those that are over are pale, skipped ones struck."""
    state, count = sight.state, 2 * sight.seats
    marks = []
    for place in range(count):
        owner = int(state.order[place])
        cx = right - 12 - 26 * (count - 1 - place)
        is_skipped = bool((int(state.skips) >> owner) & 1) and place > int(state.turn)
        pale = place < int(state.turn) or is_skipped
        parts = [seat_mark(owner, cx, y, 10)]
        if place == int(state.turn):
            parts.append(tag("circle", cx=cx, cy=y, r=12, fill="none", stroke=sight.tones.ink, stroke_width=2))
        if is_skipped:
            parts.append(tag("path", d=f"M{cx - 11} {y + 11}l22 -22", stroke=sight.tones.ink, stroke_width=2))
        marks.append(tag("g", *parts, opacity=".4" if pale else None))
    return marks


def _prompt(sight: Sight) -> str:
    """What is to be done next, or who does it."""
    state, phase, mover = sight.state, sight.phase, sight.mover
    if phase == OVER:
        ranking = sorted(range(sight.seats), key=lambda owner: -int(score(state, owner)))
        return ", ".join(f"{sight.look.name(owner)} {int(score(state, owner))}" for owner in ranking)
    if mover < 0:
        return "Dice are rolled."
    step = _step(sight)
    if mover == sight.own and sight.is_player:
        return step
    return f"{sight.look.name(mover)}: {step[0].lower()}{step[1:]}"


def _step(sight: Sight) -> str:
    state, phase, chosen = sight.state, sight.phase, sight.look.chosen
    if phase == SOLO_TOOL:
        return _tool_step(int(state.tools[state.hand]), len(chosen))
    if chosen and chosen[0].startswith("tool-"):
        if sight.seats == 1:
            return "Choose the die that pays; it leaves the game."
        return _tool_step(int(state.tools[int(chosen[0][-1]) - 1]), len(chosen) - 1)
    if chosen:
        return "Choose a cell, or return the die." if phase == REMOVER_PLACE else CELL
    words = {
        FLUX_PLACE: "Place the die that was rolled.",
        REMOVER_PLACE: "Choose the new die's value.",
        EXTRA: "Draft one more die.",
    }
    if phase in words:
        return words[phase]
    if int(state.drafted):
        return "Use a tool, or end your turn."
    return "Draft a die, or pass." if int(state.tool_used) else "Draft a die, use a tool, or pass."


def _tool_step(tool: int, done: int) -> str:
    steps = STEPS[tool]
    return f"{TOOLS[tool - 1].name}: {steps[min(done, len(steps) - 1)]}"


def _bar(sight: Sight, x: float, y: float, width: float) -> Block:
    """What is to be done, and buttons for all that lies nowhere on the table."""
    buttons, taken = _buttons(sight)
    room = width - taken - 10
    is_stacked = room < 150
    lines = wrapped(_prompt(sight), width if is_stacked else room, MEDIUM)[:2]
    top = y + (21 if len(lines) == 2 else 30)
    parts = [
        text(x, (y + 16 if is_stacked else top) + 20 * i, line, fill=sight.tones.ink) for i, line in enumerate(lines)
    ]
    down = 20 * len(lines) + 6 if is_stacked else 0
    row = tag("g", *buttons, transform=f"translate({x + width - taken:.1f} {y + down:.1f})")
    return joined([*parts, row]), 50 + down


def _buttons(sight: Sight) -> tuple[list[Markup], float]:
    """Buttons in a row from the left, and how wide it is."""
    look, phase = sight.quiet, sight.phase
    marked = look.lit | set(look.chosen)
    if phase == REMOVER_PLACE:
        first = int(sight.state.hand) // N_VALUES * N_VALUES
        dice = [_die_button(sight, f"value-{v + 1}", first + v, 46 * v) for v in range(N_VALUES)]
        if int(sight.state.is_thesis):
            return dice, 46 * N_VALUES
        return [*dice, _pill(sight, "return", "Return", 46 * N_VALUES + 4, 84)], 46 * N_VALUES + 88
    if phase == FLUX_PLACE:
        return [_die_button(sight, "hand", int(sight.state.hand), 0)], 44
    if marked & {"up", "down"}:
        die = _chosen_die(sight)
        sides = [("down", die - 1), ("up", die + 1)]
        shown = [(key, turned) for key, turned in sides if key in marked]
        return [_die_button(sight, key, turned, 46 * i) for i, (key, turned) in enumerate(shown)], 46 * len(shown)
    if "go" in marked:
        return [_pill(sight, "go", "Do it", 0, 84)], 84
    if "done" in marked:
        return [_pill(sight, "done", "Only this one", 0, 130)], 130
    if phase == TURN:
        return [_pill(sight, "pass", "End turn" if int(sight.state.drafted) else "Pass", 0, 100)], 100
    return [], 0


def _chosen_die(sight: Sight) -> int:
    """The die of the pool that was clicked."""
    place = next(key for key in sight.look.chosen if key.startswith("pool-"))
    return int(sight.state.pool[int(place[-1]) - 1])


def _halo(x: float, y: float, width: float, height: float, rx: float | None = None) -> Markup:
    """A ring that leaves the colour inside it as it is."""
    rx = min(width, height) / 7 if rx is None else rx
    return tag("rect", class_="ring hollow", x=x, y=y, width=width, height=height, rx=rx)


def _die_button(sight: Sight, key: str, die: int, x: float) -> Markup:
    return sight.quiet.target(key, _die_name(die), draw_die(die, x + 1, 3, 42), ring=_halo(x - 1, 1, 46, 46))


def _pill(sight: Sight, key: str, word: str, x: float, width: float) -> Markup:
    tones = sight.tones
    box = tag("rect", x=x, y=5, width=width, height=38, rx=19, fill=tones.card, stroke=tones.line, stroke_width=1.5)
    ring = ring_box(x, 5, width, 38, 19)
    return sight.quiet.target(key, word, box, centred(x + width / 2, 29.5, word, MEDIUM, tones.ink), ring=ring)


def _die_name(die: int) -> str:
    return f"{COLOUR_NAMES[die // N_VALUES]} {die % N_VALUES + 1}"


# --- pool and track


def _panel(sight: Sight, x: float, y: float, width: float, height: float) -> Markup:
    tones = sight.tones
    return tag("rect", x=x, y=y, width=width, height=height, rx=10, fill=tones.card, stroke=tones.line)


def _pool(sight: Sight, x: float, y: float, width: float) -> Block:
    """The dice of the round; in two rows where one would make them small."""
    state, look = sight.state, sight.quiet
    count = 4 if sight.seats == 1 else 2 * sight.seats + 1
    rows = 1 if (width - 16) / count >= 50 else 2
    a_row = -(-count // rows)
    step = min(68.0, (width - 16) / a_row)
    size = min(56.0, step - 7)
    height = 18 + rows * (size + 10)
    parts = [_panel(sight, x, y, width, height)]
    met: dict[int, int] = {}
    for place in range(count):
        left = x + (width - a_row * step + step - size) / 2 + place % a_row * step
        top = y + 14 + place // a_row * (size + 10)
        if place >= int(state.n_pool):
            parts.append(_empty_place(left, top, size, sight.tones))
            continue
        die = int(state.pool[place])
        met[die] = met.get(die, 0) + 1
        drawn = piece(f"pool-{DICE[die]}-{met[die]}", draw_die(die, left, top, size))
        ring = _halo(left - 3, top - 3, size + 6, size + 6)
        parts.append(look.target(f"pool-{place + 1}", f"pool: {_die_name(die)}", drawn, ring=ring))
    return joined(parts), height


def _empty_place(x: float, y: float, size: float, tones: Tones) -> Markup:
    return tag("rect", x=x, y=y, width=size, height=size, rx=size / 7, fill="none", stroke=tones.line,
               stroke_dasharray="4 4")  # fmt: skip


def _track(sight: Sight, x: float, y: float, width: float) -> Block:
    """Ten rounds, those that are over filled; below, the dice that were left, each kind with its count."""
    tones, state = sight.tones, sight.state
    step = (width - 16) / N_ROUNDS
    parts = []
    for lap in range(N_ROUNDS):
        is_over, is_now = lap < int(state.lap), lap == int(state.lap)
        left = x + 8 + lap * step
        parts.append(
            tag("rect", x=left + 2, y=y + 8, width=step - 4, height=20, rx=5, fill=tones.stone if is_over else "none",
                stroke=tones.ink if is_now else tones.line, stroke_width=2 if is_now else 1)
        )  # fmt: skip
        ink = "#fff" if is_over else tones.ink if is_now else tones.faint
        parts.append(centred(left + step / 2, y + 22.5, lap + 1, SMALL, ink))
    dice, rows = _heap(sight, x + 12, y + 36, width - 24)
    height = 38 + 33 * rows
    if not dice:
        parts.append(text(x + 12, y + 56, "Dice that are left after a round lie here.", size=SMALL, fill=tones.faint))
    return joined([_panel(sight, x, y, width, height), *parts, *dice]), height


def _heap(sight: Sight, x: float, y: float, width: float) -> tuple[list[Markup], int]:
    """The dice on the track, and in how many rows they lie."""
    dice = []
    left, row = x, 0
    for die in range(len(DICE)):
        count = int(sight.state.track[die])
        if count == 0:
            continue
        taken = 32 if count == 1 else 54
        if left + taken > x + width:
            left, row = x, row + 1
        top = y + 33 * row
        drawn = draw_die(die, left, top, 26)
        if count > 1:
            drawn = joined([drawn, text(left + 28, top + 18, f"×{count}", size=SMALL, fill=sight.tones.ink)])
        ring = _halo(left - 2.5, top - 2.5, 31, 31)
        dice.append(sight.quiet.target(f"track-{DICE[die]}", f"track: {count} {_die_name(die)}", drawn, ring=ring))
        left += taken
    return dice, row + 1


# --- windows


def _own_window(sight: Sight, x: float, y: float, side: float) -> Block:
    """The large window: arch with the private colour, cells, name and tokens in its foot."""
    state, tones, owner = sight.state, sight.tones, sight.own
    pad, arch, foot = side * 0.26, side * 1.12, 64.0
    frame = Frame(x + pad, y + arch, side, 5)
    parts = [draw_arch(frame, arch, pad, foot, tones)]
    letters = colour_text(state, owner, sight.seat)
    if letters:
        parts.append(draw_medal(letters, *arch_middle(frame, arch), arch * 0.29))
    parts.append(_cells(sight, owner, frame))
    base, right = frame.y + frame.height, frame.x + frame.width
    name = fitted(sight.look.name(owner), frame.width - 190, MEDIUM)
    pattern = fitted(PATTERNS[state.window[owner]].name, frame.width * 0.55)
    parts += [
        seat_mark(owner, frame.x + 12, base + 22, 11),
        text(frame.x + 30, base + 28, name, fill="#fff", font_weight=700),
        text(frame.x, base + 51, pattern, size=SMALL, fill="#cfc9dc"),
        draw_beads(int(state.tokens[owner]), right, base + 22, 8),
    ]
    if sight.seats > 1 and int(state.tokens[owner]) == 0:
        parts.append(text(right, base + 27, "no tokens", size=SMALL, fill="#cfc9dc", text_anchor="end"))
    if letters and letters != "?":
        words = f"{'/'.join(COLOUR_NAMES[COLOURS.index(letter)] for letter in letters)} dice: {_private(state, owner)}"
        parts.append(text(right, base + 51, words, size=SMALL, fill="#fff", text_anchor="end"))
    return joined(parts), arch + frame.height + foot + 4


def _private(state: Any, owner: int) -> int:
    return int(private_points(state, owner))


def _other_window(sight: Sight, owner: int, x: float, y: float, width: float, side: float) -> Block:
    """A small window, and right of it whose it is."""
    state, tones = sight.state, sight.tones
    pad, arch = 8.0, side * 0.8
    frame = Frame(x + 10 + pad, y + 8 + arch, side, 3)
    height = arch + frame.height + pad + 18
    left = frame.x + frame.width + pad + 12
    room = x + width - left - 6
    pattern = wrapped(PATTERNS[state.window[owner]].name, room)[:2]
    parts = [
        _panel(sight, x, y, width, height),
        draw_arch(frame, arch, pad, pad, tones),
        _cells(sight, owner, frame),
        seat_mark(owner, left + 10, y + 26, 10),
        text(left + 25, y + 31, fitted(sight.look.name(owner), room - 25, MEDIUM), fill=tones.ink, font_weight=700),
        *(text(left, y + 56 + 17 * i, line, size=SMALL, fill=tones.faint) for i, line in enumerate(pattern)),
    ]
    down = y + 66 + 17 * len(pattern)
    if sight.seats > 1:
        tokens = int(state.tokens[owner])
        parts += [
            draw_bead(left + 9, down, 8),
            text(left + 23, down + 5, f"{tokens} tokens" if room > 95 else tokens, size=SMALL, fill=tones.ink),
        ]
    letters = colour_text(state, owner, sight.seat)
    if letters:
        words = "secret" if letters == "?" else f"{_private(state, owner)} points"
        parts += [
            draw_medal(letters, left + 10, down + 28, 10),
            text(left + 26, down + 33, fitted(words, room - 26), size=SMALL, fill=tones.ink),
        ]
    return joined(parts), height


def _other_windows(sight: Sight, x: float, y: float, width: float) -> Block:
    """The other windows side by side; a single one has its words beside it, more have them above and below."""
    others = [owner for owner in _round_the_table(sight) if owner != sight.own]
    if not others:
        return Markup(""), 0
    if len(others) == 1:
        return _other_window(sight, others[0], x, y, width, 37)
    room = (width - 8 * (len(others) - 1)) / len(others)
    drawn = [_slim_window(sight, owner, x + i * (room + 8), y, room) for i, owner in enumerate(others)]
    return joined(markup for markup, _ in drawn), drawn[0][1]


def _slim_window(sight: Sight, owner: int, x: float, y: float, width: float) -> Block:
    """A small window as wide as the room allows, its owner above, tokens and colour below."""
    state, tones = sight.state, sight.tones
    pad, gap = 5.0, 2.0
    side = min(33.0, (width - 12 - 2 * pad - 4 * gap) / 5)
    arch = side * 0.7
    left = x + (width - 5 * side - 4 * gap) / 2
    frame = Frame(left, y + 34 + arch, side, gap)
    base = frame.y + frame.height + pad
    parts = [
        _panel(sight, x, y, width, base + 34 - y),
        seat_mark(owner, x + 18, y + 16, 10),
        text(x + 33, y + 21, fitted(sight.look.name(owner), width - 40, MEDIUM), fill=tones.ink, font_weight=700),
        draw_arch(frame, arch, pad, pad, tones),
        _cells(sight, owner, frame),
        draw_bead(x + 18, base + 17, 8),
        text(x + 32, base + 22, int(state.tokens[owner]), size=SMALL, fill=tones.ink),
    ]
    letters = colour_text(state, owner, sight.seat)
    if letters:
        words = "secret" if letters == "?" else _private(state, owner)
        parts.append(draw_medal(letters, x + width - 20, base + 17, 10))
        parts.append(text(x + width - 36, base + 22, words, size=SMALL, fill=tones.ink, text_anchor="end"))
    return joined(parts), base + 34 - y


def _cells(sight: Sight, owner: int, frame: Frame) -> Markup:
    """Panes, then dice, then what is printed under them; the cells of the clicker are targets."""
    marks = "".join(PATTERNS[sight.state.window[owner]].rows)
    dice = _dice_of(sight, owner)
    is_last = owner == sight.look.mover
    look = sight.look if is_last else sight.quiet
    panes = [
        _pane(look, cell, marks[cell], dice[cell], frame, owner == sight.clicker, sight.tones)
        for cell in range(N_CELLS)
    ]
    inset = max(2.5, frame.side * 0.1)
    met: dict[int, int] = {}
    placed = []
    for cell, die in enumerate(dice):
        if die < 0:
            continue
        met[die] = met.get(die, 0) + 1
        x, y = frame.corner(cell)
        drawn = draw_die(die, x + inset, y + inset, frame.side - 2 * inset)
        placed.append(piece(f"die-{owner}-{DICE[die]}-{met[die]}", drawn))
        placed.append(draw_tab(marks[cell], x, y, frame.side, sight.tones) or Markup(""))
    return joined([*panes, tag("g", *placed, style="pointer-events: none")])


def _dice_of(sight: Sight, owner: int) -> list[int]:
    """The dice of a window; a first move of two is shown as soon as it is clicked."""
    dice = [int(die_at(sight.state, owner, cell)) for cell in range(N_CELLS)]
    if owner == sight.clicker:
        clicked = [CELLS.index(key) for key in sight.look.chosen if key in CELLS]
        for origin, end in zip(clicked[::2], clicked[1::2], strict=False):
            dice[end], dice[origin] = dice[origin], NONE
    return dice


def _pane(look: Look, cell: int, mark: str, die: int, frame: Frame, is_target: bool, tones: Tones) -> Markup:
    x, y = frame.corner(cell)
    pane = (draw_print if die < 0 else draw_pane)(mark, x, y, frame.side, tones)
    ring = ring_box(x + 1.5, y + 1.5, frame.side - 3, frame.side - 3, frame.side / 9)
    if not is_target:
        return tag("g", pane, ring, class_="last") if CELLS[cell] in look.last else pane
    label = f"{CELLS[cell]}: {_die_name(die) if die >= 0 else 'empty'}{_print_name(mark)}"
    return look.target(CELLS[cell], label, pane, ring=ring)


def _print_name(mark: str) -> str:
    if mark == ".":
        return ""
    return f", printed {COLOUR_NAMES[COLOURS.index(mark)] if mark in COLOURS else mark}"


# --- the choice of a window


def _offered(sight: Sight, place: int, x: float, y: float, side: float) -> Block:
    """A window on offer to the viewer, with its name and its tokens."""
    state, tones = sight.state, sight.tones
    owner = sight.own if sight.is_player else int(state.turn) if sight.phase == CHOOSE else 0
    pad, arch = 9.0, side * 0.95
    frame = Frame(x + pad, y + arch, side, 3)
    height = arch + frame.height + 54
    dealt = int(state.offer[owner, place])
    if dealt == NONE:
        return _empty_place(x, y, frame.width + 2 * pad, tones), height
    pattern = int(pattern_of(state, dealt))
    window, tokens = PATTERNS[pattern], int(difficulty_of(state, pattern))
    right, base = frame.x + frame.width, frame.y + frame.height
    parts = [
        draw_arch(frame, arch, pad, 50, tones),
        draw_panes("".join(window.rows), frame, tones),
        text(frame.x, base + 20, fitted(window.name, frame.width), size=SMALL, font_weight=700, fill="#fff"),
        draw_beads(tokens, frame.x + tokens * 18 - 4, base + 36, 7),
    ]
    is_taken = knows_window(state, owner, sight.seat) and int(state.window[owner]) == pattern
    if is_taken:
        parts.append(text(right, base + 41, "yours", size=SMALL, fill="#fff", text_anchor="end"))
    ring = _halo(x - 3, y - 4, frame.width + 2 * pad + 6, height + 6, 12)
    label = f"{window.name}, {tokens} tokens: {' / '.join(window.rows)}"
    return sight.quiet.target(f"window-{place + 1}", label, *parts, ring=ring), height


def _choosers(sight: Sight, x: float, y: float, width: float) -> Block:
    """Who has which colour, and who has chosen what, as far as the viewer may know."""
    state, tones = sight.state, sight.tones
    parts = []
    for line, owner in enumerate(_round_the_table(sight)):
        middle = y + 18 + 32 * line
        words = f"{sight.look.name(owner)} {_choice(sight, owner)}"
        parts += [
            seat_mark(owner, x + 22, middle, 11),
            text(x + 42, middle + 5, fitted(words, width - 90, MEDIUM), fill=tones.ink),
        ]
        letters = colour_text(state, owner, sight.seat)
        if letters:
            parts.append(draw_medal(letters, x + width - 24, middle, 12))
    height = 36 + 32 * (sight.seats - 1)
    return joined([_panel(sight, x, y, width, height), *parts]), height


def _choice(sight: Sight, owner: int) -> str:
    state = sight.state
    if state.window[owner] == NONE:
        return "chooses" if sight.mover == owner else "waits"
    if not knows_window(state, owner, sight.seat):
        return "has chosen"
    return f"takes {PATTERNS[state.window[owner]].name}"


# --- cards


def _goals_of(state: Any) -> list[int]:
    return [int(goal) for goal in state.goals if goal != NONE]


def _slots_of(state: Any) -> list[int]:
    return [slot for slot in range(5) if state.tools[slot] > 0]


@dataclass(frozen=True)
class Card:
    """A tool or an objective: its picture, its words, what stands under each."""

    key: str  # of the target; empty for objectives
    emblem: Markup
    name: str
    words: str
    below: Markup  # under the picture, its middle at (30, 0)
    marks: Markup  # under the words, from (0, 0) on
    has_marks: bool
    is_pale: bool


def _tool_card(sight: Sight, slot: int) -> Card:
    state = sight.state
    tool, used = int(state.tools[slot]), int(state.paid[slot])
    if sight.seats == 1:
        letter = TOOLS[tool - 1].solo
        price = draw_medal(letter, 30, 0, 9) if not used else centred(30, 4, "used", SMALL, sight.tones.faint)
    else:
        price = draw_beads(1 + used, 38 + 10 * used, 0, 8)
    emblem = emblems.draw_tool(tool, 0, 0, sight.tones)
    is_pale = sight.seats == 1 and bool(used) and not (sight.phase == SOLO_TOOL and int(state.hand) == slot)
    return Card(f"tool-{slot + 1}", emblem, TOOLS[tool - 1].name, EFFECTS[tool], price, Markup(""), False, is_pale)


def _goal_card(sight: Sight, goal: int) -> Card:
    state, objective = sight.state, OBJECTIVES[goal]
    marks = []
    if sight.phase >= ROLL:
        for place, owner in enumerate(_round_the_table(sight)):
            marks.append(seat_mark(owner, 8 + 46 * place, 0, 8))
            marks.append(
                text(19 + 46 * place, 5, f"×{int(times_paid(state, owner, goal))}", size=SMALL, fill=sight.tones.ink)
            )
    points = tag("rect", x=8, y=-10, width=44, height=20, rx=10, fill=sight.tones.stone)
    below = joined(
        [points, centred(30, 4.5, "1 pt" if objective.points == 1 else f"{objective.points} pts", 12.5, "#fff")]
    )
    emblem = emblems.draw_goal(goal, 0, 0, sight.tones)
    words = f"{objective.counted[0].upper()}{objective.counted[1:]}"
    return Card("", emblem, objective.name, words, below, joined(marks), bool(marks), False)


def _cards(sight: Sight, x: float, y: float, width: float, columns: int) -> Block:
    """Tools, then objectives, in rows of equal height."""
    cards = [_tool_card(sight, slot) for slot in _slots_of(sight.state)]
    cards += [_goal_card(sight, goal) for goal in _goals_of(sight.state)]
    room = (width - 8 * (columns - 1)) / columns
    parts, top = [], y
    for first in range(0, len(cards), columns):
        row = cards[first : first + columns]
        height = max(_card_height(card, room) for card in row)
        parts += [_draw_card(sight, card, x + (room + 8) * i, top, room, height) for i, card in enumerate(row)]
        top += height + 8
    return joined(parts), max(0.0, top - y - 8)


def _cards_in_columns(sight: Sight, x: float, y: float, width: float) -> Block:
    """Tools left, objectives right."""
    columns = [
        [_tool_card(sight, slot) for slot in _slots_of(sight.state)],
        [_goal_card(sight, goal) for goal in _goals_of(sight.state)],
    ]
    room = (width - 8) / 2
    heights = [max((_card_height(card, room) for card in column), default=0.0) for column in columns]
    parts = [
        _draw_card(sight, card, x + (room + 8) * i, y + (heights[i] + 8) * place, room, heights[i])
        for i, column in enumerate(columns)
        for place, card in enumerate(column)
    ]
    return joined(parts), max((heights[i] + 8) * len(column) for i, column in enumerate(columns))


def _one_column(sight: Sight, x: float, y: float, width: float) -> Block:
    return _cards(sight, x, y, width, 1)


def _card_lines(card: Card, width: float) -> tuple[list[str], list[str]]:
    room = width - 84
    return wrapped(card.name, room / 1.06), wrapped(card.words, room)


def _card_height(card: Card, width: float) -> float:
    name, words = _card_lines(card, width)
    return max(82.0, 14 + 17 * (len(name) + len(words)) + (22 if card.has_marks else 0))


def _draw_card(sight: Sight, card: Card, x: float, y: float, width: float, height: float) -> Markup:
    tones = sight.tones
    name, words = _card_lines(card, width)
    left = x + 78
    lines = [(line, tones.ink, 700) for line in name] + [(line, tones.faint, 400) for line in words]
    parts = [
        _panel(sight, x, y, width, height),
        tag("g", card.emblem, transform=f"translate({x + 9:.1f} {y + 7:.1f})"),
        tag("g", card.below, transform=f"translate({x + 9:.1f} {y + 66:.1f})"),
        *(
            text(left, y + 21 + 17 * i, line, size=SMALL, fill=fill, font_weight=weight)
            for i, (line, fill, weight) in enumerate(lines)
        ),
        tag("g", card.marks, transform=f"translate({left:.1f} {y + 23 + 17 * len(lines):.1f})"),
    ]
    if not card.key:
        return joined(parts)
    body = tag("g", *parts, opacity=".5" if card.is_pale else None)
    return sight.look.target(card.key, f"{card.name}: {card.words}", body, ring=ring_box(x, y, width, height, 10))
