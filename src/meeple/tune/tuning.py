"""A tuning: trials of candidates by Optuna, kept in a folder, stopped and gone on with at any moment.

A trial's number and the seed alone fix what is drawn for it, given the trials before, and trials come one after the
other while their games are shared out among workers. So the same trials come out with any number of workers, and after
any number of kills: a trial that was cut short is played again with the values that it had.
"""

from __future__ import annotations

import json
import math
import shutil
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from meeple.agents.registry import load_agent
from meeple.agents.simple import Human
from meeple.arena.conditions import Conditions
from meeple.arena.provenance import signature_for
from meeple.arena.statistics import Interval
from meeple.arena.store import hash_of
from meeple.arena.tournament import require_seeds
from meeple.core.chance import word_for
from meeple.core.folders import data_folder
from meeple.core.game import Game
from meeple.errors import ConfigError, did_you_mean
from meeple.tune.choosing import corrected_best
from meeple.tune.playing import OBJECTIVES, Contest, Stage
from meeple.tune.space import Dimension, Space, Values, read_space

METHODS = {
    "random": "every candidate drawn anew from the ranges, as in the Sagrada thesis",
    "tpe": "tree-structured Parzen estimator: draws where good trials lie and bad ones do not",
    "cmaes": "CMA-ES: a normal distribution that moves and shrinks towards good trials; for two or more numbers",
}
GRID = "grid"
HALVINGS = 3  # looks before the last game of a trial: after an eighth, a quarter and a half of its seeds
LEAST_SETS = 2  # that a trial plays before the first look
FILE = "study.sqlite"
STUDY = "tune"


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """What is to be tuned and how, checked before the first game."""

    space: Space
    contest: Contest
    method: str
    sets: int  # seeds that a trial plays, all trials the same
    seed: int
    halving: bool = False

    @property
    def seeds(self) -> range:
        """Of every trial."""
        return range(self.seed, self.seed + self.sets)

    @property
    def games_a_trial(self) -> int:
        """Games of a trial that is played to its end."""
        return self.sets * self.contest.games_a_set

    @cached_property
    def cells(self) -> list[dict[str, Any]]:
        """The candidates of a grid, in their order."""
        return self.space.cells() if self.method == GRID else []

    @cached_property
    def looks(self) -> list[int]:
        """Numbers of sets after which a trial may be given up."""
        if not self.halving:
            return []
        parts = [self.sets >> k for k in range(HALVINGS, 0, -1)]
        return sorted({part for part in parts if part >= LEAST_SETS})

    def configuration(self) -> dict[str, Any]:
        """What must be the same for trials to be counted together; not how many, nor by how many workers."""
        contest = self.contest
        return {
            "game": contest.game.spec,
            "version": contest.game.facts.version,
            "agent": str(self.space.spec),
            "against": list(contest.against),
            "space": {each.key: each.words() for each in self.space.dimensions},
            "objective": contest.objective,
            "conditions": contest.conditions.as_json(),
            "method": self.method,
            "halving": self.halving,
            "sets": self.sets,
            "seed": self.seed,
            "code": self.code,
        }

    @property
    def code(self) -> str:
        """The signature of the code that plays the candidates, as its files are now."""
        return signature_for(self.contest.game, [str(self.space.spec), *self.contest.against])

    def default_folder(self) -> Path:
        """Where its trials lie unless another place is named."""
        return data_folder("tuning") / f"{self.contest.game.name}-{hash_of(self.configuration())}"

    def heading(self) -> str:
        """What is about to be played, in a line."""
        rivals = f" against {', '.join(self.contest.against)}" if self.contest.against else ""
        plan = f"{self.contest.objective}, {self.games_a_trial} games a trial (seeds {self.seed} to {self.seeds[-1]})"
        return f"{self.contest.game.spec}: {self.space.spec}{rivals}; {plan}, {self.method}"


