"""What a game knows beyond its rules: evaluations, orderings and the like, compiled, chosen by name.

A game's `heuristics.py` holds tables of them by name, the first of each the default:

    EVALUATIONS   evaluate(state, seat) -> float   expected returns of `seat`, within a declared range in [-1, 1]
    ORDERINGS     priority(state, action) -> int   larger is tried earlier; less than ORDER_LIMIT either way
    NOISY         noisy_actions(state, out) -> n   the moves that a quiet position does not have, ascending
    FILTERS       keep(state, actions, n) -> n     keeps a part of the ascending list, in place, at least one move
    FINGERPRINTS  fingerprint(state) -> int        positions with equal ones count as one in a table of positions
    BELIEFS       weights(state, seat, out)        other weights for `suppose` than the rules' own
    INFERENCES    infer(states, seen, seat, rng, out)
                                                   weights of the rules' STRATA after the match as `seat` saw it: a code
                                                   or HIDDEN an event; states[0] is a world of its, two are scratch
    BIASES        bias(state, action) -> float     how much a search should favour a move before it knows better; within
                                                   a declared range
    PLAYOUTS      policy(state, rng, out) -> int   an action for a rollout; `out` is scratch for a list
    REWARDS       reward(state, seat, share) -> float
                                                   what a finished game is worth to `seat`, which has this win
                                                   share, to steer a tree search; in 0..1
    METRICS       count(state, seat) -> int        what a seat has of something besides its score, to measure what moves
                                                   gain: points of all colours, tiles on the wall

Evaluations, biases and policies may declare `parameters` (core/parameters.py): each of their functions then takes one
argument more, the last, and other weights need no compile (`evaluation=NAME@FILE`).

The evaluation `model` stands in every game that has features (core/features.py): `model@FILE` or `model@NAME` asks a
trained function (meeple/models). In the place of a policy the same words mean the move that its policy head likes best.

Another evaluation than the first is the default where `heuristics.py` names it: `DEFAULT_EVALUATION = "model@NAME"`.

`meeple check` holds each of them to the laws of heuristics (core/conformance/heuristic_laws.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from meeple.core.kernel import kernel
from meeple.core.numbers import shortened
from meeple.core.parameters import Parameters, read_weights
from meeple.errors import ConfigError, did_you_mean

if TYPE_CHECKING:
    from meeple.core.game import Game

KINDS = (
    "EVALUATIONS",
    "ORDERINGS",
    "NOISY",
    "FILTERS",
    "FINGERPRINTS",
    "BELIEFS",
    "INFERENCES",
    "BIASES",
    "PLAYOUTS",
    "REWARDS",
    "METRICS",
)
MODEL = "model"  # the evaluation, or the policy, that asks a trained function: `model@FILE`
MODELS = "meeple.models.evaluation"  # where it is made; named, since core stands below it
DEFAULT_EVALUATION = "DEFAULT_EVALUATION"  # what a game's `heuristics.py` may say besides its tables
CODE = ".py:"  # in the text that names a function in a file: an evaluation that `model` asks
MADE_OF_MODELS = {"EVALUATIONS": "evaluation_of", "PLAYOUTS": "policy_of"}  # the function there, by kind
ORDER_LIMIT = 1 << 24  # alpha-beta puts what it has learnt itself above every ordering (`promise` there)


@dataclass(frozen=True, eq=False)
class Heuristic:
    """A compiled function with its meaning; an evaluation and a bias declare their range.

    With `parameters` all functions named here take them as their last argument, `given()`. The range holds for all
    weights that the declaration allows.

    `reads_hidden`: the answer may depend on what the seat to move (or, of an evaluation, the seat asked about) cannot
    know. Such a heuristic means something only in worlds that were redealt for the searching seat. Agents are handed
    no other, and deal more by themselves.

    An evaluation may bring `bound(state, seat, plies) -> float`: no line of so many more decisions can give
    `seat` a higher value, finished games included. Expectimax prunes by it. It may also bring, for each of the game's
    filters by name ("none" among them), `best(state, seat) -> action`: the first of the moves left by that filter after
    which the evaluation is best for `seat`, the one to move; -1 where it cannot tell. And `replies(state, seat, plies,
    weights, out) -> bool`, where a rival of `seat` is to move and plays its own best: write, for each code of
    `suppose` that has a weight, the value for `seat` after so many more decisions; False where it cannot tell.

    With `after`, two functions, it may spare alpha-beta the last moves: `standing(state, seat)` gives two numbers that
    all moves from here have in common, `after(state, seat, action, *standing)` the value after a move and what chance
    brings next, exactly; NaN where the move must be played to know. It leaves the state as it was. PUCT
    values all moves of a position. Where there is `after_all(state, seat, actions, n, values)` too, as models have it,
    PUCT asks that: it writes the same number for each of the first `n` actions. Alpha-beta asks
    `after_until(state, seat, actions, first, n, values, low, high)` once `standing` was asked: it writes the same
    numbers from actions[first] on, up to one that is not within (low, high), and returns where the next action stands.

    A policy may name in `considers` the filter of the game's that leaves the moves among which it chooses; without it
    it looks at all.

    With `policy`, two functions, it tells a tree search which moves to try: `look(state, seat)` reads a position for
    the seat to move and returns its value, then `liking(state, action)` is a move's logit there.
    """

    function: Any
    help: str
    low: float = -1.0
    high: float = 1.0
    bound: Any = None
    best: dict[str, Any] | None = None
    replies: dict[str, Any] | None = None
    after: tuple[Any, Any] | None = None
    after_all: Any = None
    after_until: Any = None
    reads_hidden: bool = False
    policy: tuple[Any, Any] | None = None
    parameters: Parameters | None = None
    considers: str = ""
    weighed: Any = None  # the parameters by other weights than the defaults; see `with_weights`

    def given(self) -> tuple[Any, ...]:
        """What each function takes after its other arguments: nothing, or the parameters.

        Asked once for each thread, which may not share the scratch in them with another.
        """
        if self.parameters is None:
            return ()
        return (self.parameters.of_thread(self.parameters.usual if self.weighed is None else self.weighed),)

    def with_weights(self, values: Mapping[str, object]) -> Heuristic:
        """The same heuristic by other weights; those not named have their defaults. Nothing is compiled for it.

        Raises:
            ConfigError: it takes none, or not these.
        """
        if self.parameters is None:
            raise ConfigError("it takes no weights")
        return replace(self, weighed=self.parameters.made_of(values))

    def __call__(self, *arguments: Any) -> Any:
        """Ask the function from Python."""
        return self.function(*arguments, *self.given())


@kernel
def no_evaluation(state, seat):
    """The evaluation `none`: 0 for every position that is not finished."""
    return 0.0


@kernel
def no_ordering(state, action):
    """The ordering `none`: all moves are alike."""
    return 0


@kernel
def no_filter(state, actions, n):
    """The filter `none`: keep every move."""
    return n


@kernel
def no_fingerprint(state):
    """The fingerprint `none`, never called: the transposition table then tells positions apart by all their bytes."""
    return 0


@kernel
def no_bound(state, seat, plies, *given):
    """`bound` of an evaluation that has none: no value is above a win."""
    return 1.0


@kernel
def no_best(state, seat, *given):
    """`best` of an evaluation that has none: the search plays the moves and evaluates each."""
    return -1


@kernel
def no_replies(state, seat, plies, weights, out, *given):
    """`replies` of an evaluation that has none: the search plays them out."""
    return False


@kernel
def no_standing(state, seat, *given):
    """`standing` of an evaluation without one: nothing is shared by the values of a position's moves."""
    return 0.0, 0.0


