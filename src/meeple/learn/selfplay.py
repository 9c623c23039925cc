"""Self-play in generations: a search plays against itself, a network learns from its games, and takes its place.

A generation has three parts:

    games      `teacher` plays itself, with the evaluation of the champion; now and then a move at random
    batches    the network learns from the games of all generations, or of the newest (`window`): labels mixed of search
               values and results
    gate       the network plays the champion, both in the teacher's search; if its share is enough it is champion.
               Then it plays the reference, an agent that stays the same over all generations

While there is no champion, `first` plays in the place of the teacher: by default the teacher with the evaluation that
it names, else with the game's first, which is no model. Loss is not comparable across generations (labels change), so
matches alone decide.

Games are played whole inside compiled code (inside.py), in any game with sparse features. What is kept of a position is
what the search said and how the game ended, not the label: the labels of a generation follow from all its games
(labels.py), since each teacher has a scale of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from meeple.agents.base import Agent
from meeple.agents.registry import load_agent
from meeple.arena.sprt import Sprt, count_scores
from meeple.arena.statistics import Interval, score_interval
from meeple.core.game import Game
from meeple.core.settings import setting
from meeple.errors import ConfigError
from meeple.learn.duels import FIRST, GATE, MEASURE, REFERENCE, Duel, as_rows, from_rows, play_duel, sets_for
from meeple.learn.generations import folder_of, write_run
from meeple.learn.inside import Inside, PlayedInside, index_type, searcher_of
from meeple.learn.labels import fitted_scale, mixed_labels
from meeple.learn.net import START, Net, cosine_rate
from meeple.learn.player import chosen_player, spec_with, untaught, with_model
from meeple.learn.samples import Samples
from meeple.learn.training import Arrays, Settings, Training, require_shares
from meeple.models.model import Model

KEPT = ("active", "values", "shares", "games")
OPEN_TEACHER, TEACHER = "alphabeta:nodes=1000", "puct:iterations=100"
# Where results owe much to luck: more trust in the search, small first weights, few passes, lest games are memorised.
LUCKY = {
    "generations": "2", "games": "15000", "stray": "0.05", "every": "4", "quick": "25", "trust": "0.8",
    "batches": "4000", "batch": "512", "rate": "0.001", "start": "0.02", "hidden": "32",
}  # fmt: skip
TEACHER_HELP = (
    "alphabeta, mcts, ismcts or puct with fixed nodes, depth or iterations, its evaluation to be replaced; empty: "
    f"the game's own choice, else {OPEN_TEACHER}, or {TEACHER} where a game has chance, secrets or more seats"
)


@dataclass(kw_only=True)
class SelfPlaySettings(Settings):
    """What `selfplay` can be told; a game's roster may have other defaults."""

    teacher: str = setting("", TEACHER_HELP, names="agent")
    first: str = setting(
        "", "the search that plays while no champion does; empty: the teacher, by no model", names="agent"
    )
    generations: int = setting(3, "times that the champion plays and the network learns", least=1)
    games: int = setting(40_000, "games of self-play in a generation", least=1)
    stray: float = setting(0.1, "how often a random move is played, 0 to 1", least=0)
    noise: float = setting(
        0.0,
        "share of noise at the root of a tree's searches of full work in self-play, 0 to 1; AlphaZero's is 0.25",
        least=0,
    )
    every: int = setting(1, "one position in so many is learnt from", least=1)
    quick: int = setting(0, "nodes or iterations of moves that are not learnt from; 0: as many as of others", least=0)
    trust: float = setting(0.5, "weight of the search's value in a label; the rest is the result, 0 to 1", least=0)
    window: int = setting(0, "generations that are learnt from, the newest; older games are dropped; 0: all", least=0)
    widen: float = setting(
        0.0, "how much wider the window grows with each generation after it is full: 0 stays, 0.5 every other", least=0
    )
    batches: int = setting(8000, "minibatches in a generation", least=1)
    batch: int = setting(2048, "positions of a minibatch", least=1)
    rate: float = setting(0.002, "learning rate of Adam, falling along half a cosine in each generation", least=0)
    hidden: int = setting(64, "width of the hidden layer", least=1)
    start: float = setting(START, "standard deviation of the first layer's first weights", least=0)
    gate: int = setting(100, "games of the match that decides who is champion", least=2)
    sprt: float = setting(
        0.0, "Elo: end that match once a sequential test of so many against 0 is decided; 0: play all games", least=0
    )
    reference: str = setting(
        "",
        "an agent with fixed work that each generation is measured by; empty: the teacher, by no model",
        names="agent",
    )
    reference_games: int = setting(40, "games of each generation against the reference; 0: none", least=0)
    slack: float = setting(
        1.0,
        "how far below the champion's a share against the reference may be to become champion, 0 to 1; 1: it decides "
        "nothing",
        least=0,
    )


