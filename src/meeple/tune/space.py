"""What is tuned: which settings and weights of an agent, each within which range.

A *dimension* is one of them. Its key is the name of a setting (`c`), of a weight of the heuristic that a setting names
(`evaluation.turn`, `evaluation.level[2]`), or of either in a spec in brackets (`playout.depth`). A key without an index
stands for every number of an array, and `evaluation.*` for every weight. What a dimension may be is written

    0.4..2.6        from, to; whole numbers where the setting or weight is one
    0.4..2.6/0.2    the same in steps
    log:0.01..10    the same with equal room for every power of ten
    50%..200%       the same, as parts of the value at the start
    first|greedy    one of these

A *candidate* is the agent's spec with values in the place of those at the start. Its weights lie in files, one for each
heuristic, so that no candidate needs a compile.
"""

from __future__ import annotations

import itertools
import json
import re
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from meeple.agents.base import Agent
from meeple.agents.registry import load_agent
from meeple.core.game import Game
from meeple.core.heuristics import MODEL, Heuristic, default_name, find_heuristic, heuristics_of, kind_word
from meeple.core.numbers import decimal_number, shortened
from meeple.core.parameters import read_weights
from meeple.core.settings import settings_of
from meeple.core.spec import Spec, parse_spec
from meeple.errors import ConfigError, did_you_mean

Value = float | int | str
Values = Mapping[str, Value]  # by the key of a dimension

ALL = "*"
MOST_DIMENSIONS = 200
MOST_CELLS = 10_000
_WEIGHT = re.compile(r"(?P<name>\w+)(?:\[(?P<index>[0-9]{1,6}(?:,[0-9]{1,6})*)\])?")
_RANGE = re.compile(r"(?P<log>log:)?(?P<low>[^%]+?)(?P<part>%)?\.\.(?P<high>[^%]+?)(?(part)%)(?:/(?P<step>.+))?")
_FORMS = "0.4..2.6, 0.4..2.6/0.2, log:0.01..10, 50%..200% or a|b|c"


@dataclass(frozen=True)
class Dimension:
    """One setting or weight, what it is at the start, and what it may be."""

    key: str
    path: tuple[str, ...]  # settings, from the outermost spec inwards
    start: Value
    weight: str = ""  # of the heuristic that the last setting names
    index: tuple[int, ...] = ()  # in the weight's array
    is_whole: bool = False
    low: float = 0.0
    high: float = 0.0
    step: float | None = None
    is_log: bool = False
    choices: tuple[Value, ...] = ()

    @property
    def is_number(self) -> bool:
        """Whether it is a range, not a choice."""
        return not self.choices

    def holds(self, value: Value) -> bool:
        """Whether it may be this."""
        if self.choices:
            return value in self.choices
        if isinstance(value, str) or not self.low <= value <= self.high:
            return False
        return self.step is None or any(abs(value - point) < 1e-9 * self.step for point in self._points())

    def settled(self, value: Value) -> Value:
        """The value as a spec has it: whole, or a number of six digits, which is what specs write."""
        if isinstance(value, str):
            return value
        return round(value) if self.is_whole else float(f"{value:.6g}")

    def all_values(self) -> list[Value]:
        """Everything that it may be, where that can be counted."""
        if self.choices:
            return list(self.choices)
        if self.step is None and not self.is_whole:
            raise ConfigError(f"'{self.key}' has no steps for --grid: write {self.low:g}..{self.high:g}/STEP or a|b|c")
        return [self.settled(value) for value in self._points()]

    def _points(self) -> list[float]:
        step = self.step or 1
        n_steps = int((self.high - self.low) / step + 1e-9)
        if n_steps >= MOST_CELLS:
            raise ConfigError(f"'{self.key}' has {n_steps + 1:,} steps; {MOST_CELLS:,} are the most")
        return [self.low + number * step for number in range(n_steps + 1)]

    def words(self) -> str:
        """What it may be, in the form in which it is given."""
        if self.choices:
            return "|".join(str(each) for each in self.choices)
        step = f"/{self.step:g}" if self.step else ""
        return f"{'log:' if self.is_log else ''}{self.low:g}..{self.high:g}{step}"


