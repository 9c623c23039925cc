"""Samples: positions as sparse features with labels, from matches that are over.

A label is the win share that a viewing seat had in the end, or mixed with what a search says of the position.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from meeple.arena.store import Store
from meeple.core.features import FeatureSet
from meeple.core.folders import is_file, is_folder
from meeple.core.game import Game, State
from meeple.core.match import Match
from meeple.core.numbers import shortened
from meeple.core.record import Record, parse_record, read_text
from meeple.errors import ConfigError
from meeple.models.model import View, usual_view

RECORD = ".jsonl"
# The value for the mover of a state of a match, at this ply; None where it is unknown, and the result alone counts.
Judge = Callable[[Match, State, int], float | None]


@dataclass(frozen=True)
class Samples:
    """Positions of many games, one a row."""

    active: NDArray[np.int32] | NDArray[np.int16]  # [position, most]: the features that are there, then -1
    labels: NDArray[np.float64]  # the expected win share of the viewing seat
    games: NDArray[np.int64]  # the game that it is of, by number

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def name(self) -> str:
        """Twelve letters that tell other samples apart."""
        parts = (self.active.tobytes(), self.labels.tobytes(), self.games.tobytes())
        return hashlib.blake2b(b"".join(parts), digest_size=6).hexdigest()


def joined(parts: Sequence[Samples]) -> Samples:
    """The samples of all parts, one after the other."""
    return Samples(
        np.concatenate([part.active for part in parts]),
        np.concatenate([part.labels for part in parts]),
        np.concatenate([part.games for part in parts]),
    )


def samples_of(
    matches: Iterable[Match], features: FeatureSet, *, judge: Judge | None = None, trust: float = 0.0
) -> Samples:
    """Every decision of the matches, seen by its mover; by each seat where the game's models take each seat's view.

    With `judge`, a mover's label is mixed of its value, with the weight `trust`, and the result.
    """
    rows: list[NDArray[np.int64]] = []
    labels: list[float] = []
    games: list[int] = []
    for number, match in enumerate(matches):
        shares = [(1.0 + value) / 2.0 for value in match.state.returns()]
        view = usual_view(match.game)
        decisions = [step for step in match.steps if step.seat is not None]
        for ply, step in enumerate(decisions):
            mover = step.before.to_move
            for seat in _viewers(step.before, view):
                label = shares[seat]
                value = judge(match, step.before, ply) if judge is not None and seat == mover else None
                if value is not None:
                    label = (1.0 - trust) * label + trust * (1.0 + value) / 2.0
                rows.append(features.of(step.before, seat))
                labels.append(label)
                games.append(number)
    active = np.full((len(rows), features.most), -1, dtype=np.int32)
    for row, found in zip(active, rows, strict=True):
        row[: len(found)] = found
    return Samples(active, np.array(labels, dtype=np.float64), np.array(games, dtype=np.int64))


def _viewers(state: State, view: View) -> Iterable[int]:
    return (state.to_move,) if view == "mover" else range(state.game.seats)


def stored_matches(place: Path, game: Game) -> Iterator[Match]:
    """The finished matches of a game in a store, a record or a folder of records, in a fixed order.

    Raises:
        ConfigError: there is no such place, or it holds matches of another game.
        RecordError, StoreError: it is damaged.
    """
    for name, record in _records(place):
        if record.game != game.spec:
            raise ConfigError(f"'{shortened(name)}' is a match of {shortened(record.game)}, not of {game.spec}")
        # A game that is in a folder runs from there only if that is the folder which was named on the command line.
        match = Match.from_record(record, trust=bool(record.folder) and record.folder == game.definition.folder)
        if match.is_over:
            yield match


def _records(place: Path) -> Iterator[tuple[str, Record]]:
    if is_folder(place):
        for file in sorted(place.glob(f"*{RECORD}")):
            yield str(file), parse_record(read_text(file), str(file))
    elif place.suffix == RECORD:
        yield str(place), parse_record(read_text(place), str(place))
    elif is_file(place):
        with Store.read(place) as store:
            for number, stored in enumerate(store.games(records=True), 1):
                if stored.record is not None and stored.at_fault is None:
                    yield f"game {number} of {place}", parse_record(stored.record, str(place))
    else:
        raise ConfigError(f"there is no store, record or folder of records '{shortened(str(place))}'")
