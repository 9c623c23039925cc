"""The contract: what a game's `rules.py` holds, as text and as stand-ins.

A search or playout imports these names to be read and checked by tools; `specialise` puts a game's own
functions in their place before anything is compiled. Calling a stand-in is a fault.

Constants of a rules module: STATE (the layout), RANGES (the range of each of its fields, ranges.py), SEATS (least,
most), ACTIONS (codes are 0..ACTIONS-1), MAX_ACTIONS (a proven bound on the length of a list), OUTCOMES (codes of
chance, 0 in a game without).
Every action, outcome, seat and count is an int64.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.errors import ContractError

CHANCE = -1  # to_move: chance acts next
NOBODY = -2  # to_move: the game is over; as a seat: a spectator, who knows only what lies open
HIDDEN = -3  # seen: something happened here that the seat did not see

REQUIRED = ("new_game", "to_move", "legal_actions", "apply", "redeal", "ranks", "score", "round_index", "check")
CHANCE_PAIR = ("chance_weights", "chance_key")  # required where the game has chance
OPTIONAL = (
    "seen",
    "team",
    "solo_share",
    "count_actions",
    "is_legal",
    "pick",
    "settle",
    "suppose_weights",
    "suppose",
    "leave_out",
    "reveal",
    "strata_weights",
    "redeal_stratum",
    "parts",
)
CONSTANTS = ("STATE", "RANGES", "SEATS", "ACTIONS", "MAX_ACTIONS", "OUTCOMES")

# A search binds these to a game's; the values here only tell tools their types.
STATE = np.dtype((np.record, [("fate", np.int64)]))
ACTIONS = 1
MAX_ACTIONS = 1
OUTCOMES = 1
STRATA = 1  # classes of worlds that a game names
HAS_PICK = False
HAS_SETTLE = False


def new_game(state: Any, seats: int, options: Any, fate: int) -> None:
    """Write the first position into `state`, every field of it; `options` in the order of declaration."""
    raise _unbound("new_game")


def to_move(state: Any) -> int:
    """The seat to move, `CHANCE` or `NOBODY`."""
    raise _unbound("to_move")


def legal_actions(state: Any, out: Any) -> int:
    """Write the codes of all legal actions, strictly ascending, and return how many there are.

    Never none before the end. Called only where a seat is to move.
    """
    raise _unbound("legal_actions")


def chance_weights(state: Any, out: Any) -> None:
    """Write a whole-number weight for each of the OUTCOMES codes, 0 where impossible; their sum is below 2**31."""
    raise _unbound("chance_weights")


def chance_key(state: Any) -> int:
    """The name of this chance event as a number >= 0, never the same twice in a match."""
    raise _unbound("chance_key")


def apply(state: Any, action: int) -> None:
    """Play an action, or an outcome where chance is to move. In place; the caller has checked."""
    raise _unbound("apply")


def redeal(state: Any, seat: int, rng: Any) -> None:
    """Replace all that `seat` cannot know, `fate` included, with a fresh sample that fits what it does know."""
    raise _unbound("redeal")


def seen(state: Any, action: int, seat: int) -> int:
    """The action or outcome, about to be applied to `state`, as `seat` sees it: itself, or `HIDDEN`."""
    raise _unbound("seen")


def ranks(state: Any, out: Any) -> None:
    """Write each seat's place after all tie-breaks: 1 is best, equal places share a number (1, 1, 3)."""
    raise _unbound("ranks")


def score(state: Any, seat: int) -> int:
    """The game's own points of a seat, as far as they lie open."""
    raise _unbound("score")


def round_index(state: Any) -> int:
    """The round, as the booklet counts, from 0."""
    raise _unbound("round_index")


def check(state: Any) -> int:
    """0, or the number of the first invariant that does not hold (named in CHECKS, counted from 1).

    Asked of every position that comes from outside, whose fields are in their RANGES: it may index by a field only as
    far as the ranges make that safe, and what it lets pass must be safe to play on from.
    """
    raise _unbound("check")


def team(state: Any, seat: int) -> int:
    """Optional: a number that partners share; a team counts as one winner. By default each seat is its own."""
    raise _unbound("team")


def solo_share(state: Any) -> float:
    """Optional: the win share, 0 to 1, that a finished game for one seat maps its score to."""
    raise _unbound("solo_share")


def count_actions(state: Any) -> int:
    """Optional: the length of the list, without making it."""
    raise _unbound("count_actions")


def is_legal(state: Any, action: int) -> bool:
    """Optional: whether the list would hold `action`."""
    raise _unbound("is_legal")


def pick(state: Any, rng: Any) -> int:
    """Optional: a uniform legal action without a list: the one at place draw(rng, n) of the list of n."""
    raise _unbound("pick")


def settle(state: Any) -> None:
    """Optional: apply what fate brings until a seat is to move or the game is over."""
    raise _unbound("settle")


def suppose_weights(state: Any, seat: int, out: Any) -> None:
    """Optional: weights over what `seat` may hold, for a belief node; zero where impossible."""
    raise _unbound("suppose_weights")


def suppose(state: Any, seat: int, code: int) -> None:
    """Optional: make `seat` hold what `code` of `suppose_weights` stands for."""
    raise _unbound("suppose")


def leave_out(state: Any) -> bool:
    """Optional: for a search over beliefs: go on to the next turn where only hands would be filled; whether it did."""
    raise _unbound("leave_out")


def reveal(state: Any, seat: int, action: int) -> None:
    """Optional: make a redealt world fit a move of `seat` that was seen."""
    raise _unbound("reveal")


def strata_weights(state: Any, seat: int, out: Any) -> None:
    """Optional: weights of STRATA classes of worlds that `seat` cannot tell apart; by default one class holds all."""
    raise _unbound("strata_weights")


def redeal_stratum(state: Any, seat: int, stratum: int, rng: Any) -> None:
    """Optional: as `redeal`, among the worlds of one class."""
    raise _unbound("redeal_stratum")


def parts(state: Any, seat: int, out: Any) -> None:
    """Optional: add to out[part] how often a seat of a finished game played each of the PARTS, words of the game's.

    Three numbers a part: the times, how many of those were won, and the points that they brought.
    """
    raise _unbound("parts")


def win_shares(state: Any, seats: int, out: Any) -> None:
    """Derived by core: the share of the victory of each seat of a finished game."""
    raise _unbound("win_shares")


def outcome(state: Any, weights: Any) -> int:
    """Derived by core: what fate brings here; `weights` is scratch of length OUTCOMES."""
    raise _unbound("outcome")


def choose(state: Any, rng: Any, out: Any) -> int:
    """Derived by core: a uniform legal action, by `pick` or by a list in the scratch `out`."""
    raise _unbound("choose")


def play_out(state: Any, rng: Any, out: Any, weights: Any) -> int:
    """Derived by core: play to the end at random, in place; returns the moves made. `out`, `weights`: scratch."""
    raise _unbound("play_out")


def _unbound(name: str) -> ContractError:
    return ContractError(f"{name} is a stand-in: load this module through `specialise` with a game's functions")
