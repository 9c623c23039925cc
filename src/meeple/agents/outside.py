"""Before a spec from elsewhere is loaded: what files and code would it open or run, and how much would it compute?

A spec that the user typed is trusted. One from a record, a store or the page may have been written by anybody, so
`require_trusted` and `excess_of` look at it first, without loading it. They go by what each setting declares of itself
(`setting` in core/settings.py), after presets are filled in, and look into specs in brackets inside the spec too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_type_hints

from meeple.agents.registry import agent_names, find_agent, resolve
from meeple.core.game import Game
from meeple.core.heuristics import CODE, MODEL, in_full
from meeple.core.settings import given_settings, settings_of
from meeple.core.spec import Spec, format_time, parse_spec
from meeple.errors import MeepleError, TrustError
from meeple.models.found import is_name


@dataclass(frozen=True)
class Outside:
    """One thing from outside that a spec names."""

    kind: Literal["code", "file", "command", "unsaid"]
    text: str  # the path, the command, or the setting that does not say what it names

    def __str__(self) -> str:
        return {
            "code": f"runs the code in '{self.text}'",
            "file": f"opens the file '{self.text}'",
            "command": f"starts the command '{self.text}'",
            "unsaid": f"sets {self.text}, which does not say whether it names a file",
        }[self.kind]


def outside_of(spec: str | Spec, game: Game | None = None) -> list[Outside]:
    """Everything from outside that the agent of this spec would open or run; a wrong spec is not refused here."""
    return [found for part in _specs_in(spec, game) for found in _named_by(part)]


def require_trusted(specs: Iterable[str], game: Game, *, source: str) -> None:
    """Refuse specs that came out of `source`, such as a record, where they name something from outside.

    Raises:
        TrustError: what would be opened or run, and how to allow it.
    """
    for spec in specs:
        found = outside_of(spec, game)
        if found:
            what = " and ".join(dict.fromkeys(map(str, found)))
            raise TrustError(
                f"{source} names the agent '{spec}', which {what}; "
                "if you know where it comes from, allow it with --trust (in Python: trust=True)"
            )


@dataclass(frozen=True)
class Excess:
    """A setting above its ceiling."""

    agent: str
    setting: str
    value: str
    most: str


def excess_of(spec: str | Spec, game: Game, ceilings: Mapping[str, float]) -> Excess | None:
    """Return the first setting of a spec that is above the page's ceiling for it; None where none is.

    A ceiling in `ceilings` counts before the one that the setting declares.
    """
    for part in _specs_in(spec, game, runs_files=True):
        kind = find_agent(part.name)
        declared = {f.name: f.metadata for f in settings_of(kind)}
        for name, value in given_settings(kind, part).items():
            about = declared[name]
            most = ceilings.get(name, about["most_on_page"])
            cost = _depth_in(value) if isinstance(value, str) else value
            if most is not None and not cost <= most:
                written = format_time if about["is_time"] else "{:g}".format
                return Excess(part.name, name, part.settings[name], written(most))
    return None


def _depth_in(text: str) -> int:
    """The depth of a search that a text names in brackets; 0 where it names none."""
    try:
        depth = parse_spec(text[1:-1]).settings.get("depth", "") if _is_bracketed(text) else ""
    except MeepleError:
        return 0
    return int(depth) if depth.isdecimal() and len(depth) < 10 else 0


def ceilings() -> dict[str, bool]:
    """The names of all settings with a ceiling for the page, of agents that are installed; whether each is a time."""
    settings = [f for name in agent_names() for f in settings_of(find_agent(name))]
    return {f.name: f.metadata["is_time"] for f in settings if f.metadata["most_on_page"] is not None}


def _specs_in(spec: str | Spec, game: Game | None, *, runs_files: bool = False) -> Iterator[Spec]:
    """Yield the spec with presets filled in, then the specs in brackets inside it.

    The settings of an agent in a file are known only by running the file, which is done if `runs_files`. A spec that
    names no agent is left out: to load it is an error that opens nothing.
    """
    try:
        part = resolve(spec, game.definition if game else None)
        declared = _declared(part) if runs_files or not _is_in_file(part) else {}
    except MeepleError:
        return
    yield part
    for name, about in declared.items():
        text = part.settings.get(name, "")
        if about["names"] in ("agent", "heuristic") and _is_bracketed(text):
            yield from _specs_in(text[1:-1], game, runs_files=runs_files)


def _named_by(part: Spec) -> Iterator[Outside]:
    """What the settings of one spec name, those in brackets left out."""
    if _is_in_file(part):
        yield Outside("code", part.name.rpartition(":")[0])
        return
    kind = find_agent(part.name)
    hints = get_type_hints(kind)
    for name, about in _declared(part).items():
        text = part.settings.get(name)
        if text is None or about["choices"] or hints[name] is not str:
            continue
        text = in_full(text) if about["of"] == "EVALUATIONS" else text
        file = text.partition("@")[2] if about["names"] == "heuristic" and not _is_bracketed(text) else ""
        if file and CODE in file:
            yield Outside("code", file.rpartition(":")[0])
        elif file and not (text.startswith(f"{MODEL}@") and is_name(file)):  # a model's name leads to no other folder
            yield Outside("file", file)
        elif not file and about["names"] in ("file", "command"):
            yield Outside(about["names"], text)
        elif about["names"] == "":
            yield Outside("unsaid", f"'{name}' of agent '{part.name}'")


def _declared(part: Spec) -> dict[str, Mapping[str, object]]:
    return {f.name: f.metadata for f in settings_of(find_agent(part.name))}


def _is_bracketed(text: str) -> bool:
    return text.startswith("[") and text.endswith("]")


def _is_in_file(part: Spec) -> bool:
    return ".py:" in part.name
