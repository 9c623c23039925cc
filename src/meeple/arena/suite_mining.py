"""Problems for a suite, found in stored games: positions with one move that wins in exactly so many plies.

From the end of a match back, each decision of its winner is searched by alpha-beta until a win is proven. Where that
takes exactly one of the wanted numbers of plies, every other move is looked at too: the position is a problem only if
each of them is proven not to win in so many plies. Both proofs are of plain minimax, whatever it was that played.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from meeple.core.game import Game, State
from meeple.core.heuristics import first_evaluation
from meeple.core.match import Match
from meeple.errors import UnsupportedGameError
from meeple.search.alphabeta import AlphaBetaConfig, search

NODES = 50_000_000  # of one search, before it is given up


@dataclass(frozen=True)
class Won:
    """A position that is won in so many plies and no fewer, and the only move that does it."""

    position: str
    move: str
    plies: int


def require_minable(game: Game) -> None:
    """Refuse games in which a proof would not be one.

    Raises:
        UnsupportedGameError: the game has chance, secrets, or other than two seats.
    """
    if game.seats != 2 or game.facts.chance or game.facts.hidden:
        raise UnsupportedGameError(f"wins are proven in games of two seats without chance or secrets, not {game.spec}")


def mine_all(matches: Iterable[Match], plies: Collection[int], most: int, *, nodes: int = NODES) -> Iterator[Won]:
    """At most `most` problems of each number of plies; of each match one of each, so that they differ."""
    left, known = dict.fromkeys(plies, most), set[str]()
    for match in matches:
        wanted = [each for each, count in left.items() if count]
        if not wanted:
            return
        for won in mine(match, wanted, nodes=nodes):
            if won.position not in known:
                known.add(won.position)
                left[won.plies] -= 1
                yield won


def mine(match: Match, plies: Collection[int], *, nodes: int = NODES) -> Iterator[Won]:
    """The problems of a match, the last one of each number of plies; where no win is proven, the way back ends."""
    wanted, shares = set(plies), match.state.win_shares() if match.is_over else []
    for state in reversed([step.before for step in match.steps if step.seat is not None]):
        if not wanted or not shares:
            return
        if shares[state.to_move] != 1 or len(state.legal_actions()) == 1:
            continue
        found = proven_win(state, max(plies), nodes=nodes)
        if found is None:
            return
        if found.plies in wanted and is_only(state, found, nodes=nodes):
            wanted.remove(found.plies)
            yield found


def proven_win(state: State, most: int, *, nodes: int = NODES) -> Won | None:
    """The nearest win within `most` plies; None where there is none, or the nodes did not suffice."""
    config = AlphaBetaConfig(depth=most, nodes=nodes, evaluation=first_evaluation(state.game))
    plies, action, _ = _proof(state, config)
    return Won(state.text(), state.move_text(action), plies) if plies > 0 else None


def is_only(state: State, won: Won, *, nodes: int = NODES) -> bool:
    """Whether every other move is proven not to win in so many plies."""
    mover, right = state.to_move, state.read_move(won.move)
    others = (state.after(action) for action in state.legal_actions().tolist() if action != right)
    return all(_holds(after, mover, won.plies - 1, nodes) for after in others)


def _holds(state: State, against: int, depth: int, nodes: int) -> bool:
    """Whether a position is proven not to be won by the seat `against`, which has just moved, within `depth` plies."""
    if state.is_over:
        return state.win_shares()[against] != 1
    plies, _, searched = _proof(state, AlphaBetaConfig(depth=depth, nodes=nodes, evaluation="none"))
    return plies > 0 or (plies == 0 and searched == depth)


def _proof(state: State, config: AlphaBetaConfig) -> tuple[int, int, int]:
    """In how many plies the best move wins (negative: loses; 0: neither is proven), the move, the depth searched."""
    found = search(state, config=config)
    return int(found.proofs[found.actions == found.action][0]), found.action, found.depth
