"""The duel in text, and the course's logs.

A position: `turn 1 board=6,5:8;7,5:7f nugget=left shown=- looked=left|- malus=0,0 hands=0,8,map|7,7 drops=-|6
gone=map win=-`: who does what (`hide`, `deal 2`, `turn 1`, `draw 1`, `over 1`), tiles as row,column:card with `f` for
one that is turned, cards of both seats, cards gone face up. The deck is what is left. In a view a `?` stands for each
hidden card and for a nugget not seen.

A move: `path 7f at 4,6`, `destroy 6,6`, `map left`, `bonus`, `malus`, `drop 7`, `drop map`.

A log of the course: `BoardInit:deck-hand of player 1-hand of player 0-objectives`, a line a move such as
`Tile:7_flip 11 5 1`, then perhaps `RESULT winner 1` or `RESULT draw`; a file may hold many, an empty line between two.
The course's server writes one file a match, with lines `# ...` and `START ...` around it and `GAMEOVER WINNER 1` as its
result: those are read as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from meeple.core import multisets
from meeple.core.contract import CHANCE
from meeple.core.logs import Log
from meeple.core.match import Match
from meeple.core.numbers import shortened
from meeple.core.reading import listed, parts_of
from meeple.core.record import Record
from meeple.errors import IllegalMoveError, MeepleError, NotationError, RecordError, UnsupportedGameError
from meeple.games.saboteur_duel import layout, trays
from meeple.games.saboteur_duel.board import clear_board, rebuild
from meeple.games.saboteur_duel.rules import full_deck, known_objectives, removed_cards
from meeple.games.tunnels import CARD_OF, COPIES, N_TUNNELS, card_text, shape_named
from meeple.games.tunnels_notation import PLACES, fill_hidden, hidden_text, read_kinds

MOVE_PATTERN = (
    r"path\s*\d+f?\s*at\s*\d+\s*,\s*\d+|destroy\s*\d+\s*,\s*\d+|map\s*(left|middle|right)|bonus|malus"
    r"|drop\s*(\d+|map|bonus|destroy|malus)"
)
MOVE_EXAMPLE = "path 7f at 4,6 (row, column), map left, destroy 6,6, bonus, malus or drop map"
NAMES = (*(str(tile) for tile in range(N_TUNNELS)), "map", "bonus", "destroy", "malus")
TRAYS, placed, sites = trays.TRAYS, trays.placed, trays.sites  # of what sets up a position by clicks
PHASES = ("hide", "deal", "turn", "draw", "over")
_PHASE = {"hide": layout.HIDE, "deal": layout.DEAL, "turn": layout.TURN, "draw": layout.TAKE, "over": layout.OVER}
_POSITION = re.compile(
    r"(?P<phase>\w+) (?P<seat>[12]) board=(?P<board>\S+) nugget=(?P<nugget>left|middle|right|-|\?) shown=(?P<shown>\S+)"
    r" looked=(?P<looked>\S+) malus=(?P<malus>[0-9]),(?P<malus2>[0-9]) hands=(?P<hand>\S+)\|(?P<hand2>\S+)"
    r" drops=(?P<drop>\S+)\|(?P<drop2>\S+) gone=(?P<gone>\S+) win=(?P<win>[-12])"
)


def move_text(state: Any, action: int) -> str:
    """`path 7f at 4,6` and the like."""
    if action < layout.DESTROY:
        return f"path {card_text(int(layout.SHAPE[action & 63]))} at {cell_text(action >> 6)}"
    if action < layout.MAP:
        return f"destroy {cell_text(action - layout.DESTROY)}"
    if action < layout.BONUS:
        return f"map {PLACES[action - layout.MAP]}"
    if action < layout.DROP:
        return "bonus" if action == layout.BONUS else "malus"
    return f"drop {NAMES[action - layout.DROP]}"


def outcome_text(state: Any, outcome: int) -> str:
    """Where the nugget lies, or the card that is drawn."""
    return f"nugget {PLACES[outcome]}" if state.phase == layout.HIDE else f"card {NAMES[outcome]}"


def cell_text(cell: int) -> str:
    """`row,column`."""
    return f"{cell // layout.ROW - 1},{cell % layout.ROW}"


def kinds_of(cards: int) -> list[int]:
    """The cards of a multiset, by kind."""
    return multisets.kinds_of(cards, layout.FIELDS)


def cards_text(kinds: list[int]) -> str:
    """`0,8,8,map`, or `-`."""
    return listed((NAMES[kind] for kind in kinds), ",")


def write(state: Any, seat: int | None) -> str:
    """The position, with `?` for what `seat` may not know."""
    known = 7 if seat is None else int(known_objectives(state, seat))
    nugget = "-" if state.nugget < 0 else PLACES[state.nugget] if known >> int(state.nugget) & 1 else "?"
    hands, drops = [], []
    for owner in range(2):
        knows = seat is None or seat == owner
        hands.append(cards_text(kinds_of(int(state.hand[owner]))) if knows else hidden_text(int(state.n_hand[owner])))
        dropped = kinds_of(int(state.dropped[owner]))
        drops.append(cards_text(dropped) if knows else hidden_text(len(dropped)))
    looked = "|".join(_places_text(int(bits)) for bits in state.looked)
    return (
        f"{PHASES[state.phase]} {int(state.seat) + 1} board={_board_text(state)} nugget={nugget}"
        f" shown={_places_text(int(state.shown))} looked={looked} malus={int(state.malus[0])},{int(state.malus[1])}"
        f" hands={'|'.join(hands)} drops={'|'.join(drops)} gone={cards_text(kinds_of(int(removed_cards(state))))}"
        f" win={int(state.winner) + 1 if state.winner >= 0 else '-'}"
    )


def _board_text(state: Any) -> str:
    tiles = [64 * i + bit for i, word in enumerate(state.tiles.tolist()) for bit in range(63) if word >> bit & 1]
    parts = [f"{cell_text(cell)}:{card_text(-1 - int(state.cell[cell]))}" for cell in tiles]
    return listed(parts, ";")


def _places_text(bits: int) -> str:
    return listed((word for k, word in enumerate(PLACES) if bits >> k & 1), "+")


def read(state: Any, text: str, seats: int, options: Any) -> None:
    """Write the position that `text` names into `state`; a `?` takes any card that is left."""
    found = _POSITION.fullmatch(text)
    if not found or found["phase"] not in PHASES:
        raise NotationError(
            f"'{shortened(text)}' is no position of saboteur-duel; `meeple replay FILE --ply 0` prints one"
        )
    state.n_maps = layout.N_MAPS[int(options[layout.DECK])]
    state.phase, state.seat = _PHASE[found["phase"]], int(found["seat"]) - 1
    state.winner = int(found["win"]) - 1 if found["win"] != "-" else -1
    state.malus[:] = [int(found["malus"]), int(found["malus2"])]
    state.shown = _read_places(found["shown"])
    looked = found["looked"].split("|")
    if len(looked) != 2:
        raise NotationError(f"'{found['looked']}' is not what two seats have looked at; it reads like left+right|-")
    state.looked[:] = [_read_places(part) for part in looked]
    clear_board(state)
    tiles = [_read_tile(state, part) for part in parts_of(found["board"], ";")]
    for tile in range(N_TUNNELS):  # `rebuild` has room for the tiles of the game, not for more
        if tiles.count(tile) > COPIES[tile]:
            raise NotationError(f"there are more tiles '{tile}' on the board than the deck has")
    rebuild(state)
    _read_nugget(state, found["nugget"])
    _read_cards(state, found, tiles)


def _read_tile(state: Any, text: str) -> int:
    part = re.fullmatch(r"([0-9]{1,2}),([0-9]{1,2}):([0-9]{1,2}f?)", text)
    shape = shape_named(part[3]) if part else None
    if not part or shape is None or int(part[1]) >= layout.SIZE or int(part[2]) >= layout.SIZE:
        raise NotationError(
            f"'{shortened(text)}' is no tile on the board; one reads like 6,5:7f (row, column, tile, turned)"
        )
    cell = layout.ROW * (int(part[1]) + 1) + int(part[2])
    if state.cell[cell] < 0:
        raise NotationError(f"'{text}': something lies there already")
    state.cell[cell] = -1 - shape
    state.tiles[cell >> 6] |= 1 << (cell & 63)
    return int(part[3].removesuffix("f"))


def _read_nugget(state: Any, word: str) -> None:
    """The place of the nugget; where it is a `?`, one that the seat which wrote it has not seen.

    Which seat that was is not said, but it does not know the nugget: it has seen one objective at most.
    """
    if word != "?":
        state.nugget = PLACES.index(word) if word != "-" else -1
        return
    known = int(state.shown)
    for bits in state.looked:
        seen = int(state.shown) | int(bits)
        known |= seen if seen.bit_count() <= 1 else 0
    state.nugget = next((k for k in range(3) if not known >> k & 1), 0)


def _read_cards(state: Any, found: re.Match[str], tiles: list[int]) -> None:
    known = "0 to 15, map, bonus, destroy and malus"
    lists = [read_kinds(found[name], NAMES, known) for name in ("hand", "hand2", "drop", "drop2", "gone")]
    seen = [*tiles, *(kind for kinds in lists for kind in kinds if kind is not None)]
    counts = multisets.counts_of(full_deck(state), layout.FIELDS)
    filled, spare = fill_hidden(lists, seen, counts, NAMES, "the deck")
    for owner in range(2):
        state.hand[owner], state.n_hand[owner] = _multiset(filled[owner]), len(filled[owner])
        state.dropped[owner], state.n_dropped[owner] = _multiset(filled[2 + owner]), len(filled[2 + owner])
    state.deck, state.left = _multiset(spare), len(spare)


def _multiset(kinds: list[int]) -> int:
    return multisets.gathered(kinds, layout.FIELDS)


def _read_places(text: str) -> int:
    words = parts_of(text, "+")
    unknown = [word for word in words if word not in PLACES]
    if unknown:
        raise NotationError(f"'{shortened(unknown[0])}' is no objective; they are left, middle and right")
    return sum(1 << PLACES.index(word) for word in set(words))


# --- the course's logs ----------------------------------------------------------------------------------

LOG_CARDS = (*(f"Tile:{tile}" for tile in range(N_TUNNELS)), "Map", "Bonus", "Destroy", "Malus")
LOG_GOALS = ("Tile:nugget", "Tile:hidden1", "Tile:hidden2")
LOG_START = "BoardInit:"
GOAL_CELLS = ((12, 3), (12, 5), (12, 7))


def is_log(text: str) -> bool:
    """Whether a file's text is a log of the course's program."""
    first = next((line for line in text.splitlines() if line.strip() and not _is_remark(line)), "")
    return first.lstrip().startswith(LOG_START)


def _is_remark(line: str) -> bool:
    """Whether a line is the server's own, about the match and not of it."""
    return line.lstrip().startswith(("#", "START"))


