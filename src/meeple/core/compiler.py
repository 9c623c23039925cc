"""How a kernel becomes machine code: each function is typed once, and optimised where Python calls it.

Numba compiles every function for itself: it links in all that the function calls, optimises the whole, writes
machine code and two wrappers for Python, and does all of it again in each caller. In a game's search a hundred and
fifty functions call each other some ten layers deep, so the lowest is optimised a dozen times, and Python calls eleven
of them. Here a kernel has two sides:

    part    what other kernels link in: its types inferred and lowered to LLVM IR, but not optimised or compiled further
    entry   what Python calls: the LLVM IR of all parts that it reaches, linked, optimised as a whole and compiled once

This overrides private classes of Numba: the dispatcher, the pass that lowers, and the library that gathers a
function's code. `lacking` lists what an installed version of Numba does not have of them; then `core.plain` is used,
which does without. Both sides are cached on disk: an entry as machine code, which needs nothing else; a part as LLVM
bitcode of its own function with the names of the parts that it calls, for entries that are compiled later.
"""

from __future__ import annotations

import gc
import os
import pickle
import threading
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys
from numba.core.typed_passes import NativeLowering

from meeple.core.cache import KernelCache, read_sealed
from meeple.core.mistakes import naming_mistakes
from meeple.core.readiness import making_ready
from meeple.core.widths import fold_wide
from meeple.errors import FailureError

OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy", "boundscheck": None, "no_cfunc_wrapper": True}
# Said of every kernel, since Numba would give a callee its caller's: whether references to arrays are counted.
COUNTS, BORROWS = {"_nrt": True}, {"_nrt": False}
UNRESOLVED = ".numba.unresolved"
LENT = {  # what is used or overridden here of Numba's own classes
    JITCodeLibrary: "_optimize_functions _raise_if_finalized _finalize_dynamic_globals _get_module_for_linking "
    "_verify_declare_only_symbols _ensure_finalized add_linking_library enable_object_caching finalize codegen name "
    "has_dynamic_globals",
    JITCPUCodegen: "_function_pass_manager set_env magic_tuple",
    NativeLowering: "run_pass",
    CompilerBase: "define_pipelines",
    DefaultPassBuilder: "define_nopython_pipeline",
    CPUDispatcher: "add_overload compile is_compiling _numba_type_ _reduce_states _rebuild",
    _FunctionCompiler: "fold_argument_types",
    CompileResult: "_fields _reduce _rebuild _replace library fndesc environment signature reload_init codegen",
    type(rtsys): "library",
}


def lacking() -> list[str]:
    """Return the names of Numba's that are used here and that the installed version does not have."""
    expected = [(owner, name) for owner, names in LENT.items() for name in names.split()]
    return [f"{owner.__name__}.{name}" for owner, name in expected if not hasattr(owner, name)]


# --- the code of a function, and of all that it calls ---------------------------------------------------


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """One kernel's own code, to be linked into the entries that reach it."""

    symbol = ""
    file: Path | None = None  # where it is kept

    def _optimize_functions(self, module: Any) -> None:
        """Run the cheap passes over this function alone: the entry then has less to link and optimise."""
        module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager()
        for function in module.functions:
            if not function.is_declaration:  # a callee: its code is in its own part
                passes.run(function, builder)

    def finalize(self) -> None:
        """Link in Numba's own helpers (such as making an array); other kernels are linked by the entries."""
        self._raise_if_finalized()
        for library in self._linking_libraries:
            if library is not rtsys.library and not isinstance(library, PartLibrary):
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def calls(self) -> list[PartLibrary]:
        return list(dict.fromkeys(library for library in self._linking_libraries if isinstance(library, PartLibrary)))


class EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A kernel and all parts that it reaches, optimised together."""

    parts: list[PartLibrary]

    def finalize(self) -> None:
        """Link callers before callees: LLVM drops a function that nothing linked so far refers to."""
        self.parts = callers_first(self)
        others = [library for library in self._linking_libraries if not isinstance(library, PartLibrary)]
        self._linking_libraries: list[Any] = [*self.parts, *others]
        super().finalize()

    def _verify_declare_only_symbols(self) -> None:
        super()._verify_declare_only_symbols()
        symbols = {part.symbol for part in self.parts}
        missing = [one.name for one in self._final_module.functions if one.is_declaration and one.name in symbols]
        if missing:
            raise FailureError(f"{self.name} was linked without {', '.join(missing)}")


def callers_first(entry: EntryLibrary) -> list[PartLibrary]:
    """Return all parts that an entry reaches, in topological order: each after all that call it."""
    ordered: dict[PartLibrary, None] = {}

    def visit(library: PartLibrary) -> None:
        if library not in ordered:
            for callee in library.calls():
                visit(callee)
            ordered[library] = None

    for library in entry._linking_libraries:
        if isinstance(library, PartLibrary):
            visit(library)
    return list(reversed(ordered))


# --- lowering ------------------------------------------------------------------------------------------------


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):  # type: ignore[misc]
    _name = "meeple_part_lowering"

    def run_pass(self, state: Any) -> bool:
        library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library = library
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        library._ensure_finalized()
        library.symbol = lowered.fndesc.llvm_func_name
        # A part has no machine code, so there is no address to give: callers look the function up by this key.
        key = object()
        state.targetctx.insert_user_function(key, lowered.fndesc, [library])
        state.reload_init.extend(library._reload_init)
        state["cr"] = lowered._replace(cfunc=key)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class EntryLowering(NativeLowering):  # type: ignore[misc]
    _name = "meeple_entry_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        super().run_pass(state)
        # Python objects that a part prints or raises are reached by a global variable, one for each part.
        for one in state.library._final_module.global_variables:
            environment = lookup_environment(one.name)
            if environment is not None:
                state.library.codegen.set_env(one.name, environment)
        return True


class PartCompiler(CompilerBase):  # type: ignore[misc]
    lowering: type[NativeLowering] = PartLowering

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        if not any(one is NativeLowering for one, _text in passes.passes):
            raise FailureError("this Numba compiles in other steps than are known here; set MEEPLE_COMPILER=plain")
        passes.passes = [(self.lowering if one is NativeLowering else one, text) for one, text in passes.passes]
        passes.finalize()
        return [passes]


class EntryCompiler(PartCompiler):
    lowering = EntryLowering


# --- what a kernel is to Python and to other kernels --------------------------------------------------------


class PartDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A kernel as other kernels call it; one that `borrows` counts no references to arrays."""

    def __init__(self, function: Callable[..., Any], *, borrows: bool = False) -> None:
        options = OPTIONS | {"no_cpython_wrapper": True} | (BORROWS if borrows else COUNTS)
        super().__init__(function, {}, options, PartCompiler)
        fold_wide(self)
        self.borrows = borrows

    def add_overload(self, result: Any) -> None:
        returned = result.signature.return_type
        if self.borrows and result.target_context.data_model_manager[returned].contains_nrt_meminfo():
            # Its caller would give up a reference that nobody has counted, and free the array under its owner.
            raise FailureError(f"{self.py_func.__name__} returns an array, which a borrowing_kernel must not")
        self.overloads[tuple(result.signature.args)] = result

    def compile(self, sig: Any) -> Any:
        with naming_mistakes(self.py_func):
            return super().compile(sig)


