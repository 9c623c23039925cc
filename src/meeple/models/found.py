"""Models by name: those that come with a game (games/GAME/models/NAME.npz), and one's own in the data folder.

A name has no slash and no dot, so it leads into these two folders and nowhere else; anything else is a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from meeple.core.definition import Definition
from meeple.core.folders import data_folder
from meeple.core.numbers import shortened
from meeple.errors import ConfigError, did_you_mean

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
SUFFIX = ".npz"


@dataclass(frozen=True)
class Found:
    """A model that has a name."""

    name: str
    file: Path
    is_shipped: bool


def is_name(text: str) -> bool:
    """Whether a text is a model's name rather than a file."""
    return NAME.fullmatch(text) is not None


def models_of(definition: Definition) -> Iterator[Found]:
    """The models of a game by name: those that come with it, then one's own."""
    known: set[str] = set()
    for folder, is_shipped in ((shipped_folder(definition), True), (own_folder(definition), False)):
        for file in sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else ():
            if is_name(file.stem) and file.stem not in known:
                known.add(file.stem)
                yield Found(file.stem, file, is_shipped)


def shipped_folder(definition: Definition) -> Path:
    """Where the models lie that come with a game."""
    return Path(str(definition.rules.__file__)).parent / "models"


def own_folder(definition: Definition) -> Path:
    """Where one's own models of a game lie."""
    return data_folder("models") / definition.name


def find_file(definition: Definition, text: str) -> Path:
    """The file that `model@TEXT` means.

    Raises:
        ConfigError: no model has that name.
    """
    if not text:
        raise ConfigError("the evaluation 'model' needs a model: give model@FILE.npz, or model@NAME")
    if not is_name(text):
        return Path(text)
    found = {each.name: each.file for each in models_of(definition)}
    if text not in found:
        where = "`meeple models` lists those there are; a file is written with its suffix, FILE.npz"
        raise ConfigError(f"{definition.name} has no model '{shortened(text)}'; {did_you_mean(text, found)}; {where}")
    return found[text]
