"""A signature of code: equal where two versions of some files do the same by their text, whoever laid them out.

Of a Python file counts what it does: comments, docstrings, annotations, formatting, imports for types only do not.
Its imports are followed as far as they are Meeple's or of the same package or folder, and so are modules that it
names in a text (`specialise("meeple.core.face")`). Of any other file every byte counts; a file is found by its name,
or its ending, in the code beside it. Nothing is imported and nothing run.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
# What draws, tells, and plays games for Python beside all tournaments: it chooses no move of theirs, and is reached by
# imports and texts all the same.
SILENT = {
    PACKAGE / name
    for name in (
        *("errors.py", "core/paint.py", "core/picture.py", "core/svg.py"),
        *("core/batch.py", "arena/collect.py"),
    )
}
FOR_TYPES = ("__future__", "typing", "collections.abc", "numpy.typing", "types")  # modules that only annotations need
LEFT_OUT = {"annotation", "returns", "type_comment", "ctx", "kind", "type_params", "type_ignores"}
NO_DATA = (".py", ".pyc", ".sqlite", ".lock", ".log")  # followed as code, or written by the games themselves
DOTTED = re.compile(r"[A-Za-z_]\w*(\.\w+)+")
ENDING = re.compile(r"\*?(\.\w{1,12})")
LONGEST_NAME = 200  # letters of a text that may name a file
MOST_FILES = 10_000  # of a folder that a setting names
MOST_BYTES = 1 << 30  # of a file: what is larger counts by its size and date
NO_FILES = ("/proc", "/sys", "/dev")  # what a store from elsewhere may name, and what may never end


@dataclass(frozen=True)
class Source:
    """A Python file: a digest of what it does, the files that it imports, and its texts, which may name data."""

    digest: str
    imports: tuple[Path, ...] = ()
    texts: frozenset[str] = frozenset()


def signature(files: Iterable[Path], *facts: str) -> str:
    """Sixteen letters for `files`, all that they import and name, and some facts."""
    parts = sorted(f"{path.name}:{digest_of(path)}" for path in files_behind(files))
    return _hash("\n".join([*parts, *facts]))


def files_behind(files: Iterable[Path]) -> set[Path]:
    """`files` and every file that is part of what they do; those that are not there are kept too."""
    found: set[Path] = set()
    waiting = [Path(path).resolve() for path in files]
    while waiting:
        path = waiting.pop()
        if path in found or path in SILENT or path.as_posix().startswith(NO_FILES):
            continue
        if path.is_dir():
            inside = islice(path.rglob("*"), MOST_FILES)
            waiting += [file for file in inside if "__pycache__" not in file.parts and os.path.isfile(file)]
            continue
        found.add(path)
        if path.suffix == ".py" and path.is_file():
            source = _read(path)
            waiting += [*source.imports, *_data(source.texts, path)]
    return found


def digest_of(path: Path) -> str:
    """What a file does, where it is Python; of another every byte counts."""
    if not path.is_file():
        return "gone"
    if path.suffix == ".py":
        return _read(path).digest
    status = path.stat()
    if status.st_size > MOST_BYTES:
        return f"{status.st_size} {status.st_mtime_ns}"
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha1").hexdigest()


def _read(path: Path) -> Source:
    stat = path.stat()
    source: Source = _read_version(path, stat.st_mtime_ns, stat.st_size)
    return source


@cache
def _read_version(path: Path, _modified: int, _size: int) -> Source:
    try:
        with tokenize.open(path) as file:
            tree = ast.parse(file.read())
        digest = _hash("\x00".join(_tell(tree, [])))
    except (SyntaxError, ValueError, RecursionError):  # no Python, or nested too deep: then every byte counts
        return Source(_hash(path.read_bytes().hex()))
    nodes = list(ast.walk(tree))
    texts = frozenset(text for text in _texts(nodes) if 0 < len(text) <= LONGEST_NAME and text.isprintable())
    for_types = {id(inner) for node in nodes if isinstance(node, ast.If) and _is_for_types(node) for inner in node.body}
    imports = {found for node in nodes if id(node) not in for_types for found in _imported(node, path)}
    imports |= {
        found for text in texts if DOTTED.fullmatch(text) for found in [_module(text.split("."), path)] if found
    }
    return Source(digest, tuple(sorted(imports)), texts)


# --- what a file does --------------------------------------------------------------------------------


def _tell(node: ast.AST, out: list[str]) -> list[str]:
    """Write a tree as a list of words: kinds and names in their order, without what does nothing."""
    out.append(type(node).__name__)
    for name in node._fields:
        value = getattr(node, name, None)
        if value is None or name in LEFT_OUT:
            continue
        out.append(name)
        if isinstance(value, ast.AST):
            _tell(value, out)
        elif isinstance(value, list):
            for each in value:
                if not isinstance(each, ast.AST):
                    out.append(repr(each))
                elif not (isinstance(each, ast.stmt) and _is_silent(each)):
                    _tell(each, out)
        else:
            out.append(repr(value))
    out.append(")")
    return out


def _is_silent(node: ast.stmt) -> bool:
    """Whether a statement does nothing: a docstring or another bare text, or an import for types only."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) and isinstance(node.value.value, (str, type(...)))
    if isinstance(node, ast.ImportFrom):
        return node.level == 0 and node.module in FOR_TYPES
    if isinstance(node, ast.Import):
        return all(alias.name in FOR_TYPES for alias in node.names)
    return isinstance(node, ast.Pass) or _is_for_types(node)


