"""Windows with their dice and owners: one's own, the others', and those on offer."""

from __future__ import annotations

from meeple.core.picture import MEDIUM, SMALL, fitted, piece, rimmed, ring_box, ring_round, seat_mark, text, wrapped
from meeple.core.svg import Markup, joined, tag
from meeple.games.sagrada.board import N_CELLS, PATTERNS, die_at
from meeple.games.sagrada.cards import COLOUR_NAMES, COLOURS
from meeple.games.sagrada.dealing import difficulty_of, pattern_of
from meeple.games.sagrada.drawing.glass import (
    Frame,
    arch_middle,
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
from meeple.games.sagrada.drawing.points import empty_cells
from meeple.games.sagrada.drawing.sight import (
    Block,
    Sight,
    die_name,
    draw_empty_place,
    draw_panel,
    draw_spot,
    private_of,
    round_the_table,
    tokens_text,
)
from meeple.games.sagrada.layout import CHOOSE, NONE, OVER
from meeple.games.sagrada.notation import CELLS, DICE, colour_text, knows_window

RIM = 15.0  # for the letters of the columns, below a window


def draw_own_window(sight: Sight, x: float, y: float, side: float) -> Block:
    """The large window: arch with the private colour, cells, name and tokens in its foot."""
    state, tones, owner = sight.state, sight.tones, sight.own
    pad, arch, foot = side * 0.26, side * 1.12, (64.0 if sight.phase == OVER else 84.0) + RIM
    frame = Frame(x + pad, y + arch, side, 5)
    parts = [draw_arch(frame, arch, pad, foot, tones)]
    letters = colour_text(state, owner, sight.seat)
    if letters:
        parts.append(draw_medal(letters, *arch_middle(frame, arch), arch * 0.29))
    parts += [_cells(sight, owner, frame), _rim(frame, pad)]
    base, right = frame.y + frame.height + RIM, frame.x + frame.width
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
        words = (
            f"{'/'.join(COLOUR_NAMES[COLOURS.index(letter)] for letter in letters)} dice: {private_of(state, owner)}"
        )
        parts.append(text(right, base + 51, words, size=SMALL, fill="#fff", text_anchor="end"))
    if sight.phase != OVER:
        words = _empty_words(*empty_cells(state, owner))
        parts.append(text(frame.x, base + 71, words, size=SMALL, fill="#cfc9dc"))
    parts += [
        draw_spot(sight, "seat", owner, ring_box(frame.x - 3, base + 7, frame.width * 0.58, 50)),
        draw_spot(sight, "tokens", owner, ring_box(right - 122, base + 9, 124, 26)),
        draw_spot(sight, "colour", owner, ring_round(*arch_middle(frame, arch), arch * 0.29 + 3)),
    ]
    return joined(parts), arch + frame.height + foot + 4


def _rim(frame: Frame, pad: float) -> Markup:
    """The letters of the columns and the numbers of the rows, as moves name them."""
    columns = [(frame.corner(column)[0] + frame.side / 2, frame.y + frame.height + RIM) for column in range(5)]
    rows = [(frame.x - pad / 2, frame.corner(5 * row)[1] + frame.side / 2 + SMALL * 0.36) for row in range(4)]
    words = [*zip("abcde", columns, strict=True), *zip("1234", rows, strict=True)]
    return joined(text(x, y, word, size=SMALL, fill="#cfc9dc", text_anchor="middle") for word, (x, y) in words)


def _empty_words(count: int, cost: int) -> str:
    """Why a score is below zero for most of a game."""
    return f"{count} cell{'' if count == 1 else 's'} still empty: −{cost} at the end" if count else "no cell is empty"


def draw_other_windows(sight: Sight, x: float, y: float, width: float) -> Block:
    """The other windows side by side; a single one has its words beside it, more have them above and below."""
    others = [owner for owner in round_the_table(sight) if owner != sight.own]
    if not others:
        return Markup(""), 0
    if len(others) == 1:
        return draw_other_window(sight, others[0], x, y, width, 37)
    room = (width - 8 * (len(others) - 1)) / len(others)
    drawn = [_slim_window(sight, owner, x + i * (room + 8), y, room) for i, owner in enumerate(others)]
    return joined(markup for markup, _ in drawn), drawn[0][1]


def draw_other_window(sight: Sight, owner: int, x: float, y: float, width: float, side: float) -> Block:
    """A small window, and right of it whose it is."""
    state, tones = sight.state, sight.tones
    pad, arch = 8.0, side * 0.8
    frame = Frame(x + 10 + pad, y + 8 + arch, side, 3)
    height = arch + frame.height + pad + 18
    left = frame.x + frame.width + pad + 12
    room = x + width - left - 6
    pattern = wrapped(PATTERNS[state.window[owner]].name, room)[:2]
    parts = [
        draw_panel(sight, x, y, width, height),
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
            text(left + 23, down + 5, tokens_text(tokens) if room > 95 else tokens, size=SMALL, fill=tones.ink),
        ]
    letters = colour_text(state, owner, sight.seat)
    if letters:
        words = "secret" if letters == "?" else f"{private_of(state, owner)} points"
        parts += [
            draw_medal(letters, left + 10, down + 28, 10),
            text(left + 26, down + 33, fitted(words, room - 26), size=SMALL, fill=tones.ink),
        ]
    parts += [
        draw_spot(sight, "seat", owner, ring_box(left - 3, y + 12, room, 30)),
        draw_spot(sight, "tokens", owner, ring_box(left - 3, down - 11, room, 23)),
        draw_spot(sight, "colour", owner, ring_round(left + 10, down + 28, 13)),
    ]
    return joined(parts), height


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
        draw_panel(sight, x, y, width, base + 34 - y),
        seat_mark(owner, x + 18, y + 16, 10),
        text(x + 33, y + 21, fitted(sight.look.name(owner), width - 40, MEDIUM), fill=tones.ink, font_weight=700),
        draw_arch(frame, arch, pad, pad, tones),
        _cells(sight, owner, frame),
        draw_bead(x + 18, base + 17, 8),
        text(x + 32, base + 22, int(state.tokens[owner]), size=SMALL, fill=tones.ink),
    ]
    letters = colour_text(state, owner, sight.seat)
    if letters:
        words = "secret" if letters == "?" else private_of(state, owner)
        parts.append(draw_medal(letters, x + width - 20, base + 17, 10))
        parts.append(text(x + width - 36, base + 22, words, size=SMALL, fill=tones.ink, text_anchor="end"))
    parts += [
        draw_spot(sight, "seat", owner, ring_box(x + 5, y + 3, width - 10, 26)),
        draw_spot(sight, "tokens", owner, ring_box(x + 6, base + 5, 44, 24)),
        draw_spot(sight, "colour", owner, ring_round(x + width - 20, base + 17, 13)),
    ]
    return joined(parts), base + 34 - y


