"""Why the best move is better than another, in words: what the terms of the game's evaluation say of the two.

An evaluation looks at a position and not ahead. Where it likes the other move better, that is said: the reason then
lies in what follows. In a game that has no evaluation the terms of its bias tell what kind of move each is
(core/terms.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import rng_for
from meeple.core.game import State
from meeple.core.heuristics import Heuristic
from meeple.core.terms import OTHERS, OWN, Terms, explained

WORLDS = 16  # over which an evaluation that reads what is hidden is taken
LARGE = 0.3  # a term is told if it differs so much as the one that differs most
MOST_TOLD = 3
LEAST_POINTS = 0.25  # differences in points that are not worth a word
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Reason:
    """One term: by how much the best move has more of it, positive where that serves the mover."""

    name: str
    is_rivals: bool  # what the best of the others has of it
    change: float
    is_gain: bool  # what it had not before; else it is only kept
    points: float | None = None  # the same in points of the game, where it is counted in them

    @property
    def verb(self) -> str:
        """What the best move does with it."""
        if self.is_rivals:
            return "costs the rival" if self.change > 0 else "leaves the rival"
        return ("gains" if self.is_gain else "keeps") if self.change > 0 else "gives up"

    @property
    def thing(self) -> str:
        """What it does it with: `3 points by whole rows`, `the centre`."""
        return self.name if self.points is None else f"{_number(abs(self.points))} by {self.name}"


@dataclass(frozen=True)
class Why:
    """The best move against another one, by their terms."""

    sentence: str
    reasons: tuple[Reason, ...] = ()  # those that differ, the largest difference first
    themes: tuple[str, ...] = ()  # what the best move is about: names of its terms


def why(state: State, best: int, made: int, *, other: str = "the move made") -> Why | None:
    """Why the mover's `best` is better than `made`, as far as the mover can know; None where nothing explains it.

    `other` is what `made` is called in the sentence.
    """
    if best == made:
        return None
    ended = _ended(state, best, made, other)
    if ended is not None:
        return ended
    found = explained(state.game, "EVALUATIONS")
    if found is not None:
        return _by_position(state, best, made, other, *found)
    found = explained(state.game, "BIASES")
    return None if found is None else _by_kind(state, best, made, other, *found)


def _ended(state: State, best: int, made: int, other: str) -> Why | None:
    """Where one of the moves ends the game, nothing else needs to be said."""
    seat, after, instead = state.to_move, state.after(best), state.after(made)
    if after.is_over and after.returns()[seat] > 0:
        return Why("It wins at once.", themes=("win",))
    if instead.is_over and instead.returns()[seat] < 0:
        return Why(f"{_capital(other)} loses at once.", themes=("defence",))
    return Why("", ()) if after.is_over or instead.is_over else None


# --- by what the position after it is worth ---------------------------------------------------------------------------


def _by_position(state: State, best: int, made: int, other: str, terms: Terms, heuristic: Heuristic) -> Why | None:
    now, after, instead = np.mean(
        [_three(world, best, made, terms, heuristic) for world in _worlds(state, heuristic)], 0
    )
    if not np.isfinite([now, after, instead]).all():
        return None
    units = terms.point(*heuristic.given()) if terms.point is not None else None
    parts = _parts(terms, after - instead, after - now, units)
    if not parts:
        return None
    good, bad = [each for each in parts if each.change > 0], [each for each in parts if each.change < 0]
    if float((after - instead).sum()) <= 0 or not good:
        return Why(f"{_at_first_sight(other, bad)} What it is worth shows only in what follows.", tuple(parts))
    told = f"; for that it {_told(bad[:1])}" if bad else ""
    sentence = f"It {_told(good[:MOST_TOLD])}{told}."
    return Why(sentence, tuple(parts), tuple(dict.fromkeys(each.name for each in good)))


def _three(world: State, best: int, made: int, terms: Terms, heuristic: Heuristic) -> Floats:
    """The terms now, after the best move, and after the other."""
    seat = world.to_move
    return np.array([terms.of(each, seat, heuristic) for each in (world, world.after(best), world.after(made))])


def _worlds(state: State, heuristic: Heuristic) -> list[State]:
    """The position, or worlds that the mover cannot tell from it, where the evaluation reads what is hidden."""
    if not heuristic.reads_hidden:
        return [state]
    rng = rng_for("why", seed=0)
    return [state.redealt(state.to_move, rng) for _ in range(WORLDS)]


def _parts(terms: Terms, change: Floats, gain: Floats, units: tuple[float, float] | None) -> list[Reason]:
    """The terms that differ much, the largest difference first."""
    most, found = float(np.abs(change).max()), []
    for row, names in ((OWN, terms.names), (OTHERS, terms.names)):
        for place, name in enumerate(names):
            size = float(change[row, place])
            points = size / units[row] if units is not None and units[row] else None
            is_small = abs(size) < LARGE * most or (points is not None and abs(points) < LEAST_POINTS)
            if most > 0 and not is_small:
                is_gain = float(gain[row, place]) > 0.5 * size
                found.append(Reason(name, row == OTHERS, size, is_gain, points))
    return sorted(found, key=lambda each: -abs(each.change))


def _at_first_sight(other: str, bad: Sequence[Reason]) -> str:
    if not bad:
        return "At first sight the two are alike."
    return f"At first sight {other} looks better: the best one {_told(bad[:1])}."


# --- by what kind of move it is ---------------------------------------------------------------------------------------


def _by_kind(state: State, best: int, made: int, other: str, terms: Terms, heuristic: Heuristic) -> Why | None:
    worlds = _worlds(state, heuristic)
    one, two = (np.mean([terms.of(world, move, heuristic)[OWN] for world in worlds], 0) for move in (best, made))
    mine, its = _kinds(terms, one), _kinds(terms, two)
    if mine == its:
        sentence = f"Like {other}, it {_listed(mine)}; what follows tells the two apart."
    elif float(one.sum()) <= float(two.sum()):
        sentence = f"At first sight {other} looks better: it {_listed(its)}. The search sees further."
    else:
        sentence = f"It {_listed(mine)}; {other} {_listed(its)}."
    change = one - two
    parts = [Reason(terms.names[i], False, float(change[i]), True) for i in np.argsort(-np.abs(change)) if change[i]]
    return Why(sentence, tuple(parts), tuple(mine[:1]))


def _kinds(terms: Terms, row: Floats) -> list[str]:
    """The names of the largest contributions to a move, at most two."""
    order = [int(place) for place in np.argsort(-np.abs(row), kind="stable")]
    found = [terms.names[place] for place in order[:2] if row[place] > 0]
    return found or [terms.names[order[0]]]


# --- words ------------------------------------------------------------------------------------------------------------


def _told(parts: Sequence[Reason]) -> str:
    """What the best move does, each verb said once."""
    verbs = dict.fromkeys(each.verb for each in parts)
    return _listed([f"{verb} {_listed([each.thing for each in parts if each.verb == verb])}" for verb in verbs])


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _number(points: float) -> str:
    told = f"{points:.1f}".removesuffix(".0")
    return f"{told} {'point' if told == '1' else 'points'}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
