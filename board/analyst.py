"""Background searches of a game: one at a time in its own thread, cancelled by the next request."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from ..solver.core.processors import count_processors
from ..solver.progress import Progress, Watch
from . import analysis

Tell = Callable[[analysis.Task, analysis.AnalysisUpdate], None]
"""A function that is called with a task and each of its updates, in the thread of the search."""

_SLOTS = threading.BoundedSemaphore(max(2, count_processors()))  # searches at once, of all games together
_PATIENCE = 0.05  # seconds between two checks whether a waiting search was cancelled


@dataclass
class Work:
    """The running task of an analyst, its stop flag and its start time."""

    task: analysis.Task
    watch: Watch
    began: float | None = None

    @property
    def seconds(self) -> float:
        """Seconds since the search began."""
        return 0.0 if self.began is None else time.monotonic() - self.began

    def progress(self) -> Progress | None:
        """Progress of the search; None before it starts."""
        return self.watch.progress()


class Analyst:
    """One worker thread that runs the latest task; an earlier task is cancelled and dropped.

    ``tell`` is called in that thread with the task and each update of `analysis`, and with
    `analysis.Finished` at the end of a task that was not cancelled. An exception in a search is reported as
    `analysis.Failed`.
    """

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._changed = threading.Condition()
        self._next: Work | None = None
        self._now: Work | None = None
        self._is_closed = False
        self._thread: threading.Thread | None = None

    def ask(self, task: analysis.Task) -> None:
        """Cancel the current task and start ``task``."""
        with self._changed:
            if self._is_closed:
                return
            self._drop()
            self._next = Work(task, Watch())
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="analyst", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def stop(self) -> None:
        """Cancel the current task."""
        with self._changed:
            self._drop()

    def close(self, seconds: float = 2.0) -> None:
        """Cancel everything for good and join the thread, waiting at most ``seconds``."""
        with self._changed:
            self._is_closed = True
            self._drop()
            self._changed.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(seconds)

    def now(self) -> Work | None:
        """The task running or about to run."""
        with self._changed:
            return self._next or self._now

    def _drop(self) -> None:
        self._next = None
        if self._now is not None:
            self._now.watch.stop()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._now = None
                self._changed.wait_for(lambda: self._next is not None or self._is_closed)
                if self._is_closed:
                    return
                self._now, self._next = self._next, None
                work = self._now
            assert work is not None
            if self._has_slot(work):
                try:
                    self._do(work)
                finally:
                    _SLOTS.release()

    def _has_slot(self, work: Work) -> bool:
        """Wait for a free search slot. Returns False if ``work`` was cancelled first."""
        while not work.watch.was_stopped:
            if _SLOTS.acquire(timeout=_PATIENCE):
                if not work.watch.was_stopped:
                    return True
                _SLOTS.release()
        return False

    def _do(self, work: Work) -> None:
        work.began = time.monotonic()

        def tell(update: analysis.AnalysisUpdate) -> None:
            if not work.watch.was_stopped:
                self._tell(work.task, update)

        try:
            analysis.do(work.task, work.watch, tell)
            tell(analysis.Finished())
        except analysis.Stopped:
            pass
        except ValueError as error:  # a refusal in words, such as of rules that no player knows
            tell(analysis.Failed(str(error)))
        except Exception as error:
            tell(analysis.Failed(f"{type(error).__name__}: {error}"))
