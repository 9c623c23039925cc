"""Compile and cache: every test runs its processes with a cache folder of its own."""

from __future__ import annotations

import io
import os
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

from conftest import TICTACTOE
from lab import EVALUATE, GENERIC, SEARCH, Lab


def test_second_process_compiles_nothing_and_says_nothing(lab: Lab) -> None:
    lab.write("rules.py", EVALUATE.format(value=1))
    lab.write("generic.py", GENERIC)
    out, err = lab.run(SEARCH)
    assert out == "100 2"  # the search and the evaluation in it
    assert "compiling, once for this version" in err
    out, err = lab.run(SEARCH)
    assert out == "100 0"
    assert err == ""


def test_search_follows_edited_rules(lab: Lab) -> None:
    lab.write("rules.py", EVALUATE.format(value=1))
    lab.write("generic.py", GENERIC)
    assert lab.run(SEARCH)[0].startswith("100 ")
    lab.write("rules.py", EVALUATE.format(value=2))
    assert lab.run(SEARCH)[0].startswith("200 ")


def test_search_follows_a_table_that_the_rules_import(lab: Lab) -> None:
    lab.write("rules.py", "from tables import VALUE" + EVALUATE.format(value="VALUE"))
    lab.write("tables.py", "import json, pathlib\nVALUE = json.loads(pathlib.Path('cards.json').read_text())[0]\n")
    lab.write("generic.py", GENERIC)
    lab.write("cards.json", "[3]")
    assert lab.run(SEARCH)[0].startswith("300 ")
    lab.write("cards.json", "[4]")
    assert lab.run(SEARCH)[0].startswith("400 ")


def test_search_follows_tables_from_any_files(lab: Lab) -> None:
    lab.write("numbers.txt", "1")
    (lab.folder / "table.npy").write_bytes(npy([3]))
    lab.write("tables.py", "import numpy as np\nNUMBERS = np.atleast_1d(np.loadtxt('numbers.txt', dtype=np.int64))\n")
    lab.write(
        "rules.py",
        "import tables\nimport numpy as np\nTABLE = np.load('table.npy')"
        + EVALUATE.format(value="TABLE[0] + tables.NUMBERS[0]"),
    )
    lab.write("generic.py", GENERIC)
    assert lab.run(SEARCH)[0] == "400 2"
    (lab.folder / "table.npy").write_bytes(npy([4]))
    assert lab.run(SEARCH)[0] == "500 2"
    lab.write("numbers.txt", "2")
    assert lab.run(SEARCH)[0] == "600 2"
    assert lab.run(SEARCH)[0] == "600 0"


def test_search_follows_a_module_of_constants_and_kernels(lab: Lab) -> None:
    lab.write("cards/__init__.py", "")
    layout = "from meeple.core.kernel import kernel\nVALUE = {value}\n@kernel\ndef twice(x):\n    return {factor} * x\n"
    lab.write("cards/layout.py", layout.format(value=1, factor=2))
    lab.write("rules.py", "from cards import layout" + EVALUATE.format(value="layout.twice(layout.VALUE)"))
    lab.write("generic.py", GENERIC)
    assert lab.run(SEARCH)[0] == "200 3"
    lab.write("cards/layout.py", layout.format(value=7, factor=2))
    assert lab.run(SEARCH)[0] == "1400 3"
    lab.write("cards/layout.py", layout.format(value=7, factor=3))
    assert lab.run(SEARCH)[0] == "2100 3"
    assert lab.run(SEARCH)[0] == "2100 0"


def npy(values: list[int]) -> bytes:
    file = io.BytesIO()
    np.save(file, np.array(values))
    return file.getvalue()


TABLES = """
import numpy as np
from meeple.core.kernel import kernel
TABLE = np.zeros(2, np.int64)
@kernel
def look(i):
    return TABLE[i]
@kernel
def one(i):
    return 10 * look(i)
@kernel
def other(i):
    return 100 * look(i)
"""


