"""The board's web server: its routes, and one WebSocket per game. PROTOCOL.md specifies the messages.

Starlette routes and uvicorn serves: both are small, pure Python and well maintained, speak HTTP and WebSocket
on one port, and leave authentication to us (see `guard`).
"""

import asyncio
import contextlib
import json
import logging
import re
from collections.abc import Awaitable, Callable
from importlib import resources
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ..game.history import history_object
from ..game.storage import StorageError
from ..protocol.server import RequestError, read_json
from .guard import HOSTS, MOST_BYTES, Guard, Keys, TooMuch
from .socket_session import Settings, SocketSession

MOST_GAMES = 20
_PROGRESS = 0.3  # seconds between two progress reports
_SLOW = 20.0  # seconds in which a page must receive a message
_MOST_WAITING = 1000  # greatest number of answers waiting for a page
_MEDIA = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
}
_STREAMS = ("analysis", "marks", "chances", "dealing")  # of these only the latest message matters
log = logging.getLogger("winnable.board")


class Outbox:
    """Outgoing messages of one page. Only the latest message of a stream is queued. ``is_full`` is set once
    more than `_MOST_WAITING` messages wait, since the page does not read them."""

    def __init__(self) -> None:
        self._waiting: dict[object, dict[str, Any]] = {}
        self._is_there = asyncio.Event()
        self._count = 0
        self.is_full = False

    def put(self, message: dict[str, Any]) -> None:
        """Queue ``message`` for sending."""
        key: object = message["method"] if message.get("method") in _STREAMS else self._count
        self._count += 1
        self._waiting.pop(key, None)
        self._waiting[key] = message
        self.is_full |= len(self._waiting) > _MOST_WAITING
        self._is_there.set()

    async def get(self) -> dict[str, Any]:
        """The next message."""
        while not self._waiting:
            self._is_there.clear()
            await self._is_there.wait()
        return self._waiting.pop(next(iter(self._waiting)))


