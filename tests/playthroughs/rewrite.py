"""Write all playthroughs anew: `make playthroughs`; then read the diff."""

from __future__ import annotations

import os
from pathlib import Path

from meeple.core.playthrough import rewrite

os.chdir(Path(__file__).parents[2])  # the games in folders are named from the root
for path in sorted(Path(__file__).parent.glob("*.txt")):
    print(f"{path.name}: {'changed' if rewrite(path) else 'the same'}")
