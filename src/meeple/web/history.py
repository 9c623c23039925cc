"""What one browser has played here: its matches as plain facts, results by level, the rating over time.

All is read from the tables on disk, as `web/saved.py` writes them; nothing of a match's course gets here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from meeple.agents.levels import deviations_of, elos_of, levels_of
from meeple.core.definition import Definition
from meeple.core.registry import find_definition, game_names
from meeple.web.ratings import LEVEL_DEVIATION, WEEK, Rating, Result, change_between, newcomer, updated
from meeple.web.saved import game_of, moves_of
from meeple.web.store import Seated, TableStore

Outcome = Literal["won", "shared", "lost"]
SCORES: dict[Outcome, float] = {"won": 1.0, "shared": 0.5, "lost": 0.0}


@dataclass(frozen=True)
class OwnMatch:
    """One match of this browser, running or finished."""

    body: Mapping[str, Any]  # as saved, without events
    own: frozenset[int]  # the seats that this browser plays
    token: str  # opens the table for this browser
    changed: float  # seconds since 1970

    @property
    def game(self) -> str:
        """The game's name."""
        return game_of(dict(self.body))

    @property
    def title(self) -> str:
        """The game's title; its name, where it is not here any more."""
        found = definition_of(self.game)
        return found.facts.title if found else self.game

    @property
    def moves(self) -> int:
        """How many were made."""
        return moves_of(dict(self.body))

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.body.get("winners") is not None

    @property
    def when(self) -> float:
        """When it ended, or was last played at."""
        ended = self.body.get("ended_at")
        return float(ended) if isinstance(ended, (int, float)) else self.changed

    @property
    def rivals(self) -> list[Mapping[str, Any]]:
        """The seats of others."""
        return [seat for number, seat in enumerate(self.body["seats"]) if number not in self.own]

    @property
    def against(self) -> str:
        """The others' names; of people at one screen all names."""
        names = [seat["name"] for seat in self.rivals] or [seat["name"] for seat in self.body["seats"]]
        return ", ".join(names) if self.rivals else " and ".join(names)

    @property
    def outcome(self) -> Outcome | None:
        """How it ended for this browser's person; None where it runs, or where several people share the screen."""
        winners = self.body.get("winners")
        if winners is None or len(self.own) != 1 or len(self.body["seats"]) < 2:
            return None
        if not self.own <= set(winners):
            return "lost"
        return "won" if len(winners) == 1 else "shared"

    @property
    def ending(self) -> str:
        """How it ended, in a word or two."""
        if not self.is_over:
            return ""
        if self.outcome is not None:
            return self.outcome
        if len(self.body["seats"]) == 1:
            return "won" if self.body["winners"] else "lost"
        names = [self.body["seats"][seat]["name"] for seat in self.body["winners"]]
        return f"{' and '.join(names)} won" if names else "nobody won"

    @property
    def levels(self) -> list[str]:
        """The rivals' levels, or their specs; nothing for people."""
        return [seat["level"] or seat["spec"] for seat in self.rivals if seat["kind"] == "agent"]

    @property
    def is_measured(self) -> bool:
        """Whether it belongs into results: one person against agents that played from start to end."""
        is_replaced = any(seat.get("is_stand_in") for seat in self.body["seats"])
        return bool(self.outcome and self.levels) and not is_replaced and not self.body["is_study"]

    def unrated(self) -> str:
        """Why it does not count for the rating, in a few words; empty where it does."""
        found = definition_of(self.game)
        header = self.body.get("head") or {}
        if not self.is_over or not self.is_measured or found is None:
            return "not one person against agents" if not self.body["is_study"] else "a try"
        if any(self._strength(rival) is None for rival in self.rivals):
            return "no level with a measured strength"
        if self.body.get("helped"):
            return str(self.body["helped"])
        if header.get("start"):
            return "a chosen position"
        if not header.get("salt") and (found.facts.chance or found.facts.hidden):
            return "a chosen seed"
        return ""

    @cached_property
    def results(self) -> list[Result]:
        """One result a rival, by their places, as the rating counts them."""
        ranks, (seat,) = self.body["result"]["ranks"], self.own
        results = []
        for number, rival in enumerate(self.body["seats"]):
            if number != seat:
                score = 0.5 if ranks[seat] == ranks[number] else float(ranks[seat] < ranks[number])
                strength = self._strength(rival)
                assert strength is not None  # `unrated` was asked
                results.append(Result(strength, score, 1 / (len(ranks) - 1)))
        return results

    def _strength(self, rival: Mapping[str, Any]) -> Rating | None:
        """A level's Elo and its deviation when the match began; as now, where the match is older than that was kept."""
        found, level = definition_of(self.game), rival["level"]
        if not level or found is None:
            return None
        elo, deviation = rival.get("elo"), rival.get("deviation")
        if elo is None:
            elo, deviation = elos_of(found).get(level), deviations_of(found).get(level)
        return None if elo is None else Rating(float(elo), LEVEL_DEVIATION if deviation is None else float(deviation))


