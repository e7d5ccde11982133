"""Client of the engine: starts it as a subprocess, sends requests and receives responses.

>>> from winnable.protocol import Client
>>> with Client() as engine:
...     answer = engine.ask("go", game="fortress", seed=8)
>>> answer["verdict"], answer["length"]
('winnable', 91)
"""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from queue import SimpleQueue
from typing import Any

from ..rules.cards import shown

Answer = dict[str, Any]
MOST_BYTES = 1_000_000
"""Bytes of the longest message that the engine reads."""


class EngineError(Exception):
    """An error response of the engine, with its ``code``. The code is None if the engine has ended."""

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code


class _Pending:
    """A request without a response yet. Its progress messages are passed to ``on_info`` in a thread of their
    own, so that ``on_info`` may send requests."""

    def __init__(self, on_info: Callable[[Answer], object] | None) -> None:
        self.answer = Future[Answer]()
        self.answer.set_running_or_notify_cancel()  # a search can be stopped, but not cancelled
        self._on_info = on_info
        self._news = SimpleQueue[Answer | None]()
        self._outcome: Answer | EngineError = {}
        if on_info is not None:
            threading.Thread(target=self._deliver, args=(on_info,), daemon=True).start()

    def inform(self, news: Answer) -> None:
        """Queue the progress message ``news`` for ``on_info``."""
        if self._on_info is not None:
            self._news.put(news)

    def end(self, outcome: Answer | EngineError) -> None:
        """Complete the request with the response or error ``outcome``, after all progress messages."""
        self._outcome = outcome
        if self._on_info is not None:
            self._news.put(None)
        else:
            self._settle()

    def _deliver(self, on_info: Callable[[Answer], object]) -> None:
        while (news := self._news.get()) is not None:
            try:
                on_info(news)
            except Exception as raised:
                self.answer.set_exception(raised)
                return
        self._settle()

    def _settle(self) -> None:
        if isinstance(self._outcome, EngineError):
            self.answer.set_exception(self._outcome)
        else:
            self.answer.set_result(self._outcome)


class Client:
    """An engine started by ``command``, by default that of this installation. As a context manager it ends
    the engine on leaving. Several threads may send requests."""

    def __init__(self, command: Sequence[str] = (sys.executable, "-m", "winnable", "engine")) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._numbers = count(1)
        self._lock = threading.Lock()
        self._pending: dict[int, _Pending] = {}
        self._end: str | None = None
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(
        self, method: str, on_info: Callable[[Answer], object] | None = None, **params: Any
    ) -> tuple[int, Future[Answer]]:
        """Send a request. Returns its id, for `stop`, and a future of its result or EngineError.

        ``on_info`` is called, from a thread of its own, with each progress message of a search, and may send
        requests itself. If it raises an exception, the future raises that, and the search goes on. The future
        is done after the last call. Raises EngineError if the engine has ended, ValueError for numbers that
        JSON cannot express and for requests of more than `MOST_BYTES`."""
        number = next(self._numbers)
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        line = json.dumps(request, allow_nan=False).encode() + b"\n"
        if len(line) > MOST_BYTES:  # the engine would refuse it without its id
            raise ValueError(f"request: expected at most {MOST_BYTES} bytes, got {len(line)}")
        assert self._process.stdin is not None
        with self._lock:
            if self._end is not None:
                raise EngineError(self._end)
            pending = self._pending[number] = _Pending(on_info)
            try:
                self._process.stdin.write(line)
                self._process.stdin.flush()
            except (OSError, ValueError):
                self._pending.pop(number, pending).end(EngineError(_ENDED))
                raise EngineError(_ENDED) from None
        return number, pending.answer

    def ask(self, method: str, on_info: Callable[[Answer], object] | None = None, **params: Any) -> Answer:
        """Send a request and wait for its result; see `begin`. Raises EngineError for an error response."""
        return self.begin(method, on_info, **params)[1].result()

    def stop(self, number: int | None = None) -> Answer:
        """Stop the search with the id ``number``, or all searches. Each then returns its best result so
        far."""
        return self.ask("stop", id=number)

    def close(self) -> None:
        """End the engine."""
        assert self._process.stdin is not None
        if self._process.poll() is None:
            with suppress(EngineError):
                self.ask("quit")
        with suppress(OSError):
            self._process.stdin.close()
        self._process.wait()
        self._reader.join()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _read(self) -> None:
        """Dispatch the messages of the engine until it ends or sends an invalid one. Then all requests
        fail."""
        assert self._process.stdout is not None
        end = _ENDED
        for line in self._process.stdout:
            try:
                self._receive(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError):
                end = f"expected a message of the engine, got {shown(line.decode(errors='replace').strip())}"
                self._process.kill()
                break
        with self._lock:
            self._end = end
            for pending in self._pending.values():
                pending.end(EngineError(end))
            self._pending.clear()

    def _receive(self, message: Answer) -> None:
        if message.get("method") == "info":
            news = message["params"]
            if (pending := self._pending.get(news["id"])) is not None:
                pending.inform(news)
            return
        error = message.get("error")
        outcome = EngineError(error["message"], error["code"]) if error else message["result"]
        if (pending := self._pending.pop(message["id"], None)) is not None:
            pending.end(outcome)


_ENDED = "the engine has ended"
