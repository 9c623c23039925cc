"""Where does my agent lose? The games that it lost, its moves in them analysed (meeple/analysis)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from meeple.agents.base import never
from meeple.analysis.analyse import Source, analyse_source
from meeple.analysis.batch import AnalysedMatches
from meeple.analysis.saved import in_store
from meeple.arena.report import Report
from meeple.arena.schedule import GameKey
from meeple.arena.store import Store
from meeple.core.record import parse_record
from meeple.errors import ConfigError

Tell = Callable[[int, int], None]  # games done, games in all


def lost_games(report: Report, store: Store, agent: int) -> Iterator[tuple[GameKey, int]]:
    """The games that the agent lost, and its seat in each; the worst places first."""
    found = []
    for game in store.games():
        for seat, number in enumerate(report.seated(game.key)):
            if number == agent and game.shares[seat] == 0:
                found.append((-game.ranks[seat], game.key, seat))
    for _, key, seat in sorted(found):
        yield key, seat


def judge_lost_games(
    report: Report,
    store: Store,
    agent: int,
    *,
    judge: str = "",
    effort: str = "normal",
    games: int = 5,
    threads: int = 0,
    trust: bool = False,
    tell: Tell = lambda done, total: None,
    should_stop: Callable[[], bool] = never,
) -> AnalysedMatches:
    """The agent's moves in its first so many lost games, judged as `meeple analyse` does; what others did is not.

    Judgements are kept beside the store, where `meeple analyse` finds them and goes on from them. Stopped, it returns
    the games that are done.
    """
    chosen = [pair for _, pair in zip(range(games), lost_games(report, store, agent), strict=False)]
    batch = AnalysedMatches()
    for number, (key, seat) in enumerate(chosen):
        tell(number, len(chosen))
        record = store.game(key).record
        if record is None:
            raise ConfigError("this tournament was played with --no-records: its moves are not known")
        kept = in_store(store.path, key.text())
        kept.parent.mkdir(exist_ok=True)
        found = analyse_source(
            Source.of(parse_record(record, key.text()), trust=trust),
            effort=effort,
            seats=[seat],
            judge=judge,
            luck=False,
            threads=threads,
            save=kept,
            should_stop=should_stop,
        )
        if not found.is_complete:
            break
        batch.add(f"{store.path}#{key.text()}", found)
    return batch
