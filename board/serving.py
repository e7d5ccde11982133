"""Runs the server of the board until it is interrupted."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn

from .server import Board

_FAREWELL = 0.05  # seconds in which pages are told that it ends
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class _Server(uvicorn.Server):
    """Leaves signals to us: by itself it looks for them ten times a second only, and then waits once more."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Change nothing."""
        yield


def serve(board: Board, listening: socket.socket) -> None:
    """Serve ``board`` at ``listening`` until Ctrl-C or SIGTERM, which ends all searches at once."""
    config = uvicorn.Config(
        board.app,
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
