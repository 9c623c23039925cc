"""A release as a user meets it: built, installed in an empty environment outside the checkout, and played."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import tomllib
import urllib.request
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import meeple
from meeple.cli.doctor import EXTRAS
from meeple.core.registry import game_names
from release import distributions
from release.distributions import SURROUNDINGS

ADAPTERS = """
from meeple.adapters import gymnasium, openspiel, pettingzoo
env = pettingzoo.env("santorini")
env.reset(seed=7)
observation, *_ = env.last()
env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))
gymnasium.SeatEnv("santorini", agents="first", seat=0).reset(seed=7)
assert openspiel.load_game("santorini").num_players() == 2
"""
TUNING = "meeple tune santorini greedy:evaluation=climb --against random --space evaluation.turn=0..40"
# What each extra is for, done once in the smallest way; the page's, `web`, has a test of its own.
USES = {
    "report": "meeple stats santorini -p random -n 2 --export rows.parquet --plot drawing.svg",
    "learn": "meeple train ann santorini games=2 --out net",
    "adapters": f"python -c {shlex.quote(ADAPTERS)}",
    "tune": f"{TUNING} --trials 1 --games 2 --check 2",
    "ray": "meeple tournament santorini -p first random -n 2 --backend ray",
    "docs": "mkdocs --version",
}
FOR_THE_CHECKOUT = {"docs"}  # extras of which an installed Meeple has no use, nor `meeple doctor` a word
SHOWN = re.compile(r"extra (\w+): ")  # by `meeple doctor`


@dataclass
class Environment:
    """A virtual environment with nothing in it, a home for its user, and a folder to work in."""

    folder: Path

    def __post_init__(self) -> None:
        venv.create(self.folder / "venv", with_pip=True, symlinks=True)
        self.place = self.folder / "place"
        self.place.mkdir()
        self.home = self.folder / "home"
        self.variables = {name: word for name, word in SURROUNDINGS.items() if not name.startswith(("MEEPLE_", "XDG_"))}
        self.variables |= {"COLUMNS": "100", "NO_COLOR": "1", "HOME": str(self.home)}

    def install(self, *words: str) -> None:
        """Install packages and what they require, of the pinned versions."""
        pip = [self.program("python"), "-m", "pip", "--disable-pip-version-check"]
        for command in (
            [*pip, "install", "--quiet", "--no-compile", "--constraint", str(distributions.PINS), *words],
            [*pip, "check"],
        ):
            ran = subprocess.run(command, cwd=self.place, env=SURROUNDINGS, capture_output=True, text=True)
            assert ran.returncode == 0, ran.stdout + ran.stderr

    def program(self, name: str) -> str:
        """The path of a program of the environment."""
        return str(self.folder / "venv" / "bin" / name)

    def run(self, *words: str) -> str:
        """Run a program of the environment, which must succeed, and return what it printed."""
        command = [self.program(words[0]), *words[1:]]
        ran = subprocess.run(command, cwd=self.place, env=self.variables, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    def extras(self) -> dict[str, str]:
        """What `meeple doctor` finds for each extra: `complete`, or what it is without."""
        rows = json.loads(self.run("meeple", "doctor", "--json"))
        assert [row for row in rows if row["advice"].startswith("!")] == []
        return {shown[1]: row["found"] for row in rows if (shown := SHOWN.match(row["what"]))}


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel that is built from it, as they are released."""
    source = distributions.copy_checkout(tmp_path_factory.mktemp("release"))
    distributions.build(source)
    return source / "dist"


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[Environment]:
    """An empty environment, which is removed afterwards: pytest would keep it, a gigabyte."""
    yield Environment(tmp_path)
    shutil.rmtree(tmp_path / "venv")


@pytest.fixture(scope="session")
def plain(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Environment]:
    """An environment with the wheel and no extra."""
    environment = Environment(tmp_path_factory.mktemp("plain"))
    environment.install(str(distributions.only(built, "*.whl")))
    yield environment
    shutil.rmtree(environment.folder / "venv")


