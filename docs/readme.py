"""Write the README's table of games anew: `make readme`. A test holds the README to it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
PART = re.compile(r"(<!-- games: [^\n]*-->\n).*?(<!-- /games -->)", re.DOTALL)


def with_table(text: str) -> str:
    """The README with the table as `meeple games --markdown` prints it."""
    command = [sys.executable, "-m", "meeple", "games", "--markdown"]
    table = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return PART.sub(lambda found: found[1] + table + found[2], text)


if __name__ == "__main__":
    README.write_text(with_table(README.read_text()))