def read_logs(text: str, lenient: bool = False) -> list[Log]:
    """All matches in the text; `lenient` takes a Map that is aimed at no objective for one at the first."""
    logs: list[Log] = []
    for lines in _paragraphs(text):
        name = f"line {lines[0][0]}"
        try:
            logs.append(Log(name, _read_log(lines, lenient)))
        except RecordError as fault:
            logs.append(Log(name, None, str(fault)))
    return logs


def _paragraphs(text: str) -> Iterator[list[tuple[int, str]]]:
    """The lines of each match with their numbers, without remarks."""
    lines: list[tuple[int, str]] = []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.strip() and not _is_remark(line):
            lines.append((number, line.strip()))
        elif lines and not line.strip():
            yield lines
            lines = []


def _read_log(lines: list[tuple[int, str]], lenient: bool) -> Record:
    number, start = lines[0]
    try:
        deck, hands, nugget = _read_start(start)
    except NotationError as fault:
        raise RecordError(f"line {number}: {fault}") from fault
    size = len(deck) + len(hands[0]) + len(hands[1])
    match = Match(f"saboteur-duel:deck={size}", manual_chance=True)
    match.play(nugget)
    for place in range(layout.HAND):
        for seat in range(2):
            match.play(hands[seat][place])
    for number, line in lines[1:]:
        try:
            if line.startswith(("RESULT", "GAMEOVER")):
                _hold_to_result(match, line)
                continue
            _play_logged(match, line, hands, lenient)
        except MeepleError as fault:
            raise RecordError(f"line {number}: '{shortened(line)}': {fault}") from fault
        if match.to_move == CHANCE:
            card = deck.pop(0)
            hands[int(match.state.record.seat)].append(card)
            match.play(card)
    return match.record()


