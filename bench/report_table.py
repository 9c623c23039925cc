"""The Santorini report's table of agents, trained and played again (docs/papers/santorini-table.md).

    python bench/report_table.py FOLDER [--seeds 5] [--games 200] [--only NAME ...] [--write PAGE] [--ship MODELS]

Every agent of the report's table 1 is trained here by its recipe, once for each seed: a single training run tells
little. Then all agents of one seed play each other, 200 games a pair, and so for each seed; the page has the median
of the seeds and their range beside the published share. Besides: the Elo list (K = 10), the losses of figures 5 to 8,
depth 3 against 2, and 22 features against 8.

FOLDER keeps models and results. What is there is not done again: killed, stopped, or out of `--minutes`, the same
command goes on, a training run from its last checkpoint. `--jobs` trains and plays in so many processes; every figure
is the same whatever their number.

`--write` makes the tables of the page anew and keeps the section "Where ours differ" of the page that is there, which
is written by hand. `--ship` puts the report's trained agents into a folder of models, each the middle one of its seeds:
src/meeple/games/santorini/models, for the presets `paper-ann` and so on.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, median

from meeple.arena.ratings import sequential_elo
from meeple.arena.series import play_series, prepare
from meeple.core.chance import Stream
from meeple.core.registry import load_game
from meeple.core.settings import given_settings
from meeple.core.spec import Spec
from meeple.learn.methods import METHODS, find_method, prepare_training
from meeple.learn.run import train
from meeple.models.file import load, save

GAME = "santorini"
RANDOM, MANUAL = "random", "manual"
REMARKS = "## Where ours differ"  # begins what is written by hand, to the end of the page


@dataclass(frozen=True)
class Recipe:
    """An agent of the table: how it is trained, and the words that play it."""

    method: str = ""  # nothing: it is not trained
    settings: dict[str, str] = field(default_factory=dict)
    plays: str = ""  # where it is not trained


# In the order of the report's table, the weakest first; the last three are those that it only names.
RECIPES = {
    RANDOM: Recipe(plays="random"),
    "ann": Recipe("ann"),
    "cnn": Recipe("cnn"),
    "mcts-ann": Recipe("mcts-ann"),
    "mcts-cnn": Recipe("mcts-cnn"),
    "combined": Recipe("combined"),
    "treestrap": Recipe("treestrap"),
    "rootstrap": Recipe("rootstrap"),
    MANUAL: Recipe(plays="paper-minimax"),
    "genetic": Recipe("genetic"),
    "dqn": Recipe("dqn"),
    "actor-critic": Recipe("actor-critic"),
}
# Trained for a statement of section 3.1, and no rows of the table.
WIDE = {
    "treestrap-22": Recipe("treestrap", {"features": "report22"}),
    "rootstrap-22": Recipe("rootstrap", {"features": "report22", "games": "400"}),
}
# Percent of games that the row won against the column, as printed.
PUBLISHED = {
    "ann": {RANDOM: 92},
    "cnn": {RANDOM: 98, "ann": 60},
    "mcts-ann": {RANDOM: 99, "ann": 54, "cnn": 52},
    "mcts-cnn": {RANDOM: 100, "ann": 72, "cnn": 67, "mcts-ann": 84},
    "combined": {RANDOM: 100, "ann": 94, "cnn": 90, "mcts-ann": 89, "mcts-cnn": 85},
    "treestrap": {RANDOM: 100, "ann": 88, "cnn": 89, "mcts-ann": 89, "mcts-cnn": 89, "combined": 67},
    "rootstrap": {
        RANDOM: 100, "ann": 92, "cnn": 100, "mcts-ann": 91, "mcts-cnn": 90, "combined": 61, "treestrap": 52.5,
    },
    MANUAL: {
        RANDOM: 100, "ann": 86, "cnn": 84, "mcts-ann": 88, "mcts-cnn": 87, "combined": 56, "treestrap": 49.5,
        "rootstrap": 46,
    },
}  # fmt: skip
PUBLISHED_ELO = {
    "rootstrap": 1348, "treestrap": 1291, MANUAL: 1282, "combined": 1211, "mcts-cnn": 990, "cnn": 873, "mcts-ann": 871,
    "ann": 844, RANDOM: 292,
}  # fmt: skip
# Statements of section 3.1: what is played, and the share that the report tells of the first.
STATEMENTS = (
    ("depth 3 against 2, hand weights", "minimax:depth=3,evaluation=report,ordering=heights",
     "minimax:depth=2,evaluation=report,ordering=heights", 95),
    ("TreeStrap with 22 features against 8", "treestrap-22", "treestrap", 25),
    ("RootStrap with 22 features against 8", "rootstrap-22", "rootstrap", 25),
)  # fmt: skip
ELO_K, ELO_DRAWS, ELO_RUNS = 10.0, 20_000, 10  # draws from the table, as for figure 10


def definition() -> str:
    """Twelve letters that name what is trained with which settings, what is played, and what was published."""
    recipes = {}
    for name, recipe in (RECIPES | WIDE).items():
        settings: dict[str, object] = {}
        if recipe.method:
            kind = find_method(recipe.method)
            spec = Spec(recipe.method, {**kind.usual(load_game(GAME)), **recipe.settings})
            settings = asdict(kind.settings(**given_settings(kind.settings, spec, what="method")))
        recipes[name] = [recipe.method, settings, recipe.plays]
    told = [recipes, PUBLISHED, PUBLISHED_ELO, STATEMENTS, ELO_K, ELO_DRAWS, ELO_RUNS]
    return hashlib.blake2b(json.dumps(told).encode(), digest_size=6).hexdigest()


def recipe_of(name: str) -> Recipe:
    """The recipe of an agent by its name; what is none is a spec that plays by itself."""
    return (RECIPES | WIDE).get(name) or Recipe(plays=name)


class Study:
    """The folder of models and results, and the time that is left."""

    def __init__(self, folder: Path, *, games: int, ends: float) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.games, self.ends = folder, games, ends
        self.file = folder / "results.jsonl"
        self.found: dict[tuple[int, str, str], tuple[float, int]] = {}
        if self.file.exists():
            for line in self.file.read_text().splitlines():
                row = json.loads(line)
                self.found[row["seed"], row["row"], row["column"]] = row["score"], row["games"]

    @property
    def is_late(self) -> bool:
        """Whether nothing new is to be begun."""
        return time.monotonic() >= self.ends

    def model(self, name: str, seed: int) -> Path:
        """Where the model of an agent lies, trained or not."""
        return self.folder / f"{name}-{seed}.npz"

    def train(self, name: str, seed: int) -> bool:
        """Train an agent unless it is; whether it is now."""
        recipe, out = recipe_of(name), self.model(name, seed)
        if not recipe.method or out.exists():
            return True
        if self.is_late:
            return False
        training = prepare_training(recipe.method, load_game(GAME), {"seed": str(seed), **recipe.settings})
        outcome = train(training, out, limit=max(1.0, self.ends - time.monotonic()) if self.ends < 1e9 else 0.0)
        seconds = outcome.curve.seconds[-1] if outcome.curve.seconds else 0.0
        print(f"{name}, seed {seed}: {outcome.done} of {outcome.total} steps, {seconds:.0f} s", flush=True)
        (self.folder / f"{name}-{seed}.json").write_text(json.dumps(outcome.curve.losses))
        return outcome.is_finished

    def agent(self, name: str, seed: int) -> str:
        """The words that play an agent."""
        recipe = recipe_of(name)
        if not recipe.method:
            return recipe.plays
        path = self.model(name, seed)
        return str(load(path, load_game(GAME)).header.card["plays"]).replace("model@FILE", f"model@{path}")

    def play(self, row: str, column: str, seed: int) -> bool:
        """Play a pair unless it is played; whether it is now."""
        if (seed, row, column) in self.found:
            return True
        if self.is_late or not (self.train(row, seed) and self.train(column, seed)):
            return False
        agents = [self.agent(row, seed), self.agent(column, seed)]
        result = play_series(prepare(load_game(GAME), agents, games=self.games, seed=1000 * seed), workers=0)
        if result.was_stopped:
            raise KeyboardInterrupt
        if result.fault:
            raise SystemExit(result.fault)
        score, games = result.interval(0).mean, result.games_played
        told = {"seed": seed, "row": row, "column": column, "score": score, "games": games}
        with open(self.file, "a") as lines:
            lines.write(json.dumps(told) + "\n")
        self.found[seed, row, column] = score, games
        print(f"seed {seed}: {row} v {column} {score:.3f} of {games}", flush=True)
        return True

    def middle_seed(self, name: str, names: list[str]) -> tuple[int, float]:
        """The seed of an agent that is the median of its seeds by the mean share of its pairs, and that share.

        The pairs are those with the other `names`, trained with the same seed; of an even number the lower middle.
        """
        won: dict[int, list[float]] = {}
        for (seed, row, column), (score, _) in self.found.items():
            if row in names and column in names and name in (row, column):
                won.setdefault(seed, []).append(score if name == row else 1 - score)
        ranked = sorted((mean(scores), seed) for seed, scores in won.items())
        share, seed = ranked[(len(ranked) - 1) // 2]
        return seed, share

    def shares(self, row: str, column: str) -> list[float]:
        """The shares of the seeds that were played, in percent, from the least to the greatest."""
        return sorted(100 * score for (_, a, b), (score, _) in self.found.items() if (a, b) == (row, column))


def train_one(task: tuple[Path, int, float, str, int]) -> bool:
    """Train one agent with one seed, in a process of its own."""
    folder, games, ends, name, seed = task
    return Study(folder, games=games, ends=ends).train(name, seed)


def play_one(task: tuple[Path, int, float, str, str, int]) -> bool:
    """Play one pair, in a process of its own: its line is appended to the results at once."""
    folder, games, ends, row, column, seed = task
    return Study(folder, games=games, ends=ends).play(row, column, seed)


def pairs(names: list[str]) -> Iterator[tuple[str, str]]:
    """Each pair once, the one that stands later in the table first, as there."""
    return ((row, column) for column, row in combinations(names, 2))


def cell(ours: list[float], published: float | None) -> str:
    """Median and range over the seeds, and what was printed."""
    told = f" ({published:g})" if published is not None else ""
    if not ours:
        return f"-{told}"
    return f"{median(ours):.1f} [{ours[0]:.1f} .. {ours[-1]:.1f}]{told}"


def elo_list(table: dict[tuple[str, str], float], seed: int) -> dict[str, float]:
    """Sequential Elo over games drawn from a table of shares, mean of some runs (figure 10, K = 10)."""
    rng, played, runs = Stream(seed), list(table), []
    for _ in range(ELO_RUNS):
        drawn = (played[rng.below(len(played))] for _ in range(ELO_DRAWS))
        results = [(pair, (1, 2) if rng.below(10**9) < table[pair] * 10**9 else (2, 1)) for pair in drawn]
        runs.append(sequential_elo(results, k=ELO_K))
    return {name: mean(run[name] for run in runs) for name in runs[0]}


def losses_of(study: Study, name: str) -> list[tuple[float, float]]:
    """For each seed the mean loss of the first and of the last tenth of the training (figures 5 to 8)."""
    found = []
    for file in sorted(study.folder.glob(f"{name}-[0-9]*.json")):
        losses = json.loads(file.read_text())
        tenth = max(1, len(losses) // 10)
        found.append((median(losses[:tenth]), median(losses[-tenth:])))
    return found


def page(study: Study, names: list[str], seeds: int, command: str, remarks: str = "") -> str:
    """The whole page in Markdown; `remarks` are its last section, with the headline."""
    lines = [
        "# The Santorini report's table, trained and played again",
        "",
        f"Percent of games that the row won against the column: the median over {seeds} training seeds,",
        f"[least .. greatest], and (as published). {study.games} games a pair and seed; `-` was not played. Made by",
        "",
        f"    {command}",
        "",
        f"with recipes `{definition()}`.",
        "",
        "| | " + " | ".join(names[:-1]) + " |",
        "|---|" + "---|" * (len(names) - 1),
    ]
    for row in names[1:]:
        cells = [
            cell(study.shares(row, column), PUBLISHED.get(row, {}).get(column))
            if names.index(column) < names.index(row)
            else ""
            for column in names[:-1]
        ]
        lines.append(f"| **{row}** | " + " | ".join(cells) + " |")
    table = {pair: median(ours) / 100 for pair in pairs(names) if (ours := study.shares(*pair))}
    if table:
        lines += [
            "",
            "## Elo by games drawn from the table (K = 10)",
            "",
            "| agent | ours | published |",
            "|---|---|---|",
        ]
        ours = elo_list(table, 1)
        for name in sorted(ours, key=lambda name: -ours[name]):
            lines.append(f"| {name} | {ours[name]:.0f} | {PUBLISHED_ELO.get(name, '-')} |")
    lines += ["", "## Statements of section 3.1", "", "| | ours | published |", "|---|---|---|"]
    for title, one, other, told in STATEMENTS:
        lines.append(f"| {title} | {cell(study.shares(one, other), None)} | {told} |")
    lines += ["", "## Losses (figures 5 to 8): median of the first and of the last tenth, by seed", ""]
    lines += ["| agent | " + "first to last |", "|---|---|"]
    for name in ("ann", "cnn", "mcts-ann", "mcts-cnn", "combined"):
        seen = ", ".join(f"{first:.3g} to {last:.3g}" for first, last in losses_of(study, name)) or "-"
        lines.append(f"| {name} | {seen} |")
    return "\n".join(lines) + "\n" + (f"\n{remarks}" if remarks else "")


def remarks_of(file: Path) -> str:
    """The section of a page that is written by hand; "" where there is none."""
    _, headline, rest = file.read_text().partition(REMARKS) if file.exists() else ("", "", "")
    return headline + rest


def ship(study: Study, names: list[str], folder: Path) -> None:
    """Put the report's trained agents into a folder, each with the middle one of its seeds, which its card tells."""
    for name in (name for name in names if recipe_of(name).method and name in PUBLISHED):
        seed, share = study.middle_seed(name, names)
        model = load(study.model(name, seed), load_game(GAME))
        card = model.header.card
        told = {"mean share in the report's table": round(share, 3), "chosen": "the middle of the seeds by that share"}
        header = replace(model.header, card={**card, "figures": {**card["figures"], **told}})
        file = save(replace(model, header=header), folder / f"paper-{name}.npz")
        print(f"{file}: seed {seed}, mean share {share:.3f}")


