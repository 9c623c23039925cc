"""Sagrada in text.

A die is its colour and value, `R4`; a cell its column and row from the top left, `c2`. Moves are `place R4 c2`,
`lathekin a1>b2 c3>d3` and the like, each tool by its word. A position is words `key=value` and a part a seat:

    done=3 phase=turn turn=1 start=2 order=2112 tools=lathekin,brush!,lens goals=light,shades,diagonals
    bag=10.11.9.12.8 pool=R4G2G5 track=B1Y6 hand=- used=0 drafted=0 skips=- spent=0.0.0.0.0 | R via-lux 3 <cells> -

`!` marks a tool that somebody has used. A seat has its private colour, its window, its tokens, its cells (four rows,
`R4` or `..` each) and, while windows are chosen, the patterns on offer. `?` is what a seat may not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from meeple.core.numbers import shortened, whole_number
from meeple.core.reading import listed, number_in, parts_of
from meeple.errors import NotationError, did_you_mean
from meeple.games.sagrada import board, layout, tools, trays
from meeple.games.sagrada.cards import COLOUR_NAMES, COLOURS, OBJECTIVES, TOOLS, word_of
from meeple.games.sagrada.dealing import fix_options, pattern_of
from meeple.games.sagrada.invariants import check_window

TRAYS, placed, sites = trays.TRAYS, trays.placed, trays.sites  # of what sets up a position by clicks
TOOL_WORDS = tuple(tool.word for tool in TOOLS)
GOAL_WORDS = tuple(objective.word for objective in OBJECTIVES)
WINDOW_WORDS = tuple(word_of(window.name) for window in board.PATTERNS)
CELLS = tuple(f"{column}{row}" for row in "1234" for column in "abcde")
DICE = tuple(f"{colour}{value}" for colour in COLOURS for value in "123456")
MOST_TOKENS = int(board.DIFFICULTY.max())
_DIE, _CELL = "[rgbyp][1-6]", "[a-e][1-4]"
_STEP = rf"{_CELL}\s*>\s*{_CELL}"
MOVE_PATTERN = (
    rf"pass|window\s+[a-z-]+|(place|straightedge)\s+{_DIE}\s+{_CELL}|(return|brush|remover)\s+{_DIE}|hammer|running|"
    rf"(grozing|grinding|lens)\s+{_DIE}\s*>\s*{_DIE}\s+{_CELL}|(eglomise|copper)\s+{_STEP}|"
    rf"(lathekin|tapwheel)\s+{_STEP}(\s+{_STEP})?|({'|'.join(TOOL_WORDS)})\s+pay\s+{_DIE}"
)
MOVE_EXAMPLE = "place R4 c2, lathekin a1>b2 c3>d3, brush R4 or pass"
KEYS = (
    "done", "phase", "turn", "start", "order", "tools", "goals", "bag", "pool", "track", "hand", "used", "drafted",
    "skips", "spent",
)  # fmt: skip


# --- moves and outcomes


def move_text(state: Any, action: int) -> str:
    """`place R4 c2`, `lathekin a1>b2 c3>d3`, `pass` ..."""
    kind = action >> layout.KIND_BITS
    a, b, c, d = (action >> 15) & 31, (action >> 10) & 31, (action >> 5) & 31, action & 31
    if kind == layout.PASS:
        return "pass"
    if kind == layout.WINDOW:
        return f"window {WINDOW_WORDS[state.offer[state.turn, a]]}"
    if kind == layout.PLACE:
        return f"place {DICE[b]} {CELLS[a]}"
    if kind == layout.RETURN:
        return f"return {DICE[a]}"
    tool = int(state.tools[kind])
    word = TOOL_WORDS[tool - 1]
    if int(state.seats) == 1 and int(state.phase) == layout.TURN:
        return f"{word} pay {DICE[a]}"
    if tool == tools.GROZING:
        return f"{word} {DICE[a]}>{DICE[a + 2 * b - 1]} {CELLS[c]}"
    if tool == tools.GRINDING:
        return f"{word} {DICE[b]}>{DICE[board.opposite(b)]} {CELLS[a]}"
    if tool == tools.LENS:
        return f"{word} {DICE[a]}>{DICE[b]} {CELLS[c]}"
    if tool == tools.STRAIGHTEDGE:
        return f"{word} {DICE[b]} {CELLS[a]}"
    if tool in (tools.BRUSH, tools.REMOVER):
        return f"{word} {DICE[a]}"
    if tool in (tools.EGLOMISE, tools.COPPER) or (tool == tools.TAP_WHEEL and c == 0 and d == 0):
        return f"{word} {CELLS[a]}>{CELLS[b]}"
    if tool in (tools.LATHEKIN, tools.TAP_WHEEL):
        return f"{word} {CELLS[a]}>{CELLS[b]} {CELLS[c]}>{CELLS[d]}"
    return word


def outcome_text(state: Any, outcome: int) -> str:
    """A die, a card, a colour."""
    phase = int(state.phase)
    if phase == layout.DEAL_TOOLS:
        return f"tool {TOOL_WORDS[outcome]}"
    if phase == layout.DEAL_GOALS:
        return f"goal {GOAL_WORDS[outcome]}"
    if phase == layout.DEAL_COLOURS:
        return f"colour {COLOUR_NAMES[outcome]}"
    if phase == layout.DEAL_WINDOWS:
        if int(state.is_thesis):
            return f"pattern {WINDOW_WORDS[outcome]}"
        return f"card {WINDOW_WORDS[2 * outcome]}/{WINDOW_WORDS[2 * outcome + 1]}"
    if phase == layout.REMOVER_DRAW and not int(state.keeps_roll):
        return COLOURS[outcome // board.N_VALUES]
    return DICE[outcome]


# --- positions


def write(state: Any, seat: int | None) -> str:
    """The position; with `?` for what `seat` may not know."""
    n_pool, phase, seats = int(state.n_pool), int(state.phase), int(state.seats)
    cards = [
        TOOL_WORDS[state.tools[slot] - 1] + ("!" if state.paid[slot] else "") for slot in range(5) if state.tools[slot]
    ]
    track = "".join(DICE[die] * int(state.track[die]) for die in range(30))
    skips = [str(owner + 1) for owner in range(seats) if (int(state.skips) >> owner) & 1]
    values = {
        "done": int(state.lap),
        "phase": layout.PHASES[phase],
        "turn": int(state.turn),
        "start": int(state.start) + 1,
        "order": "".join(str(int(place) + 1) for place in state.order[: 2 * seats]) if phase >= layout.ROLL else "-",
        "tools": listed(cards, ","),
        "goals": listed((GOAL_WORDS[goal] for goal in state.goals if goal != layout.NONE), ","),
        "bag": ".".join(str(int(n)) for n in state.bag),
        "pool": "".join(DICE[die] for die in state.pool[:n_pool]) or "-",
        "track": track or "-",
        "hand": _hand_text(state),
        "used": int(state.tool_used),
        "drafted": int(state.drafted),
        "skips": listed(skips, ","),
        "spent": ".".join(str(int(n)) for n in state.spent),
    }
    head = " ".join(f"{key}={value}" for key, value in values.items())
    return " | ".join([head, *(_write_seat(state, owner, seat) for owner in range(seats))])


def _hand_text(state: Any) -> str:
    hand = int(state.hand)
    if hand == layout.NONE:
        return "-"
    return str(hand) if int(state.phase) in (layout.HAMMER, layout.SOLO_TOOL) else DICE[hand]


def knows_colour(state: Any, owner: int, seat: int | None) -> bool:
    """Whether `seat` knows the private colour of `owner`."""
    return seat is None or seat == owner or int(state.seats) == 1 or int(state.phase) == layout.OVER


def knows_window(state: Any, owner: int, seat: int | None) -> bool:
    """Whether `seat` knows which window `owner` has chosen."""
    return seat is None or seat == owner or int(state.phase) != layout.CHOOSE


def colour_text(state: Any, owner: int, seat: int | None) -> str:
    """The private colour (in the solo game both), `-` before it is dealt, `?` where `seat` may not know it."""
    dealt = state.private[:2] if int(state.seats) == 1 else state.private[owner : owner + 1]
    letters = "".join(COLOURS[colour] for colour in dealt if colour != layout.NONE)
    return letters if not letters or knows_colour(state, owner, seat) else "?"


def _write_seat(state: Any, owner: int, seat: int | None) -> str:
    window = "-"
    if state.window[owner] != layout.NONE:
        window = WINDOW_WORDS[state.window[owner]] if knows_window(state, owner, seat) else "?"
    dice = [int(board.die_at(state, owner, cell)) for cell in range(board.N_CELLS)]
    texts = [DICE[die] if die >= 0 else ".." for die in dice]
    rows = "/".join("".join(texts[row : row + 5]) for row in range(0, board.N_CELLS, 5))
    offer = ",".join(WINDOW_WORDS[pattern] for pattern in state.offer[owner] if pattern != layout.NONE)
    return f"{colour_text(state, owner, seat) or '-'} {window} {int(state.tokens[owner])} {rows} {offer or '-'}"


def read(state: Any, text: str, seats: int, options: Any) -> None:
    """Write the position that `text` names into `state`."""
    _read(state, text, seats, options, is_draft=False)


def draft(state: Any, text: str, seats: int, options: Any) -> None:
    """The same for a text that need be no position yet: dice may lie where neighbours or print forbid it."""
    _read(state, text, seats, options, is_draft=True)


def _read(state: Any, text: str, seats: int, options: Any, *, is_draft: bool) -> None:
    head, *parts = (part.strip() for part in text.split("|"))
    words = _read_head(head)
    if len(parts) != seats:
        raise NotationError(f"'{text}' has {len(parts)} seats, not {seats}")
    fix_options(state, seats, options)
    state.phase = _place(words["phase"], layout.PHASES, "phase")
    state.lap, state.turn = number_in("done", words["done"], 0, 10), number_in("turn", words["turn"], 0, 15)
    state.start = number_in("start", words["start"], 1, seats) - 1
    state.tool_used, state.drafted = (
        number_in("used", words["used"], 0, 1),
        number_in("drafted", words["drafted"], 0, 1),
    )
    _read_cards(state, words)
    order = "" if words["order"] == "-" else words["order"]
    if any(mark not in "1234"[:seats] for mark in order) or len(order) not in (0, 2 * seats):
        raise NotationError(f"order={shortened(order)} does not give each of {seats} seats two turns")
    state.order[:] = [*(int(mark) - 1 for mark in order), *[0] * (8 - len(order))]
    skips = parts_of(words["skips"], ",")
    if any(whole_number(mark, 1, seats) is None for mark in skips) or len(set(skips)) < len(skips):
        raise NotationError(f"skips={shortened(words['skips'])} does not name seats from 1 to {seats}, such as 1,3")
    state.skips = sum(1 << (int(mark) - 1) for mark in skips)
    state.bag[:], state.spent[:] = _five(words, "bag"), _five(words, "spent")
    pool = _read_dice(words["pool"], "pool")
    pool = pool if state.phase == layout.HAMMER else sorted(pool)
    if len(pool) > 9:
        raise NotationError(f"pool={words['pool']} holds {len(pool)} dice, more than 9")
    state.pool[:], state.n_pool = [*pool, *[0] * (9 - len(pool))], len(pool)
    track = _read_dice(words["track"], "track")
    if len(track) > board.N_DICE * board.COPIES // board.N_VALUES:
        raise NotationError(f"track={shortened(words['track'])} holds {len(track)} dice, more than the game has")
    for die in track:
        state.track[die] += 1
        state.track_kinds = int(state.track_kinds) | 1 << die
    hand = words["hand"]
    number = whole_number(hand, 0, board.N_DICE - 1)
    state.hand = layout.NONE if hand == "-" else number if number is not None else _place(hand, DICE, "die")
    state.window[:], state.private[:], state.offer[:, :] = layout.NONE, layout.NONE, layout.NONE
    for owner, part in enumerate(parts):
        _read_seat(state, owner, part, is_draft=is_draft)
    _deal_unknown_colours(state, parts)


def _read_head(head: str) -> dict[str, str]:
    words: dict[str, str] = {}
    for word in head.split():
        key, _, value = word.partition("=")
        if key not in KEYS:
            raise NotationError(f"a position of sagrada has no key '{shortened(key)}'; {did_you_mean(key, KEYS)}")
        if key in words:
            raise NotationError(f"'{key}' stands twice in this position of sagrada")
        words[key] = value
    missing = [key for key in KEYS if not words.get(key)]
    if missing:
        raise NotationError(
            f"a position of sagrada needs {missing[0]}=...; it reads like done=0 phase=turn ... | seats"
        )
    return words


def _read_cards(state: Any, words: dict[str, str]) -> None:
    owned = parts_of(words["tools"], ",")
    goals = parts_of(words["goals"], ",")
    is_dealt = int(state.phase) > layout.DEAL_GOALS
    for key, cards, wanted in (("tools", owned, int(state.n_tools)), ("goals", goals, int(state.n_goals))):
        if len(cards) > wanted or (is_dealt and len(cards) != wanted):
            raise NotationError(f"{key}={words[key]} names {len(cards)} cards, not {wanted}")
    for slot, tool in enumerate(owned):
        state.tools[slot] = _card(tool.removesuffix("!"), TOOL_WORDS, "tool card", int(state.tool_deck)) + 1
        state.paid[slot] = int(tool.endswith("!"))
    places = [_card(goal, GOAL_WORDS, "objective", int(state.goal_deck)) for goal in goals]
    state.goals[:] = [*places, *[layout.NONE] * (3 - len(goals))]


def _read_seat(state: Any, owner: int, text: str, *, is_draft: bool) -> None:
    parts = text.split()
    if len(parts) != 5:
        raise NotationError(f"'{text}' is no seat of sagrada; one reads like R via-lux 3 {'/'.join(['..' * 5] * 4)} -")
    colours, window, tokens, rows, offer = parts
    if offer != "-":
        patterns = [_window(state, word) for word in offer.split(",")]
        if len(patterns) > 4:
            raise NotationError(f"seat {owner + 1} is offered {len(patterns)} windows, more than 4")
        state.offer[owner, : len(patterns)] = patterns
    if window == "?" and state.offer[owner, 0] == layout.NONE:
        raise NotationError(f"seat {owner + 1} cannot have chosen a window that is not known: it is offered none")
    if window == "?":
        state.window[owner] = int(pattern_of(state, int(state.offer[owner, 0])))
    elif window != "-":
        state.window[owner] = _window(state, window)
    elif state.phase >= layout.ROLL:
        raise NotationError(f"seat {owner + 1} has no window")
    number = whole_number(tokens, 0, MOST_TOKENS)
    if number is None:
        raise NotationError(f"seat {owner + 1} has {shortened(tokens)} tokens; a window gives at most {MOST_TOKENS}")
    state.tokens[owner] = number
    for place, letter in enumerate("" if colours in "-?" else colours):
        if letter not in COLOURS or owner + place > 3:
            raise NotationError(f"'{colours}' is no private colour; colours are {', '.join(COLOURS)}")
        state.private[owner + place] = COLOURS.index(letter)
    _read_cells(state, owner, rows, is_draft=is_draft)


def _read_cells(state: Any, owner: int, rows: str, *, is_draft: bool) -> None:
    texts = rows.split("/")
    if len(texts) != 4 or any(len(row) != 10 for row in texts):
        raise NotationError(f"'{rows}' is no window; it has four rows of five cells, each a die such as R4 or ..")
    for cell in range(board.N_CELLS):
        text = texts[cell // 5][cell % 5 * 2 : cell % 5 * 2 + 2]
        if text == "..":
            continue
        die = _place(text, DICE, "die")
        for field, key in (
            ("occ", owner),
            ("col", (owner, die // board.N_VALUES)),
            ("val", (owner, die % board.N_VALUES)),
        ):
            getattr(state, field)[key] = int(getattr(state, field)[key]) | 1 << cell
        if state.window[owner] == layout.NONE:
            raise NotationError(f"seat {owner + 1} has a die on {CELLS[cell]} and no window")
        if not is_draft and check_window(state, owner):
            raise NotationError(
                f"seat {owner + 1} cannot have {text} on {CELLS[cell]}: its neighbours or print forbid it"
            )


def _deal_unknown_colours(state: Any, parts: Sequence[str]) -> None:
    """A question mark takes any colour that is left: the redeal that follows makes a fair sample of it."""
    known = {int(colour) for colour in state.private}
    spare = [colour for colour in range(len(COLOURS)) if colour not in known]
    for owner, part in enumerate(parts):
        if part.split()[0] == "?":
            state.private[owner] = spare.pop()  # five colours are enough for four seats


def _place(word: str, words: Sequence[str], what: str) -> int:
    if word not in words:
        raise NotationError(f"'{shortened(word)}' is no {what} of sagrada; {did_you_mean(word, words)}")
    return words.index(word)


def _window(state: Any, word: str) -> int:
    """A pattern that may have been dealt; the faulty Via Lux comes from the card of the true one."""
    if word == WINDOW_WORDS[board.BLANK_VIA_LUX]:
        return board.BLANK_VIA_LUX
    return _card(word, WINDOW_WORDS, "window", int(state.window_deck))


def _card(word: str, words: Sequence[str], what: str, deck: int) -> int:
    """A card of the deck that the options leave."""
    place = _place(word, words, what)
    if not (deck >> place) & 1:
        raise NotationError(f"the {what} '{word}' is not in this game: its options leave it out")
    return place


def _five(words: dict[str, str], key: str) -> list[int]:
    counts = [whole_number(part, 0, board.COPIES) for part in words[key].split(".")]
    if len(counts) != 5 or None in counts:
        raise NotationError(
            f"{key}={shortened(words[key])} does not give five counts of 0 to {board.COPIES}, such as 18.18.18.18.18"
        )
    return [count for count in counts if count is not None]


def _read_dice(text: str, key: str) -> list[int]:
    if text == "-":
        return []
    if len(text) % 2:
        raise NotationError(f"{key}={text} is no list of dice such as R4G2")
    return [_place(text[i : i + 2], DICE, "die") for i in range(0, len(text), 2)]