def test_a_global_may_be_changed_before_the_first_call(lab: Lab) -> None:
    lab.write("rules.py", TABLES)
    script = """
        import rules
        from meeple.core.kernel import compiled_count
        rules.TABLE[0] = {value}
        print(rules.one(0), compiled_count())
    """
    assert lab.run(script.format(value=5))[0] == "50 2"
    assert lab.run(script.format(value=7))[0] == "70 2"
    assert lab.run(script.format(value=5))[0] == "50 0"


def test_what_was_made_of_a_changed_global_is_not_kept(lab: Lab) -> None:
    lab.write("rules.py", TABLES)
    assert lab.run("import rules; print(rules.one(0))")[0] == "0"
    next(lab.cache.rglob("look*.part")).unlink()
    # The values of `look` are read for `one`, which is loaded, and compiled into `other` after they changed.
    out, err = lab.run("import rules; rules.one(0); rules.TABLE[0] = 9; print(rules.other(0))")
    assert out == "900"
    assert "look reads a global that changed after a kernel was made of it: other is compiled at every start" in err
    assert lab.run("import rules; print(rules.other(0))")[0] == "0"


def test_a_module_that_is_reloaded_follows_an_edited_import(lab: Lab) -> None:
    lab.write("rules.py", "from tables import VALUE" + EVALUATE.format(value="VALUE"))
    lab.write("tables.py", "VALUE = 3")
    script = """
        import importlib, pathlib, rules, tables
        before = rules.evaluate(1)
        pathlib.Path("tables.py").write_text("VALUE = 40")
        importlib.reload(tables)
        importlib.reload(rules)
        print(before, rules.evaluate(1))
    """
    assert lab.run(script)[0] == "3 40"
    assert lab.run("import rules; print(rules.evaluate(1))")[0] == "40"


def test_editing_something_else_compiles_nothing(lab: Lab) -> None:
    lab.write("rules.py", EVALUATE.format(value=1))
    lab.write("generic.py", GENERIC)
    lab.write("page.py", "COLOUR = 'red'\n")
    lab.run(SEARCH)
    lab.write("page.py", "COLOUR = 'blue'\n")
    assert lab.run(SEARCH)[0] == "100 0"


def test_neighbours_in_a_folder_of_installed_packages_are_not_followed(lab: Lab) -> None:
    # Else every start would read the sources of numpy and all that lies beside it.
    lab.write("site-packages/big/__init__.py", "VALUE = 1\n")
    lab.write("site-packages/toy/__init__.py", "")
    lab.write("site-packages/toy/tables.py", "VALUE = 5\n")
    lab.write(
        "site-packages/toy/rules.py", "import big, numpy\nfrom .tables import VALUE" + EVALUATE.format(value="VALUE")
    )
    script = """
        import sys
        sys.path.insert(0, "site-packages")
        from pathlib import Path
        import toy.rules
        from meeple.core import kernel
        files = kernel._sources(Path(toy.rules.__file__))
        print(sorted({path.parent.name + "/" + path.name for path in files}))
    """
    found = lab.run(script)[0]
    assert "toy/rules.py" in found
    assert "toy/tables.py" in found
    assert "core/kernel.py" in found
    assert "big" not in found
    assert "numpy" not in found


def test_two_specialisations_of_one_source_run_their_own_code(lab: Lab) -> None:
    # Both have the signature int64 -> int64 and stand at the same line of the same file.
    lab.write("one.py", EVALUATE.format(value=1))
    lab.write("two.py", EVALUATE.format(value=2))
    lab.write("generic.py", GENERIC)
    script = """
        import one, two
        from meeple.core.kernel import specialise
        first = specialise("generic", {"evaluate": one.evaluate}, name="toy")
        second = specialise("generic", {"evaluate": two.evaluate}, name="toy")
        print(first.search(1), second.search(1))
    """
    assert lab.run(script)[0] == "100 200"
    assert lab.run(script)[0] == "100 200"
    swapped = script.replace("import one, two", "import two as one, one as two")
    assert lab.run(swapped)[0] == "200 100"


