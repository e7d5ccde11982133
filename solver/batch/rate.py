"""Estimation of the win rate of a game: solve the deals that a store lacks, and store the results."""

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from itertools import chain

from ..core.record import UNDECIDED, WINNABLE, Records
from ..result import REASONS
from .chunk import Piece, Task
from .cluster import ClusterBatch
from .statistics import Counts, estimate
from .store import Store
from .supply import in_order
from .threads import Batch

_LATE = REASONS.index("seconds")
CHECKPOINT = 100  # number of deals after which the width of the interval is checked


class RateRun:
    """A run that solves the deals of ``pieces`` that ``store`` lacks, or with ``retry`` its undecided ones.

    With ``until`` the run ends at the first multiple of 100 deals, in order, at which both ends of the 95 %
    interval are at most that far from the rate; the rows stored do not depend on the number of workers. The
    deals are solved by threads, or with ``scheduler`` by the Dask cluster at that address. Raises StoreError,
    ClusterError.
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
        ranges = ranges_of(pieces)
        counts = dict(store.select("verdict, COUNT(*)", ranges, "GROUP BY verdict"))
        self.deals = sum(counts.values())
        self.winnable = counts.get(store.verdicts[WINNABLE], 0)
        self.undecided = counts.get(store.verdicts[UNDECIDED], 0)
        self.finished = self.deals
        self.is_timed = task.limits.seconds is not None
        self.added = self.late = 0  # deals that this run added, and those of them that the clock ended
        self.counts = None if self.deals else Counts(store.header)  # counts of all rows, if all are new
        self.again: dict[int, int] | None = None  # the old verdicts of the deals that are retried
        if retry:
            rows = store.select("seed, verdict", ranges, f"AND {store.is_open}")
            self.again = {seed: store.verdicts.index(verdict) for seed, verdict in rows}
            self.finished -= len(self.again)
        self.is_remote = scheduler is not None
        self.batch = ClusterBatch(task, todo, scheduler) if scheduler else Batch(task, todo, workers)

    def stop(self) -> None:
        """Stop soon, keeping finished deals. Safe in a signal handler."""
        self.is_stopped = True
        self.batch.stop()

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the rate. Undecided deals count as lost for the low end, as won for the
        high."""
        rate = estimate(self.winnable, self.winnable + self.undecided, self.deals)
        return float(rate["low"]), float(rate["high"])

    @property
    def is_narrow(self) -> bool:
        """Test if the interval is as narrow as ``until``; False between checkpoints."""
        if self.until is None or not self.finished or self.finished % CHECKPOINT:
            return False
        low, high = self.interval
        rate: float = self.winnable / self.deals
        return rate - low <= self.until and high - rate <= self.until

    def run(self) -> Iterator[Records]:
        """Yield the records of each chunk after they were committed."""
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
                if self.counts is not None:
                    self.counts.add(kept)
                now = time.monotonic()
                self.store.add(kept, now - began, None if self.is_remote else peak_memory())
                began = now
                yield kept
                if self.is_narrow:
                    return

    def _count(self, records: Records) -> int:
        """Count ``records`` until the interval is narrow enough; return the number counted."""
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
        self.added += len(records)
        if self.is_timed:
            self.late += records.column("reason").count(_LATE)
        if self.again is None:
            self.deals += len(records)
            self.winnable += records.count(WINNABLE)
            self.undecided += records.count(UNDECIDED)
            return
        for record in records:  # a decided deal is not changed by a retry
            if self.again[record.seed] == UNDECIDED:
                self.undecided -= record.verdict != UNDECIDED
                self.winnable += record.verdict == WINNABLE


def peak_memory() -> float | None:
    """The peak memory of this process in megabytes (of 10^6 bytes); None if the system does not report it.

    On Linux it is read from /proc, since getrusage may report the peak of the parent process.
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
    """The slice ``number``, from 1, of ``count`` consecutive slices of the deals of ``pieces``."""
    deals = sum(map(len, pieces))
    first, last = deals * (number - 1) // count, deals * number // count
    slices = []
    for piece in pieces:
        slices.append(piece[max(0, first) : max(0, last)])
        first, last = first - len(piece), last - len(piece)
    return [piece for piece in slices if len(piece)]
