"""Settings drawn at random from ranges, as `meeple tune --method random` draws them, beside the published ones.

The published settings are the first trial; what is judged is how many of the drawn ones have a lower objective on the
same seeds. The best of many drawn is flattered by the choice, a rank among them is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

from meeple.arena.workers import MakesCrew
from meeple.core.registry import load_game
from meeple.lab.paper import Item, Paper
from meeple.lab.played import Heard, RawResult
from meeple.tune.playing import Stage
from meeple.tune.tuning import Study, Tuning, prepare_tuning


def optuna_missing(item: Item) -> str:
    """What has to be installed before settings can be searched; empty where nothing is missing."""
    lacks = item.does == "tune" and find_spec("optuna") is None
    return "optuna (`pip install 'meeple[tune]'`)" if lacks else ""


def searched(paper: Paper, item: Item, size: str, *, crew_for: MakesCrew, on_games: Heard) -> RawResult:
    """Play the published settings and so many drawn ones, each a trial: 1 where the published ones beat it, else 0."""
    tuning, wanted = tuning_of(paper, item, size), item.games(size)
    with (
        Study(tuning, tuning.default_folder()) as study,
        Stage(tuning.contest, crew_for=crew_for, is_current=study.is_current) as stage,
    ):
        study.run(stage, wanted + 1, on_trial=lambda tried: on_games(item.title, tried.number, wanted))
        published, *drawn = study.trials[: wanted + 1]
    values = tuple(float(published.mean > each.mean) for each in drawn)
    entry = item.entries[0]
    return RawResult(entry, entry.specs(), values, len(values), search_signature(paper, item, size))


def tuning_of(paper: Paper, item: Item, size: str) -> Tuning:
    """The search of an item, checked."""
    start, rival = item.entries[0].specs()
    games = item.quick_trial_games if size == "quick" else item.trial_games
    return prepare_tuning(
        load_game(item.game),
        start,
        words_of(item.space),
        against=[rival],
        objective=item.objective,
        method="random",
        games=games,
        seed=paper.seed,
    )


def words_of(space: Mapping[str, str]) -> list[str]:
    """Ranges as `meeple tune --space` takes them."""
    return [f"{key}={span}" for key, span in space.items()]


def search_signature(paper: Paper, item: Item, size: str) -> str:
    """The signature of the code that plays the candidates."""
    return tuning_of(paper, item, size).code
