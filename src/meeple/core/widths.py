"""Whole numbers have 64 bits in a kernel, however few they have in the state: compiled and interpreted alike.

A state keeps a seat or a count in eight bits. Compiled code takes such a field into 64 bits as soon as it computes with
it; a kernel that is called with it, or with a literal, would be compiled once more for that type. NumPy's scalars keep
their eight bits when the kernel is interpreted, and wrap. So:

- a kernel that another kernel calls takes an int64 for every smaller whole number and every literal (`fold_wide`);
- an interpreted kernel reads an int64 from every field and every place of an array (`read_wide`).

Arrays keep the type that they have, and so does a number that a kernel makes small on purpose, `np.int32(x)`. Not
widened are a uint64, a float and a truth, nor what an interpreted loop takes out of an array without an index.
"""

from __future__ import annotations

import ast
import copy
import tokenize
from functools import cache, update_wrapper
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import numpy as np
from numba import types

WORD = 64  # bits
SMALL = frozenset((np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32))
READ = "__meeple_wide__"  # `wide` among the globals of an interpreted kernel
PLACE = "__meeple_place__"  # where an interpreted kernel changes an array in place


# --- compiled -----------------------------------------------------------------------------------------------


def fold_wide(dispatcher: Any) -> None:
    """Have kernels that call this one hand it int64 for every literal and every smaller whole number.

    Numba asks for these types in one place, also where a kernel calls itself. A version that has no such place
    compiles the kernel once for each type, with the same answers.
    """
    compiler = getattr(dispatcher, "_compiler", None)
    fold = getattr(compiler, "fold_argument_types", None)
    if compiler is None or fold is None:
        return

    def fold_widened(args: Any, kws: Any) -> Any:
        signature, folded = fold(args, kws)
        return signature, tuple(widened(one) for one in folded)

    compiler.fold_argument_types = fold_widened


def widened(kind: Any) -> Any:
    """The Numba type that a kernel takes where a caller has `kind`."""
    if isinstance(kind, (types.IntegerLiteral, types.BooleanLiteral)):
        kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind.bitwidth < WORD else kind


# --- interpreted --------------------------------------------------------------------------------------------


def wide(value: Any) -> Any:
    """A NumPy integer of less than 64 bits as an int64; anything else as it is."""
    return np.int64(value) if type(value) in SMALL else value


def read_wide(function: Any) -> Any:
    """The function with `wide` around all that it reads from fields and arrays; itself where no file has its source."""
    code = function.__code__
    path = Path(code.co_filename)
    known = _definitions(path, path.stat().st_mtime_ns) if path.is_file() else {}
    node = known.get((code.co_name, code.co_firstlineno))
    if node is None:
        return function
    function.__globals__[READ] = wide
    changed = FunctionType(
        _code_of(node, code), function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    changed.__kwdefaults__ = function.__kwdefaults__
    return update_wrapper(changed, function)


@cache
def _definitions(path: Path, _modified: int) -> dict[tuple[str, int], ast.FunctionDef]:
    """All functions of a source file, by name and first line, decorators included."""
    with tokenize.open(path) as source:
        tree = ast.parse(source.read())
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {(one.name, _first_line(one)): one for one in functions}


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(one.lineno for one in node.decorator_list)])


def _code_of(node: ast.FunctionDef, code: CodeType) -> CodeType:
    """The bytecode of a function with wide reads, compiled inside another that has its free variables."""
    inner = _WideReads().visit(copy.deepcopy(node))
    inner.decorator_list = []
    is_global = code.co_name not in code.co_freevars  # where the function names itself
    outer = ast.parse(f"def outer({', '.join(code.co_freevars)}): {f'global {code.co_name}' if is_global else 'pass'}")
    outer.body[0].body.append(inner)  # type: ignore[attr-defined]
    whole = compile(ast.fix_missing_locations(outer), code.co_filename, "exec", dont_inherit=True)
    made = _code_in(_code_in(whole, "outer"), code.co_name)
    return made.replace(co_qualname=code.co_qualname)


def _code_in(code: CodeType, name: str) -> CodeType:
    return next(one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == name)


class _WideReads(ast.NodeTransformer):
    """Puts `wide` around fields and places of arrays where they are read, and nothing around what is called."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return self._read(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        node.slice = self.visit(node.slice)
        return self._read(node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if isinstance(node.func, ast.Attribute):
            node.func.value = self.visit(node.func.value)
        node.args = [self.visit(one) for one in node.args]
        node.keywords = [self.visit(one) for one in node.keywords]
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt] | ast.stmt:
        """`a[i] += x` is `a[i] = wide(a[i]) + x`, with the place found once; a slice stays as it is."""
        target = node.target
        node.value = self.visit(node.value)
        if isinstance(target, ast.Name) or not _is_plain(target.value) or _has_slice(target):
            return node
        before: list[ast.stmt] = []
        if isinstance(target, ast.Subscript) and not isinstance(target.slice, (ast.Name, ast.Constant)):
            before = [ast.Assign([ast.Name(PLACE, ast.Store())], self.visit(target.slice))]
            target.slice = ast.Name(PLACE, ast.Load())
        old = copy.deepcopy(target)
        old.ctx = ast.Load()
        after = ast.Assign([target], ast.BinOp(_wide_call(old), node.op, node.value))
        return [ast.copy_location(one, node) for one in [*before, after]]

    def _read(self, node: Any) -> ast.expr:
        """The field or place, of what is not widened itself: `state.pits` of `state.pits[i]` is an array."""
        inner = node.value
        if isinstance(inner, (ast.Attribute, ast.Subscript)):
            read = self.visit(inner)
            node.value = read.args[0] if isinstance(inner.ctx, ast.Load) else read
        else:
            node.value = self.visit(inner)
        return _wide_call(node) if isinstance(node.ctx, ast.Load) else node


def _wide_call(node: Any) -> ast.Call:
    return ast.copy_location(ast.Call(ast.Name(READ, ast.Load()), [node], []), node)


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression names an object by names and fields alone, so that naming it twice does nothing."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, (ast.Name, ast.Constant)) and _is_plain(node.value)
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and _is_plain(node.value))


def _has_slice(target: ast.expr) -> bool:
    return isinstance(target, ast.Subscript) and any(isinstance(one, ast.Slice) for one in ast.walk(target.slice))
