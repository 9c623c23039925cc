"""What changed between two texts of markup, so that only that is sent.

A patch is a list: a text stands for itself, a pair (start, length) for that part of the old text. The browser holds the
old one (static/patched.js).
"""

from __future__ import annotations

from functools import lru_cache

Patch = list[str | tuple[int, int]]
SHORTEST = 24  # letters of the old text that are worth a pair


@lru_cache(maxsize=64)  # all who watch a table are sent the same, one after another
def patch_of(old: str, new: str) -> Patch | None:
    """The patch that makes `new` of `old`; None where it would be no shorter, or the browser counts otherwise."""
    if not (_is_plain(old) and _is_plain(new)):
        return None
    head = _shared(old, new)
    tail = _shared(old[head:][::-1], new[head:][::-1])
    middle = _moved(old, new[head : len(new) - tail])
    patch = _short([(0, head), *middle, (len(old) - tail, tail)], old)
    return patch if sum(len(part) if isinstance(part, str) else 12 for part in patch) < len(new) else None


def patched(old: str, patch: Patch) -> str:
    """What the browser makes of it."""
    return "".join(part if isinstance(part, str) else old[part[0] : part[0] + part[1]] for part in patch)


def _is_plain(text: str) -> bool:
    """Whether a browser counts the letters as Python does: it counts some, as those of smileys, twice."""
    return text.isascii() or len(text.encode("utf-16-le", "surrogatepass")) == 2 * len(text)


def _shared(one: str, other: str) -> int:
    """How many letters two texts share at their beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _moved(old: str, new: str) -> Patch:
    """`new` tag by tag: those that the old text has too are taken from there, wherever they stand."""
    if not new:
        return []
    parts = _tags(old)
    places, at = dict[str, int](), 0
    starts = list[int]()
    for index, part in enumerate(parts):
        places.setdefault(part, index)
        starts.append(at)
        at += len(part)
    patch: Patch = []
    expected = -1  # the place in the old text that would follow the last one taken
    for part in _tags(new):
        is_next = 0 <= expected < len(parts) and parts[expected] == part
        place = expected if is_next else places.get(part, -1)
        if place < 0:
            patch.append(part)
        elif is_next and isinstance(last := patch[-1], tuple):
            patch[-1] = (last[0], last[1] + len(part))
        else:
            patch.append((starts[place], len(part)))
        expected = place + 1 if place >= 0 else -1
    return patch


def _tags(text: str) -> list[str]:
    """A text cut before each tag."""
    first, *others = text.split("<")
    return [part for part in (first, *(f"<{other}" for other in others)) if part]


def _short(patch: Patch, old: str) -> Patch:
    """The same with texts joined, and with pairs written out that are longer than what they stand for."""
    made: Patch = []
    for part in patch:
        text = part if isinstance(part, str) else old[part[0] : part[0] + part[1]] if part[1] < SHORTEST else None
        if text is None:
            made.append(part)
        elif made and isinstance(last := made[-1], str):
            made[-1] = last + text
        elif text:
            made.append(text)
    return made
