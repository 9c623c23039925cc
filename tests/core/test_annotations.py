"""Every function is annotated but those that are compiled, whose types Numba infers."""

from __future__ import annotations

import ast
from pathlib import Path

import meeple

SOURCES = sorted(Path(meeple.__file__).parent.rglob("*.py"))
Function = ast.FunctionDef | ast.AsyncFunctionDef
COMPILED = {"kernel", "compiled_for", "intrinsic", "overload", "njit"}  # decorators


def is_compiled(function: Function) -> bool:
    """Whether a decorator hands the function to the compiler."""
    named = [each.func if isinstance(each, ast.Call) else each for each in function.decorator_list]
    return any((each.id if isinstance(each, ast.Name) else getattr(each, "attr", "")) in COMPILED for each in named)


def is_annotated(function: Function) -> bool:
    """Whether every argument but the first of a method, and what comes back, has a type."""
    given = function.args
    arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
    typed = [each for each in arguments if each.annotation is not None or each.arg in ("self", "cls")]
    return len(typed) == len(arguments) and (function.returns is not None or function.name == "__init__")


def functions_in(tree: ast.AST) -> list[Function]:
    """All functions of a tree, those inside others too."""
    return [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]


def bare_functions(tree: ast.Module) -> list[str]:
    """The functions that are neither compiled, nor inside one that is, nor annotated."""
    compiled = {id(inner) for each in functions_in(tree) if is_compiled(each) for inner in functions_in(each)}
    return [each.name for each in functions_in(tree) if id(each) not in compiled and not is_annotated(each)]


def test_every_function_that_is_not_compiled_is_annotated() -> None:
    found = {path.name: bare for path in SOURCES if (bare := bare_functions(ast.parse(path.read_text())))}
    assert found == {}


def test_a_bare_function_is_found() -> None:
    code = "@kernel\ndef a(x):\n    return x\ndef b(x) -> int:\n    return x\ndef c(x: int) -> int:\n    return x\n"
    assert bare_functions(ast.parse(code)) == ["b"]
