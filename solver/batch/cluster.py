"""Batches of deals on a Dask cluster."""

import re
import socket
import threading
import time
from collections.abc import Generator, Iterable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

from ..core.record import Records
from .chunk import ChunkSolver, ClusterError, Piece, Task
from .supply import Supply

_SECONDS = 1.0  # time that a chunk should take
_MOST_DEALS = 65536  # most deals of a chunk
_ANSWERS = 3.0  # seconds in which a scheduler accepts a connection
_LAST_PORT = 65535


class ClusterBatch:
    """Solver of many deals on a Dask cluster, with the interface of `threads.Batch`.

    ``address`` is that of the scheduler. The workers need the same version of this program. Chunks of workers
    that die are reassigned. Raises ClusterError if Dask is not installed or no scheduler responds within
    ``timeout`` seconds; `run` raises it if the scheduler goes away, workers keep dying or versions differ.
    """

    def __init__(
        self, task: Task, pieces: Iterable[Piece], address: str, most: int = _MOST_DEALS, timeout: float = 10
    ) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise ClusterError("Dask is required: pip install 'winnable[cluster]'") from None
        _check_answers(address, timeout)
        self.task = task
        self.address = address
        self.solve = solve_chunk  # the function that a worker calls for a chunk
        self.results: SimpleQueue[Any] = SimpleQueue()
        try:
            self.client: Any = Client(address, timeout=timeout, set_as_default=False)
            self.workers = max(1, sum(self.client.nthreads().values()))
        except (OSError, ValueError) as error:
            raise ClusterError(f"scheduler {address}: {str(error) or 'no answer'}") from None
        self.supply = Supply(pieces, _SECONDS, most, self.workers)

    def stop(self) -> None:
        """Stop soon, and drop unfinished chunks. Safe in a signal handler."""
        self.results.put(None)

    def run(self) -> Generator[tuple[int, Records], None, None]:
        """Yield for each finished chunk its index in the order of all chunks, and its records."""
        waiting: dict[Any, int] = {}
        try:
            while True:
                while len(waiting) < 3 * self.workers and (chunk := self.supply.take()) is not None:
                    place, piece = chunk
                    waiting[self._submit(piece)] = place
                if not waiting:
                    return
                future = self.results.get()
                if future is None:
                    return
                if future.status in ("pending", "lost"):  # its worker died, and it is computed anew
                    self._await(future)
                    continue
                records, seconds = self._result_of(future)
                self.supply.learn(len(records), seconds)
                yield waiting.pop(future), records
        finally:
            with suppress(Exception):  # of a scheduler that went away
                self.client.cancel(list(waiting))
                self.client.close()

    def _submit(self, piece: Piece) -> Any:
        """The future of a chunk, which enters ``results`` when it is done. Raises ClusterError if the
        scheduler is lost."""
        try:
            future = self.client.submit(self.solve, self.task, piece, pure=False)
        except Exception:  # Dask raises several, of different modules
            raise self._lost() from None
        self._await(future)
        return future

    def _await(self, future: Any) -> None:
        """Let ``future`` enter ``results`` when it is done. Raises ClusterError if the scheduler is lost."""
        try:
            future.add_done_callback(self.results.put)
        except Exception:
            raise self._lost() from None

    def _result_of(self, future: Any) -> tuple[Records, float]:
        """The records of a chunk that is done, and the seconds taken. Raises ClusterError if the scheduler is
        lost or workers keep dying, and otherwise what was raised on the worker."""
        from distributed import KilledWorker

        if future.status not in ("finished", "error"):
            raise self._lost()
        try:
            result: tuple[Records, float] = future.result()
        except KilledWorker as error:
            raise ClusterError(f"the cluster gave up a chunk of deals: {error}") from None
        except Exception:
            if future.status != "error":  # it was lost while its result came
                raise self._lost() from None
            raise
        return result

    def _lost(self) -> ClusterError:
        return ClusterError(f"scheduler {self.address} does not answer any more")


def silence() -> None:
    """Turn off the log of Dask, which prints tracebacks; failures are reported in one line."""
    import logging

    with suppress(ImportError):
        import distributed  # noqa: F401 - it sets the level of each of its logs
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _check_answers(address: str, timeout: float) -> None:
    """Raise ClusterError at once if nothing listens at ``address``, for which Dask would wait. Addresses
    other than of TCP are left to Dask."""
    match = re.fullmatch(r"(?:(tcp|tls)://)?(\[[^\]]+\]|[^/:]+)(?::([0-9]+))?", address)
    if match is None and "://" in address and not address.startswith(("tcp", "tls")):
        return
    if match is None or match[3] is None or int(match[3]) > _LAST_PORT:
        raise ClusterError(f"scheduler {address!r:.80}: expected an address such as tcp://host:8786")
    try:
        socket.create_connection((match[2].strip("[]"), int(match[3])), min(timeout, _ANSWERS)).close()
    except OSError as error:
        why = "no answer" if isinstance(error, TimeoutError) else error.strerror or str(error)
        raise ClusterError(
            f"scheduler {address}: {why}; 'dask scheduler' starts one, and prints its address"
        ) from None


_kept = threading.local()


def solve_chunk(task: Task, piece: Piece) -> tuple[Records, float]:
    """Solve a chunk; return its records and the seconds taken. The thread keeps the kernel for the next
    chunk."""
    if getattr(_kept, "task", None) != task:
        _kept.solver, _kept.task = ChunkSolver(task), task
    began = time.monotonic()
    return _kept.solver.solve(piece), time.monotonic() - began
