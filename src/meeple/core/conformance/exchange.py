"""The law of sampling: a true world and a redealt one must be exchangeable, however many worlds there are.

`worlds` counts all worlds that a seat cannot tell apart, which only small games allow. Here nothing is counted. Many
matches are played up to a decision that was chosen beforehand; there the true world is put beside one redealt for a
viewer, a seat or a spectator. If redeals have the law that the contract asks for, nobody can say which of the two is
the true one: swapping them changes nothing. So, of all pairs in which a byte has a certain value in one world only,
the true world must have it about as often as the redealt one.

*Why they are exchangeable.* Let P be all that the viewer has seen. A redealt world is drawn from a law R(. | P), and R
weighs worlds by chance alone: each draw by its weight, a hidden choice evenly over what it could have been, a seen
move by 1 in each world where it was legal and 0 elsewhere (worlds.py). Play at random would not do: a move chosen
among n is likelier where n is small, so that what others choose tells of what they hold. Here the moves of others
are chosen so that they tell nothing more than that they were legal: a candidate is drawn in a *redealt* world, hence
by P alone; if the viewer could see it, it is played where it is legal in the true world too, else the whole match is
thrown away; if not, any of the hidden moves that are legal there is played, each as likely. The viewer's own moves,
and where to stop, follow from P alone. Given P and that the match was kept, the true world then has the law R(. | P),
and the redealt one is drawn from it independently. (Where a state does not keep all that was seen, P is what it keeps,
and redeals are held to be right on average over the rest.)

*The error.* In n pairs whose worlds differ in a cell let the true world have it k times. Exchangeable pairs give each
of these a fair coin, whatever the game, so by Hoeffding |2k - n| >= t * sqrt(n) has a probability of at most
2 exp(-t*t / 2), for any n. With t = 8 that is 2.5e-14 a cell; there are fewer than 1e6 cells in a check, so less than
one seed in 1e7 finds a fault where there is none. (t squared, 64, is the bound of a chi-square on one degree.)

*What it cannot see.* A fault smaller than about 8 / sqrt(n), one that leaves each byte, each bit and each pair of bytes
that is looked at as often as before, and one late in a game where most candidates are not legal in the true world.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import Stream, rng_for
from meeple.core.conformance.law import NOT_HERE, law, who
from meeple.core.contract import NOBODY
from meeple.core.definition import PADDING
from meeple.core.game import Game

BOUND = 8.0  # standard deviations, see above
MATCHES = 200  # for each match of the walk
FEWEST, MOST = 4_000, 40_000  # matches in all
PAIRS = 400  # pairs of bytes that are looked at together, each by a hash of BUCKETS values
BUCKETS = 16

Bytes = NDArray[np.uint8]


@law("exchangeable", "process", "over many matches nothing tells a redealt world from the true one")
def exchangeable(checked: tuple[Sequence[Game], int, int]) -> str:
    """Pairs of all variants together, and again those of each viewer alone."""
    games, matches, seed = checked
    if not games[0].facts.hidden:
        return NOT_HERE
    each = min(MOST, max(FEWEST, MATCHES * matches)) // len(games)
    found = [sample_pairs(game, each, seed) for game in games]
    pairs = Pairs(*(np.concatenate(parts) for parts in zip(*found, strict=True)))
    for viewer in (None, *np.unique(pairs.viewers).tolist()):
        chosen = pairs if viewer is None else pairs.of(viewer)
        excess = greatest_excess(chosen, byte_names(games[0]), seed)
        if excess.deviations > BOUND:
            only = excess.true + excess.redealt
            eyes = "anybody" if viewer is None else who(viewer)
            return (
                f"worlds redealt for {eyes} are not as likely as true ones: of {only} pairs in which one world has "
                f"{excess.cell}, the true one has it in {excess.true} ({excess.deviations:.1f} deviations, "
                f"at most {BOUND:.0f})"
            )
    return ""


class Pairs(NamedTuple):
    """True worlds and redealt ones beside them, as rows of bytes without their fates."""

    viewers: NDArray[np.int64]
    truths: Bytes
    worlds: Bytes

    def of(self, viewer: int) -> Pairs:
        """Those of one viewer."""
        rows = self.viewers == viewer
        return Pairs(self.viewers[rows], self.truths[rows], self.worlds[rows])


def sample_pairs(game: Game, matches: int, seed: int) -> Pairs:
    """Play so many matches, an equal number for each viewer, and keep a pair of each that came to its decision."""
    rng = rng_for("check-exchange", game.spec, seed=seed)
    viewers = np.arange(matches, dtype=np.int64) % (game.seats + 1)
    viewers[viewers == game.seats] = NOBODY
    depths = _depths(game, matches, rng)
    truths, worlds, kept = game.buffer(matches), game.buffer(matches), np.empty(matches, dtype=np.int64)
    compiled = game.specialise("meeple.core.conformance.pairs")
    n = compiled.play_pairs(
        game.buffer(2), truths, worlds, kept, game.seats, game.option_codes, viewers, depths, rng.array
    )
    return Pairs(kept[:n], _bytes(truths[:n]), _bytes(worlds[:n]))


def _depths(game: Game, matches: int, rng: Stream) -> NDArray[np.int64]:
    """How many decisions are made before the pair is taken: none in a quarter of the matches, else any scale alike."""
    most = math.log(max(2.0, game.facts.longest / 4))
    depths = np.exp(most * rng.many(1 << 20, matches) / (1 << 20)).astype(np.int64)
    depths[rng.many(4, matches) == 0] = 0
    return depths


def _bytes(states: NDArray[Any]) -> Bytes:
    for name in ("fate", PADDING):
        if name in (states.dtype.names or ()):
            states[name] = 0
    return states.view(np.uint8).reshape(len(states), states.dtype.itemsize)


class Excess(NamedTuple):
    """The cell in which true and redealt worlds differ most, and by how many standard deviations."""

    deviations: float
    cell: str
    true: int  # pairs in which only the true world has it
    redealt: int


def greatest_excess(pairs: Pairs, names: Sequence[str], seed: int) -> Excess:
    """Over each byte's values, each bit, and the hashes of pairs of bytes of which one is hidden."""
    best = Excess(0.0, "", 0, 0)
    differ = (pairs.truths != pairs.worlds).any(axis=0)
    hidden = np.flatnonzero(differ)
    if len(hidden) == 0:
        return best
    varying = np.flatnonzero((pairs.truths != pairs.truths[0]).any(axis=0) | differ)
    for label, one, other, size in _columns(pairs, names, hidden, varying, rng_for("check-cells", seed=seed)):
        moved = one != other
        true = np.bincount(one[moved], minlength=size)
        redealt = np.bincount(other[moved], minlength=size)
        total = true + redealt
        deviations = np.abs(true - redealt) / np.sqrt(np.maximum(total, 1))
        value = int(deviations.argmax())
        if deviations[value] > best.deviations:
            best = Excess(float(deviations[value]), f"{label} = {value}", int(true[value]), int(redealt[value]))
    return best


