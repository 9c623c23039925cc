"""Colours for boards in a terminal: a game asks for a style by name, and plain text is always enough.

A style is words such as "bold red on sand"; a colour is one of COLOURS. Meaning never hangs on colour.
"""

from __future__ import annotations

from collections.abc import Callable

Paint = Callable[[str, str], str]

COLOURS = {
    "red": "#c8423b",
    "green": "#348347",
    "blue": "#2f78b7",
    "yellow": "#e2ae27",
    "purple": "#7b4fa3",
    "orange": "#e07b23",
    "ink": "#22262e",
    "paper": "#f6f3ee",
    "grey": "#8a8f98",
    "amber": "#e09f00",
    "seat1": "#c93f52",
    "seat2": "#2e4a7d",
    "seat3": "#2a7f8a",
    "seat4": "#7d5ba6",
    "sand": "#e9dfc9",
    "stone1": "#f3efe6",
    "stone2": "#ddd6c8",
    "stone3": "#bfb6a4",
    "sea": "#3f6d9b",
    "grass": "#8fae74",
}
MARKS = ("X", "O", "#", "@", "%", "&", "+", "=", "*", "~")  # a seat's mark, beside its colour


def plain(text: str, style: str) -> str:
    """No colours."""
    return text


def ansi(text: str, style: str) -> str:
    """Colours as escape codes for a terminal."""
    codes, ground = [], False
    for word in style.split():
        if word == "bold":
            codes.append("1")
        elif word == "on":
            ground = True
        else:
            red, green, blue = (int(COLOURS[word][i : i + 2], 16) for i in (1, 3, 5))
            codes.append(f"{48 if ground else 38};2;{red};{green};{blue}")
    return f"\033[{';'.join(codes)}m{text}\033[0m"