def main() -> None:
    """Train, play and write, as far as the time goes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, default=5, help="training runs of each agent")
    parser.add_argument("--games", type=int, default=200, help="games a pair and seed")
    parser.add_argument("--only", nargs="*", default=list(RECIPES), choices=list(RECIPES), metavar="NAME")
    parser.add_argument("--jobs", type=int, default=1, help="processes that train and play")
    parser.add_argument("--minutes", type=float, default=0.0, help="begin nothing after so long")
    parser.add_argument("--write", type=Path, help="the page to write")
    parser.add_argument("--ship", type=Path, help="the folder of models to fill")
    asked = parser.parse_args()
    missing = [name for name in asked.only if RECIPES[name].method not in ("", *METHODS)]
    for name in missing:
        print(f"{name} is left out: there is no method of training '{RECIPES[name].method}' yet")
    names = [name for name in RECIPES if name in asked.only and name not in missing]
    ends = time.monotonic() + 60 * asked.minutes if asked.minutes else float("inf")
    seeds = range(1, asked.seeds + 1)
    said = [(one, other) for _, one, other, _ in STATEMENTS if other in names or other not in RECIPES]
    wanted = [(seed, *pair) for seed in seeds for pair in [*pairs(names), *said]]
    # `cnn` takes longest: those that begin last should be short.
    trained = sorted(
        {name for _, *pair in wanted for name in pair if recipe_of(name).method}, key=lambda name: name != "cnn"
    )
    common = (asked.folder, asked.games, ends)
    runs = [(*common, name, seed) for name in trained for seed in seeds]
    matches = [(*common, row, column, seed) for seed, row, column in wanted]
    if asked.jobs > 1:
        with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
            list(pool.map(train_one, runs))
            done = sum(pool.map(play_one, matches))
    else:
        done = sum(play_one(match) for match in matches)  # trains what it needs
    study = Study(asked.folder, games=asked.games, ends=ends)
    print(f"{done} of {len(wanted)} pairs are played" + ("" if done == len(wanted) else ": the same command goes on"))
    if asked.write:
        words = f"python bench/report_table.py FOLDER --seeds {asked.seeds} --games {asked.games} --write {asked.write}"
        asked.write.parent.mkdir(parents=True, exist_ok=True)
        asked.write.write_text(page(study, names, asked.seeds, words, remarks_of(asked.write)))
    if asked.ship:
        ship(study, names, asked.ship)


if __name__ == "__main__":
    main()
