"""A copy of Hoard that offers heuristics of every kind, and its broken twins: for every law of heuristics a change that
the law must catch by name.

`python wise.py FOLDER LAW ...` writes the twin of each law to a folder below FOLDER, puts it to the laws of heuristics,
and prints the breaches as JSON; the law "" stands for the copy that is not broken, which must meet them all. Run
it with NUMBA_DISABLE_JIT=1 to spare the compiling.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

HOARD = Path(__file__).parents[1] / "plugins" / "hoard"

RULES = """

BELIEFS = 9  # what a seat may hold: code 3 * a + b, cards a and b (counted from 0), by the number of ways to draw them
STRATA = 3  # worlds are told apart by the first card of the next seat


@kernel
def suppose_weights(state, seat, out):
    holds = np.int64(state.n_hand[seat])
    for code in range(BELIEFS):
        first, second = code // 3, code % 3
        unseen = in_deck(state, first)
        other = in_deck(state, second)
        for place in range(HAND):
            unseen += np.int64(state.hand[seat, place] == first + 1)
            other += np.int64(state.hand[seat, place] == second + 1)
        other -= np.int64(first == second)
        out[code] = unseen * max(np.int64(0), other) if holds == 2 else unseen if second == 0 else 0


@kernel
def suppose(state, seat, code):
    state.hand[seat, 0] = code // 3 + 1
    if state.n_hand[seat] == 2:
        state.hand[seat, 1] = code % 3 + 1


@kernel
def strata_weights(state, seat, out):
    for value in range(N_VALUES):
        out[value] = COPIES - np.int64(state.table[value]) - np.int64(state.hoard[seat, value])
        for place in range(HAND):
            out[value] -= np.int64(state.hand[seat, place] == value + 1)
    if state.n_hand[(seat + 1) % state.seats] == 0:
        out[0], out[1], out[2] = 1, 0, 0


@kernel
def redeal_stratum(state, seat, stratum, rng):
    redeal(state, seat, rng)
    after = (seat + 1) % state.seats
    while state.n_hand[after] > 0 and state.hand[after, 0] != stratum + 1:
        redeal(state, seat, rng)
