"""`meeple play`."""

from __future__ import annotations

import secrets
import shlex
import shutil
import sys
import time
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from meeple.cli.completion import agents_like, games_like
from meeple.cli.output import painter

if TYPE_CHECKING:
    from meeple.core.match import Match, Step
    from meeple.core.record import RecordWriter
    from meeple.core.speech import Piece
    from meeple.web.table import Table
    from meeple.web.voice import Voice

MOST_IN_WORDS = 60  # moves that are listed with a line each
HELP = """\
  a move       as in the list of `moves`, in notation or in words; a beginning that fits only one is enough
  moves        what you may play; `moves B3` only those that begin so
  hint         what the strongest agent would play in your place
  undo, redo   take back the last move of a person (and what followed); play it again, with the same luck
  board        the board again        position   the position as text
  save FILE    a copy of the match so far
  quit         leave; the match is saved and can be resumed"""


def play(
    game: str = typer.Argument(
        None, help="A game, such as santorini:supply=finite; santorini by default.", autocompletion=games_like
    ),
    agents: list[str] = typer.Argument(
        None,
        help="One agent a seat; 'human' is you. By default you against the game's own.",
        autocompletion=agents_like,
    ),
    level: int = typer.Option(
        None, "--level", "-l", min=1, help="Your opponents' level, as `meeple levels` lists them."
    ),
    seed: int = typer.Option(None, "--seed", "-s", help="Fixes dice, draws and agents; drawn if not given."),
    resume: Path = typer.Option(None, "--resume", help="Go on with a saved match."),
    notation: bool = typer.Option(False, "--notation", help="Tell moves in the game's notation, not in words."),
    trust: bool = typer.Option(False, "--trust", help="With --resume: let it run the game and agents it has in files."),
) -> None:
    """Play a game in the terminal, against agents or people; it is saved as you go."""
    from meeple.agents.levels import DEFAULT, level_spec
    from meeple.agents.outside import outside_of, require_trusted
    from meeple.core.folders import data_folder
    from meeple.core.match import Match
    from meeple.core.record import RecordWriter, free_path, load_record
    from meeple.core.registry import load_game
    from meeple.errors import ConfigError

    if resume is not None:
        if game or agents or seed is not None or level is not None:
            raise ConfigError("--resume goes on with the game, agents and seed of the file; leave the others out")
        record = load_record(resume)
        match = Match.from_record(record, trust=trust)
        specs = record.agents
        if not trust:
            require_trusted(specs, match.game, source=f"'{resume}'")
        if match.is_over or record.result:
            raise ConfigError(f"'{resume}' is finished; look at it with: {command('replay', resume)}")
    else:
        board = load_game(game or "santorini")
        if agents and level is not None:
            raise ConfigError("--level names the agents of all other seats; leave the agents out, or it")
        opponent = level_spec(board, DEFAULT if level is None else f"Level {level}")
        specs = list(agents or ["human", *[opponent] * (board.seats - 1)])
        match = Match(board, seed=secrets.randbelow(2**31) if seed is None else seed)
    if len(specs) != match.game.seats:
        raise ConfigError(f"{match.game.spec} wants {match.game.seats} agents, one a seat, not {len(specs)}")
    table = table_for(match, specs)
    asks_trust = any(outside_of(spec, match.game) for spec in specs)
    path = resume or free_path(data_folder("matches"), f"{match.game.name}-{time.strftime('%Y%m%d-%H%M%S')}")
    writer = RecordWriter(path, table.record(), resume=resume is not None)
    Terminal(table, writer, asks_trust=asks_trust, is_notation=notation).run()


