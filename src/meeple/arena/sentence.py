"""The last line of a match: who is stronger, in words that say no more than the sets do."""

from __future__ import annotations

import math
from collections.abc import Sequence

from meeple.arena.statistics import CONFIDENCE, Interval, score_interval

MOST_ELO = 1_000  # from here on a number says nothing but that games of the other result are missing
MOST_MORE = 100_000  # games that are still worth naming


def sentence(
    agents: Sequence[str],
    set_scores: Sequence[Sequence[float]],
    *,
    confidence: float = CONFIDENCE,
    repeats: int = 0,
    games_a_set: int = 0,
) -> str:
    """What a match shows, from each agent's score in each set; `repeats` sets were left out as played before.

    With `games_a_set` it says how many more games would tell, where nobody is shown to be stronger.

    With two agents the interval is that of the score. With more, the one that leads was picked from several, so
    its interval is widened to hold for all of them together (Bonferroni).
    """
    unit = "pair" if len(agents) == 2 else "set"
    if not set_scores:
        return f"nothing can be said: no {unit} of games was finished"
    names = _told_apart(agents)
    level = confidence if len(agents) == 2 else 1 - (1 - confidence) / len(agents)
    found = [score_interval([scores[i] for scores in set_scores], level) for i in range(len(agents))]
    leader = max(range(len(agents)), key=lambda i: found[i].mean)
    even, counted = 1 / len(agents), _count(len(set_scores), unit, repeats)
    is_shown = found[leader].low > even
    if not is_shown and games_a_set:
        counted += more_words(found[leader], even, len(set_scores), games_a_set)
    if len(agents) == 2:
        return _of_two(names[leader], names[1 - leader], found[leader], is_shown, confidence) + counted
    return _of_many(names[leader], found[leader], is_shown, even, confidence) + counted


def more_words(found: Interval, even: float, n_sets: int, games_a_set: int) -> str:
    """How many more games would tell whether the leader is stronger, if it goes on as it did; '' where too many.

    The interval narrows with the root of the number of sets: the lead must be as wide as it is from its mean down.
    """
    lead = found.mean - even
    if lead <= 0:
        return ""
    more = games_a_set * n_sets * (((found.mean - found.low) / lead) ** 2 - 1)
    if not more <= MOST_MORE:
        return ""
    scale = 10 ** max(0, len(str(math.ceil(more))) - 2)  # two digits: it is a guess
    games = max(games_a_set, math.ceil(more / scale) * scale)
    return f"; about {games:,} more games would tell"


def elo_words(elo: float, low: float, high: float) -> str:
    """A difference in Elo with its interval; where that has no end in reach, only the end that it has."""
    if math.isnan(elo) or (low <= -MOST_ELO and high >= MOST_ELO):
        return "not known yet"
    if high >= MOST_ELO:
        return f"at least {min(low, MOST_ELO):+.0f}"
    if low <= -MOST_ELO:
        return f"at most {max(high, -MOST_ELO):+.0f}"
    return f"{elo:+.0f} ({low:+.0f} .. {high:+.0f})"


def _of_two(name: str, other: str, found: Interval, is_shown: bool, confidence: float) -> str:
    share, bounds = _rounded(found, 0.5, is_shown)
    if is_shown:
        return f"{name} is stronger than {other}: {share}% of the points, {confidence:.0%} interval {bounds}"
    return (
        f"nobody is shown to be stronger: {name} has {share}% of the points against {other}, "
        f"{confidence:.0%} interval {bounds}"
    )


def _of_many(name: str, found: Interval, is_shown: bool, even: float, confidence: float) -> str:
    share, bounds = _rounded(found, even, is_shown)
    taken = f"{share}% of the wins where an even share is {100 * even:.0f}%"
    span = f"interval {bounds} ({confidence:.0%} for all agents together)"
    if is_shown:
        return f"{name} is stronger than the table: it takes {taken}, {span}"
    return f"nobody is shown to be stronger: {name} leads with {taken}, {span}"


def _rounded(found: Interval, even: float, is_shown: bool) -> tuple[str, str]:
    """Share and bounds in percent, bounds rounded outwards; so finely that a bound above even does not look even."""
    decimals = 0
    while is_shown and decimals < 6 and _down(found.low, decimals) <= 100 * even:
        decimals += 1
    low, high = _down(found.low, decimals), -_down(-found.high, decimals)
    return f"{100 * found.mean:.{decimals}f}", f"{low:.{decimals}f} to {high:.{decimals}f}"


def _down(share: float, decimals: int) -> float:
    scale: float = 10.0**decimals
    return math.floor(round(100 * share * scale, 9)) / scale


def _told_apart(agents: Sequence[str]) -> list[str]:
    """Names; with their places at the table where two are the same."""
    if len(set(agents)) == len(agents):
        return list(agents)
    return [f"{agent} ({place})" for place, agent in enumerate(agents, 1)]


def _count(n: int, unit: str, repeats: int) -> str:
    text = f"; {n:,} {unit}{'' if n == 1 else 's'}"
    return text + (f", {repeats:,} more were repeats" if repeats else "")