"""

HEURISTICS = '''

from typing import NamedTuple

from meeple.core.hashing import blend
from meeple.core.parameters import Parameters

from .rules import DEAL, HAND, strata_weights, suppose_weights


@kernel
def keep_plays(state, actions, n):
    """Cards played, none dropped."""
    return n // 2


@kernel
def keep_drops(state, actions, n):
    """The other half: cards dropped."""
    half = n // 2
    for i in range(n - half):
        actions[i] = actions[half + i]
    return n - half


@kernel
def held_cards(state, seat):
    """Cards in the hand."""
    return np.int64(state.n_hand[seat])


@kernel
def matching(state, out):
    """Cards that equal the die and move again."""
    n = np.int64(0)
    for place in range(state.n_hand[state.mover]):
        if state.hand[state.mover, place] == state.die:
            out[n] = place
            n += 1
    return n


@kernel
def by_value(state, action):
    """Higher cards first."""
    return np.int64(state.hand[state.mover, action % 2])


@kernel
def whatever_the_order(state):
    """One number for all positions that differ by the order of the cards in a hand."""
    key = blend(np.int64(state.fate), np.int64(state.lap) * 64 + np.int64(state.phase) * 8 + np.int64(state.mover))
    key = blend(key, np.int64(state.die))
    for seat in range(state.seats):
        first, second = np.int64(state.hand[seat, 0]), np.int64(state.hand[seat, 1])
        key = blend(key, np.int64(state.points[seat]))
        key = blend(key, min(first, second) * 8 + max(first, second))
        for value in range(N_VALUES):
            key = blend(key, np.int64(state.hoard[seat, value]) * 16 + np.int64(state.table[value]))
    return key


@kernel
def even_weights(state, seat, out):
    """Every hand that is possible, each as likely as another."""
    suppose_weights(state, seat, out)
    for code in range(9):
        out[code] = min(out[code], 1)


@kernel
def by_chance(states, seen, seat, rng, out):
    """The classes of worlds as chance deals them."""
    strata_weights(states[0], seat, out)


@kernel
def lead_of(state, seat):
    """The lead in points as `points_value` counts it."""
    best = np.int64(0)
    for other in range(state.seats):
        if other != seat:
            best = max(best, np.int64(state.points[other]))
    mine = np.int64(state.points[seat])
    for value in range(N_VALUES):
        mine += np.int64(state.hoard[seat, value]) * (value + 1) * (np.int64(state.double) + 1)
    return mine - best


@kernel
def is_plain(state, lead):
    """Whether the next move neither ends the game nor brings a lead beyond what the evaluation tells apart."""
    return state.lap < state.n_rounds - 1 and -4 < lead < 4


@kernel
def points_bound(state, seat, plies):
    """Each decision adds the highest card at the most."""
    left = (np.int64(state.n_rounds) - np.int64(state.lap)) * 2 - np.int64(state.mover) - 1
    if state.seats != 2 or state.phase == DEAL or plies >= left:
        return 1.0
    return points_value(state, seat) + plies * 3 * (np.int64(state.double) + 1) / 12.0


@kernel
def points_best(state, seat):
    """The highest card: dropped where that scores twice, else played."""
    if not is_plain(state, lead_of(state, seat)):
        return np.int64(-1)
    place = np.int64(state.hand[seat, 1] > state.hand[seat, 0])
    return place + HAND * np.int64(state.double)


@kernel
def points_standing(state, seat):
    """The lead, and nothing else."""
    return 1.0 * lead_of(state, seat), 0.0


@kernel
def points_after(state, seat, action, lead, nothing):
    """The lead with the card's value; not told for another's move, nor where the game may end."""
    if state.mover != seat or not is_plain(state, lead):
        return np.nan
    worth = np.int64(state.hand[seat, action % HAND])
    if action >= HAND:
        worth *= np.int64(state.double) + 1
    return (lead + worth) / 12.0


@kernel
def points_replies(state, seat, plies, weights, out):
    """One reply at a table of two: the rival plays its higher card, or drops it where that scores twice."""
    rival = 1 - seat
    if state.seats != 2 or plies != 1 or not is_plain(state, lead_of(state, rival)):
        return False
    if not -4 < lead_of(state, seat) < 4:
        return False
    for code in range(9):
        if weights[code] > 0:
            card = 1 + (max(code // 3, code % 3) if state.n_hand[rival] == 2 else code // 3)
            out[code] = (lead_of(state, seat) - (0 if state.double == 1 else card)) / 12.0
    return True


class Lead(NamedTuple):
    """What a point of the lead counts."""

    worth: float = 0.05


@kernel
def weighed_value(state, seat, weights):
    """The lead in points times its worth."""
    value = weights.worth * lead_of(state, seat) / 12.0
    return min(0.9, max(-0.9, value))


@kernel
def weighed_best(state, seat, weights):
    """The best of the moves by `points`, as long as a point is good."""
    return points_best(state, seat) if weights.worth > 0.0 and weights.worth < 0.5 else np.int64(-1)


EVALUATIONS = {
    "points": Heuristic(
        points_value,
        "the lead in points",
        -0.9,
        0.9,
        points_bound,
        {"none": points_best},
        {"none": points_replies},
        (points_standing, points_after),
    ),
    "weighed": Heuristic(
        weighed_value,
        "the lead in points by a weight",
        -0.9,
        0.9,
        None,
        {"none": weighed_best},
        parameters=Parameters(Lead(), within=(-100, 100)),
    ),
}
ORDERINGS = {"value": Heuristic(by_value, "higher cards first")}
NOISY = {"matching": Heuristic(matching, "cards that equal the die and move again")}
FILTERS = {
    "plays": Heuristic(keep_plays, "cards played, none dropped"),
    "drops": Heuristic(keep_drops, "cards dropped"),
}
PLAYOUTS = {"greedy": Heuristic(greedy_policy, "play the higher card", considers="plays")}
METRICS = {"cards": Heuristic(held_cards, "cards in the hand")}
FINGERPRINTS = {"order": Heuristic(whatever_the_order, "the order of a hand does not matter")}
BELIEFS = {"even": Heuristic(even_weights, "every possible hand alike")}
INFERENCES = {"chance": Heuristic(by_chance, "as chance deals")}
'''

FEATURES = '''
"""Hoard: features for models."""

import numpy as np

from meeple.core.features import Changes, FeatureSet
from meeple.core.kernel import kernel

from .rules import HAND

MOST_POINTS = 64


@kernel
def write_points(state, seat, out):
    """The points of a seat and its rival at a table of two, then its cards in hand."""
    rival = (seat + 1) % state.seats
    out[0] = min(np.int64(state.points[seat]), MOST_POINTS - 1)
    out[1] = MOST_POINTS + min(np.int64(state.points[rival]), MOST_POINTS - 1)
    out[2] = 2 * MOST_POINTS + 4 * state.hand[seat, 0] + state.hand[seat, 1]
    return 3


@kernel
def write_numbers(state, seat, out):
    """The points of a seat and the cards on the table."""
    out[0] = np.float64(state.points[seat]) / 10.0
    for value in range(3):
        out[1 + value] = np.float64(state.table[value])
    return 4


@kernel
def points_changes(state, action, seat, out):
    """A card played face up brings its value, as the rival sees it; a dropped one, or the last, is played to know."""
    points = np.int64(state.points[1 - seat])
    if action >= HAND or state.lap >= state.n_rounds - 1 or points > MOST_POINTS - 4:
        return -1
    out[0] = -1 - (MOST_POINTS + points)
    out[1] = MOST_POINTS + points + state.hand[1 - seat, action]
    return 2


@kernel
def no_stem(action):
    """Every move is by itself."""
    return action


@kernel
def cards_after(state, action, seat, out):
    """The seat's own cards, which another's move leaves as they are."""
    out[0] = 2 * MOST_POINTS + 4 * state.hand[seat, 0] + state.hand[seat, 1]
    return 1


@kernel
def write_card(state, action, out):
    """The card that a move plays or drops."""
    out[0] = 4 * (action // HAND) + state.hand[state.mover, action % HAND]
    return 1


FEATURES = {
    "points": FeatureSet(
        "sparse",
        write_points,
        2 * MOST_POINTS + 16,
        "points and cards",
        most=3,
        changes=Changes(followed=2, stem=no_stem, shared=cards_after, own=points_changes),
    ),
    "numbers": FeatureSet("dense", write_numbers, 4, "points and table"),
}
ACTION_FEATURES = {"card": FeatureSet("sparse", write_card, 8, "the card", most=1)}
'''

TERMS = '''"""Hoard: what its evaluations are made of."""

import numpy as np

from meeple.core.kernel import kernel
from meeple.core.terms import OTHERS, OWN, Terms

from .rules import N_VALUES


@kernel
def lead_terms(state, seat, out, weights):
    """The points on the table, the hoard at the end, and the best rival's points."""
    best = np.int64(0)
    for other in range(state.seats):
        if other != seat:
            best = max(best, np.int64(state.points[other]))
    out[OWN, 0] += np.int64(state.points[seat])
    for value in range(N_VALUES):
        out[OWN, 1] += np.int64(state.hoard[seat, value]) * (value + 1) * (np.int64(state.double) + 1)
    out[OTHERS, 0] -= best


