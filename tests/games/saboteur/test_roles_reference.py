"""Saboteur against its second writing, which was made from the rules alone: both are walked in step."""

from __future__ import annotations

import re

import pytest

from meeple import CHANCE, State, load_game
from meeple.core.chance import Stream, rng_for
from meeple.games.saboteur import layout, rounds
from meeple.games.saboteur.board import shape_at
from meeple.games.saboteur.notation import KINDS, TOOLS, cell_text, cells_of, kinds_of
from meeple.games.tunnels import card_text
from meeple.games.tunnels_notation import PLACES
from reference.saboteur import Saboteur

PHASES = {
    layout.FIRST: "start",
    layout.ROLES: "roles",
    layout.LAY: "goals",
    layout.DEAL: "deal",
    layout.TURN: "move",
    layout.TAKE_CARD: "draw",
    layout.GOLD: "gold",
    layout.CHOOSE: "take",
    layout.OVER: "over",
}


def spoken(text: str) -> str:
    """Our text in the words of the other writing, which counts seats from 0."""
    text = text.removeprefix("card ")
    return re.sub(r"^(break|repair|start) (\d+)", lambda found: f"{found[1]} {int(found[2]) - 1}", text)


def counts(kinds: list[int]) -> dict[str, int]:
    return {KINDS[kind]: kinds.count(kind) for kind in set(kinds)}


def compare(state: State, other: Saboteur) -> None:
    """Everything that both keep, at a decision or at the end."""
    record, found = state.record, other.snapshot()
    seats = range(state.game.seats)
    assert PHASES[int(record.phase)] == found["phase"]
    assert [counts(kinds_of(int(record.hand[seat]))) for seat in seats] == found["hands"]
    assert counts(kinds_of(int(record.pile))) == found["pile"]
    lying = {}
    for cell in cells_of(record.tunnels):
        x, y = cell_text(record, cell).split(",")
        lying[int(x), int(y)] = card_text(int(shape_at(record, cell)))
    assert lying == {cell: name for cell, name in found["board"].items() if name != "start"}
    assert [["m", "s"][int(record.saboteurs) >> seat & 1] for seat in seats] == [role[0] for role in found["roles"]]
    face_up = {place: k for k, place in enumerate(PLACES) if int(record.shown) >> k & 1}
    shapes = {place: int(shape_at(record, int(layout.GOAL_CELLS[k]))) for place, k in face_up.items()}
    sides = {place: "".join("NESW"[d] for d in range(4) if shape >> d & 1) for place, shape in shapes.items()}
    assert sides == found["face_up"]
    looked = [sorted(place for k, place in enumerate(PLACES) if int(record.looked[seat]) >> k & 1) for seat in seats]
    assert looked == found["known"]
    broken = [[tool for i, tool in enumerate(TOOLS) if int(record.broken[seat]) >> i & 1] for seat in seats]
    assert broken == found["broken"]
    assert {v + 1: int(record.offer[v]) for v in range(3) if record.offer[v]} == found["offer"]
    assert {v + 1: int(record.bank[v]) for v in range(3) if record.bank[v]} == found["gold_supply"]
    for seat in seats:
        gold = {value + 1: int(rounds.gold_of(record, seat, value)) for value in range(3)}
        assert {value: n for value, n in gold.items() if n} == found["gold"][seat]
    words = {"miners": 1, "saboteurs": 2}
    assert [int(code) for code in record.outcome_of if code] == [words[word] for word in found["round_results"]]


def eager(state: State, rng: Stream) -> int:
    """Mostly the tunnel that gets nearest to a goal: random players hardly ever reach one."""
    offer = state.offer()
    if rng.below(5) == 0:
        return rng.choice(offer)
    tunnels = [action for action in offer if action < layout.ROCKFALL and int(layout.SHAPE[action & 63]) & 16]

    def gap(action: int) -> tuple[int, int]:
        x, y = (int(part) for part in cell_text(state.record, action >> 6).split(","))
        return abs(8 - x) + min(abs(y - 2), abs(y), abs(y + 2)), -int(layout.SHAPE[action & 63]).bit_count()

    return min(tunnels, key=gap) if tunnels else rng.choice(offer)


def walk(players: int, seed: int, gold: str, goals: str, is_eager: bool) -> tuple[int, int]:
    """Returns how many rounds the miners won, and how many goals were turned to stone."""
    game = load_game(f"saboteur:players={players},gold={gold},goals={goals}")
    state, other = game.new(seed=seed), Saboteur(players, gold_cards=gold, goals=goals)
    rng, stones = rng_for("differential", players, seed=seed), 0
    while not state.is_over:
        if state.to_move == CHANCE:
            weights = {spoken(state.move_text(code)): weight for code, weight in state.outcomes().items()}
            assert weights == other.outcomes()
            code = state.fated_outcome()
        else:
            compare(state, other)
            assert state.to_move == other.to_move()
            assert sorted(spoken(text) for text in state.legal_moves()) == other.moves()
            code = eager(state, rng) if is_eager else rng.choice(state.offer())
        word = spoken(state.move_text(code))
        before = int(state.record.shown)
        state = state.after(code)
        stones += int(state.record.shown) > before
        other.play(word)
    compare(state, other)
    assert [state.score(seat) for seat in range(players)] == other.scores()
    assert state.ranks() == other.ranks()
    return sum(int(code) == 1 for code in state.record.outcome_of), stones


def walk_all(seeds: range) -> None:
    won = stones = 0
    for seed in seeds:
        gold, goals = ("players", "miners")[seed // 8 % 2], ("curves", "crosses")[seed // 16 % 2]
        found = walk(3 + seed % 8, seed, gold, goals, is_eager=seed % 3 > 0)
        won, stones = won + found[0], stones + found[1]
    # Enough of both: rounds that the miners win, with gold to choose, and stones that turn.
    assert won > len(seeds) // 4
    assert stones > len(seeds) // 4


def test_both_writings_agree() -> None:
    walk_all(range(50))


@pytest.mark.long
@pytest.mark.parametrize("part", range(11))
def test_both_writings_agree_at_length(part: int) -> None:
    walk_all(range(50 + 48 * part, 98 + 48 * part))  # a match takes a second