def _columns(
    pairs: Pairs, names: Sequence[str], hidden: NDArray[np.int64], varying: NDArray[np.int64], rng: Stream
) -> Iterator[tuple[str, NDArray[Any], NDArray[Any], int]]:
    """What is compared: a name, its value in each true world, in each redealt one, and how many values it may have."""
    for byte in hidden:
        one, other = pairs.truths[:, byte], pairs.worlds[:, byte]
        yield names[byte], one, other, 256
        for bit in range(8):
            if ((one ^ other) >> bit & 1).any():
                yield f"bit {bit} of {names[byte]}", one >> bit & 1, other >> bit & 1, 2
    for _ in range(PAIRS):
        byte, beside = int(rng.choice(hidden)), int(rng.choice(varying))
        label = f"a hash of {names[byte]} and {names[beside]}"
        yield label, _hashed(pairs.truths, byte, beside), _hashed(pairs.worlds, byte, beside), BUCKETS


def _hashed(rows: Bytes, byte: int, beside: int) -> NDArray[Any]:
    """Two bytes of each row as a number below BUCKETS: the highest four bits of a product that wraps around."""
    words = rows[:, [byte, beside]].astype(np.uint32) * np.array([0x9E3779B1, 0x85EBCA77], dtype=np.uint32)
    return (words[:, 0] + words[:, 1]) >> np.uint32(28)


def byte_names(game: Game) -> list[str]:
    """The field of each byte of a state, with its place in the field."""
    names = [""] * game.layout.itemsize
    for field in game.layout.names or ():
        kind, start = game.layout.fields[field][:2]  # type: ignore[index]
        for place in range(kind.itemsize):
            names[start + place] = f"byte {place} of {field}"
    return names
