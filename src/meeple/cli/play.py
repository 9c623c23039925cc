"""`meeple play`."""

from __future__ import annotations

import os
import secrets
import sys
import time
from pathlib import Path

import typer

from meeple.cli.output import painter

OPPONENT = "flat:playouts=1000"
HELP = """\
  a move       as in the list of `moves`; a beginning that fits only one is enough
  moves        what you may play; `moves B3` only those that begin so
  hint         what a fair opponent would play in your place
  undo, redo   take back your last move, play it again (with the same luck)
  board        the board again        position   the position as text
  save FILE    a copy of the match so far
  quit         leave; the match is saved and can be resumed"""


def play(
    game: str = typer.Argument("santorini", help="A game, such as santorini:supply=finite."),
    agents: list[str] = typer.Argument(None, help=f"One agent a seat; 'human' is you. By default you and {OPPONENT}."),
    seed: int = typer.Option(None, "--seed", "-s", help="Fixes dice, draws and agents; drawn if not given."),
    resume: Path = typer.Option(None, "--resume", help="Go on with a saved match."),
) -> None:
    """Play a game in the terminal, against agents or people; it is saved as you go."""
    from meeple.agents.registry import load_agent
    from meeple.core.match import Match
    from meeple.core.record import RecordWriter, free_path, load_record
    from meeple.core.registry import load_game
    from meeple.errors import ConfigError

    if resume is not None:
        record = load_record(resume)
        match = Match.from_record(record)
        specs = record.agents
        if match.is_over or record.result:
            raise ConfigError(f"'{resume}' is finished; look at it with: meeple replay {resume}")
    else:
        board = load_game(game)
        specs = list(agents or ["human", *[OPPONENT] * (board.seats - 1)])
        match = Match(board, seed=secrets.randbelow(2**31) if seed is None else seed)
    if len(specs) != match.game.seats:
        raise ConfigError(f"{match.game.spec} wants {match.game.seats} agents, one a seat, not {len(specs)}")
    seated = [load_agent(spec, match.game) for spec in specs]
    path = resume or free_path(matches_folder(), f"{match.game.name}-{time.strftime('%Y%m%d-%H%M%S')}")
    writer = RecordWriter(path, match.record(specs), resume=resume is not None)
    Table(match, seated, specs, writer).run()


def matches_folder() -> Path:
    """Where matches are saved as they are played."""
    from meeple.errors import SaveError

    chosen = os.environ.get("MEEPLE_DATA_DIR")
    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "meeple"
    folder = (Path(chosen) if chosen else home) / "matches"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise SaveError(
            f"matches cannot be saved in '{folder}': {fault.strerror}; set MEEPLE_DATA_DIR to another folder"
        ) from fault
    return folder


class Leave(Exception):
    """The person wants to stop."""


