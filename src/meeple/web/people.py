"""What people did against agents on the page, for the lab: finished matches of one person against one agent."""

from __future__ import annotations

from collections import defaultdict

from meeple.agents.registry import load_agent
from meeple.core.folders import data_folder
from meeple.core.registry import load_game
from meeple.errors import MeepleError
from meeple.web.history import OwnMatch, played_by
from meeple.web.store import TableStore


def people_met(game: str, store: TableStore | None = None) -> dict[tuple[str, str], list[bool]]:
    """By person and the agent's spec whether each match was won, the first one first; nothing where no page ever ran.

    Without a `store` the tables are those of this machine's page. A person is a browser. Matches with help, from a
    chosen position, or in which somebody else took over do not count.
    """
    path = data_folder("web") / "tables.sqlite"
    found: dict[tuple[str, str], list[bool]] = defaultdict(list)
    if store is None and not path.exists():
        return {}
    for owner, each in sorted(finished_matches(store or TableStore(path), game), key=lambda pair: pair[1].when):
        found[owner, normalised(str(each.rivals[0]["spec"]), game)].append(each.outcome == "won")
    return dict(found)


def finished_matches(store: TableStore, game: str) -> list[tuple[str, OwnMatch]]:
    """Matches of a game that are over, with the browser that played them, against a single agent and without help."""
    pairs = [(seated.body["owner"], played_by(seated)) for seated in store.finished(game)]
    return [
        (owner, each)
        for owner, each in pairs
        if each is not None and each.is_measured and len(each.rivals) == 1 and is_unaided(each)
    ]


def normalised(spec: str, game: str) -> str:
    """A spec as every agent writes its own; as it is, where the agent is not here any more."""
    try:
        return load_agent(spec, load_game(game)).spec
    except MeepleError:
        return spec


def is_unaided(played: OwnMatch) -> bool:
    """Whether a person played from the usual start, and by itself."""
    return not played.body.get("helped") and not (played.body.get("head") or {}).get("start")
