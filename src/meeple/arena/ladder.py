"""All agents of a game rated together, from all stored games of one version of its rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from meeple.arena.provenance import is_known, is_mixed, signature_for
from meeple.arena.ratings import Rating, rate
from meeple.arena.schedule import make_schedule
from meeple.arena.store import Store
from meeple.core.game import Game
from meeple.errors import StoreError

CERTIFY = "`meeple results {path} --certify` plays a sample again, --mixed counts them all the same"


def stores_in(folder: Path) -> Iterator[Path]:
    """All stores of a folder, by name."""
    yield from sorted(folder.glob("*.sqlite"))


def ladder(game: Game, paths: list[Path], *, mixed: bool = False) -> tuple[list[Rating], int, list[str]]:
    """Ratings, the number of games behind them, and why stores were left out.

    Stores that do not know the code at hand are left out, and those that are marked; `mixed` counts them too.
    """
    sets: list[list[tuple[tuple[str, ...], tuple[int, ...]]]] = []
    left_out: list[str] = []
    n_games = 0
    for path in paths:
        try:
            with Store.read(path) as store:
                found = store.configuration
                if found["game"] != game.spec:
                    continue
                if found["version"] != game.facts.version:
                    left_out.append(f"{path.name}: version {found['version']} of the rules")
                    continue
                if found["conditions"].get("deterministic"):
                    left_out.append(f"{path.name}: the deterministic version")
                    continue
                if not mixed and is_mixed(store.code):
                    left_out.append(f"{path.name}: games of different code; --mixed counts them all the same")
                    continue
                if not mixed and not is_known(store, signature_for(game, found["agents"])):
                    left_out.append(f"{path.name}: games of other code; {CERTIFY.format(path=path)}")
                    continue
                added = list(_sets_of(store, found))
                n_games += sum(len(games) for games in added)
                sets += added
        except StoreError as fault:
            left_out.append(str(fault))
    return (rate(sets) if len(sets) > 1 else []), n_games, left_out


def _sets_of(store: Store, found: dict) -> Iterator[list[tuple[tuple[str, ...], tuple[int, ...]]]]:  # type: ignore[type-arg]
    """The games of a store, set by set, agents by seat."""
    names = found["agents"]
    group: list[tuple[tuple[str, ...], tuple[int, ...]]] = []
    last = None
    for game in store.games():
        seats = len(game.key.lineup.agents)
        orders = make_schedule("", agents=seats, seats=seats, both=found["both"]).orders
        order = orders[game.key.seating]
        if last not in (None, (game.key.lineup, game.key.number)):
            yield group
            group = []
        last = (game.key.lineup, game.key.number)
        group.append((tuple(names[game.key.lineup.agents[place]] for place in order), game.ranks))
    if group:
        yield group
