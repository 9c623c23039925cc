"""The walk: random matches of every variant, each state and event put to each law."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

import numba
import numpy as np

from meeple.core.chance import Stream, rng_for
from meeple.core.conformance.asked import Asked, positions
from meeple.core.conformance.heuristic_laws import HEURISTIC_LAWS
from meeple.core.conformance.law import When
from meeple.core.conformance.laws import LAWS, NOT_HERE, Law
from meeple.core.conformance.matches import Traces
from meeple.core.conformance.probe import Probe
from meeple.core.conformance.trace import BROKE, MARK, Answers, answers_at, trace
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.definition import Definition
from meeple.core.game import Game
from meeple.core.registry import find_definition, load_game
from meeple.core.spec import Spec, parse_spec
from meeple.errors import brief

INTERPRETED = bool(numba.config.DISABLE_JIT)
CLOSE_DECISIONS, CLOSE_DRAWS = 3, 1  # states of each match that are looked at closely, besides its end
HEURISTIC_MATCHES = 5  # after one of so many matches of a variant the heuristics have theirs
TRACED = 10  # of so many matches of a variant one is held to interpreted play


@dataclass(frozen=True)
class Breach:
    """A law that does not hold: where, and what was seen."""

    law: str
    game: str  # the spec, with the variant
    message: str
    seed: int | None = None
    event: int | None = None  # number of events before
    move: str = ""
    cause: str = ""  # what was raised, where a law is broken because something was

    def __str__(self) -> str:
        place = "" if self.seed is None else f", seed {self.seed}"
        place += "" if self.event is None else f", event {self.event}"
        place += f" ({self.move})" if self.move else ""
        return f"{self.law}: {self.message}  [{self.game}{place}]"


@dataclass
class Report:
    """What a check found: how often each law was put to the test, and the first breach of each."""

    game: str
    matches: int = 0
    tested: dict[str, int] = field(default_factory=dict)
    breaches: dict[str, Breach] = field(default_factory=dict)
    has_secrets: bool = False

    @property
    def is_clean(self) -> bool:
        """Whether every law holds."""
        return not self.breaches

    @property
    def rules_hold(self) -> bool:
        """Whether no law of the rules is broken. If one is, heuristics are not tested: faults may be the rules'."""
        return not set(self.breaches) - {law.name for law in HEURISTIC_LAWS}

    @property
    def is_uncounted(self) -> bool:
        """Whether something is hidden, and no state had few enough worlds to hold redeals to exact counts."""
        return self.has_secrets and "worlds" not in self.tested

    def verdict(self, seed: int) -> str:
        """The check in a line: a game whose worlds were never counted is not told that all laws hold."""
        over = f"over {self.matches} matches from seed {seed}"
        if not self.is_clean:
            return f"{len(self.breaches)} broken {over}"
        if not self.is_uncounted:
            return f"all laws hold {over}"
        held = "samples alone" if "exchangeable" in self.tested else "no count"
        return f"the laws that were met hold {over}; its worlds were never counted, redeals were held to {held}"

    def test(self, law: Law, argument: object, place: Callable[[str], Breach]) -> None:
        """Put one law to the test; a law that is broken is not tried again, and one that raises is broken."""
        if law.name in self.breaches:
            return
        cause = brief(argument) if isinstance(argument, Exception) else ""
        try:
            found = law.test(argument)
        except Exception as fault:
            cause = brief(fault)
            found = f"raised {cause}"
        if found == NOT_HERE:
            return
        self.tested[law.name] = self.tested.get(law.name, 0) + 1
        if found:
            self.breaches[law.name] = replace(place(found), cause=cause)

    def messages(self) -> list[str]:
        """The breaches in words; what broke several laws at once is said once, with the names of all of them."""
        laws: dict[str, list[str]] = {}
        first: dict[str, Breach] = {}
        for breach in self.breaches.values():
            # One mistake in the rules raises wherever a law asks for it.
            said = next((cause for cause in laws if cause and breach.message.endswith(cause)), breach.cause)
            key = said or str(breach)
            first.setdefault(key, breach)
            laws.setdefault(key, []).append(breach.law)
        return [str(replace(first[key], law=", ".join(names))) for key, names in laws.items()]


