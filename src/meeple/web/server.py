"""The server: routes to pages, static files, start and end."""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path

from nicegui import app, background_tasks, core, ui

from meeple.core.definition import Definition
from meeple.core.entry import Entry
from meeple.core.folders import data_folder, keep_private
from meeple.core.registry import find_definition, game_names
from meeple.core.svg import tag
from meeple.errors import ConfigError, MeepleError
from meeple.web.departures import Departures, add_outermost
from meeple.web.gate import LARGEST_MESSAGE, Gate
from meeple.web.limits import Limits
from meeple.web.operator import Operator
from meeple.web.pages.analyse import add_analysis
from meeple.web.pages.enter import EnterView, enter_page
from meeple.web.pages.errors import add_error_pages, lost, page
from meeple.web.pages.frame import FIGURE, LANGUAGE, told
from meeple.web.pages.games import add_codes, games_page
from meeple.web.pages.home import home_page
from meeple.web.pages.new import new_page
from meeple.web.pages.puzzles import add_puzzles
from meeple.web.pages.replay import replay_page
from meeple.web.pages.rules import rules_page
from meeple.web.pages.setup import setup_page
from meeple.web.pages.table import TableView
from meeple.web.pages.tournament import stored_game_page, tournament_page
from meeple.web.pages.tournaments import add_operator, ask_for_secret, is_trusted, tournaments_page
from meeple.web.pages.waiting import arrived
from meeple.web.preparing import watch_event_loop
from meeple.web.room import Arrival, Room
from meeple.web.seats import Refused
from meeple.web.table import Table

LOG = logging.getLogger("meeple.web")
STATIC = Path(__file__).parent / "static"
COOKIE_AGE = 400 * 24 * 3600  # seconds, renewed at each visit: as long as browsers keep one
SWITCH = 0.001  # seconds after which a thread that draws lets the event loop go on; Python's own 5 ms add up
STYLES, SCRIPTS = ("meeple.css", "words.css"), ("zoom.js", "meeple.js", "sheet.js", "turn.js", "words.js", "crop.js")
HEAD = "".join(f'<link rel="stylesheet" href="/_meeple/{name}">' for name in STYLES) + "".join(
    f'<script defer src="/_meeple/{name}"></script>' for name in SCRIPTS
)
ICON = tag("svg", FIGURE, xmlns="http://www.w3.org/2000/svg", viewBox="0 0 32 32")


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
    opens: bool = True,
    trusts_specs: bool = False,
    engines: Mapping[str, str] | None = None,
    hosts: Sequence[str] = (),
    limits: Limits | None = None,
    prepares: bool = True,
    first: Callable[[Room], Table] | None = None,
) -> None:
    """Serve until stopped; with `first` a table that the browser opens at.

    `hosts` are names by which others reach this machine, besides localhost and addresses in numbers. With `prepares`
    games are compiled before anybody opens them. `engines` may be played against: specs by the names that people see.

    Raises:
        ConfigError: the port is taken.
    """
    port = free_port(host, port)
    room = Room(data_folder("web"), trusts_specs=trusts_specs, engines=engines, limits=limits)
    room.operator = Operator(data_folder("web"), host=host, hosts=hosts)
    path = f"/table/{room.seat_down(first(room)).owner_token}" if first else "/"
    add_pages(room)
    app.add_middleware(Gate, hosts=[host, *hosts])
    add_outermost(app, Departures)
    core.sio.eio.max_http_buffer_size = LARGEST_MESSAGE
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::") else host
    url = f"http://{shown}:{port}{path}"
    app.on_startup(lambda: background_tasks.create(_announce(host, port, url)))
    app.on_startup(watch_event_loop)
    if prepares:
        app.on_startup(lambda: background_tasks.create(room.prepare_ahead()))
    app.on_shutdown(room.preparer.close)
    app.on_shutdown(room.tournaments.close)
    app.on_shutdown(room.close)
    app.timer(1.0, room.tick)
    _log_to(data_folder("web") / "server.log")
    sys.setswitchinterval(SWITCH)
    room.sweeper.start()
    with suppress(KeyboardInterrupt):  # the usual end of a server
        ui.run(
            host=host,
            port=port,
            show=path if opens else False,
            reload=False,
            title="Meeple",
            language=LANGUAGE,
            favicon=ICON,
            storage_secret=_secret(),
            session_middleware_kwargs={"max_age": COOKIE_AGE},
            show_welcome_message=False,
            reconnect_timeout=10.0,
            ws_max_size=LARGEST_MESSAGE,
        )


