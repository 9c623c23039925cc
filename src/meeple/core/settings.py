"""Settings: what a search or an agent can be told, each declared once.

A dataclass whose fields are made by `setting` is the one declaration of its settings. From it come the values
themselves (`depth=3` in a spec is the field `depth`), the checks of what a spec gives, the help, and the lists of
`meeple agents`. A search declares what it can be told in `search/`; its agent inherits that class and adds nothing but
what only an agent needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, field, fields, is_dataclass
from typing import Any, Literal, TypeVar, get_type_hints

from meeple.core.game import Game
from meeple.core.heuristics import default_name, find_heuristic, heuristics_of, in_full
from meeple.core.numbers import INT64, decimal_number, shortened, whole_number
from meeple.core.spec import Spec, format_time, parse_time
from meeple.errors import ConfigError, did_you_mean

Names = Literal["", "word", "heuristic", "agent", "file", "command"]
MOST_SECONDS_ON_PAGE = 10.0  # of a setting that is a time and says nothing else

SEED = "seed"  # a setting of every agent: copies with different ones draw different lots
SEED_HELP = "number of the agent's own stream: copies with different ones draw different lots"

Declaration = TypeVar("Declaration")


def setting(
    default: Any,
    help: str,
    *,
    least: float | None = None,
    choices: tuple[str, ...] = (),
    is_time: bool = False,
    names: Names = "",
    of: str = "",
    besides: tuple[str, ...] = (),
    prefix: str = "",
    most_on_page: float | None = None,
) -> Any:
    """A setting: its default, its meaning, what it may be. `is_time`: seconds, written with a unit.

    A text without `choices` says what it `names`, so that a page, a record or a store can be refused what lies outside
    (agents/outside.py): a `file` that is opened, a `command` that is started, a `heuristic` of the game (`NAME@FILE`
    opens a file), an `agent` by its spec in brackets, or a mere `word`. One that does not say is refused there.
    A heuristic is one `of` a kind (`EVALUATIONS`, ...); `besides` are words that the setting takes as well. With a
    `prefix` only those whose names begin so are meant, and the setting leaves it out.
    A number that costs time or memory has a ceiling for the page, `most_on_page`; of a search in brackets it is the
    depth in them.
    """
    if is_time and most_on_page is None:
        most_on_page = MOST_SECONDS_ON_PAGE
    metadata = {
        "help": help,
        "least": least,
        "choices": choices,
        "is_time": is_time,
        "names": "heuristic" if of and not names else names,
        "of": of,
        "besides": besides,
        "prefix": prefix,
        "most_on_page": most_on_page,
    }
    return field(default=default, metadata=metadata)


def settings_of(kind: type[Any]) -> list[Field[Any]]:
    """The settings that a class declares, its own and those it inherits."""
    return [f for f in fields(kind) if "help" in f.metadata] if is_dataclass(kind) else []


def taken_from(kind: type[Declaration], source: Any, **changes: Any) -> Declaration:
    """An object of the dataclass `kind` with the values that `source` has under the same names, and with `changes`."""
    assert is_dataclass(kind)
    values = {f.name: getattr(source, f.name) for f in fields(kind) if hasattr(source, f.name)}
    return kind(**values | changes)


def given_settings(kind: type[Any], spec: Spec, *, what: str = "agent") -> dict[str, Any]:
    """The values that `spec` gives to the settings of `kind`, read and checked; nothing is made of them yet.

    `what` the spec names, for errors.
    """
    declared = {f.name: f for f in settings_of(kind)}
    values: dict[str, Any] = {}
    hints = get_type_hints(kind)
    for name, text in spec.settings.items():
        if name == SEED and name not in declared:
            continue
        if name not in declared:
            raise ConfigError(f"{what} '{spec}' has no setting '{name}'; {did_you_mean(name, {*declared, SEED})}")
        values[name] = _read(declared[name], hints[name], text, f"{what} '{spec.name}'")
    return values


def written_settings(source: Any) -> dict[str, str]:
    """The settings of `source` that differ from their defaults, as a spec writes them."""
    return {
        f.name: _written(f, getattr(source, f.name))
        for f in settings_of(type(source))
        if getattr(source, f.name) != f.default
    }


def default_text(declared: Field[Any]) -> str:
    """A setting's default as a person would write it."""
    return "none" if declared.default in (None, MISSING) else _written(declared, declared.default)


def check_heuristics(source: Any, game: Game) -> None:
    """Raise ConfigError where a setting of `source` names a heuristic that `game` has not."""
    for declared in settings_of(type(source)):
        kind, besides = declared.metadata["of"], declared.metadata["besides"]
        name = getattr(source, declared.name)
        if kind and name not in besides and not name.startswith("["):
            find_heuristic(game, kind, name if name == "default" else declared.metadata["prefix"] + name)


def accepted_names(declared: Field[Any], game: Game) -> list[str]:
    """The names that a setting takes in `game`: its choices, or the game's heuristics of its kind, the default first.

    Models go without saying, but for one that is the default.
    """
    facts: Mapping[str, Any] = declared.metadata
    if not facts["of"]:
        return list(facts["choices"])
    known = dict.fromkeys([default_name(game, facts["of"]), *heuristics_of(game, facts["of"])])
    known.pop("", None)
    named = [name.removeprefix(facts["prefix"]) for name in known if name.startswith(facts["prefix"])]
    return [*dict.fromkeys([*facts["besides"], *named])]


def _read(declared: Field[Any], kind: Any, text: str, who: str) -> Any:
    choices, least = declared.metadata["choices"], declared.metadata["least"]
    if choices:
        if text not in choices:
            raise ConfigError(f"'{declared.name}' of {who} takes {', '.join(choices)}, not '{text}'")
        return text
    if declared.metadata["is_time"]:
        return parse_time(text)
    if kind is str:
        return in_full(text) if declared.metadata["of"] == "EVALUATIONS" else text
    if kind is bool:
        if text not in ("yes", "no"):
            raise ConfigError(f"'{declared.name}' of {who} takes yes or no, not '{text}'")
        return text == "yes"
    wanted = "a whole number" if kind is int else "a number"
    value = whole_number(text, *INT64) if kind is int else decimal_number(text)
    if value is None:
        raise ConfigError(f"'{declared.name}' of {who} takes {wanted}, not '{shortened(text)}'")
    if least is not None and not value >= least:
        raise ConfigError(f"'{declared.name}' of {who} is at least {least:g}, not {text}")
    return value


def _written(declared: Field[Any], value: Any) -> str:
    if declared.metadata["is_time"] and value is not None:
        return format_time(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
