"""The engine in a worker of a page or of node: without threads, it handles one request after the other."""

import asyncio
import json
import signal
import time
from collections.abc import Callable

from pyodide.ffi import can_run_sync, run_sync

from winnable.protocol.requests import WISHES, Search
from winnable.protocol.server import EVERY, NO_METHOD, Engine, Job, Message, RequestError

_PAUSE = 0.006  # pause in which messages are delivered; with 0.001 they take seconds
_LIMITS = {"work": 2_000_000}  # per deal that is tried, for requests without limits
_LEFT_OUT = ("stop", "quit")  # replaced by an AbortSignal and by ending the worker


class WorkerEngine(Engine):
    """An engine that runs each search within its request.

    ``post`` is called with each message as text; ``is_stopped`` says for the id of a request if it was
    stopped. Python gets SIGALRM every 50 ms; the running search then reports its progress, and ends if it was
    stopped. With ``can_wait`` it also pauses then to let messages in.
    """

    def __init__(
        self, post: Callable[[str], object], is_stopped: Callable[[int | str], bool], can_wait: bool
    ) -> None:
        super().__init__(lambda message: post(json.dumps(message)))
        self._is_stopped = is_stopped
        self._can_wait = can_wait
        self._is_waiting = False
        self._told = 0.0
        signal.signal(signal.SIGALRM, self._look)

    def take(self, text: str) -> None:
        """Handle a request; its answer is posted before this returns."""
        self.handle(text.encode())

    def _answer(self, number: int | str, method: str, params: Message) -> Message | None:
        if method in _LEFT_OUT:
            raise RequestError(NO_METHOD, f"method {method!r}: expected an AbortSignal or close()")
        if method == "deal" and any(params.get(name) is not None for name in WISHES):
            params = params | {"limits": _LIMITS if params.get("limits") is None else params["limits"]}
        answer = super()._answer(number, method, params)
        if method == "hello" and answer is not None:
            answer["methods"] = [name for name in answer["methods"] if name not in _LEFT_OUT]
        return answer

    def _queue(self, number: int | str, search: Search) -> None:
        self._now, self._told = Job(number, search), time.monotonic()
        self._run(self._now)

    def _look(self, number: int, frame: object) -> None:
        job = self._now
        if job is None:
            return
        if self._can_wait and not self._is_waiting and can_run_sync():
            self._is_waiting = True
            try:
                run_sync(asyncio.sleep(_PAUSE))
            finally:
                self._is_waiting = False
        if self._is_stopped(job.number):
            job.watch.stop()
        elif time.monotonic() - self._told > EVERY:
            self._told = time.monotonic()
            self._tell_progress(job)
