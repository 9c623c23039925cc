"""`meeple new`."""

from __future__ import annotations

import keyword
from importlib.resources import files
from pathlib import Path

import typer

from meeple.core.folders import is_there
from meeple.core.numbers import shortened
from meeple.errors import ConfigError, SaveError

app = typer.Typer(no_args_is_help=True, help="Start a game, an agent or an engine of your own.")


@app.command()
def game(name: str = typer.Argument(..., help="In lower case, such as kalah.")) -> None:
    """A folder NAME with a small complete game, to be changed into yours; `meeple check ./NAME` tells what is wrong."""
    _require_name(name)
    folder = Path(name)
    if is_there(folder):
        raise SaveError(f"'{folder}' exists and is not overwritten; choose another name")
    template = files("meeple.cli") / "templates" / "game"
    texts = {
        entry.name.removesuffix(".txt"): entry.read_text(encoding="utf-8")
        for entry in template.iterdir()
        if entry.name.endswith(".txt")
    }
    try:
        folder.mkdir()
        for file, text in sorted(texts.items()):
            (folder / file).write_text(text.replace("NAME", name).replace("TITLE", name.capitalize()), encoding="utf-8")
    except OSError as fault:
        raise SaveError(f"'{folder}' cannot be written: {fault.strerror}") from fault
    print(f"{folder}/ holds a small game that plays: read rules.py from top to bottom and make it yours.")
    print(f"next  meeple check ./{name}      what is still wrong")
    print(f"      meeple play ./{name}       try it, or `meeple web ./{name}` in a browser")


@app.command()
def agent(name: str = typer.Argument(..., help="In lower case, such as careful.")) -> None:
    """A file NAME.py with a small complete agent, to be changed into yours."""
    _require_name(name)
    path = Path(f"{name}.py")
    if is_there(path):
        raise SaveError(f"'{path}' exists and is not overwritten; choose another name")
    kind = "".join(part.capitalize() for part in name.split("_"))
    text = (files("meeple.cli") / "templates" / "agent.py.txt").read_text(encoding="utf-8")
    try:
        path.write_text(text.replace("NAME", name).replace("CLASS", kind), encoding="utf-8")
    except OSError as fault:
        raise SaveError(f"'{path}' cannot be written: {fault.strerror}") from fault
    print(f"{path} holds a small agent that plays: change its method choose.")
    print(f"next  meeple match santorini ./{path}:{kind} random -n 100")


# By language: the ending of the file, what builds it, and the command that starts it.
LANGUAGES = {
    "python": (".py", "", "python3 NAME.py"),
    "cpp": (".cpp", "g++ -O2 -std=c++17 -o NAME NAME.cpp", "./NAME"),
    "javascript": (".js", "", "node NAME.js"),
}


@app.command()
def engine(
    name: str = typer.Argument(..., help="In lower case, such as bold."),
    language: str = typer.Option("python", "--language", "-l", help="python, cpp or javascript."),
) -> None:
    """A small program that plays as an engine, in a language of your choice, to be changed into yours."""
    _require_name(name)
    if language not in LANGUAGES:
        raise ConfigError(f"--language is {', '.join(LANGUAGES)}, not '{shortened(language)}'; others: write your own")
    ending, build, start = LANGUAGES[language]
    path = Path(name + ending)
    if is_there(path):
        raise SaveError(f"'{path}' exists and is not overwritten; choose another name")
    try:
        path.write_text(engine_text(language, name), encoding="utf-8")
    except OSError as fault:
        raise SaveError(f"'{path}' cannot be written: {fault.strerror}") from fault
    print(f"{path} holds a small engine that plays: change its function choose (docs/engine-protocol.md).")
    command = start.replace("NAME", name)
    steps = [build.replace("NAME", name)] if build else []
    steps.append(f"meeple match santorini 'engine:command=\"{command}\"' random -n 10")
    print("next  " + "\n      ".join(steps))


def engine_text(language: str, name: str) -> str:
    """The small engine in a language."""
    template = files("meeple.cli") / "templates" / "engine" / f"engine{LANGUAGES[language][0]}.txt"
    return template.read_text(encoding="utf-8").replace("NAME", name)


def _require_name(name: str) -> None:
    from meeple.core.registry import game_names

    if (
        not name.isascii()
        or len(name) > 100
        or not name.isidentifier()
        or keyword.iskeyword(name)
        or name != name.lower()
    ):
        raise ConfigError(
            f"'{shortened(name)}' cannot be a name: letters a-z, digits and _ in lower case, a letter first"
        )
    if name in game_names():
        raise ConfigError(f"there is a game '{name}' already; choose another name")
