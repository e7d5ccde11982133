"""The engine in a worker of a page or of node: without threads, it handles one request after the other."""

import asyncio
import json
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from pyodide.ffi import can_run_sync, run_sync

from winnable.protocol.requests import Answer, Params, Search, check, limits_of, position
from winnable.protocol.server import EVERY, NO_METHOD, Engine, Job, Message, RequestError
from winnable.rules import find_variant
from winnable.rules.formats.header import seed_of
from winnable.rules.formats.text import Deal
from winnable.solver.analysis.choice import choose, while_hopeful
from winnable.solver.progress import Watch

_PAUSE = 0.006  # pause in which messages are delivered; with 0.001 they take seconds
_LIMITS = {"work": 2_000_000}  # per deal, for requests without limits
_WANTED = ("winnable", "difficulty", "tier")
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
        if method == "deal" and any(params.get(name) is not None for name in _WANTED):
            self._queue(number, find(params))
            return None
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


def find(params: Params) -> Search:
    """The search for the first deal from a seed on that can be won and has the requested difficulty and tier;
    deals that are undecided within the limits are skipped. Its answer is that of the method ``deal``."""
    rest = dict(params)
    winnable = rest.pop("winnable", None)
    if winnable is not None and not isinstance(winnable, bool):
        raise ValueError(f"winnable {json.dumps(winnable)[:40]}: expected true or false")
    kinds = {"game": str, "seed": (int, str), "choices": dict, "difficulty": str, "tier": str, "limits": dict}
    given = check(rest, kinds)
    names = ("game", "seed", "choices")
    origin: dict[str, Any] = {name: given[name] for name in names if name in given}
    if not winnable and "difficulty" not in given and "tier" not in given:
        return lambda watch, tell: position(origin)
    if "game" not in given or "seed" not in given:
        raise ValueError("expected game and seed, from which on deals are tried")
    from winnable.solver.analysis.difficulty import LEVELS, of_level

    variant, limits = find_variant(given["game"]), limits_of(given.get("limits", _LIMITS))
    first, level = seed_of(given["seed"]), given.get("difficulty")
    if level not in (None, *LEVELS):
        raise ValueError(f"difficulty {level!r:.40}: expected {', '.join(LEVELS)}")
    position(origin)

    def run(watch: Watch, tell: Callable[[Answer], None]) -> Answer:
        others: Counter[str] = Counter()
        seeds = (Deal(variant.deal(seed, choices=given.get("choices", {})), seed) for seed in count(first))
        deals: Iterator[Deal] = choose(
            variant, while_hopeful(seeds, others), limits, given.get("tier"), others, watch
        )
        if level is not None:
            deals = of_level(variant, deals, level, others, watch)
        for found in deals:
            return position(origin | {"seed": str(found.seed)})
        raise ValueError(f"none of {sum(others.values())} deals is decided within the limits")

    return run
