"""What commands share for printing: results on stdout, progress on stderr, nothing animated off a terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from meeple.core.paint import Paint, ansi, plain


def print_json(value: Any) -> None:
    """A result for machines."""
    print(json.dumps(value, indent=2, ensure_ascii=False))


def painter() -> Paint:
    """Colours on a terminal, plain text elsewhere."""
    return ansi if sys.stdout.isatty() else plain


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]], *, right: Sequence[str] = ()) -> None:
    """A table: drawn by rich on a terminal, aligned columns of plain text elsewhere; `right` align numbers."""
    texts = [[str(cell) for cell in row] for row in rows]
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(header_style="bold")
        for name in columns:
            table.add_column(name, justify="right" if name in right else "left")
        for row in texts:
            table.add_row(*(Text(cell) for cell in row))
        Console().print(table)
        return
    widths = [max(len(row[i]) for row in [list(columns), *texts]) for i in range(len(columns))]
    for row in [list(columns), *texts]:
        cells = [
            cell.rjust(width) if name in right else cell.ljust(width)
            for name, cell, width in zip(columns, row, widths, strict=True)
        ]
        print("  ".join(cells).rstrip())


class Progress(Protocol):
    """Something long under way."""

    def update(self, done: int, text: str = "", *, total: int | None = None) -> None:
        """So much is done; `text` says what is at hand; `total` where it has become another."""


@contextmanager
def progress(total: int, what: str) -> Iterator[Progress]:
    """A bar on stderr while something long runs; silent where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield _Silent()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar
    from rich.text import Text

    from meeple.core.kernel import compiling_told_to

    class _Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.1f}/s" if task.speed else "")

    with Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[text]}"),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        shown = _Shown(bar, bar.add_task(what, total=total, text=""))
        with compiling_told_to(shown.tell):
            yield shown


class _Silent:
    def update(self, done: int, text: str = "", *, total: int | None = None) -> None:
        pass


class _Shown:
    def __init__(self, bar: Any, task: Any) -> None:
        self._bar, self._task = bar, task

    def update(self, done: int, text: str = "", *, total: int | None = None) -> None:
        self._bar.update(self._task, completed=done, text=text, **({} if total is None else {"total": total}))

    def tell(self, text: str) -> None:
        self._bar.update(self._task, text=text)