@dataclass(frozen=True)
class Rated:
    """A match that counted, and the rating before and after it."""

    played: OwnMatch
    before: Rating
    after: Rating

    @property
    def change(self) -> str:
        """What it did to the rating, with its sign."""
        return change_between(self.before, self.after)


class History:
    """All matches of one browser, the latest first."""

    def __init__(self, seated: Iterable[Seated]) -> None:
        played = (played_by(each) for each in seated)
        self.all = sorted((each for each in played if each is not None), key=lambda each: -each.when)

    @classmethod
    def of(cls, store: TableStore, owner: str, *, is_over: bool | None = None) -> History:
        """What this browser has played, as owner of a table or by a link to a seat; or only what is over, or runs."""
        return cls(store.seated(owner, is_over=is_over))

    @property
    def running(self) -> list[OwnMatch]:
        """Matches that can go on."""
        return [each for each in self.all if not each.is_over]

    @property
    def finished(self) -> list[OwnMatch]:
        """Matches that have ended."""
        return [each for each in self.all if each.is_over]

    def counts(self) -> dict[tuple[str, str], dict[Outcome, int]]:
        """Won, shared and lost by the game's title and the rivals' levels, the weakest first."""
        counts: dict[tuple[str, str], dict[Outcome, int]] = defaultdict(lambda: {"won": 0, "shared": 0, "lost": 0})
        for each in self.finished:
            if each.is_measured and each.outcome is not None:
                counts[(each.title, ", ".join(sorted(set(each.levels))))][each.outcome] += 1
        return {key: counts[key] for key in sorted(counts, key=_by_strength)}

    def rated(self, game: str) -> list[Rated]:
        """The matches of a game that count for the rating, the first one first."""
        rows: list[Rated] = []
        for each in reversed(self.finished):
            if each.game == game and not each.unrated():
                before = rows[-1].after if rows else newcomer(each.results)
                idle = max(0.0, each.when - rows[-1].played.when) / WEEK if rows else 0.0
                rows.append(Rated(each, before, updated(before, each.results, periods=idle)))
        return rows

    def rated_games(self) -> dict[str, list[Rated]]:
        """The rated matches of every game that has any."""
        found = {game: self.rated(game) for game in game_names()}
        return {game: rows for game, rows in found.items() if rows}

    def find(self, key: str) -> OwnMatch | None:
        """The match at this table."""
        return next((each for each in self.all if each.body["key"] == key), None)


def definition_of(game: str) -> Definition | None:
    """A game that is installed here."""
    return find_definition(game) if game in game_names() else None


def _by_strength(key: tuple[str, str]) -> tuple[str, int, str]:
    """The order of results: by game, then as the game orders its levels; other rivals follow."""
    title, level = key
    found = next((each for each in map(find_definition, game_names()) if each.facts.title == title), None)
    names = list(levels_of(found)) if found else []
    return title, names.index(level) if level in names else len(names), level


def played_by(seated: Seated) -> OwnMatch | None:
    """The match as one browser played it; None where its link was withdrawn, or where it only watched."""
    body = seated.body
    if body["is_replay"]:
        return None
    if seated.seat is None:
        own = frozenset(number for number, seat in enumerate(body["seats"]) if seat["kind"] == "here")
        return OwnMatch(body, own, body["owner_token"], seated.changed)
    if seated.token != body["seats"][seated.seat]["token"]:
        return None
    return OwnMatch(body, frozenset({seated.seat}), seated.token, seated.changed)