@pytest.mark.long
def test_the_sdist_builds_the_wheel_that_the_checkout_builds(built: Path, tmp_path: Path) -> None:
    source = distributions.copy_checkout(tmp_path)
    distributions.build(source, "--wheel")
    of_checkout = distributions.wheel_contents(distributions.only(source / "dist", "*.whl"))
    of_sdist = distributions.wheel_contents(distributions.only(built, "*.whl"))
    assert of_checkout == of_sdist


@pytest.mark.long
def test_the_sdist_holds_the_source_and_what_tells_of_it(built: Path) -> None:
    names = distributions.sdist_names(distributions.only(built, "*.tar.gz"))
    told = {name for name in names if not name.startswith("src/meeple")}
    assert {name.removeprefix("src/") for name in names if name.startswith("src/meeple/")} == (
        distributions.package_files()
    )
    assert told == {
        *("pyproject.toml", "MANIFEST.in", "setup.cfg", "constraints.txt", "PKG-INFO"),
        *("README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff"),
    }


@pytest.mark.long
def test_an_empty_environment_plays_every_game(plain: Environment) -> None:
    where = plain.run("python", "-c", "import meeple; print(meeple.__file__)").strip()
    assert Path(where).is_relative_to(plain.folder / "venv")
    assert plain.run("meeple", "--version") == f"meeple {meeple.__version__}\n"
    assert [row["game"] for row in json.loads(plain.run("meeple", "games", "--json"))] == sorted(game_names())
    found = plain.extras()
    assert found
    assert all(missing.startswith("without ") for missing in found.values()), found
    for name in game_names():
        others = ["random"] * (meeple.load_game(name).seats - 1)
        lines = plain.run("meeple", "match", name, "first", *others, "-n", "1")
        assert f"\nagain  meeple match {name} " in lines
    assert list(plain.home.rglob("*.entry"))  # compiled for this user


@pytest.mark.long
def test_files_that_come_along_are_found(plain: Environment) -> None:
    plain.run("meeple", "levels", "santorini")
    assert "puzzles" in plain.run("meeple", "puzzles", "santorini")
    assert "summit" in plain.run("meeple", "models", "santorini")
    assert "MinimaxAI" in plain.run("meeple", "reproduce")
    plain.run("meeple", "new", "game", "mygame")
    plain.run("meeple", "new", "agent", "careful")
    plain.run("meeple", "new", "engine", "bold")
    plain.run("meeple", "check", "./mygame", "--matches", "1")
    plain.run("meeple", "match", "santorini", "greedy:evaluation=model@summit", "./careful.py:Careful", "-n", "1")


@pytest.mark.long
def test_the_page_is_served_whole(built: Path, environment: Environment) -> None:
    environment.install(f"{distributions.only(built, '*.whl')}[web]")
    assert environment.extras()["web"] == "complete"
    command = [environment.program("meeple"), "web", "--no-open", "--no-prepare", "--port", "0"]
    variables = {name: word for name, word in environment.variables.items() if not name.startswith("PYTEST")}
    with subprocess.Popen(
        command, cwd=environment.place, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        try:
            assert server.stdout is not None
            address = next(filter(None, (re.search(r"Meeple is at (\S+)", line) for line in server.stdout)))[1]
            with urllib.request.urlopen(address) as answer:
                page = answer.read().decode()
            assert all(meeple.load_game(name).definition.facts.title in page for name in game_names())
            assets = set(re.findall(r"""["'](/_meeple/[^"'?\\]+)""", page))
            assert len(assets) >= 6, assets
            for asset in assets:
                with urllib.request.urlopen("/".join(address.split("/")[:3]) + asset) as answer:
                    assert answer.read()
        finally:
            server.terminate()


@pytest.mark.long
@pytest.mark.parametrize("extra", USES)
def test_an_extra_installs_alone(extra: str, built: Path, environment: Environment) -> None:
    environment.install(f"{distributions.only(built, '*.whl')}[{extra}]")
    if extra not in FOR_THE_CHECKOUT:
        assert environment.extras()[extra] == "complete"
    environment.run(*shlex.split(USES[extra]))


def test_every_extra_is_installed_by_a_test() -> None:
    project = tomllib.loads((distributions.ROOT / "pyproject.toml").read_text())["project"]
    assert set(project["optional-dependencies"]) - {"dev"} == {*USES, "web"} == {*EXTRAS, *FOR_THE_CHECKOUT}