def test_a_bound_constant_makes_another_specialisation(lab: Lab) -> None:
    lab.write("generic.py", "from meeple.core.kernel import kernel\nN = 0\n@kernel\ndef search(x):\n    return N + x\n")
    script = """
        from meeple.core.kernel import specialise
        print(*(specialise("generic", {"N": n}, name="toy").search(1) for n in (10, 20)))
    """
    assert lab.run(script)[0] == "11 21"
    assert lab.run(script)[0] == "11 21"


def test_edited_rules_of_an_installed_plugin_are_noticed(lab: Lab) -> None:
    lab.write("plugin/__init__.py", "")
    for file in Path(TICTACTOE).glob("*.py"):
        lab.write(f"plugin/{file.name}", file.read_text())
    lab.write("plugin-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: plugin\nVersion: 1.0\n")
    lab.write("plugin-1.0.dist-info/entry_points.txt", "[meeple.games]\nnoughts = plugin.game:DEFINITION\n")
    script = """
        from meeple.core.count import count_leaves
        from meeple.core.registry import load_game
        from meeple.core.kernel import compiled_count
        print(count_leaves(load_game("noughts").new(), 3), compiled_count() > 0)
    """
    assert lab.run(script)[0] == "504 True"  # 9 * 8 * 7
    assert lab.run(script)[0] == "504 False"
    rules = lab.folder / "plugin" / "rules.py"
    rules.write_text(rules.read_text().replace("for cell in range(9):", "for cell in range(8):"))
    assert lab.run(script)[0] == "336 True"  # 8 * 7 * 6: the last cell is never on offer


def test_versions_used_last_are_kept(lab: Lab) -> None:
    script = f"from meeple.core import kernel\nkernel.VERSIONS = 3\n{SEARCH}"
    lab.write("rules.py", EVALUATE.format(value=0))
    lab.write("generic.py", GENERIC)
    lab.run(script)
    first = {path.parent for path in lab.cached()}
    for version in range(1, 5):
        lab.write("rules.py", EVALUATE.format(value=version))
        for age, folder in enumerate({path.parent for path in lab.cached()} - first):
            os.utime(folder, (age, time.time() - 60 - age))  # the first version is used by somebody else meanwhile
        lab.run(script)
    after = {path.parent for path in lab.cached()}
    assert len(after) == 2 * 3  # of five versions of the rules, and of the search in them
    assert first < after


def test_what_is_long_unused_is_removed(lab: Lab) -> None:
    lab.write("rules.py", EVALUATE.format(value=1))
    lab.write("generic.py", GENERIC)
    lab.run(SEARCH)
    lab.write("other.py", EVALUATE.format(value=3))
    for is_used in (True, False):
        for path in lab.cached():
            os.utime(path.parent, (0, 0))
        if is_used:
            assert lab.run(SEARCH)[0] == "100 0"
        lab.run(SEARCH.replace("rules", "other"))
        lab.write("other.py", EVALUATE.format(value=4))
        assert any("rules-" in str(path) for path in lab.cached()) is is_used


def test_two_installs_share_what_is_compiled(lab: Lab) -> None:
    lab.write("rules.py", EVALUATE.format(value=1))
    lab.write("generic.py", GENERIC)
    assert lab.run(SEARCH)[0] == "100 2"
    for name in ("rules.py", "generic.py"):
        lab.write(f"elsewhere/{name}", (lab.folder / name).read_text())
        (lab.folder / name).unlink()
    assert lab.run(f"import sys; sys.path.insert(0, 'elsewhere')\n{SEARCH}")[0] == "100 0"


def test_processes_that_start_at_once_do_no_harm(lab: Lab) -> None:
    lab.write("rules.py", EVALUATE.format(value="x + 1"))
    lab.write("generic.py", GENERIC)
    # Each process saves other signatures first, so what they write at once goes by other symbols.
    script = (
        SEARCH.rsplit("\n", 2)[0]
        + """
toy = specialise("generic", {"evaluate": rules.evaluate}, name="toy")
order = [1, 2.5, True]
order = order[KEY:] + order[:KEY]
print(sorted(float(toy.search(x)) for x in order))
"""
    )
    processes = [lab.start(script.replace("KEY", str(key % 3))) for key in range(4)]
    for process in processes:
        out, err = process.communicate()
        assert process.returncode == 0, err
        assert out.strip() == "[200.0, 200.0, 350.0]"
    assert lab.run(script.replace("KEY", "0"))[0] == "[200.0, 200.0, 350.0]"
    assert lab.run(SEARCH)[0] == "200 0"


