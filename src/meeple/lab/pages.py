"""A report's blocks written out: Markdown with its plots beside it, and one HTML page that needs no network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from meeple.errors import SaveError
from meeple.lab.paper import Paper
from meeple.lab.report import Block, Bullets, Grid, Heading, Paragraph, Picture, report_of

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { border: 1px solid #8888; padding: 0.3rem 0.6rem; text-align: left; }
svg { max-width: 100%; height: auto; }
"""


def write_report(paper: Paper, folder: Path) -> list[Path]:
    """Write NAME.md, its plots and NAME.html into a folder; the paths of the two pages come back."""
    blocks = report_of(paper)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for block in blocks:
            if isinstance(block, Picture):
                (folder / block.name).write_text(block.svg + "\n", encoding="utf-8")
        pages = [folder / f"{paper.name}.md", folder / f"{paper.name}.html"]
        pages[0].write_text(markdown(blocks), encoding="utf-8")
        pages[1].write_text(html(paper.title, blocks), encoding="utf-8")
    except OSError as fault:
        raise SaveError(f"'{folder}' cannot be written: {fault.strerror}") from fault
    return pages


# --- Markdown ----------------------------------------------------------------------------------------


def markdown(blocks: Sequence[Block]) -> str:
    """The report as Markdown; plots are files beside it."""
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def _markdown(block: Block) -> str:
    if isinstance(block, Heading):
        return f"{'#' * block.level} {block.text}"
    if isinstance(block, Bullets):
        return "\n".join(f"- {line}" for line in block.lines)
    if isinstance(block, Grid):
        rows = [block.heads, tuple("---" for _ in block.heads), *block.rows]
        return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
    if isinstance(block, Picture):
        return f"![{block.title.replace('[', '(').replace(']', ')')}]({block.name})"
    return block.text


# --- HTML --------------------------------------------------------------------------------------------


def html(title: str, blocks: Sequence[Block]) -> str:
    """The report as one page: style and plots are inside, and nothing is fetched."""
    body = "\n".join(_html(block) for block in blocks)
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    return f'<!doctype html>\n<html lang="en"><head>{head}{view}</head><body>\n{body}\n</body></html>\n'


def _html(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h{block.level}>{escape(block.text)}</h{block.level}>"
    if isinstance(block, Bullets):
        return "<ul>" + "".join(f"<li>{_inline(line)}</li>" for line in block.lines) + "</ul>"
    if isinstance(block, Grid):
        head = "".join(f"<th>{escape(cell)}</th>" for cell in block.heads)
        rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in block.rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    if isinstance(block, Paragraph):
        return f"<p>{_inline(block.text)}</p>"
    return str(block.svg)


def _inline(text: str) -> str:
    """Plain words, with what stands between backquotes as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))