@dataclass(frozen=True)
class Space:
    """An agent, and what of it is tuned."""

    game: Game
    spec: Spec  # of the start, normalised
    dimensions: tuple[Dimension, ...] = field(default=())

    @property
    def start(self) -> dict[str, Value]:
        """The values at the start."""
        return {each.key: each.start for each in self.dimensions}

    @property
    def holds_start(self) -> bool:
        """Whether the start lies within all ranges."""
        return all(each.holds(each.start) for each in self.dimensions)

    def settled(self, values: Values) -> dict[str, Value]:
        """Values as a spec has them."""
        return {each.key: each.settled(values[each.key]) for each in self.dimensions}

    def cells(self) -> list[dict[str, Value]]:
        """All combinations of the values of a grid; the last dimension changes fastest.

        Raises:
            ConfigError: a dimension has no steps, or there are too many combinations.
        """
        columns = [each.all_values() for each in self.dimensions]
        n_cells = int(np.prod([len(column) for column in columns], dtype=float))
        if n_cells > MOST_CELLS:
            raise ConfigError(f"this grid has {n_cells:,} cells; {MOST_CELLS:,} are the most")
        keys = [each.key for each in self.dimensions]
        return [dict(zip(keys, cell, strict=True)) for cell in itertools.product(*columns)]

    def candidate(self, values: Values, folder: Path) -> str:
        """The spec with these values; files of weights are written into `folder`."""
        folder.mkdir(parents=True, exist_ok=True)
        return str(_filled(self.game, self.spec, self.dimensions, values, folder))

    def require_playable(self) -> None:
        """Raise ConfigError where a candidate could not be loaded: looks at both ends, and at each choice."""
        ends: list[dict[str, Value]] = [
            {each.key: each.choices[0] if each.choices else each.settled(each.low) for each in self.dimensions},
            {each.key: each.choices[-1] if each.choices else each.settled(each.high) for each in self.dimensions},
        ]
        ends += [self.start | {each.key: choice} for each in self.dimensions for choice in each.choices]
        for place, values in enumerate(ends):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    load_agent(self.candidate(values, Path(folder)), self.game)
                except ConfigError as fault:
                    told = str(fault).replace(f"{folder}/", "")
                    which = f"with {', '.join(f'{key}={value}' for key, value in values.items())}" if place > 1 else ""
                    which = which or f"at the {'lowest' if place == 0 else 'highest'} values"
                    raise ConfigError(f"the space does not fit {which}: {told}") from None


def read_space(game: Game, spec: str, words: Sequence[str]) -> Space:
    """The space that words such as `c=0.4..2.6`, or TOML files of such keys and texts, name; all is checked.

    Raises:
        ConfigError: a key or a range that is none, a key twice, a range that the agent refuses.
    """
    agent = load_agent(spec, game)
    dimensions: list[Dimension] = []
    for key, text in itertools.chain.from_iterable(_entries(word) for word in words):
        dimensions += _dimensions(game, agent, key, text)
    if not dimensions:
        raise ConfigError("nothing to tune: name a setting or weight and its range, such as --space c=0.4..2.6")
    if len(dimensions) > MOST_DIMENSIONS:
        raise ConfigError(f"{len(dimensions)} dimensions; {MOST_DIMENSIONS} are the most")
    keys = [each.key for each in dimensions]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice:
        raise ConfigError(f"'{twice}' is given twice")
    chosen = {".".join(each.path) for each in dimensions if not each.weight}
    both = next((each for each in dimensions if each.weight and ".".join(each.path) in chosen), None)
    if both:
        raise ConfigError(f"'{'.'.join(both.path)}' is chosen and its weights are tuned, of which one goes at a time")
    space = Space(game, parse_spec(agent.spec), tuple(dimensions))
    space.require_playable()
    return space


# --- reading -----------------------------------------------------------------------------------------