class Uncollected:
    """A context in which Python's garbage collector is off, until the last thread has left it.

    What a compiler allocates lives until it is done, so looking for garbage meanwhile finds none, and took a sixth of
    the time.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._within = 0
        self._collects = False

    def __enter__(self) -> None:
        with self._lock:
            if self._within == 0:
                self._collects = gc.isenabled()
                gc.disable()
            self._within += 1

    def __exit__(self, *_fault: object) -> None:
        with self._lock:
            self._within -= 1
            if self._within == 0 and self._collects:
                gc.enable()


uncollected = Uncollected()


class EntryDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A kernel as Python calls it, cached in `folder`; other kernels that refer to it get its part."""

    def __init__(self, function: Callable[..., Any], folder: Path, *, borrows: bool = False) -> None:
        super().__init__(function, {}, OPTIONS | COUNTS, EntryCompiler)
        fold_wide(self)
        self._cache = EntryCache(function, folder)
        self.borrows = borrows  # as a part; what Python hands over is always counted

    def _reduce_states(self) -> dict[str, Any]:
        return {"function": self.py_func, "folder": self._cache.folder, "borrows": self.borrows}

    @classmethod
    def _rebuild(cls, function: Callable[..., Any], folder: Path, borrows: bool) -> EntryDispatcher:
        return cls(function, folder, borrows=borrows)

    @cached_property
    def part(self) -> PartDispatcher:
        part = PartDispatcher(self.py_func, borrows=self.borrows)
        part._cache = PartCache(self.py_func, self._cache.folder)
        return part

    @property
    def _numba_type_(self) -> Any:
        # While a kernel is being compiled, a reference to it means recursion; otherwise callers get the linkable part.
        return self._type if self.is_compiling else self.part._type

    def compile(self, sig: Any) -> Any:
        with uncollected, making_ready(), naming_mistakes(self.py_func):
            return super().compile(sig)


# --- on disk ---------------------------------------------------------------------------------------------------


class EntryCache(KernelCache):
    """Entries on disk, as machine code."""

    def _is_unresolved(self, library: Any) -> bool:
        return any(one.name.startswith(UNRESOLVED) for one in library._final_module.global_variables)


class PartCache(EntryCache):
    """Parts on disk.

    Numba puts a counter into the names of symbols, so two processes that compile the same part at once write it under
    different names, and the last file stays. A caller that refers to the other name is then compiled anew.
    """

    ending = "part"
    known: ClassVar[dict[Path, CompileResult]] = {}  # what this process has written or loaded

    def _tell(self, fault: str) -> None:
        """Say nothing: the entry of the same kernel warns already."""

    def _save(self, path: Path, result: CompileResult) -> None:
        library = result.library
        calls = library.calls()
        if not all(callee.file for callee in calls):
            return
        result.fndesc.typemap = result.fndesc.calltypes = None
        kept = (
            library._get_module_for_linking().as_bitcode(),
            [(os.path.relpath(callee.file, path.parent), callee.symbol) for callee in calls],
            {name: getattr(result, name) for name in ("fndesc", "environment", "signature", "reload_init")},
        )
        if self._write(path, kept):
            library.file = path
            self.known[path] = result._replace(metadata=None)  # Numba's timings of this compile

    def _load(self, path: Path, context: Any) -> CompileResult:
        if path in self.known:
            return self.known[path]
        bitcode, calls, kept = pickle.loads(read_sealed(path))
        library = PartLibrary(context.codegen(), kept["fndesc"].qualname)
        library.symbol = kept["fndesc"].llvm_func_name
        library.file = path
        library._final_module = llvm.parse_bitcode(bitcode)
        library.add_linking_library(rtsys.library)
        for file, symbol in calls:
            callee = self._load(Path(os.path.normpath(path.parent / file)), context).library
            if callee.symbol != symbol:
                raise ValueError(f"{file} was written again by another process")
            library.add_linking_library(callee)
        for start in kept["reload_init"]:
            start()
        library._reload_init.update(kept["reload_init"])
        library._ensure_finalized()
        unknown = dict.fromkeys(CompileResult._fields)
        contexts = {"target_context": context, "typing_context": context.typing_context}
        made = {"library": library, "entry_point": object(), "objectmode": False, "lifted": ()}
        self.known[path] = CompileResult(**unknown | contexts | made | kept)
        return self.known[path]
