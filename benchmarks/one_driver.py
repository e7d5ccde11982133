"""Throughput of one driver of a Dask cluster: the limits of the scheduler, the driver and the store.

    python -m benchmarks.one_driver [--deals N] [--rounds N] [--machines N]

A cluster of as many processes as this machine has processors is started on it. Three things are measured with
Chessboard: the same deals by threads and by the cluster, in turns; workers that answer at once, with records
made beforehand in chunks as large as a second of work, without a store and with one; the store alone. From
these comes what a thousand million deals would take on many machines like this one, and what gives way first.
The cluster and its driver share this machine, so a driver of its own can only take more.
"""

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from statistics import median

import numpy as np

from winnable.rules.deals import DEALER
from winnable.solver import Limits
from winnable.solver.batch import Batch, ClusterBatch, Task
from winnable.solver.batch.chunk import ChunkSolver, Piece, Records
from winnable.solver.batch.packing import Packed, pack_records
from winnable.solver.batch.schema import Header
from winnable.solver.batch.store import Store
from winnable.solver.core.processors import count_processors

from .figures import INTERRUPTED, fail, positive
from .published.page import table

TASK = Task("chessboard", Limits(megabytes=1000.0))
ALL = 1_000_000_000  # deals that one would like to know of
MADE = 16384  # records made beforehand


def renumbered(records: Records, seeds: range) -> Records:
    """``records`` again and again, for a chunk of seeds."""
    answer = np.resize(records, len(seeds))
    answer["seed"] = np.arange(seeds.start, seeds.stop, dtype=np.uint64)
    return answer


class Answer:
    """The task of a worker that does not search; the few records go to it with each chunk."""

    def __init__(self, records: Records) -> None:
        self.records = records

    def __call__(self, task: Task, piece: Piece) -> tuple[Packed, float]:
        """Any records for a chunk of seeds, and the seconds that the search for them would have taken."""
        assert isinstance(piece, range)
        answer = renumbered(self.records, piece)
        return pack_records(answer), float(answer["microseconds"].sum()) / 1e6


class AtOnce(ClusterBatch):
    """A cluster whose workers do not search."""

    def __init__(self, records: Records, pieces: Iterable[Piece], address: str) -> None:
        super().__init__(TASK, pieces, address)
        self.answer = Answer(records)


def processor_seconds() -> float:
    """Processor time of this process; its threads too."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def open_store(path: Path) -> Store:
    """A new store for such deals."""
    return Store.write(str(path), Header(TASK.variant, DEALER, TASK.limits))


def timed(batch: Batch | ClusterBatch, store: Store | None = None) -> float:
    """The seconds that a batch takes, its answers written to ``store`` if there is one."""
    began = time.perf_counter()
    with closing(batch.run()) as chunks:
        for _, records in chunks:
            if store is not None:
                store.add(records, 0.0)
    return time.perf_counter() - began


def compare(address: str, deals: int, rounds: int, workers: int) -> dict[str, list[float]]:
    """Medians of the seconds by threads and by the cluster, in turns, and of the processor time."""
    from distributed import Client

    def used() -> float:
        """Processor time of this process, where the scheduler is too, and of the workers."""
        return processor_seconds() + sum(client.run(processor_seconds).values())

    rows: dict[str, list[tuple[float, float]]] = {"threads": [], "cluster": []}
    pieces = [range(1, deals + 1)]
    with Client(address, set_as_default=False) as client:
        timed(ClusterBatch(TASK, [range(1, 2001)], address))  # the workers load what they need
        for _ in range(rounds):
            for name, measured in rows.items():
                before = used()
                is_cluster = name == "cluster"
                batch = ClusterBatch(TASK, pieces, address) if is_cluster else Batch(TASK, pieces, workers)
                measured.append((timed(batch), used() - before))
    return {name: [median(row[i] for row in measured) for i in range(2)] for name, measured in rows.items()}


def measure(options: argparse.Namespace) -> dict[str, float]:
    """Deals a second of each part, the share of processor time that a cluster costs, and bytes a deal."""
    import dask
    from distributed import LocalCluster

    # The profiler looks at each worker 100 times a second.
    dask.config.set({"distributed.worker.profile.enabled": False})
    workers, made = count_processors(), ChunkSolver(TASK).solve(range(1, MADE + 1))
    chunk, few, deals = int(1e6 * len(made) / made["microseconds"].sum()), made[:512], options.at_once
    local = {"n_workers": workers, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with tempfile.TemporaryDirectory() as folder, LocalCluster(**local) as cluster:
        address, path = cluster.scheduler_address, Path(folder) / "with.sqlite"
        compared = compare(address, options.deals, options.rounds, workers)
        alone = timed(AtOnce(few, [range(1, deals + 1)], address))
        with closing(open_store(path)) as store:
            together = timed(AtOnce(few, [range(1, deals + 1)], address), store)
        with closing(open_store(Path(folder) / "alone.sqlite")) as store:
            began = time.perf_counter()
            for first in range(1, deals + 1, chunk):
                store.add(renumbered(few, range(first, min(first + chunk, deals + 1))), 0.0)
            writing = time.perf_counter() - began
        size = path.stat().st_size
    return {
        "threads": options.deals / compared["threads"][0],
        "cluster": options.deals / compared["cluster"][0],
        "scheduler and driver": deals / alone,
        "store": deals / writing,
        "driver and store together": deals / together,
        "loss of processor time": 1 - compared["threads"][1] / compared["cluster"][1],
        "bytes a deal": size / deals,
    }


def text(data: dict[str, float], machines: int) -> str:
    """The rates as a table, and what `ALL` deals would take on so many machines."""
    rates = {name: data[name] for name in list(data)[:5]}
    rows = [[name, f"{rate:,.0f}"] for name, rate in rates.items()]
    workers = machines * rates.pop("cluster")
    del rates["threads"]
    slowest = min(rates, key=rates.__getitem__)
    limit = min(workers, rates[slowest])
    return (
        f"{table(('part', 'deals a second'), rows)}\n\n"
        f"The cluster costs {data['loss of processor time']:.1%} of processor time. {ALL:,} deals on "
        f"{machines} machines take {ALL / limit / 3600:.2f} hours, the workers alone "
        f"{ALL / workers / 3600:.2f}, and {ALL * data['bytes a deal'] / 1e9:.0f} GB; one driver keeps "
        f"{machines * rates[slowest] / workers:.0f} machines busy, limited by {slowest}."
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=positive, default=200_000, help="of a run by threads or cluster")
    parser.add_argument("--rounds", type=positive, default=3, help="of these")
    parser.add_argument("--at-once", type=positive, default=2_000_000, help="deals that are not searched")
    parser.add_argument("--machines", type=positive, default=100, help="to extrapolate to")
    options = parser.parse_args(arguments)
    try:
        print(text(measure(options), options.machines))
    except ImportError:
        fail("Dask is required: pip install '.[cluster]'")
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main())
