"""The contract: the functions and constants that a game's `rules.py` provides.

The functions below are stand-ins. A search, which is written once for all games, imports them so that readers, editors
and mypy know what is called. `specialise` (kernel.py) then loads the search once more for a game, with the game's own
functions under these names, and compiles that. A stand-in that is called raises: some module was not specialised.

Constants of a rules module:

    STATE        the NumPy record type of a state, its layout
    RANGES       the least and the most value of each field of a state (ranges.py)
    SEATS        the least and the most players
    ACTIONS      action codes are 0..ACTIONS-1
    MAX_ACTIONS  no state has more legal actions: buffers have this size, and kernels do not check bounds
    OUTCOMES     outcome codes of chance are 0..OUTCOMES-1; 0 in a game without chance

Every action, outcome, seat and count is an int64. `out` is always a buffer of the caller's, large enough, that the
function writes to. `rng` is a random stream (chance.py), advanced by each draw. A *world* is a state of which a seat
knows only some parts: states that a seat cannot tell apart form its information set.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.errors import ContractError

CHANCE = -1  # to_move: chance acts next
NOBODY = -2  # to_move: the game is over; as a seat: a spectator, who knows only what lies open
HIDDEN = -3  # seen: something happened here that the seat did not see

# The functions of a rules module, by whether it must have them.
REQUIRED = ("new_game", "to_move", "legal_actions", "apply", "redeal", "ranks", "score", "round_index", "check")
CHANCE_PAIR = ("chance_weights", "chance_key")  # required in a game with chance
OPTIONAL = (
    "seen",
    "is_setup",
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
    "role_results",
    "count_worlds",
)
CONSTANTS = ("STATE", "RANGES", "SEATS", "ACTIONS", "MAX_ACTIONS", "OUTCOMES")

# Stand-ins for a game's constants: `specialise` replaces them, and the values here only tell tools the types.
STATE = np.dtype((np.record, [("fate", np.int64)]))
ACTIONS = 1
MAX_ACTIONS = 1
OUTCOMES = 1
STRATA = 1  # how many classes a game divides worlds into, for stratified sampling; see strata_weights
HAS_PICK = False  # the game has a `pick` of its own, so that no list is needed for a random move
HAS_SETTLE = False  # the game has a `settle` of its own, quicker than one chance event after the other


def new_game(state: Any, seats: int, options: Any, fate: int) -> None:
    """Write the first position into `state`: every field, whatever it held before.

    `options` holds a number for each option of game.py, in the order in which they are declared there.
    """
    raise _unbound("new_game")


def to_move(state: Any) -> int:
    """The seat to move, `CHANCE` or `NOBODY`."""
    raise _unbound("to_move")


def legal_actions(state: Any, out: Any) -> int:
    """Write the codes of all legal actions to `out`, strictly ascending, and return how many there are.

    Called only where a seat is to move, and then never 0. Searches rely on the order: they merge the list with the
    sorted children of a node in one pass.
    """
    raise _unbound("legal_actions")


def chance_weights(state: Any, out: Any) -> None:
    """Write a whole-number weight for each outcome code, 0 where it is impossible; their sum is 1..2**31-1.

    An outcome's probability is its weight divided by that sum.
    """
    raise _unbound("chance_weights")


def chance_key(state: Any) -> int:
    """Return a number >= 0 that names this chance event (round 4, die 3), never the same twice in a match.

    The outcome is drawn by a hash of the state's fate and this key. Where the key names the event and not how many
    came before, the same fate brings the same dice whatever was played: common random numbers.
    """
    raise _unbound("chance_key")


def apply(state: Any, action: int) -> None:
    """Play an action, or an outcome where chance is to move, in place; the caller has checked that it is legal."""
    raise _unbound("apply")


def redeal(state: Any, seat: int, rng: Any) -> None:
    """Determinise: replace all that `seat` cannot know, `fate` included, by a random sample that fits what it knows.

    The sample is drawn from the seat's information set, each world with the probability that chance alone gives it.
    Nothing of the true world may show in it, since agents are handed redealt states.
    """
    raise _unbound("redeal")


def seen(state: Any, action: int, seat: int) -> int:
    """Return what `seat` sees of an action or outcome that is about to be applied: its code, or `HIDDEN`."""
    raise _unbound("seen")


def ranks(state: Any, out: Any) -> None:
    """Write each seat's place after all tie-breaks: 1 is best, seats that tie share a number (1, 1, 3)."""
    raise _unbound("ranks")


def score(state: Any, seat: int) -> int:
    """Return the game's own points of a seat, as far as everyone may see them."""
    raise _unbound("score")


def round_index(state: Any) -> int:
    """Return the round, as the booklet counts rounds, from 0."""
    raise _unbound("round_index")


