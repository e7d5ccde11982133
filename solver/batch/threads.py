"""Batches of deals on worker threads of this process.

`Batch.run` yields `Records` as chunks finish. A chunk of seeds is dealt, solved and replayed by a compiled
kernel without the interpreter lock. Results do not depend on the number of workers or the size of chunks,
unless a limit on seconds ends a search.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ...rules import State, Variant, find_variant
from ...rules.cards import check_whole, with_article
from ...rules.deals import check_seed
from ..core.processors import count_processors, gathered
from ..core.record import VERDICTS, Record, Records
from ..progress import Watch
from ..result import REASONS, Limits, check_limits, check_work
from .chunk import ChunkSolver, Piece, Task
from .supply import MOST_DEALS, Supply, in_order

if TYPE_CHECKING:
    from ...rules.variants import Choices

MOST_WORKERS = 1024
"""The greatest number of threads of a batch."""
_SECONDS = 0.2  # time that a chunk should take


class Batch:
    """Solver of many deals on threads of this process. `run` yields the records, `stop` ends it.

    ``pieces`` are the deals in order; ``workers`` is the number of threads, by default one a processor;
    ``most`` is the greatest number of deals of a chunk. The limits of ``task``, memory included, apply to
    each search.
    """

    def __init__(
        self, task: Task, pieces: Iterable[Piece], workers: int | None = None, most: int = MOST_DEALS
    ) -> None:
        if workers is None:
            workers = count_processors()
        self.workers = check_whole(
            "workers", workers, range(1, MOST_WORKERS + 1), f"from 1 to {MOST_WORKERS}"
        )
        self.supply = Supply(pieces, _SECONDS, most, self.workers)
        self.solvers = [ChunkSolver(task) for _ in range(self.workers)]

    def stop(self) -> None:
        """Stop soon; `run` still yields finished deals. Safe in a signal handler."""
        for solver in self.solvers:
            solver.stop()

    def run(self) -> Generator[tuple[int, Records], None, None]:
        """Yield for each finished chunk its index in the order of all chunks, and its records.

        Raises RuntimeError if a line fails its replay. Ctrl-C ends it after the finished chunks.
        """
        return gathered([self._work(solver) for solver in self.solvers], self.stop)

    def _work(self, solver: ChunkSolver) -> Iterator[tuple[int, Records]]:
        while not solver.is_stopped and (chunk := self.supply.take()) is not None:
            began = time.monotonic()
            place, piece = chunk
            records = solver.solve(piece)
            self.supply.learn(len(piece), time.monotonic() - began)
            if len(records):
                yield place, records


T = TypeVar("T")


class StateRun(Generic[T]):
    """A run that answers each of ``wanted`` positions, pairs of a number and a state, on ``workers`` threads,
    by default one a processor. ``found`` has the answers by number.

    ``answer`` is called with the number, the state and the watch of its thread; it raises KeyboardInterrupt
    if the watch was stopped.
    """

    def __init__(
        self,
        states: Iterator[tuple[int, Any]],
        wanted: int,
        answer: Callable[[int, Any, Watch], T],
        workers: int | None = None,
    ) -> None:
        self.wanted = wanted
        self.found: dict[int, T] = {}
        self.is_stopped = False
        self._states, self._answer = states, answer
        self._watches = [Watch() for _ in range(min(workers or count_processors(), wanted))]
        self._lock = threading.Lock()

    def stop(self) -> None:
        """Stop soon, keeping finished answers. Safe in a signal handler."""
        self.is_stopped = len(self.found) < self.wanted
        for watch in self._watches:
            watch.stop()

    def run(self) -> Generator[int, None, None]:
        """Answer the positions, and yield the number of finished ones each time it grows."""
        for number, answer in gathered([self._work(watch) for watch in self._watches], self.stop):
            self.found[number] = answer
            yield len(self.found)

    def _work(self, watch: Watch) -> Iterator[tuple[int, T]]:
        with suppress(KeyboardInterrupt):
            while not self.is_stopped and (deal := self._next()) is not None:
                number, state = deal
                yield number, self._answer(number, state, watch)

    def _next(self) -> tuple[int, Any] | None:
        with self._lock:
            return next(self._states, None)


def solve_records(
    variant: Variant | str,
    deals: range | Iterable[State],
    limits: Limits | None = None,
    *,
    workers: int | None = None,
    choices: Choices | None = None,
    check_every: int = 1000,
    shortest: bool = False,
) -> Iterator[Records]:
    """Solve ``deals``, a range of seeds or states, and yield their `Records`, in order.

    The number of a state is its index. ``choices`` are rule options for seeds; states have their own.
    ``workers`` is the number of threads, up to 1,024, by default one a processor. ``limits`` apply to each
    deal. ``check_every`` is that of `Task`. If ``shortest`` is true, shortest lines are searched for within
    the limits.

    Raises ValueError at once for an unknown variant, a range with gaps or beyond the seeds, choices of
    another game or given with states, or an invalid state; RuntimeError if a line fails its replay.

    >>> from winnable.solver.batch import solve_records
    >>> sum(records.count(1) for records in solve_records("fortress", range(1, 1001)))
    211
    """
    variant = find_variant(variant)
    if isinstance(deals, range):
        if deals.step != 1:
            raise ValueError(f"{deals}: expected consecutive seeds")
        for seed in (deals.start, deals.stop - 1) if deals else ():
            check_seed(seed)
        piece: Piece = deals
    else:
        _check_deals(deals)
        piece = list(enumerate(deals))
        for _, state in piece:
            variant.check(state, cards=True)
    agreed = variant.agreed(choices)
    if agreed is not None and not isinstance(deals, range):
        raise ValueError("choices: expected none beside states, which have their own")
    check_every = check_work("check_every", check_every)
    batch = Batch(Task(variant.name, check_limits(limits), agreed, check_every, shortest), [piece], workers)
    return in_order(batch.run())


def _check_deals(deals: object) -> None:
    """Raise ValueError for ``deals`` that are not several."""
    if not isinstance(deals, Iterable) or isinstance(deals, (str, bytes)):
        got = with_article(type(deals).__name__)
        raise ValueError(f"deals: expected a range of seeds, or states, got {got}")


def solve_many(
    variant: Variant | str,
    deals: range | Iterable[State],
    limits: Limits | None = None,
    *,
    workers: int | None = None,
    choices: Mapping[str, str] | None = None,
    shortest: bool = False,
) -> Iterator[dict[str, Any]]:
    """Solve ``deals``, a range of seeds or states, and yield a row for each, in order.

    A row has the ``seed``, or for a state its index as ``deal``, the ``verdict`` and ``reason`` as words, the
    ``length`` of the line found, and the other keys of a result except the line itself; a value that does not
    apply is None. ``workers``, ``limits``, by default a gigabyte, and ``shortest`` are those of
    `solve_records`, which is faster. Raises like that.

    >>> from winnable import solve_many
    >>> [row["length"] for row in solve_many("fortress", range(6, 9))]
    [None, None, 91]
    """
    variant = find_variant(variant)
    agreed = variant.agreed(choices)
    _check_deals(deals)
    deals = deals if isinstance(deals, range) else list(deals)
    limits = Limits(megabytes=1000) if limits is None else limits
    chunks = solve_records(variant, deals, limits, workers=workers, choices=agreed, shortest=shortest)
    return (_row(variant, deals, record) for records in chunks for record in records)


def _row(variant: Variant, deals: range | Sequence[State], record: Record) -> dict[str, Any]:
    """The row of `solve_many` for a record."""
    length, bound, score, most = (
        None if value < 0 else value
        for value in (record.moves, record.lower_bound, record.score, record.score_bound)
    )
    tier = None
    if variant.scoring is not None and score is not None:
        deck = variant.deck() if isinstance(deals, range) else deals[record.seed].deck
        tier = variant.scoring.tier_of(score, deck.places)
    return {
        "seed" if isinstance(deals, range) else "deal": record.seed,
        "verdict": VERDICTS[record.verdict],
        "length": length,
        "shortest": bool(record.shortest),
        "lower_bound": bound,
        "score": score,
        "tier": tier,
        "score_bound": most,
        "exact": None if score is None else bool(record.exact),
        "expanded": record.expanded,
        "generated": record.generated,
        "cpu_seconds": record.microseconds / 1e6,
        "reason": REASONS[record.reason],
    }
