"""`meeple tune`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from meeple.cli import flags
from meeple.cli.completion import agents_like
from meeple.cli.output import print_json, print_table, progress

if TYPE_CHECKING:
    from meeple.tune.report import Outcome
    from meeple.tune.tuning import Study, Tried, Tuning

CHECKS = 4  # the best plays so many times the seeds of a trial on fresh ones, unless --check says otherwise


def tune(
    game: flags.Game,
    agent: str = typer.Argument(
        ..., help="The agent as it is at the start, such as mcts:iterations=200.", autocompletion=agents_like
    ),
    space: list[str] = typer.Option(
        ...,
        "--space",
        metavar="KEY=RANGE|FILE",
        help="What is tuned: c=0.4..2.6, c=log:0.1..10, worlds=3|6|8, evaluation.turn=0..40, evaluation.*=50%..200%; "
        "or a TOML file of such keys and texts. May come again.",
    ),
    against: list[str] = typer.Option(
        None,
        "--against",
        help="An opponent; may come again. [default: the agent as it is at the start]",
        autocompletion=agents_like,
    ),
    objective: str = typer.Option("share", "--objective", help="share of the wins, points, or margin."),
    method: str = typer.Option("tpe", "--method", help="random, tpe or cmaes."),
    grid: bool = typer.Option(False, "--grid", help="Try all combinations of the values instead."),
    trials: int = typer.Option(50, "--trials", "-n", min=1, help="Candidates in all; more may be asked for later."),
    games: int = typer.Option(100, "--games", min=1, help="Games of a candidate, in whole sets of seats."),
    halving: bool = typer.Option(
        False, "--halving", help="Give up the worse half after 1/8, 1/4 and 1/2 of the games."
    ),
    check: int = typer.Option(
        None, "--check", min=0, help="Games of the best on fresh seeds, beside the start. [default: 4 times --games]"
    ),
    seed: int = typer.Option(779, "--seed", "-s", help="Seed of the first set, and of what is drawn."),
    seats: flags.Seats = 0,
    deterministic: flags.Deterministic = False,
    mode: flags.Mode = None,
    workers: int = typer.Option(0, "--workers", min=0, help="Processes that play; 0: this one, which starts none."),
    minutes: float = typer.Option(0.0, "--minutes", min=0.0, help="Begin no trial after so long; 0: no limit."),
    folder: Path = typer.Option(None, "--folder", help="Where trials and weights lie. [default: in the data folder]"),
    fresh: bool = typer.Option(False, "--fresh", help="Begin anew: the trials of this tuning are removed."),
    plot: Path = typer.Option(None, "--plot", help="History, importances and slices: a .png, .svg or .pdf file."),
    as_json: flags.AsJson = False,
) -> None:
    """Find better settings or weights of an agent by games, and check the best on fresh seeds against the start.

    Killed, stopped or out of time, it goes on where it was when it is run again, to the same trials.
    """
    from meeple.errors import ConfigError
    from meeple.tune.plots import require_plot, write_plots
    from meeple.tune.tuning import GRID, Study, prepare_tuning

    board = flags.game_of(game, seats=seats, mode=mode)
    if grid and method != "tpe":
        raise ConfigError("--grid tries all combinations: leave --method out")
    plan = prepare_tuning(
        board,
        agent,
        space,
        against=against or (),
        objective=objective,
        method=GRID if grid else method,
        halving=halving,
        games=games,
        seed=seed,
        conditions=flags.conditions_of("", "", "", "forfeit", deterministic=deterministic),
    )
    if plot:
        require_plot(plot)
    sets = plan.contest.sets_for(CHECKS * games if check is None else check) if check != 0 else 0
    with Study(plan, folder or plan.default_folder(), fresh=fresh) as study:
        if not as_json:
            print(plan.heading())
        outcome = _run(study, plan, trials, sets, workers=workers, minutes=minutes)
        again = shlex.join(["meeple", *(word for word in sys.argv[1:] if word != "--fresh")])
        if as_json:
            print_json(outcome.as_json() | {"again": again})
        else:
            _print(outcome, again)
        if plot and study.whole:
            write_plots(study, plot)
            print(f"wrote '{plot}'", file=sys.stderr)
    if outcome.was_stopped:
        print("stopped; the same command goes on where it was", file=sys.stderr)
        raise typer.Exit(130)


def _run(study: Study, plan: Tuning, trials: int, sets: int, *, workers: int, minutes: float) -> Outcome:
    """Play trials and the check; Ctrl-C ends it with what there is."""
    from meeple.tune.playing import Stage
    from meeple.tune.report import Outcome, number_text
    from meeple.tune.tuning import games_of_check

    n_trials = len(plan.cells) or trials
    played = len(study.trials) * plan.games_a_trial
    total = n_trials * plan.games_a_trial + games_of_check(plan, sets)
    found = None
    with progress(max(total, played), "tuning") as bar:
        text = ""

        def on_games(games: int) -> None:
            nonlocal played
            played += games
            bar.update(played, text)

        def on_trial(tried: Tried) -> None:
            nonlocal text, played
            played = len(study.trials) * plan.games_a_trial  # one that was given up counts as all of its games
            best = f", best {number_text(study.whole[0].mean)}" if study.whole else ""
            text = f"trial {len(study.trials)} of {n_trials}{best}"
            bar.update(played, text)

        try:
            with Stage(plan.contest, workers) as stage:
                is_finished = study.run(stage, trials, seconds=60 * minutes, on_trial=on_trial, on_games=on_games)
                if sets and study.whole:
                    text = "the best on fresh seeds"
                    found = study.check(stage, sets, on_games=on_games)
        except KeyboardInterrupt:
            best = study.write_best() if study.whole else ""
            return Outcome(study, best, None, was_stopped=True)
    if not is_finished:
        print(f"out of time after {len(study.trials)} of {n_trials} trials", file=sys.stderr)
    return Outcome(study, study.write_best() if study.whole else "", found)


def _print(outcome: Outcome, again: str) -> None:
    study = outcome.study
    if study.whole:
        heads, rows = outcome.trial_rows()
        print_table(heads, rows, right=[heads[1]])
        print()
        heads = ["tuned", "range", "start", "best", "importance"]
        print_table(heads, outcome.dimension_rows(), right=heads[2:])
        print()
    for line in outcome.remarks():
        print(line)
    if outcome.best:
        print(f"use    {shlex.quote(outcome.best)}")
    print(f"again  {again}")
