"""Many analyses together: who loses how much, and in which part of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from meeple.analysis.calibration import trust_words
from meeple.analysis.result import Analysis, Decision, accuracy
from meeple.analysis.tables import TextTable, points, signed

PARTS = ("first third", "second third", "last third")  # of a match's moves
MOST_MISTAKES = 10


@dataclass
class PlayerTotals:
    """All matches of one player."""

    name: str
    games: int = 0
    won: float = 0.0  # win shares
    luck: float = 0.0
    words: dict[str, int] = field(default_factory=lambda: {"inaccuracy": 0, "mistake": 0, "blunder": 0})
    losses: tuple[list[float], ...] = field(default_factory=lambda: tuple([] for _ in PARTS))  # by part, with a choice

    @property
    def all_losses(self) -> list[float]:
        """Of all its moves that had a choice."""
        return [loss for part in self.losses for loss in part]


@dataclass
class AnalysedMatches:
    """Analyses of several matches, each under the name by which it is found again."""

    found: list[tuple[str, Analysis]] = field(default_factory=list)

    def add(self, name: str, analysis: Analysis) -> None:
        """One more match."""
        self.found.append((name, analysis))

    @property
    def players(self) -> list[PlayerTotals]:
        """Players by name, the one that loses least a move first."""
        totals: dict[str, PlayerTotals] = {}
        for _, analysis in self.found:
            for each in analysis.summaries:
                own = totals.setdefault(each.name, PlayerTotals(each.name))
                own.games += 1
                own.won += each.result
                own.luck += each.luck
            moves = max(1, len(analysis.decisions))
            for place, decision in enumerate(analysis.decisions):
                own = totals[analysis.names[decision.seat]]
                if decision.is_judged and not decision.is_forced:
                    own.losses[place * len(PARTS) // moves].append(decision.loss)
                    if decision.word:
                        own.words[decision.word] += 1
        return sorted(totals.values(), key=lambda each: (_mean(each.all_losses), each.name))

    @property
    def mistakes(self) -> list[tuple[str, Analysis, Decision]]:
        """The moves that have a word, the largest loss first."""
        every = [(name, analysis, each) for name, analysis in self.found for each in analysis.mistakes]
        return sorted(every, key=lambda each: (-each[2].loss, each[0], each[2].ply))

    def text(self) -> str:
        """Both tables as plain text."""
        count = "1 match" if len(self.found) == 1 else f"{len(self.found)} matches"
        judges = sorted({found.judge for _, found in self.found if not found.is_calibrated})
        trust = "".join(f"; judged by {judge}: {trust_words(False)}" for judge in judges)
        parts = [f"{count}, in points of win chance{trust}", players_table(self).text()]
        mistakes = mistakes_table(self)
        parts.append(mistakes.text() if mistakes.rows else "no move lost 5 points of win chance for certain")
        return "\n\n".join(parts)

    def as_json(self) -> dict[str, Any]:
        """For machines: the totals, and each match whole."""
        players = [
            asdict(each) | {"losses": [_mean(part) for part in each.losses], "mean_loss": _mean(each.all_losses)}
            for each in self.players
        ]
        return {"players": players, "matches": [{"match": name, **found.as_json()} for name, found in self.found]}


def players_table(matches: AnalysedMatches) -> TextTable:
    """A row a player: how well it chose, in all and in each third of a match."""
    heads = ("player", "games", "won", "accuracy", "mean loss", *PARTS, "?!", "?", "??", "luck a game")
    rows = tuple(
        (
            each.name,
            str(each.games),
            points(each.won / each.games),
            f"{accuracy(each.all_losses):.0f}",
            points(_mean(each.all_losses)),
            *(points(_mean(part)) if part else "-" for part in each.losses),
            *(str(count) for count in each.words.values()),
            signed(each.luck / each.games),
        )
        for each in matches.players
    )
    return TextTable(heads, rows, heads[1:])


def mistakes_table(matches: AnalysedMatches, most: int = MOST_MISTAKES) -> TextTable:
    """The largest losses of all matches."""
    heads = ("match", "move", "player", "played", "best", "lost", "+-", "")
    rows = tuple(
        (
            name,
            str(each.ply + 1),
            found.names[each.seat],
            each.move,
            each.best,
            points(each.loss),
            points(each.error),
            each.word,
        )
        for name, found, each in matches.mistakes[:most]
    )
    return TextTable(heads, rows, ("move", "lost", "+-"))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
