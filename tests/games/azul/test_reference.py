"""Azul against its second writing, which was made from the rules alone: both are walked in step."""

from __future__ import annotations

from typing import Any

import pytest

from meeple import CHANCE, NOBODY, State, load_game
from meeple.core.chance import rng_for
from meeple.games.azul.notation import NAMES, counts_of
from reference.azul import Azul

VARIANTS = [(players, wall, cap) for players in (2, 3, 4) for wall in ("coloured", "grey") for cap in ("none", "30")]


def floor_counts(seat: dict[str, Any]) -> list[int]:
    return [seat["floor"].count(name) for name in NAMES]


def assert_equal(state: State, game: Azul) -> None:
    """Everything that both writings tell, at a moment when no wall is being tiled."""
    record, shot = state.record, game.snapshot()
    for number, tiles in enumerate(shot["factories"], start=1):
        assert counts_of(record.source[number]) == [tiles.count(name) for name in NAMES]
    assert counts_of(record.source[0]) == list(shot["centre"]["counts"].values())
    assert counts_of(record.bag) == list(shot["bag"].values())
    on_floors = [sum(counts) for counts in zip(*(floor_counts(seat) for seat in shot["seats"]), strict=True)]
    lid = [in_lid + on_floor for in_lid, on_floor in zip(shot["lid"].values(), on_floors, strict=True)]
    assert counts_of(record.lid) == lid
    assert_boards_equal(state, shot)
    for seat, theirs in enumerate(shot["seats"]):
        assert int(record.floor[seat]) == len(theirs["floor"])
        assert state.score(seat) == theirs["score"]
    assert state.round_index == shot["round_index"]
    if state.to_move >= 0:
        assert int(record.first) == shot["first_player"]
        assert (record.marker < 0) == shot["centre"]["marker"]
        assert (int(record.first) if record.marker < 0 else int(record.marker)) == shot["next_start"]


def assert_boards_equal(state: State, shot: dict[str, Any]) -> None:
    """Lines and walls."""
    from meeple.games.azul.notation import wall_letter

    letters = dict(zip(NAMES, "BYRKW", strict=True)) | {None: ""}
    for seat, theirs in enumerate(shot["seats"]):
        for line, (colour, held) in enumerate(theirs["lines"]):
            assert int(state.record.held[seat, line]) == held
            assert held == 0 or NAMES[state.record.colour[seat, line]] == colour
        walls = [[wall_letter(state.record, seat, row, column) for column in range(5)] for row in range(5)]
        assert walls == [[letters[tile] for tile in row] for row in theirs["wall"]]


def lay_lines_without_a_place(state: State) -> State:
    """The second writing drops such a line by itself; here it is a forced move."""
    while state.to_move >= 0 and state.record.left == 0 and state.legal_moves()[0].endswith("floor"):
        assert len(state.legal_moves()) == 1
        state = state.play(state.legal_moves()[0])
    return state


def walk(players: int, wall: str, cap: str, seed: int) -> None:
    state = load_game(f"azul:players={players},wall={wall},cap={cap}").new(seed=seed)
    game = Azul(players, wall, None if cap == "none" else int(cap))
    rng = rng_for("differential", players, wall, cap, seed=seed)
    for _ in range(6_000):  # a grey wall can lock; then a part of the match is enough
        is_tiling = state.to_move >= 0 and state.record.left == 0
        if not is_tiling:
            assert_equal(state, game)
        if state.to_move == NOBODY:
            assert game.to_move() is None
            assert state.ranks() == game.ranks()
            return
        if state.to_move == CHANCE:
            assert game.to_move() == "chance"
            assert {NAMES[code]: weight for code, weight in state.outcomes().items()} == game.outcomes()
            code = state.fated_outcome()
            state, _ = state.after(code), game.play(NAMES[code])
            continue
        assert game.to_move() == state.to_move
        assert sorted(state.legal_moves()) == game.moves()
        move = rng.choice(game.moves())
        state, _ = lay_lines_without_a_place(state.play(move)), game.play(move)


@pytest.mark.parametrize(("players", "wall", "cap"), VARIANTS)
def test_both_writings_agree(players: int, wall: str, cap: str) -> None:
    for seed in range(8):  # 12 variants: 96 matches
        walk(players, wall, cap, seed)


@pytest.mark.long
@pytest.mark.parametrize(("players", "wall", "cap"), VARIANTS)
def test_both_writings_agree_at_length(players: int, wall: str, cap: str) -> None:
    for seed in range(8, 57):  # 12 variants: 588 matches
        walk(players, wall, cap, seed)
