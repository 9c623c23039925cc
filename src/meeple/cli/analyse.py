"""`meeple analyse`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from meeple.cli.completion import agents_like, games_like
from meeple.cli.output import painter, print_json, progress

if TYPE_CHECKING:
    from meeple.analysis.analyse import Source
    from meeple.analysis.result import Analysis, Decision

SQLITE = b"SQLite format 3"  # how the file of a tournament's store begins
MOST_BOARDS = 5  # mistakes shown with their board on the terminal


def analyse(
    what: str = typer.Argument(
        "",
        help="A record, a game of a store (STORE#1+2/17.1), a folder, a store, or with --game a position.",
        metavar="WHAT",
    ),
    seat: int = typer.Option(None, "--seat", min=1, help="Judge the moves of this seat alone."),
    effort: str = typer.Option("normal", "--effort", help="quick, normal or deep."),
    judge: str = typer.Option(
        "", "--judge", help="Another agent than the game's strongest.", autocompletion=agents_like
    ),
    game: str = typer.Option(
        "", "--game", help="WHAT is a position of this game, or `start`.", autocompletion=games_like
    ),
    most: int = typer.Option(0, "--most", min=0, help="Matches of a folder or store that are analysed; 0: all."),
    boards: int = typer.Option(MOST_BOARDS, "--boards", min=0, help="Mistakes shown with their board."),
    html: Path = typer.Option(None, "--html", help="Write the analysis to this file, a page that needs no network."),
    seed: int = typer.Option(0, "--seed", "-s", min=0, help="Another one gives an independent analysis."),
    threads: int = typer.Option(0, "--threads", min=0, help="Judgements side by side; 0: one a core."),
    save: bool = typer.Option(True, "--save/--no-save", help="Keep judgements beside the record, and go on from them."),
    trust: bool = typer.Option(False, "--trust", help="Let a record run its game from the folder that it names."),
    calibrate: str = typer.Option("", "--calibrate", metavar="GAME", help="Fit the judge's values to games it plays."),
    games: int = typer.Option(100, "--games", min=1, help="Games of --calibrate."),
    cpu: str = typer.Option("30s", "--cpu", help="With --calibrate: CPU time that analysing a match should take."),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
) -> None:
    """Say where a match went wrong and what was luck, or rank the moves of a position.

    Every move is judged by the game's strongest agent: what it lost against the best one, by what its player could
    know. Ctrl-C shows what there is; run again, it goes on from there.
    """
    from meeple.errors import ConfigError

    if calibrate:
        _calibrate(calibrate, judge, games, cpu, seed, threads)
        return
    if not what:
        raise ConfigError("analyse wants a record, a store, a folder, or with --game a position")
    settings = Settings(effort, seat, judge, seed, threads, save)
    if game:
        _position(game, what, settings, as_json)
        return
    matches = list(matches_of(Path(what), what, trust=trust))
    if len(matches) == 1 and not matches[0].is_of_many:
        _one(matches[0], settings, boards, html, as_json)
        return
    if html is not None:
        raise ConfigError("--html is for one match; analyse a record, or a game of the store such as STORE#1+2/1.1")
    _many(matches[:most] if most else matches, settings, as_json)


@dataclass(frozen=True)
class Settings:
    """What the flags say of how to analyse."""

    effort: str
    seat: int | None
    judge: str
    seed: int
    threads: int
    save: bool


@dataclass(frozen=True)
class NamedMatch:
    """A match that is to be analysed: its name, where it is read from, and where its judgements are kept."""

    name: str
    path: Path
    number: str = ""  # of a game in a store
    trust: bool = False
    is_of_many: bool = False

    def source(self) -> Source:
        """The match; raises what is wrong with it, in one message."""
        from meeple.analysis.analyse import Source
        from meeple.arena.store import stored_record

        return Source.of(stored_record(self.path, self.number) if self.number else self.path, trust=self.trust)

    @property
    def kept(self) -> Path:
        """Where its judgements lie: beside a record, in a folder beside a store."""
        from meeple.analysis.saved import beside, in_store

        return in_store(self.path, self.number) if self.number else beside(self.path)


def matches_of(path: Path, text: str, *, trust: bool) -> Iterator[NamedMatch]:
    """The matches that the argument names."""
    from meeple.analysis.saved import SUFFIX
    from meeple.core.folders import is_file, is_folder
    from meeple.errors import ConfigError

    if is_folder(path):
        names = [each for each in sorted(path.glob("*.jsonl")) if not each.name.endswith(SUFFIX)]
        if not names:
            raise ConfigError(f"there is no record in '{path}': records end in .jsonl")
        yield from (NamedMatch(each.name, each, trust=trust, is_of_many=True) for each in names)
        return
    store, mark, number = text.rpartition("#")
    if mark and not is_file(path):
        yield NamedMatch(text, Path(store), number, trust=trust)
        return
    if not is_file(path):
        raise ConfigError(f"there is no record, store or folder '{text}'; a position needs --game GAME")
    if not _is_store(path):
        yield NamedMatch(text, path, trust=trust)
        return
    from meeple.arena.store import Store

    with Store.read(path) as found:
        keys = sorted(found.game_keys())
    if not keys:
        raise ConfigError(f"no game is stored in '{path}' yet")
    yield from (NamedMatch(f"{text}#{key.text()}", path, key.text(), trust=trust, is_of_many=True) for key in keys)


def _is_store(path: Path) -> bool:
    with open(path, "rb") as file:
        return file.read(len(SQLITE)) == SQLITE


def _analysed(match: NamedMatch, source: Source, settings: Settings) -> Analysis:
    from meeple.analysis.analyse import analyse_source

    kept = match.kept
    if settings.save:
        kept.parent.mkdir(exist_ok=True)
    with progress(0, "analysing") as bar:
        return analyse_source(
            source,
            effort=settings.effort,
            seats=None if settings.seat is None else [settings.seat - 1],
            judge=settings.judge,
            seed=settings.seed,
            threads=settings.threads,
            save=kept if settings.save else False,
            watch=lambda found, done, total: bar.update(done, f"{len(found.mistakes)} mistakes so far", total=total),
        )


def _one(match: NamedMatch, settings: Settings, boards: int, html: Path | None, as_json: bool) -> None:
    from meeple.core.paint import MARKS
    from meeple.errors import SaveError

    source = match.source()
    found = _analysed(match, source, settings)
    if html is not None:
        from meeple.analysis.page import page

        try:
            html.write_text(page(found, source.match), encoding="utf-8")
        except OSError as fault:
            raise SaveError(f"'{html}' cannot be written: {fault.strerror}; choose another place") from fault
    if as_json:
        print_json(found.as_json())
    else:
        for each in found.mistakes[:boards]:
            error = f" +- {100 * each.error:.1f}"
            lost = f"{each.word}, lost {100 * each.loss:.1f}{error} points of win chance"
            proof = f" ({each.proof})" if each.proof else ""
            print(f"move {each.ply + 1}  {MARKS[each.seat]} {found.names[each.seat]} played {each.move}: {lost}")
            print(source.match.steps[each.step].before.board(each.seat, painter()))
            print(f"best {', '.join(each.line) if each.line else each.best}{proof}")
            print(f"{_why(source, each)}\n")
        print(found.table())
    if html is not None:
        print(f"wrote '{html}'", file=sys.stderr)
    if not found.is_complete:
        again = "the same command goes on" if settings.save else "without --no-save it could be resumed"
        print(f"stopped: {again}", file=sys.stderr)
        raise typer.Exit(130)


def _why(source: Source, each: Decision) -> str:
    """Why the best move is better than the one made, in words; "" where nothing tells."""
    from meeple.analysis.why import why

    found = why(source.match.steps[each.step].before, each.best_action, each.action)
    return found.sentence if found is not None else ""


def _many(matches: list[NamedMatch], settings: Settings, as_json: bool) -> None:
    """A line a match as it is done, then who loses where; a match that cannot be read is said and left out."""
    from meeple.analysis.batch import AnalysedMatches
    from meeple.errors import FailureError, RecordError

    analysed, faults, is_stopped = AnalysedMatches(), 0, False
    for match in matches:
        try:
            source = match.source()
        except RecordError as fault:
            faults += 1
            print(f"{match.name}: left out: {fault}", file=sys.stderr)
            continue
        found = _analysed(match, source, settings)
        analysed.add(match.name, found)
        print(f"{match.name}: {_brief(found)}", file=sys.stderr)
        if not found.is_complete:
            is_stopped = True
            break
    if not analysed.found:
        raise FailureError(f"none of {len(matches)} matches could be analysed")
    if as_json:
        print_json(analysed.as_json())
    else:
        print(analysed.text())
        if analysed.mistakes:
            name, _, worst = analysed.mistakes[0]
            print(f"\nthe largest is move {worst.ply + 1} of {name}: meeple analyse shows it with its board")
    if is_stopped:
        print("stopped: the same command goes on", file=sys.stderr)
        raise typer.Exit(130)
    if faults:
        raise typer.Exit(1)


def _brief(found: Analysis) -> str:
    parts = [
        f"{each.name} {each.accuracy:.0f}, ?? {each.blunders}, luck {100 * each.luck:+.0f}" for each in found.summaries
    ]
    return "; ".join(parts)


def _position(game: str, text: str, settings: Settings, as_json: bool) -> None:
    from meeple.analysis.position import analyse_position
    from meeple.core.count import position_named
    from meeple.core.registry import load_game

    state = position_named(load_game(game), text)
    seat = None if settings.seat is None else settings.seat - 1
    found = analyse_position(state, seat, effort=settings.effort, judge=settings.judge, seed=settings.seed)
    if as_json:
        print_json(found.as_json())
        return
    print(state.board(found.seat, painter()))
    print(found.table())


def _calibrate(game: str, judge: str, games: int, cpu: str, seed: int, threads: int) -> None:
    from meeple.analysis.analyse import cores
    from meeple.analysis.calibrating import calibrate, path_for
    from meeple.analysis.calibration import keep_calibration, path_of
    from meeple.core.registry import load_game
    from meeple.core.spec import parse_time

    board = load_game(game)
    path = path_for(board, judge)
    with progress(games, f"calibrating {board.name}") as bar:
        found = calibrate(
            board,
            path,
            games=games,
            judge=judge,
            cpu=parse_time(cpu),
            seed=seed,
            threads=threads or cores(),
            tell=bar.update,
        )
    if found is None:
        print(f"stopped: the same command goes on from '{path}'", file=sys.stderr)
        raise typer.Exit(130)
    target = path_of(board.definition)
    keep_calibration(target, found)
    print(f"{found.judge}: slope {found.slope} +- {found.error}, {found.work} iterations a judgement")
    print(f"logarithmic loss {found.loss_before} before, {found.loss_after} after, {found.games} games")
    for each in found.bins:
        print(f"said {100 * each.said:5.1f}  won {100 * each.won:5.1f}  ({each.count})")
    print(f"written: {target}")
