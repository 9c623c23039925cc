"""The hash of a state: its words mixed into one int64, the same compiled and interpreted."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.chance import MASK
from meeple.core.kernel import compiled_for

_PRIME = 0x9FB21C651E98DF25
_U_PRIME = np.uint64(_PRIME)
_U28 = np.uint64(28)
_U1 = np.uint64(1)


def words_of(states: NDArray[Any]) -> NDArray[np.int64]:
    """Return a view, not a copy, of an array of states as rows of 64-bit words; layouts are padded to whole words."""
    return states.view(np.int64).reshape(len(states), -1)


def hash_words(words: Any, row: int) -> int:
    """Return the hash of the state in this row, in 0..2**63-1: the key of a transposition table."""
    total = 0
    for word in words[row]:
        total = ((total ^ (int(word) & MASK)) * _PRIME) & MASK
        total ^= total >> 28
    return total >> 1


@compiled_for(hash_words)
def _compiled_hash_words(words, row):  # type: ignore[no-untyped-def]
    total = np.uint64(0)
    for i in range(words.shape[1]):
        # Multiplying carries bits upwards only, so high bits are folded back before the next word.
        total = (total ^ np.uint64(words[row, i])) * _U_PRIME
        total ^= total >> _U28
    return np.int64(total >> _U1)


def blend(key: int, word: int) -> int:
    """Mix another word into a key, in 0..2**63-1: for a game's own fingerprint of a position."""
    total = (((int(key) & MASK) ^ (int(word) & MASK)) * _PRIME) & MASK
    return (total ^ (total >> 28)) >> 1


@compiled_for(blend)
def _compiled_blend(key, word):  # type: ignore[no-untyped-def]
    total = (np.uint64(key) ^ np.uint64(word)) * _U_PRIME
    return np.int64((total ^ (total >> _U28)) >> _U1)
