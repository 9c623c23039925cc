"""Texts and bytes of states and matches, changed in the ways in which people, files and attackers change them."""

from __future__ import annotations

import re

from meeple.core.chance import Stream

NUMBERS = ("0", "1", "2", "3", "6", "7", "9", "10", "15", "99", "127", "128", "255", "1000000000", "9" * 30, "9" * 5000)
STRANGE = (
    "-",
    "--",
    "+",
    "?",
    "!",
    "²",
    "٣",
    "１",
    "\x00",
    "é",
    "𝟘",
    "\u202e",
    "/",
    "|",
    ",",
    ";",
    ":",
    ".",
    "=",
    " ",
    "",
)
_NUMBER = re.compile(r"\d+")
_TOKEN = re.compile(r"[^\s|,;:/=]+")
_WORD = re.compile(r"\S+")


def mutated(text: str, others: list[str], rng: Stream) -> str:
    """`text` after one to three changes; `others` are texts of the same kind to take parts from."""
    for _ in range(1 + rng.below(3)):
        text = rng.choice(CHANGES)(text, others, rng)
    return text


def mutated_bytes(data: bytes, others: list[bytes], rng: Stream) -> bytes:
    """`data` with some bytes changed, or with a part of another."""
    changed = bytearray(data)
    way = rng.below(8)
    if way == 0:
        return data[: rng.below(len(data))]
    if way == 1:
        return data + data[: 1 + rng.below(8)]
    for _ in range(1 + rng.below(3)):
        at = rng.below(len(changed))
        if way < 5:
            changed[at] = rng.choice((0, 1, 2, 3, 5, 10, 127, 128, 254, 255, rng.below(256)))
        else:
            other, length = rng.choice(others), 1 + rng.below(16)
            changed[at : at + length] = other[at : at + length]
    return bytes(changed)


def _other_number(text: str, others: list[str], rng: Stream) -> str:
    return _replaced(text, _NUMBER, rng, lambda found: rng.choice(NUMBERS))


def _near_number(text: str, others: list[str], rng: Stream) -> str:
    return _replaced(text, _NUMBER, rng, lambda found: str(int(found[:20]) + rng.below(5) - 2))


def _other_token(text: str, others: list[str], rng: Stream) -> str:
    tokens = _TOKEN.findall(rng.choice(others))
    return _replaced(text, _TOKEN, rng, lambda found: rng.choice(tokens) if tokens else "")


def _same_word_of_another(text: str, others: list[str], rng: Stream) -> str:
    """The word at one place, such as `bag=...`, as another text has it there."""
    words, theirs = list(_WORD.finditer(text)), _WORD.findall(rng.choice(others))
    if not words or not theirs:
        return text
    at = rng.below(min(len(words), len(theirs)))
    return text[: words[at].start()] + theirs[at] + text[words[at].end() :]


def _two_swapped(text: str, others: list[str], rng: Stream) -> str:
    words = list(_TOKEN.finditer(text))
    if len(words) < 2:
        return text
    first, second = sorted((rng.below(len(words)), rng.below(len(words))))
    one, two = words[first], words[second]
    if first == second:
        return text
    return text[: one.start()] + two[0] + text[one.end() : two.start()] + one[0] + text[two.end() :]


def _without(text: str, others: list[str], rng: Stream) -> str:
    return _replaced(text, rng.choice((_TOKEN, _WORD)), rng, lambda found: "")


def _doubled(text: str, others: list[str], rng: Stream) -> str:
    mark = rng.choice((" ", ",", ";", "|", "/", ""))
    return _replaced(text, rng.choice((_TOKEN, _WORD)), rng, lambda found: f"{found}{mark}{found}")


def _many_times(text: str, others: list[str], rng: Stream) -> str:
    mark = rng.choice((",", ";", "|", "/", ""))
    return _replaced(text, _TOKEN, rng, lambda found: mark.join([found] * (10 + rng.below(90))))


def _strange_letter(text: str, others: list[str], rng: Stream) -> str:
    at = rng.below(len(text) + 1)
    return text[:at] + rng.choice(STRANGE) + text[at + rng.below(2) :]


def _cut(text: str, others: list[str], rng: Stream) -> str:
    at = rng.below(len(text) + 1)
    return text[:at] if rng.below(2) else text[at:]


def _tail(text: str, others: list[str], rng: Stream) -> str:
    tail = rng.choice(
        (f" seat={rng.choice(NUMBERS)}", f" fate={rng.choice(NUMBERS)}", " seat=spectator", " fate=²", "")
    )
    return re.sub(r" (fate|seat)=\S+$", "", text) + tail


def _replaced(text: str, pattern: re.Pattern[str], rng: Stream, new) -> str:  # type: ignore[no-untyped-def]
    places = list(pattern.finditer(text))
    if not places:
        return text
    place = rng.choice(places)
    return text[: place.start()] + new(place[0]) + text[place.end() :]


# What leaves a text readable comes more often: what does not parse is refused early.
CHANGES = (
    *(_near_number, _near_number, _near_number, _same_word_of_another, _same_word_of_another, _same_word_of_another),
    *(_other_token, _other_token, _two_swapped, _other_number, _without, _doubled, _many_times, _strange_letter, _cut),
    _tail,
)
