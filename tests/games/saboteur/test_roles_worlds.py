"""Saboteur's redeals against counts: roles, goals, cards, passed cards, gold; each part by enumeration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import combinations, pairwise, permutations, product

import numpy as np
import pytest

from exact import hold_to_counts
from games.saboteur.test_roles_rules import at, rest
from meeple import NOBODY, State, load_game
from meeple.core.chance import rng_for
from meeple.core.conformance.worlds import world_bytes
from meeple.core.multisets import gathered
from meeple.games.saboteur import layout
from meeple.games.saboteur.counting import count_sets
from meeple.games.saboteur.layout import MINERS, SABOTEURS
from meeple.games.saboteur.notation import SHORT, kinds_of

GOALS = 6  # orders of the goal cards for a seat that knows none
FIRST_HAND = 590_185  # hands of six out of all 67 cards: so many may the first seat hold, as far as others know


def cards(world: State, field: str, owner: int) -> tuple[int, ...]:
    return tuple(kinds_of(int(getattr(world.record, field)[owner])))


# --- roles


@pytest.mark.parametrize("players", [3, 5, 7])
@pytest.mark.parametrize("role", ["m", "s", "?"])
def test_roles(players: int, role: str) -> None:
    # The role cards, each a card of its own, in every order; the last is laid aside. A spectator ("?") knows none.
    deck = ["s"] * int(SABOTEURS[players]) + ["m"] * int(MINERS[players])
    ways: Counter[Hashable] = Counter()
    for order in permutations(range(len(deck)), players) if players < 7 else _combinations(deck, players):
        dealt = "".join(deck[i] for i in order)
        if role in ("?", dealt[0]):
            ways[dealt] += 1
    true = next(dealt for dealt in sorted(str(key) for key in ways))
    state = at(players=players, roles=true)
    seats = range(players)

    def look(world: State) -> Hashable:
        return "".join("s" if int(world.record.saboteurs) >> seat & 1 else "m" for seat in seats)

    hold_to_counts(state, NOBODY if role == "?" else 0, look, ways)
    if role == "?":
        assert state.counted_worlds(NOBODY) == FIRST_HAND * GOALS * len(ways)
    else:
        assert state.counted_worlds(0) == GOALS * len(ways)


def _combinations(deck: list[str], players: int) -> list[tuple[int, ...]]:
    """One order for each way to choose the places of the saboteur cards, the place aside among them: all as likely."""
    bad = [i for i, card in enumerate(deck) if card == "s"]
    good = [i for i, card in enumerate(deck) if card == "m"]
    orders = []
    for places in combinations(range(players + 1), len(bad)):
        cards_left, order = iter(good), []
        bad_left = iter(bad)
        for place in range(players + 1):
            order.append(next(bad_left) if place in places else next(cards_left))
        orders.append(tuple(order[:players]))
    return orders


def test_roles_are_shown_while_gold_is_given_out() -> None:
    state = at("choose 1", players=3, roles="mms", won="m--", were="4/0/0", offer="112")
    hold_to_counts(state, 1, lambda world: int(world.record.saboteurs), {4: 1}, n=50)
    assert state.counted_worlds(1) == FIRST_HAND * GOALS * len({tuple(sorted(offer)) for offer in bank_orders(3)})


# --- goals


@pytest.mark.parametrize(
    ("seat", "looked", "goals", "ways"),
    [
        (0, "0,0,0", "t,e,w", {(0, 1, 2): 1, (0, 2, 1): 1, (1, 0, 2): 1, (1, 2, 0): 1, (2, 0, 1): 1, (2, 1, 0): 1}),
        (0, "1,0,0", "t,e,w", {(0, 1, 2): 1, (0, 2, 1): 1}),
        (0, "2,7,0", "t,e,w", {(0, 1, 2): 1, (2, 1, 0): 1}),
        (0, "3,0,0", "e,w,t", {(1, 2, 0): 1}),
        (
            NOBODY,
            "7,7,7",
            "t,e,w",
            {(0, 1, 2): 1, (0, 2, 1): 1, (1, 0, 2): 1, (1, 2, 0): 1, (2, 0, 1): 1, (2, 1, 0): 1},
        ),
    ],
)
def test_goals(seat: int, looked: str, goals: str, ways: dict[Hashable, int]) -> None:
    state = at(looked=looked, goals=goals)
    hold_to_counts(state, seat, lambda world: tuple(int(goal) for goal in world.record.goal), ways, n=2_000)
    assert state.counted_worlds(seat) == (4 * FIRST_HAND if seat == NOBODY else 3) * len(ways)


def test_goals_as_crosses() -> None:
    state = at(goals="t,e,e", style="crosses", looked="4,0,0")
    ways = {(0, 1, 1): 1, (1, 0, 1): 1}
    hold_to_counts(state, 0, lambda world: tuple(int(goal) for goal in world.record.goal), ways, n=1_000)
    assert state.counted_worlds(0) == 3 * len(ways)


# --- cards


def test_hands_passed_cards_and_pile() -> None:
    # Seven unseen cards: one each in two hands, two and one passed, two in the pile.
    pool = ["8", "8", "9", "map", "map", "rock", "bp"]
    state = at(hands="1|8|8", passed="-|9,map|map", gone=rest("1", ",".join(pool)))
    kinds = [SHORT.index(name) for name in pool]
    ways: Counter[Hashable] = Counter()
    for order in permutations(range(7)):
        dealt = [kinds[card] for card in order]
        ways[(dealt[0],), (dealt[1],), tuple(sorted(dealt[2:4])), (dealt[4],)] += 1

    def look(world: State) -> Hashable:
        return (
            cards(world, "hand", 1),
            cards(world, "hand", 2),
            cards(world, "passed", 1),
            cards(world, "passed", 2),
        )

    hold_to_counts(state, 0, look, ways, n=8_000)
    assert state.counted_worlds(0) == 3 * GOALS * len(ways)


def test_sets_out_of_a_pool_are_counted() -> None:
    rng = rng_for("sets", seed=1)
    for _ in range(60):
        names = [SHORT[rng.below(len(SHORT))] for _ in range(1 + rng.below(8))]
        while any(names.count(name) > layout.ALL[SHORT.index(name)] for name in names):
            names = [SHORT[rng.below(len(SHORT))] for _ in range(len(names))]
        kinds = [SHORT.index(name) for name in names]
        left, sizes = len(kinds), []
        while left and len(sizes) < 5:
            sizes.append(rng.below(min(3, left) + 1))
            left -= sizes[-1]
        ends = [sum(sizes[:place]) for place in range(len(sizes) + 1)]
        deals = {tuple(tuple(sorted(order[a:b])) for a, b in pairwise(ends)) for order in permutations(kinds, ends[-1])}
        assert count_sets(gathered(kinds, layout.FIELDS), np.array(sizes or [0])) == len(deals)


def test_many_large_sets_are_counted() -> None:
    # Ten seats and all 67 cards, of which a seat has seen four; kind by kind, each set in full, by another way: with
    # exact whole numbers over what every single set lacks, for as many sets as that can be done for.
    for sizes in ([6, 6, 3], [4, 4, 4, 4], [2] * 6, [6, 5, 1, 1]):
        found = count_sets(layout.ALL_CARDS, np.array(sizes))
        assert found == pytest.approx(plainly_counted(layout.ALL, tuple(sizes)), rel=1e-12)
    assert count_sets(layout.ALL_CARDS, np.array([6])) == FIRST_HAND
    # Of sets of one card all kinds come: two of a kind of which there is one cannot.
    assert count_sets(layout.ALL_CARDS, np.array([1, 1])) == 27 * 27 - sum(n == 1 for n in layout.ALL)
    assert count_sets(layout.ALL_CARDS, np.array([4] * 9 + [3] * 9)) > 1e38
    assert count_sets(layout.ALL_CARDS, np.array([40, 20])) == -1, "more digits than a word has"
    assert count_sets(layout.ALL_CARDS, np.arange(11, 2, -1)) == -1, "more states than are worth their time"


def plainly_counted(copies: Sequence[int], sizes: tuple[int, ...]) -> int:
    """The deals of so many copies of each kind to sets that each lack so many, the rest to a pile."""
    ways = Counter({sizes: 1})
    for n in copies:
        longer: Counter[tuple[int, ...]] = Counter()
        for lacking, number in ways.items():
            for given in product(*(range(min(n, size) + 1) for size in lacking)):
                if sum(given) <= n:
                    longer[tuple(size - less for size, less in zip(lacking, given, strict=True))] += number
        ways = longer
    return ways[(0,) * len(sizes)]


def test_whole_worlds_are_counted() -> None:
    pool = ["8", "9", "map", "rock"]
    common = {"hands": "1|8|9", "passed": "-|map|-", "gone": rest("1", ",".join(pool))}
    unpaid = at(looked="1,0,0", lap=2, won="m--", were="4/0/0", took="1:3;2:2;1:1/-/-", **common)
    paid = at(looked="3,0,0", lap=3, won="ms-", were="4/4/0", took="1:3;2:1;1:1/-/-", paid="-/-,-,13/-", **common)
    for state, seat, expected in [
        (unpaid, 0, 3 * 2 * 24),  # roles, goals, cards; of the gold it knows all
        (unpaid, 1, 3 * 6 * 36 * 3),  # its own 8 and map it has seen: of three cards two lie in hands
        (paid, 0, 3 * 1 * 24),
        (paid, 2, 1 * 6 * 12 * 3),
    ]:
        rng = rng_for("whole", seed=1)
        met = {world_bytes(state.redealt(seat, rng)) for _ in range(12_000)}
        assert state.counted_worlds(seat) == len(met), (seat, expected)


def test_a_card_that_another_plays_is_any_unseen_one_of_its_kind() -> None:
    # Seat 2 is about to play a map; of the three that are unseen it may be any, so a hand of two counts twice.
    pool = ["8", "8", "9", "map", "map", "map", "rock"]
    state = at("turn 2", hands="1|map,8|8", passed="-|9|map", gone=rest("1", ",".join(pool)))
    kinds, ways = [SHORT.index(name) for name in pool], Counter[Hashable]()
    for order in permutations(range(7)):
        dealt = [kinds[card] for card in order]
        hand = tuple(sorted(dealt[:2]))
        ways[hand, (dealt[2],), (dealt[3],), (dealt[4],)] += hand.count(SHORT.index("map"))

    def look(world: State) -> Hashable:
        return cards(world, "hand", 1), cards(world, "hand", 2), cards(world, "passed", 1), cards(world, "passed", 2)

    hold_to_counts(state, 0, look, +ways, n=8_000, event="map left")


def test_a_card_that_a_seat_draws_is_any_unseen_one_of_its_kind() -> None:
    # Seat 1 is about to draw an 8; three cards are in the pile.
    pool = ["8", "8", "9", "map", "map", "rock"]
    state = at("draw 1", hands="1|map|8", passed="-|9|-", gone=rest("1", ",".join(pool)))
    kinds, ways = [SHORT.index(name) for name in pool], Counter[Hashable]()
    for order in permutations(range(6)):
        dealt = [kinds[card] for card in order]
        ways[(dealt[0],), (dealt[1],), (dealt[2],)] += dealt[3:].count(SHORT.index("8"))

    def look(world: State) -> Hashable:
        return cards(world, "hand", 1), cards(world, "hand", 2), cards(world, "passed", 1)

    hold_to_counts(state, 0, look, +ways, n=8_000, event="card path 8")


@pytest.mark.parametrize("role", ["miner", "saboteur"])
def test_a_role_that_a_seat_is_dealt_is_one_of_the_cards_that_are_left(role: str) -> None:
    # Seven play with three saboteur cards of eight; the fifth seat gets its card. All orders of the cards are counted.
    deck, ways = list("sssmmmmm"), Counter[Hashable]()
    for order in _combinations(deck, 7):
        if deck[order[4]] == role[0]:
            ways["".join(deck[card] for card in order[:4])] += 1
    state = load_game("saboteur:players=7").new()
    for text in ("start 1", "miner", "saboteur", "miner", "miner"):
        state = state.play(text)

    def look(world: State) -> Hashable:
        return "".join("s" if int(world.record.saboteurs) >> seat & 1 else "m" for seat in range(4))

    hold_to_counts(state, 4, look, ways, event=role)


# --- gold


def gold(world: State, lap: int = 0) -> tuple[int, ...]:
    return tuple(int(value) + 1 for value in world.record.taken[lap][: int(world.record.n_taken[lap])])


def bank_orders(n: int, known: dict[int, int] | None = None) -> Counter[tuple[int, ...]]:
    """In how many ways n gold cards come off the shuffled bank, each a card of its own; `known` cards lie elsewhere."""
    left = {value: count - (known or {}).get(value, 0) for value, count in ((1, 16), (2, 8), (3, 4))}
    ways: Counter[tuple[int, ...]] = Counter({(): 1})
    for _ in range(n):
        longer: Counter[tuple[int, ...]] = Counter()
        for drawn, number in ways.items():
            for value in (1, 2, 3):
                longer[(*drawn, value)] += number * max(0, left[value] - drawn.count(value))
        ways = longer
    return ways


def test_gold_that_a_saboteur_has_not_seen() -> None:
    # Three players, seat 3 was the saboteur: it saw none of the three gold cards of round 1.
    state = at(lap=2, won="m--", were="4/0/0", took="1:3;2:1;1:1/-/-")
    hold_to_counts(state, 2, gold, bank_orders(3), n=8_000)
    assert state.counted_worlds(2) == FIRST_HAND * GOALS * len(bank_orders(3))


def test_gold_taken_before_the_first_sight() -> None:
    # Seat 2 saw two cards, 1 and 2, took the 2, and so knows that seat 1 took the 1 after that; not what it took first.
    state = at(lap=2, won="m--", were="4/0/0", took="1:3;2:2;1:1/-/-")
    first = bank_orders(1, {1: 1, 2: 1})
    hold_to_counts(state, 1, gold, {(drawn[0], 2, 1): n for drawn, n in first.items()}, n=4_000)
    assert state.counted_worlds(1) == FIRST_HAND * 3 * GOALS * len(first)


def test_gold_between_two_sights_and_after_the_last() -> None:
    # Five players, seats 4 and 5 saboteurs; order 1, 3, 2, 1, 3. Seat 1 saw 3 2 2 1 1, took the 3, saw 2 1 and took
    # the 2: between its sights a 2 and a 1 were taken, by whom it does not know; the last card it knows.
    state = at(players=5, roles="mmmss", lap=2, won="m--", were="24/0/0", took="1:3;3:2;2:1;1:2;3:1/-/-")
    ways = {(3, 2, 1, 2, 1): 1, (3, 1, 2, 2, 1): 1}
    hold_to_counts(state, 0, gold, ways, n=1_000)
    assert state.counted_worlds(0) == 10 * GOALS * len(ways)


def test_gold_on_offer_is_seen_by_the_one_who_chooses() -> None:
    common = {"roles": "mms", "won": "m--", "were": "4/0/0"}
    state = at("choose 2", offer="12", took="1:3/-/-", **common)
    # Seat 2 has the offer before it: what seat 1 took is any other card.
    ways = {((drawn[0],), (1, 1, 0)): n for drawn, n in bank_orders(1, {1: 1, 2: 1}).items()}

    def look(world: State) -> Hashable:
        return gold(world), tuple(int(n) for n in world.record.offer)

    hold_to_counts(state, 1, look, ways)
    assert state.counted_worlds(1) == FIRST_HAND * GOALS * len(ways)
    # Seat 1 saw all three and took the 3: it knows the offer, since nobody has taken since.
    hold_to_counts(state, 0, look, {((3,), (1, 1, 0)): 1}, n=100)
    assert state.counted_worlds(0) == GOALS * len({3})
    # Seat 3 has seen nothing.
    unseen: Counter[Hashable] = Counter()
    for drawn, n in bank_orders(3).items():
        unseen[(drawn[0],), tuple(drawn[1:].count(value) for value in (1, 2, 3))] += n
    hold_to_counts(state, 2, look, unseen, n=8_000)
    assert state.counted_worlds(2) == FIRST_HAND * GOALS * len(unseen)


def test_the_rest_of_the_offer_and_its_takers_are_one_lot_after_the_last_sight() -> None:
    # Seat 1 saw 3 2 1 1 and took the 3; seat 2 has taken one of 2 1 1 unseen; seat 3 chooses now.
    state = at("choose 3", players=4, roles="mmms", won="m--", were="8/0/0", took="1:3;2:1/-/-", offer="12")
    ways: Counter[Hashable] = Counter()
    for card in (2, 1, 1):
        rest_of = [2, 1, 1]
        rest_of.remove(card)
        ways[(3, card), tuple(rest_of.count(value) for value in (1, 2, 3))] += 1

    def look(world: State) -> Hashable:
        return gold(world), tuple(int(n) for n in world.record.offer)

    hold_to_counts(state, 0, look, ways, n=2_000)
    assert state.counted_worlds(0) == GOALS * len(ways)


def test_after_a_payment_the_gold_that_left_the_bank_is_a_known_lot() -> None:
    # RULING 13. Round 1 went to the miners (3, 1, 1), round 2 to the saboteur, paid 3 and 1: the bank was searched face
    # up, so seat 3, which saw nothing of round 1, knows that 3, 1 and 1 were taken, and not by whom.
    state = at(lap=3, won="ms-", were="4/4/0", took="1:3;2:1;1:1/-/-", paid="-/-,-,13/-")
    hold_to_counts(state, 2, gold, {(3, 1, 1): 1, (1, 3, 1): 1, (1, 1, 3): 1}, n=2_000)
    assert state.counted_worlds(2) == FIRST_HAND * GOALS * len({(3, 1, 1), (1, 3, 1), (1, 1, 3)})


def test_rounds_before_and_after_a_payment_are_dealt_apart() -> None:
    # The saboteur of round 1 was paid 3 and 1; round 2 went to the miners and is unseen by seat 3.
    state = at(lap=3, won="sm-", were="4/4/0", took="-/1:2;2:1;1:1/-", paid="-,-,13/-/-")
    ways = bank_orders(3, {1: 1, 3: 1})
    hold_to_counts(state, 2, lambda world: gold(world, 1), ways, n=8_000)
    assert state.counted_worlds(2) == FIRST_HAND * GOALS * len(ways)


def test_gold_lies_open_at_the_end() -> None:
    state = at("over 1", lap=4, won="mmm", were="4/4/4", took="1:3;2:1;1:1/1:1;2:1;1:1/1:2;2:1;1:1", roles="mms")
    for lap in range(3):
        hold_to_counts(state, 2, lambda world, lap=lap: gold(world, lap), {gold(state, lap): 1}, n=50)  # type: ignore[misc]
    assert [state.score(seat) for seat in range(3)] == [9, 3, 0]