def _read_start(line: str) -> tuple[list[int], list[list[int]], int]:
    """The deck in drawing order, the hands of seats 0 and 1 (players 1 and 0), the nugget's place."""
    parts = line.removeprefix(LOG_START).split("-")
    if not line.startswith(LOG_START) or len(parts) != 4:
        raise NotationError(
            f"'{line[:40]}' is no beginning of a log; it reads {LOG_START}deck-hand 1-hand 0-objectives"
        )
    deck, *hands = [[_logged_card(name) for name in part.split(",")] for part in parts[:3]]
    if len(hands[0]) != layout.HAND or len(hands[1]) != layout.HAND:
        raise NotationError(f"hands have {len(hands[0])} and {len(hands[1])} cards; both are dealt {layout.HAND}")
    cards = [*deck, *hands[0], *hands[1]]
    if len(cards) not in (49 + n for n in layout.N_MAPS):
        raise NotationError(f"there are {len(cards)} cards; a deck has 55, the earlier one 53")
    for kind in range(layout.N_KINDS):
        expected = len(cards) - 49 if kind == layout.MAP_CARD else int(layout.CARDS[kind])
        if cards.count(kind) != expected:
            raise NotationError(f"there are {cards.count(kind)} cards {LOG_CARDS[kind]}; the deck has {expected}")
    goals = parts[3].split(",")
    if sorted(goals) != sorted(LOG_GOALS):
        raise NotationError(f"the objectives are {', '.join(goals)}; expected {', '.join(LOG_GOALS)} in some order")
    return deck, hands, goals.index(LOG_GOALS[0])