@pytest.mark.parametrize(
    "statement",
    [
        "from helper import VALUE",
        "from helper import (  # why\n    VALUE,\n)",
        "from helper \\\n    import VALUE",
        "try: from helper import VALUE\nexcept ImportError: VALUE = 7",
        "if True:\n    import numpy; from helper import VALUE",
    ],
)
def test_every_form_of_import_is_followed(lab: Lab, statement: str) -> None:
    rules = f"from meeple.core.kernel import kernel\n{statement}\n@kernel\ndef give():\n    return VALUE\n"
    (lab.folder / "rules.py").write_text(rules)
    for value in (1, 2):
        lab.write("helper.py", f"VALUE = {value}")
        assert lab.run("import rules; print(rules.give())")[0] == str(value)


@pytest.mark.parametrize("opening", [b"\xef\xbb\xbf", b"# coding: latin-1\n# caf\xe9\n"])
def test_a_source_may_have_its_own_encoding(lab: Lab, opening: bytes) -> None:
    (lab.folder / "rules.py").write_bytes(opening + EVALUATE.format(value="x + 1").lstrip().encode())
    assert lab.run("import rules; print(rules.evaluate(1))")[0] == "2"


def test_a_table_that_is_too_large_to_keep_is_told(lab: Lab) -> None:
    lab.write(
        "rules.py",
        """
        import numpy as np
        from meeple.core.kernel import kernel
        TABLE = np.arange(200_000)
        @kernel
        def look(i):
            return TABLE[i]
        @kernel
        def look_twice(i):
            return look(look(i))
        """,
    )
    for _ in range(2):
        out, err = lab.run("import rules; print(rules.look_twice(7))")
        assert out == "7"
        assert "look_twice reads a table that is too large to be kept" in err


def test_a_part_is_compiled_once_for_all_that_call_it(lab: Lab) -> None:
    lab.write(
        "rules.py",
        """
        import numpy as np
        from meeple.core.kernel import kernel
        @kernel
        def fill(array, x):
            array[:] = x
            return np.arange(3).sum() + np.zeros(2).sum()  # Numba's own functions come along
        @kernel
        def both(x):
            return fill(np.empty(2, np.int64), x) + x
        @kernel
        def again(x):
            return 10 * both(x)
        """,
    )
    script = """
        import rules
        from meeple.core.kernel import compiled_count
        print(rules.{name}(4), compiled_count())
    """
    assert lab.run(script.format(name="both"))[0] == "7.0 2"  # both for Python, and fill within it
    assert lab.run(script.format(name="again"))[0] == "70.0 2"  # again for Python, and both within it
    assert lab.run(script.format(name="both"))[0] == "7.0 0"
    assert lab.run(script.format(name="again"))[0] == "70.0 0"


def test_a_part_that_another_process_wrote_again_is_not_mistaken(lab: Lab) -> None:
    # The name of a function's code counts what the process compiled before it, so two processes may differ in it.
    lab.write(
        "rules.py",
        """
        from meeple.core.kernel import kernel
        @kernel
        def low(x):
            return x + 1
        @kernel
        def middle(x):
            return low(x) * 2
        @kernel
        def high(x):
            return middle(x) * 10
        @kernel
        def higher(x):
            return middle(x) * 100
        @kernel
        def first(x):
            return x
        @kernel
        def second(x):
            return x
        @kernel
        def side(x):
            return first(x) * second(x) + low(x)
        """,
    )
    script = """
        import rules
        from meeple.core.kernel import compiled_count
        print(rules.{name}(1), compiled_count())
    """
    assert lab.run(script.format(name="high"))[0] == "40 3"
    low = next(path for path in lab.cached() if path.name.startswith("low"))
    low.unlink()
    assert lab.run(script.format(name="side"))[0] == "3 4"  # low is compiled again, and has another name now
    assert low.exists()
    assert lab.run(script.format(name="higher"))[0] == "400 2"  # middle asks for the old name: it is compiled anew
    assert lab.run(script.format(name="higher"))[0] == "400 0"


