"""`Game` and `State`, by which Python uses a game's compiled rules.

A `Game` is rules with the number of seats and the options fixed. A `State` is immutable: to play a move gives a new
one. Both check what they are given, since the kernels below them check nothing and would read or write beyond arrays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.core import contract
from meeple.core.chance import Stream, event_fate, fate_for
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.definition import Definition, Facts, padded, require_sound
from meeple.core.kernel import specialise
from meeple.core.numbers import INT64, shortened, whole_number
from meeple.core.paint import Paint, plain
from meeple.core.picture import PLAIN_LOOK, Look, Path
from meeple.core.ranges import FATE, Range, all_ranges, outside
from meeple.core.spec import Spec
from meeple.core.speech import UNSEEN, Round, Sentence
from meeple.errors import (
    ConfigError,
    IllegalMoveError,
    NotationError,
    RecordError,
    UnsupportedGameError,
    brief,
)

Int64s = NDArray[np.int64]
VIEWS = 0x5EE5  # the stream that deals the canonical world of a seat begins here: see `State.key`
LONGEST_ERROR = 600  # letters of what a notation says of a text
LONGEST_TEXT = 10_000  # letters of a position; the longest that a game writes has some 2,000
_TAIL = re.compile(r"(?P<body>.*?)(?: fate=(?P<fate>\S+)| seat=(?P<seat>\S+))?", re.DOTALL)


def copied(states: NDArray[Any]) -> NDArray[Any]:
    """Return a copy of an array of states, made of its bytes: NumPy copies field by field, 50 times slower."""
    return np.frombuffer(bytearray(states.tobytes()), dtype=states.dtype)


class Game:
    """A game's rules for a number of seats and a choice of options; immutable, made by `load_game`.

    It keeps no buffers between calls. Agents hold the game too, and could read in a buffer what the last caller left
    there, such as the weights of a draw in the true world.
    """

    def __init__(self, definition: Definition, seats: int, words: dict[str, str]) -> None:
        require_sound(definition)
        least, most = definition.seats
        if not least <= seats <= most:
            raise ConfigError(f"{definition.name} is for {least} to {most} players, not {seats}")
        for option in definition.options:
            if not option.fits(seats, words[option.name]):
                counts = " or ".join(str(n) for n in option.players)
                raise ConfigError(
                    f"{option.name}={words[option.name]} of {definition.name} is for {counts} players: "
                    f"say players={option.players[0]}"
                )
        self.definition = definition
        self.name = definition.name
        self.facts: Facts = definition.facts
        self.seats = seats
        reason = definition.misfit(seats, words) if definition.misfit else ""
        if reason:
            raise ConfigError(f"{definition.name} cannot be played so: {reason}")
        self.options = dict(words)
        codes = [code for option in definition.options for code in option.codes(words[option.name])]
        self.option_codes = np.array(codes, dtype=np.int64)

    @property
    def spec(self) -> str:
        """The shortest text that names this game: players where there is a choice, options that are not the default."""
        return str(Spec(self.name, self._settings()))

    @property
    def origin(self) -> Spec:
        """The spec from which any process can load this game: as `spec`, with the folder where it is not installed."""
        return Spec(self.definition.folder or self.name, self._settings())

    def _settings(self) -> dict[str, str]:
        least, most = self.definition.seats
        chosen = {o.name: self.options[o.name] for o in self.definition.options if self.options[o.name] != o.default}
        return ({"players": str(self.seats)} if most > least else {}) | chosen

    def __repr__(self) -> str:
        return f"<Game {self.spec}>"

    # --- travelling: a pickle holds the origin, never the code; copies of what is immutable are itself

    def __reduce__(self) -> tuple[Any, ...]:
        from meeple.core.registry import load_pickled  # which imports this module

        origin = self.origin
        return load_pickled, (origin.name, tuple(origin.settings.items()), self.facts.version)

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    # --- compiled code

    @cached_property
    def functions(self) -> dict[str, Any]:
        """All names of the contract for this game: its own functions and constants, core's where it has none."""
        rules = self.definition.rules
        names = [*contract.REQUIRED, *contract.CHANCE_PAIR, *contract.OPTIONAL]
        own = {name: getattr(rules, name) for name in names if hasattr(rules, name)}
        bound: dict[str, Any] = {"HAS_PICK": "pick" in own, "HAS_SETTLE": "settle" in own}
        bound |= {name: int(getattr(rules, name)) for name in ("ACTIONS", "MAX_ACTIONS", "OUTCOMES")}
        bound["STRATA"] = int(getattr(rules, "STRATA", 1))
        bound["STATE"] = self.layout
        derived = specialise("meeple.core.derived", bound | own, name=self.name)
        bound |= {
            "seen": derived.open_seen,
            "is_setup": derived.never_setup,
            "team": derived.own_team,
            "strata_weights": derived.one_stratum,
            "redeal_stratum": derived.any_stratum,
            "reveal": derived.tried_reveal,
            "role_results": derived.no_role_results,
            "count_worlds": derived.uncounted_worlds if self.facts.hidden else derived.one_world,
            "count_actions": derived.listed_count,
            "is_legal": derived.listed_is_legal,
            "pick": derived.listed_pick,
            "choose": derived.choose,
            "play_out": derived.play_out,
            "win_shares": derived.solo_win_shares if "solo_share" in own else derived.win_shares,
        }
        if self.facts.chance:
            bound |= {"settle": derived.drawn_settle, "outcome": derived.outcome}
        else:
            bound |= {"settle": derived.no_settle, "outcome": derived.no_outcome}
            bound |= {"chance_weights": derived.no_chance_weights, "chance_key": derived.no_chance_key}
        # The derived functions call each other by the contract's names, which are still stand-ins in their module.
        inner = ("team", "pick", "outcome", "settle", "is_legal", "chance_weights")
        bound |= own
        derived.__dict__.update({name: bound[name] for name in inner} | own)
        return bound

    @property
    def role_names(self) -> tuple[str, ...]:
        """The roles that a seat may play, where the game names any: miner, saboteur."""
        return tuple(getattr(self.definition.rules, "ROLE_NAMES", ()))

    def specialise(self, source: str, **extra: Any) -> ModuleType:
        """The generic module `source` compiled for this game, with `extra` bound besides the contract."""
        return specialise(source, self.functions | extra, name=self.name)

    @cached_property
    def face(self) -> ModuleType:
        """The compiled functions in the form that Python calls: an array of states and an index."""
        return self.specialise("meeple.core.face")

    @cached_property
    def layout(self) -> np.dtype[Any]:
        """The NumPy type of a state: the game's own, padded to whole words."""
        return padded(self.definition.rules.STATE)

    def buffer(self, n: int) -> NDArray[Any]:
        """Return an array of `n` states, all zeros."""
        return np.zeros(n, dtype=self.layout)

    # --- states

    def new(self, *, seed: int = 0, fate: int | None = None, salt: bytes = b"") -> State:
        """The first position of the match with this seed and salt (or with this very fate)."""
        if fate is not None and not FATE[0] <= fate <= FATE[1]:
            raise ConfigError(f"fate={shortened(str(fate))} is not a number from 0 to {FATE[1]}")
        array = self.buffer(1)
        fate = fate_for(seed, salt=salt) if fate is None else fate
        self.face.new_game_at(array, 0, self.seats, self.option_codes, fate)
        return State(self, array)

    def read(self, text: str, rng: Stream | None = None) -> State:
        """The state that a position text names; a seat's view is filled by a redeal from `rng`.

        Raises:
            NotationError: the text does not parse, or what it says is no position of this game.
        """
        if len(text) > LONGEST_TEXT:
            raise NotationError(f"a position of {self.name} is no text of {len(text)} letters: {shortened(text)}")
        found = _TAIL.fullmatch(text.strip())
        assert found is not None
        fate, seat = self._read_fate(found["fate"]), self._read_seat(found["seat"])
        array = self.buffer(1)
        try:
            self.definition.notation.read(array[0], found["body"], self.seats, self.option_codes)
        except NotationError as fault:
            raise NotationError(shortened(str(fault), LONGEST_ERROR)) from fault
        except (ArithmeticError, LookupError, ValueError) as fault:  # a notation that does not say it better
            raise NotationError(f"'{shortened(text)}' is no position of {self.name}: {brief(fault)}") from fault
        if "fate" in (self.layout.names or ()):
            array["fate"] = fate
        wrong = self.fault_of(array)
        if wrong:
            raise NotationError(f"'{shortened(text)}' is no position of {self.name}: {wrong}")
        state = State(self, array)
        return state if seat is None else state.redealt(seat, rng or Stream(0))

    def draft(self, text: str) -> State:
        """What a position text says, to be drawn while it is edited: it need be no position that a game comes to.

        Raises:
            NotationError: the text does not parse.
        """
        found = _TAIL.fullmatch(text.strip()[:LONGEST_TEXT])
        assert found is not None
        notation, array = self.definition.notation, self.buffer(1)
        try:
            getattr(notation, "draft", notation.read)(array[0], found["body"], self.seats, self.option_codes)
        except (NotationError, ArithmeticError, LookupError, ValueError) as fault:
            raise NotationError(f"'{shortened(text)}' is no position of {self.name}: {brief(fault)}") from fault
        return State(self, array)

    def _read_fate(self, text: str | None) -> int:
        fate = 0 if text is None else whole_number(text, *FATE)
        if fate is None:
            raise NotationError(f"fate={shortened(str(text))} is not a number from {FATE[0]} to {FATE[1]}")
        return fate

    def _read_seat(self, text: str | None) -> int | None:
        """The seat whose view a text is; None where it is the whole world."""
        if text is None or text == "spectator":
            return None if text is None else NOBODY
        seat = whole_number(text, 1, self.seats)
        if seat is None:
            raise NotationError(f"seat={shortened(text)} is neither a seat from 1 to {self.seats} nor 'spectator'")
        return seat - 1

    def from_bytes(self, data: bytes) -> State:
        """The state that `State.to_bytes` wrote.

        Raises:
            RecordError: the bytes are no state of this game.
        """
        if len(data) != self.layout.itemsize:
            raise RecordError(f"a state of {self.name} has {self.layout.itemsize} bytes, not {len(data)}")
        array = np.frombuffer(bytearray(data), dtype=self.layout)
        wrong = self.fault_of(array)
        if wrong:
            raise RecordError(f"these bytes are no state of {self.name}: {wrong}")
        return State(self, array)

    # --- many games at once; named as texts, since an import here would be compiled into whatever names a Game

    def batch(self, n: int, *, seed: int = 0, threads: int | None = None) -> Any:
        """Return a `Batch` of `n` games, of the seeds from `seed` on, to be stepped side by side (core/batch.py).

        Compiled code does the work on so many `threads`, by default one for each core that this process may use.
        """
        return import_module("meeple.core.batch").Batch(self, n, seed=seed, threads=threads)

    def playouts(self, n: int, policy: Any = "random", *, seed: int = 0, threads: int | None = None) -> Any:
        """Play `n` whole games, all seats by one policy, and return how they ended: `Games` (arena/collect.py).

        `policy` is the name of one of the game's policies or, where it has none of that name, an agent: `random`.
        """
        return import_module("meeple.arena.collect").playouts(self, n, policy, seed=seed, threads=threads)

    def collect(
        self,
        n: int,
        agents: Any = "random",
        *,
        observations: str = "",
        seed: int = 0,
        threads: int | None = None,
    ) -> Any:
        """Play `n` whole games and return a row for each decision: `Rows` of arrays (arena/collect.py).

        `agents` is an agent or its spec for all seats, or a list with one for each. With `observations`, the name of
        one or `default`, each row also holds what its mover saw, as numbers (core/observe.py).
        """
        work = import_module("meeple.arena.collect").collect
        return work(self, n, agents, observations=observations, seed=seed, threads=threads)

    @cached_property
    def ranges(self) -> dict[str, Range]:
        """The range of every field of a state."""
        return all_ranges(self.layout, self.definition.rules.RANGES)

    @cached_property
    def first(self) -> NDArray[Any]:
        """A first position: what a field that is `KEPT` (ranges.py) must hold all through a match."""
        return self.new(fate=0).array

    def fault_of(self, array: NDArray[Any]) -> str:
        """Say why the state in `array`, which came from outside, cannot be played on from; '' where it can.

        The order makes it safe: fields are compared with their ranges before any kernel sees them, `check` is the only
        kernel that sees a state not yet checked, and only then are the others asked whose turn it is.
        """
        wrong = outside(array, self.ranges, self.first)
        if wrong:
            return wrong
        broken = int(self.face.check_at(array, 0))
        if broken:
            return self.check_name(broken)
        state = State(self, array)
        mover = state.to_move
        if mover not in (CHANCE, NOBODY, *range(self.seats)):
            return f"seat {mover + 1} is to move at a table of {self.seats}"
        if mover != NOBODY and not state.offer():
            return "chance has nothing to bring" if mover == CHANCE else f"seat {mover + 1} is to move and has no move"
        return ""

    def check_name(self, broken: int) -> str:
        """The invariant that `check` named by a number."""
        names: Sequence[str] = getattr(self.definition.rules, "CHECKS", ())
        return names[broken - 1] if 0 < broken <= len(names) else f"check {broken} does not hold"


