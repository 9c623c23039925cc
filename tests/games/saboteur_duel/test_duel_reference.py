"""The duel against its second writing, which was made from the rules alone: both are walked in step."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from meeple import CHANCE, State, load_game
from meeple.core.chance import rng_for
from meeple.games.saboteur_duel.heuristics import PLAYOUTS, course_weight
from meeple.games.saboteur_duel.layout import BONUS, DESTROY, DROP, MAP, MAX_ACTIONS, SHAPE
from meeple.games.saboteur_duel.notation import GOAL_CELLS, LOG_CARDS, cell_text, kinds_of
from meeple.games.tunnels import CARD_OF
from meeple.games.tunnels_notation import PLACES
from reference.saboteur_duel import SaboteurDuel


def logged(state: State, action: int, hand: list[str]) -> list[str]:
    """A move in the words of the logs: a drop of a kind is a drop of any of its places."""
    player = 1 - state.to_move
    if action >= DROP:
        return [f"Drop {i} 0 {player}" for i, card in enumerate(hand) if card == LOG_CARDS[action - DROP]]
    if action < DESTROY:
        tile, is_turned = CARD_OF[int(SHAPE[action & 63])]
        cell = cell_text(action >> 6).replace(",", " ")
        return [f"Tile:{tile}{'_flip' if is_turned else ''} {cell} {player}"]
    if action < MAP:
        return [f"Destroy {cell_text(action - DESTROY).replace(',', ' ')} {player}"]
    if action < BONUS:
        return [f"Map {GOAL_CELLS[action - MAP][0]} {GOAL_CELLS[action - MAP][1]} {player}"]
    return [f"{'Bonus' if action == BONUS else 'Malus'} 0 0 {player}"]


def outcome_word(state: State, code: int) -> str:
    text = state.move_text(code)
    if text.startswith("nugget"):
        return f"nugget {GOAL_CELLS[PLACES.index(text.split()[1])][0]} {GOAL_CELLS[PLACES.index(text.split()[1])][1]}"
    return LOG_CARDS[code]


def compare(state: State, other: SaboteurDuel) -> None:
    """Everything that both keep."""
    record, found = state.record, other.snapshot()
    for seat in range(2):
        assert Counter(LOG_CARDS[kind] for kind in kinds_of(int(record.hand[seat]))) == found["hands"][1 - seat]
        assert int(record.malus[seat]) == found["malus"][1 - seat]
        looked = sorted(cell for k, cell in enumerate(GOAL_CELLS) if int(record.looked[seat]) >> k & 1)
        assert looked == found["known"][1 - seat]
    assert Counter(LOG_CARDS[kind] for kind in kinds_of(int(record.deck))) == found["deck"]
    board = {}
    for cell in cells(record.tiles):
        tile, is_turned = CARD_OF[-1 - int(record.cell[cell])]
        board[cell // 16 - 1, cell % 16] = f"Tile:{tile}{'_flip' if is_turned else ''}"
    assert board == {cell: name for cell, name in found["board"].items() if name != "Entrance"}
    assert [cell for k, cell in enumerate(GOAL_CELLS) if int(record.shown) >> k & 1] == found["revealed"]
    assert {(cell // 16 - 1, cell % 16) for cell in cells(record.reached)} == other.reached()


def cells(words: NDArray[np.int64]) -> list[int]:
    """The cells of a set."""
    return [64 * i + bit for i, word in enumerate(words.tolist()) for bit in range(63) if word >> bit & 1]


def walk(deck: str, seed: int, builds: bool) -> None:
    game = load_game(f"saboteur-duel:deck={deck}")
    state, other = game.new(seed=seed), SaboteurDuel("standard" if deck == "55" else "53")
    rng, scratch = rng_for("differential", deck, seed=seed), np.empty(MAX_ACTIONS, dtype=np.int64)
    while not state.is_over:
        if state.to_move == CHANCE:
            weights = {outcome_word(state, code): weight for code, weight in state.outcomes().items()}
            assert weights == other.outcomes()
            code = state.fated_outcome()
            word = outcome_word(state, code)
        else:
            compare(state, other)
            assert 1 - state.to_move == other.to_move()
            hand = other.hands[other.turn]
            words = {action: logged(state, action, hand) for action in state.offer()}
            assert sorted(word for named in words.values() for word in named) == other.moves()
            listed = Counter(other.listed_moves())
            for action, named in words.items():
                assert int(course_weight(state.record, action)) == sum(listed[word] for word in named)
            # Builders reach the objectives, which random players hardly ever do.
            is_built = builds and rng.below(3) > 0
            code = int(PLAYOUTS["builder"](state.record, rng.array, scratch)) if is_built else rng.choice(state.offer())
            word = words[code][0]
        state = state.after(code)
        other.play(word)
    compare(state, other)
    assert other.to_move() is None
    assert state.ranks() == list(reversed(other.ranks() or []))


@pytest.mark.parametrize("deck", ["55", "53"])
def test_both_writings_agree(deck: str) -> None:
    for seed in range(40):
        walk(deck, seed, builds=seed % 2 == 0)


@pytest.mark.long
@pytest.mark.parametrize("deck", ["55", "53"])
def test_both_writings_agree_at_length(deck: str) -> None:
    for seed in range(40, 500):
        walk(deck, seed, builds=seed % 2 == 0)