def test_a_part_that_one_caller_names_and_does_not_call_is_there_for_the_others(lab: Lab) -> None:
    # LLVM sees that `never` does not call `low`; linked next after it, `low` would be left out.
    lab.write(
        "rules.py",
        """
        from meeple.core.kernel import kernel
        @kernel
        def low(x):
            return x + 1 if x < 1000 else low(x - 1)  # calls itself: it cannot vanish into its callers
        @kernel
        def never(x):
            return low(x) if x != x else x
        @kernel
        def always(x):
            return low(x) * 2
        @kernel
        def forth(x):
            return always(x) + never(x)
        @kernel
        def back(x):
            return never(x) + always(x)
        """,
    )
    assert lab.run("import rules; print(rules.forth(1), rules.back(2000))")[0] == "5 4000"
    assert lab.run("import rules; print(rules.forth(1), rules.back(2000))")[0] == "5 4000"


def test_a_part_prints_and_raises(lab: Lab) -> None:
    lab.write(
        "rules.py",
        """
        from meeple.core.kernel import kernel
        @kernel
        def say(x):
            if x > 1:
                raise ValueError("too much")
            print("said", x)
        @kernel
        def outer(x):
            say(x)
            return x
        @kernel
        def outermost(x):
            return outer(x)
        """,
    )
    script = """
        import rules
        {name}(1)
        try:
            {name}(2)
        except ValueError as fault:
            print(fault)
    """
    for name in ("rules.outer", "rules.outermost", "rules.outer", "rules.outermost"):  # compiled, then from the cache
        assert lab.run(script.format(name=name))[0] == "said 1\ntoo much"


def test_a_kernel_travels_to_another_process(lab: Lab) -> None:
    # By value, as Ray sends it: the other process may not have its module.
    lab.write("rules.py", EVALUATE.format(value="x + 1"))
    script = """
        import pickle
        from numba.core.serialize import dumps
        import rules
        with open("kernel", "wb") as file:
            file.write(dumps(rules.evaluate))
    """
    lab.run(script)
    there = """
        import pickle
        from meeple.core.kernel import compiled_count
        evaluate = pickle.loads(open("kernel", "rb").read())
        print(evaluate(1), compiled_count())
    """
    assert lab.run(there)[0] == "2 1"
    assert lab.run(there)[0] == "2 0"


def test_what_cannot_be_written_still_runs(lab: Lab) -> None:
    lab.write("rules.py", EVALUATE.format(value=1))
    lab.write("generic.py", GENERIC)
    script = """
        import shutil, rules
        from meeple.core.kernel import compiled_count, specialise
        module = specialise("generic", {"evaluate": rules.evaluate}, name="toy")
        for folder in rules.__meeple_kernels__[""], module.__meeple_folder__:
            shutil.rmtree(folder)
            open(folder, "w").close()  # a file stands where the folder was
        print(module.search(1), compiled_count())
    """
    assert lab.run(script)[0] == "100 2"


def test_recursion_that_numba_would_crash_on_is_refused(lab: Lab) -> None:
    lab.write(
        "rules.py",
        """
        from meeple.core.kernel import kernel
        @kernel
        def double(n, x):
            return x if n == 0 else double(n - 1, x * 2.0)
        @kernel
        def careless(n):
            return double(3, 1)
        @kernel
        def careful(n):
            return double(3, 1.0)
        """,
    )
    script = """
        import rules
        from meeple.core.kernel import compiled_count
        print(rules.{name}(1), compiled_count() > 0)
    """
    for _ in range(2):  # the second process would die while it runs what the first one kept
        process = lab.start(script.format(name="careless"))
        assert "wrap the numbers of the first call in np.float64(...)" in process.communicate()[1]
        assert process.returncode == 1
    assert lab.run(script.format(name="careful"))[0] == "8.0 True"
    assert lab.run(script.format(name="careful"))[0] == "8.0 False"