class RoleResult(NamedTuple):
    """How a seat fared in a role: how often it played it, how often it won, and the points that brought."""

    times: int
    wins: int
    points: int


class State:
    """The whole world of a match at one moment, hidden parts included; a value, never changed once made."""

    __slots__ = ("array", "game")

    def __init__(self, game: Game, array: NDArray[Any]) -> None:
        self.game = game
        self.array = array  # of one record

    @property
    def record(self) -> Any:
        """The fields by name: `state.record.workers[0]`."""
        return self.array[0]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State) or self.to_bytes() != other.to_bytes():
            return False
        return self.game is other.game or self.game.spec == other.game.spec

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def to_bytes(self) -> bytes:
        """The record as bytes: equal states of one game have equal bytes."""
        return bytes(self.array.tobytes())

    # --- whose turn, and what may be played

    @property
    def to_move(self) -> int:
        """The seat to move, `CHANCE` or `NOBODY`."""
        return int(self.game.face.to_move_at(self.array, 0))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.to_move == NOBODY

    def legal_actions(self) -> Int64s:
        """The codes on offer to the seat to move, ascending; none where chance acts or the game is over."""
        if self.to_move < 0:
            return np.empty(0, dtype=np.int64)
        out = np.empty(int(self.game.definition.rules.MAX_ACTIONS), dtype=np.int64)
        n = self.game.face.legal_actions_at(self.array, 0, out)
        return out[:n]

    def legal_moves(self) -> list[str]:
        """The same as texts."""
        return [self.move_text(action) for action in self.legal_actions()]

    def outcomes(self) -> dict[int, int]:
        """What chance may do here: code and weight of each possible outcome."""
        if self.to_move != CHANCE:
            return {}
        weights = np.empty(int(self.game.definition.rules.OUTCOMES), dtype=np.int64)
        self.game.face.chance_weights_at(self.array, 0, weights)
        return {code: int(weight) for code, weight in enumerate(weights) if weight > 0}

    def offer(self) -> list[int]:
        """All codes that may be played here: legal actions, or possible outcomes where chance acts."""
        return list(self.outcomes()) if self.to_move == CHANCE else [int(action) for action in self.legal_actions()]

    def fated_outcome(self) -> int:
        """What this state's fate brings."""
        assert self.to_move == CHANCE
        weights = np.empty(int(self.game.definition.rules.OUTCOMES), dtype=np.int64)
        return int(self.game.face.outcome_at(self.array, 0, weights))

    def salted(self, seed: int, salt: bytes) -> State:
        """Return this state with the fate that a salted match has for the next chance event; itself elsewhere."""
        if self.to_move != CHANCE:
            return self
        twin, key = self.copy(), int(self.game.face.chance_key_at(self.array, 0))
        twin.array["fate"] = event_fate(key, seed=seed, salt=salt)
        return twin

    # --- playing

    def play(self, move: int | str) -> State:
        """The state after a move, or after an outcome where chance acts; raises where it is not on offer."""
        return self.after(self.read_move(move) if isinstance(move, str) else self.require(int(move)))

    def after(self, action: int) -> State:
        """The state after a code that is known to be on offer: nothing is checked."""
        array = copied(self.array)
        self.game.face.apply_at(array, 0, int(action))
        return State(self.game, array)

    def settled(self) -> State:
        """The state at the next decision, or at the end, as fate brings it."""
        array = copied(self.array)
        self.game.face.settle_at(array, 0)
        return State(self.game, array)

    def redealt(self, seat: int, rng: Stream, *, stratum: int | None = None) -> State:
        """Return a random world from the information set of `seat`: it keeps what the seat knows, and nothing else.

        With `stratum` it is drawn from that class only, where the game names classes of worlds.
        """
        self._require_seat(seat)
        array = copied(self.array)
        if stratum is None:
            self.game.face.redeal_at(array, 0, seat, rng.array)
        elif not 0 <= stratum < self.game.functions["STRATA"]:
            raise ConfigError(f"{self.game.name} has {self.game.functions['STRATA']} classes of worlds, none {stratum}")
        else:
            self.game.face.redeal_stratum_at(array, 0, seat, stratum, rng.array)
        return State(self.game, array)

    def revealed(self, seat: int, action: int, rng: Stream) -> State:
        """Return a random world from the information set of `seat` in which `action`, which it sees next, can happen.

        Raises:
            IllegalMoveError: it can happen in none.
        """
        self._require_seat(seat)
        rules, mover = self.game.definition.rules, self.to_move
        if mover != NOBODY and 0 <= action < int(rules.OUTCOMES if mover == CHANCE else rules.ACTIONS):
            array = copied(self.array)
            self.game.face.reveal_at(array, 0, seat, int(action), rng.array)
            world = State(self.game, array)
            if world.can_happen(action):
                return world
        raise IllegalMoveError(f"code {action} can come next in no world of {self.game.name} that fits what is known")

    def counted_worlds(self, seat: int) -> float | None:
        """How many worlds fit what `seat` knows, fate aside; None where the game cannot tell (world_count.py)."""
        self._require_seat(seat)
        found = float(self.game.face.count_worlds_at(self.array, 0, seat))
        return None if found < 0 else found

    def strata(self, seat: int) -> dict[int, int]:
        """The classes of worlds that fit what `seat` knows, with their weights; one where the game names none."""
        self._require_seat(seat)
        weights = np.zeros(int(self.game.functions["STRATA"]), dtype=np.int64)
        self.game.face.strata_weights_at(self.array, 0, seat, weights)
        return {code: int(weight) for code, weight in enumerate(weights) if weight}

    def seen(self, action: int, seat: int) -> int:
        """`action`, about to be played here, as `seat` sees it: itself or `HIDDEN`."""
        self._require_seat(seat)
        rules = self.game.definition.rules
        if not 0 <= action < max(int(rules.ACTIONS), int(rules.OUTCOMES)):
            raise IllegalMoveError(f"{action} is no code of {self.game.name}")
        return int(self.game.face.seen_at(self.array, 0, int(action), seat))

    def key(self, seat: int) -> bytes:
        """Bytes that name what `seat` knows: the same in all worlds that it cannot tell apart, others elsewhere.

        They are a world dealt for the seat by a fixed stream. NOBODY is a spectator.
        """
        return self.redealt(seat, Stream(VIEWS)).to_bytes()

    def observation(self, seat: int | None = None, features: str = "default") -> NDArray[np.float32]:
        """What `seat` sees as numbers, the seat to move by default: the game's features of this name, or `fields`.

        They hold nothing that the seat cannot know, and are the same in all worlds that it cannot tell apart. See
        core/observe.py for what they are.
        """
        observe = import_module("meeple.core.observe").observe
        found: NDArray[np.float32] = observe(self.game, self.array, self._looking(seat), features)
        return found

    def evaluate(self, name: str = "default", seat: int | None = None) -> float:
        """What one of the game's evaluations (`NAME`, `NAME@FILE` or `model@FILE`) thinks of this very world.

        The expected returns of `seat`, the seat to move by default; those that it has where the game is over. What
        the seat does not know counts too: `redealt` first gives a world that it might be in.
        """
        found = import_module("meeple.core.heuristics").find_heuristic(self.game, "EVALUATIONS", name)
        looking = self._looking(seat)
        if self.is_over:
            return self.returns()[looking]
        return float(found(self.copy().record, np.int64(looking)))

    def _looking(self, seat: int | None) -> int:
        """The seat that looks at this state: one that is named, else the one to move."""
        if seat is None:
            if self.to_move < 0:
                raise ConfigError(f"no seat is to move in this position of {self.game.spec}: say which seat looks")
            return self.to_move
        self._require_seat(seat, least=0)
        return seat

    def handed(self, seat: int, words: NDArray[np.uint64], ply: int) -> tuple[State, Stream]:
        """Redeal for `seat` and derive its agent's stream, both from (seed, seat, spec, ply)."""
        array, rng = np.empty(1, dtype=self.game.layout), Stream.__new__(Stream)
        rng.array = np.empty(1, dtype=np.uint64)
        self.game.face.hand_over(self.array, array, seat, words, ply, rng.array)
        return State(self.game, array), rng

    def copy(self) -> State:
        """The same state in memory of its own."""
        return State(self.game, copied(self.array))

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game and the bytes, the hidden ones too; they are checked when they are read again."""
        return Game.from_bytes, (self.game, self.to_bytes())

    def allows(self, action: int) -> bool:
        """Whether a seat is to move and `action` is on offer to it."""
        return INT64[0] <= action <= INT64[1] and bool(self.game.face.allows_at(self.array, 0, action))

    def can_happen(self, code: int) -> bool:
        """Whether a move is on offer to a seat here, or an outcome to chance."""
        return code in self.outcomes() if self.to_move == CHANCE else self.allows(code)

    def require(self, action: int) -> int:
        """`action`, if it is on offer here."""
        if action not in self.offer():
            raise IllegalMoveError(f"action {action} is not on offer in {self.game.name}; {self._offer_text()}")
        return action

    def _require_seat(self, seat: int, least: int = NOBODY) -> None:
        """Refuse a seat that is not at this table; with `least` 0 the spectator too. Kernels index by it."""
        if not (0 <= seat < self.game.seats or seat == least):
            raise ConfigError(f"there is no seat {seat} at a table of {self.game.seats}, counted from 0")

    @property
    def is_setup(self) -> bool:
        """Whether the decision at hand sets the game up, before play; see the contract."""
        return self.to_move >= 0 and bool(self.game.face.is_setup_at(self.array, 0))

    # --- results

    def ranks(self) -> list[int]:
        """Each seat's place; after the end, with all tie-breaks."""
        out = np.zeros(self.game.seats, dtype=np.int64)
        self.game.face.ranks_at(self.array, 0, out)
        return [int(place) for place in out]

    def win_shares(self) -> list[float]:
        """Each seat's share of the victory, 0 to 1, of a finished game."""
        out = np.zeros(self.game.seats, dtype=np.float64)
        self.game.face.win_shares_at(self.array, 0, self.game.seats, out)
        return [float(share) for share in out]

    def returns(self) -> list[float]:
        """`2w - 1` for each seat's win share w."""
        return [2 * share - 1 for share in self.win_shares()]

    def score(self, seat: int) -> int:
        """The game's own points of a seat, as far as they lie open."""
        self._require_seat(seat, least=0)
        return int(self.game.face.score_at(self.array, 0, seat))

    def role_results(self, seat: int) -> dict[str, RoleResult]:
        """How a seat of a finished game fared in each role that the game names."""
        self._require_seat(seat, least=0)
        names = self.game.role_names
        out = np.zeros((len(names), 3), dtype=np.int64)
        self.game.face.role_results_at(self.array, 0, seat, out)
        return {name: RoleResult(*row) for name, row in zip(names, out.tolist(), strict=True)}

    @property
    def round_index(self) -> int:
        """The booklet's round, from 0."""
        return int(self.game.face.round_index_at(self.array, 0))

    # --- texts

    def text(self, seat: int | None = None) -> str:
        """The position as text: of the whole world, or with `?` for what `seat` may not know."""
        body = str(self.game.definition.notation.write(self.record, seat))
        if seat is None:
            return f"{body} fate={int(self.record.fate)}" if self.game.facts.chance else body
        if not (self.game.facts.chance or self.game.facts.hidden):
            return body
        return f"{body} seat={'spectator' if seat == NOBODY else seat + 1}"

    def move_text(self, action: int) -> str:
        """A move or an outcome as text."""
        notation = self.game.definition.notation
        write = notation.outcome_text if self.to_move == CHANCE else notation.move_text
        return str(write(self.record, int(action)))

    def spoken(self, code: int) -> Sentence:
        """A move or an outcome in words; in notation where the game has no `speech`."""
        speech, mover = self.game.definition.speech, self.to_move
        if mover == CHANCE:
            text = speech.spoken_outcome(self.record, int(code)) if speech is not None else self.move_text(code)
            return text if isinstance(text, Sentence) else Sentence(str(text))
        text = speech.spoken(self.record, int(code)) if speech is not None else f"*play* {self.move_text(code)}"
        return Sentence(str(text), mover)

    def unseen(self) -> Sentence:
        """What to say of the mover's move to a seat that does not see it."""
        tell = getattr(self.game.definition.speech, "unseen", None)
        return Sentence(str(tell(self.record)) if tell is not None else UNSEEN, self.to_move)

    def heading(self) -> str:
        """What chance is doing here, in a few words."""
        tell = getattr(self.game.definition.speech, "heading", None)
        return str(tell(self.record)) if tell is not None else "Chance"

    def ending(self) -> list[Sentence]:
        """Why a finished game ended, as far as the game has words for it."""
        tell = getattr(self.game.definition.speech, "ending", None)
        return list(tell(self.record)) if tell is not None else []

    def rounds(self, seat: int | None = None) -> list[Round]:
        """The rounds that are over, as far as `seat` may know, in a game that tells of them; None sees all."""
        tell = getattr(self.game.definition.speech, "rounds", None)
        return list(tell(self.record, seat)) if tell is not None else []

    def read_move(self, text: str, offer: Sequence[int] | None = None) -> int:
        """The code of a move or an outcome on offer; case and spaces do not matter, a unique beginning is enough.

        `offer` is what may be meant, where that is more than what this world allows.
        """
        texts = {_plain(self.move_text(action)): action for action in (self.offer() if offer is None else offer)}
        notation = self.game.definition.notation
        wanted = _plain(notation.tidy(text) if hasattr(notation, "tidy") else text)
        if wanted in texts:
            return texts[wanted]
        near = [found for found in texts if wanted and found.startswith(wanted)]
        if len(near) == 1:
            return texts[near[0]]
        if len(near) > 1:
            originals = [self.move_text(texts[found]) for found in near]
            raise NotationError(f"'{shortened(text)}' could be {_some(originals)}: say which")
        if self.to_move != CHANCE and not re.fullmatch(notation.MOVE_PATTERN, text.strip(), re.IGNORECASE):
            example = f"a move reads like {notation.MOVE_EXAMPLE}"
            raise NotationError(f"'{shortened(text)}' is no move of {self.game.name}; {example}")
        raise IllegalMoveError(f"'{shortened(text)}' is not on offer here; {self._offer_text(text)}")

    def board(self, seat: int | None = None, paint: Paint = plain) -> str:
        """The position as a picture in text, as `seat` sees it; the whole world where no seat is given."""
        return str(self.game.definition.view.board(self.record, seat, paint))

    def _offer_text(self, near: str = "") -> str:
        """What is on offer, in a few words: those that begin most like `near` first."""
        if self.to_move == NOBODY:
            return "the game is over"
        texts = [self.move_text(action) for action in self.offer()]
        texts.sort(key=lambda text: -_shared(_plain(text), _plain(near)))
        return f"legal: {_some(texts)}"

    def __str__(self) -> str:
        return self.board()

    def __repr__(self) -> str:
        return f"<State of {self.game.spec}: {self.text()}>"

    def picture(self, seat: int | None = None, look: Look = PLAIN_LOOK) -> str:
        """The position as SVG, as `seat` sees it; raises UnsupportedGameError where the game draws none."""
        if self.game.definition.picture is None:
            raise UnsupportedGameError(f"{self.game.name} draws no picture: it has no module `picture`")
        return str(self.game.definition.picture.draw(self.record, seat, look))

    def paths(self, action: int) -> list[Path]:
        """The ways to click `action` on the picture: each a row of targets."""
        picture = self.game.definition.picture
        return list(picture.paths(self.record, int(action))) if picture is not None else []

    def _repr_svg_(self) -> str | None:
        return self.picture() if self.game.definition.picture is not None else None

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self) if cycle else self.board())


def _plain(text: str) -> str:
    return "".join(text.split()).casefold()


def _shared(one: str, other: str) -> int:
    """How many letters two texts share at their beginning."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _some(texts: Sequence[str], most: int = 12) -> str:
    shown = "  ".join(texts[:most])
    return shown if len(texts) <= most else f"{shown}  and {len(texts) - most} more"
