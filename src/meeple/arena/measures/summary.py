"""All measures of a sample: tables and remarks for people, figures for machines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from meeple.arena.measures.branching import branching, filtered, forced, seconds
from meeple.arena.measures.contest import contest, gains
from meeple.arena.measures.figures import Figure
from meeple.arena.measures.games import draws, length, seat_shares
from meeple.arena.measures.knowledge import knowledge, n_unknown
from meeple.arena.measures.leaves import leaf_correlation
from meeple.arena.measures.lens import OWN
from meeple.arena.measures.sample import Sample
from meeple.arena.measures.tree import tree_size
from meeple.arena.report import Cells
from meeple.arena.statistics import CONFIDENCE

# Measures in 0..1, shown with more digits.
SHARES = ("forced", "draws", "seat share", "decided", "leaf correlation", "bias", "disambiguation")


class Summary:
    """What a sample of games says."""

    def __init__(self, sample: Sample) -> None:
        self.sample = sample

    @property
    def heading(self) -> str:
        """What was played, in a line."""
        return self.sample.plan.heading()

    @cached_property
    def figures(self) -> list[Figure]:
        """Every figure, in the order of the tables."""
        return [*self.overall, *self.by_seat, *self.grouped("agent"), *self.grouped("round"), *self.grouped("ply")]

    @cached_property
    def overall(self) -> list[Figure]:
        """One figure a measure, over all games."""
        sample = self.sample
        offers = [*branching(sample), *filtered(sample), *branching(sample, setup=True), *forced(sample)]
        late = [*contest(sample), *leaf_correlation(sample), *knowledge(sample)]
        return [*length(sample), *offers, *draws(sample), *late, *tree_size(sample)]

    @cached_property
    def by_seat(self) -> list[Figure]:
        """The seats' shares of the victory; none of a game for one."""
        return seat_shares(self.sample) if self.sample.game.seats > 1 else []

    def grouped(self, by: str) -> list[Figure]:
        """Branching, filtered or not, by agent; by round or ply of everyone, and of each agent where there are several.

        By agent also points gained, by agent and ply also the time.
        """
        sample = self.sample
        if by == "round" and not sample.has_rounds:
            return []
        groups = [[by], [by, "agent"]] if by != "agent" and len(sample.names) > 1 else [[by]]
        found = [each for group in groups for each in branching(sample, by=group) + filtered(sample, by=group)]
        if by == "agent":
            found += gains(sample)
        return found + [each for group in groups for each in seconds(sample, by=group) if by != "round"]

    # --- for people

    def tables(self, by: Sequence[str] = ()) -> list[Cells]:
        """The measures of whole games, the seats, and branching `by` what is asked; by agent and round if nothing."""
        found = [_table("games", ["measure"], self.overall)]
        if self.by_seat:
            found.append(_table("share of the victory by seat", ["seat"], self.by_seat))
        for name in by or ("agent", "round"):
            if name == "agent" and len(self.sample.names) == 1 and not by:
                continue
            figures = self.grouped(name)
            if figures:
                several = name != "agent" and len(self.sample.names) > 1
                kinds = len({figure.measure for figure in figures}) > 1
                keys = [*(["measure"] if kinds else []), name, *(["agent"] if several else [])]
                found.append(_table(f"{'measures' if kinds else 'branching'} by {name}", keys, figures))
        return found

    def remarks(self) -> list[str]:
        """What a reader must know to trust the tables."""
        sample, lines = self.sample, []
        if sample.was_stopped:
            lines.append("stopped: what was played until then is counted")
        n, sets = len(sample.traces), sample.n_sets
        lines.append(f"games  {n} in {sets} sets; the games of a set share their luck, so a set is one trial")
        if self.by_seat:
            lines.append(f"seats  an even share is {sum(f.mean for f in self.by_seat) / len(self.by_seat):.3f}")
        if not sample.plan.schedule.both and len(sample.names) > 1:
            lines.append("seats were not exchanged: what a seat has is its agent's too")
        judge = sample.lens.judge
        if judge and sample.game.seats > 1:
            word = "the running score" if judge == "score" else f"the evaluation '{judge}'"
            lines.append(f"lead  by {word}; decided: the part of the moves before the winner led for good")
        if sample.lens.filter:
            own = "own: the moves that each agent says it considers"
            lines.append(f"filter  {own if sample.lens.filter == OWN else sample.lens.filter}")
        if sample.game.facts.hidden and n_unknown(sample):
            how = f"more than {sample.lens.samples} redeals can tell" if sample.lens.samples else "see --worlds"
            lines.append(f"worlds  not counted at {n_unknown(sample)} decisions, which are left out: {how}")
        if sample.n_forfeits:
            lines.append(f"forfeits  {sample.n_forfeits} games that one ended are left out")
        if sample.n_repeats:
            lines.append(f"repeats  {sample.n_repeats} sets were played before, move for move: they are left out")
        opening = sample.game.facts.opening
        if opening and sample.plan.openings is None:
            lines.append(f"openings  {opening} random plies began each game and are not measured; see --openings none")
        return lines

    # --- for machines

    def as_json(self) -> dict[str, Any]:
        """All figures, and what they were taken from."""
        sample = self.sample
        return {
            "configuration": sample.plan.configuration(),
            "games": len(sample.traces),
            "sets": sample.n_sets,
            "forfeits": sample.n_forfeits,
            "repeated_sets": sample.n_repeats,
            "stopped": sample.was_stopped,
            "judge": sample.lens.judge,
            "filter": sample.lens.filter,
            "confidence": CONFIDENCE,
            "figures": [figure.as_json() for figure in self.figures],
        }


def _table(title: str, keys: list[str], figures: Sequence[Figure]) -> Cells:
    """A table of figures, told apart by some of their fields."""
    rows: list[list[object]] = []
    for found in figures:
        names = ["all" if value in (None, "") else value for value in (getattr(found, key) for key in keys)]
        digits = 3 if found.measure in SHARES else 2
        cells = [_number(found.mean, digits), _span(found, digits), _number(found.least, 0), _number(found.most, 0)]
        rows.append([*names, *cells, found.n])
    heads = [*keys, "mean", f"{CONFIDENCE:.0%}", "least", "most", "of"]
    right = [*(key for key in keys if key not in ("measure", "agent")), "mean", "least", "most", "of"]
    return Cells(title, heads, rows, right)


def _number(value: float, digits: int) -> str:
    return f"{value:.{digits}f}" if math.isfinite(value) else "-"


def _span(found: Figure, digits: int) -> str:
    return f"{found.low:.{digits}f} .. {found.high:.{digits}f}" if math.isfinite(found.low) else "-"
