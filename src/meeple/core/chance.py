"""Chance: the only place where randomness is made.

Two kinds, both the same compiled and interpreted, on every machine:

- a *fate*, one word in a state, from which each chance event follows by the event's key (`roll`);
- a *stream*, for agents, openings and redeals: an array of one uint64 that every draw moves on (`draw`).

A match may be *salted*: where a secret `salt` is given besides its seed, fates and streams start from words of a
keyed cryptographic hash, so that neither the salt, nor the seed, nor any other word follows from those that a player
is handed. Without a salt the seed alone gives them, the same on every machine, and whoever knows one word can find
the seed.

Words are mixed by the finaliser of SplitMix64. A number below n is taken from the upper 32 bits of a word
by multiplication, so n must stay below 2**31; the bias is then under n / 2**32.
"""

from __future__ import annotations

import hashlib
import secrets
from functools import lru_cache
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from meeple.core.kernel import compiled_for, kernel
from meeple.errors import ConfigError

T_co = TypeVar("T_co", covariant=True)

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
_GOLDEN = np.uint64(GOLDEN)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32 = (np.uint64(n) for n in (27, 30, 31, 32))
_ONE = np.uint64(1)
SALT_BYTES = 16


def roll(fate: int, key: int, n: int) -> int:
    """Return what `fate` brings at the chance event `key`: an integer in 0..n-1. Both are in 0..2**63-1."""
    word = _mix((int(fate) + int(key) * GOLDEN) & MASK)
    return ((word >> 32) * int(n)) >> 32


def draw(rng: Any, n: int) -> int:
    """The next integer in 0..n-1 of the stream `rng`."""
    rng[0] = np.uint64((int(rng[0]) + GOLDEN) & MASK)
    return ((_mix(int(rng[0])) >> 32) * int(n)) >> 32


def fresh_fate(rng: Any) -> int:
    """A fate drawn from the stream `rng`: an integer in 0..2**63-1."""
    rng[0] = np.uint64((int(rng[0]) + GOLDEN) & MASK)
    return _mix(int(rng[0])) >> 1


def word_of(family: int, number: int) -> int:
    """Return the first word of stream `number` of a family of streams, or a family for numbers of a second kind."""
    # Mixed twice: after one round families that are close to each other would have streams in common.
    word = _mix((int(family) + int(number) * GOLDEN) & MASK)
    return _mix(word ^ int(family))


def _mix(word: int) -> int:
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
    return word ^ (word >> 31)


# The compiled bodies: the same sums in uint64, which wraps by itself.


@kernel
def _compiled_mix(word):  # type: ignore[no-untyped-def]
    word = (word ^ (word >> _30)) * _MIX_1
    word = (word ^ (word >> _27)) * _MIX_2
    return word ^ (word >> _31)


@compiled_for(roll)
def _compiled_roll(fate, key, n):  # type: ignore[no-untyped-def]
    word = _compiled_mix(np.uint64(fate) + np.uint64(key) * _GOLDEN)
    return np.int64(((word >> _32) * np.uint64(n)) >> _32)


@compiled_for(draw)
def _compiled_draw(rng, n):  # type: ignore[no-untyped-def]
    rng[0] += _GOLDEN
    # Lemire's multiplication in place of a remainder, which divides: upper 32 bits times n, shifted back.
    return np.int64(((_compiled_mix(rng[0]) >> _32) * np.uint64(n)) >> _32)


@compiled_for(fresh_fate)
def _compiled_fresh_fate(rng):  # type: ignore[no-untyped-def]
    rng[0] += _GOLDEN
    return np.int64(_compiled_mix(rng[0]) >> _ONE)


@compiled_for(word_of)
def _compiled_word_of(family, number):  # type: ignore[no-untyped-def]
    word = _compiled_mix(np.uint64(family) + np.uint64(number) * _GOLDEN)
    return _compiled_mix(word ^ np.uint64(family))


class Choices(Protocol[T_co]):
    """Anything with a length and places: a list, an array."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> T_co: ...


class Stream:
    """A stream of random numbers, the same on every machine; `.array` is what kernels take, and every draw moves it on.

    It starts from an int, and equal ints give equal streams; or from a NumPy Generator, of which it takes one draw.
    """

    def __init__(self, start: int | np.random.Generator) -> None:
        self.array = np.array([_first_word(start)], dtype=np.uint64)

    def below(self, n: int) -> int:
        """An integer in 0..n-1."""
        return draw(self.array, n)

    def many(self, n: int, count: int) -> npt.NDArray[np.int64]:
        """The next `count` integers in 0..n-1 at once: the same that as many calls of `below` would give."""
        steps = np.arange(1, count + 1, dtype=np.uint64)
        words: npt.NDArray[np.uint64] = self.array[0] + steps * _GOLDEN
        self.array[0] = np.uint64((int(self.array[0]) + count * GOLDEN) & MASK)
        words = (words ^ (words >> _30)) * _MIX_1
        words = (words ^ (words >> _27)) * _MIX_2
        words ^= words >> _31
        return (((words >> _32) * np.uint64(n)) >> _32).astype(np.int64)

    def choice(self, items: Choices[T_co]) -> T_co:
        """One of `items`, each as likely as another."""
        return items[self.below(len(items))]

    def random(self) -> float:
        """A number in [0, 1)."""
        return fresh_fate(self.array) / 2.0**63


def _first_word(start: object) -> int:
    if isinstance(start, (int, np.integer)) and not isinstance(start, bool):
        return int(start) & MASK
    if isinstance(start, np.random.Generator):
        return int(start.integers(0, MASK, dtype=np.uint64, endpoint=True))
    raise ConfigError(f"a Stream starts from an int or a NumPy Generator, not from a {type(start).__name__}")


def rng_for(purpose: str, *parts: object, seed: int, salt: bytes = b"") -> Stream:
    """Return the stream for a named purpose. Another purpose, part, seed or salt gives an independent stream."""
    return Stream(word_for(purpose, *parts, seed=seed, salt=salt))


def word_for(purpose: str, *parts: object, seed: int, salt: bytes = b"") -> int:
    """Return the first word of the stream for a named purpose; `word_of` takes it as a family too."""
    if not salt:
        return word_of(family(purpose, *parts), seed)
    text = "\x1f".join(str(part) for part in (purpose, *parts, seed))
    return int.from_bytes(hashlib.blake2b(text.encode(), key=salt, digest_size=8).digest(), "little")


def fate_for(seed: int, *, salt: bytes = b"") -> int:
    """The fate of the match with this seed (and salt), in 0..2**63-1."""
    return word_for("fate", seed=seed, salt=salt) >> 1


def event_fate(key: int, *, seed: int, salt: bytes) -> int:
    """The fate that brings the one chance event `key` of a salted match.

    Each event has its own, so that what a seat sees of some events tells nothing of the others. It follows from the
    key alone, whatever was played before: with seats exchanged the same events bring the same.
    """
    return word_for("event", key, seed=seed, salt=salt) >> 1


def new_salt() -> bytes:
    """A secret that nobody can guess: 128 bits from the system."""
    return secrets.token_bytes(SALT_BYTES)


@lru_cache(maxsize=4096)
def family(purpose: str, *parts: object) -> int:
    """A word that names a family of streams, one for each number: `word_of(family, number)` starts one."""
    text = "\x1f".join(str(part) for part in (purpose, *parts))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


FATES = family("fate")
OPENINGS = family("opening")