def prepare_tuning(
    game: Game,
    spec: str,
    words: Sequence[str],
    *,
    against: Sequence[str] = (),
    objective: str = "share",
    method: str = "tpe",
    halving: bool = False,
    games: int = 100,
    seed: int = 779,
    conditions: Conditions | None = None,
) -> Tuning:
    """Check everything; `words` are of `read_space`, `games` of a trial are rounded up to whole sets.

    Without `against` a candidate plays against the agent as it is at the start.

    Raises:
        ConfigError: a wrong name, range, method or objective.
    """
    for known, word, what in ((OBJECTIVES, objective, "objective"), ({**METHODS, GRID: ""}, method, "method")):
        if word not in known:
            raise ConfigError(f"--{what} takes {', '.join(known)}, not '{word}'; {did_you_mean(word, known)}")
    start = load_agent(spec, game)
    rivals = [load_agent(each, game) for each in against]
    if not rivals and game.seats > 1:
        rivals = [start]
    if any(isinstance(agent, Human) for agent in (start, *rivals)):
        raise ConfigError("people play in `meeple play`; a tuning plays by itself")
    space = read_space(game, spec, words)
    n_numbers = sum(each.is_number for each in space.dimensions)
    if method == "cmaes" and n_numbers < 2:
        raise ConfigError("cmaes is for two or more numbers; one is better found by --method tpe or --grid")
    if halving and method in ("cmaes", GRID):
        why = "ranks whole generations" if method == "cmaes" else "compares all cells"
        raise ConfigError(f"{method} {why}, so it cannot give up trials: leave --halving out")
    contest = Contest(
        game=game,
        against=tuple(rival.spec for rival in rivals),
        objective=objective,
        conditions=conditions or Conditions(),
    )
    sets = contest.sets_for(games)
    require_seeds(seed, sets)
    tuning = Tuning(space=space, contest=contest, method=method, sets=sets, seed=seed, halving=halving)
    _ = tuning.cells  # a grid that is too large is refused here
    return tuning


@dataclass(frozen=True)
class Tried:
    """A trial that is over."""

    number: int
    values: dict[str, Any]  # by key, as the candidate's spec has them
    sets: tuple[float, ...]  # the objective's mean in each set that was played
    is_whole: bool  # False: it was given up before its last set

    @property
    def mean(self) -> float:
        """Over the sets that were played."""
        return math.fsum(self.sets) / len(self.sets)


@dataclass(frozen=True)
class Check:
    """Best and start on seeds that chose neither."""

    first_seed: int
    best: tuple[float, ...]
    start: tuple[float, ...]  # on the same seeds against the same opponents
    duel: tuple[float, ...]  # win shares of the best against the start; empty where the game is for one

    @property
    def differences(self) -> list[float]:
        """What the best has more than the start, seed by seed."""
        return [one - other for one, other in zip(self.best, self.start, strict=True)]


