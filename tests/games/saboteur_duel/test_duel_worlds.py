"""The duel's redeals against counts: cards of a kind are still different cards, and all places are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from itertools import permutations

import pytest

from exact import hold_to_counts
from games.saboteur_duel.test_duel_rules import GAME, at, rest
from meeple import NOBODY, State
from meeple.core.chance import rng_for
from meeple.errors import IllegalMoveError
from meeple.games.saboteur_duel import layout
from meeple.games.saboteur_duel.notation import NAMES, kinds_of


def cards(state: State, field: str, owner: int | None = None) -> tuple[int, ...]:
    found = getattr(state.record, field)
    return tuple(kinds_of(int(found if owner is None else found[owner])))


def rival_world(state: State) -> Hashable:
    return cards(state, "hand", 1), cards(state, "dropped", 1), cards(state, "deck")


def counted(pool: list[str], *sizes: int) -> Counter[Hashable]:
    """In how many ways the cards of the pool, each a card of its own, come to lie in places of these sizes."""
    kinds = [NAMES.index(name) for name in pool]
    ways: Counter[Hashable] = Counter()
    for order in permutations(range(len(kinds))):
        at_card, world = 0, []
        for size in sizes:
            world.append(tuple(sorted(kinds[card] for card in order[at_card : at_card + size])))
            at_card += size
        ways[tuple(world)] += 1
    return ways


def test_rival_hand_drops_and_an_empty_deck() -> None:
    # Seat 1 has not seen 8, 8, 9, 9, map, malus: three in the rival's hand, three among its drops.
    pool = ["8", "8", "9", "9", "map", "malus"]
    gone = rest("1,2", ",".join(pool))
    state = at("-", "1,2", "8,8,9", drops="-|9,map,malus", gone=gone)
    ways = Counter({(hand, drops, ()): n for (hand, drops), n in counted(pool, 3, 3).items()})
    hold_to_counts(state, 0, rival_world, ways)
    assert state.counted_worlds(0) == 3 * len(ways)  # the nugget may lie in three places


def test_rival_hand_drops_and_deck() -> None:
    # Nine unseen cards: seven in the rival's hand, one dropped, one in the deck; the last two are counted.
    pool = ["8", "8", "8", "8", "9", "9", "map", "map", "malus"]
    hand = "1,2,3,4,11,12,13"
    state = at("-", hand, "8,8,8,8,9,9,map", drops="-|map", gone=rest(hand, ",".join(pool)))
    ways: Counter[Hashable] = Counter()
    kinds = [NAMES.index(name) for name in pool]
    for dropped, left in permutations(range(9), 2):
        others = tuple(sorted(kinds[card] for card in range(9) if card not in (dropped, left)))
        ways[others, (kinds[dropped],), (kinds[left],)] += 1
    hold_to_counts(state, 0, rival_world, ways)
    assert state.counted_worlds(0) == 3 * len(ways)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_place_of_a_dropped_card_tells_nothing_about_chance(place: int) -> None:
    # RULING 6. The rival's hand has an order: four cards, each a card of its own though some are equal, and it dropped
    # two before. The deck is empty. It played an 8, from any place that held one, then dropped the card at `place`.
    # Every order of the six unseen cards and every 8 that may have been played is counted; what is left is dealt as if
    # no place were told.
    pool = ["8", "8", "8", "9", "map", "malus"]
    kinds = [NAMES.index(name) for name in pool]
    ways: Counter[Hashable] = Counter()
    for order in permutations(range(6)):
        for played in range(4):
            if pool[order[played]] == "8":
                hand = [card for number, card in enumerate(order[:4]) if number != played]
                drops = [hand.pop(place), *order[4:]]
                ways[tuple(sorted(kinds[card] for card in hand)), tuple(sorted(kinds[card] for card in drops)), ()] += 1
    unseen = ["8", "8", "9", "map", "malus"]  # one 8 lies open now
    state = at("-", "1,2", "8,9", drops="-|8,map,malus", gone=rest("1,2", ",".join(unseen)))
    hold_to_counts(state, 0, rival_world, ways)


def test_a_spectator_deals_both_hands_and_drops() -> None:
    pool = ["8", "8", "9", "map", "malus", "malus"]
    state = at("-", "8,8", "9", drops="map|malus,malus", gone=rest(",".join(pool)))
    ways = counted(pool, 2, 1, 1, 2)

    def look(world: State) -> Hashable:
        return cards(world, "hand", 0), cards(world, "dropped", 0), cards(world, "hand", 1), cards(world, "dropped", 1)

    expected: Counter[Hashable] = Counter()
    for (hand, drop, hand2, drop2), n in {
        (w[0], w[2], w[1], w[3]): n
        for w, n in ways.items()  # type: ignore[index]
    }.items():
        expected[hand, drop, hand2, drop2] += n
    hold_to_counts(state, NOBODY, look, expected)
    assert state.counted_worlds(NOBODY) == 3 * len(expected)


@pytest.mark.parametrize(
    ("seat", "looked", "shown", "nugget", "ways"),
    [
        (0, "-|-", "-", "left", {0: 1, 1: 1, 2: 1}),
        (0, "middle|-", "-", "left", {0: 1, 2: 1}),
        (0, "left|-", "-", "left", {0: 1}),
        (0, "-|left", "-", "left", {0: 1, 1: 1, 2: 1}),  # what the rival has seen stays its own
        (0, "-|-", "middle", "right", {0: 1, 2: 1}),
        (0, "left|-", "middle", "right", {2: 1}),  # two seen, so the third is known
        (0, "left+middle|-", "-", "right", {2: 1}),
        (NOBODY, "left+middle|right", "-", "right", {0: 1, 1: 1, 2: 1}),
        (NOBODY, "-|-", "left", "right", {1: 1, 2: 1}),
    ],
)
def test_the_nugget(seat: int, looked: str, shown: str, nugget: str, ways: dict[Hashable, int]) -> None:
    state = at(looked=looked, shown=shown, nugget=nugget)
    hold_to_counts(state, seat, lambda world: int(world.record.nugget), ways, n=1_500)
    known, unknown = state.counted_worlds(seat), at().counted_worlds(seat)
    assert known is not None
    assert unknown is not None
    assert known / unknown == len(ways) / 3


def test_nugget_and_cards_do_not_depend_on_each_other() -> None:
    pool = ["8", "9", "map"]
    state = at("-", "1", "8", drops="-|9,map", gone=rest("1", ",".join(pool)), nugget="right", looked="left|-")
    ways = Counter({(nugget, world[0]): n for nugget in (1, 2) for world, n in counted(pool, 1, 2).items()})  # type: ignore[index]
    hold_to_counts(state, 0, lambda world: (int(world.record.nugget), cards(world, "hand", 1)), ways)


def test_what_was_seen_stays_seen() -> None:
    state, rng, deals = GAME.new(seed=3).settled(), rng_for("duel-seen", seed=3), rng_for("duel-deals", seed=3)
    while not state.is_over:
        for seat in range(2):
            world = state.redealt(seat, deals)
            assert cards(world, "hand", seat) == cards(state, "hand", seat)
            assert cards(world, "dropped", seat) == cards(state, "dropped", seat)
            for k in range(3):
                if int(state.record.looked[seat]) >> k & 1:
                    assert (world.record.nugget == k) == (state.record.nugget == k)
        state = state.after(rng.choice(state.offer())).settled()


def test_a_card_that_the_rival_plays_is_any_unseen_one_of_its_kind() -> None:
    # Seat 2 is about to lay an 8. Nine unseen cards: seven in its hand, one dropped, one in the deck. Every order of
    # them is counted once for each 8 that the hand holds.
    pool = ["8", "8", "8", "9", "9", "9", "map", "map", "malus"]
    hand = "1,2,3,4,11,12,13"
    state = at("-", hand, "8,8,8,9,9,9,map", turn="turn 2", drops="-|map", gone=rest(hand, ",".join(pool)))
    kinds, ways = [NAMES.index(name) for name in pool], Counter[Hashable]()
    for dropped, left in permutations(range(9), 2):
        others = tuple(sorted(kinds[card] for card in range(9) if card not in (dropped, left)))
        ways[others, (kinds[dropped],), (kinds[left],)] += others.count(8)
    hold_to_counts(state, 0, rival_world, ways, event="path 8 at 5,6")
    hold_to_counts(
        state, NOBODY, lambda world: cards(world, "hand", 1).count(8) > 0, {True: 1}, n=50, event="path 8 at 5,6"
    )


def test_a_card_that_a_seat_draws_is_any_unseen_one_of_its_kind() -> None:
    # Seat 1 is about to draw an 8: one of the three that were unseen, which was in the deck of two.
    pool = ["8", "8", "8", "9", "9", "9", "9", "map", "map", "malus"]
    hand = "1,2,3,4,11,12"
    state = at("-", hand, "8,8,9,9,9,9,map", turn="draw 1", drops="-|map", gone=rest(hand, ",".join(pool)))
    kinds, ways = [NAMES.index(name) for name in pool], Counter[Hashable]()
    for dropped, one, two in permutations(range(10), 3):
        others = tuple(sorted(kinds[card] for card in range(10) if card not in (dropped, one, two)))
        deck = tuple(sorted((kinds[one], kinds[two])))
        ways[others, (kinds[dropped],), deck] += deck.count(8)
    hold_to_counts(state, 0, rival_world, +ways, event="card 8")


def test_what_cannot_come_next_is_refused() -> None:
    state = at("-", "1,2", "8,9", drops="-|map", gone=rest("1,2", "8,9,map"), turn="turn 2")
    with pytest.raises(IllegalMoveError, match="can come next in no world"):
        state.revealed(0, layout.BONUS, rng_for("refused", seed=1))
    with pytest.raises(IllegalMoveError, match="can come next in no world"):
        state.revealed(0, layout.ACTIONS, rng_for("refused", seed=1))
