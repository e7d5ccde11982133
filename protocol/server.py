"""Server of the engine: reads requests, answers them at once or queues a search, and sends the responses.

A request is ``{"jsonrpc": "2.0", "id": 1, "method": "go", "params": {...}}``. Each line gets exactly one
response, with ``result`` or ``error``; before it, a search sends any number of ``info`` messages. One search
runs at a time, in a thread of its own, so that all other requests are answered meanwhile.
"""

import json
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from .. import SCHEMA
from ..rules.cards import shown
from ..rules.formats.json_deals import DECODER
from ..solver.progress import Watch
from .client import MOST_BYTES
from .requests import ANSWERS, SEARCHES, Answer, Search, search_of

NO_JSON, NO_REQUEST, NO_METHOD, WRONG, FAILED, STOPPED, BUSY = -32700, -32600, -32601, -32602, -32603, -1, -2
"""Error codes; the first five are those of JSON-RPC."""

MOST_WAITING = 100
"""Length of the longest queue of searches."""

EVERY = 0.5
"""Seconds between two progress messages of a running search."""

_LONGEST_ID = 40
log = logging.getLogger("winnable.protocol")

Message = dict[str, Any]


class RequestError(Exception):
    """The reason to refuse a request: the ``code`` of the error response, a message and, if it is known, the
    id of the request."""

    def __init__(self, code: int, message: str, number: int | str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.number = number


@dataclass
class Job:
    """A search that is queued or running."""

    number: int | str
    search: Search
    watch: Watch = field(default_factory=Watch)
    began: float = 0.0


class Engine:
    """The engine. It passes its messages to ``send``, from several threads, one at a time. As a context
    manager it stops all searches at the end."""

    def __init__(self, send: Callable[[Message], None]) -> None:
        self._send_message = send
        self._sending = threading.RLock()
        self._changed = threading.Condition()
        self._waiting: deque[Job] = deque()
        self._now: Job | None = None
        self._is_closed = False
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- Messages -------------------------------------------------------------------------------------------

    def handle(self, message: bytes | object) -> bool:
        """Handle a message, given as a line of bytes or as a parsed object. Returns False after ``quit``.
        Raises only what ``send`` raises."""
        number: int | str | None = None
        goes_on = True
        try:
            request = read_json(message) if isinstance(message, bytes) else message
            number, method, params = read_request(request)
            if method == "quit":
                self.close()
            content: Message = {"result": self._answer(number, method, params)}
            goes_on = method != "quit"
        except RequestError as error:
            number = number if error.number is None else error.number
            content = {"error": {"code": error.code, "message": str(error)}}
        except ValueError as error:
            content = {"error": {"code": WRONG, "message": " ".join(str(error).split())[:500]}}
        except Exception as error:
            content = {"error": self._failure(error)}
        if content != {"result": None}:
            self._answered(number, **content)
        return goes_on

    def _answer(self, number: int | str, method: str, params: Message) -> Answer | None:
        """Return the result of a request, None if a search was queued for it."""
        search = search_of(method, params)
        if search is not None:
            self._queue(number, search)
            return None
        if method in ANSWERS:
            return ANSWERS[method](params)
        if method == "stop":
            return {"stopped": self._stop(params)}
        if method == "quit":
            return {}
        methods = ", ".join([*ANSWERS, *SEARCHES, "stop", "quit"])
        raise RequestError(NO_METHOD, f"method {method!r:.60}: expected {methods}")

    def _answered(self, number: int | str | None, **content: Any) -> None:
        with self._sending:
            self._send_message({"jsonrpc": "2.0", "schema": SCHEMA, "id": number, **content})

    def _refused(self, number: int | str | None, code: int, text: str) -> None:
        self._answered(number, error={"code": code, "message": text})

    def _failure(self, error: Exception) -> Message:
        if isinstance(error, MemoryError):
            return {"code": FAILED, "message": "out of memory"}
        log.error("the engine failed at a request: %s: %s", type(error).__name__, error)
        return {"code": FAILED, "message": f"internal error: {type(error).__name__}"}

    # --- Searches -------------------------------------------------------------------------------------------

    def _queue(self, number: int | str, search: Search) -> None:
        with self._changed:
            jobs = [*self._waiting, *([self._now] if self._now else [])]
            if any(job.number == number for job in jobs):
                raise RequestError(NO_REQUEST, f"id {number!r}: a search of that id is running or waiting")
            if len(self._waiting) >= MOST_WAITING:
                raise RequestError(BUSY, f"{MOST_WAITING} searches are waiting")
            self._waiting.append(Job(number, search))
            if not self._threads:
                self._threads = [
                    threading.Thread(target=each, daemon=True) for each in (self._work, self._send_progress)
                ]
                for thread in self._threads:
                    thread.start()
            self._changed.notify_all()

    def _stop(self, params: Message) -> list[int | str]:
        """Stop the search with the id in ``params``, or all searches. Returns the ids of those stopped."""
        if set(params) - {"id"}:
            raise ValueError("stop: expected no parameter but id")
        number = params.get("id")
        if type(number) not in (int, str, type(None)):
            raise ValueError(f"id {shown(json.dumps(number))}: expected a whole number or a string")
        with self._changed:
            wanted = [job for job in self._waiting if number in (None, job.number)]
            for job in wanted:
                self._waiting.remove(job)
            now = self._now
            is_running = now is not None and number in (None, now.number)
            if now is not None and is_running:
                now.watch.stop()
        for job in wanted:
            self._refused(job.number, STOPPED, "stopped before it began")
        return [job.number for job in ([now] if now is not None and is_running else []) + wanted]

    def finish(self) -> None:
        """Wait until all searches have ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or not (self._waiting or self._now))

    def close(self) -> None:
        """Stop all searches, and wait until they have sent their answers."""
        self._stop({})
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join()

    def _work(self) -> None:
        """Run one search after the other, until the engine is closed."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._is_closed)
                if not self._waiting:
                    return
                job = self._now = self._waiting.popleft()
            self._run(job)

    def _run(self, job: Job) -> None:
        """Run the search of ``job`` and send its response."""
        job.began = time.monotonic()
        try:
            content: Message = {"result": job.search(job.watch, lambda news: self._inform(job, news))}
        except KeyboardInterrupt:
            content = {"error": {"code": STOPPED, "message": "stopped before there was an answer"}}
        except ValueError as error:
            content = {"error": {"code": WRONG, "message": " ".join(str(error).split())[:500]}}
        except Exception as error:
            content = {"error": self._failure(error)}
        with self._sending, self._changed:  # no progress message of it may follow its response
            self._answered(job.number, **content)
            self._now = None
            self._changed.notify_all()

    def _send_progress(self) -> None:
        """Send the progress of the running search every `EVERY` seconds, until the engine is closed."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._is_closed, timeout=EVERY)
                if self._is_closed:
                    return
                job = self._now
            if job is not None:
                self._tell_progress(job)

    def _tell_progress(self, job: Job) -> None:
        progress = job.watch.progress()
        if progress is not None:
            news = progress._asdict()
            news["length"] = news.pop("moves")
            self._inform(job, news | {"part": job.watch.part})

    def _inform(self, job: Job, news: Answer) -> None:
        seconds = round(time.monotonic() - job.began, 3)
        with self._sending:
            if job is self._now:
                params = {"id": job.number, **news, "seconds": seconds}
                self._send_message({"jsonrpc": "2.0", "schema": SCHEMA, "method": "info", "params": params})


def read_json(message: bytes | str) -> object:
    """Parse the JSON of a line, or of a frame of a socket. Raises RequestError if it is too long or
    invalid."""
    if len(message) > MOST_BYTES:
        raise RequestError(NO_REQUEST, f"a message of more than {MOST_BYTES} bytes")
    try:
        text = message.decode("utf-8-sig") if isinstance(message, bytes) else message.removeprefix("\ufeff")
        return DECODER.decode(text)
    except RecursionError:
        raise RequestError(NO_JSON, "invalid JSON: nested too deep") from None
    except ValueError as error:
        raise RequestError(NO_JSON, f"invalid JSON: {' '.join(str(error).split())[:100]}") from None


def read_request(message: object) -> tuple[int | str, str, Message]:
    """Return the id, the method and the parameters of a request. Raises RequestError if it is invalid."""
    if not isinstance(message, dict):
        raise RequestError(NO_REQUEST, "expected an object with id and method")
    number, method, params = message.get("id"), message.get("method"), message.get("params", {})
    if isinstance(number, bool) or not isinstance(number, int | str) or len(str(number)) > _LONGEST_ID:
        raise RequestError(NO_REQUEST, "id: expected a whole number or a short string")
    if not isinstance(method, str):
        raise RequestError(NO_REQUEST, "method: expected a string", number)
    if message.get("jsonrpc", "2.0") != "2.0":
        raise RequestError(NO_REQUEST, 'jsonrpc: expected "2.0"', number)
    if not isinstance(params, dict):
        raise RequestError(WRONG, "params: expected an object", number)
    return number, method, params


def lines(source: BinaryIO) -> Iterator[bytes]:
    """Return the lines of ``source`` except blank ones. Lines that are too long are cut to MOST_BYTES + 1."""
    while line := source.readline(MOST_BYTES + 1):
        piece = line
        while len(piece) > MOST_BYTES and not piece.endswith(b"\n"):
            piece = source.readline(MOST_BYTES + 1)
        if line.strip():
            yield line


def serve(source: BinaryIO, send: Callable[[Message], None]) -> None:
    """Handle the messages of ``source`` until ``quit``, or until its end, where all searches are finished
    first."""
    with Engine(send) as engine:
        for line in lines(source):
            if not engine.handle(line):
                return
        engine.finish()