class Study:
    """The trials of a tuning and the folder that keeps them; `with` closes it."""

    def __init__(self, tuning: Tuning, folder: Path, *, fresh: bool = False) -> None:
        self.tuning, self.folder = tuning, folder
        optuna = _optuna()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise ConfigError(f"'{folder}' cannot be made a folder for trials: {fault.strerror}") from fault
        self._lock = FileLock(f"{folder / FILE}.lock")
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise ConfigError(f"another run writes '{folder}'; wait for it, or name another --folder") from None
        if fresh:
            (folder / FILE).unlink(missing_ok=True)
        try:
            with _quiet():
                self._storage = storage = optuna.storages.RDBStorage(f"sqlite:///{folder / FILE}")
                self._study = optuna.create_study(
                    study_name=STUDY, storage=storage, direction="maximize", load_if_exists=True
                )
        except Exception as fault:
            self._lock.release()
            raise ConfigError(
                f"'{folder / FILE}' holds no trials that Optuna can read ({type(fault).__name__}); "
                "--fresh begins anew, --folder names another"
            ) from fault
        self._study.pruner = (
            optuna.pruners.SuccessiveHalvingPruner(min_resource=tuning.looks[0], reduction_factor=2)
            if tuning.looks
            else optuna.pruners.NopPruner()
        )
        try:
            self._require_same()
        except ConfigError:
            self._lock.release()
            raise
        self.trials: list[Tried] = list(self._stored())

    def __enter__(self) -> Study:
        return self

    def __exit__(self, *_: object) -> None:
        self._storage.remove_session()
        self._storage.engine.dispose()
        self._lock.release()

    # --- the file

    def _require_same(self) -> None:
        """Refuse a folder whose trials are of another configuration or of other code."""
        wanted = json.loads(json.dumps(self.tuning.configuration()))
        known = self._study.user_attrs.get("configuration")
        if known is None:
            self._study.set_user_attr("configuration", wanted)
        elif known != wanted:
            differs = ", ".join(name for name in wanted if known.get(name) != wanted[name])
            raise ConfigError(
                f"'{self.folder}' holds trials of another tuning: {differs} differ; "
                "--fresh begins anew, --folder names another"
            )

    def _stored(self) -> Iterator[Tried]:
        optuna = _optuna()
        over = (optuna.trial.TrialState.COMPLETE, optuna.trial.TrialState.PRUNED)
        for trial in self._study.get_trials(deepcopy=False, states=over):
            yield self._tried(trial, trial.user_attrs["sets"], is_whole=trial.state == over[0])

    def _tried(self, trial: Any, sets: Sequence[float], *, is_whole: bool) -> Tried:
        return Tried(trial.number, self.tuning.space.settled(trial.params), tuple(sets), is_whole)

    def is_current(self) -> bool:
        """Whether the code at hand, as its files are now, is what its trials are played by."""
        return bool(self._study.user_attrs["configuration"]["code"] == self.tuning.code)

    # --- trials

    def run(
        self,
        stage: Stage,
        trials: int,
        *,
        seconds: float = 0.0,
        on_trial: Callable[[Tried], None] = lambda tried: None,
        on_games: Callable[[int], None] = lambda games: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> bool:
        """Play until there are so many trials, or all cells of a grid; return whether there are.

        `seconds`: begin no trial after so long; 0: no limit. Ctrl-C or a kill loses only the games of the trial that
        is being played.
        """
        wanted = len(self.tuning.cells) or trials
        began = clock()
        while len(self.trials) < wanted:
            if seconds and clock() - began >= seconds:
                return False
            with _quiet():
                tried = self._trial(stage, on_games)
            self.trials.append(tried)
            on_trial(tried)
        return True

    def _trial(self, stage: Stage, on_games: Callable[[int], None]) -> Tried:
        optuna, tuning = _optuna(), self.tuning
        trial = self._ask()
        values = tuning.space.settled(trial.params)
        folder = self.folder / "trials" / str(trial.number)
        candidate = tuning.space.candidate(values, folder)
        sets: list[float] = []
        for until in [*tuning.looks, tuning.sets]:
            sets += stage.play(candidate, tuning.seeds[len(sets) : until], on_games=on_games)
            if until < tuning.sets:
                trial.report(math.fsum(sets) / len(sets), step=until)
                if trial.should_prune():
                    break
        tried = self._tried(trial, sets, is_whole=len(sets) == tuning.sets)
        trial.set_user_attr("sets", sets)
        states = optuna.trial.TrialState
        self._study.tell(
            trial, tried.mean if tried.is_whole else None, states.COMPLETE if tried.is_whole else states.PRUNED
        )
        shutil.rmtree(folder, ignore_errors=True)
        return tried

    def _ask(self) -> Any:
        """The next trial: one that was begun and cut short, one that is planned, or a new one."""
        optuna, tuning = _optuna(), self.tuning
        number = len(self.trials)
        self._study.sampler = _sampler(tuning, number)
        states = optuna.trial.TrialState
        begun = self._study.get_trials(deepcopy=False, states=(states.RUNNING,))
        if begun:
            trial = optuna.trial.Trial(self._study, begun[0]._trial_id)
        else:
            planned = self._planned(number)
            if planned is not None and not self._study.get_trials(deepcopy=False, states=(states.WAITING,)):
                self._study.enqueue_trial(planned)
            trial = self._study.ask()
        for dimension in tuning.space.dimensions:
            _suggest(trial, dimension)
        return trial

    def _planned(self, number: int) -> Values | None:
        """What a trial is to be, where that is fixed: a cell of a grid, or first of all the start."""
        if self.tuning.method == GRID:
            return dict(self.tuning.cells[number])
        return self.tuning.space.start if number == 0 and self.tuning.space.holds_start else None

    # --- what came of it

    @property
    def whole(self) -> list[Tried]:
        """The trials that were played to their end, the best first, the earlier of equals before the later."""
        return sorted((tried for tried in self.trials if tried.is_whole), key=lambda tried: (-tried.mean, tried.number))

    @property
    def start(self) -> Tried | None:
        """The trial of the start, where it lies within the ranges."""
        settled = self.tuning.space.settled(self.tuning.space.start)
        return next((tried for tried in self.trials if tried.values == settled), None)

    def corrected(self) -> Interval | None:
        """What to expect of the best of these trials, chosen as it was; only where no trial depended on another."""
        if self.tuning.method not in (GRID, "random") or self.tuning.halving:
            return None
        return corrected_best([tried.sets for tried in self.whole])

    def importances(self) -> dict[str, float]:
        """How much of what sets the best tenth of the trials apart lies in each dimension, in parts of one."""
        whole = self.whole
        if len(self.tuning.space.dimensions) < 2 or len(whole) < 10 or whole[0].mean == whole[-1].mean:
            return {}
        optuna = _optuna()
        with _quiet():
            evaluator = optuna.importance.PedAnovaImportanceEvaluator()
            found = optuna.importance.get_param_importances(self._study, evaluator=evaluator)
        return {key: float(part) for key, part in found.items()}

    def write_best(self) -> str:
        """Write the best trial's files of weights to the folder's `best`; return its spec, which names them."""
        return self.tuning.space.candidate(self.whole[0].values, self.folder / "best")

    def check(self, stage: Stage, sets: int, *, on_games: Callable[[int], None] = lambda games: None) -> Check | None:
        """Play best and start again on seeds that no trial had; None where the best is the start.

        It is kept: the same best is not checked twice on the same seeds.
        """
        best, tuning = self.whole[0], self.tuning
        if best.values == tuning.space.settled(tuning.space.start):
            return None
        first = tuning.seed + tuning.sets
        require_seeds(first, sets)
        known = self._study.user_attrs.get("check")
        if known and known["number"] == best.number and len(known["best"]) == sets:
            return Check(first, *(tuple(known[name]) for name in ("best", "start", "duel")))
        seeds = range(first, first + sets)
        specs = [self.write_best(), tuning.space.candidate(tuning.space.start, self.folder / "start")]
        played = [stage.play(spec, seeds, on_games=on_games) for spec in specs]
        duel: list[float] = []
        if tuning.contest.game.seats > 1:
            contest = replace(tuning.contest, against=(specs[1],), objective="share")
            duel = stage.play(specs[0], seeds, contest=contest, on_games=on_games)
        kept = {"number": best.number, "best": played[0], "start": played[1], "duel": duel}
        self._study.set_user_attr("check", kept)
        return Check(first, tuple(played[0]), tuple(played[1]), tuple(duel))


def games_of_check(tuning: Tuning, sets: int) -> int:
    """Games of `Study.check`."""
    contest = tuning.contest
    return sets * (2 * contest.games_a_set + (contest.game.seats if contest.game.seats > 1 else 0))


# --- Optuna ------------------------------------------------------------------------------------------


def _optuna() -> Any:
    try:
        import optuna
    except ImportError:
        raise ConfigError("tuning needs Optuna: pip install 'meeple[tune]'") from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna


@contextmanager
def _quiet() -> Iterator[None]:
    """Without Optuna's warnings: that a feature is new, or that a value of a repeated trial is known already."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _sampler(tuning: Tuning, number: int) -> Any:
    """What draws trial `number`: made anew for each, with a seed of its own, so that a kill changes nothing."""
    samplers = _optuna().samplers
    seed = int(word_for("tune", tuning.method, number, seed=tuning.seed)) % 2**32
    if tuning.method == "tpe":
        return samplers.TPESampler(seed=seed, multivariate=True)
    if tuning.method == "cmaes":
        numbers = {each.key: each.start for each in tuning.space.dimensions if each.is_number}
        x0 = numbers if tuning.space.holds_start else None
        return samplers.CmaEsSampler(seed=seed, x0=x0, warn_independent_sampling=False)
    return samplers.RandomSampler(seed=seed)


def _suggest(trial: Any, dimension: Dimension) -> None:
    """Have a trial's value of this dimension drawn."""
    if dimension.choices:
        trial.suggest_categorical(dimension.key, list(dimension.choices))
    elif dimension.is_whole:
        step = int(dimension.step or 1)
        trial.suggest_int(dimension.key, int(dimension.low), int(dimension.high), step=step, log=dimension.is_log)
    else:
        trial.suggest_float(dimension.key, dimension.low, dimension.high, step=dimension.step, log=dimension.is_log)