def _logged_card(name: str) -> int:
    if name not in LOG_CARDS:
        raise NotationError(f"'{name}' is no card; cards are Tile:0 to Tile:15, Map, Bonus, Destroy and Malus")
    return LOG_CARDS.index(name)


def _play_logged(match: Match, line: str, hands: list[list[int]], lenient: bool) -> None:
    """Play a line of the log, and take the card out of the ordered hand: a played one is the first equal one."""
    found = re.fullmatch(r"(\S+) (-?[0-9]{1,9}) (-?[0-9]{1,9}) ([01])", line)
    if not found:
        raise NotationError("a move reads like 'Tile:7_flip 11 5 1', 'Drop 3 0 1', 'Map 12 3 0'")
    name, one, two = found[1], int(found[2]), int(found[3])
    seat = 1 - int(found[4])  # player 1 starts
    if match.to_move != seat:
        raise IllegalMoveError("the game is over" if match.is_over else f"player {found[4]} is not to move")
    hand = hands[seat]
    if name == "Drop":
        if not 0 <= one < len(hand):
            raise IllegalMoveError(f"the hand has {len(hand)} cards, counted from 0")
        match.play(layout.DROP + hand.pop(one))
        return
    card = _logged_card(name.removesuffix("_flip"))
    if card not in hand:
        raise IllegalMoveError(f"player {found[4]} does not hold {LOG_CARDS[card]}")
    match.play(_logged_action(match, name, card, one, two, lenient))
    hand.remove(card)


def _logged_action(match: Match, name: str, card: int, one: int, two: int, lenient: bool) -> int:
    if card < N_TUNNELS:
        shape = shape_named(f"{card}{'f' if name.endswith('_flip') else ''}")
        if shape is None:
            raise NotationError(f"tile {card} looks the same turned and has no flip")
        move = f"path {card_text(shape)} at {one},{two}"
    elif card == layout.MAP_CARD:
        if (one, two) not in GOAL_CELLS and not lenient:
            raise IllegalMoveError(f"no objective lies at {one} {two}; old programs took that for the first (lenient)")
        move = f"map {PLACES[GOAL_CELLS.index((one, two)) if (one, two) in GOAL_CELLS else 0]}"
    else:
        move = f"destroy {one},{two}" if LOG_CARDS[card] == "Destroy" else LOG_CARDS[card].lower()
    offer = {match.state.move_text(action): action for action in match.state.offer()}
    if move not in offer:
        raise IllegalMoveError(f"the rules do not allow '{move}' here")
    return offer[move]


