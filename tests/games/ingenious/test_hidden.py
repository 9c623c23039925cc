"""What a seat of Ingenious may not know: redeals against exact counts."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb, sqrt
from typing import Any

import pytest

from games.ingenious.test_rules import FOUR, asked, draw, edit, later, start
from meeple import CHANCE, NOBODY, State
from meeple.core.chance import rng_for
from meeple.games.ingenious.geometry import SPAN
from meeple.games.ingenious.layout import ASK, DEAL, DRAW
from meeple.games.ingenious.notation import read_tiles, tiles_text
from meeple.games.ingenious.scoring import lowest_kinds, side_of
from meeple.games.ingenious.tiles import ALL_TILES, KIND_OF, KINDS, counts_of, set_of

Deal = tuple[int, ...]  # the hands of all seats


def chi_square(expected: dict[Any, float], counts: Counter[Any]) -> None:
    """Counts fit the expectation within six sigma: one seed in 1e9 fails by chance (Wilson and Hilferty)."""
    assert set(counts) <= set(expected)
    pairs = [(share, counts[key]) for key, share in expected.items() if share >= 5]
    rare = [(share, counts[key]) for key, share in expected.items() if share < 5]
    if rare:
        pairs.append((sum(share for share, _ in rare), sum(count for _, count in rare)))
    freedom = len(pairs) - 1
    assert freedom > 0
    bound = freedom * (1 - 2 / (9 * freedom) + 6 * sqrt(2 / (9 * freedom))) ** 3
    assert sum((count - share) ** 2 / share for share, count in pairs if share) < bound


def test_before_any_swap_a_hand_is_hypergeometric() -> None:
    # Of each kind, how many the rival holds: six tiles of the 114 that seat 1 has not seen.
    state, rng, n = start(), rng_for("hypergeometric", seed=1), 20_000
    unseen = counts_of(ALL_TILES - int(state.record.hand[0]))
    tallies = [Counter[int]() for _ in KINDS]
    for _ in range(n):
        for kind, count in enumerate(counts_of(int(state.redealt(0, rng).record.hand[1]))):
            tallies[kind][count] += 1
    for kind, total in enumerate(unseen):
        law = {held: n * comb(total, held) * comb(114 - total, 6 - held) / comb(114, 6) for held in range(total + 1)}
        chi_square(law, tallies[kind])


def exact_deals(state: State, seat: int) -> dict[Deal, float]:
    """The chance of each deal that fits what `seat` knows, every single tile told apart."""
    record, seats = state.record, state.game.seats
    others = [owner for owner in range(seats) if owner != seat]
    pool = counts_of(int(record.bag) - int(record.shown))
    for owner in others:
        pool = [one + two for one, two in zip(pool, counts_of(int(record.hand[owner])), strict=True)]
    tiles = [kind for kind, count in enumerate(pool) for _ in range(count)]
    barred = int(lowest_kinds(record, side_of(record, int(record.seat))))
    ways: Counter[Deal] = Counter()

    def deal(left: tuple[int, ...], waiting: list[int], hands: dict[int, int]) -> None:
        if not waiting:
            ways[tuple(hands.get(owner, int(record.hand[owner])) for owner in range(seats))] += 1
            return
        owner = waiting[0]
        for chosen in combinations(left, int(record.held[owner])):
            hand = set_of([sum(tiles[i] == kind for i in chosen) for kind in range(len(KINDS))])
            if record.phase == ASK and owner == record.seat and hand & barred:
                continue
            deal(tuple(i for i in left if i not in chosen), waiting[1:], hands | {owner: hand})

    deal(tuple(range(len(tiles))), others, {})
    total = sum(ways.values())
    return {key: count / total for key, count in ways.items()}


def hold(state: State, seat: int, n: int = 6_000) -> None:
    expected = exact_deals(state, seat)
    assert state.counted_worlds(seat) == len(expected)
    rng = rng_for("redeals", seat, seed=3)
    counts: Counter[Deal] = Counter()
    for _ in range(n):
        world = state.redealt(seat, rng).record
        counts[tuple(int(hand) for hand in world.hand[: state.game.seats])] += 1
    chi_square({key: share * n for key, share in expected.items()}, counts)


def hold_revealed(state: State, seat: int, event: str, n: int = 6_000) -> None:
    """Worlds revealed for an event: a deal counts once for each tile of the kind that lies where it comes from."""
    record, code = state.record, state.read_move(event)
    is_draw, kind = record.phase in (DEAL, DRAW), int(code if state.to_move == CHANCE else KIND_OF[code // SPAN])
    unseen = int(record.bag) + sum(int(hand) for hand in record.hand[: state.game.seats])
    expected = {}
    for hands, share in exact_deals(state, seat).items():
        source = unseen - sum(hands) if is_draw else hands[int(record.seat)]
        expected[hands] = share * counts_of(source)[kind]
    total, rng = sum(expected.values()), rng_for("reveals", seat, seed=3)
    counts: Counter[Deal] = Counter()
    for _ in range(n):
        world = state.revealed(seat, code, rng).record
        counts[tuple(int(hand) for hand in world.hand[: state.game.seats])] += 1
    chi_square({key: share * n / total for key, share in expected.items() if share}, counts)


def small(state: State, bag: str, hands: dict[int, str], **fields: Any) -> State:
    """The state with few unseen tiles: this bag, and these hands."""
    changed = edit(state, bag=read_tiles(bag), **fields)
    for seat, tiles in hands.items():
        changed.record.hand[seat], changed.record.held[seat] = read_tiles(tiles), len(tiles.split(","))
    return changed


SPECTATED = [0, NOBODY]


@pytest.mark.parametrize("seat", [1, NOBODY])
def test_a_tile_that_is_laid_is_any_unseen_one_of_its_kind(seat: int) -> None:
    # Seat 1 lays RR: a hand with two of them counts twice. RR and OP were shown, and are in no hand.
    state = small(later(start()), "RR,RR,RG,BB,OP", {0: "RR,YP", 1: "GG,RR"}, shown=read_tiles("RR,OP"))
    hold_revealed(state, seat, next(move for move in state.legal_moves() if move.startswith("RR")))


def test_a_tile_that_another_of_three_lays_was_not_in_the_thirds_hand() -> None:
    three = ("RR,RO,RP,OO,OP,PP", "GG,GB,GO,GY,GP,BB", "BO,BY,BP,OY,YY,YP")
    state = small(later(start("ingenious:players=3", three)), "RO,GG,PP", {0: "RR,RR", 1: "OO,GY", 2: "RR"})
    hold_revealed(state, 1, next(move for move in state.legal_moves() if move.startswith("RR")))


@pytest.mark.parametrize("shown", ["-", "RR,RG"])
def test_a_tile_that_a_seat_draws_was_in_the_bag(shown: str) -> None:
    # What was shown is in the bag for certain, so that it is likelier to be the one.
    state = small(later(start()), "RR,RR,RG,BB,OP", {0: "YY,YP", 1: "GG,RR"}, phase=DRAW, shown=read_tiles(shown))
    hold_revealed(state, 0, "RR")


@pytest.mark.parametrize("seat", SPECTATED)
def test_deals_of_two_match_exact_counts(seat: int) -> None:
    hold(small(later(start()), "RR,RR,RG,BB,OP", {0: "YY,YP", 1: "GG,RR"}), seat)


@pytest.mark.parametrize("seat", [0, 1, 3])
def test_deals_of_four_match_exact_counts(seat: int) -> None:
    state = later(start("ingenious:players=4", FOUR))
    hold(small(state, "RR,RG,BB", {0: "YY", 1: "GG,RR", 2: "RR", 3: "RG"}), seat)


@pytest.mark.parametrize("seat", [0, 1, NOBODY])
def test_tiles_shown_in_a_swap_are_in_no_other_hand(seat: int) -> None:
    # RR,RG went back: a hand may hold RR, but only the one that was there besides.
    state = small(later(start()), "RR,RR,RG,BB,OP", {0: "YY,YP", 1: "GG,RR"}, shown=read_tiles("RR,RG"))
    hold(state, seat)
    rng = rng_for("shown", seed=1)
    for _ in range(200):
        assert "RG" not in tiles_text(state.redealt(0, rng).record.hand[1])


@pytest.mark.parametrize("seat", [1, 2, NOBODY])
def test_a_seat_that_is_asked_holds_none_of_its_lowest_colours(seat: int) -> None:
    # Seat 1 is asked: green, blue and yellow are its lowest. Others know that, and that RP is back in the bag.
    three = ("RR,RO,RP,OO,OP,PP", "GG,GB,GO,GY,GP,BB", "BO,BY,BP,OY,YY,YP")
    state = later(start("ingenious:players=3", three), scores={0: [5, 0, 0, 5, 0, 5]})
    state = small(state, "RO,RP,GG,PP,BB", {0: "RR,RR", 1: "OO,GY", 2: "BB"}, phase=ASK, shown=read_tiles("RP"))
    hold(state, seat)


def test_the_seat_itself_knows_its_hand_while_it_is_asked() -> None:
    state = asked()
    assert state.redealt(0, rng_for("own", seed=1)).record.hand[0] == state.record.hand[0]


def test_tiles_set_aside_are_open() -> None:
    state = asked().play("swap")
    world = state.redealt(1, rng_for("aside", seed=1))
    assert world.record.aside == state.record.aside
    unseen = int(state.record.bag) + int(state.record.hand[0])
    assert int(world.record.bag) + int(world.record.hand[0]) == unseen


def test_what_was_shown_is_forgotten_with_the_next_draw() -> None:
    # From then on the page says that the tiles count as any others in the bag.
    state = draw(asked().play("swap"), "OO,OO,YY,YY,PP,PP")
    assert state.record.shown
    state = state.after(int(state.legal_actions()[0]))
    assert state.record.shown
    state = state.settled()
    assert state.record.shown == 0


@pytest.mark.parametrize("seat", [0, 1])
def test_a_view_hides_hands_and_pools_the_unseen(seat: int) -> None:
    state, rng = later(start()), rng_for("views", seed=2)
    for _ in range(20):
        assert state.redealt(seat, rng).text(seat) == state.text(seat)
    assert state.text(seat) != state.text(1 - seat)
