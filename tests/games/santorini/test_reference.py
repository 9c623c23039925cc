"""Santorini against its second writing, which was made from the rules alone: both are walked in step."""

from __future__ import annotations

import pytest

from meeple import load_game
from meeple.core.chance import rng_for
from reference import santorini as reference


def walk(supply: str, seed: int) -> None:
    game = load_game(f"santorini:supply={supply}")
    state, position = game.new(), reference.start(finite=supply == "finite")
    rng = rng_for("differential", supply, seed=seed)
    while True:
        assert state.text() == reference.write(position)
        moves = sorted(reference.legal_moves(position))
        assert sorted(state.legal_moves()) == moves
        if position.winner is not None:
            assert state.is_over
            assert state.win_shares()[position.winner] == 1.0
            return
        assert state.to_move == position.to_move
        move = rng.choice(moves)
        state, position = state.play(move), reference.play(position, move)


@pytest.mark.parametrize("supply", ["unlimited", "finite"])
def test_both_writings_agree(supply: str) -> None:
    for seed in range(60):
        walk(supply, seed)


@pytest.mark.long
@pytest.mark.parametrize("supply", ["unlimited", "finite"])
def test_both_writings_agree_at_length(supply: str) -> None:
    for seed in range(60, 560):
        walk(supply, seed)


def count_alike(depths: tuple[int, ...]) -> None:
    from meeple.core.count import count_leaves

    text = "1111111111111111111111000/1/mortal:C2,A5/mortal:E5,E4"
    state, position = load_game("santorini:supply=finite").read(text), reference.read(text, finite=True)
    for depth in depths:
        assert count_leaves(state, depth) == reference.count(position, depth)


def test_both_writings_count_alike_with_a_finite_supply() -> None:
    count_alike((1, 2))


@pytest.mark.long
def test_both_writings_agree_at_length_with_a_finite_supply() -> None:
    count_alike((3,))
