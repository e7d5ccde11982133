"""Throughput of one driver of a Dask cluster: the limits of the scheduler, the driver and the store.

    python -m benchmarks.one_driver [--deals N] [--rounds N] [--machines N] [--json FILE]

A cluster of as many processes as this machine has processors is started on it. Three things are measured with
Chessboard: the same deals by threads and by the cluster, in turns; workers that answer at once, with records
made beforehand in chunks as large as a second of work, without a store and with one; the store alone. From
these comes what a thousand million deals would take on many machines like this one, and what gives way first.
The cluster and its driver share this machine, so a driver of its own can only take more.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from winnable.rules.deals import DEALER
from winnable.solver import Limits
from winnable.solver.batch import Batch, ClusterBatch, Task
from winnable.solver.batch.chunk import ChunkSolver, Piece, Records
from winnable.solver.batch.packing import Packed, pack_records
from winnable.solver.batch.schema import Header
from winnable.solver.batch.store import Store
from winnable.solver.core.processors import count_processors

from .figures import INTERRUPTED, check_writable, circumstances, fail, positive, write_json

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


def timed(batch: Batch | ClusterBatch) -> tuple[int, float]:
    """The deals that a batch answers, and the seconds."""
    began, deals = time.perf_counter(), 0
    with closing(batch.run()) as chunks:
        for _, records in chunks:
            deals += len(records)
    return deals, time.perf_counter() - began


def open_store(path: Path) -> Store:
    """A new store for such deals."""
    return Store.write(str(path), Header(TASK.variant, DEALER, TASK.limits))


def stored(batch: ClusterBatch, path: Path) -> tuple[int, float]:
    """The same with the answers written to a store."""
    began, deals = time.perf_counter(), 0
    with closing(open_store(path)) as store, closing(batch.run()) as chunks:
        for _, records in chunks:
            store.add(records, 0.0)
            deals += len(records)
    return deals, time.perf_counter() - began


def compare(address: str, deals: int, rounds: int, workers: int) -> dict[str, Any]:
    """Deals a second, and processor time a deal, by threads and by the cluster, in turns."""
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
                measured.append((timed(batch)[1], used() - before))
    seconds, processors = (
        {name: median(row[i] for row in measured) for name, measured in rows.items()} for i in range(2)
    )
    return {
        "deals": deals,
        "rounds": rounds,
        "workers": workers,
        "deals_a_second": {name: deals / taken for name, taken in seconds.items()},
        "loss": 1 - seconds["threads"] / seconds["cluster"],
        "cpu_microseconds_a_deal": {name: 1e6 * taken / deals for name, taken in processors.items()},
        "loss_of_processor_time": 1 - processors["threads"] / processors["cluster"],
        "measured": rows,
    }


def at_once(address: str, records: Records, deals: int) -> dict[str, Any]:
    """The throughput of driver and scheduler with workers that do not search, and with a store."""
    pieces = [range(1, deals + 1)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "at-once.sqlite"
        before = processor_seconds()
        _, seconds = timed(AtOnce(records, pieces, address))
        driver = processor_seconds() - before
        _, writing = stored(AtOnce(records, pieces, address), path)
        size = path.stat().st_size
    return {
        "deals": deals,
        "scheduler_deals_a_second": deals / seconds,
        "driver_cpu_microseconds_a_deal": 1e6 * driver / deals,
        "with_store_deals_a_second": deals / writing,
        "bytes_a_deal": size / deals,
    }


def store_alone(records: Records, deals: int, chunk: int) -> dict[str, Any]:
    """Deals a second that the store takes, in chunks."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "alone.sqlite"
        with closing(open_store(path)) as store:
            began = time.perf_counter()
            for first in range(1, deals + 1, chunk):
                store.add(renumbered(records, range(first, min(first + chunk, deals + 1))), 0.0)
            seconds = time.perf_counter() - began
    return {"deals": deals, "chunk": chunk, "deals_a_second": deals / seconds}


