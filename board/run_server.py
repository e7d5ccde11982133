"""Runs the server of the board until it is interrupted."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from .server import Board

_PATIENCE = 5.0  # seconds in which a client must say what it wants
_MOST_WAITED_FOR = 100  # clients at once that have not said it yet
_FAREWELL = 0.05  # seconds in which pages are told that it ends
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class _Server(uvicorn.Server):
    """Leaves signals to us: by itself it looks for them ten times a second only, and then waits once more."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Change nothing."""
        yield


class _Protocol(H11Protocol):
    """Ends connections that ask for nothing: uvicorn waits for the head of a request for ever, and answers
    nobody while too many do not send one.

    The longest waiting one goes when there are too many, so that whoever asks at once is heard whatever
    others do.
    """

    _waiting: ClassVar[dict[_Protocol, asyncio.TimerHandle]] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._wait_or_not()
        while len(self._waiting) > _MOST_WAITED_FOR:
            next(iter(self._waiting))._give_up()

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request."""
        super().data_received(data)
        self._wait_or_not()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._wait_or_not()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        super().connection_lost(exc)
        self._stop_waiting()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection over to a socket, which has its own limits."""
        super().handle_websocket_upgrade(event)
        self._stop_waiting()

    def _wait_or_not(self) -> None:
        """Wait for a request, from the first moment on in which none is being answered."""
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
    asyncio.run(_serve(_Server(config), board, listening))


async def _serve(server: uvicorn.Server, board: Board, listening: socket.socket) -> None:
    is_interrupted = asyncio.Event()
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    with _answered(is_interrupted.set):
        waiting = asyncio.create_task(is_interrupted.wait())
        await asyncio.wait([serving, waiting], return_when=asyncio.FIRST_COMPLETED)
    if serving.done():
        serving.result()
    for one in server.servers if server.started else ():
        one.close()
    await board.close(_FAREWELL)
    serving.cancel()


@contextlib.contextmanager
def _answered(answer: Callable[[], object]) -> Iterator[None]:
    """Have signals call ``answer`` on the loop; those that are ignored stay so."""
    loop = asyncio.get_running_loop()

    def note(*_: Any) -> None:
        loop.call_soon_threadsafe(answer)

    numbers = [number for number in _SIGNALS if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, note) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
