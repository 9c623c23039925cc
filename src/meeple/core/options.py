"""Options of a game: variants of its rules, by a word in its spec and as numbers for its kernels.

    rules=thesis                Option: one word of several
    toolbox=lathekin+lens       Subset: some of many
    points=light.3+empty.0      Amounts: numbers by name

In a mode file (modes.py) a subset is a list and amounts are a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from meeple.core.numbers import shortened, whole_number
from meeple.errors import ConfigError, did_you_mean

ALL, NO_VALUES, USUAL = "all", "none", "usual"  # words of subsets and amounts


def said(word: str) -> str:
    """A word of a spec as a person says it."""
    return word.replace("-", " ")


@dataclass(frozen=True)
class Option:
    """A variant of the rules, chosen by a word; the rules read the word's place in `values`."""

    name: str
    values: tuple[str, ...]
    help: str
    default: str = ""  # the first value where none is given
    players: tuple[int, ...] = ()  # player counts at which other values than the default may be chosen; none: all
    is_for_laboratory: bool = field(default=False, kw_only=True)  # for experiments, not for an evening: forms fold it

    def __post_init__(self) -> None:
        object.__setattr__(self, "default", self.default or self.values[0])

    def settled(self, word: str) -> str:
        """The one spelling of what `word` means; refuses what means nothing."""
        if word not in self.values:
            raise ConfigError(f"option '{self.name}' takes {', '.join(self.values)}, not '{shortened(word)}'")
        return word

    def codes(self, word: str) -> tuple[int, ...]:
        """What the rules read for a settled word."""
        return (self.values.index(word),)

    @property
    def samples(self) -> tuple[str, ...]:
        """Words with which the game is checked."""
        return self.values

    @property
    def usage(self) -> str:
        """What may be written, in short."""
        return "|".join(self.values)

    @property
    def words(self) -> str:
        """All that may be written, for a person."""
        return ", ".join(self.values)

    @property
    def title(self) -> str:
        """Its name as a person reads it."""
        return said(self.name).capitalize()

    @property
    def sentence(self) -> str:
        """Its help as a sentence."""
        return f"{self.help[:1].upper()}{self.help[1:]}."

    def fits(self, players: int, word: str) -> bool:
        """Whether so many players may choose this word."""
        return word == self.default or not self.players or players in self.players

    def place(self, word: str) -> int:
        """The place of one of the values; refuses others by name."""
        if word not in self.values:
            raise ConfigError(f"option '{self.name}' knows no '{shortened(word)}'; {did_you_mean(word, self.values)}")
        return self.values.index(word)


@dataclass(frozen=True)
class Subset(Option):
    """Some of many, joined by plus signs; all of them where none are named. The rules read bits by place."""

    default: str = ALL
    sample: str = ALL  # a choice with which the game is checked besides the default

    def settled(self, word: str) -> str:
        chosen = self.chosen(word)
        if len(chosen) == len(self.values):
            return ALL
        return "+".join(chosen) or NO_VALUES

    def chosen(self, word: str) -> tuple[str, ...]:
        """The values that a word names, in their order."""
        if word == ALL:
            return self.values
        names = [] if word == NO_VALUES else word.split("+")
        places = [self.place(name.strip()) for name in names]
        twice = _twice(places)
        if twice is not None:
            raise ConfigError(f"option '{self.name}' names '{self.values[twice]}' twice")
        return tuple(self.values[place] for place in sorted(places))

    def codes(self, word: str) -> tuple[int, ...]:
        return (sum(1 << self.values.index(value) for value in self.chosen(word)),)

    @property
    def samples(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.default, self.sample)))

    @property
    def usage(self) -> str:
        return f"{ALL}|{self.values[0]}+..."

    @property
    def words(self) -> str:
        return f"{ALL}, {NO_VALUES}, or some of these joined by +: {', '.join(self.values)}"


@dataclass(frozen=True)
class Amounts(Option):
    """Whole numbers by name, `light.3+empty.0`; others are the usual ones. The rules read them in order."""

    default: str = USUAL
    usual: tuple[int, ...] = ()  # in the order of `values`
    most: int = 20
    sample: str = USUAL

    def settled(self, word: str) -> str:
        numbers = self.codes(word)
        changed = [f"{name}.{n}" for name, n, old in zip(self.values, numbers, self.usual, strict=True) if n != old]
        return "+".join(changed) or USUAL

    def codes(self, word: str) -> tuple[int, ...]:
        numbers, places = list(self.usual), []
        for part in [] if word == USUAL else word.split("+"):
            name, _, number = part.strip().partition(".")
            place = self.place(name)
            amount = whole_number(number, 0, self.most)
            if amount is None:
                wanted = f"a whole number from 0 to {self.most} for {name}"
                raise ConfigError(f"option '{self.name}' takes {wanted}, not '{shortened(number)}'")
            places.append(place)
            numbers[place] = amount
        twice = _twice(places)
        if twice is not None:
            raise ConfigError(f"option '{self.name}' names '{self.values[twice]}' twice")
        return tuple(numbers)

    @property
    def samples(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.default, self.sample)))

    @property
    def usage(self) -> str:
        return f"{USUAL}|{self.values[0]}.{self.usual[0]}+..."

    @property
    def words(self) -> str:
        numbers = ", ".join(f"{name}.{n}" for name, n in zip(self.values, self.usual, strict=True))
        return f"{USUAL}, or some of these with other numbers (0 to {self.most}) joined by +: {numbers}"


def _twice(places: Sequence[int]) -> int | None:
    """A place that is named more than once."""
    return next((place for n, place in enumerate(places) if place in places[:n]), None)
