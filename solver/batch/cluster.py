"""Batch of deals on a Dask cluster."""

import threading
import time
from collections.abc import Generator, Iterable
from queue import SimpleQueue
from typing import Any

from ..core.record import Records
from .chunk import ChunkSolver, ClusterError, Piece, Task
from .supply import Supply

_SECONDS = 1.0  # a chunk should take
_MOST_DEALS = 65536  # of a chunk


class ClusterBatch:
    """Solver of many deals on a Dask cluster, with the interface of `threads.Batch`.

    ``address`` is that of the scheduler; the workers need the same version of this program. Chunks of workers
    that die are given to others. Raises ClusterError if Dask is not installed or no scheduler answers; `run`
    raises it if workers keep dying, or versions differ.
    """

    def __init__(
        self, task: Task, pieces: Iterable[Piece], address: str, most: int = _MOST_DEALS, timeout: float = 10
    ) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise ClusterError("Dask is required: pip install 'winnable[cluster]'") from None
        self.task = task
        self.answer = solve_chunk  # what a worker does with a chunk
        self.results: SimpleQueue[Any] = SimpleQueue()
        try:
            self.client: Any = Client(address, timeout=timeout, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ClusterError(f"scheduler {address}: {str(error) or 'no answer'}") from None
        self.workers = max(1, sum(self.client.nthreads().values()))
        self.supply = Supply(pieces, _SECONDS, most, self.workers)

    def stop(self) -> None:
        """Stop soon, and drop unfinished chunks. Safe in a signal handler."""
        self.results.put(None)

    def run(self) -> Generator[tuple[int, Records], None, None]:
        """Yield the records of each finished chunk, with its place in the order of all chunks."""
        from distributed import CancelledError, KilledWorker

        waiting: dict[Any, int] = {}
        try:
            while True:
                while len(waiting) < 3 * self.workers and (chunk := self.supply.take()) is not None:
                    place, piece = chunk
                    future = self.client.submit(self.answer, self.task, piece, pure=False)
                    waiting[future] = place
                    future.add_done_callback(self.results.put)
                if not waiting:
                    return
                future = self.results.get()
                if future is None:
                    return
                try:
                    records, seconds = future.result()
                except (CancelledError, KilledWorker) as error:
                    raise ClusterError(f"the cluster gave up a chunk of deals: {error}") from None
                self.supply.learn(len(records), seconds)
                yield waiting.pop(future), records
        finally:
            self.client.cancel(list(waiting))
            self.client.close()


_kept = threading.local()


def solve_chunk(task: Task, piece: Piece) -> tuple[Records, float]:
    """Solve a chunk: its records, and the seconds taken. The thread keeps the kernel for the next one."""
    if getattr(_kept, "task", None) != task:
        _kept.solver, _kept.task = ChunkSolver(task), task
    began = time.monotonic()
    return _kept.solver.solve(piece), time.monotonic() - began
