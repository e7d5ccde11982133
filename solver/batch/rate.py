"""Estimate of the win rate of a game: solve and store the deals that a store still lacks."""

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from itertools import chain

from ..core.intervals import wilson
from ..core.record import UNDECIDED, WINNABLE, Records
from .chunk import Piece, Task
from .cluster import ClusterBatch
from .store import Store
from .supply import in_order
from .threads import Batch

CHECKPOINT = 100  # deals between two looks at whether the interval is narrow enough


class RateRun:
    """Run that solves the deals of ``pieces`` that ``store`` lacks, or with ``retry`` its undecided ones.

    With ``until`` it ends at the first hundred of deals, in order, after which half the 95 % interval is no
    wider than that; the rows stored do not depend on the number of workers. Work is done by threads, or with
    ``scheduler`` by the Dask cluster at that address. Raises StoreError, ClusterError.
    """

    def __init__(
        self,
        store: Store,
        task: Task,
        pieces: Sequence[Piece],
        *,
        workers: int | None = None,
        scheduler: str | None = None,
        until: float | None = None,
        retry: bool = False,
    ) -> None:
        self.store = store
        self.until = until
        self.is_stopped = False
        self.wanted = sum(map(len, pieces))
        find = store.undecided if retry else store.missing
        todo = list(chain.from_iterable(map(find, pieces)))
        self.waiting = sum(map(len, todo))
        self.winnable = self.undecided = 0
        self.finished = 0
        tail = f"AND NOT {store.is_open} GROUP BY verdict" if retry else "GROUP BY verdict"
        verdicts = store.verdicts
        for verdict, count in store.select("verdict, COUNT(*)", ranges_of(pieces), tail):
            self.finished += count
            self.winnable += count * (verdict == verdicts[WINNABLE])
            self.undecided += count * (verdict == verdicts[UNDECIDED])
        self.is_remote = scheduler is not None
        self.batch = ClusterBatch(task, todo, scheduler) if scheduler else Batch(task, todo, workers)

    def stop(self) -> None:
        """Stop soon and keep finished deals. Safe in a signal handler."""
        self.is_stopped = True
        self.batch.stop()

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the rate, undecided deals counted both ways."""
        most = self.winnable + self.undecided
        return wilson(self.winnable, self.finished)[0], wilson(most, self.finished)[1]

    @property
    def is_narrow(self) -> bool:
        """Test if the interval is as narrow as asked; true at checkpoints only."""
        if self.until is None or not self.finished or self.finished % CHECKPOINT:
            return False
        low, high = self.interval
        return (high - low) / 2 <= self.until

    def run(self) -> Iterator[Records]:
        """Yield the records of each chunk once they are committed."""
        chunks = self.batch.run()
        began = time.monotonic()
        if self.until is None:
            records_of_chunks: Iterator[Records] = (records for _, records in chunks)
        else:
            records_of_chunks = in_order(chunks)
        with closing(chunks):
            if self.is_narrow:
                return
            for records in records_of_chunks:
                kept = records[: self._count(records)]
                now = time.monotonic()
                self.store.add(kept, now - began, None if self.is_remote else peak_memory())
                began = now
                yield kept
                if self.is_narrow:
                    return

    def _count(self, records: Records) -> int:
        """Count ``records`` as far as they are needed; the number counted."""
        if self.until is None:
            self._add(records)
            return len(records)
        done = 0
        while done < len(records):
            part = records[done : done + CHECKPOINT - self.finished % CHECKPOINT]
            self._add(part)
            done += len(part)
            if self.is_narrow:
                break
        return done

    def _add(self, records: Records) -> None:
        self.finished += len(records)
        self.winnable += records.count(WINNABLE)
        self.undecided += records.count(UNDECIDED)


def peak_memory() -> float | None:
    """The most megabytes (of 10^6 bytes) that this process has held; None where the system does not tell.

    On Linux what getrusage tells may be of the program that started this one.
    """
    with suppress(OSError), open("/proc/self/status", encoding="utf-8") as file:
        for line in file:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / 1e6
    with suppress(ImportError):
        from resource import RUSAGE_SELF, getrusage

        return getrusage(RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
    return None


def ranges_of(pieces: Sequence[Piece]) -> list[range]:
    """The numbers of the deals of ``pieces``, as ranges."""
    return [
        piece if isinstance(piece, range) else range(piece[0][0], piece[-1][0] + 1)
        for piece in pieces
        if len(piece)
    ]


def shard_of(pieces: Sequence[Piece], number: int, count: int) -> list[Piece]:
    """The slice ``number``, from 1, of ``count`` slices in a row that together are ``pieces``."""
    deals = sum(map(len, pieces))
    first, last = deals * (number - 1) // count, deals * number // count
    slices = []
    for piece in pieces:
        slices.append(piece[max(0, first) : max(0, last)])
        first, last = first - len(piece), last - len(piece)
    return [piece for piece in slices if len(piece)]