class SelfPlay(Training):
    """A network that learns from the games of a search with itself inside."""

    name = "selfplay"
    help = "a small network from games of its own search, generation after generation, gated by matches"
    settings: ClassVar[type[Settings]] = SelfPlaySettings
    unit = "steps (games, minibatches, gates)"
    kind = "sparse"
    has_generations = True

    def __init__(self, game: Game, config: Any) -> None:
        super().__init__(game, config)
        is_open = game.seats == 2 and not game.facts.chance and not game.facts.hidden
        config.teacher = chosen_player(game, config.teacher or (OPEN_TEACHER if is_open else TEACHER), "teacher")
        config.first = config.first or untaught(game, config.teacher)
        config.reference = config.reference or untaught(game, config.teacher)
        for spec in (config.teacher, config.first):
            searcher_of(game, load_agent(spec, game), noise=config.noise)
        _require_fixed(game, config.reference)
        require_shares(config, self.name, "stray", "trust", "slack", "widen", "noise")
        if config.widen and not config.window:
            raise ConfigError("'widen' lets a window grow: give window, the generations that it begins with")
        if config.slack < 1 and not config.reference_games:
            raise ConfigError("'slack' needs matches against the reference: give reference_games")
        rng = np.random.default_rng([config.seed, 0])
        self.net = Net(self.features, config.hidden, rng, start=config.start)
        self.champion: NDArray[np.float64] | None = None  # weights; None: the teacher's own evaluation
        self.gates: list[list[float]] = []  # generation, share, 1 if the network became champion
        self.duels: list[Duel] = []  # of all gates, and against the reference
        self.networks: list[NDArray[np.float64]] = []  # weights of each generation
        none = np.zeros((0, self.features.most), dtype=index_type(self.features))
        self.samples = Samples(none, np.zeros(0), np.zeros(0, dtype=np.int64))
        self.values: NDArray[np.float32] = np.zeros(0, dtype=np.float32)  # of each sample: what the search found
        self.shares: NDArray[np.float32] = np.zeros(0, dtype=np.float32)  # how its game ended for the seat
        self.scales: list[float] = []  # of each generation's teacher
        self.dropped = 0  # positions that have left the window
        self._last_loss = 0.0
        self._told: list[str] = []  # of the gates, in words
        self._played: list[tuple[int, PlayedInside]] = []  # games since they were last put together
        self._source: tuple[int, Inside] | None = None  # of a generation

    @classmethod
    def usual(cls, game: Game) -> Mapping[str, str]:
        """For games with chance or secrets others than for open ones; then what the game's roster says."""
        roster = game.definition.roster
        has_luck = game.facts.chance or game.facts.hidden
        return {**(LUCKY if has_luck else {}), **(roster.selfplay if roster else {})}

    @property
    def _a_generation(self) -> int:
        return int(self.config.games + self.config.batches + 1)

    @property
    def total(self) -> int:
        """Games, minibatches and matches of all generations."""
        return int(self.config.generations) * self._a_generation

    def step(self) -> float:
        """A game, a minibatch, or the match at the end of a generation.

        The loss of a game is that of the network over its positions, none of which it has seen; a match has the last.
        """
        generation, number = divmod(self.done, self._a_generation)
        if number < self.config.games:
            self._play(generation * self.config.games + number)
        elif number < self.config.games + self.config.batches:
            self._last_loss = self._learn(generation, number - self.config.games)
        else:
            self._gate(generation)
        return self._last_loss

    # --- games

    def _agent(self, weights: NDArray[np.float64] | None) -> Agent:
        """The teacher with a network inside; without one, the search that plays while there is no champion."""
        if weights is None:
            return load_agent(self.config.first, self.game)
        return with_model(self.game, self.config.teacher, self._model_of(weights, {}))

    def _model_of(self, weights: NDArray[np.float64], card: Mapping[str, Any]) -> Model:
        net = Net(self.features, self.config.hidden, np.random.default_rng(0))
        net.flat[:] = weights
        return net.model(self.game, self.features_name, card)

    def _play(self, number: int) -> None:
        """One game of the champion against itself; games after it are played ahead."""
        generation, _ = divmod(number, self.config.games)
        played = self._inside(generation).play(number, (generation + 1) * self.config.games)
        self._played.append((number, played))
        fresh = Samples(played.active, played.shares.astype(np.float64), np.zeros(0, dtype=np.int64))
        if len(fresh):
            self._last_loss = self.net.loss(fresh, np.arange(len(fresh)))

    def _inside(self, generation: int) -> Inside:
        """What plays the games of a generation, by its champion."""
        if self._source is None or self._source[0] != generation:
            config = self.config
            inside = Inside(
                self.game, self._agent(self.champion), self.features, stray=config.stray, every=config.every,
                quick=config.quick, noise=config.noise, seed=config.seed, jobs=self.jobs,
            )  # fmt: skip
            self._source = generation, inside
        return self._source[1]

    def _gathered(self) -> Samples:
        """All samples so far, their labels by what is known of each generation's teacher."""
        if self._played:
            numbers, played = zip(*self._played, strict=True)
            games = np.repeat(np.array(numbers, dtype=np.int64), [len(each.values) for each in played])
            self._take(
                np.concatenate([self.samples.active, *(each.active for each in played)]),
                np.concatenate([self.values, *(each.values for each in played)]),
                np.concatenate([self.shares, *(each.shares for each in played)]),
                np.concatenate([self.samples.games, games]),
            )
            self._played = []
        return self.samples

    def _take(self, active: Any, values: Any, shares: Any, games: Any) -> None:
        """Take these samples for all there are, without those of generations that have left the window."""
        first = self.first_learnt(self.done // self._a_generation)
        kept = slice(int(np.searchsorted(games, first * self.config.games)), None)  # games are in their order
        self.dropped += kept.start
        active, self.values, self.shares, games = active[kept], values[kept], shares[kept], games[kept]
        labels = np.zeros(len(games))
        generations = games // self.config.games
        self.scales = self.scales[:first]
        for generation in range(first, int(generations.max(initial=-1)) + 1):
            here = generations == generation
            scale = fitted_scale(self.values[here], self.shares[here])
            labels[here] = mixed_labels(self.values[here], self.shares[here], scale=scale, trust=self.config.trust)
            self.scales.append(scale)
        self.samples = Samples(active, labels, games)

    def first_learnt(self, generation: int) -> int:
        """The oldest generation that this one learns from, both counted from 0; it never moves back."""
        past = generation + 1 - int(self.config.window)
        return past - int(float(self.config.widen) * past) if self.config.window and past > 0 else 0

    # --- learning

    def _learn(self, generation: int, number: int) -> float:
        samples, config = self._gathered(), self.config
        rng = np.random.default_rng([config.seed, 1, self.done])
        rows = rng.integers(0, len(samples), config.batch)
        turns = rng.integers(0, len(self.net.symmetries), config.batch)
        rate = cosine_rate(config.rate, number, config.batches)
        return self.net.train(samples, rows, turns, rate, generation * config.batches + number + 1)

    def _gate(self, generation: int) -> None:
        """Let the network play the champion in every seat of the same games; an even share, or more, is enough.

        With `sprt` the match ends once the sequential test has decided; where it never does, the share counts. Where
        `slack` is below 1, the network's share against the reference counts too.
        """
        config, seats = self.config, self.game.seats
        network, rival = self._agent(self.net.flat), self._agent(self.champion)
        players = generation + 1, self._champion_number
        played: list[Duel] = []
        verdict = "go on"
        while len(played) < sets_for(config.gate, seats) and verdict == "go on":
            number = generation * config.gate + len(played)  # no two generations have one in common
            played.append(play_duel(self.game, GATE, players, number, (network, rival), seed=config.seed))
            verdict = self._verdict(played)
        share = _share(played)
        is_champion = verdict == "H1" or (verdict == "go on" and share >= 1.0 / seats)
        against = self._refer(generation, network)
        if is_champion and against and self._falls_behind(against):
            is_champion = False
        self.duels += played + against
        self.networks.append(self.net.flat.copy())
        self.gates.append([generation + 1, share, float(is_champion)])
        if is_champion:
            self.champion = self.net.flat.copy()

    def _verdict(self, played: list[Duel]) -> str:
        """What the sequential test says of the sets so far: H1, H0 or go on."""
        if not self.config.sprt:
            return "go on"
        scores = count_scores(duel.score for duel in played)
        return Sprt(0.0, self.config.sprt, seats=self.game.seats).look(scores).verdict

    def _refer(self, generation: int, network: Agent) -> list[Duel]:
        """The match of a generation against the reference, by the same seeds in all generations."""
        if not self.config.reference_games:
            return []
        players, agents = (generation + 1, REFERENCE), (network, load_agent(self.config.reference, self.game))
        return [
            play_duel(self.game, MEASURE, players, number, agents, seed=self.config.seed)
            for number in range(sets_for(self.config.reference_games, self.game.seats))
        ]

    def _falls_behind(self, against: list[Duel]) -> bool:
        """Whether a share against the reference is too far below that of the champion, if one is there."""
        if self.champion is None:
            return False
        least = _share(self.against_reference(self._champion_number)) - float(self.config.slack)
        return _share(against) < least

    @property
    def _champion_number(self) -> int:
        """The champion as a player of matches; while there is none, who plays in its place."""
        champions = [int(number) for number, _, passed in self.gates if passed]
        return champions[-1] if champions else REFERENCE if self.config.first == self.config.reference else FIRST

    def against_reference(self, generation: int) -> list[Duel]:
        """The sets by which a generation, counted from 1, was measured."""
        return [duel for duel in self.duels if duel.purpose == MEASURE and duel.player == generation]

    # --- keeping

    def kept(self) -> Arrays:
        """The network, the champion, the gates, and of each sample what the search said and how the game ended."""
        samples = self._gathered()
        return self.net.kept() | {
            "champion": np.zeros(0) if self.champion is None else self.champion,
            "gates": np.array(self.gates).reshape(-1, 3),
            "duels": as_rows(self.duels, self.game.seats),
            "networks": np.reshape(self.networks, (-1, len(self.net.flat))),
            "active": samples.active,
            "values": self.values,
            "shares": self.shares,
            "games": samples.games,
            "loss": np.array([self._last_loss]),
            "scales": np.array(self.scales),
            "dropped": np.array([self.dropped]),
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take them up."""
        self.net.restore(arrays)
        self.champion = arrays["champion"] if len(arrays["champion"]) else None
        self.gates = arrays["gates"].tolist()
        self.duels = list(from_rows(arrays["duels"], self.game.seats))
        self.networks = list(arrays["networks"])
        self.scales, self.dropped = arrays["scales"].tolist(), int(arrays["dropped"][0])
        self._take(*(arrays[name] for name in KEPT))
        self._played, self._source = [], None
        self._last_loss = float(arrays["loss"][0])

    def is_sound(self) -> bool:
        """Whether all weights are numbers; labels are."""
        return bool(np.isfinite(self.net.flat).all())

    def model(self, card: Mapping[str, Any]) -> Model:
        """The champion in whole numbers; while no network is champion, the network."""
        return self._model_of(self.net.flat if self.champion is None else self.champion, card)

    def leave(self, out: Path) -> None:
        """The network of each generation, and the games of gates and references, in a folder beside the model."""
        cards = [
            {"method": self.name, "generation": int(number), "settings": self.identity["settings"], "licence": "MIT"}
            for number, _, _ in self.gates
        ]
        write_run(
            folder_of(out),
            self.game,
            self.identity["settings"],
            [int(number) for number, _, passed in self.gates if passed],
            [self._model_of(weights, card) for weights, card in zip(self.networks, cards, strict=True)],
            self.duels,
        )

    def player(self, evaluation: str) -> str:
        """The teacher's search with the network inside."""
        return spec_with(self.game, self.config.teacher, evaluation)

    def figures(self) -> dict[str, Any]:
        """The data, the teachers' scales, the gates, and the matches against the reference."""
        gates = [
            {"generation": int(number), "share": round(share, 3), "champion": bool(passed)}
            for number, share, passed in self.gates
        ]
        positions = len(self._gathered()) + self.dropped
        return {
            "games": self.config.games * int(self.config.generations),
            "positions": positions,
            "scales": [round(scale, 3) for scale in self.scales],
            "gates": gates,
            **self._reference_figures(),
        }

    def _reference_figures(self) -> dict[str, Any]:
        if not self.config.reference_games:
            return {}
        found = [
            {"generation": number, "share": round(each.mean, 3), "low": round(each.low, 3), "high": round(each.high, 3)}
            for number, each in self._references()
        ]
        return {"reference": {"agent": self.config.reference, "shares": found}}

    def _references(self) -> list[tuple[int, Interval]]:
        """Each generation that was measured, with its share against the reference."""
        measured = [(int(number), self.against_reference(int(number))) for number, _, _ in self.gates]
        return [(number, score_interval([duel.score for duel in duels])) for number, duels in measured if duels]

    def standing(self) -> str:
        """How the last generation did."""
        if len(self._told) != len(self.gates):
            self._told = self._gate_words()
        return self._told[-1] if self._told else ""

    def _gate_words(self) -> list[str]:
        """A line for each gate, with the share against the reference where it was played."""
        words = {0.0: "stays out", 1.0: "is champion"}
        shares = dict(self._references())
        lines = []
        for number, share, passed in self.gates:
            line = f"generation {int(number)}  share {share:.3f}, the network {words[passed]}"
            if found := shares.get(int(number)):
                line += f"; against the reference {found.mean:.3f} ({found.low:.3f} .. {found.high:.3f})"
            lines.append(line)
        return lines

    def remarks(self) -> list[str]:
        """How the gates went, and a warning where no network came through."""
        lines = self._gate_words()
        if self.gates and self.config.reference_games:
            lines.append(f"reference  {self.config.reference}")
        if self.gates and self.champion is None:
            lines.append(
                f"no network held its own against {self.config.first}, so the model is weaker "
                "than that: give it more games"
            )
        return lines


def _share(played: list[Duel]) -> float:
    """The player's mean share of the games."""
    return float(np.mean([share for duel in played for share in duel.shares]))


def _require_fixed(game: Game, reference: str) -> None:
    """Raise ConfigError where a reference plays by the clock: its games could not be played again."""
    agent = load_agent(reference, game)
    if getattr(agent, "time", 0) or getattr(agent, "cpu", 0):
        raise ConfigError(f"the reference '{reference}' plays by the clock; give it nodes, depth or iterations instead")