def table_for(match: Match, specs: list[str]) -> Table:
    """The page's table for this match, all people at one screen; every agent is loaded, so that a wrong one is told."""
    from meeple.agents.levels import level_played
    from meeple.agents.registry import load_agent
    from meeple.agents.simple import Human
    from meeple.web.seats import Seat
    from meeple.web.table import Table

    agents = [load_agent(spec, match.game) for spec in specs]
    seats = []
    for spec, agent in zip(specs, agents, strict=True):
        level = level_played(match.game.definition, spec)
        is_person, title = isinstance(agent, Human), level.title if level else spec
        seats.append(
            Seat("here", "you") if is_person else Seat("agent", title, spec, level=level.name if level else "")
        )
    table = Table(match.game, seats, owner="", match=match)
    for number, agent in enumerate(agents):
        if not seats[number].is_person:
            table.sit_down(number, agent)
    return table


def command(verb: str, path: Path) -> str:
    """A command to type, with the program as it can be called from here."""
    called = "python -m meeple" if sys.argv[0].endswith("__main__.py") else sys.argv[0]
    program = "meeple" if shutil.which("meeple") else called
    return f"{program} {verb} {shlex.quote(str(path))}"


class Leave(Exception):
    """The person wants to stop."""


class Terminal:
    """A table at the terminal: shows what the person may see, asks people and agents in turn, writes it all down.

    Whose view is shown, what may be taken back and who gives hints are the affair of the page's table and viewing.
    """

    def __init__(
        self, table: Table, writer: RecordWriter, *, asks_trust: bool = False, is_notation: bool = False
    ) -> None:
        from meeple.web.viewing import Viewing

        access = table.access(table.owner_token)
        assert access is not None
        self.table, self.match, self.writer, self.view = table, table.match, writer, Viewing(access)
        self.replay_flag = " --trust" if table.game.definition.folder else ""
        self.resume_flag = " --trust" if asks_trust else self.replay_flag
        self.written = len(self.match.steps)  # steps that are in the file
        self.told: dict[int | None, int] = {}  # steps that each viewer has been told of
        self.known = self.written  # steps that all have been told of: those of a match that is resumed
        self.is_notation = is_notation
        self.paint = painter()
        table.on_change = lambda _: self._write_down()

    def run(self) -> None:
        """Play until the end, or until the person leaves; either way the match is on disk."""
        person = "you" if len(self.table.people) == 1 else "a person"
        seats = enumerate(self.table.seats)
        names = [f"{self._name(seat)} is {person if who.is_person else who.name}" for seat, who in seats]
        print(f"{self.table.game.facts.title}: {', '.join(names)}. `help` lists the commands.")
        try:
            if not self.view.is_curtained:
                self._show()
            while not self.table.is_over:
                if self.table.mover in self.table.people:
                    self._ask_person()
                else:
                    self._ask_agent()
            self._finish()
        except (Leave, KeyboardInterrupt, EOFError):
            print(f"\nsaved; go on with: {command('play --resume', self.writer.path)}{self.resume_flag}")
        except Exception:
            print(f"\nthe match so far is saved: {self.writer.path}", file=sys.stderr)
            raise
        finally:
            self.writer.close()

    def _name(self, seat: int) -> str:
        from meeple.core.paint import MARKS

        return self.paint(MARKS[seat], f"bold paper on seat{seat % 4 + 1}")  # legible on dark and on light

    @property
    def voice(self) -> Voice:
        """How the viewer is told of moves: seats by their marks, and You where one person plays."""
        from meeple.core.paint import MARKS
        from meeple.web.voice import Voice

        people, n_seats = self.table.people, self.table.game.seats
        you = people[0] if len(people) == 1 else None
        return Voice(tuple(MARKS[:n_seats]), you, self.view.viewer, self.is_notation)

    def _plain(self, pieces: list[Piece]) -> str:
        """Pieces as text, the seats' marks in their colours."""
        from meeple.core.paint import MARKS
        from meeple.core.speech import Named, plain

        def shown(piece: Piece) -> Piece:
            is_mark = isinstance(piece, Named) and piece.word == MARKS[piece.seat]
            return Named(piece.seat, self._name(piece.seat)) if is_mark else piece  # type: ignore[union-attr]

        return plain(map(shown, pieces))

    def _order(self, action: int) -> str:
        """A move of the mover in words, as one may type it."""
        return self._plain(self.voice.order(self.match.state, action))

    def _show(self) -> None:
        print(self.match.state.board(self.view.viewer, self.paint))

    # --- a person

    def _ask_person(self) -> None:
        from meeple.errors import MeepleError

        seat = self.table.mover
        if self.view.is_curtained:
            self._hand_over(seat)
        while self.table.mover == seat:
            try:
                words = input(f"{self._name(seat)} to move> ").strip()
                if words and not self._obey(words, seat):
                    self.table.play(seat, self._read(words))
                    self._after_move()
                    return
            except MeepleError as fault:
                print(fault)

    def _read(self, words: str) -> int:
        """The action that somebody typed in notation, or by words with which only one on offer begins."""
        from meeple.core.speech import plain
        from meeple.errors import MeepleError, NotationError

        state = self.match.state
        try:
            return state.read_move(words)
        except MeepleError:
            said = {int(action): plain(self.voice.order(state, int(action))) for action in state.legal_actions()}
            begun = [action for action, order in said.items() if order.casefold().startswith(words.casefold())]
            whole = [action for action in begun if len(said[action]) == len(words)]
            if len(begun) > 1 and not whole:
                some = ";  ".join(said[action] for action in begun[:4])
                raise NotationError(f"'{words}' could be {some}{' ...' if len(begun) > 4 else ''}") from None
            if not begun:
                raise
            return (whole or begun)[0]

    def _hand_over(self, seat: int) -> None:
        """Between people with secrets: nobody sees the other's cards."""
        self._clear()
        input(f"{self._name(seat)}, it is your turn. Press Enter when you alone look at the screen. ")
        self._clear()
        self.view.unveiled = seat
        self._tell()
        self._show()

    def _clear(self) -> None:
        # Also the lines scrolled away, where a terminal keeps them; off a terminal a run of blank lines.
        print("\033[2J\033[3J\033[H" if sys.stdout.isatty() else "\n" * 60, end="", flush=True)

    def _obey(self, words: str, seat: int) -> bool:
        """Carry out a command; False where the words are none."""
        from meeple.core.record import save_record

        verb, _, rest = words.partition(" ")
        rest = rest.strip()
        match verb.lower():
            case "help" | "?":
                print(HELP)
            case "moves":
                self._list_moves(rest)
            case "board":
                self._show()
            case "position":
                print(self.match.state.text(seat))
            case "hint":
                self._hint()
            case "undo":
                self._undo()
            case "redo":
                self._redo()
            case "save":
                if not rest:
                    print("save wants a file name: save mymatch.jsonl")
                else:
                    save_record(self.table.record(), Path(rest).expanduser())
                    print(f"saved to {rest}")
            case "quit" | "exit" | "q":
                raise Leave
            case _:
                return False
        return True

    def _list_moves(self, start: str) -> None:
        state = self.match.state
        said = {state.move_text(int(action)): self._order(int(action)) for action in state.legal_actions()}
        texts = [text for text, words in said.items() if _begins(start, text, words)]
        if not texts:
            print(f"no move begins with '{start}'")
            return
        width = max(map(len, texts)) + 2
        has_words = not self.is_notation and self.table.game.definition.speech is not None
        if has_words and len(texts) <= MOST_IN_WORDS:
            print("\n".join([f"{len(texts)} moves", *(text.ljust(width) + said[text] for text in texts)]))
            return
        a_line = max(1, (shutil.get_terminal_size().columns - 1) // width)
        print(f"{len(texts)} moves" + (f"; fewer are told in words: moves {texts[0][:2]}" if has_words else ""))
        for first in range(0, len(texts), a_line):
            print("".join(text.ljust(width) for text in texts[first : first + a_line]).rstrip())

    def _hint(self) -> None:
        from meeple.agents.levels import hint_spec
        from meeple.agents.registry import load_agent
        from meeple.web.asking import question_for

        try:
            game = self.table.game
            action = question_for(self.table, load_agent(hint_spec(game.definition, seats=game.seats), game))()
            words, text = self._order(action), self.match.state.move_text(action)
            print(f"hint: {words}" + (f"  ({text})" if text not in words else ""))
        except KeyboardInterrupt:
            print("no hint")

    def _undo(self) -> None:
        """Back to the last decision of a person."""
        from meeple.web.takeback import undo_last

        undo_last(self.table, self.table.people)
        self.told = {viewer: min(told, self.written) for viewer, told in self.told.items()}
        self.known = min(self.known, self.written)
        print("taken back")
        if not self.view.is_curtained:
            self._show()

    def _redo(self) -> None:
        from meeple.web.takeback import redo

        redo(self.table)
        self._after_move()

    # --- an agent

    def _ask_agent(self) -> None:
        from meeple.web.asking import question_for

        seat = self.table.mover
        if sys.stdout.isatty():
            print(f"{self._name(seat)} is thinking", end="", flush=True)
        action = question_for(self.table, self.table.agent(seat))()
        if sys.stdout.isatty():
            print("\r\033[K", end="")
        self.table.play(seat, action)
        self._after_move()

    # --- both

    def _write_down(self) -> None:
        """Bring the file up to date with the table, which has changed."""
        steps = self.match.steps
        if len(steps) < self.written:
            self.writer.add({"undo": self.written - len(steps)})
        for step in steps[self.written :]:
            self.writer.add(step.event().line())
        self.written = len(steps)

    def _after_move(self) -> None:
        """Tell the viewer what happened, and show the board where somebody is to look at it."""
        if self.view.is_curtained:
            return
        self._tell()
        if self.table.mover in self.table.people or self.table.is_over or not self.table.people:
            self._show()

    def _tell(self) -> None:
        """Say what the viewer has not been told yet, as far as it was seen from there."""
        viewer, people = self.view.viewer, self.table.people
        steps = self.match.steps
        # Who looks at the end, where all is open, is whoever was told last.
        before = max(self.told.values(), default=self.known) if viewer is None else self.known
        for heading, run in groupby(steps[self.told.get(viewer, before) :], key=_heading):
            events = [step for step in run if step.seat is None or (step.seat != viewer and [step.seat] != people)]
            if heading:
                self._tell_of_chance(heading, events)
                continue
            for step in events:
                took = f"  ({step.seconds:.1f} s)" if step.seconds >= 0.1 and step.seat not in people else ""
                print(f"{self._plain(self.voice.event(step))}{took}")
        self.told[viewer] = len(steps)

    def _tell_of_chance(self, heading: str, events: list[Step]) -> None:
        """Say what chance did, events of one kind in one line."""
        said = [words for words in (self._plain(self.voice.event(step)) for step in events) if words]
        if len(said) == 1 or self.is_notation:
            print(*(f"  {words}" for words in said), sep="\n", end="\n" if said else "")
        elif said:
            print(f"  {heading}: {'; '.join(said)}")

    def _finish(self) -> None:
        from meeple.core.speech import told

        self.writer.add({"result": self.table.record().result})
        scores = [self.match.state.score(seat) for seat in range(self.table.game.seats)]
        points = "  " + " : ".join(str(score) for score in scores) if any(scores) else ""
        winners = [self._name(seat) for seat in self.table.winners()]
        verb = "wins" if len(winners) == 1 else "share the victory"
        print(f"{' and '.join(winners)} {verb} after {self.match.ply} moves.{points}")
        for reason in [] if self.table.forfeit else self.match.state.ending():
            print(f"{self._plain(told(reason, self.voice.hearer))}.")
        print(f"see it again with: {command('replay', self.writer.path)}{self.replay_flag}")


def _begins(start: str, *texts: str) -> bool:
    """Whether one of the texts begins so, in whatever case."""
    return any(text.casefold().startswith(start.casefold()) for text in texts)


def _heading(step: Step) -> str:
    """What chance is doing in an event; nothing where a seat moves."""
    return step.before.heading() if step.seat is None else ""
