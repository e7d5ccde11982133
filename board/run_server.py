"""Run the server of the board until it is interrupted."""

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from .guard import COOKIE
from .server import Board

_PATIENCE = 5.0  # seconds in which a client must send its request
_MOST_WAITED_FOR = 100  # greatest number of clients that have not sent a request yet
_FAREWELL = 0.05  # seconds in which pages are notified of the end
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class _Server(uvicorn.Server):
    """A uvicorn server that leaves signals to this module; uvicorn's own handlers poll ten times a second and
    wait twice."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signal handlers unchanged."""
        yield


class _Protocol(H11Protocol):
    """HTTP protocol that drops idle connections. Uvicorn waits for a request head without limit, and stops
    answering while too many clients send none. If too many wait, the oldest is dropped."""

    _waiting: ClassVar[dict["_Protocol", asyncio.TimerHandle]] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer for the first request."""
        super().connection_made(transport)
        self._wait_or_not()
        while len(self._waiting) > _MOST_WAITED_FOR:
            next(iter(self._waiting))._give_up()

    def data_received(self, data: bytes) -> None:
        """Handle part of a request."""
        super().data_received(data)
        self._wait_or_not()

    def on_response_complete(self) -> None:
        """Start the timer for the next request."""
        super().on_response_complete()
        self._wait_or_not()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        super().connection_lost(exc)
        self._stop_waiting()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection over to a WebSocket, which has its own limits: on the length of a header, too,
        so that long cookies of other programs are left out."""
        self.headers = [(name, _own(value) if name == b"cookie" else value) for name, value in self.headers]
        super().handle_websocket_upgrade(event)
        self._stop_waiting()

    def _wait_or_not(self) -> None:
        """Start or stop the timer: it runs exactly while no request is being answered."""
        is_asked = self.cycle is not None and not self.cycle.response_complete
        if is_asked or self not in self.connections or self.transport.is_closing():
            self._stop_waiting()
        elif self not in self._waiting:
            self._waiting[self] = self.loop.call_later(_PATIENCE, self._give_up)

    def _stop_waiting(self) -> None:
        handle = self._waiting.pop(self, None)
        if handle is not None:
            handle.cancel()

    def _give_up(self) -> None:
        self._stop_waiting()
        self.transport.abort()


def _own(cookies: bytes) -> bytes:
    """The cookies of boards in a Cookie header."""
    parts = (part.strip() for part in cookies.split(b";"))
    return b"; ".join(part for part in parts if part.startswith(COOKIE.encode()))


def serve(board: Board, listening: socket.socket) -> None:
    """Serve ``board`` at ``listening`` until Ctrl-C or SIGTERM, which ends all searches at once."""
    config = uvicorn.Config(
        board.app,
        http=_Protocol,
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        lifespan="off",
        ws_max_size=1_000_000,
        ws_max_queue=16,
        limit_concurrency=200,
    )
    with _interrupts() as noted:
        asyncio.run(_serve(_Server(config), board, listening, noted))


async def _serve(server: uvicorn.Server, board: Board, listening: socket.socket, noted: "_Noted") -> None:
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    waiting = asyncio.create_task(noted.wait())
    await asyncio.wait([serving, waiting], return_when=asyncio.FIRST_COMPLETED)
    if serving.done():
        serving.result()
    for one in server.servers if server.started else ():
        one.close()
    await board.close(_FAREWELL)
    serving.cancel()


class _Noted:
    """The first signal received, possibly before there is an event loop."""

    def __init__(self) -> None:
        self._has_come = False
        self._answer: Callable[[], object] = lambda: None

    def note(self, *_: Any) -> None:
        """Note a signal, as its handler."""
        self._has_come = True
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._answer()

    async def wait(self) -> None:
        """Wait for the first signal."""
        loop, event = asyncio.get_running_loop(), asyncio.Event()
        self._answer = lambda: loop.call_soon_threadsafe(event.set)
        if not self._has_come:
            await event.wait()


@contextlib.contextmanager
def _interrupts() -> Iterator[_Noted]:
    """Note signals, except ignored ones, instead of raising KeyboardInterrupt, which could leave a partly
    made event loop."""
    noted = _Noted()
    numbers = [number for number in _SIGNALS if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, noted.note) for number in numbers}
    try:
        yield noted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
