"""Sagrada against its second writing, which was made from the rules alone: both are walked in step.

The two differ in manner, not in play: the second writing asks for a `pass` after a draft even where no tool is left,
takes a solo game's payment and the tool's effect as one move, and rolls the hammer's dice in another order.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from meeple import CHANCE, State, load_game
from meeple.core.chance import rng_for
from meeple.games.sagrada.board import PATTERNS, colour_points
from meeple.games.sagrada.cards import COLOURS, OBJECTIVES, TOOLS, word_of
from meeple.games.sagrada.layout import HAMMER, TURN
from meeple.games.sagrada.notation import CELLS, DICE
from meeple.games.sagrada.scoring import private_points, public_points, target
from reference import sagrada as reference

NAMES = {word_of(window.name): window.name for window in PATTERNS}
WORDS = {tool.word: word_of(tool.name) for tool in TOOLS}
VARIANTS = [(1, "standard", False)]
VARIANTS += [(players, "standard", False) for players in (2, 3, 4)]
VARIANTS += [(players, "thesis", faults) for players in (2, 3, 4) for faults in (False, True)]


def start(players: int, rules: str, faults: bool, seed: int, mode: str = "") -> tuple[State, Any]:
    """Both games with the same cards dealt."""
    n_tools = 1 + seed % 5 if players == 1 else 3
    words = f"players={players},rules={rules},faults={'yes' if faults else 'no'},tools={n_tools}{mode}"
    state = load_game(f"sagrada:{words}").new(seed=seed)
    while state.to_move == CHANCE:
        state = state.after(state.fated_outcome())
    record = state.record
    colours = [COLOURS[colour] for colour in record.private if colour >= 0]
    setup = {
        "private": ["".join(colours)] if players == 1 else colours,
        "offers": [[PATTERNS[pattern].name for pattern in record.offer[seat]] for seat in range(players)],
        "tools": [word_of(TOOLS[tool - 1].name) for tool in record.tools if tool],
        "objectives": [word_of(OBJECTIVES[goal].name) for goal in record.goals if goal >= 0],
    }
    return state, reference.Sagrada(players, rules, faults, setup)


def translated(text: str) -> str:
    """A move of ours in the words of the second writing."""
    word, _, rest = text.partition(" ")
    if word == "window":
        return f"window {NAMES[rest]}"
    return " ".join([WORDS.get(word, word), *rest.split()])


def paid(text: str) -> str:
    """Of a solo move of the second writing the tool and its payment."""
    words = text.split()
    return " ".join(words[:3]) if "pay" in words else text


def compare(state: State, other: Any) -> None:
    """Everything that both keep."""
    record, look = state.record, other.snapshot()
    assert sorted(DICE[die] for die in record.pool[: record.n_pool]) == look["pool"]
    assert sorted(DICE[die] for die in range(30) for _ in range(record.track[die])) == look["track"]
    assert {colour: int(record.bag[i]) for i, colour in enumerate(COLOURS)} == look["bag"]
    assert [int(n) for n in record.tokens[: record.seats]] == look["tokens"]
    for seat in range(record.seats):
        rows = state.text().split("|")[1 + seat].split()[3].replace("/", "")
        ours = {CELLS[cell]: rows[2 * cell : 2 * cell + 2] for cell in range(20) if rows[2 * cell] != "."}
        assert ours == look["windows"][seat]["dice"]
    if not state.is_over:
        order = [int(place) for place in record.order[: 2 * record.seats]]
        assert order[: record.turn + 1] == look["order"][: look["turn_index"] + 1] or record.skips
        assert int(record.order[record.turn]) == look["turn_seat"]


def compare_scores(state: State, other: Any) -> None:
    """The end: points in their parts, places."""
    record = state.record
    for seat in range(record.seats):
        parts = other.score_parts(seat)
        assert public_points(record, seat) == sum(parts["public"].values())
        assert private_points(record, seat) == parts["private"]
        assert state.score(seat) == parts["total"]
    if record.seats == 1:
        assert target(record) == parts["target"]
        assert state.win_shares() == [1.0 if other.ranks() == [1] else 0.0]
        assert private_points(record, 0) == max(colour_points(record, 0, int(c)) for c in record.private[:2])
    else:
        assert state.ranks() == other.ranks()


def compare_offers(state: State, other: Any, payment: str) -> None:
    """The legal moves, or what a tool that has been paid for may do."""
    theirs = set(other.moves())
    ours = sorted(translated(move) for move in state.legal_moves())
    if payment:
        ours = sorted(" ".join([payment, *move.split()[1:]]) for move in ours)
        assert ours == sorted(move for move in theirs if paid(move) == payment)
    else:
        assert ours == sorted({paid(move) for move in theirs})


def happen(state: State, other: Any) -> State:
    """One event of chance in both, the hammer's rolls at once."""
    rolled = []
    is_hammer = state.record.phase == HAMMER
    while True:
        if not is_hammer:
            weights = {state.move_text(code): weight for code, weight in state.outcomes().items()}
            assert weights == other.outcomes()
        code = state.fated_outcome()
        rolled.append(state.move_text(code))
        state = state.after(code)
        if not is_hammer or state.record.phase != HAMMER:
            break
    while rolled:
        following = next(die for die in rolled if die in other.outcomes())
        rolled.remove(following)
        other.happen(following)
    return state


