"""Redeals held to exact counts: every world that can be, with the weight that counting gives it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction

from meeple.core.chance import rng_for
from meeple.core.game import State


def hold_to_counts(
    state: State,
    seat: int,
    look: Callable[[State], Hashable],
    ways: Mapping[Hashable, int],
    *,
    n: int = 4_000,
    event: str = "",
) -> None:
    """Redeal `n` times and compare how often each `look` comes up with the number of ways it can come about.

    With an `event`, which the seat sees next, the worlds are those revealed for it.
    Chi-square at six sigma, by Wilson and Hilferty: one seed in a thousand million fails by chance.
    """
    rng = rng_for("exact", seat, seed=1)
    code = state.read_move(event) if event else -1
    deal = (lambda: state.revealed(seat, code, rng)) if event else (lambda: state.redealt(seat, rng))
    counts = Counter(look(deal()) for _ in range(n))
    strange = set(counts) - set(ways)
    assert not strange, f"a redeal gives {next(iter(strange))}, which cannot be"
    total = sum(ways.values())
    expected = {key: float(Fraction(n * number, total)) for key, number in ways.items()}
    pairs = [(share, counts[key]) for key, share in expected.items() if share >= 5]
    rare = [(share, counts[key]) for key, share in expected.items() if share < 5]
    if rare:
        pairs.append((sum(share for share, _ in rare), sum(count for _, count in rare)))
    freedom = len(pairs) - 1
    if freedom == 0:
        return
    statistic = sum((count - share) ** 2 / share for share, count in pairs)
    bound = freedom * (1 - 2 / (9 * freedom) + 6 * math.sqrt(2 / (9 * freedom))) ** 3
    assert statistic <= bound, f"chi-square {statistic:.0f} on {freedom}, at most {bound:.0f}: {counts}"