def _is_for_types(node: ast.AST) -> bool:
    """Whether this is `if TYPE_CHECKING:` without an else."""
    if not isinstance(node, ast.If) or node.orelse:
        return False
    test = node.test
    return "TYPE_CHECKING" in (getattr(test, "id", ""), getattr(test, "attr", ""))


# --- what it imports ---------------------------------------------------------------------------------


def _imported(node: ast.AST, path: Path) -> Iterator[Path]:
    if not isinstance(node, (ast.Import, ast.ImportFrom)):
        return
    names: list[list[str]] = []
    if isinstance(node, ast.Import):
        names = [alias.name.split(".") for alias in node.names]
    else:
        parts = node.module.split(".") if node.module else []
        for alias in node.names:
            if node.level:
                base = path.parents[node.level - 1] if node.level <= len(path.parents) else path.parent
                found = _below(base, [*parts, alias.name]) or _below(base, parts)
                if found:
                    yield found
            else:
                names.append([*parts, alias.name])
    for name in names:
        located = _module(name, path) or (_module(name[:-1], path) if len(name) > 1 else None)
        if located:
            yield located


def _module(parts: list[str], path: Path) -> Path | None:
    """The file of a dotted name, if it is Meeple's, of the same package, or beside a file that is in none."""
    if parts[0] == PACKAGE.name:
        return _below(PACKAGE.parent, parts)
    root = path.parent
    while (root / "__init__.py").is_file():
        root = root.parent
    is_own = root != path.parent and parts[0] == path.relative_to(root).parts[0]
    is_beside = root == path.parent and root.name not in ("site-packages", "dist-packages")
    return _below(root, parts) if is_own or is_beside else None


def _below(place: Path, parts: list[str]) -> Path | None:
    package = place.joinpath(*parts, "__init__.py")
    if package.is_file():
        return package
    module = place.joinpath(*parts[:-1], f"{parts[-1]}.py") if parts else package
    return module if module.is_file() else None


# --- the data that it names --------------------------------------------------------------------------


def _texts(nodes: list[ast.AST]) -> Iterator[str]:
    """All texts of a tree, docstrings left out; of one that is put together each piece."""
    silent = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
            yield node.value
        if isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[-1], ast.Constant):
            yield Path(f"x{node.values[-1].value!s}").suffix  # f"weights-{n}.json": any such file


def _data(texts: frozenset[str], path: Path) -> set[Path]:
    """The files that texts of `path` name: in its folder or one above it, or in a folder there that it names too.

    A text that is an ending, such as `.npz` or `*.npz`, names all such files beside it.
    """
    homes = [path.parent, path.parent.parent]
    if PACKAGE not in path.parents:
        homes.append(Path.cwd())
    folders = [home / text for home in homes for text in texts if _is_name(text) and os.path.isdir(home / text)]
    found: set[Path] = set()
    for text in texts:
        ending = ENDING.fullmatch(text)
        if ending and ending[1] not in NO_DATA:
            for folder in [path.parent, *(folder for folder in folders if folder.parent == path.parent)]:
                found |= {file for file in folder.glob(f"*{ending[1]}") if os.path.isfile(file)}
        elif _is_name(text) and "." in text:
            found |= {folder / text for folder in [*homes, *folders] if os.path.isfile(folder / text)}
    return {file.resolve() for file in found if file.suffix not in NO_DATA}


def _is_name(text: str) -> bool:
    """Whether a text may name a file or a folder below another: a word or two without wild cards."""
    return not text.startswith((".", "~")) and not re.search(r"[\s*?\"'<>|{}\\]", text) and text.strip("/") != ""


def _hash(text: str) -> str:
    return hashlib.sha1(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
