"""Many people at once: visitors that speak the page's protocol, without browsers.

    python tests/web/load.py [tables] [watchers a table] [clicks a table] [seconds between clicks] [game] [moves]

prints how long a click takes until the new picture is there, and what it costs the server in CPU time (on Linux); the
game is Santorini where none is named. Where a game has secrets, every seat has a browser of its own. With `moves`,
so many were made before, at random: logs are long then.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import sys
import tempfile
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import socketio

sys.path.insert(0, str(Path(__file__).parents[1]))

from meeple.core.registry import load_game
from meeple.web.pages.patched import SEND
from meeple.web.patches import patched
from meeple.web.table import Table
from web.conftest import Server, new_table

PATIENCE = 60.0  # seconds after which a click counts as not answered
PATCHES = re.compile(re.escape(SEND).replace("%s", "(.*)"), re.DOTALL)
DEFLATE = 15  # browsers have what they are sent compressed, with windows of so many bits


class Visitor:
    """One browser at a table, as far as the server can tell."""

    def __init__(self, root: str, token: str) -> None:
        self.root, self.token = root, token
        self.socket = socketio.AsyncClient(reconnection=False, websocket_extra_options={"compress": DEFLATE})
        self.client_id = ""
        self.board: dict[str, Any] = {}
        self.board_id = ""
        self.shown: dict[str, str] = {}  # markup by its element
        self.pictures, self.letters = 0, 0
        self.drawn = asyncio.Event()

    async def come(self) -> None:
        """Load the page, connect, answer what the page asks the browser, and wait for the board."""
        async with aiohttp.ClientSession() as session, session.get(f"{self.root}/table/{self.token}") as response:
            text = await response.text()
        found = re.search(r"'client_id': '([^']+)'", text)
        assert found is not None, text[:500]
        self.client_id = found[1]
        self.socket.on("update", self._on_update)
        self.socket.on("run_javascript", self._on_question)
        query = f"client_id={self.client_id}&next_message_id=0&implicit_handshake=true&document_id={uuid.uuid4()}"
        query += f"&tab_id={uuid.uuid4()}&old_tab_id="
        await self.socket.connect(
            f"{self.root}?{query}", socketio_path="/_nicegui_ws/socket.io", transports=["websocket"]
        )
        await asyncio.wait_for(self.drawn.wait(), 120)

    async def _on_question(self, message: dict[str, Any]) -> None:
        told = PATCHES.fullmatch(message.get("code", ""))
        if told is not None:
            self.letters += len(told[1])
            for key, _, _, patch in json.loads(told[1]):
                self._take(str(key), patched(self.shown[str(key)], patch))
        elif message.get("request_id"):
            answer = {"dark": False, "width": 1280, "saved": {}}
            reply = {"request_id": message["request_id"], "client_id": self.client_id, "result": answer}
            await self.socket.emit("javascript_response", reply)

    async def _on_update(self, message: dict[str, Any]) -> None:
        for key, element in message.items():
            if not isinstance(element, dict):
                continue
            if "m-board" in element.get("class", []):
                self.board, self.board_id = element, key
            if "innerHTML" in element.get("props", {}):
                self.letters += len(element["props"]["innerHTML"])
                self._take(key, element["props"]["innerHTML"])

    def _take(self, key: str, content: str) -> None:
        """An element shows this from now on."""
        self.shown[key] = content
        if key == self.board_id and "svg" in content:
            self.pictures += 1
            self.drawn.set()

    def lit(self) -> list[str]:
        """The targets that may be clicked."""
        return re.findall(r'class="target[^"]*\blit\b[^"]*" data-t="([^"]+)"', self.shown[self.board_id])

    async def click(self, target: str) -> float | None:
        """Click and wait for the picture that answers; the seconds it took, None where none came."""
        version = re.search(r'data-version="(\d+)"', self.shown[self.board_id])
        assert version is not None
        detail = {"kind": "click", "target": target, "version": int(version[1])}
        listener = next(event for event in self.board["events"] if event["type"] == "meeple")
        self.drawn.clear()
        begun = time.perf_counter()
        event = {"id": int(self.board_id), "client_id": self.client_id, "listener_id": listener["listener_id"]}
        await self.socket.emit("event", event | {"args": [json.dumps(detail)]})
        try:
            await asyncio.wait_for(self.drawn.wait(), PATIENCE)
        except TimeoutError:
            return None
        return time.perf_counter() - begun


@dataclass(frozen=True)
class Findings:
    """What clicks took, in milliseconds, and what they cost the server."""

    setting: str
    clicks: int
    unanswered: int
    median: float
    p95: float
    longest: float
    cpu: float | None  # ms of the server a click, its watchers' pictures included
    pictures: int  # sent while people clicked
    letters: int  # of pictures and panels that were sent for it

    def table(self) -> str:
        """As rows of words and numbers."""
        rows = {
            "clicks": f"{self.clicks}",
            "not answered": f"{self.unanswered}",
            "median": f"{self.median:.0f} ms",
            "95th percentile": f"{self.p95:.0f} ms",
            "longest": f"{self.longest:.0f} ms",
            "CPU of the server": "not told here" if self.cpu is None else f"{self.cpu:.1f} ms a click",
            "pictures": f"{self.pictures / self.clicks:.2f} a click",
            "text sent": f"{self.letters / self.clicks / 1000:.0f} kB a click, before compression",
        }
        return "\n".join([self.setting, *(f"  {label:<18}{value}" for label, value in rows.items())])


async def play(players: Sequence[Visitor], clicks: int, pause: float, rng: random.Random) -> list[float | None]:
    """Whoever is to move clicks lit targets at random, thinking between clicks."""
    times = []
    await asyncio.sleep(rng.uniform(0, pause))
    for _ in range(clicks):
        mover = next((player for player in players if player.lit()), None)
        if mover is None:  # the match is over
            break
        times.append(await mover.click(rng.choice(mover.lit())))
        await asyncio.sleep(rng.uniform(0.5, 1.5) * pause)
    return times


def cpu_seconds(process: int, *, with_children: bool = False) -> float | None:
    """The CPU time that a process has used, on request with its children that ended; None where it is not told."""
    try:
        words = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return None
    return sum(map(int, words[11 : 15 if with_children else 13])) / os.sysconf("SC_CLK_TCK")


def begun_table(game: str, moves: int, seed: int) -> Table:
    """A table at which people have made so many moves, at random; fewer where the match would be over."""
    board = load_game(game)
    kinds = ["here", *["elsewhere" if board.facts.hidden else "here"] * (board.seats - 1)]
    table, rng = new_table(game, *kinds, seed=seed), random.Random(seed)
    for _ in range(moves):
        table.match.play(int(rng.choice(table.match.state.legal_actions())))
        if table.match.is_over:
            table.match.undo(min(10, table.match.ply))
            break
    return table


async def crowd(
    server: Server, tables: int, watchers: int, clicks: int, pause: float, game: str = "santorini", moves: int = 0
) -> Findings:
    """Everybody at once."""
    made = [server.seat_down(begun_table(game, moves, seed)) for seed in range(tables)]
    tokens = [[table.owner_token, *(seat.token for seat in table.seats if seat.token)] for table in made]
    parties = [[Visitor(server.root, token) for token in of_table] for of_table in tokens]
    guests = [Visitor(server.root, table.spectator_token) for table in made for _ in range(watchers)]
    everybody = [*(player for party in parties for player in party), *guests]
    for visitor in everybody:
        await visitor.come()
    for visitor in everybody:
        visitor.pictures, visitor.letters = 0, 0
    rng = random.Random(1)
    assert server.process is not None
    began = cpu_seconds(server.process.pid)
    each = await asyncio.gather(*(play(party, clicks, pause, rng) for party in parties))
    ended = cpu_seconds(server.process.pid)
    found = [seconds for one in each for seconds in one]
    times = sorted(1000 * seconds for seconds in found if seconds is not None)
    for visitor in everybody:
        await visitor.socket.disconnect()
    return Findings(
        setting=f"{game}: {tables} tables, {len(everybody)} browsers, a click every {pause:g} s, {moves} moves before",
        clicks=len(found),
        unanswered=len(found) - len(times),
        median=times[len(times) // 2],
        p95=times[int(0.95 * len(times))],
        longest=times[-1],
        cpu=None if began is None or ended is None else 1000 * (ended - began) / len(found),
        pictures=sum(visitor.pictures for visitor in everybody),
        letters=sum(visitor.letters for visitor in everybody),
    )


def main() -> None:
    """Run it by hand, on a quiet machine."""
    words = [float(word) for word in sys.argv[1:5]]
    tables, watchers, clicks, pause = (*words, *(50, 4, 12, 3.0)[len(words) :])
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        server.start()
        try:
            game = sys.argv[5] if len(sys.argv) > 5 else "santorini"
            moves = int(sys.argv[6]) if len(sys.argv) > 6 else 0
            print(asyncio.run(crowd(server, int(tables), int(watchers), int(clicks), pause, game, moves)).table())
        finally:
            server.stop()


if __name__ == "__main__":
    main()