def check(state: Any) -> int:
    """Return 0, or the number of the first invariant that does not hold: 1 for the first of the texts in CHECKS.

    Called for every position that comes from outside (a text, a record, bytes), after each field was held to its range
    in RANGES. So it may use a field as an index where the range makes that safe, and must refuse every position that
    other functions could not play on from.
    """
    raise _unbound("check")


def is_setup(state: Any) -> bool:
    """Optional: return whether the decision at hand sets the game up (a window chosen, workers placed) before play.

    Called only where a seat is to move. Measures of play count such decisions apart; by default there are none.
    """
    raise _unbound("is_setup")


def team(state: Any, seat: int) -> int:
    """Optional: return a number that partners share. A team wins as one; by default each seat is its own team."""
    raise _unbound("team")


def solo_share(state: Any) -> float:
    """Optional: return how good the result of a finished solo game is, from 0 (lost) to 1 (won)."""
    raise _unbound("solo_share")


def count_actions(state: Any) -> int:
    """Optional: return how many legal actions there are, quicker than by listing them."""
    raise _unbound("count_actions")


def is_legal(state: Any, action: int) -> bool:
    """Optional: return whether `action` is legal, quicker than by listing all; any number may be asked about."""
    raise _unbound("is_legal")


def pick(state: Any, rng: Any) -> int:
    """Optional: return a uniformly random legal action without listing all.

    It must be the very one at index draw(rng, n) of the list of n, so that games are the same with it and without.
    """
    raise _unbound("pick")


def settle(state: Any) -> None:
    """Optional: apply the outcomes that fate brings until a seat is to move or the game is over."""
    raise _unbound("settle")


def suppose_weights(state: Any, seat: int, out: Any) -> None:
    """Optional: write the weights of a belief node: how likely `seat` holds each of the BELIEFS hands; 0: impossible.

    With `suppose`, a search over beliefs (expectimax) averages over a rival's hidden hand as over a chance event.
    """
    raise _unbound("suppose_weights")


def suppose(state: Any, seat: int, code: int) -> None:
    """Optional: put the hand with this `code` of `suppose_weights` into the hands of `seat`."""
    raise _unbound("suppose")


def leave_out(state: Any) -> bool:
    """Optional: skip draws that only refill hands, for a search over beliefs. Return True if any were skipped."""
    raise _unbound("leave_out")


def reveal(state: Any, seat: int, action: int, rng: Any) -> None:
    """Optional: as `redeal`, from the worlds in which `action`, which `seat` is about to see, can happen.

    For games typed in from a real table, where a redealt world need not hold what comes next. A world is as likely as
    chance makes it and this event in it: a played card is any of the unseen cards of its kind, and so is a drawn one.
    Where the event can happen in no world it is as `redeal`. By default worlds are redealt until one fits.
    """
    raise _unbound("reveal")


def strata_weights(state: Any, seat: int, out: Any) -> None:
    """Optional: write how likely each of the STRATA classes of worlds is, given what `seat` knows.

    For stratified sampling: a search deals worlds from each class in proportion. By default one class holds all.
    """
    raise _unbound("strata_weights")


def redeal_stratum(state: Any, seat: int, stratum: int, rng: Any) -> None:
    """Optional: as `redeal`, from the worlds of one class only."""
    raise _unbound("redeal_stratum")


def role_results(state: Any, seat: int, out: Any) -> None:
    """Optional: add up how a seat of a finished game fared in each of the roles in ROLE_NAMES (miner, saboteur).

    out[role] has three numbers: how often the seat played the role, how often it won so, and the points that brought.
    """
    raise _unbound("role_results")


def count_worlds(state: Any, seat: int) -> float:
    """Optional: return how many worlds fit what `seat` knows, this one included; worlds that differ in fate are one.

    By default 1 in a game without secrets; elsewhere the number is estimated from redeals (world_count.py), and so it
    is where the answer is -1: here they would take too long to count.
    """
    raise _unbound("count_worlds")


def win_shares(state: Any, seats: int, out: Any) -> None:
    """Derived by core: write each seat's share of the victory of a finished game: 1 for a sole winner."""
    raise _unbound("win_shares")


def outcome(state: Any, weights: Any) -> int:
    """Derived by core: return the outcome that the state's fate brings here. `weights`: scratch of length OUTCOMES."""
    raise _unbound("outcome")


def choose(state: Any, rng: Any, out: Any) -> int:
    """Derived by core: return a uniformly random legal action, by `pick` or from a list made in the scratch `out`."""
    raise _unbound("choose")


def play_out(state: Any, rng: Any, out: Any, weights: Any) -> int:
    """Derived by core: play `state` to the end by random moves and return how many. `out`, `weights`: scratch."""
    raise _unbound("play_out")


def _unbound(name: str) -> ContractError:
    return ContractError(f"{name} is a stand-in: load this module through `specialise` with a game's functions")
