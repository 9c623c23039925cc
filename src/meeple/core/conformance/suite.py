"""The walk: random matches of every variant, each state and event put to each law."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

import numba
import numpy as np

from meeple.core.chance import Stream
from meeple.core.conformance.laws import LAWS, NOT_HERE, Law
from meeple.core.conformance.probe import Probe
from meeple.core.conformance.trace import MARK, trace
from meeple.core.contract import CHANCE, NOBODY
from meeple.core.definition import Definition
from meeple.core.game import Game
from meeple.core.registry import find_definition, load_game
from meeple.core.spec import Spec, parse_spec
from meeple.errors import brief

TRACED = 3  # matches of each variant that are held to interpreted play


@dataclass(frozen=True)
class Breach:
    """A law that does not hold: where, and what was seen."""

    law: str
    game: str  # the spec, with the variant
    message: str
    seed: int | None = None
    event: int | None = None  # number of events before
    move: str = ""

    def __str__(self) -> str:
        place = (
            ""
            if self.seed is None
            else f", seed {self.seed}, event {self.event}" + (f" ({self.move})" if self.move else "")
        )
        return f"{self.law}: {self.message}  [{self.game}{place}]"


@dataclass
class Report:
    """What a check found: how often each law was put to the test, and the first breach of each."""

    game: str
    matches: int = 0
    tested: dict[str, int] = field(default_factory=dict)
    breaches: dict[str, Breach] = field(default_factory=dict)

    @property
    def is_clean(self) -> bool:
        """Whether every law holds."""
        return not self.breaches

    def test(self, law: Law, argument: object, place: Callable[[str], Breach]) -> None:
        """Put one law to the test; a law that is broken is not tried again, and one that raises is broken."""
        if law.name in self.breaches:
            return
        try:
            found = law.test(argument)
        except Exception as fault:
            found = f"raised {brief(fault)}"
        if found == NOT_HERE:
            return
        self.tested[law.name] = self.tested.get(law.name, 0) + 1
        if found:
            self.breaches[law.name] = place(found)


def check_game(
    spec: str,
    *,
    matches: int = 100,
    seed: int = 1,
    stop_at: str = "",
    on_match: Callable[[str, int], None] = lambda variant, match: None,
) -> Report:
    """Put every law to the test on `matches` random matches, spread over all variants that `spec` leaves open.

    `stop_at` names a law whose first breach ends the check.
    """
    parsed = parse_spec(spec)
    definition = find_definition(parsed.name)
    report = Report(spec)
    for law in _laws("static"):
        report.test(law, definition, lambda found, name=law.name: Breach(name, spec, found))  # type: ignore[misc]
    if not report.is_clean:
        return report
    variants = _variants(definition, parsed)
    with np.errstate(over="raise"):  # interpreted: a small field that overflows is a fault, not a warning
        for number, game in enumerate(variants):
            share = matches // len(variants) + (number < matches % len(variants))
            for i in range(max(1, share)):
                on_match(game.spec, report.matches)
                _walk(report, game, seed + i)
                report.matches += 1
                if stop_at in report.breaches:
                    return report
            if not numba.config.DISABLE_JIT:
                _hold_to_interpreted(report, game, _folder_spec(parsed, game), min(TRACED, max(1, share)), seed)
    return report


def _laws(when: str) -> list[Law]:
    return [law for law in LAWS if law.when == when]


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


def _walk(report: Report, game: Game, seed: int) -> None:
    """One random match under all laws."""
    probe: Probe | None = None
    try:
        probe = Probe(game, seed, 0, game.new(seed=seed), [])
        chooser = probe.stream("choose")
        while probe is not None:
            probe = _walk_on(report, probe, chooser)
    except Exception as fault:  # a rule that raises where no law looks
        number = probe.number if probe else 0
        report.test(_law("plays"), fault, lambda found: Breach("plays", game.spec, found, seed, number))
    else:
        report.test(_law("plays"), None, lambda found: Breach("plays", game.spec, found, seed))


def _walk_on(report: Report, probe: Probe, chooser: Stream) -> Probe | None:
    """Put the laws to the state at hand, play one event, and return the state after it; None at the end."""
    is_end = probe.mover == NOBODY or probe.number > probe.game.facts.longest
    offer = [] if probe.mover == NOBODY else probe.offer()
    if offer:
        probe.code = probe.state.fated_outcome() if probe.mover == CHANCE else chooser.choice(offer)

    def test(when: str) -> None:
        for law in _laws(when):
            report.test(law, probe, lambda found, name=law.name: _breach(name, probe, found))  # type: ignore[misc]

    test("state")
    if is_end:
        report.test(_law("ends"), probe, lambda found: _breach("ends", probe, found))
        if probe.mover == NOBODY:
            test("end")
    if is_end or not offer:
        return None
    probe.after = probe.state.after(probe.code)
    test("event")
    history = [*probe.history, (probe.state, probe.code)]
    return Probe(probe.game, probe.seed, probe.number + 1, probe.after, history, keys=probe.keys, notes=probe.notes)


def _breach(law: str, probe: Probe, found: str) -> Breach:
    move = probe.state.move_text(probe.code) if probe.code >= 0 else ""
    return Breach(law, probe.game.spec, found, probe.seed, probe.number, move)


def _folder_spec(parsed: Spec, game: Game) -> str:
    """The variant's spec under the name by which the game was asked for (a plugin's may be a folder)."""
    _, _, settings = game.spec.partition(":")
    return f"{parsed.name}:{settings}" if settings else parsed.name


def _hold_to_interpreted(report: Report, game: Game, spec: str, matches: int, seed: int) -> None:
    """Play some matches here, compiled, and again in a process that interprets the rules."""
    law = _law("compiled")
    command = [sys.executable, "-P", "-m", "meeple.core.conformance.trace", spec, str(matches), str(seed)]
    ran = subprocess.run(command, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True)
    if ran.returncode != 0:
        last = ran.stderr.strip().splitlines()[-1:] or ["no word of why"]
        report.breaches.setdefault(
            law.name, Breach(law.name, game.spec, f"interpreted, the rules break: {last[0]}", seed)
        )
        return
    try:
        here = [trace(game, seed + i) for i in range(matches)]
    except Exception as fault:
        report.breaches.setdefault(
            law.name, Breach(law.name, game.spec, f"compiled, the rules break: {brief(fault)}", seed)
        )
        return
    report.test(
        law, (here, json.loads(ran.stdout.rpartition(MARK)[2])), lambda found: Breach(law.name, game.spec, found, seed)
    )
