"""Searches for the board in a worker of a web page, which has no threads."""

import asyncio
import pickle
import signal
import time
from collections.abc import Callable
from typing import Any

from pyodide.ffi import can_run_sync, run_sync, to_js

from winnable.board import analysis
from winnable.solver.progress import Watch

_PROGRESS = 0.3  # seconds between two reports
_PAUSE = 0.006  # pause in which messages are delivered; with 0.001 they take seconds


def run(task: Any, post: Callable[[Any], object], is_stopped: Callable[[], bool], can_wait: bool) -> None:
    """Run a pickled `analysis.Task`, or the search for a pickled `new_game.Wanted` deal.

    ``post`` is called with each update, pickled. For a task an update is one of `analysis`, or a pair of
    progress and part; for a deal it is the number of deals tried, and in the end an `Opening` or
    `analysis.Failed`. ``is_stopped`` is called every 50 ms; with ``can_wait`` messages are let in then.
    """
    watch, is_waiting, told = Watch(), False, time.monotonic()

    def send(update: object) -> None:
        post(to_js(pickle.dumps(update)))

    def look(number: int, frame: object) -> None:
        nonlocal is_waiting, told
        if can_wait and not is_waiting and can_run_sync():
            is_waiting = True
            try:
                run_sync(asyncio.sleep(_PAUSE))
            finally:
                is_waiting = False
        if is_stopped():
            watch.stop()
        elif isinstance(wanted, analysis.Task) and time.monotonic() - told > _PROGRESS:
            told = time.monotonic()
            send((watch.progress(), watch.part))

    def tell(update: object) -> None:
        if not watch.was_stopped:
            send((watch.progress(), watch.part))
            send(update)

    wanted = pickle.loads(task.to_bytes())
    signal.signal(signal.SIGALRM, look)
    try:
        if isinstance(wanted, analysis.Task):
            analysis.do(wanted, watch, tell)
            tell(analysis.Finished())
        else:
            send(_looked_for(wanted, watch, send))
    except (analysis.Stopped, KeyboardInterrupt):
        pass  # the other side does not wait for an update
    except Exception as error:
        tell(analysis.Failed(f"{type(error).__name__}: {error}"))
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)


def refuse(post: Callable[[Any], object], why: str) -> None:
    """Call ``post`` with the update that a task could not be begun."""
    post(to_js(pickle.dumps(analysis.Failed(why))))


def _looked_for(wanted: Any, watch: Watch, tell: Callable[[int], None]) -> object:
    """The deal that is wanted; `analysis.Failed` with the reason if there is none."""
    from winnable.board.new_game import look_for

    try:
        return look_for(wanted, watch, tell)
    except ValueError as error:
        return analysis.Failed(str(error))
