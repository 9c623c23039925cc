"""What a browser remembers of the last match of a game: players, who sat where, options, clock."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from meeple.core.definition import Definition
from meeple.core.registry import load_game
from meeple.core.spec import Spec
from meeple.errors import MeepleError
from meeple.web.seats import told_name


@dataclass
class Choices:
    """The choices of a form; what the browser tells of them is checked by `recalled` before it gets here."""

    players: int
    kinds: list[str]
    names: list[str]
    options: dict[str, str] = field(default_factory=dict)
    clock: str = "none"
    for_agents: bool = False  # whether they have the clock too
    is_shuffled: bool = False

    def told(self) -> dict[str, Any]:
        """As the browser keeps it."""
        return asdict(self)


def recalled(told: object, definition: Definition, kinds: Collection[str], clocks: Collection[str]) -> Choices | None:
    """The choices that a browser tells; None where they do not fit the game as it is now.

    Nothing is mended: levels and options of an earlier version are asked for anew.
    """
    if not isinstance(told, dict) or set(told) != {each.name for each in fields(Choices)}:
        return None
    least, most = definition.seats
    players, sat, names, options = told["players"], told["kinds"], told["names"], told["options"]
    if not isinstance(players, int) or not least <= players <= most:
        return None
    if not _are_words(sat, players) or not _are_words(names, players) or any(kind not in kinds for kind in sat):
        return None
    known = {option.name for option in definition.options}
    if not isinstance(options, dict) or not known.issuperset(options) or told["clock"] not in clocks:
        return None
    if not isinstance(told["is_shuffled"], bool) or not isinstance(told["for_agents"], bool):
        return None
    try:
        words = {str(name): str(word) for name, word in options.items()}
        load_game(Spec(definition.name, words | ({"players": str(players)} if most > least else {})))
    except MeepleError:
        return None
    kept = [told_name(name) for name in names]
    return Choices(players, sat, kept, words, told["clock"], told["for_agents"], told["is_shuffled"])


def _are_words(found: object, number: int) -> bool:
    return isinstance(found, list) and len(found) == number and all(isinstance(word, str) for word in found)
