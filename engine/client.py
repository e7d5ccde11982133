"""Client of the engine: starts it as a program, asks and listens.

>>> from winnable.engine import Client
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
from typing import Any

Answer = dict[str, Any]
MOST_BYTES = 1_000_000
"""The longest message that the engine reads."""


class EngineError(Exception):
    """A request that the engine refused, with its ``code``; or the engine has ended."""

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code


class Client:
    """An engine that was started by ``command``, by default that of this installation. As a context manager
    it ends the engine on leaving. Several threads may ask."""

    def __init__(self, command: Sequence[str] = (sys.executable, "-m", "winnable", "engine")) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._numbers = count(1)
        self._lock = threading.Lock()
        self._asked: dict[int, tuple[Future[Answer], Callable[[Answer], object] | None]] = {}
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(
        self, method: str, on_info: Callable[[Answer], object] | None = None, **params: Any
    ) -> tuple[int, Future[Answer]]:
        """Send a request; its id, for `stop`, and its answer, which comes later. ``on_info`` is called, from
        another thread, with what the engine tells of a search; an exception of it takes the place of the
        answer. Raises EngineError if the engine has ended, ValueError for numbers that JSON has not and for
        more than `MOST_BYTES`."""
        number, answer = next(self._numbers), Future[Answer]()
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        line = json.dumps(request, allow_nan=False).encode() + b"\n"
        if len(line) > MOST_BYTES:  # the engine would refuse it without its id
            raise ValueError(f"request: expected at most {MOST_BYTES} bytes, got {len(line)}")
        assert self._process.stdin is not None
        with self._lock:
            self._asked[number] = answer, on_info
            try:
                self._process.stdin.write(line)
                self._process.stdin.flush()
            except (OSError, ValueError):
                raise EngineError("the engine has ended") from None
        return number, answer

    def ask(self, method: str, on_info: Callable[[Answer], object] | None = None, **params: Any) -> Answer:
        """Send a request and wait for its answer. Raises EngineError."""
        return self.begin(method, on_info, **params)[1].result()

    def stop(self, number: int | None = None) -> Answer:
        """Stop the search of an id, or all; each answers with its best so far."""
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
        """Hand out the messages of the engine, until its end."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message = json.loads(line)
            if message.get("method") == "info":
                tell = self._asked.get(message["params"]["id"], (None, None))[1]
                try:
                    if tell is not None:
                        tell(message["params"])
                except Exception as raised:
                    self._asked.pop(message["params"]["id"])[0].set_exception(raised)
                continue
            answer, _ = self._asked.pop(message["id"], (None, None))
            if answer is None:
                continue
            if "error" in message:
                error = message["error"]
                answer.set_exception(EngineError(error["message"], error["code"]))
            else:
                answer.set_result(message["result"])
        for answer, _ in [*self._asked.values()]:
            answer.set_exception(EngineError("the engine has ended"))