def extrapolate(data: dict[str, Any], machines: int) -> dict[str, Any]:
    """The time of `ALL` deals on so many machines, and the slowest part."""
    wanted = machines * data["compare"]["deals_a_second"]["cluster"]
    parts = {
        "the workers": wanted,
        "the scheduler and the driver": data["at_once"]["scheduler_deals_a_second"],
        "the store": data["store"]["deals_a_second"],
        "driver and store together": data["at_once"]["with_store_deals_a_second"],
    }
    slowest = min(parts, key=lambda name: parts[name])
    return {
        "machines": machines,
        "deals": ALL,
        "deals_a_second": parts,
        "first_to_give_way": slowest,
        "hours": ALL / parts[slowest] / 3600,
        "hours_of_the_workers_alone": ALL / wanted / 3600,
        "machines_kept_busy": machines * parts[slowest] / wanted,
        "gigabytes": ALL * data["at_once"]["bytes_a_deal"] / 1e9,
    }


def text(data: dict[str, Any]) -> str:
    """All of it as lines."""
    compared, once, far = data["compare"], data["at_once"], data["extrapolated"]
    rates = compared["deals_a_second"]
    lines = [
        f"{compared['deals']:,} deals of Chessboard, {compared['workers']} workers, medians of "
        f"{compared['rounds']} rounds in turns:",
        f"  threads        {rates['threads']:12,.0f} deals/s",
        f"  cluster        {rates['cluster']:12,.0f} deals/s, loss {compared['loss']:.1%}; "
        f"of processor time, with the scheduler, {compared['loss_of_processor_time']:.1%}",
        "Workers that answer at once:",
        f"  without store  {once['scheduler_deals_a_second']:12,.0f} deals/s, "
        f"{once['driver_cpu_microseconds_a_deal']:.2f} microseconds of the driver's processor a deal",
        f"  with a store   {once['with_store_deals_a_second']:12,.0f} deals/s",
        f"The store alone  {data['store']['deals_a_second']:12,.0f} deals/s, in chunks of "
        f"{data['store']['chunk']:,}; {once['bytes_a_deal']:.1f} bytes a deal",
        f"{far['deals']:,} deals on {far['machines']} machines like this one:",
        f"  {far['hours']:.1f} hours and {far['gigabytes']:.0f} GB; the first to give way: "
        f"{far['first_to_give_way']}",
        f"  the workers alone would take {far['hours_of_the_workers_alone']:.2f} hours; one driver keeps "
        f"{far['machines_kept_busy']:.0f} machines busy",
    ]
    return "\n".join(lines)


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Start the cluster and measure."""
    import dask
    from distributed import LocalCluster

    dask.config.set(
        {"distributed.worker.profile.enabled": False}
    )  # it looks at each worker 100 times a second
    workers = count_processors()
    solver = ChunkSolver(TASK)
    records = solver.solve(range(1, MADE + 1))
    chunk = int(1e6 * len(records) / records["microseconds"].sum())
    small = records[:512]
    with LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        address = cluster.scheduler_address
        data = {
            "circumstances": circumstances(),
            "compare": compare(address, options.deals, options.rounds, workers),
            "at_once": at_once(address, small, options.at_once),
        }
    data["store"] = store_alone(small, options.at_once, chunk)
    data["extrapolated"] = extrapolate(data, options.machines)
    return data


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=positive, default=200_000, help="of a run by threads or cluster")
    parser.add_argument("--rounds", type=positive, default=3, help="of these")
    parser.add_argument("--at-once", type=positive, default=2_000_000, help="deals that are not searched")
    parser.add_argument("--machines", type=positive, default=100, help="to extrapolate to")
    parser.add_argument("--json", metavar="FILE", help="keep the figures there too")
    options = parser.parse_args(arguments)
    check_writable(options.json)
    try:
        data = measure(options)
    except ImportError:
        fail("Dask is required: pip install 'winnable[cluster]'")
    except KeyboardInterrupt:
        return INTERRUPTED
    print(text(data))
    write_json(options.json, data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