def _log_to(path: Path) -> None:
    """Keep what was refused, and what went wrong; the newest million characters."""
    handler = RotatingFileHandler(keep_private(path), maxBytes=500_000, backupCount=1, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    LOG.setLevel(logging.INFO)
    LOG.addHandler(handler)
    LOG.propagate = False
    logging.getLogger("nicegui").setLevel(logging.ERROR)


async def _announce(host: str, port: int, url: str) -> None:
    """Say where the page is, once it answers."""
    near = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    while True:
        try:
            _, writer = await asyncio.open_connection(near, port)
        except OSError:
            await asyncio.sleep(0.02)
            continue
        writer.close()
        print(f"Meeple is at {url}  (Ctrl-C ends it)", flush=True)
        return


def free_port(host: str, port: int) -> int:
    """The port itself, or a free one for 0; an error with advice where it is taken."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as fault:
            raise ConfigError(
                f"port {port} on {host} cannot be used ({fault.strerror}); choose another with --port"
            ) from fault
        return int(probe.getsockname()[1])


def add_pages(room: Room) -> None:
    """Every route; what is not there gets a page that says so."""
    app.add_static_files("/_meeple", STATIC, max_cache_age=3600)
    ui.add_head_html(HEAD, shared=True)
    add_error_pages()

    @page("/", title="Meeple")
    async def home() -> None:
        try:
            await home_page(room)
        except MeepleError as fault:
            LOG.warning("the tables could not be listed: %s", fault)
            lost("The matches that were saved here cannot be read; the server's log says why.")

    add_codes(room)
    add_tournaments(room)

    @page("/games", title="Your games · Meeple")
    async def games() -> None:
        try:
            await games_page(room)
        except MeepleError as fault:
            LOG.warning("the games of a browser could not be listed: %s", fault)
            lost("The matches that were saved here cannot be read; the server's log says why.")

    add_forms(room)

    @page("/rules/{name}", title="Rules · Meeple")
    async def rules(name: str) -> None:
        definition = _definition(name)
        if definition is None:
            lost("There is no such game here.")
            return
        await rules_page(room, definition)

    @page("/replay", title="Replay · Meeple")
    def replay() -> None:
        replay_page(room)

    add_puzzles(room)
    add_analysis(room)

    @page("/table/{token}", title="Table · Meeple")
    async def table(token: str) -> None:
        client, found = ui.context.client, None
        try:
            found = room.open(token)
            access = await arrived(room, found) if isinstance(found, Arrival) else found
        except Refused as fault:  # no room for it now
            lost(told(fault), "Not now")
            return
        except MeepleError as fault:
            LOG.warning("a table could not be opened: %s", fault)
            is_new = isinstance(found, Arrival) and found.is_new  # what was chosen for it does not fit
            words = told(fault) if is_new else "This match cannot be opened any more; the server's log says why."
            lost(words, "No match begins" if is_new else "Nothing here")
            return
        if access is None:
            lost("This link opens no table: it was mistyped, withdrawn, or its match is gone.")
            return
        if client.is_deleted:  # who waited may have left
            return
        if not isinstance(access.table.match, Entry):
            await TableView(room, access).start()
        elif access.is_owner:
            await EnterView(room, access.table).start()
        else:
            lost("This game is being typed in from a real table, and only who types it in can look at it.")


def add_forms(room: Room) -> None:
    """The routes of pages that begin something in a game; a link may say with which options and position."""

    @page("/new/{name}", title="New match · Meeple")
    async def new(name: str, spec: str = "", start: str = "") -> None:
        await _form(new_page, name, spec, start)

    @page("/enter/{name}", title="From a real table · Meeple")
    async def enter(name: str, spec: str = "", start: str = "") -> None:
        await _form(enter_page, name, spec, start)

    @page("/setup/{name}", title="Set up a position · Meeple")
    async def setup(name: str, spec: str = "", start: str = "") -> None:
        await _form(setup_page, name, spec, start)

    async def _form(build: Callable[..., Awaitable[None]], name: str, spec: str, start: str) -> None:
        definition = _definition(name)
        if definition is None:
            lost("There is no such game here.")
            return
        try:
            await build(room, definition, spec, start)
        except MeepleError as fault:
            lost(told(fault), "This link does not work")


def add_tournaments(room: Room) -> None:
    """The routes of tournaments; whoever is not trusted is asked for the operator's secret."""
    add_operator(room)

    @page("/tournaments", title="Tournaments · Meeple")
    async def tournaments() -> None:
        await (tournaments_page(room) if is_trusted(room) else _asked())

    @page("/tournament/{name}", title="Tournament · Meeple")
    async def tournament(name: str) -> None:
        await (tournament_page(room, name) if is_trusted(room) else _asked())

    @page("/tournament/{name}/game", title="Replay · Meeple")
    async def game(name: str, number: str = "") -> None:
        await (stored_game_page(room, name, number) if is_trusted(room) else _asked())

    async def _asked() -> None:
        ask_for_secret(room)


def _definition(name: str) -> Definition | None:
    """An installed game that draws itself; never a folder named by a link."""
    if name not in game_names():
        return None
    definition = find_definition(name)
    return definition if definition.picture is not None else None


def _secret() -> str:
    """What signs the cookies of this machine's server."""
    path = keep_private(data_folder("web") / "secret")
    if not path.stat().st_size:
        path.write_text(secrets.token_hex(32), encoding="ascii")
    return path.read_text(encoding="ascii")
