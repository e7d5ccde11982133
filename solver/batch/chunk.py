"""Many deals: chunks of seeds or of positions, solved by worker threads or by a Dask cluster.

`solve_many` yields arrays of `record.RECORD` as chunks get finished. A chunk of seeds is dealt, solved and
replayed by a compiled kernel without the interpreter lock. What is found depends neither on the number of
workers nor on the size of the chunks, unless a limit on seconds ends a search.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import __version__
from ...rules import Choices, State, Variant, find_variant
from .. import missing, reference
from ..core.processors import count_processors
from ..core.record import OUTCOMES, RECORD, VERDICTS, WINNABLE
from ..engine import check_shortest_ends, decide, find_kernel, improve, what_is_left
from ..player.player import Game, Player, find_player_kernel, play_game
from ..result import REASONS, Limits, Result, Verdict

Piece = range | Sequence[tuple[int, Any]]
"""Deals in a row: seeds, or positions each with a number."""

Records = NDArray[Any]

MOST_DEALS = 8192  # of a chunk
_THREAD_SECONDS = 0.2  # a chunk should take
_CLUSTER_SECONDS = 1.0


@dataclass(frozen=True)
class Task:
    """What all chunks of a batch have in common.

    Of the seeds divisible by ``check_every`` the lines found are replayed through `rules` too, not by the
    compiled replayer alone; 0 for none. With ``shortest`` lines are made as short as the limits allow. With a
    ``player`` the deals are not decided but played.
    """

    variant: str
    limits: Limits
    choices: Choices | None = None
    check_every: int = 1000
    shortest: bool = False
    version: str = __version__
    player: Player | None = None


class ClusterError(Exception):
    """The cluster cannot do the work."""


class ChunkSolver:
    """Solves chunks of a task, on one thread. Another thread can `stop` it."""

    def __init__(self, task: Task) -> None:
        if task.version != __version__:
            raise ClusterError(f"a worker has version {__version__} of winnable, not {task.version}")
        self.task = task
        self.variant = find_variant(task.variant)
        self.is_stopped = False
        self.kernel = self._make_kernel(task.limits)
        self.checker = self.kernel and self._make_kernel(replace(task.limits, seconds=None))
        self.improver = self.kernel
        if task.shortest and not (self.kernel and self.kernel.IMPROVES):
            why = f" here: {missing.REMEDY}" if self.kernel is None else ""
            raise ValueError(f"there is no compiled search for shortest lines of {task.variant}{why}")
        if task.shortest:
            check_shortest_ends(self.variant, task.limits)

    def _make_kernel(self, limits: Limits) -> Any:
        """A kernel for what the task asks; None if there is none but the reference engine."""
        if self.task.player is not None:
            return find_player_kernel()(limits, self.task.player)
        kernel = find_kernel(self.variant)
        return kernel and kernel(limits)

    def stop(self) -> None:
        """End the running search, and every later one."""
        self.is_stopped = True
        if self.kernel is not None:
            for kernel in (self.kernel, self.checker, self.improver):
                kernel.stop()

    def solve(self, piece: Piece) -> Records:
        """The records of the deals of ``piece``; fewer, if it was stopped.

        Raises RuntimeError if a line fails its replay.
        """
        if self.kernel is None or not isinstance(piece, range):
            return self._solve_positions(piece)
        task = self.task
        records: Records = self.kernel.solve_seeds(
            task.variant, piece.start, len(piece), task.choices, task.shortest
        )
        if task.check_every:
            is_sample = (records["seed"] % task.check_every == 0) & (records["verdict"] == WINNABLE)
            for record in records[is_sample]:
                self._check(record)
        return records

    def _solve_positions(self, piece: Piece) -> Records:
        rows = []
        for deal in piece:
            number, state = (deal, self._deal(deal)) if isinstance(deal, int) else deal
            began = time.thread_time_ns()
            result = self._decide(state)
            if self.is_stopped:
                break
            rows.append(_row(number, result, (time.thread_time_ns() - began) // 1000))
        return np.array(rows, RECORD)

    def _decide(self, state: Any) -> Result | Game:
        if self.kernel is None:
            stop = missing.watched(self.task.variant, lambda: self.is_stopped)
            return reference.solve(self.variant, state, self.task.limits, is_stopped=stop)
        return self._improved(state, self._answer(state, self.kernel))

    def _answer(self, state: Any, kernel: Any) -> Result | Game:
        if self.task.player is not None:
            return play_game(state, kernel)
        return decide(self.variant, state, kernel, name_cards=False)

    def _improved(self, state: Any, result: Result | Game) -> Result | Game:
        """``result`` with the shortest line that what it left of the limits allows, if that is asked for."""
        if not self.task.shortest or isinstance(result, Game) or result.verdict is not Verdict.WINNABLE:
            return result
        self.improver = type(self.kernel)(what_is_left(self.task.limits, result))
        return result if self.is_stopped else improve(self.variant, state, result, self.improver)

    def _deal(self, seed: int) -> Any:
        return self.variant.deal(seed, choices=self.task.choices)

    def _check(self, record: Any) -> None:
        """Solve the deal of ``record`` again, from the readable dealer on, and compare. Of lines made shorter
        only the lengths that are proved both times must be the same."""
        seed = int(record["seed"])
        state = self._deal(seed)
        result = self._answer(state, self.checker)
        if record["shortest"]:
            result = self._improved(state, result)
        verdict, moves = _verdict(result), len(result.moves or ())
        is_same_line = result.shortest if self.task.shortest and isinstance(result, Result) else True
        differs = verdict != record["verdict"] or (is_same_line and moves != record["moves"])
        if differs and not self.is_stopped:
            raise RuntimeError(f"seed {seed} of {self.variant.name}: a batch and a single search differ")


def _verdict(result: Result | Game) -> int:
    """The verdict as a number of `record`."""
    words = OUTCOMES if isinstance(result, Game) else VERDICTS
    return words.index(result.verdict.value)


def _row(number: int, result: Result | Game, microseconds: int) -> tuple[int, ...]:
    """A record of ``result``, as a tuple."""

    def known(value: int | None) -> int:
        return -1 if value is None else value

    if isinstance(result, Game):
        return (
            *(number, result.samples, result.decisions, microseconds, len(result.moves), -1),
            *(result.score, -1, _verdict(result), REASONS.index(result.reason), 0, -1),
        )
    return (
        number,
        result.expanded,
        result.generated,
        microseconds,
        -1 if result.moves is None else len(result.moves),
        known(result.lower_bound),
        known(result.score),
        known(result.score_bound),
        _verdict(result),
        REASONS.index(result.reason),
        int(result.shortest),
        int(bool(result.exact)),
    )


class _Supply:
    """Hands out the deals in chunks, in order, of a size that follows the time they take."""

    def __init__(self, pieces: Iterable[Piece], seconds: float, most: int) -> None:
        self.pieces = deque(piece for piece in pieces if len(piece))
        self.seconds = seconds
        self.most = most
        self.size = min(16, most)
        self.given = 0
        self.lock = threading.Lock()

    def take(self) -> tuple[int, Piece] | None:
        """The next chunk and its place in the order; None if there is nothing left."""
        with self.lock:
            if not self.pieces:
                return None
            chunk = self.pieces[0][: self.size]
            rest = self.pieces[0][self.size :]
            if len(rest):
                self.pieces[0] = rest
            else:
                self.pieces.popleft()
            self.given += 1
            return self.given - 1, chunk

    def learn(self, deals: int, seconds: float) -> None:
        """Take note of what a chunk took."""
        with self.lock:
            fitting = int(deals * self.seconds / max(seconds, 1e-6))
            self.size = max(1, min(fitting, 4 * self.size, self.most))

    def clear(self) -> None:
        """Leave out what was not given yet."""
        with self.lock:
            self.pieces.clear()


class Batch:
    """The solving of many deals by threads of this process. `run` yields the records, `stop` ends it.

    ``pieces`` are the deals in order; ``workers`` the number of threads, by default one a processor; ``most``
    the most deals of a chunk. Every search holds the limits of ``task`` for itself, memory too.
    """

    def __init__(
        self, task: Task, pieces: Iterable[Piece], workers: int | None = None, most: int = MOST_DEALS
    ) -> None:
        self.workers = workers or count_processors()
        self.supply = _Supply(pieces, _THREAD_SECONDS, most)
        self.results: SimpleQueue[tuple[int, Records] | BaseException | None] = SimpleQueue()
        self.solvers = [ChunkSolver(task) for _ in range(self.workers)]

    def stop(self) -> None:
        """End it soon: `run` still yields the deals that are finished. Safe in a signal handler."""
        for solver in self.solvers:
            solver.stop()

    def run(self) -> Generator[tuple[int, Records], None, None]:
        """Yield the records of each finished chunk, with its place in the order of all chunks.

        Raises RuntimeError if a line fails its replay. Ctrl-C, where it is not handled otherwise, ends it
        after what is finished.
        """
        threads = [threading.Thread(target=self._work, args=(solver,)) for solver in self.solvers]
        for thread in threads:
            thread.start()
        running, interrupt = len(threads), None
        try:
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


class ClusterBatch:
    """The solving of many deals by a Dask cluster, with the same face as `Batch`.

    ``address`` is that of the scheduler; the workers need the same version of this program. Chunks of workers
    that die are given to others. `run` raises ClusterError if that goes on, or versions differ; so does the
    making of it if Dask is not installed or no scheduler answers.
    """

    def __init__(
        self,
        task: Task,
        pieces: Iterable[Piece],
        address: str,
        most: int = MOST_DEALS,
        timeout: float = 10,
    ) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise ClusterError("Dask is not installed; see the extra 'cluster'") from None
        self.task = task
        self.supply = _Supply(pieces, _CLUSTER_SECONDS, most)
        self.results: SimpleQueue[Any] = SimpleQueue()
        try:
            self.client: Any = Client(address, timeout=timeout, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ClusterError(f"scheduler {address}: {str(error) or 'no answer'}") from None
        self.workers = max(1, sum(self.client.nthreads().values()))

    def stop(self) -> None:
        """End it soon, without the chunks that are under way. Safe in a signal handler."""
        self.results.put(None)

    def run(self) -> Generator[tuple[int, Records], None, None]:
        """Yield the records of each finished chunk, with its place in the order of all chunks."""
        from distributed import CancelledError, KilledWorker

        waiting: dict[Any, int] = {}
        try:
            while True:
                while len(waiting) < 3 * self.workers and (chunk := self.supply.take()) is not None:
                    place, piece = chunk
                    future = self.client.submit(solve_chunk, self.task, piece, pure=False)
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
    """The records of a chunk and the seconds it took; the kernel is kept for the next chunk of the thread."""
    if getattr(_kept, "task", None) != task:
        _kept.solver, _kept.task = ChunkSolver(task), task
    began = time.monotonic()
    return _kept.solver.solve(piece), time.monotonic() - began


def in_order(chunks: Iterable[tuple[int, Records]]) -> Iterator[Records]:
    """The records of ``chunks``, as `Batch.run` yields them, in the order of the deals."""
    early: dict[int, Records] = {}
    expected = 0
    for place, records in chunks:
        early[place] = records
        while expected in early:
            yield early.pop(expected)
            expected += 1


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
    state that is none of the variant's, RuntimeError if a line fails its replay. With ``shortest``
    lines are made as short as the limits allow.

    >>> from winnable.solver.batch import solve_many
    >>> sum(int((records["verdict"] == 1).sum()) for records in solve_many("fortress", range(1, 1001)))
    211
    """
    variant = find_variant(variant)
    if isinstance(deals, range):
        if deals.step != 1:
            raise ValueError(f"{deals}: seeds in a row are needed")
        piece: Piece = deals
    else:
        piece = list(enumerate(deals))
        for _, state in piece:
            variant.check(state)
    batch = Batch(Task(variant.name, limits or Limits(), choices, check_every, shortest), [piece], workers)
    return in_order(batch.run())