@kernel
def no_after(state, seat, action, first, second, *given):
    """`after` of an evaluation that has none: NaN asks the search to play the move."""
    return np.nan


@kernel
def no_after_until(state, seat, actions, first, n, values, low, high, *given):
    """`after_until` of an evaluation that has none: never called."""
    return first


@kernel
def no_bias(state, action):
    """The bias `none`: no move is favoured."""
    return 0.0


@kernel
def no_inference(states, seen, seat, rng, out):
    """A stand-in, never called: without an inference classes of worlds are as likely as chance makes them."""


@kernel
def no_reward(state, seat, share):
    """The win share."""
    return share


@kernel
def no_noise(state, out):
    """The noisy moves `none`: every position is quiet, and quiescence search ends at once."""
    return 0


NONE = {
    "EVALUATIONS": Heuristic(no_evaluation, "knows nothing but finished games", 0.0, 0.0),
    "ORDERINGS": Heuristic(no_ordering, "all moves alike"),
    "FILTERS": Heuristic(no_filter, "every move is worth a look"),
    "FINGERPRINTS": Heuristic(no_fingerprint, "positions are told apart by all their bytes"),
    "BIASES": Heuristic(no_bias, "no move is favoured"),
    "NOISY": Heuristic(no_noise, "every position counts as quiet"),
}