def squash(total, weights):
    """The lead times its worth."""
    return min(0.9, max(-0.9, weights.worth * total / 12.0))


TERMS = {"weighed": Terms(("points", "the hoard"), lead_terms, squash, lambda weights: (1.0, 1.0))}
'''

# By law: what stands once in the heuristics or the features, and what stands there in the twin.
TWINS: dict[str, tuple[str, str]] = {
    "features": ("out[0] = min(np.int64(state.points[seat]), MOST_POINTS - 1)", "out[0] = 2 * MOST_POINTS"),
    "features-hidden": (
        "        out[1 + value] = np.float64(state.table[value])\n",
        "        out[1 + value] = np.float64(state.hand[(seat + 1) % state.seats, 0])\n",
    ),
    "features-moves": ("out[0] = 4 * (action // HAND) + ", "out[0] = 8 * (action // HAND) + "),
    "features-changes": ("out[0] = -1 - (MOST_POINTS + points)", "out[0] = -1 - MOST_POINTS"),
    # What once happened to Sagrada: the list is compacted in place, and then given back as if it were whole.
    "filter": ("    return n // 2\n", "    actions[0] = actions[n - 1]\n    return n\n"),
    "noisy": ("            out[n] = place\n", "            out[n] = place + 1\n"),
    "policy": (
        "return np.int64(1 if state.hand[state.mover, 1] > state.hand[state.mover, 0] else 0)",
        "return np.int64(1)",
    ),
    "value-range": ("return min(0.9, max(-0.9, (mine - best) / 12.0))", "return (mine - best) / 2.0"),
    "reward": ("return share * ((1.0 + steps) / 5.0)", "return share * ((1.0 + steps) * 5.0)"),
    "heuristic-read-only": (
        '"""Higher cards first."""\n    return float(',
        '"""Higher cards first."""\n    state.die = 1\n    return float(',
    ),
    "heuristic-hidden": (
        "best = max(best, np.int64(state.points[other]))\n    mine = np.int64(state.points[seat])\n"
        "    for value in range(N_VALUES):\n        mine += np.int64(state.hoard[seat, value]) * (value + 1)"
        " * (np.int64(state.double) + 1)\n    return min(",
        "best = max(best, np.int64(state.points[other]) + np.int64(state.hoard[other, 2]))\n"
        "    mine = np.int64(state.points[seat])\n"
        "    for value in range(N_VALUES):\n        mine += np.int64(state.hoard[seat, value]) * (value + 1)"
        " * (np.int64(state.double) + 1)\n    return min(",
    ),
    "value-bound": ("plies * 3 * (np", "0 * (np"),
    "value-best": ("np.int64(state.hand[seat, 1] > state.hand[seat, 0])", "np.int64(state.n_hand[seat] - 1)"),
    "value-after": ("        worth *= np.int64(state.double) + 1\n", "        worth *= 2\n"),
    "value-replies": ("card = 1 + (max(", "card = 1 + (min("),
    "terms": ("    out[OTHERS, 0] -= best\n", "    out[OTHERS, 0] += best\n"),
    "fingerprint": ("    return key\n", "    return key & 7\n"),
    "belief": ("        out[code] = min(out[code], 1)\n", "        out[code] = 1\n"),
    "inference": ("    strata_weights(states[0], seat, out)\n", "    out[0], out[1], out[2] = 0, 0, 0\n"),
}
# More ways to break a law, by what the breach says.
ALSO: dict[str, tuple[str, str]] = {
    "policy@leaves out": ('considers="plays"', 'considers="drops"'),
    "value-range@no whole number": ("return np.int64(state.n_hand[seat])", "return state.n_hand[seat] + 0.5"),
}
# The same for changes that only have to do with weights.
BY_LOT: dict[str, tuple[str, str]] = {
    "value-range@lot": ("return min(0.9, max(-0.9, value))", "return value"),
    "heuristic-read-only@weights": (
        "    value = weights.worth * lead_of(state, seat) / 12.0\n",
        "    value = weights.worth * lead_of(state, seat) / 12.0\n    weights.worth += 1e-12\n",
    ),
    "value-best@lot": ("weights.worth > 0.0 and weights.worth < 0.5", "True"),
}


def write_wise(folder: Path) -> None:
    """Copy Hoard to `folder` with heuristics of every kind."""
    shutil.copytree(HOARD, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file, text in (
        ("rules.py", RULES),
        ("heuristics.py", HEURISTICS),
        ("features.py", FEATURES),
        ("terms.py", TERMS),
    ):
        with open(folder / file, "a") as target:
            target.write(text)
    game = folder / "game.py"
    text = game.read_text().replace("import heuristics,", "import features, heuristics, terms,")
    entries = "    heuristics=heuristics,\n    features=features,\n    terms=terms,"
    game.write_text(text.replace("    heuristics=heuristics,", entries))


def write_twin(law: str, folder: Path) -> None:
    """The same with the change that breaks `law`; "": none."""
    write_wise(folder)
    if not law:
        return
    part = "terms" if law == "terms" else law.partition("-")[0]
    file = folder / (f"{part}.py" if part in ("features", "terms") else "heuristics.py")
    text, (old, new) = file.read_text(), (TWINS | ALSO | BY_LOT)[law]
    assert text.count(old) == 1, f"the twin for {law} does not fit the heuristics any more: {old!r}"
    file.write_text(text.replace(old, new))


if __name__ == "__main__":
    from meeple.core.conformance.suite import Report, walk_heuristics
    from meeple.core.registry import load_game

    root, laws = Path(sys.argv[1]), sys.argv[2:]
    found = {}
    for law in laws:
        folder = root / (law or "whole")
        write_twin(law, folder)
        game, report = load_game(f"{folder}:players=2,rounds=2"), Report(law)
        for seed in range(80 if law in BY_LOT else 20):  # one of several evaluations is asked at a time
            if law.partition("@")[0] not in report.breaches:
                walk_heuristics(report, game, seed)
        found[law] = {name: str(breach) for name, breach in report.breaches.items()}
        assert law or sorted(report.tested) == sorted(TWINS), "a law was not met"
    print(json.dumps(found))
