"""Many people at once: visitors that speak the page's protocol, without browsers.

    python tests/web/load.py [tables] [watchers a table] [clicks a table] [seconds between clicks] [game]

prints how long a click takes until the new picture is there; the game is Santorini where none is named.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import sys
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any

import aiohttp
import socketio

sys.path.insert(0, str(Path(__file__).parents[1]))

from meeple.core.registry import load_game
from web.conftest import Server, new_table


class Visitor:
    """One browser at a table, as far as the server can tell."""

    def __init__(self, root: str, token: str) -> None:
        self.root, self.token = root, token
        self.socket = socketio.AsyncClient(reconnection=False)
        self.client_id = ""
        self.board: dict[str, Any] = {}
        self.board_id = ""
        self.pictures = 0
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
        if message.get("request_id"):
            answer = {"dark": False, "width": 1280, "saved": {}}
            reply = {"request_id": message["request_id"], "client_id": self.client_id, "result": answer}
            await self.socket.emit("javascript_response", reply)

    async def _on_update(self, message: dict[str, Any]) -> None:
        for key, element in message.items():
            if isinstance(element, dict) and "m-board" in element.get("class", []):
                self.board, self.board_id = element, key
                if "svg" in element["props"].get("innerHTML", ""):
                    self.pictures += 1
                    self.drawn.set()

    def lit(self) -> list[str]:
        """The targets that may be clicked."""
        return re.findall(r'class="target[^"]*\blit\b[^"]*" data-t="([^"]+)"', self.board["props"]["innerHTML"])

    async def click(self, target: str) -> float:
        """Click and wait for the picture that answers; the seconds it took."""
        version = re.search(r'data-version="(\d+)"', self.board["props"]["innerHTML"])
        assert version is not None
        detail = {"kind": "click", "target": target, "version": int(version[1])}
        listener = next(event for event in self.board["events"] if event["type"] == "meeple")
        self.drawn.clear()
        begun = time.perf_counter()
        event = {"id": int(self.board_id), "client_id": self.client_id, "listener_id": listener["listener_id"]}
        await self.socket.emit("event", event | {"args": [json.dumps(detail)]})
        await asyncio.wait_for(self.drawn.wait(), 60)
        return time.perf_counter() - begun


async def play(player: Visitor, clicks: int, pause: float, rng: random.Random) -> list[float]:
    """Click lit targets at random, thinking between clicks."""
    times = []
    await asyncio.sleep(rng.uniform(0, pause))
    for _ in range(clicks):
        lit = player.lit()
        if not lit:
            break
        times.append(await player.click(rng.choice(lit)))
        await asyncio.sleep(rng.uniform(0.5, 1.5) * pause)
    return times


async def crowd(
    server: Server, tables: int, watchers: int, clicks: int, pause: float, game: str = "santorini"
) -> dict[str, float]:
    """Everybody at once; what the clicks took, in milliseconds."""
    kinds = ["here"] * load_game(game).seats
    made = [server.seat_down(new_table(game, *kinds, seed=n)) for n in range(tables)]
    players = [Visitor(server.root, table.owner_token) for table in made]
    guests = [Visitor(server.root, table.spectator_token) for table in made for _ in range(watchers)]
    for visitor in [*players, *guests]:
        await visitor.come()
    rng = random.Random(1)
    each = await asyncio.gather(*(play(player, clicks, pause, rng) for player in players))
    times = sorted(1000 * seconds for one in each for seconds in one)
    pictures = sum(guest.pictures for guest in guests)
    for visitor in [*players, *guests]:
        await visitor.socket.disconnect()
    return {
        "clicks": len(times),
        "pictures_to_watchers": pictures,
        "median_ms": round(times[len(times) // 2], 1),
        "p95_ms": round(times[int(0.95 * len(times))], 1),
        "most_ms": round(times[-1], 1),
    }


def main() -> None:
    """Run it by hand."""
    words = [float(word) for word in sys.argv[1:5]]
    tables, watchers, clicks, pause = (*words, *(50, 4, 12, 3.0)[len(words) :])
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        server.start()
        try:
            game = sys.argv[5] if len(sys.argv) > 5 else "santorini"
            print(asyncio.run(crowd(server, int(tables), int(watchers), int(clicks), pause, game)))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