class Board:
    """The ASGI application and its open games. ``host`` is the address of this machine at which it is served;
    ``on_open`` is called when a token was used, so that the next address can be printed."""

    def __init__(
        self,
        settings: Settings,
        port: int,
        on_open: Callable[[], object] = lambda: None,
        host: str = HOSTS[0],
    ) -> None:
        self.settings = settings
        self.host = host
        self.port = port
        self.keys = Keys(port)
        self.on_open = on_open
        self.sessions: set[SocketSession] = set()
        self._sockets: set[WebSocket] = set()
        self.app = self._made()

    def address(self) -> str:
        """The one-time address that opens the board."""
        return f"http://{self.host}:{self.port}/open?token={self.keys.token}"

    async def close(self, seconds: float) -> None:
        """Notify the pages, waiting at most ``seconds``, cancel all searches and save the games."""
        farewells = [asyncio.create_task(_part(socket)) for socket in self._sockets]
        await asyncio.gather(*(session.close() for session in list(self.sessions)))
        if farewells:
            await asyncio.wait(farewells, timeout=seconds)

    def _made(self) -> ASGIApp:
        routes = [
            Route("/", self._page("index.html")),
            Route("/history", self._page("history.html")),
            Route("/history.html", self._page("history.html")),
            Route("/open", self._open),
            Route("/static/{name}", self._static),
            Route("/history.json", self._history),
            Route("/history/forget", self._forget, methods=["POST"]),
            WebSocketRoute("/socket", self._talk),
        ]
        handlers = {HTTPException: _in_one_line, TooMuch: _too_much}
        handlers |= dict.fromkeys((StorageError, Exception), _failed)
        app = Starlette(routes=routes, exception_handlers=handlers)
        return Guard(app, self.keys, _closed, (*HOSTS, self.host))

    # --- Pages ----------------------------------------------------------------------------------------------

    def _page(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        async def page(request: Request) -> Response:
            return _file(name) or PlainTextResponse(f"{name} is missing\n", 404)

        return page

    async def _static(self, request: Request) -> Response:
        found = _file(request.path_params["name"])
        if found is None:
            raise HTTPException(404, "no such file")
        return found

    async def _open(self, request: Request) -> Response:
        if not self.keys.take(request.query_params.get("token", "")):
            log.warning("refused: a wrong token")
            return _closed()
        response = RedirectResponse("/", 303)
        response.set_cookie(self.keys.name, self.keys.cookie, path="/", httponly=True, samesite="strict")
        self.on_open()
        return response

    async def _history(self, request: Request) -> Response:
        history = self.settings.history
        if history is None:
            return JSONResponse(history_object(None))
        for session in list(self.sessions):
            session.keep()
            await session.history_writer.flush()
        return JSONResponse(await asyncio.to_thread(history_object, history))

    async def _forget(self, request: Request) -> Response:
        history = self.settings.history
        try:
            asked = json.loads(await request.body())
        except (ValueError, RecursionError):
            asked = None
        number = asked.get("game") if isinstance(asked, dict) else None
        if not isinstance(asked, dict) or not (type(number) is int or asked.get("all") is True):
            raise HTTPException(400, 'expected an object such as {"game": 12} or {"all": true}')
        if history is None:
            raise HTTPException(404, "the history is turned off")
        if number is not None and not 0 < number < 1 << 62:
            raise HTTPException(404, "no such game")
        return JSONResponse({"forgotten": await asyncio.to_thread(history.forget, number)})

    # --- Sockets --------------------------------------------------------------------------------------------

    async def _talk(self, socket: WebSocket) -> None:
        await socket.accept()
        if len(self.sessions) >= MOST_GAMES:
            log.warning("refused: %s games are open already", MOST_GAMES)
            await socket.close(4008, f"{MOST_GAMES} games are open already")
            return
        outbox = Outbox()
        session = SocketSession(self.settings, outbox.put)
        self.sessions.add(session)
        self._sockets.add(socket)
        session.begin()
        jobs = [self._listen(socket, session, outbox), _speak(socket, outbox), _report(session)]
        tasks = [asyncio.create_task(job) for job in jobs]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except (WebSocketDisconnect, TimeoutError, OSError, RuntimeError) as error:
            log.info("a page is gone: %s", type(error).__name__)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.sessions.discard(session)
            self._sockets.discard(socket)
            await session.close()
            with contextlib.suppress(RuntimeError, OSError, WebSocketDisconnect):
                if socket.application_state is WebSocketState.CONNECTED:
                    await asyncio.wait_for(socket.close(4010 if outbox.is_full else 1000), 2.0)

    async def _listen(self, socket: WebSocket, session: SocketSession, outbox: Outbox) -> None:
        """Handle the messages of the page in order; slow ones run concurrently."""
        errands: set[asyncio.Task[None]] = set()
        try:
            while not outbox.is_full:
                try:
                    message = read_json(_frame(await socket.receive()))
                except RequestError as error:
                    session.refuse(error)
                    continue
                if isinstance(message, dict) and message.get("method") in ("open", "auto", "save"):
                    errand = asyncio.create_task(session.handle(message))
                    errands.add(errand)
                    errand.add_done_callback(errands.discard)
                else:
                    await session.handle(message)
            log.warning("refused: a page that does not read")
        finally:
            for errand in errands:
                errand.cancel()


def _frame(event: Any) -> str | bytes:
    """The content of a frame. Raises WebSocketDisconnect at the end."""
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(event.get("code") or 1005)
    return event.get("text") or event.get("bytes") or ""


async def _speak(socket: WebSocket, outbox: Outbox) -> None:
    """Send the messages of ``outbox``. Raises TimeoutError for a page that does not read."""
    while True:
        message = await outbox.get()
        await asyncio.wait_for(socket.send_text(json.dumps(message, separators=(",", ":"))), _SLOW)


async def _part(socket: WebSocket) -> None:
    """Notify a page that the server is closing."""
    with contextlib.suppress(RuntimeError, OSError, WebSocketDisconnect):
        await socket.close(1001, "the board was closed")


async def _report(session: SocketSession) -> None:
    """Report the progress of the search periodically."""
    while True:
        await asyncio.sleep(_PROGRESS)
        session.search_control.tell_progress()


# --- Answers ------------------------------------------------------------------------------------------------


def _file(name: str, status: int = 200) -> Response | None:
    """The response with the file ``name`` of ``static/``, which has no folders; None if there is no such
    file."""
    media = _MEDIA.get(PurePosixPath(name).suffix)
    if media is None or not re.fullmatch(r"[\w-]{1,60}\.\w{1,5}", name, re.ASCII):
        return None
    file = resources.files(__package__).joinpath("static").joinpath(name)
    if not file.is_file():
        return None
    return Response(file.read_bytes(), status, media_type=media)


def _closed() -> Response:
    """The page for an address that is no longer valid; its style is in `static/`."""
    page = _file("closed.html", 401) or PlainTextResponse("this address has already been used\n", 401)
    return Response(bytes(page.body).replace(b'href="', b'href="/static/'), 401, media_type=page.media_type)


async def _in_one_line(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    log.warning("refused: %s %s: %s", request.method, quote(request.url.path)[:60], error.status_code)
    return PlainTextResponse(f"{error.detail}\n", error.status_code, headers=error.headers)


async def _too_much(request: Request, error: Exception) -> Response:
    headers = {"connection": "close"}  # so that the rest of the body is not read
    return PlainTextResponse(f"expected a body of at most {MOST_BYTES} bytes\n", 413, headers)


async def _failed(request: Request, error: Exception) -> Response:
    log.error("%s %s: %s: %s", request.method, request.url.path, type(error).__name__, error)
    return PlainTextResponse("internal error of the board\n", 500)