def kind_word(kind: str) -> str:
    """One heuristic of a kind in a sentence: `evaluation` for EVALUATIONS."""
    return "bias" if kind == "BIASES" else kind.lower().removesuffix("s")


def heuristics_of(game: Game, kind: str) -> dict[str, Heuristic]:
    """All that `game` offers of a kind, by name, and `none`."""
    own: dict[str, Heuristic] = getattr(game.definition.heuristics, kind, {})
    return own | ({"none": NONE[kind]} if kind in NONE else {})


def first_evaluation(game: Game) -> str:
    """The first evaluation in the game's table, `none` where it has no other: whatever the default, it is no model."""
    return next(iter(heuristics_of(game, "EVALUATIONS")))


def default_name(game: Game, kind: str) -> str:
    """The name that `default` stands for: the evaluation that the game declares, else the first of the kind, or ''.

    A model that cannot tell values for so many seats is not the default: there it is the first evaluation.
    """
    declared: str = getattr(game.definition.heuristics, DEFAULT_EVALUATION, "") if kind == "EVALUATIONS" else ""
    name, _, file = declared.partition("@")
    if name == MODEL and not import_module(MODELS).fits_seats(game, file):
        declared = ""
    return declared or next(iter(heuristics_of(game, kind)), "")


def find_heuristic(game: Game, kind: str, name: str | Heuristic) -> Heuristic:
    """The one of this name; `default` is what `default_name` says; `NAME@FILE` has its weights from a file.

    A heuristic in the place of its name is taken as it is: that is how weights come from Python (`with_weights`).
    """
    if isinstance(name, Heuristic):
        return name
    name = _meant(game, kind, in_full(name) if kind == "EVALUATIONS" else name)
    name, _, file = name.partition("@")
    if name == MODEL and kind in MADE_OF_MODELS:
        made: Heuristic = getattr(import_module(MODELS), MADE_OF_MODELS[kind])(game, file)
        return made
    known = heuristics_of(game, kind)
    word = kind_word(kind)
    if name not in known:
        raise ConfigError(f"{game.name} has no {word} '{name}'; {did_you_mean(name, known)}")
    if not file:
        return known[name]
    who = f"the {word} '{name}' of {game.name}"
    if known[name].parameters is None:
        raise ConfigError(f"{who} takes no weights, so '{shortened(file)}' cannot set any")
    try:
        stat = Path(file).stat()
        return _from_file(known[name], file, str(Path(file).resolve()), stat.st_mtime_ns, stat.st_size)
    except OSError as fault:
        raise ConfigError(f"the weights in '{shortened(file)}' cannot be read: {shortened(str(fault), 200)}") from None
    except ConfigError as fault:
        raise ConfigError(f"{fault} ({who}, weights in '{shortened(file)}')") from None


def in_full(name: str) -> str:
    """An evaluation's name: `model@FILE.py:FUNCTION` for a mere `FILE.py:FUNCTION`; all other names as they are."""
    return f"{MODEL}@{name}" if CODE in name and "@" not in name else name


def _meant(game: Game, kind: str, name: str) -> str:
    """The name with `default` replaced; weights of a file come after an evaluation that takes them."""
    word, at, file = name.partition("@")
    default = default_name(game, kind) if word == "default" else ""
    if at and "@" in default:
        known = ", ".join(key for key, each in heuristics_of(game, kind).items() if each.parameters is not None)
        mend = f"name one that does: {known}" if known else "none of its evaluations does"
        raise ConfigError(f"{game.name}'s {default} takes no weights, so '{shortened(file)}' cannot set any; {mend}")
    return f"{default}{at}{file}" if default else name


@lru_cache(maxsize=64)
def _from_file(heuristic: Heuristic, file: str, _path: str, _modified: int, _size: int) -> Heuristic:
    """The heuristic by the weights of a file, which is read again only where it has changed."""
    return heuristic.with_weights(read_weights(file))