def _entries(word: str) -> Iterator[tuple[str, str]]:
    """Keys and texts of one --space: itself, or those of the file that it names."""
    key, equals, text = word.partition("=")
    if equals:
        yield key.strip(), text.strip()
        return
    try:
        table = tomllib.loads(Path(word).read_text(encoding="utf-8"))
    except OSError as fault:
        raise ConfigError(
            f"--space takes key=low..high or a TOML file of such lines; '{shortened(word)}' is neither "
            f"({fault.strerror})"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise ConfigError(f"the space in '{shortened(word)}' cannot be read: {fault}") from None
    for key, text in table.items():
        if not isinstance(text, str):
            quoted = "a dotted key stands in quotes" if isinstance(text, dict) else f"write {_FORMS} in quotes"
            raise ConfigError(f"'{key}' in '{shortened(word)}' is no range: {quoted}")
        yield key, text


def _dimensions(game: Game, agent: Agent, key: str, text: str) -> list[Dimension]:
    """The dimensions that a key stands for: one, or all of an array or of a heuristic."""
    owner, path, rest = _walked(game, agent, tuple(key.split(".")), key)
    setting = path[-1]
    if not rest:
        declared = {each.name: each for each in settings_of(type(owner))}[setting]
        start = getattr(owner, setting)
        is_number = isinstance(start, int | float) and not isinstance(start, bool)
        is_number &= not declared.metadata["is_time"]
        if not is_number:
            choices = tuple(text.split("|"))
            if len(choices) < 2 or not all(choices):
                raise ConfigError(f"'{key}' is not a number: give its choices, a|b, not '{shortened(text)}'")
            written = parse_spec(owner.spec).settings.get(setting)
            start = written or ("yes" if start else "no") if isinstance(start, bool) else written or str(start)
            return [Dimension(key, path, start, choices=choices)]
        return [_read(text, Dimension(key, path, start, is_whole=isinstance(start, int)))]
    found = _heuristic(game, owner, setting, key)
    assert found.parameters is not None
    weights = _start_weights(found, getattr(owner, setting))
    wanted = [(name, None) for name in weights._fields] if rest == ALL else [_weight(rest, weights._fields, key)]
    head = ".".join(path)
    is_many = rest == ALL or (wanted[0][1] is None and np.ndim(getattr(weights, wanted[0][0])) > 0)
    dimensions = []
    for name, index in wanted:
        array = np.asarray(getattr(weights, name))
        for place in [index] if index is not None else np.ndindex(array.shape):
            if len(place) != array.ndim or any(at >= size for at, size in zip(place, array.shape, strict=True)):
                shape = " x ".join(str(size) for size in array.shape)
                raise ConfigError(f"'{key}' is not in the weight '{name}', which is {shape or 'one number'}")
            if is_many and "%" in text and array[place] == 0:
                continue  # a part of nothing is nothing
            whole = f"{head}.{name}" + (f"[{','.join(map(str, place))}]" if place else "")
            is_whole = array.dtype.kind == "i"
            start = int(array[place]) if is_whole else float(array[place])
            dimensions.append(_read(text, Dimension(whole, path, start, name, place, is_whole)))
    return dimensions


def _walked(game: Game, agent: Agent, parts: tuple[str, ...], key: str) -> tuple[Agent, tuple[str, ...], str]:
    """Follow a key into specs in brackets: the agent there, the path of settings, and a weight or nothing."""
    names = [each.name for each in settings_of(type(agent))]
    if parts[0] not in names:
        raise ConfigError(
            f"agent '{shortened(agent.spec)}' has no setting '{shortened(parts[0])}' (in '{shortened(key)}'); "
            f"{did_you_mean(parts[0], names)}"
        )
    value = getattr(agent, parts[0])
    if len(parts) > 1 and isinstance(value, str) and value.startswith("["):
        inner, path, rest = _walked(game, load_agent(value[1:-1], game), parts[1:], key)
        return inner, (parts[0], *path), rest
    if len(parts) > 2:
        raise ConfigError(f"'{shortened(key)}' goes too deep: '{parts[0]}' of '{agent.spec}' is no spec in brackets")
    return agent, parts[:1], parts[1] if len(parts) == 2 else ""


def _heuristic(game: Game, owner: Agent, setting: str, key: str) -> Heuristic:
    """The heuristic that a setting names, which must take weights."""
    declared = {each.name: each for each in settings_of(type(owner))}[setting]
    kind, name = declared.metadata["of"], getattr(owner, setting)
    if not kind or name in declared.metadata["besides"]:
        raise ConfigError(f"'{key}': the setting '{setting}' of '{owner.spec}' names nothing that takes weights")
    named = default_name(game, kind) if name == "default" else name
    if named.partition("@")[0] == MODEL:
        mend = f"name another {kind_word(kind)}, such as {setting}={next(iter(heuristics_of(game, kind)), 'none')}"
        raise ConfigError(f"'{key}': '{named}' is trained, not tuned: see `meeple train`, or {mend}")
    found = find_heuristic(game, kind, name if name == "default" else declared.metadata["prefix"] + name)
    if found.parameters is None or found.parameters.free:
        having = [each for each, one in heuristics_of(game, kind).items() if one.parameters is not None]
        others = f"; these do: {', '.join(having)}" if having else f", and none of {game.name} does"
        raise ConfigError(f"'{key}': '{name}' of {game.name} takes no weights{others}")
    return found


def _start_weights(found: Heuristic, name: str) -> Any:
    assert found.parameters is not None
    file = name.partition("@")[2]
    return found.parameters.weights(read_weights(file) if file else {})


def _weight(word: str, names: Sequence[str], key: str) -> tuple[str, tuple[int, ...] | None]:
    """A weight's name, and its index where one is given."""
    form = _WEIGHT.fullmatch(word)
    name = form["name"] if form else word
    if form is None or name not in names:
        raise ConfigError(f"there is no weight '{shortened(word)}' (in '{key}'); {did_you_mean(name, names)}")
    return name, tuple(int(part) for part in form["index"].split(",")) if form["index"] else None


def _read(text: str, dimension: Dimension) -> Dimension:
    """The dimension of a number with the range or the choices that a text gives."""
    key, start, is_whole = dimension.key, dimension.start, dimension.is_whole
    facts = vars(dimension)
    if "|" in text:
        choices = tuple(_number(part, key, is_whole=is_whole) for part in text.split("|"))
        if len(set(choices)) < len(choices):
            raise ConfigError(f"'{key}' names a value twice: '{shortened(text)}'")
        return Dimension(**facts | {"choices": choices})
    form = _RANGE.fullmatch(text)
    if form is None:
        raise ConfigError(f"'{shortened(text)}' is no range for '{key}'; write {_FORMS}")
    ends = [_number(form[end], key, is_whole=is_whole and not form["part"]) for end in ("low", "high")]
    if form["part"]:
        assert not isinstance(start, str)
        if start == 0:
            raise ConfigError(f"'{key}' is 0 at the start, so a percentage of it says nothing: give numbers")
        ends = sorted(start * part / 100 for part in ends)
        ends = [round(end) for end in ends] if is_whole else [float(f"{end:.6g}") for end in ends]
    low, high = ends
    if not low < high:
        raise ConfigError(f"the range of '{key}' is {low:g}..{high:g}: its end must lie above its beginning")
    step = _number(form["step"], key, is_whole=is_whole) if form["step"] else None
    if step is not None and not 0 < step <= high - low:
        raise ConfigError(f"the step of '{key}' lies between 0 and {high - low:g}, not at {step:g}")
    is_log = bool(form["log"])
    if is_log and low <= 0:
        raise ConfigError(f"the range of '{key}' begins at {low:g}; with log: it must begin above 0")
    if is_log and step is not None:
        raise ConfigError(f"'{key}' has steps or log:, not both")
    return Dimension(**facts | {"low": low, "high": high, "step": step, "is_log": is_log})


def _number(text: str, key: str, *, is_whole: bool) -> float:
    value = decimal_number(text.strip())
    if value is None or (is_whole and value != round(value)):
        wanted = "whole numbers" if is_whole else "numbers"
        raise ConfigError(f"'{key}' takes {wanted}, not '{shortened(text)}'; a range is written {_FORMS}")
    return round(value) if is_whole else value


# --- candidates --------------------------------------------------------------------------------------


def _filled(game: Game, spec: Spec, dimensions: Sequence[Dimension], values: Values, folder: Path, at: int = 0) -> Spec:
    """The spec with values in their places; `at`: how many settings of each path have been followed."""
    settings = dict(spec.settings)
    agent = load_agent(spec, game)
    for setting in dict.fromkeys(each.path[at] for each in dimensions):
        own = [each for each in dimensions if each.path[at] == setting]
        inner = [each for each in own if len(each.path) > at + 1]
        weights = [each for each in own if len(each.path) == at + 1 and each.weight]
        for each in own:
            if len(each.path) == at + 1 and not each.weight:
                value = values[each.key]
                settings[setting] = f"{value:g}" if isinstance(value, float) else str(value)
        if inner:
            within = parse_spec(getattr(agent, setting)[1:-1])
            settings[setting] = f"[{_filled(game, within, inner, values, folder, at + 1)}]"
        if weights:
            file = folder / f"{'.'.join(weights[0].path)}.json"
            settings[setting] = f"{_weigh(game, agent, setting, weights, values, file)}@{file}"
    return Spec(spec.name, settings)


def _weigh(game: Game, agent: Agent, setting: str, dimensions: Sequence[Dimension], values: Values, file: Path) -> str:
    """Write the file of a heuristic's weights, all of them; return the heuristic's name."""
    name = getattr(agent, setting)
    found = _heuristic(game, agent, setting, dimensions[0].key)
    weights = {each: np.array(value) for each, value in _start_weights(found, name)._asdict().items()}
    for each in dimensions:
        weights[each.weight][each.index] = values[each.key]
    file.write_text(
        json.dumps({each: value.tolist() for each, value in weights.items()}, indent=2) + "\n", encoding="utf-8"
    )
    name = name.partition("@")[0]
    kind = {each.name: each for each in settings_of(type(agent))}[setting].metadata["of"]
    return default_name(game, kind) if name == "default" else str(name)