def test_bounds_checks_work_on_a_warm_cache(lab: Lab) -> None:
    lab.write(
        "rules.py",
        """
        from meeple.core.kernel import kernel
        @kernel
        def read(array, i):
            return array[i]
        """,
    )
    script = """
        import numpy as np, rules
        try:
            rules.read(np.zeros(8)[:4], 6)
            print("read")
        except IndexError:
            print("refused")
    """
    assert lab.run(script)[0] == "read"
    assert lab.run(script, NUMBA_BOUNDSCHECK="1")[0] == "refused"
    assert lab.run(script, NUMBA_BOUNDSCHECK="1")[0] == "refused"
    assert lab.run(script)[0] == "read"


def test_a_kernel_that_a_game_would_replace_is_refused(lab: Lab) -> None:
    # Bound names go over a module's globals: a search's own kernel of such a name would silently be lost.
    lab.write("rules.py", EVALUATE.format(value=1))
    lab.write("generic.py", GENERIC.replace("def evaluate(x): ...", "@kernel\ndef evaluate(x):\n    return x"))
    process = lab.start(SEARCH)
    assert (
        "generic defines 'evaluate', which a game's own function of that name would replace" in process.communicate()[1]
    )


def test_a_closure_is_refused(lab: Lab) -> None:
    lab.write("generic.py", GENERIC)
    script = """
        from meeple.core.kernel import kernel, specialise
        def make(n):
            @kernel
            def evaluate(x):
                return n
            return evaluate
        try:
            specialise("generic", {"evaluate": make(1)}, name="toy")
        except Exception as fault:
            print(fault)
    """
    lab.write("closures.py", textwrap.dedent(script))
    assert "is a closure" in lab.run("import closures")[0]


BORROWING = """
import numpy as np
from meeple.core.kernel import borrowing_kernel, kernel

@kernel
def count_to(n):  # makes an array and lets it go
    return np.arange(n).sum()

@borrowing_kernel
def add_up(numbers, others, n):
    if n == 0:
        return count_to(np.int64(3))
    return numbers[n - 1] + others[n - 1] + add_up(numbers, others, n - 1)

@kernel
def start(numbers):
    return add_up(numbers, numbers[::-1].copy(), np.int64(len(numbers)))

@borrowing_kernel
def first_half(numbers):
    return numbers[: len(numbers) // 2]

@kernel
def halve(numbers):
    return first_half(numbers).sum()
"""


def test_a_borrowing_kernel_counts_no_references(lab: Lab) -> None:
    lab.write("rules.py", BORROWING)
    script = """
        import re, sys
        import numpy as np, rules
        from numba.core.runtime import rtsys
        from meeple.core.kernel import COMPILER
        numbers = np.arange(5)
        before = sys.getrefcount(numbers)
        print(*(rules.start(numbers) for _ in range(3)), sys.getrefcount(numbers) - before)
        made = rtsys.get_allocation_stats()
        print(made.alloc - made.free, made.mi_alloc - made.mi_free)
        code = "".join(rules.start.inspect_llvm().values())
        found = re.findall(r"^define [^@]*@[^(]*add_up[^(]*[(].*?^}", code, re.DOTALL | re.MULTILINE)
        print(COMPILER == "plain" or (len(found) == 1 and "NRT_incref" not in found[0]))
    """
    assert lab.run(script, NUMBA_NRT_STATS="1")[0] == "23 23 23 0\n0 0\nTrue"


def test_a_borrowing_kernel_that_returns_an_array_is_refused(lab: Lab) -> None:
    lab.write("rules.py", BORROWING)
    process = lab.start(
        """
        import numpy as np, rules
        from meeple.core.kernel import COMPILER
        if COMPILER == "plain":
            raise SystemExit("not refused where references are counted: borrowing_kernel")
        rules.halve(np.arange(4))
        """
    )
    assert "borrowing_kernel" in process.communicate()[1]
    assert process.returncode == 1
