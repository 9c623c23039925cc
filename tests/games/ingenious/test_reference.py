"""Ingenious against its second writing, which was made from the rules alone: both are walked in step."""

from __future__ import annotations

from typing import Any

import pytest

from meeple import CHANCE, State, load_game
from meeple.core.chance import Stream, rng_for
from meeple.games.ingenious.geometry import CELLS
from meeple.games.ingenious.notation import CELL_NAMES, COLOURS, PHASES, TILE_NAMES
from meeple.games.ingenious.tiles import counts_of
from reference.ingenious import CHANCE as THEIR_CHANCE
from reference.ingenious import Ingenious, read_placement, tile_points

GAMES: dict[str, tuple[Any, ...]] = {  # our options, the second writing's arguments
    "players=2": (2, "standard", "voluntary"),
    "players=3": (3, "standard", "voluntary"),
    "players=4": (4, "standard", "voluntary"),
    "players=1": (1, "solo", "voluntary"),
    "players=4,teams=on": (4, "teams", "voluntary"),
    "players=2,swap=until-lowest": (2, "standard", "report"),
    "players=2,swap=until-lowest,first-tile=first-seat": (2, "standard", "report", "report"),
    "players=3,swap=until-lowest": (3, "standard", "report"),
    "players=4,teams=on,swap=until-lowest": (4, "teams", "report"),
}
SHORT = dict(zip(GAMES, (30, 8, 4, 10, 4, 8, 4, 4, 4), strict=True))  # 76 matches in all; six times that at length
THEIR_PHASE = {"deal": "deal", "place": "place", "swap": "ask", "draw": "draw", "redraw": "draw", "over": "over"}
SAMPLE = 40  # moves among which the better walkers choose
COMPARED = 4  # one list of moves in so many is compared in full, the others by their length and the move made


def their_move(text: str, seats: int) -> str:
    """Our move in the second writing's letters: `RO D4 D5` as `RO q,r q,r`, a double with the lesser cell first."""
    if text in ("keep", "swap"):
        return text
    tile, *names = text.split()
    cells = [CELLS[CELL_NAMES[seats].index(name)] for name in names]
    if tile[0] == tile[1]:
        cells.sort()
    return " ".join([tile, *(f"{q},{r}" for q, r in cells)])


def tiles(number: Any) -> dict[str, int]:
    return {name: count for name, count in zip(TILE_NAMES, counts_of(int(number)), strict=True) if count}


def ours(state: State) -> dict[str, Any]:
    """What both writings keep, of our state."""
    record, seats = state.record, state.game.seats
    area = len(CELL_NAMES[seats])
    return {
        "board": {CELLS[cell]: COLOURS[record.cell[cell]] for cell in range(area) if record.cell[cell] < 6},
        "hands": [tiles(hand) for hand in record.hand[:seats]],
        "bag": tiles(record.bag),
        "aside": tiles(record.aside),
        "scores": [[int(n) for n in record.points[seat % 2 if record.teams else seat]] for seat in range(seats)],
        "turn": int(record.seat),
        "phase": PHASES[record.phase],
    }


def theirs(game: Ingenious) -> dict[str, Any]:
    """The same of theirs."""
    found = game.snapshot()
    kept = {key: found[key] for key in ("board", "hands", "bag", "aside", "scores", "turn")}
    return kept | {"phase": THEIR_PHASE[found["phase"]]}


def choose(state: State, second: Ingenious, rng: Stream, is_better: bool) -> int:
    """Any action; or of some the one with the most points, so that colours reach 18."""
    actions = state.legal_actions()
    if not is_better or second.phase != "place":
        return int(rng.choice(actions))
    some = {their_move(state.move_text(action), state.game.seats): int(action) for action in sample(actions, rng)}
    return some[max(some, key=lambda move: sum(tile_points(second.board, *read_placement(move)).values()))]


def sample(actions: Any, rng: Stream) -> list[int]:
    return [int(rng.choice(actions)) for _ in range(SAMPLE)]


def walk(options: str, seed: int) -> None:
    game, second = load_game(f"ingenious:{options}"), Ingenious(*GAMES[options])
    state, rng = game.new(seed=seed), rng_for("differential", options, seed=seed)
    while True:
        assert ours(state) == theirs(second)
        mover = second.to_move()
        if mover is None:
            assert state.is_over
            assert state.ranks() == second.ranks()
            return
        assert state.to_move == (CHANCE if mover == THEIR_CHANCE else mover)
        assert int(state.record.bonus) == second.bonuses_owed
        if mover == THEIR_CHANCE:
            outcomes = {state.move_text(code): weight for code, weight in state.outcomes().items()}
            assert outcomes == second.outcomes()
            code = state.fated_outcome()
            second.play(state.move_text(code))
        else:
            moves = second.moves()
            assert len(moves) == len(state.legal_actions())
            if rng.below(COMPARED) == 0:
                assert moves == sorted(their_move(text, game.seats) for text in state.legal_moves())
            code = choose(state, second, rng, seed % 2 == 1)
            second.play(their_move(state.move_text(code), game.seats))  # raises where it is not on its list
        state = state.after(code)


@pytest.mark.parametrize("options", GAMES)
def test_both_writings_agree(options: str) -> None:
    for seed in range(SHORT[options]):
        walk(options, seed)


@pytest.mark.long
@pytest.mark.parametrize("options", GAMES)
def test_both_writings_agree_at_length(options: str) -> None:
    for seed in range(SHORT[options], 7 * SHORT[options]):
        walk(options, seed)
