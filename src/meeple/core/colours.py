"""Colours as `#rrggbb`, how far two of them stand apart, and tones that can be told from any ground.

Contrast is that of the Web Content Accessibility Guidelines: from 1 (the same) to 21 (black on white). Words need 4.5,
shapes that mean something need 3.
"""

from __future__ import annotations

from functools import lru_cache

WORDS, SHAPES = 4.5, 3.0  # the least contrast of words with their ground, and of shapes
WHITE, BLACK = "#ffffff", "#000000"


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, 0 to 255; `#abc` is short for `#aabbcc`."""
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def mixed(colour: str, other: str, share: float) -> str:
    """`colour` with a share of the other: 0 leaves it, 1 makes it the other."""
    parts = zip(channels(colour), channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)


@lru_cache(maxsize=4096)
def luminance(colour: str) -> float:
    """How much light a colour gives: 0 for black, 1 for white."""
    parts = [part / 255 for part in channels(colour)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(colour: str, other: str) -> float:
    """The contrast of two colours, the same either way round."""
    low, high = sorted((luminance(colour), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def lighter(colour: str, against: str, least: float) -> str:
    """The colour, with as little white as brings it to the least contrast with a dark one."""
    return next(tone for share in range(101) if contrast(tone := mixed(colour, WHITE, share / 100), against) >= least)
