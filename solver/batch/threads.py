"""Batch of deals on worker threads of this process.

`solve_many` yields arrays of `record.RECORD` as chunks get finished. A chunk of seeds is dealt, solved and
replayed by a compiled kernel without the interpreter lock. Results depend neither on the number of workers
nor on the size of the chunks, unless a limit on seconds ends a search.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from queue import SimpleQueue
from typing import TYPE_CHECKING

from ...rules import State, Variant, find_variant
from ..core.processors import count_processors
from ..result import Limits
from .chunk import ChunkSolver, Piece, Records, Task
from .supply import MOST_DEALS, Supply, in_order

if TYPE_CHECKING:
    from ...rules.variants import Choices

_SECONDS = 0.2  # a chunk should take


class Batch:
    """Solver of many deals on threads of this process. `run` yields the records, `stop` ends it.

    ``pieces`` are the deals in order; ``workers`` the number of threads, by default one a processor; ``most``
    the most deals of a chunk. Every search holds the limits of ``task`` for itself, memory too.
    """

    def __init__(
        self, task: Task, pieces: Iterable[Piece], workers: int | None = None, most: int = MOST_DEALS
    ) -> None:
        self.workers = workers or count_processors()
        self.supply = Supply(pieces, _SECONDS, most, self.workers)
        self.results: SimpleQueue[tuple[int, Records] | BaseException | None] = SimpleQueue()
        self.solvers = [ChunkSolver(task) for _ in range(self.workers)]

    def stop(self) -> None:
        """Stop soon: `run` still yields finished deals. Safe in a signal handler."""
        for solver in self.solvers:
            solver.stop()

    def run(self) -> Generator[tuple[int, Records], None, None]:
        """Yield the records of each finished chunk, with its place in the order of all chunks.

        Raises RuntimeError if a line fails its replay. Ctrl-C, where it is not handled otherwise, ends it
        after what is finished.
        """
        threads: list[threading.Thread] = []
        interrupt = None
        try:
            for solver in self.solvers:
                thread = threading.Thread(target=self._work, args=(solver,))
                thread.start()
                threads.append(thread)
            running = len(threads)
            while running:
                try:
                    item = self.results.get()
                except KeyboardInterrupt as error:
                    interrupt = error
                    self.stop()
                    continue
                if item is None:
                    running -= 1
                elif isinstance(item, BaseException):
                    raise item
                else:
                    yield item
        finally:
            self.stop()
            for thread in threads:
                thread.join()
        if interrupt is not None:
            raise interrupt

    def _work(self, solver: ChunkSolver) -> None:
        try:
            while not solver.is_stopped and (chunk := self.supply.take()) is not None:
                began = time.monotonic()
                place, piece = chunk
                records = solver.solve(piece)
                self.supply.learn(len(piece), time.monotonic() - began)
                if len(records):
                    self.results.put((place, records))
        except BaseException as error:
            self.results.put(error)
        finally:
            self.results.put(None)


def solve_many(
    variant: Variant | str,
    deals: range | Sequence[State],
    limits: Limits | None = None,
    *,
    workers: int | None = None,
    choices: Choices | None = None,
    check_every: int = 1000,
    shortest: bool = False,
) -> Iterator[Records]:
    """Solve ``deals``, a range of seeds or a list of states, and yield arrays of `RECORD`, in order.

    A state has its index as its number. ``workers`` is the number of threads, one a processor by default;
    ``limits`` hold for each deal. Raises ValueError at once for an unknown variant, a range with gaps or a
    state of another game, RuntimeError if a line fails its replay. With ``shortest``
    lines are made as short as the limits allow.

    >>> from winnable.solver.batch import solve_many
    >>> sum(int((records["verdict"] == 1).sum()) for records in solve_many("fortress", range(1, 1001)))
    211
    """
    variant = find_variant(variant)
    if isinstance(deals, range):
        if deals.step != 1:
            raise ValueError(f"{deals}: expected consecutive seeds")
        piece: Piece = deals
    else:
        piece = list(enumerate(deals))
        for _, state in piece:
            variant.check(state)
    batch = Batch(Task(variant.name, limits or Limits(), choices, check_every, shortest), [piece], workers)
    return in_order(batch.run())