def choose(moves: list[str], style: int, rng: random.Random) -> str:
    """Any move; or, so that tools are met more often, first a kind of move and then one of it; or seldom a pass."""
    if style == 0:
        return rng.choice(moves)
    kinds = sorted({move.split()[0] for move in moves} - ({"pass"} if style == 2 and len(moves) > 1 else set()))
    kind = rng.choice(kinds)
    return rng.choice([move for move in moves if move.split()[0] == kind])


def walk(players: int, rules: str, faults: bool, seed: int) -> None:
    compare_scores(*walked(*start(players, rules, faults, seed), seed))


def walked(state: State, other: Any, seed: int) -> tuple[State, Any]:
    """Both at the end of a match, after comparing them all the way."""
    rng = random.Random(int(rng_for("differential", seed=seed).below(2**31)))
    payment = ""  # in a solo game, the tool and the die that paid for it, in the other's words
    while not state.is_over:
        if state.to_move == CHANCE:
            state = happen(state, other)
            continue
        assert state.to_move == other.to_move()
        if state.record.phase >= TURN and not payment:
            compare(state, other)
        compare_offers(state, other, payment)
        move = choose(state.legal_moves(), seed % 3, rng)
        text = translated(move)
        state = state.play(move)
        if " pay " in text:
            payment = text
            continue
        other.play(" ".join([payment, *text.split()[1:]]) if payment else text)
        payment = ""
        end_forced_pass(state, other)
    compare(state, other)
    assert other.to_move() is None
    return state, other


def end_forced_pass(state: State, other: Any) -> None:
    """Where ours has ended a turn by itself after a draft, end it in the second writing too."""
    is_ended = not (state.to_move != CHANCE and not state.is_over and state.record.drafted)
    if other.stage == "turn" and other.draft_spent and is_ended:
        assert other.moves() == ["pass"]
        other.play("pass")


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_both_writings_agree(variant: tuple[int, str, bool]) -> None:
    for seed in range(8):
        walk(*variant, seed)


@pytest.mark.long
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_both_writings_agree_at_length(variant: tuple[int, str, bool]) -> None:
    for seed in range(8, 60):
        walk(*variant, seed)


def test_both_writings_agree_in_a_mode() -> None:
    """Other decks change what is dealt, other points only what is scored: the moves are those of the second writing."""
    worths = {"light-shades": (2, 3), "shade-variety": (5, 1), "color-diagonals": (1, 0), "row-color-variety": (6, 6)}
    mode = ",toolbox=lathekin+brush+hammer+remover,objectives=light+shades+diagonals+row-colours"
    mode += ",points=light.3+shades.1+diagonals.0+private.2+token.0+empty.2"
    for seed in range(12):
        rules = ("standard", "thesis")[seed % 2]
        state, other = walked(*start(2 + seed % 3, rules, False, seed, mode), seed)
        for seat in range(state.game.seats):
            parts = other.score_parts(seat)
            public = sum(points // worths[name][0] * worths[name][1] for name, points in parts["public"].items())
            assert state.score(seat) == public + 2 * parts["private"] + 2 * parts["empty"]