def check_game(
    spec: str,
    *,
    matches: int = 50,
    seed: int = 1,
    stop_at: str = "",
    on_progress: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> Report:
    """Put every law to the test on `matches` random matches, spread over all variants that `spec` leaves open.

    Each variant has at least one match. `stop_at` names a law whose first breach ends the check; `on_progress`
    is told what is at hand, the matches done and their number.
    """
    parsed = parse_spec(spec)
    definition = find_definition(parsed.name)
    report = Report(spec, has_secrets=definition.facts.hidden)
    for law in _laws("static"):
        report.test(law, definition, lambda found, name=law.name: Breach(name, spec, found))  # type: ignore[misc]
    if not report.is_clean:
        return report
    variants = _variants(definition, parsed)
    shares = [max(1, matches // len(variants) + (i < matches % len(variants))) for i in range(len(variants))]
    interpreter = _Interpreter(parsed)
    if not INTERPRETED:
        on_progress("as plain Python", 0, sum(shares))
        interpreter.play(report, variants, shares, seed)
        if not report.is_clean:  # compiled, a wrong index is not noticed: it may end the process
            return report
    with np.errstate(over="raise"):  # interpreted: a small field that overflows is a fault, not a warning
        for game, share in zip(variants, shares, strict=True):
            for i in range(share):
                on_progress(game.spec, report.matches, sum(shares))
                _walk(report, game, seed, i)
                has_more = definition.heuristics is not None or definition.features is not None
                if has_more and i % HEURISTIC_MATCHES == 0 and report.rules_hold:
                    walk_heuristics(report, game, seed + i, one_in=8 if INTERPRETED else 1)
                report.matches += 1
                if stop_at in report.breaches:
                    return report
    if not INTERPRETED:
        if report.is_clean:  # rules that break a law are not trusted with many matches, unwatched
            on_progress("true and redealt worlds", report.matches, sum(shares))
            law = _law("exchangeable")
            report.test(law, (variants, matches, seed), lambda found: Breach(law.name, spec, found, seed))
        interpreter.compare(report)
    return report


@cache
def _laws(when: When) -> list[Law]:
    return [law for law in LAWS if law.is_put(when, interpreted=INTERPRETED)]


@cache
def _law(name: str) -> Law:
    return next(law for law in LAWS if law.name == name)


def _variants(definition: Definition, parsed: Spec) -> list[Game]:
    """Every variant that agrees with what the spec fixes."""
    games: dict[str, Game] = {}
    for settings in definition.variants():
        if all(settings.get(name, word) == word for name, word in parsed.settings.items()):
            words = settings | parsed.settings
            players = int(words.pop("players", max(2, definition.seats[0]) if definition.seats[1] > 1 else 1))
            game = Game(definition, players, definition.option_words(words))
            games[game.spec] = game
    if not games:  # a player count or word outside the declared ones: let the usual errors speak
        game = load_game(parsed)
        games[game.spec] = game
    return list(games.values())


def _walk(report: Report, game: Game, seed: int, match: int = 0) -> None:
    """One random match under all laws: each state as it is met, then some of them closely."""
    seed += match
    met: list[Probe] = []
    fault: Exception | None = None
    try:
        probe: Probe | None = Probe(game, seed, 0, game.new(seed=seed), [], match)
        chooser = rng_for("check-choose", 0, seed=seed)
        while probe is not None:
            met.append(probe)
            probe = _walk_on(report, probe, chooser)
            met[-1] = replace(met[-1])  # without what the laws asked for: lists are long
    except Exception as error:  # a rule that raises where no law looks
        fault = error
    number = None if fault is None else max(0, len(met) - 1)
    if fault is not None:
        met = met[:-1]  # what raised there would raise in every law
    report.test(_law("plays"), fault, lambda found: Breach("plays", game.spec, found, seed, number))
    for probe in _close_looks(met, rng_for("check-close", seed=seed)):
        _test(report, "close", probe)


def _walk_on(report: Report, probe: Probe, chooser: Stream) -> Probe | None:
    """Put the laws to the state at hand, play one event, and return the state after it; None at the end."""
    is_end = probe.mover == NOBODY or probe.number > probe.game.facts.longest
    offer = [] if probe.mover == NOBODY else probe.offer()
    if offer:
        probe.code = probe.state.fated_outcome() if probe.mover == CHANCE else chooser.choice(offer)
    _test(report, "state", probe)
    if is_end:
        report.test(_law("ends"), probe, lambda found: _breach("ends", probe, found))
        if probe.mover == NOBODY:
            _test(report, "end", probe)
    if is_end or not offer:
        return None
    probe.after = probe.state.after(probe.code)
    _test(report, "event", probe)
    probe.events.append((probe.state, probe.code))
    return replace(probe, number=probe.number + 1, state=probe.after, code=-1, after=None)


def _test(report: Report, when: When, probe: Probe) -> None:
    for law in _laws(when):
        report.test(law, probe, lambda found, name=law.name: _breach(name, probe, found))  # type: ignore[misc]


def _close_looks(met: list[Probe], rng: Stream) -> list[Probe]:
    """The states of a match that are looked at closely: decisions and draws spread over it, and its end."""
    chosen = {len(met) - 1}
    for mover_is_chance, most in ((False, CLOSE_DECISIONS), (True, CLOSE_DRAWS)):
        places = [probe.number for probe in met[:-1] if (probe.mover == CHANCE) == mover_is_chance]
        n = min(most, len(places))
        for i in range(n):  # one of each n-th part
            start, end = len(places) * i // n, len(places) * (i + 1) // n
            chosen.add(places[start + rng.below(end - start)])
    return [met[number] for number in sorted(chosen) if number >= 0]


def walk_heuristics(report: Report, game: Game, seed: int, *, one_in: int = 1) -> None:
    """One match of the game's own players, one in so many positions put to the laws of heuristics.

    A rule that raises in positions which only these players reach breaks the law `plays`.
    """
    lots, number = rng_for("check-heuristics", seed=seed), 0
    try:
        for asked in positions(game, seed):
            number = asked.number
            if lots.below(one_in) == 0:
                for law in HEURISTIC_LAWS:
                    report.test(law, asked, partial(_heuristic_breach, law.name, asked))
    except Exception as fault:
        report.test(_law("plays"), fault, lambda found: Breach("plays", game.spec, found, seed, number))


def _heuristic_breach(law: str, asked: Asked, found: str) -> Breach:
    return Breach(law, asked.game.spec, f"{found}, in '{asked.state.text()}'", asked.seed, asked.number)


def _breach(law: str, probe: Probe, found: str) -> Breach:
    move = probe.state.move_text(probe.code) if probe.code >= 0 else ""
    return Breach(law, probe.game.spec, found, probe.seed, probe.number, move)


class _Interpreter:
    """Another process that plays some of the matches with the rules as plain Python.

    It plays them before any rule is compiled: plain Python notices a wrong name or index, and says where. Afterwards
    the same matches are played compiled, and both must have said the same.
    """

    def __init__(self, parsed: Spec) -> None:
        self._named = parsed.name  # the game as it was asked for: a plugin's may be a folder
        self._traced: list[tuple[Game, int, list[str]]] = []  # variant, seed and digests of each match

    def play(self, report: Report, variants: list[Game], shares: list[int], seed: int) -> None:
        """Play the first and each tenth match of every variant; what raises there breaks `plays`."""
        matches = [(game, seed + i) for game, n in zip(variants, shares, strict=True) for i in range(0, n, TRACED)]
        traces = self._ask(report, [(self._spec(game), at, None) for game, at in matches])
        self._traced = [(game, at, digests) for (game, at), digests in zip(matches, traces, strict=False)]
        for game, at, digests in self._traced:
            if digests[-1].startswith(BROKE):
                cause, event = digests[-1].removeprefix(BROKE), len(digests) - 1
                message = f"as plain Python the match broke off: {cause}"
                report.tested["plays"] = 1
                report.breaches["plays"] = Breach("plays", game.spec, message, at, event, cause=cause)
                return

    def compare(self, report: Report) -> None:
        """Play the same matches compiled, and hold them to what the interpreter said."""
        law = _law("compiled")
        for game, seed, digests in self._traced:
            traces = Traces(trace(game, seed), digests, partial(self._answers_at, report, game, seed))
            report.test(law, traces, lambda found, spec=game.spec, at=seed: Breach(law.name, spec, found, at))  # type: ignore[misc]

    def _answers_at(self, report: Report, game: Game, seed: int, event: int) -> tuple[Answers, Answers]:
        compiled = json.loads(json.dumps(answers_at(game, seed, event)))
        interpreted = self._ask(report, [(self._spec(game), seed, event)])
        return compiled, interpreted[0] if interpreted else {}

    def _ask(self, report: Report, questions: list[tuple[str, int, int | None]]) -> list[Any]:
        """Its answers to questions in the form of `trace`; none, and a breach, where it cannot be run."""
        command = [sys.executable, "-P", "-m", "meeple.core.conformance.trace"]
        environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
        ran = subprocess.run(command, env=environment, input=json.dumps(questions), capture_output=True, text=True)
        if ran.returncode == 0:
            answers: list[Any] = json.loads(ran.stdout.rpartition(MARK)[2])
            return answers
        last = ran.stderr.strip().splitlines()[-1:] or ["no word of why"]
        report.breaches["compiled"] = Breach("compiled", report.game, f"interpreted, the rules break: {last[0]}")
        return []

    def _spec(self, game: Game) -> str:
        _, _, settings = game.spec.partition(":")
        return f"{self._named}:{settings}" if settings else self._named
