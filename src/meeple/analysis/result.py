"""What an analysis says: of each decision, of each chance event, of each player, and of the whole match.

All values are win chances in 0..1, a tuple with one for each seat where they concern all. For every seat

    start + play + luck + blind + unexplained = result

- `play`: what moves lost, and what the others' losses gave, by what each mover could know;
- `luck`: what chance brought, against the mean of what it might have brought;
- `blind`: what moves brought in the true world beyond what their movers could know;
- `unexplained`: where the judge changed its mind. It is what is left, so the sum is exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from meeple.analysis.words import MARKS, STEEPNESS, is_decided, proof_words, word_for_loss, word_for_luck

Chances = tuple[float, ...]  # one a seat


def none_for(seats: int) -> Chances:
    """Nothing for each seat."""
    return (0.0,) * seats


def added(*rows: Chances) -> Chances:
    """The sum for each seat."""
    return tuple(math.fsum(column) for column in zip(*rows, strict=True))


@dataclass(frozen=True)
class Candidate:
    """A move that was judged."""

    action: int
    move: str
    chance: float  # of its mover to win after it, by what the mover knew
    error: float  # standard error
    named: int  # searches that named it
    points: float | None = None  # the mover's mean lead at the end, where the game has points
    proof: int = 0  # n: won after n plies at the latest; -n: lost; 0: not proven


@dataclass(frozen=True)
class Decision:
    """A move that was made, and what it lost."""

    ply: int  # decisions made before
    step: int  # events before, chance included
    seat: int
    action: int
    move: str
    n_moves: int  # that were on offer; of one nothing is judged
    before: Chances  # with the best move, in the true world
    after: Chances  # with the move made
    loss: float = 0.0  # win chance of the mover, by what it knew; never negative
    error: float = 0.0  # standard error of the loss
    points_lost: float | None = None  # of the mover's lead, where the game has points
    points_error: float = 0.0
    play: Chances = ()  # what the move changed by what the mover knew
    blind: Chances = ()  # what it changed in the true world beyond that
    best: str = ""
    best_action: int = -1
    line: tuple[str, ...] = ()  # how the judge would go on from the best move, that included
    candidates: tuple[Candidate, ...] = ()  # the best first
    is_judged: bool = True  # False: of a seat that nobody asked about, or not reached yet
    effort: str = ""  # by which it was judged last

    @property
    def is_forced(self) -> bool:
        """Whether there was nothing to choose."""
        return self.n_moves == 1

    @property
    def is_decided(self) -> bool:
        """Whether the game was as good as over for the mover, whatever it played."""
        return is_decided(self.before[self.seat]) and is_decided(self.after[self.seat]) and not self.loss > 0.5

    @property
    def word(self) -> str:
        """Inaccuracy, mistake, blunder or ""."""
        return word_for_loss(self.loss, self.error)

    @property
    def mark(self) -> str:
        """The same as a sign."""
        return MARKS.get(self.word, "")

    @property
    def proof(self) -> str:
        """What is proven of the best move and of the one made, in words."""
        found = {each.action: proof_words(each.proof) for each in self.candidates}
        best, made = found.get(self.best_action, ""), found.get(self.action, "")
        return f"{best}; as played {made}" if best and made and best != made else best or made


@dataclass(frozen=True)
class ChanceEvent:
    """All that chance did between two decisions."""

    ply: int  # decisions made before
    step: int  # events before
    texts: tuple[str, ...]
    before: Chances  # the mean over what might have come
    after: Chances
    error: float  # standard error of the luck
    effort: str = ""

    @property
    def luck(self) -> Chances:
        """What it brought each seat."""
        return tuple(after - before for after, before in zip(self.after, self.before, strict=True))

    def word(self, seat: int) -> str:
        """Lucky, unlucky or "", for a seat."""
        return word_for_luck(self.luck[seat], self.error)


@dataclass(frozen=True)
class Summary:
    """How one player fared."""

    seat: int
    name: str
    accuracy: float  # 0 to 100: 100 loses nothing
    mean_loss: float  # a decision that had a choice
    inaccuracies: int
    mistakes: int
    blunders: int
    start: float
    play: float  # own losses, negative
    given: float  # what the others' losses gave
    luck: float
    net_luck: float  # less the mean luck of the others, beyond two seats
    blind: float
    unexplained: float
    result: float  # the win share; where the match is not finished, the judge's last word
    even_luck: float  # the result less luck and blind luck, in 0..1
    points_lost: float | None  # in all


@dataclass(frozen=True)
class Analysis:
    """A whole match, judged; prints as tables, draws itself as a graph, and goes to JSON and back."""

    game: str
    judge: str
    effort: str
    seed: int
    names: tuple[str, ...]  # of the seats
    start: Chances
    result: Chances  # win shares; where the match is not finished, the judge's last word
    is_finished: bool
    ending: str  # how the match ended, or that it did not
    is_calibrated: bool
    decisions: tuple[Decision, ...]
    chances: tuple[ChanceEvent, ...]
    is_complete: bool = True  # False: stopped before all was judged
    is_hidden: bool = False  # whether the game has secrets, and so blind luck
    points: bool = field(default=False)  # whether the game has points

    @property
    def seats(self) -> int:
        """How many."""
        return len(self.names)

    # --- the sum

    @property
    def play(self) -> Chances:
        """What all moves changed, by what their movers knew."""
        return added(none_for(self.seats), *(each.play for each in self.decisions))

    @property
    def luck(self) -> Chances:
        """What chance brought."""
        return added(none_for(self.seats), *(each.luck for each in self.chances))

    @property
    def blind(self) -> Chances:
        """What moves brought beyond what their movers could know."""
        return added(none_for(self.seats), *(each.blind for each in self.decisions))

    @property
    def unexplained(self) -> Chances:
        """What is left of the result: the judge's changes of mind."""
        parts = zip(self.result, self.start, self.play, self.luck, self.blind, strict=True)
        return tuple(math.fsum((result, -start, -play, -luck, -blind)) for result, start, play, luck, blind in parts)

    # --- what to look at

    @property
    def mistakes(self) -> tuple[Decision, ...]:
        """The moves that have a word, the largest loss first."""
        return tuple(sorted((each for each in self.decisions if each.word), key=lambda each: (-each.loss, each.ply)))

    @property
    def summaries(self) -> tuple[Summary, ...]:
        """One for each seat."""
        return tuple(self._summary(seat) for seat in range(self.seats))

    def _summary(self, seat: int) -> Summary:
        own = [each for each in self.decisions if each.seat == seat and each.is_judged]
        chosen = [each for each in own if not each.is_forced]
        words = [each.word for each in own]
        mean_loss = math.fsum(each.loss for each in chosen) / len(chosen) if chosen else 0.0
        play = math.fsum(each.play[seat] for each in own)
        luck = self.luck
        others = [luck[other] for other in range(self.seats) if other != seat]
        net = luck[seat] - math.fsum(others) / len(others) if len(others) > 1 else luck[seat]
        lost = [each.points_lost for each in own if each.points_lost is not None]
        return Summary(
            seat=seat,
            name=self.names[seat],
            accuracy=accuracy([each.loss for each in chosen]),
            mean_loss=mean_loss,
            inaccuracies=words.count("inaccuracy"),
            mistakes=words.count("mistake"),
            blunders=words.count("blunder"),
            start=self.start[seat],
            play=play,
            given=self.play[seat] - play,
            luck=luck[seat],
            net_luck=net,
            blind=self.blind[seat],
            unexplained=self.unexplained[seat],
            result=self.result[seat],
            even_luck=min(1.0, max(0.0, self.result[seat] - luck[seat] - self.blind[seat])),
            points_lost=math.fsum(lost) if self.points else None,
        )

    # --- shown

    def table(self) -> str:
        """The players and the mistakes, as plain text."""
        from meeple.analysis.tables import analysis_text

        return analysis_text(self)

    def as_json(self) -> dict[str, Any]:
        """All of it, as `from_json` reads it; sums and words stand beside the numbers they follow from."""
        from meeple.analysis.saved import as_json

        return as_json(self)

    @staticmethod
    def from_json(found: dict[str, Any]) -> Analysis:
        """The analysis that `as_json` gave."""
        from meeple.analysis.saved import from_json

        return from_json(found)

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<Analysis of {self.game}: {len(self.decisions)} moves, {len(self.mistakes)} mistakes>"

    def _repr_svg_(self) -> str:
        from meeple.analysis.graph import graph

        return str(graph(self))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self) if cycle else self.table())


def accuracy(losses: Sequence[float]) -> float:
    """How well a player chose, 0 to 100: the mean over moves of exp(-4 * loss), times 100; 100 without a choice."""
    if not losses:
        return 100.0
    return 100.0 * math.fsum(math.exp(-STEEPNESS * loss) for loss in losses) / len(losses)
