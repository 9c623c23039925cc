"""`meeple train`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from meeple.cli.completion import games_like
from meeple.cli.output import print_json, print_table, progress

if TYPE_CHECKING:
    from collections.abc import Mapping

    from meeple.core.game import Game
    from meeple.learn.run import Outcome, Progress
    from meeple.learn.strength import Yardstick
    from meeple.learn.training import Training


def train(
    method: str = typer.Argument("", help="A method, such as treestrap; without one all are listed."),
    game: str = typer.Argument(
        "", help="A game, such as santorini; without one the method's settings are listed.", autocompletion=games_like
    ),
    words: list[str] = typer.Argument(None, metavar="[KEY=VALUE]...", help="Settings of the method."),
    out: str = typer.Option("", "--out", "-o", help="The model: a file, or a name for model@NAME."),
    source: str = typer.Option("", "--from", help="Stored games to learn from: a store, a record or their folder."),
    against: str = typer.Option("", "--against", help="Play matches against this agent while it learns."),
    games: int = typer.Option(40, "--games", min=2, help="Games of each such match."),
    looks: int = typer.Option(
        5, "--looks", min=1, help="How many such matches, besides the one before the first step."
    ),
    grid: list[str] = typer.Option(
        None, "--grid", metavar="KEY=A,B", help="Train with each of these values, and keep the best; may come again."
    ),
    plot: Path = typer.Option(None, "--plot", help="Losses and strengths: a .png, .svg, .pdf or .csv file."),
    minutes: float = typer.Option(0.0, "--minutes", min=0.0, help="Stop after so long; 0: at the end."),
    jobs: int = typer.Option(1, "--jobs", "-j", min=1, help="Games played at once; changes nothing but the time."),
    force: bool = typer.Option(False, "--force", help="Replace a model that is there already."),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
) -> None:
    """Train a model for a game: meeple train METHOD GAME [key=value ...] --out FILE.

    Killed, stopped or out of time, it goes on where it was when it is run again.
    """
    if not game:
        _print_settings(method) if method else _print_methods()
        return
    from meeple.core.registry import load_game
    from meeple.errors import ConfigError
    from meeple.learn.curves import check_plot, write_curve
    from meeple.learn.methods import prepare_training
    from meeple.learn.run import train as run
    from meeple.learn.strength import Yardstick

    board = load_game(game)
    settings = _settings(method, words or [], source)
    yardstick = Yardstick(against, games, looks) if against else None
    if grid:
        if plot:
            raise ConfigError("--plot draws one run, and --grid makes several: leave one of them away")
        if yardstick:
            yardstick.check(board)
        file = _file(board, out, force=force)
        _train_grid(method, board, settings, grid, file, yardstick, minutes=minutes, jobs=jobs, as_json=as_json)
        return
    training = prepare_training(method, board, settings, jobs=jobs)
    file = _file(board, out, force=force)
    if yardstick:
        yardstick.check(board)
    if plot:
        check_plot(plot)
    with progress(training.total, f"{method} {board.spec}") as bar:

        def tell(at: Progress) -> None:
            bar.update(at.done, f"loss {at.loss:.4g}")

        outcome = run(training, file, on_step=tell, limit=60 * minutes, yardstick=yardstick)
    if plot:
        title = f"{method} {board.spec}"
        write_curve(outcome.curve, plot, title=title, unit=training.unit, even=1 / board.seats)
    _report(training, outcome, out, file, as_json=as_json)
    if not outcome.is_finished:
        raise typer.Exit(1)


def _train_grid(
    method: str,
    board: Game,
    settings: dict[str, str],
    words: list[str],
    file: Path,
    yardstick: Yardstick | None,
    *,
    minutes: float,
    jobs: int,
    as_json: bool,
) -> None:
    """Train all runs of a grid, and tell what each came to."""
    from meeple.learn.grid import best_of, read_grid, train_grid
    from meeple.learn.methods import prepare_training

    cells = read_grid(words, settings)

    def begin(values: Mapping[str, str]) -> Training:
        return prepare_training(method, board, {**settings, **values}, jobs=jobs)

    a_run = begin(cells[0]).total
    with progress(a_run * len(cells), f"{method} {board.spec}") as bar:

        def tell(number: int, at: Progress) -> None:
            # Runs may differ in length: each counts for as much as the first.
            done = (number - 1) * a_run + at.done * a_run // at.total
            bar.update(done, f"run {number} of {len(cells)}, loss {at.loss:.4g}")

        found = train_grid(board, begin, cells, file, yardstick=yardstick, limit=60 * minutes, on_step=tell)
    is_finished = len(found) == len(cells)
    if as_json:
        runs = [cell.as_card() for cell in found]
        won = best_of(found).values if is_finished else None
        print_json({"method": method, "game": board.spec, "finished": is_finished, "won": won, "runs": runs})
    else:
        names = [*cells[0], "last loss", *(["score"] if yardstick else [])]
        print_table(names, [[str(cell.as_card()[name]) for name in names] for cell in found])
        if is_finished:
            print("won    " + " ".join(f"{key}={value}" for key, value in best_of(found).values.items()))
            print(f"model  {file}  (its card: meeple models show {file})")
    if not is_finished:
        print(f"{len(found)} of {len(cells)} runs are done: run it again to go on", file=sys.stderr)
        raise typer.Exit(1)


def _settings(method: str, words: list[str], source: str) -> dict[str, str]:
    """Settings as they are typed, key=value each; --from is the setting `data`."""
    from dataclasses import fields

    from meeple.errors import ConfigError
    from meeple.learn.methods import find_method

    found: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise ConfigError(f"'{word}' is not key=value, as a setting of a method is written")
        if key in found:
            raise ConfigError(f"'{key}' is given twice")
        found[key] = value
    if source:
        if "data" not in {each.name for each in fields(find_method(method).settings)}:
            raise ConfigError(f"{method} learns from games of its own: --from is not for it")
        found["data"] = source
    return found


def _file(board: Game, out: str, *, force: bool) -> Path:
    """Where the model goes; a name leads into the data folder."""
    from meeple.errors import ConfigError
    from meeple.models.found import SUFFIX, is_name, own_folder

    if not out:
        raise ConfigError("say where the model goes: --out FILE.npz, or --out NAME for one that is named model@NAME")
    file = Path(out)
    if is_name(out):
        file = own_folder(board.definition) / f"{out}{SUFFIX}"
        file.parent.mkdir(parents=True, exist_ok=True)
    elif file.suffix != SUFFIX:
        raise ConfigError(f"a model's file ends in {SUFFIX}: --out {out}{SUFFIX}?")
    if file.exists() and not force:
        raise ConfigError(f"'{out}' is there already: give another name, or --force to replace it")
    return file


def _report(training: Training, outcome: Outcome, out: str, file: Path, *, as_json: bool) -> None:
    from meeple.learn.checkpoint import checkpoint_of
    from meeple.learn.run import SMOOTH

    losses = outcome.curve.losses
    part = max(1, int(len(losses) * SMOOTH))
    first, last = (sum(some) / max(1, len(some)) for some in (losses[:part], losses[-part:]))
    seconds = outcome.curve.seconds[-1] if outcome.curve.seconds else 0.0
    player = training.player(f"model@{out}")
    if as_json:
        print_json(
            {
                "method": training.name, "game": training.game.spec, "done": outcome.done, "total": outcome.total,
                "finished": outcome.is_finished, "resumed_from": outcome.resumed_from, "first_loss": first,
                "last_loss": last, "seconds": seconds, "strengths": outcome.curve.strengths,
                "model": str(file) if outcome.is_finished else None, "plays": player,
            }
        )  # fmt: skip
        return
    if outcome.resumed_from:
        print(f"went on after {outcome.resumed_from} {training.unit}", file=sys.stderr)
    print(f"{outcome.done} of {outcome.total} {training.unit} in {seconds:.1f} s, loss {first:.4g} to {last:.4g}")
    for done, score, low, high in outcome.curve.strengths:
        print(f"after {int(done):>6,}  score {score:.3f} ({low:.3f} .. {high:.3f}, 98%)")
    for line in training.remarks():
        print(line)
    if outcome.is_finished:
        print(f"model  {out}  (its card: meeple models show {file})")
        print(f"plays  {player}")
    else:
        print(f"not finished: run it again to go on from {checkpoint_of(file)}", file=sys.stderr)


def _print_methods() -> None:
    from meeple.learn.methods import METHODS

    print_table(["method", "learns"], [[name, method.help] for name, method in METHODS.items()])
    print("meeple train METHOD lists its settings")


def _print_settings(method: str) -> None:
    from meeple.core.settings import default_text, settings_of
    from meeple.learn.methods import find_method

    found = find_method(method)
    rows = []
    for each in settings_of(found.settings):
        choices = each.metadata["choices"]
        meaning = each.metadata["help"] + (f" ({', '.join(choices)})" if choices else "")
        rows.append([each.name, default_text(each), meaning])
    print(f"{method}: {found.help}; over {found.kind} features")
    print_table(["setting", "default", "meaning"], rows)