def _cells(sight: Sight, owner: int, frame: Frame) -> Markup:
    """Panes, then dice, then what is printed under them."""
    marks = "".join(PATTERNS[sight.state.window[owner]].rows)
    dice = _dice_of(sight, owner)
    panes = [_pane(sight, owner, cell, marks[cell], dice[cell], frame) for cell in range(N_CELLS)]
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


def _pane(sight: Sight, owner: int, cell: int, mark: str, die: int, frame: Frame) -> Markup:
    """A cell without its die, which may be a target."""
    x, y = frame.corner(cell)
    look, key = sight.look, CELLS[cell]
    pane = (draw_print if die < 0 else draw_pane)(mark, x, y, frame.side, sight.tones)
    is_last = key in look.last and owner == look.mover
    is_elsewhere = owner != sight.holder(key)
    if is_elsewhere and not is_last and f"seat-{owner + 1}-{key}" not in look.lit:
        return pane
    ring = ring_box(x + 1.5, y + 1.5, frame.side - 3, frame.side - 3, frame.side / 9)
    if is_elsewhere and is_last:
        return tag("g", pane, rimmed(ring), class_="last", data_l=key)
    label = f"{key}: {die_name(die) if die >= 0 else 'empty'}{_print_name(mark)}"
    key = f"seat-{owner + 1}-{key}" if is_elsewhere else key
    return (look if is_last else sight.quiet).target(key, label, pane, ring=ring)


def _print_name(mark: str) -> str:
    if mark == ".":
        return ""
    return f", printed {COLOUR_NAMES[COLOURS.index(mark)] if mark in COLOURS else mark}"


def draw_offered(sight: Sight, place: int, x: float, y: float, side: float) -> Block:
    """A window on offer to the viewer, with its name and its tokens."""
    state, tones = sight.state, sight.tones
    owner = sight.own if sight.is_player else int(state.turn) if sight.phase == CHOOSE else 0
    pad, arch = 9.0, side * 0.95
    frame = Frame(x + pad, y + arch, side, 3)
    height = arch + frame.height + 54
    dealt = int(state.offer[owner, place])
    if dealt == NONE:
        return draw_empty_place(x, y, frame.width + 2 * pad, tones), height
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
    ring = ring_box(x - 3, y - 4, frame.width + 2 * pad + 6, height + 6, 12, is_clear=True)
    label = f"{window.name}, {tokens} tokens: {' / '.join(window.rows)}"
    return sight.quiet.target(f"window-{place + 1}", label, *parts, ring=ring), height


def draw_choosers(sight: Sight, x: float, y: float, width: float) -> Block:
    """Who has which colour, and who has chosen what, as far as the viewer may know."""
    state, tones = sight.state, sight.tones
    parts = []
    for line, owner in enumerate(round_the_table(sight)):
        middle = y + 18 + 32 * line
        words = _choice(sight, owner)
        parts += [
            seat_mark(owner, x + 22, middle, 11),
            text(x + 42, middle + 5, fitted(words, width - 90, MEDIUM), fill=tones.ink),
        ]
        letters = colour_text(state, owner, sight.seat)
        if letters:
            parts.append(draw_medal(letters, x + width - 24, middle, 12))
    height = 36 + 32 * (sight.seats - 1)
    return joined([draw_panel(sight, x, y, width, height), *parts]), height


def _choice(sight: Sight, owner: int) -> str:
    """What a seat does about its window, as far as the viewer may know."""
    state, look = sight.state, sight.look
    if state.window[owner] == NONE:
        return look.does(owner, "choose" if sight.mover == owner else "wait")
    if not knows_window(state, owner, sight.seat):
        return f"{look.does(owner, 'have')} chosen"
    return f"{look.does(owner, 'take')} {PATTERNS[state.window[owner]].name}"