def _hold_to_result(match: Match, line: str) -> None:
    """Refuse a result that the moves do not lead to."""
    over = re.fullmatch(r"GAMEOVER (?:(?P<reason>.*) )?(WINNER (?P<winner>[01])|DRAW)", line)
    if line.startswith("GAMEOVER") and (over is None or over["reason"]) and not match.is_over:
        return  # the server ended it: time, an illegal move, a lost connection
    if over is not None:
        line = f"RESULT winner {over['winner']}" if over["winner"] else "RESULT draw"
    if not re.fullmatch(r"RESULT (winner [01]|draw)", line):
        raise NotationError("a result reads 'RESULT winner 0', 'RESULT winner 1' or 'RESULT draw'")
    if not match.is_over:
        raise IllegalMoveError(f"the game is not over after {match.ply} moves")
    if line != _result_line(match):
        raise IllegalMoveError(f"the moves lead to '{_result_line(match)}'")


def _result_line(match: Match) -> str:
    winner = int(match.state.record.winner)
    return "RESULT draw" if winner < 0 else f"RESULT winner {1 - winner}"


def write_log(match: Match) -> str:
    """The match as a log; cards that were never drawn end the deck by kind."""
    if match.start_text is not None:
        raise UnsupportedGameError("a match that does not start at the beginning cannot be written as a log")
    outcomes = [step.code for step in match.steps if step.seat is None]
    if len(outcomes) < 1 + 2 * layout.HAND:
        raise UnsupportedGameError("a match whose cards are not dealt yet cannot be written as a log")
    nugget, cards = outcomes[0], outcomes[1:]
    hands = [cards[seat : 2 * layout.HAND : 2] for seat in range(2)]
    drawn = cards[2 * layout.HAND :]
    parts = [[*drawn, *kinds_of(int(match.state.record.deck))], *hands]
    goals = list(LOG_GOALS[1:])
    goals.insert(nugget, LOG_GOALS[0])
    lines = ["-".join(",".join(LOG_CARDS[kind] for kind in part) for part in parts)]
    lines = [f"{LOG_START}{lines[0]}-{','.join(goals)}"]
    for step in match.steps:
        if step.seat is not None:
            lines.append(_logged_line(step.code, step.seat, hands))
        elif int(step.before.record.phase) == layout.TAKE:
            hands[int(step.before.record.seat)].append(step.code)
    return "\n".join([*lines, *([_result_line(match)] if match.is_over else [])]) + "\n"


def _logged_line(action: int, seat: int, hands: list[list[int]]) -> str:
    """A move as a line; its card leaves the ordered hand."""
    hand, player = hands[seat], 1 - seat
    if action >= layout.DROP:
        place = hand.index(action - layout.DROP)
        del hand[place]
        return f"Drop {place} 0 {player}"
    if action < layout.DESTROY:
        tile, is_turned = CARD_OF[int(layout.SHAPE[action & 63])]
        card, row, column = tile, *divmod(action >> 6, layout.ROW)
        name = f"{LOG_CARDS[tile]}{'_flip' if is_turned else ''}"
        row -= 1
    elif action < layout.MAP:
        card, name, (row, column) = layout.DESTROY_CARD, "Destroy", divmod(action - layout.DESTROY, layout.ROW)
        row -= 1
    elif action < layout.BONUS:
        card, name, (row, column) = layout.MAP_CARD, "Map", GOAL_CELLS[action - layout.MAP]
    else:
        card = layout.BONUS_CARD if action == layout.BONUS else layout.MALUS_CARD
        name, row, column = LOG_CARDS[card], 0, 0
    hand.remove(card)
    return f"{name} {row} {column} {player}"