class Table:
    """A match at the terminal: shows what the person may see, asks people and agents in turn, writes it all down."""

    def __init__(self, match, agents, specs, writer) -> None:  # type: ignore[no-untyped-def]
        from meeple.agents.simple import Human
        from meeple.core.contract import NOBODY
        from meeple.core.paint import MARKS

        self.match, self.agents, self.specs, self.writer = match, agents, specs, writer
        self.people = [seat for seat, agent in enumerate(agents) if isinstance(agent, Human)]
        self.has_secrets_between_people = match.game.facts.hidden and len(self.people) > 1
        # The seat whose view is on the screen; a spectator where no person plays.
        self.viewer = self.people[0] if self.people else NOBODY
        self.marks = MARKS
        self.paint = painter()

    def run(self) -> None:
        """Play until the end, or until the person leaves; either way the match is on disk."""
        self._welcome()
        try:
            self._show()
            while not self.match.is_over:
                if self.match.to_move in self.people:
                    self._ask_person()
                else:
                    self._ask_agent()
            self._finish()
        except (Leave, KeyboardInterrupt, EOFError):
            print(f"\nsaved; go on with: meeple play --resume {self.writer.path}")
        finally:
            self.writer.close()

    def _welcome(self) -> None:
        names = [
            f"{self._name(seat)} is {'you' if seat in self.people else spec}" for seat, spec in enumerate(self.specs)
        ]
        print(f"{self.match.game.facts.title}: {', '.join(names)}. `help` lists the commands.")

    def _name(self, seat: int) -> str:
        return self.paint(self.marks[seat], f"bold seat{seat % 4 + 1}")

    def _show(self) -> None:
        print(self.match.state.board(self.viewer, self.paint))

    # --- a person

    def _ask_person(self) -> None:
        from meeple.errors import MeepleError

        seat = self.match.to_move
        if self.has_secrets_between_people and seat != self.viewer:
            self._hand_over(seat)
        self.viewer = seat
        while self.match.to_move == seat:
            try:
                words = input(f"{self._name(seat)} to move> ").strip()
                if words and not self._obey(words, seat):
                    began = len(self.match.steps)
                    self.match.play(words)
                    self._write_from(began)
                    self._tell_from(began)
                    if self.match.to_move in self.people or self.match.is_over:
                        self._show()
                    return
            except MeepleError as fault:
                print(fault)

    def _hand_over(self, seat: int) -> None:
        """Between two people with secrets: nobody sees the other's cards."""
        self._clear()
        input(f"{self._name(seat)}, it is your turn. Press Enter when you alone look at the screen. ")
        self._clear()
        self.viewer = seat
        self._show()

    def _clear(self) -> None:
        # Also the lines scrolled away, where a terminal keeps them; off a terminal a run of blank lines.
        print("\033[2J\033[3J\033[H" if sys.stdout.isatty() else "\n" * 60, end="", flush=True)

    def _obey(self, words: str, seat: int) -> bool:
        """Carry out a command; False where the words are none."""
        from meeple.core.record import save_record

        command, _, rest = words.partition(" ")
        match command.lower():
            case "help" | "?":
                print(HELP)
            case "moves":
                texts = [
                    text
                    for text in self.match.state.legal_moves()
                    if text.casefold().startswith(rest.strip().casefold())
                ]
                print(f"{len(texts)}: {'  '.join(texts)}")
            case "board":
                self._show()
            case "position":
                print(self.match.state.text(seat))
            case "hint":
                self._hint()
            case "undo":
                self._undo(seat)
            case "redo":
                began = len(self.match.steps)
                self.match.redo()
                while self.match.to_move not in self.people and self.match.can_redo:
                    self.match.redo()
                self._write_from(began)
                self._show()
            case "save":
                if not rest.strip():
                    print("save wants a file name: save mymatch.jsonl")
                else:
                    save_record(self.match.record(self.specs), Path(rest.strip()))
                    print(f"saved to {rest.strip()}")
            case "quit" | "exit" | "q":
                raise Leave
            case _:
                return False
        return True

    def _hint(self) -> None:
        from meeple.agents.base import ask
        from meeple.agents.registry import load_agent

        action = ask(load_agent(OPPONENT, self.match.game), self.match)
        print(f"hint: {self.match.state.move_text(action)}")

    def _undo(self, seat: int) -> None:
        """Back to this person's decision before; in a game with secrets only where nobody else learned from it."""
        from meeple.errors import IllegalMoveError

        own = [i for i, step in enumerate(self.match.steps) if step.seat == seat]
        if not own:
            raise IllegalMoveError("you have not moved yet")
        plies = sum(step.seat is not None for step in self.match.steps[own[-1] :])
        self.writer.add({"undo": self.match.undo(plies)})
        print("taken back")
        self._show()

    # --- an agent

    def _ask_agent(self) -> None:
        from meeple.agents.base import ask

        seat, began, clock = self.match.to_move, len(self.match.steps), time.perf_counter()
        action = ask(self.agents[seat], self.match)
        self.match.play(action, seconds=time.perf_counter() - clock)
        self._write_from(began)
        self._tell_from(began)
        is_due = self.match.to_move in self.people or self.match.is_over or not self.people
        is_for_another = self.has_secrets_between_people and self.match.to_move != self.viewer
        if is_due and not is_for_another:
            self._show()

    # --- both

    def _write_from(self, began: int) -> None:
        from meeple.core.record import Event

        for step in self.match.steps[began:]:
            self.writer.add(Event(step.text, step.seat, step.seconds).line())

    def _tell_from(self, began: int) -> None:
        """Say what happened, as far as the viewer saw it."""
        from meeple.core.contract import HIDDEN

        for step in self.match.steps[began:]:
            is_hidden = step.before.seen(step.code, self.viewer) == HIDDEN
            if step.seat is None:
                if not is_hidden:
                    print(f"  {step.text}")
            elif is_hidden:
                print(f"{self._name(step.seat)} makes a move that you do not see")
            elif step.seat != self.viewer:
                print(
                    f"{self._name(step.seat)} plays {step.text}"
                    + (f"  ({step.seconds:.1f} s)" if step.seconds >= 0.1 else "")
                )

    def _finish(self) -> None:
        self.writer.add({"result": self.match.result()})
        shares = self.match.state.win_shares()
        scores = [self.match.state.score(seat) for seat in range(self.match.game.seats)]
        points = "  " + " : ".join(str(score) for score in scores) if any(scores) else ""
        winners = [self._name(seat) for seat, share in enumerate(shares) if share > 0]
        verb = "wins" if len(winners) == 1 else "share the victory"
        print(f"{' and '.join(winners)} {verb} after {self.match.ply} moves.{points}")
        print(f"see it again with: meeple replay {self.writer.path}")
